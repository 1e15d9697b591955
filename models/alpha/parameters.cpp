// Behaviours of the Alpha monitors that no document specifies. The first value of each is the default.
#include "models/alpha/alpha.h"
#include "models/alpha/behaviour.h"
#include "models/common/parameter_rows.h"

namespace pmusim::pmu::alpha {
namespace {

using B = Behaviour;
using models::either;
using models::field;
using models::is;
using models::open_choice;

// Chips that have a parameter; a row without chips applies to all.
constexpr unsigned bit(Chip chip) { return 1u << static_cast<unsigned>(chip); }
constexpr unsigned ev4 = bit(Chip::ev4), ev5 = bit(Chip::ev5), pca56 = bit(Chip::pca56), ev6 = bit(Chip::ev6),
                   ev67 = bit(Chip::ev67);

const models::ParameterRows<B>& rows() {
  static const models::ParameterRows<B> table = {
      {{"pmu.interrupt_skid", 6, 0, 1000, "cycles", "least time from an overflow to its interrupt",
        "literature on DCPI: about six cycles on the 21164; no document on the other chips", false},
       {field<&B::skid>}},
      {{"pmu.pin_clock", 1, 1, 64, "cycles",
        "clock at which the external pins are looked at: at most one event of a pin in each of its cycles",
        "literature: that of the system interface", false},
       {field<&B::pin_clock>, [](B& b, std::int64_t value) { b.pins_sampled = value > 1; }},
       ev4},
      {{"pmu.long_stall", 15, 1, 1000, "cycles", "a long stall is longer than this", "pfm(7): 15; sys/pfcntr.h: 12",
        false},
       {field<&B::long_stall>},
       ev5 | pca56},
      {{"pmu.overcount_cycles", 1, 0, 2, "cycles",
        "cycles after the fetch of a profiled instruction whose fetched instructions I_STAT.OVR counts",
        "21264/EV67 manual 6.10.3: at most 7 in the cycles before the window", false},
       {field<&B::overcount_cycles>},
       ev67},
      either("pmu.trap_cycles", "cycles without issue in which a trap or replay is on its way",
             "pfm(7): dry from the draining at an exception; no word on the cycles that follow",
             {"dry", "the pipe is dry"}, {"neither", "it is neither dry nor frozen"}, field<&B::traps_apart>, ev4),
      either("pmu.trap_cycles", "cycles without issue in which a trap or replay is on its way",
             "pfm(7): dry while no instructions are ready to issue; no word on traps", {"dry", "the pipe is dry"},
             {"neither", "it is neither dry nor frozen"}, field<&B::traps_apart>, ev5 | pca56),
      either("pmu.increment_limit", "more of an event in a cycle than its input can say",
             "no document; from the numbers of pipes and ports", {"table", "the most that the event's row has"},
             {"none", "all are counted"}, is<0, &B::limited>, ev4 | ev5 | pca56 | ev6),
      either("pmu.selective_counting", "counting for marked processes alone",
             "pfm(7): pass 3 and later of the 21064 can, earlier ones count the whole system", {"marked", "pass 3"},
             {"system", "pass 2"}, is<0, &B::marks_matter>, ev4),
      either("pmu.no_log_option", "argument 0 of function 3 of WRPERFMON",
             "the handbook names bits 0 and 1; Linux passes 0 and means all", {"all", "all processes"},
             {"marked", "marked processes"}, is<0, &B::no_option_is_all>, ev4),
      either("pmu.mux0_low_bit", "bit 0 of PCMUX0 beside the values of sys/pfcntr.h",
             "general literature: not looked at, but for 0xA and 0xB", {"ignored", "not looked at"},
             {"decoded", "a select with no event"}, field<&B::low_bit_selects>, ev4),
      either("pmu.half_counts", "a cycle that issues one instruction", "pfm(7): half a count; no document on the adder",
             {"exact", "half counts add up"}, {"dropped", "counts nothing"}, field<&B::drops_halves>, ev4),
      either("pmu.ctl_1", "CTL = 1 of a counter", "PALcode's comments name the periods of 2 and 3",
             {"counts", "counts without interrupts"}, {"off", "off, as 0"}, is<0, &B::counts_unnamed>, ev5 | pca56),
      either("pmu.dtb_miss", "accesses of DTB_MISS", "pfm(7): Dcache misses whose page the DTB does not have",
             {"all", "loads and stores"}, {"loads", "loads"}, field<&B::load_dtb_misses>, ev5 | pca56),
      either("pmu.os_user_mode", "hardware mode of the operating system's user code",
             "Alpha Architecture Handbook, appendix E: Tru64's user mode reads as executive",
             {"executive", "executive"}, {"user", "user"}, field<&B::user_is_user>, ev5 | pca56),
      either("pmu.integer_operate", "LDA and LDAH as integer operates",
             "pfm(7) counts integer operations and does not name them; its sentence on the 21064 does",
             {"with_addresses", "counted"}, {"operates", "not counted"}, field<&B::operates_alone>, ev5 | pca56),
      either("pmu.pca56_external", "SEL2 = 0xB, the external pin", "pfm(7) lists it, the 21164PC manual reserves it",
             {"zero", "counts 0"}, {"counted", "as on the 21164"}, field<&B::external_counts>, pca56),
      either("pmu.sys_read_flush", "PM1_MUX = 6", "pfm(7): requests; sys/pfcntr.h: misses",
             {"all", "READ and FLUSH requests"}, {"misses", "those that miss the Bcache"}, field<&B::system_misses>,
             pca56),
      either("pmu.ret_mispredicts", "SL1 = 2",
             "sys/pfcntr.h: counts cycles; the handbook: retired mispredicted branches", {"cycles", "cycles"},
             {"retired", "retired conditional branches that were mispredicted"}, field<&B::retired_mispredicts>, ev6),
      either("pmu.retiring_traps", "profiled instructions whose trap lets them retire",
             "21264/EV67 manual 6.10.3: some trap and retire; not which",
             {"arithmetic", "mispredicted ones, those with an arithmetic trap and MT_FPCR"},
             {"mispredict", "mispredicted ones"}, field<&B::only_mispredicts_retire>, ev67),
      {open_choice("pmu.squashed_aborts",
                   "profiled no-operations, TRAPB and EXCB, which leave before they execute, in the driver's ABORT",
                   "21264/EV67 manual 6.10.3: an instruction that is not squashed either retires or aborts",
                   {{"left_out", 0, "they neither retire nor abort"}, {"counted", 1, "what does not retire aborts"}}),
       {},
       ev67},
      either("pmu.counter_read", "a read of PCTR_CTL while a counter does not count",
             "21264/EV67 manual 6.10: the value may have the increment of the cycle", {"exact", "the value"},
             {"incremented", "the value and what the cycle before has of the event"}, field<&B::shows_increment>,
             ev6 | ev67),
      either("pmu.ier_cm_pc", "where IER_CM has the enables of the counters", "inferred from ISUM and HW_INT_CLR",
             {"as_isum", "bits 30:29"}, {"elsewhere", "not there: those bits do nothing, and the enables are on"},
             field<&B::enables_elsewhere>, ev6 | ev67),
      either("pmu.threshold_write", "PCTR_CTL is written while a counter is within one cycle of its overflow",
             "21264/EV67 manual 6.10.1: an interrupt, enabled or not", {"raises", "the counter's request is set"},
             {"ignored", "nothing"}, is<0, &B::threshold_raises>, ev6 | ev67),
  };
  return table;
}

}  // namespace

models::Parameters parameters_of(Chip chip) { return models::parameters_of(rows(), bit(chip)); }

Behaviour::Behaviour(Chip made, const models::Parameters& given) : chip(made) {
  models::read_parameters(*this, rows(), given, bit(chip));
}

}  // namespace pmusim::pmu::alpha
