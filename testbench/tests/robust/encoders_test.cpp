// Foreign encoders that misbehave: each must end with a message that describes its error, leave no processes, and not
// affect the report of what was judged before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testbench/tests/cli/command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

/// Relative to the folder of `judge`, without a blank: a shell would hide how the encoder ended.
const std::string encoder_file = ".sources/testbench/tests/robust/encoder.py";
std::string script(const std::string& mode_and_count) { return PYTHON " " + encoder_file + " " + mode_and_count; }
/// Uses the system's Python, not one in a home folder: homes are hidden in a sandbox.
std::string in_sandbox(const std::string& mode) { return "/usr/bin/python3 " + as_word(ENCODER) + " " + mode; }

std::string judge(const std::string& encoder, const std::string& more = "") {
  return "validate -t athlon --trace '" + recorded("i386-units") + "' --only RETIRED_INSTRUCTIONS --jobs 1 --encoder " +
         as_word(encoder) + " " + more;
}

/// Number of processes that still run an encoder of these tests after a wait.
std::size_t left_behind(const std::string& marker) {
  const Outcome list =
      shell("for i in $(seq 250); do left=$(ps -eo stat,args | grep -v '^Z' | grep -v grep | grep -c -- '" + marker +
            "'); [ $left != 0 ] || break; sleep 0.04; done; echo $left");
  return static_cast<std::size_t>(std::stoul(list.out));
}

nlohmann::json totals_of(const Outcome& outcome) {
  const auto lines = lines_of(outcome.out);
  return lines.empty() ? nlohmann::json{} : nlohmann::json::parse(lines.back(), nullptr, false);
}

struct Misdeed {
  const char* mode;
  const char* says;
};
class Misbehaving : public testing::TestWithParam<Misdeed> {};

// Requests from the third on get no answer: everything judged before must still be reported.
TEST_P(Misbehaving, IsNamedAndEndedAndTheRestIsReported) {
  const std::string encoder = script(GetParam().mode + std::string(" 2"));
  (void)shell("rm -f *.hung");
  const bool hangs = std::string(GetParam().says).find("within") != std::string::npos;
  const Outcome outcome = pmusim(judge(encoder, std::string("--encoder-timeout ") + (hangs ? "3" : "30") +
                                                    " --format json --journal " + GetParam().mode + ".journal"));
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_THAT(outcome.err, testing::StartsWith("pmusim: encoder '" + encoder + "': "));
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().says));
  const auto totals = totals_of(outcome);
  ASSERT_TRUE(totals.is_object()) << outcome.out;
  EXPECT_GE(totals.at("checks").get<int>() - totals.at("mismatches").get<int>(), 1) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("no answer: encoder"));
  EXPECT_EQ(left_behind("encoder.py " + std::string(GetParam().mode) + " 2"), 0u);
  // A job with missing answers is judged again.
  EXPECT_EQ(lines_of(read_file(scratch() + "/" + GetParam().mode + ".journal")).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Ways, Misbehaving,
                         testing::Values(Misdeed{"dies", "ended without an answer to request 3 (exit code 3)"},
                                         Misdeed{"crashes", "ended without an answer to request 3 (killed by SIGSEGV"},
                                         Misdeed{"stubborn", "no answer to request 3 within 3 s"},
                                         Misdeed{"forks", "no answer to request 3 within 3 s"},
                                         Misdeed{"closes", "request 3 (it closed its output, and still runs)"},
                                         Misdeed{"floods", "answers request 3 with a line of more than 65536 bytes"},
                                         Misdeed{"many", " has 1000 registers; at most 64"},
                                         Misdeed{"counter", ": target athlon has no counter 'PerfCtr77'"},
                                         Misdeed{"turn", "answer 4 where 3 was due"}),
                         [](const auto& info) { return std::string(info.param.mode); });

TEST(Encoders, OneThatFailsOnceIsStartedAgain) {
  write_file("once.sh", "test -e failed_once || { touch failed_once; exit 1; }\nexec " + script("right") + "\n");
  const Outcome outcome = pmusim(judge("sh once.sh", "--format json"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("request 1 (exit code 1)\n"));
  EXPECT_EQ(totals_of(outcome).at("mismatches"), 1) << outcome.out;
}

// The encoder finds several requests when it reads the first, and answers them in order like any other.
TEST(Encoders, RequestsAreSentAhead) {
  write_file("ahead.py",
             "import os, subprocess, sys, time\n"
             "time.sleep(0.3)\n"
             "first = os.read(0, 65536)\n"
             "open('ahead', 'w').write(str(first.count(b'\\n')))\n"
             "right = subprocess.Popen([sys.executable, sys.argv[1], 'right'], stdin=subprocess.PIPE)\n"
             "while first:\n"
             "    right.stdin.write(first)\n"
             "    right.stdin.flush()\n"
             "    first = os.read(0, 65536)\n"
             "right.stdin.close()\n"
             "sys.exit(right.wait())\n");
  const auto totals = totals_of(pmusim(judge(PYTHON " ahead.py " + encoder_file, "--format json")));
  EXPECT_EQ(totals.at("mismatches"), 0);
  EXPECT_GT(totals.at("checks").get<int>(), 0);
  EXPECT_GT(std::stoul(read_file(scratch() + "/ahead")), 1u);
}

TEST(Encoders, ItsWordsForTheTerminalAreNoAnswers) {
  const Outcome outcome = pmusim(judge(script("terminal"), "--format json"));
  EXPECT_EQ(totals_of(outcome).at("mismatches"), 0) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("not an answer"));
}

TEST(Encoders, OneThatDoesNotReadEndsTheConformance) {
  const Outcome outcome =
      pmusim("validate -t athlon --conformance --encoder-timeout 1 --encoder " + as_word(script("deaf")));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, testing::ContainsRegex("no\\s+answer\\s+to\\s+request\\s+1\\s+within\\s+1\\s+s"));
  EXPECT_EQ(left_behind("encoder.py deaf"), 0u);
}

// A command without shell syntax is started directly: its parent is not a shell.
TEST(Encoders, AShellIsAskedOnlyWhereItsWordsAre) {
  write_file("parent.py",
             "import os, sys\n"
             "open('parent', 'w').write(open(f'/proc/{os.getppid()}/comm').read())\n");
  (void)shell("\"$PMUSIM\" " + judge(PYTHON " parent.py"));
  EXPECT_EQ(read_file(scratch() + "/parent"), "pmusim\n");
  (void)shell("\"$PMUSIM\" " + judge(PYTHON " parent.py; true"));
  EXPECT_EQ(read_file(scratch() + "/parent"), "sh\n");
}

/// If the command itself is killed, its encoders end, too, even those that ignore every signal that can be ignored.
TEST(Encoders, EndWithACommandThatIsKilled) {
  for (const std::string number : {"TERM", "KILL", "INT"}) {
    const Outcome outcome =
        shell("env --default-signal=INT \"$PMUSIM\" " + judge(script("forks 0"), "--encoder-timeout 60") +
              " > /dev/null 2>&1 & run=$!; for i in $(seq 100); do ps -eo args | grep -v grep | "
              "grep -q 'encoder.py forks 0' && "
              "break; sleep 0.05; done; kill -" +
              number + " $run; wait $run 2> /dev/null");
    EXPECT_EQ(left_behind("encoder.py forks 0"), 0u) << number << outcome.err;
  }
}

TEST(Sandbox, NoNetworkNoHomeReadOnlyFiles) {
  if (!have_tools({"bwrap"})) GTEST_SKIP() << "needs bubblewrap";
  if (shell("bwrap --unshare-all --ro-bind / / true").code != 0) GTEST_SKIP() << "the system allows no namespaces";
  if (std::string_view(PMUSIM_SOURCE_DIR).starts_with("/tmp/"))
    GTEST_SKIP() << "the sandbox hides a checkout below /tmp, and the encoder's script with it";
  EXPECT_EQ(totals_of(pmusim(judge(in_sandbox("right"), "--sandbox --format json"))).at("mismatches"), 0);
  // No host has this address (RFC 5737); without a network there is no route to it.
  EXPECT_THAT(pmusim(judge(in_sandbox("network"), "--sandbox")).err, HasSubstr("unreachable"));
  const Outcome written = pmusim(judge("touch here", "--sandbox"));
  EXPECT_THAT(written.err, HasSubstr("Read-only file system"));
  EXPECT_NE(shell("test -e here").code, 0);
  // Files that the encoder writes to its home folder are deleted with it.
  EXPECT_EQ(shell("mkdir -p home; HOME=$PWD/home \"$PMUSIM\" " + judge(in_sandbox("home"), "--sandbox") +
                  " > /dev/null 2>&1; test -e home/written")
                .code,
            1);
}

}  // namespace
}  // namespace pmusim::cli_test
