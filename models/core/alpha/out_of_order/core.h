// The 21264 core, composed of its units. One step is one cycle, in this order: due work of the memory side, data of
// loads, entry to the handler (perturbing mode), directives, replay traps, resolution of branches, retirement, load and
// store queues, issue, map, fetch. A unit that waits for a known cycle enters it in the agenda, and time advances to
// the next such cycle.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/core/alpha/out_of_order/front_end.h"
#include "models/core/alpha/out_of_order/issue_queues.h"
#include "models/core/alpha/out_of_order/load_store.h"
#include "models/core/alpha/out_of_order/map_stage.h"
#include "models/core/parts/stepped_core.h"

namespace pmusim::core::alpha::out_of_order {

class OutOfOrderCore final : public SteppedCore<OutOfOrderCore>, DirectiveGate {
 public:
  OutOfOrderCore(Chip chip, std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters);

  [[nodiscard]] std::uint64_t retired() const override { return retired_; }
  void take_interrupt(unsigned handler_instructions) override;
  [[nodiscard]] bool in_handler() const override { return in_handler_; }
  // For the units:
  /// False while the operation must not issue although its operands are ready.
  [[nodiscard]] bool may_issue(Sequence sequence);
  /// The operation, which is not a plain integer operate, issues in this cycle. Its result time is set, unless the
  /// result comes from memory, and that of its retirement is an integer operate's.
  void issued(Sequence sequence);
  /// The instruction and those after it will be fetched again; the trap occurs in cycle `at`.
  void condemn(Sequence sequence, act::Replay why, Cycle at);

 private:
  struct Replaying {
    Cycle at;
    Sequence sequence;
    act::Replay why;
  };

  // core.cpp: SteppedCore
  friend SteppedCore<OutOfOrderCore>;
  void start() { modes_.start(); }
  void step();
  [[nodiscard]] Cycle next() const { return machine_.agenda.next(); }
  [[nodiscard]] bool finished() const {
    return front_.ended() && flight_.empty() && load_store_.drained() && memory_.quiet() && !own_interrupt_due_ &&
           !in_flow_ && !in_handler_;
  }
  [[nodiscard]] std::string never_completes() { return program_.never_completes(now_); }
  void enter_own_interrupt();
  Gate pass(Directives& directives, bool at_start) override;
  void resolve_branches();
  void replay();
  void kill(Sequence from);

  // retirement.cpp: in order
  void retire();
  inline bool retire_one();
  [[nodiscard]] inline bool second_half_complete(Sequence first);
  inline void note_delay();
  inline void leave_instruction(Sequence sequence);
  void take_trap(Sequence sequence);
  void miss_in_flow(Instruction& by);
  void enter_flow(act::Trap cause, Instruction* by, std::uint64_t resume_line, std::uint32_t function = 0,
                  bool table_miss = false);
  void leave_flow();
  void leave_handler();

  Machine machine_;
  const OutOfOrderSettings pipeline_;
  Program program_;
  InFlight flight_;
  MemorySide memory_;
  Translation translation_;
  Modes modes_;
  Stimulus stimulus_;
  FrontEnd front_;
  LoadStore load_store_;
  IssueQueues queues_;
  MapStage map_;

  std::uint64_t retired_ = 0;
  Resolving resolving_;               ///< branches of the correct path
  std::vector<Replaying> replaying_;  ///< pending replay traps
  Cycle last_retired_ = 0;            ///< cycle in which the retire pointer moved last
  Cycle held_up_ = 0;                 ///< cycles for which the instruction that retires has held it up
  unsigned retire_credit_ = 0;
  Cycle credit_at_ = 0;
  Cycle clock_stopped_until_ = 0, paused_until_ = 0;
  // flows of PALcode that are not in the trace
  bool in_flow_ = false;
  Flow flow_;
  bool own_flow_ = false;        ///< the flow leads to the handler of take_interrupt()
  bool by_instruction_ = false;  ///< an instruction of the program caused the flow
  bool back_to_pal_ = false;     ///< the flow was entered from PALcode of the trace
  std::uint64_t resume_line_ = 0;
  struct Outer {
    Flow flow;
    bool by_instruction, back_to_pal;
  };
  std::optional<Outer> outer_flow_;  ///< the flow that this one interrupts: its read of the page table missed
  // perturbing mode
  bool in_handler_ = false, own_interrupt_due_ = false;
  unsigned handler_instructions_ = 0;
};

}  // namespace pmusim::core::alpha::out_of_order

extern template class pmusim::core::SteppedCore<pmusim::core::alpha::out_of_order::OutOfOrderCore>;
