// Files that the command writes: waveforms, timelines, traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "command.h"
#include "testbench/tests/sampling.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

struct Waveform {
  std::map<std::string, std::string> codes;   ///< `counter0.value` -> identifier
  std::map<std::string, std::string> values;  ///< identifier -> last value
};

/// Header and last values of a VCD file.
Waveform waveform(const std::string& text) {
  Waveform wave;
  std::vector<std::string> scopes;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::string word, kind, width, code, name;
    words >> word;
    if (word == "$scope") {
      words >> kind >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      words >> kind >> width >> code >> name;
      wave.codes[scopes.back() + "." + name] = code;
    } else if (!word.empty() && word[0] == 'b') {
      words >> code;
      wave.values[code] = word.substr(1);
    }
  }
  return wave;
}

TEST(Vcd, LastValuesAreTheCounts) {
  write_file("nops.txt", nops(53));
  const auto object = json_of(pmusim(
      "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS -e CPU_CLK_UNHALTED --vcd wave.vcd --format json"));
  const Waveform wave = waveform(read_file(scratch() + "/wave.vcd"));
  for (const char* signal :
       {"pmu0.cycle", "pmu0.clock", "pmu0.interrupt", "counter3.value", "counter0.n", "counter0.condition"}) {
    EXPECT_EQ(wave.codes.count(signal), 1u) << signal;
  }
  EXPECT_EQ(object.at("counts").at(0).at("value"), 53);
  for (int i = 0; i < 2; ++i) {
    const auto code = wave.codes.find("counter" + std::to_string(i) + ".value");
    ASSERT_NE(code, wave.codes.end());
    const auto value = wave.values.find(code->second);
    ASSERT_NE(value, wave.values.end());
    EXPECT_EQ(std::strtoull(value->second.c_str(), nullptr, 2), object["counts"][i].at("value").get<std::uint64_t>());
  }
}

TEST(Vcd, OfTheItanium2) {
  const std::string run =
      "run -t itanium2 --trace '" + recorded("ia64-pipelined") + "' -e CPU_CYCLES -e LOADS_RETIRED --format json";
  const auto object = json_of(pmusim(run + " --vcd wave2.vcd"));
  EXPECT_EQ(object, json_of(pmusim(run))) << "clock by clock and in blocks";
  const Waveform wave = waveform(read_file(scratch() + "/wave2.vcd"));
  for (const auto& count : object.at("counts")) {
    const std::string counter =
        "counter" + std::to_string(std::stoi(count.at("counter").get<std::string>().substr(3)) - 4);
    const auto code = wave.codes.find(counter + ".value");
    ASSERT_NE(code, wave.codes.end()) << counter;
    EXPECT_EQ(std::strtoull(wave.values.at(code->second).c_str(), nullptr, 2), count.at("value").get<std::uint64_t>());
  }
}

TEST(Perfetto, IsJsonWithSlices) {
  write_file("nops.txt", nops(53));
  EXPECT_EQ(pmusim("run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --perfetto line.json").code, 0);
  const auto line = nlohmann::json::parse(read_file(scratch() + "/line.json"), nullptr, false);
  ASSERT_FALSE(line.is_discarded());
  const auto& events = line.is_array() ? line : line.at("traceEvents");
  std::size_t slices = 0;
  for (const auto& event : events) slices += event.at("ph") == "X" ? 1u : 0u;
  EXPECT_EQ(slices, 53u);
}

// Tracks are those of the states that the core has.
TEST(Perfetto, ShowsTheStatesOfTheCore) {
  write_file("nops.txt", nops(53));
  EXPECT_EQ(pmusim("run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --perfetto athlon.json").code, 0);
  EXPECT_EQ(
      pmusim("run -t itanium2 --trace '" + recorded("ia64-pipelined") + "' -e CPU_CYCLES --perfetto ia64.json").code,
      0);
  const std::string athlon = read_file(scratch() + "/athlon.json"), itanium = read_file(scratch() + "/ia64.json");
  EXPECT_FALSE(nlohmann::json::parse(itanium, nullptr, false).is_discarded());
  EXPECT_THAT(itanium, HasSubstr("stage that holds the back end"));
  EXPECT_THAT(itanium, testing::Not(HasSubstr("decoder empty")));
  EXPECT_THAT(athlon, testing::AllOf(HasSubstr("decoder empty"), testing::Not(HasSubstr("back end"))));
}

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
  const bool tools =
      shell("i686-linux-gnu-gcc --version && (qemu-i386 --version || qemu-i386-static --version)").code == 0;
  if (!tools && std::getenv("PMUSIM_REQUIRE_TOOLS") == nullptr)
    GTEST_SKIP() << "needs i686-linux-gnu-gcc and qemu-user";
  ASSERT_TRUE(tools) << "PMUSIM_REQUIRE_TOOLS is set; install i686-linux-gnu-gcc and qemu-user";
  ASSERT_EQ(shell("i686-linux-gnu-gcc -O1 -static -nostdlib -fno-pie -no-pie ten.c -o ten").code, 0);
  const Outcome captured = pmusim("trace capture --isa i386 ./ten -o ten.pmt");
  ASSERT_EQ(captured.code, 0) << captured.err;
  EXPECT_THAT(captured.out, HasSubstr("exit status 7"));
  // 1000 calls, each with at least a call, an addition to memory and a return.
  EXPECT_GE(json_of(pmusim("trace info ten.pmt --format json")).at("instructions").get<int>(), 3000);
}

// What an IA-64 trace has are bundles of three instructions, and so the command says.
TEST(Trace, CapturesBundlesOfIa64) {
  write_file("three.s",
             "\t.text\n\t.global _start\n_start:\n"
             "{ .mii\n alloc r2 = ar.pfs, 0, 0, 1, 0\n nop.i 0\n nop.i 0\n ;;\n}\n"
             "{ .mii\n mov r15 = 1025\n mov r32 = 3\n nop.i 0\n ;;\n}\n"
             "{ .mii\n break.m 0x100000\n nop.i 0\n nop.i 0\n ;;\n}\n");
  const bool tools = shell("ia64-linux-gnu-as --version && ia64-linux-gnu-ld --version").code == 0;
  if (!tools && std::getenv("PMUSIM_REQUIRE_TOOLS") == nullptr) GTEST_SKIP() << "needs binutils-ia64-linux-gnu";
  const Outcome captured = pmusim("trace capture --isa ia64 three.s -o three.pmt");
  EXPECT_EQ(captured.code, 0) << captured.err;
  EXPECT_EQ(captured.out, "three.pmt: 3 bundles, exit status 3\n");
}

// SystemC opens the pipe by a name in /proc, and divides by zero where it cannot.
TEST(Vcd, NeedsProc) {
  if (sanitized) GTEST_SKIP() << "AddressSanitizer reads /proc itself";
  if (shell("bwrap --ro-bind / / --tmpfs /proc true").code != 0) GTEST_SKIP() << "no name spaces here";
  const Outcome outcome =
      shell("bwrap --bind / / --tmpfs /proc --dev-bind /dev /dev \"$PMUSIM\" run -t ppc750gx --trace " PMUSIM_SOURCE_DIR
            "/isa-traces/recorded/ppc-units.pmt -e PROCESSOR_CYCLES --vcd gone.vcd");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "pmusim: gone.vcd: a waveform needs /proc, which is not mounted\n");
}

}  // namespace
}  // namespace pmusim::cli_test
