// The properties of an instruction word on a chip, computed once per word of the code dictionary.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/core/alpha/machine.h"
#include "pmusim/trace/alpha.h"

namespace pmusim::core::alpha {

struct StaticCode {
  using Work = trace::alpha::Kind;
  using Branch = trace::alpha::BranchKind;

  std::uint64_t pc = 0;
  std::uint32_t encoding = 0;
  std::uint32_t kinds = 0;   ///< act::Kind bits; `squashed` only on the 21264
  std::uint32_t traits = 0;  ///< activity::Trait bits
  Work work = Work::illegal;
  Branch branch = Branch::none;
  bool nop = false;            ///< no effect: takes no unit
  bool floats = false;         ///< needs the floating-point unit to be enabled
  bool any_align = false;      ///< ldq_u, stq_u: never unaligned
  bool emulated = false;       ///< reserved opcode on this chip: PALcode and the system emulate it
  bool backward = false;       ///< negative branch displacement
  bool traps_late = false;     ///< multiply with /V: known with the result
  bool orders_memory = false;  ///< barrier, store conditional
  std::uint8_t access_size = 0;
  bool computes = false;  ///< registers from registers, or a branch, and nothing else: no memory, trap or barrier
  bool leaves = false;    ///< the program: CALL_PAL, its return, an instruction that is emulated
  bool plain = false;     ///< fetch goes on at the next word: no branch, no halves, nothing that leaves the program
  std::uint8_t read_count = 0, write_count = 0;
  std::uint8_t integer_writes = 0, fp_writes = 0;  ///< `writes` by register file
  std::array<std::uint8_t, 4> reads{};
  std::array<std::uint8_t, 2> writes{};
  std::uint64_t target = 0;  ///< of a branch with displacement
  std::uint16_t hint = 0;    ///< bits 15:0 of the target that jmp and jsr predict
  std::uint32_t pal_function = 0;

  [[nodiscard]] bool has(act::Kind kind) const { return (kinds & act::bit(kind)) != 0; }
  [[nodiscard]] bool is_branch() const {
    return (kinds & (act::bit(act::Kind::conditional_branch) | act::bit(act::Kind::unconditional_branch) |
                     act::bit(act::Kind::jump))) != 0;
  }
  [[nodiscard]] bool touches_memory() const {
    return (kinds & (act::bit(act::Kind::load) | act::bit(act::Kind::store))) != 0;
  }
  /// True if the instruction may have to wait although its operands are available.
  [[nodiscard]] bool waits_for_others() const { return touches_memory() || work == Work::memory_barrier; }
  [[nodiscard]] std::uint64_t next() const { return pc + 4; }
  /// It leaves the address of its successor on the return stack; it takes its target from there.
  [[nodiscard]] bool pushes_return() const {
    return branch == Branch::subroutine || branch == Branch::computed_subroutine || branch == Branch::coroutine;
  }
  [[nodiscard]] bool pops_return() const { return branch == Branch::subroutine_return || branch == Branch::coroutine; }
};

/// The properties of a word on a chip.
[[nodiscard]] StaticCode decode(Chip chip, const trace::Code& code);

class StaticCodes {
 public:
  explicit StaticCodes(Chip chip) : chip_(chip) {}
  /// Returns the properties of a word. The reference stays valid.
  const StaticCode& of(const trace::Code& code) {
    if (code.id < known_.size() && known_[code.id] != nullptr) return *known_[code.id];
    return add(code);
  }

 private:
  const StaticCode& add(const trace::Code& code);
  Chip chip_;
  std::deque<StaticCode> all_;
  std::vector<const StaticCode*> known_;  ///< by Code::id
};

/// Fills in the fields that are known from the fetch on; `fetched` is the cycle of the fetch.
inline void describe(activity::InstructionRecord& record, act::Instruction& more, const StaticCode& code,
                     std::uint64_t id, Cycle fetched) {
  record.id = id;
  record.ip = code.pc;
  record.next_ip = code.next();
  record.encoding = code.encoding;
  record.tagged = fetched;
  record.traits = code.traits;
  record.length = 4;
  more.kinds = code.kinds;
}
inline void describe(Instruction& instruction, const StaticCode& code, std::uint64_t id, Cycle fetched) {
  describe(instruction.record, instruction.more, code, id, fetched);
}

}  // namespace pmusim::core::alpha
