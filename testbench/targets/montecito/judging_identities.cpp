// Relations among the Montecito's counts that the manuals state, in addition to those of all IA-64 processors.
#include "testbench/judge/trial/identities.h"
#include "testbench/targets/montecito/judging.h"

namespace pmusim::testbench {
namespace {

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

std::span<const Identity> targets::montecito::identities() { return list; }

}  // namespace pmusim::testbench
