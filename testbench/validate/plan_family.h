// What families make their plans of: privilege filters, plain checks, sets that fill the counters; and the functions
// that a family has for its plan (judging_facts.h).
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/validate/plan.h"

namespace pmusim::testbench {

/// The privilege filters.
struct Levels {
  bool user;
  bool kernel;
};
inline constexpr std::array<Levels, 3> all_levels{{{true, true}, {true, false}, {false, true}}};
/// A check of a row under a privilege filter, without further modifiers.
[[nodiscard]] Check plain_check(const oracle::Request& row, const Levels& levels);

/// Most occurrences of an event in one cycle, by the encoder's table: it only chooses where to put thresholds.
[[nodiscard]] std::map<std::string, unsigned> largest_per_cycle(const std::string& target);

/// Appends every row with every modifier of its family.
using Matrix = void (*)(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                        std::vector<Group>& groups);
/// Sets that use every counter, under one privilege filter.
using Sets = std::vector<Group> (*)(const std::string& target, const std::vector<oracle::Request>& rows,
                                    const Landmarks& landmarks, const Levels& levels);
/// What one of two threads gets that run together.
using Pair = void (*)(const std::vector<oracle::Request>& rows, const Landmarks& landmarks, std::vector<Group>& groups);
/// How events share the counters: in the order given, dealt so that each set can be placed. Every trace of a target
/// asks the same, so the answer is kept.
[[nodiscard]] const std::vector<std::vector<std::string>>& passes_of(const std::string& target,
                                                                     const std::vector<std::string>& texts);
/// Adds to a group what its events compare with.
using Complete = void (*)(Group& group, const Landmarks& landmarks);

/// Sets of as many events as there are counters, in table order, dealt so that each set can be placed.
[[nodiscard]] std::vector<Group> full_sets(const std::string& target, const std::vector<oracle::Request>& rows,
                                           const Landmarks& landmarks, const Levels& levels);
/// For families whose events compare with nothing, and whose rows all count and all have a name.
inline void complete_nothing(Group&, const Landmarks&) {}
[[nodiscard]] inline bool no_row(std::string_view) { return false; }

}  // namespace pmusim::testbench
