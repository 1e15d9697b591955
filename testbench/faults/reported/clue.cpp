#include "testbench/faults/reported/clue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pmusim::testbench::faults::reported {

std::string Clue::text() const {
  const std::string where = features.empty() ? "nothing in common" : fmt::format("{}", fmt::join(features, ", "));
  const std::string others =
      right_here == 0 ? "none that agrees has it" : fmt::format("so have {} of the {} that agree", right_here, right);
  return fmt::format("{} of {} comparisons differ; look at: {} ({}); {}", wrong, wrong + right, where, others, example);
}

// Greedy: the feature that the fewest right outcomes have comes first.
Clue clue_of(const std::vector<Outcome>& outcomes) {
  Clue clue;
  std::set<std::string> shared;
  std::vector<const Outcome*> right;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.wrong) {
      right.push_back(&outcome);
      continue;
    }
    if (clue.wrong++ == 0) {
      shared = outcome.features;
      clue.example = outcome.example;
      continue;
    }
    std::erase_if(shared, [&](const std::string& feature) { return !outcome.features.contains(feature); });
  }
  clue.right = right.size();
  while (!right.empty() && !shared.empty()) {
    const auto with = [&](const std::string& feature) {
      return std::count_if(right.begin(), right.end(), [&](const Outcome* o) { return o->features.contains(feature); });
    };
    const auto best =
        std::min_element(shared.begin(), shared.end(), [&](const auto& a, const auto& b) { return with(a) < with(b); });
    if (static_cast<std::size_t>(with(*best)) == right.size()) break;
    std::erase_if(right, [&](const Outcome* o) { return !o->features.contains(*best); });
    clue.features.push_back(*best);
    shared.erase(best);
  }
  clue.right_here = right.size();
  return clue;
}

}  // namespace pmusim::testbench::faults::reported
