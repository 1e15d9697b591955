// The IA-64 processors in C++: event strings, the registers written and their order, refusals, and the words of
// registers. The values of the dispatched registers themselves are those of recorded_test.cpp.
#include <gtest/gtest.h>

#include "testbench/tests/encoder/expect.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t kEnable = 1u << 23;  // of PMC4 of the Itanium 2
constexpr std::uint64_t kIa64 = 2u << 24;    // ism of every counter of the Montecito

struct Control {
  const char* event;
  std::uint64_t pmc4;
};

void expect_controls(std::string_view target, const std::vector<Control>& rows) {
  for (const Control& row : rows) EXPECT_EQ(value_of(encoded(target, {row.event}), "PMC4"), row.pmc4) << row.event;
}

TEST(Itanium2Encode, AttributesSetTheirFields) {
  constexpr std::uint64_t cycles = 0x1200 | kEnable, nops = 0x5000 | kEnable;  // codes 12h and 50h
  expect_controls("itanium2", {{"CPU_CYCLES", cycles | 9},
                               {"cpu_cycles:U", cycles | 8},
                               {"CPU_CYCLES:k", cycles | 1},
                               {"CPU_CYCLES:k:u", cycles | 9},
                               {"CPU_CYCLES:plm=0", cycles},
                               {"CPU_CYCLES:plm=15", cycles | 15},
                               {"CPU_CYCLES:plm=8:u=1", cycles | 8},
                               {"CPU_CYCLES:ism=ia32", cycles | 9 | 1u << 24},
                               {"CPU_CYCLES:ism=ia64", cycles | 9 | 2u << 24},
                               {"CPU_CYCLES:ism=both", cycles | 9},
                               {"CPU_CYCLES:ism=2", cycles | 9 | 2u << 24},
                               {"CPU_CYCLES:intr", cycles | 9 | 1u << 5},
                               {"CPU_CYCLES:pm", cycles | 9 | 1u << 6},
                               {"NOPS_RETIRED:t=5", nops | 9 | 5u << 20},
                               {"NOPS_RETIRED:t=0", nops | 9},
                               {"BE_EXE_BUBBLE_GRALL", 0x10200 | kEnable | 9},  // the unit mask belongs to the event
                               {"itanium2::r108:u", 0x10800 | kEnable | 8}});   // raw: unit mask and code
}

TEST(MontecitoEncode, AttributesSetTheirFields) {
  constexpr std::uint64_t cycles = 0x1200 | kIa64, reads = 0xedd00 | kIa64 | 9;
  expect_controls("montecito", {{"CPU_OP_CYCLES_ALL", cycles | 9},
                                {"cpu_op_cycles_all:U", cycles | 8},
                                {"CPU_OP_CYCLES_ALL:plm=15", cycles | 15},
                                {"CPU_OP_CYCLES_ALL:intr", cycles | 9 | 1u << 5},
                                {"CPU_OP_CYCLES_ALL:pm", cycles | 9 | 1u << 6},
                                {"CPU_OP_CYCLES_ALL:all", cycles | 9 | 1u << 26},
                                {"CPU_OP_CYCLES_ALL:me=0", cycles | 9 | 1u << 26},
                                {"CPU_OP_CYCLES_ALL:me", cycles | 9},
                                {"CPU_OP_CYCLES_ALL:me:all=0", cycles | 9},
                                {"NOPS_RETIRED:t=5", 0x5000u | kIa64 | 9 | 5u << 20},
                                {"montecito::r108:u", 0x10800u | kIa64 | 8},
                                {"r8edd", 0xedd00u | kIa64 | 9 | 8u << 27},  // raw: line states, unit mask and code
                                {"L3_READS_ALL_MISS:I", reads | 1u << 27},
                                {"L3_READS_ALL_MISS:s", reads | 2u << 27},
                                {"L3_READS_ALL_MISS:E", reads | 4u << 27},
                                {"L3_READS_ALL_MISS:M:M", reads | 8u << 27},
                                {"L3_READS_ALL_MISS:M:E:S:I", reads | 15u << 27}});
}

TEST(Ia64Encode, EchoesTheEventFullySpelled) {
  const auto names = [](std::string_view target, const Names& events) {
    Names canonical;
    for (const EncodedEvent& event : encoded(target, events).events) canonical.push_back(event.canonical);
    return canonical;
  };
  EXPECT_EQ(names("itanium2", {"NOPS_RETIRED:u:t=2:ism=ia64", "CPU_CYCLES:intr:pm", "r108"}),
            (Names{"itanium2::NOPS_RETIRED:plm=8:t=2:ism=ia64", "itanium2::CPU_CYCLES:plm=9:t=0:ism=both:intr=1:pm=1",
                   "itanium2::r108:plm=9:t=0:ism=both"}));
  EXPECT_EQ(names("montecito", {"NOPS_RETIRED:u:t=2", "L3_INSERTS:m:i:all", "CPU_OP_CYCLES_ALL:intr:pm", "r8edd"}),
            (Names{"montecito::NOPS_RETIRED:plm=8:t=2", "montecito::L3_INSERTS:I:M:plm=9:t=0:all=1",
                   "montecito::CPU_OP_CYCLES_ALL:plm=9:t=0:intr=1:pm=1", "montecito::r8edd:plm=9:t=0"}));
}

/// Places of the events, as numbers of counters.
std::vector<unsigned> counters(std::string_view target, const Names& events, const EncodeOptions& options = {}) {
  std::vector<unsigned> numbers;
  for (const EncodedEvent& event : encoded(target, events, options).events) {
    EXPECT_EQ(event.counter, "PMD" + std::to_string(event.counter_index + 4));
    numbers.push_back(event.counter_index + 4);
  }
  return numbers;
}

TEST(Ia64Encode, GroupsFollowTheWires) {
  using Numbers = std::vector<unsigned>;
  EXPECT_EQ(counters("itanium2", {"CPU_CYCLES", "L1DTLB_TRANSFER", "L2_REFERENCES", "L2DTLB_MISSES"}),
            (Numbers{6, 5, 4, 7}));
  EXPECT_EQ(counters("montecito", {"CPU_OP_CYCLES_ALL", "L1DTLB_TRANSFER", "L2D_REFERENCES_ALL", "L2D_OZQ_RELEASE",
                                   "BUS_ALL_SELF", "L2DTLB_MISSES"}),
            (Numbers{8, 9, 4, 6, 7, 5}));
  EXPECT_EQ(counters("montecito", {"L2D_FORCE_RECIRC_L1W", "L2D_FORCE_RECIRC_LIMBO", "L2D_FORCE_RECIRC_RECIRC",
                                   "L2D_FORCE_RECIRC_TAG_OK", "CPU_OP_CYCLES_HALTED"}),
            (Numbers{4, 5, 8, 6, 10}));
  EXPECT_EQ(counters("montecito", {"L2D_OZQ_CANCELS0_ACQ", "L2D_VICTIMB_FULL_THIS"}), (Numbers{4, 6}))
      << "sets 0 and 8 are two sets";
  EXPECT_EQ(counters("montecito", Names(12, "NOPS_RETIRED")), (Numbers{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
  for (const char* target : {"itanium2", "montecito"}) {
    EXPECT_EQ(counters(target, {"NOPS_RETIRED"}, {.unavailable_counters = {0, 2}}), Numbers{5});
    EXPECT_FALSE(encode(target, Names{"LOADS_RETIRED"}, {.unavailable_counters = {1}}));
  }
}

TEST(Ia64Encode, EveryControlIsWrittenAndTheFreezeEndsLast) {
  for (const char* target : {"itanium2", "montecito"}) {
    const Encoding encoding = encoded(target, {"LOADS_RETIRED"});
    ASSERT_EQ(encoding.off.size(), 1u);
    EXPECT_EQ(encoding.off[0].name, "PMC0");
    EXPECT_EQ(encoding.off[0].value, 1u);
    EXPECT_EQ(encoding.registers.back().name, "PMC0");
    EXPECT_EQ(encoding.registers.back().value, 0u);
    EXPECT_TRUE(encoding.sample_registers.empty());
  }
  const Encoding itanium2 = encoded("itanium2", {"LOADS_RETIRED"}), montecito = encoded("montecito", {"LOADS_RETIRED"});
  EXPECT_EQ(itanium2.registers.size(), 12u + 1) << "PMC4 to PMC15 and PMC0";
  expect_registers(itanium2, {{"PMC4", kEnable},  // the PMU is on though PMC4 counts nothing
                              {"PMC5", 0xcd09},   // an L1 cache event must be on PMC5
                              {"PMC10", 0},
                              {"PMC11", 0},
                              {"PMC12", 0},
                              {"PMC8", 1, 1},  // no code range
                              {"PMC13", 0x2078fefefefe},
                              {"PMC14", 0x0db60db60db60db6},  // the reset value, which Linux has
                              {"PMC15", 0xffffffff}});
  EXPECT_EQ(montecito.registers.size(), 12u + 11 + 1) << "PMC4 to PMC15, PMC32 to PMC42 and PMC0";
  expect_registers(montecito, {{"PMC4", kIa64},
                               {"PMC5", 0xcd09 | kIa64},
                               {"PMC33", 0},
                               {"PMC35", 0},
                               {"PMC37", 0},
                               {"PMC39", 0},
                               {"PMC42", 0},
                               {"PMC32", 0x030f01ffffffffff},
                               {"PMC34", 0x000f01ffffffffff},
                               {"PMC36", 0xfffffff0},
                               {"PMC38", 0xdb6},
                               {"PMC40", kIa64},
                               {"PMC41", 0x2078fefefefe}});
}

TEST(Ia64Encode, SamplingEnablesTheInterruptOfUsedCounters) {
  expect_registers(encoded("itanium2", {"CPU_CYCLES", "NOPS_RETIRED:intr=0"}, {.sampling = true}),
                   {{"PMC4", 0x1229u | kEnable}, {"PMC5", 0x5009}, {"PMC6", 0}});
  const Encoding two = encoded("montecito", {"CPU_OP_CYCLES_ALL", "NOPS_RETIRED:intr=0"}, {.sampling = true});
  expect_registers(two, {{"PMC4", 0x1229u | kIa64}, {"PMC5", 0x5009u | kIa64}, {"PMC6", kIa64}});
  EXPECT_TRUE(two.warnings.empty());
  const Encoding halted = encoded("montecito", {"CPU_OP_CYCLES_HALTED"}, {.sampling = true});
  ASSERT_EQ(halted.warnings.size(), 1u) << "PMD10 must not interrupt while both threads run";
  EXPECT_NE(halted.warnings[0].find("121"), std::string::npos);
}

TEST(Itanium2Encode, RefusesWhatDoesNotFit) {
  using enum ErrorCode;
  for (const Refusal& row : std::vector<Refusal>{
           {__LINE__, {"CPU_CYCLE"}, unknown_event, {"CPU_CYCLES"}},
           {__LINE__, {"CPU_CYCLES:c=1"}, unknown_attribute, {"t=0..7"}},
           {__LINE__, {"CPU_CYCLES:e"}, unknown_attribute, {"edges"}},
           {__LINE__, {"CPU_CYCLES:ANY"}, unknown_attribute, {"no unit masks"}},
           {__LINE__, {"CPU_CYCLES:t=8"}, bad_attribute_value, {"0 to 7", "'8'"}},
           {__LINE__, {"CPU_CYCLES:ism=arm"}, bad_attribute_value, {"both|ia32|ia64", "'arm'"}},
           {__LINE__, {"CPU_CYCLES:t=1:t=2"}, attribute_conflict, {"set twice"}},
           {__LINE__, {"CPU_CYCLES:plm=8:k"}, attribute_conflict, {"different levels"}},
           {__LINE__, {"r1000"}, bad_value, {"rUEE"}},
           {__LINE__, {"TAGGED_L2_DATA_RETURN_POR"}, reserved_event, {"not modelled", "Intel", "rUEE"}},
           {__LINE__, {"athlon::CPU_CYCLES"}, unknown_target, {"itanium2"}},
           {__LINE__, Names(5, "CPU_CYCLES"), too_many_events, {"5", "4"}},
           {__LINE__, {"L2_OZQ_ACQUIRE", "L2_FORCE_RECIRC_ANY"}, event_set_conflict, {"sets 0 and 2"}},
           {__LINE__, {"L2_OZQ_CANCELS0_ANY", "L2_OZQ_CANCELS1_REL"}, bad_value, {"one can be counted"}},
           {__LINE__, {"L2_FORCE_RECIRC_ANY", "L2_FORCE_RECIRC_L1W"}, no_assignment, {"PMC4"}},
           {__LINE__, {"L2_OZQ_ACQUIRE", "L2_IFET_CANCELS_BYPASS"}, no_assignment, {"unit mask"}},
           {__LINE__, {"DATA_EAR_TLB_ALL", "BRANCH_EVENT"}, event_conflict, {"branch trace buffer"}}})
    expect_refused("itanium2", row);
}

TEST(MontecitoEncode, RefusesWhatDoesNotFit) {
  using enum ErrorCode;
  for (const Refusal& row : std::vector<Refusal>{
           {__LINE__, {"CPU_OP_CYCLES_ALL:ism=ia64"}, unknown_attribute, {"IA-64 code only"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:M"}, unknown_attribute, {"no unit masks"}},
           {__LINE__, {"CPU_OP_CYCLES_ALL:all:me"}, attribute_conflict, {"me and all"}},
           {__LINE__, {"L3_INSERTS"}, missing_unit_mask, {"I, S, E, M"}},
           {__LINE__, {"L3_INSERTS:X"}, unknown_unit_mask, {"I, S, E, M"}},
           {__LINE__, {"r10000"}, bad_value, {"rSUEE"}},
           {__LINE__, {"itanium2::LOADS_RETIRED"}, unknown_target, {"montecito"}},
           {__LINE__, Names(13, "NOPS_RETIRED"), too_many_events, {"13", "12"}},
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
           {__LINE__, Names(7, "BUS_IO_SELF"), no_assignment, {"PMC4", "PMC9"}},
           {__LINE__, {"DATA_EAR_TLB_ALL", "ETB_EVENT"}, event_conflict, {"execution trace buffer"}}})
    expect_refused("montecito", row);
}

TEST(Ia64Encode, WarnsOfEventsThatNeverCount) {
  for (const char* target : {"itanium2", "montecito"}) {
    EXPECT_TRUE(encoded(target, {"NOPS_RETIRED:t=5"}).warnings.empty());
    EXPECT_EQ(encoded(target, {"NOPS_RETIRED:t=6"}).warnings.size(), 1u) << "it occurs at most 6 times";
    EXPECT_EQ(encoded(target, {"NOPS_RETIRED:plm=0"}).warnings.size(), 1u);
  }
}

std::string meaning_of(std::string_view target, const char* name, std::uint64_t value, std::string_view field) {
  const auto decoded = decode(target, name, value);
  if (!decoded) return decoded.error().message;
  for (const DecodedField& found : decoded->fields)
    if (found.name == field) return found.meaning;
  return "no such field";
}

TEST(Ia64Decode, SaysWhatFieldsDo) {
  struct Row {
    const char *target, *name;
    std::uint64_t value;
    const char *field, *meaning;
  };
  constexpr const char *i2 = "itanium2", *mont = "montecito";
  for (const Row& row : {Row{i2, "pmc4", 0x501229, "plm", "on at privilege levels 0, 3"},
                         {i2, "PMC4", 0x501229, "threshold", "count cycles with more than 5 occurrences"},
                         {i2, "PMC0", 0x10, "overflow", "counters that overflowed, by bit: 0x1"},
                         {i2, "PMC10", 0x3fc8, "ct", "instruction cache"},
                         {i2, "PMC11", 0x108, "mode", "ALAT misses"},
                         {i2, "PMC12", 0xe788, "brt", "indirect branches other than returns"},
                         {i2, "PMC13", 0x2078fefefeee, "cfg_dbrp0", "by instruction address and opcode"},
                         {i2, "PMC14", 0x2d34, "fine", "pairs hold the bounds of ranges inside a page"},
                         {i2, "PMC15", 0xfffffffa, "ibrp2_pmc8", "the channel is constrained by its matcher"},
                         {i2, "IBR1", 0x08fffffffffff000, "plm", "on at privilege levels 3"},
                         {i2, "DBR1", 0x08fffffffffff000, "mask", "0xfffffffffff000"},
                         {i2, "PMD2", ~std::uint64_t{0}, "daddr", "address bits 0xffffffffffffffff"},
                         {mont, "pmc15", 0x2501229, "threshold", "count cycles with more than 5 occurrences"},
                         {mont, "PMC4", 0x6001208, "all", "both threads"},
                         {mont, "PMC0", 0x8000, "overflow", "counters that overflowed, by bit: 0x800"},
                         {mont, "PMC32", 0x0201001fffffff3f, "b", "instructions of this slot type match"},
                         {mont, "PMC36", 0xfffffff1, "ch0_ig_opcm", "the channel is not constrained by its matcher"},
                         {mont, "PMC42", 0x32408, "delay", "100 cycles"},
                         {mont, "PMC42", 0x32408, "mode", "the trace buffer takes in retiring instructions"},
                         {mont, "PMC38", 0x2d34, "fine", "pairs hold the bounds of ranges inside a page"},
                         {mont, "PMD38", 0x2f, "ebi", "the next entry is PMD63"}})
    EXPECT_EQ(meaning_of(row.target, row.name, row.value, row.field), row.meaning) << row.target << ' ' << row.name;
  EXPECT_NE(meaning_of(mont, "PMD39", 0x3, "pmd48ext").find("flush by the branch unit"), std::string::npos);
  for (const char* target : {i2, mont}) EXPECT_FALSE(decode(target, "PMC16", 0));
  EXPECT_FALSE(decode(mont, "PMD37", 0)) << "the processor has none";
  EXPECT_EQ(registers(i2).value().size(), 16u + 18 + 8 + 8);
  EXPECT_EQ(registers(mont).value().size(), 27u + 35 + 8 + 8);
}

using Values = std::vector<std::pair<const char*, std::uint64_t>>;

std::vector<Selection> selected(std::string_view target, const Values& values) {
  std::vector<RegisterValue> registers;
  for (const auto& [name, value] : values) registers.push_back({"", 0, name, 0, value});
  return selections(target, registers).value();
}

Names canonicals(std::string_view target, const Values& values) {
  Names names;
  for (const Selection& selection : selected(target, values))
    names.push_back(selection.counter + " " + selection.canonical);
  return names;
}

TEST(Ia64Selections, SayWhatRegistersCount) {
  const Values two{{"PMC4", 0xc808 | kEnable}, {"PMC6", 0x1229}, {"PMC11", 0x40008}};
  EXPECT_EQ(canonicals("itanium2", two), (Names{"PMD4 itanium2::DATA_EAR_CACHE_LAT64:plm=8:t=0:ism=both",
                                                "PMD6 itanium2::CPU_CYCLES:plm=9:t=0:ism=both:intr=1"}));
  EXPECT_TRUE(selected("itanium2", two)[0].notes.empty());
  EXPECT_EQ(canonicals("itanium2", {{"PMC4", 0xc808 | kEnable}}),
            Names{"PMD4 itanium2::DATA_EAR_EVENTS:plm=8:t=0:ism=both"});
  const Values three{{"PMC4", 0x200c808}, {"PMC15", 0x6001229}, {"PMC40", 0x2040008}, {"PMC8", 0x620edd09}};
  EXPECT_EQ(canonicals("montecito", three),
            (Names{"PMD4 montecito::DATA_EAR_CACHE_LAT64:plm=8:t=0", "PMD8 montecito::L3_READS_ALL_MISS:E:M:plm=9:t=0",
                   "PMD15 montecito::CPU_OP_CYCLES_ALL:plm=9:t=0:all=1:intr=1"}));
  EXPECT_TRUE(selected("montecito", three)[0].notes.empty());
  for (const auto& [target, control] : {std::pair{"itanium2", 0x1220 | kEnable}, {"montecito", 0x1200 | kIa64}}) {
    EXPECT_TRUE(selected(target, {{"PMC0", 1}, {"PMC4", control | 8}}).empty()) << "frozen";
    EXPECT_TRUE(selected(target, {{"PMC4", control}}).empty()) << "off at every level";
  }
}

// ER_REJECT_ALL_L1_REQ, on PMC4 to PMC9, and L2D_OZQ_FULL_THIS, of L2D set 5, share a code.
TEST(MontecitoSelections, ASharedCodeIsReadByTheSetOfItsCounter) {
  constexpr std::uint64_t shared = 0x200bc08, of_set_5 = 0x200ec08, of_set_2 = 0x203e608;
  for (const auto& [values, full] : {std::pair{Values{{"PMC4", shared}}, true},  // chooses set 5 for itself
                                     {Values{{"PMC5", shared}}, false},
                                     {Values{{"PMC12", shared}}, true},
                                     {Values{{"PMC4", of_set_5}, {"PMC5", shared}}, true},
                                     {Values{{"PMC4", of_set_2}, {"PMC5", shared}}, false},
                                     {Values{{"PMC4", of_set_5}, {"PMC9", shared}}, false}}) {  // PMC6 chooses for PMC9
    EXPECT_NE(canonicals("montecito", values).back().find(full ? "::L2D_OZQ_FULL_THIS:" : "::ER_REJECT_ALL_L1_REQ:"),
              std::string::npos);
  }
}

TEST(Ia64Selections, NoteWhatNoEventStringCanSay) {
  struct Row {
    const char* target;
    std::uint64_t control;
    const char* note;
  };
  constexpr const char *i2 = "itanium2", *mont = "montecito";
  for (const Row& row : {Row{i2, 0x1228, "enable"},
                         {i2, 0x1238 | kEnable, "pin"},
                         {i2, 0x3001228 | kEnable, "ism"},
                         {i2, 0x101228 | kEnable, "never counts"},  // one cycle a cycle
                         {i2, 0xff08 | kEnable, "no event"},
                         {mont, 0x2001218, "pin"},
                         {mont, 0x1208, "ism"},
                         {mont, 0x20edd08, "no state"},
                         {mont, 0xa001208, "no line states"},
                         {mont, 0x2101208, "never counts"},
                         {mont, 0x200ff08, "no event"}}) {
    const auto found = selected(row.target, {{"PMC4", row.control}});
    ASSERT_TRUE(found.size() == 1 && found[0].notes.size() == 1) << row.target << ' ' << row.note;
    EXPECT_NE(found[0].notes[0].find(row.note), std::string::npos) << found[0].notes[0];
  }
  EXPECT_EQ(canonicals(i2, {{"PMC4", 0x7ff08 | kEnable}}), Names{"PMD4 itanium2::r7ff:plm=8:t=0:ism=both"});
  EXPECT_EQ(canonicals(mont, {{"PMC4", 0x20edd08}}), Names{"PMD4 montecito::redd:plm=8:t=0"});
  EXPECT_EQ(canonicals(mont, {{"PMC4", 0xa07ff08}}), Names{"PMD4 montecito::r17ff:plm=8:t=0"});
}

// Intel's event list (251110-001, as oprofile's events/ia64/itanium2 has it) gives one name to four codes each, and a
// fourth bit to the unit mask of both pins. SourcesList.EveryCodeOfTheItanium2IsNamed has every one of its codes.
TEST(Itanium2Selections, NameTheEventOfEachCodeInIntelsList) {
  struct Case {
    std::uint64_t code, umask;
    const char *raw, *event;
  };
  for (const Case& c : {Case{0xa5, 0x0, "r0a5", "L2_IFET_CANCELS_ANY"},
                        {0xad, 0xd, "rdad", "L2_IFET_CANCELS_IFETCH_BYP"},
                        {0xa9, 0x8, "r8a9", "L2_IFET_CANCELS_PREEMPT"},
                        {0xae, 0x0, "r0ae", "L2_OZQ_ACQUIRE"},
                        {0xa7, 0x0, "r0a7", "L2_OZQ_RELEASE"},
                        {0x9f, 0xf, "rf9f", "EXTERN_DP_PINS_4_TO_5_ALL"},
                        {0xbb, 0x0, "r0bb", "TAGGED_L2_DATA_RETURN_POR"}}) {
    const auto found = selected("itanium2", {{"PMC4", 8 | kEnable | c.code << 8 | c.umask << 16}});
    ASSERT_EQ(found.size(), 1u) << c.raw;
    EXPECT_TRUE(found[0].known) << c.raw;
    EXPECT_EQ(found[0].canonical, std::string("itanium2::") + c.raw + ":plm=8:t=0:ism=both");
    ASSERT_EQ(found[0].notes.size(), 1u) << c.raw;
    EXPECT_NE(found[0].notes[0].find(std::string(" ") + c.event + " in Intel's event list"), std::string::npos)
        << found[0].notes[0];
    EXPECT_EQ(found[0].notes[0].starts_with("not modelled"), c.code == 0xbb) << found[0].notes[0];
  }
  for (const std::uint64_t other : {0x0a4, 0x1a5, 0x1a6, 0x1af, 0x1bb, 0x79f})
    EXPECT_FALSE(selected("itanium2", {{"PMC4", 8 | kEnable | (other & 0xff) << 8 | other >> 8 << 16}})[0].known)
        << other;
  const auto never = selected("itanium2", {{"PMC4", 0x10a508 | kEnable}})[0].notes;
  ASSERT_EQ(never.size(), 2u);
  EXPECT_NE(never[0].find("never counts"), std::string::npos) << "one a cycle, threshold 1";
}

TEST(Ia64Preset, ReachesTheOverflowAfterThePeriod) {
  constexpr std::uint64_t wrap = std::uint64_t{1} << 47;
  for (const auto& [target, last] : {std::pair{"itanium2", 3u}, {"montecito", 11u}}) {
    EXPECT_EQ(preset(target, 0, 1).value(), wrap - 1);
    EXPECT_EQ(preset(target, last, 1000).value(), wrap - 1000);
    EXPECT_EQ(preset(target, 0, wrap).value(), 0u);
    EXPECT_FALSE(preset(target, 0, wrap + 1));
    EXPECT_FALSE(preset(target, 0, 0));
    EXPECT_FALSE(preset(target, last + 1, 1));
  }
}

struct Reset {
  const char* name;
  std::uint64_t reset, writable;
};

/// Rows of a number of registers that are alike.
std::vector<Reset> resets(const std::vector<Reset>& one_by_one, unsigned first, unsigned last, std::uint64_t reset,
                          std::uint64_t writable) {
  static constexpr const char* names[] = {"PMC4",  "PMC5",  "PMC6",  "PMC7",  "PMC8",  "PMC9",
                                          "PMC10", "PMC11", "PMC12", "PMC13", "PMC14", "PMC15"};
  std::vector<Reset> rows = one_by_one;
  for (unsigned i = first; i <= last; ++i) rows.push_back({names[i - 4], reset, writable});
  return rows;
}

// Linux 2.6, arch/ia64/kernel/perfmon_mckinley.h and perfmon_montecito.h: value after reset and writable bits. A
// register that is written keeps its reset value in all other bits.
TEST(Ia64Registers, KeepTheResetValueOfUnusedBits) {
  const std::vector<Reset> itanium2 = resets({{"PMC4", 0x800000, 0xfffff7f},
                                              {"PMC8", 0xffffffff3fffffff, 0xffffffff3ffffffb},
                                              {"PMC9", 0xffffffff3ffffffc, 0xffffffff3ffffffb},
                                              {"PMC10", 0x0, 0xffff},
                                              {"PMC11", 0x0, 0x30f01cf},
                                              {"PMC12", 0x0, 0xffff},
                                              {"PMC13", 0x2078fefefefe, 0x1e00018181818},
                                              {"PMC14", 0xdb60db60db60db6, 0x2492},
                                              {"PMC15", 0xfffffff0, 0xf}},
                                             5, 7, 0x0, 0xfffff7f);
  const std::vector<Reset> montecito = resets({{"PMC32", 0x30f01ffffffffff, 0x30f01ffffffffff},
                                               {"PMC33", 0x0, 0x1ffffffffff},
                                               {"PMC34", 0xf01ffffffffff, 0xf01ffffffffff},
                                               {"PMC35", 0x0, 0x1ffffffffff},
                                               {"PMC36", 0xfffffff0, 0xf},
                                               {"PMC37", 0x0, 0x3fff},
                                               {"PMC38", 0xdb6, 0x2492},
                                               {"PMC39", 0x0, 0xffcf},
                                               {"PMC40", 0x2000000, 0xf01cf},
                                               {"PMC41", 0x2078fefefefe, 0x1e00018181818},
                                               {"PMC42", 0x0, 0x7ff4f}},
                                              4, 15, 0x2000000, 0x7c7fff7f);
  for (const auto& [target, rows] : {std::pair{"itanium2", itanium2}, {"montecito", montecito}}) {
    for (const Encoding& encoding :
         {encoded_with(target, {"FP_OPS_RETIRED"}, {.irange = {"0x1000-0x1100"}}),
          encoded_with(target, {"LOADS_RETIRED"}, {.drange = {"0x1000-0x2000"}}), encoded(target, {"NOPS_RETIRED"})}) {
      for (const Reset& row : rows)
        EXPECT_EQ(value_of(encoding, row.name) & ~row.writable, row.reset & ~row.writable) << row.name;
    }
  }
}

}  // namespace
}  // namespace pmusim::encoder::test
