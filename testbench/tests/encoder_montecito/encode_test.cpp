// Montecito in C++: event strings, qualifiers, the registers written and their order, and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "testbench/tests/encoder/expect.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::string_view kTarget = "montecito";
constexpr std::uint64_t kCode = 0x4000000000000000;
constexpr std::uint64_t kData = 0x6000000000000000;
constexpr std::uint64_t kIa64 = 2u << 24;  // ism of every counter

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

TEST(MontecitoEncode, AttributesSetTheirFields) {
  // CPU_OP_CYCLES_ALL is code 0x12.
  constexpr std::uint64_t cycles = 0x1200 | kIa64;
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL"), cycles | 9) << "levels 0 and 3";
  EXPECT_EQ(only_control("cpu_op_cycles_all:U"), cycles | 8);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:k"), cycles | 1);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:plm=0"), cycles);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:plm=15"), cycles | 15);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:intr"), cycles | 9 | 1u << 5);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:pm"), cycles | 9 | 1u << 6);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:all"), cycles | 9 | 1u << 26);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:me=0"), cycles | 9 | 1u << 26);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:me"), cycles | 9);
  EXPECT_EQ(only_control("CPU_OP_CYCLES_ALL:me:all=0"), cycles | 9);
  EXPECT_EQ(only_control("NOPS_RETIRED:t=5"), 0x5000u | kIa64 | 9 | 5u << 20);
  EXPECT_EQ(only_control("BE_EXE_BUBBLE_GRALL"), 0x10200u | kIa64 | 9) << "the unit mask belongs to the event";
  EXPECT_EQ(only_control("montecito::r108:u"), 0x10800u | kIa64 | 8) << "raw: unit mask and code";
  EXPECT_EQ(only_control("r8edd"), 0xedd00u | kIa64 | 9 | 8u << 27) << "raw: line states, unit mask and code";
}

TEST(MontecitoEncode, LineStatesAddUp) {
  constexpr std::uint64_t reads = 0xedd00 | kIa64 | 9;
  EXPECT_EQ(only_control("L3_READS_ALL_MISS:I"), reads | 1u << 27);
  EXPECT_EQ(only_control("L3_READS_ALL_MISS:s"), reads | 2u << 27);
  EXPECT_EQ(only_control("L3_READS_ALL_MISS:E"), reads | 4u << 27);
  EXPECT_EQ(only_control("L3_READS_ALL_MISS:M:M"), reads | 8u << 27);
  EXPECT_EQ(only_control("L3_READS_ALL_MISS:M:E:S:I"), reads | 15u << 27);
}

TEST(MontecitoEncode, EchoesTheEventFullySpelled) {
  const Encoding encoding =
      encoded(kTarget, {"NOPS_RETIRED:u:t=2", "L3_INSERTS:m:i:all", "CPU_OP_CYCLES_ALL:intr:pm", "r8edd"});
  EXPECT_EQ(encoding.events[0].canonical, "montecito::NOPS_RETIRED:plm=8:t=2");
  EXPECT_EQ(encoding.events[0].counter, "PMD4");
  EXPECT_EQ(encoding.events[0].counter_index, 0u);
  EXPECT_EQ(encoding.events[1].canonical, "montecito::L3_INSERTS:I:M:plm=9:t=0:all=1");
  EXPECT_EQ(encoding.events[2].canonical, "montecito::CPU_OP_CYCLES_ALL:plm=9:t=0:intr=1:pm=1");
  EXPECT_EQ(encoding.events[3].canonical, "montecito::r8edd:plm=9:t=0");
}

TEST(MontecitoEncode, EveryControlIsWrittenAndTheFreezeEndsLast) {
  const Encoding encoding = encoded(kTarget, {"LOADS_RETIRED"});
  ASSERT_EQ(encoding.off.size(), 1u);
  EXPECT_EQ(encoding.off[0].name, "PMC0");
  EXPECT_EQ(encoding.off[0].value, 1u);
  EXPECT_EQ(encoding.registers.back().name, "PMC0");
  EXPECT_EQ(encoding.registers.back().value, 0u);
  EXPECT_EQ(encoding.registers.size(), 12u + 11 + 1) << "PMC4 to PMC15, PMC32 to PMC42 and PMC0";
  EXPECT_EQ(value_of(encoding, "PMC4"), kIa64) << "counts nothing";
  EXPECT_EQ(value_of(encoding, "PMC5"), 0xcd09u | kIa64) << "an L1D event must be on PMC5";
  for (const char* name : {"PMC33", "PMC35", "PMC37", "PMC39", "PMC42"})
    EXPECT_EQ(value_of(encoding, name), 0u) << name;
  EXPECT_EQ(value_of(encoding, "PMC32"), 0x030f01ffffffffffu);
  EXPECT_EQ(value_of(encoding, "PMC34"), 0x000f01ffffffffffu);
  EXPECT_EQ(value_of(encoding, "PMC36"), 0xfffffff0u);
  EXPECT_EQ(value_of(encoding, "PMC38"), 0xdb6u);
  EXPECT_EQ(value_of(encoding, "PMC40"), kIa64);
  EXPECT_EQ(value_of(encoding, "PMC41"), 0x2078fefefefeu);
  EXPECT_TRUE(encoding.sample_registers.empty());
}

TEST(MontecitoEncode, SamplingEnablesTheInterruptOfUsedCounters) {
  const Encoding encoding = encoded(kTarget, {"CPU_OP_CYCLES_ALL", "NOPS_RETIRED:intr=0"}, {.sampling = true});
  EXPECT_EQ(value_of(encoding, "PMC4"), 0x1229u | kIa64);
  EXPECT_EQ(value_of(encoding, "PMC5"), 0x5009u | kIa64);
  EXPECT_EQ(value_of(encoding, "PMC6"), kIa64);
  EXPECT_TRUE(encoding.warnings.empty());
  const Encoding halted = encoded(kTarget, {"CPU_OP_CYCLES_HALTED"}, {.sampling = true});
  ASSERT_EQ(halted.warnings.size(), 1u) << "PMD10 must not interrupt while both threads run";
  EXPECT_NE(halted.warnings[0].find("121"), std::string::npos);
}

TEST(MontecitoEncode, EarEventsSetUpTheirRegisterWithTheirOwnLevels) {
  const Encoding data = encoded(kTarget, {"CPU_OP_CYCLES_ALL:plm=15", "DATA_EAR_CACHE_LAT64:u"});
  EXPECT_EQ(value_of(data, "PMC5"), 0x200c808u) << "the counter counts what the EAR takes in";
  EXPECT_EQ(value_of(data, "PMC40"), 0x2040008u) << "latency 4 * 2^4";
  EXPECT_EQ(data.sample_registers, (std::vector<std::string>{"PMD32", "PMD33", "PMD36"}));
  const Encoding code = encoded(kTarget, {"L1I_EAR_CACHE_LAT8:u"});
  EXPECT_EQ(value_of(code, "PMC37"), 0x3fc8u);
  EXPECT_EQ(code.sample_registers, (std::vector<std::string>{"PMD34", "PMD35"}));
  const Encoding branches = encoded(kTarget, {"ETB_EVENT:u"});
  EXPECT_EQ(value_of(branches, "PMC39"), 0x3f08u) << "all branches";
  EXPECT_EQ(branches.sample_registers.size(), 2u + 16);
  EXPECT_EQ(branches.sample_registers.front(), "PMD38");
  EXPECT_EQ(branches.sample_registers.back(), "PMD63");
}

TEST(MontecitoEncode, GroupsFollowTheWires) {
  const auto counters = [](const std::vector<std::string>& events) {
    std::vector<unsigned> numbers;
    for (const EncodedEvent& event : encoded(kTarget, events).events) numbers.push_back(event.counter_index + 4);
    return numbers;
  };
  EXPECT_EQ(counters({"CPU_OP_CYCLES_ALL", "L1DTLB_TRANSFER", "L2D_REFERENCES_ALL", "L2D_OZQ_RELEASE", "BUS_ALL_SELF",
                      "L2DTLB_MISSES"}),
            (std::vector<unsigned>{8, 9, 4, 6, 7, 5}));
  EXPECT_EQ(counters({"L2D_FORCE_RECIRC_L1W", "L2D_FORCE_RECIRC_LIMBO", "L2D_FORCE_RECIRC_RECIRC",
                      "L2D_FORCE_RECIRC_TAG_OK", "CPU_OP_CYCLES_HALTED"}),
            (std::vector<unsigned>{4, 5, 8, 6, 10}));
  EXPECT_EQ(counters({"L2D_OZQ_CANCELS0_ACQ", "L2D_VICTIMB_FULL_THIS"}), (std::vector<unsigned>{4, 6}))
      << "sets 0 and 8 are two sets";
}

TEST(MontecitoEncode, TwelveEventsFit) {
  const Encoding encoding = encoded(kTarget, std::vector<std::string>(12, "NOPS_RETIRED"));
  for (unsigned i = 0; i < 12; ++i) EXPECT_EQ(encoding.events[i].counter_index, i);
  const Encoding left = encoded(kTarget, {"CPU_OP_CYCLES_ALL"}, {.unavailable_counters = {0, 2}});
  EXPECT_EQ(left.events[0].counter, "PMD5");
  EXPECT_FALSE(encode(kTarget, std::vector<std::string>{"LOADS_RETIRED"}, {.unavailable_counters = {1}}));
}

TEST(MontecitoQualifiers, CodeRanges) {
  const Encoding fine = encoded_with({"FP_OPS_RETIRED:u"}, {.irange = {"0x4000000000001010-0x40000000000080f0"}});
  EXPECT_EQ(value_of(fine, "PMC38"), 0x2d34u) << "a page of 64 KiB";
  EXPECT_EQ(value_of(fine, "IBR0"), kCode + 0x1000);
  EXPECT_EQ(value_of(fine, "IBR4"), kCode + 0x80f0);
  EXPECT_EQ(value_of(fine, "IBR1") >> 56, 8u) << "the levels of the event";
  EXPECT_EQ(value_of(fine, "PMC32") >> 56 & 3, 0u);
  EXPECT_EQ(fine.code, (std::vector<CoveredRange>{{kCode + 0x1000, kCode + 0x8100}}));
  const Encoding coarse = encoded_with({"FP_OPS_RETIRED:u"}, {.irange = {"0x4000000000014000-0x4000000000024000:4"}});
  EXPECT_EQ(value_of(coarse, "PMC38"), 0xdb4u);
  EXPECT_EQ(value_of(coarse, "IBR1"), 0x04fffffffffc0000u) << "the levels asked for";
  EXPECT_EQ(coarse.code, (std::vector<CoveredRange>{{kCode, kCode + 0x40000}})) << "approximated";
  const Encoding inverse =
      encoded_with({"FP_OPS_RETIRED:u"}, {.irange = {"0x4000000000001010-0x40000000000080f0"}, .inverse = true});
  EXPECT_EQ(value_of(inverse, "PMC32") >> 56 & 3, 1u);
  EXPECT_TRUE(inverse.warnings.empty());
  const QualifierTexts both{.irange = {"0x1000-0x1100", "0x25010-0x25080"}};
  const Encoding two =
      encoded_with({"IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35"}, both);
  EXPECT_TRUE(two.warnings.empty()) << "each on its channel";
  EXPECT_EQ(two.code, (std::vector<CoveredRange>{{0x1000, 0x1100}, {0x25000, 0x25080}}));
  for (const char* event : {"FP_OPS_RETIRED", "IA64_INST_RETIRED", "LOADS_RETIRED"}) {
    const auto refused = encode(kTarget, std::vector<std::string>{event}, {.qualifiers = qualifiers(both)});
    ASSERT_FALSE(refused) << event;
    EXPECT_EQ(refused.error().code, ErrorCode::too_many_code_ranges) << "the first range alone is on channel 0";
  }
}

// The debug register accepts levels, but the monitor compares only addresses.
TEST(MontecitoQualifiers, LevelsOfADataRangeAreWarnedAbout) {
  const Encoding levels = encoded_with({"DATA_REFERENCES_SET0"}, {.drange = {"0x1000-0x2000:8"}});
  ASSERT_EQ(levels.warnings.size(), 1u);
  EXPECT_NE(levels.warnings[0].find("levels of a data range"), std::string::npos) << levels.warnings[0];
  EXPECT_EQ(value_of(levels, "DBR1") >> 56 & 15, 8u) << "written as asked for";
  EXPECT_TRUE(encoded_with({"DATA_REFERENCES_SET0"}, {.drange = {"0x1000-0x2000"}}).warnings.empty());
}

TEST(MontecitoQualifiers, RetiredInstructionsHaveUpToFourPairs) {
  const Encoding encoding =
      encoded_with({"IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35",
                    "IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33"},
                   {.irange = {"0x400000000001fff0-0x4000000000040020"}});
  EXPECT_EQ(value_of(encoding, "PMC38"), 0xd24u);
  EXPECT_EQ(value_of(encoding, "IBR0"), kCode + 0x20000);
  EXPECT_EQ(value_of(encoding, "IBR2"), kCode + 0x1fff0);
  EXPECT_EQ(value_of(encoding, "IBR4"), kCode + 0x40000);
  EXPECT_EQ(encoding.code, (std::vector<CoveredRange>{{kCode + 0x1fff0, kCode + 0x40020}}));
}

TEST(MontecitoQualifiers, Fetches) {
  const QualifierTexts demand{.irange = {"0x1000-0x1100"}, .fetch = {"demand"}};
  EXPECT_EQ(value_of(encoded_with({"L1I_FILLS"}, demand), "PMC38"), 0x2d34u);
  const QualifierTexts prefetch{.irange = {"0x1000-0x1100"}, .fetch = {"Prefetch"}};
  EXPECT_EQ(value_of(encoded_with({"L1I_FILLS"}, prefetch), "PMC38"), 0x29a6u);
  const Encoding both = encoded_with({"L1I_FILLS"}, {.irange = {"0x1000-0x1100"}, .fetch = {"both"}});
  EXPECT_EQ(value_of(both, "PMC38"), 0x2924u);
  EXPECT_EQ(value_of(both, "IBR2"), 0x1000u);
  EXPECT_EQ(value_of(both, "IBR6"), 0x10f0u);
  EXPECT_TRUE(both.warnings.empty()) << "it is one range";
  EXPECT_EQ(both.code, (std::vector<CoveredRange>{{0x1000, 0x1100}}));
  const Encoding coarse = encoded_with({"L1I_FILLS"}, {.irange = {"0x8000-0x28000"}, .fetch = {"both"}});
  EXPECT_EQ(value_of(coarse, "PMC38"), 0xda4u) << "a pair for either";
  EXPECT_EQ(value_of(coarse, "IBR2"), value_of(coarse, "IBR0"));
  EXPECT_EQ(value_of(encoded_with({"L1I_PREFETCHES"}, {.irange = {"0x8000-0x28000"}}), "PMC38"), 0xda6u);
}

TEST(MontecitoQualifiers, DataRanges) {
  const Encoding encoding =
      encoded_with({"LOADS_RETIRED:u"}, {.drange = {"0x6000000000001000-0x6000000000001648", "8192-16384"}});
  EXPECT_EQ(value_of(encoding, "DBR0"), kData + 0x1000);
  EXPECT_EQ(value_of(encoding, "DBR6"), 0x2000u);
  EXPECT_EQ(value_of(encoding, "PMC41"), 0x1e078f6f6f6f6u);
  EXPECT_EQ(encoding.data, (std::vector<CoveredRange>{{kData + 0x1000, kData + 0x1680}, {8192, 16384}}));
}

TEST(MontecitoQualifiers, Opcodes) {
  const Encoding one = encoded_with({"IA64_INST_RETIRED:u"}, {.opcode = {"0x8000000140/0x1fffffff3f:b"}});
  EXPECT_EQ(value_of(one, "PMC32"), 0x0201001fffffff3fu) << "all 41 bits, no range";
  EXPECT_EQ(value_of(one, "PMC33"), 0x8000000140u);
  EXPECT_EQ(value_of(one, "PMC34"), 0x000f01ffffffffffu);
  const Encoding both = encoded_with({"IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33", "NOPS_RETIRED"},
                                     {.opcode = {"0x10000000000/0x1fffffffff:m", "0x8000000140/0x1fffffff3f:BI"}});
  EXPECT_EQ(value_of(both, "PMC32"), 0x0208001fffffffffu);
  EXPECT_EQ(value_of(both, "PMC33"), 0x10000000000u);
  EXPECT_EQ(value_of(both, "PMC34"), 0x0005001fffffff3fu);
  EXPECT_EQ(value_of(both, "PMC35"), 0x8000000140u);
  EXPECT_EQ(value_of(both, "PMC36"), 0xfffffff0u);
}

TEST(MontecitoQualifiers, Ears) {
  struct Row {
    const char* text;
    const char* reg;
    std::uint64_t value;
  };
  // The run counts at levels 0 and 3, so an EAR without a level setting does, too.
  for (const Row& row : {Row{"unit=data", "PMC40", 0x2000009}, Row{"unit=data,latency=4096", "PMC40", 0x20a0009},
                         Row{"unit=data,mode=cache,umask=15,plm=8", "PMC40", 0x20f0008},
                         Row{"unit=data,mode=tlb,level=l2+fault", "PMC40", 0x20a0089},
                         Row{"unit=data,mode=alat,plm=1,ism=ia64", "PMC40", 0x2000101},
                         Row{"unit=instruction", "PMC37", 0x2809}, Row{"unit=instruction,latency=rab", "PMC37", 0x2009},
                         Row{"unit=instruction,latency=1024,plm=8", "PMC37", 0x3808},
                         Row{"unit=instruction,mode=tlb,level=vhpt", "PMC37", 0x49}}) {
    EXPECT_EQ(value_of(encoded_with({"CPU_OP_CYCLES_ALL"}, {.ear = {row.text}}), row.reg), row.value) << row.text;
  }
  const Encoding both = encoded_with({"DATA_EAR_EVENTS"}, {.ear = {"unit=data", "unit=instruction"}});
  EXPECT_EQ(both.sample_registers, (std::vector<std::string>{"PMD34", "PMD35", "PMD32", "PMD33", "PMD36"}));
}

TEST(MontecitoQualifiers, TheTraceBuffer) {
  const auto branches = [](const QualifierTexts& texts) {
    return value_of(encoded_with({"CPU_OP_CYCLES_ALL:u"}, texts), "PMC39");
  };
  EXPECT_EQ(branches({.etb = {"tm=all"}}), 0x3f08u);
  EXPECT_EQ(branches({.btb = {"tm=taken"}}), 0x3e08u) << "by the name of the Itanium 2";
  EXPECT_EQ(branches({.etb = {"tm=3,ptm=wrong,ppm=right,brt=indirect,plm=1"}}), 0xe701u);
  const Encoding instructions = encoded_with({"CPU_OP_CYCLES_ALL:u"}, {.ipear = {"delay=100"}});
  EXPECT_EQ(value_of(instructions, "PMC42"), 8u | 4u << 8 | 100u << 11);
  EXPECT_EQ(value_of(instructions, "PMC39"), 0u);
  EXPECT_EQ(instructions.sample_registers.size(), 18u);
  const Encoding kernel = encoded_with({"CPU_OP_CYCLES_ALL:u"}, {.ipear = {"plm=1,delay=255"}});
  EXPECT_EQ(value_of(kernel, "PMC42"), 1u | 4u << 8 | 255u << 11);
  EXPECT_EQ(value_of(encoded_with({"CPU_OP_CYCLES_ALL:u"}, {.ipear = {""}}), "PMC42"), 8u | 4u << 8);
}

TEST(MontecitoEncode, RefusesWhatDoesNotFit) {
  using enum ErrorCode;
  for (const Refusal& row : std::vector<Refusal>{
           {__LINE__, {"CPU_OP_CYCLES_AL"}, unknown_event, {"CPU_OP_CYCLES_ALL"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:c=1"}, unknown_attribute, {"t=0..7"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:ism=ia64"}, unknown_attribute, {"IA-64 code only"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:M"}, unknown_attribute, {"no unit masks"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:t=8"}, bad_attribute_value, {"0 to 7", "'8'"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:all=2"}, bad_attribute_value, {"0 to 1"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:all:me"}, attribute_conflict, {"me and all"}},
           {__LINE__, {"L3_INSERTS"}, missing_unit_mask, {"I, S, E, M"}},
           {__LINE__, {"L3_INSERTS:X"}, unknown_unit_mask, {"I, S, E, M"}},
           {__LINE__, {"r10000"}, bad_value, {"rSUEE"}},
           {__LINE__, {"itanium2::LOADS_RETIRED"}, unknown_target, {"montecito"}},
           {__LINE__, std::vector<std::string>(13, "NOPS_RETIRED"), too_many_events, {"13", "12"}},
           {__LINE__, {"L1DTLB_TRANSFER", "LOADS_RETIRED"}, event_set_conflict, {"sets 0 and 3"}},
           {__LINE__,
            {"L2D_OZQ_RELEASE", "L2D_REFERENCES_ALL", "L2D_OZQ_ACQUIRE"},
            event_set_conflict,
            {"L2D_OZQ_ACQUIRE", "third", "1, 2, 6"}},
           {__LINE__, {"L2D_OZQ_CANCELS0_ACQ", "L2D_OZQ_CANCELS1_ANY"}, bad_value, {"one can be counted"}},
           {__LINE__,
            {"L1DTLB_TRANSFER", "L2D_REFERENCES_ALL", "L2D_REFERENCES_READS"},
            no_assignment,
            {"L2D_REFERENCES_READS", "PMC5"}},
           {__LINE__, {"CPU_OP_CYCLES_HALTED", "CPU_OP_CYCLES_HALTED"}, no_assignment, {"PMC10"}},
           {__LINE__, std::vector<std::string>(7, "BUS_IO_SELF"), no_assignment, {"PMC4", "PMC9"}},
           {__LINE__, {"DATA_EAR_TLB_ALL", "ETB_EVENT"}, event_conflict, {"execution trace buffer"}}})
    expect_refused(kTarget, row);
}

struct TextRefusal {
  int line;
  QualifierTexts texts;
  std::string words;
};

TEST(MontecitoQualifiers, TextsThatSayNothingAreRefused) {
  for (const TextRefusal& row : std::vector<TextRefusal>{{__LINE__, {.etb = {"tm=sometimes"}}, "--etb"},
                                                         {__LINE__, {.etb = {"ds=1"}}, "montecito"},
                                                         {__LINE__, {.btb = {"tm=1"}, .etb = {"tm=1"}}, "2 times"},
                                                         {__LINE__, {.ear = {"unit=data,ism=ia32"}}, "IA-64 code only"},
                                                         {__LINE__, {.ipear = {"delay=256"}}, "0 to 255"},
                                                         {__LINE__, {.ipear = {"mode=4"}}, "'mode'"},
                                                         {__LINE__, {.ipear = {"delay=1", "delay=2"}}, "2 times"},
                                                         {__LINE__, {.fetch = {"all"}}, "demand, prefetch, both"},
                                                         {__LINE__, {.fetch = {"demand", "both"}}, "2 times"},
                                                         {__LINE__, {.opcode = {"0x20000000000/0"}}, "41 bits"}}) {
    SCOPED_TRACE(testing::Message() << "row at line " << row.line);
    const auto result = parse_qualifiers(kTarget, row.texts);
    ASSERT_FALSE(result) << "was accepted";
    EXPECT_EQ(result.error().code, ErrorCode::bad_qualifier);
    EXPECT_NE(result.error().message.find(row.words), std::string::npos) << result.error().message;
  }
}

TEST(MontecitoQualifiers, TheItanium2HasNotAllOfThem) {
  EXPECT_TRUE(parse_qualifiers("itanium2", {.etb = {"ds=prediction"}})) << "the buffer by its other name";
  EXPECT_FALSE(parse_qualifiers("itanium2", {.ipear = {"delay=1"}}));
  EXPECT_FALSE(parse_qualifiers("itanium2", {.irange = {"0x1000-0x1100"}, .fetch = {"both"}}));
  Qualifiers asked;
  asked.instructions = IpFilter{};
  EXPECT_FALSE(encode("itanium2", std::vector<std::string>{"CPU_CYCLES"}, {.qualifiers = asked}));
  EXPECT_FALSE(parse_qualifiers("athlon", {.ipear = {"delay=1"}}));
}

struct RunRefusal {
  int line;
  std::vector<std::string> events;
  QualifierTexts texts;
  ErrorCode code;
};

TEST(MontecitoQualifiers, RunsThatCannotBeAreRefused) {
  using enum ErrorCode;
  const std::string range = "0x1000-0x1100";
  const std::string coarse = "0x8000-0x18000";
  for (const RunRefusal& row : std::vector<RunRefusal>{
           {__LINE__, {"CPU_OP_CYCLES_ALL"}, {.irange = {range}}, feature_conflict},
           {__LINE__, {"FP_OPS_RETIRED"}, {.drange = {range}}, feature_conflict},
           {__LINE__, {"FP_OPS_RETIRED:u", "LOADS_RETIRED:k"}, {.irange = {range}}, feature_conflict},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0x1008-0x1100"}}, unaligned_code_range},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {coarse, range}}, too_many_code_ranges},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {range, range, range}}, too_many_code_ranges},
           {__LINE__, {"L1I_PREFETCHES"}, {.irange = {range, range}}, too_many_code_ranges},
           {__LINE__, {"L1I_FILLS"}, {.irange = {range}}, missing_range_flags},
           {__LINE__, {"L1I_PREFETCHES", "CPU_OP_CYCLES_QUAL"}, {.irange = {range}}, feature_conflict},
           {__LINE__, {"L1I_PREFETCHES", "FP_OPS_RETIRED"}, {.irange = {coarse}}, feature_conflict},
           {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0-0x0200000000000000"}}, code_range_too_big},
           {__LINE__, {"LOADS_RETIRED"}, {.drange = {"0x1010-0x2070", "0x4000-0x8000"}}, too_many_data_ranges},
           {__LINE__, {"IA64_INST_RETIRED"}, {.irange = {"0x1010-0x23000"}}, bad_code_range},
           {__LINE__, {"NOPS_RETIRED"}, {.opcode = std::vector<std::string>(3, "0/0")}, bad_qualifier},
           {__LINE__, {"CPU_OP_CYCLES_ALL"}, {.fetch = {"both"}}, bad_qualifier},
           {__LINE__, {"ETB_EVENT"}, {.ipear = {"delay=1"}}, feature_conflict},
           {__LINE__, {"NOPS_RETIRED"}, {.etb = {"tm=1"}, .ipear = {"delay=1"}}, feature_conflict},
           {__LINE__, {"NOPS_RETIRED"}, {.ear = {"unit=data,mode=tlb"}, .etb = {"tm=1"}}, event_conflict}}) {
    SCOPED_TRACE(testing::Message() << "row at line " << row.line);
    const auto result = encode(kTarget, row.events, {.qualifiers = qualifiers(row.texts)});
    ASSERT_FALSE(result) << "was accepted";
    EXPECT_EQ(result.error().code, row.code) << result.error().message;
  }
}

TEST(MontecitoQualifiers, QuirksAreChosenByTheCaller) {
  const std::vector<std::string> events{"FP_OPS_RETIRED"};
  const Qualifiers range = qualifiers({.irange = {"0x14000-0x24000"}});
  EXPECT_TRUE(encode(kTarget, events, {.qualifiers = range}));
  const auto libpfms = encode(kTarget, events, {.qualifiers = range, .quirks = "libpfm-3.10"});
  ASSERT_FALSE(libpfms);
  EXPECT_EQ(libpfms.error().code, ErrorCode::feature_conflict);
}

TEST(MontecitoEncode, WarnsOfEventsThatNeverCount) {
  EXPECT_TRUE(encoded(kTarget, {"FP_OPS_RETIRED:t=5"}).warnings.empty());
  EXPECT_EQ(encoded(kTarget, {"FP_OPS_RETIRED:t=6"}).warnings.size(), 1u) << "it occurs at most 6 times";
  EXPECT_EQ(encoded(kTarget, {"NOPS_RETIRED:plm=0"}).warnings.size(), 1u);
}

std::string thread_type_of(std::string_view target, std::string_view name) {
  const auto all = events(target).value();
  const auto found = std::find_if(all.begin(), all.end(), [&](const EventInfo& event) { return event.name == name; });
  return found == all.end() ? "no such event" : found->thread_type;
}

TEST(MontecitoEvents, SayToWhichThreadTheyBelong) {
  EXPECT_EQ(thread_type_of(kTarget, "BUS_ALL_ANY"), "self-floating");
  EXPECT_EQ(thread_type_of(kTarget, "L2D_MISSES"), "floating");
  EXPECT_EQ(thread_type_of(kTarget, "SI_CYCLES"), "causal");
  EXPECT_EQ(thread_type_of(kTarget, "NOPS_RETIRED"), "active");
  EXPECT_EQ(thread_type_of("itanium2", "NOPS_RETIRED"), "");
}

std::string meaning_of(const char* name, std::uint64_t value, std::string_view field) {
  const auto decoded = decode(kTarget, name, value);
  if (!decoded) return decoded.error().message;
  for (const DecodedField& found : decoded->fields)
    if (found.name == field) return found.meaning;
  return "no such field";
}

TEST(MontecitoDecode, SaysWhatFieldsDo) {
  EXPECT_EQ(meaning_of("pmc15", 0x2501229, "threshold"), "count cycles with more than 5 occurrences");
  EXPECT_EQ(meaning_of("PMC4", 0x6001208, "all"), "both threads");
  EXPECT_EQ(meaning_of("PMC0", 0x8000, "overflow"), "counters that overflowed, by bit: 0x800");
  EXPECT_EQ(meaning_of("PMC32", 0x0201001fffffff3f, "b"), "instructions of this slot type match");
  EXPECT_EQ(meaning_of("PMC36", 0xfffffff1, "ch0_ig_opcm"), "the channel is not constrained by its matcher");
  EXPECT_EQ(meaning_of("PMC42", 0x32408, "delay"), "100 cycles");
  EXPECT_EQ(meaning_of("PMC42", 0x32408, "mode"), "the trace buffer takes in retiring instructions");
  EXPECT_EQ(meaning_of("PMC38", 0x2d34, "fine"), "pairs hold the bounds of ranges inside a page");
  EXPECT_EQ(meaning_of("PMD38", 0x2f, "ebi"), "the next entry is PMD63");
  EXPECT_NE(meaning_of("PMD39", 0x3, "pmd48ext").find("flush by the branch unit"), std::string::npos);
  EXPECT_FALSE(decode(kTarget, "PMC16", 0));
  EXPECT_FALSE(decode(kTarget, "PMD37", 0)) << "the processor has none";
  EXPECT_EQ(registers(kTarget).value().size(), 27u + 35 + 8 + 8);
}

// The fields of a register do not overlap and cover every bit.
TEST(MontecitoDecode, FieldsTileTheirRegisters) {
  for (const RegisterValue& reg : registers(kTarget).value()) {
    std::uint64_t sum = 0;
    unsigned bits = 0;
    const auto decoded = decode(kTarget, reg.name, ~std::uint64_t{0}).value();
    for (const DecodedField& field : decoded.fields) {
      const std::size_t colon = field.bits.find(':');
      const unsigned high = static_cast<unsigned>(std::stoul(field.bits));
      const unsigned low =
          colon == std::string::npos ? high : static_cast<unsigned>(std::stoul(field.bits.substr(colon + 1)));
      sum |= field.value << low;
      bits += high - low + 1;
    }
    EXPECT_EQ(sum, ~std::uint64_t{0}) << reg.name;
    EXPECT_EQ(bits, 64u) << reg.name;
  }
}

std::vector<Selection> selected(std::vector<RegisterValue> values) { return selections(kTarget, values).value(); }
RegisterValue named(const char* name, std::uint64_t value) { return {"", 0, name, 0, value}; }

TEST(MontecitoSelections, SayWhatRegistersCount) {
  const auto three = selected(
      {named("PMC4", 0x200c808), named("PMC15", 0x6001229), named("PMC40", 0x2040008), named("PMC8", 0x620edd09)});
  ASSERT_EQ(three.size(), 3u);
  EXPECT_EQ(three[0].canonical, "montecito::DATA_EAR_CACHE_LAT64:plm=8:t=0");
  EXPECT_EQ(three[1].canonical, "montecito::L3_READS_ALL_MISS:E:M:plm=9:t=0");
  EXPECT_EQ(three[2].canonical, "montecito::CPU_OP_CYCLES_ALL:plm=9:t=0:all=1:intr=1");
  EXPECT_EQ(three[2].counter, "PMD15");
  EXPECT_TRUE(three[0].notes.empty());
  EXPECT_TRUE(selected({named("PMC0", 1), named("PMC4", 0x2001208)}).empty()) << "frozen";
  EXPECT_TRUE(selected({named("PMC4", 0x2001200)}).empty()) << "off at every level";
}

// ER_REJECT_ALL_L1_REQ, on PMC4 to PMC9, and L2D_OZQ_FULL_THIS, of L2D set 5, share a code.
TEST(MontecitoSelections, ASharedCodeIsReadByTheSetOfItsCounter) {
  const auto name = [](std::vector<RegisterValue> values) {
    const std::string canonical = selected(values).back().canonical;
    return canonical.substr(0, canonical.find(":plm"));
  };
  EXPECT_EQ(name({named("PMC4", 0x200bc08)}), "montecito::L2D_OZQ_FULL_THIS") << "chooses set 5 for itself";
  EXPECT_EQ(name({named("PMC5", 0x200bc08)}), "montecito::ER_REJECT_ALL_L1_REQ");
  EXPECT_EQ(name({named("PMC12", 0x200bc08)}), "montecito::L2D_OZQ_FULL_THIS");
  EXPECT_EQ(name({named("PMC4", 0x200ec08), named("PMC5", 0x200bc08)}), "montecito::L2D_OZQ_FULL_THIS") << "set 5";
  EXPECT_EQ(name({named("PMC4", 0x203e608), named("PMC5", 0x200bc08)}), "montecito::ER_REJECT_ALL_L1_REQ") << "set 2";
  EXPECT_EQ(name({named("PMC4", 0x200ec08), named("PMC9", 0x200bc08)}), "montecito::ER_REJECT_ALL_L1_REQ")
      << "PMC6 chooses for PMC9";
}

TEST(MontecitoSelections, NoteWhatNoEventStringCanSay) {
  const auto note = [](std::uint64_t control) {
    const auto found = selected({named("PMC4", control)});
    return found.size() == 1 && found[0].notes.size() == 1 ? found[0].notes[0] : "not one note";
  };
  EXPECT_NE(note(0x2001218).find("pin"), std::string::npos);
  EXPECT_NE(note(0x1208).find("ism"), std::string::npos);
  EXPECT_NE(note(0x20edd08).find("no state"), std::string::npos);
  EXPECT_NE(note(0xa001208).find("no line states"), std::string::npos);
  EXPECT_NE(note(0x2101208).find("never counts"), std::string::npos) << "one cycle a cycle";
  EXPECT_NE(note(0x200ff08).find("no event"), std::string::npos);
  EXPECT_EQ(selected({named("PMC4", 0x20edd08)})[0].canonical, "montecito::redd:plm=8:t=0");
  EXPECT_EQ(selected({named("PMC4", 0xa07ff08)})[0].canonical, "montecito::r17ff:plm=8:t=0");
}

TEST(MontecitoPreset, ReachesTheOverflowAfterThePeriod) {
  constexpr std::uint64_t wrap = std::uint64_t{1} << 47;
  EXPECT_EQ(preset(kTarget, 0, 1).value(), wrap - 1);
  EXPECT_EQ(preset(kTarget, 11, 1000).value(), wrap - 1000);
  EXPECT_FALSE(preset(kTarget, 0, wrap + 1));
  EXPECT_FALSE(preset(kTarget, 12, 1));
}

// Linux 2.6, arch/ia64/kernel/perfmon_montecito.h: value after reset and writable bits. A register that is written
// keeps its reset value in all other bits.
TEST(MontecitoRegisters, KeepTheResetValueOfUnusedBits) {
  struct Row {
    const char* name;
    std::uint64_t reset, writable;
  };
  static constexpr Row rows[] = {{"PMC4", 0x2000000, 0x7c7fff7f},
                                 {"PMC5", 0x2000000, 0x7c7fff7f},
                                 {"PMC6", 0x2000000, 0x7c7fff7f},
                                 {"PMC7", 0x2000000, 0x7c7fff7f},
                                 {"PMC8", 0x2000000, 0x7c7fff7f},
                                 {"PMC9", 0x2000000, 0x7c7fff7f},
                                 {"PMC10", 0x2000000, 0x7c7fff7f},
                                 {"PMC11", 0x2000000, 0x7c7fff7f},
                                 {"PMC12", 0x2000000, 0x7c7fff7f},
                                 {"PMC13", 0x2000000, 0x7c7fff7f},
                                 {"PMC14", 0x2000000, 0x7c7fff7f},
                                 {"PMC15", 0x2000000, 0x7c7fff7f},
                                 {"PMC32", 0x30f01ffffffffff, 0x30f01ffffffffff},
                                 {"PMC33", 0x0, 0x1ffffffffff},
                                 {"PMC34", 0xf01ffffffffff, 0xf01ffffffffff},
                                 {"PMC35", 0x0, 0x1ffffffffff},
                                 {"PMC36", 0xfffffff0, 0xf},
                                 {"PMC37", 0x0, 0x3fff},
                                 {"PMC38", 0xdb6, 0x2492},
                                 {"PMC39", 0x0, 0xffcf},
                                 {"PMC40", 0x2000000, 0xf01cf},
                                 {"PMC41", 0x2078fefefefe, 0x1e00018181818},
                                 {"PMC42", 0x0, 0x7ff4f}};
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
