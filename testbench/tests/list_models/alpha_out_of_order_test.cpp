// The 21264 and 21264A against lists: caches with their victims, translation buffers, directions, targets, return stack
// and successors of fetch blocks, on every recorded program and on random ones with small caches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testbench/tests/list_models/alpha_lists.h"
#include "testbench/tests/list_models/alpha_memory.h"
#include "testbench/tests/list_models/alpha_pages.h"
#include "testbench/tests/list_models/alpha_path.h"
#include "testbench/tests/list_models/programs.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::alpha::lists {
namespace {

using Changes = std::vector<std::pair<const char*, std::int64_t>>;

/// Runs the 21264A before all models. `open` gives the trace, twice.
template <class Open>
void compare(const models::Parameters& parameters, Open open, const std::string& what) {
  const auto reader = open();
  const Program program(*reader);
  Memory memory(parameters, true, program.commands);
  Itb itb(parameters, false);
  OutOfOrderDtb dtb(parameters, program);
  Path path(parameters, program);
  const std::vector<Watcher*> all{&memory, &itb, &dtb, &path};
  const auto core = core::make_alpha_ev67(open(), parameters);
  watch(*core, all);
  for (const Watcher* const w : all) EXPECT_EQ(w->difference(), "") << what;
}

models::Parameters changed(const Changes& changes) {
  models::Parameters parameters = core::alpha_ev67_parameters();
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}

void compare_random(const Changes& changes, const Mixture& mixture) {
  std::string what = fmt::format("seed {}", mixture.seed);
  for (const auto& [name, value] : changes) what += fmt::format(" {}={}", name, value);
  const std::string text = random_program(mixture);
  trace::ReadOptions options;
  options.isa = trace::Isa::alpha;
  compare(
      changed(changes), [&] { return trace::open_text(text, "random", options); }, what);
}

Changes small(Changes more) {
  const Changes all = {{"core.l1i_bytes", 2048}, {"core.l1d_bytes", 1024}, {"core.bcache_bytes", 0x2000},
                       {"core.itb_entries", 2},  {"core.dtb_entries", 4},  {"core.return_stack", 4}};
  more.insert(more.begin(), all.begin(), all.end());
  return more;
}

TEST(OutOfOrderLists, HoldForEveryRecordedProgram) {
  for (const std::int64_t wrong_path : {1, 0}) {
    const auto programs = recorded_programs("alpha", wrong_path != 0 ? longest_program : 300'000);
    ASSERT_FALSE(programs.empty());
    for (const std::filesystem::path& file : programs) {
      compare(
          changed({{"core.wrong_path", wrong_path}}), [&] { return trace::open(file); },
          fmt::format("{}, wrong_path={}", file.string(), wrong_path));
    }
  }
}

TEST(OutOfOrderLists, HoldForSmallCaches) {
  for (std::uint64_t seed = 1; seed <= 3 / sampling + 1; ++seed) {
    for (const std::int64_t wrong_path : {1, 0}) {
      compare_random(small({{"core.wrong_path", wrong_path}}), {.seed = seed});
      compare_random(small({{"core.wrong_path", wrong_path}}), {.seed = seed, .command_in = 40});
    }
  }
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
  for (const Changes& more : changes) {
    for (const std::int64_t wrong_path : {1, 0}) {
      Changes all = small(more);
      all.emplace_back("core.wrong_path", wrong_path);
      for (std::uint64_t seed = 1; seed <= 1 / sampling + 1; ++seed) {
        compare_random(all, {.seed = 100 + seed, .command_in = 40});
      }
    }
  }
}

}  // namespace
}  // namespace pmusim::testbench::alpha::lists
