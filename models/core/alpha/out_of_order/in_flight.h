// The operations between fetch and retirement, in program order, with all that is known of each.
#pragma once

#include <array>
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

/// One operation: an instruction, or one of the two halves of a conditional move. Halves share the record.
struct Operation {
  // from fetch on
  const StaticCode* code = nullptr;
  const PipeRule* rule = nullptr;  ///< where its work is done
  std::uint64_t line = no_line;    ///< ordinal in the trace, or no_line (wrong path, handler)
  std::uint64_t next = 0;          ///< address of its successor in the program
  Direction direction;             ///< of a conditional branch
  std::uint16_t history = 0;       ///< global history before it
  std::uint16_t stack = 0;         ///< top of the return stack before it
  std::uint64_t group = 0;         ///< fetch group, which takes four retire slots
  Cycle map_at = 0;                ///< may be mapped from this cycle on
  bool first = true, last = true;  ///< of its instruction's halves
  bool wrong_path = false;
  bool handler = false;    ///< of take_interrupt()
  bool flow = false;       ///< PALcode that is not in the trace
  bool flow_ends = false;  ///< last one of the flow or handler
  bool taken = false;
  bool mispredicted = false;
  bool mapped = false;
  bool squashed = false;  ///< leaves at map
  // register renaming
  std::array<std::uint8_t, 2> written{};
  std::array<Sequence, 2> writer_before{};  ///< plus 1; 0: none
  std::uint8_t writes = 0;
  // execution
  Side side = Side::upper;
  std::array<Sequence, 3> pending{};  ///< producers whose result has no time yet
  std::uint8_t pending_count = 0;
  std::array<Cycle, clusters> ready{};  ///< its operands, in each cluster; of the producers that have a time
  Cycle issued = activity::never;
  Cycle result = activity::never;    ///< a consumer in the same cluster may issue
  Cycle complete = activity::never;  ///< it may retire
  std::uint8_t cluster = both_clusters;
  // what goes wrong with it
  act::Trap trap = act::Trap::none;  ///< taken when it is the oldest
  Cycle trap_at = 0;                 ///< and not before
  bool condemned = false;            ///< a replay trap is on its way
  // memory
  std::uint64_t load_number = unnumbered;
  std::uint64_t store_number = unnumbered;
};

class InFlight {
 public:
  static constexpr std::size_t capacity = 256;
  Operation& at(Sequence s) { return operations_[s & (capacity - 1)]; }
  /// The record of an operation's instruction.
  Instruction& record(Sequence s) { return records_[(at(s).first ? s : s - 1) & (capacity - 1)]; }
  /// A new operation at the young end. Its record is what the place had before.
  Operation& push() { return renew(at(fetched++)); }
  [[nodiscard]] bool full() const { return fetched - retired + 8 >= capacity; }
  [[nodiscard]] bool empty() const { return fetched == retired; }

  Sequence retired = 0;  ///< oldest that has not retired
  Sequence mapped = 0;   ///< first that is not mapped
  Sequence fetched = 0;  ///< one behind the youngest

 private:
  std::vector<Operation> operations_{capacity};
  std::vector<Instruction> records_{capacity};
};

}  // namespace pmusim::core::alpha::out_of_order
