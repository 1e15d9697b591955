#include "registers.h"

#include <fmt/format.h>

#include <array>

namespace pmusim::encoder::itanium2 {
namespace field {

namespace {

std::string next_meaning(std::uint64_t value) { return fmt::format("the next entry is PMD{}", 8 + value); }

constexpr std::array kPmc0{reserved("63:8", 8, 56), Field{"overflow", "7:4", 4, 4, meaning::overflow},
                           reserved("3:1", 1, 3), Field{"fr", "0", 0, 1, meaning::freeze}};
constexpr std::array kPmcCounter{reserved("63:26", 26, 38), ism, enable, threshold, umask, es,
                                 reserved("7", 7, 1),       pm,  oi,     ev,        plm};
constexpr std::array kPmcOpcode{slot_m,      slot_i, slot_f, slot_b, opcode_match, reserved("32:30", 30, 3),
                                opcode_mask, bit2,   inv,    ig_ad};
constexpr std::array kPmc10{reserved("63:16", 16, 48), iear_ism, iear_ct, iear_cache_umask, iear_pm, plm};
constexpr std::array kPmc11{
    reserved("63:26", 26, 38), ism, reserved("23:20", 20, 4), umask, reserved("15:9", 9, 7), dear_mode, pm,
    reserved("5:4", 4, 2),     plm};
constexpr std::array kPmc15{fixed("63:4", 4, 60), Field{"ibrp3_pmc9", "3", 3, 1, meaning::matcher_ignored},
                            Field{"ibrp2_pmc8", "2", 2, 1, meaning::matcher_ignored},
                            Field{"ibrp1_pmc9", "1", 1, 1, meaning::matcher_ignored},
                            Field{"ibrp0_pmc8", "0", 0, 1, meaning::matcher_ignored}};

constexpr std::array kPmdEntry{Field{"addr", "63:4", 4, 60, meaning::address},
                               Field{"slot", "3:2", 2, 2, meaning::slot}, Field{"mp", "1", 1, 1, meaning::flag},
                               Field{"b", "0", 0, 1, meaning::branch_or_target}};
constexpr std::array kPmd16{reserved("63:36", 36, 28),
                            Field{"pmd15ext", "35:32", 32, 4, meaning::branch_extension},
                            Field{"pmd14ext", "31:28", 28, 4, meaning::branch_extension},
                            Field{"pmd13ext", "27:24", 24, 4, meaning::branch_extension},
                            Field{"pmd12ext", "23:20", 20, 4, meaning::branch_extension},
                            Field{"pmd11ext", "19:16", 16, 4, meaning::branch_extension},
                            Field{"pmd10ext", "15:12", 12, 4, meaning::branch_extension},
                            Field{"pmd9ext", "11:8", 8, 4, meaning::branch_extension},
                            Field{"pmd8ext", "7:4", 4, 4, meaning::branch_extension},
                            Field{"full", "3", 3, 1, meaning::wrapped},
                            Field{"bbi", "2:0", 0, 3, next_meaning}};
}  // namespace
}  // namespace field

namespace {

using namespace field;

constexpr ia64::RegisterRun kOwn[] = {
    {"pmc", 4, 7, kPmcCounter},
    {"pmc", 8, 9, kPmcOpcode},
    {"pmc", 10, 10, kPmc10},
    {"pmc", 11, 11, kPmc11},
    {"pmc", 12, 12, ia64::kBufferFields},
    {"pmc", 13, 13, ia64::kDataRangeFields},
    {"pmc", 14, 14, ia64::kCodeRangeFields},
    {"pmc", 15, 15, kPmc15},
    {"pmd", 0, 0, ia64::kFetchAddressFields},
    {"pmd", 1, 1, ia64::kFetchLatencyFields},
    {"pmd", 2, 2, ia64::kDataAddressFields},
    {"pmd", 3, 3, ia64::kDataLatencyFields},
    {"pmd", 4, 7, ia64::kCountFields},
    {"pmd", 8, 15, kPmdEntry},
    {"pmd", 16, 16, kPmd16},
    {"pmd", 17, 17, ia64::kDataInstructionFields},
};

}  // namespace

std::span<const Register> registers() {
  static const ia64::Registers registers(kPmc0, kOwn);
  return registers.all();
}

}  // namespace pmusim::encoder::itanium2
