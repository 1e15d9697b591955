// The IA-64 core, composed of its units. One step is one cycle in which something happens, in this order: due items of
// the schedule, directives that end, retirement, the switch of threads, entry to the handler (perturbing mode), the
// back end, the front end, and what these have scheduled for this cycle. The stages from dispersal (EXP) to execution
// (EXE) are one step: the pipeline runs in lockstep, so a stall in one stage holds all younger instructions. Cycle
// numbers of the back end are those of EXP.
#pragma once

#include "models/core/ia64/data_side.h"
#include "models/core/ia64/fifo.h"
#include "models/core/ia64/ports.h"
#include "models/core/ia64/thread.h"
#include "models/core/parts/directives.h"
#include "models/core/parts/stepped_core.h"

namespace pmusim::core::ia64 {

class Ia64Core final : public SteppedCore<Ia64Core>, DirectiveGate {
 public:
  /// One hardware thread for each trace, one or two.
  Ia64Core(std::vector<std::unique_ptr<trace::Reader>> traces, const Settings& settings);

  [[nodiscard]] std::uint64_t retired() const override {
    std::uint64_t sum = 0;
    for (const auto& thread : threads_) sum += thread->program.begin();
    return sum;
  }
  [[nodiscard]] std::uint64_t retired_of(unsigned thread) const override {
    return thread < threads_.size() ? threads_[thread]->program.begin() : 0;
  }
  void take_interrupt(unsigned handler_instructions) override;
  [[nodiscard]] bool in_handler() const override { return interrupt_due_ || handler_left_ != 0; }

 private:
  /// An instruction that executes.
  struct Pick {
    const Operation* op;
    Instruction* instruction;
    bool predicate;  ///< executes
  };
  /// The instructions that issue in a cycle, and their requests to the memory pipe.
  class Group {
   public:
    /// Slots of a bundle; their records wait in the bundle.
    struct Part {
      Fetched* bundle;
      unsigned position;  ///< in the window
      unsigned slots;
    };
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] const Part* begin() const { return parts_.data(); }
    [[nodiscard]] const Part* end() const { return parts_.data() + count_; }
    void add(const Part& part) { parts_[count_++] = part; }
    void clear() { count_ = accesses = stores = 0; }
    unsigned accesses = 0, stores = 0;

   private:
    std::array<Part, 2> parts_;
    unsigned count_ = 0;
  };
  /// Instructions of a bundle that issued together, between execution and retirement.
  struct Leaving {
    Cycle at;
    const StaticBundle* bundle;
    Program::Entry* entry;  ///< null: handler
    std::uint64_t ordinal;
    std::array<Instruction*, 3> instructions;  ///< by slot, of those in `named`
    std::uint8_t slots;                        ///< all of them
    std::uint8_t named;                        ///< ... that have a record
    std::uint8_t executes;                     ///< slots with a true predicate
    std::uint8_t end;                          ///< first slot after them
    bool last;                                 ///< the program reaches no slot of the bundle after them
    bool traps;                                ///< the last of them does
  };
  struct Final {
    Cycle at;
    Access* access;
  };
  struct Flush {
    bool active = false, armed = false;
    FlushKind kind = FlushKind::none;
    std::uint64_t ordinal = 0;
    unsigned slot = 0;  ///< to go on with
    Cycle resolve = 0, restart = 0;
  };
  // core.cpp: SteppedCore
  friend SteppedCore<Ia64Core>;
  void start();
  void step();
  [[nodiscard]] Cycle next() const {
    return back_end_from_ <= now_ + 1 ? now_ + 1 : std::max(next_event(), now_ + 1);  // nothing is earlier
  }
  [[nodiscard]] Cycle next_event() const;
  [[nodiscard]] inline bool finished() const;
  [[nodiscard]] std::string never_completes() { return thread_->program.never_completes(now_); }
  [[nodiscard]] bool at_rest() const {
    return thread_->front.size() == 0 && group_.empty() && leaving_.empty() && finals_.empty() &&
           stalled_ == stalls_.size() && !flush_.active && mode_return_ == activity::never;
  }
  /// No dispersed instruction is in flight, and no flush or trap of the program is unfinished.
  [[nodiscard]] bool may_enter_handler() const {
    return leaving_.empty() && finals_.empty() && !flush_.active && mode_return_ == activity::never &&
           handler_left_ == 0;
  }
  void end_directives();
  void lower_pins();
  void ends_at(Cycle at) { ends_ = std::min(ends_, at); }

  // back_end.cpp
  void back_end();
  [[gnu::always_inline]] bool form_group(Cycle& wake);
  void go_on_behind(Fetched& first, unsigned began, Reach::Ends ends);
  [[nodiscard, gnu::always_inline]] Reach::Ends disperse(Fetched& f, unsigned position, const Reach& reach);
  inline void note_skipped(Fetched& f);
  inline void note_held(Fetched& f, unsigned position, Ports& ports, std::uint16_t& held);
  inline Instruction& record(Fetched& f, unsigned slot);
  [[nodiscard]] inline unsigned recorded(const Fetched& f) const;
  Instruction& offered(Fetched& f, unsigned slot, unsigned position, std::uint64_t window);
  [[nodiscard, gnu::always_inline]] bool group_waits(Cycle& until, std::uint64_t& state);
  void show_exit();
  inline void resolve_flush();
  inline void arm_flush();

  // issue.cpp
  void issue();
  [[gnu::always_inline]] void issue_part(const Group::Part& part);
  inline void issue_each(const Group::Part& part, unsigned slots);
  [[nodiscard]] inline Cycle hit(const Operation& op, const trace::Instruction& executed);
  inline void issue_one(const Pick& pick, const Fetched& f);
  inline void issue_wrong_path(const Fetched& f, unsigned slots);
  inline void note_frame(const Operation& op, Instruction& instruction) const;
  inline void leave_part(const Fetched& f, unsigned slots, bool last);
  /// Registers that an annotation sets have their new values after the bundle.
  void apply_annotations(const Fetched& f) {
    thread_->frames.apply(*f.entry->instruction.annotations);
    rename();
  }
  inline void issue_rest(const Pick& pick, const Fetched& f, bool taken, bool last);
  static inline void note_outcome(const Pick& pick, const Fetched& f, bool taken);
  void rename() { thread_->registers.rename(thread_->frames.frame(), thread_->stack.bottom()); }
  inline Cycle access_memory(const Pick& pick, const Fetched& f, bool& cancelled);
  inline void speculate(const Pick& pick, const Fetched& f);
  [[nodiscard]] inline act::Deferral deferral_of(const trace::Annotations* keys, unsigned slot) const;
  void move_frame(const Pick& pick, const Fetched& f, bool taken);
  inline void special(const Pick& pick, const Fetched& f);
  inline void check_operands(const Pick& pick, const Fetched& f, bool last);
  inline void finish_group(std::uint64_t left, std::uint64_t made);

  // retirement
  [[nodiscard]] bool retires_now() const {
    return (!leaving_.empty() && leaving_.front().at <= now_) || (!finals_.empty() && finals_.front().at <= now_);
  }
  void retire();
  inline void retire_one(const Leaving& leaving);
  inline void retire_named(const Leaving& leaving, unsigned slot);
  inline void retired_of_program(const Leaving& leaving);
  void retired_of_handler();
  inline void after_retirement(Instruction& i, const Operation& op);
  void set_mode(Mode mode);
  void enter(Mode mode);
  void leave();
  void change_psr(const isa::Slot& slot);
  void enter_handler();

  // threads.cpp: switching between two threads
  [[nodiscard]] Thread& other_thread() const { return *threads_[1 - thread_->number]; }
  [[nodiscard]] Cycle next_of_threads() const;
  void attend_threads();
  inline void note_far_misses();
  inline void note_returns();
  [[nodiscard]] bool misses_opportunity(act::SwitchCause cause) const;
  void note_store(std::uint64_t address, std::uint32_t size);
  void note_invalidation(std::uint64_t address);
  void note_interrupt_of_the_other();
  void note_end();
  void ask_switch(act::SwitchCause cause, bool must);
  [[nodiscard]] inline bool may_go(const Thread& other);
  [[nodiscard]] bool drained() const {
    return leaving_.empty() && finals_.empty() && !flush_.active && mode_return_ == activity::never &&
           now_ >= ia32_until_ && clock_from_ <= now_;
  }
  void drain();
  void gate(act::SwitchGate why);
  void show_switching(std::uint64_t bits);
  void go_over();

  // stimulus.cpp: directives
  template <class Core, When memory>
  friend struct core::CommonDirectives;
  [[nodiscard]] const DirectiveRow<Ia64Core>& directive_row(const Operands& operands) const;
  Gate pass(Directives& directives, bool at_start) override;
  /// The front end delivers nothing for a number of cycles, from the next one on.
  void hold(Cycle cycles) { thread_->front.hold_until(now_ + 1 + cycles); }
  void do_bus(Operands& o);
  void do_cpl(Operands& o);
  void do_dcr(Operands& o);
  void do_ecc(Operands& o);
  void do_halt(Cycle cycles);
  void do_idle(Cycle cycles);
  void do_interrupt(Operands& o);
  void do_interface(Operands& o);
  void do_map(Operands& o);
  void do_memory(Operands& o);
  void do_mode(Operands& o);
  void do_pcr(Operands& o) {
    switch_disabled_ = o.required_choice("sd", {"0", "1"}) == 1;
    show_switching(0);
  }
  void do_pin(Operands& o);
  void do_preempt(Operands& o);
  void do_process(std::uint64_t process);
  void do_psr(Operands& o);
  void do_return(Operands& o);
  void do_snoop(Operands& o);
  void do_state(Operands& o);
  void do_switch();
  void do_tb(Operands& o);
  void do_thread(Operands& o);

  Machine machine_;
  Hierarchy hierarchy_;
  Walker walker_;
  DataSide data_;
  FetchMemory fetch_memory_;
  std::vector<std::unique_ptr<Thread>> threads_;
  Thread* thread_ = nullptr;  ///< the active one

  Cycle back_end_from_ = 0;  ///< next cycle in which the back end has something to do
  bool waits_for_bundles_ = false;
  Group group_;
  std::vector<Instruction*> on_wrong_path_;  ///< dispersed, killed when the branch resolves
  std::vector<Stall> stalls_;
  Instruction* faulting_ = nullptr;  ///< of the group: its access ended in a fault
  std::size_t stalled_ = 0;
  Flush flush_;
  Ring<Leaving, 64> leaving_;  ///< two parts a cycle, and stages of the pipe as many as core.exe_to_retire allows
  Ring<Final> finals_;

  /// A switch that is due.
  struct Switching {
    act::SwitchCause cause = act::SwitchCause::none;
    bool must = false;             ///< the thread is idle: it waits until the other one can continue
    unsigned gates = 0;            ///< bit n: SwitchGate n has delayed it
    bool draining = false;         ///< nothing more issues
    Cycle look = activity::never;  ///< next cycle in which to check
  };
  Switching switching_;
  Cycle timer_ = activity::never;  ///< end of the active thread's quantum
  Cycle last_issue_ = 0;
  bool progressed_ = false;       ///< the active thread has retired an instruction since it became active
  bool switch_disabled_ = false;  ///< PCR.sd

  Cycle mode_return_ = activity::never;  ///< cycle in which the kernel has finished a trap of the program
  // directives
  Cycle ends_ = activity::never;  ///< next cycle in which a directive or a trap of the program ends
  Cycle clock_from_ = 0;          ///< the clock stands still before this cycle
  std::array<Cycle, 16> pin_until_{};
  Cycle exit_changes_ = activity::never;  ///< cycle in which a further bundle reaches the exit of the buffer
  Cycle ia32_until_ = 0;
  bool interrupt_due_ = false;
  unsigned handler_instructions_ = 0;
  std::uint64_t handler_left_ = 0;  ///< instructions of the handler that have not retired
};

}  // namespace pmusim::core::ia64

extern template class pmusim::core::SteppedCore<pmusim::core::ia64::Ia64Core>;
