// Questions of the IA-64 processors about more than one counter: filters of a run, and what registers capture.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/questions/attributes.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench::questions::ia64 {

using testbench::ia64::Processor;
namespace asked = oracle::ia64;

inline constexpr unsigned default_levels = 9;

/// Counters, by number, that count an event alone; by the beginning of its name.
struct Placing {
  std::string_view prefix;
  std::vector<unsigned> counters;
};
/// Two events of one of the sets of a group, of which one set can be chosen at a time.
using OfOneSet = std::array<std::string_view, 2>;
/// Events that are asked for together, and why they have to be refused, if so.
struct Together {
  std::vector<std::string_view> names;
  const char* why;
};
inline constexpr const char* one_counter = "two events of one counter";

/// In what the questions to processors of the family differ.
struct Rules {
  std::vector<Placing> placings;
  std::vector<OfOneSet> sets;  ///< of its L2 cache
  std::vector<Together> together;
};
[[nodiscard]] Family make_family(std::string_view target, std::vector<std::string> counters, std::string_view taken_for,
                                 const Rules& rules, std::span<const DefectExcuse> excuses);

[[nodiscard]] const Processor& processor_of(const Family& family);
/// The row of this name, at the default levels.
[[nodiscard]] Check row_named(const Family& family, const std::string& name);
/// IA64_TAGGED_INST_RETIRED of each tag channel.
[[nodiscard]] std::vector<Check> channel_rows(const Family& family);
/// The question of a form whose first attribute has what is asked as its second value; the others are its neighbours.
[[nodiscard]] Question second_of(Form form);

/// The instruction set whose code is looked at (Itanium 2).
[[nodiscard]] Dimension instruction_set();

/// Code and data ranges of every size, opcode matchers, and what they do together.
void add_filters(const Family& family, Extent extent, std::vector<Question>& questions);
/// Event address registers, branch buffer and address trace with every field.
void add_captures(const Family& family, Extent extent, std::vector<Question>& questions);

/// An event of an address register or the branch buffer, which is set up to take something in.
[[nodiscard]] bool captures(const oracle::Request& request);

/// Events that can be counted together, and those that cannot.
void add_sets(const Family& family, std::vector<Question>& questions);

}  // namespace pmusim::testbench::questions::ia64
