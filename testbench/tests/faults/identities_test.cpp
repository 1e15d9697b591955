// Relations among counts that the manuals state: the table must name existing events, and a fault in a core's activity
// or in the oracle must break one of them.
#include "testbench/judge/trial/identities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "testbench/judge/trial/judging_bench.h"
#include "testbench/store/data_folder.h"
#include "testbench/sweep/report.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const models::Target& target : models::targets()) names.emplace_back(target.name);
  return names;
}

oracle::Tally counted(std::uint64_t count, bool half = false) { return {count, count, half}; }

TEST(IdentityTable, NamesRowsOfEachTargetOnceAndItsSource) {
  for (const std::string& target : target_names()) {
    std::set<std::string, std::less<>> rows;
    for (const oracle::EventName& event : oracle::events(target)) {
      rows.emplace(event.name);
      for (const std::string_view mask : event.umasks) rows.insert(std::string(event.name) + ':' + std::string(mask));
      if (!event.umasks.empty()) rows.insert(std::string(event.name) + ":*");
    }
    std::set<std::string_view> relations;
    for (const Identity& identity : identities_of(target)) {
      EXPECT_TRUE(relations.insert(identity.relation).second) << target << ": twice " << identity.relation;
      EXPECT_FALSE(identity.source.empty()) << identity.relation;
      for (const std::string& row : rows_in(identity.relation))
        EXPECT_TRUE(rows.contains(row)) << target << " has no " << row;
    }
    EXPECT_GE(relations.size(), 2u) << target;
  }
}

/// Rows that a shipped trace causes under the default parameters, and `EVENT:*` for each event with unit masks.
std::set<std::string> caused_rows(const std::string& target) {
  std::ifstream file(std::string(PMUSIM_SOURCE_DIR) + "/docs/generated/provenance.csv");
  const std::string of = (target == "ppc750gl" ? "ppc750gx" : target) + ',';  // their events are the same
  std::set<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(of) || line.find(",never,") != std::string::npos) continue;
    const std::string row = line.substr(of.size(), line.find(',', of.size()) - of.size());
    rows.insert(row);
    if (const std::size_t mask = row.find(':'); mask != std::string::npos) rows.insert(row.substr(0, mask) + ":*");
  }
  return rows;
}

// An identity says nothing of a count that is always 0. The file is checked against the traces by
// Provenance.IsWhatTheFileSays.
TEST(IdentityTable, EachRowOccursOnAShippedTrace) {
  const std::set<std::string> excused = {
      "DATA_CACHE_LINES_EVICTED:INVALID",    // an invalid line is no victim
      "BE_LOST_BW_DUE_TO_FE_IBFULL",         // a full buffer lacks no bundle, unless core.fetch_to_buffer is longer
      "IDEAL_BE_LOST_BW_DUE_TO_FE_IBFULL"};  // likewise
  std::set<std::string> absent;
  for (const std::string& target : target_names()) {
    const std::set<std::string> caused = caused_rows(target);
    for (const Identity& identity : identities_of(target)) {
      for (const std::string& row : rows_in(identity.relation)) {
        if (caused.contains(row)) continue;
        EXPECT_TRUE(excused.contains(row)) << target << ": no trace causes " << row << " of " << identity.relation;
        absent.insert(row);
      }
    }
  }
  EXPECT_EQ(absent, excused) << "an excuse that no identity needs";
}

TEST(IdentityChecks, AreArithmetic) {
  const models::Parameters parameters = models::find_target("alpha-ev4")->parameters();
  const IdentityChecks checks("alpha-ev4", "PF_ISSUES,PF_NONISSUES,PF_CYCLES", parameters);
  ASSERT_EQ(checks.requests().size(), 3u);
  EXPECT_EQ(checks.requests()[0].event, "PF_ISSUES");
  const std::vector<oracle::Tally> right = {counted(3, true), counted(6, true), counted(10)};
  std::vector<IdentityVerdict> verdicts = checks.check(right, nullptr, "a trace");
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].broken, 0u);
  EXPECT_EQ(verdicts[0].exercised, 1u);
  const std::vector<oracle::Tally> wrong = {counted(3), counted(6, true), counted(10)};
  verdicts = checks.check(wrong, nullptr, "a trace");
  EXPECT_EQ(verdicts[0].broken, 1u);
  EXPECT_EQ(verdicts[0].example, "a trace: 3 + 6.5 != 10");
  const std::vector<oracle::Tally> nothing(3);
  EXPECT_EQ(checks.check(nothing, nullptr, "a trace")[0].exercised, 0u);
}

// st8 and fetchadd8: two stores of the program.
TEST(IdentityChecks, AddCountsOfTheTrace) {
  const models::Parameters parameters = models::find_target("itanium2")->parameters();
  const auto reader = trace::open_text(
      "! isa ia64\n4000000000010000 01000c08981100000002000000000400 xxx S0 6000000000200040 8\n"
      "4000000000010010 01180c08991000000002000000000400 xxx L0 60000000002000c0 8 S0 60000000002000c0 8\n",
      "test");
  const TraceCounts counts("itanium2", *reader, parameters);
  const IdentityChecks checks("itanium2", "STORES_RETIRED,RSE_REFERENCES_RETIRED_STORE", parameters);
  ASSERT_EQ(checks.requests().size(), 2u);
  const auto broken = [&](std::uint64_t stores, std::uint64_t of_register_stack) {
    const std::vector<oracle::Tally> tallies = {counted(stores), counted(of_register_stack)};
    std::vector<std::string> examples;
    for (const IdentityVerdict& verdict : checks.check(tallies, &counts, "a trace")) {
      if (verdict.broken != 0) examples.push_back(verdict.example);
    }
    return examples;
  };
  EXPECT_TRUE(broken(5, 3).empty());
  EXPECT_EQ(broken(4, 3), std::vector<std::string>{"a trace: 4 != 2 + 3"});
  // Without counts of the trace only the relation between the two events is left.
  EXPECT_EQ(checks.check(std::vector<oracle::Tally>{counted(5), counted(3)}, nullptr, "a trace").size(), 1u);
}

TEST(IdentityChecks, SayNothingWhereAParameterReadsAnEventOtherwise) {
  models::Parameters parameters = models::find_target("alpha-ev6")->parameters();
  EXPECT_FALSE(IdentityChecks("alpha-ev6", "", parameters).requests().empty());
  parameters.set("pmu.ret_mispredicts", std::string_view("retired"));
  EXPECT_TRUE(IdentityChecks("alpha-ev6", "", parameters).requests().empty());
}

using MakeCounter = decltype(Task::make_counter);

/// Identities of a target on a recorded trace, with another oracle.
std::vector<IdentityVerdict> identities_on(const std::string& name, const std::string& recorded,
                                           MakeCounter make_counter = {}) {
  const JudgingBench bench(name, models::find_target(name)->parameters());
  const std::filesystem::path trace = data_folder() / "isa-traces" / "recorded" / (recorded + ".pmt");
  const ActivityLog log = bench.record(trace);
  Task task;
  task.target = name;
  task.trace = trace;
  task.parameters = bench.model().parameters();
  task.make_counter = std::move(make_counter);
  task.activity = &log;
  task.identities = true;
  return judge(std::move(task)).identities;
}

std::vector<std::string> broken_of(const std::vector<IdentityVerdict>& identities) {
  std::vector<std::string> broken;
  for (const IdentityVerdict& identity : identities) {
    if (identity.broken != 0) broken.push_back(identity.relation);
  }
  return broken;
}

/// The oracle with falsified activity.
class Misled final : public oracle::Counter {
 public:
  using Change = std::function<void(activity::Block&)>;
  Misled(std::unique_ptr<oracle::Counter> counter, Change change)
      : counter_(std::move(counter)), change_(std::move(change)) {}
  void consume(const activity::Block& block) override {
    activity::Block copy = block;
    change_(copy);
    counter_->consume(copy);
  }
  void consume(const activity::Block& block, activity::Cycle from, activity::Cycle to) override {
    activity::Block copy = block;
    change_(copy);
    counter_->consume(copy, from, to);
  }
  [[nodiscard]] oracle::Tally tally(std::size_t request) const override { return counter_->tally(request); }
  void watch(std::size_t request, std::uint64_t first, std::uint64_t period) override {
    counter_->watch(request, first, period);
  }
  [[nodiscard]] const std::vector<activity::Cycle>& crossings(std::size_t request) const override {
    return counter_->crossings(request);
  }

 private:
  std::unique_ptr<oracle::Counter> counter_;
  Change change_;
};

/// A core that loses all occurrences of a signal.
MakeCounter core_without(const std::string& target, Signal signal) {
  return [=](const std::vector<oracle::Request>& requests, const oracle::ParameterLookup& lookup) {
    return std::make_unique<Misled>(oracle::make_counter(target, requests, lookup), [=](activity::Block& block) {
      block.columns[static_cast<std::size_t>(signal)].clear();
    });
  };
}

struct CoreFault {
  std::string target, recorded;
  Signal loses;
  std::string breaks;
};

TEST(Identities, AreBrokenByACoreThatLosesOccurrences) {
  const CoreFault faults[] = {
      {"athlon", "i386-segments", Signal::fetch, "<= 2 INSTRUCTION_CACHE_MISSES"},
      {"ppc750gx", "ppc-ordering", Signal::dispatch, "INSTRUCTIONS_COMPLETED <= INSTRUCTIONS_DISPATCHED"},
      {"ppc750gl", "ppc-ordering", Signal::branch_handled, "<= UNRESOLVED_BRANCHES"},
      {"itanium2", "ia64-pipelined", Signal::dispatch, "IA64_INST_RETIRED <= INST_DISPERSED + IA32_INST_RETIRED"},
      {"montecito", "ia64-pipelined", Signal::data_reference, "L1D_READS_SET1 <= DATA_REFERENCES_SET1"},
  };
  for (const CoreFault& fault : faults) {
    EXPECT_EQ(broken_of(identities_on(fault.target, fault.recorded)), std::vector<std::string>{}) << fault.target;
    const auto broken = broken_of(identities_on(fault.target, fault.recorded, core_without(fault.target, fault.loses)));
    EXPECT_TRUE(std::any_of(broken.begin(), broken.end(),
                            [&](const std::string& one) { return one.find(fault.breaks) != std::string::npos; }))
        << fault.target << ": " << fault.breaks;
  }
}

struct OracleFault {
  std::string target, recorded;
  oracle::Breakage breakage;
  std::string breaks;
};

TEST(Identities, AreBrokenByAnOracleThatCountsWrongly) {
  using Kind = oracle::Breakage::Kind;
  const OracleFault faults[] = {
      {"alpha-ev4", "alpha-ordering", {"PF_ISSUES", 0, Kind::never}, "PF_ISSUES + PF_NONISSUES = PF_CYCLES"},
      {"alpha-ev5", "alpha-ordering", {"PF5_MUX0_ISSUES", 0, Kind::never}, "PF5_MUX0_ISSUES = "},
      {"alpha-pca56", "alpha-ordering", {"PF5_MUX0_ISSUES", 0, Kind::never}, "PF5_MUX0_ISSUES = "},
      {"alpha-ev6", "alpha-ordering", {"PF6_MUX1_CYCLES", 0, Kind::inverted}, "PF6_MUX1_CYCLES = PF6_MUX0_CYCLES"},
      {"alpha-ev67", "alpha-ordering", {"CYCLES0", 0, Kind::inverted}, "CYCLES0 = CYCLES1"},
      {"athlon", "i386-segments", {"DATA_CACHE_ACCESSES", 0, Kind::never}, "DATA_CACHE_MISSES <= DATA_CACHE_ACCESSES"},
      {"itanium2", "ia64-pipelined", {"L3_REFERENCES", 0, Kind::never}, "L3_REFERENCES = "},
  };
  for (const OracleFault& fault : faults) {
    const auto broken = broken_of(
        identities_on(fault.target, fault.recorded,
                      [&](const std::vector<oracle::Request>& requests, const oracle::ParameterLookup& lookup) {
                        return oracle::make_broken_counter(fault.target, requests, lookup, fault.breakage);
                      }));
    EXPECT_TRUE(std::any_of(broken.begin(), broken.end(),
                            [&](const std::string& one) { return one.find(fault.breaks) != std::string::npos; }))
        << fault.target << ": " << fault.breakage.text();
  }
}

TEST(IdentityReport, NamesWhatDoesNotHoldAndFails) {
  TargetVerdict verdict;
  verdict.target = "alpha-ev6";
  verdict.identities = {{"PF6_MUX1_CYCLES = PF6_MUX0_CYCLES", 3, 3, 1, "one.txt: 4 != 5"},
                        {"PF6_MUX1_RET_COND_BRANCHES <= PF6_MUX0_RET_INSTRUCTIONS", 3, 2, 0, ""}};
  EXPECT_FALSE(verdict.good());
  std::ostringstream text, json;
  print_report(text, {verdict}, Format::text);
  EXPECT_NE(text.str().find("alpha-ev6: identities that do not hold: 1\n  PF6_MUX1_CYCLES = PF6_MUX0_CYCLES (pfm(7))\n"
                            "    on 1 of 3 traces, as one.txt: 4 != 5\n"),
            std::string::npos)
      << text.str();
  EXPECT_NE(text.str().find("1 of 2"), std::string::npos) << text.str();
  print_report(json, {verdict}, Format::json);
  const Json object = Json::parse(json.str());
  EXPECT_EQ(object.at("identities").at(0).at("broken"), 1);
  EXPECT_EQ(object.at("identities").at(1).at("exercised"), 2);
  EXPECT_EQ(object.at("identities").at(0).at("source"), "pfm(7)");
  verdict.identities[0].broken = 0;
  EXPECT_TRUE(verdict.good());
}

TEST(IdentityVerdicts, AreAddedUpAndKept) {
  JobVerdict one;
  one.target = "alpha-ev6";
  one.job = "1";
  one.identities = {{"a = b", 1, 1, 0, ""}, {"c <= d", 1, 0, 0, ""}};
  JobVerdict two = verdict_from_json(to_json(one));
  two.job = "2";
  two.identities[0].broken = 1;
  two.identities[0].example = "t: 1 != 2";
  const TargetVerdict merged = merge("alpha-ev6", {}, {}, {one, verdict_from_json(to_json(two))});
  ASSERT_EQ(merged.identities.size(), 2u);
  EXPECT_EQ(merged.identities[0].traces, 2u);
  EXPECT_EQ(merged.identities[0].exercised, 2u);
  EXPECT_EQ(merged.identities[0].broken, 1u);
  EXPECT_EQ(merged.identities[0].example, "t: 1 != 2");
  EXPECT_EQ(merged.broken_identities(), 1u);
}

}  // namespace
}  // namespace pmusim::testbench
