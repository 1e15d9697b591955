// What is known of the Itanium 2's events besides those of both IA-64 processors. Sources: libpfm 3.10's table of
// events; Itanium 2 reference manual for software development and optimization, 10.3, by which one of the L2 events is
// on PMC4, which selects their set.
#include "testbench/judge/trial/identities.h"
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench {

namespace {

using namespace facts;  // NOLINT: the words of the table

// clang-format off
constexpr EventFacts table[] = {
    {"BR_MISPRED_DETAIL_NTRETIND_ALL_PRED", at_most(3), any, from_instructions, by_tag},
    {"BUS_ALL_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_BACKSNP_REQ_THIS", at_most(1), any, from_timing, unfiltered},
    {"BUS_BRQ_LIVE_REQ_HI", at_most(2), any, from_timing, unfiltered},
    {"BUS_BRQ_LIVE_REQ_LO", at_most(7), any, from_timing, unfiltered},
    {"BUS_BRQ_REQ_INSERTED", at_most(1), any, from_timing, unfiltered},
    {"BUS_DATA_CYCLE", at_most(1), any, from_timing, unfiltered},
    {"BUS_HITM", at_most(1), any, from_timing, unfiltered},
    {"BUS_IO_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_IOQ_LIVE_REQ_HI", at_most(2), any, from_timing, unfiltered},
    {"BUS_IOQ_LIVE_REQ_LO", at_most(3), any, from_timing, unfiltered},
    {"BUS_LOCK_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_MEMORY_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_MEM_READ_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_MEM_READ_OUT_HI", at_most(2), any, from_timing, unfiltered},
    {"BUS_MEM_READ_OUT_LO", at_most(7), any, from_timing, unfiltered},
    {"BUS_OOQ_LIVE_REQ_HI", at_most(2), any, from_timing, unfiltered},
    {"BUS_OOQ_LIVE_REQ_LO", at_most(7), any, from_timing, unfiltered},
    {"BUS_RD_DATA_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_RD_HIT", at_most(1), any, from_timing, unfiltered},
    {"BUS_RD_HITM", at_most(1), any, from_timing, unfiltered},
    {"BUS_RD_INVAL_ALL_HITM", at_most(1), any, from_timing, unfiltered},
    {"BUS_RD_INVAL_HITM", at_most(1), any, from_timing, unfiltered},
    {"BUS_RD_IO_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_RD_PRTL_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_SNOOPQ_REQ", at_most(7), any, from_timing, unfiltered},
    {"BUS_SNOOPS_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_SNOOPS_HITM_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_SNOOP_STALL_CYCLES_*", at_most(1), any, from_timing, unfiltered},
    {"BUS_WR_WB_*", at_most(1), any, from_timing, unfiltered},
    {"CPU_CPL_CHANGES", at_most(1), any, from_timing, unfiltered},
    {"CPU_CYCLES", every_cycle, any, from_timing, unfiltered},
    {"DTLB_INSERTS_HPW", at_most(4), any, from_timing, by_all},
    {"DTLB_INSERTS_HPW_RETIRED", at_most(4), any, from_timing, by_all},
    {"EXTERN_DP_PINS_0_TO_3_*", at_most(1), any, from_timing, unfiltered},
    {"EXTERN_DP_PINS_4_TO_5_*", at_most(1), any, from_timing, unfiltered},
    {"FP_FLUSH_TO_ZERO", at_most(2), any, from_timing, by_code},
    {"FP_OPS_RETIRED", at_most(4), any, from_instructions, by_code},
    {"HPW_DATA_REFERENCES", at_most(4), any, from_timing, by_all},
    {"IA32_INST_RETIRED", at_most(2), any, from_timing, unfiltered},
    {"IA32_ISA_TRANSITIONS", at_most(1), any, from_timing, unfiltered},
    {"IA64_INST_RETIRED_THIS", at_most(6), any, from_timing, by_tag},
    {"L2_BAD_LINES_SELECTED_ANY", at_most(4), on({0}), from_timing, by_all},
    {"L2_BYPASS_*", at_most(1), on({0}), from_timing, by_all},
    {"L2_BYPASS_L2_INST*", at_most(1), on({0}), from_timing, by_all | of_fetches},
    {"L2_BYPASS_L3_INST1", at_most(1), on({0}), from_timing, by_all | of_fetches},
    {"L2_DATA_REFERENCES_*", at_most(4), on({0}), from_timing, by_all},
    {"L2_FILLB_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L2_FORCE_RECIRC_*", at_most(4), on({0}), from_timing, by_all},
    {"L2_GOT_RECIRC_IFETCH_ANY", at_most(1), on({0}), from_timing, by_all | of_fetches},
    {"L2_GOT_RECIRC_OZQ_ACC", at_most(1), on({0}), from_timing, by_all},
    {"L2_IFET_CANCELS_*", at_most(1), on({0}), from_timing, by_all | of_fetches},
    {"L2_INST_DEMAND_READS", at_most(1), any, from_timing, by_code},
    {"L2_INST_PREFETCHES", at_most(1), any, from_timing, by_code | second_range},
    {"L2_ISSUED_RECIRC_IFETCH_ANY", at_most(1), on({0}), from_timing, by_all | of_fetches},
    {"L2_ISSUED_RECIRC_OZQ_ACC", at_most(1), on({0}), from_timing, by_all},
    {"L2_L3ACCESS_CANCEL_*", at_most(1), on({0}), from_timing, by_all},
    {"L2_L3ACCESS_CANCEL_IFETCH", at_most(1), on({0}), from_timing, by_all | of_fetches},
    {"L2_MISSES", at_most(1), any, from_timing, by_all},
    {"L2_OPS_ISSUED_*", at_most(4), on({0}), from_timing, by_all},
    {"L2_OZDB_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L2_OZQ_ACQUIRE", condition, on({0}), from_timing, unfiltered},
    {"L2_OZQ_CANCELS0_*", at_most(4), on({0}), from_timing, by_all},
    {"L2_OZQ_CANCELS1_*", at_most(4), on({0}), from_timing, by_all},
    {"L2_OZQ_CANCELS2_*", at_most(4), on({0}), from_timing, by_all},
    {"L2_OZQ_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L2_OZQ_RELEASE", condition, on({0}), from_timing, unfiltered},
    {"L2_REFERENCES", at_most(4), on({0}), from_timing, by_all},
    {"L2_STORE_HIT_SHARED_ANY", at_most(2), on({0}), from_timing, by_all},
    {"L2_SYNTH_PROBE", at_most(1), on({0}), from_timing, by_all},
    {"L2_VICTIMB_FULL_THIS", condition, on({0}), from_timing, unfiltered},
    {"L3_LINES_REPLACED", at_most(1), any, from_timing, unfiltered},
    {"L3_READS_*", at_most(1), any, from_timing, by_all},
    {"L3_READS_DINST_FETCH_*", at_most(1), any, from_timing, by_all | of_fetches},
    {"L3_READS_INST_FETCH_*", at_most(1), any, from_timing, by_all | of_fetches},
    {"L3_WRITES_*", at_most(1), any, from_timing, by_all},
};
// clang-format on

// Relations among the Itanium 2's counts that the manuals state, in addition to those of all IA-64 processors.

constexpr Identity list[] = {
    {"BACK_END_BUBBLE_ALL <= CPU_CYCLES", caliper},
    {"IA64_INST_RETIRED <= INST_DISPERSED + IA32_INST_RETIRED",
     "libpfm's event table: what retires has been dispersed"},
    {"IA64_INST_RETIRED <= 6 CPU_CYCLES", "libpfm's event table: six at most"},
    {"BR_MISPRED_DETAIL_ALL_ALL_PRED = BR_MISPRED_DETAIL_IPREL_ALL_PRED + BR_MISPRED_DETAIL_RETURN_ALL_PRED + "
     "BR_MISPRED_DETAIL_NTRETIND_ALL_PRED",
     "libpfm's event table: a branch has one type"},
    {"BE_L1D_FPU_BUBBLE_L1D = BE_L1D_FPU_BUBBLE_L1D_FULLSTBUF + BE_L1D_FPU_BUBBLE_L1D_DCURECIR + "
     "BE_L1D_FPU_BUBBLE_L1D_HPW + BE_L1D_FPU_BUBBLE_L1D_FILLCONF + BE_L1D_FPU_BUBBLE_L1D_DCS + "
     "BE_L1D_FPU_BUBBLE_L1D_L2BPRESS + BE_L1D_FPU_BUBBLE_L1D_TLB + BE_L1D_FPU_BUBBLE_L1D_LDCONF + "
     "BE_L1D_FPU_BUBBLE_L1D_LDCHK + BE_L1D_FPU_BUBBLE_L1D_NAT + BE_L1D_FPU_BUBBLE_L1D_STBUFRECIR + "
     "BE_L1D_FPU_BUBBLE_L1D_NATCONF",
     one_reason},
    {"L2_DATA_REFERENCES_L2_ALL = L2_DATA_REFERENCES_L2_DATA_READS + L2_DATA_REFERENCES_L2_DATA_WRITES",
     "HP Caliper's user guide: a semaphore is both"},
    {"L2_MISSES <= L2_REFERENCES", caliper},
    {"DTLB_INSERTS_HPW_RETIRED <= DTLB_INSERTS_HPW", event_table},
    {"BUS_SNOOPS_HITM_ANY <= BUS_SNOOPS_ANY", event_table},
    {"BUS_RD_INVAL_HITM <= BUS_RD_INVAL_ALL_HITM", event_table},
    {"BUS_RD_INVAL_ALL_HITM + BUS_RD_HITM <= 2 BUS_HITM", event_table},
    {"BUS_LOCK_SELF <= BUS_LOCK_ANY", "libpfm's event table: agents"},
};

}  // namespace

const CountFacts targets::itanium2::events{.events = {ia64::events(), table}, .identities = {ia64::identities(), list}};

}  // namespace pmusim::testbench
