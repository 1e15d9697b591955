// Each row at the limits of the threshold, for users and for all levels; sets of two.
#include "testbench/validate/judging_facts.h"

namespace pmusim::testbench {
namespace {

void matrix(const std::string&, const std::vector<oracle::Request>& rows, const Landmarks&,
            std::vector<Group>& groups) {
  for (const oracle::Request& row : rows) {
    for (const std::uint32_t threshold : {0u, 1u, 2u, 15u}) {
      for (const Levels& levels : {all_levels[0], all_levels[1]}) {
        Check check = plain_check(row, levels);
        check.request.threshold = threshold;
        if (threshold != 0) check.attributes.emplace_back("t", threshold);
        groups.emplace_back().checks.push_back(std::move(check));
      }
    }
  }
}

/// Level 0 cannot be selected alone.
std::vector<Group> sets(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                        const Levels& levels) {
  return levels.user ? full_sets(target, rows, landmarks, levels) : std::vector<Group>{};
}

std::vector<unsigned> any_counter(std::string_view, std::string_view) { return {0, 1}; }

constexpr std::string_view traces[] = {"athlon"};

}  // namespace

namespace targets::toy {
extern const JudgingFacts judging{.matrix = matrix, .sets = sets, .counters = any_counter, .traces = traces};
}  // namespace targets::toy

}  // namespace pmusim::testbench
