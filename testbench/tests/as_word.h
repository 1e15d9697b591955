// Paths in command lines: a checkout may be in a folder with a blank in its name.
#pragma once

#include <string>

namespace pmusim {

/// The text as one word of a command line for `sh`, in quotes if it has other characters than names usually have.
[[nodiscard]] inline std::string as_word(const std::string& text) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.,/:@";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace pmusim
