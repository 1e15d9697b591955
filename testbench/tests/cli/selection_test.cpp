// `pmusim validate --only`: attributes, wildcards, any case, and targets that have no such event. Patterns that select
// nothing are in errors_test.cpp.
#include <fmt/format.h>
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
  return rows_of(outcome);
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

// `pmusim validate`: a sweep that is split gives the same result as a whole one.

std::string sweep(const std::string& more) {
  return "validate -t athlon --only RETIRED_ --format json --trace '" + recorded("i386-units") + "' --trace '" +
         recorded("i386-segments") + "' " + more;
}

/// The line with the totals: the object with `mismatches`.
nlohmann::json totals(const Outcome& outcome) {
  EXPECT_NE(outcome.code, 2) << outcome.err;
  for (const json& row : rows_of(outcome))
    if (row.contains("mismatches") && row.contains("exercised_by")) return row;
  return {};
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

/// Traces that were once judged wrong.
struct Judged {
  std::string target, only, trace;
};

TEST(Judged, WhatWasOnceWrong) {
  std::string over = "! isa alpha\n";  // unop, then addq at the same addresses
  for (const char* const word : {"0000fe2f", "0114e043"}) {
    for (unsigned i = 0; i < 40; ++i) over += fmt::format("{:x} {} itlb=hit fetch=l1\n", 0x120000000 + 4 * i, word);
    over += "! switch\n";
  }
  const auto miss = [](const std::string& psr) {
    return "! isa ia64\n! psr " + psr +
           "\n4000000000010520 09d000081818b0011430300000000400 xxx L0 60000000002005e0 8 L1 6000000000200630 8 "
           "itlb=hit dtlb=hit\n";
  };
  const std::string asn = "! isa alpha\n2000000000000404 01301142\n! pcb asn=4\n! switch\n2000000000000424 21912940\n";
  const Judged all[] = {
      // A profiled no-operation stays one when other code overwrites it.
      {"alpha-ev67", "PF67_PM_ABORT", over},
      // A trace may say that a branch goes elsewhere than its word says: driver and oracle both call it mispredicted.
      {"alpha-ev67", "PF67_PM_FREQ",
       "! isa alpha\n10002034 00804220\n10002038 58003f24\n1000203c 80062120\n10002040 0200e543\n"
       "10002044 01b00f42\n! switch\n10002058 58003f24\n! switch\n1000205c 01983244\n10002060 010020dc T 10200130\n"
       "10200130 00083f20\n10200134 80062120\n10200138 5b0140d3 T 10200130\n10200130 00083f20\n"},
      // The fetch misses while PSR.up is on; the counter reads PSR when the bundle arrives.
      {"itanium2", "*EAR*", miss("up=0 pp=0")},
      {"itanium2", "*EAR*", miss("up=0 pp=1")},
      // An ITB miss is an Icache miss whose page is not in the ITB, also of a line that was prefetched in another
      // address space: an identity of the two counts.
      {"alpha-ev5", "PF5_MUX2_C_ITB_MISS,PF5_MUX2_C_ICACHE_MISSES", asn},
      {"alpha-pca56", "PF5_MUX2_C_ITB_MISS,PF5_MUX2_C_ICACHE_MISSES", asn}};
  for (const Judged& one : all) {
    write_file("judged.txt", one.trace);
    const Outcome outcome =
        pmusim("validate -t " + one.target + " --trace judged.txt --no-cache --format json --only '" + one.only + "'");
    EXPECT_THAT(outcome.out, HasSubstr("\"mismatches\":0,")) << one.target << outcome.err;
  }
}

}  // namespace

}  // namespace pmusim::cli_test
