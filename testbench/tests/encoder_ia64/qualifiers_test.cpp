// Qualifiers of the IA-64 processors: their texts, the registers and ranges that come of them, warnings and refusals.
#include <gtest/gtest.h>

#include <optional>

#include "testbench/tests/encoder/expect.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t kCode = 0x4000000000000000;
constexpr std::uint64_t kData = 0x6000000000000000;

struct Expected {
  std::vector<Reg> registers = {};
  std::vector<CoveredRange> code = {}, data = {};
  Names samples = {};                       ///< registers to read at a sample, if any
  std::optional<std::string> warning = {};  ///< words of the only warning; empty: there is none
};
/// A run of events and qualifiers, and what comes of it.
struct Run {
  int line;
  Names events;
  QualifierTexts texts;
  Expected expected;
};

void expect_runs(std::string_view target, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    SCOPED_TRACE(testing::Message() << "row at line " << run.line);
    const Encoding encoding = encoded_with(target, run.events, run.texts);
    const Expected& expected = run.expected;
    expect_registers(encoding, expected.registers);
    EXPECT_TRUE(expected.code.empty() || encoding.code == expected.code);
    EXPECT_TRUE(expected.data.empty() || encoding.data == expected.data);
    EXPECT_TRUE(expected.samples.empty() || encoding.sample_registers == expected.samples);
    if (!expected.warning) continue;
    ASSERT_EQ(encoding.warnings.size(), expected.warning->empty() ? 0u : 1u);
    if (!encoding.warnings.empty()) {
      EXPECT_NE(encoding.warnings[0].find(*expected.warning), std::string::npos) << encoding.warnings[0];
    }
  }
}

TEST(Ia64Encode, EarEventsSetUpTheirRegisterWithTheirOwnLevels) {
  // The counter counts what the EAR takes in; latency 4 * 2^4.
  expect_runs(
      "itanium2",
      {{__LINE__,
        {"CPU_CYCLES:plm=15", "DATA_EAR_CACHE_LAT64:u:ism=ia64"},
        {},
        {.registers = {{"PMC5", 0x200c808}, {"PMC11", 0x2040008}}, .samples = {"PMD2", "PMD3", "PMD17"}}},
       {__LINE__, {"L1I_EAR_CACHE_LAT8:u"}, {}, {.registers = {{"PMC10", 0x3fc8}}, .samples = {"PMD0", "PMD1"}}},
       {__LINE__, {"BRANCH_EVENT:u"}, {}, {.registers = {{"PMC12", 0x3f08}}}}});
  expect_runs(
      "montecito",
      {{__LINE__,
        {"CPU_OP_CYCLES_ALL:plm=15", "DATA_EAR_CACHE_LAT64:u"},
        {},
        {.registers = {{"PMC5", 0x200c808}, {"PMC40", 0x2040008}}, .samples = {"PMD32", "PMD33", "PMD36"}}},
       {__LINE__, {"L1I_EAR_CACHE_LAT8:u"}, {}, {.registers = {{"PMC37", 0x3fc8}}, .samples = {"PMD34", "PMD35"}}},
       {__LINE__, {"ETB_EVENT:u"}, {}, {.registers = {{"PMC39", 0x3f08}}}}});
  EXPECT_EQ(encoded("itanium2", {"BRANCH_EVENT:u"}).sample_registers.size(), 9u);
  const Names buffer = encoded("montecito", {"ETB_EVENT:u"}).sample_registers;
  EXPECT_EQ(buffer.size(), 2u + 16);
  EXPECT_EQ(buffer.front(), "PMD38");
  EXPECT_EQ(buffer.back(), "PMD63");
}

TEST(Itanium2Qualifiers, Ranges) {
  const std::string small = "0x4000000000001010-0x40000000000010f0";
  const std::vector<CoveredRange> around{{kCode + 0x1000, kCode + 0x1100}};
  expect_runs(
      "itanium2",
      {{__LINE__,
        {"FP_OPS_RETIRED:u"},
        {.irange = {small}},
        {.registers =
             {{"PMC14", 0x0db60db60db62d34}, {"IBR0", kCode + 0x1000}, {"IBR4", kCode + 0x10f0}, {"PMC8", 0, 3}},
         .code = around}},
       {__LINE__,
        {"FP_OPS_RETIRED:u"},
        {.irange = {small + ":4"}, .no_fine = true},
        {.registers = {{"PMC14", 0x0db60db60db60db4}, {"IBR1", 0x04ffffffffffff00}}, .code = around}},
       {__LINE__,
        {"FP_OPS_RETIRED:u"},
        {.irange = {small}, .inverse = true},
        {.registers = {{"PMC8", 2, 3}}, .warning = ""}},
       {__LINE__,
        {"LOADS_RETIRED:u"},
        {.drange = {"0x6000000000001000-0x6000000000001648", "8192-16384"}},
        {.registers = {{"DBR0", kData + 0x1000}, {"DBR6", 0x2000}, {"PMC13", 0x1e078f6f6f6f6}},
         .data = {{kData + 0x1000, kData + 0x1680}, {8192, 16384}}}},
       {__LINE__,
        {"CPU_CYCLES:unchecked"},
        {.irange = {"0x4000-0x8000"}},
        {.registers = {{"PMC14", 0x0db60db60db60db4}}}},
       {__LINE__, {"L1I_PREFETCHES"}, {.irange = {"0x1000-0x1100"}, .inverse = true}, {.warning = "pair"}}});
}

TEST(Itanium2Qualifiers, ARangeForOneOfTwoKindsOfFetchesIsWarnedAbout) {
  const std::string range = "0x1000-0x1100", words = "demand fetches only";
  for (const char* event : {"L1I_FILLS", "ISB_BUNPAIRS_IN", "L1I_FETCH_RAB_HIT", "L1I_FETCH_ISB_HIT"}) {
    expect_runs("itanium2", {{__LINE__, {event}, {.irange = {range}}, {.warning = words}},
                             {__LINE__, {event}, {}, {.warning = ""}}});
    for (const std::string& warning : encoded_with("itanium2", {event}, {.irange = {range, range}}).warnings)
      EXPECT_EQ(warning.find(words), std::string::npos) << warning;
  }
  expect_runs("itanium2", {{__LINE__, {"L1I_READS"}, {.irange = {range}}, {.warning = ""}}});
}

// The debug register accepts levels, but the monitor compares only addresses.
TEST(Ia64Qualifiers, LevelsOfADataRangeAreWarnedAbout) {
  for (const char* target : {"itanium2", "montecito"})
    expect_runs(target, {{__LINE__,  // written as asked for
                          {"DATA_REFERENCES_SET0"},
                          {.drange = {"0x1000-0x2000:8"}},
                          {.registers = {{"DBR1", 8ull << 56, 15ull << 56}}, .warning = "levels of a data range"}},
                         {__LINE__, {"DATA_REFERENCES_SET0"}, {.drange = {"0x1000-0x2000"}}, {.warning = ""}}});
}

void expect_two_ranges_refused(std::string_view target, const QualifierTexts& two, const std::vector<Names>& runs) {
  for (const Names& events : runs) {
    SCOPED_TRACE(events.back());
    const auto refused = encode(target, events, {.qualifiers = qualifiers(target, two)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::too_many_code_ranges);
    EXPECT_NE(refused.error().message.find("an event for each"), std::string::npos) << refused.error().message;
  }
}

// libpfm_itanium2(3): the library "will never cover less" than asked. Ordinary events follow channel 0, which has the
// first range alone; channels 1 and 3 have the second.
TEST(Ia64Qualifiers, TwoFineRangesNeedAnEventForEach) {
  const QualifierTexts two{.irange = {"0x1000-0x1100", "0x5010-0x5080"}};
  const std::string first = "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", second = "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9";
  expect_two_ranges_refused("itanium2", two,
                            {{"FP_OPS_RETIRED"},
                             {"IA64_INST_RETIRED"},
                             {first},
                             {second},
                             {"LOADS_RETIRED"},
                             {first, second, "FP_OPS_RETIRED"},
                             {"ISB_BUNPAIRS_IN"}});
  expect_runs("itanium2",
              {{__LINE__, {first, second}, two, {.code = {{0x1000, 0x1100}, {0x5000, 0x5080}}, .warning = ""}},
               {__LINE__,  // the first covers both
                {"FP_OPS_RETIRED"},
                {.irange = {"0x1000-0x1100", "0x1000-0x1100"}},
                {.code = {{0x1000, 0x1100}, {0x1000, 0x1100}}}}});
  const QualifierTexts pages{.irange = {"0x1000-0x1100", "0x25010-0x25080"}};
  expect_two_ranges_refused("montecito", pages, {{"FP_OPS_RETIRED"}, {"IA64_INST_RETIRED"}, {"LOADS_RETIRED"}});
  expect_runs("montecito", {{__LINE__,
                             {"IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35"},
                             pages,
                             {.code = {{0x1000, 0x1100}, {0x25000, 0x25080}}, .warning = ""}}});
}

TEST(MontecitoQualifiers, Ranges) {
  const std::string small = "0x4000000000001010-0x40000000000080f0";
  expect_runs(
      "montecito",
      {{__LINE__,  // a page of 64 KiB
        {"FP_OPS_RETIRED:u"},
        {.irange = {small}},
        {.registers = {{"PMC38", 0x2d34}, {"IBR0", kCode + 0x1000}, {"IBR4", kCode + 0x80f0}, {"PMC32", 0, 3ull << 56}},
         .code = {{kCode + 0x1000, kCode + 0x8100}}}},
       {__LINE__,  // approximated
        {"FP_OPS_RETIRED:u"},
        {.irange = {"0x4000000000014000-0x4000000000024000:4"}},
        {.registers = {{"PMC38", 0xdb4}, {"IBR1", 0x04fffffffffc0000}}, .code = {{kCode, kCode + 0x40000}}}},
       {__LINE__,
        {"FP_OPS_RETIRED:u"},
        {.irange = {small}, .inverse = true},
        {.registers = {{"PMC32", 1ull << 56, 3ull << 56}}, .warning = ""}},
       {__LINE__,
        {"LOADS_RETIRED:u"},
        {.drange = {"0x6000000000001000-0x6000000000001648", "8192-16384"}},
        {.registers = {{"DBR0", kData + 0x1000}, {"DBR6", 0x2000}, {"PMC41", 0x1e078f6f6f6f6}},
         .data = {{kData + 0x1000, kData + 0x1680}, {8192, 16384}}}}});
}

TEST(MontecitoQualifiers, RetiredInstructionsHaveUpToFourPairs) {
  expect_runs("montecito", {{__LINE__,
                             {"IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35",
                              "IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33"},
                             {.irange = {"0x400000000001fff0-0x4000000000040020"}},
                             {.registers = {{"PMC38", 0xd24},
                                            {"IBR0", kCode + 0x20000},
                                            {"IBR2", kCode + 0x1fff0},
                                            {"IBR4", kCode + 0x40000}},
                              .code = {{kCode + 0x1fff0, kCode + 0x40020}}}}});
}

TEST(MontecitoQualifiers, Fetches) {
  expect_runs("montecito",
              {{__LINE__,
                {"L1I_FILLS"},
                {.irange = {"0x1000-0x1100"}, .fetch = {"demand"}},
                {.registers = {{"PMC38", 0x2d34}}}},
               {__LINE__,
                {"L1I_FILLS"},
                {.irange = {"0x1000-0x1100"}, .fetch = {"Prefetch"}},
                {.registers = {{"PMC38", 0x29a6}}}},
               {__LINE__,  // it is one range
                {"L1I_FILLS"},
                {.irange = {"0x1000-0x1100"}, .fetch = {"both"}},
                {.registers = {{"PMC38", 0x2924}, {"IBR2", 0x1000}, {"IBR6", 0x10f0}},
                 .code = {{0x1000, 0x1100}},
                 .warning = ""}},
               {__LINE__,  // a pair for either
                {"L1I_FILLS"},
                {.irange = {"0x8000-0x28000"}, .fetch = {"both"}},
                {.registers = {{"PMC38", 0xda4}, {"IBR0", 0}, {"IBR2", 0}}}},
               {__LINE__, {"L1I_PREFETCHES"}, {.irange = {"0x8000-0x28000"}}, {.registers = {{"PMC38", 0xda6}}}}});
}

TEST(Ia64Qualifiers, Opcodes) {
  // nop.i: bits 40 to 37 are 0 and bits 26 to 13 are not compared; this mask compares bits 40 to 27 and 12 to 6.
  constexpr std::uint64_t match = std::uint64_t{1} << 13;  // bit 27 is bit 13 of the field
  expect_runs("itanium2",
              {{__LINE__,
                {"IA64_INST_RETIRED:u"},
                {.opcode = {"0x8000000/0x7ffe03f:i"}},
                {.registers = {{"PMC8", match << 33 | std::uint64_t{0x3f} << 3 | std::uint64_t{1} << 62 | 4 | 1},
                               {"PMC15", 0xfffffffa}}}},
               {__LINE__,
                {"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9"},
                {.opcode = {"0/0x1ffffffffff:m", "0/0x1ffffffffff:FB"}},
                {.registers = {{"PMC8", 0x800000003ffffffd}, {"PMC9", 0x300000003ffffffd}, {"PMC15", 0xfffffffc}}}}});
  expect_runs("montecito",
              {{__LINE__,  // all 41 bits, no range
                {"IA64_INST_RETIRED:u"},
                {.opcode = {"0x8000000140/0x1fffffff3f:b"}},
                {.registers = {{"PMC32", 0x0201001fffffff3f}, {"PMC33", 0x8000000140}, {"PMC34", 0x000f01ffffffffff}}}},
               {__LINE__,
                {"IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33", "NOPS_RETIRED"},
                {.opcode = {"0x10000000000/0x1fffffffff:m", "0x8000000140/0x1fffffff3f:BI"}},
                {.registers = {{"PMC32", 0x0208001fffffffff},
                               {"PMC33", 0x10000000000},
                               {"PMC34", 0x0005001fffffff3f},
                               {"PMC35", 0x8000000140},
                               {"PMC36", 0xfffffff0}}}}});
}

// The run counts at levels 0 and 3, so an EAR without a level setting does, too.
TEST(Itanium2Qualifiers, Ears) {
  struct Row {
    const char *target, *event, *text, *reg;
    std::uint64_t value;
  };
  constexpr const char *i2 = "itanium2", *mont = "montecito", *cycles = "CPU_CYCLES", *all = "CPU_OP_CYCLES_ALL";
  for (const Row& row : {Row{i2, cycles, "unit=data", "PMC11", 0x9},
                         {i2, cycles, "unit=data,mode=cache,latency=4096", "PMC11", 0xa0009},
                         {i2, cycles, "unit=data,mode=cache,umask=15,plm=8", "PMC11", 0xf0008},
                         {i2, cycles, "unit=data,mode=tlb", "PMC11", 0xe0089},
                         {i2, cycles, "unit=data,mode=tlb,level=l2+fault,ism=ia64", "PMC11", 0x20a0089},
                         {i2, cycles, "unit=data,mode=alat,plm=1", "PMC11", 0x101},
                         {i2, cycles, "unit=instruction", "PMC10", 0x2809},
                         {i2, cycles, "unit=instruction,latency=rab", "PMC10", 0x2009},
                         {i2, cycles, "unit=instruction,mode=cache,latency=1024,plm=8", "PMC10", 0x3808},
                         {i2, cycles, "unit=instruction,mode=tlb,level=vhpt,ism=2", "PMC10", 0x8049},
                         {mont, all, "unit=data", "PMC40", 0x2000009},
                         {mont, all, "unit=data,mode=tlb,level=l2+fault", "PMC40", 0x20a0089},
                         {mont, all, "unit=data,mode=alat,plm=1,ism=ia64", "PMC40", 0x2000101},
                         {mont, all, "unit=instruction,latency=rab", "PMC37", 0x2009},
                         {mont, all, "unit=instruction,mode=tlb,level=vhpt", "PMC37", 0x49}}) {
    EXPECT_EQ(value_of(encoded_with(row.target, {row.event}, {.ear = {row.text}}), row.reg), row.value) << row.text;
  }
  const QualifierTexts both{.ear = {"unit=data", "unit=instruction"}};
  expect_runs(i2, {{__LINE__, {"DATA_EAR_EVENTS"}, both, {.samples = {"PMD0", "PMD1", "PMD2", "PMD3", "PMD17"}}}});
  expect_runs(mont,
              {{__LINE__, {"DATA_EAR_EVENTS"}, both, {.samples = {"PMD34", "PMD35", "PMD32", "PMD33", "PMD36"}}}});
}

TEST(Ia64Qualifiers, Branches) {
  const Names cycles{"CPU_CYCLES:u"}, all{"CPU_OP_CYCLES_ALL:u"};
  expect_runs("itanium2",
              {{__LINE__, cycles, {.btb = {"tm=all"}}, {.registers = {{"PMC12", 0x3f08}}}},
               {__LINE__, cycles, {.btb = {"tm=taken"}}, {.registers = {{"PMC12", 0x3e08}}}},
               {__LINE__, cycles, {.btb = {"ds=1,tm=3,ptm=1,ppm=2,brt=3"}}, {.registers = {{"PMC12", 0xe788}}}},
               {__LINE__,
                cycles,
                {.btb = {"ds=prediction,ptm=wrong,ppm=right,brt=indirect,plm=1"}},
                {.registers = {{"PMC12", 0xe781}}}},
               {__LINE__, cycles, {.btb = {"brt=return"}}, {.registers = {{"PMC12", 0xbf08}}}},
               {__LINE__, {"BRANCH_EVENT"}, {.btb = {"ds=prediction"}}, {.warning = "ds=prediction is without effect"}},
               {__LINE__, {"BRANCH_EVENT"}, {.btb = {"ds=target"}}, {.warning = ""}}});
  expect_runs(
      "montecito",
      {{__LINE__, all, {.etb = {"tm=all"}}, {.registers = {{"PMC39", 0x3f08}}}},
       {__LINE__, all, {.btb = {"tm=taken"}}, {.registers = {{"PMC39", 0x3e08}}}},  // by the name of the Itanium 2
       {__LINE__, all, {.etb = {"tm=3,ptm=wrong,ppm=right,brt=indirect,plm=1"}}, {.registers = {{"PMC39", 0xe701}}}},
       {__LINE__, all, {.ipear = {"delay=100"}}, {.registers = {{"PMC42", 8u | 4u << 8 | 100u << 11}, {"PMC39", 0}}}},
       {__LINE__, all, {.ipear = {"plm=1,delay=255"}}, {.registers = {{"PMC42", 1u | 4u << 8 | 255u << 11}}}},
       {__LINE__, all, {.ipear = {""}}, {.registers = {{"PMC42", 8u | 4u << 8}}}}});
  EXPECT_EQ(encoded_with("montecito", all, {.ipear = {"delay=100"}}).sample_registers.size(), 18u);
}

struct TextRefusal {
  int line;
  const char* target;
  QualifierTexts texts;
  std::string words;
};

TEST(Ia64Qualifiers, TextsThatSayNothingAreRefused) {
  constexpr const char *i2 = "itanium2", *mont = "montecito";
  for (const TextRefusal& row :
       std::vector<TextRefusal>{{__LINE__, i2, {.irange = {"0x1000"}}, "START-END"},
                                {__LINE__, i2, {.irange = {"0x1000-"}}, "START-END"},
                                {__LINE__, i2, {.irange = {"a-b"}}, "START-END"},
                                {__LINE__, i2, {.irange = {"0x1000-0x2000:16"}}, "PLM 1 to 15"},
                                {__LINE__, i2, {.irange = {"0x1000-0x2000:"}}, "PLM 1 to 15"},
                                {__LINE__, i2, {.drange = {"-5"}}, "--drange"},
                                {__LINE__, i2, {.opcode = {"1"}}, "MATCH/MASK"},
                                {__LINE__, i2, {.opcode = {"0x20000000000/0"}}, "41 bits"},
                                {__LINE__, i2, {.opcode = {"0/0x1ffffffffff:x"}}, "mifb"},
                                {__LINE__, i2, {.opcode = {"0/0x1ffffffffff:"}}, "mifb"},
                                {__LINE__, i2, {.ear = {"mode=cache"}}, "unit="},
                                {__LINE__, i2, {.ear = {"unit=data,mode=cache,latency=5"}}, "power of two"},
                                {__LINE__, i2, {.ear = {"unit=data,mode=cache,latency=8192"}}, "4 to 4096"},
                                {__LINE__, i2, {.ear = {"unit=instruction,latency=64"}}, "rab"},
                                {__LINE__, i2, {.ear = {"unit=instruction,mode=alat"}}, "alat"},
                                {__LINE__, i2, {.ear = {"unit=data,mode=tlb,latency=4"}}, "mode=cache"},
                                {__LINE__, i2, {.ear = {"unit=data,level=l2"}}, "mode=tlb"},
                                {__LINE__, i2, {.ear = {"unit=data,mode=tlb,level=l3"}}, "vhpt"},
                                {__LINE__, i2, {.ear = {"unit=data,umask=1,latency=4"}}, "only one"},
                                {__LINE__, i2, {.ear = {"unit=data,umask=16"}}, "0 to 15"},
                                {__LINE__, i2, {.ear = {"unit=data,speed=4"}}, "'speed'"},
                                {__LINE__, i2, {.ear = {"unit=data,unit=data"}}, "twice"},
                                {__LINE__, i2, {.btb = {"tm=sometimes"}}, "nottaken"},
                                {__LINE__, i2, {.btb = {"tm=4"}}, "0 to 3"},
                                {__LINE__, i2, {.btb = {"ism=ia64"}}, "'ism'"},
                                {__LINE__, i2, {.btb = {"tm=1", "tm=2"}}, "2 times"},
                                {__LINE__, i2, {.ipear = {"delay=1"}}, ""},
                                {__LINE__, i2, {.irange = {"0x1000-0x1100"}, .fetch = {"both"}}, ""},
                                {__LINE__, mont, {.etb = {"tm=sometimes"}}, "--etb"},
                                {__LINE__, mont, {.etb = {"ds=1"}}, "montecito"},
                                {__LINE__, mont, {.btb = {"tm=1"}, .etb = {"tm=1"}}, "2 times"},
                                {__LINE__, mont, {.ear = {"unit=data,ism=ia32"}}, "IA-64 code only"},
                                {__LINE__, mont, {.ipear = {"delay=256"}}, "0 to 255"},
                                {__LINE__, mont, {.ipear = {"mode=4"}}, "'mode'"},
                                {__LINE__, mont, {.ipear = {"delay=1", "delay=2"}}, "2 times"},
                                {__LINE__, mont, {.fetch = {"all"}}, "demand, prefetch, both"},
                                {__LINE__, mont, {.fetch = {"demand", "both"}}, "2 times"},
                                {__LINE__, "athlon", {.ipear = {"delay=1"}}, ""},
                                {__LINE__, "athlon", {.irange = {"0x1000-0x2000"}}, ""}}) {
    SCOPED_TRACE(testing::Message() << "row at line " << row.line);
    const auto result = parse_qualifiers(row.target, row.texts);
    ASSERT_FALSE(result) << "was accepted";
    EXPECT_EQ(result.error().code, ErrorCode::bad_qualifier);
    EXPECT_NE(result.error().message.find(row.words), std::string::npos) << result.error().message;
  }
  EXPECT_TRUE(parse_qualifiers(i2, {.etb = {"ds=prediction"}})) << "the buffer by its other name";
  EXPECT_TRUE(parse_qualifiers("athlon", {}));
  EXPECT_FALSE(parse_qualifiers("vax", {}));
}

struct RunRefusal {
  int line;
  Names events;
  QualifierTexts texts;
  ErrorCode code;
};

void expect_runs_refused(std::string_view target, const std::vector<RunRefusal>& rows) {
  for (const RunRefusal& row : rows) {
    SCOPED_TRACE(testing::Message() << "row at line " << row.line);
    const auto result = encode(target, row.events, {.qualifiers = qualifiers(target, row.texts)});
    ASSERT_FALSE(result) << "was accepted";
    EXPECT_EQ(result.error().code, row.code) << result.error().message;
  }
}

TEST(Ia64Qualifiers, RunsThatCannotBeAreRefused) {
  using enum ErrorCode;
  const std::string range = "0x1000-0x1100", coarse = "0x8000-0x18000";
  expect_runs_refused(
      "itanium2", {{__LINE__, {"CPU_CYCLES"}, {.irange = {range}}, feature_conflict},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.drange = {range}}, feature_conflict},
                   {__LINE__, {"CPU_CYCLES"}, {.opcode = {"0/0x1ffffffffff"}}, feature_conflict},
                   {__LINE__, {"FP_OPS_RETIRED:u", "LOADS_RETIRED:k"}, {.irange = {range}}, feature_conflict},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0x1008-0x1100"}}, unaligned_code_range},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0x2000-0x1000"}}, bad_code_range},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0x1000-0x8000", range}}, too_many_code_ranges},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {range, range, range}}, too_many_code_ranges},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = Names(5, range)}, bad_qualifier},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0-0"}}, bad_qualifier},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0-0x8000000000000010"}}, code_range_too_big},
                   {__LINE__, {"FP_OPS_RETIRED"}, {.irange = {"0-0x0200000000000000"}}, code_range_too_big},
                   {__LINE__, {"LOADS_RETIRED"}, {.drange = {"0x1010-0x2070", "0x4000-0x8000"}}, too_many_data_ranges},
                   {__LINE__, {"IA64_INST_RETIRED"}, {.irange = {"0x1010-0x3000"}}, bad_code_range},
                   {__LINE__, {"NOPS_RETIRED"}, {.opcode = {"0/0x1ffffffffff", "0/0x1ffffffffff"}}, feature_conflict},
                   {__LINE__, {"IA64_INST_RETIRED"}, {.opcode = {"0/0"}}, bad_qualifier},
                   {__LINE__, {"IA64_INST_RETIRED"}, {.opcode = Names(3, "0/0x1ffffffffff")}, bad_qualifier},
                   {__LINE__, {"CPU_CYCLES"}, {.ear = {"unit=data", "unit=data"}}, bad_qualifier},
                   {__LINE__, {"CPU_CYCLES"}, {.ear = {"unit=data,mode=tlb"}, .btb = {"tm=1"}}, event_conflict},
                   {__LINE__, {"CPU_CYCLES"}, {.no_fine = true}, bad_qualifier},
                   {__LINE__, {"CPU_CYCLES"}, {.inverse = true}, bad_qualifier}});
  expect_runs_refused("montecito",
                      {{__LINE__, {"FP_OPS_RETIRED"}, {.irange = {coarse, range}}, too_many_code_ranges},
                       {__LINE__, {"L1I_PREFETCHES"}, {.irange = {range, range}}, too_many_code_ranges},
                       {__LINE__, {"L1I_FILLS"}, {.irange = {range}}, missing_range_flags},
                       {__LINE__, {"L1I_PREFETCHES", "CPU_OP_CYCLES_QUAL"}, {.irange = {range}}, feature_conflict},
                       {__LINE__, {"L1I_PREFETCHES", "FP_OPS_RETIRED"}, {.irange = {coarse}}, feature_conflict},
                       {__LINE__, {"IA64_INST_RETIRED"}, {.irange = {"0x1010-0x23000"}}, bad_code_range},
                       {__LINE__, {"CPU_OP_CYCLES_ALL"}, {.fetch = {"both"}}, bad_qualifier},
                       {__LINE__, {"ETB_EVENT"}, {.ipear = {"delay=1"}}, feature_conflict},
                       {__LINE__, {"NOPS_RETIRED"}, {.etb = {"tm=1"}, .ipear = {"delay=1"}}, feature_conflict}});
  Qualifiers asked;
  asked.instructions = IpFilter{};
  EXPECT_FALSE(encode("itanium2", Names{"CPU_CYCLES"}, {.qualifiers = asked}));
  Qualifiers code;
  code.code.push_back({0x1000, 0x2000, 0});
  EXPECT_FALSE(encode("ppc750gx", Names{"SNOOPS"}, {.qualifiers = code}));
}

TEST(Ia64Qualifiers, QuirksAreChosenByTheCaller) {
  const Names loads{"LOADS_RETIRED"}, operations{"FP_OPS_RETIRED"};
  const Qualifiers ranges =
      qualifiers("itanium2", {.drange = {"0x1000-0x2000", "0x4000-0x8000", "0x10000-0x10100", "0x20000-0x20408"}});
  const auto ours = encode("itanium2", loads, {.qualifiers = ranges});
  const auto libpfms = encode("itanium2", loads, {.qualifiers = ranges, .quirks = "libpfm-3.10"});
  ASSERT_TRUE(ours && libpfms);
  EXPECT_EQ(value_of(*ours, "DBR7") & 0xffff, 0xf800u);
  EXPECT_EQ(value_of(*libpfms, "DBR7") & 0xffff, 0xfc00u);
  EXPECT_FALSE(encode("itanium2", loads, {.quirks = "nonsense"}));
  EXPECT_FALSE(encode("athlon", Names{"r1"}, {.quirks = "libpfm-3.10"}));
  const Qualifiers range = qualifiers("montecito", {.irange = {"0x14000-0x24000"}});
  EXPECT_TRUE(encode("montecito", operations, {.qualifiers = range}));
  const auto refused = encode("montecito", operations, {.qualifiers = range, .quirks = "libpfm-3.10"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::feature_conflict);
}

}  // namespace
}  // namespace pmusim::encoder::test
