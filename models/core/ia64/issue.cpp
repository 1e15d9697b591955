// Execution of a group: results, memory accesses, speculation, register stack, and the stalls that it causes.
#include "models/core/ia64/core.h"
#include "pmusim/trace/text.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
using act::BackEnd;
using act::Kind;

namespace {
constexpr Cycle engine_dependency = 2;  ///< moves to and from the register stack's application registers wait for it
}  // namespace

/// The frame before an instruction of the register stack.
inline void Ia64Core::note_frame(const Operation& op, Instruction& i) const {
  if (!op.has(Kind::rse_event)) return;
  i.syllable.frame_registers = thread_->frames.frame().sof;
  i.syllable.dirty_registers = static_cast<std::uint8_t>(std::min(thread_->stack.dirty(), 96u));
  i.changed |= Instruction::anything;
}

inline void Ia64Core::issue_one(const Pick& pick, const Fetched& f) {
  Ia64Recorder& recorder = machine_.recorder;
  Instruction& i = *pick.instruction;
  const Operation& op = *pick.op;
  note_frame(op, i);
  if (recorder.subscribes_to(Signal::dispatch)) recorder.occur(Signal::dispatch, i);
  const unsigned slot = op.number;
  const bool taken = slot == f.taken_slot;
  constexpr std::uint64_t bundle_bytes = 16;
  i.changed |= Instruction::outcome;
  i.syllable.predicate = pick.predicate;
  i.record.taken = taken;
  i.record.next_ip = taken ? f.entry->instruction.target : slot == slots_in_bundle - 1 ? f.pc + bundle_bytes : f.pc;
  if (op.has(Kind::branch)) note_outcome(pick, f, taken);
  if (!op.plain) {
    issue_rest(pick, f, taken, slot >= f.final_slot);
  } else if (pick.predicate || op.unpredicated) {
    thread_->registers.write(op.results, now_, 0, false);
  }
  if (machine_.settings.rse_event_frame != 0) note_frame(op, i);
}

/// A load whose only effect is its result, and whose request has no subscriber: the cycle of its data if L1D has it.
/// Otherwise never, and nothing is done.
inline Cycle Ia64Core::hit(const Operation& op, const trace::Instruction& executed) {
  if (!op.only_loads || executed.annotations != nullptr || machine_.recorder.reads_loads()) return activity::never;
  const trace::Access* access = nullptr;
  for (const trace::Access& made : executed.accesses) {
    if (made.slot != op.number) continue;
    if (access != nullptr) return activity::never;
    access = &made;
  }
  if (access == nullptr) return activity::never;
  const Cycle data = data_.hit(access->address, (thread_->mode.psr & act::psr::dt) != 0);
  return std::max(data, now_ + machine_.settings.integer);
}

/// Issues slots of which some need more than their results.
inline void Ia64Core::issue_each(const Group::Part& part, unsigned going) {
  Fetched& f = *part.bundle;
  const StaticBundle& bundle = *f.bundle;
  const unsigned executes = f.executes | bundle.unpredicated;
  for (const unsigned slot : Each(going)) {
    const Operation& op = bundle.operations[slot];
    const bool predicate = (f.executes >> slot & 1) != 0;
    if ((f.named >> slot & 1) != 0) {
      issue_one({&op, f.instructions[slot], predicate}, f);
    } else if ((executes >> slot & 1) == 0) {
      continue;
    } else if (!op.needs_record) {
      thread_->registers.write(op.results, now_, 0, false);
    } else if (const Cycle data = hit(op, f.entry->instruction); data != activity::never) {
      thread_->registers.write(op.results, now_, data, false);
    } else {
      issue_one({&op, &offered(f, slot, part.position, thread_->front.at(0).pc), predicate}, f);
    }
  }
}

inline void Ia64Core::issue_wrong_path(const Fetched& f, unsigned going) {
  for (const unsigned slot : Each(going)) {
    Instruction& i = *f.instructions[slot];
    note_frame(f.bundle->operations[slot], i);
    machine_.recorder.occur(Signal::dispatch, i);
    on_wrong_path_.push_back(&i);
  }
}

/// Adds the slots to the queue before retirement. The stalls of the group come on top of their cycle.
inline void Ia64Core::leave_part(const Fetched& f, unsigned going, bool last) {
  Leaving& leaving = leaving_.add();
  leaving.at = now_ + machine_.settings.exe_to_retire;
  leaving.bundle = f.bundle;
  leaving.entry = f.entry;
  leaving.ordinal = f.ordinal;
  leaving.slots = static_cast<std::uint8_t>(going);
  leaving.named = static_cast<std::uint8_t>(going & f.named);
  if (leaving.named != 0) leaving.instructions = f.instructions;
  leaving.executes = f.executes;
  leaving.end = static_cast<std::uint8_t>(end_of(going));
  leaving.last = last;
  leaving.traps = (going >> f.flush_slot & 1) != 0 && f.flush == FlushKind::trap;
}

inline void Ia64Core::issue_part(const Group::Part& part) {
  Fetched& f = *part.bundle;
  const StaticBundle& bundle = *f.bundle;
  const unsigned going = part.slots & f.right_path;
  if (going != 0) {
    const unsigned executing = going & (f.executes | bundle.unpredicated);
    if (((going & f.named) | (executing & bundle.needs_record)) != 0) {
      issue_each(part, going);
    } else {
      thread_->registers.write(bundle.results, executing, now_);
    }
    if (const unsigned branches = going & bundle.branches; branches != 0) {
      for (unsigned n = count_of(branches); n != 0; --n) thread_->front.dispersed_branch(f);
    }
    const bool last = going >> f.final_slot != 0;
    leave_part(f, going, last);
    if (last && f.annotated) apply_annotations(f);
    if ((going >> f.flush_slot & 1) != 0) {
      flush_ = {true, false, f.flush, f.ordinal, f.flush_slot + 1u, 0, 0};
      if (last) flush_ = {true, false, f.flush, f.ordinal + 1, 0, 0, 0};
    }
  }
  if (f.named == 0) return;
  if (const unsigned wrong = part.slots & ~going & f.named; wrong != 0) issue_wrong_path(f, wrong);
  f.named &= static_cast<std::uint8_t>(~part.slots);
}

void Ia64Core::issue() {
  const std::uint64_t left = leaving_.added(), made = finals_.added();
  data_.begin_group(now_);
  for (const Group::Part& part : group_) issue_part(part);
  finish_group(left, made);
  group_.clear();
  FrontEnd& front = thread_->front;
  for (unsigned i = 0; i < 2 && front.size() != 0 && front.at(0).is_dispersed(); ++i) front.pop();
}

/// The outcome of a branch and of its prediction.
void Ia64Core::note_outcome(const Pick& pick, const Fetched& f, bool taken) {
  const Operation& op = *pick.op;
  Instruction& i = *pick.instruction;
  const Fetched::SlotFate& fate = f.fate[op.number];
  i.changed |= Instruction::anything;
  i.syllable.prediction = fate.prediction;
  i.syllable.unknown_prediction = fate.unknown;
  i.record.mispredicted = fate.prediction >= act::Prediction::wrong_path;
  if (f.flush != FlushKind::branch || f.flush_slot != op.number) return;  // right, or corrected by the front end
  i.syllable.back_end_flush = true;
  const bool modulo = op.has(Kind::modulo_loop);
  const bool counted = op.slot->branch == isa::BranchKind::ctop || op.slot->branch == isa::BranchKind::cexit;
  i.syllable.wrong_stage = modulo && !counted;
  i.syllable.wrong_rotation = modulo && counted;
  i.syllable.wrong_previous_state = op.branch_class == act::BranchClass::return_ && taken;
}

/// An instruction with effects other than its results.
void Ia64Core::issue_rest(const Pick& pick, const Fetched& f, bool taken, bool last) {
  const Operation& op = *pick.op;
  bool cancelled = false;
  Cycle data = now_ + machine_.settings.integer;
  if (pick.predicate) {
    if (op.memory) data = access_memory(pick, f, cancelled);
    if (op.speculates) speculate(pick, f);
    if (op.has(Kind::fp_operation)) {
      pick.instruction->changed |= Instruction::anything;
      check_operands(pick, f, last);
    }
  }
  if (pick.predicate || op.unpredicated) {
    thread_->registers.write(op.results, now_, data, cancelled);
    if (op.special) special(pick, f);
    if (op.moves_frame) {
      move_frame(pick, f, taken);
      rename();
    }
  }
  if (op.speculates) pick.instruction->changed |= Instruction::anything;
}

Cycle Ia64Core::access_memory(const Pick& pick, const Fetched& f, bool& cancelled) {
  Cycle data = now_ + machine_.settings.integer;
  if (f.entry == nullptr) return data;
  const trace::Instruction& executed = f.entry->instruction;
  for (const trace::Access& made : executed.accesses) {
    if (made.slot != pick.op->number) continue;
    const bool translate = (thread_->mode.psr & act::psr::dt) != 0;
    const DataSide::Outcome outcome = data_.access(*pick.instruction, *pick.op, made, translate, executed.annotations);
    data = std::max(data, outcome.data);
    cancelled = cancelled || outcome.cancelled;
    finals_.add() = {now_ + machine_.settings.exe_to_retire, outcome.access};
    if (data_.fault() && faulting_ == nullptr) faulting_ = pick.instruction;
    const bool semaphore = pick.op->has(Kind::semaphore);
    if (made.store || semaphore) note_store(made.address, made.size);
    if (semaphore) break;  // its load and its store are one request
  }
  return data;
}

/// Data and control speculation: the ALAT, checks, deferred loads.
void Ia64Core::speculate(const Pick& pick, const Fetched& f) {
  const Operation& op = *pick.op;
  if (f.entry == nullptr) return;
  const isa::Slot& slot = *op.slot;
  if (slot.kind == isa::Kind::invalidate_alat) {
    if (slot.reads.empty() && slot.writes.empty()) {
      thread_->alat.clear();
    } else {
      thread_->alat.remove(
          thread_->registers.place(operand(slot.reads.empty() ? slot.writes.front() : slot.reads.front())));
    }
    return;
  }
  const trace::Instruction& executed = f.entry->instruction;
  if (op.has(Kind::check_load) || op.has(Kind::advanced)) {
    const isa::Speculation outcome = isa::speculation_of(f.bundle->decoded, op.number, executed);
    pick.instruction->syllable.check_failed = op.has(Kind::check_load) && outcome == isa::Speculation::failed;
    if (slot.writes.empty()) return;
    const std::uint32_t target = thread_->registers.place(operand(slot.writes.front()));
    const bool keeps = op.has(Kind::advanced) || slot.load_kind == isa::LoadKind::check_no_clear;
    for (const trace::Access& made : executed.accesses) {
      if (made.slot != op.number || !keeps) continue;
      if (thread_->alat.allocate(target, made.address, made.size))
        machine_.recorder.occur(Signal::alat_displace, *pick.instruction);
    }
    if (!keeps) thread_->alat.remove(target);
  } else if (!op.has(Kind::speculative)) {
    pick.instruction->syllable.check_failed = f.flush_slot == op.number && f.flush == FlushKind::check;
    if (op.has(Kind::check_advanced) && slot.mnemonic.find(".clr") != std::string::npos && !slot.reads.empty()) {
      thread_->alat.remove(thread_->registers.place(operand(slot.reads.front())));
    }
  }
  if (op.has(Kind::speculative) &&
      isa::speculation_of(f.bundle->decoded, op.number, executed) == isa::Speculation::deferred) {
    data_.hold(act::cause::nat, 1);
    pick.instruction->syllable.deferral = deferral_of(executed.annotations, op.number);
  }
}

/// The reason why a load was deferred: `defer=` gives the address, `dtlb=` the outcome of its translation.
act::Deferral Ia64Core::deferral_of(const trace::Annotations* keys, unsigned slot) const {
  if ((thread_->mode.psr & psr_ed) != 0) return act::Deferral::psr_ed;
  const bool tried = keys != nullptr && std::any_of(keys->deferrals.begin(), keys->deferrals.end(),
                                                    [slot](const trace::Deferral& one) { return one.slot == slot; });
  if (!tried) return act::Deferral::nat_consumption;
  if (keys->dtlb == trace::TlbOutcome::fault) return act::Deferral::tlb_fault;
  return (thread_->dcr & dcr::dm) != 0 ? act::Deferral::tlb_miss : act::Deferral::walker_miss;
}

void Ia64Core::move_frame(const Pick& pick, const Fetched& f, bool taken) {
  const isa::Slot& slot = *pick.op->slot;
  const trace::Annotations* keys = f.entry != nullptr ? f.entry->instruction.annotations : nullptr;
  const std::optional<std::uint32_t> loadrs = keys != nullptr ? keys->loadrs : std::nullopt;
  const isa::Frame before = thread_->frames.frame();
  thread_->frames.step(slot, taken);
  const RegisterStack::Traffic traffic =
      thread_->stack.step(*pick.op, taken, before, thread_->frames.frame(), thread_->frames.bsp(), loadrs);
  if (traffic.words == 0) return;
  constexpr std::uint64_t word = 8;
  const bool translate = (thread_->mode.psr & act::psr::dt) != 0;
  Cycle done = now_;
  const auto width = static_cast<unsigned>(machine_.settings.engine_width);
  for (unsigned n = 0; n < traffic.words; ++n) {
    const std::uint64_t address = traffic.from + n * word;
    done = std::max(done, data_.engine(*pick.instruction, address, traffic.loads, n / width, translate));
  }
  Cycle cycles = (traffic.words + width - 1) / width;
  if (traffic.loads && done > now_ + cycles) cycles = done - now_;
  stalls_.push_back({act::back_end(BackEnd::register_stack, traffic.cause), cycles});
}

/// The FPU stalls until it is known whether the operation traps: when the result is tiny (the trace says that it was
/// flushed to zero), or when the operation does trap. In the latter case the rest of the bundle was not reached.
void Ia64Core::check_operands(const Pick& pick, const Fetched& f, bool last) {
  if (f.entry == nullptr) return;
  const trace::Instruction& executed = f.entry->instruction;
  const trace::Annotations* keys = executed.annotations;
  act::Syllable& syllable = pick.instruction->syllable;
  if (keys != nullptr && keys->flushed) {
    constexpr std::uint32_t most = 2;
    syllable.flushed_to_zero = static_cast<std::uint8_t>(std::min(*keys->flushed, most));
  }
  const bool traps = last && pick.op->number + 1u < slots_in_bundle && !executed.taken && f.flush == FlushKind::none;
  // A trap here is assumed to be an underflow, whose result would have been flushed.
  syllable.possibly_flushed = std::max<std::uint8_t>(syllable.flushed_to_zero, traps ? 1 : 0);
  if (syllable.flushed_to_zero == 0 && !traps) return;
  machine_.recorder.occur(Signal::safety_stall, *pick.instruction, traps ? d::trap_exception : 0);
  data_.hold(act::cause::fpu, machine_.settings.safety_stall);
}

/// Further effects of some instructions.
void Ia64Core::special(const Pick& pick, const Fetched& f) {
  const isa::Slot& slot = *pick.op->slot;
  const auto engine_register = [](const std::vector<isa::Register>& list) {
    for (const isa::Register r : list) {
      if (r.file == isa::RegisterFile::ar && r.number >= isa::ar_rsc && r.number <= isa::ar_rnat) return true;
    }
    return false;
  };
  switch (slot.kind) {
    case isa::Kind::fence:
      hierarchy_.fence(now_ + 1);
      break;
    case isa::Kind::serialize_instruction:
      if (slot.mnemonic.starts_with("sync")) hierarchy_.sync(now_ + 1);
      break;
    case isa::Kind::move_to_ar:
      for (const isa::Register r : slot.writes) {
        if (r.number == isa::ar_ccv) hierarchy_.set_compare_value(now_ + 1);
        if (r.number == isa::ar_unat) data_.note_unat(now_);
      }
      if (engine_register(slot.writes))
        stalls_.push_back({act::back_end(BackEnd::register_stack, act::cause::rse_dependency), engine_dependency});
      break;
    case isa::Kind::move_from_ar:
      if (engine_register(slot.reads))
        stalls_.push_back({act::back_end(BackEnd::register_stack, act::cause::rse_dependency), engine_dependency});
      break;
    case isa::Kind::flush_cache: {
      // The recorder of the trace may list the address as an access of the line.
      if (f.entry == nullptr) break;
      for (const trace::Access& made : f.entry->instruction.accesses) {
        if (made.slot == pick.op->number) data_.flush(*pick.instruction, made.address);
      }
      break;
    }
    case isa::Kind::system:
      data_.hold(act::cause::dcs, 1);
      if (pick.op->has(Kind::purge_translation)) {
        data_.translation().clear();
        fetch_memory_.translation().clear();
        machine_.recorder.occur(Signal::tlb_purge, *pick.instruction);
      }
      break;
    case isa::Kind::system_branch:
      if (slot.mnemonic.starts_with("bsw")) {
        stalls_.push_back({act::back_end(BackEnd::register_stack, act::cause::rse_bank_switch), 1});
        thread_->registers.bank_switched(now_ + 1 + machine_.settings.bank_switch);
      }
      break;
    default:
      break;
  }
}

/// Ends the issue of a group. Its stalls come after it, and it retires after its stalls. `left`, `made`: what was added
/// to the queues before it.
void Ia64Core::finish_group(std::uint64_t left, std::uint64_t made) {
  if (!data_.stalls().empty()) stalls_.insert(stalls_.begin(), data_.stalls().begin(), data_.stalls().end());
  if (faulting_ != nullptr) {
    // The system resolves the fault and the access is repeated; the trace does not contain this.
    machine_.recorder.occur(Signal::trap, *faulting_, d::trap_exception);
    faulting_ = nullptr;
    stalls_.push_back({act::back_end(BackEnd::flush, act::cause::interruption), machine_.settings.interruption_flush});
  }
  if (stalls_.empty()) return;
  Cycle held = 0;
  for (const Stall& stall : stalls_) held += stall.cycles;
  leaving_.delay(left, held);
  finals_.delay(made, held);
}

}  // namespace pmusim::core::ia64
