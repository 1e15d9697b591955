// Relations among the Itanium 2's counts that the manuals state, in addition to those of all IA-64 processors.
#include "testbench/judge/trial/identities.h"
#include "testbench/targets/itanium2/judging.h"

namespace pmusim::testbench {
namespace {

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

std::span<const Identity> targets::itanium2::identities() { return list; }

}  // namespace pmusim::testbench
