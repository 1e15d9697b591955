// Qualifiers of the IA-64 processors: their texts, the registers and ranges that come of them, warnings and refusals.
#include <gtest/gtest.h>

#include <optional>
#include <sstream>

#include "testbench/tests/encoder/expect.h"
#include "testbench/tests/encoder/qualifier_words.h"

namespace pmusim::encoder::test {
namespace {

/// Events and qualifiers in words.
struct Request {
  Names events;
  QualifierTexts texts;
  explicit Request(const std::string& text) {
    std::istringstream words(text);
    for (std::string word, rest; words >> word;) {
      if (!word.starts_with("--")) {
        events.push_back(word);
        continue;
      }
      const bool flag = word == "--no-fine" || word == "--inverse";
      if (!flag) words >> rest;
      EXPECT_TRUE(take_qualifier(texts, word, flag ? "" : rest)) << word;
    }
  }
};

/// A request, and what comes of it: registers as NAME=VALUE or NAME=VALUE/MASK, `code` and `data` with the covered
/// ranges, `samples` with the registers to read at a sample; words of the only warning, or that there is none.
struct Run {
  int line;
  std::string request, expected;
  std::optional<std::string> warning = {};
};

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}
std::uint64_t number(const std::string& text) { return std::stoull(text, nullptr, 0); }

std::vector<CoveredRange> ranges_of(const std::string& text) {
  std::vector<CoveredRange> ranges;
  for (const std::string& range : split(text, ',')) {
    const auto ends = split(range, '-');
    ranges.push_back({number(ends.at(0)), number(ends.at(1))});
  }
  return ranges;
}

void expect_word(const Encoding& encoding, const std::string& name, const std::string& value) {
  if (name == "code") {
    EXPECT_EQ(encoding.code, ranges_of(value));
  } else if (name == "data") {
    EXPECT_EQ(encoding.data, ranges_of(value));
  } else if (name == "samples") {
    EXPECT_EQ(encoding.sample_registers, split(value, ','));
  } else {
    const auto parts = split(value, '/');
    const std::uint64_t compared = parts.size() > 1 ? number(parts[1]) : ~std::uint64_t{0};
    EXPECT_EQ(value_of(encoding, name) & compared, number(parts[0])) << name;
  }
}

void expect_runs(std::string_view target, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    SCOPED_TRACE(::testing::Message() << "row at line " << run.line);
    const Request request(run.request);
    const Encoding encoding = encoded_with(target, request.events, request.texts);
    for (const std::string& word : split(run.expected, ' '))
      expect_word(encoding, word.substr(0, word.find('=')), word.substr(word.find('=') + 1));
    if (!run.warning) continue;
    ASSERT_EQ(encoding.warnings.size(), run.warning->empty() ? 0u : 1u);
    if (!encoding.warnings.empty()) {
      EXPECT_NE(encoding.warnings[0].find(*run.warning), std::string::npos) << encoding.warnings[0];
    }
  }
}

TEST(Ia64Encode, EarEventsSetUpTheirRegisterWithTheirOwnLevels) {
  // The counter counts what the EAR takes in; latency 4 * 2^4.
  expect_runs("itanium2", {{__LINE__, "CPU_CYCLES:plm=15 DATA_EAR_CACHE_LAT64:u:ism=ia64",
                            "PMC5=0x200c808 PMC11=0x2040008 samples=PMD2,PMD3,PMD17"},
                           {__LINE__, "L1I_EAR_CACHE_LAT8:u", "PMC10=0x3fc8 samples=PMD0,PMD1"},
                           {__LINE__, "BRANCH_EVENT:u", "PMC12=0x3f08"}});
  expect_runs("montecito", {{__LINE__, "CPU_OP_CYCLES_ALL:plm=15 DATA_EAR_CACHE_LAT64:u",
                             "PMC5=0x200c808 PMC40=0x2040008 samples=PMD32,PMD33,PMD36"},
                            {__LINE__, "L1I_EAR_CACHE_LAT8:u", "PMC37=0x3fc8 samples=PMD34,PMD35"},
                            {__LINE__, "ETB_EVENT:u", "PMC39=0x3f08"}});
  EXPECT_EQ(encoded("itanium2", {"BRANCH_EVENT:u"}).sample_registers.size(), 9u);
  const Names buffer = encoded("montecito", {"ETB_EVENT:u"}).sample_registers;
  EXPECT_EQ(buffer.size(), 2u + 16);
  EXPECT_EQ(buffer.front(), "PMD38");
  EXPECT_EQ(buffer.back(), "PMD63");
}

TEST(Itanium2Qualifiers, Ranges) {
  const std::string small = "FP_OPS_RETIRED:u --irange 0x4000000000001010-0x40000000000010f0";
  const std::string around = " code=0x4000000000001000-0x4000000000001100";
  expect_runs(
      "itanium2",
      {{__LINE__, small, "PMC14=0x0db60db60db62d34 IBR0=0x4000000000001000 IBR4=0x40000000000010f0 PMC8=0/3" + around},
       {__LINE__, small + ":4 --no-fine", "PMC14=0x0db60db60db60db4 IBR1=0x04ffffffffffff00" + around},
       {__LINE__, small + " --inverse", "PMC8=2/3", ""},
       {__LINE__, "LOADS_RETIRED:u --drange 0x6000000000001000-0x6000000000001648 --drange 8192-16384",
        "DBR0=0x6000000000001000 DBR6=0x2000 PMC13=0x1e078f6f6f6f6 "
        "data=0x6000000000001000-0x6000000000001680,8192-16384"},
       {__LINE__, "CPU_CYCLES:unchecked --irange 0x4000-0x8000", "PMC14=0x0db60db60db60db4"},
       {__LINE__, "L1I_PREFETCHES --irange 0x1000-0x1100 --inverse", "", "pair"}});
}

TEST(Itanium2Qualifiers, ARangeForOneOfTwoKindsOfFetchesIsWarnedAbout) {
  const std::string range = " --irange 0x1000-0x1100", words = "demand fetches only";
  for (const std::string event : {"L1I_FILLS", "ISB_BUNPAIRS_IN", "L1I_FETCH_RAB_HIT", "L1I_FETCH_ISB_HIT"}) {
    expect_runs("itanium2", {{__LINE__, event + range, "", words}, {__LINE__, event, "", ""}});
    const Request twice(event + range + range);
    for (const std::string& warning : encoded_with("itanium2", twice.events, twice.texts).warnings)
      EXPECT_EQ(warning.find(words), std::string::npos) << warning;
  }
  expect_runs("itanium2", {{__LINE__, "L1I_READS" + range, "", ""}});
}

// The debug register accepts levels, but the monitor compares only addresses.
TEST(Ia64Qualifiers, LevelsOfADataRangeAreWarnedAbout) {
  for (const char* target : {"itanium2", "montecito"})
    expect_runs(target, {{__LINE__, "DATA_REFERENCES_SET0 --drange 0x1000-0x2000:8",  // written as asked for
                          "DBR1=0x0800000000000000/0x0f00000000000000", "levels of a data range"},
                         {__LINE__, "DATA_REFERENCES_SET0 --drange 0x1000-0x2000", "", ""}});
}

void expect_two_ranges_refused(std::string_view target, const std::string& two, const Names& runs) {
  for (const std::string& events : runs) {
    SCOPED_TRACE(events);
    const Request request(events + two);
    const auto refused = encode(target, request.events, {.qualifiers = qualifiers(target, request.texts)});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::too_many_code_ranges);
    EXPECT_NE(refused.error().message.find("an event for each"), std::string::npos) << refused.error().message;
  }
}

// libpfm_itanium2(3): the library "will never cover less" than asked. Ordinary events follow channel 0, which has the
// first range alone; channels 1 and 3 have the second.
TEST(Ia64Qualifiers, TwoFineRangesNeedAnEventForEach) {
  const std::string two = " --irange 0x1000-0x1100 --irange 0x5010-0x5080";
  const std::string first = "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", second = "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9";
  const std::string both = first + " " + second;
  expect_two_ranges_refused("itanium2", two,
                            {"FP_OPS_RETIRED", "IA64_INST_RETIRED", first, second, "LOADS_RETIRED",
                             both + " FP_OPS_RETIRED", "ISB_BUNPAIRS_IN"});
  expect_runs("itanium2", {{__LINE__, both + two, "code=0x1000-0x1100,0x5000-0x5080", ""},
                           {__LINE__, "FP_OPS_RETIRED --irange 0x1000-0x1100 --irange 0x1000-0x1100",
                            "code=0x1000-0x1100,0x1000-0x1100"}});  // the first covers both
  const std::string pages = " --irange 0x1000-0x1100 --irange 0x25010-0x25080";
  expect_two_ranges_refused("montecito", pages, {"FP_OPS_RETIRED", "IA64_INST_RETIRED", "LOADS_RETIRED"});
  expect_runs("montecito",
              {{__LINE__, "IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33 IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35" + pages,
                "code=0x1000-0x1100,0x25000-0x25080", ""}});
}

TEST(MontecitoQualifiers, Ranges) {
  const std::string small = "FP_OPS_RETIRED:u --irange 0x4000000000001010-0x40000000000080f0";
  expect_runs("montecito",
              {{__LINE__, small,  // a page of 64 KiB
                "PMC38=0x2d34 IBR0=0x4000000000001000 IBR4=0x40000000000080f0 PMC32=0/0x0300000000000000 "
                "code=0x4000000000001000-0x4000000000008100"},
               {__LINE__, "FP_OPS_RETIRED:u --irange 0x4000000000014000-0x4000000000024000:4",  // approximated
                "PMC38=0xdb4 IBR1=0x04fffffffffc0000 code=0x4000000000000000-0x4000000000040000"},
               {__LINE__, small + " --inverse", "PMC32=0x0100000000000000/0x0300000000000000", ""},
               {__LINE__, "LOADS_RETIRED:u --drange 0x6000000000001000-0x6000000000001648 --drange 8192-16384",
                "DBR0=0x6000000000001000 DBR6=0x2000 PMC41=0x1e078f6f6f6f6 "
                "data=0x6000000000001000-0x6000000000001680,8192-16384"}});
}

TEST(MontecitoQualifiers, RetiredInstructionsHaveUpToFourPairs) {
  expect_runs("montecito", {{__LINE__,
                             "IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33 IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35 "
                             "IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33 --irange 0x400000000001fff0-0x4000000000040020",
                             "PMC38=0xd24 IBR0=0x4000000000020000 IBR2=0x400000000001fff0 IBR4=0x4000000000040000 "
                             "code=0x400000000001fff0-0x4000000000040020"}});
}

TEST(MontecitoQualifiers, Fetches) {
  const std::string fills = "L1I_FILLS --irange 0x1000-0x1100 --fetch ";
  expect_runs(
      "montecito",
      {{__LINE__, fills + "demand", "PMC38=0x2d34"},
       {__LINE__, fills + "Prefetch", "PMC38=0x29a6"},
       {__LINE__, fills + "both", "PMC38=0x2924 IBR2=0x1000 IBR6=0x10f0 code=0x1000-0x1100", ""},  // one range
       {__LINE__, "L1I_FILLS --irange 0x8000-0x28000 --fetch both", "PMC38=0xda4 IBR0=0 IBR2=0"},  // a pair each
       {__LINE__, "L1I_PREFETCHES --irange 0x8000-0x28000", "PMC38=0xda6"}});
}

TEST(Ia64Qualifiers, Opcodes) {
  // nop.i: bits 40 to 37 are 0 and bits 26 to 13 are not compared; this mask compares bits 40 to 27 and 12 to 6. Bit
  // 27 is bit 13 of the field of PMC8 that begins at 33.
  expect_runs("itanium2", {{__LINE__, "IA64_INST_RETIRED:u --opcode 0x8000000/0x7ffe03f:i",
                            "PMC8=0x40004000000001fd PMC15=0xfffffffa"},
                           {__LINE__,
                            "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8 IA64_TAGGED_INST_RETIRED_IBRP1_PMC9 "
                            "--opcode 0/0x1ffffffffff:m --opcode 0/0x1ffffffffff:FB",
                            "PMC8=0x800000003ffffffd PMC9=0x300000003ffffffd PMC15=0xfffffffc"}});
  expect_runs("montecito",
              {{__LINE__, "IA64_INST_RETIRED:u --opcode 0x8000000140/0x1fffffff3f:b",  // all 41 bits, no range
                "PMC32=0x0201001fffffff3f PMC33=0x8000000140 PMC34=0x000f01ffffffffff"},
               {__LINE__,
                "IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33 NOPS_RETIRED "
                "--opcode 0x10000000000/0x1fffffffff:m --opcode 0x8000000140/0x1fffffff3f:BI",
                "PMC32=0x0208001fffffffff PMC33=0x10000000000 PMC34=0x0005001fffffff3f PMC35=0x8000000140 "
                "PMC36=0xfffffff0"}});
}

// The run counts at levels 0 and 3, so an EAR without a level setting does, too.
TEST(Itanium2Qualifiers, Ears) {
  const std::string cycles = "CPU_CYCLES --ear unit=", all = "CPU_OP_CYCLES_ALL --ear unit=";
  const std::string both = "DATA_EAR_EVENTS --ear unit=data --ear unit=instruction";
  expect_runs("itanium2", {{__LINE__, cycles + "data", "PMC11=0x9"},
                           {__LINE__, cycles + "data,mode=cache,latency=4096", "PMC11=0xa0009"},
                           {__LINE__, cycles + "data,mode=cache,umask=15,plm=8", "PMC11=0xf0008"},
                           {__LINE__, cycles + "data,mode=tlb", "PMC11=0xe0089"},
                           {__LINE__, cycles + "data,mode=tlb,level=l2+fault,ism=ia64", "PMC11=0x20a0089"},
                           {__LINE__, cycles + "data,mode=alat,plm=1", "PMC11=0x101"},
                           {__LINE__, cycles + "instruction", "PMC10=0x2809"},
                           {__LINE__, cycles + "instruction,latency=rab", "PMC10=0x2009"},
                           {__LINE__, cycles + "instruction,mode=cache,latency=1024,plm=8", "PMC10=0x3808"},
                           {__LINE__, cycles + "instruction,mode=tlb,level=vhpt,ism=2", "PMC10=0x8049"},
                           {__LINE__, both, "samples=PMD0,PMD1,PMD2,PMD3,PMD17"}});
  expect_runs("montecito", {{__LINE__, all + "data", "PMC40=0x2000009"},
                            {__LINE__, all + "data,mode=tlb,level=l2+fault", "PMC40=0x20a0089"},
                            {__LINE__, all + "data,mode=alat,plm=1,ism=ia64", "PMC40=0x2000101"},
                            {__LINE__, all + "instruction,latency=rab", "PMC37=0x2009"},
                            {__LINE__, all + "instruction,mode=tlb,level=vhpt", "PMC37=0x49"},
                            {__LINE__, both, "samples=PMD34,PMD35,PMD32,PMD33,PMD36"}});
}

TEST(Ia64Qualifiers, Branches) {
  const std::string cycles = "CPU_CYCLES:u --btb ", all = "CPU_OP_CYCLES_ALL:u ";
  expect_runs("itanium2", {{__LINE__, cycles + "tm=all", "PMC12=0x3f08"},
                           {__LINE__, cycles + "tm=taken", "PMC12=0x3e08"},
                           {__LINE__, cycles + "ds=1,tm=3,ptm=1,ppm=2,brt=3", "PMC12=0xe788"},
                           {__LINE__, cycles + "ds=prediction,ptm=wrong,ppm=right,brt=indirect,plm=1", "PMC12=0xe781"},
                           {__LINE__, cycles + "brt=return", "PMC12=0xbf08"},
                           {__LINE__, "BRANCH_EVENT --btb ds=prediction", "", "ds=prediction is without effect"},
                           {__LINE__, "BRANCH_EVENT --btb ds=target", "", ""}});
  expect_runs("montecito", {{__LINE__, all + "--etb tm=all", "PMC39=0x3f08"},
                            {__LINE__, all + "--btb tm=taken", "PMC39=0x3e08"},  // by the name of the Itanium 2
                            {__LINE__, all + "--etb tm=3,ptm=wrong,ppm=right,brt=indirect,plm=1", "PMC39=0xe701"},
                            {__LINE__, all + "--ipear delay=100", "PMC42=0x32408 PMC39=0"},
                            {__LINE__, all + "--ipear plm=1,delay=255", "PMC42=0x7fc01"},
                            {__LINE__, all + "--ipear ", "PMC42=0x408"}});
  EXPECT_EQ(encoded_with("montecito", {"CPU_OP_CYCLES_ALL:u"}, {.ipear = {"delay=100"}}).sample_registers.size(), 18u);
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
    SCOPED_TRACE(::testing::Message() << "row at line " << row.line);
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
  std::string request;
  ErrorCode code;
};

void expect_runs_refused(std::string_view target, const std::vector<RunRefusal>& rows) {
  for (const RunRefusal& row : rows) {
    SCOPED_TRACE(::testing::Message() << "row at line " << row.line);
    const Request request(row.request);
    const auto result = encode(target, request.events, {.qualifiers = qualifiers(target, request.texts)});
    ASSERT_FALSE(result) << "was accepted";
    EXPECT_EQ(result.error().code, row.code) << result.error().message;
  }
}

TEST(Ia64Qualifiers, RunsThatCannotBeAreRefused) {
  using enum ErrorCode;
  const std::string range = " --irange 0x1000-0x1100", coarse = " --irange 0x8000-0x18000";
  const std::string operations = "FP_OPS_RETIRED", retired = "IA64_INST_RETIRED", any = " --opcode 0/0x1ffffffffff";
  expect_runs_refused("itanium2",
                      {{__LINE__, "CPU_CYCLES" + range, feature_conflict},
                       {__LINE__, operations + " --drange 0x1000-0x1100", feature_conflict},
                       {__LINE__, "CPU_CYCLES" + any, feature_conflict},
                       {__LINE__, operations + ":u LOADS_RETIRED:k" + range, feature_conflict},
                       {__LINE__, operations + " --irange 0x1008-0x1100", unaligned_code_range},
                       {__LINE__, operations + " --irange 0x2000-0x1000", bad_code_range},
                       {__LINE__, operations + " --irange 0x1000-0x8000" + range, too_many_code_ranges},
                       {__LINE__, operations + range + range + range, too_many_code_ranges},
                       {__LINE__, operations + range + range + range + range + range, bad_qualifier},
                       {__LINE__, operations + " --irange 0-0", bad_qualifier},
                       {__LINE__, operations + " --irange 0-0x8000000000000010", code_range_too_big},
                       {__LINE__, operations + " --irange 0-0x0200000000000000", code_range_too_big},
                       {__LINE__, "LOADS_RETIRED --drange 0x1010-0x2070 --drange 0x4000-0x8000", too_many_data_ranges},
                       {__LINE__, retired + " --irange 0x1010-0x3000", bad_code_range},
                       {__LINE__, "NOPS_RETIRED" + any + any, feature_conflict},
                       {__LINE__, retired + " --opcode 0/0", bad_qualifier},
                       {__LINE__, retired + any + any + any, bad_qualifier},
                       {__LINE__, "CPU_CYCLES --ear unit=data --ear unit=data", bad_qualifier},
                       {__LINE__, "CPU_CYCLES --ear unit=data,mode=tlb --btb tm=1", event_conflict},
                       {__LINE__, "CPU_CYCLES --no-fine", bad_qualifier},
                       {__LINE__, "CPU_CYCLES --inverse", bad_qualifier}});
  expect_runs_refused("montecito", {{__LINE__, operations + coarse + range, too_many_code_ranges},
                                    {__LINE__, "L1I_PREFETCHES" + range + range, too_many_code_ranges},
                                    {__LINE__, "L1I_FILLS" + range, missing_range_flags},
                                    {__LINE__, "L1I_PREFETCHES CPU_OP_CYCLES_QUAL" + range, feature_conflict},
                                    {__LINE__, "L1I_PREFETCHES FP_OPS_RETIRED" + coarse, feature_conflict},
                                    {__LINE__, retired + " --irange 0x1010-0x23000", bad_code_range},
                                    {__LINE__, "CPU_OP_CYCLES_ALL --fetch both", bad_qualifier},
                                    {__LINE__, "ETB_EVENT --ipear delay=1", feature_conflict},
                                    {__LINE__, "NOPS_RETIRED --etb tm=1 --ipear delay=1", feature_conflict}});
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
