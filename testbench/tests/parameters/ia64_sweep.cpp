#include "ia64_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "testbench/tests/sampling.h"
#include "values.h"

namespace pmusim::perturbation {

/// The row's checks on every trace; of the branch buffer's many filters the one that takes in everything.
bool Ia64Sweep::notices(std::string_view row, const Exchange& exchange) const {
  Bench& bench = bench_of(target);
  if (row != branch_event) return bench.notices(Rows{std::string(row)}, exchange);
  std::vector<Group> plan = testbench::make_plan(target, testbench::Depth::full, {}, std::string(row));
  std::erase_if(plan, [&](const Group& group) {
    return !group.captures || group.filters.*branch_texts != std::vector<std::string>{"tm=3,ptm=3,ppm=3,brt=0,ds=0"};
  });
  return bench.notices(plan, exchange);
}

/// Under a sanitizer one in so many values.
template <class Body>
void Ia64Sweep::for_each_value(Body body) const {
  std::size_t number = 0;
  const models::Parameters parameters = models::find_target(target)->parameters();
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    for (const std::int64_t value : other_values(info))
      if (number++ % pmusim::sampling == 0) body(info, value);
  }
}

void Ia64Sweep::expect_read_alike_by_model_and_oracle() const {
  Bench few(target, {}, stride * sampling());
  models::Parameters& of_all = bench_of(target).parameters();
  std::size_t values = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    ++values;
    for (const Shown& row : broken_promises) {
      if (row.parameter != info.name) continue;
      of_all.set(info.name, value);
      EXPECT_TRUE(notices(row.row, {})) << info.name << '=' << value << " keeps the promise after all";
      of_all.set(info.name, info.fallback);
      return;
    }
    few.parameters().set(info.name, value);
    for (const std::string& mismatch : few.judge_all(testbench::Depth::basic).mismatches)
      ADD_FAILURE() << info.name << '=' << value << ' ' << mismatch;
    few.parameters().set(info.name, info.fallback);
    of_all.set(info.name, value);
    for (const Shown& row : shown) {
      if (row.parameter != info.name) continue;
      EXPECT_FALSE(notices(row.row, {})) << info.name << '=' << value << ' ' << row.row;
    }
    of_all.set(info.name, info.fallback);
  });
  std::cout << target << ": " << values << " other values of PMU parameters tried\n";
}

void Ia64Sweep::expect_caught_in_the_model_alone() const {
  std::size_t caught = 0, expected = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    for (const Shown& row : shown) {
      if (row.parameter != info.name) continue;
      ++expected;
      const bool noticed = notices(row.row, OtherMonitor::with(target, info.name, value));
      caught += noticed ? 1 : 0;
      EXPECT_TRUE(noticed) << info.name << '=' << value << " in the model alone is not noticed";
    }
  });
  std::cout << target << ": caught " << caught << " of " << expected << " values that change a count\n";
}

void Ia64Sweep::expect_all_sorted() const {
  const models::Parameters parameters = models::find_target(target)->parameters();
  std::size_t found = 0;
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    ++found;
    const auto is_it = [&](const auto& row) { return row.parameter == info.name; };
    const auto times = std::count_if(shown.begin(), shown.end(), is_it) +
                       std::count_if(broken_promises.begin(), broken_promises.end(), is_it) +
                       std::count_if(silent.begin(), silent.end(), is_it);
    EXPECT_EQ(times, 1) << info.name;
  }
  EXPECT_EQ(found, shown.size() + broken_promises.size() + silent.size());
}

}  // namespace pmusim::perturbation
