// The cycle, the run loop and the interrupts of perturbing mode.
#include "models/core/ppc750/core.h"

#include <bit>

#include "models/core/ppc750/ppc750.h"

namespace pmusim::core::ppc750 {
namespace msr = activity::msr;
using trace::ppc::Kind;

Ppc750Core::Ppc750Core(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters)
    : machine_(parameters),
      program_(std::move(reader)),
      operations_(machine_.settings),
      memory_(machine_),
      translation_(machine_, memory_),
      btic_(machine_.settings.btic_sets, machine_.settings.btic_ways),
      history_(machine_.settings.bht_entries, static_cast<std::uint8_t>(machine_.settings.bht_initial)),
      msr_(machine_.settings.msr) {
  operations_.make_handler();
  for (unsigned i = 0; i < pool_.size(); ++i) free_.push(static_cast<Index>(i));
  const auto stations = [&](Unit unit, unsigned count) { stations_[static_cast<std::size_t>(unit)] = count; };
  stations(Unit::integer_1, machine_.settings.integer_1_stations);
  stations(Unit::integer_2, machine_.settings.integer_2_stations);
  stations(Unit::system, machine_.settings.system_stations);
  stations(Unit::fp, machine_.settings.fp_stations);
  stations(Unit::load_store, machine_.settings.load_store_stations);
  stations(Unit::branch, max_queue);
  if (const Program::Entry* first = program_.at(0)) fetch_pc_ = first->instruction.code->pc;
}

bool Ppc750Core::finished() {
  if (!completion_.empty() || !discarded_.empty() || !queue_.empty() || handler_active_ || handler_requested_ ||
      !on_path_)
    return false;
  return program_.ends_at(cursor_) && now_ + 1 >= stimulus_from_ && quiet();
}

void Ppc750Core::step() {
  wake_.at = activity::never;
  machine_.recorder.begin_cycle(now_);
  if (handler_requested_) enter_handler();
  if (handler_active_ && handler_retired_ == handler_length_) leave_handler();
  if (now_ < stimulus_from_ || clock_stopped_ || !no_directive_waits()) act_stimuli();
  if (!memory_.quiet()) memory_.step(now_, wake_);
  if (translation_.walking()) translation_.step(now_, wake_);
  if (!loads_.empty()) poll_loads();
  if (!completion_.empty() || !discarded_.empty()) retire();
  if (stage_.active && !stage_.waiting) access();
  if (!stores_.empty() && stores_[0].committed) drain_stores();
  if (unissued_ != 0) issue();
  if (next_finish_ <= now_) record_finished();
  if (next_finish_ != activity::never) wake_.on(next_finish_);
  if (unhandled_branches_ != 0) {
    handle_branch();
  } else {
    machine_.recorder.set(State::branch_unit, 0);
  }
  dispatch();
  if (!predictions_.empty()) resolve_branch();
  fetch();
}

void Ppc750Core::start() {
  machine_.recorder.set(State::clock, 1);
  machine_.recorder.set(State::bus_ratio, (std::uint64_t{machine_.settings.bus_ratio_numerator} << 16) |
                                              machine_.settings.bus_ratio_denominator);
  set_msr(msr_);
  ended_ = finished();
}

void Ppc750Core::take_interrupt(unsigned handler_instructions) {
  handler_requested_ = true;
  handler_length_ = handler_instructions;
  wake();
}

void Ppc750Core::enter_handler() {
  handler_requested_ = false;
  flush_behind(0);
  cursor_ = program_.begin();
  program_.undo(cursor_);
  enter_exception(activity::detail::trap_maskable | activity::detail::trap_monitor);
  handler_active_ = true;
  handler_fetched_ = handler_retired_ = 0;
  const std::uint64_t prefix = (msr_ & msr::ip) != 0 ? 0xFFF00000 : 0;
  redirect(prefix + 0xF00, true, cursor_, now_);
}

void Ppc750Core::leave_handler() {
  handler_active_ = false;
  set_msr(saved_msr_.back());
  saved_msr_.pop_back();
  btic_.clear();
  const Program::Entry* entry = program_.at(cursor_);
  redirect(entry != nullptr ? entry->instruction.code->pc : fetch_pc_, true, cursor_, std::max(now_, stimulus_from_));
}

// --- retirement in order, and removal of instructions that must not retire ----------------------------------------

bool Ppc750Core::may_retire(const Dynamic& d) const {
  if (d.finish_at >= now_) return false;  // record_finished() wakes
  // The instruction must be neither after an open prediction nor itself an open prediction.
  return predictions_.empty() || predictions_[0].sequence > d.sequence;
}

void Ppc750Core::retire() {
  for (unsigned n = 0; n < 2 && (!completion_.empty() || !discarded_.empty());) {
    if (discarded_is_next()) {
      if (!may_retire(discarded_.front())) return;
      wake_.on(now_ + 1);
      complete(discarded_.front());
      discarded_.pop_front();
      n += machine_.settings.no_op == NoOp::counted ? 1 : 0;
      continue;
    }
    ++n;
    const Index index = completion_[0];
    Dynamic& d = pool_[index];
    if (!may_retire(d)) return;
    wake_.on(now_ + 1);
    retired_at_ = now_;
    completion_.pop_front();
    const bool refetch = d.operation->refetch;
    const std::uint64_t sequence = d.sequence, next_pc = d.named.record.next_ip, next_ordinal = d.ordinal + 1;
    complete(d);
    release(index);
    if (refetch) {
      flush_behind(sequence);
      redirect(next_pc, true, next_ordinal, now_ + 1);
      return;
    }
  }
}

void Ppc750Core::complete(Dynamic& d) {
  const Operation& op = *d.operation;
  if (op.kind == Kind::store_conditional && d.entry != nullptr) {
    for (const trace::Access& access : d.entry->instruction.accesses) {
      d.named.record.conditional_success |= access.store;
    }
  }
  if (!op.discarded || machine_.settings.no_op == NoOp::counted) machine_.recorder.occur(Signal::retire, d.named);
  if (op.words) {
    const unsigned words = piece_count(d);
    if (words != 0) machine_.recorder.occur(Signal::operation_retire, d.named, 0, static_cast<std::uint16_t>(words));
  }
  if (op.store || op.cache_operation) {
    for (unsigned i = 0; i < stores_.size(); ++i) {
      if (stores_[i].sequence == d.sequence) stores_[i].committed = true;
    }
  }
  for (unsigned fields = op.writes.conditions(); fields != 0; fields &= fields - 1) {
    condition_ready_[static_cast<unsigned>(std::countr_zero(fields))] =
        d.finish_at + 1 + machine_.settings.condition_delay;
  }
  note_constants(op);
  if (op.kind == Kind::return_from_interrupt) btic_.clear();
  forget(d);
  if (d.handler) {
    ++handler_retired_;
  } else if (d.entry != nullptr) {
    if (d.entry->instruction.annotations != nullptr) {
      for (const trace::RegisterUse& use : d.entry->instruction.annotations->registers)
        machine_.recorder.access(d.named, use);
    }
    program_.complete(d.ordinal);
  }
}

void Ppc750Core::note_constants(const Operation& op) {
  const auto written = static_cast<std::uint32_t>(op.writes.low);
  if (op.constant_bytes == 0 && (written & constants_) == 0) return;
  for (std::uint32_t left = written; left != 0; left &= left - 1) {
    constant_bytes_[static_cast<unsigned>(std::countr_zero(left))] = op.constant_bytes;
  }
  constants_ = op.constant_bytes != 0 ? constants_ | written : constants_ & ~written;
}

/// Releases the resources of a dispatched instruction.
void Ppc750Core::forget(const Dynamic& d) {
  const Operation& op = *d.operation;
  gpr_used_ -= op.gpr_renames;
  fpr_used_ -= op.fpr_renames;
  lr_used_ -= op.writes.link() ? 1 : 0;
  ctr_used_ -= op.writes.count() ? 1 : 0;
  if (serial_sequence_ == d.sequence) serial_sequence_ = 0;
  if (!d.issued) {
    --unissued_;
    --stations_used_[static_cast<std::size_t>(d.unit)];
  }
}

/// Removes all instructions younger than `sequence`. The caller redirects fetch.
void Ppc750Core::flush_behind(std::uint64_t sequence) {
  unsigned keep = 0;
  while (keep < queue_.size() && pool_[queue_[keep]].sequence <= sequence) ++keep;
  purge_queue(keep);

  unsigned open = 0;
  while (open < predictions_.size() && predictions_[open].sequence <= sequence) ++open;
  for (unsigned i = open; i < predictions_.size(); ++i) {
    if (predictions_[i].folded) release(predictions_[i].branch);
  }
  predictions_.truncate(open);

  if (stage_.active && pool_[stage_.instruction].sequence > sequence) stage_.active = false;
  for (unsigned i = 0; i < loads_.size();) {
    if (loads_[i].sequence > sequence) {
      loads_.erase(i);
    } else {
      ++i;
    }
  }
  note_load_misses();
  unsigned stores = 0;
  while (stores < stores_.size() && (stores_[stores].committed || stores_[stores].sequence <= sequence)) ++stores;
  stores_.truncate(stores);

  while (!discarded_.empty() && discarded_.back().sequence > sequence) {
    if (machine_.settings.no_op == NoOp::counted) machine_.recorder.occur(Signal::kill, discarded_.back().named);
    discarded_.pop_back();
  }

  unsigned entries = 0;
  while (entries < completion_.size() && pool_[completion_[entries]].sequence <= sequence) ++entries;
  for (unsigned i = entries; i < completion_.size(); ++i) {
    Dynamic& d = pool_[completion_[i]];
    machine_.recorder.occur(Signal::kill, d.named);
    forget(d);
    release(completion_[i]);
  }
  if (entries == completion_.size()) return;
  completion_.truncate(entries);
  rebuild_writers();
}

void Ppc750Core::rebuild_writers() {
  writers_.fill({});
  for (unsigned i = 0; i < completion_.size(); ++i) {
    const Dynamic& d = pool_[completion_[i]];
    d.operation->writes.for_each([&](unsigned r) { writers_[r] = {completion_[i], d.sequence}; });
  }
}

}  // namespace pmusim::core::ppc750

namespace pmusim::core {

template class SteppedCore<ppc750::Ppc750Core>;

std::unique_ptr<Core> make_ppc750(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  require_isa(*reader, trace::Isa::ppc, "ppc750gx");
  return std::make_unique<ppc750::Ppc750Core>(std::move(reader), parameters);
}

}  // namespace pmusim::core
