// The Athlon core, composed of its units. One step is one clock, in this order: timers of directives, due work of the
// memory side, entry to the handler (perturbing mode), directives, resolution of branches, retirement, load-store unit,
// issue, dispatch, decode, fetch, new work of the memory side. A unit that waits for a known clock enters it in the
// agenda, and time advances to the next such clock.
#pragma once

#include <memory>
#include <vector>

#include "models/core/athlon/front_end.h"
#include "models/core/athlon/load_store.h"
#include "models/core/athlon/window.h"
#include "models/core/parts/directives.h"
#include "models/core/parts/stepped_core.h"

namespace pmusim::core::athlon {

class AthlonCore final : public SteppedCore<AthlonCore>, DirectiveGate {
 public:
  AthlonCore(std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters);

  [[nodiscard]] std::uint64_t retired() const override { return retired_; }
  void take_interrupt(unsigned handler_instructions) override;
  [[nodiscard]] bool in_handler() const override { return in_handler_; }
  // For the units:
  /// The address part of a macro-operation starts to execute in this cycle.
  void address_issued(Sequence sequence, unsigned operation) { load_store_.address_issued(sequence, operation); }
  /// The last macro-operation of a branch or segment load starts to execute; its result is available in cycle `result`.
  void executes(Sequence sequence, Cycle result);
  /// The address of a store is known.
  void store_probed(Sequence sequence, std::uint64_t address, unsigned size, NamedRequest& request);

 private:
  struct Mode {
    unsigned cpl = 3;
    bool interrupt_flag = true;
    activity::OperatingMode operating = activity::OperatingMode::protected_mode;
  };
  struct SavedFlag {
    std::uint64_t address;
    bool interrupt_flag;
  };

  // The inline functions here and in the units are defined in one .cpp and called only there, so that the compiler can
  // inline them.

  // core.cpp: SteppedCore
  friend SteppedCore<AthlonCore>;
  void start();
  inline void step();
  [[nodiscard]] Cycle next() const { return machine_.agenda.next(); }
  [[nodiscard]] bool finished() const { return front_.ended() && at_rest() && memory_.quiet() && !own_interrupt_due_; }
  [[nodiscard]] std::string never_completes() { return program_.never_completes(now_); }
  [[nodiscard]] bool at_rest() const { return flight_.retired == flight_.fetched && load_store_.empty(); }
  [[gnu::always_inline]] inline void dispatch();
  inline void dispatch_line(const DispatchLine& line);
  inline void begin(Sequence sequence, Chunk& chunk);
  [[nodiscard, gnu::always_inline]] static inline std::uint8_t accesses_of(const Chunk& chunk, unsigned operation);
  [[nodiscard]] inline std::uint64_t hold_causes(const DispatchLine& line);
  [[nodiscard, gnu::always_inline]] inline std::uint64_t standing_causes();
  /// An occurrence that names the chunk's instruction.
  void occur(Signal signal, Chunk& chunk) {
    if (machine_.recorder.names(signal)) {
      machine_.recorder.occur(signal, flight_.record(chunk));
    } else {
      machine_.recorder.occur(signal);
    }
  }
  void resolve_branches();
  void kill(Sequence from);
  [[nodiscard]] Sequence code_in_flight(std::uint64_t physical, std::uint64_t size, Sequence from);

  // retirement.cpp: effects of retirement
  void retire();
  [[gnu::always_inline]] inline bool retire_chunk(Chunk& chunk, unsigned amount, unsigned doubles);
  bool retire_special(Sequence sequence, Chunk& chunk);
  void retire_flags(const Chunk& chunk);
  void retire_entry();
  void set_mode(Mode mode);
  [[nodiscard]] Mode handler_mode(bool management) const;
  void enter(Mode mode);
  void leave_handler();
  void enter_own_handler();

  // stimulus.cpp: directives
  template <class Core, When memory>
  friend struct core::CommonDirectives;
  [[nodiscard]] const DirectiveRow<AthlonCore>& directive_row(const Operands& operands) const;
  Gate pass(Directives& directives, bool at_start) override;
  void take_trap(std::uint16_t kind);
  void update_timers();
  void set_bus_ratio(unsigned clocks, unsigned per);
  void do_cpl(Operands& o);
  void do_mode(Operands& o);
  void do_if(Operands& o);
  void do_interrupt(Operands& o);
  void do_init();
  void do_return(Operands& o);
  void do_switch();
  void do_process(std::uint64_t process);
  void do_halt(Cycle cycles);
  void do_idle(Cycle cycles) { idle_until_ = machine_.agenda.now() + cycles; }
  void do_memory(Operands& o);
  void do_map(Operands& o);
  void do_state(Operands& o);
  void do_bus(Operands& o);
  void do_ecc(Operands& o);
  void do_snoop(Operands& o);
  void do_pin(Operands& o);
  void do_tb(Operands& o);

  Machine machine_;
  Program program_;
  InFlight flight_;
  MemorySide memory_;
  Window window_;
  LoadStore load_store_;
  FrontEnd front_;

  std::uint64_t retired_ = 0;
  Mode mode_;
  std::vector<Mode> entered_from_;      ///< modes that interrupt returns restore
  std::vector<SavedFlag> saved_flags_;  ///< EFLAGS.IF stored by PUSHF, by stack address
  Resolving resolving_;
  // Reasons that hold dispatch: numbers of chunks in the reorder buffer, or sequences plus 1 (0: none).
  Sequence aborted_ = 0;  ///< a mispredicted branch that is resolved but not retired
  Sequence resync_ = 0;   ///< a store to code in flight that is not retired
  unsigned serializing_ = 0, far_ = 0;
  Cycle segment_until_ = 0;
  Sequence segment_ = 0;  ///< a segment load that is dispatched and not started
  // directives
  Cycle clock_stopped_until_ = 0;
  unsigned entry_operations_left_ = 0;  ///< operations of the entry microcode still to retire
  Cycle idle_until_ = 0;                ///< end of the idle time at which fetch waits; 0: none
  Cycle pin_until_ = 0;
  bool last_was_interrupt_return_ = false;
  // perturbing mode
  bool in_handler_ = false;
  bool own_interrupt_due_ = false;
  unsigned handler_instructions_ = 0;
  std::uint64_t resume_line_ = 0;
};

}  // namespace pmusim::core::athlon

extern template class pmusim::core::SteppedCore<pmusim::core::athlon::AthlonCore>;
