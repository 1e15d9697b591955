// PALcode: the modes that it and the system set, and the flows that hardware enters on its own. A flow is not in the
// trace: it is a number of cycles in PALmode, in the last of which synthetic instructions issue, one per cycle, hw_rei
// last.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/alpha/machine.h"
#include "models/core/alpha/static_code.h"
#include "models/core/parts/tlb.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core::alpha {

/// The modes that the core reports as activity. Changes take effect in the following cycle, those of start() at once.
class Modes {
 public:
  explicit Modes(Machine& machine) : machine_(machine) {}
  /// First cycle of the run: a user program of an unmarked process.
  void start();

  void set_cpl(unsigned level) {
    cpl_ = level;
    machine_.recorder.set_next(State::cpl, level);
  }
  void set_ipl(unsigned level) {
    ipl_ = level;
    machine_.recorder.set_next(State::ipl, level);
  }
  void set_pal(bool on) {
    pal_ = on;
    machine_.recorder.set_next(State::pal_mode, on ? 1 : 0);
  }
  [[nodiscard]] bool pal() const { return pal_; }

  /// Enters the operating system by interrupt or exception: records Signal::trap, kernel mode, IPL at least `level`.
  void enter_system(std::uint16_t trap_detail, unsigned level);
  /// Restores the modes before the last enter_system(); false if there was none.
  bool leave_system();

 private:
  struct Saved {
    unsigned cpl, ipl;
  };
  Machine& machine_;
  unsigned cpl_ = 3, ipl_ = 0;
  bool pal_ = false;
  std::vector<Saved> saved_;
};

/// A flow of PALcode.
struct Flow {
  act::Trap cause = act::Trap::none;
  std::uint64_t entry = 0;     ///< address of its first instruction
  unsigned cycles = 0;         ///< in PALmode
  unsigned instructions = 0;   ///< they issue in the last cycles; at least 1, the last is hw_rei
  bool enters_system = false;  ///< the flow ends at the entry of the operating system
  bool repeats = false;        ///< the instruction that caused it is executed again after it
  /// The trap that its first instruction, the read of the page table, takes because it misses the DTB as well; or none.
  act::Trap table_miss = act::Trap::none;
};
/// The flow of a chip for a cause. `function`: function code of call_pal.
[[nodiscard]] Flow flow_of(const Settings& settings, act::Trap cause, std::uint32_t function = 0);

/// Instruction number `position` of a flow: its address, kind and, of the last one, hw_rei; `pal` is set in its record.
void make_pal_instruction(Machine& machine, Instruction& instruction, const Flow& flow, unsigned position);

// The translation buffers. MemoryMap maps the pages. Page tables are read through the DTB, so the page of the table
// entry may miss, too (double miss).

enum class Translated : std::uint8_t { hit, miss, double_miss, fault };

class Translation {
 public:
  explicit Translation(Machine& machine);

  /// Looks up the page of a data access. A miss is recorded (Signal::translation) and fills the buffer for the next
  /// try; the caller enters PALcode. `forced` is the trace's annotation; after it has been followed once, the caller
  /// passes unset.
  Translated data(NamedRequest& request, trace::TlbOutcome forced);
  /// The same for a line of instructions that is not in the (virtual) Icache.
  Translated code(NamedRequest& request, trace::TlbOutcome forced);
  /// Sets the address space number of the following accesses.
  void set_space(std::uint32_t asn) {
    space_ = asn;
    last_page_ = none;
  }
  void clear() {
    last_page_ = none;
    itb_.clear();
    dtb_.clear();
  }

 private:
  /// True if the buffer has the page. Buffers that fill their entries in turn do not record uses.
  [[nodiscard]] bool finds(Tlb& buffer, std::uint64_t page) const {
    return machine_.settings.tb_round_robin != 0 ? buffer.contains(page, space_) : buffer.lookup(page, space_);
  }
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  Machine& machine_;
  Tlb itb_, dtb_;
  std::uint32_t space_ = 0;
  std::uint64_t last_page_ = none;  ///< of the previous data access
};

}  // namespace pmusim::core::alpha
