// A decoded bundle as the core uses it: ports, kinds, registers; made once per static bundle.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "models/core/ia64/recorder.h"
#include "models/core/ia64/settings.h"
#include "pmusim/trace/ia64.h"

namespace pmusim::core::ia64 {

/// True if a value is in a list.
template <class Value>
[[nodiscard]] constexpr bool is_one_of(Value value, std::initializer_list<Value> these) {
  return std::find(these.begin(), these.end(), value) != these.end();
}

// Sets of slots of a bundle: bit n is slot n.

inline constexpr unsigned slots_in_bundle = 3;

[[nodiscard]] constexpr unsigned slots_between(unsigned first, unsigned end) { return (1u << end) - (1u << first); }
/// The number of slots in a set. (std::popcount is a call without a machine option.)
[[nodiscard]] constexpr unsigned count_of(unsigned slots) { return 0x32212110u >> 4 * slots & 3; }
/// First slot after a set that is not empty.
[[nodiscard]] constexpr unsigned end_of(unsigned slots) { return 0x33332210u >> 4 * slots & 3; }

/// The slots of a set in order, for a loop.
class Each {
 public:
  constexpr explicit Each(unsigned slots) : slots_(slots) {}
  class Iterator {
   public:
    constexpr explicit Iterator(unsigned left) : left_(left) {}
    constexpr unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(left_)); }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    unsigned left_;
  };
  [[nodiscard]] constexpr Iterator begin() const { return Iterator(slots_); }
  [[nodiscard]] static constexpr Iterator end() { return Iterator(0); }

 private:
  unsigned slots_;
};

namespace isa = trace::ia64;

/// Which ports may take an instruction, as sets of them: bits M0-M3, I0, I1, F0, F1 from bit 0 on.
struct PortChoice {
  std::array<std::uint8_t, 2> allowed{};  ///< by the bundle's position in the window
  bool none_needed = false;
};
[[nodiscard]] PortChoice choose_ports(act::SlotType type, const isa::Slot& slot, const Settings& settings);

/// The producer of a result, for bypasses and for the cause of a wait.
enum class Producer : std::uint8_t {
  none,
  integer,
  multimedia,
  load,
  fp_load,
  getf,
  setf,
  fp,
  predicate,
  fp_predicate,
  branch,
  application
};

/// Registers by number: one after the other, in a table that has them all.
namespace place {
inline constexpr std::uint16_t general = 0, floating = 128, predicates = 256, branches = 320, application = 328,
                               control = 456, count = 457;
}

/// The reason why everything after an instruction is flushed when it executes.
enum class FlushKind : std::uint8_t { none, branch, check, trap, serialize };

/// What the prediction of a branch's direction follows.
enum class Direction : std::uint8_t { always_taken, always_not_taken, count, history };

/// What the prediction of a branch needs of its encoding.
struct BranchFacts {
  std::uint64_t name = 0;        ///< bundle address and slot; never 0
  std::uint64_t history_at = 0;  ///< place in the table of counters, before the history is added
  std::uint32_t known_at = 0;    ///< place in the table of branches
  Direction direction = Direction::always_not_taken;
  bool hinted = false;  ///< a branch that is not known yet is taken
  bool trains = false;  ///< the history has its outcomes
};

/// A register of an instruction.
struct Operand {
  isa::Register name;
  std::uint16_t place = 0;  ///< unless it is renamed
  bool renamed = false;     ///< stacked or rotating: its place depends on the frame
  bool banked = false;      ///< r16-r31
  bool address = false;     ///< forms an address
  bool target = false;      ///< is written: an older load has to write first
};
[[nodiscard]] Operand operand(isa::Register r);

/// A register that an instruction writes.
struct Result {
  Operand where;
  Producer producer = Producer::none;
  std::uint8_t slot = 0;  ///< bit of the slot that writes it
  bool loaded = false;    ///< it is there when the data of a load is
  // Cycles from execution, or from the arrival of the data, until
  Cycle ready = 0;   ///< an instruction that the result is forwarded to in the usual way can use it
  Cycle any = 0;     ///< any instruction can use it
  Cycle others = 0;  ///< any instruction can use it, except that multimedia operations wait for loads only
};

struct Operation {
  const isa::Slot* slot = nullptr;
  Instruction model;           ///< the initial record of an instruction
  std::vector<Operand> needs;  ///< its predicate, then operands that matter only if it executes
  std::span<const Result> results;
  std::uint8_t predicates = 0;  ///< how many of `needs` are its predicate: 0 or 1
  act::SlotType type = act::SlotType::m;
  act::BranchClass branch_class = act::BranchClass::none;
  std::uint32_t kinds = 0;
  bool needs_record = false;  ///< even if nothing subscribes to it
  PortChoice ports;
  FlushKind flush = FlushKind::none;  ///< that it causes if it executes; a check only if it fails
  BranchFacts predicted;              ///< of a branch
  Producer producer = Producer::none;
  std::uint8_t number = 0;    ///< slot
  bool branch_to_b0 = false;  ///< nop.b or brp
  bool stop_after = false;    ///< a stop follows it
  bool loop_branch = false;
  bool memory = false;  ///< may access memory
  bool store = false;
  bool unpredicated = false;  ///< executes whatever its predicate
  bool branch = false;        ///< its operands have the timing of a branch
  bool speculates = false;    ///< writes or checks the ALAT, or may be deferred
  bool moves_frame = false;
  bool special = false;             ///< has an effect besides its results
  bool plain = false;               ///< has no effect besides its results
  bool only_loads = false;          ///< has no effect besides its results, of which one is loaded through L1D
  bool acts_at_retirement = false;  ///< has effects at retirement
  [[nodiscard]] bool has(act::Kind kind) const { return (kinds & act::bit(kind)) != 0; }
};

struct StaticBundle;

/// Slots [first, end) of a bundle that issue in a cycle; none: no bundle.
struct BundlePart {
  const StaticBundle* bundle = nullptr;
  std::uint8_t first = 0, end = 0;
  friend bool operator==(const BundlePart&, const BundlePart&) = default;
};

/// The slots of a bundle that can issue in a cycle, by ports and stops alone.
struct Reach {
  enum class Ends : std::uint8_t { no, port, stop };
  BundlePart before;  ///< the slots that took ports before it in the window
  bool known = false;
  std::uint8_t end = 0;  ///< first slot that does not issue
  Ends ends = Ends::no;  ///< the group ends there, and why
};

struct StaticBundle {
  isa::Bundle decoded;
  std::array<Operation, 3> operations;
  std::vector<Result> results;                          ///< of all its instructions, in order
  mutable std::array<std::array<Reach, 3>, 2> reaches;  ///< Ports::reach(), by position in the window and first slot
  std::uint8_t first = 0;                               ///< bit n: slot n holds an instruction (not the L of MLX)
  std::uint8_t memory = 0, stores = 0;                  ///< ... that may access memory, that stores
  std::uint8_t needs_record = 0;                        ///< ... that needs a record even if nothing subscribes to it
  std::uint8_t unpredicated = 0, nops = 0;              ///< ... that executes whatever its predicate, that is a nop
  std::uint8_t branches = 0, steers = 0;                ///< ... that is a branch, that may redirect fetch or prefetch
  std::uint32_t kinds = 0;                              ///< of all its instructions
  bool multiway = false;                                ///< BBB or MBB
  bool single_branch = false;                           ///< MIB, MMB, MFB
  bool single_branch_free = false;                      ///< its B slot is nop.b or brp
  bool mii = false, mlx = false, bbb = false;
  bool multimedia = false;  ///< holds a multimedia operation
  [[nodiscard]] bool holds(unsigned slot) const { return (first >> slot & 1) != 0; }
};

/// All bundles seen so far, by the trace's code number.
class Bundles {
 public:
  explicit Bundles(const Settings& settings) : settings_(settings) {}
  const StaticBundle& of(const trace::Code& code) {
    if (code.id >= known_.size()) known_.resize(code.id + 1);
    if (known_[code.id] == nullptr) known_[code.id] = make(code);
    return *known_[code.id];
  }

  /// A bundle of the synthetic interrupt handler: nop.m, nop.i, nop.i, then a stop.
  const StaticBundle& handler() {
    if (handler_ == nullptr) {
      trace::Code code;
      code.length = static_cast<std::uint8_t>(code.bytes.size());
      code.bytes = {0x01, 0, 0, 0, 0x01, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0x04, 0};
      handler_ = make(code);
    }
    return *handler_;
  }

 private:
  [[nodiscard]] std::unique_ptr<StaticBundle> make(const trace::Code& code) const;
  const Settings& settings_;
  std::unique_ptr<StaticBundle> handler_;
  std::vector<std::unique_ptr<StaticBundle>> known_;
};

}  // namespace pmusim::core::ia64
