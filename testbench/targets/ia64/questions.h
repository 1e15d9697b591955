// Questions of the IA-64 processors about more than one counter: filters of a run, and captures.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/question/attributes.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench::questions::ia64 {

using testbench::ia64::Processor;
namespace asked = oracle::ia64;

inline constexpr unsigned default_levels = 9;

/// Two events of the same set of a group; only one set can be selected at a time.
using OfOneSet = std::array<std::string_view, 2>;
/// Events requested together, and the reason for a refusal if they cannot be combined.
struct Together {
  std::vector<std::string_view> names;
  const char* why;
};
inline constexpr const char* one_counter = "two events of one counter";

/// The differences between the processors of the family.
struct Rules {
  std::vector<OfOneSet> sets;  ///< sets of the L2 cache
  std::vector<Together> together;
};
[[nodiscard]] Family make_family(std::string_view target, std::vector<std::string> counters, std::string_view taken_for,
                                 const Rules& rules, std::span<const Excuse> excuses);

[[nodiscard]] const Processor& processor_of(const Family& family);
/// The row of this name, at the default levels.
[[nodiscard]] Check row_named(const Family& family, const std::string& name);
/// IA64_TAGGED_INST_RETIRED of each tag channel.
[[nodiscard]] std::vector<Check> channel_rows(const Family& family);
/// The question with the second value of the form's first attribute; its other values are the neighbours.
[[nodiscard]] Question second_of(Form form);

/// Levels of a mask, under the name of an attribute.
[[nodiscard]] Value at_levels(std::string name, Attribute attribute, unsigned mask);
/// The instruction set whose code is counted (Itanium 2).
[[nodiscard]] Dimension instruction_set();

/// Adds questions about code and data ranges of every size, opcode matchers, and their combinations.
void add_filters(const Family& family, Extent extent, std::vector<Question>& questions);
/// Adds questions about event address registers, branch buffer and address trace with every field.
void add_captures(const Family& family, Extent extent, std::vector<Question>& questions);

/// True for an event of an address register or the branch buffer, whose unit is configured to capture.
[[nodiscard]] std::optional<Captures::Unit> unit_of(const oracle::Request& request);

/// Adds sets of events that can be counted together, and of events that cannot.
void add_sets(const Family& family, std::vector<Question>& questions);

}  // namespace pmusim::testbench::questions::ia64
