// Sets of two rows.
#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {
namespace {

/// Level 0 cannot be selected alone.
std::vector<Group> sets(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                        const Levels& levels) {
  return levels.user ? full_sets(target, rows, landmarks, levels) : std::vector<Group>{};
}

std::vector<unsigned> any_counter(std::string_view, std::string_view) { return {0, 1}; }

constexpr std::string_view traces[] = {"athlon"};

}  // namespace

namespace targets::toy {
extern const JudgingFacts judging{.sets = sets, .counters = any_counter, .traces = traces};
}  // namespace targets::toy

}  // namespace pmusim::testbench
