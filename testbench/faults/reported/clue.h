// Finds features that failed comparisons share and others do not have.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pmusim::testbench::faults::reported {

/// One comparison with its features in words, such as "edge detection (e)", "counter PMC2".
struct Outcome {
  std::set<std::string> features;
  bool wrong = false;
  std::string example;  ///< the question, the count and the expected count
};

struct Clue {
  std::vector<std::string> features;  ///< the fewest features that all wrong outcomes share and that separate them from
                                      ///< right ones
  std::size_t wrong = 0;
  std::size_t right = 0;       ///< number of all right outcomes
  std::size_t right_here = 0;  ///< right outcomes that have these features, too
  std::string example;
  /// The clue as a sentence.
  [[nodiscard]] std::string text() const;
};
/// At least one outcome must be wrong.
[[nodiscard]] Clue clue_of(const std::vector<Outcome>& outcomes);

}  // namespace pmusim::testbench::faults::reported
