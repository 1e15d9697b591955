// Is what is made of another tool's trace what the project's recorder makes of the same program?
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "capture.h"
#include "common.h"
#include "testbench/tests/recorded_traces/recorded.h"

namespace pmusim::trace::test {
namespace {

using testbench::have_tools;
using testbench::run;

/// Builds a sample. Its bytes and addresses are those of the program that the committed texts are of.
std::filesystem::path sample(const std::filesystem::path& folder, const char* compiler, const std::string& name) {
  const auto program = folder / name;
  const auto built =
      run(fmt::format("{} -nostdlib -static -no-pie -Wl,--build-id=none {} -o {} {}/{}.s", compiler,
                      name == "sample_ppc" ? "-Wa,-mregnames" : "", program.string(), samples.string(), name));
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

/// Addresses on the stack as distances from the first one, which depends on who runs the program and under which name;
/// accesses of an instruction sorted, for tools tell those of pusha in another order.
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
    // No Debian package has the plugin; where one is at hand it runs anew.
    const char* plugin = std::getenv("PMUSIM_EXECLOG");
    if (plugin == nullptr) continue;
    const auto log = folder.path() / "execlog";
    const auto ran =
        run(fmt::format("{} -plugin {} -d plugin -D {} {}", machine.emulator, plugin, log.string(), program.string()));
    ASSERT_EQ(ran.status, 0) << ran.text;
    compare(content_of(log));
  }
}

// Samples of a clock: what a machine without Intel PT has. Where the system lets nobody measure, the committed sample
// is all there is (import_test.cpp).
TEST_F(Importing, PerfAnew) {
  if (!have_tools({"perf", "i686-linux-gnu-gcc"})) GTEST_SKIP() << "needs linux-perf, gcc-i686-linux-gnu";
  const auto source = write("spin.s", ".globl _start\n_start: jmp _start\n");
  const auto program = folder.path() / "spin", data = folder.path() / "perf.data";
  ASSERT_EQ(run(fmt::format("i686-linux-gnu-gcc -nostdlib -static -no-pie {} -o {}", source.string(), program.string()))
                .status,
            0);
  const auto recorded = run(fmt::format("perf record -e cpu-clock:u -F 99 -o {} timeout -s KILL 0.3 {} 2>&1",
                                        data.string(), program.string()));
  const auto script = run(fmt::format("perf script -i {} --insn-trace 2>/dev/null", data.string()));
  const auto jump = script.text.find("insn: eb fe");
  if (jump == std::string::npos) GTEST_SKIP() << "perf measures nothing here: " << recorded.text;
  const std::string lines = imported("perf", script.text);
  const std::string line = "8049000 ebfe";
  ASSERT_EQ(lines.substr(0, line.size()), line) << script.text;
  std::istringstream in(lines);
  for (std::string one; std::getline(in, one);) EXPECT_TRUE(one == line || one == line + " T 8049000") << one;
}

TEST_F(Importing, LackeyIsTheRecording) {
  if (!have_tools({"i686-linux-gnu-gcc", "qemu-i386"})) GTEST_SKIP() << "needs gcc-i686-linux-gnu, qemu-user";
  const auto program = sample(folder.path(), "i686-linux-gnu-gcc", "sample_i386");
  const auto recording = folder.path() / "recorded.txt";
  (void)capture(Isa::i386, program, {}, recording);
  // Valgrind leaves out loads whose result nobody uses: the flags of cmpw are overwritten.
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
  const auto log = folder.path() / "log";
  const auto ran =
      run(fmt::format("valgrind --tool=lackey --trace-mem=yes --log-file={} {}", log.string(), program.string()));
  ASSERT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(made(content_of(log)), expected);
}

}  // namespace
}  // namespace pmusim::trace::test
