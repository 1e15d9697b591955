// The properties of a static instruction that the core needs, computed once.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <deque>
#include <unordered_set>
#include <vector>

#include "models/activity/activity.h"
#include "models/core/athlon/machine.h"
#include "pmusim/trace/instruction.h"
#include "pmusim/trace/x86.h"

namespace pmusim::core::athlon {

// What an instruction takes in the execution units and in the decoder: one table, by mnemonic and form.

/// The unit of the last macro-operation. `result_bus`: none, for a store that computes nothing.
enum class Pipe : std::uint8_t {
  integer,
  address,
  result_bus,
  fp_add,
  fp_multiply,
  fp_store,
  fp_add_or_multiply,
  fp_any
};
/// A further resource, which an instruction keeps for some clocks.
enum class Unit : std::uint8_t { none, multiplier, fp_divider, lock, count };

/// A number of clocks: a parameter, or a figure of the table.
struct Clocks {
  constexpr Clocks() = default;
  template <std::integral Figure>
  constexpr Clocks(Figure figure) : fixed(static_cast<unsigned>(figure)) {}  // NOLINT: a figure is a number of clocks
  constexpr Clocks(unsigned Settings::*parameter) : setting(parameter) {}    // NOLINT
  [[nodiscard]] unsigned of(const Settings& settings) const { return setting != nullptr ? settings.*setting : fixed; }
  unsigned fixed = 0;
  unsigned Settings::*setting = nullptr;
};

struct Timing {
  Pipe pipe = Pipe::integer;
  Clocks latency = 1;  ///< of the last macro-operation, from its start to its result
  Unit unit = Unit::none;
  Clocks interval = 1;  ///< clocks for which it keeps the unit, or its pipe if there is no unit
  /// Half clocks for which a VectorPath instruction keeps the decoder; 0: a clock for each three macro-operations.
  /// Microcode fills its lines only in part, and an odd number takes one clock more every other time.
  unsigned decode_halves = 0;
  Clocks high = 0;           ///< latency of EDX, if it is another one
  bool both_halves = false;  ///< each macro-operation is half of the operation and takes the pipe
  bool merges_late = false;  ///< the old value of its destination is needed at the end only, and is not waited for
};

/// The timing of an instruction: that of its mnemonic and form, otherwise that of its kind.
[[nodiscard]] Timing timing_of(const trace::x86::Operation& op);

/// Clocks that the decoder needs for prefixes, 0 if they take no time: it looks at three of them a clock.
[[nodiscard]] constexpr unsigned prefix_clocks(unsigned prefixes) {
  constexpr unsigned in_a_clock = 3;
  return prefixes <= in_a_clock ? 0 : (prefixes - 1) / in_a_clock;
}

/// Instructions whose retirement changes EFLAGS.IF.
enum class FlagEffect : std::uint8_t { none, clear, set, save, restore };

struct StaticCode {
  activity::InstructionRecord record;  ///< initial record of each execution
  std::uint64_t pc = 0;
  std::uint64_t target = 0;  ///< of a direct near branch
  std::uint32_t id = 0;      ///< trace::Code::id
  std::uint32_t traits = 0;  ///< activity::Trait bits
  std::uint32_t reads = 0;   ///< one bit per register of pmusim/trace/x86.h
  std::uint32_t writes = 0;
  std::uint32_t address_reads = 0;
  /// Those of `writes` that have a time of their own: pointers that the address unit advances, or EDX of a product.
  std::uint32_t second_results = 0;
  std::uint32_t pointers = 0;      ///< those of `second_results` that do not wait for data
  std::uint16_t latency = 1;       ///< of the last macro-operation
  std::uint16_t busy = 1;          ///< clocks for which it occupies its unit
  std::uint8_t late = 0;           ///< clocks from the first result to the second, if that is no pointer
  std::uint8_t forward = 0;        ///< clocks from its result to a load that takes the data that it stores
  std::uint8_t decode_halves = 0;  ///< half clocks for which the decoder waits after its lines
  std::uint8_t length = 0;
  std::uint8_t first_line = 0, last_line = 0;  ///< CodeLines that it occupies
  std::uint8_t macro_ops = 1;
  Pipe pipe = Pipe::integer;
  Unit unit = Unit::none;
  trace::x86::BranchKind branch = trace::x86::BranchKind::none;
  FlagEffect flag = FlagEffect::none;
  std::int8_t segment = -1;    ///< activity::SegmentRegister loaded, or none
  std::int8_t pushes = 0;      ///< registers pushed onto the x87 stack; negative: popped
  std::uint8_t exchanged = 0;  ///< FXCH: the register that st(0) changes names with
  bool vector_path = false;
  bool alone = false;              ///< no other instruction in its dispatch line
  bool simple = false;             ///< one macro-operation, with nothing special in the decoder
  std::uint8_t takes_station = 1;  ///< entries of an integer station for each macro-operation
  bool fp = false;                 ///< takes entries of the floating-point scheduler
  bool both_halves = false;  ///< all macro-operations take `pipe`; otherwise those before the last take any FP pipe
  bool load_only = false;    ///< the result is the loaded data
  bool touches_memory = false;
  bool has_target = false;
  bool is_branch = false;  ///< near or far
  bool far_transfer = false;
  bool far_call = false;
  bool returns_from_interrupt = false;
  bool special = false;  ///< retirement has a further effect
  bool serializing = false;
  bool repeats = false;
  bool prefetches = false;
  bool prefetches_to_write = false;  ///< PREFETCHW
  bool stores_high_byte = false;
  bool absolute_loads = false, absolute_stores = false;  ///< the address of an operand is part of the encoding
  std::uint8_t absolute_accesses = 0;                    ///< of these on a wrong path
  std::uint32_t absolute_address = 0;
  std::uint16_t absolute_bytes = 0;
  mutable const StaticCode* behind = nullptr;  ///< where a wrong path went on after it, while no code has changed
  bool may_not_transfer = false;               ///< INTO: a far transfer that may fall through
  [[nodiscard]] bool has(activity::Trait t) const { return (traits & activity::bit(t)) != 0; }
};

/// The amount of code in each line, by address bits 11:6, which are the same for all mappings of a page. These lines
/// have 64 bytes, independent of the line size of the caches.
class CodeLines {
 public:
  [[nodiscard]] static std::uint8_t line_of(std::uint64_t address) {
    return static_cast<std::uint8_t>(address / bytes % count);
  }
  void add(const StaticCode& code) { change(code, 1); }
  void remove(const StaticCode& code) { change(code, -1); }
  /// False if no code lies in the line of this address; may be true otherwise.
  [[nodiscard]] bool may_hold(std::uint64_t address) const { return instructions_[line_of(address)] != 0; }

 private:
  static constexpr std::uint64_t bytes = 64;
  static constexpr std::size_t count = page_bytes / bytes;
  void change(const StaticCode& code, int change) {
    instructions_[code.first_line] += change;
    if (code.last_line != code.first_line) instructions_[code.last_line] += change;
  }
  std::array<std::int32_t, count> instructions_{};
};

/// The dictionary. References stay valid.
class StaticCodes {
 public:
  explicit StaticCodes(const Settings& settings) : settings_(settings) {}
  const StaticCode& of(const trace::Code& code) {
    if (code.id < count_ && by_id_[code.id] != nullptr) return *by_id_[code.id];
    return classify(code);
  }
  /// A four-byte instruction of the handler that take_interrupt() runs; its last one is an IRET.
  [[nodiscard]] StaticCode handler(std::uint64_t pc, bool last) const;
  /// One more than the greatest trace::Code::id that of() has returned.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// The last code at an address that of() has returned, or null.
  [[nodiscard]] const StaticCode* latest(std::uint64_t pc) const;
  /// True if two codes have the same address: the program has changed its code.
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  const StaticCode& classify(const trace::Code& code);
  void set_execution(StaticCode& s, const trace::x86::Operation& op) const;
  static void set_decode_time(StaticCode& s, unsigned prefixes, unsigned microcode_halves);
  static void set_stack(StaticCode& s, const trace::x86::Operation& op);
  const Settings& settings_;
  std::deque<StaticCode> codes_;
  std::vector<const StaticCode*> by_id_;  ///< null: not seen yet
  std::uint32_t count_ = 0;               ///< their number
  std::unordered_set<std::uint64_t> addresses_;
  bool changed_ = false;
};

}  // namespace pmusim::core::athlon
