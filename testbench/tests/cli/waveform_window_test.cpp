// `--vcd-cycles`: the waveform of a long run is its beginning, and the rest is counted as without one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

/// The changes in a waveform: all after its header, which has a date, without the last line, the time of its end.
std::string changes_in(const std::string& name) {
  const std::string text = read_file(scratch() + "/" + name);
  const std::size_t begin = text.find("$enddefinitions");
  return text.substr(begin, text.rfind('#') - begin);
}

/// The last line of a waveform: the time at which it ends, in picoseconds.
std::string end_of(const std::string& name) {
  const std::string text = read_file(scratch() + "/" + name);
  return text.substr(text.rfind('#') + 1, text.find_last_not_of('\n') - text.rfind('#'));
}

// A cycle is 1000 ps, and the edge that ends cycle N-1 is at N * 1000; the file ends a cycle later.
TEST(VcdCycles, AreTheFirstOfTheWholeRun) {
  const std::string run = "run -t ppc750gx --trace '" + recorded("ppc-units") +
                          "' --roi 0:2000 -e INSTRUCTIONS_COMPLETED -e PROCESSOR_CYCLES --registers --format json ";
  const Outcome plain = pmusim(run), whole = pmusim(run + "--vcd whole.vcd --vcd-cycles all");
  EXPECT_EQ(whole.out, plain.out);
  EXPECT_EQ(whole.err, "");
  const std::string all = changes_in("whole.vcd");
  for (const unsigned cycles : {1u, 1000u, 1024u, 1025u}) {  // the last ones: at the end of a block
    const Outcome cut = pmusim(run + fmt::format("--vcd cut.vcd --vcd-cycles {}", cycles));
    EXPECT_EQ(cut.out, plain.out) << cycles;
    EXPECT_THAT(cut.err, HasSubstr(cycles == 1 ? "cut.vcd: the first 1 of " : "cut.vcd: the first 1,0")) << cycles;
    EXPECT_TRUE(all.starts_with(changes_in("cut.vcd"))) << cycles;
    EXPECT_EQ(end_of("cut.vcd"), std::to_string((cycles + 1) * 1000)) << cycles;
  }
}

TEST(VcdCycles, OfAShortRunSayNothing) {
  write_file("nops.txt", nops(53));
  const std::string run = "run -t athlon --trace nops.txt -e CPU_CLK_UNHALTED --vcd short.vcd --format json";
  const Outcome whole = pmusim(run);
  EXPECT_EQ(whole.err, "");
  const std::uint64_t cycles = json_of(whole).at("cycles");
  EXPECT_EQ(pmusim(run + fmt::format(" --vcd-cycles {}", cycles)).err, "");
  EXPECT_EQ(
      pmusim(run + fmt::format(" --vcd-cycles {}", cycles - 1)).err,
      fmt::format("pmusim: short.vcd: the first {} of {} cycles; --vcd-cycles all writes all\n", cycles - 1, cycles));
}

TEST(VcdCycles, AreAHundredThousandByDefault) {
  std::string text = nops(10) + "! idle cycles=150000\n";
  for (unsigned i = 10; i < 13; ++i) text += fmt::format("{:x} 90\n", 0x10000 + i);
  write_file("idle.txt", text);
  const Outcome cut = pmusim("run -t athlon --trace idle.txt -e RETIRED_INSTRUCTIONS --vcd idle.vcd --format json");
  EXPECT_THAT(cut.err, testing::StartsWith("pmusim: idle.vcd: the first 100,000 of 150,"));
  EXPECT_EQ(json_of(cut).at("counts").at(0).at("value"), 13);
  EXPECT_EQ(end_of("idle.vcd"), "100001000");
}

// Interrupts are taken, and registers written by the handler, as before the window's end.
TEST(VcdCycles, SamplesAfterThemAreTheSame) {
  struct Sampled {
    const char *target, *trace, *event;
  };
  for (const Sampled& one : {Sampled{"ppc750gx", "ppc-units", "INSTRUCTIONS_COMPLETED"},
                             {"alpha-ev5", "alpha-units", "PF5_MUX0_CYCLES"},
                             {"itanium2", "ia64-pipelined", "CPU_CYCLES"}}) {
    const std::string record = fmt::format("record -t {} --trace '{}' --roi 0:3000 -e {} --period 50 --format json",
                                           one.target, recorded(one.trace), one.event);
    const Outcome plain = pmusim(record);
    EXPECT_GT(lines_of(plain.out).size(), 20u) << one.target;
    EXPECT_EQ(pmusim(record + " --vcd samples.vcd --vcd-cycles 100").out, plain.out) << one.target;
  }
}

TEST(VcdCycles, AreChecked) {
  write_file("nops.txt", nops(5));
  const std::string run = "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS ";
  for (const std::string wrong : {"0", "-1", "1k", "99999999999999999999"}) {
    const Outcome outcome = pmusim(run + "--vcd w.vcd --vcd-cycles=" + wrong);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "pmusim: --vcd-cycles '" + wrong + "': expected a whole number from 1, or all\n");
  }
  EXPECT_EQ(pmusim(run + "--vcd-cycles 5").code, 2);
  EXPECT_FALSE(std::filesystem::exists(scratch() + "/w.vcd"));
}

}  // namespace
}  // namespace pmusim::cli_test
