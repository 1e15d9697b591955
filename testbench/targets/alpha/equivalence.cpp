// Alpha: bits of the arguments of WRPERFMON without an effect. Sources: Alpha Architecture Handbook version 4, appendix
// E ("AAH"); Tru64 UNIX pfm(7) and sys/pfcntr.h; Digital's EV5 PALcode; 21164PC manual, chapter 5; 21264/EV67 manual,
// chapters 5 and 6.
#include "testbench/faults/equivalence.h"

#include <algorithm>
#include <array>

#include "testbench/faults/fields.h"
#include "testbench/oracle/profile.h"
#include "testbench/pfm/profile_me.h"

namespace pmusim::testbench::faults {
namespace {

constexpr std::string_view select_call = "WRPERFMON_SELECT", options_call = "WRPERFMON_OPTIONS",
                           enable_call = "WRPERFMON_ENABLE", frequency_call = "WRPERFMON_FREQUENCY";
constexpr std::uint64_t marked_only = 1;  ///< bit 0 of the options of the 21164 and 21264

/// The bits of a call's argument that PALcode reads.
struct Looked {
  std::string_view call;
  std::uint64_t bits;
};

template <const auto& looked>
void drop_ignored(Programmed& registers) {
  for (const Looked& at : looked) {
    if (registers.has(at.call) && registers.at(at.call) != call_not_made) registers.at(at.call) &= at.bits;
  }
}
/// A call that is not made leaves the state after reset, which equals that after a call with `argument`.
void as_reset(Programmed& registers, std::string_view call, std::uint64_t argument) {
  if (registers.has(call) && registers.at(call) == call_not_made) registers.at(call) = argument;
}

template <const auto& looked>
std::uint64_t reserved_of(std::string_view reg) {
  for (const Looked& at : looked) {
    if (at.call == reg) return ~at.bits;
  }
  return 0;
}

// --- 21064 ---

namespace ev4 {

constexpr BitField pcmux0{8, 4}, pcmux0_low_bit{8, 1};
/// Inputs of PCMUX0 that differ in its low bit.
constexpr std::uint64_t input_cycles = 0xa, input_pal_mode = 0xb;
constexpr std::array looked{Looked{select_call, 0x700000f09}, Looked{options_call, 3}, Looked{enable_call, 0}};
constexpr std::uint64_t all_processes = 1, marked_processes = 2;

void reset_state(Programmed& registers) {
  as_reset(registers, select_call, 0);
  as_reset(registers, options_call, all_processes);
}
void processes(Programmed& registers) {
  std::uint64_t& options = registers.at(options_call);
  if (options != marked_processes) options = all_processes;
}
void low_bit(Programmed& registers) {
  std::uint64_t& select = registers.at(select_call);
  const std::uint64_t input = pcmux0.of(select);
  if (input != input_cycles && input != input_pal_mode) pcmux0_low_bit.clear(select);
}

constexpr std::array rules{
    Rule{"argument bit not looked at", "AAH pp. E-5, E-6: functions 0 to 3; sys/pfcntr.h, struct iccsr",
         drop_ignored<looked>},
    Rule{"as reset left it", "AAH p. E-5: ICCSR and the option are 0, all processes are counted", reset_state},
    Rule{"all processes unless only marked ones", "AAH p. E-6, function 3", processes, "pmu.no_log_option=all"},
    Rule{"low bit of PCMUX0", "sys/pfcntr.h: it tells 0xA from 0xB and nothing else", low_bit,
         "pmu.mux0_low_bit=ignored"},
};

}  // namespace ev4

// --- 21164, 21164PC ---

namespace ev5 {

constexpr unsigned counters = 3;
constexpr std::array<BitField, counters> sel{BitField{31, 1}, BitField{4, 4}, BitField{0, 4}},
    frequency{BitField{8, 2}, BitField{6, 2}, BitField{4, 2}};
constexpr std::array<BitField, counters> second{BitField{0, 0}, BitField{19, 3}, BitField{22, 3}};
constexpr std::array<BitField, counters> pca56_second{BitField{0, 0}, BitField{8, 3}, BitField{11, 3}};
constexpr std::uint64_t takes_second = 0xf, flow_change = 8;
constexpr std::uint64_t kill_user = 1 << 30, kill_pal = 1 << 9, kill_kernel = 1 << 8;
constexpr std::uint64_t options_known = kill_user | kill_pal | kill_kernel | marked_only;

constexpr std::array looked{Looked{select_call, 0x81f800ff}, Looked{options_call, options_known},
                            Looked{frequency_call, 0x3f0}, Looked{enable_call, 7}};
constexpr std::array pca56_looked{Looked{select_call, 0x80003fff}, Looked{options_call, options_known},
                                  Looked{frequency_call, 0x3f0}, Looked{enable_call, 7}};

void reset_state(Programmed& registers) {
  as_reset(registers, select_call, 0);
  as_reset(registers, options_call, marked_only);
  as_reset(registers, frequency_call, 0);
  as_reset(registers, enable_call, 0);
}

bool counts(Programmed& registers, unsigned i) {
  return (registers.at(enable_call) >> i & 1) != 0 && frequency[i].of(registers.at(frequency_call)) != 0;
}

template <const auto& seconds>
void switch_off(Programmed& registers, unsigned i) {
  registers.at(enable_call) &= ~(std::uint64_t{1} << i);
  frequency[i].set(registers.at(frequency_call), 0);
  std::uint64_t& select = registers.at(select_call);
  if (i != 0) seconds[i].set(select, 0);
  // Selects 2 and 3 of counter 2 restrict the changes of flow that counter 1 counts.
  const bool narrows = i == 2 && (sel[2].of(select) == 2 || sel[2].of(select) == 3) && counts(registers, 1) &&
                       sel[1].of(select) == flow_change;
  if (!narrows) sel[i].set(select, 0);
}

template <const auto& seconds>
void off(Programmed& registers) {
  for (unsigned i = 0; i < counters; ++i) {
    if (!counts(registers, i)) switch_off<seconds>(registers, i);
  }
  if (registers.at(enable_call) == 0) registers.at(options_call) = 0;
}

template <const auto& seconds>
void no_second(Programmed& registers) {
  std::uint64_t& select = registers.at(select_call);
  for (unsigned i = 1; i < counters; ++i) {
    if (sel[i].of(select) != takes_second) seconds[i].set(select, 0);
  }
}

// No code of Tru64 runs in user mode. Without the other two bits, Ku counts or does not count nothing; with them it
// makes executive and supervisor mode count.
void no_user(Programmed& registers) {
  std::uint64_t& options = registers.at(options_call);
  if ((options & kill_pal) == 0 || (options & kill_kernel) == 0) options &= ~kill_user;
}
// User mode alone, so nothing counts.
template <const auto& seconds>
void no_mode(Programmed& registers) {
  const std::uint64_t modes = registers.at(options_call) & (kill_user | kill_pal | kill_kernel);
  if (modes != (kill_pal | kill_kernel)) return;
  registers.at(enable_call) = 0;
  off<seconds>(registers);
}

// Selects without an event: 1 of counter 2, second select 4 of counter 1, and `reserved` of counter 2.
template <const auto& seconds, std::uint64_t reserved = 1>
void no_event(Programmed& registers) {
  const std::uint64_t select = registers.at(select_call);
  if (sel[2].of(select) == 1 || sel[2].of(select) == reserved) switch_off<seconds>(registers, 2);
  if (sel[1].of(select) == takes_second && seconds[1].of(select) == 4) switch_off<seconds>(registers, 1);
  off<seconds>(registers);
}

constexpr std::string_view of_arguments = "AAH pp. E-9 to E-14: functions 1 to 4; PALcode; sys/pfcntr.h";
constexpr std::string_view of_reset = "PALcode: no counter on, ICSR<PMA> off, so that marked processes are counted";
constexpr std::string_view of_user =
    "AAH appendix E: the user mode of Tru64 is the hardware's executive mode; PMCTR<Ku,Kp,Kk>";
constexpr std::string_view os_user = "pmu.os_user_mode=executive";
constexpr std::string_view of_off = "AAH p. E-9, PMCTR<CTL> = 0; nothing else of the counter has an effect";

constexpr std::array rules{
    Rule{"argument bit not looked at", of_arguments, drop_ignored<looked>},
    Rule{"as reset left it", of_reset, reset_state},
    Rule{"counter off", of_off, off<second>},
    Rule{"second select not used", "sys/pfcntr.h: BC_CTL<PM_MUX_SEL> is looked at where SEL1 or SEL2 is 0xF",
         no_second<second>},
    Rule{"user mode of the hardware", of_user, no_user, os_user},
    Rule{"user mode alone", of_user, no_mode<second>, os_user},
    Rule{"select without an event", "pfm(7), sys/pfcntr.h: SEL2 = 1, PM_MUX_SEL<21:19> = 4", no_event<second>},
};
constexpr std::array pca56_rules{
    Rule{"argument bit not looked at", of_arguments, drop_ignored<pca56_looked>},
    Rule{"as reset left it", of_reset, reset_state},
    Rule{"counter off", of_off, off<pca56_second>},
    Rule{"second select not used", "sys/pfcntr.h: PM0_MUX and PM1_MUX are looked at where SEL1 or SEL2 is 0xF",
         no_second<pca56_second>},
    Rule{"user mode of the hardware", of_user, no_user, os_user},
    Rule{"user mode alone", of_user, no_mode<pca56_second>, os_user},
    Rule{"select without an event", "21164PC manual p. 5-30: SEL2 = 1 and 0xB, PM0_MUX = 4",
         no_event<pca56_second, 0xb>},
};

}  // namespace ev5

// --- 21264, 21264A ---

namespace ev6 {

constexpr BitField sl0{4, 1}, sl1{0, 4}, sl1_67{2, 2};
constexpr std::array looked{Looked{select_call, 0x1f}, Looked{options_call, 1}, Looked{enable_call, 3}};
constexpr std::array ev67_looked{Looked{select_call, 0x1c}, Looked{options_call, 1}, Looked{enable_call, 3}};

void reset_state(Programmed& registers) {
  as_reset(registers, select_call, 0);
  as_reset(registers, options_call, marked_only);
  as_reset(registers, enable_call, 0);
}
void nothing_on(Programmed& registers) {
  if (registers.at(enable_call) == 0) registers.at(options_call) = 0;
}
void off(Programmed& registers) {
  std::uint64_t& select = registers.at(select_call);
  if ((registers.at(enable_call) & 1) == 0) sl0.set(select, 0);
  if ((registers.at(enable_call) & 2) == 0) sl1.set(select, 0);
  nothing_on(registers);
}
void cycles_again(Programmed& registers) {
  std::uint64_t& select = registers.at(select_call);
  if (sl1.of(select) == 2) sl1.set(select, 0);
}
void no_event(Programmed& registers) {
  if (sl1.of(registers.at(select_call)) >= 8) registers.at(enable_call) &= ~std::uint64_t{2};
  off(registers);
}

// PCTR0 uses bit 0 of SL1 alone; in ProfileMe both bits select the input of PCTR1.
void ev67_off(Programmed& registers) {
  std::uint64_t& select = registers.at(select_call);
  const std::uint64_t on = registers.at(enable_call), mode = sl1_67.of(select);
  if (on == 0) select = 0;
  if (sl0.of(select) == 0 && (on & 2) == 0) sl1_67.set(select, mode & 1);
  nothing_on(registers);
}
void ev67_no_event(Programmed& registers) {
  const std::uint64_t select = registers.at(select_call);
  if (sl0.of(select) == 0 && sl1_67.of(select) == 1) registers.at(enable_call) &= ~std::uint64_t{2};
  ev67_off(registers);
}

constexpr std::string_view of_arguments = "AAH pp. E-24, E-25: functions 1 to 3; sys/pfcntr.h";
constexpr std::string_view of_reset =
    "EV67 manual 5.2: I_CTL<SPCE, PCT_EN> are 0, so that marked processes are counted";
constexpr std::string_view of_off = "EV67 manual 5.2: I_CTL<PCTn_EN> = 0; its select has no effect";

constexpr std::array rules{
    Rule{"argument bit not looked at", of_arguments, drop_ignored<looked>},
    Rule{"as reset left it", of_reset, reset_state},
    Rule{"counter off", of_off, off},
    Rule{"SL1 2 as 0", "sys/pfcntr.h: mispredicts are not implemented, cycles are counted", cycles_again,
         "pmu.ret_mispredicts=cycles"},
    Rule{"select without an event", "AAH p. E-24: SL1 from 8 on", no_event},
};
constexpr std::array ev67_rules{
    Rule{"argument bit not looked at", of_arguments, drop_ignored<ev67_looked>},
    Rule{"as reset left it", of_reset, reset_state},
    Rule{"counter off", of_off, ev67_off},
    Rule{"select without an event",
         "EV67 manual 6.10: PCTR1 with SL0 = 0, SL1 = 1 is not defined and counts nothing here", ev67_no_event},
};

// A statistic of ProfileMe reads I_STAT, PMPC and the low half of PCTR_CTL. Some statistics also read PCTR0 or PCTR1,
// and are defined in the modes in which these count the right input; the others are defined in every mode.
constexpr Rule other_counters{"SL1 of a counter that the statistic does not read",
                              "EV67 manual 6.10.3; sys/pfcntr.h, PF67_PM_* and PCNT6MUX", nullptr};
const Rule* statistic_does_not_read(std::string_view event, const Registers& own, const Registers& mutant) {
  const auto names = oracle::profile_statistics();
  const auto found = std::find(names.begin(), names.end(), event);
  if (found == names.end() || own.size() != mutant.size()) return nullptr;
  const auto modes = pfm::modes_of(static_cast<unsigned>(found - names.begin()) + 1);
  const auto fits = [&](std::uint64_t select) { return std::find(modes.begin(), modes.end(), select) != modes.end(); };
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].name != mutant[i].name) return nullptr;
    if (own[i].name == select_call ? !fits(own[i].value) || !fits(mutant[i].value) : own[i].value != mutant[i].value)
      return nullptr;
  }
  return &other_counters;
}

}  // namespace ev6

}  // namespace

}  // namespace pmusim::testbench::faults

namespace pmusim::testbench::targets {

const faults::EquivalenceFacts alpha_ev4::equivalence{faults::ev4::rules, faults::reserved_of<faults::ev4::looked>};
const faults::EquivalenceFacts alpha_ev5::equivalence{faults::ev5::rules, faults::reserved_of<faults::ev5::looked>};
const faults::EquivalenceFacts alpha_pca56::equivalence{faults::ev5::pca56_rules,
                                                        faults::reserved_of<faults::ev5::pca56_looked>};
const faults::EquivalenceFacts alpha_ev6::equivalence{faults::ev6::rules, faults::reserved_of<faults::ev6::looked>};
const faults::EquivalenceFacts alpha_ev67::equivalence{
    faults::ev6::ev67_rules, faults::reserved_of<faults::ev6::ev67_looked>, faults::ev6::statistic_does_not_read};

}  // namespace pmusim::testbench::targets
