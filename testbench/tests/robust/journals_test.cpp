// Journals of sweeps: damaged at every byte, of another version, and files that are not journals. Runs
// that are killed: no child process continues, no lock is held, no file is left half-written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "testbench/tests/cli/command.h"
#include "testbench/tests/patterns.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {

namespace {

using testing::HasSubstr;

std::string sweep(const std::string& more) {
  write_file("one.txt", nops(20));
  write_file("two.txt", nops(30));
  return "validate -t athlon --trace one.txt --trace two.txt --only RETIRED_INSTRUCTIONS --jobs 1 " + more;
}

/// A complete journal, and the report that belongs to it.
struct Whole {
  std::string bytes;
  std::string report;
};
const Whole& whole() {
  static const Whole made = [] {
    const std::string report = pmusim(sweep("--journal whole")).out;
    return Whole{read_file(scratch() + "/whole"), report};
  }();
  return made;
}

TEST(Journals, AFlippedBitIsSeen) {
  const Whole& made = whole();
  ASSERT_EQ(lines_of(made.bytes).size(), 3u);
  for (std::size_t at = 0; at < made.bytes.size(); at += made.bytes.size() / 40) {
    std::string bytes = made.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 1 << at % 8);
    write_file("flipped", bytes);
    const Outcome outcome = pmusim("validate --merge flipped");
    EXPECT_EQ(outcome.code, 2) << "byte " << at;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  }
}

TEST(Journals, TheDamagedLineIsNamedAndCanBeJudgedAgain) {
  std::string bytes = whole().bytes;
  const auto lines = lines_of(bytes);
  bytes[lines[0].size() + 1 + lines[1].size() / 2] ^= 1;
  write_file("second", bytes);
  for (const std::string& command : {sweep("--journal second"), std::string("validate --merge second")}) {
    const Outcome outcome = pmusim(command);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "pmusim: second:2: the line is damaged; remove it, and its job is judged again\n");
  }
  EXPECT_EQ(read_file(scratch() + "/second"), bytes);
  write_file("second", lines[0] + '\n' + lines[2] + '\n');
  EXPECT_EQ(pmusim(sweep("--journal second")).out, whole().report);
  EXPECT_EQ(pmusim("validate --merge second").out, whole().report);
}

/// A journal without the times of jobs, and without the checksums, which cover the times.
std::string without_times(const std::string& bytes) {
  return Pattern(R"("seconds":[^,}]*|"check":"[^"]*")").replaced(bytes, "");
}

// A last line that is cut anywhere is ignored.
TEST(Journals, ACutLineIsDropped) {
  const std::string bytes = whole().bytes;
  const std::size_t last = bytes.rfind('\n', bytes.size() - 2) + 1;
  for (std::size_t size = last; size < bytes.size(); size += (bytes.size() - last) / 5) {
    write_file("cut", bytes.substr(0, size));
    EXPECT_EQ(pmusim(sweep("--journal cut")).out, whole().report) << size;
    EXPECT_EQ(without_times(read_file(scratch() + "/cut")), without_times(bytes)) << size;
  }
}

// A journal of another version is refused, whatever its lines say; nothing is written to it.
TEST(Journals, OfOtherVersionsAreRefused) {
  for (const std::string version : {"1", "2", "4"}) {
    std::string other = whole().bytes;
    other.replace(other.find("\"sweep\":3"), 9, "\"sweep\":" + version);
    write_file("other", other);
    const std::string expected =
        "other: a journal of version " + version + "; expected version 3: begin another journal\n";
    EXPECT_EQ(pmusim("validate --merge other").err, "pmusim: " + expected);
    EXPECT_EQ(pmusim(sweep("--journal other")).err, "pmusim: " + expected);
    EXPECT_EQ(read_file(scratch() + "/other"), other);
  }
}

// The checksum of a line is BLAKE2b, 256 bits, of all before it: the text of `b2sum -l 256`.
TEST(Journals, HaveTheChecksumOfAnotherProgram) {
  const std::string line = lines_of(whole().bytes).at(1);
  const std::size_t at = line.rfind(",\"check\":\"");
  write_file("line", line.substr(0, at));
  EXPECT_EQ(line.substr(at + 10, 64), shell("b2sum -l 256 line").out.substr(0, 64));
  EXPECT_EQ(line.size(), at + 10 + 64 + 2);
}

TEST(Journals, AFileThatIsNoneIsLeftAlone) {
  (void)whole();
  for (const std::string content : {"my only copy", "{", "{\"sweep\":2,\"other\"", "a\nb\n", "{\"a\":1}\n", "\n"}) {
    write_file("mine", content);
    const Outcome outcome = pmusim(sweep("--journal mine"));
    EXPECT_EQ(outcome.code, 2) << content;
    EXPECT_EQ(outcome.err, "pmusim: mine: no journal of a sweep; name another file\n") << content;
    EXPECT_EQ(read_file(scratch() + "/mine"), content);
  }
  EXPECT_THAT(pmusim(sweep("--journal /dev/null")).err, HasSubstr("/dev/null: not a regular file"));
  // A journal that was interrupted during its first line is started again.
  write_file("begun", whole().bytes.substr(0, 40));
  EXPECT_EQ(pmusim(sweep("--journal begun")).out, whole().report);
}

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

std::vector<std::string> files_below(const std::string& folder) {
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
    EXPECT_EQ(files_below("k"), (std::vector<std::string>{"err", "journal", "out"}));
  }
}

TEST(Killed, AnOutputThatWasBegunIsNotThere) {
  for (const std::string number : {"TERM", "INT", "KILL"}) {
    for (const std::string file : {"--perfetto line.json", "--vcd wave.vcd"}) {
      const Outcome left =
          killed(number, "run -t athlon --trace '" + recorded("i386-lz77") + "' -e CPU_CLK_UNHALTED " + file,
                 "ls -l /proc/$run/fd | grep -q deleted");
      EXPECT_EQ(left.out, "");
      EXPECT_EQ(files_below("k"), (std::vector<std::string>{"err", "out"})) << number << file;
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
    EXPECT_EQ(files_below("k"), (std::vector<std::string>{"err", "out"})) << number;
  }
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
