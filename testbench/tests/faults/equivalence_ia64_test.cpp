// The rules of the IA-64 targets: for each a pair that the manual makes equal, and a similar pair that is not equal.
#include <gtest/gtest.h>

#include <ostream>
#include <utility>

#include "testbench/faults/equivalence.h"

namespace pmusim::testbench::faults::ia64 {
namespace {

using Changes = std::vector<std::pair<std::string, std::uint64_t>>;

struct Case {
  std::string_view target;
  std::string_view rule;  ///< empty: none
  Changes common;         ///< applied to both
  Changes original, mutant;
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.target << ", '" << c.rule << "'";
  for (const auto* const changes : {&c.common, &c.original, &c.mutant}) {
    *out << " |";
    for (const auto& [name, value] : *changes) *out << ' ' << name << '=' << std::hex << value;
  }
}

/// All registers as after reset, except that the first counter counts retired instructions at levels 0 and 3.
Registers plain(std::string_view target) {
  const bool itanium2 = target == "itanium2";
  Registers registers;
  const auto add = [&](std::string name, std::uint64_t value) {
    registers.push_back({"pmc", 0, std::move(name), 64, value});
  };
  const unsigned last = itanium2 ? 7 : 15;
  for (unsigned i = 4; i <= last; ++i) add("PMC" + std::to_string(i), itanium2 ? 0 : 0x2000000);
  registers[0].value |= (itanium2 ? 0x800000u : 0u) | 0x809u;
  const Changes itanium2_units{{"PMC8", 0xffffffff3fffffff},
                               {"PMC9", 0xffffffff3ffffffc},
                               {"PMC10", 0},
                               {"PMC11", 0},
                               {"PMC12", 0},
                               {"PMC13", 0x2078fefefefe},
                               {"PMC14", 0xdb6},
                               {"PMC15", 0xfffffff0}};
  const Changes montecito_units{{"PMC32", 0x030f01ffffffffff},
                                {"PMC33", 0},
                                {"PMC34", 0x000f01ffffffffff},
                                {"PMC35", 0},
                                {"PMC36", 0xfffffff0},
                                {"PMC37", 0},
                                {"PMC38", 0xdb6},
                                {"PMC39", 0},
                                {"PMC40", 0x2000000},
                                {"PMC41", 0x2078fefefefe},
                                {"PMC42", 0}};
  for (const auto& [name, value] : itanium2 ? itanium2_units : montecito_units) add(name, value);
  for (const char* const kind : {"IBR", "DBR"}) {
    for (unsigned i = 0; i < 8; ++i) add(kind + std::to_string(i), 0);
  }
  return registers;
}

Registers changed(Registers registers, const Changes& changes) {
  for (const auto& [name, value] : changes) {
    for (encoder::RegisterValue& reg : registers) {
      if (reg.name == name) reg.value = value;
    }
  }
  return registers;
}

class Ia64Rules : public ::testing::TestWithParam<Case> {};

TEST_P(Ia64Rules, CallEqualWhatTheManualMakesEqual) {
  const Case& c = GetParam();
  const Registers common = changed(plain(c.target), c.common);
  const Rule* const rule =
      Equivalents(c.target, common, changed(common, c.original)).rule_for(changed(common, c.mutant));
  if (c.rule.empty()) {
    EXPECT_EQ(rule, nullptr) << rule->name;
  } else {
    ASSERT_NE(rule, nullptr);
    EXPECT_EQ(rule->name, c.rule);
  }
}

constexpr std::string_view it2 = "itanium2", mont = "montecito";
constexpr std::string_view no_function = "bit that is not stored or has no function", off = "counter or unit off",
                           other_code = "another code of the event", unreachable = "threshold out of reach",
                           by_mode = "setting that the unit's mode does not look at",
                           data_filter = "data filter that nothing looks at",
                           code_filter = "code filter that nothing looks at", left_out = "bit that a mask leaves out",
                           free_channel = "channel without constraint",
                           no_states = "line states of an event without any",
                           no_level = "level at which the code range does not hold",
                           fetch_filtered = "fetch under a filter of data or opcodes",
                           included = "unit mask that another one includes",
                           own_level = "level changes of the only level that counts",
                           no_slot = "type of slot that no event looks at",
                           alike_channel = "channel with the same range and opcode";

/// Masks of a register pair for the block of 64 bytes at 0x1000, for levels 0 and 3; `coarse` ignores the other bits of
/// the page.
constexpr std::uint64_t block = 0x09ffffffffffffc0, coarse = 0x09fffffffffff000;
/// Channel 0 has a range, in coarse or fine mode; memory events need the range and a data address.
const Changes ranged{{"PMC8", 0xffffffff3ffffffc}, {"PMC14", 0xdb4}, {"IBR0", 0x1000}, {"IBR1", block}};
const Changes fine{{"PMC8", 0xffffffff3ffffffc},
                   {"PMC14", 0x2d34},
                   {"IBR0", 0x1000},
                   {"IBR1", coarse},
                   {"IBR4", 0x1020},
                   {"IBR5", coarse}};
const Changes montecito_fine{{"PMC32", 0x000f01ffffffffff},
                             {"PMC38", 0x2d34},
                             {"IBR0", 0x1000},
                             {"IBR1", coarse},
                             {"IBR4", 0x1020},
                             {"IBR5", coarse}};
const Changes loads{{"PMC5", 0xcd09}, {"PMC13", 0x2078fefefef6}, {"DBR0", 0x2000}, {"DBR1", block}};
/// Two data ranges: 128 bytes and the next 64.
const Changes twice{{"PMC5", 0xcd09}, {"PMC13", 0x6078fefef6f6},
                    {"DBR0", 0x2000}, {"DBR1", 0x09ffffffffffff80},
                    {"DBR2", 0x2080}, {"DBR3", block}};
const Changes opcode{{"PMC8", 0x8000007f3fffffff}, {"PMC15", 0xffffffff}};
const Changes half_opcode{{"PMC8", 0xf00000003ffffeff}};

INSTANTIATE_TEST_SUITE_P(
    Counters, Ia64Rules,
    ::testing::Values(Case{it2, no_function, {}, {}, {{"PMC5", 0x800000}}},       //
                      Case{it2, no_function, {}, {}, {{"PMC4", 0x800819}}},       // the pin's bit
                      Case{it2, "", {}, {}, {{"PMC4", 0x800801}}},                // a level
                      Case{it2, off, {}, {}, {{"PMC5", 0x1200}}},                 // CPU_CYCLES at no level
                      Case{it2, off, {}, {}, {{"PMC5", 0x3001209}}},              // for no instruction set
                      Case{it2, "", {}, {}, {{"PMC5", 0x1209}}},                  //
                      Case{it2, off, {{"PMC4", 0x809}}, {}, {{"PMC5", 0x1209}}},  // without the enable bit
                      Case{it2, off, {}, {{"PMC5", 0xa09}}, {{"PMC5", 0xc09}}},   // two codes without an event
                      Case{it2, other_code, {}, {{"PMC4", 0x82a109}}, {{"PMC4", 0x82ad09}}},   // L2_IFET_CANCELS_BYPASS
                      Case{it2, other_code, {}, {{"PMC4", 0x80a309}}, {{"PMC4", 0x80a709}}},   // L2_OZQ_RELEASE
                      Case{it2, other_code, {}, {{"PMC5", 0x39f09}}, {{"PMC5", 0xf9f09}}},     // both pins
                      Case{it2, "", {}, {{"PMC4", 0x80a209}}, {{"PMC4", 0x80a709}}},           // acquire, release
                      Case{it2, "", {}, {{"PMC4", 0x80a009}}, {{"PMC4", 0x80ac09}}},           // other cancels
                      Case{it2, unreachable, {}, {{"PMC4", 0xe00809}}, {{"PMC4", 0xf00809}}},  // at most six
                      Case{it2, "", {}, {{"PMC4", 0xd00809}}, {{"PMC4", 0xe00809}}},           //
                      Case{it2, free_channel, {}, {}, {{"PMC4", 0x810809}}},                   //
                      Case{it2, "", {}, {}, {{"PMC4", 0x820809}}},              // does not count IA-32 instructions
                      Case{mont, free_channel, {}, {}, {{"PMC4", 0x2020809}}},  //
                      Case{mont, no_function, {}, {}, {{"PMC4", 0x1000809}}},   // instruction sets are fixed
                      Case{mont, no_states, {}, {}, {{"PMC4", 0x42000809}}},    //
                      Case{mont, "", {{"PMC4", 0x4a03dd09}}, {}, {{"PMC4", 0x4203dd09}}},  // L3_READS of two states
                      // All reads that find a line exclusive are hits; reads that find it invalid or shared are not.
                      Case{mont, no_states, {}, {{"PMC4", 0x2203dd09}}, {{"PMC4", 0x2201dd09}}},
                      Case{mont, "", {}, {{"PMC4", 0x1a03dd09}}, {{"PMC4", 0x1a01dd09}}},
                      Case{mont, "", {}, {}, {{"PMC4", 0x6000809}}},                                // both threads
                      Case{mont, unreachable, {}, {{"PMC10", 0x2101809}}, {{"PMC10", 0x2601809}}},  // halted: 7 or none
                      Case{mont, "", {}, {{"PMC10", 0x2001809}}, {{"PMC10", 0x2101809}}},           //
                      // Changes of level 3, and of all levels, counted for level 3 only; for levels 0 and 3; changes of
                      // level 0.
                      Case{mont, own_level, {}, {{"PMC7", 0x2081308}}, {{"PMC7", 0x20f1308}}},
                      Case{mont, own_level, {}, {{"PMC7", 0x20f1301}}, {{"PMC7", 0x2011301}}},
                      Case{mont, "", {}, {{"PMC7", 0x2081309}}, {{"PMC7", 0x20f1309}}},
                      Case{mont, "", {}, {{"PMC7", 0x2011308}}, {{"PMC7", 0x20f1308}}},
                      Case{mont, off, {}, {}, {{"PMC15", 0x2001200}}},                    //
                      Case{it2, included, {}, {{"PMC5", 0x14f09}}, {{"PMC5", 0x24f09}}},  // SYLL_OVERCOUNT
                      Case{it2, included, {}, {{"PMC5", 0x14709}}, {{"PMC5", 0x34709}}},  // ITLB_MISSES_FETCH: first
                      Case{it2, "", {}, {{"PMC5", 0x14709}}, {{"PMC5", 0x24709}}}));      // first or both

INSTANTIATE_TEST_SUITE_P(
    Units, Ia64Rules,
    ::testing::Values(Case{it2, by_mode, {}, {{"PMC10", 0x3f89}}, {{"PMC10", 0x3fa9}}},    // 1111110x: 16 cycles
                      Case{it2, "", {}, {{"PMC10", 0x3f89}}, {{"PMC10", 0x3fc9}}},         //
                      Case{it2, by_mode, {}, {{"PMC10", 0x2809}}, {{"PMC10", 0x2829}}},    // 01xxxxxx: every miss
                      Case{it2, "", {}, {{"PMC10", 0x2809}}, {{"PMC10", 0x2009}}},         //
                      Case{it2, by_mode, {}, {{"PMC10", 0xe9}}, {{"PMC10", 0x1e9}}},       // TLB: three bits
                      Case{it2, off, {}, {}, {{"PMC10", 0x10e9}}},                         // neither cache nor TLB
                      Case{it2, by_mode, {}, {{"PMC11", 0x109}}, {{"PMC11", 0x10109}}},    // ALAT: no unit mask
                      Case{it2, "", {}, {{"PMC11", 0x20009}}, {{"PMC11", 0x30009}}},       //
                      Case{it2, by_mode, {}, {{"PMC11", 0x20089}}, {{"PMC11", 0x30089}}},  // TLB: bit 0
                      Case{it2, off, {}, {}, {{"PMC11", 0xb0009}}},                        // no such latency
                      Case{it2, by_mode, {}, {{"PMC12", 0x3909}}, {{"PMC12", 0x3d09}}},    // not taken: no wrong target
                      Case{it2, "", {}, {{"PMC12", 0x3b09}}, {{"PMC12", 0x3f09}}},         //
                      Case{it2, by_mode, {}, {}, {{"PMC12", 0x3c09}}},                     // no direction
                      Case{it2, by_mode, {{"PMC11", 0x1010009}}, {{"PMC5", 0x100c809}}, {{"PMC5", 0xc809}}},
                      Case{it2, "", {{"PMC11", 0x10009}}, {{"PMC5", 0x100c809}}, {{"PMC5", 0xc809}}},
                      Case{mont, off, {}, {}, {{"PMC42", 0x309}}},                   // mode 3 is off
                      Case{mont, off, {}, {}, {{"PMC42", 0x400}}},                   // mode 4 at no level
                      Case{mont, "", {{"PMC39", 0x3f09}}, {}, {{"PMC42", 0x400}}},   // it takes the buffer
                      Case{mont, off, {{"PMC42", 0x400}}, {}, {{"PMC39", 0x3f09}}},  // so that the branches are off
                      // A miss that the data EAR waits for may end at a level at which none begins.
                      Case{it2, by_mode, {{"PMC11", 0xe0089}}, {{"PMC4", 0x80c809}}, {{"PMC4", 0x80c80d}}},
                      Case{it2, "", {{"PMC11", 0x30009}}, {{"PMC4", 0x80c809}}, {{"PMC4", 0x80c80d}}},
                      Case{it2, by_mode, {{"PMC11", 0x30000}}, {{"PMC4", 0x80c809}}, {{"PMC4", 0x80c80d}}},
                      Case{mont, by_mode, {{"PMC42", 0x409}}, {}, {{"PMC39", 0x3f09}}},  // the IP-EAR uses the buffer
                      Case{mont, "", {{"PMC42", 0x409}}, {}, {{"PMC42", 0xc09}}}));      // delay

INSTANTIATE_TEST_SUITE_P(
    Filters, Ia64Rules,
    ::testing::Values(
        Case{it2, code_filter, {}, {}, {{"IBR0", 0x1000}}}, Case{it2, "", ranged, {}, {{"IBR0", 0x1040}}},  //
        Case{it2, left_out, ranged, {}, {{"IBR0", 0x1020}}},                                                //
        Case{it2, no_function, ranged, {}, {{"IBR1", block | 1ull << 63}}},                                 //
        Case{it2, code_filter, ranged, {}, {{"IBR1", block | 2ull << 56}}},  // a level at which no counter counts
        Case{it2, "", ranged, {}, {{"IBR1", block & ~(1ull << 56)}}},        //
        Case{it2, code_filter, ranged, {{"PMC4", 0x800009}}, {{"PMC4", 0x800009}, {"IBR0", 0x1040}}},
        Case{it2, code_filter, fine, {}, {{"IBR0", 0x1010}}},      // pairs of bundles
        Case{it2, "", fine, {}, {{"IBR0", 0x1020}}},               // pairs of bundles
        Case{it2, code_filter, fine, {}, {{"IBR4", 0x5020}}},      // the lower bound selects the page
        Case{it2, "", fine, {}, {{"IBR0", 0x5000}}},               //
        Case{it2, alike_channel, fine, {}, {{"PMC4", 0x820809}}},  // channel 2
        Case{it2, "", fine, {}, {{"PMC4", 0x810809}}},             // channel 1 has no range
        Case{it2, "", ranged, {}, {{"PMC4", 0x820809}}},           // not in fine mode: channel 2 has no range either
        Case{mont, alike_channel, montecito_fine, {}, {{"PMC4", 0x2020809}}},
        Case{mont, "", montecito_fine, {}, {{"PMC4", 0x2010809}}},
        Case{mont, "", montecito_fine, {}, {{"PMC4", 0x2020809}, {"PMC38", 0x2db4}}},  // pair 2 off
        Case{it2, code_filter, {}, {}, {{"PMC9", 0x3ffffffc}}},                        // channels 1 and 3
        Case{it2, "", {}, {}, {{"PMC8", 0x7fffffff3fffffff}}},                         //
        Case{it2, no_slot, {{"PMC4", 0x805109}}, {}, {{"PMC8", 0xefffffff3fffffff}}},  // squashed
        Case{it2, "", {{"PMC4", 0x805109}}, {}, {{"PMC8", 0xdfffffff3fffffff}}},       //
        Case{it2, "", {{"PMC5", 0x5109}}, {}, {{"PMC8", 0xefffffff3fffffff}}},         //
        Case{it2, code_filter, opcode, {}, {{"PMC8", 0x400000003fffffff}}},            // channel 0 has no opcode
        Case{it2, left_out, half_opcode, {}, {{"PMC8", 0xf00000023ffffeff}}},          //
        Case{it2, "", half_opcode, {}, {{"PMC8", 0xf00000403ffffeff}}},                // bit 5 is compared
        Case{it2, data_filter, {}, {}, {{"DBR0", 0x2000}}},                            //
        Case{it2, "", loads, {}, {{"DBR0", 0x2040}}},                                  //
        Case{it2, left_out, loads, {}, {{"DBR0", 0x2008}}},                            //
        Case{it2, data_filter, loads, {}, {{"DBR1", block | 1ull << 63}}},             // faults
        Case{it2, data_filter, loads, {{"PMC5", 0}}, {{"PMC5", 0}, {"PMC13", 0x2078fefefefe}}},
        Case{it2, "", loads, {}, {{"PMC13", 0x2078fefefefe}}},                         //
        Case{it2, no_level, ranged, {}, {{"PMC4", 0x80080b}}},                         //
        Case{it2, "", ranged, {{"PMC4", 0x801209}}, {{"PMC4", 0x80120b}}},             // cycles are not filtered
        Case{it2, fetch_filtered, loads, {{"PMC6", 0x0fdd09}}, {{"PMC6", 0x0bdd09}}},  // L3_READS
        Case{it2, fetch_filtered, loads, {{"PMC6", 0x07dd09}}, {{"PMC6", 0}}},         // caused only by fetches
        Case{it2, "", loads, {{"PMC6", 0x0bdd09}}, {{"PMC6", 0x0add09}}},              //
        Case{it2, left_out, twice, {}, {{"DBR3", 0x09ffffffffffff40}}},                // the half is in the first range
        Case{it2, "", twice, {}, {{"DBR3", 0x09fffffffffffec0}}}));

}  // namespace
}  // namespace pmusim::testbench::faults::ia64
