// `pmusim explain`: the same counts as `run`, steps with known numbers, and errors.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

/// The steps of a counter, by name.
std::map<std::string, std::uint64_t> steps(const nlohmann::json& counter) {
  std::map<std::string, std::uint64_t> all;
  for (const auto& step : counter.at("steps")) all[step.at("step")] = step.at("left");
  return all;
}

nlohmann::json explained(const std::string& arguments) {
  return json_of(pmusim("explain " + arguments + " --format json"));
}

// 37 NOPs at level 3: a request for level 3 counts them, a request for level 0 does not.
TEST(Explain, Steps) {
  write_file("nops.txt", nops(37));
  const auto user = explained("-t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS:u").at("counters").at(0);
  EXPECT_EQ(user.at("value"), 37);
  EXPECT_EQ(user.at("inputs").at(0), "retire");
  EXPECT_EQ(steps(user),
            (std::map<std::string, std::uint64_t>{
                {"signal", 37}, {"selected", 37}, {"clock", 37}, {"enabled", 37}, {"privilege", 37}, {"added", 37}}));
  EXPECT_EQ(user.at("instructions_in_all"), 37);
  EXPECT_EQ(user.at("instructions").size(), 10u);
  EXPECT_EQ(user.at("instructions")[0].at("instruction"), "nop");
  const auto kernel = explained("-t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS:k").at("counters").at(0);
  EXPECT_EQ(kernel.at("value"), 0);
  EXPECT_EQ(steps(kernel).at("enabled"), 37u);
  EXPECT_EQ(steps(kernel).at("privilege"), 0u);
  // With the bit for user mode set as well, the count would have been 37.
  bool found = false;
  for (const auto& neighbour : kernel.at("neighbours")) {
    if (neighbour.at("field") != "USR") continue;
    found = true;
    EXPECT_EQ(neighbour.at("counted"), 37);
    EXPECT_EQ(neighbour.at("event"), "athlon::RETIRED_INSTRUCTIONS:k=1:u=1:e=0:i=0:c=0");
  }
  EXPECT_TRUE(found);
}

// 20 bundles of NOPs on one hardware thread and 10 on the other. Counters belong to the first one; `all` counts both.
TEST(Explain, Threads) {
  write_file("first.txt", ia64_nops(20));
  write_file("second.txt", ia64_nops(10));
  for (const auto& [event, instructions] : {std::pair{"IA64_INST_RETIRED", 60u}, {"IA64_INST_RETIRED:all=1", 90u}}) {
    const auto left =
        steps(explained(std::string("-t montecito --no-neighbours --trace first.txt --trace second.txt -e ") + event)
                  .at("counters")
                  .at(0));
    EXPECT_EQ(left.at("selected"), 90u) << event;
    EXPECT_EQ(left.at("thread"), instructions) << event;
    EXPECT_EQ(left.at("added"), instructions) << event;
  }
}

// The branch buffer captures branches, the data event address register captures loads, and each capture is charged to
// its instruction.
TEST(Explain, CapturesAreChargedToInstructions) {
  for (const auto& [event, mnemonic] : {std::pair{"BRANCH_EVENT", "br"}, std::pair{"DATA_EAR_CACHE_LAT4", "ld"}}) {
    const auto counter = explained(std::string("-t itanium2 --no-neighbours --top 1000 --trace '") +
                                   recorded("ia64-quicksort-O2") + "' -e " + event)
                             .at("counters")
                             .at(0);
    EXPECT_GT(counter.at("value"), 0);
    EXPECT_EQ(counter.at("unnamed"), 0);
    std::uint64_t charged = 0;
    for (const auto& row : counter.at("instructions")) {
      charged += row.at("amount").get<std::uint64_t>();
      EXPECT_THAT(row.at("instruction").get<std::string>(), HasSubstr(mnemonic));
    }
    EXPECT_EQ(charged, counter.at("value"));
  }
}

// Under `awaited` a cycle of retirement also counts the cycles before it, and the last step says so.
TEST(Explain, CyclesThatAreAwaited) {
  EXPECT_THAT(pmusim("explain -t montecito --no-neighbours --trace '" + recorded("ia64-pipelined") +
                     "' -e CPU_OP_CYCLES_QUAL --set pmu.qualified_cycles=awaited")
                  .out,
              HasSubstr("added to PMD4: the cycles of retirement, and those since"));
}

// `explain` reports the counts of `run`, on every target, with presets and filters.
TEST(Explain, CountsAsRunDoes) {
  std::vector<std::string> requests{
      "-t athlon -e RETIRED_INSTRUCTIONS:c=2:e=1 -e CPU_CLK_UNHALTED:k --trace '" + recorded("i386-units") + "'",
      "-t athlon --write PerfCtr1=0xfffffffffff0 --write PerfEvtSel1=0x4300c0 --trace '" + recorded("i386-units") + "'",
      "-t ppc750gl -e L1_LOAD_MISSES:t=20 --trace '" + recorded("ppc-units") + "'",
      "-t itanium2 -e IA64_INST_RETIRED:t=3 --irange 0x4000000000000180-0x4000000000000200 --trace '" +
          recorded("ia64-pipelined") + "'"};
  for (Measured one : measured()) {
    if (one.traces.find(' ') != std::string::npos) continue;
    if (one.target.starts_with("alpha")) one.events = one.events.substr(0, one.events.find(','));  // not all at a time
    requests.push_back(one.options());
  }
  for (const std::string& request : requests) {
    const auto counts = json_of(pmusim("run " + request + " --format json")).at("counts");
    const auto counters = json_of(pmusim("explain " + request + " --no-neighbours --format json")).at("counters");
    ASSERT_EQ(counts.size(), counters.size()) << request;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const bool halves = counters[i].at("unit") == "1/2" && !counts[i].contains("unit");
      EXPECT_EQ(counts[i].at("value").get<std::uint64_t>(),
                counters[i].at("value").get<std::uint64_t>() / (halves ? 2 : 1))
          << request;
      EXPECT_EQ(counts[i].at("event"), counters[i].at("event"));
    }
  }
}

// The count of a neighbour equals that of a run with that register value.
TEST(Explain, NeighboursCountAsRunDoes) {
  const std::string trace = " --trace '" + recorded("ppc-units") + "'";
  const auto counter =
      explained("-t ppc750gx" + trace + " --write MMCR0=0x0 --write MMCR1=0x29400000").at("counters").at(0);
  ASSERT_EQ(counter.at("counter"), "PMC3");
  std::size_t compared = 0;
  for (const auto& n : counter.at("neighbours")) {
    if (n.at("register") != "MMCR1" || n.at("field") != "PMC3SELECT" || ++compared > 3) continue;
    const std::uint64_t mmcr1 = 0x01400000 | n.at("to").get<std::uint64_t>() << 27;
    const auto run = json_of(pmusim("run -t ppc750gx" + trace +
                                    " --write MMCR0=0 --write MMCR1=" + std::to_string(mmcr1) + " --format json"));
    EXPECT_EQ(run.at("counts")[0].at("value"), n.at("counted"));
  }
  EXPECT_GT(compared, 0u);
}

// In text, a field of a register has one row: the value that counts something and differs most, and the number of the
// others. JSON has all of them.
TEST(Explain, HasARowForEachField) {
  write_file("nops.txt", nops(37));
  const std::string request = "explain -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS:u --top 100";
  const auto counter = json_of(pmusim(request + " --format json")).at("counters")[0];
  std::map<std::string, unsigned> values;
  for (const auto& n : counter.at("neighbours")) ++values[n.at("field").get<std::string>()];
  ASSERT_GT(values.at("CNT_MASK"), 1u);
  std::map<std::string, unsigned> rows;
  const std::string text = pmusim(request).out;
  for (const std::string& line : lines_of(text.substr(text.find("counts with one field changed:")))) {
    std::istringstream words(line);
    std::string count, reg, field;
    if (!(words >> count >> reg >> field) || reg != "PerfEvtSel0") continue;
    ++rows[field];
    const std::string others = std::to_string(values[field] - 1) + " more: ";
    EXPECT_EQ(line.find(others) != std::string::npos, values[field] > 1) << line;
  }
  for (const auto& [field, n] : values) EXPECT_EQ(rows[field], 1u) << field << '\n' << text;
}

}  // namespace
}  // namespace pmusim::cli_test
