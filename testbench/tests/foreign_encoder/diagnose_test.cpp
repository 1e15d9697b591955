// A diagnosis names the wrong field. Each test makes one change to a correct answer; the words and numbers are those of
// the manuals' tables, and the lost counts follow from arithmetic.
#include "testbench/judge/diagnosis/diagnose.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "testbench/judge/diagnosis/causes.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench::diagnose {
namespace {

/// The correct answer to one question, to be changed.
struct Case {
  Request question;
  Given given;
  explicit Case(const std::string& target, std::vector<std::string> events, bool sampling = false)
      : question{target, std::move(events), {.sampling = sampling}} {
    const auto encoding = encoder::encode(target, question.events, question.options);
    EXPECT_TRUE(encoding) << encoding.error().message;
    given.registers = encoding->registers;
    for (const encoder::EncodedEvent& event : encoding->events) given.counters.push_back(event.counter);
  }
  std::uint64_t& value(const std::string& reg) {
    // The last write is effective: a register that is first disabled is written twice.
    const auto found = std::find_if(given.registers.rbegin(), given.registers.rend(),
                                    [&](const auto& candidate) { return candidate.name == reg; });
    EXPECT_NE(found, given.registers.rend()) << reg;
    return found->value;
  }
  void drop(const std::string& reg) {
    std::erase_if(given.registers, [&](const auto& candidate) { return candidate.name == reg; });
  }
  [[nodiscard]] std::string sentence(std::uint64_t counted, std::uint64_t expected, std::size_t event = 0) const {
    return diagnose(question, given, event, {counted, expected, {}}).sentence;
  }
};

void expect_within(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

// 22007 appendix D: unit mask bits 0 to 4 of DATA_CACHE_REFILLS are invalid, shared, exclusive, owned, modified.
TEST(Diagnose, AUnitMaskBitThatIsMissing) {
  Case wrong("athlon", {"DATA_CACHE_REFILLS:ALL"});
  wrong.value("PerfEvtSel0") ^= 0x100;
  EXPECT_EQ(wrong.sentence(9873 - 4211, 9873),
            "PerfEvtSel0 unit mask 0x1e does not select L2_INVALID; 4,211 of 9,873 DATA_CACHE_REFILLS:ALL not counted");
}

TEST(Diagnose, UnitMaskBitsThatAreTooMany) {
  Case wrong("athlon", {"DATA_CACHE_REFILLS:L2_SHARED"});
  wrong.value("PerfEvtSel0") |= 0x28'00;  // owned, and a bit without a name
  EXPECT_EQ(wrong.sentence(1100, 100),
            "PerfEvtSel0 unit mask 0x2a selects L2_OWNED and the undefined bits 0x20 as well; "
            "1,000 counted besides the 100 DATA_CACHE_REFILLS:L2_SHARED");
}

TEST(Diagnose, AnotherEvent) {
  Case wrong("athlon", {"DATA_CACHE_MISSES"});
  wrong.value("PerfEvtSel0") ^= 0x41 ^ 0x40;
  EXPECT_EQ(wrong.sentence(7, 0),
            "PerfEvtSel0 event select 0x40 selects DATA_CACHE_ACCESSES, not DATA_CACHE_MISSES; "
            "7 counted where there is no DATA_CACHE_MISSES");
}

TEST(Diagnose, EventAndUnitMaskNameOneEventTogether) {
  Case wrong("athlon", {"DATA_CACHE_REFILLS:L2_SHARED"});
  wrong.value("PerfEvtSel0") ^= (0x42 ^ 0x43) | (0x02 ^ 0x04) << 8;
  expect_within(wrong.sentence(0, 5), {"PerfEvtSel0 event select 0x43 with unit mask 0x4 selects "
                                       "DATA_CACHE_REFILLS_FROM_SYSTEM:EXCLUSIVE, not DATA_CACHE_REFILLS:L2_SHARED; "
                                       "5 of 5 "});
}

TEST(Diagnose, ACounterThatIsOff) {
  Case wrong("athlon", {"DATA_CACHE_MISSES"});
  wrong.value("PerfEvtSel0") &= ~(1u << 22);
  expect_within(wrong.sentence(0, 5), {"PerfEvtSel0 EN is 0x0", "leaves PerfCtr0 off"});
}

// A cause names the kind of the register, and its number if two of the kind differ.
TEST(Diagnose, ACauseNamesTheRegister) {
  Case wrong("athlon", {"DATA_CACHE_MISSES"});
  wrong.value("PerfEvtSel0") ^= 1u << 22;
  const auto cause = [&] { return cause_of(diagnose(wrong.question, wrong.given, 0, {0, 5, {}}), ""); };
  EXPECT_EQ(cause(), "PerfEvtSel EN is not set");
  wrong.value("PerfEvtSel1") ^= 1u << 22;
  EXPECT_EQ(cause(), "PerfEvtSel0 EN is not set; PerfEvtSel1 EN is set");
  Case exchanged("athlon", {"DATA_CACHE_MISSES:u"});
  exchanged.value("PerfEvtSel0") ^= 3u << 16;
  EXPECT_EQ(cause_of(diagnose(exchanged.question, exchanged.given, 0, {0, 5, {}}), ""),
            "OS and USR exchanged or inverted");
}

TEST(Diagnose, OnlyTheFieldsOfTheEventsCounter) {
  Case wrong("athlon", {"DATA_CACHE_MISSES", "RETIRED_INSTRUCTIONS"});
  wrong.value("PerfEvtSel0") ^= 1;
  wrong.value("PerfEvtSel1") ^= 1u << 16;
  const std::string second = wrong.sentence(0, 5, 1);
  expect_within(second, {"PerfEvtSel1 USR"});
  EXPECT_EQ(second.find("PerfEvtSel0"), std::string::npos) << second;
}

// A counter with the wrong event may interrupt for another one: all fields are compared before pmusim is accused.
TEST(Diagnose, AnotherEventsFieldsIfNothingElseDiffers) {
  Case wrong("ppc750gx", {"L1_DCACHE_MISSES", "SNOOP_RETRIES"});
  wrong.value("MMCR1") ^= 1u << 22;  // PMC4SELECT
  const Diagnosis first = diagnose(wrong.question, wrong.given, 0, {0, 0, "no interrupt was asked for"});
  const Diagnosis second = diagnose(wrong.question, wrong.given, 1, {0, 0, "no interrupt was asked for"});
  for (const Diagnosis& diagnosis : {first, second}) {
    ASSERT_FALSE(diagnosis.differences.empty()) << diagnosis.sentence;
    EXPECT_EQ(diagnosis.differences.front().field, "PMC4SELECT") << diagnosis.sentence;
  }
}

TEST(Diagnose, AProblemThatNamesItsFault) {
  Case wrong("athlon", {"DATA_CACHE_MISSES"});
  std::swap(wrong.value("PerfEvtSel0"), wrong.value("PerfEvtSel2"));
  const Observed observed{0, 0, "the start value of PerfCtr0 is zero: it is 0x0, not 0xfe70", true};
  const Diagnosis diagnosis = diagnose(wrong.question, wrong.given, 0, observed);
  EXPECT_EQ(diagnosis.sentence, observed.problem);
  EXPECT_EQ(cause_of(diagnosis, observed.problem), "the start value of PerfCtr is zero");
}

// The registers of two counters exchanged: one mistake, whatever their fields.
TEST(Diagnose, TheValueOfAnotherRegister) {
  Case wrong("athlon", {"DATA_CACHE_MISSES:u", "RETIRED_INSTRUCTIONS:k:c=3"});
  std::swap(wrong.value("PerfEvtSel0"), wrong.value("PerfEvtSel1"));
  for (const std::size_t event : {0, 1}) {
    const Diagnosis diagnosis = diagnose(wrong.question, wrong.given, event, {0, 5, {}});
    EXPECT_EQ(cause_of(diagnosis, ""), "one PerfEvtSel has the value of another") << event;
  }
  expect_within(wrong.sentence(0, 5), {"PerfEvtSel1 has the value of PerfEvtSel0; 5 of 5 "});
}

// Not another field that happens to have the same value.
TEST(Diagnose, AValueThatIsThereTwiceIsNotMisplaced) {
  Case wrong("athlon", {"DATA_CACHE_MISSES", "RETIRED_INSTRUCTIONS"});
  wrong.value("PerfEvtSel1") = wrong.value("PerfEvtSel0");
  EXPECT_EQ(cause_of(diagnose(wrong.question, wrong.given, 1, {0, 5, {}}), ""), "PerfEvtSel EVENT is wrong");
}

TEST(Diagnose, TheOrderIsACause) {
  Case wrong("alpha-ev5", {"PF5_MUX0_ISSUES"}, true);
  std::reverse(wrong.given.registers.begin(), wrong.given.registers.end());
  EXPECT_EQ(cause_of(diagnose(wrong.question, wrong.given, 0, {3, 5, "on the way CTR0 is at 3, not at 5"}), ""),
            "the registers are written in another order");
}

// For a period of 1, a start value that is one too high is zero; a tool that has none is zero everywhere.
TEST(Diagnose, AStartValueThatIsZeroByChance) {
  const std::string zero = "the start value of CTR is zero", high = "the start value of CTR is one too high";
  EXPECT_EQ(simplest_causes({{zero, 3}, {high, 40}}).at(zero), high);
  EXPECT_EQ(simplest_causes({{zero, 40}}).at(zero), zero);
  EXPECT_EQ(simplest_causes({{zero, 3}, {"the start value of PCTR is one too high", 40}}).at(zero), zero);
}

// One mistake in a field of several bits: its values lack bits in some rows and have too many in others.
TEST(Diagnose, AFieldIsWrongInOneWay) {
  const auto simplest = simplest_causes({{"PerfEvtSel UNIT_MASK is wrong", 5},
                                         {"PerfEvtSel UNIT_MASK lacks bits", 2},
                                         {"PerfEvtSel UNIT_MASK is not set", 1},
                                         {"PerfEvtSel2 UNIT_MASK lacks bits; PerfEvtSel3 UNIT_MASK is 0", 1},
                                         {"PerfEvtSel EN is not set", 4},
                                         {"PerfEvtSel EN is set", 3},
                                         {"PerfEvtSel EVENT is 0", 7},
                                         {"PerfEvtSel EVENT is 0; PerfEvtSel UNIT_MASK lacks bits", 9}});
  EXPECT_EQ(simplest.at("PerfEvtSel UNIT_MASK lacks bits"), "PerfEvtSel UNIT_MASK is wrong");
  EXPECT_EQ(simplest.at("PerfEvtSel UNIT_MASK is not set"), "PerfEvtSel UNIT_MASK is wrong");
  EXPECT_EQ(simplest.at("PerfEvtSel2 UNIT_MASK lacks bits; PerfEvtSel3 UNIT_MASK is 0"),
            "PerfEvtSel UNIT_MASK is wrong");
  EXPECT_EQ(simplest.at("PerfEvtSel EN is not set"), "PerfEvtSel EN is not set");
  EXPECT_EQ(simplest.at("PerfEvtSel EN is set"), "PerfEvtSel EN is set");
  EXPECT_EQ(simplest.at("PerfEvtSel EVENT is 0; PerfEvtSel UNIT_MASK lacks bits"), "PerfEvtSel UNIT_MASK is wrong");
}

TEST(Diagnose, ANumberIsTooHighOrTooLow) {
  Case wrong("ppc750gx", {"L1_LOAD_MISSES:t=20"});
  const auto cause = [&] { return cause_of(diagnose(wrong.question, wrong.given, 0, {6, 5, {}}), ""); };
  wrong.value("MMCR0") ^= (20 ^ 19) << 16;  // bits 10:15 of 32, from the top
  EXPECT_EQ(cause(), "MMCR0 THRESHOLD is one too low");
  wrong.value("MMCR0") ^= (19 ^ 40) << 16;
  EXPECT_EQ(cause(), "MMCR0 THRESHOLD is too high");
}

TEST(Diagnose, BothLevelsWrongAreOneCause) {
  for (const char* event : {"DATA_CACHE_MISSES", "DATA_CACHE_MISSES:u", "DATA_CACHE_MISSES:u=0"}) {
    Case wrong("athlon", {event});
    wrong.value("PerfEvtSel0") ^= 3u << 16;
    EXPECT_EQ(cause_of(diagnose(wrong.question, wrong.given, 0, {0, 5, {}}), ""), "OS and USR exchanged or inverted");
  }
}

// A register that is not written keeps its reset value: only another value is a difference.
TEST(Diagnose, ARegisterWithItsResetValue) {
  Case wrong("itanium2", {"CPU_CYCLES"});
  const std::uint64_t right = wrong.value("PMC8");
  wrong.drop("PMC8");
  expect_within(wrong.sentence(0, 5), {"PMC8 is not written"});
  wrong.given.reset["PMC8"] = right;
  EXPECT_TRUE(diagnose(wrong.question, wrong.given, 0, {0, 5, {}}).differences.empty()) << wrong.sentence(0, 5);
}

TEST(Diagnose, TheSameOnAnotherCounterIsRight) {
  Case other("athlon", {"DATA_CACHE_MISSES"});
  std::swap(other.value("PerfEvtSel0"), other.value("PerfEvtSel2"));
  other.given.counters = {"PerfCtr2"};
  expect_within(other.sentence(4, 5), {"every register field is as pmusim encodes it", "what PerfCtr2 makes of"});
  other.value("PerfEvtSel2") ^= 0x100'0000;  // counter mask 1
  expect_within(other.sentence(4, 5), {"PerfEvtSel2 counter mask is 0x1"});
}

// 750GX manual, table 11-6: L1_LOAD_MISSES is code 10, on PMC1 only.
TEST(Diagnose, ACounterThatDoesNotHaveTheEvent) {
  Case wrong("ppc750gx", {"L1_LOAD_MISSES:t=20"});
  wrong.given.counters = {"PMC2"};
  expect_within(wrong.sentence(0, 5), {"PMC2 does not count L1_LOAD_MISSES:t=20, only PMC1 can"});
}

TEST(Diagnose, AThreshold) {
  Case wrong("ppc750gx", {"L1_LOAD_MISSES:t=20"});
  wrong.value("MMCR0") ^= (20 ^ 19) << 16;  // bits 10:15 of 32, from the top
  expect_within(wrong.sentence(6, 5), {"MMCR0 threshold is 0x13", "not 0x14", "1 counted besides the 5 "});
}

TEST(Diagnose, AnOrderThatStartsTooEarly) {
  Case wrong("ppc750gx", {"L1_DCACHE_MISSES"});
  std::reverse(wrong.given.registers.begin(), wrong.given.registers.end());
  expect_within(wrong.sentence(6, 5), {"written in the order MMCR0, MMCR1 instead of MMCR1, MMCR0"});
}

TEST(Diagnose, ARegisterThatIsNotWritten) {
  Case wrong("ppc750gx", {"L1_DCACHE_MISSES"});
  wrong.drop("MMCR1");
  expect_within(wrong.sentence(0, 5), {"MMCR1 is not written and should be 0x28000000"});
}

// Interrupts change no count: they are reported only if nothing else is wrong.
TEST(Diagnose, WhatChangesNoCountComesLast) {
  Case wrong("athlon", {"DATA_CACHE_MISSES"});
  wrong.value("PerfEvtSel0") ^= 1u << 20;
  expect_within(wrong.sentence(4, 5), {"PerfEvtSel0 INT is 0x1"});
  wrong.given.dont_care["PerfEvtSel0"] = 1u << 20;
  expect_within(wrong.sentence(4, 5), {"among the bits marked dont_care, PerfEvtSel0 INT is 0x1"});
  wrong.given.dont_care.clear();
  wrong.value("PerfEvtSel0") ^= 1;
  EXPECT_EQ(wrong.sentence(4, 5).find("INT"), std::string::npos);
}

// Montecito, libpfm's quirk foreign-set: a counter that counts an event alone need not count it together with others.
TEST(Diagnose, ACounterThatCountsItAloneOnly) {
  Case wrong("athlon", {"DATA_CACHE_MISSES", "RETIRED_INSTRUCTIONS"});
  std::swap(wrong.value("PerfEvtSel0"), wrong.value("PerfEvtSel1"));
  std::swap(wrong.given.counters[0], wrong.given.counters[1]);
  expect_within(wrong.sentence(0, 5),
                {"PerfCtr1 has the fields that count DATA_CACHE_MISSES alone, but beside the other "
                 "events it is PerfCtr0 that counts it; 5 of 5 "});
}

TEST(Diagnose, ARefusalSaysWhatItIs) {
  const std::string text = refusal({"athlon", {"DATA_CACHE_MISSES"}, {}}, "no mask");
  EXPECT_EQ(text, "the encoder refused it: no mask; pmusim gives PerfEvtSel0=0x430041");
}

// On every target: if a single bit of a given register is flipped, the diagnosis names a field of that register, or the
// bit does not affect the event. A changed event code is never accepted.
class EveryTarget : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryTarget, NamesTheRegisterOfEveryBit) {
  const std::string target = GetParam();
  const auto events = encoder::events(target);
  ASSERT_TRUE(events);
  const encoder::EventInfo& event = events->front();
  const std::string mask = event.unit_masks.empty() ? "" : ':' + event.unit_masks.front().name;
  const Case right(target, {event.name + mask});
  ASSERT_EQ(right.given.counters.size(), 1u);
  EXPECT_TRUE(diagnose(right.question, right.given, 0, {1, 2, {}}).differences.empty()) << right.sentence(1, 2);
  std::size_t named = 0, flipped = 0;
  for (std::size_t i = 0; i < right.given.registers.size(); ++i) {
    for (unsigned bit = 0; bit < right.given.registers[i].width; ++bit) {
      const std::string& name = right.given.registers[i].name;
      const bool written_again =
          std::any_of(right.given.registers.begin() + static_cast<std::ptrdiff_t>(i) + 1, right.given.registers.end(),
                      [&](const auto& reg) { return reg.name == name; });
      if (written_again) continue;
      Case wrong = right;
      wrong.given.registers[i].value ^= std::uint64_t{1} << bit;
      const Diagnosis diagnosis = diagnose(wrong.question, wrong.given, 0, {1, 2, {}});
      ++flipped;
      if (diagnosis.differences.empty()) continue;
      ++named;
      EXPECT_EQ(diagnosis.differences.front().reg, name) << diagnosis.sentence;
      EXPECT_EQ(diagnosis.sentence.rfind(name, 0), 0u) << diagnosis.sentence;
    }
  }
  EXPECT_GT(named, 0u);
  EXPECT_GE(2 * named, flipped) << target;
}

INSTANTIATE_TEST_SUITE_P(Targets, EveryTarget,
                         ::testing::Values("athlon", "ppc750gx", "ppc750gl", "itanium2", "montecito", "alpha-ev4",
                                           "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"),
                         target_name);

}  // namespace
}  // namespace pmusim::testbench::diagnose
