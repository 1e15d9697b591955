// What is known of the Montecito's events besides those of both IA-64 processors. Source: libpfm 3.10's table of
// events: an L2D event is on PMC4, which selects its set; bus events are on PMC4 to PMC9. The code of
// ER_REJECT_ALL_L1_REQ is that of an L2D event on the counter that selects the set.
#include "testbench/judge/trial/identities.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench {

namespace {

using namespace facts;  // NOLINT: the words of the table

// clang-format off
constexpr EventFacts table[] = {
    {"BR_MISPRED_DETAIL_NRETIND_ALL_PRED", at_most(3), any, from_instructions, by_tag},
    {"BUS_ALL_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_B2B_DATA_CYCLES_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_DATA_CYCLE_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_HITM_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_IO_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_MEMORY_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_MEM_READ_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_RD_DATA_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_RD_HIT_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_RD_HITM_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_RD_INVAL_BST_HITM_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_RD_INVAL_HITM_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_RD_IO_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_RD_PRTL_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_SNOOP_STALL_CYCLES_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"BUS_WR_WB_*", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"CPU_CPL_CHANGES_*", at_most(1), any, from_timing, unfiltered},
    {"CPU_OP_CYCLES_*", at_most(1), any, from_timing, unfiltered},
    {"CPU_OP_CYCLES_QUAL", at_most(1), any, from_timing, by_tag},
    {"CPU_OP_CYCLES_HALTED", all_or_none(7), on({6}), from_timing, unfiltered},
    {"DTLB_INSERTS_HPW", at_most(4), any, from_timing, unfiltered},
    {"ER_BKSNP_ME_ACCEPTED", at_most(2), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_BRQ_LIVE_REQ_HI", at_most(2), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_BRQ_LIVE_REQ_LO", at_most(7), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_BRQ_REQ_INSERTED", at_most(1), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_MEM_READ_OUT_HI", at_most(2), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_MEM_READ_OUT_LO", at_most(7), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_REJECT_ALL_L1D_REQ", condition, on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_REJECT_ALL_L1I_REQ", condition, on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_REJECT_ALL_L1_REQ", condition, on({1, 3, 4, 5}), from_timing, unfiltered},
    {"ER_SNOOPQ_REQ_HI", at_most(2), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ER_SNOOPQ_REQ_LO", at_most(7), on({0, 1, 2, 3, 4, 5}), from_timing, unfiltered},
    {"ETB_EVENT", at_most(1), any, from_timing, by_tag},
    {"FP_FLUSH_TO_ZERO_*", at_most(2), any, from_timing, by_code},
    {"FP_OPS_RETIRED", at_most(6), any, from_instructions, by_code},
    {"HPW_DATA_REFERENCES", at_most(4), any, from_timing, unfiltered},
    {"IA64_INST_RETIRED_THIS", at_most(6), any, from_instructions, by_tag},
    {"L2D_BAD_LINES_SELECTED_ANY", at_most(4), on({0}), from_timing, by_all},
    {"L2D_BYPASS_*", at_most(1), on({0}), from_timing, by_all},
    {"L2D_FILLB_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L2D_FILL_MESI_STATE_*", at_most(1), on({0}), from_timing, unfiltered},
    {"L2D_FORCE_RECIRC_*", at_most(4), on({0}), from_timing, by_all},
    {"L2D_INSERT_HITS", at_most(4), any, from_timing, by_all},
    {"L2D_INSERT_MISSES", at_most(4), any, from_timing, by_all},
    {"L2D_ISSUED_RECIRC_OZQ_ACC", at_most(1), on({0}), from_timing, by_all},
    {"L2D_L3ACCESS_CANCEL_*", at_most(1), on({0}), from_timing, by_all},
    {"L2D_MISSES", at_most(1), any, from_timing, by_all},
    {"L2D_OPS_ISSUED_*", at_most(4), any, from_timing, by_all},
    {"L2D_OZDB_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L2D_OZQ_ACQUIRE", condition, on({0}), from_timing, unfiltered},
    {"L2D_OZQ_CANCELS0_*", at_most(4), on({0}), from_timing, by_all},
    {"L2D_OZQ_CANCELS1_*", at_most(4), on({0}), from_timing, by_all},
    {"L2D_OZQ_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L2D_OZQ_RELEASE", condition, on({0}), from_timing, unfiltered},
    {"L2D_REFERENCES_*", at_most(4), on({0}), from_timing, by_all},
    {"L2D_STORE_HIT_SHARED_ANY", at_most(2), on({0}), from_timing, by_all},
    {"L2D_VICTIMB_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L2I_DEMAND_READS", at_most(1), any, from_timing, by_code},
    {"L2I_HIT_CONFLICTS_*", at_most(1), any, from_timing, by_code},
    {"L2I_L3_REJECTS_*", at_most(1), any, from_timing, by_code},
    {"L2I_PREFETCHES", at_most(1), any, from_timing, by_code | second_range},
    {"L2I_READS_*", at_most(1), any, from_timing, by_code},
    {"L2I_RECIRCULATES_*", at_most(1), any, from_timing, by_code},
    {"L2I_SNOOP_HITS", at_most(1), any, from_timing, unfiltered},
    {"L2I_SPEC_ABORTS", at_most(1), any, from_timing, by_code},
    {"L2I_UC_READS_*", at_most(1), any, from_timing, by_code},
    {"L2I_VICTIMIZATION", at_most(1), any, from_timing, by_code},
    {"L3_INSERTS", at_most(1), any, from_timing, by_all | by_lines},
    {"L3_LINES_REPLACED", at_most(1), any, from_timing, by_lines},
    {"L3_READS_*", at_most(1), any, from_timing, by_all | by_lines},
    {"L3_READS_DINST_FETCH_*", at_most(1), any, from_timing, by_all | by_lines | of_fetches},
    {"L3_READS_INST_FETCH_*", at_most(1), any, from_timing, by_all | by_lines | of_fetches},
    {"L3_WRITES_*", at_most(1), any, from_timing, by_all | by_lines},
    {"LOADS_RETIRED_INTG", at_most(2), on({1}), from_instructions, by_all},
    {"SI_CCQ_COLLISIONS_*", at_most(2), any, from_timing, unfiltered},
    {"SI_CCQ_INSERTS_*", at_most(2), any, from_timing, unfiltered},
    {"SI_CCQ_LIVE_REQ_HI_*", at_most(1), any, from_timing, unfiltered},
    {"SI_CCQ_LIVE_REQ_LO_*", at_most(7), any, from_timing, unfiltered},
    {"SI_CYCLES", at_most(1), any, from_timing, unfiltered},
    {"SI_IOQ_COLLISIONS", at_most(2), any, from_timing, unfiltered},
    {"SI_IOQ_LIVE_REQ_HI", at_most(2), any, from_timing, unfiltered},
    {"SI_IOQ_LIVE_REQ_LO", at_most(3), any, from_timing, unfiltered},
    {"SI_RQ_INSERTS_*", at_most(2), any, from_timing, unfiltered},
    {"SI_RQ_LIVE_REQ_HI_*", at_most(1), any, from_timing, unfiltered},
    {"SI_RQ_LIVE_REQ_LO_*", at_most(7), any, from_timing, unfiltered},
    {"SI_SCB_INSERTS_*", at_most(4), any, from_timing, unfiltered},
    {"SI_SCB_LIVE_REQ_HI_*", at_most(1), any, from_timing, unfiltered},
    {"SI_SCB_LIVE_REQ_LO_*", at_most(7), any, from_timing, unfiltered},
    {"SI_SCB_SIGNOFFS_*", at_most(1), any, from_timing, unfiltered},
    {"SI_WAQ_COLLISIONS_*", at_most(1), any, from_timing, unfiltered},
    {"SI_WDQ_ECC_ERRORS_*", at_most(2), any, from_timing, unfiltered},
    {"SI_WRITEQ_INSERTS_*", at_most(2), any, from_timing, unfiltered},
    {"SI_WRITEQ_LIVE_REQ_HI_*", at_most(1), any, from_timing, unfiltered},
    {"SI_WRITEQ_LIVE_REQ_LO_*", at_most(7), any, from_timing, unfiltered},
    {"SPEC_LOADS_NATTED_*", at_most(2), any, from_timing, by_code | by_data},
    {"THREAD_SWITCH_CYCLE_*", condition, any, from_timing, unfiltered},
    {"THREAD_SWITCH_EVENTS_*", at_most(1), any, from_timing, unfiltered},
    {"THREAD_SWITCH_GATED_*", at_most(1), any, from_timing, unfiltered},
    {"THREAD_SWITCH_STALL_*", at_most(1), any, from_timing, unfiltered},
};
// clang-format on

// Relations among the Montecito's counts that the manuals state, in addition to those of all IA-64 processors.

constexpr Identity list[] = {
    {"BACK_END_BUBBLE_ALL <= CPU_OP_CYCLES_ALL", caliper},
    {"CPU_OP_CYCLES_QUAL <= CPU_OP_CYCLES_ALL", caliper},
    {"IA64_INST_RETIRED <= INST_DISPERSED", "libpfm's event table: what retires has been dispersed"},
    {"BR_MISPRED_DETAIL_ALL_ALL_PRED = BR_MISPRED_DETAIL_IPREL_ALL_PRED + BR_MISPRED_DETAIL_RETURN_ALL_PRED + "
     "BR_MISPRED_DETAIL_NRETIND_ALL_PRED",
     "libpfm's event table: a branch has one type"},
    {"BE_L1D_FPU_BUBBLE_L1D = BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF + BE_L1D_FPU_BUBBLE_L1D_PIPE_RECIRC + "
     "BE_L1D_FPU_BUBBLE_L1D_HPW + BE_L1D_FPU_BUBBLE_L1D_FILLCONF + BE_L1D_FPU_BUBBLE_L1D_AR_CR + "
     "BE_L1D_FPU_BUBBLE_L1D_L2BPRESS + BE_L1D_FPU_BUBBLE_L1D_TLB + BE_L1D_FPU_BUBBLE_L1D_LDCONF + "
     "BE_L1D_FPU_BUBBLE_L1D_LDCHK + BE_L1D_FPU_BUBBLE_L1D_NAT + BE_L1D_FPU_BUBBLE_L1D_STBUFRECIR + "
     "BE_L1D_FPU_BUBBLE_L1D_NATCONF",
     one_reason},
    {"LOADS_RETIRED_INTG <= LOADS_RETIRED", event_table},
    {"L2D_REFERENCES_ALL = L2D_REFERENCES_READS + L2D_REFERENCES_WRITES", "libpfm's event table: a semaphore is both"},
    {"L2D_MISSES <= L2D_INSERT_HITS + L2D_INSERT_MISSES", event_table},
    {"L2I_READS_ALL_ALL = L2I_READS_HIT_ALL + L2I_READS_MISS_ALL", "libpfm's event table: hit or miss"},
    {"L2I_READS_ALL_DMND = L2I_READS_HIT_DMND + L2I_READS_MISS_DMND", "libpfm's event table: hit or miss"},
    {"L2I_READS_ALL_PFTCH = L2I_READS_HIT_PFTCH + L2I_READS_MISS_PFTCH", "libpfm's event table: hit or miss"},
    {"L2I_READS_ALL_ALL = L2I_READS_ALL_DMND + L2I_READS_ALL_PFTCH", "libpfm's event table: demand or prefetch"},
    {"L2I_UC_READS_ALL_ALL = L2I_UC_READS_ALL_DMND + L2I_UC_READS_ALL_PFTCH",
     "libpfm's event table: demand or prefetch"},
    {"L2I_VICTIMIZATION <= L2I_READS_MISS_ALL", event_table},
    {"L3_LINES_REPLACED <= L3_INSERTS", "libpfm's event table: a victim makes room for a line"},
    {"THREAD_SWITCH_EVENTS_ALL = THREAD_SWITCH_EVENTS_L3MISS + THREAD_SWITCH_EVENTS_TIMER + "
     "THREAD_SWITCH_EVENTS_HINT + THREAD_SWITCH_EVENTS_LP + THREAD_SWITCH_EVENTS_DBG",
     "libpfm's event table: a switch that is taken has one cause"},
    {"THREAD_SWITCH_STALL_GTE_4 <= THREAD_SWITCH_EVENTS_ALL", event_table},
    {"THREAD_SWITCH_STALL_GTE_4096 <= THREAD_SWITCH_STALL_GTE_256", event_table},
    {"THREAD_SWITCH_STALL_GTE_256 <= THREAD_SWITCH_STALL_GTE_4", event_table},
    {"CPU_CPL_CHANGES_LVL0 + CPU_CPL_CHANGES_LVL1 + CPU_CPL_CHANGES_LVL2 + CPU_CPL_CHANGES_LVL3 = "
     "2 CPU_CPL_CHANGES_ALL",
     "libpfm's event table: a change is from one level to another"},
    {"SPEC_LOADS_NATTED_ALL = SPEC_LOADS_NATTED_VHPT_MISS + SPEC_LOADS_NATTED_DEF_TLB_MISS + "
     "SPEC_LOADS_NATTED_DEF_TLB_FAULT + SPEC_LOADS_NATTED_NAT_CNSM + SPEC_LOADS_NATTED_DEF_PSR_ED",
     "libpfm's event table: a load is deferred for one reason"},
    {"FP_FLUSH_TO_ZERO_FTZ_REAL <= FP_FLUSH_TO_ZERO_FTZ_POSS", event_table},
    {"BUS_ALL_SELF <= BUS_ALL_EITHER", "libpfm's event table: either core of the die"},
    {"BUS_ALL_EITHER + BUS_ALL_IO <= BUS_ALL_ANY", "libpfm's event table: agents"},
    {"SI_SCB_INSERTS_ALL_EITHER = SI_SCB_INSERTS_MISS_EITHER + SI_SCB_INSERTS_HIT_EITHER + SI_SCB_INSERTS_HITM_EITHER",
     "libpfm's event table: what the snoop found"},
    {"SI_SCB_SIGNOFFS_ALL <= SI_SCB_SIGNOFFS_MISS + SI_SCB_SIGNOFFS_HIT + SI_SCB_SIGNOFFS_HITM",
     "libpfm\'s event table: what the snoop found, one at most in a cycle"},
    {"SI_WDQ_ECC_ERRORS_ALL_EITHER <= SI_WDQ_ECC_ERRORS_SGL_EITHER + SI_WDQ_ECC_ERRORS_DBL_EITHER", event_table},
    {"SI_WRITEQ_INSERTS_ALL_SELF <= SI_WRITEQ_INSERTS_ALL_EITHER", "libpfm's event table: either core of the die"},
    {"SI_RQ_INSERTS_SELF <= SI_RQ_INSERTS_EITHER", "libpfm's event table: either core of the die"},
};

}  // namespace

const CountFacts targets::montecito::events{.events = {ia64::events(), table},
                                            .identities = {ia64::identities(), list}};

}  // namespace pmusim::testbench
