// A timeline of core and PMUs in the trace event format, which ui.perfetto.dev opens: one microsecond of the display is
// one core cycle.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "pmusim/trace/output_file.h"
#include "testbench/cli/symbols.h"
#include "testbench/driver/call_stack.h"
#include "testbench/driver/sampling.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// A file of the trace event format, JSON object form, which ui.perfetto.dev and chrome://tracing open. Times are whole
/// microseconds of the display.
class TraceEvents {
 public:
  /// A track: slices and instants have one, counters belong to a process.
  struct Track {
    unsigned process, thread;
  };
  /// Names of values in an event; numbers, or texts in quotes.
  using Values = std::vector<std::pair<std::string_view, std::string>>;

  /// The file appears with close(). Throws trace::TraceError when it cannot be written.
  explicit TraceEvents(const std::string& file);
  void name_process(unsigned process, std::string_view name);
  void name_track(const Track& track, std::string_view name);
  /// Slices of a track must either follow or contain each other. `kind`: a category for searches.
  void slice(const Track& track, std::string_view kind, std::string_view name, std::uint64_t begin, std::uint64_t end,
             const Values& values = {});
  void instant(const Track& track, std::string_view kind, std::string_view name, std::uint64_t at,
               const Values& values = {});
  void counter(unsigned process, std::string_view name, std::uint64_t at, std::uint64_t value);
  /// `about`: properties of the whole file.
  void close(const Values& about);

  /// A text with its quotes, as JSON has it.
  [[nodiscard]] static std::string quoted(std::string_view text);

 private:
  void event(std::string_view json);
  void metadata(const char* what, const Track& track, std::string_view name);
  [[nodiscard]] static std::string object(const Values& values);

  trace::OutputFile out_;
  bool first_ = true;
};

/// The values of a PMU's counters as tracks of a timeline: the events counted since the last write to the register.
/// A stretch in which a counter rises steadily is drawn with a fixed number of steps, however long it lasts.
class CounterTracks final : public pmu::Probe {
 public:
  /// `labels`: by number of the counter; an empty label means no track.
  CounterTracks(TraceEvents& out, unsigned process, std::vector<std::string> labels)
      : out_(&out), process_(process), labels_(std::move(labels)), counters_(labels_.size()) {}
  void looks_at(unsigned, activity::Signal, activity::State) override {}
  void left(unsigned counter, pmu::Step step, const pmu::Run& run) override;
  void named(unsigned, const pmu::Block&, activity::Signal, const pmu::Occurrence&, std::uint32_t) override {}
  void written(unsigned counter, std::uint64_t value) override;
  /// Writes everything up to now. Later reports have later cycles. `coarse`: at most a few steps per 1000 cycles.
  void flush(bool coarse);
  /// The same, followed by the final values.
  void finish();

 private:
  struct Change {
    pmu::Cycle begin, end;
    std::uint32_t n;  ///< increment per cycle; none: the counter was written
    bool written;
  };
  struct Counter {
    std::vector<Change> changes;
    std::uint64_t value = 0;
    pmu::Cycle at = 0;  ///< first cycle with that value
    std::uint64_t shown = std::numeric_limits<std::uint64_t>::max();
    pmu::Cycle shown_at = 0;
  };
  void show(std::size_t i);
  TraceEvents* out_;
  unsigned process_;
  std::vector<std::string> labels_;
  std::vector<Counter> counters_;
  pmu::Cycle now_ = 0;
};

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
