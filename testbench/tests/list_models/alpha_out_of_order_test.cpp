// The 21264 and 21264A against lists: caches with their victims, translation buffers, directions, targets, return stack
// and successors of fetch blocks, on every recorded program and on random ones with small caches.
#include <gtest/gtest.h>

#include "testbench/tests/list_models/alpha_lists.h"
#include "testbench/tests/list_models/alpha_memory.h"
#include "testbench/tests/list_models/alpha_pages.h"
#include "testbench/tests/list_models/alpha_path.h"
#include "testbench/tests/list_models/programs.h"

namespace pmusim::testbench::alpha::lists {
namespace {

/// Runs the 21264A before all models.
void compare(const models::Parameters& parameters, const ListedProgram& traced) {
  const Program program(*traced.open());
  Memory memory(parameters, true, program.commands);
  Itb itb(parameters, false);
  OutOfOrderDtb dtb(parameters, program);
  Path path(parameters, program);
  const std::vector<Watcher*> all{&memory, &itb, &dtb, &path};
  watch(*core::make_alpha_ev67(traced.open(), parameters), all);
  for (const Watcher* const w : all) {
    EXPECT_EQ(w->difference(), "") << traced.name << ", wrong_path=" << parameters.get("core.wrong_path");
  }
}

/// Small caches and tables, and more, with and without wrong paths.
void compare_random(const Changes& more, const Mixture& mixture, unsigned number = 1) {
  const Changes small = {{"core.l1i_bytes", 2048}, {"core.l1d_bytes", 1024}, {"core.bcache_bytes", 0x2000},
                         {"core.itb_entries", 2},  {"core.dtb_entries", 4},  {"core.return_stack", 4}};
  for_each_run(changed(changed(core::alpha_ev67_parameters(), small), more),
               {{{"core.wrong_path", 1}}, {{"core.wrong_path", 0}}},
               {random_programs(trace::Isa::alpha, mixture, number)},
               [](const ListedProgram& program, const auto& p) { compare(p, program); });
}

TEST(OutOfOrderLists, HoldForEveryRecordedProgram) {
  for (const std::int64_t wrong_path : {1, 0}) {
    const auto programs = recorded_programs("alpha", wrong_path != 0 ? 250'000 : 100'000);
    ASSERT_FALSE(programs.empty());
    for (const ListedProgram& program : programs)
      compare(changed(core::alpha_ev67_parameters(), {{"core.wrong_path", wrong_path}}), program);
  }
}

TEST(OutOfOrderLists, HoldForSmallCaches) {
  compare_random({}, {.seed = 1}, 2);
  compare_random({}, {.seed = 1, .command_in = 40}, 2);
}

TEST(OutOfOrderLists, HoldForOtherSizes) {
  const Changes changes[] = {
      {{"core.miss_file", 2}},
      {{"core.stream_lines", 0}},
      {{"core.stream_lines", 4}, {"core.code_fills", 5}},
      {{"core.l1i_ways", 1}, {"core.l1d_ways", 4}},
      {{"core.tb_round_robin", 0}, {"core.dtb_entries", 2}},
      {{"core.load_queue", 4}, {"core.store_queue", 4}},
      {{"core.line_bubble", 3}, {"core.return_stack", 1}},
      {{"core.bcache_bytes", 0x1000}, {"core.memory_read", 300}},
  };
  for (const Changes& more : changes) compare_random(more, {.seed = 101, .instructions = 8000, .command_in = 40});
}

}  // namespace
}  // namespace pmusim::testbench::alpha::lists
