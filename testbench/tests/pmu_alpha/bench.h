// Shared parts of the Alphas' monitor tests: registers and fields as in the manuals, activity with Alpha records, and
// short ways to count an event.
#pragma once

#include <memory>
#include <utility>

#include "models/alpha/alpha.h"
#include "testbench/tests/monitors/hand_made.h"

namespace pmusim::testing {

using activity::alpha::IssueStall;
using activity::alpha::Kind;
using activity::alpha::Replay;
using activity::alpha::SystemCommand;
using activity::alpha::Trap;

inline constexpr RegisterId ipr(std::uint32_t number) { return {pmu::Space::ipr, number}; }
inline constexpr std::uint64_t field(unsigned shift, std::uint64_t value) { return value << shift; }

using Make = std::unique_ptr<Monitor> (*)(Flips);
inline std::unique_ptr<Monitor> make_ev4(Flips flips = {}) {
  return make_with(pmu::alpha_ev4_pmu_parameters(), pmu::make_alpha_ev4_monitor, flips);
}
inline std::unique_ptr<Monitor> make_ev5(Flips flips = {}) {
  return make_with(pmu::alpha_ev5_pmu_parameters(), pmu::make_alpha_ev5_monitor, flips);
}
inline std::unique_ptr<Monitor> make_pca56(Flips flips = {}) {
  return make_with(pmu::alpha_pca56_pmu_parameters(), pmu::make_alpha_pca56_monitor, flips);
}
inline std::unique_ptr<Monitor> make_ev6(Flips flips = {}) {
  return make_with(pmu::alpha_ev6_pmu_parameters(), pmu::make_alpha_ev6_monitor, flips);
}
inline std::unique_ptr<Monitor> make_ev67(Flips flips = {}) {
  return make_with(pmu::alpha_ev67_pmu_parameters(), pmu::make_alpha_ev67_monitor, flips);
}

class Activity : public HandMade {
 public:
  using HandMade::add;
  using HandMade::HandMade;
  /// An instruction with its Alpha part.
  std::uint32_t add(const activity::InstructionRecord& record, const activity::alpha::Instruction& more) {
    mutable_block().alpha_instructions.resize(block().instructions.size());
    mutable_block().alpha_instructions.push_back(more);
    return HandMade::add(record);
  }
  /// Adds an instruction of one of these kinds.
  std::uint32_t instruction(std::uint32_t kinds, bool mispredicted = false) {
    activity::InstructionRecord record;
    record.id = block().instructions.size();
    record.mispredicted = mispredicted;
    activity::alpha::Instruction more;
    more.kinds = kinds;
    return add(record, more);
  }
};

/// An occurrence in cycle 5, or a state in cycles 5 to 7.
struct Stimulus {
  const char* what;
  Signal signal = Signal::count_;
  unsigned detail = 0;
  std::uint32_t kinds = 0;
  bool mispredicted = false;
  unsigned amount = 1;
  State state = State::count_;
  std::uint64_t value = 0;
};
inline Stimulus occurrence(const char* what, Signal signal, unsigned detail = 0) { return {what, signal, detail}; }
template <class... Kinds>
Stimulus of_kind(const char* what, Signal signal, Kinds... kinds) {
  return {what, signal, 0, (0u | ... | activity::alpha::bit(kinds))};
}
inline Stimulus stall(const char* what, IssueStall cause) {
  Stimulus h{what};
  h.state = State::issue_stall;
  h.value = static_cast<std::uint64_t>(cause);
  return h;
}
inline Stimulus several(Stimulus h, unsigned amount) {
  h.amount = amount;
  return h;
}

/// Twelve cycles with the stimulus.
inline Activity with(const Stimulus& h) {
  Activity activity(12);
  activity.state(State::process_marked, 0);
  if (h.state != State::count_) {
    activity.change(h.state, 5, h.value).change(h.state, 8, 0);
  } else {
    activity.occur(h.signal, 5, static_cast<std::uint16_t>(h.detail), activity.instruction(h.kinds, h.mispredicted),
                   h.amount);
  }
  return activity;
}

}  // namespace pmusim::testing
