// Montecito on the command line: two threads, execution trace buffer, IP-EAR, kinds of fetches, all registers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// The loop runs on thread 0, the NOPs on thread 1.
const std::string both = "-t montecito --trace loop.txt --trace nops.txt ";
constexpr unsigned rounds = 10, bundles = 25, per_bundle = 3;

void write_traces() {
  write_file("loop.txt", ia64_loop(rounds));
  write_file("nops.txt", ia64_nops(bundles));
}

json held(const json& registers, const std::string& name) {
  for (const json& reg : registers)
    if (reg.at("name") == name) return reg.at("value");
  return nullptr;
}

TEST(Montecito, CountsForEachThread) {
  write_traces();
  const json object = json_of(pmusim("run " + both +
                                     "--format json --registers -e IA64_INST_RETIRED -e ETB_EVENT "
                                     "-e IA64_INST_RETIRED:all"));
  EXPECT_EQ(object.at("traces"), json({"loop.txt", "nops.txt"}));
  EXPECT_FALSE(object.contains("trace"));
  EXPECT_EQ(object.at("instructions"), 2 * rounds + bundles);
  const unsigned first = 2 * rounds * per_bundle, second = bundles * per_bundle;
  const unsigned expected[2][3] = {{first, rounds, first + second}, {second, 0, first + second}};
  ASSERT_EQ(object.at("counts").size(), 6u);
  for (unsigned thread = 0; thread < 2; ++thread) {
    for (unsigned i = 0; i < 3; ++i) {
      const json& count = object.at("counts").at(3 * thread + i);
      EXPECT_EQ(count.at("thread"), thread);
      EXPECT_EQ(count.at("value"), expected[thread][i]) << count.at("event");
      const json registers = object.at("threads").at(thread).at("registers");
      const std::string value = held(registers, count.at("counter").get<std::string>());
      EXPECT_EQ(std::stoull(value, nullptr, 16), expected[thread][i]);
    }
    EXPECT_EQ(object.at("threads").at(thread).at("instructions"), thread == 0 ? 2 * rounds : bundles);
  }
  const std::string text = pmusim("run " + both + "-e IA64_INST_RETIRED").out;
  EXPECT_THAT(text, HasSubstr("loop.txt and nops.txt on montecito: 45 bundles, "));
  EXPECT_THAT(text, HasSubstr("\n     0     60  montecito::IA64_INST_RETIRED"));
  EXPECT_THAT(text, HasSubstr("\n     1     75  montecito::IA64_INST_RETIRED"));
  EXPECT_THAT(text, HasSubstr("\nthread 1: nops.txt, 25 bundles\n"));
  EXPECT_THAT(pmusim("run " + both + "--format csv -e ETB_EVENT").out,
              HasSubstr("thread,value,event,counter\n0,10,montecito::ETB_EVENT"));
}

TEST(Montecito, OneTraceIsAsOnOtherTargets) {
  write_traces();
  const json object = json_of(pmusim("run -t montecito --trace loop.txt --format json --registers -e ETB_EVENT"));
  EXPECT_EQ(object.at("trace"), "loop.txt");
  EXPECT_EQ(object.at("counts").at(0).at("value"), rounds);
  EXPECT_FALSE(object.at("counts").at(0).contains("thread"));
  EXPECT_EQ(held(object.at("registers"), "PMD4"), "0x000000000000000a");
  EXPECT_FALSE(object.contains("threads"));
}

TEST(Montecito, PassesKeepTheThreadsApart) {
  write_traces();
  std::string events;
  for (unsigned i = 0; i < 13; ++i) events += " -e ETB_EVENT";
  const json object = json_of(pmusim("run " + both + "--passes --format json" + events));
  EXPECT_EQ(object.at("passes"), 2);
  ASSERT_EQ(object.at("counts").size(), 26u);
  for (const json& count : object.at("counts")) EXPECT_EQ(count.at("value"), count.at("thread") == 0 ? rounds : 0u);
  for (const json& pass : object.at("by_pass")) EXPECT_EQ(pass.at("threads").size(), 2u);
}

TEST(Montecito, AccessesNameTheThread) {
  write_traces();
  std::string text = ia64_nops(bundles);
  text.insert(text.rfind('\n'), " rd=PMD4");
  write_file("reads.txt", text);
  const std::string run = "run -t montecito --trace loop.txt --trace reads.txt -e IA64_INST_RETIRED";
  const json accesses = json_of(pmusim(run + " --format json")).at("accesses");
  ASSERT_EQ(accesses.size(), 1u);
  EXPECT_EQ(accesses[0].at("thread"), 1);
  EXPECT_EQ(accesses[0].at("value"), fmt::format("0x{:016x}", (bundles - 1) * per_bundle));
  EXPECT_THAT(pmusim(run).out, HasSubstr("thread 1, cycle "));
}

// A loop of two bundles: the path between two backward branches is in the loop and ends at the branch.
TEST(Montecito, PathOfTheTraceBuffer) {
  write_traces();
  const std::string run = "run -t montecito --trace loop.txt -e ETB_EVENT ";
  const json all = json_of(pmusim(run + "--format json"));
  EXPECT_EQ(all.at("counts").at(0).at("value"), rounds);
  const json taken = json_of(pmusim(run + "--format json --etb tm=taken --path"));
  EXPECT_EQ(taken.at("counts").at(0).at("value"), rounds - 1);
  ASSERT_GE(taken.at("branches").size(), 8u) << "16 entries, each a branch or a target";
  ASSERT_EQ(taken.at("path").size(), taken.at("branches").size() - 1);
  for (std::size_t i = 0; i < taken.at("path").size(); ++i) {
    const json& stretch = taken.at("path").at(i);
    EXPECT_EQ(stretch.at("last"), "0x4000000000000410");
    if (taken.at("branches").at(i).contains("target")) {
      EXPECT_EQ(stretch.at("first"), "0x4000000000000400");
    }
  }
  EXPECT_THAT(pmusim(run + "--etb tm=taken --path").out, HasSubstr("ran: 0x40000000000004"));
  EXPECT_FALSE(taken.contains("retired"));
}

// Every bundle is a separate group: the last 16 retired one after the other.
TEST(Montecito, InstructionPointerEar) {
  write_traces();
  const std::string run = "run -t montecito --trace nops.txt -e CPU_OP_CYCLES_ALL --ipear delay=0";
  const json retired = json_of(pmusim(run + " --format json")).at("retired");
  ASSERT_EQ(retired.size(), 16u);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(retired[i].at("ip"), fmt::format("0x{:016x}", 0x4000000000000400 + 16 * (bundles - 16 + i)));
    EXPECT_EQ(retired[i].at("flushed"), false);
    EXPECT_TRUE(retired[i].contains("cycles"));
  }
  EXPECT_THAT(pmusim(run).out, HasSubstr("\nretired: 0x4000000000000580"));
}

TEST(Montecito, RecordsBothThreads) {
  write_file("first.txt", ia64_loop(400));
  write_file("second.txt", ia64_loop(300));
  const std::string record =
      "record -t montecito --trace first.txt --trace second.txt --set core.quantum=500 "
      "-e DATA_EAR_CACHE_LAT4 --period 3";
  unsigned samples[2] = {};
  std::uint64_t next = 0, cycle = 0;
  for (const auto& sample : rows_of(pmusim(record + " --format json"))) {
    ++samples[sample.at("thread").get<unsigned>()];
    EXPECT_EQ(sample.at("index"), next++);
    EXPECT_GE(sample.at("cycle"), cycle) << "in the order of time";
    cycle = sample.at("cycle");
    EXPECT_EQ(sample.at("data_ear").at("valid"), true);
    EXPECT_EQ(sample.at("data_ear").at("address"), sample.at("pmd32"));
    EXPECT_EQ(sample.at("data_ear").at("ip"), "0x4000000000000400");
  }
  EXPECT_GT(samples[0], 20u);
  EXPECT_GT(samples[1], 20u);
  const auto text = lines_of(pmusim(record).out);
  EXPECT_THAT(text.at(0), HasSubstr(": thread "));
  EXPECT_THAT(text.at(1), testing::StartsWith("              data: 0x"));
}

TEST(Montecito, NamesAndStacksAreOfTheThreadsOwnProgram) {
  write_file("first.txt", ia64_loop(200));
  write_file("second.txt", ia64_loop(200));
  write_file("first.nm", "4000000000000400 T first\n");
  write_file("second.nm", "4000000000000400 T second\n");
  const std::string record =
      "record -t montecito --trace first.txt --trace second.txt --symbols first.nm "
      "--symbols second.nm -e IA64_INST_RETIRED --period 50 ";
  const auto lines = lines_of(pmusim(record + "--folded").out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], testing::StartsWith("thread 0;first "));
  EXPECT_THAT(lines[1], testing::StartsWith("thread 1;second "));
  for (const std::string& line : lines_of(pmusim(record).out))
    EXPECT_THAT(line, HasSubstr(line.find("thread 0") != std::string::npos ? " first" : " second"));
  EXPECT_THAT(pmusim(record + "--symbols first.nm").err, HasSubstr("3 files for 2 traces"));
}

// libpfm 3.10's tables: L1D_READ_MISSES_ALL is code C7h, unit mask 0. Its set is L1 set 1 on the Itanium 2 and L1D set
// 1 on the Montecito, whose table holds twice the number. L2D_OPS_ISSUED_LFETCH has unit mask 4 and no set.
TEST(Montecito, EventsSayWhoseTheyAreUnitMaskSetAndWhatWasRead) {
  const auto row = [](const std::string& arguments) {
    return rows_of(pmusim("events --format json -t " + arguments)).at(0);
  };
  const json misses = row("montecito L1D_READ_MISSES_ALL"), older = row("itanium2 L1D_READ_MISSES_ALL");
  EXPECT_EQ(misses.at("unit_mask"), "0x0");
  EXPECT_EQ(misses.at("event_set"), "L1D set 1");
  EXPECT_EQ(older.at("event_set"), "L1 set 1");
  EXPECT_EQ(older.at("source"), "libpfm 3.10 event table of the Itanium 2");
  const json issued = row("montecito L2D_OPS_ISSUED_LFETCH");
  EXPECT_EQ(issued.at("unit_mask"), "0x4");
  EXPECT_FALSE(issued.contains("event_set"));
  EXPECT_EQ(issued.at("thread_type"), "floating");
  EXPECT_THAT(issued.at("filters").dump(), HasSubstr("opcode"));
  EXPECT_THAT(pmusim("events -t montecito L2D_OPS").out, HasSubstr("  floating    0x4\n    Operations"));
  EXPECT_THAT(pmusim("events -t itanium2 L2_OPS").out, testing::Not(HasSubstr("type")));
  EXPECT_THAT(pmusim("events -t itanium2 L1D_READ_MISSES").out, HasSubstr("    0x0  L1 set 1\n"));
  EXPECT_FALSE(row("athlon DATA_CACHE_MISSES").contains("unit_mask"));
  for (const char* target : {"itanium2", "montecito"}) {
    const std::string all = pmusim("events --format json -t " + std::string(target)).out;
    for (const char* unread : {"Intel", "251110", "308065"}) EXPECT_THAT(all, testing::Not(HasSubstr(unread)));
  }
}

TEST(Montecito, SignalsShowBothMonitors) {
  write_traces();
  const std::string run = "run " + both + "-e IA64_INST_RETIRED -e THREAD_SWITCH_EVENTS_ALL --format json --registers";
  EXPECT_EQ(json_of(pmusim(run + " --vcd both.vcd")), json_of(pmusim(run))) << "clock by clock and in blocks";
  const std::string waveform = read_file(scratch() + "/both.vcd");
  EXPECT_THAT(waveform, HasSubstr("$scope module pmu0"));
  EXPECT_THAT(waveform, HasSubstr("$scope module pmu1"));
}

TEST(Montecito, TimelineHasAProcessForEachThread) {
  write_traces();
  EXPECT_EQ(pmusim("run " + both + "-e ETB_EVENT --perfetto both.json").code, 0);
  unsigned slices[3] = {};
  bool switched = false;
  const json timeline = json::parse(read_file(scratch() + "/both.json"));
  for (const json& event : timeline.at("traceEvents")) {
    if (event.at("ph") == "X" && event.at("cat") == "instruction") {
      ++slices[event.at("pid").get<unsigned>()];
      EXPECT_LT(event.at("args").at("id"), 4 * (2 * rounds + bundles));
    }
    switched |=
        event.at("ph") == "C" && event.at("name") == "active hardware thread" && event.at("args").at("value") == 1;
  }
  EXPECT_EQ(slices[1], 2 * rounds * per_bundle);
  EXPECT_EQ(slices[2], bundles * per_bundle);
  EXPECT_TRUE(switched);
}

}  // namespace
}  // namespace pmusim::cli_test
