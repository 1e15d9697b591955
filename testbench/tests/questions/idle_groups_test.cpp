// What is left out of the plan of a trace, on a trace of additions: they retire and cause no data access.
#include "testbench/validate/idle_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include "models/targets.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {
namespace {

using Which = std::function<bool(const Group&)>;

class IdleGroups : public testing::Test {
 protected:
  IdleGroups() {
    std::ofstream(scratch_ / "additions.txt") << "! isa i386\n8048000 83c001\n8048003 83c301\n8048006 83c101\n";
    task_.target = "athlon";
    task_.trace = scratch_ / "additions.txt";
    task_.parameters = models::find_target("athlon")->parameters();
    plan_ = make_plan("athlon", Depth::full, find_landmarks(task_.trace));
  }
  /// Leaves out the idle groups; `refused` are not encoded. Returns how many groups of `which` the plan has then.
  std::size_t left(
      const Which& which, const Which& refused = [](const Group&) { return false; }) {
    task_.plan = plan_;
    task_.answers.assign(plan_.size(), {});
    std::vector<std::size_t> part_of;
    for (std::size_t g = 0; g < plan_.size(); ++g) {
      if (refused(plan_[g])) task_.answers[g].status = Answer::Status::unsupported;
      part_of.push_back(g);
    }
    leave_out_idle_groups(task_, part_of, plan_);
    EXPECT_EQ(task_.answers.size(), task_.plan.size());
    EXPECT_EQ(part_of.size(), task_.plan.size());
    for (std::size_t g = 0; g < task_.plan.size(); ++g)
      EXPECT_EQ(task_.plan[g].question(), plan_.at(part_of.at(g)).question());
    return count(task_.plan, which);
  }
  [[nodiscard]] static std::size_t count(const std::vector<Group>& plan, const Which& which) {
    return static_cast<std::size_t>(std::count_if(plan.begin(), plan.end(), which));
  }

  Scratch scratch_;
  Task task_;
  std::vector<Group> plan_;
};

/// Groups of this one row alone.
Which alone(const std::string& row) {
  return [row](const Group& group) { return group.checks.size() == 1 && row_name(group.checks[0].request) == row; };
}

TEST_F(IdleGroups, AnEventThatOccursKeepsAllItsModifiers) {
  const Which retired = alone("RETIRED_INSTRUCTIONS");
  ASSERT_GT(count(plan_, retired), 10u);
  EXPECT_EQ(left(retired), count(plan_, retired));
}

TEST_F(IdleGroups, OneThatDoesNotKeepsOnlyWhatMayCount) {
  const Which accesses = alone("DATA_CACHE_ACCESSES");
  const auto inverted = [&](const Group& group) { return accesses(group) && group.checks[0].request.invert; };
  ASSERT_GT(count(plan_, accesses), count(plan_, inverted));
  ASSERT_GT(count(plan_, inverted), 0u);  // cycles with fewer accesses: all of them
  EXPECT_EQ(left(inverted), count(plan_, inverted));
  EXPECT_EQ(left(accesses), count(plan_, inverted));
}

TEST_F(IdleGroups, EveryRowStaysWithoutModifiers) {
  (void)left(alone(""));
  const auto is_plain = [](const std::string& row) {
    return [row](const Group& group) {
      return std::any_of(group.checks.begin(), group.checks.end(), [&](const Check& check) {
        return row_name(check.request) == row && check.attributes.empty();
      });
    };
  };
  for (const std::string& row : row_names("athlon")) EXPECT_GT(count(task_.plan, is_plain(row)), 0u) << row;
}

// With a cache, only the parts whose answers have changed are judged again.
TEST_F(IdleGroups, OfAPartAreThoseOfTheWholePlan) {
  const Which accesses = alone("DATA_CACHE_ACCESSES");
  const std::size_t of_whole = left(accesses);
  task_.plan.clear();
  std::copy_if(plan_.begin(), plan_.end(), std::back_inserter(task_.plan), accesses);
  task_.answers.assign(task_.plan.size(), {});
  std::vector<std::size_t> part_of(task_.plan.size(), 0);
  ASSERT_GT(task_.plan.size(), of_whole);
  leave_out_idle_groups(task_, part_of, plan_);
  EXPECT_EQ(task_.plan.size(), of_whole);
}

TEST_F(IdleGroups, ARefusalIsReported) {
  const Which accesses = alone("DATA_CACHE_ACCESSES");
  EXPECT_EQ(left(accesses, accesses), count(plan_, accesses));
}

}  // namespace
}  // namespace pmusim::testbench
