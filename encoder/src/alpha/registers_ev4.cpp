// ICCSR of the 21064 and the calls that write it: sys/pfcntr.h, handbook pages E-5 and E-6, 21064 definition header.
#include "fields.h"
#include "registers.h"
#include "table.h"

namespace pmusim::encoder::alpha::ev4 {
namespace {

template <unsigned Counter>
std::string input_meaning(std::uint64_t value) {
  // The low bit of counter 0's input is significant for 0xA and 0xB only.
  const std::uint64_t code = Counter == 1 || value == 0xA || value == 0xB ? value : value & 0xE;
  for (const Row& row : ev4_table().rows[0])
    if (row.counter == Counter && row.code == code) return std::string(row.name);
  return "no event";
}
constexpr Meaning other_meaning{"off; no part of the monitor", "on; no part of the monitor"};
constexpr Meaning enabled_meaning{"interrupt request disabled", "interrupt request enabled"};
constexpr Meaning hidden_meaning{"{} counted since the last interrupt; software cannot read it"};

}  // namespace

constexpr Field pc1{"PC1", "0", 0, 1, Meaning("interrupt every 4096 events", "interrupt every 256 events")};
constexpr Field pc0{"PC0", "3", 3, 1, Meaning("interrupt every 65536 events", "interrupt every 4096 events")};
constexpr Field pcmux0{"PCMUX0", "11:8", 8, 4, input_meaning<0>};
constexpr Field pcmux1{"PCMUX1", "34:32", 32, 3, input_meaning<1>};
constexpr Field log_all{"ALL", "0", 0, 1, Meaning("not asked to count for all processes", "count for all processes")};
constexpr Field log_marked{
    "MARKED", "1", 1, 1,
    Meaning("not asked to count for marked processes alone", "count for processes with PME, unless all are asked for")};
constexpr Field hier_pc0{"PC0", "8", 8, 1, enabled_meaning};
constexpr Field hier_pc1{"PC1", "15", 15, 1, enabled_meaning};

std::span<const Register> registers() {
  static constexpr std::array none{Field{"ARGUMENT", "63:0", 0, 64, Meaning("no argument", "ignored")}};
  static constexpr std::array image{reserved("63:35", 35, 29), pcmux1, reserved("31:12", 12, 20), pcmux0,
                                    reserved("7:4", 4, 4),     pc0,    reserved("2:1", 1, 2),     pc1};
  static constexpr std::array log{reserved("63:2", 2, 62), log_marked, log_all};
  static constexpr std::array iccsr{reserved("63:43", 43, 21),
                                    Field{"FPE", "42", 42, 1, other_meaning},
                                    Field{"MAP", "41", 41, 1, other_meaning},
                                    Field{"HWE", "40", 40, 1, other_meaning},
                                    Field{"DI", "39", 39, 1, other_meaning},
                                    Field{"BHE", "38", 38, 1, other_meaning},
                                    Field{"JSE", "37", 37, 1, other_meaning},
                                    Field{"BPE", "36", 36, 1, other_meaning},
                                    Field{"PIPE", "35", 35, 1, other_meaning},
                                    pcmux1,
                                    reserved("31:12", 12, 20),
                                    pcmux0,
                                    reserved("7:4", 4, 4),
                                    pc0,
                                    reserved("2:1", 1, 2),
                                    pc1};
  static constexpr std::array hier{reserved("63:16", 16, 48), hier_pc1, reserved("14:9", 9, 6), hier_pc0,
                                   reserved("7:0", 0, 8)};
  static constexpr std::array count0{Field{"COUNT", "15:0", 0, 16, hidden_meaning}};
  static constexpr std::array count1{Field{"COUNT", "11:0", 0, 12, hidden_meaning}};
  static constexpr std::array<Register, 8> all{{{kCalls, disable, "WRPERFMON_DISABLE", 64, none},
                                                {kCalls, enable, "WRPERFMON_ENABLE", 64, none},
                                                {kCalls, select, "WRPERFMON_SELECT", 64, image},
                                                {kCalls, options, "WRPERFMON_OPTIONS", 64, log},
                                                {kIprs, kIccsr, "ICCSR", 64, iccsr},
                                                {kIprs, kHier, "HIER", 64, hier},
                                                {kCounters, 0, "CTR0", 16, count0},
                                                {kCounters, 1, "CTR1", 12, count1}}};
  return all;
}

}  // namespace pmusim::encoder::alpha::ev4
