// Uses of a report: running the printed command again, requiring more coverage, comparing two reports.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "run.h"
#include "testbench/tests/target_name.h"

namespace pmusim::cli_test {

namespace {

using ::testing::HasSubstr;

/// Runs a shell line in which `pmusim` is the built program, as in a user's shell.
Outcome as_a_user(const std::string& line) { return shell("PATH=\"$(dirname \"$PMUSIM\"):$PATH\"; " + line); }

struct Defective {
  const char* target;
  const char* defect;
  const char* only = "";
};
class Reproduce : public ::testing::TestWithParam<Defective> {};

// Each line of the report, run unchanged, shows its mismatch: the same question, registers and counts.
TEST_P(Reproduce, EveryLineShowsItsMismatch) {
  const auto [target, defect, only] = GetParam();
  const Outcome outcome = as_a_user(fmt::format(
      "pmusim validate -t {0} --quick --only '{2}' --format json --encoder 'pmusim encode --serve -t {0} --defect {1}'",
      target, defect, only));
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  const auto report = totals(outcome);
  ASSERT_FALSE(report.at("details").empty());
  std::uint64_t explained = 0;
  for (const auto& [cause, count] : report.at("causes").items()) explained += count.get<std::uint64_t>();
  EXPECT_EQ(explained, report.at("mismatches"));
  for (const auto& mismatch : report.at("details")) {
    const std::string command = mismatch.at("reproduce");
    ASSERT_THAT(command, ::testing::StartsWith("pmusim validate "));
    const Outcome again = as_a_user(command + " --format json");
    ASSERT_EQ(again.code, 1) << command << again.err;
    const auto shown = totals(again);
    const auto same = [&](const nlohmann::json& other) {
      for (const char* key : {"event", "trace", "registers", "counter", "counted", "expected", "diagnosis"}) {
        if (other.at(key) != mismatch.at(key)) return false;
      }
      return true;
    };
    EXPECT_TRUE(std::any_of(shown.at("details").begin(), shown.at("details").end(), same)) << command << '\n'
                                                                                           << mismatch << '\n'
                                                                                           << shown.at("details");
  }
}
INSTANTIATE_TEST_SUITE_P(Defects, Reproduce,
                         ::testing::Values(Defective{"ppc750gx", "no-interrupt"}, Defective{"alpha-ev6", "next-event"},
                                           Defective{"athlon", "last-mask"},
                                           Defective{"athlon", "stale", "RETIRED_I*,RETIRED_BRANCH_INSTRUCTIONS"},
                                           Defective{"itanium2", "first-drange", "LOADS_RETIRED"}),
                         [](const auto& info) {
                           return test_name(std::string(info.param.target) + "_" + info.param.defect);
                         });

/// An encoder that knows one event and reports every other one as unsupported.
const char* const knows_one = R"(
import json, subprocess, sys
known = subprocess.Popen([sys.argv[1], "encode", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    request = json.loads(line)
    if all(event["name"] == "RETIRED_UOPS" for event in request["events"]):
        known.stdin.write(line)
        known.stdin.flush()
        print(known.stdout.readline(), end="", flush=True)
    else:
        print(json.dumps({"id": request["id"], "error": "unsupported"}), flush=True)
known.stdin.close()
)";

// Two events are requested and one is known.
TEST(Coverage, IsRequiredInPercent) {
  write_file("one.py", knows_one);
  const std::string line = "pmusim validate -t athlon --trace '" + recorded("i386-segments") +
                           "' --only RETIRED_UOPS,RETIRED_NEAR_RETURNS,!*MISPREDICTED* --encoder \"" PYTHON
                           " one.py '$PMUSIM'\"";
  const Outcome any = as_a_user(line + " --format json --junit one.xml");
  EXPECT_EQ(any.code, 0) << any.out << any.err;
  EXPECT_EQ(totals(any).at("unknown"), nlohmann::json::array({"RETIRED_NEAR_RETURNS"}));
  EXPECT_THAT(read_file(scratch() + "/one.xml"), HasSubstr("skipped=\"1\""));
  const Outcome half = as_a_user(line + " --require-coverage 50");
  EXPECT_EQ(half.code, 0);
  EXPECT_EQ(half.err, "");
  for (const char* format : {"text", "json"}) {
    const Outcome more = as_a_user(line + " --require-coverage 51 --format " + format);
    EXPECT_EQ(more.code, 1);
    EXPECT_EQ(more.err, "pmusim: athlon: the encoder knows 1 of 2 events (50%); --require-coverage asks for 51%\n");
  }
}

// Compares a report with itself, and with a report about a defective encoder.
TEST(Diff, TellsWhatChanged) {
  const std::string validation =
      "pmusim validate -t athlon --trace '" + micro("athlon/from_l2_1") + "' --only data_cache_refills --format json";
  ASSERT_NE(as_a_user(validation + " > right.json").code, 2);
  ASSERT_EQ(as_a_user(validation + " --encoder " + as_word(python("wrong_umask")) + " > wrong.json").code, 1);
  EXPECT_EQ(as_a_user("pmusim diff right.json right.json").code, 0);
  const Outcome changed = as_a_user("pmusim diff right.json wrong.json");
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, HasSubstr("athlon: mismatches"));
  EXPECT_THAT(changed.out, HasSubstr("does not select"));

  write_file("nops.txt", nops(10));
  EXPECT_EQ(as_a_user("pmusim diff right.json").code, 2);
  EXPECT_EQ(as_a_user("pmusim diff right.json no-such-file").code, 2);
  EXPECT_EQ(as_a_user("pmusim diff right.json nops.txt").code, 2);
}

// Questions also send requests that the plans of traces do not have: sampling, unavailable counters.
TEST(Requests, OfTheQuestionsFitTheSchema) {
  for (const char* target : {"ppc750gx", "alpha-ev5"}) {
    ASSERT_EQ(as_a_user(fmt::format("pmusim validate -t {} --quick --format json --encoder "
                                    "'tee requests | pmusim encode --serve | tee answers' > /dev/null",
                                    target))
                  .code,
              0);
    for (const char* kind : {"request", "answer"}) {
      const Outcome fits = as_a_user(fmt::format(PYTHON " {0} {1} {2} < {2}s",
                                                 as_word(source_file("testbench/tests/foreign_encoder/schema.py")),
                                                 as_word(source_file("docs/foreign-encoders.schema.json")), kind));
      EXPECT_EQ(fits.code, 0) << fits.out << fits.err;
      EXPECT_THAT(fits.out, ::testing::Not(::testing::StartsWith("0 fit")));
    }
    const std::string requests = read_file(scratch() + "/requests");
    EXPECT_THAT(requests, HasSubstr("\"sampling\":true"));
    EXPECT_THAT(requests, HasSubstr("unavailable_counters"));
  }
}

// Answers in the forms of drivers: policies, counters that a tool reads, start values that the answer writes.

using ::testing::HasSubstr;
using ::testing::Not;

/// A program around pmusim's own encoder that changes each answer by a Python statement on `answer`.
std::string changed(const std::string& statement) {
  return PYTHON " " + as_word(write_file(
                          "changed.py",
                          "import json, os, subprocess, sys\n"
                          "own = subprocess.Popen([os.environ['PMUSIM'], 'encode', '--serve'], stdin=subprocess.PIPE,\n"
                          "                       stdout=subprocess.PIPE, text=True)\n"
                          "for line in sys.stdin:\n"
                          "    request = json.loads(line)\n"
                          "    print(line, end='', file=own.stdin, flush=True)\n"
                          "    answer = json.loads(own.stdout.readline())\n"
                          "    if 'registers' in answer:\n"
                          "        registers = answer['registers']\n"
                          "        " +
                              statement +
                              "\n"
                              "    print(json.dumps(answer), flush=True)\n"));
}

Outcome judge(const std::string& target, const std::string& statement, const std::string& options) {
  return pmusim("validate -t " + target + " --quick --no-cache --encoder " + as_word(changed(statement)) + " " +
                options);
}

// MMCR0[DMR] stops counting while MSR[PM] is 0: without DMS and with it cleared, everything counts.
TEST(Policies, AreReportedOnceAndJudgedAsSuch) {
  const std::string always =
      "[r.update(value=hex(int(r['value'], 0) | 0x400C000)) for r in registers if r['name'] == 'MMCR0']";
  const Outcome silent = judge("ppc750gx", always, "--only EIEIO_INSTRUCTIONS --format json");
  EXPECT_EQ(silent.code, 1);
  EXPECT_GT(totals(silent).at("mismatches").get<int>(), 0);
  const Outcome declared = judge("ppc750gx", always + "; answer['policy'] = {'interrupts': True}",
                                 "--only EIEIO_INSTRUCTIONS --format json");
  EXPECT_EQ(declared.code, 0) << declared.out;
  const auto found = totals(declared);
  EXPECT_EQ(found.at("mismatches"), 0);
  ASSERT_EQ(found.at("policies").size(), 1u);
  EXPECT_EQ(found.at("policies")[0].at("policy"), "interrupts");
  EXPECT_GT(found.at("policies")[0].at("answers").get<int>(), 0);
  const Outcome text =
      judge("ppc750gx", always + "; answer['policy'] = {'interrupts': True}", "--only EIEIO_INSTRUCTIONS");
  EXPECT_THAT(text.out, HasSubstr("policy of the encoder"));
  EXPECT_THAT(text.out, HasSubstr("a plain count is interrupted at every overflow"));
}

// PerfEvtSel[USR, OS] are bits 16 and 17 (publication 22007, figure 11).
TEST(Policies, BothLevels) {
  const std::string both =
      "[r.update(value=hex(int(r['value'], 0) | 0x30000)) for r in registers if int(r['value'], 0)]";
  EXPECT_EQ(judge("athlon", both, "--only RETIRED_INSTRUCTIONS").code, 1);
  EXPECT_EQ(judge("athlon", both + "; answer['policy'] = {'both_levels': True}", "--only RETIRED_INSTRUCTIONS").code,
            0);
}

TEST(Policies, AnUnknownOneIsRefused) {
  const Outcome outcome = judge("athlon", "answer['policy'] = {'whatever': True}", "--only RETIRED_INSTRUCTIONS");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no policy 'whatever'; legal: both_levels"));
}

TEST(Reads, TheCounterThatIsReadHasToBeTheOneThatCounts) {
  EXPECT_EQ(judge("alpha-ev5", "answer['reads'] = answer['counters']", "--only PF5_MUX1_*").code, 0);
  const Outcome other =
      judge("alpha-ev5", "answer['reads'] = ['CTR0' for _ in answer['counters']]", "--only PF5_MUX1_REPLAY_TRAP");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("it reads CTR0, and CTR1 counts the event"));
}

// A driver's answer contains its start values, also for a plain count (Linux, op_model_ev6.c: WRPERFMON_WRITE).
TEST(StartValues, AreTakenFromTheAnswersWrites) {
  const auto driver = [](const std::string& period) {
    return "start = -" + period +
           " % (1 << 20); "
           "registers.insert(-1, {'name': 'WRPERFMON_WRITE', 'value': hex(start << 28 | start << 6 | 3)}); "
           "answer.pop('presets', None)";
  };
  EXPECT_EQ(judge("alpha-ev6", driver("request.get('period', 1 << 20)"), "").code, 0);
  const Outcome wrong = judge("alpha-ev6", driver("(request.get('period', 1 << 20) - 1)"), "");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("the start value of PCTR"));
  EXPECT_THAT(wrong.out, Not(HasSubstr("order")));
}

// What `pmusim decode` lists, an answer may contain: counters, too.
TEST(StartValues, CountersInAnAnswer) {
  for (const char* target : {"athlon", "ppc750gx", "itanium2", "montecito"}) {
    const std::string writes =
        "registers[:0] = [{'name': c, 'value': p} for c, p in zip(answer['counters'], answer.pop('presets', ['0x7'] * "
        "9))]";
    const Outcome outcome = judge(target, writes,
                                  std::string("--only ") + (target == std::string("athlon")     ? "RETIRED_*"
                                                            : target == std::string("ppc750gx") ? "PROCESSOR_CYCLES"
                                                                                                : "NOPS_RETIRED"));
    EXPECT_EQ(outcome.code, 0) << target << outcome.out << outcome.err;
  }
}

// The first answer may take longer: an interpreter reads its libraries first.
TEST(Process, StartUpIsNoPartOfAnAnswersTime) {
  const std::string file = write_file(
      "slow.py",
      "import time\ntime.sleep(1.2)\nimport os\nos.execlp(os.environ['PMUSIM'], 'pmusim', 'encode', '--serve')\n");
  const Outcome outcome = pmusim(
      "validate -t athlon --quick --no-cache --only RETIRED_INSTRUCTIONS --encoder-timeout 1 "
      "--encoder " +
      as_word(PYTHON " " + as_word(file)));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(Process, AnEncoderWithoutAnyEventOfTheTarget) {
  const Outcome outcome = pmusim("validate -t alpha-ev4 --quick --no-cache --encoder " + as_word(python("right")));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("the encoder has no event of alpha-ev4"));
}

}  // namespace

}  // namespace pmusim::cli_test
