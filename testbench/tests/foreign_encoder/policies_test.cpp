// Answers in the forms of drivers: policies, counters that a tool reads, start values that the answer writes.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

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
      "import time\ntime.sleep(2.5)\nimport os\nos.execlp(os.environ['PMUSIM'], 'pmusim', 'encode', '--serve')\n");
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
