// Fetch, branch prediction and the instruction buffer. A fetch takes a pair of bundles a cycle; they can be dispersed
// core.fetch_to_buffer cycles later. After a misprediction it follows the wrong path through the trace's dictionary.
#pragma once

#include <array>
#include <vector>

#include "models/core/ia64/fetch_memory.h"
#include "models/core/ia64/fifo.h"
#include "models/core/ia64/machine.h"
#include "models/core/ia64/operation.h"
#include "models/core/parts/predictor.h"
#include "models/core/parts/program.h"

namespace pmusim::core::ia64 {

// Branch prediction: directions from two-bit counters with a global history, or from the hint while a branch is
// unknown; targets from the encoding, the return stack, or the last target of an indirect branch.

struct Guess {
  bool taken = false;
  bool unknown = false;      ///< there was no prediction of the direction
  bool corrected = false;    ///< predicted taken: fetch went elsewhere until decode computed the target
  std::uint64_t target = 0;  ///< 0: not known
  Cycle bubbles = 0;         ///< predicted taken: cycles without fetch
  act::FrontEnd why = act::FrontEnd::none;
};

class BranchPrediction {
 public:
  explicit BranchPrediction(const Settings& settings);

  /// The prediction for this branch. `actual_taken` is used where the loop predictor knows the count.
  [[nodiscard]] Guess guess(const StaticBundle& bundle, const Operation& branch, bool loop_ends) const;
  /// Trains the predictor with the outcome of a branch on the program's path.
  void learn(const StaticBundle& bundle, const Operation& branch, bool taken, std::uint64_t target);
  /// Selects the return stack of a thread.
  void set_thread(unsigned thread) { thread_ = thread; }

 private:
  struct Known {
    std::uint64_t branch = 0;  ///< bundle address and slot; 0: none
    std::uint64_t target = 0;  ///< where it went last, if it was taken
  };
  [[nodiscard]] std::uint64_t index(const BranchFacts& branch) const { return branch.history_at ^ history_ << 2; }

  const Settings& settings_;
  TwoBitTable counters_;
  [[nodiscard]] bool decode_corrects(const Known* known, std::uint64_t target) const;
  std::vector<Known> known_;
  std::array<std::vector<std::uint64_t>, 2> return_stacks_;  ///< a thread's each, youngest last
  unsigned thread_ = 0;
  std::uint64_t history_ = 0;
};

/// One bundle in the instruction buffer.
struct Fetched {
  struct SlotFate {
    act::Prediction prediction = act::Prediction::none;
    bool unknown = false;
    bool predicted_taken = false;
  };
  Program::Entry* entry = nullptr;  ///< null: wrong path
  const StaticBundle* bundle = nullptr;
  std::uint64_t ordinal = 0;
  std::uint64_t pc = 0;
  Cycle tagged = 0, available = 0;
  std::uint8_t next = 0;        ///< first slot that has not been dispersed
  std::uint8_t last = 2;        ///< last slot that is offered to dispersal
  std::uint8_t skipped = 0;     ///< slots before the entry into its middle
  std::uint8_t branches = 0;    ///< predicted branches in it
  std::uint8_t most = 3;        ///< the group ends with this slot; 3: it does not
  std::uint8_t right_path = 7;  ///< slots on the program's path, or the handler's
  std::uint8_t reached = 7;     ///< slots that the program reaches
  std::uint8_t executes = 7;    ///< slots with a true predicate
  std::uint8_t taken_slot = 3;  ///< holds the branch that the program takes; 3: none
  std::uint8_t final_slot =
      0;             ///< from here on a slot's instruction is the last of the bundle that the program reaches
  bool cut = false;  ///< nothing goes with `last` or after it: fetch goes elsewhere
  FlushKind flush = FlushKind::none;
  std::uint8_t flush_slot = 3;
  bool handler = false;    ///< of the handler that take_interrupt() runs
  bool annotated = false;  ///< its line of the trace has keys
  std::array<SlotFate, 3> fate{};
  std::uint8_t named = 0;                    ///< slots that have a record: it is made when they are first offered
  std::array<Instruction*, 3> instructions;  ///< by slot, of those in `named`
  void end_group_with(unsigned slot) { most = static_cast<std::uint8_t>(std::min<unsigned>(most, slot)); }
  /// Slot `slot` is the last one that is offered, and the last one before fetch is redirected.
  void cut_behind(unsigned slot) {
    cut = true;
    last = static_cast<std::uint8_t>(slot);
    end_group_with(slot);
  }
  /// All its slots are dispersed.
  [[nodiscard]] bool is_dispersed() const { return next > last; }
};

class FrontEnd {
 public:
  FrontEnd(Machine& machine, FetchMemory& memory, BranchPrediction& prediction, Program& program, Bundles& bundles,
           DirectiveGate& gate);

  void step() {
    if (machine_.now >= next_) act();
  }
  /// Next cycle in which it has something to do; never if it waits for the back end.
  [[nodiscard]] Cycle next() const { return next_; }
  /// It waits for a directive; the core wakes it when the directive may take effect.
  [[nodiscard]] bool gated() const { return gated_; }
  void wake(Cycle at) {
    if (next_ == activity::never) next_ = at;
  }
  [[nodiscard]] bool ended() const { return ended_; }
  void hold_until(Cycle cycle) { hold_ = std::max(hold_, cycle); }

  // the buffer
  [[nodiscard]] std::size_t size() const { return buffer_.size(); }
  [[nodiscard]] Fetched& at(std::size_t i) { return buffer_.at(i); }
  void pop() {
    branches_ -= buffer_.at(0).branches;
    buffer_.pop();
    go_on();
  }
  /// First cycle in which the bundle at `i` can be dispersed; never if it has not been fetched.
  [[nodiscard]] Cycle available(std::size_t i) const { return i < size() ? buffer_.at(i).available : activity::never; }
  /// The reason why the youngest missing bundles are missing.
  [[nodiscard]] act::FrontEnd reason() const { return reason_; }
  /// A branch of `f` is dispersed: it has left the buffer, and stays in the branch retirement queue.
  void dispersed_branch(Fetched& f) {
    if (f.branches == 0) return;
    --f.branches;
    --branches_;
    ++leaving_branches_;
    if (machine_.settings.branch_queue_until != 0) retired_branch();
  }
  /// A branch leaves the branch retirement queue: its place can be used from the next cycle on.
  void retired_branch() {
    if (leaving_branches_ == 0) return;
    --leaving_branches_;
    if (left_at_ != machine_.now) left_branches_ = 0;
    left_at_ = machine_.now;
    ++left_branches_;
    go_on();
  }

  /// Discards everything in flight; fetch continues with this instruction of the program, slot `slot`, in cycle `from`.
  void redirect(std::uint64_t ordinal, unsigned slot, Cycle from);
  /// Fetches the handler, `bundles` of nops, then waits.
  void enter_handler(std::uint64_t bundles, Cycle from);
  /// The address of the next fetch on the program's path.
  [[nodiscard]] std::uint64_t cursor() const { return cursor_; }
  void set_translated(bool on) { translated_ = on; }

 private:
  /// Room has become free.
  void go_on() {
    if (next_ == activity::never && !gated_ && !ended_ && !lost_) next_ = machine_.now + 1;
  }
  void act();
  [[nodiscard, gnu::always_inline]] bool start(Program::Entry*& entry);
  void wait();
  [[nodiscard]] inline act::FrontEnd full() const;
  [[gnu::always_inline]] void deliver(Program::Entry* entry);
  [[gnu::always_inline]] bool add(std::uint64_t pc, Program::Entry* entry, const StaticBundle& bundle);
  static inline void note_mask(Fetched& f, const std::array<char, 3>& mask);
  inline void predict(Fetched& f);
  void predict_wrong_path(Fetched& f);
  void divert(Fetched& f, unsigned slot, FlushKind kind, std::uint64_t wrong_pc);
  void show(act::FrontEnd why, unsigned missing);

  Machine& machine_;
  Program& program_;
  Bundles& bundles_;
  DirectiveGate& gate_;
  FetchMemory& memory_;
  BranchPrediction& prediction_;
  Ring<Fetched, 2 * most_buffered> buffer_;
  std::vector<Idle> waits_;  ///< before the pair that was asked for is there, or the next one is asked for
  std::size_t waited_ = 0;
  bool asked_ = false;  ///< the pair at pc_ has been asked for
  Cycle next_ = 0, hold_ = 0;
  std::uint64_t cursor_ = 0;  ///< ordinal of the next instruction on the program's path
  unsigned start_slot_ = 0;
  std::uint64_t pc_ = 0;
  bool on_path_ = true;
  bool lost_ = false;  ///< on a wrong path whose code is not known
  bool gated_ = false, ended_ = false, translated_ = true;
  std::uint64_t handler_bundles_ = 0;  ///< still to be fetched
  bool in_handler_ = false;
  unsigned branches_ = 0;          ///< predicted branches in the buffer
  unsigned leaving_branches_ = 0;  ///< that were dispersed and are still in the branch retirement queue
  Cycle left_at_ = 0;              ///< the last cycle in which branches left it, and how many
  unsigned left_branches_ = 0;
  act::FrontEnd reason_ = act::FrontEnd::none;
};

}  // namespace pmusim::core::ia64
