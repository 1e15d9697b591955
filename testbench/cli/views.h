// Pictures of a run for other programs: a waveform, a timeline, the pipeline stages of instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/cli/konata.h"
#include "testbench/cli/perfetto.h"
#include "testbench/cli/programmed.h"
#include "testbench/cli/symbols.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds --vcd, --vcd-signals, --vcd-cycles, --perfetto, --konata.
void add_view_options(Arguments::Description& options);

/// The values of those options.
struct ViewFiles {
  std::string vcd, perfetto, konata;  ///< empty: not wanted
  std::uint32_t groups = 0;           ///< of the waveform; 0: the default
  std::uint64_t cycles = 100'000;     ///< of the waveform
  std::vector<Symbols> symbols = {};  ///< names of functions
};
[[nodiscard]] ViewFiles view_files(const Arguments& arguments);

class Views {
 public:
  /// Selects the engine that the pictures need; `setup` belongs to the session. Throws the exceptions of the files'
  /// writers.
  Views(ViewFiles files, SessionSetup& setup, std::span<const ProgrammedCounter> counters,
        std::span<const std::string_view> latched);
  /// Call for a PMU before it is added to the session.
  void watch(MonitorSetup& monitor, unsigned number);
  /// Call after all PMUs have been added.
  void observe(Session& session);
  void sample(const Sample& sample);
  /// Writes the files that are not written yet. Says on standard error if the waveform ends before the run.
  void close(const SessionResult& result);

 private:
  std::vector<std::string> events_;  ///< in the order of the sampled counters
  std::filesystem::path vcd_;
  std::uint64_t vcd_cycles_ = WaveformPlan::all_cycles;
  std::unique_ptr<PerfettoWriter> timeline_;
  std::unique_ptr<KonataWriter> pipeline_;
};

}  // namespace pmusim::testbench
