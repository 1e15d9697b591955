// Raw programming: the values that hardware accepts, counters that nothing enables, programs that enable their own
// counters, and counters that exceed their width.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

nlohmann::json counts(const std::string& run) { return json_of(pmusim(run + " --format json")).at("counts"); }
std::string notes(const nlohmann::json& count) { return count.value("notes", nlohmann::json::array()).dump(); }

// 37 instructions from a start value 30 below 2^48: the counter holds 7 afterwards, however the value is written.
TEST(Raw, StartValuesAsHardwareTakesThem) {
  write_file("nops.txt", nops(37));
  for (const char* start : {"-30", "0xffffffffffe2", "0xffffffffffffffe2"}) {
    const std::string run =
        std::string("run -t athlon --trace nops.txt --write PerfEvtSel0=0x4300c0 --write PerfCtr0=") + start;
    const auto count = counts(run).at(0);
    EXPECT_EQ(count.at("value").get<std::uint64_t>(), (std::uint64_t{1} << 48) + 7) << start;
    EXPECT_EQ(count.at("wraps"), 1);
    EXPECT_THAT(pmusim(run).out, HasSubstr("PerfCtr0: it has wrapped past its 48 bits once; the register holds 7\n"));
  }
  EXPECT_EQ(
      counts("run -t athlon --trace nops.txt --write PerfEvtSel0=0x4300c0 --write PerfCtr0=-40").at(0).at("value"),
      (std::uint64_t{1} << 48) - 3)
      << "nothing has passed";
}

TEST(Raw, NarrowCountersOfOtherTargetsGoOnToo) {
  write_file("ppc.txt", ppc_nops(41));
  // MMCR0: PMC1 counts completed instructions.
  const auto ppc = counts("run -t ppc750gx --trace ppc.txt --write MMCR0=0x80 --write PMC1=0xfffffff0").at(0);
  EXPECT_EQ(ppc.at("value").get<std::uint64_t>(), 0xfffffff0u + 41ull);
  EXPECT_EQ(ppc.at("wraps"), 1);
  EXPECT_THAT(notes(ppc), HasSubstr("it has wrapped past its 32 bits once; the register holds 25"));
  // Code 12h at all levels: CPU_CYCLES. The counter starts 5 below 2^47.
  const std::string itanium2 = "run -t itanium2 --trace '" + recorded("ia64-pipelined") + "' --write PMC4=0x80124f";
  const auto plain = counts(itanium2).at(0), wrapped = counts(itanium2 + " --write PMD4=-5").at(0);
  EXPECT_EQ(wrapped.at("value").get<std::uint64_t>(),
            (std::uint64_t{1} << 47) - 5 + plain.at("value").get<std::uint64_t>());
  EXPECT_FALSE(plain.contains("wraps"));
}

// Cycles of a run that exceeds 32 bits twice, counted by the session and by PMC1. The other idle times bring the
// counter back to its old value, or just before or after it.
TEST(Raw, ACounterThatPassesItsWidthTwice) {
  for (const std::uint64_t idle :
       {9'000'000'000ull, 0x1'0000'0000ull, 0xffff'ff00ull, 0x1'0000'0100ull, 0x2'0000'0000ull}) {
    write_file("long.txt", "! isa ppc\n10000 38600001\n! idle cycles=" + std::to_string(idle) + "\n10004 38600001\n");
    const auto object = json_of(pmusim("run -t ppc750gx --trace long.txt -e PROCESSOR_CYCLES --format json"));
    const auto cycles = object.at("cycles").get<std::uint64_t>();
    EXPECT_GE(cycles, idle);
    EXPECT_EQ(object.at("counts").at(0).at("value"), cycles) << idle;
    EXPECT_EQ(object.at("counts").at(0).value("wraps", 0u), cycles >> 32) << idle;
  }
}

TEST(Raw, ReservedBitsAreNotedAndOthersRefused) {
  write_file("nops.txt", nops(37));
  write_file("ppc.txt", ppc_nops(41));
  const auto object = json_of(pmusim("run -t athlon --trace nops.txt --write PerfEvtSel0=0x1004300c0 --format json"));
  EXPECT_EQ(object.at("counts").at(0).at("value"), 37);
  EXPECT_THAT(object.at("warnings").at(0), HasSubstr("the register has 32 bits; the others are reserved"));
  // Bits 10 to 31 of MMCR1, from the most significant on, are reserved and read 0.
  const auto mmcr1 =
      json_of(pmusim("run -t ppc750gx --trace ppc.txt --write MMCR1=0x10000001 --write MMCR0=0x80 --format json"));
  EXPECT_EQ(mmcr1.at("counts").at(0).at("value"), 41);
  EXPECT_THAT(mmcr1.at("warnings").at(0), HasSubstr("MMCR1=0x10000001: the register holds 0x10000000; bits 0x1"));
  EXPECT_FALSE(
      json_of(pmusim("run -t ppc750gx --trace ppc.txt --write MMCR0=0x80 --format json")).contains("warnings"));
  for (const char* wrong : {"MMCR0=0x100000000", "MMCR0=-2147483649", "MMCR0=--1", "MMCR0=-"}) {
    const Outcome outcome = pmusim(std::string("run -t ppc750gx --trace ppc.txt --write ") + wrong);
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("MMCR0"));
  }
}

TEST(Raw, WhatEnablesNothingCountsZeroAndSaysSo) {
  write_file("nops.txt", nops(37));
  write_file("ppc.txt", ppc_nops(41));
  struct Subject {
    std::string run;
    std::size_t counters;
  };
  for (const Subject& s :
       {Subject{"run -t athlon --trace nops.txt --write PerfEvtSel0=0x0300c0", 4},
        Subject{"run -t ppc750gx --trace ppc.txt --write MMCR0=0x80000040", 4},
        Subject{"run -t itanium2 --trace '" + recorded("ia64-pipelined") + "' --write PMC4=0", 4},
        Subject{"run -t alpha-ev5 --trace '" + recorded("alpha-units") + "' --write PMCTR=0", 3},
        Subject{"run -t alpha-ev67 --trace '" + recorded("alpha-units") + "' --write PCTR_CTL=0", 2}}) {
    const auto list = counts(s.run);
    ASSERT_EQ(list.size(), s.counters) << s.run;
    for (const auto& count : list) {
      EXPECT_EQ(count.at("value"), 0) << s.run;
      EXPECT_THAT(notes(count), HasSubstr("nothing enables it"));
    }
  }
}

// mtspr MMCR0 in supervisor state selects completed instructions; after a pause, five instructions complete.
TEST(Raw, AProgramThatEnablesItsCounterItself) {
  const std::string text =
      "! isa ppc\n! msr pr=0\n10000 7c98eba6 wr=MMCR0:0x80\n! idle cycles=10\n"
      "10004 38600001\n10008 38600001\n1000c 38600001\n10010 38600001\n10014 38600001\n";
  write_file("enables.txt", text);
  const auto list = counts("run -t ppc750gx --trace enables.txt --write MMCR0=0");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].at("counter"), "PMC1");
  EXPECT_THAT(list[0].at("event").get<std::string>(), HasSubstr("INSTRUCTIONS_COMPLETED"));
  EXPECT_EQ(list[0].at("value"), 5);
  EXPECT_THAT(notes(list[0]), HasSubstr("enabled by the program itself"));
}

// A program's own writes and its counter's wraps, all within some dozen cycles. MMCR0 selects completed instructions
// with PMC1 at 5 below its end, and 9 complete: PMC1 holds 4. A counter that the program writes restarts at the written
// value, 2 or 20 below the end; its wraps before the write do not count.
TEST(Raw, WrapsBesideTheProgramsOwnWrites) {
  const auto program = [](const std::string& first, const std::string& second) {
    std::string text = "! isa ppc\n! msr pr=0\n10000 " + first + "\n! idle cycles=10\n";
    unsigned pc = 0x10004;
    for (unsigned i = 0; i < 9; ++i, pc += 4) text += fmt::format("{:x} 38600001\n", pc);
    if (second.empty()) return text;
    text += fmt::format("! idle cycles=10\n{:x} {}\n! idle cycles=10\n", pc, second);
    for (unsigned i = 0; i < 9; ++i) text += fmt::format("{:x} 38600001\n", pc += 4);
    return text;
  };
  const std::string enable = "7c98eba6 wr=MMCR0:0x80", near = "7c99eba6 wr=PMC1:0xfffffffe",
                    far = "7c99eba6 wr=PMC1:0xffffffec";
  const auto counted = [&](const std::string& text, const std::string& writes) {
    write_file("wraps.txt", text);
    return counts("run -t ppc750gx --trace wraps.txt " + writes).at(0);
  };
  const std::string running = "--write MMCR0=0x80 --write PMC1=0xfffffffb", stopped = "--write MMCR0=0";
  const auto enabled = counted(program(enable, ""), stopped + " --write PMC1=0xfffffffb");
  EXPECT_EQ(enabled.at("value").get<std::uint64_t>(), 0x100000004u);
  EXPECT_EQ(enabled.at("wraps"), 1);
  const auto again = counted(program(enable, near), running);
  EXPECT_EQ(again.at("wraps"), 1) << "what it passed before it was written is not held";
  EXPECT_EQ(again.at("value").get<std::uint64_t>(), 0x100000007u);
  const auto held = counted(program(enable, far), running);
  EXPECT_FALSE(held.contains("wraps"));
  EXPECT_EQ(held.at("value").get<std::uint64_t>(), 0xffffffecu + 9);
}

TEST(Raw, WhetherTheProgramMayReadCounters) {
  write_file("rdpmc.txt", "! isa i386\n10000 90\n10001 0f33 rd=RDPMC0\n10003 90\n");
  const std::string run = "run -t athlon --trace rdpmc.txt --format json --write PerfEvtSel0=0x4300c0";
  const auto fault = [&](const std::string& more) -> std::string {
    return json_of(pmusim(run + more)).at("accesses").at(0).at("fault");
  };
  EXPECT_EQ(fault(""), "none");
  EXPECT_EQ(fault(" --write CR4.PCE=1"), "none");
  EXPECT_EQ(fault(" --write CR4.PCE=0"), "general_protection");
  EXPECT_EQ(pmusim(run + " --write CR4.PCE=2").code, 2);
}

TEST(Raw, AMaskedInterruptIsNoted) {
  write_file("nops.txt", nops(37));
  const std::string asks = "run -t athlon --trace nops.txt --write PerfEvtSel0=0x5300c0 --write PerfCtr0=-5";
  EXPECT_THAT(notes(counts(asks + " --write LVTPC=0x10400").at(0)), HasSubstr("LVTPC masks it (bit 16)"));
  EXPECT_THAT(notes(counts(asks + " --write LVTPC=0x400").at(0)), testing::Not(HasSubstr("masks it")));
  // oi is bit 5 of PMC4.
  const std::string oi = "run -t itanium2 --trace '" + recorded("ia64-pipelined") + "' --write PMC4=0x80126f";
  EXPECT_THAT(notes(counts(oi + " --write PMV=0x10000").at(0)), HasSubstr("PMV masks it"));
  EXPECT_THAT(notes(counts(oi + " --write PMV=0xee").at(0)), testing::Not(HasSubstr("masks it")));
}

}  // namespace
}  // namespace pmusim::cli_test
