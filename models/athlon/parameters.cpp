// The behaviours of the Athlon's counters that no document settles. The first value of each is the default.
#include <string_view>
#include <vector>

#include "models/athlon/athlon.h"
#include "models/athlon/behaviour.h"

namespace pmusim::pmu {
namespace {

using models::Choice;
using models::ParameterInfo;

struct Row {
  std::string_view name;
  std::int64_t fallback;
  std::string_view meaning;
  std::string_view source;
  std::vector<Choice> choices;
};

constexpr std::string_view skid_name = "pmu.skid";

// "22007E" is the AMD Athlon Processor x86 Code Optimization Guide Rev. E; "SDM" Intel's manual, volume 3B.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"pmu.reserved_bits",
       0,
       "PerfEvtSel bit 21",
       "family 0Fh tables of VirtualBox and KVM: ignored",
       {{"zero", 0, "reads 0"}, {"bit21_kept", 1, "reads as written"}}},
      {"pmu.unknown_msr",
       0,
       "access to an MSR that is not there",
       "common x86 rule",
       {{"fault", 0, "#GP(0)"}, {"zero", 1, "reads 0, writes dropped"}}},
      {"pmu.counter_write",
       0,
       "WRMSR to PerfCtr of a value outside -2^47 to 2^47-1",
       "22007E pp. 167-168 gives the range only",
       {{"truncate", 0, "low 48 bits are kept"}, {"fault", 1, "#GP(0)"}}},
      {"pmu.counter_read",
       0,
       "bits 63:48 of RDMSR from PerfCtr",
       "FreeBSD hwpmc and KVM: zero",
       {{"zero_extend", 0, "0"}, {"sign_extend", 1, "copies of bit 47"}}},
      {"pmu.reset",
       0,
       "the counters' registers at RESET",
       "22007E is silent; gem5 clears them",
       {{"clear", 0, "all 0"}, {"keep", 1, "unchanged"}}},
      {"pmu.inv_without_mask",
       0,
       "INV with a counter mask of 0",
       "SDM, P6 section: ignored; 22007E is silent",
       {{"ignored", 0, "no effect"}, {"inverts", 1, "counts clocks without an event"}}},
      {"pmu.privilege_gate",
       0,
       "where USR and OS act",
       "22007E p. 163; all-cycles idiom of software",
       {{"after_compare", 0, "on the result of the comparison"}, {"before_compare", 1, "on the number of events"}}},
      {"pmu.edge_when_disabled",
       0,
       "edge flop while EN is 0",
       "22007E is silent",
       {{"clears", 0, "is 0"}, {"holds", 1, "keeps its value"}}},
      {"pmu.edge_on_select_write",
       0,
       "edge flop when a write changes PerfEvtSel",
       "22007E is silent",
       {{"clears", 0, "goes to 0"}, {"holds", 1, "keeps its value"}}},
      {"pmu.edge_input",
       0,
       "what the edge detector looks at",
       "22007E p. 163: any condition of the other fields",
       {{"gated", 0, "comparison and privilege"}, {"ungated", 1, "comparison; privilege gates behind it"}}},
      {"pmu.empty_mask",
       0,
       "UNIT_MASK 0 on an event that has unit masks",
       "22007E is silent",
       {{"nothing", 0, "counts nothing"}, {"all", 1, "counts all units"}}},
      {"pmu.unmasked_event",
       0,
       "UNIT_MASK on an event that has none",
       "22007E is silent",
       {{"ignore_mask", 0, "ignored"}, {"and_mask", 1, "counts only with UNIT_MASK 0"}}},
      {"pmu.write_conflict",
       0,
       "increment in the clock of a WRMSR to PerfCtr",
       "22007E is silent",
       {{"write_wins", 0, "lost"}, {"adds", 1, "added to the written value"}}},
      {"pmu.count_in_halt",
       0,
       "counting in HLT and STPCLK",
       "clock rule of event 76h; silent on the others",
       {{"stops", 0, "nothing advances"}, {"runs", 1, "levels and inverted comparisons count on"}}},
      {"pmu.retire_privilege",
       0,
       "CPL of retired events in the clock whose end changes the CPL",
       "22007E is silent",
       {{"old", 0, "before the change"}, {"new", 1, "behind it"}}},
      {"pmu.enable_scope",
       0,
       "what EN enables",
       "22007E p. 163 against p. 168",
       {{"own", 0, "its own counter"}, {"selector0", 1, "EN of PerfEvtSel0 enables all"}}},
      {"pmu.has_apic",
       1,
       "a local APIC that can be used",
       "Linux perfctr: none on model 1",
       {{"yes", 1, "INT requests an interrupt"}, {"no", 0, "INT has no effect"}}},
      {"pmu.lvt_mask_after",
       0,
       "mask bit of the APIC entry behind a delivery",
       "Linux perf and KVM: kept on AMD",
       {{"kept", 0, "unchanged"}, {"set", 1, "set"}}},
      {"pmu.masked_request",
       0,
       "overflow while the APIC entry is masked",
       "no document",
       {{"dropped", 0, "no interrupt"}, {"remembered", 1, "requested when unmasked"}}},
      {skid_name, 4, "least clocks from the request to the taking", "no K7 figure found", {}},
      {"pmu.pin_polarity",
       0,
       "what PC = 1 puts on the PM pin",
       "22007E p. 163 against the SDM's P6 text",
       {{"amd", 0, "overflows; PC = 0: events"}, {"p6", 1, "events; PC = 0: overflows"}}},
      {"pmu.pin_merge",
       0,
       "triggers during a pulse of the PM pin",
       "22007E p. 163 gives the length of one pulse",
       {{"merge", 0, "lost"}, {"extend", 1, "lengthen it"}}},
      {"pmu.counting_with_pc",
       0,
       "counting with PC = 1",
       "22007E p. 163 speaks of counting with PC = 0 only",
       {{"always", 0, "counts"}, {"only_clear", 1, "does not count"}}},
      {"pmu.refill_mask_bit0",
       0,
       "event 42h, unit mask 01h",
       "K8 event lists",
       {{"l2_miss", 0, "fills that L2 did not hold"}, {"nothing", 1, "nothing"}}},
      {"pmu.evict_scope",
       0,
       "event 44h",
       "AMD: writebacks; libpfm4: lines evicted",
       {{"all", 0, "all victims"}, {"dirty", 1, "owned and modified victims"}}},
      {"pmu.branches_with_traps",
       1,
       "exceptions and interrupts in events C2h and C4h",
       "22007 Rev. K titles",
       {{"yes", 1, "counted"}, {"no", 0, "left out"}}},
      {"pmu.interrupts_taken_scope",
       0,
       "interrupts in event CFh",
       "22007E is silent",
       {{"all", 0, "NMI and SMI too"}, {"maskable", 1, "maskable ones only"}}},
      {"pmu.far_with_traps",
       1,
       "exceptions and interrupts in event C6h",
       "K8 event lists",
       {{"yes", 1, "counted"}, {"no", 0, "left out"}}},
      {"pmu.instructions_with_traps",
       1,
       "exceptions, interrupts and resyncs in event C0h",
       "22007 Rev. K title",
       {{"yes", 1, "counted"}, {"no", 0, "left out"}}},
      {"pmu.tsc_in_halt",
       0,
       "time stamp counter while the core clock is stopped",
       "common x86 rule for HLT; STPCLK: none",
       {{"runs", 0, "counts on"}, {"stops", 1, "holds"}}},
  };
  return table;
}

}  // namespace

models::Parameters athlon_pmu_parameters() {
  std::vector<ParameterInfo> infos;
  for (const Row& row : rows()) {
    const bool number = row.name == skid_name;
    const std::int64_t maximum = number ? 1000 : static_cast<std::int64_t>(row.choices.size()) - 1;
    infos.push_back(
        {row.name, row.fallback, 0, maximum, number ? "clocks" : "", row.meaning, row.source, false, row.choices});
  }
  return models::Parameters(std::move(infos));
}

namespace athlon {

Behaviour::Behaviour(const models::Parameters& p)
    : bit21_kept(p.get("pmu.reserved_bits") != 0),
      unknown_msr_reads_zero(p.get("pmu.unknown_msr") != 0),
      counter_write_faults(p.get("pmu.counter_write") != 0),
      counter_read_sign_extends(p.get("pmu.counter_read") != 0),
      keep_at_reset(p.get("pmu.reset") != 0),
      invert_without_mask(p.get("pmu.inv_without_mask") != 0),
      privilege_before_compare(p.get("pmu.privilege_gate") != 0),
      edge_holds_when_disabled(p.get("pmu.edge_when_disabled") != 0),
      edge_holds_on_select_write(p.get("pmu.edge_on_select_write") != 0),
      edge_ungated(p.get("pmu.edge_input") != 0),
      empty_mask_selects_all(p.get("pmu.empty_mask") != 0),
      unmasked_event_checks_mask(p.get("pmu.unmasked_event") != 0),
      write_adds_increment(p.get("pmu.write_conflict") != 0),
      counts_in_halt(p.get("pmu.count_in_halt") != 0),
      retire_uses_new_privilege(p.get("pmu.retire_privilege") != 0),
      enable_from_selector0(p.get("pmu.enable_scope") != 0),
      has_apic(p.get("pmu.has_apic") != 0),
      mask_after_delivery(p.get("pmu.lvt_mask_after") != 0),
      masked_request_remembered(p.get("pmu.masked_request") != 0),
      skid(static_cast<Cycle>(p.get(skid_name))),
      pin_control_p6(p.get("pmu.pin_polarity") != 0),
      pin_extends(p.get("pmu.pin_merge") != 0),
      counts_only_without_pin_control(p.get("pmu.counting_with_pc") != 0),
      refill_bit0_counts(p.get("pmu.refill_mask_bit0") == 0),
      evicts_clean(p.get("pmu.evict_scope") == 0),
      branches_with_traps(p.get("pmu.branches_with_traps") != 0),
      takes_unmaskable(p.get("pmu.interrupts_taken_scope") == 0),
      far_with_traps(p.get("pmu.far_with_traps") != 0),
      instructions_with_traps(p.get("pmu.instructions_with_traps") != 0),
      tsc_stops_in_halt(p.get("pmu.tsc_in_halt") != 0) {}

}  // namespace athlon
}  // namespace pmusim::pmu
