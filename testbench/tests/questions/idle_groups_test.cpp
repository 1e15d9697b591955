// What is left out of the plan of a trace, on a trace of additions: they retire and cause no data access.
#include "testbench/validate/idle_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>

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
  /// The groups that are left of the plan; `refused` are not encoded.
  std::vector<Group> left(const Which& refused = [](const Group&) { return false; }) {
    std::vector<Answer> answers(plan_.size());
    std::vector<std::size_t> all;
    for (std::size_t g = 0; g < plan_.size(); ++g) {
      if (refused(plan_[g])) answers[g].status = Answer::Status::unsupported;
      all.push_back(g);
    }
    std::vector<Group> groups;
    for (const std::size_t g : without_idle_groups(task_, plan_, answers, all)) groups.push_back(plan_[g]);
    return groups;
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
  EXPECT_EQ(count(left(), retired), count(plan_, retired));
}

TEST_F(IdleGroups, OneThatDoesNotKeepsOnlyWhatMayCount) {
  const Which accesses = alone("DATA_CACHE_ACCESSES");
  const auto inverted = [&](const Group& group) { return accesses(group) && group.checks[0].request.invert; };
  ASSERT_GT(count(plan_, accesses), count(plan_, inverted));
  ASSERT_GT(count(plan_, inverted), 0u);  // cycles with fewer accesses: all of them
  EXPECT_EQ(count(left(), inverted), count(plan_, inverted));
  EXPECT_EQ(count(left(), accesses), count(plan_, inverted));
}

TEST_F(IdleGroups, EveryRowStaysWithoutModifiers) {
  const std::vector<Group> groups = left();
  const auto is_plain = [](const std::string& row) {
    return [row](const Group& group) {
      return std::any_of(group.checks.begin(), group.checks.end(), [&](const Check& check) {
        return row_name(check.request) == row && check.attributes.empty();
      });
    };
  };
  for (const std::string& row : row_names("athlon")) EXPECT_GT(count(groups, is_plain(row)), 0u) << row;
}

// With a cache, only the parts whose answers have changed are judged again.
TEST_F(IdleGroups, OfAPartAreThoseOfTheWholePlan) {
  const Which accesses = alone("DATA_CACHE_ACCESSES");
  std::vector<std::size_t> part;
  for (std::size_t g = 0; g < plan_.size(); ++g) {
    if (accesses(plan_[g])) part.push_back(g);
  }
  const std::vector<std::size_t> kept = without_idle_groups(task_, plan_, std::vector<Answer>(plan_.size()), part);
  EXPECT_LT(kept.size(), part.size());
  EXPECT_EQ(kept.size(), count(left(), accesses));
}

TEST_F(IdleGroups, ARefusalIsReported) {
  const Which accesses = alone("DATA_CACHE_ACCESSES");
  EXPECT_EQ(count(left(accesses), accesses), count(plan_, accesses));
}

}  // namespace
}  // namespace pmusim::testbench
