// Output files: devices, links, planted names, full disks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "testbench/tests/cli/command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// Every command that writes a file; it may be a device. FILE stands for its name.
std::vector<std::string> writers() {
  write_file("nops.txt", nops(53));
  write_file("loop.txt", nops(5));
  const std::string run = "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS ";
  return {run + "--perfetto FILE",
          run + "--vcd FILE",
          run + "--konata FILE",
          "report -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --export callgrind -o FILE",
          "activity record -t athlon --trace nops.txt -o FILE",
          "trace cut nops.txt --range 1:9 -o FILE",
          "validate -t athlon --trace loop.txt --only CPU_CLK_UNHALTED --junit FILE",
          "encode -t alpha-ev4 --all --snapshot FILE",
          "trace export nops.txt -o FILE"};
}

std::string with_file(std::string command, const std::string& file) {
  return command.replace(command.find("FILE"), 4, file);
}

bool is_device(const std::string& name) {
  struct stat status {};
  return stat(name.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
}

/// Files in the scratch folder other than the output of the last command.
std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const auto& entry : fs::directory_iterator(scratch())) {
    const std::string name = entry.path().filename().string();
    if (name != ".out" && name != ".err") list.push_back(name);
  }
  std::sort(list.begin(), list.end());
  return list;
}

TEST(Outputs, DevicesStayDevices) {
  for (const std::string& writer : writers()) {
    EXPECT_NE(pmusim(with_file(writer, "/dev/null")).code, 2) << writer;
    EXPECT_TRUE(is_device("/dev/null")) << writer;
    const Outcome full = pmusim(with_file(writer, "/dev/full"));
    EXPECT_EQ(full.code, 2) << writer << full.out;
    EXPECT_THAT(full.err, HasSubstr("/dev/full: cannot be written: No space left on device")) << writer;
    EXPECT_EQ(lines_of(full.err).size(), 1u) << full.err;
    EXPECT_TRUE(is_device("/dev/full")) << writer;
  }
}

TEST(Outputs, LinksAreFollowed) {
  for (const std::string& writer : writers()) {
    write_file("real.vcd", "old");
    ASSERT_EQ(shell("ln -sf real.vcd link.vcd").code, 0);
    ASSERT_NE(pmusim(with_file(writer, "link.vcd")).code, 2) << writer;
    EXPECT_TRUE(fs::is_symlink(scratch() + "/link.vcd")) << writer;
    EXPECT_THAT(read_file(scratch() + "/real.vcd"), testing::Not("old")) << writer;
  }
}

TEST(Outputs, OpenDescriptorsAreWrittenInPlace) {
  writers();
  const std::string command = "trace export nops.txt -o /dev/stdout";
  EXPECT_THAT(pmusim(command + " | cat").out, testing::StartsWith(nops(53)));
  ASSERT_EQ(pmusim(command + " > caught").code, 0);
  EXPECT_EQ(read_file(scratch() + "/caught"), nops(53) + "/dev/stdout: 53 instructions\n");
}

/// A file name planted by another user is not written to.
TEST(Outputs, PlantedNamesAreLeftAlone) {
  for (const std::string& writer : writers()) {
    write_file("victim", "mine");
    ASSERT_EQ(
        shell("rm -f made.vcd; for n in made.vcd.partial made.partial made.vcd.part; do ln -sf victim $n; done").code,
        0);
    ASSERT_NE(pmusim(with_file(writer, "made.vcd")).code, 2) << writer;
    EXPECT_EQ(read_file(scratch() + "/victim"), "mine") << writer;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(scratch() + "/made.vcd"))) << writer;
  }
}

/// A limit on the size of files has the effect of a full disk: the old file stays complete, and no other file is left.
TEST(Outputs, FailedWritesLeaveTheOldFile) {
  for (const std::string& writer : writers()) {
    write_file("kept.vcd", "old");
    const auto before = names();
    const Outcome outcome =
        shell("ulimit -f 0; \"$PMUSIM\" " + with_file(writer, "kept.vcd") + " > /dev/null 2> /dev/full; test $? = 2");
    EXPECT_EQ(outcome.code, 0) << writer;
    EXPECT_EQ(read_file(scratch() + "/kept.vcd"), "old") << writer;
    EXPECT_EQ(names(), before) << writer;
  }
}

// While a waveform is written, its temporary folder is private; after the last byte it is deleted.
TEST(Outputs, TemporaryFilesArePrivateAndGo) {
  const Outcome seen = shell(
      "rm -rf t pipe; mkdir t; mkfifo pipe; { until ls t | grep -q .; do sleep 0.02; done; stat -c '%a %F' t/*; "
      "cat > /dev/null; } < pipe & TMPDIR=$PWD/t \"$PMUSIM\" run -t athlon --trace '" +
      recorded("i386-units") + "' -e CPU_CLK_UNHALTED --vcd pipe > /dev/null; wait; ls -A t");
  EXPECT_EQ(seen.out, "700 directory\n") << seen.err;
  const Outcome none = pmusim("run -t athlon --trace '" + recorded("i386-units") + "' -e CPU_CLK_UNHALTED --vcd x.vcd");
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(shell("TMPDIR=/nonexistent \"$PMUSIM\" run -t athlon --trace '" + recorded("i386-units") +
                  "' -e CPU_CLK_UNHALTED --vcd y.vcd")
                .code,
            2);
  EXPECT_FALSE(fs::exists(scratch() + "/y.vcd"));
}

// A waveform needs a thread and stacks for SystemC: without memory for these, the command prints a one-line error.
TEST(Outputs, AWaveformWithoutMemoryIsRefused) {
  write_file("few.txt", nops(31));
  for (const unsigned megabytes : {32u, 34u, 36u, 38u, 40u}) {
    const Outcome outcome =
        shell("rm -rf t x.vcd; mkdir t; ulimit -v " + std::to_string(megabytes << 10) +
              "; TMPDIR=$PWD/t \"$PMUSIM\" run -t athlon --trace few.txt -e CPU_CLK_UNHALTED --vcd x.vcd");
    if (outcome.code == 0) continue;
    EXPECT_EQ(outcome.code, 2) << megabytes;
    EXPECT_THAT(outcome.err, HasSubstr("there is not enough memory")) << megabytes;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_EQ(shell("ls t").out, "") << megabytes;
    EXPECT_FALSE(fs::exists(scratch() + "/x.vcd")) << megabytes;
  }
}

TEST(Outputs, FoldersAndMissingFoldersAreRefused) {
  for (const std::string& writer : writers()) {
    ASSERT_EQ(shell("mkdir -p folder.vcd").code, 0);
    for (const std::string name : {"folder.vcd", "no/such.vcd"}) {
      const Outcome outcome = pmusim(with_file(writer, name));
      EXPECT_EQ(outcome.code, 2) << writer;
      EXPECT_THAT(outcome.err, HasSubstr(name)) << writer;
      EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    }
  }
}

// As given by an unset shell variable.
TEST(Outputs, EmptyNamesAreRefused) {
  std::vector<std::string> commands = writers();
  for (const char* option : {"--trace", "--activity", "--journal", "--merge", "--second"})
    commands.push_back(std::string("validate -t athlon ") + option + " FILE");
  for (const std::string& command : commands) {
    const Outcome outcome = pmusim(with_file(command, "''"));
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr(" '': expected the name of a file\n")) << command;
  }
}

TEST(Outputs, BinaryTracesNeedARegularFile) {
  writers();
  const Outcome outcome = pmusim("trace import nops.txt -o /dev/full");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/dev/full: exists and is no regular file"));
  EXPECT_TRUE(is_device("/dev/full"));
}

}  // namespace
}  // namespace pmusim::cli_test
