// In-order retirement and its effects: outcomes, privilege, interrupt flag.
#include "models/core/athlon/core.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;

namespace {
std::uint16_t more_operations(const NamedInstruction& instruction, unsigned amount) {
  return static_cast<std::uint16_t>(std::min(instruction.record.operations + amount, 0xffffu));
}
}  // namespace

void AthlonCore::retire() {
  for (unsigned left = window_.ready_to_retire(); left != 0;) {
    Chunk& chunk = flight_.at(flight_.retired);
    if (chunk.wrong_path) return;  // waits until it is killed
    const unsigned amount = std::min<unsigned>(left, chunk.operations() - chunk.retired);
    const unsigned doubles = window_.retire_oldest(amount);
    chunk.retired = static_cast<std::uint8_t>(chunk.retired + amount);
    left -= amount;
    machine_.agenda.changed();
    if (chunk.retired < chunk.operations()) {
      NamedInstruction& record = flight_.record(chunk);
      record.record.operations = more_operations(record, amount);
      machine_.recorder.occur(Signal::operation_retire, record, static_cast<std::uint16_t>(doubles),
                              static_cast<std::uint16_t>(amount));
      return;
    }
    if (!retire_chunk(chunk, amount, doubles)) return;
  }
}

// Retires the last `amount` macro-operations of the oldest chunk; `doubles` of them consist of two operations. Returns
// false if the group of this clock ends here.
bool AthlonCore::retire_chunk(Chunk& chunk, unsigned amount, unsigned doubles) {
  const Sequence sequence = flight_.retired++;
  const StaticCode& code = *chunk.code;
  const bool taken = chunk.taken || (chunk.transfers() && !code.has(activity::Trait::conditional));
  const auto outcome = [&](InstructionRecord& r) {
    r.next_ip = chunk.next;
    r.taken = taken;
    r.mispredicted = chunk.mispredicted;
  };
  if (chunk.last) {
    std::uint32_t place = activity::no_ref;
    if (chunk.recorded || machine_.recorder.names(Signal::operation_retire) ||
        machine_.recorder.names(Signal::retire)) {
      NamedInstruction& record = flight_.record(chunk);
      const auto last_outcome = [&, operations = more_operations(record, amount)](InstructionRecord& r) {
        outcome(r);
        r.operations = operations;
      };
      place = machine_.recorder.revise_for(record, last_outcome, Signal::operation_retire, Signal::retire);
    }
    machine_.recorder.occur_of(place, Signal::operation_retire, static_cast<std::uint16_t>(doubles),
                               static_cast<std::uint16_t>(amount));
    machine_.recorder.occur_of(place, Signal::retire);
    if (!chunk.handler) ++retired_;
  } else {
    NamedInstruction& record = flight_.record(chunk);
    record.record.operations = more_operations(record, amount);
    machine_.recorder.occur(Signal::operation_retire, record, static_cast<std::uint16_t>(doubles),
                            static_cast<std::uint16_t>(amount));
    machine_.recorder.occur(Signal::iteration_retire, record);
    outcome(record.record);
  }
  if (chunk.stores) load_store_.retire(sequence);
  front_.forget(chunk);
  if (aborted_ == sequence + 1) aborted_ = 0;
  if (resync_ == sequence + 1) resync_ = 0;
  if (code.is_branch) front_.prediction().train(code, chunk.counter, taken, chunk.next);
  if (chunk.entry != nullptr) {
    if (const trace::Annotations* notes = chunk.entry->instruction.annotations; notes != nullptr) {
      for (const trace::RegisterUse& use : notes->registers) machine_.recorder.access(flight_.record(chunk), use);
    }
    program_.complete_through(chunk.line);
  }
  last_was_interrupt_return_ = code.returns_from_interrupt;
  if (!code.special && !chunk.handler && !chunk.resyncs) return true;
  return retire_special(sequence, chunk);
}

// Effects at retirement that only a few instructions have.
bool AthlonCore::retire_special(Sequence sequence, Chunk& chunk) {
  const StaticCode& code = *chunk.code;
  const Cycle now = machine_.agenda.now();
  if (code.serializing) --serializing_;
  if (code.far_transfer) --far_;
  if (code.serializing || code.has(activity::Trait::locked)) memory_.flush_write_buffers();
  if (code.flag != FlagEffect::none) retire_flags(chunk);
  if (code.returns_from_interrupt && !chunk.handler) leave_handler();
  if (chunk.handler) {
    if (code.returns_from_interrupt) {
      kill(sequence + 1);
      leave_handler();
      in_handler_ = false;
      front_.redirect(resume_line_, now + 1);
      return false;
    }
  } else if (in_handler_) {
    // Completed after the entry: fetch already has the return address.
  } else if (code.far_transfer && chunk.transfers()) {
    kill(sequence + 1);
    front_.redirect(chunk.line + 1, now + 1);
    return false;
  } else if (chunk.resyncs) {
    kill(sequence + 1);
    machine_.recorder.occur(Signal::resync, flight_.record(chunk), d::resync_code_store);
    front_.redirect(chunk.line + 1, now + 1);
    return false;
  }
  return code.flag == FlagEffect::none;
}

void AthlonCore::retire_flags(const Chunk& chunk) {
  constexpr std::size_t most_saved = 64;
  const auto& accesses = chunk.entry->accesses;
  const std::uint64_t address = accesses.empty() ? 0 : accesses.front().address;
  const bool privileged = mode_.cpl == 0;
  Mode mode = mode_;
  switch (chunk.code->flag) {
    case FlagEffect::none:
      return;
    case FlagEffect::clear:
      mode.interrupt_flag = false;
      break;
    case FlagEffect::set:
      mode.interrupt_flag = true;
      break;
    case FlagEffect::save:
      std::erase_if(saved_flags_, [&](const SavedFlag& s) { return s.address == address; });
      if (saved_flags_.size() == most_saved) saved_flags_.erase(saved_flags_.begin());
      saved_flags_.push_back({address, mode_.interrupt_flag});
      return;
    case FlagEffect::restore:
      for (const SavedFlag& saved : saved_flags_) {
        if (saved.address == address) mode.interrupt_flag = saved.interrupt_flag;
      }
      break;
  }
  if (privileged) set_mode(mode);
}

// Retires the microcode of an entry, which belongs to no instruction.
void AthlonCore::retire_entry() {
  const unsigned amount = std::min(entry_operations_left_, machine_.settings.retire_width);
  entry_operations_left_ -= amount;
  machine_.recorder.occur(Signal::operation_retire, 0, static_cast<std::uint16_t>(amount));
  machine_.agenda.changed();
}

// Sets the mode from the next clock on; the present clock belongs to the old mode.
void AthlonCore::set_mode(Mode mode) {
  mode_ = mode;
  machine_.recorder.set_next(State::cpl, mode.cpl);
  machine_.recorder.set_next(State::interrupt_flag, mode.interrupt_flag ? 1 : 0);
  machine_.recorder.set_next(State::operating_mode, static_cast<std::uint64_t>(mode.operating));
  machine_.agenda.changed();
}

// An interrupt in virtual-8086 mode enters protected mode; interrupts in real mode and SMM stay in their mode.
AthlonCore::Mode AthlonCore::handler_mode(bool management) const {
  if (management) return {0, false, OperatingMode::system_management};
  const bool stays = mode_.operating != OperatingMode::virtual_8086;
  return {0, false, stays ? mode_.operating : OperatingMode::protected_mode};
}

void AthlonCore::enter(Mode mode) {
  entered_from_.push_back(mode_);
  entry_operations_left_ += machine_.settings.entry_operations;
  set_mode(mode);
}

void AthlonCore::leave_handler() {
  if (entered_from_.empty()) return;
  set_mode(entered_from_.back());
  entered_from_.pop_back();
}

// --- perturbing mode ---------------------------------------------------------------------------------------

void AthlonCore::take_interrupt(unsigned handler_instructions) {
  if (in_handler_) return;  // interrupts are masked there
  in_handler_ = own_interrupt_due_ = true;
  handler_instructions_ = std::max(handler_instructions, 1u);
  wake();
}

void AthlonCore::enter_own_handler() {
  own_interrupt_due_ = false;
  const Cycle now = machine_.agenda.now();
  // An instruction that has retired in part completes first.
  Sequence from = flight_.retired;
  if (from < flight_.fetched && flight_.at(from).retired != 0) ++from;
  resume_line_ = front_.line();
  if (from < flight_.fetched && flight_.at(from).line != no_line) {
    resume_line_ = flight_.at(from).line;
  } else if (from > flight_.retired) {
    resume_line_ = flight_.at(from - 1).line + 1;
  }
  kill(from);
  machine_.recorder.occur(Signal::trap, d::trap_maskable | d::trap_monitor);
  enter(handler_mode(false));
  front_.redirect(resume_line_, now);
  front_.enter_handler(handler_instructions_, now + machine_.settings.interrupt_entry);
}

}  // namespace pmusim::core::athlon
