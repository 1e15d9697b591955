// The entries that the cores of the Itanium 2 and the Montecito write to branch buffer and IP-EAR, from real programs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/ia64/branch_ring.h"
#include "models/ia64/ip_ear.h"
#include "models/itanium2/itanium2.h"
#include "models/montecito/montecito.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/session.h"
#include "testbench/tests/core_itanium2/code.h"

namespace pmusim::testbench::ia64 {
namespace {

using pmu::ia64::RecordedBranch;
using pmu::ia64::RetiredGroup;
using Outcome = RecordedBranch::Outcome;
using Settings = std::vector<std::pair<std::string, std::int64_t>>;

constexpr std::uint64_t levels = 9;
std::string with_branch(Syllable branch) { return bundle(stop(mib), nop, nop, branch); }

MonitorResult run(const char* name, const Script& script, const std::vector<std::pair<const char*, std::uint64_t>>& set,
                  const Settings& settings) {
  const models::Target& target = *models::find_target(name);
  models::Parameters parameters = target.parameters();
  for (const auto& [parameter, value] : settings) parameters.set(parameter, value);
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, parameters, options);
  const auto monitor = target.make_monitor(parameters);
  MonitorSetup setup;
  setup.writes.push_back({find_register(*monitor, "PMC0").value().id, 0});  // not frozen
  for (const auto& [reg, value] : set) setup.writes.push_back({find_register(*monitor, reg).value().id, value});
  session.add_monitor(setup);
  trace::ReadOptions reading;
  reading.isa = trace::Isa::ia64;
  return session.run(trace::open_text(script.text(), "test", reading)).monitors.at(0);
}

std::vector<RetiredGroup> traced(const Script& script, const Settings& settings) {
  constexpr std::uint64_t ip_ear_on = 4 << 8;
  const MonitorResult result = run("montecito", script, {{"PMC42", levels | ip_ear_on}}, settings);
  std::array<std::uint64_t, 16> entries{};
  for (unsigned i = 0; i < 16; ++i) entries[i] = result.value(fmt::format("PMD{}", 48 + i));
  return decode_ip_ear(pmu::montecito_branch_ring(entries, result.value("PMD38"), result.value("PMD39")));
}

// A misprediction flushes instructions younger than the branch: the first group that retires afterwards is the first of
// the correct path. The branch itself retires during the flush, and is older.
TEST(IpEarOfACore, OneFlushFlagsOneEntry) {
  Script s;
  s.repeat(3, nops).add(with_branch(br_dpnt(256) | qp(6)), "mispredict=path", "xxp").repeat(5, nops);
  const std::uint64_t first_after = Script::start + 16 * 4;
  for (const std::int64_t to_retirement : {1, 2, 4}) {
    for (const std::int64_t wrong_path : {0, 1}) {
      const auto groups = traced(s, {{"core.exe_to_retire", to_retirement}, {"core.wrong_path_cycles", wrong_path}});
      ASSERT_EQ(groups.size(), 9u);
      for (const RetiredGroup& group : groups)
        EXPECT_EQ(group.flushed, group.bundle == first_after) << to_retirement << std::hex << ' ' << group.bundle;
    }
  }
}

std::vector<Outcome> outcomes(const char* target, const Script& script, const Settings& settings) {
  // All branches: taken and not taken, predicted correctly and wrongly.
  constexpr std::uint64_t every_branch = 0x3f << 8;
  const bool two = std::string_view(target) == "montecito";
  const MonitorResult result = run(target, script, {{two ? "PMC39" : "PMC12", levels | every_branch}}, settings);
  std::array<std::uint64_t, 16> entries{};
  const unsigned size = two ? 16 : 8;
  for (unsigned i = 0; i < size; ++i) entries[i] = result.value(fmt::format("PMD{}", (two ? 48 : 8) + i));
  const auto ring = two ? pmu::montecito_branch_ring(entries, result.value("PMD38"), result.value("PMD39"))
                        : pmu::itanium2_branch_ring(std::span(entries).first<8>(), result.value("PMD16"));
  std::vector<Outcome> list;
  for (const RecordedBranch& branch : decode_branch_ring(ring)) list.push_back(branch.outcome);
  return list;
}

constexpr std::int64_t away = 512;
constexpr std::uint64_t there = Script::start + away;

/// Branches from start to `there`, back, and to `there` again, or further.
Script back_and_forth(std::int64_t then) {
  Script s;
  s.go(with_branch(br_sptk(away)), 2, there).go(with_branch(br_sptk(-away)), 2, Script::start);
  return s.go(with_branch(br_sptk(then)), 2, Script::start + static_cast<std::uint64_t>(then)).repeat(4, nops);
}

// A target that is known late, and an old one: the branch at the start has a more distant target at its second
// execution, for its code has been changed.
TEST(BranchBufferOfACore, LateAndOldTargetsAreFoundByTheFrontEnd) {
  constexpr Outcome right = Outcome::correct, wrong = Outcome::front_end_mispredicted;
  for (const char* target : {"itanium2", "montecito"}) {
    EXPECT_EQ(outcomes(target, back_and_forth(away), {}), (std::vector{wrong, wrong, right}));
    EXPECT_EQ(outcomes(target, back_and_forth(away), {{"core.late_target", 0}}), std::vector(3, right));
    EXPECT_EQ(outcomes(target, back_and_forth(2 * away), {{"core.late_target", 0}}),
              (std::vector{right, right, wrong}));
  }
}

// A misprediction that the front end corrects by itself flushes nothing: BE_BR_MISPRED_DETAIL_ANY (61h) stays 0, while
// BR_MISPRED_DETAIL_IPREL_WRONG_TARGET (5Bh, unit mask 7) counts the first execution of both branches.
TEST(BranchBufferOfACore, TheFrontEndsMispredictionsAreWrongTargets) {
  constexpr std::uint64_t ia64_code = 2 << 24, on = 1 << 23;
  const MonitorResult result = run("itanium2", back_and_forth(away),
                                   {{"PMC4", levels | on | ia64_code | 0x5b << 8 | 7 << 16},
                                    {"PMC5", levels | ia64_code | 0x61 << 8},
                                    {"PMC6", levels | ia64_code | 0x5b << 8}},
                                   {});
  EXPECT_EQ(result.value("PMD4"), 2u);
  EXPECT_EQ(result.value("PMD5"), 0u);
  EXPECT_EQ(result.value("PMD6"), 3u);
}

}  // namespace
}  // namespace pmusim::testbench::ia64
