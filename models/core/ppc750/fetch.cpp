// Fetch: from an address to instructions in the instruction queue, on the correct path and on the wrong path.
#include <fmt/format.h>

#include "models/core/ppc750/core.h"

namespace pmusim::core::ppc750 {

namespace {
constexpr unsigned line_bytes = 32;
constexpr std::uint64_t handler_id = std::uint64_t{1} << 62;  ///< instructions of an interrupt handler

bool cuts_fetch(const trace::Annotations* a) {
  return a != nullptr && (a->fetch != trace::Level::unset || a->itlb != trace::TlbOutcome::unset);
}
}  // namespace

void Ppc750Core::redirect(std::uint64_t pc, bool on_path, std::uint64_t ordinal, Cycle from) {
  fetch_pc_ = pc;
  on_path_ = on_path;
  cursor_ = ordinal;
  fetch_from_ = from;
  fetch_stopped_ = false;
  end_pending_fetch();
  wake_.on(from);
}

/// Removes all but the `keep` oldest entries from the instruction queue, and cancels a fetch that waits.
void Ppc750Core::purge_queue(unsigned keep) {
  for (unsigned i = keep; i < queue_.size(); ++i) {
    const Dynamic& d = pool_[queue_[i]];
    if (d.operation != nullptr && d.operation->is_branch() && !d.handled) --unhandled_branches_;
    release(queue_[i]);
  }
  if (keep < queue_.size()) queue_.truncate(keep);
  end_pending_fetch();
}

void Ppc750Core::end_pending_fetch() {
  if (!pending_.active) return;
  pending_.active = false;
  machine_.recorder.set(State::fetch_stall, 0);
}

NamedRequest Ppc750Core::fetch_request(std::uint32_t size) const {
  NamedRequest request;
  request.record.id = request_count_ + 1;
  request.record.address = fetch_pc_;
  request.record.size = size;
  request.record.wrong_path = !on_path_;
  return request;
}

/// True if the page of fetch_pc_ is translated. A table search starts only when the access is certainly required.
bool Ppc750Core::translate_fetch(const trace::Annotations* annotations) {
  if (!translated(Side::instruction)) return true;
  if (translation_.walking(Side::instruction)) return false;
  const trace::TlbOutcome forced = annotations != nullptr ? annotations->itlb : trace::TlbOutcome::unset;
  if (forced == trace::TlbOutcome::hit) translation_.install(Side::instruction, fetch_pc_);
  const bool must_walk = forced == trace::TlbOutcome::walk && walked_fetch_ != cursor_;
  if (!must_walk && translation_.hit(Side::instruction, fetch_pc_)) return true;
  if (!predictions_.empty() || unhandled_branches_ != 0) return false;
  NamedRequest request = fetch_request(4);
  if (translation_.start_walk(now_, Side::instruction, request, wake_) && on_path_) walked_fetch_ = cursor_;
  return false;
}

void Ppc750Core::fetch() {
  if (pending_.active) {
    const bool ready =
        pending_.whole_line ? memory_.line_ready(pending_.miss) : memory_.data_ready(pending_.miss, now_);
    if (!ready) return;
    end_pending_fetch();
    return deliver(machine_.settings.fetch_width, pending_.requested);
  }
  if (fetch_stopped_ || queue_.size() >= machine_.settings.instruction_queue) return;
  if (now_ < fetch_from_) return wake_.on(fetch_from_);
  const trace::Annotations* annotations = nullptr;
  if (handler_active_) {
    if (handler_fetched_ == handler_length_) return;
  } else if (on_path_) {
    if (!no_directive_waits()) return;
    const Program::Entry* entry = program_.at(cursor_);
    if (entry == nullptr) return;
    annotations = entry->instruction.annotations;
  } else if (!machine_.settings.wrong_path) {
    return;
  }
  if (!translate_fetch(annotations)) return;
  if (annotations == nullptr && memory_.fetch_hit(fetch_pc_)) {
    ++request_count_;
    wake_.on(now_ + 1);
    return deliver(machine_.settings.fetch_width, now_);
  }
  NamedRequest request =
      fetch_request(std::min<std::uint32_t>(4 * machine_.settings.fetch_width, line_bytes - (fetch_pc_ % line_bytes)));
  request.record.start = now_;
  Forced forced;
  if (annotations != nullptr) forced.level = annotations->fetch;
  const Probe probe = memory_.fetch(now_, request, forced);
  if (probe.result == ProbeResult::busy) return;  // the fill in flight requests the next cycle
  ++request_count_;
  wake_.on(now_ + 1);
  if (probe.result == ProbeResult::hit) return deliver(machine_.settings.fetch_width, now_);
  pending_ = {true, probe.result == ProbeResult::pending, probe.miss, now_};
  machine_.recorder.set(State::fetch_stall, 1);
}

Ppc750Core::Index Ppc750Core::allocate() {
  const Index index = free_[0];
  free_.pop_front();
  Dynamic& d = pool_[index];
  d.named.block = 0;
  d.operation = nullptr;
  d.entry = nullptr;
  d.ordinal = 0;
  d.sequence = ++sequence_;
  d.queued = now_;
  d.operands_at = activity::never;
  d.finish_at = d.result_at = activity::never;
  d.unit = Unit::none;
  d.issued = d.handler = d.handled = d.waited = false;
  d.producer_count = 0;
  return index;
}

/// Puts up to `most` instructions, from fetch_pc_ on and within one line, into the instruction queue.
void Ppc750Core::deliver(unsigned most, Cycle requested) {
  static constexpr Operation unknown;  // the bytes are not in the trace
  const unsigned room = std::min(most, machine_.settings.instruction_queue - queue_.size());
  for (unsigned n = 0; n < room; ++n) {
    if (n > 0 && fetch_pc_ % line_bytes == 0) break;
    Program::Entry* entry = nullptr;
    const Operation* operation = nullptr;
    if (handler_active_) {
      if (handler_fetched_ == handler_length_) break;
      operation = &operations_.handler();
    } else if (on_path_) {
      entry = program_.at(cursor_);
      if (entry == nullptr || entry->directives.due()) break;
      if (n > 0 && cuts_fetch(entry->instruction.annotations)) break;
      if (entry->accesses_registers()) machine_.recorder.subscribe(activity::Subscription::everything());
      operation = &operations_.get(*entry->instruction.code);
    } else {
      if (!machine_.settings.wrong_path) break;
      const trace::Code* code = program_.find(fetch_pc_);
      if (code != nullptr) operation = &operations_.get(*code);
      if (operation != nullptr && operation->unit == Unit::none) operation = nullptr;  // illegal, never executed
    }
    const Index index = allocate();
    Dynamic& d = pool_[index];
    d.operation = operation;
    d.entry = entry;
    InstructionRecord& record = d.named.record;
    record = operation != nullptr ? operation->record : unknown.record;
    record.ip = fetch_pc_;
    record.tagged = requested;
    fetch_pc_ = static_cast<std::uint32_t>(fetch_pc_ + 4);
    record.next_ip = fetch_pc_;
    if (handler_active_) {
      d.handler = true;
      ++handler_fetched_;
      record.id = handler_id | ++handler_count_;
    } else if (entry != nullptr) {
      d.ordinal = record.id = cursor_++;
      record.next_ip = next_of(entry->instruction);
      if (entry->instruction.annotations != nullptr || entry->instruction.taken || operation->unit == Unit::none)
        check(d);
      on_path_ = record.next_ip == fetch_pc_;
    } else {
      record.id = wrong_path_id();
      record.wrong_path = true;
    }
    if (operation != nullptr && operation->is_branch()) ++unhandled_branches_;
    queue_.push(index);
  }
  wake_.on(now_ + 1);
}

/// Rejects instructions and annotations that this processor does not support.
void Ppc750Core::check(const Dynamic& d) const {
  if (d.operation->unit == Unit::none) reject(d, "is not an instruction of the 750GX");
  if (d.entry->instruction.taken && !d.operation->is_branch()) reject(d, "is no branch and cannot be taken");
  const trace::Annotations* a = d.entry->instruction.annotations;
  if (a == nullptr) return;
  if (a->mispredict == trace::Mispredict::target) reject(d, "mispredict=target: the 750GX predicts no targets");
  if (a->mispredict != trace::Mispredict::unset && !d.operation->conditional) {
    reject(d, "mispredict= needs a conditional branch");
  }
  if (a->data == trace::Level::l3 || a->fetch == trace::Level::l3) reject(d, "the 750GX has no L3; l1, l2 or mem");
  for (const trace::TlbOutcome tlb : {a->dtlb, a->itlb}) {
    if (tlb == trace::TlbOutcome::l2) reject(d, "the 750GX has one level of TLB; hit or walk");
    if (tlb == trace::TlbOutcome::fault) reject(d, "translation faults are not modelled; hit or walk");
  }
}

void Ppc750Core::reject(const Dynamic& d, const std::string& why) const {
  throw CoreError(fmt::format("trace instruction {} at {:08x} ({:02x}{:02x}{:02x}{:02x}): {}", d.ordinal,
                              d.named.record.ip, d.operation->record.encoding & 0xFF,
                              (d.operation->record.encoding >> 8) & 0xFF, (d.operation->record.encoding >> 16) & 0xFF,
                              (d.operation->record.encoding >> 24) & 0xFF, why));
}

}  // namespace pmusim::core::ppc750
