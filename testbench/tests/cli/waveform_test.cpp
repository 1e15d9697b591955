// `run --vcd` and `record --vcd`: the names and values of the signals in the waveform, and their display in GTKWave.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.h"
#include "testbench/tests/sampling.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {

namespace {

using testing::HasSubstr;
using testing::Not;

struct Signal {
  unsigned width = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> changes;  ///< cycle of the edge, value
  [[nodiscard]] std::uint64_t last() const { return changes.empty() ? 0 : changes.back().second; }
  /// The number of cycles before `end` in which the value is not 0.
  [[nodiscard]] std::uint64_t high(std::uint64_t end) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < changes.size(); ++i)
      if (changes[i].second != 0) sum += (i + 1 < changes.size() ? changes[i + 1].first : end) - changes[i].first;
    return sum;
  }
};
/// The signals of a VCD file, by names that include all scopes except the outermost.
struct Waveform {
  std::map<std::string, Signal> signals;
  std::uint64_t end = 0;
  std::size_t times = 0;  ///< number of times at which any signal changes
};

Waveform waveform(const std::string& text) {
  Waveform wave;
  std::map<std::string, Signal*> codes;
  std::vector<std::string> scopes;
  std::uint64_t now = 0;
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
      std::string path;
      for (std::size_t i = 1; i < scopes.size(); ++i) path += scopes[i] + '.';
      EXPECT_FALSE(wave.signals.contains(path + name)) << path + name << " is there twice";
      Signal& signal = wave.signals[path + name];
      signal.width = static_cast<unsigned>(std::stoul(width));
      codes[code] = &signal;
    } else if (word.starts_with('#')) {
      now = std::stoull(word.substr(1)) / 1000;
      wave.end = now;
      ++wave.times;
    } else if (word.starts_with('b') && (words >> code)) {
      codes.at(code)->changes.emplace_back(now, std::stoull(word.substr(1), nullptr, 2));
    } else if ((word.starts_with('0') || word.starts_with('1')) && codes.contains(word.substr(1))) {
      codes.at(word.substr(1))->changes.emplace_back(now, word[0] - '0');
    }
  }
  return wave;
}

Waveform file(const std::string& name) { return waveform(read_file(scratch() + "/" + name)); }

TEST(Vcd, LastValuesAreTheCounts) {
  write_file("nops.txt", nops(53));
  const auto object = json_of(pmusim(
      "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS:c=1 -e CPU_CLK_UNHALTED --vcd wave.vcd --format json"));
  const Waveform wave = file("wave.vcd");
  for (const char* signal :
       {"core.pc", "core.privilege", "pmu0.interrupt", "pmu0.pin3", "pmu0.overflow", "pmu0.PerfCtr3.value",
        "pmu0.PerfCtr0:RETIRED_INSTRUCTIONS:c=1.n", "pmu0.PerfCtr1:CPU_CLK_UNHALTED.condition"}) {
    EXPECT_EQ(wave.signals.count(signal), 1u) << signal;
  }
  EXPECT_EQ(wave.signals.at("core.pc").last(), 0x10000u + 52);
  EXPECT_EQ(wave.signals.at("core.pc").width, 32u);
  // Fields as the encoder decodes them: event C0h, a counter mask of 1, enabled.
  EXPECT_EQ(wave.signals.at("pmu0.PerfEvtSel0.EVENT").last(), 0xc0u);
  EXPECT_EQ(wave.signals.at("pmu0.PerfEvtSel0.CNT_MASK").last(), 1u);
  EXPECT_EQ(wave.signals.at("pmu0.PerfEvtSel2.EN").last(), 0u);
  for (const auto& count : object.at("counts")) {
    const std::string counter = count.at("counter");
    const auto found = std::find_if(wave.signals.begin(), wave.signals.end(), [&](const auto& signal) {
      return signal.first.starts_with("pmu0." + counter + ":") && signal.first.ends_with(".value");
    });
    ASSERT_NE(found, wave.signals.end()) << counter;
    EXPECT_EQ(found->second.last(), count.at("value").get<std::uint64_t>());
  }
}

// The strobe of a capture unit is high in as many cycles as the unit's event counts.
TEST(Vcd, WritesByHardwareAreAsManyAsTheirEventsCount) {
  const auto strobes = [](const std::string& words, const std::string& signal) {
    const Outcome outcome = pmusim("run " + words + " --vcd strobes.vcd --format json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Waveform wave = file("strobes.vcd");
    const std::uint64_t counted = json_of(outcome).at("counts").at(0).at("value");
    EXPECT_GT(counted, 3u) << words;
    EXPECT_EQ(wave.signals.at(signal).high(wave.end), counted) << words;
  };
  const std::string listwalk = "--trace '" + recorded("ia64-listwalk-O2") + "' --roi 60000:60600 ";
  strobes("-t itanium2 " + listwalk + "-e DATA_EAR_EVENTS -e DATA_EAR_CACHE_LAT4", "pmu0.data_ear_written");
  strobes("-t montecito " + listwalk + "-e DATA_EAR_EVENTS -e DATA_EAR_CACHE_LAT4", "pmu0.data_ear_written");
}

// An idle stretch of the program writes nothing; the core clock is written if it is requested.
TEST(Vcd, AnIdleStretchWritesNothing) {
  write_file("idle.txt", idle_nops(5000));
  const std::string run = "run -t athlon --trace idle.txt -e RETIRED_INSTRUCTIONS --vcd idle.vcd";
  ASSERT_EQ(pmusim(run).code, 0);
  const Waveform quiet = file("idle.vcd");
  EXPECT_GT(quiet.end, 5000u);
  EXPECT_LT(quiet.times, 200u);
  EXPECT_FALSE(quiet.signals.contains("core.clock"));
  ASSERT_EQ(pmusim(run + " --vcd-signals clock,counters").code, 0);
  const Waveform clocked = file("idle.vcd");
  EXPECT_GT(clocked.times, 10'000u);
  EXPECT_TRUE(clocked.signals.contains("core.clock"));
  EXPECT_FALSE(clocked.signals.contains("core.pc"));
  ASSERT_EQ(pmusim(run + " --vcd-signals all").code, 0);
  const Waveform all = file("idle.vcd");
  EXPECT_EQ(all.signals.at("core.signals.retire").changes.empty(), false);
  EXPECT_TRUE(all.signals.contains("core.states.decoder_empty"));
}

TEST(Layout, NamesEverySignalThatIsThere) {
  write_file("nops.txt", nops(53));
  ASSERT_EQ(pmusim("run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --vcd laid.vcd").code, 0);
  const Waveform wave = file("laid.vcd");
  const std::string layout = read_file(scratch() + "/laid.gtkw");
  std::size_t named = 0;
  for (const std::string& line : lines_of(layout)) {
    if (!line.starts_with("SystemC.")) continue;
    const std::string name = line.substr(8, line.find('[') - 8);
    ASSERT_TRUE(wave.signals.contains(name)) << line;
    const unsigned width = wave.signals.at(name).width;
    EXPECT_EQ(line, width == 1 ? "SystemC." + name : fmt::format("SystemC.{}[{}:0]", name, width - 1));
    ++named;
  }
  EXPECT_GT(named, 30u);
  EXPECT_THAT(layout, Not(HasSubstr("PerfCtr1.value")));  // no event
  // A layout file of the user is not overwritten.
  write_file("laid.gtkw", "[*]\n[*] GTKWave Analyzer v3.3.118 (w)1999-2023 BSI\n");
  ASSERT_EQ(pmusim("run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --vcd laid.vcd").code, 0);
  EXPECT_THAT(read_file(scratch() + "/laid.gtkw"), HasSubstr("GTKWave Analyzer"));
}

// The names and values that GTKWave loads and draws: printed as PostScript, they are text.
TEST(Layout, GtkwaveShowsIt) {
  if (sanitized) GTEST_SKIP() << "another program's picture";
  if (!have_night_tools({"gtkwave", "xvfb-run"})) GTEST_SKIP() << "needs gtkwave and xvfb";
  write_file("nops.txt", nops(53));
  ASSERT_EQ(
      pmusim("run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS -e CPU_CLK_UNHALTED:c=1 --vcd seen.vcd").code, 0);
  write_file("show.tcl",
             "for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {\n"
             "  puts \"TRACE [gtkwave::getTraceNameFromIndex $i]\"\n"
             "}\n"
             "gtkwave::setMarker [gtkwave::getMaxTime]\n"
             "gtkwave::/File/Print_To_File PS {Letter (8.5\" x 11\")} Full seen.ps\n"
             "gtkwave::/File/Grab_To_File seen.png\n"
             "gtkwave::/File/Quit\n");
  const Outcome seen = shell("timeout 60 xvfb-run -a gtkwave --script=show.tcl seen.gtkw 2>&1");
  std::string traces;
  for (const std::string& line : lines_of(seen.out))
    if (line.starts_with("TRACE ")) traces += line.substr(6) + '\n';
  for (const char* name :
       {"pc[31:0]", "privilege[1:0]", "interrupt", "pin0", "overflow[3:0]", "PerfCtr0:RETIRED_INSTRUCTIONS",
        "PerfCtr1:CPU_CLK_UNHALTED:c=1", "value[47:0]", "condition"})
    EXPECT_THAT(traces, HasSubstr(std::string(name) + '\n')) << seen.out;
  const std::string printed = read_file(scratch() + "/seen.ps");
  EXPECT_THAT(printed, HasSubstr("RETIRED_INSTRUCTIONS"));
  EXPECT_THAT(printed, HasSubstr("10034"));  // pc of the last instruction: 0x10000 + 52
  EXPECT_GT(std::filesystem::file_size(scratch() + "/seen.png"), 10'000u);
}

// `--vcd-cycles`: the waveform of a long run is its beginning, and the rest is counted as without one.

using testing::HasSubstr;

/// The changes in a waveform: all after its header, which has a date, without the last line, the time of its end.
std::string changes_in(const std::string& name) {
  const std::string text = read_file(scratch() + "/" + name);
  const std::size_t begin = text.find("$enddefinitions");
  return text.substr(begin, text.rfind('#') - begin);
}

/// The last line of a waveform: the time at which it ends, in picoseconds.
std::string end_of(const std::string& name) {
  const std::string text = read_file(scratch() + "/" + name);
  return text.substr(text.rfind('#') + 1, text.find_last_not_of('\n') - text.rfind('#'));
}

// A cycle is 1000 ps, and the edge that ends cycle N-1 is at N * 1000; the file ends a cycle later.
TEST(VcdCycles, AreTheFirstOfTheWholeRun) {
  const std::string run = "run -t ppc750gx --trace '" + recorded("ppc-units") +
                          "' --roi 0:2000 -e INSTRUCTIONS_COMPLETED -e PROCESSOR_CYCLES --registers --format json ";
  const Outcome plain = pmusim(run), whole = pmusim(run + "--vcd whole.vcd --vcd-cycles all");
  EXPECT_EQ(whole.out, plain.out);
  EXPECT_EQ(whole.err, "");
  const std::string all = changes_in("whole.vcd");
  for (const unsigned cycles : {1u, 1000u, 1024u, 1025u}) {  // the last ones: at the end of a block
    const Outcome cut = pmusim(run + fmt::format("--vcd cut.vcd --vcd-cycles {}", cycles));
    EXPECT_EQ(cut.out, plain.out) << cycles;
    EXPECT_THAT(cut.err, HasSubstr(cycles == 1 ? "cut.vcd: the first 1 of " : "cut.vcd: the first 1,0")) << cycles;
    EXPECT_TRUE(all.starts_with(changes_in("cut.vcd"))) << cycles;
    EXPECT_EQ(end_of("cut.vcd"), std::to_string((cycles + 1) * 1000)) << cycles;
  }
}

TEST(VcdCycles, OfAShortRunSayNothing) {
  write_file("nops.txt", nops(53));
  const std::string run = "run -t athlon --trace nops.txt -e CPU_CLK_UNHALTED --vcd short.vcd --format json";
  const Outcome whole = pmusim(run);
  EXPECT_EQ(whole.err, "");
  const std::uint64_t cycles = json_of(whole).at("cycles");
  EXPECT_EQ(pmusim(run + fmt::format(" --vcd-cycles {}", cycles)).err, "");
  EXPECT_EQ(
      pmusim(run + fmt::format(" --vcd-cycles {}", cycles - 1)).err,
      fmt::format("pmusim: short.vcd: the first {} of {} cycles; --vcd-cycles all writes all\n", cycles - 1, cycles));
}

TEST(VcdCycles, AreAHundredThousandByDefault) {
  std::string text = nops(10) + "! idle cycles=150000\n";
  for (unsigned i = 10; i < 13; ++i) text += fmt::format("{:x} 90\n", 0x10000 + i);
  write_file("idle.txt", text);
  const Outcome cut = pmusim("run -t athlon --trace idle.txt -e RETIRED_INSTRUCTIONS --vcd idle.vcd --format json");
  EXPECT_THAT(cut.err, testing::StartsWith("pmusim: idle.vcd: the first 100,000 of 150,"));
  EXPECT_EQ(json_of(cut).at("counts").at(0).at("value"), 13);
  EXPECT_EQ(end_of("idle.vcd"), "100001000");
}

// Interrupts are taken, and registers written by the handler, clock by clock and after the window's end as without a
// waveform; the wire rises once for each.
TEST(VcdCycles, EveryInterruptIsAnEdge) {
  struct Sampled {
    const char *target, *trace, *event;
  };
  for (const Sampled& one : {Sampled{"athlon", "i386-units", "RETIRED_INSTRUCTIONS"},
                             {"ppc750gx", "ppc-units", "INSTRUCTIONS_COMPLETED"},
                             {"alpha-ev4", "alpha-units", "PF_INTOPS"},
                             {"alpha-ev5", "alpha-units", "PF5_MUX0_CYCLES"},
                             {"alpha-ev6", "alpha-units", "PF6_MUX0_RET_INSTRUCTIONS"},
                             {"alpha-ev67", "alpha-units", "RETINST"},
                             {"itanium2", "ia64-pipelined", "CPU_CYCLES"},
                             {"montecito", "ia64-pipelined", "IA64_INST_RETIRED"}}) {
    const std::string period = one.target == std::string("alpha-ev4") ? "256" : "50";
    const std::string record = fmt::format("record -t {} --trace '{}' --roi 0:1500 -e {} --period {} --format json",
                                           one.target, recorded(one.trace), one.event, period);
    const Outcome plain = pmusim(record);
    const std::size_t samples = lines_of(plain.out).size();
    EXPECT_GT(samples, 2u) << one.target << plain.err;
    EXPECT_EQ(pmusim(record + " --vcd samples.vcd --vcd-cycles all").out, plain.out) << one.target;
    const Waveform wave = file("samples.vcd");
    const std::string event = std::string(":") + one.event;
    EXPECT_TRUE(std::any_of(wave.signals.begin(), wave.signals.end(), [&](const auto& signal) {
      return signal.first.starts_with("pmu0.") && signal.first.ends_with(".value") &&
             signal.first.find(event) != std::string::npos;
    })) << event;
    EXPECT_TRUE(wave.signals.contains("pmu0.overflow") && wave.signals.contains("core.privilege")) << one.target;
    if (wave.signals.contains("pmu0.SIA_written")) {
      EXPECT_EQ(wave.signals.at("pmu0.SIA_written").high(wave.end), samples);
    } else {
      EXPECT_NE(one.target, std::string("ppc750gx"));
    }
    const auto& changes = wave.signals.at("pmu0.interrupt").changes;
    const auto edges = std::count_if(changes.begin(), changes.end(), [](const auto& c) { return c.second == 1; });
    EXPECT_LE(static_cast<std::size_t>(edges) - samples, 1u) << one.target << ": the last one may not be taken";
    EXPECT_EQ(pmusim(record + " --vcd samples.vcd --vcd-cycles 100").out, plain.out) << one.target;
  }
}

}  // namespace

}  // namespace pmusim::cli_test
