// `pmusim events -t TARGET NAME` prints a page; --choose lists the events that can still be added.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "command.h"
#include "testbench/tests/patterns.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

nlohmann::json page(const std::string& arguments) {
  return json_of(pmusim("events -t " + arguments + " --format json"));
}

/// Returns the reason why `name` is refused as a partner, or an empty text.
std::string refusal(const nlohmann::json& refused, const std::string& name) {
  for (const auto& one : refused) {
    if (one.at("event") == name) return one.at("why");
  }
  return "";
}

TEST(EventPage, AnExactNameIsAPage) {
  const auto athlon = page("athlon data_cache_refills");  // DATA_CACHE_REFILLS_FROM_SYSTEM contains it, too
  EXPECT_EQ(athlon.at("event"), "DATA_CACHE_REFILLS");
  EXPECT_EQ(athlon.at("inputs"), nlohmann::json::parse(R"(["line_fill"])"));
  EXPECT_EQ(athlon.at("unit_masks").size(), 6u);
  EXPECT_TRUE(athlon.at("partners").at("refused").empty());
  const std::string text = pmusim("events -t athlon DATA_CACHE_MISSES").out;
  EXPECT_THAT(text, HasSubstr("data cache misses per access: DATA_CACHE_MISSES / DATA_CACHE_ACCESSES"));
  EXPECT_THAT(text, HasSubstr("it counts on every counter"));
  EXPECT_EQ(lines_of(pmusim("events -t athlon REFILLS --format json").out).size(), 4u);
}

// Codes of AMD 22007 p. 164 and of tables 11-2 to 11-5 of the 750GX manual, where a code means another event on another
// counter.
TEST(EventPage, ACodeFindsItsEvents) {
  const auto names = [](const std::string& arguments) {
    std::vector<std::string> found;
    for (const auto& row : rows_of(pmusim("events -t " + arguments + " --format json")))
      found.push_back(row.at("event"));
    return found;
  };
  EXPECT_THAT(names("athlon 0x41"), ElementsAre("DATA_CACHE_MISSES"));
  EXPECT_THAT(names("athlon 0X041"), ElementsAre("DATA_CACHE_MISSES"));
  EXPECT_THAT(names("ppc750gx 0x6"),
              ElementsAre("ITLB_TABLE_SEARCH_CYCLES", "ITLB_MISSES", "DTLB_MISSES", "DTLB_TABLE_SEARCH_CYCLES"));
  EXPECT_EQ(pmusim("events -t athlon 0x4x").code, 2);
}

// Only PMC3 counts both events; sets of L1D events exclude each other; siblings have the same code and other unit
// masks.
TEST(EventPage, ConstraintsAndPartners) {
  const auto ppc = page("ppc750gx L1_DCACHE_MISSES");
  EXPECT_THAT(ppc.at("constraints"), Contains("it counts on counter 2 only"));
  EXPECT_THAT(refusal(ppc.at("partners").at("refused"), "DTLB_MISSES"), HasSubstr("PMC3"));
  EXPECT_EQ(refusal(ppc.at("partners").at("refused"), "PROCESSOR_CYCLES"), "");
  const auto set0 = page("itanium2 L1D_READS_SET0");
  EXPECT_THAT(refusal(set0.at("partners").at("refused"), "L1D_READS_SET1"), HasSubstr("one can be counted at a time"));
  const auto bubble = page("itanium2 BACK_END_BUBBLE_ALL");
  EXPECT_EQ(bubble.at("siblings").size(), 2u);
  EXPECT_EQ(bubble.at("inputs"), nlohmann::json::parse(R"(["back_end"])"));
}

TEST(EventPage, Choose) {
  const auto one = json_of(pmusim("events -t ppc750gx --choose L1_DCACHE_MISSES --format json"));
  EXPECT_EQ(one.at("chosen")[0].at("counter"), "PMC3");
  EXPECT_THAT(refusal(one.at("refused"), "DTLB_MISSES"), HasSubstr("PMC3"));
  const auto full = json_of(pmusim(
      "events -t ppc750gx --choose PROCESSOR_CYCLES PROCESSOR_CYCLES PROCESSOR_CYCLES PROCESSOR_CYCLES --format json"));
  EXPECT_TRUE(full.at("legal").empty());
  EXPECT_THAT(pmusim("events -t ppc750gx --choose L1_DCACHE_MISSES").out, HasSubstr("events can be added:"));
  const Outcome never = pmusim("events -t ppc750gx --choose L1_DCACHE_MISSES DTLB_MISSES");
  EXPECT_EQ(never.code, 2);
  EXPECT_THAT(never.err, HasSubstr("PMC3"));
  EXPECT_THAT(pmusim("events --choose L1_DCACHE_MISSES").err, HasSubstr("--target is missing"));
}

// Both events of every ratio can be counted in one run, and the page of each event names the ratio.
TEST(EventPage, Ratios) {
  const char* const targets[] = {"athlon",    "ppc750gx",  "ppc750gl",    "itanium2",  "montecito",
                                 "alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"};
  for (const std::string target : targets) {
    const auto ratios = rows_of(pmusim("events --ratios -t " + target + " --format json"));
    EXPECT_GT(ratios.size(), 1u) << target;
    for (const auto& ratio : ratios) {
      const std::string over = ratio.at("over"), under = ratio.at("under");
      EXPECT_EQ(pmusim("encode -t " + target + " -e " + over + " -e " + under).code, 0) << target << ' ' << over;
    }
  }
}

/// A ratio that a page or `events --ratios` recommends.
struct Recommended {
  std::string target, over, under, meaning;
};

const std::pair<std::string, unsigned> targets_and_widths[] = {
    // Instructions that retire or issue in a cycle at most (their core pages).
    {"athlon", 3},    {"ppc750gx", 3},    {"itanium2", 6},   {"montecito", 6},  {"alpha-ev4", 2},
    {"alpha-ev5", 4}, {"alpha-pca56", 4}, {"alpha-ev6", 11}, {"alpha-ev67", 11}};

std::vector<Recommended> recommended() {
  std::vector<Recommended> all;
  for (const auto& [target, width] : targets_and_widths) {
    for (const auto& ratio : rows_of(pmusim("events --ratios -t " + target + " --format json"))) {
      all.push_back({target, ratio.at("over"), ratio.at("under"), ratio.at("name")});
    }
  }
  const Pattern pair("`([A-Z0-9_]+)` / `([A-Z0-9_]+)`");
  for (const std::string& row : lines_of(read_file(std::string(PMUSIM_SOURCE_DIR) + "/docs/which-event.md"))) {
    for (const Match& found : pair.all_in(row)) {
      std::size_t of = 0;
      for (const auto& [target, width] : targets_and_widths) {
        const std::string over = found[1], under = found[2];
        if (pmusim("encode -t " + target + " -e " + over).code != 0) continue;
        if (pmusim("encode -t " + target + " -e " + under).code != 0) continue;
        all.push_back({target, over, under, row.substr(0, row.find('?'))});
        ++of;
      }
      EXPECT_GT(of, 0u) << row;
    }
  }
  return all;
}

// Each lies in the interval that its words allow: a part is at most the whole, instructions per cycle at most those of
// a cycle.
TEST(EventPage, RecommendedRatiosAreLegal) {
  const std::vector<Recommended> all = recommended();
  for (const auto& [target, width] : targets_and_widths) {
    const std::string isa = target == "athlon"     ? "i386"
                            : target == "ppc750gx" ? "ppc"
                            : target[0] == 'a'     ? "alpha"
                                                   : "ia64";
    std::string events;
    for (const Recommended& one : all)
      if (one.target == target) events += " -e " + one.over + " -e " + one.under;
    std::size_t traces = 0;
    for (const std::string program : {"recursion-O2", "matmul-int", "strhash", "matmul-O2", "strhash-O2"}) {
      const std::string trace = isa + '-' + program;
      if (!std::filesystem::exists(recorded(trace)) || ++traces > 3) continue;
      const auto run =
          json_of(pmusim("run --passes --format json -t " + target + " --trace '" + recorded(trace) + "'" + events));
      std::map<std::string, double> counts;
      for (const auto& count : run.at("counts")) {
        const std::string event = count.at("event");
        const std::string name = event.substr(event.find("::") + 2);
        counts[name.substr(0, name.find(':'))] =
            count.at("value").get<double>() / (count.value("unit", "1") == "1/2" ? 2 : 1);
      }
      for (const Recommended& one : all) {
        if (one.target != target || counts.at(one.under) == 0) continue;
        const double ratio = counts.at(one.over) / counts.at(one.under);
        const bool cycles = one.meaning.starts_with("cycles per"),
                   operations = one.meaning.starts_with("operations per");
        const double least = cycles ? 1.0 / width : operations ? 1 : 0;
        const double most = one.meaning.find("instructions per cycle") != std::string::npos ? width : 1;
        EXPECT_GE(ratio, least) << target << ' ' << trace << ' ' << one.meaning << ": " << one.over << " / "
                                << one.under;
        if (!cycles && !operations) {
          EXPECT_LE(ratio, most) << target << ' ' << trace << ' ' << one.meaning << ": " << one.over << " / "
                                 << one.under;
        }
      }
    }
  }
}

// The event tables and events in the forms of perf and of libpfm4.

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
}

// arch/alpha/kernel/perf_event.c: 1 cycles, 2 instructions, 3 Bcache misses, 4 replay traps.
TEST(EncodeForPerf, OnThe21264A) {
  const auto ev67 = json_of(pmusim("encode -t alpha-ev67 --perf --format json -e retinst,bcachemisses")).at("perf");
  EXPECT_EQ(ev67[0].at("raw"), "r2");
  EXPECT_EQ(ev67[1].at("raw"), "r3");
}

}  // namespace

}  // namespace pmusim::cli_test
