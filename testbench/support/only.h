// Patterns of event names that select the judged events.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pmusim::testbench {

/// Patterns separated by commas, in any case. `*` and `?` are wildcards; a word without wildcards is a prefix of a
/// name; `!` in front excludes what matches. Without an including pattern, everything is included.
class Only {
 public:
  explicit Only(std::string_view patterns);
  [[nodiscard]] bool empty() const { return wanted_.empty() && unwanted_.empty(); }
  [[nodiscard]] bool admits(std::string_view name) const;
  /// True if it may admit a name that continues `name` with a colon and more: an event with unit masks or attributes.
  [[nodiscard]] bool may_admit_more_of(std::string_view name) const;
  /// The first including pattern, without its wildcards; for a suggestion when it matches nothing.
  [[nodiscard]] std::string word() const;

 private:
  std::vector<std::string> wanted_, unwanted_;
};

}  // namespace pmusim::testbench
