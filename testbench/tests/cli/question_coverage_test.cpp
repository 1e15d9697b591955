// The coverage of the questions in the report of `validate`, and its rows of questions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "testbench/judge/question/question.h"

namespace pmusim::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

json report(const std::string& arguments, int code = 0) {
  const Outcome outcome = pmusim("validate --quick " + arguments + " --format json");
  EXPECT_EQ(outcome.code, code) << outcome.err;
  return json::parse(outcome.out);
}

/// The report on our own encoder, made once.
const json& own_report() {
  static const json own = report("-t ppc750gx");
  return own;
}

// DISCOUNT is 1 in each answer of the defective encoder; no question can ask for that.
TEST(QuestionCoverage, DoesNotDependOnTheEncoder) {
  const json& own = own_report();
  const json other =
      report(R"(-t ppc750gx --encoder "'$PMUSIM' encode --serve -t ppc750gx --defect sets-MMCR0.DISCOUNT")", 1);
  EXPECT_GT(other.at("mismatches"), 0);
  EXPECT_TRUE(own.at("question_coverage").is_object());
  EXPECT_EQ(own.at("question_coverage"), other.at("question_coverage"));

  // Every question that was asked has a row, whatever the verdict.
  using testbench::questions::Extent;
  const std::size_t asked = testbench::questions::questions_of("ppc750gx", Extent::quick).size();
  for (const json& run : {own, other}) {
    EXPECT_EQ(run.at("questions").size(), asked);
    for (const json& row : run.at("questions")) {
      EXPECT_FALSE(row.at("question").get<std::string>().empty());
      EXPECT_THAT(row.at("verdict"), testing::AnyOf("ok", "mismatch", "not exercised"));
    }
  }
}

// A part of the questions says nothing about all of them.
TEST(QuestionCoverage, ASelectionHasNone) {
  const json& all = own_report();
  const std::string question = all.at("questions").at(0).at("question");
  for (const std::string& selection : {"--question '" + question + "'", std::string("--only SNOOPS")}) {
    const json some = report("-t ppc750gx " + selection);
    EXPECT_LT(some.at("questions").size(), all.at("questions").size());
    EXPECT_GT(some.at("questions").size(), 0u);
    EXPECT_TRUE(some.at("question_coverage").is_null());
    EXPECT_THAT(pmusim("validate --quick -t ppc750gx " + selection).out, Not(HasSubstr("question coverage")));
  }
  EXPECT_THAT(pmusim("validate --quick --verbose -t ppc750gx").out, HasSubstr("\nquestion coverage: ppc750gx: "));
}

}  // namespace
}  // namespace pmusim::cli_test
