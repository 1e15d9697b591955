// What is left out of the plan of a trace, on a trace of additions: they retire and cause no data access.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "models/targets.h"
#include "testbench/judge/trial/expectations.h"
#include "testbench/tests/scratch.h"

namespace pmusim::testbench {
namespace {

using Which = std::function<bool(const Group&)>;

class IdleGroups : public ::testing::Test {
 protected:
  IdleGroups() {
    std::ofstream(scratch_ / "additions.txt")
        << "! isa ia64\n4000000000010000 0118040600214008100042a010280084 xxx fetch=l1 itlb=hit\n"
           "4000000000010010 0118040600214008100042a010280084 xxx fetch=l1 itlb=hit\n";
    task_.target = "itanium2";
    task_.trace = scratch_ / "additions.txt";
    task_.parameters = models::find_target("itanium2")->parameters();
    plan_ = make_plan("itanium2", Depth::full, find_landmarks(task_.trace));
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
    for (const std::size_t g : without_idle_groups(task_, answered_plan(plan_, answers), all))
      groups.push_back(plan_[g]);
    return groups;
  }
  [[nodiscard]] static std::size_t count(const std::vector<Group>& plan, const Which& which) {
    return static_cast<std::size_t>(std::count_if(plan.begin(), plan.end(), which));
  }

  Scratch scratch_;
  Task task_;
  std::vector<Group> plan_;
};

/// Sets with this row under a filter.
Which filtered(const std::string& row) {
  return [row](const Group& group) {
    const auto is_row = [&](const Check& check) { return row_name(check.request) == row; };
    return group.filter != 0 && !group.captures && std::any_of(group.checks.begin(), group.checks.end(), is_row);
  };
}
bool is_filtered(const Group& group) { return group.filter != 0 && !group.captures; }

TEST_F(IdleGroups, AnEventThatOccursKeepsAllItsFilters) {
  const Which retired = filtered("IA64_INST_RETIRED");
  ASSERT_GT(count(plan_, retired), 10u);
  EXPECT_EQ(count(left(), retired), count(plan_, retired));
}

// Additions access no data: of the filters of data ranges, which restrict data accesses alone, nothing is left.
TEST_F(IdleGroups, EventsThatDoNotOccurHaveNoFilters) {
  const auto of_data = [](const Group& group) {
    return is_filtered(group) && !group.filters.drange.empty() && group.checks.front().attributes.empty();
  };
  ASSERT_GT(count(plan_, of_data), 10u);
  EXPECT_EQ(count(left(), of_data), 0u);
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
  for (const std::string& row : row_names("itanium2")) EXPECT_GT(count(groups, is_plain(row)), 0u) << row;
}

// With a cache, only the parts whose answers have changed are judged again.
TEST_F(IdleGroups, OfAPartAreThoseOfTheWholePlan) {
  std::vector<std::size_t> part;
  for (std::size_t g = 0; g < plan_.size(); ++g) {
    if (is_filtered(plan_[g])) part.push_back(g);
  }
  const std::vector<std::size_t> kept =
      without_idle_groups(task_, answered_plan(plan_, std::vector<Answer>(plan_.size())), part);
  EXPECT_LT(kept.size(), part.size());
}

TEST_F(IdleGroups, ARefusalIsReported) { EXPECT_EQ(count(left(is_filtered), is_filtered), count(plan_, is_filtered)); }

}  // namespace
}  // namespace pmusim::testbench
