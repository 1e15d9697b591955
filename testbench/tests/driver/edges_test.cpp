// Does a waveform show an edge of the interrupt wire for every interrupt, and a pulse of a PM pin for every event?
// SystemC allows one simulation per process, so each run is in a child.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "testbench/driver/session.h"

namespace pmusim::testbench {
namespace {

struct Programmed {
  const char* target;
  std::string trace;
  std::vector<std::pair<const char*, std::uint64_t>> start;
  std::vector<std::pair<const char*, std::uint64_t>> again;  ///< what the handler writes
};

/// Runs it with a waveform in a child; returns the interrupts taken.
std::uint64_t run(const Programmed& p, const std::filesystem::path& vcd) {
  const auto simulate = [&] {
    const models::Target& target = *models::find_target(p.target);
    const auto monitor = target.make_monitor(target.parameters());
    const auto writes = [&](const auto& values) {
      std::vector<RegisterWrite> list;
      for (const auto& [name, value] : values) list.push_back({find_register(*monitor, name).value().id, value});
      return list;
    };
    SessionOptions options;
    options.engine = Engine::signals;
    options.vcd = vcd;
    Session session(target, target.parameters(), options);
    const std::vector<RegisterWrite> again = writes(p.again);
    session.add_monitor({writes(p.start), [&](RegisterBus& bus, const pmu::EntryState&) {
                           for (const RegisterWrite& write : again) bus.write(write.id, write.value);
                         }});
    return session.run(trace::open_text(p.trace, "test")).monitors[0].interrupts;
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

/// Rising edges of each one-bit wire, by its own name.
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

std::filesystem::path file(const char* name) { return std::filesystem::temp_directory_path() / name; }

constexpr unsigned instructions = 40, period = 5;

/// So many instructions, each with nothing for a while behind it.
std::string apart(const std::string& isa, unsigned length, const std::string& bytes, unsigned idle) {
  std::string text = "! isa " + isa + "\n";
  for (unsigned i = 0; i < instructions; ++i) {
    std::ostringstream line;
    line << std::hex << 0x10000 + length * i << ' ' << bytes << "\n! idle cycles=" << std::dec << idle << '\n';
    text += line.str();
  }
  return text;
}

TEST(Edges, OfTheAthlonsWireAndPins) {
  // Selector C0h at all levels, enabled; PerfCtr1 interrupts (bit 20). PC is 0: each pin pulses with each event.
  const std::uint64_t start = (std::uint64_t{1} << 48) - period;
  const auto vcd = file("pmusim_edges_athlon.vcd");
  const std::uint64_t interrupts =
      run({"athlon",
           apart("i386", 1, "90", 60),
           {{"LVTPC", 0x400}, {"PerfCtr1", start}, {"PerfEvtSel0", 0x4300c0}, {"PerfEvtSel1", 0x5300c0}},
           {{"LVTPC", 0x400}, {"PerfCtr1", start}}},
          vcd);
  const auto edges = rising(vcd);
  // Taken behind the next instruction, which counts as well: with it the handler's period begins.
  EXPECT_EQ(interrupts, instructions / (period + 1));
  EXPECT_EQ(edges.at("interrupt"), interrupts);
  EXPECT_EQ(edges.at("pin0"), instructions);
  EXPECT_EQ(edges.at("pin1"), instructions);
  EXPECT_EQ(edges.at("pin2"), 0u);
  std::filesystem::remove(vcd);
}

TEST(Edges, OfThe750WhichTakesARequestInItsOwnClock) {
  // ENINT, PMC1INTCONTROL, PMC1 counts completed instructions. MSR[EE] is on: the request is taken at once.
  const std::uint64_t mmcr0 = 0x04000000 | 0x8000 | 2 << 6, start = 0x80000000 - period;
  const auto vcd = file("pmusim_edges_ppc.vcd");
  for (const unsigned idle : {1u, 20u}) {
    const std::uint64_t interrupts = run({"ppc750gx",
                                          apart("ppc", 4, "38600001", idle),
                                          {{"PMC1", start}, {"MMCR0", mmcr0}},
                                          {{"PMC1", start}, {"MMCR0", mmcr0}}},
                                         vcd);
    EXPECT_EQ(interrupts, instructions / period);
    EXPECT_EQ(rising(vcd).at("interrupt"), interrupts);
  }
  std::filesystem::remove(vcd);
}

}  // namespace
}  // namespace pmusim::testbench
