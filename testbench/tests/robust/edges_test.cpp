// Numbers at their limits: long idle times take no time and are counted exactly, or are rejected with the limit in the
// message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testbench/tests/cli/command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

struct Core {
  const char* target;
  const char* isa;
  const char* code;  ///< an instruction without effects
  unsigned bytes;
  const char* event;  ///< an event that does not count idle time
};

std::string trace_of(const Core& core, const std::string& directive) {
  std::string text = std::string("! isa ") + core.isa + "\n";
  for (unsigned i = 0; i < 40; ++i) {
    if (i == 20) text += "! " + directive + "\n";
    char line[80];
    std::snprintf(line, sizeof line, "%x %s\n", 0x10000 + i * core.bytes, core.code);
    text += line;
  }
  return text;
}

Outcome run(const Core& core, const std::string& directive) {
  write_file("idle.txt", trace_of(core, directive));
  return pmusim(std::string("run -t ") + core.target + " --trace idle.txt --format json -e " + core.event);
}

class Idle : public testing::TestWithParam<Core> {};

// The run must be longer by exactly the cycles in the trace, up to the widest counter, without taking noticeable time.
TEST_P(Idle, ExactUpTo48BitsInNoTime) {
  const auto cycles = [&](std::uint64_t idle) {
    return json_of(run(GetParam(), "idle cycles=" + std::to_string(idle))).at("cycles").get<std::uint64_t>();
  };
  // The bus may be in any phase when the idle time ends: a multiple of all bus ratios up to 12 does not change the
  // phase.
  constexpr std::uint64_t few = 5000, turns = 27720;
  const std::uint64_t base = cycles(few);
  for (const unsigned bits : {32u, 48u}) {
    const std::uint64_t more = ((std::uint64_t{1} << bits) / turns + 1) * turns;
    EXPECT_EQ(cycles(few + more), base + more) << bits;
  }
}

TEST_P(Idle, LongerThanTimeIsRefused) {
  for (const std::string cycles : {"18446744073709551615", "9007199254740993"}) {
    EXPECT_EQ(run(GetParam(), "idle cycles=" + cycles).err, "pmusim: idle.txt: trace line 22: '! idle': cycles=" +
                                                                cycles + ": at most 9007199254740992 are simulated\n");
  }
  // The longest idle time, after at least one cycle.
  EXPECT_THAT(run(GetParam(), "idle cycles=9007199254740992").err,
              HasSubstr("idle.txt: the trace goes on after cycle 9007199254740992"));
}

// A watched counter must cost no more time than one that is read: in the model, which looks ahead for its overflow, and
// in the oracle, which records the cycles in which it overflows.
TEST(Idle, IsRecordedAndJudgedInNoTime) {
  const std::string idle = "idle cycles=281474976710656";
  const Core ia64{"itanium2", "ia64", "01000000010000000002000000000400 xxx", 16, "IA64_INST_RETIRED"};
  write_file("idle.txt", trace_of(ia64, idle));
  const Outcome recorded =
      shell("timeout 30 \"$PMUSIM\" record -t itanium2 --trace idle.txt --period 4096 -e " + std::string(ia64.event));
  EXPECT_EQ(recorded.code, 0);
  EXPECT_THAT(recorded.err, HasSubstr("counted 120 events, fewer than the period of 4,096"));  // 40 bundles of 3
  const Core ev5{"alpha-ev5", "alpha", "47ff041f", 4, "PF5_MUX0_ISSUES"};
  write_file("idle.txt", trace_of(ev5, "idle cycles=1099511627776"));  // 2^40, the limit of a validation
  const Outcome judged =
      shell("timeout 30 \"$PMUSIM\" validate -t alpha-ev5 --trace idle.txt --jobs 1 --format json --only " +
            std::string(ev5.event));
  ASSERT_FALSE(lines_of(judged.out).empty()) << judged.code << judged.err;
  EXPECT_EQ(nlohmann::json::parse(lines_of(judged.out).back()).at("mismatches"), 0) << judged.out;
}

/// A command over a trace that is idle for so long; it must end in less than a minute on a busy machine.
Outcome over_idle(const std::string& words, const std::string& more, const std::string& cycles) {
  write_file("idle.txt", "! isa i386\n1000 90\n! idle cycles=" + cycles + "\n1001 90\n");
  return shell("timeout 60 \"$PMUSIM\" " + words + " -t athlon --trace idle.txt " + more);
}

struct Walk {
  const char* name;
  const char* words;
  const char* more;
  const char* limit;
};
class Walking : public testing::TestWithParam<Walk> {};

// Nobody waits for 2^53 cycles. The limits are powers of two: 2^49, 2^40, 2^30 and 2^20 (testbench/driver/session.h).
TEST_P(Walking, ACommandRefusesWhatWouldNotEnd) {
  for (const std::string cycles : {"9007199254740000", "562949953500000"}) {
    if (cycles.front() == '9' && GetParam().name != std::string("run")) continue;
    const Outcome outcome = over_idle(GetParam().words, GetParam().more, cycles);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("idle.txt: "));
    EXPECT_THAT(outcome.err, HasSubstr(std::string("nothing happens in more than ") + GetParam().limit));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Walking,
    testing::Values(
        Walk{"run", "run", "-e RETIRED_INSTRUCTIONS", "562949953421312 cycles, the limit of a run;"},
        Walk{"record", "record", "-e RETIRED_INSTRUCTIONS --period 1", "562949953421312 cycles, the limit of a run;"},
        Walk{"report", "report", "-e RETIRED_INSTRUCTIONS", "562949953421312 cycles, the limit of a run;"},
        Walk{"activity", "activity record", "-o x.pma", "562949953421312 cycles, the limit of a run;"},
        Walk{"explain", "explain", "-e RETIRED_INSTRUCTIONS", "1099511627776 cycles, the limit of an explanation;"},
        Walk{"validate", "validate", "--only RETIRED_INSTRUCTIONS", "1099511627776 cycles, the limit of a validation;"},
        Walk{"quick", "validate", "--quick --only RETIRED_INSTRUCTIONS",
             "1099511627776 cycles, the limit of a validation;"},
        Walk{"perturb", "run", "-e RETIRED_INSTRUCTIONS --perturb", "1073741824 cycles, the limit with --perturb;"},
        Walk{"vcd", "run", "-e RETIRED_INSTRUCTIONS --vcd x", "1048576 cycles, the limit of a waveform;"}),
    [](const auto& info) { return info.param.name; });

// Idle time within the limits is walked through, whatever walks.
TEST(Walking, EndsWithinTheLimits) {
  EXPECT_EQ(over_idle("explain", "-e RETIRED_INSTRUCTIONS", "1099511627000").code, 0);
  EXPECT_EQ(over_idle("run", "-e RETIRED_INSTRUCTIONS --perturb", "268435456").code, 0);
  EXPECT_EQ(over_idle("run", "-e RETIRED_INSTRUCTIONS --vcd x", "100000").code, 0);
}

// A recording has the idle time in blocks of up to 2^31 cycles.
TEST(Walking, ARecordingHasTheSameLimits) {
  ASSERT_EQ(over_idle("activity record", "-o x.pma", "2199023255552").code, 0);  // 2^41
  EXPECT_EQ(
      json_of(pmusim("run --activity x.pma -e RETIRED_INSTRUCTIONS --format json")).at("counts").at(0).at("value"), 2);
  for (const std::string command : {"explain -e RETIRED_INSTRUCTIONS", "validate --only RETIRED_INSTRUCTIONS"}) {
    const Outcome outcome = shell("timeout 60 \"$PMUSIM\" " + command + " --activity x.pma");
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("nothing happens in more than 1099511627776 cycles")) << command;
  }
}

/// The shortest possible trace is run, recorded and judged like any other.
TEST_P(Idle, NotAtAllInATraceOfOneInstruction) {
  const Core& core = GetParam();
  write_file("one.txt", std::string("! isa ") + core.isa + "\n10000 " + core.code + "\n");
  const std::string words = std::string(" -t ") + core.target + " --trace one.txt ";
  const auto counted = json_of(pmusim("run" + words + "--format json -e " + core.event));
  EXPECT_EQ(counted.at("instructions"), 1);
  EXPECT_EQ(pmusim("record" + words + "--period 4096 -e " + core.event).code, 0);
  const Outcome judged = pmusim("validate" + words + "--jobs 1 --format json --only " + core.event);
  // An event that the single instruction does not cause is not exercised: exit code 1.
  ASSERT_FALSE(lines_of(judged.out).empty()) << judged.err;
  EXPECT_EQ(nlohmann::json::parse(lines_of(judged.out).back()).at("mismatches"), 0) << judged.out;
}

INSTANTIATE_TEST_SUITE_P(
    Cores, Idle,
    testing::Values(Core{"athlon", "i386", "90", 1, "RETIRED_INSTRUCTIONS"},
                    Core{"ppc750gx", "ppc", "60000000", 4, "INSTRUCTIONS_COMPLETED"},
                    Core{"ppc750gl", "ppc", "60000000", 4, "INSTRUCTIONS_COMPLETED"},
                    Core{"alpha-ev4", "alpha", "47ff041f", 4, "PF_LOADI"},
                    Core{"alpha-ev5", "alpha", "47ff041f", 4, "PF5_MUX0_ISSUES"},
                    Core{"alpha-pca56", "alpha", "47ff041f", 4, "PF5_MUX0_ISSUES"},
                    Core{"alpha-ev6", "alpha", "47ff041f", 4, "PF6_MUX0_RET_INSTRUCTIONS"},
                    Core{"alpha-ev67", "alpha", "47ff041f", 4, "RETINST"},
                    Core{"itanium2", "ia64", "01000000010000000002000000000400 xxx", 16, "IA64_INST_RETIRED"},
                    Core{"montecito", "ia64", "01000000010000000002000000000400 xxx", 16, "IA64_INST_RETIRED"}),
    [](const auto& info) {
      std::string name = info.param.target;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace pmusim::cli_test
