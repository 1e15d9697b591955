// The branch trace buffer's recording rule.
#include <algorithm>
#include <optional>

#include "testbench/oracle/captures.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/gates_cursor.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {

using activity::Block;
using activity::Cycle;
using activity::ia64::BranchClass;
using activity::ia64::Prediction;

namespace {
constexpr std::uint64_t bundle_of(std::uint64_t address) { return address & ~std::uint64_t{15}; }
}  // namespace

BranchList::BranchList(const Request& request, const ParameterLookup& parameters, std::string_view target)
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
  if (!taken && choices_.untaken_has_no_target && !(filter.target_wrong && filter.target_right)) return false;
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
  branch.target_entry = branch.taken || choices_.untaken_branch_target;
  // If the window of a branch is the target of its predecessor, the branch itself shows where the predecessor went.
  if (!branches_.empty() && !choices_.every_target_written) {
    RecordedBranch& before = branches_.back();
    const bool at_target = branch.window == before.target || branch.ip == before.target;
    if (before.at + 1 == at && before.taken && at_target) before.target_entry = false;
  }
  branches_.push_back(branch);
}

void BranchList::consume(const Block& block) {
  GatesCursor gates(choices_.thread);
  gates.enter(block);
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
    const bool too_late = branch.taken && branch.at == end && (stop <= frozen || choices_.frozen_target_lost);
    const bool target = last ? (branch.taken || choices_.untaken_branch_target) && !too_late : branch.target_entry;
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

}  // namespace pmusim::oracle
