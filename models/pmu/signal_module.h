// A PMU in signal mode: it samples the wires of a cycle at the rising edge that ends the cycle. It is slower than
// pmu_module.h, but shows every cycle. Registers, interrupt times and pin edges are those of pmu_module.h.
#pragma once

#include <array>
#include <functional>
#include <iosfwd>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/pmu/activity_if.h"
#include "models/pmu/pmu_shell.h"

namespace pmusim::pmu {

// Activity on wires: one sc_signal for every column and every state, driven cycle by cycle from blocks. Used for
// waveforms, for teaching, and as the reference for block mode.

/// The occurrences of one column in one cycle. Their `at` is 0; `ref` is an index in the RecordsValue of the same
/// cycle.
struct ColumnValue {
  activity::Cycle cycle = activity::never;        ///< never: nothing on the wire
  std::uint32_t total = 0;                        ///< sum of the amounts, for the waveform
  std::vector<activity::Occurrence> occurrences;  ///< of the column in this cycle, in program order
  /// Compares by cycle, which is sufficient for a signal.
  friend bool operator==(const ColumnValue& a, const ColumnValue& b) { return a.cycle == b.cycle; }
};
/// Prints the sum of the amounts. Required by sc_signal.
std::ostream& operator<<(std::ostream& out, const ColumnValue& value);
/// Adds `total` to a waveform.
void sc_trace(sc_core::sc_trace_file* file, const ColumnValue& value, const std::string& name);

/// Records and the program's register accesses of one cycle, and the states of the next cycle.
struct RecordsValue {
  activity::Cycle cycle = activity::never;                         ///< never: nothing on the wire
  std::vector<activity::InstructionRecord> instructions;           ///< instructions that this cycle's occurrences name
  std::vector<activity::RequestRecord> requests;                   ///< requests that this cycle's occurrences name
  std::vector<activity::ia64::Syllable> syllables;                 ///< IA-64 parts of `instructions`
  std::vector<activity::ia64::Request> ia64_requests;              ///< IA-64 parts of `requests`
  std::vector<activity::alpha::Instruction> alpha_instructions;    ///< Alpha parts of `instructions`
  std::vector<activity::RegisterAccess> accesses;                  ///< made by the program in this cycle
  std::array<std::uint64_t, activity::state_count> next_states{};  ///< as far as the block contains them
  /// Compares by cycle, as ColumnValue does.
  friend bool operator==(const RecordsValue& a, const RecordsValue& b) { return a.cycle == b.cycle; }
};
/// Prints the cycle. Required by sc_signal.
std::ostream& operator<<(std::ostream& out, const RecordsValue& value);
/// Required by sc_signal. Records are not shown in a waveform, so nothing is added.
void sc_trace(sc_core::sc_trace_file* file, const RecordsValue& value, const std::string& name);

/// Drives the wires at the rising clock edge that begins a cycle. Blocks must be passed at the time of a rising edge,
/// in the delta cycle before processes see the edge: by a process that waited for that time.
class ActivityWires : public sc_core::sc_module, public ActivityIf {
 public:
  sc_core::sc_in<bool> clock;               ///< the core's clock; a rising edge begins a cycle
  sc_core::sc_export<ActivityIf> activity;  ///< receives the core's blocks
  sc_core::sc_signal<std::uint64_t> cycle;  ///< number of the cycle on the wires; activity::never: none
  sc_core::sc_vector<sc_core::sc_signal<ColumnValue>> columns;   ///< index: activity::Signal
  sc_core::sc_vector<sc_core::sc_signal<std::uint64_t>> states;  ///< index: activity::State
  sc_core::sc_signal<RecordsValue> records;                      ///< records that the columns' occurrences name

  /// Creates all wires. The ports must be bound before the simulation starts.
  explicit ActivityWires(const sc_core::sc_module_name& name);
  void consume(const activity::Block& block) override;
  void settle_block() override { block_ = nullptr; }

 private:
  void drive();
  void drive_column(std::size_t signal, class RecordCarrier& carrier);

  const activity::Block* block_ = nullptr;
  activity::Cycle next_ = 0;                  ///< cycle that the next edge drives
  std::vector<std::size_t> next_occurrence_;  ///< per column
  std::vector<std::size_t> next_change_;      ///< per state
  std::size_t next_access_ = 0;
  std::vector<std::size_t> used_;  ///< columns that the block changes
  std::vector<bool> busy_;         ///< columns with occurrences on their wires
};

/// A PMU in signal mode.
class SignalPmuModule : public PmuShell {
 public:
  sc_core::sc_in<bool> clock;           ///< the core's clock
  sc_core::sc_in<std::uint64_t> cycle;  ///< number of the cycle; bind() connects this and the following inputs
  sc_core::sc_vector<sc_core::sc_in<ColumnValue>> columns;   ///< index: activity::Signal
  sc_core::sc_vector<sc_core::sc_in<std::uint64_t>> states;  ///< index: activity::State
  sc_core::sc_in<RecordsValue> records;                      ///< records that the columns' occurrences name

  /// As for PmuModule.
  SignalPmuModule(const sc_core::sc_module_name& name, std::unique_ptr<Monitor> monitor,
                  const ModuleOptions& options = {});
  /// Binds the clock, which must be the one that drives the wires, and all activity inputs.
  void bind(ActivityWires& wires, sc_core::sc_signal_in_if<bool>& core_clock);
  /// Samples now instead of at the next rising edge, for a process that runs in the delta cycle before the edge.
  void settle_now() { settle(); }
  /// Consumes a block as if it had been on the wires, in no time and without the function of on_cycle(). All cycles
  /// before it must have been sampled, and no later cycle may be driven onto the wires.
  void consume_at_once(const Block& block);
  /// Sets the function that is called with each consumed cycle at the edge that ends it, for a waveform.
  /// Monitor::probe() and Monitor::indicator() then refer to that cycle. The function must not write registers.
  void on_cycle(std::function<void(const Block&, Monitor&)> watcher) { cycle_watcher_ = std::move(watcher); }

 private:
  void settle() override;
  void register_written() override {}
  [[nodiscard]] Follower settled_copy() override;
  void cycle_begins();
  void sample();
  void gather();

  Block block_;  ///< contains the cycle on the wires
  std::function<void(const Block&, Monitor&)> cycle_watcher_;
};

}  // namespace pmusim::pmu
