// Activity on wires: one sc_signal for every column and every state, driven cycle by cycle from blocks. Used for
// waveforms, for teaching, and as the reference for block mode.
#pragma once

#include <array>
#include <iosfwd>
#include <string>
#include <systemc>
#include <vector>

#include "models/pmu/activity_if.h"

namespace pmusim::pmu {

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

}  // namespace pmusim::pmu
