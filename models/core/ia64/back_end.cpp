// Dispersal, and what the back end does in a cycle: exactly one of issuing, flush, L1D and FPU stall, execution stall,
// register stack stall, or waiting for the front end.
#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

namespace dd = act::detail;
using act::BackEnd;

namespace {
constexpr unsigned slots = 3;
}

void Ia64Core::back_end() {
  if (now_ < back_end_from_) return;
  Log& log = machine_.log;
  waits_for_bundles_ = false;
  if (stalled_ < stalls_.size()) {
    const Stall stall = stalls_[stalled_++];
    log.set(State::back_end, stall.state);
    back_end_from_ = now_ + stall.cycles;
    return;
  }
  stalls_.clear();
  stalled_ = 0;
  if (flush_.active && !flush_.armed) arm_flush();
  if (flush_.active && now_ >= flush_.resolve) {
    resolve_flush();
    return;
  }
  const Cycle limit = flush_.active ? flush_.resolve : activity::never;
  if ((interrupt_due_ && group_.empty() && !flush_.active) || (switching_.draining && !flush_.active)) {
    // Nothing more goes before the interrupt is taken, or before the other thread.
    log.set(State::back_end, act::back_end(BackEnd::flush, act::cause::interruption));
    back_end_from_ = activity::never;
    return;
  }
  if (group_.empty()) {
    Cycle wake = activity::never;
    if (!form_group(wake)) {
      log.set(State::back_end, act::back_end(BackEnd::front_end));
      waits_for_bundles_ = true;
      back_end_from_ = std::min(wake, limit);
      return;
    }
  }
  Cycle until = 0;
  std::uint64_t state = 0;
  if (group_waits(until, state)) {
    log.set(State::back_end, state);
    back_end_from_ = std::min(until, limit);
    return;
  }
  log.set(State::back_end, act::back_end(BackEnd::issuing));
  back_end_from_ = now_ + 1;
  last_issue_ = now_;
  issue();
}

/// Bundles missing at the exit of the instruction buffer.
void Ia64Core::show_exit() {
  unsigned there = 0;
  while (there < 2 && thread_->front.available(there) <= now_) ++there;
  exit_changes_ = there < 2 ? thread_->front.available(there) : activity::never;
  const unsigned missing = 2 - there;
  const act::FrontEnd why = missing == 0                                     ? act::FrontEnd::none
                            : thread_->front.reason() == act::FrontEnd::none ? act::FrontEnd::bubble
                                                                             : thread_->front.reason();
  machine_.log.set(State::buffer_exit, act::front_end(why, missing));
}

Instruction& Ia64Core::record(Fetched& f, unsigned slot) {
  if (f.instructions[slot] != nullptr) return *f.instructions[slot];
  Instruction& i = machine_.log.new_instruction();
  f.instructions[slot] = &i;
  const Operation& op = f.bundle->operations[slot];
  activity::InstructionRecord& r = i.record;
  const bool wrong_path = slot >= f.wrong_from || (f.entry == nullptr && !f.handler);
  constexpr std::uint64_t wrong = std::uint64_t{1} << 63, handler = std::uint64_t{1} << 61;
  constexpr unsigned thread_shift = 62;
  r.id = wrong_path  ? wrong | ++thread_->wrong_path_count
         : f.handler ? handler | ++thread_->handler_count
                     : f.ordinal << 2 | slot;
  r.id |= std::uint64_t{thread_->number} << thread_shift;
  r.ip = f.pc;
  r.encoding = op.slot->encoding;
  r.tagged = f.tagged;
  constexpr std::uint16_t bundle_bytes = 16;
  r.length = bundle_bytes;
  r.slot = static_cast<std::uint8_t>(slot);
  r.wrong_path = wrong_path;
  r.thread = static_cast<std::uint8_t>(machine_.log.get(State::thread));
  r.predicted_taken = f.fate[slot].predicted_taken;
  if (op.has(act::Kind::branch)) r.traits |= activity::bit(activity::Trait::branch);
  i.syllable.kinds = op.kinds;
  i.syllable.type = op.type;
  i.syllable.branch_class = op.branch_class;
  i.syllable.fp_operations = op.slot->fp_operations;
  return i;
}

/// What is left of a bundle of the window.
void Ia64Core::note_held(Fetched& f, unsigned position, std::uint16_t why) {
  for (unsigned slot = f.next; slot <= f.last && slot < slots; ++slot) {
    if (!f.bundle->holds(slot)) continue;
    Instruction& i = record(f, slot);
    i.syllable.window = thread_->front.at(0).pc;
    i.syllable.second_bundle = position == 1;
    machine_.log.occur(Signal::syllable_held, i, why);
    if (f.bundle->mlx && slot == 2) machine_.log.occur(Signal::syllable_held, i, dd::held_long_immediate);
  }
}

void Ia64Core::disperse(Fetched& f, unsigned position, Ports& ports, std::uint16_t& held, bool& ends) {
  const unsigned first = f.next;
  while (!ends && f.next <= f.last && f.next < slots) {
    const unsigned slot = f.next;
    if (!f.bundle->holds(slot)) {
      ++f.next;
      continue;
    }
    const Operation& op = f.bundle->operations[slot];
    if (!ports.take(op, position == 1)) {
      held = dd::held_implicit_stop;
      ends = true;
      break;
    }
    ++f.next;
    Instruction& i = record(f, slot);
    i.syllable.window = thread_->front.at(0).pc;
    i.syllable.second_bundle = position == 1;
    const bool predicate = f.entry == nullptr || f.entry->instruction.mask[slot] == 'x';
    group_.push_back({&op, &i, static_cast<std::uint8_t>(position), predicate, i.record.wrong_path});
    f.instructions[slot] = nullptr;  // it is the group's now
    if (f.bundle->mlx && slot == 2) machine_.log.occur(Signal::syllable_held, i, dd::held_long_immediate);
    if (op.slot->stop_after) {
      held = dd::held_explicit_stop;
      ends = true;
    } else if ((f.followed && slot == f.last) || (f.flush_slot == slot && f.flush != FlushKind::branch)) {
      held = dd::held_implicit_stop;
      ends = true;
    }
  }
  if (f.skipped != 0 && first == f.skipped) {
    // The window begins in the middle of its bundle.
    machine_.log.occur(Signal::syllable_held, dd::held_long_immediate, f.skipped);
    f.skipped = 0;
  }
}

/// Makes the next group of the window. False if there is no bundle; `wake`: when there will be one.
bool Ia64Core::form_group(Cycle& wake) {
  while (thread_->front.available(0) <= now_ &&
         (thread_->front.at(0).next > thread_->front.at(0).last || thread_->front.at(0).next >= slots))
    thread_->front.pop();
  wake = thread_->front.available(0);
  if (wake > now_) return false;
  Ports ports;
  std::uint16_t held = 0;
  bool ends = false;
  Fetched& first = thread_->front.at(0);
  disperse(first, 0, ports, held, ends);
  note_held(first, 0, held);
  constexpr std::uint64_t bundle_bytes = 16;
  const bool behind = thread_->front.available(1) <= now_;
  if (behind && !first.followed && thread_->front.at(1).pc == first.pc + bundle_bytes) {
    Fetched& second = thread_->front.at(1);
    if (!ends && splits(*first.bundle, *second.bundle)) {
      held = dd::held_implicit_stop;
      ends = true;
    }
    if (!ends) disperse(second, 1, ports, held, ends);
    note_held(second, 1, held);
  } else if (!behind) {
    machine_.log.occur(Signal::syllable_held, dd::held_front_end, slots);
  }
  return true;
}

/// Whether the group has to wait in this cycle: for room in the memory pipe, then for registers.
bool Ia64Core::group_waits(Cycle& until, std::uint64_t& state) {
  unsigned accesses = 0, stores = 0;
  for (const Pick& pick : group_) {
    if (!pick.op->memory || pick.wrong_path || !pick.predicate) continue;
    ++accesses;
    stores += pick.op->slot->is_store() ? 1 : 0;
  }
  if (accesses != 0) {
    const DataSide::Room room = data_.room(now_, accesses, stores);
    if (room.from > now_) {
      until = room.from;
      state = act::back_end(BackEnd::l1d_fpu, room.cause);
      return true;
    }
  }
  thread_->registers.rename(thread_->frames.frame(), thread_->stack.bottom());
  Wait wait;
  for (const Pick& pick : group_) {
    if (pick.wrong_path) continue;
    const Wait one = thread_->registers.wait(*pick.op, pick.predicate);
    if (one.until > wait.until) wait = one;
  }
  if (wait.until <= now_) return false;
  until = wait.until;
  state = act::back_end(BackEnd::execute, wait.cause);
  return true;
}

void Ia64Core::arm_flush() {
  const Settings& s = machine_.settings;
  flush_.armed = true;
  const bool branch = flush_.kind == FlushKind::branch;
  flush_.resolve = now_ + (branch ? std::min(s.wrong_path_cycles, s.branch_flush) : 0);
  Cycle length = s.branch_flush;
  if (flush_.kind == FlushKind::trap) length = s.interruption_flush;
  if (flush_.kind == FlushKind::serialize) length = s.serialize_flush;
  if (flush_.kind == FlushKind::check) length = s.check_flush;
  flush_.restart = now_ + length;
}

void Ia64Core::resolve_flush() {
  Log& log = machine_.log;
  for (Instruction* i : on_wrong_path_) {
    log.occur(Signal::kill, *i);
    log.drop(*i);
  }
  on_wrong_path_.clear();
  for (const Pick& pick : group_) log.drop(*pick.instruction);
  group_.clear();
  const unsigned cause = flush_.kind == FlushKind::branch ? act::cause::branch : act::cause::interruption;
  log.set(State::back_end, act::back_end(BackEnd::flush, cause));
  const Cycle lead = machine_.settings.fetch_to_buffer;
  thread_->front.redirect(flush_.ordinal, flush_.slot, flush_.restart > now_ + lead ? flush_.restart - lead : now_);
  back_end_from_ = std::max(flush_.restart, now_ + 1);
  flush_ = {};
}

}  // namespace pmusim::core::ia64
