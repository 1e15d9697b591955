// A waveform shows an edge of the interrupt wire for every interrupt, and a pulse of a PM pin for every event, on every
// target and in both clockings. SystemC allows one simulation per process, so each run is in a child process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "pmusim/encoder/encoder.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/sampling.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {
namespace {

using Monitored = std::function<MonitorSetup(const models::Target&)>;

/// Runs the trace with a waveform in a child process; returns the number of interrupts taken.
std::uint64_t run(const char* name, Engine engine, const std::string& trace, const Monitored& monitored,
                  const std::filesystem::path& vcd) {
  const auto simulate = [&] {
    const models::Target& target = *models::find_target(name);
    SessionOptions options;
    options.engine = engine;
    options.vcd = vcd;
    Session session(target, target.parameters(), options);
    session.add_monitor(monitored(target));
    return session.run(trace::open_text(trace, "test")).monitors[0].interrupts;
  };
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::uint64_t interrupts = ~std::uint64_t{0};
    try {
      interrupts = simulate();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    const bool told = write(ends[1], &interrupts, sizeof interrupts) == sizeof interrupts;
    _exit(told ? 0 : 1);
  }
  std::uint64_t interrupts = 0;
  EXPECT_EQ(read(ends[0], &interrupts, sizeof interrupts), static_cast<ssize_t>(sizeof interrupts));
  int status = 0;
  waitpid(child, &status, 0);
  close(ends[0]);
  close(ends[1]);
  return interrupts;
}

using Values = std::vector<std::pair<const char*, std::uint64_t>>;

/// Register values at the start, and those that the handler writes.
Monitored registers(const Values& start, const Values& again) {
  return [=](const models::Target& target) {
    const auto monitor = target.make_monitor(target.parameters());
    const auto writes = [&](const Values& values) {
      std::vector<RegisterWrite> list;
      for (const auto& [name, value] : values) list.push_back({find_register(*monitor, name).value().id, value});
      return list;
    };
    return MonitorSetup{writes(start), [list = writes(again)](RegisterBus& bus, const pmu::EntryState&) {
                          for (const RegisterWrite& write : list) bus.write(write.id, write.value);
                        }};
  };
}

/// The number of rising edges of each one-bit wire, by its name without scopes.
std::map<std::string, unsigned> rising(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::map<std::string, std::string> names;
  std::map<std::string, char> level;
  std::map<std::string, unsigned> edges;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, kind, width, code, name;
    words >> first;
    if (first == "$var") {
      words >> kind >> width >> code >> name;
      names[code] = name;
      edges[name] += 0;
    } else if (first.size() > 1 && (first[0] == '0' || first[0] == '1') && names.contains(first.substr(1))) {
      const std::string wire = names[first.substr(1)];
      if (first[0] == '1' && level[wire] == '0') ++edges[wire];
      level[wire] = first[0];
    }
  }
  return edges;
}

constexpr Engine clockings[] = {Engine::blocks, Engine::signals};

class Waveform {
 public:
  Waveform() : file_(std::filesystem::temp_directory_path() / ("pmusim_edges_" + std::to_string(getpid()) + ".vcd")) {}
  ~Waveform() {
    std::filesystem::remove(file_);
    std::filesystem::remove(std::filesystem::path(file_).replace_extension(".gtkw"));
  }
  Waveform(const Waveform&) = delete;
  Waveform& operator=(const Waveform&) = delete;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
};

/// `instructions` instructions, with `idle` idle cycles after each.
std::string apart(const std::string& isa, unsigned instructions, unsigned length, const std::string& line,
                  unsigned idle) {
  std::ostringstream text;
  text << "! isa " << isa << '\n';
  for (unsigned i = 0; i < instructions; ++i) {
    text << std::hex << 0x10000 + length * i << ' ' << line << '\n';
    if (idle != 0) text << "! idle cycles=" << std::dec << idle << '\n';
  }
  return text.str();
}

constexpr unsigned instructions = 40, period = 5;

TEST(Edges, OfTheAthlonsWireAndPins) {
  // Selector C0h at all levels, enabled; PerfCtr1 interrupts (bit 20). PC is 0: each pin pulses with each event.
  const std::uint64_t start = (std::uint64_t{1} << 48) - period;
  const Waveform vcd;
  for (const Engine engine : clockings) {
    const std::uint64_t interrupts =
        run("athlon", engine, apart("i386", instructions, 1, "90", 60),
            registers({{"LVTPC", 0x400}, {"PerfCtr1", start}, {"PerfEvtSel0", 0x4300c0}, {"PerfEvtSel1", 0x5300c0}},
                      {{"LVTPC", 0x400}, {"PerfCtr1", start}}),
            vcd.file());
    const auto edges = rising(vcd.file());
    // Taken after the next instruction, which is counted as well: the handler restarts the period after it.
    EXPECT_EQ(interrupts, instructions / (period + 1));
    EXPECT_EQ(edges.at("interrupt"), interrupts);
    EXPECT_EQ(edges.at("pin0"), instructions);
    EXPECT_EQ(edges.at("pin1"), instructions);
    EXPECT_EQ(edges.at("pin2"), 0u);
  }
}

TEST(Edges, OfThe750WhichTakesARequestInItsOwnClock) {
  // ENINT, PMC1INTCONTROL, PMC1 counts completed instructions. MSR[EE] is set: the request is taken at once.
  const std::uint64_t mmcr0 = 0x04000000 | 0x8000 | 2 << 6, start = 0x80000000 - period;
  const Waveform vcd;
  for (const Engine engine : clockings) {
    for (const unsigned idle : {1u, 20u}) {
      const std::uint64_t interrupts =
          run("ppc750gx", engine, apart("ppc", instructions, 4, "38600001", idle),
              registers({{"PMC1", start}, {"MMCR0", mmcr0}}, {{"PMC1", start}, {"MMCR0", mmcr0}}), vcd.file());
      EXPECT_EQ(interrupts, instructions / period);
      EXPECT_EQ(rising(vcd.file()).at("interrupt"), interrupts);
    }
  }
}

/// A target, an event, the instructions that it counts, and the expected number of interrupts.
struct Sampled {
  const char* target;
  const char* event;
  std::uint64_t period;
  std::string trace;
  std::uint64_t interrupts;
};
void PrintTo(const Sampled& sampled, std::ostream* out) { *out << sampled.target << ' ' << sampled.event; }

class SampledEdges : public testing::TestWithParam<Sampled> {};

/// The handler of a profiler, with constant periods.
MonitorSetup profiler_of(const Sampled& sampled, const models::Target& target, std::shared_ptr<void>& keep) {
  const models::Parameters parameters = target.parameters();
  const auto encoding = encoder::encode(sampled.target, std::vector<std::string>{sampled.event}, {.sampling = true});
  if (!encoding) throw std::invalid_argument(encoding.error().message);
  const std::vector<SampledCounter> counters{{encoding->events[0].counter, sampled.period}};
  Programming programming(target, parameters);
  const auto encoded = [&] {
    for (const encoder::RegisterValue& reg : encoding->registers) programming.write(reg.name, reg.value);
    return programming.writes();
  };
  if (const Firmware* const firmware = find_firmware(sampled.target)) {
    const std::shared_ptr<FirmwareSampler> sampler = firmware->sampler(counters, nullptr, nullptr);
    sampler->preset(programming);
    keep = sampler;
    return {encoded(), std::ref(*sampler)};
  }
  auto sampler = std::make_shared<Sampler>(target, parameters, counters, nullptr);
  keep = sampler;
  MonitorSetup setup{sampler->presets(), std::ref(*sampler)};
  const auto monitor = target.make_monitor(parameters);
  if (const auto vector = find_register(*monitor, "PMV")) setup.writes.push_back({vector->id, 0xee});
  if (const auto entry = find_register(*monitor, "LVTPC")) setup.writes.push_back({entry->id, 0x400});
  for (const RegisterWrite& write : encoded()) setup.writes.push_back(write);
  return setup;
}

TEST_P(SampledEdges, OfTheInterruptWire) {
  const Waveform vcd;
  for (const Engine engine : clockings) {
    std::shared_ptr<void> keep;
    const std::uint64_t interrupts = run(
        GetParam().target, engine, GetParam().trace,
        [&](const models::Target& target) { return profiler_of(GetParam(), target, keep); }, vcd.file());
    EXPECT_EQ(interrupts, GetParam().interrupts) << static_cast<int>(engine);
    EXPECT_EQ(rising(vcd.file()).at("interrupt"), interrupts) << static_cast<int>(engine);
  }
}

// Each period ends at an instruction that others follow, so every request is taken. The events of an IA-64 bundle occur
// three at a time, and those of the bundle after which the interrupt is taken are lost in the freeze: 63 and 3 make a
// period. Additions and no-operations that retire after a request belong to the next period.
const std::string additions = apart("alpha", 380, 4, "0114e043 itlb=hit", 0);
const std::string bundles = apart("ia64", 330, 16, "01000000010000000002000000000400 xxx", 20);
INSTANTIATE_TEST_SUITE_P(
    Targets, SampledEdges,
    testing::Values(Sampled{"athlon", "RETIRED_INSTRUCTIONS", 64, apart("i386", 330, 1, "90", 7), 5},
                    Sampled{"ppc750gx", "INSTRUCTIONS_COMPLETED", 64, apart("ppc", 330, 4, "38600001", 1), 5},
                    Sampled{"ppc750gl", "INSTRUCTIONS_COMPLETED", 64, apart("ppc", 330, 4, "38600001", 1), 5},
                    Sampled{"alpha-ev4", "PF_INTOPS:freq=256", 256, apart("alpha", 1300, 4, "0114e043 itlb=hit", 0), 5},
                    Sampled{"alpha-ev5", "PF5_MUX0_ISSUES", 64, additions, 5},
                    Sampled{"alpha-pca56", "PF5_MUX0_ISSUES", 64, additions, 5},
                    Sampled{"alpha-ev6", "PF6_MUX0_RET_INSTRUCTIONS", 64, additions, 5},
                    Sampled{"alpha-ev67", "RETINST", 64, additions, 5},
                    Sampled{"itanium2", "IA64_INST_RETIRED", 63, bundles, 15},
                    Sampled{"montecito", "IA64_INST_RETIRED", 63, bundles, 15}),
    [](const auto& info) {
      std::string name = info.param.target;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace pmusim::testbench
