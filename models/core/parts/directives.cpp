#include "models/core/parts/directives.h"

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

std::uint64_t Operands::cycles() {
  const std::uint64_t value = number("cycles");
  if (value > last_cycle) fail(fmt::format("cycles={}: at most {} are simulated", value, last_cycle));
  return value;
}

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

Operands::Ratio Operands::ratio(unsigned most, bool core_is_faster) {
  const std::string_view given = text("ratio").value_or("");
  Ratio read{0, 1};
  const char* const end = given.data() + given.size();
  auto [at, error] = std::from_chars(given.data(), end, read.clocks);
  if (error == std::errc{} && at != end && *at == '/') {
    const auto second = std::from_chars(at + 1, end, read.per);
    at = second.ptr;
    error = second.ec;
  }
  const auto fits = [&](unsigned number) { return number >= 1 && number <= most; };
  if (error != std::errc{} || at != end || !fits(read.clocks) || !fits(read.per) ||
      (core_is_faster && read.per > read.clocks)) {
    fail(fmt::format(
        "operand 'ratio=' must be core clocks per bus clock{}: N or N/M, such as 4 or 5/2, each number 1 to {}",
        core_is_faster ? ", at least 1" : "", most));
  }
  return read;
}

activity::LineState Operands::line_state(std::initializer_list<std::string_view> letters) {
  constexpr std::string_view states = "ISEOM";  // in the order of LineState
  return static_cast<activity::LineState>(states.find(required_word("line", letters)));
}

activity::MemoryType Operands::memory_type(std::initializer_list<std::string_view> words) {
  using activity::MemoryType;
  const std::string_view word = required_word("type", words);
  return word == "wb"   ? MemoryType::write_back
         : word == "wt" ? MemoryType::write_through
         : word == "wp" ? MemoryType::write_protected
         : word == "wc" ? MemoryType::write_combining
                        : MemoryType::uncacheable;
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
