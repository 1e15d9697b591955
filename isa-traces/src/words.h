// The words of the outcome keys (`data=`, `dtlb=`, ...), in the order of their enumerations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

inline constexpr std::array<std::string_view, 5> level_words = {"", "l1", "l2", "l3", "mem"};
inline constexpr std::array<std::string_view, 5> tlb_words = {"", "hit", "l2", "walk", "fault"};
inline constexpr std::array<std::string_view, 4> mispredict_words = {"", "none", "path", "target"};
inline constexpr std::array<std::string_view, 2> trap_words = {"", "arithmetic"};

constexpr const auto& words_of(Level) { return level_words; }
constexpr const auto& words_of(TlbOutcome) { return tlb_words; }
constexpr const auto& words_of(Mispredict) { return mispredict_words; }
constexpr const auto& words_of(Trap) { return trap_words; }

template <typename Outcome>
[[nodiscard]] std::string_view word_of(Outcome outcome) {
  return words_of(outcome)[static_cast<std::size_t>(outcome)];
}

template <typename Outcome>
[[nodiscard]] std::optional<Outcome> outcome_of(std::string_view word) {
  const auto& words = words_of(Outcome{});
  const auto found = std::find(words.begin() + 1, words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<Outcome>(found - words.begin());
}

}  // namespace pmusim::trace
