// Properties of every program: nothing is lost, nothing occurs twice, and the widths of the machine are not exceeded.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "program.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;
namespace d = activity::detail;

std::vector<std::filesystem::path> recorded_traces() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path folder = std::filesystem::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded";
  if (!std::filesystem::exists(folder)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("ppc-")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// An independent count over the trace itself.
struct Facts {
  std::uint64_t instructions = 0, folding = 0, loads_and_stores = 0, stores = 0;
  explicit Facts(const std::filesystem::path& file) {
    const auto reader = trace::open(file);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr) continue;
      ++instructions;
      const std::uint8_t* w = item.instruction.code->bytes.data();
      const std::uint32_t word =
          std::uint32_t{w[0]} << 24 | std::uint32_t{w[1]} << 16 | std::uint32_t{w[2]} << 8 | w[3];
      const unsigned primary = word >> 26, extended = (word >> 1) & 1023;
      const bool link = (word & 1) != 0, leaves_ctr = (word & (4u << 21)) != 0;
      if (primary == 18 && !link) ++folding;
      if ((primary == 16 || (primary == 19 && (extended == 16 || extended == 528))) && !link && leaves_ctr) ++folding;
    }
  }
};

class Recorded : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Recorded, KeepsTheBooks) {
  const Facts facts(GetParam());
  const auto core = core::make_ppc750(trace::open(GetParam()), core::ppc750_parameters());
  std::map<Signal, std::uint64_t> n;
  std::uint64_t folded = 0, next_id = 0, correct_dispatches = 0;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run(core->now() + 50000, block);
    for (std::size_t s = 0; s < activity::signal_count; ++s) n[static_cast<Signal>(s)] += block.columns[s].size();
    const auto at_most = [&](Signal s, unsigned limit) {
      const auto& column = block.column(s);
      for (std::size_t i = limit; i < column.size(); ++i) {
        ASSERT_NE(column[i].at, column[i - limit].at) << "signal " << static_cast<int>(s);
      }
    };
    at_most(Signal::dispatch, 2);
    at_most(Signal::retire, 2);
    at_most(Signal::fetch, 1);
    at_most(Signal::branch_handled, 1);
    at_most(Signal::branch_resolved, 1);
    for (const auto& o : block.column(Signal::fold)) folded += block.instructions[o.ref].wrong_path ? 0 : 1;
    for (const auto& o : block.column(Signal::dispatch))
      correct_dispatches += block.instructions[o.ref].wrong_path ? 0 : 1;
    for (const auto& o : block.column(Signal::retire)) {
      ASSERT_FALSE(block.instructions[o.ref].wrong_path);
      ASSERT_GE(block.instructions[o.ref].id, next_id) << "program order";
      next_id = block.instructions[o.ref].id + 1;
    }
  }
  EXPECT_EQ(core->retired(), facts.instructions);
  EXPECT_EQ(n[Signal::retire], facts.instructions - facts.folding);
  EXPECT_GE(folded, facts.folding) << "a refetch may fold a branch again";
  EXPECT_EQ(n[Signal::dispatch], n[Signal::retire] + n[Signal::kill]);
  EXPECT_GE(correct_dispatches, n[Signal::retire]);
  EXPECT_LE(n[Signal::finish], n[Signal::issue]);
  EXPECT_GE(n[Signal::finish], n[Signal::retire]);
  EXPECT_EQ(n[Signal::line_request], n[Signal::line_fill]);
  EXPECT_GE(n[Signal::dcache_lookup], n[Signal::load_return]);
}

TEST_P(Recorded, IsTheSameInBlocksOfAnyLength) {
  const auto signature = [&](activity::Cycle step, std::uint64_t limit) {
    const auto core = core::make_ppc750(trace::open(GetParam()), core::ppc750_parameters());
    std::uint64_t hash = 1469598103934665603ull;
    const auto mix = [&](std::uint64_t v) { hash = (hash ^ v) * 1099511628211ull; };
    std::array<std::uint64_t, activity::signal_count> columns{};
    std::array<std::uint64_t, activity::state_count> states{}, last{};
    activity::Block block;
    for (bool more = true; more && core->now() < limit;) {
      block.restart(core->now());
      more = core->run(std::min(core->now() + step, limit), block);
      for (std::size_t s = 0; s < activity::signal_count; ++s) {
        for (const auto& o : block.columns[s])
          columns[s] = (columns[s] ^ ((block.begin + o.at) << 16 ^ o.detail)) * 1099511628211ull;
      }
      for (std::size_t s = 0; s < activity::state_count; ++s) {
        const auto note = [&](activity::Cycle cycle, std::uint64_t value) {
          if (value == last[s]) return;
          last[s] = value;
          states[s] = (states[s] ^ (cycle << 8 ^ value)) * 1099511628211ull;
        };
        note(block.begin, block.states[s].initial);
        for (const auto& change : block.states[s].changes) note(block.begin + change.at, change.value);
      }
    }
    for (const std::uint64_t v : columns) mix(v);
    for (const std::uint64_t v : states) mix(v);
    mix(core->now());
    mix(core->retired());
    return hash;
  };
  const std::uint64_t limit = 30000;
  EXPECT_EQ(signature(100000, limit), signature(1, limit));
  EXPECT_EQ(signature(100000, limit), signature(7, limit));
  EXPECT_EQ(signature(100000, 300000), signature(1000, 300000));
}

INSTANTIATE_TEST_SUITE_P(Traces, Recorded, testing::ValuesIn(recorded_traces()), [](const auto& info) {
  std::string name = info.param.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Recorded);

}  // namespace
}  // namespace pmusim::testbench
