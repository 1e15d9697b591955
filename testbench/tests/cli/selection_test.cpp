// `pmusim validate --only`: attributes, wildcards, any case, and targets that have no such event. Patterns that select
// nothing are in errors_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "command.h"
#include "testbench/judge/question/question.h"

namespace pmusim::cli_test {

namespace {

/// The targets that a validation reports.
std::vector<nlohmann::json> validated(const std::string& options) {
  const Outcome outcome = pmusim("validate --format json " + options);
  EXPECT_EQ(outcome.code, 0) << options << '\n' << outcome.out << outcome.err;
  std::vector<nlohmann::json> targets;
  for (const std::string& line : lines_of(outcome.out)) targets.push_back(nlohmann::json::parse(line));
  return targets;
}

/// The number of comparisons of RETIRED_INSTRUCTIONS that a pattern selects.
int checks_of(const std::string& pattern) {
  write_file("nops.txt", nops(5));
  const auto targets = validated("-t athlon --quick --trace nops.txt --only '" + pattern + "'");
  EXPECT_EQ(targets.size(), 1u) << pattern;
  EXPECT_EQ(targets.at(0).at("events"), 1) << pattern;
  return targets.at(0).at("checks");
}

TEST(Selection, TakesAttributesInAnyForm) {
  const int all = checks_of("RETIRED_INSTRUCTIONS"), user = checks_of("RETIRED_INSTRUCTIONS:u");
  EXPECT_GT(user, 0);
  EXPECT_LT(user, all);
  for (const char* pattern : {"retired_instructions:U", "Retired_Inst*:u*", "RETIRED_INSTRUCTION?:u*",
                              "NONE,RETIRED_INSTRUCTIONS:u", "RETIRED_INSTRUCTIONS:u,!RETIRED_UOPS"})
    EXPECT_EQ(checks_of(pattern), user) << pattern;
}

/// The names of the targets that are reported for a pattern.
std::set<std::string> targets_with(const std::string& pattern) {
  std::set<std::string> names;
  for (const auto& target : validated("-t all --quick --only '" + pattern + "'")) {
    EXPECT_GT(target.at("events"), 0);
    names.insert(target.at("target").get<std::string>());
  }
  return names;
}

TEST(Selection, LeavesOutTargetsWithoutTheEvent) {
  using Names = std::set<std::string>;
  EXPECT_EQ(targets_with("RETIRED_UOPS"), Names{"athlon"});
  EXPECT_EQ(targets_with("RETIRED_UOPS,PROCESSOR_CYCLES"), (Names{"athlon", "ppc750gx", "ppc750gl"}));
  // The event exists, the attribute does not.
  EXPECT_EQ(targets_with("RETIRED_UOPS,PROCESSOR_CYCLES:none"), Names{"athlon"});
}

// With these values no encoder can count what the questions ask. What is left passes; where nothing is left, the run
// ends with one line.
TEST(Selection, LeavesOutQuestionsWithoutARightAnswer) {
  struct Row {
    const char *target, *trace, *value;
    std::string some, nothing;  ///< options that select some questions with a right answer, and none
  };
  const Row rows[] = {{"alpha-ev5", "alpha/misses", "pmu.ctl_1=off", "", " --question PF5_MUX1_C_LOAD_INSTRUCTIONS"},
                      {"alpha-pca56", "alpha/misses", "pmu.ctl_1=off", "", " --question PF5_MUX1_C_LOAD_INSTRUCTIONS"},
                      {"itanium2", "itanium2/accesses", "pmu.memory_tag=pmc13", " --only LOADS_RETIRED", ""},
                      {"itanium2", "itanium2/accesses", "pmu.data_channels=all", " --only LOADS_RETIRED", ""},
                      {"montecito", "montecito/queues", "pmu.code_bc=reject",
                       " --only L2D_OZQ_FULL_THIS,ER_REJECT_ALL_L1_REQ", " --only L2D_OZQ_FULL_THIS"}};
  for (const Row& row : rows) {
    const std::string command = std::string("validate --format json --no-cache -t ") + row.target + " --set " +
                                row.value + " --trace " + as_word(micro_trace(row.trace));
    const Outcome some = pmusim(command + row.some);
    // One trace does not exercise every event, so that the exit code may be 1.
    const auto report = nlohmann::json::parse(some.out);
    EXPECT_EQ(report.at("mismatches"), 0) << row.value;
    EXPECT_GT(report.at("checks"), 0) << row.value;
    EXPECT_NE(some.err.find(std::string(row.target) + ": questions without a right answer are left out; " + row.value),
              std::string::npos)
        << some.err;
    if (row.nothing.empty()) continue;
    const Outcome nothing = pmusim(command + row.nothing);
    EXPECT_EQ(nothing.code, 2) << row.value << nothing.out << nothing.err;
    EXPECT_NE(nothing.err.find("every question is left out; " + std::string(row.value)), std::string::npos)
        << nothing.err;
  }
}

// The coverage of the questions in the report of `validate`, and its rows of questions.

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

// `pmusim validate`: split and interrupted sweeps give the same result as one whole sweep.

std::string sweep(const std::string& more) {
  return "validate -t athlon --only RETIRED_ --format json --trace '" + recorded("i386-units") + "' --trace '" +
         recorded("i386-segments") + "' " + more;
}

/// The line with the totals: the object with `mismatches`.
nlohmann::json totals(const Outcome& outcome) {
  EXPECT_NE(outcome.code, 2) << outcome.err;
  nlohmann::json found;
  for (const std::string& line : lines_of(outcome.out)) {
    auto object = nlohmann::json::parse(line, nullptr, false);
    EXPECT_FALSE(object.is_discarded()) << line;
    if (object.contains("mismatches") && object.contains("exercised_by")) found = object;
  }
  return found;
}

TEST(Sweep, ShardsAddUp) {
  const auto whole = totals(pmusim(sweep("")));
  const auto first = totals(pmusim(sweep("--shard 1/2")));
  const auto second = totals(pmusim(sweep("--shard 2/2")));
  ASSERT_GT(whole.at("checks").get<int>(), 0);
  ASSERT_GT(first.at("checks").get<int>(), 0);
  EXPECT_EQ(whole.at("checks").get<int>(), first.at("checks").get<int>() + second.at("checks").get<int>());
  EXPECT_EQ(whole.at("vacuous").get<int>(), first.at("vacuous").get<int>() + second.at("vacuous").get<int>());
}

TEST(Sweep, JobsChangeNothing) { EXPECT_EQ(pmusim(sweep("--jobs 1")).out, pmusim(sweep("--jobs 3")).out); }

// The journal of a killed sweep: its first part is complete, the second is cut within the line.
TEST(Sweep, ResumesBehindACut) {
  const Outcome straight = pmusim(sweep("--jobs 1 --journal kept"));
  const auto kept = lines_of(read_file(scratch() + "/kept"));
  ASSERT_EQ(kept.size(), 3u);  // the sweep, and two jobs
  write_file("cut", kept[0] + "\n" + kept[1] + "\n" + kept[2].substr(0, kept[2].size() / 2));
  const Outcome resumed = pmusim(sweep("--jobs 1 --journal cut"));
  EXPECT_EQ(resumed.out, straight.out);
  EXPECT_EQ(resumed.code, straight.code);
  // A second resume finds everything done, the line after the cut included.
  const Outcome again = pmusim(sweep("--jobs 1 --journal cut"));
  EXPECT_EQ(again.out, straight.out);
  EXPECT_EQ(lines_of(read_file(scratch() + "/cut")).size(), 3u);
}

TEST(Sweep, ResumesBehindAKill) {
  const Outcome straight = pmusim(sweep("--jobs 1"));
  static_cast<void>(shell("timeout -s KILL 0.3 \"$PMUSIM\" " + sweep("--jobs 1 --resume killed")));
  EXPECT_EQ(pmusim(sweep("--jobs 1 --resume killed")).out, straight.out);
}

}  // namespace

}  // namespace pmusim::cli_test
