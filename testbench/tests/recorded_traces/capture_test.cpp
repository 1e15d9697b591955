// Recording: identical bytes in two runs, the repository's traces reproduced, exit statuses as of native runs, and
// one-line errors.
#include "capture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "pmusim/trace/reader.h"
#include "recorded.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
using testbench::run;
namespace fs = std::filesystem;

const fs::path tree = PMUSIM_SOURCE_DIR;

/// Builds a four-instruction program for the i386; `switches` are passed to the compiler.
fs::path small_program(const fs::path& folder, const std::string& switches = "-static") {
  const fs::path assembly = folder / "small.s", program = folder / "small";
  std::ofstream(assembly) << ".globl _start\n_start: movl $7, %ebx\nmovl $1, %eax\nmovl 4(%esp), %ecx\nint $0x80\n";
  const auto built = run(
      fmt::format("i686-linux-gnu-gcc -nostdlib -no-pie {} -o {} {}", switches, as_word(program), as_word(assembly)));
  EXPECT_EQ(built.status, 0) << built.text;
  return program;
}

std::string refusal(trace::Isa isa, const fs::path& program, const fs::path& output) {
  try {
    (void)trace::capture(isa, program, {}, output);
  } catch (const trace::CaptureError& error) {
    EXPECT_FALSE(fs::exists(output));
    return error.what();
  }
  return "recorded";
}

TEST(Capture, SmallProgramTwice) {
  if (!pmusim::have_tools({"i686-linux-gnu-gcc", "qemu-i386"})) GTEST_SKIP() << "needs gcc-i686-linux-gnu, qemu-user";
  const testbench::Scratch scratch;
  const auto program = small_program(scratch.path());
  const auto first = scratch.path() / "first.pmt", second = scratch.path() / "second.pmt";
  const auto result = trace::capture(trace::Isa::i386, program, {}, first);
  EXPECT_EQ(result.exit_status, 7);
  EXPECT_EQ(result.instructions, 4U);
  (void)trace::capture(trace::Isa::i386, program, {}, second);
  EXPECT_EQ(testbench::content_of(first), testbench::content_of(second));
  const auto text = scratch.path() / "third.txt";
  (void)trace::capture(trace::Isa::i386, program, {}, text);
  EXPECT_NE(testbench::content_of(text).find(" 8b4c2404 L "), std::string::npos) << testbench::content_of(text);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 5) << "intermediate files were left";
}

TEST(Capture, Refusals) {
  if (!pmusim::have_tools({"i686-linux-gnu-gcc", "qemu-i386"})) GTEST_SKIP() << "needs gcc-i686-linux-gnu, qemu-user";
  const testbench::Scratch scratch;
  const auto output = scratch.path() / "out.pmt";
  const auto program = small_program(scratch.path());
  EXPECT_NE(refusal(trace::Isa::ppc, program, output).find("not an ELF program for 32-bit PowerPC"), std::string::npos);
  EXPECT_NE(refusal(trace::Isa::ia64, program, output).find("not a 64-bit little-endian ELF program"),
            std::string::npos);
  EXPECT_NE(refusal(trace::Isa::i386, scratch.path() / "absent", output).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal(trace::Isa::i386, program, scratch.path() / "no" / "out.pmt").find("cannot be written"),
            std::string::npos);
  ::setenv("PMUSIM_PLUGIN", "/absent.so", 1);
  EXPECT_NE(refusal(trace::Isa::i386, program, output).find("PMUSIM_PLUGIN=/absent.so: no such file"),
            std::string::npos);
  ::unsetenv("PMUSIM_PLUGIN");
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/absent", 1);
  EXPECT_NE(refusal(trace::Isa::i386, program, output).find("qemu-i386: not found"), std::string::npos);
  ::setenv("PATH", path.c_str(), 1);
  std::ofstream(scratch.path() / "fault.s") << ".globl _start\n_start: ud2\n";
  ASSERT_EQ(run(fmt::format("cd {} && i686-linux-gnu-gcc -nostdlib -no-pie -static -o fault fault.s",
                            as_word(scratch.path())))
                .status,
            0);
  EXPECT_NE(refusal(trace::Isa::i386, scratch.path() / "fault", output).find("killed by signal 4"), std::string::npos);
  const auto dynamic = small_program(scratch.path(), "-Wl,--dynamic-linker=/lib/absent.so -pie");
  EXPECT_NE(refusal(trace::Isa::i386, dynamic, output).find("its dynamic linker /lib/absent.so is not in"),
            std::string::npos);
  EXPECT_NE(refusal(trace::Isa::i386, small_program(scratch.path(), "-c"), output).find("linked without -shared"),
            std::string::npos);
}

TEST(Recording, EveryThirdTraceAgainSameBytes) {
  if (!pmusim::have_tools({"python3", "powerpc-linux-gnu-gcc", "i686-linux-gnu-gcc", "alpha-linux-gnu-gcc", "qemu-ppc",
                           "qemu-i386", "qemu-alpha"})) {
    GTEST_SKIP() << "needs the cross compilers and qemu-user";
  }
  std::string names;  // every third trace; scripts/nightly records all
  std::size_t number = 0;
  for (const auto& file : testbench::recorded_traces()) {
    if (number++ % 3 == 0) names += " " + file.stem().string();
  }
  ASSERT_GE(number, sanitized ? 15u : 30u);  // of the long ones, none under a sanitizer
  const auto check = run(fmt::format("python3 {} --check --build {}{}", as_word(tree / "scripts/record-traces"),
                                     as_word(built("..")), names));
  EXPECT_EQ(check.status, 0) << check.text;
}

TEST(Recording, ExitStatusesAreThoseOfANativeRun) {
  if (!pmusim::have_tools({"gcc"})) GTEST_SKIP() << "needs gcc";
  const testbench::Scratch scratch;
  const auto programs = tree / "isa-traces" / "programs";
  std::ifstream table(programs / "traces.csv");
  int compared = 0;
  for (std::string line; std::getline(table, line);) {
    const auto end = line.rfind(',');
    if (line.starts_with('#') || line.find(".c,") == std::string::npos) continue;
    const auto start = line.find(',', line.find(',') + 1) + 1;
    const std::string kernel = line.substr(start, line.find(',', start) - start);
    const auto built = run(fmt::format("gcc -O1 -o {} {} {}", as_word(scratch / "native"), as_word(programs / kernel),
                                       as_word(programs / "native_main.c")));
    ASSERT_EQ(built.status, 0) << built.text;
    EXPECT_EQ(run(as_word(scratch / "native")).status, std::stoi(line.substr(end + 1))) << line;
    ++compared;
  }
  EXPECT_EQ(compared, 3 * 11 + 2)
      << "eleven C programs for each of three instruction sets, two once more for later Alphas";
}

}  // namespace
