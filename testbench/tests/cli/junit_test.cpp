// `pmusim validate --junit`: valid XML with the totals of the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

/// Reads a report with Python's XML parser. For each test suite: its name, the declared numbers of tests and failures,
/// the actual numbers of test cases and failures, the largest number of failures of a case, the texts of the failures,
/// the suite's time and the sum of its cases' times.
nlohmann::json parsed(const std::string& file) {
  write_file("junit.py", R"(
import json, sys, xml.etree.ElementTree as tree
suites = []
for suite in tree.parse(sys.argv[1]).getroot().iter("testsuite"):
    failures = list(suite.iter("failure"))
    cases = list(suite.iter("testcase"))
    suites.append({"name": suite.get("name"), "tests": int(suite.get("tests")), "failures": int(suite.get("failures")),
                   "cases": len(cases), "failed": len(failures),
                   "most": max(len(list(case.iter("failure"))) for case in cases),
                   "time": float(suite.get("time")), "sum": sum(float(case.get("time")) for case in cases),
                   "text": "".join(f.text or "" for f in failures)})
print(json.dumps(suites))
)");
  return json_of(shell("python3 junit.py " + file));
}

std::string validate(const std::string& more) {
  return "validate -t athlon --trace '" + recorded("i386-units") + "' --only RETIRED_ --format json " + more;
}

TEST(Junit, GoodAndUnexercisedRows) {
  if (!have_tools({"python3"})) GTEST_SKIP() << "needs python3";
  const Outcome outcome = pmusim(validate("--junit good.xml"));
  ASSERT_NE(outcome.code, 2) << outcome.err;
  const auto totals = nlohmann::json::parse(lines_of(outcome.out).at(0));
  const auto suites = parsed("good.xml");
  ASSERT_EQ(suites.size(), 1u);
  EXPECT_EQ(suites[0].at("name"), "athlon");
  EXPECT_EQ(suites[0].at("tests"), totals.at("events"));
  EXPECT_EQ(suites[0].at("cases"), totals.at("events"));
  EXPECT_EQ(suites[0].at("failures"), totals.at("unexercised").size());
  EXPECT_EQ(suites[0].at("failed"), totals.at("unexercised").size());
}

// An encoder that selects clocks (76h) for every event, with a command line that must be escaped in XML.
TEST(Junit, FailingRows) {
  if (!have_tools({"python3"})) GTEST_SKIP() << "needs python3";
  write_file("wrong.py", R"(
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], "registers": [{"name": f"PerfEvtSel{n}", "value": "0x430076"} for n in range(4)],
                      "counters": [f"PerfCtr{n}" for n in range(len(request["events"]))]}), flush=True)
)");
  const Outcome outcome = pmusim(validate("--encoder \"python3 wrong.py '<&>'\" --junit bad.xml"));
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  const auto totals = nlohmann::json::parse(lines_of(outcome.out).at(0));
  EXPECT_GT(totals.at("mismatches").get<int>(), 0);
  const auto suites = parsed("bad.xml");
  ASSERT_EQ(suites.size(), 1u);
  EXPECT_EQ(suites[0].at("tests"), totals.at("events"));
  EXPECT_EQ(suites[0].at("failures"), suites[0].at("failed"));
  EXPECT_GT(suites[0].at("failed").get<int>(), 0);
  EXPECT_EQ(suites[0].at("most"), 1);
  EXPECT_GT(suites[0].at("time").get<double>(), 0);
  const double rounding = 0.0005 * suites[0].at("cases").get<double>();
  EXPECT_NEAR(suites[0].at("sum").get<double>(), suites[0].at("time").get<double>(), rounding + 0.0005);
  EXPECT_THAT(suites[0].at("text").get<std::string>(), testing::HasSubstr("pmusim validate"));
  EXPECT_THAT(suites[0].at("text").get<std::string>(), testing::HasSubstr("<&>"));
}

}  // namespace
}  // namespace pmusim::cli_test
