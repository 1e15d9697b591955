// `pmusim run -I`: counts per interval of cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>

#include "command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;
using Counts = std::vector<std::uint64_t>;

std::uint64_t sum(const nlohmann::json& list) {
  const auto counts = list.get<Counts>();
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// Each count of a run in intervals is the one without them, and the sum of its intervals.
void check_sums(const std::string& run, std::uint64_t cycles) {
  const auto whole = json_of(pmusim(run + " --format json"));
  const auto parts = json_of(pmusim(run + " --format json -I " + std::to_string(cycles)));
  EXPECT_EQ(parts.at("interval_cycles"), cycles);
  ASSERT_EQ(parts.at("counts").size(), whole.at("counts").size()) << run;
  const std::uint64_t all = whole.at("cycles");
  for (std::size_t i = 0; i < whole.at("counts").size(); ++i) {
    const auto& count = parts.at("counts")[i];
    EXPECT_EQ(count.at("value"), whole.at("counts")[i].at("value")) << run;
    EXPECT_EQ(count.at("intervals").size(), (all + cycles - 1) / cycles) << run;
    EXPECT_EQ(sum(count.at("intervals")), count.at("value")) << run << ": " << count.at("event");
  }
}

TEST(Intervals, AddUpToTheCountOnEveryFamily) {
  const auto trace = [](const char* name) { return " --trace '" + recorded(name) + "'"; };
  check_sums("run -t athlon -e RETIRED_INSTRUCTIONS,DATA_CACHE_MISSES:u" + trace("i386-units"), 10'000);
  check_sums("run -t ppc750gx -e INSTRUCTIONS_COMPLETED -e L1_DCACHE_MISSES" + trace("ppc-units"), 999);
  check_sums("run -t itanium2 -e IA64_INST_RETIRED,L1D_READ_MISSES_ALL" + trace("ia64-pipelined"), 7'000);
  check_sums("run -t montecito -e IA64_INST_RETIRED" + trace("ia64-pipelined") + trace("ia64-pipelined"), 7'000);
  check_sums("run -t alpha-ev4 -e PF_ISSUES" + trace("alpha-lz77"), 100'000);
  check_sums("run -t alpha-ev5 -e cycles" + trace("alpha-lz77"), 100'000);
  check_sums("run -t alpha-ev67 -e retinst -e cycles" + trace("alpha-lz77"), 100'000);
}

TEST(Intervals, GoWithPassesWarmupAndPerturbation) {
  const std::string trace = " --trace '" + recorded("i386-units") + "' -e RETIRED_INSTRUCTIONS,CPU_CLK_UNHALTED";
  check_sums("run -t athlon --passes" + trace + ",RETIRED_UOPS,DATA_CACHE_MISSES,DATA_CACHE_ACCESSES", 5'000);
  check_sums("run -t athlon --warmup 1000 --roi 1000:3000" + trace, 100);
  check_sums("run -t athlon --perturb" + trace, 5'000);
}

// An unhalted core has one clock a cycle, so that every whole interval counts its length.
TEST(Intervals, AreAsLongAsTheySay) {
  const auto run = json_of(
      pmusim("run -t athlon -I 1000 --format json -e CPU_CLK_UNHALTED --trace '" + recorded("i386-units") + "'"));
  Counts expected(run.at("cycles").get<std::uint64_t>() / 1000, 1000);
  expected.push_back(run.at("cycles").get<std::uint64_t>() % 1000);
  EXPECT_EQ(run.at("counts")[0].at("intervals"), expected);
}

// The layout of perf stat -I: the time at the end of the interval, a count, its event.
TEST(Intervals, TextAndTablesHaveTheSameValues) {
  write_file("nops.txt", nops(37));
  const std::string run = "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS:u -I ";
  const auto object = json_of(pmusim(run + "20 --format json"));
  const auto counts = object.at("counts")[0].at("intervals").get<Counts>();
  const std::uint64_t cycles = object.at("cycles");
  const std::string event = "athlon::RETIRED_INSTRUCTIONS:k=0:u=1:e=0:i=0:c=0";
  std::string csv = "cycle,value,event,counter\n";
  for (std::size_t i = 0; i < counts.size(); ++i)
    csv += std::to_string(std::min<std::uint64_t>(20 * (i + 1), cycles)) + ',' + std::to_string(counts[i]) + ',' +
           event + ",PerfCtr0\n";
  EXPECT_EQ(pmusim(run + "20 --format csv").out, csv);
  const Outcome text = pmusim(run + "20");
  EXPECT_THAT(text.out, testing::ContainsRegex("\ncycles +count +event +counter\n +20 +" + std::to_string(counts[0]) +
                                               " +athlon::RETIRED"));
  EXPECT_THAT(text.out, HasSubstr("\nin all:\n"));
  EXPECT_THAT(text.out, testing::Not(HasSubstr("▁"))) << "bars are for terminals";
}

TEST(Intervals, AreBarsInATerminal) {
  if (!have_tools({"script"})) GTEST_SKIP() << "needs script(1)";
  write_file("nops.txt", nops(500));
  const Outcome shown =
      shell("script -qec '\"$PMUSIM\" run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS:u -I 50' /dev/null");
  EXPECT_THAT(shown.out, HasSubstr("█"));
  EXPECT_THAT(shown.out, HasSubstr(" in 50 cycles"));
}

// A program that writes its counter: the register holds the rest, the intervals all that was counted.
TEST(Intervals, NameAStartValue) {
  write_file("nops.txt", nops(10));
  const auto run = json_of(
      pmusim("run -t athlon --trace nops.txt --write PerfEvtSel0=0x4300c0 --write PerfCtr0=1000 -I 7 --format json"));
  const auto& count = run.at("counts")[0];
  EXPECT_EQ(count.at("value"), 1010);
  EXPECT_EQ(sum(count.at("intervals")), 10u);
  EXPECT_THAT(count.at("notes").back().get<std::string>(), HasSubstr("software set it to 1000"));
}

}  // namespace
}  // namespace pmusim::cli_test
