// Patterns in text: extended regular expressions of POSIX, with GNU's \b, \s, \S and \w. <regex.h> is compiled in a
// second, <regex> takes four.
#pragma once

#include <regex.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace pmusim {

/// A match and its groups; a group that is not part of the match is empty.
using Match = std::vector<std::string>;

class Pattern {
 public:
  /// Throws std::invalid_argument if `pattern` is none.
  explicit Pattern(const std::string& pattern) {
    if (regcomp(&compiled_, pattern.c_str(), REG_EXTENDED) != 0) throw std::invalid_argument("no pattern: " + pattern);
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern() { regfree(&compiled_); }

  /// The first match in the text, or nothing. `^` and `$` stand for the text's begin and end.
  [[nodiscard]] Match first_in(const std::string& text) const {
    std::size_t begin = 0, end = 0;
    return find(text, begin, end);
  }
  /// All matches, from left to right.
  [[nodiscard]] std::vector<Match> all_in(const std::string& text) const {
    std::vector<Match> matches;
    replace(text, "", matches);
    return matches;
  }
  /// The text with `by` in the place of each match.
  [[nodiscard]] std::string replaced(const std::string& text, const std::string& by) const {
    std::vector<Match> matches;
    return replace(text, by, matches);
  }

 private:
  /// The first match from `end` on, and its place.
  Match find(const std::string& text, std::size_t& begin, std::size_t& end) const {
    std::vector<regmatch_t> places(compiled_.re_nsub + 1);
    const std::size_t from = end;
    if (regexec(&compiled_, text.c_str() + from, places.size(), places.data(), from > 0 ? REG_NOTBOL : 0) != 0)
      return {};
    Match match;
    for (const regmatch_t& place : places) {
      const auto at = [&](regoff_t offset) { return from + static_cast<std::size_t>(offset); };
      match.push_back(place.rm_so < 0 ? "" : text.substr(at(place.rm_so), at(place.rm_eo) - at(place.rm_so)));
    }
    begin = from + static_cast<std::size_t>(places.front().rm_so);
    end = from + static_cast<std::size_t>(places.front().rm_eo);
    return match;
  }
  std::string replace(const std::string& text, const std::string& by, std::vector<Match>& matches) const {
    std::string result;
    std::size_t done = 0, begin = 0, end = 0;
    for (Match match = find(text, begin, end); !match.empty() && begin < end; match = find(text, begin, end)) {
      result += text.substr(done, begin - done) + by;
      done = end;
      matches.push_back(match);
    }
    return result + text.substr(done);
  }

  regex_t compiled_;
};

}  // namespace pmusim
