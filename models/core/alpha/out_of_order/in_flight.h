// The operations between fetch and retirement, in program order, with their state.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/core/alpha/machine.h"
#include "models/core/alpha/out_of_order/pipes.h"
#include "models/core/alpha/out_of_order/prediction.h"
#include "models/core/alpha/out_of_order/settings.h"
#include "models/core/alpha/static_code.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::alpha::out_of_order {

class OutOfOrderCore;
using Sequence = std::uint64_t;
inline constexpr std::uint64_t no_line = ~std::uint64_t{0};
inline constexpr std::uint64_t unnumbered = ~std::uint64_t{0};
inline constexpr std::size_t most_groups_before_map = 2;  ///< in the slot stage, and at map

/// One operation: an instruction, or one of the two halves of a conditional move. Halves share the record. The members
/// that the issue queues read often come first, in one cache line of the host. Members without an initialiser are set
/// before they are read.
struct alignas(64) Operation {
  const StaticCode* code;
  const PipeRule* rule;                 ///< its queue, pipes and latency
  Cycle result = activity::never;       ///< cycle from which a consumer in the same cluster may issue
  std::array<Cycle, clusters> ready{};  ///< when its operands are ready, per cluster; only producers with a known time
  std::uint8_t pending_count = 0;
  Side side = Side::upper;
  std::uint8_t cluster = both_clusters;
  // from fetch on
  bool first = true, last = true;  ///< of its instruction's halves
  bool wrong_path = false;
  bool handler = false;    ///< of take_interrupt()
  bool flow = false;       ///< PALcode that is not in the trace
  bool flow_ends = false;  ///< last one of the flow or handler
  bool taken = false;
  bool mispredicted = false;
  bool mapped = false;
  bool squashed = false;  ///< leaves at map
  // what its record needs, which is made when it is first needed
  bool recorded = false;         ///< it has been made
  bool predicted_taken = false;  ///< a branch
  bool resolved = false;         ///< the outcome of a branch is known
  bool map_stalled = false;      ///< waited between fetch and map
  bool pal = false, fill_stream = false;
  // traps
  act::Trap trap = act::Trap::none;  ///< taken when the operation is the oldest
  bool table_miss = false;           ///< DTB miss: the flow's read of the page table misses, too
  bool condemned = false;            ///< a replay trap is pending
  // register renaming
  std::uint8_t writes = 0;
  std::array<std::uint8_t, 2> written;
  std::uint8_t integer_results = 0, fp_results = 0;  ///< physical registers that it holds from map to retirement
  Direction direction;                               ///< prediction of a conditional branch
  std::array<Sequence, 3> pending;                   ///< producers whose result time is not known yet
  Cycle issued;
  Cycle complete = activity::never;           ///< cycle from which it may retire
  Cycle map_at;                               ///< cycle from which it may be mapped
  std::uint64_t group;                        ///< fetch group, which takes four retire slots
  std::array<Sequence, 2> writer_before;      ///< previous writers of `written`, plus 1; 0: none
  std::uint64_t id;                           ///< of the instruction
  std::uint64_t line = no_line;               ///< ordinal in the trace, or no_line (wrong path, handler)
  std::uint64_t next;                         ///< address of its successor in the program
  const trace::Annotations* notes = nullptr;  ///< its annotations in the trace
  std::uint16_t history;                      ///< global history before it
  std::uint16_t stack;                        ///< top of the return stack before it
  Cycle trap_at;                              ///< its trap is not taken before this cycle
  // memory
  std::uint64_t load_number = unnumbered;
  std::uint64_t store_number = unnumbered;
};

/// Fills in a record: what is known from the fetch on.
inline void describe(activity::InstructionRecord& record, act::Instruction& more, const Operation& operation) {
  describe(record, more, *operation.code, operation.id, operation.map_at - fetch_to_map);
  record.wrong_path = operation.wrong_path;
  more.fill_stream = operation.fill_stream;
  more.pal = operation.pal;
}
/// The same for what is known when a branch is resolved.
inline void describe_outcome(activity::InstructionRecord& record, act::Instruction& more, const Operation& operation) {
  record.taken = operation.taken || !operation.code->has(act::Kind::conditional_branch);
  record.mispredicted = operation.mispredicted;
  record.next_ip = operation.next;
  if (operation.mispredicted) more.trap = act::Trap::mispredict;
}

class InFlight {
 public:
  static constexpr std::size_t capacity = 256;
  /// `groups`: fetch groups between map and retirement. A small ring stays in the host's first-level cache.
  explicit InFlight(unsigned groups)
      : last_(std::min(capacity, std::bit_ceil(most_in_group * (groups + most_groups_before_map + 1) + spare)) - 1),
        operations_(last_ + 1),
        records_(last_ + 1) {}
  Operation& at(Sequence s) { return operations_[s & last_]; }
  /// The record of an operation's instruction; made if it has none yet.
  Instruction& record(Sequence s) {
    if (!at(s).first) --s;
    Instruction& instruction = records_[s & last_];
    if (!at(s).recorded) make_record(at(s), instruction);
    return instruction;
  }
  /// The record of a new operation, to be filled in by the caller.
  Instruction& fresh_record(Sequence s) {
    at(s).recorded = true;
    return renew(records_[s & last_]);
  }
  /// An occurrence of an operation's instruction, whose record has changed since the last occurrence only by `change`.
  /// The record is not made if no subscriber reads it: make_record() applies the change later.
  template <class Change>
  void occur_changed(AlphaRecorder& recorder, Signal signal, Sequence s, std::uint16_t detail, Change change) {
    if (is_unseen(recorder, signal, s)) return;
    if (needs_record(recorder, signal, s)) {
      recorder.occur_changed(signal, record(s), detail, change);
    } else {
      recorder.occur(signal, detail);
    }
  }
  /// The same without a change.
  void occur_unchanged(AlphaRecorder& recorder, Signal signal, Sequence s) {
    if (is_unseen(recorder, signal, s)) return;
    if (needs_record(recorder, signal, s)) {
      recorder.occur_unchanged(signal, record(s));
    } else {
      recorder.occur(signal);
    }
  }
  /// Adds the youngest operation. Its record is not cleared.
  Operation& push() { return renew(at(fetched++)); }
  [[nodiscard]] bool full() const { return fetched - retired + spare >= last_ + 1; }
  [[nodiscard]] bool empty() const { return fetched == retired; }

  Sequence retired = 0;  ///< oldest that has not retired
  Sequence mapped = 0;   ///< first that is not mapped
  Sequence fetched = 0;  ///< one after the youngest

 private:
  static constexpr std::size_t most_in_group = 4, spare = 8;
  /// True if the occurrence has no subscriber, and its change of a record has none.
  [[nodiscard]] bool is_unseen(const AlphaRecorder& recorder, Signal signal, Sequence s) {
    const Operation& operation = at(s);
    return !operation.recorded && operation.first && !recorder.subscribes_to(signal);
  }
  [[nodiscard]] bool needs_record(const AlphaRecorder& recorder, Signal signal, Sequence s) {
    const Operation& operation = at(s);
    return operation.recorded || !operation.first || recorder.names(signal, operation.code->kinds);
  }
  [[gnu::noinline]] static void make_record(Operation& operation, Instruction& instruction) {
    operation.recorded = true;
    describe(renew(instruction).record, instruction.more, operation);
    instruction.record.predicted_taken = operation.predicted_taken;
    instruction.more.map_stalled = operation.map_stalled;
    if (operation.resolved) describe_outcome(instruction.record, instruction.more, operation);
  }
  std::size_t last_;  ///< index of the last entry of the rings, whose size is a power of two
  std::vector<Operation> operations_;
  std::vector<Instruction> records_;
};

}  // namespace pmusim::core::alpha::out_of_order
