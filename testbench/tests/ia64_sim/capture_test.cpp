// Recording of IA-64 programs: assembly and executables, identical bytes in two runs, contents of the lines.
#include "capture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "assembled.h"
#include "disassembly.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Ia64Capture : public testing::Test {
 protected:
  void SetUp() override {
    if (!pmusim::have_tools({"ia64-linux-gnu-as", "ia64-linux-gnu-ld"}))
      GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  }
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
  EXPECT_EQ(bytes_of(first), bytes_of(second));
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 2) << "intermediate files were left";
}

TEST_F(Ia64Capture, LinesSayWhatHappened) {
  const fs::path source = write("lines.s", R"(
	.text
	.global _start
_start:
{ .mii
	alloc r2 = ar.pfs, 0, 0, 1, 0
	cmp.eq p6, p7 = r0, r0
	nop.i 0
	;;
}
{ .mmi
	ld8.s r14 = [r0]
 (p7)	ld8 r17 = [r0]
	mov r15 = 1025
	;;
}
{ .mmb
	adds r16 = -8, r12
	mov r32 = 3
 (p6)	br.cond.sptk.few 1f
	;;
}
{ .mib
	nop.m 0
	nop.i 0
	nop.b 0
	;;
}
1:
{ .mmi
	st8 [r16] = r0
	break.m 0x100000
	nop.i 0
	;;
}
)");
  const fs::path text = scratch.path() / "lines.txt";
  EXPECT_EQ(trace::capture(trace::Isa::ia64, source, {}, text).exit_status, 3);
  std::istringstream lines(bytes_of(text));
  std::vector<std::string> said;
  for (std::string line; std::getline(lines, line);) {
    // without address and bytes
    const auto words = line.starts_with("!") ? 0 : line.find(' ', line.find(' ') + 1) + 1;
    said.push_back(line.substr(words));
  }
  const std::vector<std::string> right = {
      "! isa ia64", "xxx bsp=9fffffff80000000", "xpx defer=0:0",
      "xxx T2 " + bytes_of(text).substr(bytes_of(text).rfind('\n', bytes_of(text).size() - 2) + 1, 16),
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
