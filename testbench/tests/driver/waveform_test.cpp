// The signal-level engine counts what the other engines count, and its waveform shows it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "testbench/driver/session.h"

namespace pmusim::testbench {
namespace {

SessionResult count(Engine engine, const std::filesystem::path& vcd) {
  const models::Target& target = *models::find_target("athlon");
  SessionOptions options;
  options.engine = engine;
  options.region.end = 500;
  options.vcd = vcd;
  MonitorSetup setup;
  const auto monitor = target.make_monitor(target.parameters());
  setup.writes.push_back({find_register(*monitor, "PerfEvtSel0").value().id, 0x4300c0});  // instructions
  setup.writes.push_back({find_register(*monitor, "PerfEvtSel1").value().id, 0x430076});  // clocks
  Session session(target, target.parameters(), options);
  session.add_monitor(setup);
  return session.run(trace::open(std::string(PMUSIM_SOURCE_DIR) + "/isa-traces/recorded/i386-matmul-int.pmt"));
}

/// The last value of each wire of a waveform, by its name with scopes.
std::map<std::string, std::uint64_t> last_values(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::map<std::string, std::string> names;
  std::map<std::string, std::uint64_t> values;
  std::string scope, line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string first, kind, width, code, name;
    words >> first;
    if (first == "$scope") {
      words >> kind >> name;
      scope += name + ".";
    } else if (first == "$upscope") {
      scope.erase(scope.rfind('.', scope.size() - 2) + 1);
    } else if (first == "$var") {
      words >> kind >> width >> code >> name;
      names[code] = scope + name;
    } else if (first.starts_with('b')) {
      words >> code;
      values[names[code]] = std::stoull(first.substr(1), nullptr, 2);
    } else if (first == "0" || first.starts_with('0') || first.starts_with('1')) {
      values[names[first.substr(1)]] = first[0] - '0';
    }
  }
  return values;
}

TEST(Waveform, ShowsWhatTheRegistersHold) {
  const auto file = std::filesystem::temp_directory_path() / "pmusim_waveform_test.vcd";
  const SessionResult signals = count(Engine::signals, file);
  const SessionResult direct = count(Engine::direct, {});
  EXPECT_EQ(signals.end_cycle, direct.end_cycle);
  for (const RegisterReading& reading : direct.monitors[0].registers) {
    EXPECT_EQ(signals.monitors[0].value(reading.info.name), reading.value) << reading.info.name;
  }
  const auto values = last_values(file);
  ASSERT_TRUE(values.contains("SystemC.pmu0.PerfCtr0.value"));
  EXPECT_EQ(values.at("SystemC.pmu0.PerfCtr0.value"), direct.monitors[0].value("PerfCtr0"));
  EXPECT_EQ(values.at("SystemC.pmu0.PerfCtr1.value"), direct.monitors[0].value("PerfCtr1"));
  for (const char* name : {"core.pc", "core.privilege", "pmu0.interrupt", "pmu0.pin0", "pmu0.pin3", "pmu0.overflow",
                           "pmu0.PerfCtr0.n", "pmu0.PerfCtr3.condition", "pmu0.PerfCtr2.edge"}) {
    EXPECT_TRUE(values.contains(std::string("SystemC.") + name)) << name;
  }
  for (const char* ending : {".vcd", ".gtkw"})
    std::filesystem::remove(std::filesystem::path(file).replace_extension(ending));
}

}  // namespace
}  // namespace pmusim::testbench
