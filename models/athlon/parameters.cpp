// Behaviours of the Athlon's counters that no document specifies. The first value of each is the default.
#include "models/athlon/athlon.h"
#include "models/athlon/behaviour.h"
#include "models/common/parameter_rows.h"

namespace pmusim::pmu {
namespace {

using athlon::Behaviour;
using B = Behaviour;
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
      {open_choice("pmu.reserved_bits", "PerfEvtSel bit 21", "family 0Fh tables of VirtualBox and KVM: ignored",
                   {{"zero", 0, "reads 0"}, {"bit21_kept", 1, "reads as written"}}),
       {field<&B::bit21_kept>}},
      {open_choice("pmu.unknown_msr", "access to an MSR that is not there", "common x86 rule",
                   {{"fault", 0, "#GP(0)"}, {"zero", 1, "reads 0, writes dropped"}}),
       {field<&B::unknown_msr_reads_zero>}},
      {open_choice("pmu.counter_write", "WRMSR to PerfCtr of a value outside -2^47 to 2^47-1",
                   "22007E pp. 167-168 gives the range only",
                   {{"truncate", 0, "low 48 bits are kept"}, {"fault", 1, "#GP(0)"}}),
       {field<&B::counter_write_faults>}},
      {open_choice("pmu.counter_read", "bits 63:48 of RDMSR from PerfCtr", "FreeBSD hwpmc and KVM: zero",
                   {{"zero_extend", 0, "0"}, {"sign_extend", 1, "copies of bit 47"}}),
       {field<&B::counter_read_sign_extends>}},
      {open_choice("pmu.reset", "the counters' registers at RESET", "22007E is silent; gem5 clears them",
                   {{"clear", 0, "all 0"}, {"keep", 1, "unchanged"}}),
       {field<&B::keep_at_reset>}},
      {open_choice("pmu.inv_without_mask", "INV with a counter mask of 0", "SDM, P6 section: ignored; 22007E is silent",
                   {{"ignored", 0, "no effect"}, {"inverts", 1, "counts clocks without an event"}}),
       {field<&B::invert_without_mask>}},
      {open_choice(
           "pmu.privilege_gate", "where USR and OS act", "22007E p. 163; all-cycles idiom of software",
           {{"after_compare", 0, "on the result of the comparison"}, {"before_compare", 1, "on the number of events"}}),
       {field<&B::privilege_before_compare>}},
      {open_choice("pmu.edge_input", "what the edge detector looks at",
                   "22007E p. 163: any condition of the other fields",
                   {{"gated", 0, "comparison and privilege"}, {"ungated", 1, "comparison; privilege gates after it"}}),
       {field<&B::edge_ungated>}},
      {open_choice("pmu.count_in_halt", "counting in HLT and STPCLK", "clock rule of event 76h; silent on the others",
                   {{"stops", 0, "nothing advances"}, {"runs", 1, "levels and inverted comparisons count on"}}),
       {field<&B::counts_in_halt>}},
      {open_choice("pmu.enable_scope", "what EN enables", "22007E p. 163 against p. 168",
                   {{"own", 0, "its own counter"}, {"selector0", 1, "EN of PerfEvtSel0 enables all"}}),
       {field<&B::enable_from_selector0>}},
      {open_choice("pmu.has_apic", "a local APIC that can be used", "Linux perfctr: none on model 1",
                   {{"yes", 1, "INT requests an interrupt"}, {"no", 0, "INT has no effect"}}),
       {field<&B::has_apic>}},
      {open_choice("pmu.lvt_mask_after", "mask bit of the APIC entry after a delivery",
                   "Linux perf and KVM: kept on AMD", {{"kept", 0, "unchanged"}, {"set", 1, "set"}}),
       {field<&B::mask_after_delivery>}},
      {{"pmu.skid", 4, 0, 1000, "clocks", "least clocks from the request to the taking", "no K7 figure found", false},
       {field<&B::skid>}},
      {open_choice("pmu.pin_polarity", "what PC = 1 puts on the PM pin", "22007E p. 163 against the SDM's P6 text",
                   {{"amd", 0, "overflows; PC = 0: events"}, {"p6", 1, "events; PC = 0: overflows"}}),
       {field<&B::pin_control_p6>}},
      {open_choice("pmu.pin_merge", "triggers during a pulse of the PM pin",
                   "22007E p. 163 gives the length of one pulse", {{"merge", 0, "lost"}, {"extend", 1, "lengthen it"}}),
       {field<&B::pin_extends>}},
      {open_choice("pmu.counting_with_pc", "counting with PC = 1", "22007E p. 163 speaks of counting with PC = 0 only",
                   {{"always", 0, "counts"}, {"only_clear", 1, "does not count"}}),
       {field<&B::counts_only_without_pin_control>}},
      {open_choice("pmu.refill_mask_bit0", "event 42h, unit mask 01h", "K8 event lists",
                   {{"l2_miss", 0, "fills that L2 did not hold"}, {"nothing", 1, "nothing"}}),
       {is<0, &B::refill_bit0_counts>}},
      {open_choice("pmu.evict_scope", "event 44h", "AMD: writebacks; libpfm4: lines evicted",
                   {{"all", 0, "all victims"}, {"dirty", 1, "owned and modified victims"}}),
       {is<0, &B::evicts_clean>}},
      {open_choice("pmu.branches_with_traps", "exceptions and interrupts in events C2h and C4h", "22007 Rev. K titles",
                   {{"yes", 1, "counted"}, {"no", 0, "left out"}}),
       {field<&B::branches_with_traps>}},
      {open_choice("pmu.far_with_traps", "exceptions and interrupts in event C6h", "K8 event lists",
                   {{"yes", 1, "counted"}, {"no", 0, "left out"}}),
       {field<&B::far_with_traps>}},
      {open_choice("pmu.instructions_with_traps", "exceptions, interrupts and resyncs in event C0h",
                   "22007 Rev. K title", {{"yes", 1, "counted"}, {"no", 0, "left out"}}),
       {field<&B::instructions_with_traps>}},
      {open_choice("pmu.tsc_in_halt", "time stamp counter while the core clock is stopped",
                   "common x86 rule for HLT; STPCLK: none", {{"runs", 0, "counts on"}, {"stops", 1, "holds"}}),
       {field<&B::tsc_stops_in_halt>}},
      {open_choice("pmu.select_write", "first clock that a program's WRMSR to PerfEvtSel governs",
                   "22007E p. 168: counting follows the write",
                   {{"next_clock", 0, "the clock after it"}, {"same_clock", 1, "its own clock"}}),
       {field<&B::select_writes_at_once>}},
      {open_choice("pmu.read_order", "RDMSR or RDPMC of a program, and the increments of its clock",
                   "22007E p. 167: not ordered with its neighbours",
                   {{"before", 0, "value before them"}, {"after", 1, "value after them"}}),
       {field<&B::reads_own_clock>}},
      {open_choice("pmu.rdpmc_index", "ECX of RDPMC that names no counter", "KVM compares the whole of ECX",
                   {{"fault", 0, "#GP(0)"}, {"masked", 1, "only bits 1:0 are looked at"}}),
       {field<&B::rdpmc_index_masked>}},
      {open_choice("pmu.edge_amount", "what an edge adds with a counter mask of 0",
                   "22007E p. 163 counts changes of the condition",
                   {{"one", 0, "1"}, {"events", 1, "the events of the clock"}}),
       {field<&B::edge_adds_n>}},
      {open_choice("pmu.lvt_low_vector", "fixed delivery with a vector below 16", "local APIC of the x86 architecture",
                   {{"dropped", 0, "no interrupt"}, {"delivered", 1, "as any other vector"}}),
       {field<&B::low_vectors_delivered>}},
      {open_choice("pmu.far_mispredicted", "far transfers in events C3h and C5h", "far transfers are not predicted",
                   {{"no", 0, "not counted"}, {"yes", 1, "each is a misprediction"}}),
       {field<&B::far_mispredicted>}},
      {open_choice("pmu.undefined_event", "event codes that the guide does not list",
                   "CodeAnalyst's K7 help: results are undefined",
                   {{"nothing", 0, "count nothing"}, {"clocks", 1, "count running clocks"}}),
       {field<&B::undefined_event_counts_clocks>}},
      {open_choice("pmu.increment_limit", "more than three events in a clock",
                   "later AMD kernel guides; 22007E compares eight bits",
                   {{"none", 0, "all of them"}, {"three", 1, "taken as three"}}),
       {field<&B::three_at_most>}},
      {open_choice("pmu.wrong_path",
                   "instructions, references and fetches of a wrong path in events 20h, 40h to 43h, 45h to 47h, 80h to "
                   "85h, 88h, "
                   "89h",
                   "22007E does not say which events are speculative",
                   {{"counted", 0, "counted"}, {"left_out", 1, "not counted"}}),
       {is<0, &B::any_path>}},
      {open_choice("pmu.snoop_resyncs", "restarts for a snoop in event C7h",
                   "22007E titles: branch resyncs beside snoop resyncs (86h)",
                   {{"counted", 0, "counted"}, {"left_out", 1, "not counted"}}),
       {is<0, &B::snoop_resyncs>}},
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
      {open_choice("pmu.retired_unit", "unit of event C1h", "22007E speaks of operations",
                   {{"macro_operations", 0, "macro-operations"},
                    {"operations", 1, "operations: address and execution are two"}}),
       {is<0, &B::macro_operations>}},
      {open_choice("pmu.dispatch_stalls", "event D1h with more than one cause in a clock",
                   "22007E: any of the causes below", {{"union", 0, "counts 1"}, {"sum", 1, "counts each cause"}}),
       {is<0, &B::stalls_once>}},
  };
  return table;
}

}  // namespace

models::Parameters athlon_pmu_parameters() { return models::parameters_of(rows()); }

athlon::Behaviour::Behaviour(const models::Parameters& given) { models::read_parameters(*this, rows(), given); }

}  // namespace pmusim::pmu
