// Dispatch from the instruction queue to the units, and the start of execution in them.
#include <cstdlib>

#include "models/core/ppc750/core.h"

namespace pmusim::core::ppc750 {

namespace hold = activity::dispatch_hold;
using trace::ppc::Kind;

namespace {

constexpr std::size_t index_of(Unit unit) { return static_cast<std::size_t>(unit); }
constexpr unsigned bit_of(Unit unit) { return 1u << static_cast<unsigned>(unit); }

}  // namespace

/// A unit with a free reservation station that accepts the operation in this cycle, or none. An integer operation that
/// both units execute goes to IU2 first, so that IU1 stays free for multiply and divide.
Unit Ppc750Core::free_unit(const Operation& operation, unsigned units_used) const {
  const auto is_free = [&](Unit unit) {
    return (units_used & bit_of(unit)) == 0 && stations_used_[index_of(unit)] < stations_[index_of(unit)];
  };
  if (operation.unit != Unit::integer) return is_free(operation.unit) ? operation.unit : Unit::none;
  if (is_free(Unit::integer_2)) return Unit::integer_2;
  return is_free(Unit::integer_1) ? Unit::integer_1 : Unit::none;
}

/// The reasons that keep an instruction from dispatching; 0 if it may dispatch. `unit`: the result of free_unit().
std::uint64_t Ppc750Core::obstacle(const Dynamic& d, Unit unit) const {
  const Operation& op = *d.operation;
  if (level(d.sequence) >= 2) return hold::second_stream;
  if (serial_sequence_ != 0) return hold::serialize;
  if (op.discarded) return 0;
  if (completion_.size() == machine_.settings.completion_queue) return hold::completion_full;
  if (unit == Unit::none) return hold::unit_busy;
  const bool renames = gpr_used_ + op.gpr_renames <= machine_.settings.gpr_renames &&
                       fpr_used_ + op.fpr_renames <= machine_.settings.fpr_renames &&
                       (!op.writes.link() || lr_used_ < machine_.settings.lr_renames) &&
                       (!op.writes.count() || ctr_used_ < machine_.settings.ctr_renames);
  return renames ? 0 : hold::rename_full;
}

void Ppc750Core::dispatch() {
  std::uint64_t why = 0;
  unsigned units_used = 0;
  for (unsigned n = 0; n < 2 && !queue_.empty(); ++n) {
    const Index index = queue_[0];
    Dynamic& d = pool_[index];
    if (d.queued >= now_) {
      wake_.on(now_ + 1);
      break;
    }
    if (d.operation == nullptr || (d.operation->is_branch() && !d.handled)) {
      // The bytes are unknown, or a branch waits for its unit; a second stream is held in either case.
      if (n == 0 && level(d.sequence) >= 2) why = hold::second_stream;
      break;
    }
    const Unit unit = free_unit(*d.operation, units_used);
    const std::uint64_t obstacle_bits = obstacle(d, unit);
    if (obstacle_bits != 0) {
      if (n == 0) why = obstacle_bits;
      break;
    }
    queue_.pop_front();
    if (d.operation->discarded) {
      discard(index);
      continue;
    }
    units_used |= bit_of(unit);
    enter_completion(index, unit);
  }
  machine_.recorder.set(State::dispatch_hold, why);
}

void Ppc750Core::enter_completion(Index index, Unit unit) {
  Dynamic& d = pool_[index];
  const Operation& op = *d.operation;
  d.unit = d.named.record.unit = unit;
  completion_.push(index);
  gpr_used_ += op.gpr_renames;
  fpr_used_ += op.fpr_renames;
  lr_used_ += op.writes.link() ? 1 : 0;
  ctr_used_ += op.writes.count() ? 1 : 0;
  machine_.recorder.occur(Signal::dispatch, d.named);
  wake_.on(now_ + 1);
  if (op.dispatch_serial) serial_sequence_ = d.sequence;
  // An instruction that waits for all others to retire needs no list of the producers of its operands.
  if (!op.execution_serial) {
    op.reads.for_each([&](unsigned r) {
      const auto [producer, sequence] = writers_[r];
      const Dynamic& writer = pool_[producer];
      if (writer.sequence != sequence || writer.result_at < now_) return;
      if (d.producer_count == Dynamic::max_producers) return;
      d.producers[d.producer_count] = producer;
      d.producer_sequences[d.producer_count++] = sequence;
    });
  }
  if (d.producer_count == 0) d.operands_at = now_ + 1;
  if (op.factor != Operation::no_factor) d.early = ends_early(op);
  op.writes.for_each([&](unsigned r) { writers_[r] = {index, d.sequence}; });
  if (op.is_branch()) {  // the branch unit has handled it; it only writes LR or CTR
    d.issued = true;
    d.finish_at = d.result_at = now_;
    note_progress(d, Signal::issue);
    note_progress(d, Signal::finish);
    return;
  }
  ++stations_used_[index_of(unit)];
  ++unissued_;
}

/// The cycles of a multiply whose factor is the value of a li or lis; 0 if it is not.
std::uint8_t Ppc750Core::ends_early(const Operation& op) const {
  const auto [index, sequence] = writers_[op.factor];
  const Dynamic& writer = pool_[index];
  const bool in_flight = sequence != 0 && writer.sequence == sequence;
  const int bytes = in_flight ? writer.operation->constant_bytes : constant_bytes_[op.factor];
  if (bytes == 0 || (bytes < 0 && op.kind == Kind::multiply_high_unsigned)) return 0;
  return static_cast<std::uint8_t>(std::min<int>(op.latency, std::abs(bytes) + 1));
}

/// A no-op leaves the queue here, without unit, completion entry or rename. It completes after all older instructions.
void Ppc750Core::discard(Index index) {
  Dynamic& d = pool_[index];
  d.unit = d.named.record.unit = Unit::none;
  d.issued = true;
  d.finish_at = d.result_at = now_;
  if (machine_.settings.no_op == NoOp::counted) machine_.recorder.occur(Signal::dispatch, d.named);
  discarded_.push_back(d);
  release(index);
  wake_.on(now_ + 1);
}

bool Ppc750Core::operands_ready(Dynamic& d) {
  if (d.operands_at == activity::never) {
    Cycle ready = 0;
    for (unsigned i = 0; i < d.producer_count; ++i) {
      const Dynamic& producer = pool_[d.producers[i]];
      if (producer.sequence != d.producer_sequences[i]) continue;
      if (producer.result_at == activity::never) return false;
      ready = std::max(ready, producer.result_at + 1);
    }
    d.operands_at = ready;
  }
  if (d.operands_at <= now_) return true;
  wake_.on(d.operands_at);
  return false;
}

bool Ppc750Core::may_start(const Dynamic& d, bool oldest) {
  const Operation& op = *d.operation;
  if (op.execution_serial && (!oldest || level(d.sequence) != 0)) return false;
  if (op.kind == Kind::integer_extended && retired_at_ == now_) {
    wake_.on(now_ + 1);
    return false;
  }
  // Ordering instructions are the oldest when they wait, so they wait for stores that have retired.
  const bool stores_pending = !stores_.empty() && stores_[0].committed;
  if (op.kind == Kind::sync && (stores_pending || !memory_.data_quiet())) return false;
  if (op.kind == Kind::eieio && stores_pending) return false;
  if (d.unit == Unit::load_store && stage_.active) return false;
  const Cycle free = unit_free_[index_of(d.unit)];
  if (free > now_) wake_.on(free);
  return free <= now_;
}

/// Starts operations: in order within a unit, out of order between units.
void Ppc750Core::issue() {
  unsigned blocked = 0;
  for (unsigned i = 0; i < completion_.size(); ++i) {
    Dynamic& d = pool_[completion_[i]];
    if (d.issued || (blocked & bit_of(d.unit)) != 0) continue;
    blocked |= bit_of(d.unit);
    if (!operands_ready(d) || !may_start(d, i == 0)) continue;
    const Operation& op = *d.operation;
    d.issued = true;
    --unissued_;
    --stations_used_[index_of(d.unit)];
    const trace::Annotations* notes = op.early_out && d.entry != nullptr ? d.entry->instruction.annotations : nullptr;
    std::optional<std::uint32_t> forced = notes != nullptr ? notes->latency : std::nullopt;
    if (d.early != 0 && !forced) forced = d.early;
    unit_free_[index_of(d.unit)] = now_ + forced.value_or(op.throughput);
    note_progress(d, Signal::issue);
    wake_.on(now_ + 1);
    if (d.unit == Unit::load_store) {
      start_access(completion_[i]);
      if (op.store && op.kind != Kind::store_conditional)
        d.result_at = now_ + machine_.settings.store_update_latency - 1;
    } else if (op.kind == Kind::integer_extended) {
      finishes(d, now_ + std::max<Cycle>(op.latency, 2) - 2);
      d.result_at = now_ + op.latency - 1;  // its result is read after its retirement
    } else {
      finishes(d, now_ + forced.value_or(op.latency) - 1);
      if (op.kind == Kind::tlb_management && d.entry != nullptr && !d.entry->instruction.accesses.empty()) {
        translation_.invalidate(d.entry->instruction.accesses.front().address);
      }
    }
  }
}

void Ppc750Core::record_finished() {
  next_finish_ = activity::never;
  for (unsigned i = 0; i < completion_.size(); ++i) {
    Dynamic& d = pool_[completion_[i]];
    if (d.finish_at == now_) {
      note_progress(d, Signal::finish);
      wake_.on(now_ + 1);
    } else if (d.finish_at > now_) {
      next_finish_ = std::min(next_finish_, d.finish_at);
    }
  }
}

}  // namespace pmusim::core::ppc750
