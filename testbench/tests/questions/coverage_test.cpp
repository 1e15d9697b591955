// The shipped questions require every live bit of the control registers as 0 and as 1, and every pair of attribute
// values. The exceptions are listed here by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

#include "testbench/cli/question_coverage.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/covering.h"
#include "testbench/tests/questions/asked.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench {
namespace {

using questions::Extent;
/// The excused bits without the registers' numbers, "DBR r never 1". Each has a reason.
std::set<std::string> excused_by(const QuestionCoverage& coverage) {
  std::set<std::string> names;
  for (const std::string& line : coverage.excused) {
    const std::size_t bit = line.find(": bit "), never = line.find(" never "), why = line.find(": ", never);
    EXPECT_TRUE(bit < never && never < why && why + 2 < line.size()) << line;
    std::string name = line.substr(0, bit) + line.substr(never, why - never);
    if (name.starts_with("DBR") || name.starts_with("IBR")) name.erase(3, name.find(' ') - 3);
    names.insert(std::move(name));
  }
  return names;
}

/// The bits that no request can set, from the manuals (docs/validation.md has the reasons).
std::set<std::string> due_excuses(const std::string& target) {
  // The last write starts the counters; no request can name trigger, discount and transitions of the time base; PMC1
  // has 13 events under a select of seven bits, PMC2 17 under six, PMC4 15 under five.
  if (target.starts_with("ppc750"))
    return {"MMCR0 DIS never 1",        "MMCR0 DISCOUNT never 1",   "MMCR0 INTONBITTRANS never 1",
            "MMCR0 PMCTRIGGER never 1", "MMCR0 PMC1SELECT never 1", "MMCR0 PMC2SELECT never 1",
            "MMCR1 PMC4SELECT never 1"};
  if (target == "alpha-ev6") return {"WRPERFMON_SELECT SL1 never 1"};  // eight events under a select of four bits
  std::set<std::string> itaniums{"PMC0 fr never 1", "PMC0 overflow never 1", "DBR r never 1",
                                 "DBR w never 1",   "DBR plm never 1",       "DBR plm never 0"};
  if (target == "itanium2") itaniums.insert("PMC4 enable never 0");
  // A matcher without a request matches everything; predictions are not recorded; one mode.
  if (target == "montecito")
    itaniums.insert({"PMC36 ch0_ig_opcm never 1", "PMC36 ch1_ig_opcm never 1", "PMC36 ch2_ig_opcm never 1",
                     "PMC36 ch3_ig_opcm never 1", "PMC39 ds never 1", "PMC42 mode never 1"});
  if (target == "itanium2" || target == "montecito") return itaniums;
  return {};
}

class CoverageOf : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, CoverageOf, ::testing::ValuesIn(questions::targets), target_name);

/// NAME0, NAME1, ...
void add_numbered(const std::string& name, unsigned first, unsigned last, std::set<std::string>& names) {
  for (const std::string& one : questions::numbered(name, first, last)) names.insert(one);
}

/// The registers that control counters and captures, from the manuals; on the Alphas the arguments of WRPERFMON.
std::set<std::string> control_registers(const std::string& target) {
  std::set<std::string> names;
  if (target == "athlon") add_numbered("PerfEvtSel", 0, 3, names);
  if (target.starts_with("ppc750")) names = {"MMCR0", "MMCR1"};
  if (target.starts_with("alpha")) names = {"WRPERFMON_SELECT", "WRPERFMON_OPTIONS", "WRPERFMON_ENABLE"};
  if (target == "alpha-ev5" || target == "alpha-pca56") names.insert("WRPERFMON_FREQUENCY");
  if (target == "itanium2" || target == "montecito") {
    names.insert("PMC0");
    add_numbered("IBR", 0, 7, names);
    add_numbered("DBR", 0, 7, names);
    add_numbered("PMC", 4, 15, names);
  }
  if (target == "montecito") add_numbered("PMC", 32, 42, names);
  return names;
}

TEST_P(CoverageOf, EveryControlRegister) {
  const std::string target = GetParam();
  std::set<std::string> written;
  for (const questions::Question& question : questions::questions_of(target, Extent::quick)) {
    for (const auto& reg : own_encoder()->encode(target, question.group).registers) written.insert(reg.name);
  }
  EXPECT_EQ(written, control_registers(target));
}

TEST_P(CoverageOf, TheShippedQuestionsIsComplete) {
  const std::string target = GetParam();
  const QuestionCoverage coverage = question_coverage(target, questions::questions_of(target, Extent::full));
  EXPECT_EQ(coverage.missing, std::vector<std::string>());
  EXPECT_EQ(coverage.attributes.missing, std::vector<std::string>());
  EXPECT_EQ(coverage.attributes.values, coverage.attributes.values_asked);
  EXPECT_EQ(coverage.attributes.pairs, coverage.attributes.pairs_asked);
  EXPECT_GT(coverage.attributes.pairs, 0u);
  EXPECT_GT(coverage.both, 0u);
  EXPECT_EQ(coverage.live, coverage.both + coverage.never);
  EXPECT_EQ(excused_by(coverage), due_excuses(target));
}

// A question less: what it alone asks for is missing, by name.
TEST(Coverage, OfSomeQuestionsNamesWhatIsMissing) {
  std::vector<questions::Question> some = questions::questions_of("ppc750gx", Extent::full);
  std::erase_if(some, [](const questions::Question& question) { return questions::asks_for(question, "tb", 3); });
  const QuestionCoverage coverage = question_coverage("ppc750gx", some);
  EXPECT_EQ(coverage.missing, std::vector<std::string>());  // each bit of RTCSELECT is in tb=1 and tb=2, too
  std::erase_if(some, [](const questions::Question& question) { return questions::asks_for(question, "tb", 2); });
  EXPECT_EQ(question_coverage("ppc750gx", some).missing,
            std::vector<std::string>{"MMCR0 RTCSELECT: bit 24 never 1"});  // IBM's bit 7
}

}  // namespace
}  // namespace pmusim::testbench

namespace pmusim::testbench::questions {
namespace {

using Sizes = std::vector<std::size_t>;

/// The pairs of values that the rows contain, computed without the generator.
std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> pairs(
    const std::vector<std::vector<std::size_t>>& rows) {
  std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> found;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t j = i + 1; j < row.size(); ++j) found.emplace(i, row[i], j, row[j]);
    }
  }
  return found;
}

TEST(CoveringArray, EveryPairIsInARow) {
  for (const Sizes& sizes : {Sizes{2, 2}, Sizes{7, 13, 3, 3, 3, 4}, Sizes{5, 3, 4, 65}, Sizes{1, 4, 2}}) {
    std::size_t all = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (std::size_t j = i + 1; j < sizes.size(); ++j) all += sizes[i] * sizes[j];
    }
    const auto rows = covering_array(sizes);
    EXPECT_EQ(pairs(rows).size(), all);
    for (const auto& row : rows) {
      ASSERT_EQ(row.size(), sizes.size());
      for (std::size_t i = 0; i < row.size(); ++i) EXPECT_LT(row[i], sizes[i]);
    }
  }
}

TEST(CoveringArray, IsNotMuchLongerThanItHasToBe) {
  // The two largest attributes alone need 7 x 13 rows, which is the minimum.
  EXPECT_LE(covering_array({7, 13, 3, 3, 3, 4}).size(), 7 * 13 * 5 / 4);
}

TEST(CoveringArray, WhatIsExcludedIsInNoRow) {
  const Excluded excluded = [](std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    return i == 0 && j == 2 && a == 1 && b == 3;
  };
  const auto found = pairs(covering_array({3, 3, 4}, excluded));
  EXPECT_FALSE(found.contains({0, 1, 2, 3}));
  EXPECT_EQ(found.size(), 3 * 3 + 3 * 4 + 3 * 4 - 1u);
}

TEST(CoveringArray, OneAttributeHasARowForEachValue) { EXPECT_EQ(covering_array({5}).size(), 5u); }

}  // namespace
}  // namespace pmusim::testbench::questions
