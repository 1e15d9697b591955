// Where to look: what comparisons that failed have in common, and others have not.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pmusim::testbench::seeded_defects {

/// One comparison and what is particular about it, in words: "edge detection (e)", "counter PMC2".
struct Outcome {
  std::set<std::string> features;
  bool wrong = false;
  std::string example;  ///< the question, what was counted and what was expected
};

struct Clue {
  std::vector<std::string> features;  ///< that all wrong ones share, as few as tell them from the right ones
  std::size_t wrong = 0;
  std::size_t right = 0;       ///< of all
  std::size_t right_here = 0;  ///< right ones that have the features as well
  std::string example;
  /// One sentence for a person.
  [[nodiscard]] std::string text() const;
};
/// Of outcomes of which one at least is wrong.
[[nodiscard]] Clue clue_of(const std::vector<Outcome>& outcomes);

}  // namespace pmusim::testbench::seeded_defects
