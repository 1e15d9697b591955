// `pmusim run`: the counts in every output format, by event names and by raw registers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

/// Returns the values of the counts of a run, in order.
std::vector<std::uint64_t> values(const Outcome& outcome) {
  std::vector<std::uint64_t> list;
  const nlohmann::json object = json_of(outcome);
  for (const auto& count : object.at("counts")) list.push_back(count.at("value"));
  return list;
}

std::set<std::string> keys(const nlohmann::json& object) {
  std::set<std::string> names;
  for (const auto& [key, value] : object.items()) names.insert(key);
  return names;
}

// 37 NOPs are 37 instructions in every format.
TEST(Run, ThreeFormsOneValue) {
  write_file("nops.txt", nops(37));
  const std::string run = "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS:u";
  const std::string event = "athlon::RETIRED_INSTRUCTIONS:k=0:u=1:e=0:i=0:c=0";
  const auto object = json_of(pmusim(run + " --format json"));
  EXPECT_EQ(keys(object), (std::set<std::string>{"target", "trace", "passes", "cycles", "first_instruction",
                                                 "instructions", "counts", "accesses"}));
  EXPECT_EQ(object.at("instructions"), 37);
  EXPECT_EQ(object.at("counts"),
            nlohmann::json::parse(R"([{"event":")" + event + R"(","counter":"PerfCtr0","value":37}])"));
  EXPECT_EQ(pmusim(run + " --format csv").out, "value,event,counter\n37," + event + ",PerfCtr0\n");
  EXPECT_THAT(pmusim(run).out,
              testing::ContainsRegex("nops.txt on athlon: 37 instructions(.|\n)*\n +37  " + event + " +PerfCtr0\n"));
}

// An instruction without a row in the core's tables is never silent: addpd is of SSE2, addps of SSE, which model 4
// lacks.
TEST(Run, NamesInstructionsWithoutARow) {
  std::string text = "! isa i386\n1000 660f58c1\n1004 0f58c1\n1007 0f58c1\n";
  for (unsigned i = 0; i < 7; ++i) text += fmt::format("{:x} 90\n", 0x100a + i);
  write_file("sse.txt", text);
  const std::string run = "run -t athlon --trace sse.txt -e RETIRED_INSTRUCTIONS";
  const auto object = json_of(pmusim(run + " --format json"));
  EXPECT_EQ(object.at("unknown_instructions"),
            nlohmann::json::parse(R"({"count": 1, "of": 10, "by_name": [{"instruction": "addpd", "count": 1}]})"));
  EXPECT_THAT(object.at("warnings").at(0).get<std::string>(), testing::StartsWith("10.0 % of the trace"));
  const auto model_4 = json_of(pmusim(run + " --set core.model=4 --format json"));
  EXPECT_EQ(model_4.at("unknown_instructions").at("count"), 3);
  EXPECT_EQ(model_4.at("unknown_instructions").at("faulting"), 2);
  const std::string shown = pmusim(run + " --set core.model=4").out;
  EXPECT_THAT(shown, testing::HasSubstr("warning: 30.0 % of the trace"));
  EXPECT_THAT(shown,
              testing::HasSubstr("3 of 10 instructions have no row in the core's tables (2 of them SSE, on which "
                                 "model 4 faults): addps 2, addpd 1"));
  // In a loop it counts each time: 90, addpd, 90, jmp -8.
  std::string loop = "! isa i386\n";
  for (unsigned turn = 0; turn < 40; ++turn)
    loop += fmt::format("1000 90\n1001 660f58c1\n1005 90\n1006 ebf8{}\n", turn == 39 ? "" : " T 1000");
  write_file("loop.txt", loop);
  const auto turns = json_of(pmusim("run -t athlon --trace loop.txt -e RETIRED_INSTRUCTIONS --format json"));
  EXPECT_EQ(turns.at("unknown_instructions"),
            nlohmann::json::parse(R"({"count": 40, "of": 160, "by_name": [{"instruction": "addpd", "count": 40}]})"));
  // One in a thousand is no warning, but is named.
  std::string rare = "! isa i386\n1000 660f58c1\n";
  for (unsigned i = 0; i < 999; ++i) rare += fmt::format("{:x} 90\n", 0x1004 + i);
  write_file("rare.txt", rare);
  const auto one = json_of(pmusim("run -t athlon --trace rare.txt -e RETIRED_INSTRUCTIONS --format json"));
  EXPECT_EQ(one.at("unknown_instructions").at("count"), 1);
  EXPECT_FALSE(one.contains("warnings"));
}

// Selector C0h, levels 0 and 3, enable: retired instructions. `encode` gives the same word.
TEST(Run, WritesShowTheirSelection) {
  write_file("nops.txt", nops(37));
  const auto object =
      json_of(pmusim("run -t athlon --trace nops.txt --write PerfCtr2=100 --write PerfEvtSel2=0x4300c0 --format json"));
  ASSERT_EQ(object.at("counts").size(), 1u);
  EXPECT_EQ(object["counts"][0].at("event"), "athlon::RETIRED_INSTRUCTIONS:k=1:u=1:e=0:i=0:c=0");
  EXPECT_EQ(object["counts"][0].at("counter"), "PerfCtr2");
  EXPECT_EQ(object["counts"][0].at("value"), 137);
  const auto encoded = json_of(pmusim("encode -t athlon -e RETIRED_INSTRUCTIONS --format json"));
  EXPECT_EQ(encoded.at("registers").at(0).at("value"), "0x00000000004300c0");
  EXPECT_EQ(keys(encoded["registers"][0]), (std::set<std::string>{"space", "number", "name", "value"}));
}

// The program's own accesses, each with the usual name of its register.
TEST(Run, AccessesOfTheProgram) {
  write_file("rdpmc.txt", "! isa i386\n10000 90\n10001 0f33 rd=PerfCtr0\n10003 90\n");
  const auto object = json_of(pmusim("run -t athlon --trace rdpmc.txt -e RETIRED_INSTRUCTIONS --format json"));
  ASSERT_EQ(object.at("accesses").size(), 1u);
  const auto& access = object["accesses"][0];
  EXPECT_EQ(keys(access), (std::set<std::string>{"cycle", "ip", "write", "space", "number", "name", "value", "fault"}));
  EXPECT_EQ(access.at("name"), "PerfCtr0");
  EXPECT_EQ(access.at("write"), false);
  EXPECT_EQ(access.at("ip"), "0x0000000000010001");
  EXPECT_THAT(pmusim("run -t athlon --trace rdpmc.txt -e RETIRED_INSTRUCTIONS").out,
              HasSubstr(": program reads PerfCtr0 " + access.at("value").get<std::string>()));
}

const std::vector<std::string> five = {"RETIRED_INSTRUCTIONS", "RETIRED_UOPS", "CPU_CLK_UNHALTED", "DATA_CACHE_MISSES",
                                       "DATA_CACHE_ACCESSES"};

TEST(Run, PassesCountAsSingleRunsDo) {
  const std::string run = "run -t athlon --format json --trace '" + recorded("i386-units") + "'";
  std::string all = run + " --passes";
  std::vector<std::uint64_t> single;
  for (const std::string& event : five) {
    all += " -e " + event;
    const auto one = values(pmusim(run + " -e " + event));
    ASSERT_EQ(one.size(), 1u);
    single.push_back(one[0]);
  }
  const Outcome together = pmusim(all);
  EXPECT_EQ(values(together), single);
  EXPECT_EQ(json_of(together).at("passes"), 2);
}

// A region begins and ends with a whole cycle, in which up to three (Athlon) or two (750GX) instructions retire.
TEST(Run, RegionsAddUpToTheWhole) {
  struct Subject {
    const char* target;
    const char* event;
    const char* trace;
    std::uint64_t slack;
  };
  for (const Subject& s : {Subject{"athlon", "RETIRED_INSTRUCTIONS", "i386-units", 2},
                           Subject{"ppc750gx", "INSTRUCTIONS_COMPLETED", "ppc-units", 1}}) {
    const std::string run =
        std::string("run -t ") + s.target + " --format json -e " + s.event + " --trace '" + recorded(s.trace) + "'";
    const auto counted = [&](const char* part) { return values(pmusim(run + part)).at(0); };
    const std::uint64_t middle = counted(" --roi 500:1100"), rest = counted(" --roi 1100:");
    EXPECT_EQ(counted(" --roi 0:500") + middle + rest, counted(""));
    // The event omits what its manual omits (folded branches); the region is measured in all instructions.
    const std::uint64_t instructions = json_of(pmusim(run + " --roi 500:1100")).at("instructions");
    EXPECT_GE(instructions + s.slack, 600u);
    EXPECT_LE(instructions, 600u + s.slack);
    EXPECT_EQ(counted(" --warmup 1100"), rest);
    EXPECT_EQ(counted(" --warmup 400 --roi 500:1100"), middle);
  }
}

// The instructions of a region, with bounds within and beside groups that retire together: the event counts exactly
// these, BEGIN and END are exceeded by less than the retire width, and the next region begins at the end of the last
// one.
TEST(Run, RegionsSayWhatTheyCounted) {
  const std::string run =
      "run -t athlon --format json -e RETIRED_INSTRUCTIONS --trace '" + recorded("i386-units") + "'";
  constexpr std::uint64_t width = 3;
  std::uint64_t end = 0;
  for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 500}, {500, 501}, {501, 1003}}) {
    const auto region = json_of(pmusim(run + " --roi " + std::to_string(from) + ":" + std::to_string(to)));
    const std::uint64_t first = region.at("first_instruction"), count = region.at("instructions");
    EXPECT_EQ(region["counts"][0].at("value"), count) << from;
    EXPECT_EQ(first, end) << from;
    EXPECT_GE(first, static_cast<std::uint64_t>(from));
    EXPECT_LT(first, from + width);
    EXPECT_GE(first + count, static_cast<std::uint64_t>(to));
    EXPECT_LT(first + count, to + width);
    end = first + count;
  }
}

TEST(Run, RegionsBesideTheTrace) {
  write_file("nops.txt", nops(37));
  const std::string run = "run -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS";
  EXPECT_THAT(pmusim(run + " --roi 0:50").out,
              HasSubstr(": 37 instructions (0:37 of the trace, which ends before 50)"));
  const auto rest = json_of(pmusim(run + " --roi 30: --format json"));
  EXPECT_EQ(rest.at("first_instruction").get<int>() + rest.at("instructions").get<int>(), 37);
  for (const char* beyond :
       {" --roi 37:", " --roi 37:50", " --roi 38:50", " --warmup 37", " --warmup 38", " --warmup 38 --roi 1:2"}) {
    const Outcome outcome = pmusim(run + beyond);
    EXPECT_EQ(outcome.code, 2) << beyond;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("the trace has 37")) << beyond;
  }
}

TEST(Record, SeedDecidesTheBytes) {
  const std::string record =
      "record -t athlon --trace '" + recorded("i386-units") + "' -e RETIRED_INSTRUCTIONS --period 97 --format json";
  const Outcome drawn = pmusim(record);
  EXPECT_EQ(drawn.out, pmusim(record + " --randomize --seed 1").out) << "periods are drawn unless they are constant";
  const Outcome constant = pmusim(record + " --no-randomize");
  EXPECT_NE(constant.out, drawn.out);
  for (const auto& sample : rows_of(constant)) EXPECT_EQ(sample.at("period"), 97);
  const Outcome first = pmusim(record + " --seed 5");
  EXPECT_GT(lines_of(first.out).size(), 5u);
  EXPECT_EQ(first.out, pmusim(record + " --seed 5").out);
  EXPECT_NE(first.out, pmusim(record + " --seed 6").out);
  const auto sample = rows_of(first).at(0);
  EXPECT_EQ(keys(sample), (std::set<std::string>{"index", "cycle", "requested", "ip", "thread", "event", "period"}));
}

TEST(Run, RecordAlsoWhenTheHandlerPerturbs) {
  // 50 more than ten periods, so that the tenth request still finds an instruction at which it is taken.
  write_file("nops.txt", nops(1050));
  const std::string record =
      "record -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --period 100 --no-randomize --format json";
  EXPECT_EQ(lines_of(pmusim(record).out).size(), 10u);
  const Outcome perturbed = pmusim(record + " --perturb --handler 50");
  EXPECT_EQ(perturbed.code, 0) << perturbed.err;
  EXPECT_GT(lines_of(perturbed.out).size(), 10u) << "the handler's instructions are counted too";
}

}  // namespace
}  // namespace pmusim::cli_test
