// A timeline of core and PMUs in the trace event format, which ui.perfetto.dev opens: one microsecond of the display is
// one core cycle.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/cli/counter_tracks.h"
#include "testbench/cli/symbols.h"
#include "testbench/cli/trace_events.h"
#include "testbench/driver/call_stack.h"
#include "testbench/driver/sampling.h"

namespace pmusim::testbench {

/// The names of the tracks.
struct PerfettoNames {
  std::string target;
  unsigned threads = 1;
  std::vector<std::string> counters = {};  ///< by number: PerfCtr0 RETIRED_INSTRUCTIONS; empty: no track
  std::vector<Symbols> symbols = {};       ///< of each thread's program
};

/// A hardware thread is a process of the display, with its functions, its instructions from fetch to retirement, and
/// the core's states as counter tracks. Its PMU is another process, with counters, interrupts and samples.
class PerfettoWriter {
 public:
  /// The file appears with close(). Throws trace::TraceError when it cannot be written.
  PerfettoWriter(const std::string& file, PerfettoNames names);
  ~PerfettoWriter();

  /// Adds a block. Call before the PMUs consume it.
  void add(const activity::Block& block);
  /// Observes a PMU; for MonitorSetup::probe.
  [[nodiscard]] pmu::Probe* probe(unsigned pmu) { return counters_.at(pmu).get(); }
  void interrupt(unsigned pmu, const pmu::EntryState& entry);
  void sample(const Sample& sample, const std::string& event);
  void close();

 private:
  class Functions;
  [[nodiscard]] std::string function_of(unsigned thread, std::uint64_t address) const;
  void add_state(const activity::Block& block, activity::State state, std::uint64_t mask, const char* name);
  void add_instruction(const activity::InstructionRecord& instruction, activity::Cycle retired);
  [[nodiscard]] bool detailed() const;

  TraceEvents out_;
  PerfettoNames names_;
  std::vector<std::unique_ptr<CounterTracks>> counters_;
  std::vector<std::unique_ptr<Functions>> functions_;
  std::array<std::vector<activity::Cycle>, 2> rows_;  ///< by thread: when the last slice of a row ends
  std::uint64_t slices_ = 0;
};

}  // namespace pmusim::testbench
