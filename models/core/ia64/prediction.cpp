#include "models/core/ia64/prediction.h"

namespace pmusim::core::ia64 {

BranchPrediction::BranchPrediction(const Settings& settings)
    : settings_(settings),
      counters_(static_cast<std::uint32_t>(settings.history_entries),
                static_cast<std::uint8_t>(settings.history_start)),
      known_(static_cast<std::size_t>(settings.target_entries)) {}

/// Before decode has read the displacement, fetch follows an IP-relative branch to its last target. An unknown branch
/// has none, and the target is wrong if the code has changed.
bool BranchPrediction::decode_corrects(const Known* known, std::uint64_t target) const {
  if (settings_.immediate_bubbles == 0) return false;
  if (known == nullptr) return settings_.late_target != 0;
  return known->target != 0 && known->target != target;
}

Guess BranchPrediction::guess(const StaticBundle& bundle, const Operation& branch, bool loop_ends) const {
  const isa::Slot& slot = *branch.slot;
  const BranchFacts& facts = branch.predicted;
  const Known& known = known_[facts.known_at];
  const bool met = known.branch == facts.name;
  Guess guess;
  switch (facts.direction) {
    case Direction::count:
      guess.taken = slot.branch == isa::BranchKind::cexit ? loop_ends : !loop_ends;
      if (!loop_ends) break;
      guess.bubbles = settings_.loop_bubbles;
      guess.why = act::FrontEnd::perfect_loop_prediction;
      break;
    case Direction::history:
      guess.unknown = !met;
      guess.taken = met ? counters_.taken(index(facts)) : facts.hinted;
      break;
    default:
      guess.taken = facts.direction == Direction::always_taken;
      break;
  }
  if (!guess.taken) return guess;

  switch (branch.branch_class) {
    case act::BranchClass::return_:
      guess.target = return_stacks_[thread_].empty() ? 0 : return_stacks_[thread_].back();
      guess.bubbles = settings_.return_bubbles;
      guess.why = act::FrontEnd::bubble;
      break;
    case act::BranchClass::indirect:
      guess.target = met ? known.target : 0;
      guess.bubbles = settings_.indirect_bubbles;
      guess.why = act::FrontEnd::bubble;
      break;
    default:
      guess.target = slot.target;
      guess.corrected = decode_corrects(met ? &known : nullptr, slot.target);
      if ((!met || guess.corrected) && guess.bubbles < settings_.immediate_bubbles) {
        guess.bubbles = settings_.immediate_bubbles;
        guess.why = act::FrontEnd::branch_immediate;
      }
      break;
  }
  if (bundle.multiway && guess.bubbles < settings_.multiway_bubbles) {
    guess.bubbles = settings_.multiway_bubbles;
    guess.why = act::FrontEnd::branch_interlock;
  }
  return guess;
}

void BranchPrediction::learn(const StaticBundle& bundle, const Operation& branch, bool taken, std::uint64_t target) {
  const BranchFacts& facts = branch.predicted;
  Known& known = known_[facts.known_at];
  if (known.branch != facts.name) known = {facts.name, 0};
  if (taken) known.target = target;
  if (facts.trains) {
    counters_.update(index(facts), taken);
    history_ = (history_ << 1 | (taken ? 1 : 0)) & ((std::uint64_t{1} << settings_.history_bits) - 1);
  }
  if (!taken) return;
  std::vector<std::uint64_t>& returns = return_stacks_[thread_];
  if (branch.has(act::Kind::call)) {
    if (returns.size() == settings_.return_entries) returns.erase(returns.begin());
    returns.push_back(bundle.decoded.pc + sizeof(trace::Code::bytes));
  } else if (branch.branch_class == act::BranchClass::return_ && !returns.empty()) {
    returns.pop_back();
  }
}

}  // namespace pmusim::core::ia64
