// Expects that the validation notices the faults of a table.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "testbench/faults/table_faults.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::faults {

// How many of the faults and parameter values a suite tries.

/// Only one in this many is tried: PMUSIM_PERTURB_EVERY if set, else `usually` times PMUSIM_PERTURB_COARSER; under a
/// sanitizer ten times this number.
[[nodiscard]] inline std::size_t sampling(std::size_t usually = 1) {
  const auto number = [](const char* name, std::size_t otherwise) {
    const char* const named = std::getenv(name);
    return named == nullptr ? otherwise : std::max<std::size_t>(std::strtoul(named, nullptr, 10), 1);
  };
  return number("PMUSIM_PERTURB_EVERY", usually * pmusim::sampling * number("PMUSIM_PERTURB_COARSER", 1));
}
/// The same for cases that each judge a whole target: one in at most four (under a sanitizer, one in forty).
[[nodiscard]] inline std::size_t sampling_of_targets() {
  return std::min<std::size_t>(sampling(), 4 * pmusim::sampling);
}

using Excuses = std::vector<questions::Excuse>;

inline Excuses operator+(Excuses all, const Excuses& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Prints a row by verdict: the table, its faults, those that were tried, and these by verdict.
/// `table` is its name: "encoder athlon"; one in `usually` faults is tried, see sampling().
inline void expect_noticed(const std::string& target, const std::string& table, const std::vector<TableFault>& faults,
                           const Excuses& excuses, std::size_t usually = 1) {
  const std::vector<Trial> trials = try_table_faults(bench_of(target), table, faults, excuses, sampling(usually));
  for (const Trial& trial : trials) {
    if (trial.verdict == Verdict::missed) ADD_FAILURE() << table << ", not noticed: " << trial.fault.name << trial.by;
    if (trial.contradicts()) ADD_FAILURE() << table << ' ' << trial.fault.name << ": noticed, though " << trial.excuse;
  }
  Tally tally = tally_of(trials);
  const std::size_t quick = tally[Verdict::quick], all = tally[Verdict::all];
  std::cout << "| " << table << " | " << faults.size() << " | " << trials.size() << " | " << quick << " | " << all
            << " | " << tally[Verdict::excused] << " | " << tally[Verdict::missed] << " |\n";
  EXPECT_GT(quick + all, 0u) << table;
}

}  // namespace pmusim::testbench::faults
