// The 21064, 21164 and 21164PC against lists: caches, miss file, write buffer, refill buffer, translation buffers and
// branch prediction, on every recorded program and on random ones with small caches.
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

/// Runs the chip before all models. `open` gives the trace, twice.
template <class Open>
void compare(const Chip& chip, const models::Parameters& parameters, Open open, const std::string& what) {
  const auto reader = open();
  const Program program(*reader);
  Memory memory(parameters, false, program.commands);
  Itb itb(parameters, true);
  InOrderDtb dtb(parameters, program, chip.bwx);
  InOrderBranches branches(parameters, program);
  const std::vector<Watcher*> all{&memory, &itb, &dtb, &branches};
  const auto core = chip.make(open(), parameters);
  watch(*core, all);
  for (const Watcher* const w : all) EXPECT_EQ(w->difference(), "") << chip.name << ", " << what;
}

using Changes = std::vector<std::pair<const char*, std::int64_t>>;

void compare_random(const Chip& chip, const Changes& changes, const Mixture& mixture) {
  models::Parameters parameters = chip.parameters();
  std::string what = fmt::format("seed {}", mixture.seed);
  for (const auto& [name, value] : changes) {
    if (!parameters.has(name)) continue;
    parameters.set(name, value);
    what += fmt::format(" {}={}", name, value);
  }
  const std::string text = random_program(mixture);
  trace::ReadOptions options;
  options.isa = trace::Isa::alpha;
  compare(
      chip, parameters, [&] { return trace::open_text(text, "random", options); }, what);
}

const Changes small = {{"core.l1i_bytes", 1024},      {"core.l1d_bytes", 1024}, {"core.scache_bytes", 3072},
                       {"core.bcache_bytes", 0x2000}, {"core.itb_entries", 2},  {"core.dtb_entries", 4},
                       {"core.history_entries", 256}, {"core.return_stack", 4}};
Changes and_small(Changes more) {
  more.insert(more.begin(), small.begin(), small.end());
  return more;
}

class InOrderLists : public testing::TestWithParam<Chip> {};

TEST_P(InOrderLists, HoldForEveryRecordedProgram) {
  // The 21164 runs all; its structures are those of the 21064 and 21164PC, and more.
  const bool all = GetParam().make == core::make_alpha_ev5;
  const auto programs = recorded_programs("alpha", all ? longest_program : 400'000);
  ASSERT_FALSE(programs.empty());
  for (const std::filesystem::path& file : programs) {
    compare(
        GetParam(), GetParam().parameters(), [&] { return trace::open(file); }, file.string());
  }
}

TEST_P(InOrderLists, HoldForSmallCaches) {
  for (std::uint64_t seed = 1; seed <= 3 / sampling + 1; ++seed) {
    compare_random(GetParam(), small, {.seed = seed});
    compare_random(GetParam(), small, {.seed = seed, .command_in = 40});
  }
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
  for (const Changes& more : changes) {
    for (std::uint64_t seed = 1; seed <= 1; ++seed) {
      compare_random(GetParam(), and_small(more), {.seed = 100 + seed, .command_in = 40});
    }
  }
}

// Without a Bcache, a victim of the Scache leaves to the system.
TEST(InOrderLists, HoldWithoutABcache) {
  for (std::uint64_t seed = 1; seed <= 2 / sampling + 1; ++seed) {
    compare_random(chips[1], and_small({{"core.bcache_bytes", 0}}), {.seed = 200 + seed, .command_in = 40});
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, InOrderLists, testing::ValuesIn(chips),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace pmusim::testbench::alpha::lists
