// The event tables and events in the forms of perf and of libpfm4.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

nlohmann::json perf_events(const std::string& target) {
  return json_of(pmusim("events --format perf-json -t " + target));
}

nlohmann::json named(const nlohmann::json& events, const std::string& name) {
  for (const auto& event : events) {
    if (event.at("EventName") == name) return event;
  }
  ADD_FAILURE() << name;
  return {};
}

// AMD's publication 22007, table 11: 43h refills from the system, unit mask 08h of 42h the owned state; all counters.
TEST(PerfJson, HasTheKeysOfPmuEvents) {
  const auto events = perf_events("athlon");
  const auto owned = named(events, "DATA_CACHE_REFILLS.L2_OWNED");
  EXPECT_EQ(owned.at("EventCode"), "0x42");
  EXPECT_EQ(owned.at("UMask"), "0x08");
  EXPECT_EQ(owned.at("Counter"), "0,1,2,3");
  EXPECT_NE(owned.at("BriefDescription"), "");
  EXPECT_EQ(named(events, "RETIRED_INSTRUCTIONS").at("EventCode"), "0xc0");
  EXPECT_FALSE(named(events, "RETIRED_INSTRUCTIONS").contains("UMask"));
}

// jevents.py of Linux reads these keys; it needs names that are not used twice.
TEST(PerfJson, NamesEachEventOnceOnEveryTarget) {
  for (const char* target : {"athlon", "ppc750gx", "itanium2", "montecito", "alpha-ev4", "alpha-ev5", "alpha-ev67"}) {
    std::set<std::string> names;
    const auto events = perf_events(target);
    for (const auto& event : events) {
      EXPECT_TRUE(names.insert(event.at("EventName")).second) << target << event.at("EventName");
      EXPECT_THAT(event.at("EventCode").get<std::string>(), testing::MatchesRegex("0x[0-9a-f]+"));
    }
    EXPECT_GE(names.size(), lines_of(pmusim("events --format json -t " + std::string(target)).out).size()) << target;
  }
  // Page 240 of the 750GX user manual: on PMC1 the code of processor cycles is 1, as on the others.
  EXPECT_EQ(named(perf_events("ppc750gx"), "PROCESSOR_CYCLES").at("Counter"), "0,1,2,3");
}

TEST(PerfJson, WrongUseIsOneLine) {
  EXPECT_EQ(pmusim("events --format perf-json").err,
            "pmusim: --format perf-json is for one target; add -t, as in -t athlon\n");
  EXPECT_EQ(pmusim("events -t athlon --ratios --format showevtinfo").code, 2);
  EXPECT_EQ(pmusim("events -t athlon --format xml").err,
            "pmusim: --format cannot be 'xml'; legal: text, json, csv, perf-json, showevtinfo\n");
  EXPECT_EQ(pmusim("encode -t athlon -e RETIRED_UOPS --format perf-json").code, 2);
}

/// Lines `Code` and `Umask` by event, of the output of a showevtinfo.
std::map<std::string, std::set<std::string>> listed(const std::string& text) {
  std::map<std::string, std::set<std::string>> events;
  std::string name;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("Name     : ")) name = line.substr(11);
    if (line.starts_with("Code     : ")) events[name].insert(line);
    // Umask-00 : 0x01 : PMU : [MASK] : the order is the library's
    if (line.starts_with("Umask-")) events[name].insert(line.substr(11, line.find(']') - 10));
    if (line.starts_with("Modif-")) events[name].insert(line.substr(18, line.find(']') - 17));
  }
  return events;
}

/// The keys at the beginning of the lines of one event.
std::vector<std::string> form(const std::string& text) {
  std::vector<std::string> keys;
  for (const std::string& line : lines_of(text))
    keys.push_back(line.substr(0, std::min(line.find(':'), line.find('-'))));
  return keys;
}

// libpfm4's own program, built from Debian's copy, prints the same for every event that both know.
TEST(Showevtinfo, IsWhatLibpfm4Prints) {
  const std::string source = "/usr/share/doc/libpfm4-dev/examples/showevtinfo.c";
  if (!available(read_file(source) != "", "libpfm4-dev's showevtinfo.c") || !have_tools({"gcc"}))
    GTEST_SKIP() << "needs gcc and libpfm4-dev";
  ASSERT_EQ(shell("mkdir -p include/perfmon && echo '#include <err.h>' > include/perfmon/err.h && gcc -Iinclude " +
                  source + " -o showevtinfo -lpfm")
                .code,
            0);
  const std::string theirs = shell("./showevtinfo 'amd64_k7::.*' | sed '1,/^#---/{/^#---/!d}'").out;
  const std::string ours = pmusim("events -t athlon --format showevtinfo").out;
  const auto theirs_by_name = listed(theirs), ours_by_name = listed(ours);
  ASSERT_EQ(theirs_by_name.size(), 24u);
  for (const auto& [name, lines] : theirs_by_name) {
    ASSERT_TRUE(ours_by_name.contains(name)) << name;
    for (const std::string& line : lines)
      EXPECT_TRUE(ours_by_name.at(name).contains(line)) << name << ": " << line << "\n"
                                                        << pmusim("events -t athlon --format showevtinfo " + name).out;
  }
  const auto first = [](const std::string& text, const std::string& name) {
    const std::size_t at = text.find("Name     : " + name + "\n");
    return text.substr(text.rfind("#---", at), text.find("Modif-", at) - text.rfind("#---", at));
  };
  EXPECT_EQ(form(first(ours, "CPU_CLK_UNHALTED")), form(first(theirs, "CPU_CLK_UNHALTED")));
}

// AMD's fields of Linux' cpu PMU; levels are modifiers. 0x41: data cache misses.
TEST(EncodeForPerf, OnTheAthlon) {
  const auto perf = [](const std::string& event) {
    return json_of(pmusim("encode -t athlon --perf --format json -e " + event)).at("perf");
  };
  EXPECT_EQ(perf("DATA_CACHE_MISSES")[0].at("event"), "cpu/event=0x41,umask=0x00/");
  EXPECT_EQ(perf("DATA_CACHE_MISSES")[0].at("raw"), "r41");
  EXPECT_EQ(perf("DATA_CACHE_REFILLS:L2_OWNED:u:c=2:i=1:e=1")[0].at("event"),
            "cpu/event=0x42,umask=0x08,edge=1,inv=1,cmask=0x02/u");
  EXPECT_EQ(perf("DATA_CACHE_REFILLS:L2_OWNED:u:c=2:i=1:e=1")[0].at("raw"), "r2840842:u");
  EXPECT_EQ(perf("RETIRED_INSTRUCTIONS:k,RETIRED_UOPS")[1].at("raw"), "rc1");
  EXPECT_THAT(pmusim("encode -t athlon --perf -e DATA_CACHE_MISSES:u").out,
              HasSubstr("perf stat -e cpu/event=0x41,umask=0x00/u    or r41:u\n"));
  // What perf is given back is the same event.
  EXPECT_EQ(pmusim("encode -t athlon -e cpu/event=0x42,umask=0x08/").out,
            pmusim("encode -t athlon -e DATA_CACHE_REFILLS:L2_OWNED").out);
  EXPECT_EQ(pmusim("encode -t athlon --perf -e DATA_CACHE_MISSES:u=0:k=0").code, 2);
}

// arch/alpha/kernel/perf_event.c: 1 cycles, 2 instructions, 3 Bcache misses, 4 replay traps.
TEST(EncodeForPerf, ElsewhereOrRefused) {
  const auto ev67 = json_of(pmusim("encode -t alpha-ev67 --perf --format json -e retinst,bcachemisses")).at("perf");
  EXPECT_EQ(ev67[0].at("raw"), "r2");
  EXPECT_EQ(ev67[1].at("raw"), "r3");
  const std::map<std::string, std::string> refused = {{"ppc750gx -e PROCESSOR_CYCLES", "no driver for the 750"},
                                                      {"itanium2 -e CPU_CYCLES", "perfmon"},
                                                      {"montecito -e CPU_OP_CYCLES_ALL", "perfmon"},
                                                      {"alpha-ev6 -e PF6_MUX1_CYCLES", "begins with the 21264A"}};
  for (const auto& [request, why] : refused) {
    const Outcome outcome = pmusim("encode --perf -t " + request);
    EXPECT_EQ(outcome.code, 2) << request;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(why));
  }
}

}  // namespace
}  // namespace pmusim::cli_test
