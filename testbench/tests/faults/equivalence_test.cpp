// Every rule: a pair that the manual makes equal, which must match that rule, and a similar pair that is not equal.
#include "testbench/faults/equivalence.h"

#include <gtest/gtest.h>

#include <sstream>

#include "models/targets.h"

namespace pmusim::testbench::faults {
namespace {

struct Values {
  std::uint64_t first, second;
};
struct Case {
  const char* target;
  const char* rule;  ///< empty: none
  Values original, mutant;
};

Registers registers_of(const Case& c, const Values& values) {
  if (std::string_view(c.target) == "athlon") {
    return {{"msr", 0, "PerfEvtSel0", 64, values.first}, {"msr", 1, "PerfEvtSel1", 64, values.second}};
  }
  return {{"spr", 952, "MMCR0", 32, values.first}, {"spr", 956, "MMCR1", 32, values.second}};
}

class Rules : public testing::TestWithParam<Case> {};

TEST_P(Rules, CallEqualWhatTheManualMakesEqual) {
  const Case& c = GetParam();
  const Registers reset = registers_of(c, {0, 0});
  const Rule* const rule =
      Equivalents(c.target, reset, registers_of(c, c.original)).rule_for(registers_of(c, c.mutant));
  if (std::string_view(c.rule).empty()) {
    EXPECT_EQ(rule, nullptr) << rule->name;
  } else {
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->name, c.rule);
  }
}

INSTANTIATE_TEST_SUITE_P(Athlon, Rules,
                         testing::Values(Case{"athlon", "reserved bit", {0x4300c0, 0}, {0x6300c0, 0}},
                                         Case{"athlon", "reserved bit", {0x4300c0, 0}, {0x80000000004300c0, 0}},
                                         Case{"athlon", "", {0x4300c0, 0}, {0x4300c1, 0}},
                                         Case{"athlon", "counter off", {0x4300c0, 0}, {0x4300c0, 0x1f42}},
                                         Case{"athlon", "counter off", {0x4300c0, 0}, {0x4300c0, 0x400000}},
                                         Case{"athlon", "", {0x4300c0, 0}, {0x4300c0, 0x4100c0}},
                                         Case{"athlon", "unit mask bit without an event", {0x4300c0, 0}, {0x4308c0, 0}},
                                         Case{"athlon", "unit mask bit without an event", {0x430142, 0}, {0x438142, 0}},
                                         Case{"athlon", "", {0x430142, 0}, {0x430342, 0}},
                                         Case{"athlon", "INV beside CNT_MASK 0", {0x4300c0, 0}, {0xc300c0, 0}},
                                         Case{"athlon", "", {0x14300c0, 0}, {0x1c300c0, 0}},
                                         Case{"athlon", "CNT_MASK 0 as 1", {0x4700c0, 0}, {0x14700c0, 0}},
                                         Case{"athlon", "CNT_MASK 0 as 1", {0x430076, 0}, {0x1430076, 0}},
                                         Case{"athlon", "", {0x4300c0, 0}, {0x14300c0, 0}},
                                         Case{"athlon", "CNT_MASK out of reach", {0x24300cd, 0}, {0x44300cd, 0}},
                                         Case{"athlon", "", {0x24300c0, 0}, {0x44300c0, 0}}));

INSTANTIATE_TEST_SUITE_P(PowerPc, Rules,
                         testing::Values(Case{"ppc750gx", "reserved bit", {0x40, 0}, {0x40, 1}},
                                         Case{"ppc750gx", "reserved code", {13 << 6, 0}, {14 << 6, 0}},
                                         Case{"ppc750gx", "", {12 << 6, 0}, {13 << 6, 0}},
                                         Case{"ppc750gx", "nothing counts", {0xe0000040, 0}, {0xe0000080, 0}},
                                         Case{"ppc750gx", "nothing counts", {0x80000000, 0}, {0, 0}},
                                         Case{"ppc750gx", "", {0x40, 0}, {0x80000040, 0}},
                                         Case{"ppc750gx", "no interrupt to control", {0x40, 0}, {0x4000040, 0}},
                                         Case{"ppc750gx", "no interrupt to control", {0x4000040, 0}, {0x6000040, 0}},
                                         Case{"ppc750gx", "", {0x4008040, 0}, {0x6008040, 0}},
                                         Case{"ppc750gx", "setting of an event not selected", {0x40, 0}, {0x10040, 0}},
                                         Case{"ppc750gx", "setting of an event not selected", {0x40, 0}, {0x800040, 0}},
                                         Case{"ppc750gx", "", {10 << 6, 0}, {0x10000 | 10 << 6, 0}},
                                         Case{"ppc750gx", "", {3 << 6, 0}, {0x800000 | 3 << 6, 0}}));

// The number of bits that Figure 11 of 22007E leaves white, and of bits of MMCR1 other than its two selectors.
TEST(ReservedBits, AreThoseOfTheManual) {
  EXPECT_EQ(reserved_bits("athlon", "PerfEvtSel3"), ~std::uint64_t{0xffdfffff});
  EXPECT_EQ(reserved_bits("ppc750gx", "MMCR0"), 0u);
  EXPECT_EQ(reserved_bits("ppc750gl", "MMCR1"), 0x3fffffu);
}

TEST(Rules, AreNamedAndCited) {
  for (const models::Target& target : models::targets()) {
    EXPECT_FALSE(rules_of(target.name).empty()) << target.name;
    for (const Rule& rule : rules_of(target.name)) {
      EXPECT_FALSE(rule.name.empty());
      EXPECT_FALSE(rule.source.empty()) << rule.name;
    }
  }
}

// A rule's assumption is a parameter of the model with its default value.
TEST(Rules, RestOnDefaults) {
  std::size_t choices = 0;
  for (const models::Target& target : models::targets()) {
    const models::Parameters defaults = target.parameters();
    for (const Rule& rule : rules_of(target.name)) {
      std::istringstream list{std::string(rule.choices)};
      for (std::string choice; list >> choice; ++choices) {
        if (choice.back() == ',') choice.pop_back();
        const std::size_t equals = choice.find('=');
        ASSERT_NE(equals, std::string::npos) << choice;
        const std::string name = choice.substr(0, equals);
        ASSERT_TRUE(defaults.has(name)) << target.name << ' ' << name;
        models::Parameters chosen = defaults;
        chosen.set(name, std::string_view(choice).substr(equals + 1));
        EXPECT_EQ(chosen.get(name), defaults.get(name)) << target.name << ' ' << choice;
      }
    }
  }
  EXPECT_GT(choices, 20u);
}

}  // namespace
}  // namespace pmusim::testbench::faults
