// Pictures of a run for other programs: a waveform, a timeline, the pipeline stages of instructions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/trace/instruction.h"
#include "pmusim/trace/output_file.h"
#include "testbench/cli/perfetto.h"
#include "testbench/cli/programmed.h"
#include "testbench/cli/symbols.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

// The pipeline stages of instructions as a Kanata log, which the pipeline viewer Konata opens.

/// Stages: F from fetch, D from dispatch, X from issue, C (complete) from finish to retirement; only stages that the
/// core reports. Version 0004 of the format.
class KonataWriter {
 public:
  KonataWriter(const std::string& file, trace::Isa isa);
  void add(const activity::Block& block);
  /// Writes the file. Throws trace::TraceError when that fails.
  void close();
  /// Maximum number of instructions in the log. More would make it too large to open.
  static constexpr std::uint64_t most = 200'000;

 private:
  struct Line {
    activity::Cycle at;
    std::string text;
  };
  struct Live {
    std::uint64_t number;
    char stage;
  };
  void meet(const activity::InstructionRecord& record, activity::Cycle at, char stage);
  void leave(const activity::InstructionRecord& record, activity::Cycle at, bool flushed);
  void line(activity::Cycle at, std::string text) { lines_.push_back({at, std::move(text)}); }

  trace::OutputFile out_;
  trace::Isa isa_;
  std::vector<Line> lines_;
  std::map<std::pair<unsigned, std::uint64_t>, Live> live_;  ///< by hardware thread and id
  std::uint64_t count_ = 0, retired_ = 0;
  activity::Cycle end_ = 0;  ///< of the activity so far
};

/// Adds --vcd, --vcd-signals, --vcd-cycles, --perfetto, --konata.
[[nodiscard]] Options view_options();

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
