// State of a user-level IA-64 processor, and the access rules of its registers and memory.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "address_space.h"
#include "float_register.h"
#include "operation.h"
#include "pmusim/trace/ia64.h"

namespace pmusim::trace::ia64 {

// The stacked general registers and the register stack engine. Architecture manual, volume 2, chapter 6. The register
// file grows as needed, so that registers are spilled only by explicit request (flushrs, a new ar.bspstore, loadrs).
// The spills of a processor with 96 registers are part of the timing model.

/// A general register with its NaT bit.
struct General {
  std::uint64_t value = 0;
  bool nat = false;
};

class RegisterStack {
 public:
  explicit RegisterStack(Memory& memory) : memory_(memory), registers_(first + 256) {}

  Frame frame;
  std::size_t base = first;  ///< index of r32
  std::uint64_t bsp = 0;     ///< backing store address of r32
  std::uint64_t rnat = 0;    ///< NaT bits of the registers stored since the last collection

  [[nodiscard]] General& at(std::size_t index) { return registers_[index]; }
  [[nodiscard]] const General& at(std::size_t index) const { return registers_[index]; }

  /// Moves the base of the frame by `registers`. move_down() fills registers that are not in the file.
  void move_up(unsigned registers);
  void move_down(unsigned registers);
  /// Enlarges the file for a frame of this size.
  void reserve(unsigned sof);

  void flush();                    ///< flushrs
  void load(std::uint32_t bytes);  ///< loadrs: bytes below bsp
  [[nodiscard]] std::uint64_t bspstore() const { return bsp_minus(bsp, static_cast<unsigned>(base - dirty_)); }
  void set_bspstore(std::uint64_t address);
  [[nodiscard]] unsigned dirty() const { return static_cast<unsigned>(base - dirty_); }

 private:
  // `first` is not 0, because a program may return below its first frame after it switched the backing store.
  static constexpr std::size_t first = 65536, most = std::size_t{1} << 24;

  void spill(std::size_t index);
  void fill(std::size_t index);
  [[nodiscard]] std::uint64_t address_of(std::size_t index) const {
    return bsp_minus(bsp, static_cast<unsigned>(base - index));
  }

  Memory& memory_;
  std::vector<General> registers_;
  std::size_t dirty_ = first;  ///< registers from here to base are not in memory
  std::size_t valid_ = first;  ///< registers from here on are in the file
};

// Advanced load address table: the registers whose memory operands no store has changed since their advanced load.

/// 32 entries, fully associative; the oldest entry is replaced. A store removes only entries that it overlaps.
class Alat {
 public:
  static constexpr unsigned size = 32;

  void allocate(std::uint32_t register_id, std::uint64_t address, std::uint32_t bytes) {
    remove(register_id);
    entries_[next_] = {true, register_id, address, bytes};
    next_ = (next_ + 1) % size;
    used_ = true;
  }
  /// True if there is a valid entry for an advanced load of this operand into this register.
  [[nodiscard]] bool holds(std::uint32_t register_id, std::uint64_t address, std::uint32_t bytes) const {
    return std::ranges::any_of(entries_, [&](const Entry& e) {
      return e.valid && e.register_id == register_id && e.address == address && e.bytes == bytes;
    });
  }
  [[nodiscard]] bool holds(std::uint32_t register_id) const {
    return std::ranges::any_of(entries_, [&](const Entry& e) { return e.valid && e.register_id == register_id; });
  }
  void remove(std::uint32_t register_id) { remove_range(register_id, register_id); }
  /// Removes the entries of registers `first` to `last`, which left the register stack.
  void remove_range(std::uint32_t first, std::uint32_t last) {
    remove_if([&](const Entry& e) { return e.register_id >= first && e.register_id <= last; });
  }
  void store(std::uint64_t address, std::uint32_t bytes) {
    remove_if([&](const Entry& e) { return address < e.address + e.bytes && e.address < address + bytes; });
  }
  void clear() { *this = {}; }

 private:
  struct Entry {
    bool valid = false;
    std::uint32_t register_id = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };
  template <typename Condition>
  void remove_if(Condition condition) {
    if (!used_) return;
    for (Entry& e : entries_) {
      if (condition(e)) e.valid = false;
    }
  }

  std::array<Entry, size> entries_{};
  unsigned next_ = 0;
  bool used_ = false;  // false in most programs: saves the searches
};

/// An illegal action of an instruction. The text follows the address, slot and instruction in the message.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
  template <class... Values>
  Fault(fmt::format_string<Values...> form, Values&&... values) requires(sizeof...(Values) != 0)
      : std::runtime_error(fmt::format(form, std::forward<Values>(values)...)) {}
};

/// Effects of a bundle other than changes of registers. Cleared before each bundle.
struct Effects {
  std::vector<Access> accesses;
  std::vector<Deferral> deferrals;
  std::vector<RegisterUse> registers;
  std::optional<std::uint32_t> loadrs;
  std::uint32_t flushed = 0;
  bool taken = false;
  bool serialized = false;  ///< the instruction stream: modified code takes effect from here on
  std::uint64_t target = 0;
  bool exited = false;

  void clear() {
    accesses.clear();
    deferrals.clear();
    registers.clear();
    loadrs.reset();
    flushed = 0;
    taken = serialized = false;
  }
};

class Machine {
 public:
  explicit Machine(Memory& memory);

  // Registers, by their numbers in the instruction.
  [[nodiscard]] const General& gr(unsigned number) const {
    return number < 32 ? static_[number] : stack_.at(stacked_index(number));
  }
  /// The value of a general register. A NaT causes a register NaT consumption fault.
  [[nodiscard]] std::uint64_t value(unsigned number) const {
    const General& r = gr(number);
    if (r.nat) nat_consumption(number);
    return r.value;
  }
  void set_gr(unsigned number, std::uint64_t value, bool nat = false) {
    if (number == 0) throw Fault("writes r0");
    General& r = number < 32 ? static_[number] : stack_.at(stacked_index(number));
    r = {value, nat};
  }
  /// The value of an operand that is r2 or an immediate.
  [[nodiscard]] General second(const Operation& o) const {
    return o.has_immediate ? General{static_cast<std::uint64_t>(o.immediate), false} : gr(o.r2);
  }

  [[nodiscard]] const FloatRegister& fr(unsigned number) const { return floats_[float_index(number)]; }
  void set_fr(unsigned number, const FloatRegister& value) {
    if (number < 2) throw Fault(number == 0 ? "writes f0" : "writes f1");
    floats_[float_index(number)] = value;
    user_mask |= number < 32 ? 0x10 : 0x20;  // mfl, mfh
  }

  [[nodiscard]] bool pr(unsigned number) const { return predicates_[predicate_index(number)]; }
  void set_pr(unsigned number, bool value) {
    if (number != 0) predicates_[predicate_index(number)] = value;
  }
  /// All predicates as read by `mov =pr`: by number, without rotation.
  [[nodiscard]] std::uint64_t all_predicates() const;
  void set_all_predicates(std::uint64_t value, std::uint64_t mask);

  std::array<std::uint64_t, 8> br{};
  std::array<std::uint64_t, 128> ar{};  ///< stored registers; bsp, bspstore, rnat and itc are computed
  std::uint64_t user_mask = 0;          ///< PSR bits 0 to 5
  std::uint64_t ip = 0;                 ///< address of the current bundle
  std::uint64_t executed_slots = 0;
  int exit_status = 0;
  Effects effects;
  Alat alat;
  std::function<void(int descriptor, std::string_view bytes)> output;

  [[nodiscard]] std::uint64_t read_ar(unsigned number) const;
  void write_ar(unsigned number, std::uint64_t value);

  // Memory. Accesses to unmapped addresses cause a fault; speculative loads check loadable() first.
  [[nodiscard]] Memory& memory() { return memory_; }
  void load(std::uint64_t address, void* to, unsigned size, unsigned slot);
  void store(std::uint64_t address, const void* from, unsigned size, unsigned slot);
  void check_alignment(std::uint64_t address, unsigned size, bool semaphore) const;
  [[nodiscard]] bool loadable(std::uint64_t address, unsigned size) { return memory_.is_mapped(address, size); }
  unsigned slot = 0;  ///< number of the current slot

  void branch(std::uint64_t target) {
    effects.taken = true;
    effects.target = target & ~std::uint64_t{15};
  }

  // Register stack.
  [[nodiscard]] const Frame& frame() const { return stack_.frame; }
  [[nodiscard]] RegisterStack& stack() { return stack_; }
  void call(unsigned link);
  void return_from_call();
  void alloc(unsigned sof, unsigned sol, unsigned sor);
  void cover();
  void rotate() { ia64::rotate(stack_.frame); }
  void clear_rename_bases(bool predicates_only);

  /// Identifies a physical register in the ALAT, independent of later renaming.
  [[nodiscard]] std::uint32_t alat_gr(unsigned number) const {
    return number < 32 ? number : 256 + static_cast<std::uint32_t>(stacked_index(number));
  }
  [[nodiscard]] std::uint32_t alat_fr(unsigned number) const { return 128 + float_index(number); }

  // Floating-point status: fields 0 to 3 of ar.fpsr.
  [[nodiscard]] RoundingControl rounding_control(unsigned field, Precision precision) const;
  [[nodiscard]] Rounding rounding(unsigned field) const { return static_cast<Rounding>(status_field(field) >> 4 & 3); }
  /// Sets the flags of a status field. A flag whose trap is enabled causes a fault.
  void raise(unsigned field, unsigned flags);
  [[nodiscard]] unsigned status_field(unsigned field) const {
    return static_cast<unsigned>(ar[ar_fpsr] >> (6 + 13 * field) & 0x1fff);
  }

 private:
  [[nodiscard]] std::size_t stacked_index(unsigned number) const {
    unsigned place = number - 32;
    if (place >= stack_.frame.sof) outside_frame(number);
    const unsigned rotating = 8u * stack_.frame.sor;
    if (place < rotating) {
      place += stack_.frame.rrb_gr;
      if (place >= rotating) place -= rotating;
    }
    return stack_.base + place;
  }
  [[nodiscard]] unsigned float_index(unsigned number) const {
    if (number < 32) return number;
    number += stack_.frame.rrb_fr;
    return number < 128 ? number : number - 96;
  }
  [[nodiscard]] unsigned predicate_index(unsigned number) const {
    if (number < 16) return number;
    number += stack_.frame.rrb_pr;
    return number < 64 ? number : number - 48;
  }
  [[noreturn]] void outside_frame(unsigned number) const;
  [[noreturn]] static void nat_consumption(unsigned number);

  Memory& memory_;
  std::array<General, 32> static_{};
  RegisterStack stack_;
  std::array<FloatRegister, 128> floats_{};
  std::array<bool, 64> predicates_{};
};

/// Relations of fcmp and fpcmp: eq, lt, le, unord. lt and le also raise invalid for a quiet NaN.
[[nodiscard]] bool relates(Ordering order, unsigned relation, unsigned& flags);

using Handler = void (*)(Machine&, const Operation&);
/// The handler of each Op; null if the simulator does not support it.
[[nodiscard]] const std::array<Handler, static_cast<std::size_t>(Op::count)>& handlers();

using Handlers = std::array<Handler, static_cast<std::size_t>(Op::count)>;
/// An operation with the function that executes it.
using OpHandler = std::pair<Op, Handler>;
inline void add(Handlers& handlers, std::span<const OpHandler> rows) {
  for (const auto& [op, handler] : rows) handlers[static_cast<std::size_t>(op)] = handler;
}
void add_integer_handlers(Handlers& handlers);
void add_multimedia_handlers(Handlers& handlers);
void add_memory_handlers(Handlers& handlers);
void add_system_handlers(Handlers& handlers);
void add_float_handlers(Handlers& handlers);

}  // namespace pmusim::trace::ia64
