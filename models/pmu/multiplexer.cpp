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

template <std::size_t slot>
std::uint32_t Selection::count_slot(const Block& block, const Occurrence& o, const TermContext& context) {
  return static_cast<const SelectionContext&>(context).selection->slots_[slot].amount(block, o, context);
}

template <std::size_t slot>
std::uint32_t Selection::level_slot(std::uint64_t value, const TermContext& context) {
  return static_cast<const SelectionContext&>(context).selection->slots_[slot].lines[0]->increment(value);
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
  static constexpr std::array<Term::Count, max_slots> counts{count_slot<0>, count_slot<1>, count_slot<2>,
                                                             count_slot<3>};
  static constexpr std::array<Term::Level, max_slots> levels{level_slot<0>, level_slot<1>, level_slot<2>,
                                                             level_slot<3>};
  if (slot == slot_count_) {
    terms_[slot] = line.is_level() ? Term{.state = line.state, .level = levels[slot]}
                                   : Term{.signal = line.signal, .count = counts[slot]};
    ++slot_count_;
  }
  slots_[slot].lines[slots_[slot].count++] = &line;
  if (line.qualifies) ++qualifiers_;
}

activity::Subscription Selection::subscription() const {
  activity::Subscription all;
  for (std::size_t i = 0; i < slot_count_; ++i) {
    const Slot& slot = slots_[i];
    all.add(terms_[i].state);
    if (std::all_of(slot.lines.begin(), slot.lines.begin() + slot.count,
                    [](const Line* line) { return line->looks_at_detail_only(); })) {
      all.add(terms_[i].signal);
    } else {
      all.add_named(terms_[i].signal);
    }
  }
  return all;
}

std::uint32_t Selection::most_per_cycle() const {
  if (qualifiers_ != 0) return 1;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < slot_count_; ++i) {
    const Line& line = *slots_[i].lines[0];
    if (!line.is_level()) {
      most += std::max(line.most, most_occurrences_per_cycle);
    } else {
      most += line.counts_bits ? static_cast<std::uint32_t>(std::popcount(line.level_mask)) : 1;
    }
  }
  return most;
}

std::uint32_t Selection::amount(activity::Signal signal, const Block& block, const Occurrence& o,
                                const TermContext& context) const {
  for (std::size_t i = 0; i < slot_count_; ++i) {
    if (terms_[i].count != nullptr && terms_[i].signal == signal) return slots_[i].amount(block, o, context);
  }
  return 0;
}

// If all columns are empty, the first slot is returned: nothing is counted.
const Selection::Slot* Selection::only_column(const Block& block, Cycle from, Cycle to,
                                              std::span<const Occurrence>& column) const {
  const Slot* only = &slots_[0];
  column = {};
  for (std::size_t i = 0; i < slot_count_; ++i) {
    if (terms_[i].level != nullptr) return nullptr;
    const auto found = occurrences(block, terms_[i].signal, from, to);
    if (found.empty()) continue;
    if (!column.empty()) return nullptr;
    only = &slots_[i];
    column = found;
  }
  return only;
}

SelectionCursor::SelectionCursor(const SelectionContext& context, const Block& block, Cycle from, Cycle to)
    : context_(&context), block_(&block), now_(from), to_(to), counted_at_(to) {
  const Selection& selection = *context.selection;
  slot_ = selection.only_column(block, from, to, left_);
  if (slot_ != nullptr) {
    fetch_column();
  } else if (selection.slot_count_ == 1) {
    source_ = Source::level;
    level_line_ = selection.slots_[0].lines[0];
    const activity::StateColumn& column = block.state(level_line_->state);
    const auto next = first_change_behind(column, from - block.begin);
    level_ = next == column.changes.begin() ? column.initial : next[-1].value;
    changes_ = std::span(column.changes).subspan(static_cast<std::size_t>(next - column.changes.begin()));
    change_at_ = changes_.empty() ? to : std::min<Cycle>(block.begin + changes_[0].at, to);
  } else {
    source_ = Source::sum;
    sum_.emplace(block, selection.terms(), context, from, to);
  }
}

void SelectionCursor::fetch_column() {
  counted_at_ = to_;
  counted_ = 0;
  const Occurrence* next = left_.data();
  const Occurrence* const end = next + left_.size();
  while (next != end && counted_ == 0) {
    const std::uint32_t at = next->at;
    for (; next != end && next->at == at; ++next) counted_ += slot_->amount(*block_, *next, *context_);
    if (counted_ != 0) counted_at_ = block_->begin + at;
  }
  left_ = {next, end};
}

void SelectionCursor::fetch_level() {
  if (changes_.empty()) return;
  level_ = changes_[0].value;
  changes_ = changes_.subspan(1);
  change_at_ = changes_.empty() ? to_ : std::min<Cycle>(block_->begin + changes_[0].at, to_);
}

Cycle cycles_with(const SelectionContext& context, const Block& block, Cycle from, Cycle to, std::uint32_t least) {
  Cycle cycles = 0;
  std::span<const Occurrence> column;
  if (const auto* const slot = context.selection->only_column(block, from, to, column)) {
    std::uint64_t last = ~std::uint64_t{0};
    std::uint32_t n = 0;
    for (const Occurrence& o : column) {
      const std::uint32_t before = o.at == last ? n : 0;
      n = before + slot->amount(block, o, context);
      cycles += before < least && n >= least ? 1 : 0;
      last = o.at;
    }
    return cycles;
  }
  SelectionCursor cursor(context, block, from, to);
  for (Run run; cursor.next(run);) cycles += run.n >= least ? run.length() : 0;
  return cycles;
}

namespace {

std::uint64_t increment_summed(const Line& line, const Block& block, Cycle from, Cycle to) {
  const activity::StateColumn& column = block.state(line.state);
  auto next = first_change_behind(column, from - block.begin);
  std::uint64_t value = next == column.changes.begin() ? column.initial : next[-1].value;
  std::uint64_t sum = 0;
  for (Cycle at = from; at < to;) {
    const bool more = next != column.changes.end();
    const Cycle end = more ? std::min<Cycle>(block.begin + next->at, to) : to;
    sum += line.increment(value) * (end - at);
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
      sum += increment_summed(*slot.lines[0], block, from, to);
    } else {
      const auto column = occurrences(block, term.signal, from, to);
      const Line& line = *slot.lines[0];
      if (slot.count == 1 && line.looks_at_detail_only()) {
        for (const Occurrence& o : column) sum += line.detail_passes(o.detail) ? o.amount : 0;
      } else if (slot.count == 1) {
        for (const Occurrence& o : column) sum += line.amount(block, o, context);
      } else {
        for (const Occurrence& o : column) sum += slot.amount(block, o, context);
      }
    }
  }
  return sum;
}

StateCursor::StateCursor(const Block& block, activity::State state, Cycle at) : begin_(block.begin) {
  const activity::StateColumn& column = block.state(state);
  const auto next = first_change_behind(column, at - block.begin);
  value_ = next == column.changes.begin() ? column.initial : next[-1].value;
  changes_ = std::span(column.changes).subspan(static_cast<std::size_t>(next - column.changes.begin()));
}

Held held(const Block& block, activity::State state, Cycle at) {
  const activity::StateColumn& column = block.state(state);
  return column.changes.empty() ? Held{column.initial, activity::never} : StateCursor(block, state, at).at(at);
}

std::span<const Occurrence> occurrences(const Block& block, activity::Signal signal, Cycle from, Cycle to) {
  const auto& column = block.column(signal);
  const auto before = [](const Occurrence& o, Cycle offset) { return o.at < offset; };
  const auto first = std::lower_bound(column.begin(), column.end(), from - block.begin, before);
  const auto last = to >= block.end ? column.end() : std::lower_bound(first, column.end(), to - block.begin, before);
  return std::span(column).subspan(static_cast<std::size_t>(first - column.begin()),
                                   static_cast<std::size_t>(last - first));
}

}  // namespace pmusim::pmu
