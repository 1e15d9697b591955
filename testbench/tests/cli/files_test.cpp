// Files that the command writes: traces, and a waveform on a system without /proc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

TEST(Trace, ImportExportDumpInfo) {
  const std::string text = nops(20);
  write_file("in.txt", text);
  EXPECT_EQ(pmusim("trace import in.txt -o made.pmt").code, 0);
  EXPECT_EQ(pmusim("trace export made.pmt -o back.txt").code, 0);
  EXPECT_EQ(read_file(scratch() + "/back.txt"), text);
  EXPECT_EQ(json_of(pmusim("trace info made.pmt --format json")).at("instructions"), 20);
  EXPECT_THAT(pmusim("trace dump made.pmt --range 3:5").out,
              testing::AllOf(HasSubstr("10003 90\n10004 90\n"), testing::Not(HasSubstr("10005 90"))));
}

TEST(Trace, CapturesAProgram) {
  write_file("ten.c",
             "static volatile int sum;\n"
             "__attribute__((noinline)) static void add(int i) { sum += i; }\n"
             "void _start(void) {\n"
             "  for (int i = 0; i < 1000; ++i) add(i);\n"
             "  register int code __asm__(\"ebx\") = sum == 499500 ? 7 : 8;\n"
             "  __asm__ volatile(\"int $0x80\" : : \"a\"(1), \"r\"(code));\n"
             "}\n");
  if (!have_tools({"i686-linux-gnu-gcc", "qemu-i386"})) GTEST_SKIP() << "needs i686-linux-gnu-gcc and qemu-user";
  ASSERT_EQ(shell("i686-linux-gnu-gcc -O1 -static -nostdlib -fno-pie -no-pie ten.c -o ten").code, 0);
  const Outcome captured = pmusim("trace capture --isa i386 ./ten -o ten.pmt");
  ASSERT_EQ(captured.code, 0) << captured.err;
  EXPECT_THAT(captured.out, HasSubstr("exit status 7"));
  // 1000 calls, each of at least a call, an addition to memory and a return.
  EXPECT_GE(json_of(pmusim("trace info ten.pmt --format json")).at("instructions").get<int>(), 3000);
}

// An IA-64 trace consists of bundles of three instructions, and the command reports bundles.
TEST(Trace, CapturesBundlesOfIa64) {
  write_file("three.s",
             "\t.text\n\t.global _start\n_start:\n"
             "{ .mii\n alloc r2 = ar.pfs, 0, 0, 1, 0\n nop.i 0\n nop.i 0\n ;;\n}\n"
             "{ .mii\n mov r15 = 1025\n mov r32 = 3\n nop.i 0\n ;;\n}\n"
             "{ .mii\n break.m 0x100000\n nop.i 0\n nop.i 0\n ;;\n}\n");
  if (!have_tools({"ia64-linux-gnu-as", "ia64-linux-gnu-ld"})) GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  const Outcome captured = pmusim("trace capture --isa ia64 three.s -o three.pmt");
  EXPECT_EQ(captured.code, 0) << captured.err;
  EXPECT_EQ(captured.out, "three.pmt: 3 bundles, exit status 3\n");
}

/// Hides /proc, as in a root folder in which nobody mounted it.
const std::string without_proc = "bwrap --bind / / --tmpfs /proc --dev-bind /dev /dev ";

// Without /proc/self/exe the program knows the name under which it was started: a path, or what PATH led to.
TEST(Files, AreFoundWithoutProc) {
  if (sanitized) GTEST_SKIP() << "AddressSanitizer reads /proc itself";
  if (!have_tools({"bwrap"})) GTEST_SKIP() << "needs bubblewrap";
  if (shell(without_proc + "true").code != 0) GTEST_SKIP() << "the system allows no namespaces";
  ASSERT_EQ(shell("mkdir -p bare/bin && cp \"$PMUSIM\" bare/bin/pmusim").code, 0);
  const std::string folder = std::filesystem::canonical(scratch()) / "bare" / "bin";
  const std::string options =
      " validate -t athlon --quick --only RETIRED_INSTRUCTIONS --jobs 1 --format json --cache bare/cache --journal "
      "bare/j";
  const auto run = [&](const std::string& program) {
    return shell("rm -rf bare/cache bare/j; env -u PMUSIM_DATA PATH=\"" + folder + ":$PATH\" " + without_proc +
                 program + options);
  };
  const std::vector<std::string> names{"bare/bin/pmusim", "'" + folder + "/pmusim'", "pmusim"};
  for (const std::string& name : names) {
    const Outcome outcome = run(name);
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_EQ(outcome.err, "pmusim: no folder share/pmusim beside or above " + folder +
                               ": set PMUSIM_DATA to the folder that has isa-traces/\n")
        << name;
  }
  ASSERT_EQ(shell("mkdir -p bare/share && ln -s \"$PMUSIM_DATA\" bare/share/pmusim").code, 0);
  const Outcome with = shell("bare/bin/pmusim" + options);
  ASSERT_EQ(with.code, 0) << with.err;
  for (const std::string& name : names) {
    const Outcome outcome = run(name);
    EXPECT_EQ(outcome.out, with.out) << name;
    EXPECT_EQ(outcome.err, "") << name;
    EXPECT_TRUE(std::filesystem::exists(scratch() + "/bare/cache/v2")) << name;
  }
  // The cache and the journal of this program, whatever says which one it is.
  EXPECT_EQ(shell("bare/bin/pmusim" + options).err, "");
}

// SystemC opens the pipe by a name in /proc, and divides by zero if it cannot.
TEST(Vcd, NeedsProc) {
  if (sanitized) GTEST_SKIP() << "AddressSanitizer reads /proc itself";
  if (!have_tools({"bwrap"})) GTEST_SKIP() << "needs bubblewrap";
  if (shell(without_proc + "true").code != 0) GTEST_SKIP() << "the system allows no namespaces";
  const Outcome outcome = shell(without_proc + "\"$PMUSIM\" run -t ppc750gx --trace " + as_word(recorded("ppc-units")) +
                                " -e PROCESSOR_CYCLES --vcd gone.vcd");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "pmusim: gone.vcd: a waveform needs /proc, which is not mounted\n");
}

// A program without PMUSIM_DATA looks for share/pmusim beside and above itself.
TEST(Files, ShippedTracesAreThoseOfTheNearestShareFolder) {
  const std::string command =
      "; env -u PMUSIM_DATA away/bin/pmusim run -t athlon -e CPU_CLK_UNHALTED --trace "
      "isa-traces/recorded/i386-recursion-O2.pmt";
  ASSERT_EQ(shell("mkdir -p away/bin && cp \"$PMUSIM\" away/bin/pmusim").code, 0);
  const Outcome alone = shell("true" + command);
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.err, testing::AllOf(HasSubstr("share/pmusim"), HasSubstr("PMUSIM_DATA")));
  const Outcome beside = shell("mkdir -p away/share && ln -s \"$PMUSIM_DATA\" away/share/pmusim" + command);
  EXPECT_EQ(beside.code, 0) << beside.err;
  EXPECT_EQ(shell("rm -r away/share && mkdir share && ln -s \"$PMUSIM_DATA\" share/pmusim" + command).code, 0);
}

}  // namespace
}  // namespace pmusim::cli_test
