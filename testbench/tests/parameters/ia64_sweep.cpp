#include "ia64_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>

#include "testbench/tests/faults/sampled.h"
#include "values.h"

namespace pmusim::testbench::faults {
namespace {

constexpr std::array silent_on_both{
    Silent{"pmu.overflow_bit", "the overflow bit of a counter that does not interrupt"},
    Silent{"pmu.same_cycle_write", "a counter that a program writes while it counts"},
    Silent{"pmu.control_write", "registers that a program writes while counters count"},
    Silent{"pmu.pmc0_write", "overflow bits that software sets"},
    Silent{"pmu.unlisted_umask", "unit masks that no event has"},
    Silent{"pmu.fine_plm", "fine ranges with two levels; the encoder's have one"},
    Silent{"pmu.breakpoint_pairs", "pairs that are breakpoints as well, which no encoder writes"},
    Silent{"pmu.dear_tlb_latency", "a field that means nothing in TLB and ALAT mode"},
    Silent{"pmu.ear_reconfigured", "an EAR that is written while it follows something"},
    Silent{"pmu.btb_choice", "branches of one bundle that are not taken, whose entries are alike"},
    Silent{"pmu.btb_untaken_filter", "filters of targets alone; the sweep has the one that takes in everything"},
    Silent{"pmu.iear_stat", "a field of a register that tells no more than that it is not 0"},
    Silent{"pmu.reserved_bits", "what reserved bits read as"},
    Silent{"pmu.pmd_filter", "what a program reads"},
    Silent{"pmu.fine_mask", "fine ranges whose mask has holes; the encoder's have none"},
    Silent{"pmu.fine_union", "a second fine range for events that follow the first"},
    Silent{"pmu.inv_scope", "inverted ranges of channels that the encoder does not invert"},
    Silent{"pmu.ear_mode3", "a mode that no event has"},
    Silent{"pmu.dear_umask", "unit masks that no event has"},
    Silent{"pmu.dear_wrong_path", "loads of a wrong path, whose addresses no trace has"},
    Silent{"pmu.btb_rfi", "rfi, which no short trace executes under a trace buffer"},
    Silent{"pmu.iear_umask", "unit masks that no event has"},
    Silent{"pmu.event_sets", "events that no encoder puts together"},
    Silent{"pmu.increment_limit", "more of an event in a cycle than the core makes"},
    Silent{"pmu.syllable_overcount", "syllables that are held for two reasons, of which the core names one"},
    Silent{"pmu.freeze_delay", "counting after an overflow"},
    Silent{"pmu.interrupt_latency", "interrupts"},
    Silent{"pmu.pmv_mask_bit", "interrupts"},
    Silent{"pmu.ear_stat", "a field of a register that tells no more than that it is not 0"},
};

}  // namespace

/// The row's checks on every trace; for the branch buffer only the checks with the filter that accepts everything.
bool Ia64Sweep::notices(std::string_view row, const Exchange& exchange) const {
  Bench& bench = bench_of(target);
  if (row != branch_event) return bench.notices(Rows{std::string(row)}, exchange);
  std::vector<Group> plan = testbench::make_plan(target, testbench::Depth::full, {}, std::string(row));
  std::erase_if(plan, [&](const Group& group) {
    return !group.captures || group.filters.*branch_texts != std::vector<std::string>{"tm=3,ptm=3,ppm=3,brt=0,ds=0"};
  });
  return bench.notices(plan, exchange);
}

/// Only one in sampling_of_targets() values.
template <class Body>
void Ia64Sweep::for_each_value(Body body) const {
  std::size_t number = 0;
  const models::Parameters parameters = models::find_target(target)->parameters();
  for (const models::ParameterInfo& info : parameters.infos()) {
    if (!info.name.starts_with("pmu.")) continue;
    for (const std::int64_t value : other_values(info))
      if (number++ % sampling_of_targets() == 0) body(info, value);
  }
}

void Ia64Sweep::expect_read_alike_by_model_and_oracle() const {
  Bench few(target, {}, stride * sampling());
  std::size_t values = 0;
  for_each_value([&](const models::ParameterInfo& info, std::int64_t value) {
    ++values;
    for (const Shown& row : broken_promises) {
      if (row.parameter != info.name) continue;
      if (sanitized) return;
      models::Parameters& of_all = bench_of(target).parameters();
      of_all.set(info.name, value);
      EXPECT_TRUE(notices(row.row, {})) << info.name << '=' << value << " keeps the promise after all";
      of_all.set(info.name, info.default_value);
      return;
    }
    few.parameters().set(info.name, value);
    for (const std::string& mismatch : few.judge_all(testbench::Depth::basic).mismatches)
      ADD_FAILURE() << info.name << '=' << value << ' ' << mismatch;
    few.parameters().set(info.name, info.default_value);
    if (sanitized) return;
    models::Parameters& of_all = bench_of(target).parameters();
    of_all.set(info.name, value);
    for (const Shown& row : shown) {
      if (row.parameter != info.name) continue;
      EXPECT_FALSE(notices(row.row, {})) << info.name << '=' << value << ' ' << row.row;
    }
    of_all.set(info.name, info.default_value);
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
                       std::count_if(silent.begin(), silent.end(), is_it) +
                       std::count_if(silent_on_both.begin(), silent_on_both.end(), is_it);
    EXPECT_EQ(times, 1) << info.name;
  }
  EXPECT_EQ(found, shown.size() + broken_promises.size() + silent.size() + silent_on_both.size());
}

}  // namespace pmusim::testbench::faults
