// The building blocks of the families' plans: privilege filters, plain checks, sets that use all counters; and the
// functions that a family provides for its plan (judging_facts.h).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/judge/question/covering.h"

namespace pmusim::testbench {

/// The privilege filters.
struct Levels {
  bool user;
  bool kernel;
};
inline constexpr std::array<Levels, 3> all_levels{{{true, true}, {true, false}, {false, true}}};
/// A check of a row under a privilege filter, without other modifiers.
[[nodiscard]] Check plain_check(const oracle::Request& row, const Levels& levels);

/// Appends what no full set can have: selections without a name, captures, interrupts, filters.
using Apart = void (*)(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                       std::vector<Group>& groups);
/// Sets that use every counter, under one privilege filter.
using Sets = std::vector<Group> (*)(const std::string& target, const std::vector<oracle::Request>& rows,
                                    const Landmarks& landmarks, const Levels& levels);
/// The plan for each of two threads that run together.
using Pair = void (*)(Depth depth, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                      std::vector<Group>& groups);
/// Adds the registers with which a group's events are compared.
using Complete = void (*)(Group& group, const Landmarks& landmarks);

/// Sets with one event per counter, in table order, distributed so that each set can be placed.
[[nodiscard]] std::vector<Group> full_sets(const std::string& target, const std::vector<oracle::Request>& rows,
                                           const Landmarks& landmarks, const Levels& levels);
/// The default for families without such registers.
inline void complete_nothing(Group&, const Landmarks&) {}

}  // namespace pmusim::testbench
