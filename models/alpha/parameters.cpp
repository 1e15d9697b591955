// The behaviours of the Alpha monitors that no document settles. The first value of each is the default.
#include <string_view>
#include <vector>

#include "models/alpha/alpha.h"
#include "models/alpha/behaviour.h"

namespace pmusim::pmu::alpha {
namespace {

using models::Choice;
using models::ParameterInfo;

struct Row {
  unsigned chips;
  std::string_view name;
  std::string_view meaning;
  std::string_view source;
  std::vector<Choice> choices;
};
constexpr unsigned ev4 = 1, ev5 = 2, pca56 = 4, ev6 = 8, ev67 = 16;
static_assert(static_cast<unsigned>(Chip::ev67) == ev67 && static_cast<unsigned>(Chip::ev5) == ev5);
bool in(Chip chip, unsigned chips) { return (static_cast<unsigned>(chip) & chips) != 0; }

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {ev4 | ev5 | pca56,
       "pmu.trap_cycles",
       "cycles without issue in which a trap or replay is on its way",
       "pfm(7) names causes of a dry pipe and of a frozen one, and not whether there are others",
       {{"dry", 0, "the pipe is dry"}, {"neither", 1, "it is neither dry nor frozen"}}},
      {ev4 | ev5 | pca56 | ev6,
       "pmu.increment_limit",
       "more of an event in a cycle than its input can say",
       "no document; from the numbers of pipes and ports",
       {{"table", 0, "the most that the event's row has"}, {"none", 1, "all are counted"}}},
      {ev4,
       "pmu.selective_counting",
       "counting for marked processes alone",
       "pfm(7): pass 3 and later of the 21064 can, earlier ones count the whole system",
       {{"marked", 0, "pass 3"}, {"system", 1, "pass 2"}}},
      {ev4,
       "pmu.no_log_option",
       "argument 0 of function 3 of WRPERFMON",
       "the handbook names bits 0 and 1; Linux passes 0 and means all",
       {{"all", 0, "all processes"}, {"marked", 1, "marked processes"}}},
      {ev4,
       "pmu.both_log_options",
       "argument 3 of function 3 of WRPERFMON",
       "no document",
       {{"all", 0, "all processes"}, {"marked", 1, "marked processes"}}},
      {ev4,
       "pmu.mux0_low_bit",
       "bit 0 of PCMUX0 beside the values of sys/pfcntr.h",
       "general literature: not looked at, but for 0xA and 0xB",
       {{"ignored", 0, "not looked at"}, {"decoded", 1, "a select with no event"}}},
      {ev4,
       "pmu.dcache_probes",
       "probes of the Dcache that do not finish in a cycle",
       "pfm(7) names no kind of access",
       {{"all", 0, "of loads and stores"}, {"loads", 1, "of loads"}}},
      {ev4,
       "pmu.half_counts",
       "a cycle that issues one instruction",
       "pfm(7): half a count; no document on the adder",
       {{"exact", 0, "half counts add up"}, {"dropped", 1, "counts nothing"}}},
      {ev4,
       "pmu.select_write",
       "counters when ICCSR is written",
       "no document",
       {{"kept", 0, "go on from where they are"}, {"cleared", 1, "0"}}},
      {ev5 | pca56,
       "pmu.ctl_1",
       "CTL = 1 of a counter",
       "PALcode's comments name the periods of 2 and 3",
       {{"counts", 0, "counts without interrupts"}, {"off", 1, "off, as 0"}}},
      {ev5 | pca56,
       "pmu.dtb_miss",
       "accesses of DTB_MISS",
       "pfm(7): Dcache misses whose page the DTB does not have",
       {{"all", 0, "loads and stores"}, {"loads", 1, "loads"}}},
      {ev5 | pca56,
       "pmu.os_user_mode",
       "hardware mode of the operating system's user code",
       "Alpha Architecture Handbook, appendix E: Tru64's user mode reads as executive",
       {{"executive", 0, "executive"}, {"user", 1, "user"}}},
      {ev5 | pca56,
       "pmu.short_period",
       "a counter that interrupts every 256",
       "no document",
       {{"tap", 0, "keeps its width, interrupts at the carry out of bit 7"}, {"wraps", 1, "has 8 bits"}}},
      {ev5 | pca56,
       "pmu.integer_operate",
       "LDA and LDAH as integer operates",
       "pfm(7) counts them on the 21064 and does not name them for the 21164",
       {{"with_addresses", 0, "counted, as on the 21064"}, {"operates", 1, "not counted"}}},
      {pca56,
       "pmu.pca56_external",
       "SEL2 = 0xB, the external pin",
       "pfm(7) lists it, the 21164PC manual reserves it",
       {{"zero", 0, "counts 0"}, {"counted", 1, "as on the 21164"}}},
      {pca56,
       "pmu.sys_read_flush",
       "PM1_MUX = 6",
       "pfm(7): requests; sys/pfcntr.h: misses",
       {{"all", 0, "READ and FLUSH requests"}, {"misses", 1, "those that miss the Bcache"}}},
      {ev6,
       "pmu.ret_mispredicts",
       "SL1 = 2",
       "sys/pfcntr.h: counts cycles; the handbook: retired mispredicted branches",
       {{"cycles", 0, "cycles"}, {"retired", 1, "retired conditional branches that were mispredicted"}}},
      {ev67,
       "pmu.retiring_traps",
       "profiled instructions whose trap lets them retire",
       "21264/EV67 manual 6.10.3: some trap and retire; not which",
       {{"arithmetic", 0, "mispredicted ones, those with an arithmetic trap and MT_FPCR"},
        {"mispredict", 1, "mispredicted ones"}}},
      {ev67,
       "pmu.squashed_aborts",
       "profiled no-operations, TRAPB and EXCB, which leave before they execute, in the driver's ABORT",
       "21264/EV67 manual 6.10.3: an instruction that is not squashed either retires or aborts",
       {{"left_out", 0, "they neither retire nor abort"}, {"counted", 1, "what does not retire aborts"}}},
      {ev6 | ev67,
       "pmu.counter_read",
       "a read of PCTR_CTL while a counter does not count",
       "21264/EV67 manual 6.10: the value may have the increment of the cycle",
       {{"exact", 0, "the value"}, {"incremented", 1, "the value and what the cycle before has of the event"}}},
      {ev6 | ev67,
       "pmu.ier_cm_pc",
       "where IER_CM has the enables of the counters",
       "inferred from ISUM and HW_INT_CLR",
       {{"as_isum", 0, "bits 30:29"}, {"elsewhere", 1, "not there: those bits do nothing, and the enables are on"}}},
      {ev6 | ev67,
       "pmu.threshold_write",
       "PCTR_CTL is written while a counter is within one cycle of its overflow",
       "21264/EV67 manual 6.10.1: an interrupt, enabled or not",
       {{"raises", 0, "the counter's request is set"}, {"ignored", 1, "nothing"}}},
  };
  return table;
}

constexpr std::string_view skid_name = "pmu.interrupt_skid";
constexpr std::string_view long_stall_name = "pmu.long_stall";
constexpr std::string_view overcount_name = "pmu.overcount_cycles";
constexpr std::string_view pin_clock_name = "pmu.pin_clock";

}  // namespace

models::Parameters parameters_of(Chip chip) {
  std::vector<ParameterInfo> infos;
  infos.push_back({skid_name, 6, 0, 1000, "cycles", "least time from an overflow to its interrupt",
                   "literature on DCPI: about six cycles on the 21164", false});
  if (in(chip, ev4)) {
    infos.push_back({pin_clock_name, 1, 1, 64, "cycles",
                     "clock at which the external pins are looked at: at most one event of a pin in each of its cycles",
                     "literature: that of the system interface", false});
  }
  if (in(chip, ev5 | pca56)) {
    infos.push_back({long_stall_name, 15, 1, 1000, "cycles", "a long stall is longer than this",
                     "pfm(7): 15; sys/pfcntr.h: 12", false});
  }
  if (in(chip, ev67)) {
    infos.push_back({overcount_name, 1, 0, 2, "cycles",
                     "cycles after the fetch of a profiled instruction whose fetched instructions I_STAT.OVR counts",
                     "21264/EV67 manual 6.10.3: at most 7 in the cycles before the window", false});
  }
  for (const Row& row : rows()) {
    if (!in(chip, row.chips)) continue;
    infos.push_back({row.name, 0, 0, static_cast<std::int64_t>(row.choices.size()) - 1, "", row.meaning, row.source,
                     false, row.choices});
  }
  return models::Parameters(std::move(infos));
}

Behaviour::Behaviour(Chip made, const models::Parameters& p) : chip(made) {
  const auto is = [&](std::string_view name) { return p.get(name) != 0; };
  skid = static_cast<Cycle>(p.get(skid_name));
  if (in(chip, ev4 | ev5 | pca56 | ev6)) limited = !is("pmu.increment_limit");
  if (in(chip, ev4 | ev5 | pca56)) {
    traps_apart = is("pmu.trap_cycles");
    traps_dry = !traps_apart;
  }
  if (in(chip, ev4)) {
    marks_matter = !is("pmu.selective_counting");
    no_option_is_all = !is("pmu.no_log_option");
    both_options_are_all = !is("pmu.both_log_options");
    low_bit_selects = is("pmu.mux0_low_bit");
    loads_only = is("pmu.dcache_probes");
    all_probes = !loads_only;
    drops_halves = is("pmu.half_counts");
    keeps_halves = !drops_halves;
    select_clears = is("pmu.select_write");
    pin_clock = static_cast<Cycle>(p.get(pin_clock_name));
    pins_sampled = pin_clock > 1;
    pins_each_cycle = !pins_sampled;
  }
  if (in(chip, ev5 | pca56)) {
    user_is_user = is("pmu.os_user_mode");
    counts_unnamed = !is("pmu.ctl_1");
    load_dtb_misses = is("pmu.dtb_miss");
    all_dtb_misses = !load_dtb_misses;
    long_stall = static_cast<std::uint32_t>(p.get(long_stall_name));
    short_wraps = is("pmu.short_period");
    operates_alone = is("pmu.integer_operate");
    addresses_operate = !operates_alone;
  }
  if (in(chip, pca56)) {
    external_counts = is("pmu.pca56_external");
    system_misses = is("pmu.sys_read_flush");
    system_requests = !system_misses;
  }
  if (in(chip, ev6)) {
    retired_mispredicts = is("pmu.ret_mispredicts");
    mispredict_cycles = !retired_mispredicts;
  }
  if (in(chip, ev6 | ev67)) {
    threshold_raises = !is("pmu.threshold_write");
    shows_increment = is("pmu.counter_read");
    enables_elsewhere = is("pmu.ier_cm_pc");
  }
  if (in(chip, ev67)) only_mispredicts_retire = is("pmu.retiring_traps");
  if (in(chip, ev67)) overcount_cycles = static_cast<Cycle>(p.get(overcount_name));
}

}  // namespace pmusim::pmu::alpha
