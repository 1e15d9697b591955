// Sets of two rows.
#include "testbench/judge/question/event_facts.h"
#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {
namespace {

/// Level 0 cannot be selected alone.
std::vector<Group> sets(const std::string& target, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                        const Levels& levels) {
  return levels.user ? full_sets(target, rows, landmarks, levels) : std::vector<Group>{};
}

constexpr EventFacts table[] = {{"TOY_RETIRED", facts::at_most(3), facts::any, facts::from_timing, facts::unfiltered},
                                {"TOY_CLOCKS", facts::every_cycle, facts::any, facts::from_timing, facts::unfiltered}};

constexpr std::string_view traces[] = {"athlon"};

}  // namespace

namespace targets::toy {
extern const CountFacts events{.events = {table}};
extern const JudgingFacts judging{.sets = sets, .traces = traces};
}  // namespace targets::toy

}  // namespace pmusim::testbench
