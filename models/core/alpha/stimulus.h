// Directives. A pipeline calls when() for the time of a directive, applies it, and performs the effect that it returns.
#pragma once

#include <cstdint>

#include "models/core/alpha/memory_side.h"
#include "models/core/alpha/pal.h"
#include "models/core/parts/directives.h"

namespace pmusim::core::alpha {

/// The effects that the pipeline must perform.
struct Effect {
  act::Trap flow = act::Trap::none;  ///< PALcode is entered for this cause, by no instruction
  Cycle pause = 0;                   ///< cycles without fetch
  bool clock_stops = false;          ///< in that pause
  bool drops_fetched = false;        ///< the pipeline's fetched instructions are fetched again
};

class Stimulus {
 public:
  Stimulus(Machine& machine, MemorySide& memory, Translation& translation, Modes& modes)
      : machine_(machine), memory_(memory), translation_(translation), modes_(modes) {}

  /// Throws CoreError for a directive that the Alpha cores do not support. `ordinal`: ordinal of the instruction after
  /// it.
  [[nodiscard]] When when(const trace::Directive& directive, std::uint64_t ordinal) const {
    return row_of(Operands(directive, ordinal)).when;
  }
  Effect act(const trace::Directive& directive, std::uint64_t ordinal);
  /// Start of a cycle: resets pins and states that a directive set for a number of cycles.
  void begin_cycle() {
    if (idle_until_ != 0 || !pin_ends_.empty()) change_back();
  }
  /// The value of `pcb fen=`; if false, floating-point instructions trap.
  [[nodiscard]] bool fp_enabled() const { return fp_enabled_; }
  /// True if take_parity_error() is true for some line.
  [[nodiscard]] bool has_parity_errors() const { return !parity_.empty(); }
  /// True if the next fetch from this line of the Icache has a parity error; the call clears the error.
  bool take_parity_error(std::uint64_t address);

 private:
  template <class Core, When memory>
  friend struct core::CommonDirectives;
  [[nodiscard]] const DirectiveRow<Stimulus>& row_of(const Operands& operands) const;
  void change_back();
  void do_command(Operands& operands);
  void do_cpl(Operands& operands);
  void do_halt(Cycle cycles) {
    effect_.pause = cycles;
    effect_.clock_stops = true;
  }
  void do_idle(Cycle cycles);
  void do_interrupt(Operands& operands);
  void do_ipl(Operands& operands);
  void do_machine_check() { effect_.flow = act::Trap::machine_check; }
  void do_map(Operands& operands);
  void do_memory(Operands& operands);
  void do_mode(Operands& operands) {
    modes_.set_pal(operands.required_choice("", {"native", "pal"}) == 1);
    effect_.drops_fetched = true;
  }
  void do_parity(Operands& operands) {
    parity_.push_back(operands.address("addr") & ~std::uint64_t{machine_.settings.l1i_line - 1});
  }
  void do_pcb(Operands& operands);
  void do_pin(Operands& operands);
  void do_process(std::uint64_t process) { machine_.recorder.set_next(State::process, process); }
  void do_reset();
  void do_return(Operands& operands);
  void do_state(Operands& operands);
  void do_switch() { effect_.drops_fetched = true; }

  Machine& machine_;
  MemorySide& memory_;
  Translation& translation_;
  Modes& modes_;
  Effect effect_;  ///< of the directive being applied
  bool fp_enabled_ = true;
  std::uint64_t pins_ = 0;
  struct PinEnd {
    Cycle at;
    unsigned pin;
    bool level;
  };
  std::vector<PinEnd> pin_ends_;
  Cycle idle_until_ = 0;
  std::vector<std::uint64_t> parity_;  ///< lines
};

}  // namespace pmusim::core::alpha
