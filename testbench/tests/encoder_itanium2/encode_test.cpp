// The Itanium 2 in C++: event strings, qualifiers, the registers written and their order, and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "testbench/tests/encoder/expect.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::string_view kTarget = "itanium2";
constexpr std::uint64_t kCode = 0x4000000000000000;
constexpr std::uint64_t kData = 0x6000000000000000;
constexpr std::uint64_t kEnable = 1u << 23;  // of PMC4

Qualifiers qualifiers(const QualifierTexts& texts) {
  auto result = parse_qualifiers(kTarget, texts);
  if (result) return result.value();
  ADD_FAILURE() << result.error().message;
  return {};
}

Encoding encoded_with(const std::vector<std::string>& events, const QualifierTexts& texts) {
  return encoded(kTarget, events, {.qualifiers = qualifiers(texts)});
}

std::uint64_t only_control(const std::string& event) { return value_of(encoded(kTarget, {event}), "PMC4"); }

TEST(Itanium2Encode, AttributesSetTheirFields) {
  // CPU_CYCLES is code 0x12.
  constexpr std::uint64_t cycles = 0x1200 | kEnable;
  EXPECT_EQ(only_control("CPU_CYCLES"), cycles | 9) << "levels 0 and 3";
  EXPECT_EQ(only_control("cpu_cycles:U"), cycles | 8);
  EXPECT_EQ(only_control("CPU_CYCLES:k"), cycles | 1);
  EXPECT_EQ(only_control("CPU_CYCLES:k:u"), cycles | 9);
  EXPECT_EQ(only_control("CPU_CYCLES:plm=0"), cycles);
  EXPECT_EQ(only_control("CPU_CYCLES:plm=15"), cycles | 15);
  EXPECT_EQ(only_control("CPU_CYCLES:plm=8:u=1"), cycles | 8);
  EXPECT_EQ(only_control("CPU_CYCLES:ism=ia32"), cycles | 9 | 1u << 24);
  EXPECT_EQ(only_control("CPU_CYCLES:ism=ia64"), cycles | 9 | 2u << 24);
  EXPECT_EQ(only_control("CPU_CYCLES:ism=both"), cycles | 9);
  EXPECT_EQ(only_control("CPU_CYCLES:ism=2"), cycles | 9 | 2u << 24);
  EXPECT_EQ(only_control("CPU_CYCLES:intr"), cycles | 9 | 1u << 5);
  EXPECT_EQ(only_control("CPU_CYCLES:pm"), cycles | 9 | 1u << 6);
  EXPECT_EQ(only_control("NOPS_RETIRED:t=5"), 0x5000u | kEnable | 9 | 5u << 20);
  EXPECT_EQ(only_control("NOPS_RETIRED:t=0"), 0x5000u | kEnable | 9);
  EXPECT_EQ(only_control("BE_EXE_BUBBLE_GRALL"), 0x10200u | kEnable | 9) << "the unit mask belongs to the event";
  EXPECT_EQ(only_control("itanium2::r108:u"), 0x10800u | kEnable | 8) << "raw: unit mask and code";
}

TEST(Itanium2Encode, EchoesTheEventFullySpelled) {
  const Encoding encoding = encoded(kTarget, {"NOPS_RETIRED:u:t=2:ism=ia64", "CPU_CYCLES:intr:pm", "r108"});
  EXPECT_EQ(encoding.events[0].canonical, "itanium2::NOPS_RETIRED:plm=8:t=2:ism=ia64");
  EXPECT_EQ(encoding.events[0].counter, "PMD4");
  EXPECT_EQ(encoding.events[0].counter_index, 0u);
  EXPECT_EQ(encoding.events[1].canonical, "itanium2::CPU_CYCLES:plm=9:t=0:ism=both:intr=1:pm=1");
  EXPECT_EQ(encoding.events[2].canonical, "itanium2::r108:plm=9:t=0:ism=both");
}

TEST(Itanium2Encode, SamplingEnablesTheInterruptOfUsedCounters) {
  const Encoding encoding = encoded(kTarget, {"CPU_CYCLES", "NOPS_RETIRED:intr=0"}, {.sampling = true});
  EXPECT_EQ(value_of(encoding, "PMC4"), 0x1229u | kEnable);
  EXPECT_EQ(value_of(encoding, "PMC5"), 0x5009u);
  EXPECT_EQ(value_of(encoding, "PMC6"), 0u);
}

TEST(Itanium2Encode, EveryControlIsWrittenAndTheFreezeEndsLast) {
  const Encoding encoding = encoded(kTarget, {"LOADS_RETIRED"});
  ASSERT_EQ(encoding.off.size(), 1u);
  EXPECT_EQ(encoding.off[0].name, "PMC0");
  EXPECT_EQ(encoding.off[0].value, 1u);
  EXPECT_EQ(encoding.registers.back().name, "PMC0");
  EXPECT_EQ(encoding.registers.back().value, 0u);
  EXPECT_EQ(encoding.registers.size(), 12u + 1) << "PMC4 to PMC15 and PMC0";
  EXPECT_EQ(value_of(encoding, "PMC4"), kEnable) << "the PMU is on though PMC4 counts nothing";
  EXPECT_EQ(value_of(encoding, "PMC5"), 0xcd09u) << "an L1 cache event must be on PMC5";
  for (const char* name : {"PMC10", "PMC11", "PMC12"}) EXPECT_EQ(value_of(encoding, name), 0u) << name;
  EXPECT_EQ(value_of(encoding, "PMC8") & 1, 1u) << "no code range";
  EXPECT_EQ(value_of(encoding, "PMC13"), 0x2078fefefefeu);
  EXPECT_EQ(value_of(encoding, "PMC14"), 0x0db60db60db60db6u) << "the reset value, which Linux has";
  EXPECT_EQ(value_of(encoding, "PMC15"), 0xffffffffu);
  EXPECT_TRUE(encoding.sample_registers.empty());
}

TEST(Itanium2Encode, EarEventsSetUpTheirRegisterWithTheirOwnLevels) {
  const Encoding data = encoded(kTarget, {"CPU_CYCLES:plm=15", "DATA_EAR_CACHE_LAT64:u:ism=ia64"});
  EXPECT_EQ(value_of(data, "PMC5"), 0x200c808u) << "the counter counts what the EAR takes in";
  EXPECT_EQ(value_of(data, "PMC11"), 0x2040008u) << "latency 4 * 2^4";
  EXPECT_EQ(data.sample_registers, (std::vector<std::string>{"PMD2", "PMD3", "PMD17"}));
  const Encoding code = encoded(kTarget, {"L1I_EAR_CACHE_LAT8:u"});
  EXPECT_EQ(value_of(code, "PMC10"), 0x3fc8u);
  EXPECT_EQ(code.sample_registers, (std::vector<std::string>{"PMD0", "PMD1"}));
  const Encoding branches = encoded(kTarget, {"BRANCH_EVENT:u"});
  EXPECT_EQ(value_of(branches, "PMC12"), 0x3f08u) << "all branches";
  EXPECT_EQ(branches.sample_registers.size(), 9u);
}

TEST(Itanium2Qualifiers, CodeRanges) {
  const Encoding fine = encoded_with({"FP_OPS_RETIRED:u"}, {.irange = {"0x4000000000001010-0x40000000000010f0"}});
  EXPECT_EQ(value_of(fine, "PMC14"), 0x0db60db60db62d34u);
  EXPECT_EQ(value_of(fine, "IBR0"), kCode + 0x1000);
  EXPECT_EQ(value_of(fine, "IBR4"), kCode + 0x10f0);
  EXPECT_EQ(value_of(fine, "IBR1") >> 56, 8u) << "the levels of the event";
  EXPECT_EQ(value_of(fine, "PMC8") & 3, 0u);
  EXPECT_EQ(fine.code, (std::vector<CoveredRange>{{kCode + 0x1000, kCode + 0x1100}}));
  const Encoding coarse =
      encoded_with({"FP_OPS_RETIRED:u"}, {.irange = {"0x4000000000001010-0x40000000000010f0:4"}, .no_fine = true});
  EXPECT_EQ(value_of(coarse, "PMC14"), 0x0db60db60db60db4u);
  EXPECT_EQ(value_of(coarse, "IBR1"), 0x04ffffffffffff00u) << "the levels asked for";
  EXPECT_EQ(coarse.code, (std::vector<CoveredRange>{{kCode + 0x1000, kCode + 0x1100}}));
  const Encoding inverse =
      encoded_with({"FP_OPS_RETIRED:u"}, {.irange = {"0x4000000000001010-0x40000000000010f0"}, .inverse = true});
  EXPECT_EQ(value_of(inverse, "PMC8") & 3, 2u);
  EXPECT_TRUE(inverse.warnings.empty());
}

TEST(Itanium2Qualifiers, InverseOfPrefetchRangesIsWarnedAbout) {
  const Encoding encoding = encoded_with({"L1I_PREFETCHES"}, {.irange = {"0x1000-0x1100"}, .inverse = true});
  ASSERT_EQ(encoding.warnings.size(), 1u);
  EXPECT_NE(encoding.warnings[0].find("pair"), std::string::npos);
}

TEST(Itanium2Qualifiers, ARangeForOneOfTwoKindsOfFetchesIsWarnedAbout) {
  for (const char* event : {"L1I_FILLS", "ISB_BUNPAIRS_IN", "L1I_FETCH_RAB_HIT", "L1I_FETCH_ISB_HIT"}) {
    const Encoding one = encoded_with({event}, {.irange = {"0x1000-0x1100"}});
    ASSERT_EQ(one.warnings.size(), 1u) << event;
    EXPECT_NE(one.warnings[0].find("demand fetches only"), std::string::npos) << one.warnings[0];
    for (const std::string& warning : encoded_with({event}, {.irange = {"0x1000-0x1100", "0x1000-0x1100"}}).warnings)
      EXPECT_EQ(warning.find("demand fetches only"), std::string::npos) << warning;
    EXPECT_TRUE(encoded(kTarget, {event}).warnings.empty()) << event;
  }
  EXPECT_TRUE(encoded_with({"L1I_READS"}, {.irange = {"0x1000-0x1100"}}).warnings.empty());
}

// The debug register accepts levels, but the monitor compares only addresses.
TEST(Itanium2Qualifiers, LevelsOfADataRangeAreWarnedAbout) {
  const Encoding levels = encoded_with({"DATA_REFERENCES_SET0"}, {.drange = {"0x1000-0x2000:8"}});
  ASSERT_EQ(levels.warnings.size(), 1u);
  EXPECT_NE(levels.warnings[0].find("levels of a data range"), std::string::npos) << levels.warnings[0];
  EXPECT_TRUE(encoded_with({"DATA_REFERENCES_SET0"}, {.drange = {"0x1000-0x2000"}}).warnings.empty());
}

// libpfm_itanium2(3): the library "will never cover less" than asked. Ordinary events follow channel 0, which has the
// first range alone; channels 1 and 3 have the second.
TEST(Itanium2Qualifiers, TwoFineRangesNeedAnEventForEach) {
  const QualifierTexts two{.irange = {"0x1000-0x1100", "0x5010-0x5080"}};
  const char *first = "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", *second = "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9";
  for (const std::vector<std::string>& events : {std::vector<std::string>{"FP_OPS_RETIRED"},
                                                 {"IA64_INST_RETIRED"},
                                                 {first},
                                                 {second},
                                                 {"LOADS_RETIRED"},
                                                 {first, second, "FP_OPS_RETIRED"},
                                                 {"ISB_BUNPAIRS_IN"}}) {
    SCOPED_TRACE(events.back());
    const auto refused = encode(kTarget, events, {.qualifiers = qualifiers(two)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::too_many_code_ranges);
    EXPECT_NE(refused.error().message.find("an event for each"), std::string::npos) << refused.error().message;
  }
  const Encoding each = encoded_with({first, second}, two);
  EXPECT_TRUE(each.warnings.empty());
  EXPECT_EQ(each.code, (std::vector<CoveredRange>{{0x1000, 0x1100}, {0x5000, 0x5080}}));
  const Encoding again = encoded_with({"FP_OPS_RETIRED"}, {.irange = {"0x1000-0x1100", "0x1000-0x1100"}});
  EXPECT_EQ(again.code, (std::vector<CoveredRange>{{0x1000, 0x1100}, {0x1000, 0x1100}})) << "the first covers both";
}

TEST(Itanium2Qualifiers, DataRanges) {
  const Encoding encoding =
      encoded_with({"LOADS_RETIRED:u"}, {.drange = {"0x6000000000001000-0x6000000000001648", "8192-16384"}});
  EXPECT_EQ(value_of(encoding, "DBR0"), kData + 0x1000);
  EXPECT_EQ(value_of(encoding, "DBR6"), 0x2000u);
  EXPECT_EQ(value_of(encoding, "PMC13"), 0x1e078f6f6f6f6u);
  EXPECT_EQ(encoding.data, (std::vector<CoveredRange>{{kData + 0x1000, kData + 0x1680}, {8192, 16384}}));
}

TEST(Itanium2Qualifiers, Opcodes) {
  // nop.i: bits 40 to 37 are 0 and bits 26 to 13 are not compared; this mask compares bits 40 to 27 and 12 to 6.
  const Encoding encoding = encoded_with({"IA64_INST_RETIRED:u"}, {.opcode = {"0x8000000/0x7ffe03f:i"}});
  const std::uint64_t match = std::uint64_t{1} << 13;  // bit 27 is bit 13 of the field
  EXPECT_EQ(value_of(encoding, "PMC8"), match << 33 | std::uint64_t{0x3f} << 3 | std::uint64_t{1} << 62 | 4 | 1);
  EXPECT_EQ(value_of(encoding, "PMC15"), 0xfffffffau);
  const Encoding both = encoded_with({"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9"},
                                     {.opcode = {"0/0x1ffffffffff:m", "0/0x1ffffffffff:FB"}});
  EXPECT_EQ(value_of(both, "PMC8"), 0x800000003ffffffdu);
  EXPECT_EQ(value_of(both, "PMC9"), 0x300000003ffffffdu);
  EXPECT_EQ(value_of(both, "PMC15"), 0xfffffffcu);
}

TEST(Itanium2Qualifiers, Ears) {
  struct Row {
    const char* text;
    const char* reg;
    std::uint64_t value;
  };
  // The run counts at levels 0 and 3, so an EAR without a level setting does, too.
  for (const Row& row :
       {Row{"unit=data", "PMC11", 0x9}, Row{"unit=data,mode=cache,latency=4096", "PMC11", 0xa0009},
        Row{"unit=data,mode=cache,umask=15,plm=8", "PMC11", 0xf0008}, Row{"unit=data,mode=tlb", "PMC11", 0xe0089},
        Row{"unit=data,mode=tlb,level=l2+fault,ism=ia64", "PMC11", 0x20a0089},
        Row{"unit=data,mode=alat,plm=1", "PMC11", 0x101}, Row{"unit=instruction", "PMC10", 0x2809},
        Row{"unit=instruction,latency=rab", "PMC10", 0x2009},
        Row{"unit=instruction,mode=cache,latency=1024,plm=8", "PMC10", 0x3808},
        Row{"unit=instruction,mode=tlb,level=vhpt,ism=2", "PMC10", 0x8049}}) {
    EXPECT_EQ(value_of(encoded_with({"CPU_CYCLES"}, {.ear = {row.text}}), row.reg), row.value) << row.text;
  }
  const Encoding both = encoded_with({"DATA_EAR_EVENTS"}, {.ear = {"unit=data", "unit=instruction"}});
  EXPECT_EQ(both.sample_registers, (std::vector<std::string>{"PMD0", "PMD1", "PMD2", "PMD3", "PMD17"}));
}

TEST(Itanium2Qualifiers, Branches) {
  const auto control = [](const char* text) {
    return value_of(encoded_with({"CPU_CYCLES:u"}, {.btb = {text}}), "PMC12");
  };
  EXPECT_EQ(control("tm=all"), 0x3f08u);
  EXPECT_EQ(control("tm=taken"), 0x3e08u);
  EXPECT_EQ(control("ds=1,tm=3,ptm=1,ppm=2,brt=3"), 0xe788u);
  const auto details = encoded_with({"BRANCH_EVENT"}, {.btb = {"ds=prediction"}});
  ASSERT_EQ(details.warnings.size(), 1u);
  EXPECT_NE(details.warnings[0].find("ds=prediction is without effect"), std::string::npos) << details.warnings[0];
  EXPECT_TRUE(encoded_with({"BRANCH_EVENT"}, {.btb = {"ds=target"}}).warnings.empty());
  EXPECT_EQ(control("ds=prediction,ptm=wrong,ppm=right,brt=indirect,plm=1"), 0xe781u);
  EXPECT_EQ(control("brt=return"), 0xbf08u);
}

TEST(Itanium2Encode, GroupsFollowTheWires) {
  const Encoding encoding = encoded(kTarget, {"CPU_CYCLES", "L1DTLB_TRANSFER", "L2_REFERENCES", "L2DTLB_MISSES"});
  const std::array<const char*, 4> expected{"PMD6", "PMD5", "PMD4", "PMD7"};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(encoding.events[i].counter, expected[i]);
}

TEST(Itanium2Encode, UnavailableCountersStayFree) {
  const Encoding encoding = encoded(kTarget, {"CPU_CYCLES"}, {.unavailable_counters = {0, 2}});
  EXPECT_EQ(encoding.events[0].counter, "PMD5");
  EXPECT_FALSE(encode(kTarget, std::vector<std::string>{"LOADS_RETIRED"}, {.unavailable_counters = {1}}));
}

TEST(Itanium2Encode, RefusesWhatDoesNotFit) {
  using enum ErrorCode;
  for (const Refusal& row : std::vector<Refusal>{
           {__LINE__, {"CPU_CYCLE"}, unknown_event, {"CPU_CYCLES"}},
           {__LINE__, {"CPU_CYCLES:c=1"}, unknown_attribute, {"t=0..7"}},
           {__LINE__, {"CPU_CYCLES:e"}, unknown_attribute, {"edges"}},
           {__LINE__, {"CPU_CYCLES:ANY"}, unknown_attribute, {"no unit masks"}},
           {__LINE__, {"CPU_CYCLES:t=8"}, bad_attribute_value, {"0 to 7", "'8'"}},
           {__LINE__, {"CPU_CYCLES:plm=16"}, bad_attribute_value, {"0 to 15"}},
           {__LINE__, {"CPU_CYCLES:ism=arm"}, bad_attribute_value, {"both|ia32|ia64", "'arm'"}},
           {__LINE__, {"CPU_CYCLES:ism=3"}, bad_attribute_value, {"0 to 2"}},
           {__LINE__, {"CPU_CYCLES:t=1:t=2"}, attribute_conflict, {"set twice"}},
           {__LINE__, {"CPU_CYCLES:plm=8:k"}, attribute_conflict, {"different levels"}},
           {__LINE__, {"r1000"}, bad_value, {"rUEE"}},
           {__LINE__, {"TAGGED_L2_DATA_RETURN_POR"}, reserved_event, {"not modelled", "Intel", "rUEE"}},
           {__LINE__, {"athlon::CPU_CYCLES"}, unknown_target, {"itanium2"}},
           {__LINE__, std::vector<std::string>(5, "CPU_CYCLES"), too_many_events, {"5", "4"}},
           {__LINE__, {"L2_OZQ_ACQUIRE", "L2_FORCE_RECIRC_ANY"}, event_set_conflict, {"sets 0 and 2"}},
           {__LINE__, {"L2_OZQ_CANCELS0_ANY", "L2_OZQ_CANCELS1_REL"}, bad_value, {"one can be counted"}},
           {__LINE__, {"L2_FORCE_RECIRC_ANY", "L2_FORCE_RECIRC_L1W"}, no_assignment, {"PMC4"}},
           {__LINE__, {"L2_OZQ_ACQUIRE", "L2_IFET_CANCELS_BYPASS"}, no_assignment, {"unit mask"}},
           {__LINE__, {"DATA_EAR_TLB_ALL", "BRANCH_EVENT"}, event_conflict, {"branch trace buffer"}}})
    expect_refused(kTarget, row);
}

struct TextRefusal {
  int line;
  QualifierTexts texts;
  std::string words;
};

TEST(Itanium2Qualifiers, TextsThatSayNothingAreRefused) {
  for (const TextRefusal& row :
       std::vector<TextRefusal>{{__LINE__, {.irange = {"0x1000"}}, "START-END"},
                                {__LINE__, {.irange = {"0x1000-"}}, "START-END"},
                                {__LINE__, {.irange = {"a-b"}}, "START-END"},
                                {__LINE__, {.irange = {"0x1000-0x2000:16"}}, "PLM 1 to 15"},
                                {__LINE__, {.irange = {"0x1000-0x2000:"}}, "PLM 1 to 15"},
                                {__LINE__, {.drange = {"-5"}}, "--drange"},
                                {__LINE__, {.opcode = {"1"}}, "MATCH/MASK"},
                                {__LINE__, {.opcode = {"0x20000000000/0"}}, "41 bits"},
                                {__LINE__, {.opcode = {"0/0x1ffffffffff:x"}}, "mifb"},
                                {__LINE__, {.opcode = {"0/0x1ffffffffff:"}}, "mifb"},
                                {__LINE__, {.ear = {"mode=cache"}}, "unit="},
                                {__LINE__, {.ear = {"unit=data,mode=cache,latency=5"}}, "power of two"},
                                {__LINE__, {.ear = {"unit=data,mode=cache,latency=8192"}}, "4 to 4096"},
                                {__LINE__, {.ear = {"unit=instruction,latency=64"}}, "rab"},
                                {__LINE__, {.ear = {"unit=instruction,mode=alat"}}, "alat"},
                                {__LINE__, {.ear = {"unit=data,mode=tlb,latency=4"}}, "mode=cache"},
                                {__LINE__, {.ear = {"unit=data,level=l2"}}, "mode=tlb"},
                                {__LINE__, {.ear = {"unit=data,mode=tlb,level=l3"}}, "vhpt"},
                                {__LINE__, {.ear = {"unit=data,umask=1,latency=4"}}, "only one"},
                                {__LINE__, {.ear = {"unit=data,umask=16"}}, "0 to 15"},
                                {__LINE__, {.ear = {"unit=data,speed=4"}}, "'speed'"},
                                {__LINE__, {.ear = {"unit=data,unit=data"}}, "twice"},
                                {__LINE__, {.btb = {"tm=sometimes"}}, "nottaken"},
                                {__LINE__, {.btb = {"tm=4"}}, "0 to 3"},
                                {__LINE__, {.btb = {"ism=ia64"}}, "'ism'"},
                                {__LINE__, {.btb = {"tm=1", "tm=2"}}, "2 times"}}) {
    SCOPED_TRACE(testing::Message() << "row at line " << row.line);
    const auto result = parse_qualifiers(kTarget, row.texts);
    ASSERT_FALSE(result) << "was accepted";
    EXPECT_EQ(result.error().code, ErrorCode::bad_qualifier);
    EXPECT_NE(result.error().message.find(row.words), std::string::npos) << result.error().message;
  }
}

struct RunRefusal {
  int line;
  std::vector<std::string> events;
  QualifierTexts texts;
  ErrorCode code;
};

TEST(Itanium2Qualifiers, RunsThatCannotBeAreRefused) {
  using enum ErrorCode;
  const std::string range = "0x1000-0x1100";
  for (const RunRefusal& row : std::vector<RunRefusal>{
           {__LINE__, {"CPU_CYCLES"}, {.irange = {range}}, feature_conflict},
           {__LINE__, {"FP_OPS_RETIRED"}, {.drange = {range}}, feature_conflict},
           {__LINE__, {"CPU_CYCLES"}, {.opcode = {"0/0x1ffffffffff"}}, feature_conflict},
           {__LINE__, {"FP_OPS_RETIRED:u", "LOADS_RETIRED:k"}, {.irange = {range}}, feature_conflict},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0x1008-0x1100"}}, unaligned_code_range},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0x2000-0x1000"}}, bad_code_range},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0x1000-0x8000", range}}, too_many_code_ranges},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {range, range, range}}, too_many_code_ranges},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = std::vector<std::string>(5, range)}, bad_qualifier},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0-0"}}, bad_qualifier},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0-0x8000000000000010"}}, code_range_too_big},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0-0x0200000000000000"}}, code_range_too_big},
           {__LINE__, {"LOADS_RETIRED"}, {.drange = {"0x1010-0x2070", "0x4000-0x8000"}}, too_many_data_ranges},
           {__LINE__, {"IA64_INST_RETIRED"}, {.irange = {"0x1010-0x3000"}}, bad_code_range},
           {__LINE__, {"NOPS_RETIRED"}, {.opcode = {"0/0x1ffffffffff", "0/0x1ffffffffff"}}, feature_conflict},
           {__LINE__, {"IA64_INST_RETIRED"}, {.opcode = {"0/0"}}, bad_qualifier},
           {__LINE__, {"IA64_INST_RETIRED"}, {.opcode = std::vector<std::string>(3, "0/0x1ffffffffff")}, bad_qualifier},
           {__LINE__, {"CPU_CYCLES"}, {.ear = {"unit=data", "unit=data"}}, bad_qualifier},
           {__LINE__, {"CPU_CYCLES"}, {.ear = {"unit=data,mode=tlb"}, .btb = {"tm=1"}}, event_conflict},
           {__LINE__, {"CPU_CYCLES"}, {.no_fine = true}, bad_qualifier},
           {__LINE__, {"CPU_CYCLES"}, {.inverse = true}, bad_qualifier}}) {
    SCOPED_TRACE(testing::Message() << "row at line " << row.line);
    const auto result = encode(kTarget, row.events, {.qualifiers = qualifiers(row.texts)});
    ASSERT_FALSE(result) << "was accepted";
    EXPECT_EQ(result.error().code, row.code) << result.error().message;
  }
}

TEST(Itanium2Qualifiers, UncheckedEventsMayIgnoreAFilter) {
  const Encoding encoding = encoded_with({"CPU_CYCLES:unchecked"}, {.irange = {"0x4000-0x8000"}});
  EXPECT_EQ(value_of(encoding, "PMC14"), 0x0db60db60db60db4u);
}

TEST(Itanium2Qualifiers, OtherTargetsHaveNone) {
  EXPECT_TRUE(parse_qualifiers("athlon", {}));
  const auto texts = parse_qualifiers("athlon", {.irange = {"0x1000-0x2000"}});
  ASSERT_FALSE(texts);
  EXPECT_EQ(texts.error().code, ErrorCode::bad_qualifier);
  Qualifiers some;
  some.code.push_back({0x1000, 0x2000, 0});
  EXPECT_FALSE(encode("ppc750gx", std::vector<std::string>{"SNOOPS"}, {.qualifiers = some}));
  EXPECT_FALSE(encode("athlon", std::vector<std::string>{"r1"}, {.quirks = "libpfm-3.10"}));
  EXPECT_FALSE(parse_qualifiers("vax", {}));
}

TEST(Itanium2Qualifiers, QuirksAreChosenByTheCaller) {
  const std::vector<std::string> events{"LOADS_RETIRED"};
  const Qualifiers ranges =
      qualifiers({.drange = {"0x1000-0x2000", "0x4000-0x8000", "0x10000-0x10100", "0x20000-0x20408"}});
  const auto ours = encode(kTarget, events, {.qualifiers = ranges});
  const auto libpfms = encode(kTarget, events, {.qualifiers = ranges, .quirks = "libpfm-3.10"});
  ASSERT_TRUE(ours && libpfms);
  EXPECT_EQ(value_of(*ours, "DBR7") & 0xffff, 0xf800u);
  EXPECT_EQ(value_of(*libpfms, "DBR7") & 0xffff, 0xfc00u);
  EXPECT_FALSE(encode(kTarget, events, {.quirks = "nonsense"}));
}

TEST(Itanium2Encode, WarnsOfEventsThatNeverCount) {
  EXPECT_TRUE(encoded(kTarget, {"NOPS_RETIRED:t=5"}).warnings.empty());
  EXPECT_EQ(encoded(kTarget, {"NOPS_RETIRED:t=6"}).warnings.size(), 1u) << "it occurs at most 6 times";
  EXPECT_EQ(encoded(kTarget, {"CPU_CYCLES:plm=0"}).warnings.size(), 1u);
}

std::string meaning_of(const char* name, std::uint64_t value, std::string_view field) {
  const auto decoded = decode(kTarget, name, value);
  if (!decoded) return decoded.error().message;
  for (const DecodedField& found : decoded->fields)
    if (found.name == field) return found.meaning;
  return "no such field";
}

TEST(Itanium2Decode, SaysWhatFieldsDo) {
  EXPECT_EQ(meaning_of("pmc4", 0x501229, "plm"), "on at privilege levels 0, 3");
  EXPECT_EQ(meaning_of("PMC4", 0x501229, "threshold"), "count cycles with more than 5 occurrences");
  EXPECT_EQ(meaning_of("PMC0", 0x10, "overflow"), "counters that overflowed, by bit: 0x1");
  EXPECT_EQ(meaning_of("PMC10", 0x3fc8, "ct"), "instruction cache");
  EXPECT_EQ(meaning_of("PMC11", 0x108, "mode"), "ALAT misses");
  EXPECT_EQ(meaning_of("PMC12", 0xe788, "brt"), "indirect branches other than returns");
  EXPECT_EQ(meaning_of("PMC13", 0x2078fefefeee, "cfg_dbrp0"), "by instruction address and opcode");
  EXPECT_EQ(meaning_of("PMC14", 0x2d34, "fine"), "pairs hold the bounds of ranges inside a page");
  EXPECT_EQ(meaning_of("PMC15", 0xfffffffa, "ibrp2_pmc8"), "the channel is constrained by its matcher");
  EXPECT_EQ(meaning_of("IBR1", 0x08fffffffffff000, "plm"), "on at privilege levels 3");
  EXPECT_EQ(meaning_of("DBR1", 0x08fffffffffff000, "mask"), "0xfffffffffff000");
  EXPECT_EQ(meaning_of("PMD2", ~std::uint64_t{0}, "daddr"), "address bits 0xffffffffffffffff");
  EXPECT_FALSE(decode(kTarget, "PMC16", 0));
  EXPECT_EQ(registers(kTarget).value().size(), 16u + 18 + 8 + 8);
}

std::vector<Selection> selected(std::vector<RegisterValue> values) { return selections(kTarget, values).value(); }
RegisterValue named(const char* name, std::uint64_t value) { return {"", 0, name, 0, value}; }

TEST(Itanium2Selections, SayWhatRegistersCount) {
  const auto two = selected({named("PMC4", 0xc808 | kEnable), named("PMC6", 0x1229), named("PMC11", 0x40008)});
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].canonical, "itanium2::DATA_EAR_CACHE_LAT64:plm=8:t=0:ism=both");
  EXPECT_EQ(two[1].canonical, "itanium2::CPU_CYCLES:plm=9:t=0:ism=both:intr=1");
  EXPECT_EQ(two[1].counter, "PMD6");
  EXPECT_TRUE(two[0].notes.empty());
  EXPECT_EQ(selected({named("PMC4", 0xc808 | kEnable)})[0].canonical, "itanium2::DATA_EAR_EVENTS:plm=8:t=0:ism=both");
  EXPECT_TRUE(selected({named("PMC0", 1), named("PMC4", 0x1228 | kEnable)}).empty()) << "frozen";
  EXPECT_TRUE(selected({named("PMC4", 0x1220 | kEnable)}).empty()) << "off at every level";
}

TEST(Itanium2Selections, NoteWhatNoEventStringCanSay) {
  const auto note = [](std::uint64_t control) {
    const auto found = selected({named("PMC4", control)});
    return found.size() == 1 && found[0].notes.size() == 1 ? found[0].notes[0] : "not one note";
  };
  EXPECT_NE(note(0x1228).find("enable"), std::string::npos);
  EXPECT_NE(note(0x1238 | kEnable).find("pin"), std::string::npos);
  EXPECT_NE(note(0x3001228 | kEnable).find("ism"), std::string::npos);
  EXPECT_NE(note(0x101228 | kEnable).find("never counts"), std::string::npos) << "one cycle a cycle";
  EXPECT_NE(note(0xff08 | kEnable).find("no event"), std::string::npos);
  EXPECT_EQ(selected({named("PMC4", 0x7ff08 | kEnable)})[0].canonical, "itanium2::r7ff:plm=8:t=0:ism=both");
}

// Intel's event list (251110-001, as oprofile's events/ia64/itanium2 has it) gives one name to four codes each, and a
// fourth bit to the unit mask of both pins.
TEST(Itanium2Selections, NameTheEventOfEachCodeInIntelsList) {
  struct Case {
    std::uint64_t code, umask;
    const char *raw, *event;
  };
  const Case cases[] = {{0xa5, 0x0, "r0a5", "L2_IFET_CANCELS_ANY"},
                        {0xa9, 0x2, "r2a9", "L2_IFET_CANCELS_BYPASS"},
                        {0xad, 0xd, "rdad", "L2_IFET_CANCELS_IFETCH_BYP"},
                        {0xa5, 0x4, "r4a5", "L2_IFET_CANCELS_DIDNT_RECIR"},
                        {0xa9, 0x5, "r5a9", "L2_IFET_CANCELS_RECIR_OVER_SUB"},
                        {0xad, 0x6, "r6ad", "L2_IFET_CANCELS_ST_FILL_WB"},
                        {0xa5, 0x7, "r7a5", "L2_IFET_CANCELS_DATA_RD"},
                        {0xa9, 0x8, "r8a9", "L2_IFET_CANCELS_PREEMPT"},
                        {0xad, 0xc, "rcad", "L2_IFET_CANCELS_CHG_PRIO"},
                        {0xa6, 0x0, "r0a6", "L2_OZQ_ACQUIRE"},
                        {0xaa, 0x0, "r0aa", "L2_OZQ_ACQUIRE"},
                        {0xae, 0x0, "r0ae", "L2_OZQ_ACQUIRE"},
                        {0xa7, 0x0, "r0a7", "L2_OZQ_RELEASE"},
                        {0xab, 0x0, "r0ab", "L2_OZQ_RELEASE"},
                        {0xaf, 0x0, "r0af", "L2_OZQ_RELEASE"},
                        {0x9f, 0xf, "rf9f", "EXTERN_DP_PINS_4_TO_5_ALL"},
                        {0xbb, 0x0, "r0bb", "TAGGED_L2_DATA_RETURN_POR"}};
  for (const Case& c : cases) {
    const auto found = selected({named("PMC4", 8 | kEnable | c.code << 8 | c.umask << 16)});
    ASSERT_EQ(found.size(), 1u) << c.raw;
    EXPECT_TRUE(found[0].known) << c.raw;
    EXPECT_EQ(found[0].canonical, std::string("itanium2::") + c.raw + ":plm=8:t=0:ism=both");
    ASSERT_EQ(found[0].notes.size(), 1u) << c.raw;
    EXPECT_NE(found[0].notes[0].find(std::string(" ") + c.event + " in Intel's event list"), std::string::npos)
        << found[0].notes[0];
    EXPECT_EQ(found[0].notes[0].starts_with("not modelled"), c.code == 0xbb) << found[0].notes[0];
  }
  for (const std::uint64_t other : {0x0a4, 0x1a5, 0x1a6, 0x1af, 0x1bb, 0x79f})
    EXPECT_FALSE(selected({named("PMC4", 8 | kEnable | (other & 0xff) << 8 | other >> 8 << 16)})[0].known) << other;
  const auto never = selected({named("PMC4", 0x10a508 | kEnable)})[0].notes;
  ASSERT_EQ(never.size(), 2u);
  EXPECT_NE(never[0].find("never counts"), std::string::npos) << "one a cycle, threshold 1";
}

TEST(Itanium2Preset, ReachesTheOverflowAfterThePeriod) {
  constexpr std::uint64_t wrap = std::uint64_t{1} << 47;
  EXPECT_EQ(preset(kTarget, 0, 1).value(), wrap - 1);
  EXPECT_EQ(preset(kTarget, 3, 1000).value(), wrap - 1000);
  EXPECT_EQ(preset(kTarget, 0, wrap).value(), 0u);
  EXPECT_FALSE(preset(kTarget, 0, wrap + 1));
  EXPECT_FALSE(preset(kTarget, 0, 0));
  EXPECT_FALSE(preset(kTarget, 4, 1));
}

// Linux 2.6, arch/ia64/kernel/perfmon_mckinley.h: value after reset and writable bits. A register that is written keeps
// its reset value in all other bits.
TEST(Itanium2Registers, KeepTheResetValueOfUnusedBits) {
  struct Row {
    const char* name;
    std::uint64_t reset, writable;
  };
  static constexpr Row rows[] = {{"PMC4", 0x800000, 0xfffff7f},
                                 {"PMC5", 0x0, 0xfffff7f},
                                 {"PMC6", 0x0, 0xfffff7f},
                                 {"PMC7", 0x0, 0xfffff7f},
                                 {"PMC8", 0xffffffff3fffffff, 0xffffffff3ffffffb},
                                 {"PMC9", 0xffffffff3ffffffc, 0xffffffff3ffffffb},
                                 {"PMC10", 0x0, 0xffff},
                                 {"PMC11", 0x0, 0x30f01cf},
                                 {"PMC12", 0x0, 0xffff},
                                 {"PMC13", 0x2078fefefefe, 0x1e00018181818},
                                 {"PMC14", 0xdb60db60db60db6, 0x2492},
                                 {"PMC15", 0xfffffff0, 0xf}};
  std::size_t seen = 0;
  for (const Encoding& encoding :
       {encoded_with({"FP_OPS_RETIRED"}, {.irange = {"0x1000-0x1100"}}),
        encoded_with({"LOADS_RETIRED"}, {.drange = {"0x1000-0x2000"}}), encoded_with({"NOPS_RETIRED"}, {})}) {
    for (const Row& row : rows) {
      for (const RegisterValue& reg : encoding.registers) {
        if (reg.name != row.name) continue;
        ++seen;
        EXPECT_EQ(reg.value & ~row.writable, row.reset & ~row.writable) << row.name;
      }
    }
  }
  EXPECT_GT(seen, 30u);
}

}  // namespace
}  // namespace pmusim::encoder::test
