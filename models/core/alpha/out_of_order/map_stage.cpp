#include "models/core/alpha/out_of_order/map_stage.h"

#include "models/core/alpha/out_of_order/slotting.h"

namespace pmusim::core::alpha::out_of_order {

bool MapStage::waits_for_pipe(const Operation& operation) {
  return !operation.squashed && operation.trap == act::Trap::none;
}

// No-operations, stores and branches without a link have no result. The first half of a conditional move has one, which
// only the second half reads.
void MapStage::count_results(Operation& operation) {
  const StaticCode& code = *operation.code;
  if (!operation.last) {
    operation.integer_results = operation.fp_results = 0;
    ++(code.floats ? operation.fp_results : operation.integer_results);
    return;
  }
  operation.integer_results = code.integer_writes;
  operation.fp_results = code.fp_writes;
}

// Surveys the oldest group that is not mapped.
MapStage::Group MapStage::survey() {
  Group group;
  group.begin = group.end = flight_.mapped;
  const std::uint64_t number = flight_.at(group.end).group;
  for (; group.end != flight_.fetched; ++group.end) {
    Operation& operation = flight_.at(group.end);
    if (operation.group != number) break;
    if (operation.code->emulated || operation.code->floats) {
      group.may_trap = true;
      find_traps(operation);
    }
    if (!waits_for_pipe(operation)) continue;
    count_results(operation);
    group.integer_results += operation.integer_results;
    group.fp_results += operation.fp_results;
    const PipeRule& rule = *operation.rule;
    if (rule.queue == Queue::fp) ++group.fp;
    if (rule.queue != Queue::integer) continue;
    ++group.integer;
    if (rule.pipes == pipe::any) {
      group.undecided = true;
    } else {
      operation.side = (rule.pipes & pipe::lower) == 0 ? Side::upper : Side::lower;
    }
  }
  return group;
}

bool MapStage::has_room(const Group& group) {
  return flight_.at(flight_.mapped).group - flight_.at(flight_.retired).group < pipeline_.fetch_groups &&
         integer_held_ + group.integer_results <= pipeline_.integer_registers &&
         fp_held_ + group.fp_results <= pipeline_.fp_registers && queues_.has_room(group.integer, group.fp);
}

void MapStage::step() {
  if (flight_.mapped == flight_.fetched) return;
  const Operation& head = flight_.at(flight_.mapped);
  if (head.map_at > machine_.agenda.now()) {
    if (head.map_at != activity::never) machine_.agenda.at(head.map_at);
    return;
  }
  if (group_.begin != flight_.mapped || group_.end == group_.begin || group_.may_trap) group_ = survey();
  if (!has_room(group_)) return;
  if (group_.undecided) choose_sides(group_);
  while (flight_.mapped != group_.end) {
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

// Upper and lower pipes are chosen before issue, by the classes of the four instructions of an aligned block.
void MapStage::choose_sides(const Group& group) {
  const auto place = [](const Operation& operation) { return operation.code->pc / 4 % slots_in_block; };
  Classes classes;
  for (Sequence s = flight_.mapped; s != group.end; ++s) {
    const Operation& operation = flight_.at(s);
    if (waits_for_pipe(operation) && operation.rule->queue == Queue::integer && operation.rule->pipes != pipe::any) {
      classes.set(place(operation), operation.side == Side::upper ? SlotClass::upper : SlotClass::lower);
    }
  }
  for (Sequence s = flight_.mapped; s != group.end; ++s) {
    Operation& operation = flight_.at(s);
    if (!waits_for_pipe(operation) || operation.rule->queue != Queue::integer || operation.rule->pipes != pipe::any) {
      continue;
    }
    operation.side = side_of(classes, place(operation));
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
  rename(sequence, operation);
  integer_held_ += operation.integer_results;
  fp_held_ += operation.fp_results;
  if (operation.code->touches_memory()) load_store_.map(sequence);
  queues_.insert(sequence, operation);
}

// The first half of a conditional move reads the condition (Ra) and the old value (Rc) into a temporary register; the
// second half reads that register and the other operand (Rb).
void MapStage::rename(Sequence sequence, Operation& operation) {
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
  group_ = {};
  for (Sequence s = flight_.mapped; s > from; --s) {
    const Operation& operation = flight_.at(s - 1);
    retire(operation);
    for (unsigned i = operation.writes; i != 0; --i)
      writers_[operation.written[i - 1]] = operation.writer_before[i - 1];
  }
}

}  // namespace pmusim::core::alpha::out_of_order
