// Traces imported from another tool must equal those of the project's recorder for the same program.
#include "testbench/tests/tools.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "capture.h"
#include "common.h"
#include "testbench/tests/recorded_traces/recorded.h"

namespace pmusim::trace::test {
namespace {

using testbench::run;

/// Builds a sample program. Bytes and addresses are those of the program from which the committed texts were made.
std::filesystem::path sample(const std::filesystem::path& folder, const char* compiler, const std::string& name) {
  const auto program = folder / name;
  const auto built = run(fmt::format("{} -nostdlib -static -no-pie -Wl,--build-id=none {} -o {} {}", compiler,
                                     name == "sample_ppc" ? "-Wa,-mregnames" : "", as_word(program),
                                     as_word(samples / (name + ".s"))));
  EXPECT_EQ(built.status, 0) << built.text;
  return program;
}

struct Machine {
  Isa isa;
  const char *name, *compiler, *emulator;
};
constexpr Machine machines[] = {{Isa::i386, "sample_i386", "i686-linux-gnu-gcc", "qemu-i386"},
                                {Isa::ppc, "sample_ppc", "powerpc-linux-gnu-gcc", "qemu-ppc"},
                                {Isa::alpha, "sample_alpha", "alpha-linux-gnu-gcc", "qemu-alpha"}};

/// Rewrites stack addresses as distances from the first one, which depends on the user and the program's name; sorts
/// the accesses of an instruction, because tools report those of pusha in different orders.
std::string normal(const std::string& lines) {
  std::istringstream in(lines);
  std::string result;
  std::uint64_t first = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string pc, bytes, kind, address, size, rest;
    std::vector<std::string> accesses;
    words >> pc >> bytes;
    while (words >> kind >> address) {
      if (kind == "T") {
        rest = " T " + address;
        continue;
      }
      words >> size;
      if (address.size() == 8 && (address.front() == 'f' || address.front() == '4')) {
        const std::uint64_t place = std::stoull(address, nullptr, 16);
        if (first == 0) first = place;
        address = fmt::format("stack{:+}", static_cast<std::int64_t>(place - first));
      }
      accesses.push_back(kind + ' ' + address + ' ' + size);
    }
    std::sort(accesses.begin(), accesses.end());
    result += fmt::format("{} {} {}{}\n", pc, bytes, fmt::join(accesses, " "), rest);
  }
  return result;
}

TEST_F(Importing, ExeclogSamplesAreTheRecordings) {
  for (const Machine& machine : machines) {
    if (!have_tools({machine.compiler, machine.emulator})) GTEST_SKIP() << "needs the cross compilers and qemu-user";
    const auto program = sample(folder.path(), machine.compiler, machine.name);
    const auto recording = folder.path() / "recorded.txt";
    (void)capture(machine.isa, program, {}, recording);
    const std::string expected = normal(lines_of(recording));
    const auto compare = [&](const std::string& text) {
      EXPECT_EQ(normal(imported("execlog", text, options(machine.isa, {{program}}))), expected) << machine.name;
      EXPECT_EQ(result.gaps, 0u);
      EXPECT_EQ(result.without_access, 0u);
    };
    compare(content_of(samples / (std::string(machine.name) + ".execlog")));
    // No Debian package contains the plugin; where it is available it runs again.
    const char* plugin = std::getenv("PMUSIM_EXECLOG");
    if (plugin == nullptr) continue;
    const auto log = folder.path() / "execlog";
    const auto ran = run(fmt::format("{} -plugin {} -d plugin -D {} {}", machine.emulator, as_word(plugin),
                                     as_word(log), as_word(program)));
    ASSERT_EQ(ran.status, 0) << ran.text;
    compare(content_of(log));
  }
}

// Clock samples, as measured on a machine without Intel PT. Where the system does not permit measuring, only the
// committed sample is tested (import_test.cpp).
TEST_F(Importing, PerfAnew) {
  if (!have_tools({"perf", "i686-linux-gnu-gcc"})) GTEST_SKIP() << "needs linux-perf, gcc-i686-linux-gnu";
  const auto source = write("spin.s", ".globl _start\n_start: jmp _start\n");
  const auto program = folder.path() / "spin", data = folder.path() / "perf.data";
  ASSERT_EQ(run(fmt::format("i686-linux-gnu-gcc -nostdlib -static -no-pie {} -o {}", as_word(source), as_word(program)))
                .status,
            0);
  const auto recorded = run(fmt::format("perf record -e cpu-clock:u -F 99 -o {} timeout -s KILL 0.3 {} 2>&1",
                                        data.string(), program.string()));
  const auto script = run(fmt::format("perf script -i {} --insn-trace 2>/dev/null", as_word(data)));
  const auto jump = script.text.find("insn: eb fe");
  if (jump == std::string::npos) GTEST_SKIP() << "perf measures nothing here: " << recorded.text;
  const std::string lines = imported("perf", script.text);
  const std::string line = "8049000 ebfe";
  ASSERT_EQ(lines.substr(0, line.size()), line) << script.text;
  std::istringstream in(lines);
  for (std::string one; std::getline(in, one);) EXPECT_TRUE(one == line || one == line + " T 8049000") << one;
}

// Two runs of gem5 for Alpha, of a version that prints only symbols. Bytes and addresses of the first are those of the
// listing that was published with it; the second is of another program: its bytes are at another address here.
TEST_F(Importing, Gem5NamesSymbols) {
  if (!have_tools({"alpha-linux-gnu-gcc"})) GTEST_SKIP() << "needs gcc-alpha-linux-gnu";
  const auto program = folder.path() / "gem5";
  const auto built =
      run(fmt::format("alpha-linux-gnu-gcc -nostdlib -static -no-pie -Wl,--build-id=none,-Ttext=0x648 -o {} {}",
                      as_word(program), as_word(samples / "sample_alpha_gem5.s")));
  ASSERT_EQ(built.status, 0) << built.text;
  const import::Options with = options(Isa::alpha, {{program}});
  EXPECT_EQ(imported("gem5", content_of(samples / "sample_alpha.gem5"), with),
            "6bc 0100bf22\n6c0 35f7a74a\n6c4 1404b446\n6c8 14f18046\n6cc 0000d4a6 L 8000000000000590 8\n");
  EXPECT_EQ(imported("gem5", content_of(samples / "sample_alpha_stores.gem5"), with),
            "738 180081a4 L 18 8\n73c 200061a4 L 20 8\n740 280041a4 L 28 8\n744 300021a4 L 30 8\n"
            "748 0000e9b4 S fffffffff920d000 8\n");
  EXPECT_THAT(error_of("gem5", "1: system.cpu T0 : @main+4    : lda        r21,1(r31)      : IntAlu :\n", with),
              ::testing::HasSubstr("symbol 'main' is in no ELF file"));
}

// The same for micro-operations, whose numbers follow the symbol without a blank. Symbols may contain dots.
TEST_F(Importing, Gem5NamesSymbolsOfMicroOperations) {
  if (!have_tools({"i686-linux-gnu-gcc"})) GTEST_SKIP() << "needs gcc-i686-linux-gnu";
  const auto source = write("a.s", "_start.0: push %eax\n nop\n .globl _start\n_start: push %eax\n jmp _start.0\n");
  const auto program = folder.path() / "a.out";
  const auto built = run(fmt::format("i686-linux-gnu-gcc -nostdlib -static -no-pie -Wl,-Ttext=0x8049000 {} -o {}",
                                     as_word(source), as_word(program)));
  ASSERT_EQ(built.status, 0) << built.text;
  const std::string push =
      "  2000: system.cpu T0 : @{0}    : push   eax\n"
      "  2000: system.cpu T0 : @{0}.0  :   PUSH_R : st   eax, SS:[rsp - 4] : MemWrite :  "
      "D=0x0000000000000001 A={1}\n"
      "  2500: system.cpu T0 : @{0}.1  :   PUSH_R : subi   esp, esp, 0x4 : IntAlu :  D=0x0\n";
  const std::string text = fmt::format(fmt::runtime(push), "_start", "0xbffff7fc") +
                           "  3000: system.cpu T0 : @_start+1    : jmp\n"
                           "  3000: system.cpu T0 : @_start+1.0  :   JMP_I : rdip   t1 : IntAlu :\n" +
                           fmt::format(fmt::runtime(push), "_start.0", "0xbffff7f8") +
                           "  5000: system.cpu T0 : @_start.0+1    : nop\n";
  EXPECT_EQ(imported("gem5", text, options(Isa::i386, {{program}})),
            "8049002 50 S bffff7fc 4\n8049003 ebfb T 8049000\n8049000 50 S bffff7f8 4\n8049001 90\n");
}

TEST_F(Importing, LackeyIsTheRecording) {
  if (!have_tools({"i686-linux-gnu-gcc", "qemu-i386"})) GTEST_SKIP() << "needs gcc-i686-linux-gnu, qemu-user";
  const auto program = sample(folder.path(), "i686-linux-gnu-gcc", "sample_i386");
  const auto recording = folder.path() / "recorded.txt";
  (void)capture(Isa::i386, program, {}, recording);
  // Valgrind omits loads whose result is not used: the flags of cmpw are overwritten.
  std::string expected = normal(lines_of(recording));
  const std::string unused = "66833d00a0040805 L 804a000 2";
  ASSERT_NE(expected.find(unused), expected.npos) << expected;
  expected.replace(expected.find(unused), unused.size(), "66833d00a0040805 ");
  const auto made = [&](const std::string& text) {
    const std::string lines = normal(imported("lackey", text, options(Isa::i386, {{program}})));
    EXPECT_EQ(result.without_access, 1u);
    return lines;
  };
  EXPECT_EQ(made(content_of(samples / "sample_i386.lackey")), expected);
  if (!have_tools({"valgrind"})) GTEST_SKIP() << "needs valgrind to run lackey anew";
  if (!kernel_runs_i386()) GTEST_SKIP() << "this kernel runs no 32-bit x86 programs";
  const auto log = folder.path() / "log";
  const auto ran =
      run(fmt::format("valgrind --tool=lackey --trace-mem=yes --log-file={} {}", as_word(log), as_word(program)));
  ASSERT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(made(content_of(log)), expected);
}

}  // namespace
}  // namespace pmusim::trace::test
