// Which events a user wants to be judged: patterns of their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pmusim::testbench {

/// Patterns with commas between, in any case: `*` and `?` stand for characters, a word without them is the beginning of
/// a name, and `!` in front leaves out what matches. Without a pattern that lets in, all is let in.
class Only {
 public:
  explicit Only(std::string_view patterns);
  [[nodiscard]] bool empty() const { return wanted_.empty() && unwanted_.empty(); }
  [[nodiscard]] bool admits(std::string_view name) const;
  /// The first pattern that lets in, without its wildcards; for a hint when it matches nothing.
  [[nodiscard]] std::string word() const;

 private:
  std::vector<std::string> wanted_, unwanted_;
};

}  // namespace pmusim::testbench
