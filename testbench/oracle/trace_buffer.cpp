// The branch trace buffer's recording rule.
#include <algorithm>
#include <optional>
#include <utility>

#include "testbench/oracle/captures.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/qualifiers.h"
#include "testbench/oracle/state_cursor.h"

namespace pmusim::oracle {

using activity::Block;
using activity::Cycle;
using activity::ia64::BranchClass;
using activity::ia64::Prediction;

namespace {
constexpr std::uint64_t bundle_of(std::uint64_t address) { return address & ~std::uint64_t{15}; }
}  // namespace

TraceBuffer::TraceBuffer(const Request& request, const ParameterLookup& parameters, std::string_view target)
    : request_(request),
      choices_(family_of(target).choices(parameters)),
      entries_(family_of(target).trace_entries),
      freeze_delay_(parameters ? static_cast<Cycle>(parameters("pmu.freeze_delay")) : 0) {}

bool BranchList::wanted(const Block& block, std::uint32_t ref, unsigned gates) const {
  const auto& instruction = block.instructions.at(ref);
  const auto& syllable = block.syllables.at(ref);
  const bool rfi = syllable.has(activity::ia64::Kind::rfi);
  if (instruction.thread != choices_.thread || request_.ia64.traces_addresses) return false;
  if (!(rfi ? !choices_.rfi_left_out : syllable.has(activity::ia64::Kind::branch)) ||
      !runs_in_either_set(request_, gates))
    return false;
  const ia64::BranchFilter& filter = request_.ia64.branches;
  using Type = ia64::BranchFilter::Type;
  const BranchClass kind = rfi ? BranchClass::indirect : syllable.branch_class;
  const bool all = filter.type == Type::all && !choices_.all_types_record_none;
  const bool type = all || (filter.type == Type::ip_relative && kind == BranchClass::ip_relative) ||
                    (filter.type == Type::returns && kind == BranchClass::return_) ||
                    (filter.type == Type::indirect && kind == BranchClass::indirect);
  const bool wrong_path = syllable.prediction == Prediction::wrong_path;
  const bool taken = instruction.taken || rfi;
  const bool wrong_target = taken && syllable.prediction == Prediction::wrong_target;
  if (!type || !(taken ? filter.taken : filter.not_taken) || !(wrong_path ? filter.path_wrong : filter.path_right) ||
      !(wrong_target ? filter.target_wrong : filter.target_right)) {
    return false;
  }
  const Subject subject = subject_of_instruction(block, ref, gates);
  return qualifies(subject, {.code = true, .opcode = true}, request_, choices_);
}

void BranchList::record(const Block& block, std::uint32_t ref, Cycle at) {
  const auto& instruction = block.instructions.at(ref);
  const auto& syllable = block.syllables.at(ref);
  RecordedBranch branch;
  branch.at = at;
  branch.ip = instruction.ip;
  branch.slot = instruction.slot;
  branch.taken = instruction.taken || syllable.has(activity::ia64::Kind::rfi);
  const bool wrong = syllable.prediction == Prediction::wrong_path || syllable.prediction == Prediction::wrong_target;
  if (wrong) branch.outcome = RecordedBranch::Outcome::front_end;
  if (syllable.back_end_flush) branch.outcome = RecordedBranch::Outcome::back_end;
  branch.window = syllable.window;
  branch.target = bundle_of(instruction.next_ip);
  branch.target_entry = branch.taken;
  // If the window of a branch is the target of its predecessor, the branch itself shows where the predecessor went.
  if (!branches_.empty() && !choices_.every_target_written) {
    RecordedBranch& before = branches_.back();
    const bool at_target = branch.window == before.target || branch.ip == before.target;
    if (before.at + 1 == at && before.taken && at_target) before.target_entry = false;
  }
  branches_.push_back(branch);
}

void BranchList::consume(const Block& block) {
  GatesCursor gates(choices_.thread, block);
  const auto& retired = block.column(activity::Signal::retire);
  for (std::size_t i = 0; i < retired.size();) {
    // One source entry per cycle: the first taken branch, or, of branches not taken, the last or the first one.
    const std::uint32_t at = retired[i].at;
    std::optional<std::uint32_t> chosen;
    bool taken = false;
    for (; i < retired.size() && retired[i].at == at; ++i) {
      const std::uint32_t ref = retired[i].ref;
      if (taken || ref == activity::no_ref) continue;
      if (!block.syllables.at(ref).has(activity::ia64::Kind::branch) &&
          !block.syllables.at(ref).has(activity::ia64::Kind::rfi))
        continue;
      if (!wanted(block, ref, gates.at(block.begin + at))) continue;
      taken = block.instructions.at(ref).taken || block.syllables.at(ref).has(activity::ia64::Kind::rfi);
      if (taken || !chosen || !choices_.first_untaken_branch) chosen = ref;
    }
    if (chosen) record(block, *chosen, block.begin + at);
  }
}

std::vector<BufferEntry> BranchList::written_until(Cycle wrap, Cycle stop) const {
  const Cycle frozen = wrap + freeze_delay_, end = std::min(frozen, stop);
  std::vector<BufferEntry> entries;
  for (std::size_t i = 0; i < branches_.size(); ++i) {
    const RecordedBranch& branch = branches_[i];
    if (branch.at > end) break;
    entries.push_back({true, branch.ip, branch.taken ? branch.slot : std::uint8_t{3}, branch.outcome});
    // The entry for a target waits one cycle, because a branch in that cycle makes it unnecessary. In a frozen buffer
    // no such branch follows. A handler that comes before that cycle does not find the entry.
    const bool last = i + 1 == branches_.size() || branches_[i + 1].at > end;
    const bool too_late = branch.at == end && stop <= frozen;
    const bool target = last ? branch.taken && !too_late : branch.target_entry;
    if (target) entries.push_back({false, branch.target, 0, RecordedBranch::Outcome::right});
  }
  return entries;
}

std::vector<BufferEntry> BranchList::buffer_after(Cycle wrap, Cycle stop) const {
  std::vector<BufferEntry> entries = written_until(wrap, stop);
  if (entries.size() > entries_) entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(entries_));
  return entries;
}

void BranchList::forget(Cycle before) {
  std::erase_if(branches_, [&](const RecordedBranch& branch) { return branch.at < before; });
}

// The contents of the Montecito's trace buffer when it traces addresses (IP-EAR).

using activity::Signal;
using activity::State;
using activity::ia64::BackEnd;

namespace {

constexpr Cycle most_cycles = 63;                // of an entry's field
constexpr std::uint64_t below_cut_bits = 0xfff;  // of an address in a cut entry

/// Finds the pipeline flushes during which a thread is active, in order of time.
class FlushCursor {
 public:
  FlushCursor(const Block& block, unsigned thread) : thread_(thread), at_(block.begin) {
    back_end_.enter(block, block.begin);
    active_.enter(block, block.begin);
  }
  /// `over`: last cycle of the last flush that ended by cycle `until`; `open`: that of a flush that still continues.
  void look(Cycle until, std::optional<Cycle>& over, std::optional<Cycle>& open) {
    while (at_ <= until) {
      const Cycle equal_until = std::min({back_end_.next(), active_.next(), until + 1});
      if (flushes()) {
        open = equal_until - 1;
      } else if (open) {
        over = std::exchange(open, std::nullopt);
      }
      at_ = equal_until;
      back_end_.move_to(at_);
      active_.move_to(at_);
    }
  }

 private:
  [[nodiscard]] bool flushes() const {
    return active_.value() == thread_ && static_cast<BackEnd>(back_end_.value() & 0xf) == BackEnd::flush;
  }
  unsigned thread_;
  Cycle at_;
  StateCursor back_end_{State::back_end};
  StateCursor active_{State::thread};
};

}  // namespace

/// The contents of an entry that follows `before`; without `before`, of the first entry since the buffer was cleared.
TracedBundle AddressTrace::told(const Retired& retired, const Retired* before) const {
  TracedBundle entry;
  entry.at = retired.at;
  entry.bundle = retired.bundle;
  if (before != nullptr) {
    const Cycle distance = retired.at - before->at;
    const Cycle bubbles = distance > 0 ? distance - 1 : 0;
    entry.cycles = static_cast<unsigned>(std::min(choices_.traces_distance ? distance : bubbles, most_cycles));
  }
  // Instructions that retire during a flush are older than the flush. The first entry after its end reports the flush.
  const Cycle since = before != nullptr ? before->at : cleared_;
  entry.flushed = retired.last_flush && *retired.last_flush >= since;
  return entry;
}

void AddressTrace::consume(const Block& block) {
  GatesCursor gates(choices_.thread, block);
  FlushCursor flushes(block, choices_.thread);
  const auto& column = block.column(Signal::retire);
  for (std::size_t i = 0; i < column.size();) {
    const std::uint32_t at = column[i].at;
    const bool runs = runs_in_either_set(request_, gates.at(block.begin + at));
    flushes.look(block.begin + at, last_flush_, open_flush_);
    std::optional<std::uint64_t> bundle;  // the last one with an entry in this cycle
    for (; i < column.size() && column[i].at == at; ++i) {
      if (column[i].ref == activity::no_ref || !runs) continue;
      const auto& instruction = block.instructions.at(column[i].ref);
      const bool next = !bundle || (choices_.traces_bundles && instruction.ip != *bundle);
      if (instruction.thread != choices_.thread || !next) continue;
      bundle = instruction.ip;
      retired_.push_back({block.begin + at, instruction.ip, last_flush_});
    }
  }
  flushes.look(block.end - 1, last_flush_, open_flush_);
  const auto add_cuts = [&](Signal signal, Cycle later) {
    for (const auto& what : block.column(signal)) {
      const Cycle at = block.begin + what.at;
      if (block.state_at(State::thread, at) == choices_.thread) cuts_.push_back({at, later});
    }
  };
  // A thread that gives the pipe away in the cycle of the freeze is not there any more when it acts; a trap then came
  // before it.
  add_cuts(Signal::thread_switch, 0);
  add_cuts(Signal::trap, 1);
  const activity::StateColumn& active = block.state(State::thread);
  if (presence_.empty()) presence_.push_back({block.begin, active.initial == choices_.thread});
  for (const activity::Change& change : active.changes)
    presence_.push_back({block.begin + change.at, change.value == choices_.thread});
  consumed_ = block.end;
}

/// In this cycle the thread is known not to have the pipe.
bool AddressTrace::away_at(Cycle at) const {
  if (at >= consumed_) return false;
  bool here = true;
  for (const Presence& presence : presence_) {
    if (presence.from <= at) here = presence.here;
  }
  return !here;
}

std::vector<TracedBundle> AddressTrace::buffer_after(Cycle wrap, Cycle stop) const {
  const Cycle frozen = wrap + freeze_delay_, end = frozen + request_.ia64.trace_delay;
  Cycle last = end;
  if (stop >= frozen) {  // otherwise software reads it before the freeze
    last = std::min(last, stop);
    if (away_at(frozen + 1)) last = frozen;
    for (const Cut& cut : cuts_) {
      if (cut.at >= frozen + cut.later) last = std::min(last, cut.at);
    }
  }
  std::vector<TracedBundle> buffer;
  const Retired* before = nullptr;
  for (const Retired& retired : retired_) {
    if (retired.at > std::min(last, stop)) break;  // captures after the handler are not read
    buffer.push_back(told(retired, before));
    before = &retired;
  }
  if (buffer.size() > entries_) buffer.erase(buffer.begin(), buffer.end() - static_cast<std::ptrdiff_t>(entries_));
  if (last < end && !buffer.empty()) {
    buffer.back().cut_short = true;
    buffer.back().delay_left = static_cast<unsigned>(end - last);
    buffer.back().bundle &= ~below_cut_bits;
  }
  return buffer;
}

void AddressTrace::forget(Cycle before) {
  std::erase_if(retired_, [&](const Retired& retired) { return retired.at < before; });
  std::erase_if(cuts_, [&](const Cut& cut) { return cut.at < before; });
  while (presence_.size() > 1 && presence_[1].from < before) presence_.erase(presence_.begin());
  cleared_ = before;
}

}  // namespace pmusim::oracle
