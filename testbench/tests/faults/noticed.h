// Expects that the validation notices the faults of a table.
#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "testbench/faults/table_faults.h"
#include "testbench/tests/faults/sampled.h"

namespace pmusim::testbench::faults {

using Excuses = std::vector<questions::Excuse>;

inline Excuses operator+(Excuses all, const Excuses& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Prints a row by verdict: the table, its faults, those that were tried, and these by verdict.
/// `table` is its name: "encoder athlon"; one in `usually` faults is tried, see sampling().
inline void expect_noticed(const std::string& target, const std::string& table, const std::vector<TableFault>& faults,
                           const Excuses& excuses, std::size_t usually = 1) {
  TableTally tally = try_table_faults(bench_of(target), faults, excuses, sampling(usually));
  for (const std::string& problem : tally.problems) ADD_FAILURE() << table << ": " << problem;
  const std::size_t quick = tally.tried[Verdict::quick], all = tally.tried[Verdict::all];
  const std::size_t excused = tally.tried[Verdict::excused], missed = tally.tried[Verdict::missed];
  std::cout << "| " << table << " | " << tally.faults << " | " << quick + all + excused + missed << " | " << quick
            << " | " << all << " | " << excused << " | " << missed << " |\n";
  EXPECT_GT(quick + all, 0u) << table;
}

}  // namespace pmusim::testbench::faults
