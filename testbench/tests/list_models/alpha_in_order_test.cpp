// The 21064, 21164 and 21164PC against lists: caches, miss file, write buffer, refill buffer, translation buffers and
// branch prediction, on every recorded program and on random ones with small caches.
#include <gtest/gtest.h>

#include "testbench/tests/list_models/alpha_lists.h"
#include "testbench/tests/list_models/alpha_memory.h"
#include "testbench/tests/list_models/alpha_pages.h"
#include "testbench/tests/list_models/alpha_path.h"
#include "testbench/tests/list_models/programs.h"

namespace pmusim::testbench::alpha::lists {
namespace {

struct Chip {
  const char* name;
  Factory make;
  models::Parameters (*parameters)();
  bool bwx;
  friend void PrintTo(const Chip& chip, std::ostream* out) { *out << chip.name; }
};
constexpr Chip chips[] = {{"ev4", core::make_alpha_ev4, core::alpha_ev4_parameters, false},
                          {"ev5", core::make_alpha_ev5, core::alpha_ev5_parameters, true},
                          {"pca56", core::make_alpha_pca56, core::alpha_pca56_parameters, true}};

/// Runs the chip before all models.
void compare(const Chip& chip, const models::Parameters& parameters, const ListedProgram& traced) {
  const Program program(*traced.open());
  Memory memory(parameters, false, program.commands);
  Itb itb(parameters, true);
  InOrderDtb dtb(parameters, program, chip.bwx);
  InOrderBranches branches(parameters, program);
  const std::vector<Watcher*> all{&memory, &itb, &dtb, &branches};
  watch(*chip.make(traced.open(), parameters), all);
  for (const Watcher* const w : all) EXPECT_EQ(w->difference(), "") << chip.name << ", " << traced.name;
}

/// Small caches and tables, and more: those of the changes that the chip has.
void compare_random(const Chip& chip, const Changes& more, const Mixture& mixture, unsigned number = 1) {
  models::Parameters parameters = chip.parameters();
  const Changes small = {{"core.l1i_bytes", 1024},      {"core.l1d_bytes", 1024}, {"core.scache_bytes", 3072},
                         {"core.bcache_bytes", 0x2000}, {"core.itb_entries", 2},  {"core.dtb_entries", 4},
                         {"core.history_entries", 256}, {"core.return_stack", 4}};
  for (const Changes& changes : {small, more}) {
    for (const auto& [name, value] : changes) {
      if (parameters.has(name)) parameters.set(name, value);
    }
  }
  for (const ListedProgram& program : random_programs(trace::Isa::alpha, mixture, number))
    compare(chip, parameters, program);
}

class InOrderLists : public testing::TestWithParam<Chip> {};

TEST_P(InOrderLists, HoldForEveryRecordedProgram) {
  // The 21164 runs long ones; its structures are those of the 21064 and 21164PC, and more.
  const auto programs = recorded_programs("alpha", GetParam().make == core::make_alpha_ev5 ? 400'000 : 100'000);
  ASSERT_FALSE(programs.empty());
  for (const ListedProgram& program : programs) compare(GetParam(), GetParam().parameters(), program);
}

TEST_P(InOrderLists, HoldForSmallCaches) {
  compare_random(GetParam(), {}, {.seed = 1}, 2);
  compare_random(GetParam(), {}, {.seed = 1, .command_in = 40}, 2);
}

TEST_P(InOrderLists, HoldForOtherSizes) {
  const Changes changes[] = {
      {{"core.miss_file", 1}},
      {{"core.miss_file", 3}, {"core.write_buffer", 2}},
      {{"core.write_buffer", 8}, {"core.write_buffer_start", 6}, {"core.write_buffer_age", 20}},
      {{"core.writes_under_way", 4}, {"core.write_buffer_start", 1}},
      {{"core.stream_lines", 0}},
      {{"core.stream_lines", 4}, {"core.code_fills", 5}},
      {{"core.l1i_ways", 2}, {"core.l1d_ways", 4}, {"core.scache_ways", 6}},
      {{"core.bcache_line", 64}, {"core.l1i_line", 64}},
      {{"core.tb_round_robin", 1}, {"core.dtb_entries", 2}},
      {{"core.history_bits", 1}, {"core.return_stack", 1}},
      {{"core.pin_events", 2}, {"core.memory_read", 300}},
  };
  for (const Changes& more : changes)
    compare_random(GetParam(), more, {.seed = 101, .instructions = 8000, .command_in = 40});
}

// Without a Bcache, a victim of the Scache leaves to the system.
TEST(InOrderLists, HoldWithoutABcache) {
  compare_random(chips[1], {{"core.bcache_bytes", 0}}, {.seed = 201, .command_in = 40}, 2);
}

INSTANTIATE_TEST_SUITE_P(Chips, InOrderLists, testing::ValuesIn(chips),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace pmusim::testbench::alpha::lists
