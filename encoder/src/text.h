// Words in user input: comparison without case, numbers, safe quoting, and the nearest valid word.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pmusim::encoder {

/// True if the words are equal, ignoring ASCII case.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);
[[nodiscard]] std::string upper(std::string_view word);

/// The place of `word`, ignoring case, in `words`, which are separated by '|'; empty if it is none of them.
[[nodiscard]] std::optional<unsigned> place_among(std::string_view words, std::string_view word);

/// Parses a text that is an unsigned number, decimal or 0x hexadecimal. Empty for other texts and more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> number(std::string_view text);
/// Parses hexadecimal digits without prefix. Empty for other texts and more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> hex_digits(std::string_view text);

/// `text` in single quotes for a one-line message, with control characters escaped and long text truncated. Not
/// `quoted`, which the standard library has for the same argument.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The candidate with the smallest edit distance to `word`, ignoring case; empty if none is similar.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);
/// "; did you mean X?" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace pmusim::encoder
