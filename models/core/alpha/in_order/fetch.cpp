// Fetch: one aligned block per cycle, along the path of the trace. A misprediction stops fetch until the branch has
// issued: fetch on the wrong path is not modelled.
#include <algorithm>
#include <utility>

#include "models/core/alpha/in_order/core.h"

namespace pmusim::core::alpha {

void InOrderCore::fetch() {
  const Program::Entry* const entry = next_entry();
  if (entry == nullptr || entry->directives.due()) return;
  const std::uint64_t pc = entry->instruction.code->pc;
  const trace::Annotations* const annotations = entry->instruction.annotations;
  const bool ordinary = annotations == nullptr && !line_waits_ && itb_owed_.empty() && !stimulus_.has_parity_errors();
  if (ordinary && memory_.fetch_hit(pc)) {
    line_missed_ = false;
    deliver();
  } else if (fetch_line(pc, annotations)) {
    deliver();
  }
}

/// True once the line of the next instruction has arrived.
bool InOrderCore::fetch_line(std::uint64_t pc, const trace::Annotations* annotations) {
  if (line_waits_) return memory_.has_code(pc);
  line_missed_ = false;
  // A trap that an older instruction has overtaken comes again.
  const auto owed =
      std::find_if(itb_owed_.begin(), itb_owed_.end(), [this](const ItbOwed& o) { return o.ordinal == cursor_; });
  if (owed != itb_owed_.end()) {
    itb_missed_ = true;
    itb_fault_ = owed->fault;
    machine_.agenda.changed();
    return false;
  }
  const unsigned block_bytes = 4u * rules_.width;
  NamedRequest request = machine_.new_request(pc, block_bytes - static_cast<unsigned>(pc % block_bytes));
  Forced forced = forced_code(annotations);
  const bool forced_miss = forced.level != trace::Level::unset && forced.level != trace::Level::l1;
  auto translation = annotations != nullptr ? annotations->itlb : trace::TlbOutcome::unset;
  // The ITB is looked up for lines that neither the Icache nor the refill buffer has: a fetch that must miss the ITB
  // also misses these.
  if (translation == trace::TlbOutcome::walk && forced.level == trace::Level::l1) forced.level = trace::Level::unset;
  if (forced_itb_ == cursor_ && translation != trace::TlbOutcome::unset) translation = trace::TlbOutcome::hit;
  const bool drops = translation == trace::TlbOutcome::walk;
  if (drops) memory_.drop_prefetch(pc);
  if (drops || forced_miss || stimulus_.take_parity_error(pc)) memory_.drop_code(pc);
  const bool absent = !memory_.has_code(pc) && !memory_.prefetches(pc) && forced.level != trace::Level::l1;
  if (absent || translation == trace::TlbOutcome::walk || translation == trace::TlbOutcome::fault) {
    const Translated result = translation_.code(request, translation);
    if (result != Translated::hit) {
      forced_itb_ = cursor_;
      itb_missed_ = true;
      itb_fault_ = result == Translated::fault;
      itb_owed_.push_back({cursor_, itb_fault_});
      machine_.agenda.changed();
      return false;
    }
  }
  switch (memory_.fetch(request, forced)) {
    case Probe::hit:
      return true;
    case Probe::miss:
      line_missed_ = true;
      line_waits_ = true;
      return false;
    case Probe::merged:
      line_waits_ = true;
      return false;
    case Probe::full:
      break;
  }
  return false;
}

/// Delivers the instructions of the block up to its end, a branch that is taken or predicted taken, or a directive.
void InOrderCore::deliver() {
  line_waits_ = false;
  machine_.agenda.changed();
  FetchBlock& block = blocks_[(block_first_ + block_count_) % most_blocks];
  ++block_count_;
  block.ready = now_ + pipeline_.fetch_to_issue;
  block.count = block.next = block.group_end = 0;
  const std::uint64_t block_bytes = 4u * rules_.width;
  fetch_from_ = now_ + 1;
  Program::Entry* entry = next_entry();
  const std::uint64_t end = (entry->instruction.code->pc / block_bytes + 1) * block_bytes;
  while (true) {
    const Slot& last = add(block, *entry);
    ++cursor_;
    if (last.ends_fetch) {
      fetch_stopped_ = true;
      return;
    }
    entry = next_entry();
    if (last.predicted_taken) {
      fetch_from_ = now_ + 1 + pipeline_.taken_bubble;
      return;
    }
    const std::uint64_t next = last.code->next();
    if (entry == nullptr || next >= end || entry->instruction.code->pc != next || !entry->directives.list.empty())
      return;
  }
}

InOrderCore::Slot& InOrderCore::add(FetchBlock& block, Program::Entry& entry) {
  const StaticCode& code = codes_.of(*entry.instruction.code);
  block.slotted[block.count].rule = &rules_.of(code);
  Slot& slot = block.slots[block.count++];
  slot.code = &code;
  slot.entry = &entry;
  slot.ordinal = cursor_;
  slot.fetched = now_;
  slot.predicted_taken = slot.mispredicted = false;
  slot.ends_fetch = code.leaves;
  slot.fill_stream = line_missed_;
  if (code.is_branch()) predict(slot);
  if (entry.instruction.annotations != nullptr) {
    if (entry.accesses_registers())
      recorder_.subscribe(activity::Subscription::everything());  // well before the access
    slot.ends_fetch |= entry.instruction.annotations->trap != trace::Trap::unset;
  }
  return slot;
}

void InOrderCore::predict(Slot& slot) {
  const trace::Instruction& in = slot.entry->instruction;
  // An instruction that is fetched again after a trap keeps its first prediction.
  Prediction::Guess& kept = guesses_[cursor_ % guesses_.size()];
  if (cursor_ >= predicted_) kept = prediction_.predict(*slot.code, in.taken, in.target);
  predicted_ = std::max(predicted_, cursor_ + 1);
  Prediction::Guess guess = kept;
  const auto forced = in.annotations != nullptr ? in.annotations->mispredict : trace::Mispredict::unset;
  if (forced != trace::Mispredict::unset) {
    guess.right = forced == trace::Mispredict::none;
    if (slot.code->branch == StaticCode::Branch::conditional) guess.taken = in.taken == guess.right;
  }
  slot.predicted_taken = guess.taken;
  slot.mispredicted = !guess.right;
  slot.ends_fetch |= slot.mispredicted;
}

using Branch = StaticCode::Branch;

Prediction::Prediction(const InOrderSettings& pipeline)
    : history_(pipeline.history_entries),
      most_(static_cast<std::uint8_t>((1u << pipeline.history_bits) - 1)),
      stack_(pipeline.return_stack) {}

bool Prediction::predict_direction(const StaticCode& code, bool taken) {
  History& history = history_[code.pc / 4 & (history_.size() - 1)];
  const auto threshold = static_cast<std::uint8_t>(most_ / 2 + 1);
  if (history.pc != code.pc) {
    history.pc = code.pc;
    history.counter = code.backward ? threshold : static_cast<std::uint8_t>(threshold - 1);
  }
  const bool guess = history.counter >= threshold;
  if (taken && history.counter < most_) ++history.counter;
  if (!taken && history.counter > 0) --history.counter;
  return guess;
}

std::uint64_t Prediction::pop() {
  const std::uint64_t address = std::exchange(stack_[top_], 0);
  top_ = (top_ + stack_.size() - 1) % stack_.size();
  return address;
}

Prediction::Guess Prediction::predict(const StaticCode& code, bool taken, std::uint64_t target) {
  constexpr std::uint64_t hint_mask = 0xffff;
  if (code.branch == Branch::conditional) {
    const bool guess = predict_direction(code, taken);
    return {guess, guess == taken};
  }
  bool right = true;
  if (code.pops_return()) right = pop() == target;
  if (code.branch == Branch::computed || code.branch == Branch::computed_subroutine)
    right = ((target ^ code.hint) & hint_mask) == 0;
  if (code.pushes_return()) {
    top_ = (top_ + 1) % stack_.size();
    stack_[top_] = code.next();
  }
  return {true, right};
}

}  // namespace pmusim::core::alpha
