// Retirement in order, and removal of instructions that must not retire.
#include <bit>

#include "models/core/ppc750/core.h"

namespace pmusim::core::ppc750 {

using trace::ppc::Kind;

bool Ppc750Core::may_retire(const Dynamic& d) const {
  if (d.finish_at >= now_) return false;  // record_finished() wakes
  // The instruction must be neither after an open prediction nor itself an open prediction.
  return predictions_.empty() || predictions_[0].sequence > d.sequence;
}

bool Ppc750Core::discarded_is_next() const {
  return !discarded_.empty() && (completion_.empty() || discarded_.front().sequence < pool_[completion_[0]].sequence);
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
  writer_sequence_.fill(0);
  for (unsigned i = 0; i < completion_.size(); ++i) {
    const Dynamic& d = pool_[completion_[i]];
    const RegisterSet& writes = d.operation->writes;
    for (unsigned r = 0; r < trace::ppc::register_count; ++r) {
      const bool writes_it = r < 64 ? ((writes.low >> r) & 1) != 0 : ((writes.high >> (r - 64)) & 1) != 0;
      if (!writes_it) continue;
      writer_[r] = completion_[i];
      writer_sequence_[r] = d.sequence;
    }
  }
}

}  // namespace pmusim::core::ppc750
