#include "models/pmu/runs.h"

#include <algorithm>
#include <stdexcept>

namespace pmusim::pmu {

std::uint32_t count_amount(const Block&, const Occurrence& occurrence, const TermContext&) { return occurrence.amount; }
std::uint32_t count_one(const Block&, const Occurrence&, const TermContext&) { return 1; }
std::uint32_t level_value(std::uint64_t value, const TermContext&) { return static_cast<std::uint32_t>(value); }

RunCursor::RunCursor(const Block& block, std::span<const Term> terms, const TermContext& context, Cycle from, Cycle to)
    : block_(&block), context_(&context), now_(from), to_(to) {
  if (terms.size() > max_terms)
    throw std::length_error("a multiplexer entry sums more terms than RunCursor::max_terms");
  for (const Term& term : terms) {
    if (term.count != nullptr) {
      add_occurrences(term, from);
    } else if (term.level != nullptr) {
      add_level(term, from);
    } else {
      ++constant_;
    }
  }
  has_ahead_ = step(ahead_);
}

void RunCursor::add_occurrences(const Term& term, Cycle from) {
  const auto& column = block_->column(term.signal);
  const Occurrence* const end = column.data() + column.size();
  const Occurrence* const first = std::lower_bound(column.data(), end, from - block_->begin,
                                                   [](const Occurrence& o, Cycle offset) { return o.at < offset; });
  OccurrenceInput& input = occurrences_[occurrence_count_];
  input = {first, end, term.count, activity::never, 0};
  fetch(input);
  if (input.n != 0) ++occurrence_count_;
}

void RunCursor::add_level(const Term& term, Cycle from) {
  const activity::StateColumn& column = block_->state(term.state);
  const activity::Change* const begin = column.changes.data();
  const activity::Change* const end = begin + column.changes.size();
  const activity::Change* const next =
      std::upper_bound(begin, end, from - block_->begin,
                       [](Cycle offset, const activity::Change& change) { return offset < change.at; });
  const std::uint64_t value = next == begin ? column.initial : next[-1].value;
  LevelInput& input = levels_[level_count_++];
  input = {next, end, term.level, activity::never, term.level(value, *context_)};
  fetch(input);
}

// Finds the next cycle of the column in which the filter counts an occurrence, and sums its amounts. Stops at to_.
void RunCursor::fetch(OccurrenceInput& input) const {
  const Cycle limit = to_ - block_->begin;
  const Occurrence* next = input.next;
  input.at = activity::never;
  input.n = 0;
  while (next != input.end && next->at < limit) {
    const std::uint32_t at = next->at;
    std::uint32_t n = 0;
    do {
      n += input.count(*block_, *next, *context_);
      ++next;
    } while (next != input.end && next->at == at);
    if (n != 0) {
      input.at = block_->begin + at;
      input.n = n;
      break;
    }
  }
  input.next = next;
}

// Finds the next change of the state before to_ that changes the level.
void RunCursor::fetch(LevelInput& input) const {
  const Cycle limit = to_ - block_->begin;
  while (input.next != input.end && input.next->at < limit && input.level(input.next->value, *context_) == input.n) {
    ++input.next;
  }
  input.at = input.next == input.end ? activity::never : block_->begin + input.next->at;
}

// One stretch in which no input changes; the next stretch may have the same sum.
bool RunCursor::step(Run& run) {
  if (now_ >= to_) return false;
  std::uint32_t n = constant_;
  Cycle end = to_;
  for (std::size_t i = 0; i < level_count_; ++i) {
    LevelInput& input = levels_[i];
    if (input.at <= now_) {
      input.n = input.level(input.next->value, *context_);
      ++input.next;
      fetch(input);
    }
    n += input.n;
    end = std::min(end, input.at);
  }
  for (std::size_t i = 0; i < occurrence_count_; ++i) {
    OccurrenceInput& input = occurrences_[i];
    if (input.at == now_) {
      n += input.n;
      end = now_ + 1;
      fetch(input);
    } else {
      end = std::min(end, input.at);
    }
  }
  run = {now_, end, n};
  now_ = end;
  return true;
}

bool RunCursor::next(Run& run) {
  if (!has_ahead_) return false;
  run = ahead_;
  while ((has_ahead_ = step(ahead_)) && ahead_.n == run.n) run.end = ahead_.end;
  return true;
}

}  // namespace pmusim::pmu
