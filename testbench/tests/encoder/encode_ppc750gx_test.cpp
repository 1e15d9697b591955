// 750GX event strings to MMCR0 and MMCR1: the example words, every attribute at its limits, register-wide settings, and
// the assignment of counters. The expected words are built from the field positions of the user's manual 1.2, chapter
// 2.
#include <iterator>
#include <sstream>

#include "expect.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t kDp = 1u << 30;
constexpr std::uint64_t kDu = 1u << 29;
constexpr std::uint64_t kDms = 1u << 28;
constexpr std::uint64_t kDmr = 1u << 27;
constexpr std::uint64_t kEnint = 1u << 26;
constexpr std::uint64_t kPmc1Int = 1u << 15;
constexpr std::uint64_t kPmcInt = 1u << 14;
constexpr std::uint64_t rtc(std::uint64_t n) { return n << 23; }
constexpr std::uint64_t threshold(std::uint64_t n) { return n << 16; }
constexpr std::uint64_t pmc1(std::uint64_t n) { return n << 6; }
constexpr std::uint64_t pmc2(std::uint64_t n) { return n; }
constexpr std::uint64_t pmc3(std::uint64_t n) { return n << 27; }
constexpr std::uint64_t pmc4(std::uint64_t n) { return n << 22; }

/// Events, the registers, and the canonical names without the target; lists are words.
struct GroupRow {
  int line;
  const char* events;
  std::uint64_t mmcr0, mmcr1;
  const char* canonical;
};

const GroupRow kGroups[] = {
    // Example words: user level only; data misses and castouts.
    {__LINE__, "PROCESSOR_CYCLES:u INSTRUCTIONS_COMPLETED:u", 0x40000042, 0,
     "PROCESSOR_CYCLES:k=0:u=1 INSTRUCTIONS_COMPLETED:k=0:u=1"},
    {__LINE__, "L1_DCACHE_MISSES L2_CASTOUTS", 0, 0x29400000, "L1_DCACHE_MISSES:k=1:u=1 L2_CASTOUTS:k=1:u=1"},
    // Levels.
    {__LINE__, "PROCESSOR_CYCLES", pmc1(1), 0, "PROCESSOR_CYCLES:k=1:u=1"},
    {__LINE__, "processor_cycles:K", kDu | pmc1(1), 0, "PROCESSOR_CYCLES:k=1:u=0"},
    {__LINE__, "ppc750gx::PROCESSOR_CYCLES:u:k", pmc1(1), 0, "PROCESSOR_CYCLES:k=1:u=1"},
    {__LINE__, "PROCESSOR_CYCLES:u=0", kDp | kDu | pmc1(1), 0, "PROCESSOR_CYCLES:k=0:u=0"},
    // Threshold and time base at both limits, for the events that use them and for others.
    {__LINE__, "L1_LOAD_MISSES", pmc1(10), 0, "L1_LOAD_MISSES:k=1:u=1:t=0"},
    {__LINE__, "L1_LOAD_MISSES:t=0", pmc1(10), 0, "L1_LOAD_MISSES:k=1:u=1:t=0"},
    {__LINE__, "L1_LOAD_MISSES:t=20", threshold(20) | pmc1(10), 0, "L1_LOAD_MISSES:k=1:u=1:t=20"},
    {__LINE__, "L1_LOAD_MISSES:t=63", threshold(63) | pmc1(10), 0, "L1_LOAD_MISSES:k=1:u=1:t=63"},
    {__LINE__, "SNOOPS:t=7 L1_LOAD_MISSES:t=7", threshold(7) | pmc1(10) | pmc2(12), 0,
     "SNOOPS:k=1:u=1 L1_LOAD_MISSES:k=1:u=1:t=7"},
    {__LINE__, "TBL_BIT_TRANSITIONS", pmc1(3), 0, "TBL_BIT_TRANSITIONS:k=1:u=1:tb=0"},
    {__LINE__, "TBL_BIT_TRANSITIONS:tb=3", rtc(3) | pmc1(3), 0, "TBL_BIT_TRANSITIONS:k=1:u=1:tb=3"},
    // Marked processes: DMR stops counting in unmarked processes, DMS in marked ones.
    {__LINE__, "PROCESSOR_CYCLES:marked", kDmr | pmc1(1), 0, "PROCESSOR_CYCLES:k=1:u=1:marked=1"},
    {__LINE__, "PROCESSOR_CYCLES:unmarked:u", kDp | kDms | pmc1(1), 0, "PROCESSOR_CYCLES:k=0:u=1:unmarked=1"},
    {__LINE__, "PROCESSOR_CYCLES:marked=0:unmarked=0", pmc1(1), 0, "PROCESSOR_CYCLES:k=1:u=1"},
    // Interrupts: PMC1 has a separate control bit, the others share one.
    {__LINE__, "PROCESSOR_CYCLES:intr", kEnint | kPmc1Int | pmc1(1), 0, "PROCESSOR_CYCLES:k=1:u=1:intr=1"},
    {__LINE__, "SNOOPS:intr", kEnint | kPmcInt | pmc2(12), 0, "SNOOPS:k=1:u=1:intr=1"},
    {__LINE__, "SNOOP_RETRIES:intr=1 L2_HITS", kEnint | kPmcInt, pmc4(12) | pmc3(13),
     "SNOOP_RETRIES:k=1:u=1:intr=1 L2_HITS:k=1:u=1:intr=1"},
    {__LINE__, "PROCESSOR_CYCLES:intr=0", pmc1(1), 0, "PROCESSOR_CYCLES:k=1:u=1"},
    // Raw selectors at both limits of each field; a selector that is in the table gets its name.
    {__LINE__, "PMC1=0", 0, 0, "NOTHING:k=1:u=1"},
    {__LINE__, "PMC1=127 pmc2=0x3F PMC3=31 PMC4=31", pmc1(127) | pmc2(63), pmc3(31) | pmc4(31),
     "PMC1=127:k=1:u=1 PMC2=63:k=1:u=1 PMC3=31:k=1:u=1 PMC4=31:k=1:u=1"},
    {__LINE__, "PMC1=13:u", kDp | pmc1(13), 0, "PMC1=13:k=0:u=1"},
    {__LINE__, "PMC1=10:t=5", threshold(5) | pmc1(10), 0, "L1_LOAD_MISSES:k=1:u=1:t=5"},
    {__LINE__, "PMC4=8", 0, pmc4(8), "MISPREDICTED_BRANCHES:k=1:u=1"},
    // Assignment: events that several counters have give way to events of one counter only.
    {__LINE__, "PROCESSOR_CYCLES IABR_MATCHES", pmc1(9) | pmc2(1), 0, "PROCESSOR_CYCLES:k=1:u=1 IABR_MATCHES:k=1:u=1"},
    {__LINE__, "PROCESSOR_CYCLES LOADS_AND_STORES IABR_MATCHES L1_DCACHE_MISSES", pmc1(9) | pmc2(11), pmc3(5) | pmc4(1),
     "PROCESSOR_CYCLES:k=1:u=1 LOADS_AND_STORES:k=1:u=1 IABR_MATCHES:k=1:u=1 L1_DCACHE_MISSES:k=1:u=1"},
    {__LINE__, "PROCESSOR_CYCLES PROCESSOR_CYCLES PROCESSOR_CYCLES PROCESSOR_CYCLES", pmc1(1) | pmc2(1),
     pmc3(1) | pmc4(1),
     "PROCESSOR_CYCLES:k=1:u=1 PROCESSOR_CYCLES:k=1:u=1 PROCESSOR_CYCLES:k=1:u=1 PROCESSOR_CYCLES:k=1:u=1"},
};

std::vector<std::string> words_of(const char* text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

TEST(EncodePpc750, RowsGiveTheirWords) {
  for (const char* target : {"ppc750gx", "ppc750gl"})
    for (const GroupRow& row : kGroups) {
      SCOPED_TRACE(::testing::Message() << target << ", row at line " << row.line);
      std::vector<std::string> asked = words_of(row.events);
      for (std::string& event : asked)
        if (event.starts_with("ppc750gx::")) event = target + event.substr(8);
      const Encoding encoding = encoded(target, asked);
      EXPECT_EQ(value_of(encoding, "MMCR0"), row.mmcr0) << std::hex << value_of(encoding, "MMCR0");
      EXPECT_EQ(value_of(encoding, "MMCR1"), row.mmcr1) << std::hex << value_of(encoding, "MMCR1");
      const std::vector<std::string> canonical = words_of(row.canonical);
      ASSERT_EQ(encoding.events.size(), canonical.size());
      for (std::size_t i = 0; i < canonical.size(); ++i)
        EXPECT_EQ(encoding.events[i].canonical, target + ("::" + canonical[i]));
    }
}

const Refusal kGroupRefusals[] = {
    {__LINE__, {"PM_RSVD_1_13"}, ErrorCode::reserved_event, {"PM_RSVD_1_13", "reserved", "PMCn=SELECT"}},
    {__LINE__, {"pm_rsvd_4_31"}, ErrorCode::reserved_event, {"reserved"}},
    {__LINE__, {"PM_RSVD_1_128"}, ErrorCode::unknown_event, {"PM_RSVD_1_12"}},
    {__LINE__, {"RETIRED_UOPS"}, ErrorCode::unknown_event, {"ppc750gx"}},
    {__LINE__, {"L1_DCACHE_MISS"}, ErrorCode::unknown_event, {"L1_DCACHE_MISSES"}},
    {__LINE__, {"athlon::PROCESSOR_CYCLES"}, ErrorCode::unknown_target, {"ppc750gx"}},
    {__LINE__, {"ppc750gl::PROCESSOR_CYCLES"}, ErrorCode::unknown_target, {"ppc750gx"}},
    {__LINE__, {"L1_LOAD_MISSES:c=2"}, ErrorCode::unknown_attribute, {"t=0..63"}},
    {__LINE__, {"L1_LOAD_MISSES:e"}, ErrorCode::unknown_attribute, {"edges"}},
    {__LINE__, {"L1_LOAD_MISSES:i"}, ErrorCode::unknown_attribute, {"inverted"}},
    {__LINE__, {"L1_LOAD_MISSES:plm=8"}, ErrorCode::unknown_attribute, {"u and k"}},
    {__LINE__, {"L1_LOAD_MISSES:t"}, ErrorCode::bad_attribute_value, {"0 to 63"}},
    {__LINE__, {"L1_LOAD_MISSES:t=1:t=2"}, ErrorCode::attribute_conflict, {"t is set twice"}},
    {__LINE__, {"PROCESSOR_CYCLES:marked:unmarked"}, ErrorCode::attribute_conflict, {"marked", "unmarked"}},
    {__LINE__, {"PMC1=128"}, ErrorCode::bad_value, {"0 to 127"}},
    {__LINE__, {"PMC2=64"}, ErrorCode::bad_value, {"0 to 63"}},
    {__LINE__, {"PMC3=32"}, ErrorCode::bad_value, {"0 to 31"}},
    {__LINE__, {"PMC4=32"}, ErrorCode::bad_value, {"0 to 31"}},
    {__LINE__, {"PMC4="}, ErrorCode::bad_value, {"0 to 31"}},
    {__LINE__, {"PMC5=1"}, ErrorCode::syntax, {"PMC1 to PMC4"}},
    // Conflicting register-wide settings.
    {__LINE__, {"L1_LOAD_MISSES:t=20", "SNOOPS:t=21"}, ErrorCode::register_conflict, {"MMCR0[THRESHOLD]", "SNOOPS"}},
    {__LINE__, {"L1_LOAD_MISSES", "SNOOPS:t=1"}, ErrorCode::register_conflict, {"MMCR0[THRESHOLD]"}},
    {__LINE__,
     {"TBL_BIT_TRANSITIONS:tb=1", "TBL_BIT_TRANSITIONS:tb=2"},
     ErrorCode::register_conflict,
     {"MMCR0[RTCSELECT]"}},
    {__LINE__, {"TBL_BIT_TRANSITIONS:tb=1", "TBL_BIT_TRANSITIONS"}, ErrorCode::register_conflict, {"MMCR0[RTCSELECT]"}},
    {__LINE__, {"PROCESSOR_CYCLES:u", "SNOOPS"}, ErrorCode::register_conflict, {"MMCR0[DP]"}},
    {__LINE__, {"PROCESSOR_CYCLES", "SNOOPS:k"}, ErrorCode::register_conflict, {"MMCR0[DU]"}},
    {__LINE__, {"PROCESSOR_CYCLES:marked", "SNOOPS"}, ErrorCode::register_conflict, {"MMCR0[DMR]"}},
    {__LINE__, {"PROCESSOR_CYCLES:unmarked", "SNOOPS"}, ErrorCode::register_conflict, {"MMCR0[DMS]"}},
    {__LINE__, {"SNOOPS:intr", "L2_HITS:intr=0"}, ErrorCode::register_conflict, {"MMCR0[PMCINTCONTROL]"}},
    // Assignment.
    {__LINE__,
     {"IABR_MATCHES", "L1_LOAD_MISSES"},
     ErrorCode::no_assignment,
     {"L1_LOAD_MISSES", "PMC1", "IABR_MATCHES"}},
    {__LINE__, {"PMC3=5", "L2_HITS"}, ErrorCode::no_assignment, {"L2_HITS", "PMC3", "PMC3=5"}},
    {__LINE__,
     {"NOTHING", "NOTHING", "NOTHING", "NOTHING", "NOTHING"},
     ErrorCode::too_many_events,
     {"5 events", "PMC1, PMC2, PMC3, PMC4"}},
};

TEST(EncodePpc750, RefusalsNameWordAndLimit) {
  for (const Refusal& row : kGroupRefusals) expect_refused("ppc750gx", row);
}

TEST(EncodePpc750, WriteOrderStopsFirstAndStartsLast) {
  const Encoding encoding = encoded("ppc750gx", {"PROCESSOR_CYCLES"});
  ASSERT_EQ(encoding.off.size(), 1u);
  EXPECT_EQ(encoding.off[0].name, "MMCR0");
  EXPECT_EQ(encoding.off[0].value, 0x80000000u);
  ASSERT_EQ(encoding.registers.size(), 2u);
  EXPECT_EQ(encoding.registers[0].name, "MMCR1");
  EXPECT_EQ(encoding.registers[0].number, 956u);
  EXPECT_EQ(encoding.registers[1].name, "MMCR0");
  EXPECT_EQ(encoding.registers[1].number, 952u);
  EXPECT_EQ(encoding.registers[1].space, "spr");
  EXPECT_EQ(encoding.registers[1].width, 32u);
}

TEST(EncodePpc750, SamplingSetsTheControlsOfTheCountersUsed) {
  EXPECT_EQ(value_of(encoded("ppc750gx", {"PROCESSOR_CYCLES"}, {.sampling = true}), "MMCR0"),
            kEnint | kPmc1Int | pmc1(1));
  EXPECT_EQ(value_of(encoded("ppc750gx", {"SNOOPS"}, {.sampling = true}), "MMCR0"), kEnint | kPmcInt | pmc2(12));
  EXPECT_EQ(value_of(encoded("ppc750gx", {"SNOOPS", "IABR_MATCHES:intr=0"}, {.sampling = true}), "MMCR0"),
            kEnint | kPmcInt | pmc1(9) | pmc2(12));
}

TEST(EncodePpc750, UnavailableCountersAreLeftAlone) {
  const Encoding encoding = encoded("ppc750gx", {"PROCESSOR_CYCLES"}, {.unavailable_counters = {0, 1}});
  EXPECT_EQ(encoding.events[0].counter, "PMC3");
  expect_refused("ppc750gx", {__LINE__, {"IABR_MATCHES"}, ErrorCode::no_assignment, {"PMC1", "not available"}},
                 {.unavailable_counters = {0}});
}

TEST(EncodePpc750, SenselessSettingsAreWarnedAbout) {
  EXPECT_TRUE(encoded("ppc750gx", {"L1_LOAD_MISSES:t=3"}).warnings.empty());
  EXPECT_EQ(encoded("ppc750gx", {"PROCESSOR_CYCLES:u=0"}).warnings.size(), 1u);
  EXPECT_EQ(encoded("ppc750gx", {"SNOOPS:t=3"}).warnings.size(), 1u);
  EXPECT_EQ(encoded("ppc750gx", {"SNOOPS:tb=3"}).warnings.size(), 1u);
}

TEST(EncodePpc750, EveryEventEncodesOnEachOfItsCounters) {
  const std::uint64_t shifts[] = {6, 0, 27, 22};
  for (const EventInfo& event : events("ppc750gx").value())
    for (const auto& [counter, code] : event.counter_codes) {
      EncodeOptions options;
      for (unsigned other = 0; other < 4; ++other)
        if (other != counter) options.unavailable_counters.push_back(other);
      const Encoding encoding = encoded("ppc750gx", {event.name}, options);
      const std::uint64_t word = std::uint64_t{code} << shifts[counter];
      EXPECT_EQ(value_of(encoding, "MMCR0"), counter < 2 ? word : 0) << event.name;
      EXPECT_EQ(value_of(encoding, "MMCR1"), counter < 2 ? 0 : word) << event.name;
    }
}

TEST(EncodePpc750, EveryReservedNameIsRefusedAndItsRawFormTaken) {
  const auto all = reserved_events("ppc750gx").value();
  EXPECT_EQ(all.size(), 128u + 64 + 32 + 32 - (13 + 16 + 16 + 13));
  for (const EventInfo& event : all) {
    expect_refused("ppc750gx", {__LINE__, {event.name}, ErrorCode::reserved_event, {event.name}});
    const auto& [counter, code] = event.counter_codes.front();
    const std::string raw = "PMC" + std::to_string(counter + 1) + "=" + std::to_string(code);
    EXPECT_EQ(encoded("ppc750gx", {raw}).events[0].canonical, "ppc750gx::" + raw + ":k=1:u=1");
  }
}

}  // namespace
}  // namespace pmusim::encoder::test
