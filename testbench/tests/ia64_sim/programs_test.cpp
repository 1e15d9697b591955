// The 19 programs: exit status and executed slots must match two other implementations, the kernels compiled natively
// and the recorded traces.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "assembled.h"
#include "capture.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
namespace fs = std::filesystem;

const fs::path source = PMUSIM_SOURCE_DIR;
const fs::path programs = source / "isa-traces" / "programs" / "ia64";

struct Expected {
  std::string program;
  int exit = 0;
  std::uint64_t slots = 0;
};

std::vector<Expected> table() {
  std::vector<Expected> rows;
  std::ifstream file(source / "testbench" / "tests" / "ia64_sim" / "programs.csv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("program,")) continue;
    std::istringstream fields(line);
    Expected row;
    std::string exit, slots;
    std::getline(fields, row.program, ',');
    std::getline(fields, exit, ',');
    std::getline(fields, slots, ',');
    row.exit = std::stoi(exit);
    row.slots = std::stoull(slots);
    rows.push_back(row);
  }
  return rows;
}

TEST(Programs, ThereAreNineteen) { EXPECT_EQ(table().size(), 19U); }

class Program : public ::testing::TestWithParam<Expected> {};

TEST_P(Program, ExitsAndCountsAsOthersDo) {
  if (!pmusim::have_tools({"ia64-linux-gnu-as", "ia64-linux-gnu-ld"})) GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  const auto& [name, exit, slots] = GetParam();
  const auto result = trace::ia64::simulate(testbench::assemble({programs / "crt0.s", programs / (name + ".s")}), name);
  EXPECT_EQ(result.exit_status, exit);
  EXPECT_EQ(result.slots, slots);
}

/// The trace in the repository: masks and MLX bundles must give the same number of slots.
TEST_P(Program, IsRecordedWhole) {
  const auto reader = trace::open(source / "isa-traces" / "recorded" / ("ia64-" + GetParam().program + ".pmt"));
  std::uint64_t slots = 0;
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    for (const char state : item.instruction.mask) slots += state != '-';
  }
  EXPECT_EQ(slots, GetParam().slots);
}

INSTANTIATE_TEST_SUITE_P(All, Program, ::testing::ValuesIn(table()), [](const auto& info) {
  std::string name = info.param.program;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Programs, KernelsGiveTheSameOnTheBuildMachine) {
  if (!pmusim::have_tools({"cc"})) GTEST_SKIP() << "needs a C compiler";
  const testbench::Scratch scratch;
  unsigned compared = 0;
  for (const Expected& row : table()) {
    if (!row.program.ends_with("-O2")) continue;
    const std::string name = row.program.substr(0, row.program.size() - 3), native = as_word(scratch / name);
    const std::string build = fmt::format("cc -O1 -o {} {}", native, as_word(programs / (name + ".c")));
    ASSERT_EQ(std::system(build.c_str()), 0);
    EXPECT_EQ(WEXITSTATUS(std::system(native.c_str())), row.exit) << name;
    ++compared;
  }
  EXPECT_EQ(compared, 6U);
}

}  // namespace

// Recording of IA-64 programs: assembly and executables, identical bytes in two runs, contents of the lines.
namespace {

using namespace pmusim;
namespace fs = std::filesystem;

class Ia64Capture : public testbench::WithBinutils {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(scratch.path() / name, std::ios::binary) << text;
    return scratch.path() / name;
  }
  testbench::Scratch scratch;
};

TEST_F(Ia64Capture, AssemblyWithMainAndWithStart) {
  const fs::path programs = fs::path(PMUSIM_SOURCE_DIR) / "isa-traces/programs/ia64";
  const fs::path first = scratch.path() / "first.pmt", second = scratch.path() / "second.pmt";
  const auto result = trace::capture(trace::Isa::ia64, programs / "pipelined.s", {}, first);
  EXPECT_EQ(result.exit_status, 72);
  const auto again =
      trace::capture(trace::Isa::ia64, programs / "pipelined.s", {(programs / "crt0.s").string()}, second);
  EXPECT_EQ(again.instructions, result.instructions);
  EXPECT_EQ(trace::open(first)->info().program, "pipelined.s");
  (void)trace::capture(trace::Isa::ia64, programs / "pipelined.s", {}, second);
  EXPECT_EQ(testbench::content_of(first), testbench::content_of(second));
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 2) << "intermediate files were left";
}

TEST_F(Ia64Capture, LinesSayWhatHappened) {
  const fs::path source = write("lines.s", R"(
.text ; .global _start
_start:
{ .mii ; alloc r2 = ar.pfs, 0, 0, 1, 0 ; cmp.eq p6, p7 = r0, r0 ; nop.i 0 ;; }
{ .mmi ; ld8.s r14 = [r0] ; (p7) ld8 r17 = [r0] ; mov r15 = 1025 ;; }
{ .mmb ; adds r16 = -8, r12 ; mov r32 = 3 ; (p6) br.cond.sptk.few 1f ;; }
{ .mib ; nop.m 0 ; nop.i 0 ; nop.b 0 ;; }
1:
{ .mmi ; st8 [r16] = r0 ; break.m 0x100000 ; nop.i 0 ;; }
)");
  const fs::path text = scratch.path() / "lines.txt";
  EXPECT_EQ(trace::capture(trace::Isa::ia64, source, {}, text).exit_status, 3);
  std::istringstream lines(testbench::content_of(text));
  std::vector<std::string> said;
  for (std::string line; std::getline(lines, line);) {
    // without address and bytes
    const auto words = line.starts_with("!") ? 0 : line.find(' ', line.find(' ') + 1) + 1;
    said.push_back(line.substr(words));
  }
  const std::vector<std::string> right = {
      "! isa ia64", "xxx bsp=9fffffff80000000", "xpx defer=0:0",
      "xxx T2 " + testbench::content_of(text).substr(
                      testbench::content_of(text).rfind('\n', testbench::content_of(text).size() - 2) + 1, 16),
      "xx- S0 9ffffffffffefff8 8"};
  EXPECT_EQ(said, right);
}

TEST_F(Ia64Capture, Refusals) {
  const fs::path output = scratch.path() / "out.pmt";
  const auto refusal = [&](const fs::path& program, const std::vector<std::string>& arguments) -> std::string {
    try {
      (void)trace::capture(trace::Isa::ia64, program, arguments, output);
    } catch (const trace::CaptureError& error) {
      EXPECT_FALSE(fs::exists(output));
      return error.what();
    }
    return "recorded";
  };
  EXPECT_NE(refusal(scratch.path() / "absent", {}).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal(scratch.path() / "absent.s", {}).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal(write("short",
                          "\x7f"
                          "ELF"),
                    {})
                .find("ELF"),
            std::string::npos);
  EXPECT_NE(refusal(write("wrong.s", "main: bogus r1\n"), {}).find("refuses it"), std::string::npos);
  EXPECT_NE(refusal(write("program", "x"), {"3000"}).find("get no arguments"), std::string::npos);
  EXPECT_NE(refusal(write("fault.s", ".global main\nmain: ld8 r8 = [r0]\n;;\n"), {}).find("which is not mapped"),
            std::string::npos);
  EXPECT_THROW((void)trace::capture(trace::Isa::ia64, write("loop.s", ".global main\nmain: br.cond.sptk main\n;;\n"),
                                    {}, output, 1000),
               trace::CaptureError);
  EXPECT_FALSE(fs::exists(output));
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/absent", 1);
  EXPECT_NE(refusal(write("good.s", ".global main\nmain: br.ret.sptk b0\n;;\n"), {}).find("binutils-ia64-linux-gnu"),
            std::string::npos);
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
