#include "registers.h"

#include <fmt/format.h>

#include <array>

namespace pmusim::encoder::montecito {
namespace field {

std::string ip_ear_meaning(std::uint64_t value) {
  if (value == 0) return "the trace buffer takes in branches";
  return value == kIpEarOn ? "the trace buffer takes in retiring instructions" : "reserved";
}

namespace {

std::string next_meaning(std::uint64_t value) { return fmt::format("the next entry is PMD{}", 48 + value); }
/// The meaning of the four bits depends on what the buffer records: both meanings are listed.
std::string extension_meaning(std::uint64_t value) {
  return fmt::format("{}; of the IP-EAR: cycles 5:4 {}{}{}", meaning::branch_extension(value), value & 3,
                     value & 4 ? ", flush" : "", value & 8 ? ", early freeze" : "");
}

constexpr std::array kPmc0{reserved("63:16", 16, 48), Field{"overflow", "15:4", 4, 12, meaning::overflow},
                           reserved("3:1", 1, 3), Field{"fr", "0", 0, 1, meaning::freeze}};
constexpr std::array kPmcCounter{reserved("63:31", 31, 33),
                                 state_m,
                                 state_e,
                                 state_s,
                                 state_i,
                                 all,
                                 ism,
                                 reserved("23", 23, 1),
                                 threshold,
                                 umask,
                                 es,
                                 reserved("7", 7, 1),
                                 pm,
                                 oi,
                                 ev,
                                 plm};
constexpr std::array kPmc32{
    reserved("63:58", 58, 6), ig_ad,      inv, reserved("55:52", 52, 4), slot_m, slot_i, slot_f, slot_b,
    reserved("47:41", 41, 7), opcode_mask};
constexpr std::array kPmc34{reserved("63:52", 52, 12), slot_m,     slot_i, slot_f, slot_b,
                            reserved("47:41", 41, 7),  opcode_mask};
constexpr std::array kPmcMatch{reserved("63:41", 41, 23), opcode_match};
constexpr std::array kPmc36{reserved("63:32", 32, 32),
                            fixed("31:4", 4, 28),
                            Field{"ch3_ig_opcm", "3", 3, 1, meaning::matcher_ignored},
                            Field{"ch2_ig_opcm", "2", 2, 1, meaning::matcher_ignored},
                            Field{"ch1_ig_opcm", "1", 1, 1, meaning::matcher_ignored},
                            Field{"ch0_ig_opcm", "0", 0, 1, meaning::matcher_ignored}};
constexpr std::array kPmc37{reserved("63:14", 14, 50), iear_ct, iear_cache_umask, iear_pm, plm};
constexpr std::array kPmc40{
    reserved("63:26", 26, 38), ism, reserved("23:20", 20, 4), umask, reserved("15:9", 9, 7), dear_mode, pm,
    reserved("5:4", 4, 2),     plm};
constexpr std::array kPmc42{reserved("63:19", 19, 45), ip_ear_delay, ip_ear_mode, reserved("7", 7, 1), pm,
                            reserved("5:4", 4, 2),     plm};

constexpr std::array kPmd38{reserved("63:6", 6, 58), Field{"full", "5", 5, 1, meaning::wrapped}, reserved("4", 4, 1),
                            Field{"ebi", "3:0", 0, 4, next_meaning}};
constexpr std::array kPmd39{
    Field{"pmd63ext", "63:60", 60, 4, extension_meaning}, Field{"pmd55ext", "59:56", 56, 4, extension_meaning},
    Field{"pmd62ext", "55:52", 52, 4, extension_meaning}, Field{"pmd54ext", "51:48", 48, 4, extension_meaning},
    Field{"pmd61ext", "47:44", 44, 4, extension_meaning}, Field{"pmd53ext", "43:40", 40, 4, extension_meaning},
    Field{"pmd60ext", "39:36", 36, 4, extension_meaning}, Field{"pmd52ext", "35:32", 32, 4, extension_meaning},
    Field{"pmd59ext", "31:28", 28, 4, extension_meaning}, Field{"pmd51ext", "27:24", 24, 4, extension_meaning},
    Field{"pmd58ext", "23:20", 20, 4, extension_meaning}, Field{"pmd50ext", "19:16", 16, 4, extension_meaning},
    Field{"pmd57ext", "15:12", 12, 4, extension_meaning}, Field{"pmd49ext", "11:8", 8, 4, extension_meaning},
    Field{"pmd56ext", "7:4", 4, 4, extension_meaning},    Field{"pmd48ext", "3:0", 0, 4, extension_meaning}};
/// An entry for a branch. An entry of the IP-EAR has cycles in bits 63:60 and the address in the other bits.
constexpr std::array kPmdEntry{Field{"addr", "63:4", 4, 60, meaning::address},
                               Field{"slot", "3:2", 2, 2, meaning::slot}, Field{"mp", "1", 1, 1, meaning::flag},
                               Field{"s", "0", 0, 1, meaning::branch_or_target}};

}  // namespace
}  // namespace field

namespace {

using namespace field;

constexpr ia64::RegisterRun kOwn[] = {
    {"pmc", 4, 15, kPmcCounter},
    {"pmc", 32, 32, kPmc32},
    {"pmc", 33, 33, kPmcMatch},
    {"pmc", 34, 34, kPmc34},
    {"pmc", 35, 35, kPmcMatch},
    {"pmc", 36, 36, kPmc36},
    {"pmc", 37, 37, kPmc37},
    {"pmc", 38, 38, ia64::kCodeRangeFields},
    {"pmc", 39, 39, ia64::kBufferFields},
    {"pmc", 40, 40, kPmc40},
    {"pmc", 41, 41, ia64::kDataRangeFields},
    {"pmc", 42, 42, kPmc42},
    {"pmd", 4, 15, ia64::kCountFields},
    {"pmd", 32, 32, ia64::kDataAddressFields},
    {"pmd", 33, 33, ia64::kDataLatencyFields},
    {"pmd", 34, 34, ia64::kFetchAddressFields},
    {"pmd", 35, 35, ia64::kFetchLatencyFields},
    {"pmd", 36, 36, ia64::kDataInstructionFields},
    {"pmd", 38, 38, kPmd38},
    {"pmd", 39, 39, kPmd39},
    {"pmd", 48, 63, kPmdEntry},
};

}  // namespace

std::span<const Register> registers() {
  static const ia64::Registers registers(kPmc0, kOwn);
  return registers.all();
}

}  // namespace pmusim::encoder::montecito
