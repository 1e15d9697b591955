// Athlon event strings to PerfEvtSel values: the example words of the documents, every modifier at 0, at its limit and
// one past it, and refusals. The expected words are built from the bit positions of AMD publication 22007 Rev. E,
// Figure 11.
#include "expect.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t kUsr = 1u << 16;
constexpr std::uint64_t kOs = 1u << 17;
constexpr std::uint64_t kEdge = 1u << 18;
constexpr std::uint64_t kPc = 1u << 19;
constexpr std::uint64_t kInt = 1u << 20;
constexpr std::uint64_t kEn = 1u << 22;
constexpr std::uint64_t kInv = 1u << 23;
constexpr std::uint64_t mask(std::uint64_t n) { return n << 24; }
constexpr std::uint64_t unit(std::uint64_t n) { return n << 8; }
constexpr std::uint64_t kBoth = kUsr | kOs | kEn;

struct Row {
  int line;
  std::string event;
  std::uint64_t value;
  std::string canonical;
};

const Row kRows[] = {
    // Example words: perfctr's self-test, all system refills, retiring user cycles, starts of unmasked phases.
    {__LINE__, "RETIRED_INSTRUCTIONS", 0x004300C0, "RETIRED_INSTRUCTIONS:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "DATA_CACHE_REFILLS_FROM_SYSTEM", 0x00431F43, "DATA_CACHE_REFILLS_FROM_SYSTEM:ALL:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_INSTRUCTIONS:u:c=1", 0x014100C0, "RETIRED_INSTRUCTIONS:k=0:u=1:e=0:i=0:c=1"},
    {__LINE__, "INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING:i:e:c=1", 0x01C700CE,
     "INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING:k=1:u=1:e=1:i=1:c=1"},
    // Spelling.
    {__LINE__, "retired_instructions", kBoth | 0xC0, "RETIRED_INSTRUCTIONS:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "athlon::RETIRED_UOPS", kBoth | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "Athlon::Retired_Uops:K:C=0x10", kOs | kEn | mask(16) | 0xC1, "RETIRED_UOPS:k=1:u=0:e=0:i=0:c=16"},
    // Unit masks: the default, each end, sums in any order, the sum of all.
    {__LINE__, "DATA_CACHE_REFILLS:L2_SHARED", kBoth | unit(2) | 0x42,
     "DATA_CACHE_REFILLS:L2_SHARED:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "DATA_CACHE_REFILLS:l2_owned:L2_INVALID", kBoth | unit(8 + 1) | 0x42,
     "DATA_CACHE_REFILLS:L2_INVALID:L2_OWNED:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "DATA_CACHE_REFILLS:L2_OWNED:L2_OWNED", kBoth | unit(8) | 0x42,
     "DATA_CACHE_REFILLS:L2_OWNED:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "SNOOP_HITS:IC:DC:L2", kBoth | unit(7) | 0x73, "SNOOP_HITS:ALL:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "L2_REQUESTS:L2_WRITE", kBoth | unit(0x80) | 0x79, "L2_REQUESTS:L2_WRITE:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "SEGMENT_REGISTER_LOADS", kBoth | unit(0x7f) | 0x20, "SEGMENT_REGISTER_LOADS:ALL:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE:WC", kBoth | unit(2) | 0x65,
     "SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE:WC:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE", kBoth | unit(0x73) | 0x65,
     "SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE:ALL:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "BREAKPOINT_MATCHES_FOR_DR0", kBoth | 0xDC, "BREAKPOINT_MATCHES_FOR_DR0:k=1:u=1:e=0:i=0:c=0"},
    // Levels: none named, one, both, none left, and an exact level mask.
    {__LINE__, "RETIRED_UOPS:u", kUsr | kEn | 0xC1, "RETIRED_UOPS:k=0:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:k=1", kOs | kEn | 0xC1, "RETIRED_UOPS:k=1:u=0:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:u:k", kBoth | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:u=1:k=0", kUsr | kEn | 0xC1, "RETIRED_UOPS:k=0:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:u=0", kEn | 0xC1, "RETIRED_UOPS:k=0:u=0:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:plm=0", kEn | 0xC1, "RETIRED_UOPS:k=0:u=0:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:plm=1", kOs | kEn | 0xC1, "RETIRED_UOPS:k=1:u=0:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:plm=2", kUsr | kEn | 0xC1, "RETIRED_UOPS:k=0:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:plm=8", kUsr | kEn | 0xC1, "RETIRED_UOPS:k=0:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:plm=15:u:k", kBoth | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0"},
    // Each modifier at 0 and at its limit.
    {__LINE__, "RETIRED_UOPS:c=0", kBoth | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:c=255", kBoth | mask(255) | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=255"},
    {__LINE__, "RETIRED_UOPS:e=0:i=0:pc=0:intr=0", kBoth | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:e=1", kBoth | kEdge | 0xC1, "RETIRED_UOPS:k=1:u=1:e=1:i=0:c=0"},
    {__LINE__, "RETIRED_UOPS:i", kBoth | kInv | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=1:c=0"},
    {__LINE__, "RETIRED_UOPS:pc", kBoth | kPc | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0:pc=1"},
    {__LINE__, "RETIRED_UOPS:intr", kBoth | kInt | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0:intr=1"},
    {__LINE__, "RETIRED_UOPS:c=2:c=2:e:e=1", kBoth | mask(2) | kEdge | 0xC1, "RETIRED_UOPS:k=1:u=1:e=1:i=0:c=2"},
    // Raw events; a raw event that is in the table gets its name.
    {__LINE__, "r1f43", kBoth | unit(0x1f) | 0x43, "DATA_CACHE_REFILLS_FROM_SYSTEM:ALL:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "R0", kBoth, "r0000:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "rFFFF:u:c=255", kUsr | kEn | mask(255) | 0xFFFF, "rffff:k=0:u=1:e=0:i=0:c=255"},
    {__LINE__, "r0142", kBoth | unit(1) | 0x42, "DATA_CACHE_REFILLS:L2_INVALID:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "r42", kBoth | 0x42, "r0042:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "r01C0", kBoth | unit(1) | 0xC0, "r01c0:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "cpu/event=0xc0/", kBoth | 0xC0, "RETIRED_INSTRUCTIONS:k=1:u=1:e=0:i=0:c=0"},
    {__LINE__, "cpu/umask=0x2,event=0x42,cmask=3,inv,edge=1/u", kUsr | kEn | unit(2) | mask(3) | kInv | kEdge | 0x42,
     "DATA_CACHE_REFILLS:L2_SHARED:k=0:u=1:e=1:i=1:c=3"},
    {__LINE__, "cpu/event=255,umask=255,cmask=255,inv=0/:k", kOs | kEn | mask(255) | 0xFFFF,
     "rffff:k=1:u=0:e=0:i=0:c=255"},
    {__LINE__, "CPU/EVENT=0xC1/uk:pc", kBoth | kPc | 0xC1, "RETIRED_UOPS:k=1:u=1:e=0:i=0:c=0:pc=1"},
};

TEST(EncodeAthlon, RowsGiveTheirWords) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(::testing::Message() << "row at line " << row.line << ": " << row.event);
    const Encoding encoding = encoded("athlon", {row.event});
    EXPECT_EQ(value_of(encoding, "PerfEvtSel0"), row.value) << std::hex << value_of(encoding, "PerfEvtSel0");
    ASSERT_EQ(encoding.events.size(), 1u);
    EXPECT_EQ(encoding.events[0].canonical, "athlon::" + row.canonical);
    EXPECT_EQ(encoding.events[0].counter, "PerfCtr0");
  }
}

const Refusal kRefusals[] = {
    {__LINE__, {""}, ErrorCode::syntax, {"no event"}},
    {__LINE__, {"athlon::"}, ErrorCode::syntax, {"no event"}},
    {__LINE__, {"ppc750gx::RETIRED_UOPS"}, ErrorCode::unknown_target, {"athlon"}},
    {__LINE__, {"RETIRED_UOP"}, ErrorCode::unknown_event, {"RETIRED_UOP", "RETIRED_UOPS"}},
    {__LINE__, {"PROCESSOR_CYCLES"}, ErrorCode::unknown_event, {"PROCESSOR_CYCLES"}},
    {__LINE__, {"RETIRED_UOPS:"}, ErrorCode::syntax, {"empty"}},
    {__LINE__, {"RETIRED_UOPS::u"}, ErrorCode::unknown_target, {"athlon"}},
    {__LINE__, {"RETIRED_UOPS:ALL"}, ErrorCode::unknown_attribute, {"ALL", "no unit masks"}},
    {__LINE__, {"DATA_CACHE_REFILLS:L2_SHRED"}, ErrorCode::unknown_unit_mask, {"L2_SHARED", "L2_MODIFIED"}},
    {__LINE__, {"DATA_CACHE_REFILLS:SHARED"}, ErrorCode::unknown_unit_mask, {"L2_SHARED"}},
    {__LINE__, {"DATA_CACHE_REFILLS:ALL:L2_SHARED"}, ErrorCode::unit_mask_combination, {"ALL", "L2_SHARED"}},
    {__LINE__, {"RETIRED_UOPS:t=2"}, ErrorCode::unknown_attribute, {"c=0..255"}},
    {__LINE__, {"RETIRED_UOPS:marked"}, ErrorCode::unknown_attribute, {"marked"}},
    {__LINE__, {"RETIRED_UOPS:cmask=2"}, ErrorCode::unknown_attribute, {"cmask", "attributes: "}},
    {__LINE__, {"RETIRED_UOPS:c=256"}, ErrorCode::bad_attribute_value, {"256", "0 to 255"}},
    {__LINE__, {"RETIRED_UOPS:c=-1"}, ErrorCode::bad_attribute_value, {"0 to 255"}},
    {__LINE__, {"RETIRED_UOPS:c=18446744073709551616"}, ErrorCode::bad_attribute_value, {"0 to 255"}},
    {__LINE__, {"RETIRED_UOPS:c"}, ErrorCode::bad_attribute_value, {"0 to 255"}},
    {__LINE__, {"RETIRED_UOPS:c="}, ErrorCode::bad_attribute_value, {"0 to 255"}},
    {__LINE__, {"RETIRED_UOPS:c=1x"}, ErrorCode::bad_attribute_value, {"1x"}},
    {__LINE__, {"RETIRED_UOPS:plm"}, ErrorCode::bad_attribute_value, {"0 to 15"}},
    {__LINE__, {"RETIRED_UOPS:c=1:c=2"}, ErrorCode::attribute_conflict, {"c is set twice"}},
    {__LINE__, {"RETIRED_UOPS:u:u=0"}, ErrorCode::attribute_conflict, {"u is set twice"}},
    {__LINE__, {"RETIRED_UOPS:plm=1:u"}, ErrorCode::attribute_conflict, {"plm=1"}},
    {__LINE__, {"r10000"}, ErrorCode::bad_value, {"rUUEE"}},
    {__LINE__, {"r"}, ErrorCode::unknown_event, {"'r'"}},
    {__LINE__, {"cpu/event=0x100/"}, ErrorCode::bad_attribute_value, {"0 to 255"}},
    {__LINE__, {"cpu/event=1,umask=256/"}, ErrorCode::bad_attribute_value, {"umask"}},
    {__LINE__, {"cpu/event=1,cmask=256/"}, ErrorCode::bad_attribute_value, {"cmask"}},
    {__LINE__, {"cpu/event=1,inv=2/"}, ErrorCode::bad_attribute_value, {"inv"}},
    {__LINE__, {"cpu/umask=1/"}, ErrorCode::syntax, {"event="}},
    {__LINE__, {"cpu/event=1"}, ErrorCode::syntax, {"closing"}},
    {__LINE__, {"cpu/event=1/x"}, ErrorCode::syntax, {"u and k"}},
    {__LINE__, {"cpu/event=1,umsk=2/"}, ErrorCode::syntax, {"umask"}},
    {__LINE__, {"cpu//"}, ErrorCode::syntax, {"cpu/event="}},
    {__LINE__, {"cpu/event=1,event=1/"}, ErrorCode::attribute_conflict, {"twice"}},
    {__LINE__, {"cpu/event=1,inv/:i=0"}, ErrorCode::attribute_conflict, {"i is set twice"}},
    {__LINE__, {"RETIRED_\x01\nUOPS"}, ErrorCode::unknown_event, {"\\x01\\x0a"}},
    {__LINE__,
     {"RETIRED_UOPS", "RETIRED_UOPS", "RETIRED_UOPS", "RETIRED_UOPS", "RETIRED_UOPS"},
     ErrorCode::too_many_events,
     {"5 events", "4 counters"}},
};

TEST(EncodeAthlon, RefusalsNameWordAndLimit) {
  for (const Refusal& row : kRefusals) expect_refused("athlon", row);
}

TEST(EncodeAthlon, FourEventsFillTheCountersInOrder) {
  const Encoding encoding = encoded("athlon", {"RETIRED_UOPS", "CPU_CLK_UNHALTED:k", "RETIRED_UOPS:c=3", "r40"});
  EXPECT_EQ(value_of(encoding, "PerfEvtSel0"), kBoth | 0xC1);
  EXPECT_EQ(value_of(encoding, "PerfEvtSel1"), kOs | kEn | 0x76);
  EXPECT_EQ(value_of(encoding, "PerfEvtSel2"), kBoth | mask(3) | 0xC1);
  EXPECT_EQ(value_of(encoding, "PerfEvtSel3"), kBoth | 0x40);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(encoding.events[i].counter_index, i);
}

TEST(EncodeAthlon, UnusedSelectorsAreWrittenZero) {
  const Encoding encoding = encoded("athlon", {"RETIRED_UOPS"});
  ASSERT_EQ(encoding.registers.size(), 4u);
  for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(encoding.registers[i].value, 0u);
  ASSERT_EQ(encoding.off.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(encoding.off[i].value, 0u);
    EXPECT_EQ(encoding.off[i].number, 0xC0010000u + i);
    EXPECT_EQ(encoding.registers[i].number, 0xC0010000u + i);
    EXPECT_EQ(encoding.registers[i].space, "msr");
    EXPECT_EQ(encoding.registers[i].width, 64u);
  }
}

TEST(EncodeAthlon, SamplingSetsTheInterruptOfTheCountersUsed) {
  const Encoding encoding = encoded("athlon", {"CPU_CLK_UNHALTED", "RETIRED_UOPS:intr=0"}, {.sampling = true});
  EXPECT_EQ(value_of(encoding, "PerfEvtSel0"), 0x00530076u);  // the NMI watchdog's word
  EXPECT_EQ(value_of(encoding, "PerfEvtSel1"), kBoth | 0xC1) << "intr=0 takes an event out";
  EXPECT_EQ(value_of(encoding, "PerfEvtSel2"), 0u);
}

TEST(EncodeAthlon, UnavailableCountersAreLeftAlone) {
  const Encoding encoding = encoded("athlon", {"RETIRED_UOPS", "CPU_CLK_UNHALTED"}, {.unavailable_counters = {0, 2}});
  EXPECT_EQ(encoding.events[0].counter, "PerfCtr1");
  EXPECT_EQ(encoding.events[1].counter, "PerfCtr3");
  EXPECT_EQ(value_of(encoding, "PerfEvtSel0"), 0u);
  expect_refused("athlon", {__LINE__, {"r1", "r2", "r3"}, ErrorCode::too_many_events, {"2 available", "PerfCtr1"}},
                 {.unavailable_counters = {0, 2}});
  expect_refused("athlon", {__LINE__, {"r1"}, ErrorCode::bad_value, {"0 to 3"}}, {.unavailable_counters = {4}});
}

TEST(EncodeAthlon, NeverCountingIsWarnedAbout) {
  EXPECT_EQ(encoded("athlon", {"RETIRED_UOPS:u=0"}).warnings.size(), 1u);
  EXPECT_TRUE(encoded("athlon", {"RETIRED_UOPS"}).warnings.empty());
}

TEST(EncodeAthlon, EveryEventAndMaskEncodesToItsCode) {
  const auto all = events("athlon").value();
  for (const EventInfo& event : all) {
    for (const UnitMaskInfo& one : event.unit_masks)
      EXPECT_EQ(value_of(encoded("athlon", {event.name + ":" + one.name}), "PerfEvtSel0"),
                kBoth | unit(one.code) | event.code);
    if (event.unit_masks.empty()) {
      EXPECT_EQ(value_of(encoded("athlon", {event.name}), "PerfEvtSel0"), kBoth | event.code);
    }
  }
}

TEST(Encode, UnknownTargetNamesTheNearest) {
  const std::vector<std::string> none;
  const auto result = encode("athlonn", none);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unknown_target);
  EXPECT_NE(result.error().message.find("did you mean athlon?"), std::string::npos) << result.error().message;
}

}  // namespace
}  // namespace pmusim::encoder::test
