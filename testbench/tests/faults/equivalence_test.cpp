// Every rule but those of IA-64: a pair that the manual makes equal, which must match that rule, and a similar pair
// that is not equal.
#include "testbench/faults/equivalence.h"

#include <gtest/gtest.h>

#include <array>
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

class Rules : public ::testing::TestWithParam<Case> {};

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

INSTANTIATE_TEST_SUITE_P(
    Athlon, Rules,
    ::testing::Values(Case{"athlon", "reserved bit", {0x4300c0, 0}, {0x6300c0, 0}},
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

INSTANTIATE_TEST_SUITE_P(
    PowerPc, Rules,
    ::testing::Values(Case{"ppc750gx", "reserved bit", {0x40, 0}, {0x40, 1}},
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

// The rules of the Alphas: for each a pair of programmings that the manuals make equal, which must match that rule, and
// a similar pair that is not equal.
namespace pmusim::testbench::faults::alpha {
namespace {

constexpr std::uint64_t none = call_not_made;

/// Arguments of SELECT, OPTIONS, ENABLE and, on the 21164, FREQUENCY.
struct Calls {
  std::uint64_t select, options, enable, frequency = 0;
};
struct Case {
  const char* target;
  const char* rule;  ///< empty: none
  Calls original, mutant;
};

Registers registers_of(const Case& c, const Calls& calls, bool reset) {
  Registers registers;
  const auto add = [&](const char* name, std::uint64_t value) {
    if (reset) {
      registers.push_back({"wrperfmon", 0, name, 64, none});
    } else if (value != none) {
      registers.push_back({"wrperfmon", 0, name, 64, value});
    }
  };
  add("WRPERFMON_SELECT", calls.select);
  add("WRPERFMON_OPTIONS", calls.options);
  const std::string_view target = c.target;
  if (target == "alpha-ev5" || target == "alpha-pca56") add("WRPERFMON_FREQUENCY", calls.frequency);
  add("WRPERFMON_ENABLE", calls.enable);
  return registers;
}

class AlphaRules : public ::testing::TestWithParam<Case> {};

TEST_P(AlphaRules, CallEqualWhatTheManualsMakeEqual) {
  const Case& c = GetParam();
  const Registers reset = registers_of(c, {}, true);
  const Rule* const rule =
      Equivalents(c.target, reset, registers_of(c, c.original, false)).rule_for(registers_of(c, c.mutant, false));
  if (std::string_view(c.rule).empty()) {
    EXPECT_EQ(rule, nullptr) << rule->name;
  } else {
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->name, c.rule);
  }
}

constexpr const char* ignored = "argument bit not looked at";
constexpr const char* reset_left = "as reset left it";
constexpr const char* off = "counter off";
constexpr const char* user_mode = "user mode of the hardware";
constexpr const char* user_alone = "user mode alone";
constexpr const char* no_event = "select without an event";
constexpr const char* no_second = "second select not used";

// Loads and Dcache misses; external pins.
INSTANTIATE_TEST_SUITE_P(
    Ev4, AlphaRules,
    ::testing::Values(Case{"alpha-ev4", ignored, {0x400, 1, 0}, {0x800000400, 1, 0}},
                      Case{"alpha-ev4", ignored, {0x400, 1, 0}, {0x400, 1, 5}},
                      Case{"alpha-ev4", "", {0x400, 1, 0}, {0x100000400, 1, 0}},
                      Case{"alpha-ev4", "", {0x400, 1, 0}, {0x400, 1, none}},
                      Case{"alpha-ev4", reset_left, {0, 1, 0}, {none, 1, 0}},
                      Case{"alpha-ev4", "", {0x400, 1, 0}, {none, 1, 0}},
                      Case{"alpha-ev4", reset_left, {0x400, 1, 0}, {0x400, none, 0}},
                      Case{"alpha-ev4", "", {0x400, 2, 0}, {0x400, none, 0}},
                      Case{"alpha-ev4", "all processes unless only marked ones", {0x400, 1, 0}, {0x400, 3, 0}},
                      Case{"alpha-ev4", "", {0x400, 2, 0}, {0x400, 3, 0}},
                      Case{"alpha-ev4", "low bit of PCMUX0", {0x400, 1, 0}, {0x500, 1, 0}},
                      Case{"alpha-ev4", "", {0xa00, 1, 0}, {0xb00, 1, 0}}));

// Counter 1, SEL1 in bits 7:4, counts without an interrupt: FREQUENCY 0x40.
INSTANTIATE_TEST_SUITE_P(
    Ev5, AlphaRules,
    ::testing::Values(Case{"alpha-ev5", ignored, {0xb0, 0, 2, 0x40}, {0x1b0, 0, 2, 0x40}},
                      Case{"alpha-ev5", ignored, {0xb0, 0, 2, 0x40}, {0xb0, 0, 0xa, 0x40}},
                      Case{"alpha-ev5", ignored, {0xb0, 0, 2, 0x40}, {0xb0, 2, 2, 0x40}},  // PALcode masks the option
                      Case{"alpha-ev5", reset_left, {0xb0, 1, 2, 0x40}, {0xb0, none, 2, 0x40}},
                      Case{"alpha-ev5", "", {0xb0, 0, 2, 0x40}, {0xb0, none, 2, 0x40}},
                      Case{"alpha-ev5", off, {0xb0, 0, 2, 0x40}, {0x800000b7, 0, 2, 0x40}},
                      Case{"alpha-ev5", off, {0xb0, 0, 2, 0x40}, {0xb0, 0, 3, 0x40}},
                      Case{"alpha-ev5", "", {0xb0, 0, 2, 0x40}, {0xb0, 0, 3, 0x140}},
                      Case{"alpha-ev5", "", {0x80, 0, 2, 0x40}, {0x82, 0, 2, 0x40}},  // only jumps
                      Case{"alpha-ev5", off, {0x80, 0, 2, 0x40}, {0x84, 0, 2, 0x40}},
                      Case{"alpha-ev5", no_second, {0xb0, 0, 2, 0x40}, {0x800b0, 0, 2, 0x40}},
                      Case{"alpha-ev5", "", {0xf0, 0, 2, 0x40}, {0x800f0, 0, 2, 0x40}},
                      Case{"alpha-ev5", no_event, {0x2000f0, 0, 2, 0x40}, {0x2000f0, 0, 0, 0x40}},
                      Case{"alpha-ev5", "", {0xb0, 0, 2, 0x40}, {0xb0, 0, 2, 0x80}},
                      Case{"alpha-ev5", user_mode, {0xb0, 0x100, 2, 0x40}, {0xb0, 0x40000100, 2, 0x40}},
                      Case{"alpha-ev5", "", {0xb0, 0x300, 2, 0x40}, {0xb0, 0x40000300, 2, 0x40}},  // starts es
                      Case{"alpha-ev5", "", {0xb0, 0x200, 2, 0x40}, {0xb0, 0x300, 2, 0x40}},
                      Case{"alpha-ev5", user_alone, {0xb0, 0x300, 2, 0x40}, {0xa0, 0x301, 2, 0x80}},
                      Case{"alpha-pca56", user_alone, {0xb0, 0x300, 2, 0x40}, {0xb0, 0x300, 0, 0x40}},
                      Case{"alpha-pca56", "", {0xb0, 0x40000300, 2, 0x40}, {0xa0, 0x40000300, 2, 0x40}},
                      Case{"alpha-pca56", ignored, {0xb0, 0, 2, 0x40}, {0x800b0, 0, 2, 0x40}},
                      Case{"alpha-pca56", no_event, {0xb, 0, 4, 0x10}, {0xb, 0, 0, 0x10}},
                      Case{"alpha-pca56", "", {0xf0, 0, 2, 0x40}, {0x1f0, 0, 2, 0x40}}));

INSTANTIATE_TEST_SUITE_P(Ev6, AlphaRules,
                         ::testing::Values(Case{"alpha-ev6", ignored, {0x10, 0, 1}, {0x30, 0, 1}},
                                           Case{"alpha-ev6", reset_left, {0x10, 1, 1}, {0x10, none, 1}},
                                           Case{"alpha-ev6", "", {0x10, 0, 1}, {0x10, none, 1}},
                                           Case{"alpha-ev6", off, {0x10, 0, 1}, {0x17, 0, 1}},
                                           Case{"alpha-ev6", "", {0x10, 0, 3}, {0x17, 0, 3}},
                                           Case{"alpha-ev6", "SL1 2 as 0", {0, 0, 2}, {2, 0, 2}},
                                           Case{"alpha-ev6", no_event, {9, 0, 2}, {12, 0, 2}},
                                           Case{"alpha-ev67", ignored, {0xc, 0, 3}, {0xd, 0, 3}},
                                           Case{"alpha-ev67", off, {0, 0, 1}, {8, 0, 1}},
                                           Case{"alpha-ev67", "", {0, 0, 3}, {8, 0, 3}},
                                           Case{"alpha-ev67", no_event, {4, 0, 3}, {4, 0, 1}},
                                           Case{"alpha-ev67", "", {0x14, 0, 3}, {0x14, 0, 1}}));

// A statistic of the 21264A that PCNT6MUX allows in several modes (sys/pfcntr.h): SL1 is bits 3:2, SL0 bit 4.
TEST(AlphaRules, AStatisticReadsSomeCounters) {
  const auto rule = [](const char* event, std::uint64_t select, std::uint64_t mutant, std::uint64_t options = 0) {
    const Case c{"alpha-ev67", "", {select, 0, 3}, {mutant, options, 3}};
    return find_equivalence_facts("alpha-ev67")
        ->not_read(event, registers_of(c, c.original, false), registers_of(c, c.mutant, false));
  };
  ASSERT_NE(rule("PF67_PM_ABORT", 0x10, 0x14), nullptr);
  EXPECT_FALSE(rule("PF67_PM_ABORT", 0x10, 0x14)->source.empty());
  EXPECT_NE(rule("PF67_PM_CYCLES", 0x14, 0x1c), nullptr);
  EXPECT_EQ(rule("PF67_PM_CYCLES", 0x14, 0x10), nullptr) << "PCTR0 counts retired instructions";
  EXPECT_EQ(rule("PF67_PM_DELAY", 0x14, 0x1c), nullptr) << "PCTR1 counts replay traps";
  EXPECT_EQ(rule("PF67_PM_ABORT", 0x10, 0), nullptr) << "no ProfileMe";
  EXPECT_EQ(rule("PF67_PM_ABORT", 0x10, 0x14, 1), nullptr) << "another register differs";
  EXPECT_EQ(rule("RETINST", 0, 4), nullptr) << "no statistic";
}

// The fields given in sys/pfcntr.h and in the handbook.
TEST(AlphaReservedBits, AreThoseOfTheManuals) {
  EXPECT_EQ(reserved_bits("alpha-ev4", "WRPERFMON_SELECT"), ~std::uint64_t{0x700000f09});
  EXPECT_EQ(reserved_bits("alpha-ev5", "WRPERFMON_ENABLE"), ~std::uint64_t{7});
  EXPECT_EQ(reserved_bits("alpha-pca56", "WRPERFMON_SELECT"), ~std::uint64_t{0x80003fff});
  EXPECT_EQ(reserved_bits("alpha-ev67", "WRPERFMON_SELECT"), ~std::uint64_t{0x1c});
}

}  // namespace
}  // namespace pmusim::testbench::faults::alpha
