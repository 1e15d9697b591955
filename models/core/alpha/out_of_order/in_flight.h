// The operations between fetch and retirement, in program order, with their state.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/core/alpha/machine.h"
#include "models/core/alpha/out_of_order/pipes.h"
#include "models/core/alpha/out_of_order/tournament.h"
#include "models/core/alpha/static_code.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::alpha::out_of_order {

using Sequence = std::uint64_t;
inline constexpr std::uint64_t no_line = ~std::uint64_t{0};
inline constexpr std::uint64_t unnumbered = ~std::uint64_t{0};
inline constexpr std::size_t most_groups_before_map = 2;  ///< in the slot stage, and at map

/// One operation: an instruction, or one of the two halves of a conditional move. Halves share the record. The members
/// that the issue queues read often come first, in one cache line of the host.
struct alignas(64) Operation {
  const StaticCode* code = nullptr;
  const PipeRule* rule = nullptr;       ///< its queue, pipes and latency
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
  // traps
  act::Trap trap = act::Trap::none;  ///< taken when the operation is the oldest
  bool table_miss = false;           ///< DTB miss: the flow's read of the page table misses, too
  bool condemned = false;            ///< a replay trap is pending
  // register renaming
  std::uint8_t writes = 0;
  std::array<std::uint8_t, 2> written{};
  std::uint8_t integer_results = 0, fp_results = 0;  ///< physical registers that it holds from map to retirement
  Direction direction;                               ///< prediction of a conditional branch
  std::array<Sequence, 3> pending{};                 ///< producers whose result time is not known yet
  Cycle issued = activity::never;
  Cycle complete = activity::never;           ///< cycle from which it may retire
  Cycle map_at = 0;                           ///< cycle from which it may be mapped
  std::uint64_t group = 0;                    ///< fetch group, which takes four retire slots
  std::array<Sequence, 2> writer_before{};    ///< previous writers of `written`, plus 1; 0: none
  std::uint64_t line = no_line;               ///< ordinal in the trace, or no_line (wrong path, handler)
  std::uint64_t next = 0;                     ///< address of its successor in the program
  const trace::Annotations* notes = nullptr;  ///< its annotations in the trace
  std::uint16_t history = 0;                  ///< global history before it
  std::uint16_t stack = 0;                    ///< top of the return stack before it
  Cycle trap_at = 0;                          ///< its trap is not taken before this cycle
  // memory
  std::uint64_t load_number = unnumbered;
  std::uint64_t store_number = unnumbered;
};

class InFlight {
 public:
  static constexpr std::size_t capacity = 256;
  /// `groups`: fetch groups between map and retirement. A small ring stays in the host's first-level cache.
  explicit InFlight(unsigned groups)
      : last_(std::min(capacity, std::bit_ceil(most_in_group * (groups + most_groups_before_map + 1) + spare)) - 1),
        operations_(last_ + 1),
        records_(last_ + 1) {}
  Operation& at(Sequence s) { return operations_[s & last_]; }
  /// The record of an operation's instruction.
  Instruction& record(Sequence s) { return records_[(at(s).first ? s : s - 1) & last_]; }
  /// Adds the youngest operation. Its record is not cleared.
  Operation& push() { return renew(at(fetched++)); }
  [[nodiscard]] bool full() const { return fetched - retired + spare >= last_ + 1; }
  [[nodiscard]] bool empty() const { return fetched == retired; }

  Sequence retired = 0;  ///< oldest that has not retired
  Sequence mapped = 0;   ///< first that is not mapped
  Sequence fetched = 0;  ///< one after the youngest

 private:
  static constexpr std::size_t most_in_group = 4, spare = 8;
  std::size_t last_;  ///< index of the last entry of the rings, whose size is a power of two
  std::vector<Operation> operations_;
  std::vector<Instruction> records_;
};

}  // namespace pmusim::core::alpha::out_of_order
