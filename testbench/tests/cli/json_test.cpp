// The JSON output is as documented in docs/json.md: every key that a command prints is listed in its section.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {

namespace {

void collect(const nlohmann::json& value, std::set<std::string>& keys) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      keys.insert(key);
      collect(inner, keys);
    }
  } else if (value.is_array()) {
    for (const auto& inner : value) collect(inner, keys);
  }
}

/// The text of a section, up to the next section.
std::string section(const std::string& title) {
  static const std::string document = read_file(PMUSIM_SOURCE_DIR "/docs/json.md");
  const std::size_t begin = document.find("\n## " + title + "\n");
  if (begin == std::string::npos) return "";
  return document.substr(begin, document.find("\n## ", begin + 1) - begin);
}

struct Printed {
  const char* section;
  std::string arguments;
};

TEST(Json, EveryKeyIsDocumented) {
  const std::string athlon = "'" + recorded("i386-selfmod") + "'", itanium2 = "'" + recorded("ia64-pipelined") + "'";
  const std::string filters =
      " --irange 0x4000000000000180-0x4000000000000200 --drange 0x6000000000000000-0x6000000000010000 "
      "--btb tm=all --ear unit=data --ear unit=instruction,mode=tlb ";
  write_file("access.txt", "! isa i386\n10000 90\n10001 0f33 rd=PerfCtr0\n10003 90\n");
  write_file("access.nm", "00010000 T access\n");
  std::string reads = ia64_nops(3);
  reads.insert(reads.rfind('\n'), " rd=PMD4");
  write_file("reads.txt", reads);
  const Printed all[] = {
      {"targets", "targets"},
      {"targets", "targets -t athlon --parameters"},
      {"events", "events -t athlon REFILLS"},
      {"events", "events -t itanium2 L1D_READS_SET0"},
      {"events", "events -t ppc750gx --choose L1_DCACHE_MISSES"},
      {"events", "events -t athlon --ratios"},
      {"events", "events -t athlon --generic"},
      {"traces", "traces -t athlon"},
      {"encode", "encode -t itanium2 -e LOADS_RETIRED:t=5" + filters},
      {"events", "events -t montecito ETB"},
      {"decode", "decode -t athlon PerfEvtSel0=0x4300c0"},
      {"run", "run -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS -e CPU_CLK_UNHALTED"},
      {"run", "run -t athlon --trace access.txt --write PerfEvtSel0=0x43ffff"},
      {"run", "run -t itanium2 --trace " + itanium2 + " -e LOADS_RETIRED:t=5" + filters},
      {"run", "run -t itanium2 --passes --trace " + itanium2 +
                  " -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES --btb tm=all"},
      {"run", "run -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS -I 5"},
      {"encode", "encode -t athlon --perf -e RETIRED_UOPS"},
      {"explain", "explain -t itanium2 --trace " + itanium2 + " -e LOADS_RETIRED:t=1" + filters},
      {"explain", "explain -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS"},
      {"report",
       "report -t itanium2 --by instruction --period 1000 --trace " + itanium2 + " -e LOADS_RETIRED" + filters},
      {"report", "report -t athlon --trace access.txt"},
      {"annotate", "annotate -t athlon --trace access.txt -e RETIRED_INSTRUCTIONS --period 2 --symbols access.nm"},
      {"record", "record -t itanium2 --period 1000 --trace " + itanium2 +
                     " -e CPU_CYCLES --btb tm=all --ear unit=data --ear unit=instruction,mode=tlb"},
      {"run", "run -t montecito --registers --trace reads.txt --trace " + itanium2 +
                  " -e IA64_INST_RETIRED --path --etb tm=taken"},
      {"record", "record -t montecito --period 1000 -e IA64_INST_RETIRED --ipear delay=4 --trace " + itanium2},
      {"record", "record -t montecito --period 1000 -e ETB_EVENT --etb tm=taken --path --trace " + itanium2},
      {"record", "record -t ppc750gx --period 20000 -e PROCESSOR_CYCLES --trace '" + recorded("ppc-units") + "'"},
      {"validate", "validate -t athlon --only RETIRED_U --trace " + athlon},
      {"validate", "validate -t ppc750gx --quick"},
      {"trace info", "trace info " + athlon},
      {"trace stats", "trace stats " + itanium2},
      {"trace dump", "trace dump --range 0:50 " + athlon},
      {"trace dump", "trace dump --disasm --range 0:50 " + itanium2}};
  const std::string rule_for_registers = "`space`, `number`, `name`, `value`";
  for (const Printed& printed : all) {
    const Outcome outcome = pmusim(printed.arguments + " --format json");
    ASSERT_EQ(outcome.code, 0) << printed.arguments << "\n" << outcome.err;
    std::set<std::string> keys;
    for (const auto& row : rows_of(outcome)) collect(row, keys);
    EXPECT_FALSE(keys.empty()) << printed.arguments;
    std::string text = rule_for_registers + section(printed.section);
    if (const std::string of = printed.section; of == "run" || of == "explain" || of == "report")
      text += section("encode") + section("record");
    if (std::string(printed.section) == "annotate") text += section("report");
    for (const std::string& key : keys) {
      if (key.starts_with("pmd")) continue;  // the section describes registers by a rule, not by name
      EXPECT_NE(text.find("`" + key + "`"), std::string::npos) << key << " of " << printed.arguments;
    }
  }
}

// `pmusim validate --junit`: valid XML with the totals of the run.

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
  const auto totals = rows_of(outcome).at(0);
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
  write_wrong_encoder();
  const Outcome outcome = pmusim(validate("--encoder \"python3 wrong.py '<&>'\" --junit bad.xml"));
  ASSERT_EQ(outcome.code, 1) << outcome.err;
  const auto totals = rows_of(outcome).at(0);
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
