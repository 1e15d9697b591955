// Uses of a report: running the printed command again, requiring more coverage, comparing two reports.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

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

// A tool is judged by its policy, and an error beside it is one cause.
TEST(Policies, DoNotHideAnError) {
  const Outcome outcome =
      judge("athlon",
            "[r.update(value=hex((int(r['value'], 0) | 0x30000) ^ 1)) for r in registers if int(r['value'], 0)]; "
            "answer['policy'] = {'both_levels': True}",
            "--only RETIRED_INSTRUCTIONS");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\n  PerfEvtSel EVENT "));
  for (const char* other : {"PerfEvtSel OS", "PerfEvtSel USR", "as pmusim encodes it"})
    EXPECT_THAT(outcome.out, Not(HasSubstr(other)));
}

TEST(Policies, OneThatIsNotKeptIsNoFaultOfPmusim) {
  for (const auto& [target, policy] : {std::pair("athlon", "both_levels"), std::pair("ppc750gx", "unmarked_only"),
                                       std::pair("alpha-ev5", "both_levels"), std::pair("itanium2", "both_levels")}) {
    const std::string declared = std::string("answer['policy'] = {'") + policy + "': True}";
    const Outcome outcome = judge(target, declared,
                                  std::string("--only ") + (target == std::string("athlon")     ? "RETIRED_INSTRUCTIONS"
                                                            : target == std::string("ppc750gx") ? "PROCESSOR_CYCLES"
                                                            : target == std::string("alpha-ev5") ? "PF5_MUX0_ISSUES"
                                                                                                 : "NOPS_RETIRED"));
    EXPECT_EQ(outcome.code, 1) << target;
    EXPECT_THAT(outcome.out, Not(HasSubstr("as pmusim encodes it"))) << target;
    EXPECT_THAT(outcome.out, Not(HasSubstr("the registers are right"))) << target;
  }
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
  EXPECT_THAT(other.out, HasSubstr("  it reads another counter than the one that counts: explains "));
  EXPECT_THAT(other.out, HasSubstr(": CTR0, and CTR1 counts the event\n"));
}

// The user copies show the same registers, and are what a program without privileges reads.
TEST(Reads, ACopyOfTheCounterIsTheCounter) {
  const std::string copies = "answer['reads'] = ['U' + c for c in answer['counters']]";
  EXPECT_EQ(judge("ppc750gx", copies, "--only L1_*").code, 0);
  EXPECT_EQ(judge("ppc750gx", "answer['reads'] = ['UPMC4' for c in answer['counters']]", "--only L1_LOAD_MISSES").code,
            1);
}

TEST(Counters, MayBeWrittenInOtherCase) {
  EXPECT_EQ(judge("athlon", "answer['counters'] = [c.upper() for c in answer['counters']]", "--only RETIRED_*").code,
            0);
  const Outcome select =
      judge("athlon", "answer['counters'] = ['PerfEvtSel0' for _ in answer['counters']]", "--only RETIRED_*");
  EXPECT_EQ(select.code, 2);
  EXPECT_THAT(select.err, HasSubstr("target athlon has no counter 'PerfEvtSel0'"));
}

TEST(Answers, HaveRegistersOrAnError) {
  const Outcome both = judge("athlon", "answer['error'] = 'unsupported'", "--only RETIRED_*");
  EXPECT_EQ(both.code, 2);
  EXPECT_THAT(both.err, HasSubstr(" has registers and an error; expected one of them"));
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

// A tool that writes start values, and not to the counter of the event, has none there.
TEST(StartValues, InAnotherCounter) {
  const std::string elsewhere =
      "start = answer.pop('presets', None); "
      "registers[:0] = [{'name': 'PerfCtr%d' % ((int(c[-1]) + 1) % 4), 'value': p} "
      "for c, p in zip(answer['counters'], start or [])]";
  const Outcome wrong = judge("athlon", elsewhere, "--only RETIRED_INSTRUCTIONS");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("  the start value is written to another counter: explains "));
}

// Function 6 of WRPERFMON writes the counters that the two lowest bits of its argument name.
TEST(StartValues, OfACallThatNamesNoCounter) {
  const Outcome wrong = judge("alpha-ev6",
                              "registers.insert(-1, {'name': 'WRPERFMON_WRITE', 'value': '0x0'}); "
                              "answer.pop('presets', None)",
                              "");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("  WRPERFMON_WRITE loads no counter: explains "));
}

TEST(StartValues, ThatALaterWriteChanges) {
  const auto counter_gets = [](const std::string& value) {
    return judge(
        "athlon",
        "registers += [{'name': c, 'value': '" + value + "'} for c in answer['counters'] if 'presets' in answer]",
        "--only RETIRED_INSTRUCTIONS");
  };
  EXPECT_EQ(counter_gets("0x0").code, 0);  // a driver clears its counters before it loads them
  const Outcome wrong = counter_gets("0x5");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("  a register of the answer changes the start value of PerfCtr: explains "));
}

// How a start value is wrong is the cause, not the values.
TEST(StartValues, AreWrongInOneWay) {
  const auto changed_by = [](const std::string& change) {
    return judge("athlon",
                 "answer['presets'] = [hex(" + change +
                     ") for p in answer['presets']] if 'presets' in answer else []; "
                     "answer['presets'] or answer.pop('presets')",
                 "--only RETIRED_INSTRUCTIONS");
  };
  for (const auto& [change, words] : std::map<std::string, std::string>{{"int(p, 0) + 1", "is one too high"},
                                                                        {"int(p, 0) - 1", "is one too low"},
                                                                        {"2**48 - int(p, 0)", "is not negated"},
                                                                        {"int(p, 0) % 2**31", "lacks its high bits"}}) {
    const Outcome outcome = changed_by(change);
    EXPECT_EQ(outcome.code, 1) << change;
    EXPECT_THAT(outcome.out, HasSubstr("  the start value of PerfCtr " + words + ": explains ")) << change;
  }
}

// A counter mask that sticks: the question alone has another answer than the one that was judged.
TEST(Answers, ThatDependOnTheRequestsBefore) {
  const Outcome outcome =
      judge("athlon",
            "masks = [e['attrs']['c'] for e in request['events'] if 'c' in e['attrs']]; "
            "own.mask = masks[0] if masks else getattr(own, 'mask', 0); "
            "[r.update(value=hex(int(r['value'], 0) | own.mask << 24)) for r in registers if int(r['value'], 0)]",
            "--only RETIRED_INSTRUCTIONS");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("\n  the answer depends on the requests before: explains "));
  EXPECT_THAT(outcome.out, HasSubstr("asked alone, the encoder gives PerfEvtSel"));
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
