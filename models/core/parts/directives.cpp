#include "models/core/parts/directives.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/core/core.h"

namespace pmusim::core {

Operands::Operands(const trace::Directive& directive, std::uint64_t instruction)
    : directive_(directive), instruction_(instruction), used_(directive.operands.size()) {}

std::optional<std::string_view> Operands::text(std::string_view key) {
  for (std::size_t i = 0; i < directive_.operands.size(); ++i) {
    if (directive_.operands[i].first != key) continue;
    used_[i] = true;
    return directive_.operands[i].second;
  }
  return std::nullopt;
}

std::uint64_t Operands::parse(std::string_view key, int base) {
  const auto found = text(key);
  if (!found) fail(key.empty() ? "a number is missing" : fmt::format("operand '{}=' is missing", key));
  std::string_view digits = *found;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    fail(fmt::format("'{}' is no {} number", *found, base == 16 ? "hexadecimal" : "decimal"));
  }
  return value;
}

std::uint64_t Operands::number(std::string_view key) { return parse(key, 10); }
std::uint64_t Operands::cycles() {
  const std::uint64_t value = number("cycles");
  if (value > last_cycle) fail(fmt::format("cycles={}: at most {} are simulated", value, last_cycle));
  return value;
}

std::uint64_t Operands::address(std::string_view key) { return parse(key, 16); }

std::optional<std::size_t> Operands::choice(std::string_view key, std::initializer_list<std::string_view> words) {
  const auto found = text(key);
  if (!found) return std::nullopt;
  const auto* const word = std::find(words.begin(), words.end(), *found);
  if (word == words.end()) fail(fmt::format("'{}' is none of {}", *found, fmt::join(words, ", ")));
  return static_cast<std::size_t>(word - words.begin());
}

std::size_t Operands::required_choice(std::string_view key, std::initializer_list<std::string_view> words) {
  const auto found = choice(key, words);
  if (!found)
    fail(fmt::format("operand '{}{}' is missing; one of {}", key, key.empty() ? "" : "=", fmt::join(words, ", ")));
  return *found;
}

void Operands::finish() const {
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (used_[i]) continue;
    const auto& [key, value] = directive_.operands[i];
    fail(fmt::format("takes no operand '{}{}{}'", key, key.empty() ? "" : "=", value));
  }
}

void Operands::fail(std::string_view what) const {
  const std::string place = directive_.line != 0 ? fmt::format("trace line {}", directive_.line)
                                                 : fmt::format("trace before instruction {}", instruction_);
  throw CoreError(fmt::format("{}: '! {}': {}", place, directive_.name, what));
}

}  // namespace pmusim::core
