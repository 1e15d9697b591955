// Dispersal, and what the back end does in a cycle: exactly one of issuing, flush, L1D and FPU stall, execution stall,
// register stack stall, or waiting for the front end.
#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

namespace dd = act::detail;
using act::BackEnd;

void Ia64Core::back_end() {
  if (now_ < back_end_from_) return;
  Ia64Recorder& recorder = machine_.recorder;
  waits_for_bundles_ = false;
  if (stalled_ < stalls_.size()) {
    const Stall stall = stalls_[stalled_++];
    recorder.set(State::back_end, stall.state);
    back_end_from_ = now_ + stall.cycles;
    return;
  }
  stalls_.clear();
  stalled_ = 0;
  Cycle limit = activity::never;
  if (flush_.active) {
    if (!flush_.armed) arm_flush();
    if (now_ >= flush_.resolve) {
      resolve_flush();
      return;
    }
    limit = flush_.resolve;
  } else if (switching_.draining || (interrupt_due_ && handler_left_ == 0 && group_.empty())) {
    // Nothing issues before the interrupt is taken, or before the switch of threads.
    recorder.set(State::back_end, act::back_end(BackEnd::flush, act::cause::interruption));
    back_end_from_ = activity::never;
    return;
  }
  if (group_.empty()) {
    Cycle wake = activity::never;
    if (!form_group(wake)) {
      recorder.set(State::back_end, act::back_end(BackEnd::front_end));
      waits_for_bundles_ = true;
      back_end_from_ = std::min(wake, limit);
      return;
    }
  }
  Cycle until = 0;
  std::uint64_t state = 0;
  if (group_waits(until, state)) {
    recorder.set(State::back_end, state);
    back_end_from_ = std::min(until, limit);
    return;
  }
  recorder.set(State::back_end, act::back_end(BackEnd::issuing));
  back_end_from_ = now_ + 1;
  last_issue_ = now_;
  issue();
}

/// Bundles missing at the exit of the instruction buffer.
void Ia64Core::show_exit() {
  exit_changes_ = activity::never;
  if (!machine_.recorder.subscribes_to(State::buffer_exit)) return;
  unsigned there = 0;
  while (there < 2 && thread_->front.available(there) <= now_) ++there;
  if (there < 2) exit_changes_ = thread_->front.available(there);
  const unsigned missing = 2 - there;
  const act::FrontEnd why = missing == 0                                     ? act::FrontEnd::none
                            : thread_->front.reason() == act::FrontEnd::none ? act::FrontEnd::bubble
                                                                             : thread_->front.reason();
  machine_.recorder.set(State::buffer_exit, act::front_end(why, missing));
}

inline Instruction& Ia64Core::record(Fetched& f, unsigned slot) {
  Instruction& i = machine_.recorder.new_instruction(f.bundle->operations[slot].model);
  f.instructions[slot] = &i;
  f.named |= static_cast<std::uint8_t>(1u << slot);
  activity::InstructionRecord& r = i.record;
  const bool wrong_path = (f.right_path >> slot & 1) == 0;
  constexpr std::uint64_t wrong = std::uint64_t{1} << 63, handler = std::uint64_t{1} << 61;
  constexpr unsigned thread_shift = 62;
  r.id = wrong_path  ? wrong | ++thread_->wrong_path_count
         : f.handler ? handler | ++thread_->handler_count
                     : f.ordinal << 2 | slot;
  r.id |= std::uint64_t{thread_->number} << thread_shift;
  r.ip = f.pc;
  r.tagged = f.tagged;
  r.wrong_path = wrong_path;
  r.thread = static_cast<std::uint8_t>(machine_.recorder.get(State::thread));
  r.predicted_taken = f.fate[slot].predicted_taken;
  return i;
}

/// The record of an instruction of the window, with its position there.
Instruction& Ia64Core::offered(Fetched& f, unsigned slot, unsigned position, std::uint64_t window) {
  Instruction& i = (f.named >> slot & 1) != 0 ? *f.instructions[slot] : record(f, slot);
  const bool second = position == 1;
  if (i.syllable.window != window || i.syllable.second_bundle != second) {
    i.syllable.window = window;
    i.syllable.second_bundle = second;
    i.changed |= Instruction::window;
  }
  return i;
}

/// The slots that have a record, or need one now: those that a subscriber reads. Others get one when they issue, if at
/// all, except on a wrong path.
inline unsigned Ia64Core::recorded(const Fetched& f) const {
  const StaticBundle& bundle = *f.bundle;
  unsigned wanted = f.named | (bundle.needs_record & ~f.right_path);
  if (!machine_.recorder.reads(bundle.kinds)) return wanted;
  for (const unsigned slot : Each(bundle.first)) {
    if (machine_.recorder.reads(bundle.operations[slot].kinds)) wanted |= 1u << slot;
  }
  return wanted;
}

/// Records what is left of a bundle of the window. Under core.held_causes=all each cause that would also have held a
/// syllable is recorded: the ports of the rest are computed as if the group went on.
void Ia64Core::note_held(Fetched& f, unsigned position, Ports& ports, std::uint16_t& held) {
  const bool all = machine_.settings.held_causes != 0;
  const std::uint64_t window = thread_->front.at(0).pc;
  for (unsigned slot = f.next; slot <= f.last; ++slot) {
    if (!f.bundle->holds(slot)) continue;
    const Operation& op = f.bundle->operations[slot];
    if (all && !ports.take(op.ports, position)) held |= dd::held_implicit_stop;
    Instruction& i = offered(f, slot, position, window);
    machine_.recorder.occur(Signal::syllable_held, i, held);
    if (f.bundle->mlx && slot == 2) machine_.recorder.occur(Signal::syllable_held, i, dd::held_long_immediate);
    if (all && op.stop_after) held |= dd::held_explicit_stop;
  }
}

/// The window begins in the middle of its bundle.
inline void Ia64Core::note_skipped(Fetched& f) {
  machine_.recorder.occur(Signal::syllable_held, dd::held_long_immediate, f.skipped);
  f.skipped = 0;
}

/// Adds the slots of the bundle that can go to the group: those within reach, up to one that ends the group. Returns
/// why the group ends with them, if it does.
inline Reach::Ends Ia64Core::disperse(Fetched& f, unsigned position, const Reach& reach) {
  const StaticBundle& bundle = *f.bundle;
  const unsigned first = f.next;
  unsigned end = reach.end;
  Reach::Ends ends = reach.ends;
  if (const unsigned last = f.most; end > last) {
    if (end > last + 1 || ends == Reach::Ends::no) ends = Reach::Ends::port;
    end = last + 1;
  }
  const unsigned going = slots_between(first, end) & bundle.first;
  f.next = static_cast<std::uint8_t>(end);
  group_.add({&f, position, going});
  if (const unsigned accesses = bundle.memory & going & f.executes & f.right_path; accesses != 0) {
    group_.accesses += count_of(accesses);
    group_.stores += count_of(accesses & bundle.stores);
  }
  for (const unsigned slot : Each(going & recorded(f))) {
    Instruction& i = offered(f, slot, position, thread_->front.at(0).pc);
    if (bundle.mlx && slot == 2) machine_.recorder.occur(Signal::syllable_held, i, dd::held_long_immediate);
  }
  if (f.skipped != 0 && first == f.skipped) note_skipped(f);
  return ends;
}

/// Forms the next group of the window. False if there is no bundle; `wake`: the cycle in which there will be one.
inline bool Ia64Core::form_group(Cycle& wake) {
  FrontEnd& front = thread_->front;
  while (true) {
    wake = front.available(0);
    if (wake > now_) return false;
    if (!front.at(0).is_dispersed()) break;
    front.pop();
  }
  Fetched& first = front.at(0);
  const unsigned began = first.next;
  const Reach::Ends ends = disperse(first, 0, Ports::alone(*first.bundle, began));
  if (ends == Reach::Ends::no || machine_.recorder.subscribes_to(Signal::syllable_held))
    go_on_behind(first, began, ends);
  return true;
}

/// Adds slots of the window's second bundle, and records what is left of both. The group has the slots of `first` from
/// `began` on; `ends`: it has ended there.
void Ia64Core::go_on_behind(Fetched& first, unsigned began, Reach::Ends ends) {
  const auto cause_of = [](Reach::Ends why) {
    return why == Reach::Ends::no ? 0 : why == Reach::Ends::stop ? dd::held_explicit_stop : dd::held_implicit_stop;
  };
  const auto part = [](const Fetched& f, unsigned from) {
    return BundlePart{f.bundle, static_cast<std::uint8_t>(from), f.next};
  };
  Ports ports(part(first, began));
  const bool notes_held = machine_.recorder.subscribes_to(Signal::syllable_held);
  std::uint16_t held = cause_of(ends);
  if (notes_held && !first.is_dispersed()) note_held(first, 0, ports, held);
  if (thread_->front.available(1) > now_) {
    machine_.recorder.occur(Signal::syllable_held, dd::held_front_end, slots_in_bundle);
    return;
  }
  constexpr std::uint64_t bundle_bytes = 16;
  Fetched& second = thread_->front.at(1);
  if (first.cut || second.pc != first.pc + bundle_bytes) return;
  const bool goes_on = ends == Reach::Ends::no;
  if ((goes_on || machine_.settings.held_causes != 0) && splits(*first.bundle, *second.bundle)) {
    held |= dd::held_implicit_stop;
  } else if (goes_on && second.is_dispersed()) {
    if (second.next == second.skipped) note_skipped(second);
  } else if (goes_on) {
    const unsigned from = second.next;
    held = cause_of(disperse(second, 1, ports.beside(*second.bundle, from)));
    ports.add(part(second, from));
  }
  if (notes_held && !second.is_dispersed()) note_held(second, 1, ports, held);
}

/// True if the group must wait in this cycle: first for room in the memory pipe, then for registers.
inline bool Ia64Core::group_waits(Cycle& until, std::uint64_t& state) {
  if (group_.accesses != 0) {
    const DataSide::Room room = data_.room(now_, group_.accesses, group_.stores);
    if (room.from > now_) {
      until = room.from;
      state = act::back_end(BackEnd::l1d_fpu, room.cause);
      return true;
    }
  }
  Wait wait{now_, 0, 0};
  const bool all_there = thread_->registers.all_there(now_);
  for (const Group::Part& part : group_) {
    const Fetched& f = *part.bundle;
    if (all_there && !f.bundle->multimedia) continue;
    for (const unsigned slot : Each(part.slots & f.right_path))
      thread_->registers.wait(f.bundle->operations[slot], (f.executes >> slot & 1) != 0, wait);
  }
  if (wait.until <= now_) return false;
  until = wait.until;
  state = act::back_end(BackEnd::execute, wait.cause);
  if (wait.cause == act::cause::cancelled_load && machine_.settings.cancelled_wait == 0) {
    thread_->registers.noticed_cancelled(wait.place);
    until = now_ + 1;
  }
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
  Ia64Recorder& recorder = machine_.recorder;
  for (Instruction* i : on_wrong_path_) {
    recorder.occur(Signal::kill, *i);
    recorder.drop(*i);
  }
  on_wrong_path_.clear();
  group_.clear();
  const unsigned cause = flush_.kind == FlushKind::branch ? act::cause::branch : act::cause::interruption;
  recorder.set(State::back_end, act::back_end(BackEnd::flush, cause));
  const Cycle lead = machine_.settings.fetch_to_buffer;
  thread_->front.redirect(flush_.ordinal, flush_.slot, flush_.restart > now_ + lead ? flush_.restart - lead : now_);
  back_end_from_ = std::max(flush_.restart, now_ + 1);
  flush_ = {};
}

}  // namespace pmusim::core::ia64
