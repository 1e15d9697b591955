// PMCTR of the 21164 and 21164PC, the second selects of the cache box, and the calls that write them: handbook pages
// E-9 to E-17, 21164 register definitions, 21164PC manual section 5.
#include "fields.h"
#include "registers.h"
#include "table.h"

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
