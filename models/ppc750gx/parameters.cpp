// The behaviours of the 750GX monitor that no document settles. The first value of each is the default.
#include <string_view>
#include <vector>

#include "models/ppc750gx/behaviour.h"
#include "models/ppc750gx/ppc750gx.h"

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

// "UM" is the IBM PowerPC 750GX and 750GL User's Manual v1.2 of March 2006.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {"pmu.supervisor_fault",
       0,
       "fault of an access to a supervisor SPR from problem state",
       "UM p. 350 names the program exception, not its type; common PowerPC rule",
       {{"privileged", 0, "privileged instruction"}, {"illegal", 1, "illegal instruction"}}},
      {"pmu.user_write_fault",
       0,
       "fault of mtspr to a user copy",
       "UM section 11.3 names no type",
       {{"illegal", 0, "illegal instruction"}, {"privileged", 1, "privileged instruction"}}},
      {"pmu.missing_spr_fault",
       0,
       "access to SPR 959 or 943 (SDA), which this part lacks",
       "absence: Linux perfctr 2.7",
       {{"illegal", 0, "illegal instruction"}, {"none", 1, "no operation, reads 0"}}},
      {"pmu.mmcr1_reserved",
       0,
       "what MMCR1 bits 10:31 do with a write",
       "UM p. 74 calls them reserved",
       {{"drop", 0, "read 0"}, {"keep", 1, "read as written"}}},
      {"pmu.counter_wrap",
       0,
       "bit 0 of a counter when an add passes 0xFFFFFFFF",
       "UM section 11.3 is silent",
       {{"modulo", 0, "cleared by the carry"}, {"sticky", 1, "stays set"}}},
      {"pmu.hreset",
       0,
       "the monitor's registers at HRESET",
       "UM Table 4-7 not readable; 604 manual wording",
       {{"clear", 0, "all 0"}, {"keep", 1, "unchanged"}}},
      {"pmu.same_cycle_write",
       0,
       "increment that is due in the cycle in which mtspr to the counter completes",
       "UM is silent",
       {{"lost", 0, "the written value stands"}, {"added", 1, "added to the written value"}}},
      {"pmu.msr_effect",
       0,
       "first cycle in which a change of MSR[PR] or MSR[PM] gates counting",
       "UM is silent",
       {{"next_cycle", 0, "the cycle behind the change"}, {"same_cycle", 1, "the cycle that makes the change"}}},
      {"pmu.dispatch_wrong_path",
       0,
       "select code 4 and wrong-path instructions",
       "UM section 11.4 is silent",
       {{"count", 0, "counted"}, {"exclude", 1, "left out"}}},
      {"pmu.tb_write_edge",
       0,
       "a write to the time base that raises the selected bit",
       "UM is silent",
       {{"count", 0, "is an edge"}, {"ignore", 1, "is no edge"}}},
      {"pmu.tb_select",
       0,
       "order of RTCSELECT",
       "UM section 11.4, Tables 11-2 and 11-5 and MMCR0 against Table 11-4",
       {{"manual", 0, "time base bits 63, 55, 51, 47"}, {"reversed", 1, "47, 51, 55, 63"}}},
      {"pmu.enint_clear",
       0,
       "when hardware clears MMCR0[ENINT]",
       "604 manual: at the signal; MPC7400 manual: at the interrupt",
       {{"at_signal", 0, "in the cycle of the signal"},
        {"at_taking", 1, "when taken"},
        {"never", 2, "by software only"}}},
      {"pmu.discount_scope",
       0,
       "which counters DISCOUNT stops beside PMC1",
       "UM p. 72 names PMC2COUNTCTL, a bit that does not exist",
       {{"trigger", 0, "PMC2-4 if PMCTRIGGER is 0"}, {"all", 1, "PMC2-4 always"}, {"pmc1", 2, "none"}}},
      {"pmu.discount_override",
       0,
       "PMCINTCONTROL = 1 and DISCOUNT",
       "UM p. 72 says that it overrides and no more",
       {{"none", 0, "no further effect"}, {"pmcintcontrol", 1, "PMC2-4 are not stopped"}}},
      {"pmu.trigger_release",
       0,
       "how long a signal releases counters that wait for PMCTRIGGER",
       "end of the sentence not visible, UM p. 73",
       {{"remembered", 0, "until MMCR0 is written"}, {"level", 1, "only while PMC1 is negative"}}},
      {"pmu.trigger_self_clear",
       0,
       "whether PMCTRIGGER clears itself when released",
       "perfctr takes it for a 74xx trait",
       {{"no", 0, "stays"}, {"yes", 1, "clears"}}},
      {"pmu.trigger_source",
       0,
       "what makes PMC1's sign release PMCTRIGGER",
       "UM p. 73 names PMC1[0] only",
       {{"level", 0, "PMC1[0] alone"}, {"controlled", 1, "PMC1[0] with PMC1INTCONTROL"}}},
      {"pmu.freeze_blocks_signal",
       0,
       "whether DIS, DP, DU, DMS and DMR also block signalling",
       "UM is silent",
       {{"no", 0, "only counting"}, {"yes", 1, "signalling too"}}},
      {"pmu.threshold_compare",
       0,
       "comparison of a load's latency with THRESHOLD",
       "UM Table 11-2, code 10: above",
       {{"greater", 0, ">"}, {"greater_equal", 1, ">="}}},
      {"pmu.threshold_queue",
       0,
       "which loads the threshold event watches",
       "UM section 11.5, first note",
       {{"oldest", 0, "queue position 0"}, {"any", 1, "all"}}},
      {"pmu.threshold_untracked",
       0,
       "loads that cross a word, load multiple, load string",
       "UM section 11.5, second note: not accurately tracked",
       {{"excluded", 0, "left out"}, {"counted", 1, "counted"}}},
      {"pmu.sia_cycle",
       0,
       "when SIA is loaded",
       "UM chapter 2: at or around signalling; p. 350: when taken",
       {{"signal", 0, "in the cycle of the signal"}, {"taking", 1, "in the last cycle before the handler"}}},
      {"pmu.sia_pair",
       0,
       "which of two instructions that complete in the cycle goes to SIA",
       "UM: the last",
       {{"younger", 0, "the younger"}, {"older", 1, "the older"}}},
      {"pmu.sia_threshold_first",
       1,
       "threshold event and another cause in one cycle",
       "UM p. 350 is silent",
       {{"yes", 1, "SIA holds the load"}, {"no", 0, "SIA holds the completed instruction"}}},
      {"pmu.sia_when_disabled",
       0,
       "a signal while MMCR0[DIS] = 1",
       "UM is silent",
       {{"loaded", 0, "SIA is loaded"}, {"kept", 1, "SIA is kept"}}},
      {"pmu.pmc4_8",
       0,
       "PMC4 select code 8",
       "UM Table 11-5 describes it and calls it reserved",
       {{"counts", 0, "mispredicted branches"}, {"holds", 1, "reserved: holds"}}},
  };
  return table;
}

}  // namespace

models::Parameters ppc750gx_pmu_parameters() {
  std::vector<ParameterInfo> infos;
  for (const Row& row : rows()) {
    infos.push_back({row.name, row.fallback, 0, static_cast<std::int64_t>(row.choices.size()) - 1, "", row.meaning,
                     row.source, false, row.choices});
  }
  return models::Parameters(std::move(infos));
}

namespace ppc750gx {

Behaviour::Behaviour(const models::Parameters& p)
    : supervisor_fault(p.get("pmu.supervisor_fault") == 0 ? Fault::privileged_instruction : Fault::illegal_instruction),
      user_write_fault(p.get("pmu.user_write_fault") == 0 ? Fault::illegal_instruction : Fault::privileged_instruction),
      missing_spr_is_no_op(p.get("pmu.missing_spr_fault") != 0),
      mmcr1_keeps_reserved(p.get("pmu.mmcr1_reserved") != 0),
      overflow_sticky(p.get("pmu.counter_wrap") != 0),
      keep_at_reset(p.get("pmu.hreset") != 0),
      write_adds_increment(p.get("pmu.same_cycle_write") != 0),
      msr_same_cycle(p.get("pmu.msr_effect") != 0),
      exclude_wrong_path(p.get("pmu.dispatch_wrong_path") != 0),
      ignore_tb_write_edge(p.get("pmu.tb_write_edge") != 0),
      tb_select_reversed(p.get("pmu.tb_select") != 0),
      enint_clear(static_cast<EnintClear>(p.get("pmu.enint_clear"))),
      discount_scope(static_cast<DiscountScope>(p.get("pmu.discount_scope"))),
      pmcintcontrol_overrides_discount(p.get("pmu.discount_override") != 0),
      trigger_release_remembered(p.get("pmu.trigger_release") == 0),
      trigger_self_clear(p.get("pmu.trigger_self_clear") != 0),
      trigger_needs_control(p.get("pmu.trigger_source") != 0),
      freeze_blocks_signal(p.get("pmu.freeze_blocks_signal") != 0),
      threshold_greater_equal(p.get("pmu.threshold_compare") != 0),
      threshold_any_position(p.get("pmu.threshold_queue") != 0),
      threshold_counts_untracked(p.get("pmu.threshold_untracked") != 0),
      sia_at_taking(p.get("pmu.sia_cycle") != 0),
      sia_older(p.get("pmu.sia_pair") != 0),
      sia_threshold_first(p.get("pmu.sia_threshold_first") != 0),
      sia_kept_when_disabled(p.get("pmu.sia_when_disabled") != 0),
      pmc4_8_holds(p.get("pmu.pmc4_8") != 0) {}

}  // namespace ppc750gx
}  // namespace pmusim::pmu
