// Behaviours of the 750GX monitor that no document specifies. The first value of each is the default.
#include "models/common/parameter_rows.h"
#include "models/ppc750gx/behaviour.h"
#include "models/ppc750gx/ppc750gx.h"

namespace pmusim::pmu {
namespace {

using ppc750gx::Behaviour;
using B = Behaviour;
using models::either;
using models::field;
using models::is;
using models::open_choice;

// "UM" is the IBM PowerPC 750GX and 750GL User's Manual v1.2 of March 2006.
const models::ParameterRows<B>& rows() {
  static const models::ParameterRows<B> table = {
      {open_choice("pmu.supervisor_fault", "fault of an access to a supervisor SPR from problem state",
                   "UM p. 350 names the program exception, not its type; common PowerPC rule",
                   {{"privileged", 0, "privileged instruction"}, {"illegal", 1, "illegal instruction"}}),
       {[](B& b, std::int64_t value) {
         b.supervisor_fault = value == 0 ? Fault::privileged_instruction : Fault::illegal_instruction;
       }}},
      either("pmu.missing_spr_fault", "access to SPR 959 or 943 (SDA), which this part lacks",
             "absence: Linux perfctr 2.7", {"illegal", "illegal instruction"}, {"none", "no operation, reads 0"},
             field<&B::missing_spr_is_no_op>),
      either("pmu.mmcr1_reserved", "what MMCR1 bits 10:31 do with a write", "UM p. 74 calls them reserved",
             {"drop", "read 0"}, {"keep", "read as written"}, field<&B::mmcr1_keeps_reserved>),
      either("pmu.hreset", "the monitor's registers at HRESET", "UM Table 4-7 not readable; 604 manual wording",
             {"clear", "all 0"}, {"keep", "unchanged"}, field<&B::keep_at_reset>),
      either(
          "pmu.tb_select", "order of RTCSELECT", "UM section 11.4, Tables 11-2 and 11-5 and MMCR0 against Table 11-4",
          {"manual", "time base bits 63, 55, 51, 47"}, {"reversed", "47, 51, 55, 63"}, field<&B::tb_select_reversed>),
      {open_choice("pmu.enint_clear", "when hardware clears MMCR0[ENINT]",
                   "604 manual: at the signal; MPC7400 manual: at the interrupt",
                   {{"at_signal", 0, "in the cycle of the signal"},
                    {"at_taking", 1, "when taken"},
                    {"never", 2, "by software only"}}),
       {field<&B::enint_clear>}},
      {open_choice("pmu.discount_scope", "which counters DISCOUNT stops beside PMC1",
                   "UM p. 72 names PMC2COUNTCTL, a bit that does not exist",
                   {{"trigger", 0, "PMC2-4 if PMCTRIGGER is 0"}, {"all", 1, "PMC2-4 always"}, {"pmc1", 2, "none"}}),
       {field<&B::discount_scope>}},
      either("pmu.discount_override", "PMCINTCONTROL = 1 and DISCOUNT", "UM p. 72 says that it overrides and no more",
             {"none", "no further effect"}, {"pmcintcontrol", "PMC2-4 are not stopped"},
             field<&B::pmcintcontrol_overrides_discount>),
      either("pmu.trigger_release", "how long a signal releases counters that wait for PMCTRIGGER",
             "end of the sentence not visible, UM p. 73", {"remembered", "until MMCR0 is written"},
             {"level", "only while PMC1 is negative"}, is<0, &B::trigger_release_remembered>),
      either("pmu.trigger_self_clear", "whether PMCTRIGGER clears itself when released",
             "perfctr takes it for a 74xx trait", {"no", "stays"}, {"yes", "clears"}, field<&B::trigger_self_clear>),
      either("pmu.trigger_source", "what makes PMC1's sign release PMCTRIGGER", "UM p. 73 names PMC1[0] only",
             {"level", "PMC1[0] alone"}, {"controlled", "PMC1[0] with PMC1INTCONTROL"},
             field<&B::trigger_needs_control>),
      either("pmu.threshold_compare", "comparison of a load's latency with THRESHOLD", "UM Table 11-2, code 10: above",
             {"greater", ">"}, {"greater_equal", ">="}, field<&B::threshold_greater_equal>),
      either("pmu.threshold_queue", "which loads the threshold event watches", "UM section 11.5, first note",
             {"oldest", "queue position 0"}, {"any", "all"}, field<&B::threshold_any_position>),
      either("pmu.threshold_untracked", "loads that cross a word, load multiple, load string",
             "UM section 11.5, second note: not accurately tracked", {"excluded", "left out"}, {"counted", "counted"},
             field<&B::threshold_counts_untracked>),
      either("pmu.sia_cycle", "when SIA is loaded", "UM chapter 2: at or around signalling; p. 350: when taken",
             {"signal", "in the cycle of the signal"}, {"taking", "in the last cycle before the handler"},
             field<&B::sia_at_taking>),
      either("pmu.sia_pair", "which of two instructions that complete in the cycle goes to SIA", "UM: the last",
             {"younger", "the younger"}, {"older", "the older"}, field<&B::sia_older>),
      either("pmu.pmc4_8", "PMC4 select code 8", "UM Table 11-5 describes it and calls it reserved",
             {"counts", "mispredicted branches"}, {"holds", "reserved: holds"}, field<&B::pmc4_8_holds>),
      either("pmu.read_order", "mfspr of a program, and the increments of its cycle",
             "UM p. 350: accesses do not synchronise", {"before", "value before them"}, {"after", "value after them"},
             field<&B::reads_own_cycle>),
      either("pmu.discount_effect", "how a signal with DISCOUNT stops counting", "MPC7400 manual: sets the freeze bit",
             {"stop", "by a flag of its own"}, {"sets_dis", "sets MMCR0[DIS]"}, field<&B::discount_sets_dis>),
      either("pmu.threshold_start", "first cycle of a load's latency",
             "UM section 11.5 gives none; MPC7400: allocation in the miss queue",
             {"miss", "that of the lookup that misses"}, {"allocation", "the one after it"},
             field<&B::threshold_from_allocation>),
      either("pmu.iabr_translation", "IABR[TE] and PMC1 select code 9", "breakpoint rule of the IABR",
             {"compared", "must be equal to MSR[IR]"}, {"ignored", "plays no part"}, field<&B::iabr_any_translation>),
      either("pmu.pmc1_7", "PMC1 select code 7", "UM Table 11-2: hits; perfctr: accesses",
             {"hits", "lookups of L2 that hit"}, {"lookups", "all lookups of L2"}, is<0, &B::l2_hits_only>),
      either("pmu.pmc1_13", "PMC1 select code 13", "first IBM 750 manual, judged an error",
             {"holds", "reserved: holds"}, {"fetch_misses", "fetches that miss L1"}, field<&B::pmc1_13_counts>),
      either("pmu.pmc2_9", "PMC2 select code 9", "MPC750 manual, perfctr", {"holds", "reserved: holds"},
             {"pr_toggles", "changes of MSR[PR]"}, field<&B::pmc2_9_counts>),
      either("pmu.pmc2_11", "cache operations in PMC2 select code 11", "UM Table 11-3: loads and stores",
             {"left_out", "not counted"}, {"cache_operations", "counted"}, field<&B::cache_operations_count>),
      either("pmu.pmc2_15", "PMC2 select code 15", "UM Table 11-3: misses; first IBM 750 manual: cycles",
             {"occurrences", "fetches that miss L1"}, {"cycles", "cycles with such a fetch outstanding"},
             is<0, &B::fetch_misses_occur>),
      either("pmu.pmc2_11_multiple", "load and store multiple and string in PMC2 select code 11",
             "UM Table 11-3: loads and stores", {"once", "one, as any other"},
             {"words", "the words that they transfer"}, is<0, &B::multiples_once>),
      either("pmu.threshold_end", "last cycle of a load's latency",
             "UM section 11.5 gives none; MPC7400: write of the register",
             {"register", "the data reaches its register"}, {"line", "the whole line is in the cache"},
             field<&B::threshold_to_line>),
      either("pmu.reserved_code", "select codes that no manual describes", "UM Tables 11-2 to 11-5: reserved",
             {"holds", "the counter holds"}, {"cycles", "it counts cycles"}, field<&B::reserved_codes_count>),
      either("pmu.pmc3_5", "loads and stores in PMC3 select code 5 whose line is on its way", "UM Table 11-4: misses",
             {"first", "not counted"}, {"pending", "counted"}, field<&B::pending_misses>),
      either("pmu.pmc3_8", "PMC3 select code 8", "UM Table 11-4: predicted taken",
             {"taken", "branches predicted taken and taken"}, {"predicted", "all branches predicted taken"},
             field<&B::taken_when_predicted>),
      either("pmu.pmc3_9", "PMC3 select code 9", "MPC750 manual, Shark", {"holds", "reserved: holds"},
             {"pm_toggles", "changes of MSR[PM] in problem state"}, field<&B::pmc3_9_counts>),
      either("pmu.pmc4_9", "PMC4 select code 9", "MPC750 manual, Shark", {"holds", "reserved: holds"},
             {"pm_toggles", "changes of MSR[PM] in supervisor state"}, field<&B::pmc4_9_counts>),
      either("pmu.pmc4_31", "PMC4 select code 31", "first IBM 750 manual, judged an error",
             {"holds", "reserved: holds"}, {"data_misses", "loads and stores that miss L1"}, field<&B::pmc4_31_counts>),
  };
  return table;
}

}  // namespace

models::Parameters ppc750gx_pmu_parameters() { return models::parameters_of(rows()); }

ppc750gx::Behaviour::Behaviour(const models::Parameters& given) { models::read_parameters(*this, rows(), given); }

}  // namespace pmusim::pmu
