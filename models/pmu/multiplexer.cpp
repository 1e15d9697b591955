#include "models/pmu/multiplexer.h"

#include <algorithm>
#include <stdexcept>

namespace pmusim::pmu {
namespace {

auto first_change_behind(const activity::StateColumn& column, Cycle offset) {
  return std::upper_bound(column.changes.begin(), column.changes.end(), offset,
                          [](Cycle at, const activity::Change& change) { return at < change.at; });
}

}  // namespace

const activity::InstructionRecord* instruction_of(const Block& block, const Occurrence& occurrence) {
  return occurrence.ref < block.instructions.size() ? &block.instructions[occurrence.ref] : nullptr;
}

const activity::RequestRecord* request_of(const Block& block, const Occurrence& occurrence) {
  return occurrence.ref < block.requests.size() ? &block.requests[occurrence.ref] : nullptr;
}

std::uint32_t Line::amount(const Block& block, const Occurrence& o, const TermContext& context) const {
  if ((o.detail & mask) != value || (any != 0 && (o.detail & any) == 0)) return 0;
  if ((has | lacks) != 0) {
    const activity::InstructionRecord* const instruction = instruction_of(block, o);
    if (instruction == nullptr) return 0;
    if ((has != 0 && (instruction->traits & has) == 0) || (instruction->traits & lacks) != 0) return 0;
  }
  return test == nullptr || test(block, o, context) ? o.amount : 0;
}

std::uint32_t Selection::Slot::amount(const Block& block, const Occurrence& o, const TermContext& context) const {
  for (std::size_t i = 0; i < count; ++i) {
    if (const std::uint32_t n = lines[i]->amount(block, o, context)) return n;
  }
  return 0;
}

template <std::size_t slot>
std::uint32_t Selection::count_slot(const Block& block, const Occurrence& o, const TermContext& context) {
  return static_cast<const SelectionContext&>(context).selection->slots_[slot].amount(block, o, context);
}

template <std::size_t slot>
std::uint32_t Selection::level_slot(std::uint64_t value, const TermContext& context) {
  return static_cast<const SelectionContext&>(context).selection->slots_[slot].lines[0]->asserted(value) ? 1 : 0;
}

void Selection::add(const Line& line) {
  std::size_t slot = slot_count_;
  if (!line.is_level() && line.signal == activity::Signal::count_) return;
  if (!line.is_level()) {
    for (std::size_t i = 0; i < slot_count_; ++i) {
      if (terms_[i].count != nullptr && terms_[i].signal == line.signal) slot = i;
    }
  }
  if (slot >= max_slots || slots_[slot].count >= max_lines) {
    throw std::length_error("a multiplexer entry selects more lines than Selection has room for");
  }
  static constexpr std::array<Term::Count, max_slots> counts{count_slot<0>, count_slot<1>, count_slot<2>, count_slot<3>};
  static constexpr std::array<Term::Level, max_slots> levels{level_slot<0>, level_slot<1>, level_slot<2>, level_slot<3>};
  if (slot == slot_count_) {
    terms_[slot] = line.is_level() ? Term{.state = line.state, .level = levels[slot]}
                                   : Term{.signal = line.signal, .count = counts[slot]};
    ++slot_count_;
  }
  slots_[slot].lines[slots_[slot].count++] = &line;
  if (line.qualifies) ++qualifiers_;
}

std::uint32_t Selection::most_per_cycle() const {
  if (qualifiers_ != 0) return 1;
  std::uint32_t most = 0;
  for (const Term& term : terms()) most += term.level != nullptr ? 1 : most_occurrences_per_cycle;
  return most;
}

std::uint32_t Selection::amount(activity::Signal signal, const Block& block, const Occurrence& o,
                                const TermContext& context) const {
  for (std::size_t i = 0; i < slot_count_; ++i) {
    if (terms_[i].count != nullptr && terms_[i].signal == signal) return slots_[i].amount(block, o, context);
  }
  return 0;
}

namespace {

Cycle cycles_asserted(const Line& line, const Block& block, Cycle from, Cycle to) {
  const activity::StateColumn& column = block.state(line.state);
  auto next = first_change_behind(column, from - block.begin);
  std::uint64_t value = next == column.changes.begin() ? column.initial : next[-1].value;
  Cycle sum = 0;
  for (Cycle at = from; at < to;) {
    const bool more = next != column.changes.end();
    const Cycle end = more ? std::min<Cycle>(block.begin + next->at, to) : to;
    if (line.asserted(value)) sum += end - at;
    if (more) value = (next++)->value;
    at = end;
  }
  return sum;
}

}  // namespace

std::uint64_t total(const SelectionContext& context, const Block& block, Cycle from, Cycle to) {
  const Selection& selection = *context.selection;
  std::uint64_t sum = 0;
  if (selection.qualifiers_ != 0) {
    SelectionCursor cursor(context, block, from, to);
    for (Run run; cursor.next(run);) sum += run.n * run.length();
    return sum;
  }
  for (std::size_t i = 0; i < selection.slot_count_; ++i) {
    const Term& term = selection.terms_[i];
    const Selection::Slot& slot = selection.slots_[i];
    if (term.level != nullptr) {
      sum += cycles_asserted(*slot.lines[0], block, from, to);
    } else {
      for (const Occurrence& o : occurrences(block, term.signal, from, to)) sum += slot.amount(block, o, context);
    }
  }
  return sum;
}

Held held(const Block& block, activity::State state, Cycle at) {
  const activity::StateColumn& column = block.state(state);
  const auto next = first_change_behind(column, at - block.begin);
  return {next == column.changes.begin() ? column.initial : next[-1].value,
          next == column.changes.end() ? activity::never : block.begin + next->at};
}

std::span<const Occurrence> occurrences(const Block& block, activity::Signal signal, Cycle from, Cycle to) {
  const auto& column = block.column(signal);
  const auto before = [](const Occurrence& o, Cycle offset) { return o.at < offset; };
  const auto first = std::lower_bound(column.begin(), column.end(), from - block.begin, before);
  const auto last = to >= block.end ? column.end() : std::lower_bound(first, column.end(), to - block.begin, before);
  return {first, last};
}

}  // namespace pmusim::pmu
