#include "testbench/support/only.h"

#include <algorithm>
#include <cctype>

namespace pmusim::testbench {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// True if the pattern matches the text; `beginning`: if it matches some text that begins so.
bool matches(std::string_view pattern, std::string_view text, bool beginning = false) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, behind = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      behind = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++behind;
    } else {
      return false;
    }
  }
  return beginning || pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

Only::Only(std::string_view patterns) {
  while (!patterns.empty()) {
    const std::size_t comma = std::min(patterns.find(','), patterns.size());
    std::string_view word = patterns.substr(0, comma);
    patterns.remove_prefix(std::min(comma + 1, patterns.size()));
    const bool excludes = word.starts_with('!');
    if (excludes) word.remove_prefix(1);
    if (word.empty()) continue;
    std::string pattern = lower(word);
    if (pattern.find_first_of("*?") == std::string::npos) pattern += '*';
    (excludes ? unwanted_ : wanted_).push_back(std::move(pattern));
  }
}

bool Only::admits(std::string_view name) const {
  const std::string text = lower(name);
  const auto fits = [&](const std::string& pattern) { return matches(pattern, text); };
  if (std::ranges::any_of(unwanted_, fits)) return false;
  return wanted_.empty() || std::ranges::any_of(wanted_, fits);
}

bool Only::may_admit_more_of(std::string_view name) const {
  const std::string text = lower(name) + ':';
  const auto excludes_all = [&](const std::string& pattern) {
    return pattern.ends_with('*') && matches(pattern, text);
  };
  const auto may_fit = [&](const std::string& pattern) { return matches(pattern, text, true); };
  if (std::ranges::any_of(unwanted_, excludes_all)) return false;
  return wanted_.empty() || std::ranges::any_of(wanted_, may_fit);
}

std::string Only::word() const {
  std::string text = wanted_.empty() ? "" : wanted_.front();
  std::erase_if(text, [](char c) { return c == '*' || c == '?'; });
  return text;
}

}  // namespace pmusim::testbench
