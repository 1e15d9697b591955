// Loads and stores at issue: stalls, traps, and their requests to the memory side.
#include <algorithm>

#include "models/core/alpha/in_order/core.h"

namespace pmusim::core::alpha {

using act::Kind;
using act::Replay;
using Work = StaticCode::Work;

namespace {

constexpr std::uint64_t octet_of(std::uint64_t address) { return address & ~std::uint64_t{7}; }

}  // namespace

InOrderCore::IssueStall InOrderCore::memory_obstacle(const Slot& slot) {
  const StaticCode& code = *slot.code;
  if (code.work == Work::memory_barrier && (loads_ != 0 || memory_.writes() != 0)) {
    memory_.flush_writes();
    return IssueStall::memory_barrier;
  }
  if (!code.touches_memory()) return IssueStall::issuing;
  const bool store = code.has(Kind::store);
  const auto next_cycle = [this](IssueStall why) {
    machine_.agenda.at(now_ + 1);
    return why;
  };
  if (rules_.slots && (store ? loaded_ : stored_)) return next_cycle(IssueStall::unit_busy);
  if (slot.entry->accesses.empty()) return IssueStall::issuing;
  const std::uint64_t address = slot.entry->accesses.front().address;
  if (store) {
    if (rules_.full_buffer_freezes && !memory_.accepts_store(address)) return IssueStall::write_buffer;
    return IssueStall::issuing;
  }
  if (!rules_.slots) return IssueStall::issuing;
  for (const Store& before : stores_) {
    if (before.cycle + 2 != now_) continue;
    const bool same_place = pipeline_.store_load_window != 0 && before.octet == octet_of(address);
    if (same_place || pipeline_.load_behind_store >= (before.writes_cache ? 1u : 2u)) {
      return next_cycle(IssueStall::unit_busy);
    }
  }
  return IssueStall::issuing;
}

InOrderCore::Access InOrderCore::access(const Slot& slot, Instruction& instruction, std::uint8_t port) {
  const StaticCode& code = *slot.code;
  const auto& accesses = slot.entry->accesses;
  const auto* const annotations = slot.entry->instruction.annotations;
  const bool is_store = code.has(Kind::store);
  const trace::Access* what = nullptr;  // the access of the instruction's kind
  for (const trace::Access& a : accesses) {
    if (a.store == is_store) what = &a;
  }
  (is_store ? stored_ : loaded_) = true;
  if (what == nullptr) {  // a prefetch with unknown address, or a conditional store that fails
    for (unsigned i = 0; i < code.write_count && !is_store; ++i) {
      results_[code.writes[i]] = Result{};
      results_[code.writes[i]].ready = now_ + machine_.settings.load_use;
    }
    return Access::done;
  }
  if (!code.any_align && what->size > 1 && what->address % what->size != 0) {
    trap(slot, instruction, Trap::unaligned);
    return Access::trapped;
  }
  NamedRequest request = machine_.new_request(instruction, what->address, what->size, is_store);
  auto forced = annotations != nullptr ? annotations->dtlb : trace::TlbOutcome::unset;
  if (forced_dtb_ == slot.ordinal) forced = trace::TlbOutcome::hit;
  const Translated translated = translation_.data(request, forced);
  if (translated != Translated::hit) {
    if (forced != trace::TlbOutcome::unset) forced_dtb_ = slot.ordinal;
    trap(slot, instruction, translated == Translated::fault ? Trap::dstream_fault : Trap::dtb_single);
    if (translated == Translated::double_miss) flow_.table_miss = Trap::dtb_double_3;
    return Access::trapped;
  }
  return is_store ? store(instruction, *what, annotations) : load(slot, instruction, *what, port, annotations);
}

InOrderCore::Access InOrderCore::load(const Slot& slot, Instruction& instruction, const trace::Access& access,
                                      std::uint8_t port, const trace::Annotations* annotations) {
  const unsigned misses = memory_.data_misses(), entries = machine_.settings.miss_file;
  if (rules_.slots) {
    for (const Store& before : stores_) {
      if (pipeline_.store_load_window != 0 && before.cycle + 1 == now_ && before.octet == octet_of(access.address)) {
        replay(instruction, Replay::store_then_load);
        return Access::replayed;
      }
    }
    // The last entry is reserved for E0; with a single entry E1 could never load.
    if (misses >= entries || (port == port::e1 && entries > 1 && misses + 1 >= entries)) {
      replay(instruction, Replay::miss_file_full);
      return Access::replayed;
    }
    // If two loads of a cycle miss the same block, the second does not see the entry that the first one allocates.
    if (missed_block_ != 0 && missed_block_ == access.address / machine_.settings.l1d_line + 1) {
      replay(instruction, Replay::memory_order);
      return Access::replayed;
    }
  }
  NamedRequest request = machine_.new_request(instruction, access.address, access.size, false);
  const Forced forced = forced_data(annotations);
  const std::uint32_t tag = ++tags_;
  const Probed probed = memory_.probe(request, tag, forced, false);
  if (probed.probe == Probe::full) {
    replay(instruction, Replay::miss_file_full);
    return Access::replayed;
  }
  const unsigned hit_latency = machine_.settings.load_use + (probed.delayed ? 1 : 0);
  const bool hits = probed.probe == Probe::hit;
  if (probed.probe == Probe::miss) missed_block_ = access.address / machine_.settings.l1d_line + 1;
  if (!hits) {
    ++loads_;
    if (pipeline_.load_replay != 0) missed_loads_.push_back({tag, instruction});
  }
  for (unsigned i = 0; i < slot.code->write_count; ++i) {
    Result& result = results_[slot.code->writes[i]];
    result = Result{};
    result.tag = tag;
    result.assumed = now_ + hit_latency;
    result.ready = hits ? now_ + std::max(hit_latency, forced.latency) : activity::never;
    if (hits) results_at_ = std::max(results_at_, result.ready);
  }
  return Access::done;
}

InOrderCore::Access InOrderCore::store(Instruction& instruction, const trace::Access& access,
                                       const trace::Annotations* annotations) {
  if (rules_.slots && memory_.writes() >= machine_.settings.write_buffer) {
    memory_.flush_writes();
    replay(instruction, Replay::write_buffer_full);
    return Access::replayed;
  }
  NamedRequest request = machine_.new_request(instruction, access.address, access.size, true);
  const bool hits = memory_.store(request, forced_data(annotations));
  stores_[store_next_] = {now_, octet_of(access.address), hits};
  store_next_ ^= 1;
  return Access::done;
}

void InOrderCore::take_returned() {
  for (const MemorySide::Returned& load : memory_.returned()) {
    --loads_;
    machine_.agenda.changed();
    for (Result& result : results_) {
      if (result.ready == activity::never && result.tag == load.tag) {
        result.ready = now_;
        results_at_ = std::max(results_at_, now_);
      }
    }
    const auto missed = std::find_if(missed_loads_.begin(), missed_loads_.end(),
                                     [&](const MissedLoad& other) { return other.tag == load.tag; });
    if (missed == missed_loads_.end()) continue;
    load_replays_.push_back(missed->instruction);
    missed_loads_.erase(missed);
  }
  if (!load_replays_.empty()) replay_load();
}

/// One load per cycle uses the Abox again.
void InOrderCore::replay_load() {
  Instruction instruction = load_replays_.front();
  load_replays_.erase(load_replays_.begin());
  recorder_.occur(Signal::replay_trap, instruction, static_cast<std::uint16_t>(Replay::load_missed));
  replayed_ = now_;
  units_free_ = std::max(units_free_, now_ + 1);
  machine_.agenda.changed();
}

}  // namespace pmusim::core::alpha
