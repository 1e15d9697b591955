#include "models/core/ia64/front_end.h"

#include "pmusim/trace/text.h"

namespace pmusim::core::ia64 {

namespace {

constexpr std::uint64_t bundle_bytes = 16;
constexpr unsigned no_slot = 3;

}  // namespace

FrontEnd::FrontEnd(Machine& machine, FetchMemory& memory, BranchPrediction& prediction, Program& program,
                   Bundles& bundles, DirectiveGate& gate)
    : machine_(machine), program_(program), bundles_(bundles), gate_(gate), memory_(memory), prediction_(prediction) {}

void FrontEnd::show(act::FrontEnd why, unsigned missing) {
  if (missing == 0) why = act::FrontEnd::none;
  reason_ = why;
  if (machine_.recorder.subscribes_to(State::front_end))
    machine_.recorder.set(State::front_end, act::front_end(why, missing));
}

void FrontEnd::redirect(std::uint64_t ordinal, unsigned slot, Cycle from) {
  memory_.abandon(machine_.now);
  for (std::size_t i = 0; i < buffer_.size(); ++i) {
    const Fetched& f = buffer_.at(i);
    for (const unsigned slot : Each(f.named)) machine_.recorder.drop(*f.instructions[slot]);
  }
  buffer_.clear();
  branches_ = 0;
  waits_.clear();
  waited_ = 0;
  asked_ = false;
  on_path_ = true;
  lost_ = gated_ = ended_ = in_handler_ = false;
  cursor_ = ordinal;
  start_slot_ = slot;
  next_ = std::max(from, machine_.now);
  show(act::FrontEnd::flush, 2);
}

void FrontEnd::enter_handler(std::uint64_t bundles, Cycle from) {
  redirect(cursor_, 0, from);
  in_handler_ = true;
  handler_bundles_ = bundles;
  pc_ = machine_.settings.handler;
}

void FrontEnd::act() {
  if (machine_.now < hold_) {
    next_ = hold_;
    return;
  }
  if (waited_ < waits_.size()) return wait();
  waits_.clear();
  waited_ = 0;
  Program::Entry* entry = nullptr;
  if (asked_ || start(entry)) deliver(entry);
}

void FrontEnd::wait() {
  const Idle idle = waits_[waited_++];
  show(idle.why, 2);
  next_ = machine_.now + idle.cycles;
}

/// The structure that has no room for another pair of bundles.
act::FrontEnd FrontEnd::full() const {
  const Settings& s = machine_.settings;
  const unsigned leave_now = left_at_ == machine_.now ? left_branches_ : 0;
  const bool buffer = size() + 2 > s.buffer_bundles;
  const bool queue = branches_ + leaving_branches_ + leave_now >= s.branch_queue;
  if (buffer && (!queue || s.front_end_order != 0)) return act::FrontEnd::buffer_full;
  return queue ? act::FrontEnd::branch_queue : act::FrontEnd::none;
}

/// Asks for the next pair of bundles, which begins with `entry` on the program's path. True if it is there in this
/// cycle.
inline bool FrontEnd::start(Program::Entry*& entry) {
  next_ = activity::never;
  if (lost_) {
    show(act::FrontEnd::bubble, 2);
    return false;
  }
  if (in_handler_) {
    if (handler_bundles_ == 0) return false;
  } else if (on_path_) {
    entry = program_.at(cursor_);
    gated_ = (entry == nullptr || entry->directives.due()) &&
             gate_.pass(program_.directives_at(cursor_), true) != Gate::open;
    if (machine_.now < hold_) {
      gated_ = false;
      next_ = hold_;
      return false;
    }
    if (gated_ || entry == nullptr) {
      ended_ = !gated_ && entry == nullptr;
      show(act::FrontEnd::flush, 2);
      return false;
    }
    pc_ = entry->instruction.code->pc;
  }
  if (const act::FrontEnd why = full(); why != act::FrontEnd::none) {
    show(why, 2);
    if (left_at_ == machine_.now && left_branches_ != 0) next_ = machine_.now + 1;
    return false;
  }
  const trace::Annotations* keys = entry != nullptr ? entry->instruction.annotations : nullptr;
  asked_ = true;
  memory_.demand(pc_, !on_path_, translated_, keys, machine_.now, waits_);
  if (waits_.empty()) return true;
  wait();
  return false;
}

/// `entry`: the first one, if it is known.
inline void FrontEnd::deliver(Program::Entry* entry) {
  asked_ = false;
  memory_.settle();
  next_ = machine_.now + 1;
  unsigned delivered = 0;
  const std::uint64_t pair = pc_ / FetchMemory::pair_bytes;
  bool more = true;
  while (more && pc_ / FetchMemory::pair_bytes == pair) {
    const trace::Code* code = nullptr;
    if (in_handler_) {
      if (handler_bundles_ == 0) break;
      --handler_bundles_;
    } else if (on_path_) {
      if (entry == nullptr) entry = program_.at(cursor_);
      if (entry == nullptr || entry->instruction.code->pc != pc_ || entry->directives.due()) break;
      code = entry->instruction.code;
    } else {
      code = program_.find(pc_);
      if (code == nullptr) {
        lost_ = true;
        break;
      }
    }
    more = add(pc_, entry, in_handler_ ? bundles_.handler() : bundles_.of(*code));
    entry = nullptr;
    ++delivered;
  }
  show(lost_ ? act::FrontEnd::bubble : act::FrontEnd::unreached, 2 - std::min(delivered, 2u));
}

/// Puts a bundle into the buffer and computes the next fetch address. False if that is not the next bundle.
inline bool FrontEnd::add(std::uint64_t pc, Program::Entry* entry, const StaticBundle& bundle) {
  Fetched& f = buffer_.add();
  f.entry = entry;
  f.bundle = &bundle;
  f.pc = pc;
  f.tagged = machine_.now;
  f.available = machine_.now + machine_.settings.fetch_to_buffer;
  f.next = static_cast<std::uint8_t>(start_slot_);
  start_slot_ = 0;
  pc_ = pc + bundle_bytes;
  if (in_handler_) {
    f.handler = true;
  } else if (entry == nullptr) {
    f.right_path = 0;
    if (bundle.branches != 0) predict_wrong_path(f);
  } else {
    f.ordinal = cursor_;
    ++cursor_;
    const trace::Instruction& executed = entry->instruction;
    f.annotated = executed.annotations != nullptr;
    if (f.annotated && entry->accesses_registers())
      machine_.recorder.subscribe(activity::Subscription::everything());  // long before the access
    f.final_slot = no_slot - 1;
    // Compared one by one: the bytes were just written one by one, and a wider load would have to wait for the stores.
    const std::array<char, 3>& mask = executed.mask;
    if (mask[0] != 'x' || mask[1] != 'x' || mask[2] != 'x') note_mask(f, mask);
    if (executed.taken)
      f.taken_slot = static_cast<std::uint8_t>(end_of(f.executes | 1u) - 1);  // the last that executes
    if ((bundle.steers & f.reached) != 0) predict(f);
    // An interruption or fault inside the bundle: later slots never execute, and fetch restarts.
    if (f.final_slot < no_slot - 1 && !f.cut && f.flush == FlushKind::none) f.cut_behind(f.final_slot);
  }
  branches_ += f.branches;
  return !f.cut && !lost_;
}

/// A bundle of which some slots are not reached or not executed.
void FrontEnd::note_mask(Fetched& f, const std::array<char, 3>& mask) {
  f.reached = f.executes = 0;
  for (unsigned slot = 0; slot < no_slot; ++slot) {
    f.reached |= static_cast<std::uint8_t>((mask[slot] != '-' ? 1 : 0) << slot);
    f.executes |= static_cast<std::uint8_t>((mask[slot] == 'x' ? 1 : 0) << slot);
  }
  for (; ((f.bundle->first & ~f.reached) >> f.next & 1) != 0; ++f.next) ++f.skipped;
  const unsigned instructions = f.bundle->first & f.reached;
  f.final_slot = static_cast<std::uint8_t>(instructions != 0 ? end_of(instructions) - 1 : 0);
}

void FrontEnd::divert(Fetched& f, unsigned slot, FlushKind kind, std::uint64_t wrong_pc) {
  f.flush = kind;
  f.flush_slot = static_cast<std::uint8_t>(slot);
  f.right_path = static_cast<std::uint8_t>(slots_between(0, slot + 1));
  if (kind != FlushKind::branch) f.end_group_with(slot);
  on_path_ = false;
  pc_ = wrong_pc;
  if (machine_.settings.wrong_path == 0 || wrong_pc == 0) lost_ = true;
}

void FrontEnd::predict(Fetched& f) {
  const trace::Instruction& executed = f.entry->instruction;
  const unsigned taken_slot = f.taken_slot, left = f.reached & slots_between(f.next, no_slot);
  const trace::Mispredict forced =
      executed.annotations != nullptr ? executed.annotations->mispredict : trace::Mispredict::unset;
  // The branch that a forced outcome is about.
  const unsigned branches = left & f.bundle->branches;
  const unsigned subject = forced != trace::Mispredict::unset && branches != 0 ? end_of(branches) - 1 : no_slot;
  for (const unsigned i : Each(left & f.bundle->steers)) {
    const Operation& op = f.bundle->operations[i];
    const bool taken = i == taken_slot;
    if (!op.has(act::Kind::branch)) {
      if (op.slot->kind == isa::Kind::branch_predict)
        memory_.prefetch(op.slot->target, op.slot->many, machine_.now + 1);
      const bool flushes = op.flush != FlushKind::none && (f.executes >> i & 1) != 0;
      if (!flushes || (op.flush == FlushKind::check && !taken)) continue;
      return divert(f, i, op.flush, f.pc + bundle_bytes);
    }
    const bool loop_ends = op.loop_branch && (op.slot->branch == isa::BranchKind::cexit ? taken : !taken);
    Guess guess = prediction_.guess(*f.bundle, op, loop_ends);
    prediction_.learn(*f.bundle, op, taken, executed.target);
    if (i == subject) {
      guess.taken = forced == trace::Mispredict::path ? !taken : taken;
      guess.target = forced == trace::Mispredict::target ? f.pc + bundle_bytes
                     : taken                             ? executed.target
                                                         : op.slot->target;
      guess.corrected = false;
    }
    Fetched::SlotFate& fate = f.fate[i];
    fate.unknown = guess.unknown;
    fate.predicted_taken = guess.taken;
    ++f.branches;
    if (guess.taken != taken) {
      fate.prediction = act::Prediction::wrong_path;
      if (guess.taken) {
        f.cut_behind(i);
      }
      return divert(f, i, FlushKind::branch, guess.taken ? guess.target : f.pc + bundle_bytes);
    }
    if (taken && guess.target != executed.target) {
      fate.prediction = act::Prediction::wrong_target;
      f.cut_behind(i);
      return divert(f, i, FlushKind::branch, guess.target);
    }
    fate.prediction = taken && guess.corrected ? act::Prediction::wrong_target : act::Prediction::correct;
    if (guess.bubbles != 0) waits_.push_back({guess.why, guess.bubbles});
    if (taken) {
      f.cut_behind(i);
      if (op.slot->many) memory_.prefetch(executed.target + machine_.settings.l1i_line, true, machine_.now + 1);
      return;
    }
  }
}

/// On a wrong path the predictor predicts but is not trained.
void FrontEnd::predict_wrong_path(Fetched& f) {
  for (const unsigned i : Each(f.bundle->branches)) {
    const Operation& op = f.bundle->operations[i];
    const Guess guess = prediction_.guess(*f.bundle, op, false);
    if (!guess.taken) continue;
    f.cut_behind(i);
    pc_ = guess.target;
    lost_ = lost_ || guess.target == 0;
    if (guess.bubbles != 0) waits_.push_back({guess.why, guess.bubbles});
    return;
  }
}

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
