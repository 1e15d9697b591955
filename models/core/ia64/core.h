// The IA-64 core put together. One step is one cycle in which something happens: what is due, retirement, the back
// end, the front end. The stages from dispersal (EXP) to execution (EXE) are one step here: the pipeline is in
// lockstep, so that a stall anywhere holds all that is behind it, and cycle numbers of the back end are EXP's.
#pragma once

#include "models/core/core.h"
#include "models/core/ia64/alat.h"
#include "models/core/ia64/data_side.h"
#include "models/core/ia64/front_end.h"
#include "models/core/ia64/ports.h"
#include "models/core/ia64/register_stack.h"
#include "models/core/ia64/registers.h"
#include "models/core/parts/directives.h"

namespace pmusim::core::ia64 {

/// First in, first out, without moving what is in it.
template <class T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const { return head_ == items_.size(); }
  T& front() { return items_[head_]; }
  const T& front() const { return items_[head_]; }
  void push(const T& item) { items_.push_back(item); }
  /// Gives those that were pushed since the last stamp their cycle.
  void stamp(Cycle at) {
    for (std::size_t i = items_.size(); i > head_ && items_[i - 1].at == 0; --i) items_[i - 1].at = at;
  }
  void pop() {
    if (++head_ == items_.size()) {
      items_.clear();
      head_ = 0;
    } else if (constexpr std::size_t slack = 256; head_ == slack) {
      items_.erase(items_.begin(), items_.begin() + slack);
      head_ = 0;
    }
  }

 private:
  std::vector<T> items_;
  std::size_t head_ = 0;
};

class Ia64Core final : public Core, FirstLevel, Gate {
 public:
  Ia64Core(std::unique_ptr<trace::Reader> trace, const Settings& settings);

  [[nodiscard]] Cycle now() const override { return now_; }
  bool run(Cycle limit, Block& block) override;
  bool run_instructions(std::uint64_t count, Block& block) override;
  [[nodiscard]] std::uint64_t retired() const override { return program_.begin(); }
  void take_interrupt(unsigned handler_instructions) override;
  [[nodiscard]] bool in_handler() const override { return interrupt_due_ || handler_left_ != 0; }

 private:
  /// One instruction of the group that is ready to go.
  struct Pick {
    const Operation* op;
    Instruction* instruction;
    std::uint8_t bundle;  ///< position in the window
    bool predicate;       ///< executes
    bool wrong_path;
  };
  /// An instruction on its way from execution to retirement.
  struct Leaving {
    Cycle at;
    const Operation* op;
    Instruction* instruction;
    Program::Entry* entry;  ///< null: handler
    std::uint64_t ordinal;
    bool last;  ///< of its bundle
    bool traps;
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
  struct Mode {
    std::uint64_t psr;
    unsigned cpl;
  };

  // core.cpp: the clock
  bool run_while(Cycle limit, std::uint64_t bundles, Block& block);
  void start_run();
  void step();
  [[nodiscard]] Cycle next() const;
  [[nodiscard]] bool finished() const;
  [[nodiscard]] bool at_rest() const;
  [[nodiscard]] bool may_enter_handler() const;

  // back_end.cpp
  void back_end();
  bool form_group(Cycle& wake);
  void disperse(Fetched& f, unsigned position, Ports& ports, std::uint16_t& held, bool& ends);
  void note_held(Fetched& f, unsigned position, std::uint16_t why);
  Instruction& record(Fetched& f, unsigned slot);
  [[nodiscard]] bool group_waits(Cycle& until, std::uint64_t& state);
  void show_exit();
  void resolve_flush();
  void arm_flush();

  // issue.cpp
  void issue();
  void issue_one(const Pick& pick, Fetched& f);
  Cycle access_memory(const Pick& pick, const Fetched& f, bool& cancelled);
  void speculate(const Pick& pick, const Fetched& f);
  void move_frame(const Pick& pick, const Fetched& f, bool taken);
  void special(const Pick& pick, const Fetched& f);
  void check_operands(const Pick& pick, const Fetched& f, bool last);
  void finish_group();

  // retirement.cpp
  void retire();
  void retire_one(const Leaving& leaving);
  void after_retirement(Instruction& i, const Operation& op);
  void set_mode(Mode mode);
  void enter(Mode mode);
  void leave();
  void change_psr(const isa::Slot& slot);
  void enter_handler();

  // stimulus.cpp: directives
  struct Stimulus;
  static const Stimulus* find_stimulus(std::string_view name);
  bool pass(Program::Entry* entry) override;
  void hold(Cycle cycles);
  void do_bus(Operands& o);
  void do_cpl(Operands& o);
  void do_ecc(Operands& o);
  void do_halt(Operands& o);
  void do_idle(Operands& o);
  void do_interrupt(Operands& o);
  void do_map(Operands& o);
  void do_memory(Operands& o);
  void do_mode(Operands& o);
  void do_pin(Operands& o);
  void do_process(Operands& o);
  void do_psr(Operands& o);
  void do_return(Operands& o);
  void do_snoop(Operands& o);
  void do_state(Operands& o);
  void do_switch(Operands& o);
  void do_tb(Operands& o);
  void do_thread(Operands& o);

  // FirstLevel
  void drop_data(std::uint64_t line, std::uint64_t bytes, Cycle at, bool by_snoop) override {
    data_.drop(line, bytes, at, by_snoop);
  }
  bool drop_code(std::uint64_t line, std::uint64_t bytes, Cycle at, bool by_snoop) override {
    return front_.memory().drop(line, bytes, at, by_snoop);
  }

  Machine machine_;
  Program program_;
  Bundles bundles_;
  Hierarchy hierarchy_;
  Walker walker_;
  DataSide data_;
  FrontEnd front_;
  Registers registers_;
  RegisterStack stack_;
  Alat alat_;
  isa::FrameTracker frames_;

  Cycle now_ = 0;
  bool started_ = false, ended_ = false;
  Cycle back_end_from_ = 0;  ///< next cycle in which the back end has something to do
  bool waits_for_bundles_ = false;
  std::vector<Pick> group_;
  std::vector<Instruction*> on_wrong_path_;  ///< dispersed, to be killed when the branch resolves
  std::vector<Stall> stalls_;
  Instruction* faulting_ = nullptr;  ///< of the group: its access ended in a fault
  std::size_t stalled_ = 0;
  Flush flush_;
  Fifo<Leaving> leaving_;
  Fifo<Final> finals_;

  Mode mode_{};
  std::vector<Mode> entered_from_;
  Cycle mode_return_ = activity::never;  ///< when the kernel is done with a trap of the program
  bool last_was_rfi_ = false;
  std::uint32_t trailing_done_ = 0;
  std::uint64_t resume_ordinal_ = 0;  ///< first instruction that has not retired: bundle
  unsigned resume_slot_ = 0;          ///< ... and slot
  std::uint64_t wrong_path_count_ = 0, handler_count_ = 0;
  // what the outside does
  Cycle clock_from_ = 0;  ///< the clock stands still before
  std::array<Cycle, 16> pin_until_{};
  Cycle next_pin_ = activity::never;
  Cycle exit_changes_ = activity::never;  ///< when a further bundle is at the exit of the buffer
  Cycle ia32_until_ = 0;
  bool interrupt_due_ = false;
  unsigned handler_instructions_ = 0;
  std::uint64_t handler_left_ = 0;  ///< instructions of the handler that have not retired
};

}  // namespace pmusim::core::ia64
