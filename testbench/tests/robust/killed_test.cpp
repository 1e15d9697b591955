// Killed during a run: no child process continues, no lock is held, no file is left half-written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

namespace fs = std::filesystem;

/// Starts a command in a new folder, waits until `until` succeeds, and kills it. Returns the processes of its session
/// that do not end.
Outcome killed(const std::string& number, const std::string& command, const std::string& until) {
  return shell(
      "rm -rf k; mkdir k; cd k; setsid env --default-signal=INT \"$PMUSIM\" " + command +
      " > out 2> err & run=$!; for i in $(seq 200); do { " + until +
      "; } > /dev/null 2>&1 && break; sleep 0.02; done; kill -" + number +
      " $run; wait $run 2> /dev/null; for i in $(seq 250); do left=$(ps -eo sid,stat,args | awk -v s=$run '$1 == s && "
      "$2 !~ /^Z/'); [ -n \"$left\" ] || break; sleep 0.04; done; printf %s \"$left\"");
}

std::vector<std::string> files(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(scratch() + "/" + folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Killed, ASweepLeavesNoJobAndReleasesTheLock) {
  const std::string traces = " --trace '" + recorded("i386-lz77") + "' --trace '" + recorded("i386-units") + "'";
  const std::string command = "validate -t athlon --only DATA_CACHE_" + traces + " --jobs 2 --journal journal";
  for (const std::string number : {"TERM", "INT", "KILL"}) {
    const Outcome left = killed(number, command, "test -s journal && pgrep -P $run");
    EXPECT_EQ(left.out, "") << number;
    EXPECT_EQ(shell("flock -n k/journal true").code, 0) << number;
    EXPECT_EQ(files("k"), (std::vector<std::string>{"err", "journal", "out"}));
  }
}

TEST(Killed, AnOutputThatWasBegunIsNotThere) {
  for (const std::string number : {"TERM", "INT", "KILL"}) {
    for (const std::string file : {"--perfetto line.json", "--vcd wave.vcd"}) {
      const Outcome left =
          killed(number, "run -t athlon --trace '" + recorded("i386-lz77") + "' -e CPU_CLK_UNHALTED " + file,
                 "ls -l /proc/$run/fd | grep -q deleted");
      EXPECT_EQ(left.out, "");
      EXPECT_EQ(files("k"), (std::vector<std::string>{"err", "out"})) << number << file;
    }
  }
}

/// An endless program for the i386.
bool endless() {
  if (!have_tools({"i686-linux-gnu-gcc", "qemu-i386"})) return false;
  write_file("endless.s", ".globl _start\n_start: jmp _start\n");
  EXPECT_EQ(shell("i686-linux-gnu-gcc -static -nostdlib -no-pie endless.s -o endless").code, 0);
  return true;
}

TEST(Killed, ACaptureEndsItsEmulator) {
  if (!endless()) GTEST_SKIP() << "needs i686-linux-gnu-gcc and qemu-user";
  for (const std::string number : {"TERM", "INT", "KILL"}) {
    const Outcome left = killed(number, "trace capture --isa i386 ../endless -o endless.pmt", "pgrep -P $run");
    EXPECT_EQ(left.out, "") << number;
    EXPECT_EQ(files("k"), (std::vector<std::string>{"err", "out"})) << number;
  }
}

TEST(Capture, SaysWhatItRuns) {
  EXPECT_THAT(pmusim("trace capture --help").out, testing::HasSubstr("PROGRAM runs with your rights"));
}

TEST(Capture, IsLimitedForEveryInstructionSet) {
  if (!endless()) GTEST_SKIP() << "needs i686-linux-gnu-gcc and qemu-user";
  const Outcome outcome = pmusim("trace capture --isa i386 ./endless -o endless.pmt --limit 1000");
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_EQ(
      outcome.err,
      "pmusim: trace capture: ./endless: cut off after 1000 lines of the trace; expected a program that ends, or a "
      "larger limit (--limit)\n");
  EXPECT_FALSE(fs::exists(scratch() + "/endless.pmt"));
  write_file("four.s", ".globl _start\n_start: movl $7, %ebx\nmovl $1, %eax\nnop\nint $0x80\n");
  ASSERT_EQ(shell("i686-linux-gnu-gcc -static -nostdlib -no-pie four.s -o four").code, 0);
  EXPECT_EQ(pmusim("trace capture --isa i386 ./four -o four.pmt --limit 3").code, 2);
  EXPECT_EQ(pmusim("trace capture --isa i386 ./four -o four.pmt --limit 4").code, 0);
  EXPECT_EQ(pmusim("trace capture --isa i386 ./four -o four.pmt --limit 0").code, 2);
}

TEST(Capture, OfMoreThanTheDiskHoldsIsRefused) {
  if (!endless()) GTEST_SKIP() << "needs i686-linux-gnu-gcc and qemu-user";
  const Outcome outcome = shell("ulimit -f 64; \"$PMUSIM\" trace capture --isa i386 ./endless -o endless.pmt");
  EXPECT_EQ(outcome.code, 2) << outcome.out;
  EXPECT_EQ(outcome.err,
            "pmusim: trace capture: endless.pmt: the recording cannot be written; expected room beside it for some 30 "
            "bytes an instruction, until it is packed\n");
  EXPECT_FALSE(fs::exists(scratch() + "/endless.pmt"));
}

}  // namespace
}  // namespace pmusim::cli_test
