// `pmusim events -t TARGET NAME` prints a page; --choose lists the events that can still be added.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::Contains;
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

TEST(EventPage, EveryEventOfSomeTargetsHasInputs) {
  for (const std::string event :
       {"alpha-ev4 PF_DCACHE", "alpha-ev5 PF5_MUX0_ISSUES", "alpha-ev6 PF6_MUX0_RET_INSTRUCTIONS", "alpha-ev67 RETINST",
        "ppc750gx L1_LOAD_MISSES", "montecito LOADS_RETIRED"})
    EXPECT_FALSE(page(event).at("inputs").empty()) << event;
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
    std::size_t ratios = 0;
    for (const std::string& line : lines_of(pmusim("events --ratios -t " + target + " --format json").out)) {
      const auto ratio = nlohmann::json::parse(line);
      ++ratios;
      const std::string over = ratio.at("over"), under = ratio.at("under");
      EXPECT_EQ(pmusim("encode -t " + target + " -e " + over + " -e " + under).code, 0) << target << ' ' << over;
    }
    EXPECT_GT(ratios, 1u) << target;
  }
}

}  // namespace
}  // namespace pmusim::cli_test
