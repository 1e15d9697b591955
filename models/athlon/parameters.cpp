// Behaviours of the Athlon's counters that no document specifies. The first value of each is the default.
#include "models/athlon/athlon.h"
#include "models/athlon/behaviour.h"
#include "models/common/parameter_rows.h"

namespace pmusim::pmu {
namespace {

using athlon::Behaviour;
using B = Behaviour;
using models::either;
using models::field;
using models::is;
using models::open_choice;
namespace select = athlon::select;

/// Sets the privilege level at which code in an OperatingMode is counted.
template <std::size_t mode>
constexpr models::Put<B> level = [](B& b, std::int64_t value) {
  b.mode_levels[mode] = value == 0 ? select::os : value == 1 ? select::usr : 0;
};

// "22007E" is the AMD Athlon Processor x86 Code Optimization Guide Rev. E; "SDM" Intel's manual, volume 3B.
const models::ParameterRows<B>& rows() {
  static const models::ParameterRows<B> table = {
      either("pmu.reserved_bits", "PerfEvtSel bit 21", "family 0Fh tables of VirtualBox and KVM: ignored",
             {"zero", "reads 0"}, {"bit21_kept", "reads as written"}, field<&B::bit21_kept>),
      either("pmu.unknown_msr", "access to an MSR that is not there", "common x86 rule", {"fault", "#GP(0)"},
             {"zero", "reads 0, writes dropped"}, field<&B::unknown_msr_reads_zero>),
      either("pmu.counter_write", "WRMSR to PerfCtr of a value outside -2^47 to 2^47-1",
             "22007E pp. 167-168 gives the range only", {"truncate", "low 48 bits are kept"}, {"fault", "#GP(0)"},
             field<&B::counter_write_faults>),
      either("pmu.counter_read", "bits 63:48 of RDMSR from PerfCtr", "FreeBSD hwpmc and KVM: zero",
             {"zero_extend", "0"}, {"sign_extend", "copies of bit 47"}, field<&B::counter_read_sign_extends>),
      either("pmu.reset", "the counters' registers at RESET", "22007E is silent; gem5 clears them", {"clear", "all 0"},
             {"keep", "unchanged"}, field<&B::keep_at_reset>),
      either("pmu.inv_without_mask", "INV with a counter mask of 0", "SDM, P6 section: ignored; 22007E is silent",
             {"ignored", "no effect"}, {"inverts", "counts clocks without an event"}, field<&B::invert_without_mask>),
      either("pmu.privilege_gate", "where USR and OS act", "22007E p. 163; all-cycles idiom of software",
             {"after_compare", "on the result of the comparison"}, {"before_compare", "on the number of events"},
             field<&B::privilege_before_compare>),
      either("pmu.edge_input", "what the edge detector looks at", "22007E p. 163: any condition of the other fields",
             {"gated", "comparison and privilege"}, {"ungated", "comparison; privilege gates after it"},
             field<&B::edge_ungated>),
      either("pmu.count_in_halt", "counting in HLT and STPCLK", "clock rule of event 76h; silent on the others",
             {"stops", "nothing advances"}, {"runs", "levels and inverted comparisons count on"},
             field<&B::counts_in_halt>),
      either("pmu.enable_scope", "what EN enables", "22007E p. 163 against p. 168", {"own", "its own counter"},
             {"selector0", "EN of PerfEvtSel0 enables all"}, field<&B::enable_from_selector0>),
      {open_choice("pmu.has_apic", "a local APIC that can be used", "Linux perfctr: none on model 1",
                   {{"yes", 1, "INT requests an interrupt"}, {"no", 0, "INT has no effect"}}),
       {field<&B::has_apic>}},
      either("pmu.lvt_mask_after", "mask bit of the APIC entry after a delivery", "Linux perf and KVM: kept on AMD",
             {"kept", "unchanged"}, {"set", "set"}, field<&B::mask_after_delivery>),
      {{"pmu.skid", 4, 0, 1000, "clocks", "least clocks from the request to the taking", "no K7 figure found", false},
       {field<&B::skid>}},
      either("pmu.pin_polarity", "what PC = 1 puts on the PM pin", "22007E p. 163 against the SDM's P6 text",
             {"amd", "overflows; PC = 0: events"}, {"p6", "events; PC = 0: overflows"}, field<&B::pin_control_p6>),
      either("pmu.pin_merge", "triggers during a pulse of the PM pin", "22007E p. 163 gives the length of one pulse",
             {"merge", "lost"}, {"extend", "lengthen it"}, field<&B::pin_extends>),
      either("pmu.counting_with_pc", "counting with PC = 1", "22007E p. 163 speaks of counting with PC = 0 only",
             {"always", "counts"}, {"only_clear", "does not count"}, field<&B::counts_only_without_pin_control>),
      either("pmu.refill_mask_bit0", "event 42h, unit mask 01h", "K8 event lists",
             {"l2_miss", "fills that L2 did not hold"}, {"nothing", "nothing"}, is<0, &B::refill_bit0_counts>),
      either("pmu.evict_scope", "event 44h", "AMD: writebacks; libpfm4: lines evicted", {"all", "all victims"},
             {"dirty", "owned and modified victims"}, is<0, &B::evicts_clean>),
      {open_choice("pmu.branches_with_traps", "exceptions and interrupts in events C2h and C4h", "22007 Rev. K titles",
                   {{"yes", 1, "counted"}, {"no", 0, "left out"}}),
       {field<&B::branches_with_traps>}},
      {open_choice("pmu.far_with_traps", "exceptions and interrupts in event C6h", "K8 event lists",
                   {{"yes", 1, "counted"}, {"no", 0, "left out"}}),
       {field<&B::far_with_traps>}},
      {open_choice("pmu.instructions_with_traps", "exceptions, interrupts and resyncs in event C0h",
                   "22007 Rev. K title", {{"yes", 1, "counted"}, {"no", 0, "left out"}}),
       {field<&B::instructions_with_traps>}},
      either("pmu.tsc_in_halt", "time stamp counter while the core clock is stopped",
             "common x86 rule for HLT; STPCLK: none", {"runs", "counts on"}, {"stops", "holds"},
             field<&B::tsc_stops_in_halt>),
      either("pmu.select_write", "first clock that a program's WRMSR to PerfEvtSel governs",
             "22007E p. 168: counting follows the write", {"next_clock", "the clock after it"},
             {"same_clock", "its own clock"}, field<&B::select_writes_at_once>),
      either("pmu.read_order", "RDMSR or RDPMC of a program, and the increments of its clock",
             "22007E p. 167: not ordered with its neighbours", {"before", "value before them"},
             {"after", "value after them"}, field<&B::reads_own_clock>),
      either("pmu.rdpmc_index", "ECX of RDPMC that names no counter", "KVM compares the whole of ECX",
             {"fault", "#GP(0)"}, {"masked", "only bits 1:0 are looked at"}, field<&B::rdpmc_index_masked>),
      either("pmu.edge_amount", "what an edge adds with a counter mask of 0",
             "22007E p. 163 counts changes of the condition", {"one", "1"}, {"events", "the events of the clock"},
             field<&B::edge_adds_n>),
      either("pmu.lvt_low_vector", "fixed delivery with a vector below 16", "local APIC of the x86 architecture",
             {"dropped", "no interrupt"}, {"delivered", "as any other vector"}, field<&B::low_vectors_delivered>),
      either("pmu.far_mispredicted", "far transfers in events C3h and C5h", "far transfers are not predicted",
             {"no", "not counted"}, {"yes", "each is a misprediction"}, field<&B::far_mispredicted>),
      either("pmu.undefined_event", "event codes that the guide does not list",
             "CodeAnalyst's K7 help: results are undefined", {"nothing", "count nothing"},
             {"clocks", "count running clocks"}, field<&B::undefined_event_counts_clocks>),
      either("pmu.increment_limit", "more than three events in a clock",
             "later AMD kernel guides; 22007E compares eight bits", {"none", "all of them"},
             {"three", "taken as three"}, field<&B::three_at_most>),
      either("pmu.wrong_path",
             "instructions, references and fetches of a wrong path in events 20h, 40h to 43h, 45h to 47h, 80h to "
             "85h, 88h, "
             "89h",
             "22007E does not say which events are speculative", {"counted", "counted"}, {"left_out", "not counted"},
             is<0, &B::any_path>),
      either("pmu.snoop_resyncs", "restarts for a snoop in event C7h",
             "22007E titles: branch resyncs beside snoop resyncs (86h)", {"counted", "counted"},
             {"left_out", "not counted"}, is<0, &B::snoop_resyncs>),
      {{"pmu.request_delay", 1, 1, 1000, "clocks", "clocks from an overflow to its request", "no K7 figure found",
        false},
       {field<&B::request_delay>}},
      {open_choice(
           "pmu.real_privilege", "level at which code in real mode counts", "common x86 rule: real mode runs at CPL 0",
           {{"os", 0, "as CPL 0: OS"}, {"usr", 1, "as CPL 3: USR"}, {"neither", 2, "at neither: nothing counts"}}),
       {level<1>}},
      {open_choice(
           "pmu.v86_privilege", "level at which code in virtual-8086 mode counts", "common x86 rule: it runs at CPL 3",
           {{"usr", 1, "as CPL 3: USR"}, {"os", 0, "as CPL 0: OS"}, {"neither", 2, "at neither: nothing counts"}}),
       {level<2>}},
      {open_choice(
           "pmu.smm_privilege", "level at which code in system management mode counts",
           "22007E is silent; later processors can stop there",
           {{"os", 0, "as CPL 0: OS"}, {"usr", 1, "as CPL 3: USR"}, {"neither", 2, "at neither: nothing counts"}}),
       {level<3>}},
      either("pmu.retired_unit", "unit of event C1h", "22007E speaks of operations",
             {"macro_operations", "macro-operations"}, {"operations", "operations: address and execution are two"},
             is<0, &B::macro_operations>),
      either("pmu.dispatch_stalls", "event D1h with more than one cause in a clock", "22007E: any of the causes below",
             {"union", "counts 1"}, {"sum", "counts each cause"}, is<0, &B::stalls_once>),
  };
  return table;
}

}  // namespace

models::Parameters athlon_pmu_parameters() { return models::parameters_of(rows()); }

athlon::Behaviour::Behaviour(const models::Parameters& given) { models::read_parameters(*this, rows(), given); }

}  // namespace pmusim::pmu
