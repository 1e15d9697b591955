// PCTR_CTL and I_CTL of the 21264 and 21264A, the calls that write them, and the registers that ProfileMe latches:
// handbook pages E-23 to E-25, 21264/EV67 hardware reference manual, chapter 5.
#include "fields.h"
#include "registers.h"
#include "table.h"

namespace pmusim::encoder::alpha::ev6 {
namespace {

constexpr Meaning enabled_meaning{"counter disabled", "counter enabled"};
constexpr Meaning interrupt_meaning{"interrupt disabled", "interrupt enabled"};
std::string type_meaning(std::uint64_t v) {
  static constexpr std::array words{"replay",
                                    "invalid",
                                    "DTB double miss, 3 levels",
                                    "DTB double miss, 4 levels",
                                    "floating point disabled",
                                    "unaligned load or store",
                                    "DTB single miss",
                                    "D-stream fault",
                                    "OPCDEC",
                                    "invalid, see PMPC",
                                    "machine check",
                                    "invalid, see PMPC",
                                    "arithmetic",
                                    "invalid, see PMPC",
                                    "MT_FPCR",
                                    "reset"};
  return words[v];
}
std::string pc_meaning(std::uint64_t v) { return fmt::format("sampled at {:#x}", v << 2U); }

}  // namespace

constexpr Field sl0{"SL0", "4", 4, 1, event_meaning<ev6_table, 0>};
constexpr Field sl1{"SL1", "3:0", 0, 4, event_meaning<ev6_table, 1>};
constexpr Field sl0_67{"SL0", "4", 4, 1, Meaning("aggregate mode", "ProfileMe")};
constexpr Field sl1_67{"SL1", "3:2", 2, 2,
                       Meaning("retired instructions and cycles", "cycles and retire delay (aggregate: not defined)",
                               "retired instructions and board-level cache misses", "cycles and replay traps")};
constexpr Field spce{"SPCE", "0", 0, 1, Meaning("count while PPCE is set", "count for all processes")};
constexpr Field ppce{"PPCE", "1", 1, 1, Meaning("the process is not counted", "the process is counted")};
constexpr Field marked{"MARKED", "0", 0, 1, Meaning("count for all processes", "count for processes with PME")};
constexpr std::array<Field, 2> counter_enable{Field{"PCT0_EN", "18", 18, 1, enabled_meaning},
                                              Field{"PCT1_EN", "19", 19, 1, enabled_meaning}};
constexpr std::array<Field, 2> interrupt{Field{"PCEN0", "29", 29, 1, interrupt_meaning},
                                         Field{"PCEN1", "30", 30, 1, interrupt_meaning}};

namespace {

constexpr Field start0{"PCTR0", "47:28", 28, 20, start_meaning};
constexpr Field start1{"PCTR1", "25:6", 6, 20, start_meaning};
constexpr std::array mask{reserved("63:2", 2, 62), Field{"COUNTERS", "1:0", 0, 2, mask_meaning}};
constexpr std::array opts{reserved("63:1", 1, 63), marked};
constexpr std::array values{reserved("63:48", 48, 16), start0,
                            reserved("27:26", 26, 2),  start1,
                            reserved("5:2", 2, 4),     Field{"COUNTERS", "1:0", 0, 2, mask_meaning}};
constexpr std::array i_ctl{reserved("63:20", 20, 44), counter_enable[1], counter_enable[0], reserved("17:1", 1, 17),
                           spce};
constexpr std::array pctx{reserved("63:2", 2, 62), ppce, reserved("0", 0, 1)};
constexpr std::array ier_cm{reserved("63:31", 31, 33), interrupt[1], interrupt[0], reserved("28:0", 0, 29)};
constexpr std::array count20{Field{"COUNT", "19:0", 0, 20, count_meaning}};
constexpr Field sign{"SEXT", "63:48", 48, 16, reserved_meaning};

constexpr std::array select_6{reserved("63:5", 5, 59), sl0, sl1};
constexpr std::array pctr_ctl_6{sign, start0, reserved("27:26", 26, 2), start1, reserved("5", 5, 1), sl0, sl1};
constexpr std::array select_67{reserved("63:5", 5, 59), sl0_67, sl1_67, reserved("1:0", 0, 2)};
constexpr std::array pctr_ctl_67{
    sign,
    start0,
    Field{"PM_STALLED", "27", 27, 1, Meaning("no stall before mapping", "the sample stalled before it was mapped")},
    Field{"PM_KILLED_BM", "26", 26, 1,
          Meaning("not killed early", "the sample was killed no later than its map cycle")},
    start1,
    reserved("5", 5, 1),
    sl0_67,
    sl1_67,
    Field{"VAL", "1", 1, 1,
          Meaning("the sample was killed, if it did not trap", "the sample retired, if it did not trap")},
    Field{"TAK", "0", 0, 1, Meaning("the conditional branch was not taken", "the conditional branch was taken")}};
constexpr std::array i_stat{
    reserved("63:41", 41, 23),
    Field{"MIS", "40", 40, 1, Meaning("no mispredicted conditional branch", "mispredicted conditional branch")},
    Field{"TRP", "39", 39, 1, Meaning("the sample did not trap", "the sample trapped")},
    Field{"LSO", "38", 38, 1,
          Meaning("a replay trap is for another reason", "a replay trap is for the order of a load and a store")},
    Field{"TRAP_TYPE", "37:34", 34, 4, type_meaning},
    Field{"ICM", "33", 33, 1,
          Meaning("its fetch block started no Icache fill", "its fetch block started an Icache fill")},
    Field{"OVR", "32:30", 30, 3, Meaning("{} to be taken off the retired count")},
    Field{"PAR", "29", 29, 1, Meaning("no Icache parity error", "Icache parity error")},
    reserved("28:0", 0, 29)};
constexpr std::array pmpc{Field{"PC", "63:2", 2, 62, pc_meaning}, reserved("1", 1, 1),
                          Field{"PAL", "0", 0, 1, Meaning("a virtual address", "a PALcode address")}};

constexpr Register calls[] = {{kCalls, disable, "WRPERFMON_DISABLE", 64, mask},
                              {kCalls, enable, "WRPERFMON_ENABLE", 64, mask},
                              {kCalls, options, "WRPERFMON_OPTIONS", 64, opts},
                              {kCalls, write, "WRPERFMON_WRITE", 64, values},
                              {kCalls, restart, "WRPERFMON_ENABLE_WRITE", 64, values},
                              {kIprs, kIerCm, "IER_CM", 64, ier_cm},
                              {kIprs, kICtl, "I_CTL", 64, i_ctl},
                              {kIprs, kPctx, "PCTX", 64, pctx},
                              {kCounters, 0, "PCTR0", 20, count20},
                              {kCounters, 1, "PCTR1", 20, count20}};

template <std::size_t More>
constexpr auto with(const std::array<Register, More>& own) {
  std::array<Register, std::size(calls) + More> all{};
  std::size_t n = 0;
  for (const Register& reg : calls) all[n++] = reg;
  for (const Register& reg : own) all[n++] = reg;
  return all;
}

}  // namespace

std::span<const Register> registers(bool is_ev67) {
  static constexpr auto ev6 = with(std::array<Register, 2>{
      {{kCalls, select, "WRPERFMON_SELECT", 64, select_6}, {kIprs, kPctrCtl, "PCTR_CTL", 64, pctr_ctl_6}}});
  static constexpr auto ev67 = with(std::array<Register, 4>{{{kCalls, select, "WRPERFMON_SELECT", 64, select_67},
                                                             {kIprs, kPctrCtl, "PCTR_CTL", 64, pctr_ctl_67},
                                                             {kIprs, 0x16, "I_STAT", 64, i_stat},
                                                             {kIprs, 0x05, "PMPC", 64, pmpc}}});
  return is_ev67 ? std::span<const Register>(ev67) : std::span<const Register>(ev6);
}

}  // namespace pmusim::encoder::alpha::ev6
