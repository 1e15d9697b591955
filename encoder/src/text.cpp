#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <vector>

namespace pmusim::encoder {
namespace {

char lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char upper_char(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// Longest word that is compared; a longer word cannot be a typing error of a name.
constexpr std::size_t kLongestWord = 96;

/// The number of letters to insert, remove or replace, at most `far`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t far) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= far) return far;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    std::size_t least = row[0];
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower_char(a[i]) == lower_char(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
      least = std::min(least, row[j + 1]);
    }
    if (least >= far) return far;
  }
  return row.back();
}

std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_char(x) == lower_char(y); });
}

std::string upper(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(), upper_char);
  return result;
}

std::optional<unsigned> place_among(std::string_view words, std::string_view word) {
  for (unsigned place = 0; !words.empty(); ++place) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    if (same_word(words.substr(0, bar), word)) return place;
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && lower_char(text[1]) == 'x') return digits(text.substr(2), 16);
  return digits(text, 10);
}

std::optional<std::uint64_t> hex_digits(std::string_view text) { return digits(text, 16); }

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string result = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  if (text.size() > longest) result += "...";
  return result + "'";
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = word.size() <= 3 ? 2 : std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate, best_distance);
    if (distance < best_distance && distance < std::max(word.size(), candidate.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view found = nearest(word, candidates);
  return found.empty() ? std::string{} : fmt::format("; did you mean {}?", found);
}

}  // namespace pmusim::encoder
