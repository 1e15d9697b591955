// pmusim report and annotate: rows add up to the counters on all targets, instructions are those of the trace, samples
// are those of record; and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/cli/command.h"
#include "testbench/tests/target_name.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

class Reports : public testing::TestWithParam<Measured> {};

/// Stalls of all rows must add up to the event's count of `pmusim run`, and no row of one thread may exceed its cycles.
void expect_stalls(const Json& report, const Measured& request) {
  const bool without = request.target == "alpha-ev6" || request.target == "alpha-ev67";
  EXPECT_EQ(report.at("stalls").empty(), without) << report.at("stalls");
  for (std::size_t i = 0; i < report.at("stalls").size(); ++i) {
    const Json& stall = report.at("stalls")[i];
    std::uint64_t sum = 0;
    for (const Json& row : report.at("rows")) {
      const auto cycles = row.at("stalls").at(i).get<std::uint64_t>();
      sum += cycles;
      // A thread that was in the background for long loses track of the instruction that it waits for.
      if (row.at("ip").is_null()) continue;
      EXPECT_LE(cycles, row.at("cycles").get<std::uint64_t>()) << stall << row;
    }
    EXPECT_EQ(sum, stall.at("cycles")) << stall;
    if (request.traces.find(' ') != std::string::npos) continue;  // a run of two threads has a count for each
    const Json run = json_of(pmusim("run -t " + request.target + " --trace " + as_word(recorded(request.traces)) +
                                    " -e " + stall.at("event").get<std::string>() + " --format json"));
    EXPECT_EQ(sum, run.at("counts")[0].at("value")) << stall;
  }
}

// By function, line and instruction alike; the sums must equal the counts of `pmusim run`.
TEST_P(Reports, AddUp) {
  const std::string options = GetParam().options();
  for (const std::string by : {"instruction", "function"}) {
    const Json report = json_of(pmusim("report " + options + " --top 1000000 --format json --by " + by));
    ASSERT_EQ(report.at("rows").size(), report.at("rows_in_all"));
    ASSERT_GT(report.at("rows").size(), 0u);
    std::vector<std::uint64_t> sums(report.at("events").size());
    std::map<std::uint64_t, std::uint64_t> cycles;
    for (const Json& row : report.at("rows")) {
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += row.at("events").at(i).at("exact").get<std::uint64_t>();
      cycles[row.value("thread", 0)] += row.at("cycles").get<std::uint64_t>();
    }
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], report.at("events").at(i).at("counted")) << i;
    for (const auto& [thread, sum] : cycles) EXPECT_EQ(sum, report.at("cycles")) << thread;
    const Json& last = report.at("rows").back().at("events").at(0).at("cumulative_share");
    if (!last.is_null()) {
      EXPECT_NEAR(last.get<double>(), 100, 1e-6);
    }
    if (by == "instruction") expect_stalls(report, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Reports, testing::ValuesIn(measured()), [](const auto& info) {
  return test_name(info.param.target + (info.param.traces.find(' ') == std::string::npos ? "" : "_threads"));
});

/// The 21264 drops no-ops, and the 750 folds branches, both before retirement. The break that ends an IA-64 program is
/// a fault.
bool may_not_retire(trace::Isa isa, const trace::Code& code, unsigned slot) {
  switch (isa) {
    case trace::Isa::alpha:
      return trace::alpha::classify(code).nop;
    case trace::Isa::ppc:
      return trace::ppc::classify(code).branch != trace::ppc::BranchKind::none;
    case trace::Isa::ia64:
      return trace::ia64::decode(code).slots.at(slot).kind == trace::ia64::Kind::break_;
    case trace::Isa::i386:
      break;
  }
  return false;
}

/// The number of executions of each instruction in the trace, by address and slot, without slots that are not reached.
std::map<std::string, std::uint64_t> executed(const std::string& name) {
  std::map<std::string, std::uint64_t> counts;
  const auto reader = trace::open(recorded(name));
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    const trace::Code& code = *item.instruction.code;
    const trace::Isa isa = reader->info().isa;
    const std::uint64_t pc = code.pc;
    if (isa != trace::Isa::ia64) {
      if (!may_not_retire(isa, code, 0)) ++counts[std::to_string(pc)];
      continue;
    }
    for (unsigned slot = 0; slot < 3; ++slot) {
      if (item.instruction.mask.at(slot) != '-' && !may_not_retire(isa, code, slot))
        ++counts[std::to_string(pc) + '.' + std::to_string(slot)];
    }
  }
  return counts;
}

/// The value that `of` extracts from each row, by address and slot.
std::map<std::string, std::uint64_t> by_place(const Json& report, const std::function<std::uint64_t(const Json&)>& of) {
  std::map<std::string, std::uint64_t> counts;
  for (const Json& row : report.at("rows")) {
    if (row.at("ip").is_null() || of(row) == 0) continue;
    std::string place = std::to_string(std::stoull(row.at("ip").get<std::string>(), nullptr, 16));
    if (!row.at("slot").is_null()) place += '.' + std::to_string(row.at("slot").get<unsigned>());
    counts[place] += of(row);
  }
  return counts;
}

// The trace gives the number of executions of each instruction; report must show the same by retirements and by the
// counter.
TEST(ReportExact, AsTheTraceHasIt) {
  const struct {
    std::string target, trace, event;
  } cases[] = {{"athlon", "i386-recursion-O2", "RETIRED_INSTRUCTIONS"},
               {"itanium2", "ia64-recursion-O2", "IA64_INST_RETIRED"},
               {"alpha-ev67", "alpha-recursion-O2", ""},
               {"alpha-ev5", "alpha-recursion-O2", ""},
               {"ppc750gx", "ppc-multiple", ""}};
  for (const auto& one : cases) {
    const auto expected = executed(one.trace);
    ASSERT_GT(expected.size(), 50u);
    const auto as_expected = [&](std::map<std::string, std::uint64_t> counts) {
      std::erase_if(counts, [&](const auto& entry) { return !expected.contains(entry.first); });
      return counts;
    };
    const Json report =
        json_of(pmusim("report -t " + one.target + (one.event.empty() ? "" : " -e " + one.event) + " --trace " +
                       as_word(recorded(one.trace)) + " --by instruction --top 1000000 --format json"));
    EXPECT_EQ(
        as_expected(by_place(report, [](const Json& row) { return row.at("instructions").get<std::uint64_t>(); })),
        expected)
        << one.target;
    if (one.event.empty()) continue;
    EXPECT_EQ(by_place(report, [](const Json& row) { return row.at("events").at(0).at("exact").get<std::uint64_t>(); }),
              expected)
        << one.target;
  }
}

// Samples must equal those of record, by address, with the events that they stand for.
TEST(ReportSamples, AsRecordTakesThem) {
  for (const std::string options :
       {"-t athlon -e RETIRED_INSTRUCTIONS --period 97 --trace i386-units",
        "-t ppc750gx -e PROCESSOR_CYCLES --period 331 --trace ppc-units",
        "-t alpha-ev6 -e PF6_MUX0_RET_INSTRUCTIONS --period 1000 --no-randomize --trace alpha-units",
        "-t itanium2 -e CPU_CYCLES --period 701 --seed 5 --trace ia64-pipelined"}) {
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> expected;
    for (const auto& sample : rows_of(pmusim("record " + options + " --format json"))) {
      auto& [count, events] = expected[std::to_string(std::stoull(sample.at("ip").get<std::string>(), nullptr, 16))];
      ++count;
      events += sample.at("period").get<std::uint64_t>();
    }
    ASSERT_GT(expected.size(), 5u) << options;
    const Json report = json_of(pmusim("report " + options + " --by instruction --top 1000000 --format json"));
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> found;
    for (const Json& row : report.at("rows")) {
      const Json& event = row.at("events").at(0);
      if (event.at("samples") == 0) continue;
      auto& [count, events] = found[std::to_string(std::stoull(row.at("ip").get<std::string>(), nullptr, 16))];
      count += event.at("samples").get<std::uint64_t>();
      events += event.at("estimated").get<std::uint64_t>();
    }
    EXPECT_EQ(found, expected) << options;
  }
}

// 64 no-ops in two functions: known counts and names, and the listing of one of the functions.
TEST(Annotate, KnownProgram) {
  write_file("nops.txt", nops(64));
  const Json first = json_of(pmusim("trace dump nops.txt --isa i386 --range 0:1 --format json"));
  const unsigned long long begin = std::stoull(first.at("pc").get<std::string>(), nullptr, 16);
  char table[200];
  std::snprintf(table, sizeof table, "%08llx 0000000a T first\n%08llx 00000036 T second\n", begin, begin + 10);
  write_file("nops.nm", table);
  const std::string options = " -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --symbols nops.nm";
  const Json report = json_of(pmusim("report" + options + " --format json"));
  EXPECT_EQ(report.at("by"), "function");
  ASSERT_GE(report.at("rows").size(), 2u);
  EXPECT_EQ(report.at("rows")[0].at("function"), "second");
  EXPECT_EQ(report.at("rows")[0].at("instructions"), 54);
  EXPECT_EQ(report.at("rows")[0].at("events")[0].at("exact"), 54);
  EXPECT_EQ(report.at("rows")[1].at("function"), "first");
  EXPECT_EQ(report.at("rows")[1].at("events")[0].at("exact"), 10);
  const Json listing = json_of(pmusim("annotate" + options + " --format json first"));
  ASSERT_EQ(listing.at("functions").size(), 1u);
  ASSERT_EQ(listing.at("functions")[0].at("rows").size(), 10u);
  EXPECT_EQ(listing.at("functions")[0].at("rows")[3].at("instruction"), "nop");
  EXPECT_EQ(listing.at("functions")[0].at("rows")[3].at("events")[0].at("exact"), 1);
  const Outcome text = pmusim("annotate" + options + " second");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("\nsecond: hottest at 0x1000a\n"));
  EXPECT_THAT(pmusim("annotate" + options + " secund").err, HasSubstr("did you mean 'second'?"));
}

}  // namespace
}  // namespace pmusim::cli_test
