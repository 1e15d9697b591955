#include "registers.h"

#include <fmt/format.h>

#include <array>

#include "table.h"

namespace pmusim::encoder::itanium2 {
namespace field {

std::string ear_type_meaning(std::uint64_t value) { return value ? "instruction cache" : "instruction TLB"; }
std::string power_meaning(std::uint64_t value) {
  return value ? "the PMU works (PMC4 only)" : "the PMU is off (PMC4 only)";
}
std::string ds_meaning(std::uint64_t value) {
  return value ? "record details of the prediction" : "record the targets of branches";
}

namespace {

std::string count_meaning(std::uint64_t value) { return fmt::format("{} counted", value); }
std::string sign_meaning(std::uint64_t value) { return value ? "copies of bit 46: negative" : "copies of bit 46"; }
std::string valid_meaning(std::uint64_t value) { return value ? fmt::format("valid: {}", value) : "nothing captured"; }
std::string latency_meaning(std::uint64_t value) { return fmt::format("{} cycles", value); }
std::string latency_overflow_meaning(std::uint64_t value) { return value ? "longer than the field holds" : "exact"; }
std::string slot_meaning(std::uint64_t value) { return fmt::format("slot {}", value); }
std::string bundle_meaning(std::uint64_t value) {
  return value ? "second bundle of its window" : "first bundle of its window";
}
std::string branch_meaning(std::uint64_t value) { return value ? "a branch" : "a target"; }
std::string next_meaning(std::uint64_t value) { return fmt::format("the next entry is PMD{}", 8 + value); }
std::string full_meaning(std::uint64_t value) { return value ? "every entry was written" : "not yet full"; }

/// Four bits of PMD16 for each entry of the buffer.
std::string extension_meaning(std::uint64_t value) {
  std::string text = value & 1 ? "branch in the second bundle" : "branch in the first bundle";
  if (value & 2) text += ", flush by the branch unit";
  return text;
}

constexpr Field reserved(std::string_view bits, unsigned shift, unsigned width) {
  return {"reserved", bits, shift, width, meaning::reserved};
}
constexpr Field fixed(std::string_view bits, unsigned shift, unsigned width) {
  return {"fixed", bits, shift, width, meaning::bits};
}

constexpr std::array kPmc0{reserved("63:8", 8, 56), Field{"overflow", "7:4", 4, 4, meaning::overflow},
                           reserved("3:1", 1, 3), Field{"fr", "0", 0, 1, meaning::freeze}};
constexpr std::array kPmcReserved{reserved("63:0", 0, 64)};
constexpr std::array kPmcCounter{reserved("63:26", 26, 38), ism, enable, threshold, umask, es,
                                 reserved("7", 7, 1),       pm,  oi,     ev,        plm};
constexpr std::array kPmcOpcode{slot_m,      slot_i, slot_f, slot_b, opcode_match, reserved("32:30", 30, 3),
                                opcode_mask, bit2,   inv,    ig_ad};
constexpr std::array kPmc10{reserved("63:16", 16, 48), iear_ism, iear_ct, iear_cache_umask, iear_pm, plm};
constexpr std::array kPmc11{
    reserved("63:26", 26, 38), ism, reserved("23:20", 20, 4), umask, reserved("15:9", 9, 7), dear_mode, pm,
    reserved("5:4", 4, 2),     plm};
constexpr std::array kPmc12{reserved("63:16", 16, 48), brt, ppm, ptm, tm, ds, pm, reserved("5:4", 4, 2), plm};
constexpr std::array kPmc13{reserved("63:49", 49, 15),
                            Field{"ena_dbrp3", "48", 48, 1, meaning::pair_enabled},
                            Field{"ena_dbrp2", "47", 47, 1, meaning::pair_enabled},
                            Field{"ena_dbrp1", "46", 46, 1, meaning::pair_enabled},
                            Field{"ena_dbrp0", "45", 45, 1, meaning::pair_enabled},
                            fixed("44:29", 29, 16),
                            Field{"cfg_dbrp3", "28:27", 27, 2, meaning::data_constraint},
                            fixed("26:21", 21, 6),
                            Field{"cfg_dbrp2", "20:19", 19, 2, meaning::data_constraint},
                            fixed("18:13", 13, 6),
                            Field{"cfg_dbrp1", "12:11", 11, 2, meaning::data_constraint},
                            fixed("10:5", 5, 6),
                            Field{"cfg_dbrp0", "4:3", 3, 2, meaning::data_constraint},
                            fixed("2:0", 0, 3)};
constexpr std::array kPmc14{reserved("63:14", 14, 50), fine,
                            fixed("12:11", 11, 2),     Field{"ibrp3", "10", 10, 1, meaning::pair_ignored},
                            fixed("9:8", 8, 2),        Field{"ibrp2", "7", 7, 1, meaning::pair_ignored},
                            fixed("6:5", 5, 2),        Field{"ibrp1", "4", 4, 1, meaning::pair_ignored},
                            fixed("3:2", 2, 2),        Field{"ibrp0", "1", 1, 1, meaning::pair_ignored},
                            fixed("0", 0, 1)};
constexpr std::array kPmc15{fixed("63:4", 4, 60), Field{"ibrp3_pmc9", "3", 3, 1, meaning::matcher_ignored},
                            Field{"ibrp2_pmc8", "2", 2, 1, meaning::matcher_ignored},
                            Field{"ibrp1_pmc9", "1", 1, 1, meaning::matcher_ignored},
                            Field{"ibrp0_pmc8", "0", 0, 1, meaning::matcher_ignored}};

constexpr std::array kPmd0{Field{"iaddr", "63:5", 5, 59, meaning::address}, reserved("4:2", 2, 3),
                           Field{"stat", "1:0", 0, 2, valid_meaning}};
constexpr std::array kPmd1{reserved("63:13", 13, 51), Field{"overflow", "12", 12, 1, latency_overflow_meaning},
                           Field{"latency", "11:0", 0, 12, latency_meaning}};
constexpr std::array kPmd2{Field{"daddr", "63:0", 0, 64, meaning::address}};
constexpr std::array kPmd3{reserved("63:16", 16, 48), Field{"stat", "15:14", 14, 2, valid_meaning},
                           Field{"overflow", "13", 13, 1, latency_overflow_meaning},
                           Field{"latency", "12:0", 0, 13, latency_meaning}};
constexpr std::array kPmdCounter{Field{"sxt47", "63:47", 47, 17, sign_meaning},
                                 Field{"count", "46:0", 0, 47, count_meaning}};
constexpr std::array kPmdEntry{Field{"addr", "63:4", 4, 60, meaning::address}, Field{"slot", "3:2", 2, 2, slot_meaning},
                               Field{"mp", "1", 1, 1, meaning::flag}, Field{"b", "0", 0, 1, branch_meaning}};
constexpr std::array kPmd16{reserved("63:36", 36, 28),
                            Field{"pmd15ext", "35:32", 32, 4, extension_meaning},
                            Field{"pmd14ext", "31:28", 28, 4, extension_meaning},
                            Field{"pmd13ext", "27:24", 24, 4, extension_meaning},
                            Field{"pmd12ext", "23:20", 20, 4, extension_meaning},
                            Field{"pmd11ext", "19:16", 16, 4, extension_meaning},
                            Field{"pmd10ext", "15:12", 12, 4, extension_meaning},
                            Field{"pmd9ext", "11:8", 8, 4, extension_meaning},
                            Field{"pmd8ext", "7:4", 4, 4, extension_meaning},
                            Field{"full", "3", 3, 1, full_meaning},
                            Field{"bbi", "2:0", 0, 3, next_meaning}};
constexpr std::array kPmd17{Field{"iaddr", "63:4", 4, 60, meaning::address}, Field{"vl", "3", 3, 1, valid_meaning},
                            Field{"bn", "2", 2, 1, bundle_meaning}, Field{"slot", "1:0", 0, 2, slot_meaning}};

constexpr std::array kDebugAddress{Field{"addr", "63:0", 0, 64, meaning::address}};
constexpr std::array kCodeMask{Field{"x", "63", 63, 1, meaning::flag}, reserved("62:60", 60, 3),
                               Field{"plm", "59:56", 56, 4, meaning::levels},
                               Field{"mask", "55:0", 0, 56, meaning::bits}};
constexpr std::array kDataMask{Field{"r", "63", 63, 1, meaning::flag}, Field{"w", "62", 62, 1, meaning::flag},
                               reserved("61:60", 60, 2), Field{"plm", "59:56", 56, 4, meaning::levels},
                               Field{"mask", "55:0", 0, 56, meaning::bits}};

}  // namespace
}  // namespace field

namespace {

using namespace field;

constexpr unsigned kWidth = 64;
constexpr std::size_t kPmcs = 16;
constexpr std::size_t kPmds = 18;
constexpr std::size_t kDebug = 8;

constexpr std::array<Register, kPmcs + kPmds + 2 * kDebug> kRegisters{{
    {"pmc", 0, "PMC0", kWidth, kPmc0},         {"pmc", 1, "PMC1", kWidth, kPmcReserved},
    {"pmc", 2, "PMC2", kWidth, kPmcReserved},  {"pmc", 3, "PMC3", kWidth, kPmcReserved},
    {"pmc", 4, "PMC4", kWidth, kPmcCounter},   {"pmc", 5, "PMC5", kWidth, kPmcCounter},
    {"pmc", 6, "PMC6", kWidth, kPmcCounter},   {"pmc", 7, "PMC7", kWidth, kPmcCounter},
    {"pmc", 8, "PMC8", kWidth, kPmcOpcode},    {"pmc", 9, "PMC9", kWidth, kPmcOpcode},
    {"pmc", 10, "PMC10", kWidth, kPmc10},      {"pmc", 11, "PMC11", kWidth, kPmc11},
    {"pmc", 12, "PMC12", kWidth, kPmc12},      {"pmc", 13, "PMC13", kWidth, kPmc13},
    {"pmc", 14, "PMC14", kWidth, kPmc14},      {"pmc", 15, "PMC15", kWidth, kPmc15},
    {"pmd", 0, "PMD0", kWidth, kPmd0},         {"pmd", 1, "PMD1", kWidth, kPmd1},
    {"pmd", 2, "PMD2", kWidth, kPmd2},         {"pmd", 3, "PMD3", kWidth, kPmd3},
    {"pmd", 4, "PMD4", kWidth, kPmdCounter},   {"pmd", 5, "PMD5", kWidth, kPmdCounter},
    {"pmd", 6, "PMD6", kWidth, kPmdCounter},   {"pmd", 7, "PMD7", kWidth, kPmdCounter},
    {"pmd", 8, "PMD8", kWidth, kPmdEntry},     {"pmd", 9, "PMD9", kWidth, kPmdEntry},
    {"pmd", 10, "PMD10", kWidth, kPmdEntry},   {"pmd", 11, "PMD11", kWidth, kPmdEntry},
    {"pmd", 12, "PMD12", kWidth, kPmdEntry},   {"pmd", 13, "PMD13", kWidth, kPmdEntry},
    {"pmd", 14, "PMD14", kWidth, kPmdEntry},   {"pmd", 15, "PMD15", kWidth, kPmdEntry},
    {"pmd", 16, "PMD16", kWidth, kPmd16},      {"pmd", 17, "PMD17", kWidth, kPmd17},
    {"ibr", 0, "IBR0", kWidth, kDebugAddress}, {"ibr", 1, "IBR1", kWidth, kCodeMask},
    {"ibr", 2, "IBR2", kWidth, kDebugAddress}, {"ibr", 3, "IBR3", kWidth, kCodeMask},
    {"ibr", 4, "IBR4", kWidth, kDebugAddress}, {"ibr", 5, "IBR5", kWidth, kCodeMask},
    {"ibr", 6, "IBR6", kWidth, kDebugAddress}, {"ibr", 7, "IBR7", kWidth, kCodeMask},
    {"dbr", 0, "DBR0", kWidth, kDebugAddress}, {"dbr", 1, "DBR1", kWidth, kDataMask},
    {"dbr", 2, "DBR2", kWidth, kDebugAddress}, {"dbr", 3, "DBR3", kWidth, kDataMask},
    {"dbr", 4, "DBR4", kWidth, kDebugAddress}, {"dbr", 5, "DBR5", kWidth, kDataMask},
    {"dbr", 6, "DBR6", kWidth, kDebugAddress}, {"dbr", 7, "DBR7", kWidth, kDataMask},
}};

}  // namespace

std::span<const Register> registers() { return kRegisters; }
const Register& pmc(unsigned number) { return kRegisters.at(number); }
const Register& pmd(unsigned number) { return kRegisters.at(kPmcs + number); }
const Register& ibr(unsigned number) { return kRegisters.at(kPmcs + kPmds + number); }
const Register& dbr(unsigned number) { return kRegisters.at(kPmcs + kPmds + kDebug + number); }

}  // namespace pmusim::encoder::itanium2
