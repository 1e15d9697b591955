#include "models/core/alpha/out_of_order/map_stage.h"

namespace pmusim::core::alpha::out_of_order {

namespace {
/// Place of an instruction in its aligned block.
unsigned place_of(const Operation& operation) { return operation.code->pc / 4 % slots_in_block; }
}  // namespace

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
  const Sequence begin = flight_.mapped, fetched = flight_.fetched;
  const std::uint64_t number = flight_.at(begin).group;
  Sequence end = begin;
  unsigned integer = 0, fp = 0, waits = 0, undecided = 0;
  Classes classes;
  bool may_trap = false;
  for (unsigned bit = 1; end != fetched; ++end, bit <<= 1) {
    Operation& operation = flight_.at(end);
    if (operation.group != number) break;
    if (operation.code->emulated || operation.code->floats) {
      may_trap = true;
      find_traps(operation);
    }
    if (!waits_for_pipe(operation)) continue;
    waits |= bit;
    const PipeRule& rule = *operation.rule;
    if (rule.queue == Queue::fp) ++fp;
    if (rule.queue != Queue::integer) continue;
    ++integer;
    if (rule.pipes == pipe::any) {
      undecided |= bit;
      continue;
    }
    operation.side = (rule.pipes & pipe::lower) == 0 ? Side::upper : Side::lower;
    classes.set(place_of(operation), operation.side == Side::upper ? SlotClass::upper : SlotClass::lower);
  }
  return {begin, end, integer, fp, waits, undecided, classes, may_trap};
}

// Map looks for a number of free registers of each kind, whatever the group needs. If there are fewer, it stalls and
// looks again every few cycles.
bool MapStage::has_registers() {
  const Cycle now = machine_.agenda.now();
  const unsigned least = pipeline_.register_reserve;
  const bool enough = integer_.free(least, now) && fp_.free(least, now);
  if (enough && !stalled_) return true;
  const Cycle since_look = stalled_ ? (now - looked_at_) % pipeline_.register_stall : 0;
  if (since_look == 0) {
    stalled_ = !enough;
    if (enough) return true;
    looked_at_ = now;
  }
  // Without registers on their way only a retirement changes something.
  if (enough || integer_.releasing() || fp_.releasing()) {
    machine_.agenda.at(now + pipeline_.register_stall - since_look);
  }
  return false;
}

void MapStage::step() {
  if (flight_.mapped == flight_.fetched) return;
  const Operation& head = flight_.at(flight_.mapped);
  if (head.map_at > machine_.agenda.now()) {
    if (head.map_at != activity::never) machine_.agenda.at(head.map_at);
    return;
  }
  if (group_.begin != flight_.mapped || group_.end == group_.begin || group_.may_trap) group_ = survey();
  if (!has_registers() || !has_room(group_)) return;
  choose_sides(group_);
  for (unsigned waits = group_.waits; flight_.mapped != group_.end; waits >>= 1) {
    // An operation whose fetch entered PALcode is never mapped; it stays after the others of its group.
    if (flight_.at(flight_.mapped).map_at == activity::never) break;
    map(flight_.mapped, (waits & 1) != 0);
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
  for (unsigned left = group.undecided; left != 0; left &= left - 1) {
    Operation& operation = flight_.at(group.begin + static_cast<unsigned>(std::countr_zero(left)));
    operation.side = side_of(group.classes, place_of(operation));
  }
}

void MapStage::map(Sequence sequence, bool waits) {
  Operation& operation = flight_.at(sequence);
  const Cycle now = machine_.agenda.now();
  operation.mapped = true;
  if (operation.first) {
    operation.map_stalled = now > operation.map_at;
    // The prediction was added to the record after the fetch.
    flight_.occur_changed(machine_.recorder, Signal::dispatch, sequence, 0,
                          [&operation](activity::InstructionRecord& record, act::Instruction& more) {
                            record.predicted_taken = operation.predicted_taken;
                            more.map_stalled = operation.map_stalled;
                          });
  }
  if (!waits) {
    if (operation.squashed) operation.complete = now + 1;
    operation.result = now;
    return;
  }
  count_results(operation);
  rename(sequence, operation);
  integer_.take(operation.integer_results);
  fp_.take(operation.fp_results);
  if (operation.code->touches_memory()) load_store_.map(sequence);
  queues_.insert(sequence, operation);
}

// The first half of a conditional move reads the condition (Ra) and the old value (Rc) into a temporary register; the
// second half reads that register and the other operand (Rb).
void MapStage::rename(Sequence sequence, Operation& operation) {
  const StaticCode& code = *operation.code;
  unsigned pending = 0;
  const auto depend = [&, retired = flight_.retired](std::uint8_t reg) {
    if (const Sequence writer = writers_[reg]; writer > retired) operation.pending[pending++] = writer - 1;
  };
  if (operation.first && operation.last) {
    const unsigned reads = std::min<unsigned>(code.read_count, operation.pending.size());
    for (unsigned i = 0; i < reads; ++i) depend(code.reads[i]);
  } else {
    constexpr std::uint32_t literal_bit = 1u << 12;
    const auto field = [&](unsigned low) {
      return static_cast<std::uint8_t>((code.encoding >> low & 31) + (code.floats ? trace::alpha::reg_fp : 0));
    };
    if (operation.first) {
      depend(field(21));
      depend(field(0));
    } else {
      operation.pending[pending++] = sequence - 1;
      if (code.floats || (code.encoding & literal_bit) == 0) depend(field(16));
    }
  }
  operation.pending_count = static_cast<std::uint8_t>(pending);
  if (!operation.last) return;
  operation.writes = code.write_count;
  for (unsigned i = 0; i < code.write_count; ++i) {
    const std::uint8_t reg = code.writes[i];
    operation.written[i] = reg;
    operation.writer_before[i] = writers_[reg];
    writers_[reg] = sequence + 1;
  }
}

void MapStage::kill(Sequence from) {
  group_ = {};
  stalled_ = false;
  for (Sequence s = flight_.mapped; s > from; --s) {
    const Operation& operation = flight_.at(s - 1);
    integer_.kill(operation.integer_results);
    fp_.kill(operation.fp_results);
    for (unsigned i = operation.writes; i != 0; --i)
      writers_[operation.written[i - 1]] = operation.writer_before[i - 1];
  }
}

}  // namespace pmusim::core::alpha::out_of_order
