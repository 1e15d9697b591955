// ICCSR of the 21064 and the calls that write it: sys/pfcntr.h, handbook pages E-5 and E-6, 21064 definition header.
#include "registers.h"

namespace pmusim::encoder::alpha::ev4 {
namespace {

template <unsigned Counter>
std::string input_meaning(std::uint64_t value) {
  // The low bit of counter 0's input is significant for 0xA and 0xB only.
  const std::uint64_t code = Counter == 1 || value == 0xA || value == 0xB ? value : value & 0xE;
  return event_meaning<ev4_table, Counter>(code);
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

// PMCTR of the 21164 and 21164PC, the second selects of the cache box, and the calls that write them: handbook pages
// E-9 to E-17, 21164 register definitions, 21164PC manual section 5.
namespace pmusim::encoder::alpha::ev5 {
namespace {

template <unsigned Counter>
std::string input_meaning(std::uint64_t value) {
  if (value == kSecond && Counter != 0) return "what the second select names";
  return event_meaning<ev5_table, Counter>(value);
}
template <const auto& Table, unsigned Counter>
std::string second_meaning(std::uint64_t value) {
  return event_meaning<Table, Counter>(second_select(static_cast<std::uint32_t>(value)));
}
template <unsigned Width>
std::string period_meaning(std::uint64_t value) {
  switch (value) {
    case kOff:
      return "off";
    case kSilent:
      return "counts, no interrupt";
    case kLong:
      return fmt::format("counts, interrupt every {}", 1U << Width);
    default:
      return "counts, interrupt every 256";
  }
}

}  // namespace

constexpr Field sel0{"SEL0", "31", 31, 1, input_meaning<0>};
constexpr Field ku{"Ku", "30", 30, 1, Meaning("counting in user mode", "no counting in user mode")};
constexpr Field kp{"Kp", "9", 9, 1, Meaning("counting in PALmode", "no counting in PALmode")};
constexpr Field kk{
    "Kk", "8", 8, 1,
    Meaning("counting in kernel, executive and supervisor mode",
            "no counting in kernel mode, nor in executive and supervisor mode unless all three kill bits are set")};
constexpr Field sel1{"SEL1", "7:4", 4, 4, input_meaning<1>};
constexpr Field sel2{"SEL2", "3:0", 0, 4, input_meaning<2>};
constexpr std::array<Field, 3> ctl{Field{"CTL0", "15:14", 14, 2, period_meaning<16>},
                                   Field{"CTL1", "13:12", 12, 2, period_meaning<16>},
                                   Field{"CTL2", "11:10", 10, 2, period_meaning<14>}};
constexpr std::array<Field, 3> period{Field{"FRQ0", "9:8", 8, 2, period_meaning<16>},
                                      Field{"FRQ1", "7:6", 6, 2, period_meaning<16>},
                                      Field{"FRQ2", "5:4", 4, 2, period_meaning<14>}};
constexpr Field marked{"MARKED", "0", 0, 1, Meaning("count for all processes", "count for processes with PME")};
constexpr Field pma{"PMA", "8", 8, 1, Meaning("count while PMP is set", "count for all processes")};
constexpr Field pmp{"PMP", "9", 9, 1, Meaning("the process does not have PME", "the process has PME")};
constexpr std::array<Field, 2> second{Field{"CBOX_SEL1", "21:19", 19, 3, second_meaning<ev5_table, 1>},
                                      Field{"CBOX_SEL2", "24:22", 22, 3, second_meaning<ev5_table, 2>}};
constexpr std::array<Field, 2> pca56_second{Field{"PM0_MUX", "10:8", 8, 3, second_meaning<pca56_table, 1>},
                                            Field{"PM1_MUX", "13:11", 11, 3, second_meaning<pca56_table, 2>}};

namespace {

constexpr std::array counters{Field{"CTR0", "63:48", 48, 16, start_meaning},
                              Field{"CTR1", "47:32", 32, 16, start_meaning},
                              Field{"CTR2", "29:16", 16, 14, start_meaning}};
constexpr std::array mask{reserved("63:3", 3, 61), Field{"COUNTERS", "2:0", 0, 3, mask_meaning}};
constexpr std::array opts{reserved("63:31", 31, 33), ku,    reserved("29:10", 10, 20), kp, kk,
                          reserved("7:1", 1, 7),     marked};
constexpr std::array periods{reserved("63:10", 10, 54), period[0], period[1], period[2], reserved("3:0", 0, 4)};
constexpr std::array values{counters[0], counters[1], reserved("31:30", 30, 2), counters[2], reserved("15:0", 0, 16)};
constexpr std::array pmctr{counters[0], counters[1], sel0, ku, counters[2], ctl[0], ctl[1], ctl[2], kp, kk, sel1, sel2};
constexpr std::array icsr{reserved("63:10", 10, 54), pmp, pma, reserved("7:0", 0, 8)};
constexpr std::array count16{Field{"COUNT", "15:0", 0, 16, count_meaning}};
constexpr std::array count14{Field{"COUNT", "13:0", 0, 14, count_meaning}};

constexpr std::array ev5_select{reserved("63:32", 32, 32),
                                sel0,
                                reserved("30:25", 25, 6),
                                second[1],
                                second[0],
                                reserved("18:8", 8, 11),
                                sel1,
                                sel2};
constexpr std::array pca56_select{
    reserved("63:32", 32, 32), sel0, reserved("30:14", 14, 17), pca56_second[1], pca56_second[0], sel1, sel2};
constexpr std::array bc_ctl{reserved("63:25", 25, 39), second[1], second[0], reserved("18:0", 0, 19)};
constexpr std::array cbu{reserved("63:14", 14, 50), pca56_second[1], pca56_second[0], reserved("7:0", 0, 8)};

template <const auto& Select>
constexpr std::array<Register, 13> list(Register cache_box) {
  return {{{kCalls, disable, "WRPERFMON_DISABLE", 64, mask},
           {kCalls, enable, "WRPERFMON_ENABLE", 64, mask},
           {kCalls, select, "WRPERFMON_SELECT", 64, Select},
           {kCalls, options, "WRPERFMON_OPTIONS", 64, opts},
           {kCalls, frequency, "WRPERFMON_FREQUENCY", 64, periods},
           {kCalls, write, "WRPERFMON_WRITE", 64, values},
           {kCalls, restart, "WRPERFMON_ENABLE_CLEAR", 64, mask},
           {kIprs, kPmctr, "PMCTR", 64, pmctr},
           {kIprs, kIcsr, "ICSR", 64, icsr},
           cache_box,
           {kCounters, 0, "CTR0", 16, count16},
           {kCounters, 1, "CTR1", 16, count16},
           {kCounters, 2, "CTR2", 14, count14}}};
}

}  // namespace

std::span<const Register> registers(bool is_pca56) {
  static constexpr auto ev5 = list<ev5_select>({kIprs, kBcCtl, "BC_CTL", 64, bc_ctl});
  static constexpr auto pca56 = list<pca56_select>({kIprs, kCbuConfig, "CBU_CONFIG", 64, cbu});
  return is_pca56 ? std::span<const Register>(pca56) : std::span<const Register>(ev5);
}

}  // namespace pmusim::encoder::alpha::ev5

// PCTR_CTL and I_CTL of the 21264 and 21264A, the calls that write them, and the registers that ProfileMe latches:
// handbook pages E-23 to E-25, 21264/EV67 hardware reference manual, chapter 5.
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
