#include "models/core/alpha/out_of_order/map_stage.h"

namespace pmusim::core::alpha::out_of_order {

bool MapStage::waits_for_pipe(const Operation& operation) {
  return !operation.squashed && operation.trap == act::Trap::none;
}

// Surveys the oldest group that is not mapped. Upper and lower pipes are chosen before issue: first for operations that
// can use only one of them.
MapStage::Group MapStage::survey() {
  Group group;
  group.end = flight_.mapped;
  const std::uint64_t number = flight_.at(group.end).group;
  for (; group.end != flight_.fetched; ++group.end) {
    Operation& operation = flight_.at(group.end);
    if (operation.group != number) break;
    find_traps(operation);
    if (!waits_for_pipe(operation)) continue;
    const PipeRule& rule = *operation.rule;
    if (rule.queue == Queue::fp) ++group.fp;
    if (rule.queue != Queue::integer) continue;
    ++group.integer;
    if (rule.pipes == pipe::any) {
      ++group.undecided;
    } else if ((rule.pipes & pipe::lower) == 0) {
      operation.side = Side::upper;
      ++group.upper;
    } else if ((rule.pipes & pipe::upper) == 0) {
      operation.side = Side::lower;
      ++group.lower;
    }
  }
  return group;
}

bool MapStage::has_room(const Group& group) const {
  return flight_.at(flight_.mapped).group - flight_.at(flight_.retired).group < pipeline_.fetch_groups &&
         queues_.has_room(group.integer, group.fp);
}

void MapStage::step() {
  if (flight_.mapped == flight_.fetched) return;
  const Operation& head = flight_.at(flight_.mapped);
  if (head.map_at > machine_.agenda.now()) {
    if (head.map_at != activity::never) machine_.agenda.at(head.map_at);
    return;
  }
  const Group group = survey();
  if (!has_room(group)) return;
  if (group.undecided != 0) choose_sides(group);
  while (flight_.mapped != group.end) {
    // An operation whose fetch entered PALcode is never mapped; it stays after the others of its group.
    if (flight_.at(flight_.mapped).map_at == activity::never) break;
    map(flight_.mapped);
    ++flight_.mapped;
  }
  machine_.agenda.changed();
}

// Reserved opcodes and, if floating point is disabled, floating-point instructions do not execute.
void MapStage::find_traps(Operation& operation) {
  using act::Trap;
  if (!operation.code->emulated && !operation.code->floats) return;
  if (operation.trap != Trap::none || operation.flow || operation.handler) return;
  Trap trap = Trap::none;
  if (operation.code->emulated) trap = Trap::opcdec;
  if (operation.code->floats && !stimulus_.fp_enabled() && !front_.was_served(operation.line, Trap::fp_disabled)) {
    trap = Trap::fp_disabled;
  }
  if (trap == Trap::none) return;
  operation.trap = trap;
  operation.trap_at = operation.map_at - fetch_to_map + pipeline_.decode_penalty - 1;
}

// Then chooses evenly for the others.
void MapStage::choose_sides(Group group) {
  for (Sequence s = flight_.mapped; s != group.end; ++s) {
    Operation& operation = flight_.at(s);
    const PipeRule& rule = *operation.rule;
    if (rule.pipes != pipe::any || rule.queue != Queue::integer || !waits_for_pipe(operation)) continue;
    operation.side = group.lower <= group.upper ? Side::lower : Side::upper;
    ++(operation.side == Side::lower ? group.lower : group.upper);
  }
}

void MapStage::map(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  const Cycle now = machine_.agenda.now();
  Instruction& instruction = flight_.record(sequence);
  operation.mapped = true;
  if (operation.first) {
    // The prediction was added to the record after the fetch.
    machine_.recorder.occur_changed(Signal::dispatch, instruction, 0,
                                    [stalled = now > operation.map_at, taken = instruction.record.predicted_taken](
                                        activity::InstructionRecord& record, act::Instruction& more) {
                                      record.predicted_taken = taken;
                                      more.map_stalled = stalled;
                                    });
  }
  if (!waits_for_pipe(operation)) {
    if (operation.squashed) operation.complete = now + 1;
    operation.result = now;
    return;
  }
  rename(sequence);
  if (operation.code->touches_memory()) load_store_.map(sequence);
  queues_.insert(sequence);
}

// The first half of a conditional move reads the condition (Ra) and the old value (Rc) into a temporary register; the
// second half reads that register and the other operand (Rb).
void MapStage::rename(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  const StaticCode& code = *operation.code;
  const auto depend = [&](std::uint8_t reg) {
    const Sequence writer = writers_[reg];
    if (writer != 0 && writer - 1 >= flight_.retired) operation.pending[operation.pending_count++] = writer - 1;
  };
  if (operation.first && operation.last) {
    for (unsigned i = 0; i < code.read_count && i < operation.pending.size(); ++i) depend(code.reads[i]);
  } else {
    constexpr std::uint32_t literal_bit = 1u << 12;
    const auto field = [&](unsigned low) {
      return static_cast<std::uint8_t>((code.encoding >> low & 31) + (code.floats ? trace::alpha::reg_fp : 0));
    };
    if (operation.first) {
      depend(field(21));
      depend(field(0));
    } else {
      operation.pending[operation.pending_count++] = sequence - 1;
      if (code.floats || (code.encoding & literal_bit) == 0) depend(field(16));
    }
  }
  if (!operation.last) return;
  for (unsigned i = 0; i < code.write_count; ++i) {
    const std::uint8_t reg = code.writes[i];
    operation.written[operation.writes] = reg;
    operation.writer_before[operation.writes++] = writers_[reg];
    writers_[reg] = sequence + 1;
  }
}

void MapStage::kill(Sequence from) {
  for (Sequence s = flight_.mapped; s > from; --s) {
    const Operation& operation = flight_.at(s - 1);
    for (unsigned i = operation.writes; i != 0; --i)
      writers_[operation.written[i - 1]] = operation.writer_before[i - 1];
  }
}

}  // namespace pmusim::core::alpha::out_of_order
