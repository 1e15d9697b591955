#include <fmt/format.h>

#include "testbench/tests/list_models/ia64_lists.h"

namespace pmusim::testbench::ia64::lists {

namespace isa = trace::ia64;
using isa::BranchKind;
using isa::Whether;

namespace {

constexpr std::uint64_t bundle_bytes = 16;
std::uint64_t number_of(const models::Parameters& parameters, const char* name) {
  return static_cast<std::uint64_t>(parameters.get(name));
}
/// Branches that count a loop in ar.lc or ar.ec, and those that end one by their predicate.
bool is_counted(BranchKind kind) {
  return kind == BranchKind::cloop || kind == BranchKind::ctop || kind == BranchKind::cexit;
}
bool is_loop(BranchKind kind) { return is_counted(kind) || kind == BranchKind::wtop || kind == BranchKind::wexit; }
bool is_indirect(BranchKind kind) {
  return kind == BranchKind::indirect || kind == BranchKind::indirect_call || kind == BranchKind::ia;
}

}  // namespace

std::string Predicted::text() const {
  constexpr const char* outcomes[] = {"none", "correct", "wrong path", "wrong target"};
  return fmt::format("bundle {} at {:x} slot {}: predicted {}, {}taken, {}{}{}", bundle, ip, slot,
                     predicted_taken ? "taken" : "not taken", taken ? "" : "not ",
                     outcomes[static_cast<std::size_t>(prediction)], unknown ? ", unknown" : "",
                     flush ? ", found by the back end" : "");
}

Branches::Branches(std::unique_ptr<trace::Reader> trace, const models::Parameters& p)
    : trace_(std::move(trace)),
      line_(number_of(p, "core.l1i_line")),
      lines_(number_of(p, "core.stream_lines")),
      return_places_(number_of(p, "core.return_entries")),
      history_bits_(static_cast<unsigned>(p.get("core.history_bits"))),
      loops_(p.get("core.loop_prediction") != 0),
      late_target_(p.get("core.late_target") != 0),
      prefetches_(p.get("core.instruction_prefetch") != 0),
      counters_(number_of(p, "core.history_entries"), {static_cast<unsigned>(p.get("core.history_start"))}),
      known_(number_of(p, "core.target_entries")),
      history_(history_bits_, false) {}

bool Branches::next(Predicted& branch) {
  trace::Item item;
  while (ready_.empty()) {
    if (!trace_->next(item)) return false;
    if (item.directive == nullptr) step(item.instruction);
  }
  branch = ready_.front();
  ready_.pop_front();
  ++count_;
  return true;
}

const isa::Bundle& Branches::decoded(const trace::Code& code) {
  if (code.id >= bundles_.size()) bundles_.resize(code.id + 1);
  if (bundles_[code.id] == nullptr) bundles_[code.id] = std::make_unique<isa::Bundle>(isa::decode(code));
  return *bundles_[code.id];
}

/// The place of a branch among those that are known: its bundle's number, exclusive or with 32 of it, and twice its
/// slot and 8 more. It is a choice of the core.
Branches::Known& Branches::place(std::uint64_t pc, unsigned number) {
  const std::uint64_t bundle = pc / bundle_bytes;
  return known_[(bundle ^ (bundle * 32 + 8 + 2 * number)) % known_.size()];
}

/// The counter of a branch after the latest branches: three times the bundle's number and the slot, exclusive or with
/// the history times four. It is a choice of the core.
Counter& Branches::counter(std::uint64_t pc, unsigned number) {
  std::uint64_t history = 0;
  for (std::size_t i = 0; i < history_.size(); ++i) history += history_[i] ? std::uint64_t{1} << i : 0;
  return counters_[((pc / bundle_bytes * 3 + number) ^ (history * 4)) % counters_.size()];
}

Branches::Guess Branches::guess(const isa::Slot& slot, std::uint64_t pc, unsigned number, bool taken) {
  Guess g;
  const Known& known = place(pc, number);
  const bool met = known.bundle == pc && known.slot == number && known.bundle != 0;
  const bool hint = slot.whether == Whether::sptk || slot.whether == Whether::dptk;
  const bool is_static = slot.whether == Whether::sptk || slot.whether == Whether::spnt;
  if (loops_ && is_counted(slot.branch)) {
    g.taken = taken;
  } else if (slot.predicate == 0 && !is_loop(slot.branch)) {
    g.taken = true;
  } else if (is_static) {
    g.taken = hint;
  } else if (met) {
    g.taken = counter(pc, number).upper_half();
  } else {
    g.taken = hint;
    g.unknown = true;
  }
  if (!g.taken) return g;
  if (slot.branch == BranchKind::ret) {
    g.target = returns_.empty() ? 0 : returns_.back();
  } else if (is_indirect(slot.branch)) {
    g.target = met ? known.target : 0;
  } else {
    g.target = slot.target;
    g.corrected = met ? known.target != 0 && known.target != slot.target : late_target_;
  }
  return g;
}

void Branches::learn(const isa::Slot& slot, std::uint64_t pc, unsigned number, bool taken, std::uint64_t target) {
  Known& known = place(pc, number);
  if (known.bundle != pc || known.slot != number) known = {pc, number, 0};
  if (taken) known.target = target;
  if (slot.predicate != 0 || is_loop(slot.branch)) {
    counter(pc, number).follow(taken);
    history_.push_front(taken);
    history_.pop_back();
  }
  if (!taken) return;
  if (slot.branch == BranchKind::call || slot.branch == BranchKind::indirect_call) {
    if (returns_.size() == return_places_) returns_.pop_front();
    returns_.push_back(pc + bundle_bytes);
  } else if (slot.branch == BranchKind::ret && !returns_.empty()) {
    returns_.pop_back();
  }
}

void Branches::ask(std::uint64_t address, std::uint64_t lines, bool streaming) {
  if (!prefetches_) return;
  for (std::uint64_t i = 0; i < lines; ++i) hinted_.push_back({address / line_ * line_ + i * line_, streaming, false});
}

void Branches::step(const trace::Instruction& executed) {
  const isa::Bundle& bundle = decoded(*executed.code);
  const std::uint64_t pc = executed.code->pc;
  unsigned taken_slot = 3;
  for (unsigned i = 0; executed.taken && i < 3; ++i) {
    if (executed.mask[i] == 'x') taken_slot = i;  // nothing is reached after it
  }
  for (unsigned i = 0; i < 3; ++i) {
    const isa::Slot& slot = bundle.slots[i];
    if (executed.mask[i] == '-' || slot.unit == isa::Unit::L) continue;
    if (slot.kind == isa::Kind::branch_predict && slot.has_target) ask(slot.target, slot.many ? lines_ : 1, slot.many);
    if (!slot.is_branch()) continue;
    const bool taken = i == taken_slot;
    const Guess g = guess(slot, pc, i, taken);
    learn(slot, pc, i, taken, executed.target);
    Predicted p{ordinal_, pc, i, g.taken, taken, g.unknown, false, act::Prediction::correct};
    if (g.taken != taken) {
      p.prediction = act::Prediction::wrong_path;
      p.flush = true;
    } else if (taken && g.target != executed.target) {
      p.prediction = act::Prediction::wrong_target;
      p.flush = true;
    } else if (taken && g.corrected) {
      p.prediction = act::Prediction::wrong_target;
    }
    if (taken && !p.flush && slot.many) ask(executed.target + line_, lines_, true);
    ready_.push_back(p);
  }
  ++ordinal_;
}

}  // namespace pmusim::testbench::ia64::lists
