// Files that the command writes: traces, and a waveform on a system without /proc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "command.h"
#include "testbench/judge/question/question.h"
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

// Snapshots of all encodings: no change, one field changed, one encoding removed, and input that is no snapshot.

using testing::HasSubstr;

/// Returns `text` with the first `from` after `anchor` replaced.
std::string changed(std::string text, const std::string& anchor, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from, text.find(anchor));
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

// 0x43 with unit mask 0x1f, and 0x0f in the snapshot: the output names the field, its bits, and both values.
TEST(Snapshots, WhatIsDifferentIsNamed) {
  ASSERT_EQ(pmusim("encode --all -t athlon --snapshot athlon.jsonl").code, 0);
  const std::string text = read_file(scratch() + "/athlon.jsonl");
  const auto expect = [](const std::string& before, int code, const std::vector<const char*>& says) {
    write_file("before.jsonl", before);
    const Outcome outcome = pmusim("encode --all -t athlon --compare before.jsonl");
    EXPECT_EQ(outcome.code, code) << outcome.out;
    for (const char* one : says) EXPECT_THAT(code == 2 ? outcome.err : outcome.out, HasSubstr(one));
    if (code == 2) {
      EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    }
  };
  expect(text, 0, {" 0 different"});
  expect(changed(text, "\"DATA_CACHE_REFILLS_FROM_SYSTEM:ALL\",\"sampling\":false", "431f43", "430f43"), 1,
         {"DATA_CACHE_REFILLS_FROM_SYSTEM:ALL: PerfEvtSel0 UNIT_MASK (15:8) is 0x1f", "was 0xf", " 1 different"});
  expect(text.substr(text.find('\n') + 1), 1, {": new\n"});
  expect(changed(text, "", "SEGMENT_REGISTER_LOADS", "SEGMENT_REGISTERS_LOADED"), 1,
         {"SEGMENT_REGISTERS_LOADED", ": gone\n"});
  expect(text + "{\"target\":1}\n", 2, {"before.jsonl:"});
  expect("", 2, {});
  for (const char* wrong : {"--all", "--snapshot athlon.jsonl", "--all -t athlon --snapshot none/x"})
    EXPECT_EQ(pmusim(std::string("encode ") + wrong).code, 2) << wrong;
}

// Files of other programs: values of any kind are compared, and an error takes one line.
TEST(Snapshots, AnyObjectsAreCompared) {
  write_file("a.json", R"({"target":5,"event":["X"],"registers":{"A":"0xzz","B":"0x10000000000000000","C":1e300}})");
  write_file("b.json", R"({"target":{},"event":["Y"],"registers":{"A":"0x1","B":"0x","C":-1}})");
  const Outcome compared = pmusim("diff a.json b.json");
  EXPECT_EQ(compared.code, 1) << compared.err;
  EXPECT_EQ(compared.err, "");
  write_file("deep.json", R"({"target":"athlon","event":)" + std::string(100000, '[') + std::string(100000, ']') + "}");
  const Outcome deep = pmusim("diff deep.json deep.json");
  EXPECT_EQ(deep.code, 2);
  EXPECT_EQ(deep.err, "pmusim: deep.json:1: values are nested deeper than 64 levels\n");
  write_file("wrong.jsonl", R"({"target":"athlon","event":"X","sampling":false,"refused":7})");
  EXPECT_EQ(pmusim("encode --all -t athlon --compare wrong.jsonl").err,
            "pmusim: wrong.jsonl:1: not a line that pmusim encode --all --snapshot writes\n");
}

}  // namespace

}  // namespace pmusim::cli_test
