// What a PMU family adds to the plan: its modifier matrix and the registers that its events need besides
// what an encoder programs. A new family is one file with two functions and a row in plan.cpp.
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

void alpha_matrix(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                  std::vector<Group>& groups);
[[nodiscard]] std::vector<Group> alpha_sets(const std::string& target, const std::vector<oracle::Request>& rows,
                                            const Landmarks& landmarks, const Levels& levels);
void alpha_sampled(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                   std::vector<Group>& groups);
void alpha_complete(Group& group, const Landmarks& landmarks);
[[nodiscard]] bool alpha_holds(std::string_view row);
[[nodiscard]] bool alpha_pca56_holds(std::string_view row);
[[nodiscard]] bool alpha_nameless(std::string_view row);
/// Rows beside the oracle's events: the 21264A's statistics of profiled instructions.
[[nodiscard]] std::vector<std::string> alpha_statistics(const std::string& target);
void athlon_matrix(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                   std::vector<Group>& groups);
void athlon_complete(Group& group, const Landmarks& landmarks);
[[nodiscard]] bool athlon_holds(std::string_view row);
[[nodiscard]] bool athlon_nameless(std::string_view row);
void itanium2_matrix(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                     std::vector<Group>& groups);
[[nodiscard]] std::vector<Group> itanium2_sets(const std::string& target, const std::vector<oracle::Request>& rows,
                                               const Landmarks& landmarks, const Levels& levels);
/// What long traces get beside the sets: a few events under every filter, and captures that are far apart.
void itanium2_sampled(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                      std::vector<Group>& groups);
void itanium2_complete(Group& group, const Landmarks& landmarks);
[[nodiscard]] bool itanium2_holds(std::string_view row);
[[nodiscard]] bool itanium2_nameless(std::string_view row);
void montecito_matrix(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                      std::vector<Group>& groups);
[[nodiscard]] std::vector<Group> montecito_sets(const std::string& target, const std::vector<oracle::Request>& rows,
                                                const Landmarks& landmarks, const Levels& levels);
void montecito_sampled(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                       std::vector<Group>& groups);
void montecito_pair(const std::vector<oracle::Request>& rows, const Landmarks& landmarks, std::vector<Group>& groups);
void montecito_complete(Group& group, const Landmarks& landmarks);
[[nodiscard]] bool montecito_holds(std::string_view row);
[[nodiscard]] bool montecito_nameless(std::string_view row);
void ppc750gx_matrix(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                     std::vector<Group>& groups);
void ppc750gx_complete(Group& group, const Landmarks& landmarks);
[[nodiscard]] bool ppc750gx_holds(std::string_view row);
[[nodiscard]] bool ppc750gx_nameless(std::string_view row);

}  // namespace pmusim::testbench
