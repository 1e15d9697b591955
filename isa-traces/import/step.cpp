#include "step.h"

#include <algorithm>
#include <charconv>

namespace pmusim::trace::import {

std::optional<std::uint64_t> take_number(std::string_view& text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

const LineKind* kind_of(std::span<const LineKind> kinds, std::string_view line) {
  const auto row = std::find_if(kinds.begin(), kinds.end(), [&](const LineKind& one) { return one.matches(line); });
  return row == kinds.end() ? nullptr : &*row;
}

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

}  // namespace pmusim::trace::import
