// The rules of the Alphas: for each a pair of programmings that the manuals make equal, which must match that rule, and
// a similar pair that is not equal.
#include <gtest/gtest.h>

#include <array>

#include "testbench/faults/equivalence.h"

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

class AlphaRules : public testing::TestWithParam<Case> {};

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
    testing::Values(Case{"alpha-ev4", ignored, {0x400, 1, 0}, {0x800000400, 1, 0}},
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
    testing::Values(Case{"alpha-ev5", ignored, {0xb0, 0, 2, 0x40}, {0x1b0, 0, 2, 0x40}},
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
                         testing::Values(Case{"alpha-ev6", ignored, {0x10, 0, 1}, {0x30, 0, 1}},
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

TEST(AlphaRules, AreNamedAndCited) {
  for (const char* const target : {"alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"}) {
    EXPECT_FALSE(rules_of(target).empty()) << target;
    for (const Rule& rule : rules_of(target)) {
      EXPECT_FALSE(rule.name.empty());
      EXPECT_FALSE(rule.source.empty()) << rule.name;
    }
  }
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
