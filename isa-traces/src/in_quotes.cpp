#include "in_quotes.h"

#include <fmt/format.h>

#include <algorithm>

namespace pmusim::trace {

namespace {

bool is_printable(char c) { return c >= 0x20 && c < 0x7f; }

}  // namespace

bool is_printable(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return is_printable(c); });
}

std::string printable(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    if (is_printable(c)) {
      text.push_back(c);
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

std::string in_quotes(std::string_view token) {
  constexpr std::size_t longest = 40;
  return "'" + printable(token.substr(0, longest)) + (token.size() > longest ? "...'" : "'");
}

}  // namespace pmusim::trace
