#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "run.h"

namespace pmusim::micro {
namespace {

using pmu::RegisterId;
using pmu::Space;

/// An event, its code and its unit masks: SUFFIX=MASK, where the row's name ends in an underscore and the suffix. A
/// mask without a suffix belongs to the event itself; the default is 0.
struct EventMasks {
  std::string_view event;
  unsigned code;
  std::string_view umasks;
};
constexpr EventMasks event_masks[] = {
    {"IA64_INST_RETIRED", 0x08, ""},
    {"FP_FLUSH_TO_ZERO_FTZ", 0x0b, "REAL=0 POSS=1"},
    {"THREAD_SWITCH_EVENTS", 0x0c, "MISSED=0 L3MISS=1 TIMER=2 HINT=3 LP=4 DBG=5 ALL=7"},
    {"THREAD_SWITCH_GATED", 0x0d, "LP=1 PIPE=4 FWDPRO=5 ALL=7"},
    {"THREAD_SWITCH_CYCLE", 0x0e, "CRAB=1 L2D=2 ANYSTALL=3 PCR=4 ALL_GATED=6 TOTAL=7"},
    {"THREAD_SWITCH_STALL_GTE", 0x0f, "4=0 8=1 16=2 32=3 64=4 128=5 256=6 512=7 1024=8 2048=9 4096=a"},
    {"ETB_EVENT", 0x11, ""},
    {"CPU_OP_CYCLES_ALL", 0x12, ""},
    {"CPU_OP_CYCLES_QUAL", 0x12, "=1"},
    {"CPU_CPL_CHANGES", 0x13, "LVL0=1 LVL1=2 LVL2=4 LVL3=8 ALL=f"},
    {"CPU_OP_CYCLES_HALTED", 0x18, ""},
    {"L2I_DEMAND_READS", 0x42, ""},
    {"L2I_PREFETCHES", 0x45, ""},
    {"L1I_SNOOP", 0x4a, ""},
    {"L1I_PURGE", 0x4b, ""},
    {"SYLL_NOT_DISPERSED", 0x4e,
     "EXPL=1 IMPL=2 EXPL_OR_IMPL=3 FE=4 EXPL_OR_FE=5 IMPL_OR_FE=6 EXPL_OR_IMPL_OR_FE=7 MLX=8 EXPL_OR_MLX=9 "
     "IMPL_OR_MLX=a EXPL_OR_IMPL_OR_MLX=b FE_OR_MLX=c EXPL_OR_FE_OR_MLX=d IMPL_OR_FE_OR_MLX=e ALL=f"},
    {"NOPS_RETIRED", 0x50, ""},
    {"BR_MISPRED_DETAIL", 0x5b,
     "ALL_ALL_PRED=0 ALL_CORRECT_PRED=1 ALL_WRONG_PATH=2 ALL_WRONG_TARGET=3 IPREL_ALL_PRED=4 "
     "IPREL_CORRECT_PRED=5 IPREL_WRONG_PATH=6 IPREL_WRONG_TARGET=7 RETURN_ALL_PRED=8 RETURN_CORRECT_PRED=9 "
     "RETURN_WRONG_PATH=a RETURN_WRONG_TARGET=b NRETIND_ALL_PRED=c NRETIND_CORRECT_PRED=d NRETIND_WRONG_PATH=e "
     "NRETIND_WRONG_TARGET=f"},
    {"L2I_READS", 0x78,
     "HIT_DMND=5 HIT_PFTCH=6 HIT_ALL=7 MISS_DMND=9 MISS_PFTCH=a MISS_ALL=b ALL_DMND=d ALL_PFTCH=e ALL_ALL=f"},
    {"L2I_UC_READS", 0x79,
     "HIT_DMND=5 HIT_PFTCH=6 HIT_ALL=7 MISS_DMND=9 MISS_PFTCH=a MISS_ALL=b ALL_DMND=d ALL_PFTCH=e ALL_ALL=f"},
    {"L2I_VICTIMIZATION", 0x7a, ""},
    {"L2I_RECIRCULATES", 0x7b,
     "HIT_DMND=5 HIT_PFTCH=6 HIT_ALL=7 MISS_DMND=9 MISS_PFTCH=a MISS_ALL=b ALL_DMND=d ALL_PFTCH=e ALL_ALL=f"},
    {"L2I_L3_REJECTS", 0x7c,
     "HIT_DMND=5 HIT_PFTCH=6 HIT_ALL=7 MISS_DMND=9 MISS_PFTCH=a MISS_ALL=b ALL_DMND=d ALL_PFTCH=e ALL_ALL=f"},
    {"L2I_HIT_CONFLICTS", 0x7d,
     "HIT_DMND=5 HIT_PFTCH=6 HIT_ALL=7 MISS_DMND=9 MISS_PFTCH=a MISS_ALL=b ALL_DMND=d ALL_PFTCH=e ALL_ALL=f"},
    {"L2I_SPEC_ABORTS", 0x7e, ""},
    {"L2I_SNOOP_HITS", 0x7f, ""},
    {"BUS_RD_HIT", 0x80, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_RD_HITM", 0x81, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_RD_INVAL_HITM", 0x82, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_RD_INVAL_BST_HITM", 0x83, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_HITM", 0x84, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_ALL", 0x87, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_DATA_CYCLE", 0x88, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"MEM_READ_CURRENT", 0x89, "IO=1 ANY=3"},
    {"BUS_MEMORY", 0x8a,
     "EQ_128BYTE_EITHER=4 EQ_128BYTE_IO=5 EQ_128BYTE_SELF=6 EQ_128BYTE_ANY=7 LT_128BYTE_EITHER=8 "
     "LT_128BYTE_IO=9 LT_128BYTE_SELF=a LT_128BYTE_ANY=b ALL_EITHER=c ALL_IO=d ALL_SELF=e ALL_ANY=f"},
    {"BUS_MEM_READ", 0x8b,
     "BIL_EITHER=0 BIL_IO=1 BIL_SELF=2 BIL_ANY=3 BRL_EITHER=4 BRL_IO=5 BRL_SELF=6 BRL_ANY=7 BRIL_EITHER=8 "
     "BRIL_IO=9 BRIL_SELF=a BRIL_ANY=b ALL_EITHER=c ALL_IO=d ALL_SELF=e ALL_ANY=f"},
    {"BUS_RD_DATA", 0x8c, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_RD_PRTL", 0x8d, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"SI_CYCLES", 0x8e, ""},
    {"BUS_SNOOP_STALL_CYCLES", 0x8f, "EITHER=0 SELF=2 ANY=3"},
    {"BUS_IO", 0x90, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_RD_IO", 0x91, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"BUS_WR_WB", 0x92,
     "EQ_128BYTE_IO=5 EQ_128BYTE_SELF=6 EQ_128BYTE_ANY=7 CCASTOUT_SELF=a CCASTOUT_ANY=b ALL_IO=d ALL_SELF=e ALL_ANY=f"},
    {"BUS_B2B_DATA_CYCLES", 0x93, "EITHER=0 IO=1 SELF=2 ANY=3"},
    {"SI_IOQ_LIVE_REQ_LO", 0x97, ""},
    {"SI_IOQ_LIVE_REQ_HI", 0x98, ""},
    {"SI_RQ_INSERTS", 0x9e, "EITHER=0 SELF=1"},
    {"SI_RQ_LIVE_REQ_LO", 0x9f, "EITHER=0 SELF=1"},
    {"SI_RQ_LIVE_REQ_HI", 0xa0, "EITHER=0 SELF=1"},
    {"SI_WRITEQ_INSERTS", 0xa1,
     "ALL_EITHER=0 ALL_SELF=1 IWB_EITHER=2 IWB_SELF=3 EWB_EITHER=4 EWB_SELF=5 WC1_8A_EITHER=6 WC1_8A_SELF=7 "
     "WC16_EITHER=8 WC16_SELF=9 WC32_EITHER=a WC32_SELF=b NEWB_EITHER=c NEWB_SELF=d WC1_8B_EITHER=e "
     "WC1_8B_SELF=f"},
    {"SI_WRITEQ_LIVE_REQ_LO", 0xa2, "EITHER=0 SELF=1"},
    {"SI_WRITEQ_LIVE_REQ_HI", 0xa3, "EITHER=0 SELF=1"},
    {"SI_WAQ_COLLISIONS", 0xa4, "EITHER=0 SELF=1"},
    {"SI_CCQ_INSERTS", 0xa5, "EITHER=0 SELF=1"},
    {"SI_CCQ_LIVE_REQ_LO", 0xa6, "EITHER=0 SELF=1"},
    {"SI_CCQ_LIVE_REQ_HI", 0xa7, "EITHER=0 SELF=1"},
    {"SI_CCQ_COLLISIONS", 0xa8, "EITHER=0 SELF=1"},
    {"SI_IOQ_COLLISIONS", 0xaa, ""},
    {"SI_SCB_INSERTS", 0xab,
     "MISS_EITHER=0 MISS_SELF=1 HIT_EITHER=4 HIT_SELF=5 HITM_EITHER=8 HITM_SELF=9 ALL_EITHER=c ALL_SELF=d"},
    {"SI_SCB_LIVE_REQ_LO", 0xac, "EITHER=0 SELF=1"},
    {"SI_SCB_LIVE_REQ_HI", 0xad, "EITHER=0 SELF=1"},
    {"SI_SCB_SIGNOFFS", 0xae, "MISS=0 HIT=4 HITM=8 ALL=c"},
    {"SI_WDQ_ECC_ERRORS", 0xaf, "SGL_EITHER=0 SGL_SELF=1 DBL_EITHER=4 DBL_SELF=5 ALL_EITHER=8 ALL_SELF=9"},
    {"L2D_INSERT_MISSES", 0xb0, ""},
    {"L2D_INSERT_HITS", 0xb1, ""},
    {"ER_MEM_READ_OUT_HI", 0xb4, ""},
    {"ER_MEM_READ_OUT_LO", 0xb5, ""},
    {"ER_SNOOPQ_REQ_HI", 0xb6, ""},
    {"ER_SNOOPQ_REQ_LO", 0xb7, ""},
    {"ER_BRQ_LIVE_REQ_HI", 0xb8, ""},
    {"ER_BRQ_LIVE_REQ_LO", 0xb9, ""},
    {"ER_BRQ_REQ_INSERTED", 0xba, ""},
    {"ER_BKSNP_ME_ACCEPTED", 0xbb, ""},
    {"ER_REJECT_ALL_L1_REQ", 0xbc, ""},
    {"L2D_OZQ_FULL_THIS", 0xbc, ""},
    {"ER_REJECT_ALL_L1D_REQ", 0xbd, ""},
    {"ER_REJECT_ALL_L1I_REQ", 0xbe, ""},
    {"BE_L1D_FPU_BUBBLE", 0xca,
     "ALL=0 FPU=1 L1D=2 L1D_FULLSTBUF=3 L1D_PIPE_RECIRC=4 L1D_HPW=5 L1D_FILLCONF=7 L1D_AR_CR=8 L1D_L2BPRESS=9 "
     "L1D_TLB=a L1D_LDCONF=b L1D_LDCHK=c L1D_NAT=d L1D_STBUFRECIR=e L1D_NATCONF=f"},
    {"L2D_MISSES", 0xcb, ""},
    {"STORES_RETIRED", 0xd1, ""},
    {"LOADS_RETIRED_INTG", 0xd8, ""},
    {"SPEC_LOADS_NATTED", 0xd9, "ALL=0 VHPT_MISS=1 DEF_TLB_MISS=2 DEF_TLB_FAULT=3 NAT_CNSM=4 DEF_PSR_ED=5"},
    {"L3_INSERTS", 0xda, ""},
    {"L3_REFERENCES", 0xdb, ""},
    {"L3_MISSES", 0xdc, ""},
    {"L3_READS", 0xdd,
     "DINST_FETCH_HIT=1 DINST_FETCH_MISS=2 DINST_FETCH_ALL=3 INST_FETCH_HIT=5 INST_FETCH_MISS=6 "
     "INST_FETCH_ALL=7 DATA_READ_HIT=9 DATA_READ_MISS=a DATA_READ_ALL=b ALL_HIT=d ALL_MISS=e ALL_ALL=f"},
    {"L3_WRITES", 0xde,
     "DATA_WRITE_HIT=5 DATA_WRITE_MISS=6 DATA_WRITE_ALL=7 L2_WB_HIT=9 L2_WB_MISS=a L2_WB_ALL=b ALL_HIT=d "
     "ALL_MISS=e ALL_ALL=f"},
    {"L3_LINES_REPLACED", 0xdf, ""},
    {"L2D_OZQ_CANCELS0", 0xe0,
     "RECIRC=0 CANC_L2M_TO_L2C_ST=1 L2A_ST_MAT=2 L2M_ST_MAT=3 L2D_ST_MAT=4 L2C_ST_MAT=5 ACQ=6 REL=7 "
     "BANK_CONF=8 SEMA=9 OVER_SUB=a OZQ_PREEMPT=b WB_CONF=c MISC_ORDER=d FILL_ST_CONF=e OZDATA_CONF=f"},
    {"L2D_OZQ_CANCELS1", 0xe2, "ANY=0 LATE_SPEC_BYP=1 SIBLING_ACQ_REL=2 LATE_BYP_EFFRELEASE=3"},
    {"L2D_BYPASS", 0xe4, "L2_DATA1=0 L2_DATA2=1 L3_DATA1=2"},
    {"L2D_OZQ_RELEASE", 0xe5, ""},
    {"L2D_REFERENCES", 0xe6, "READS=1 WRITES=2 ALL=3"},
    {"L2D_L3ACCESS_CANCEL", 0xe8,
     "INV_L3_BYP=0 SPEC_L3_BYP=1 ANY=2 ER_REJECT=3 P2_COV_SNP_TEM=4 P2_COV_SNP_VIC=5 P2_COV_SNP_FILL_NOSNP=6 "
     "TAIL_TRANS_DIS=7"},
    {"L2D_OZDB_FULL_THIS", 0xe9, ""},
    {"L2D_FORCE_RECIRC", 0xea,
     "RECIRC=0 LIMBO=1 TAG_NOTOK=4 TRAN_PREF=5 SNP_OR_L3=6 TAG_OK=7 FILL_HIT=8 FRC_RECIRC=9 SAME_INDEX=a "
     "OZQ_MISS=b L1W=c SECONDARY_READ=d SECONDARY_WRITE=e SECONDARY_ALL=f"},
    {"L2D_ISSUED_RECIRC_OZQ_ACC", 0xeb, ""},
    {"L2D_BAD_LINES_SELECTED_ANY", 0xec, ""},
    {"L2D_STORE_HIT_SHARED_ANY", 0xed, ""},
    {"L2D_OZQ_ACQUIRE", 0xef, ""},
    {"L2D_OPS_ISSUED", 0xf0, "INT_LOAD=0 FP_LOAD=1 RMW=2 STORE=3 LFETCH=4 OTHER=5"},
    {"L2D_FILLB_FULL_THIS", 0xf1, ""},
    {"L2D_FILL_MESI_STATE", 0xf2, "M=0 E=1 S=2 I=3 P=4"},
    {"L2D_VICTIMB_FULL_THIS", 0xf3, ""},
};

struct CodeAndMask {
  unsigned code, umask;
};
/// Finds the matching SUFFIX=MASK among an event's words.
std::optional<CodeAndMask> selector_in(const EventMasks& event, std::string_view row) {
  if (!row.starts_with(event.event)) return std::nullopt;
  std::string_view suffix = row.substr(event.event.size()), words = event.umasks;
  if (!suffix.empty()) {
    if (suffix.front() != '_') return std::nullopt;
    suffix.remove_prefix(1);
  } else if (words.empty()) {
    return CodeAndMask{event.code, 0};
  }
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    const std::size_t equals = word.find('=');
    if (word.substr(0, equals) != suffix) continue;
    return CodeAndMask{event.code,
                       static_cast<unsigned>(std::stoul(std::string(word.substr(equals + 1)), nullptr, 16))};
  }
  return std::nullopt;
}
CodeAndMask selector_of(const std::string& row) {
  for (const EventMasks& event : event_masks) {
    if (const auto found = selector_in(event, row)) return *found;
  }
  throw std::logic_error("no code for " + row);
}

/// Only PMC10 counts halted cycles. The code of L2D_OZQ_FULL_THIS has another meaning if its set is not selected; PMC4
/// selects the set itself.
std::uint32_t counter_for(std::string_view row) {
  return row == "CPU_OP_CYCLES_HALTED" ? 10 : row == "L2D_OZQ_FULL_THIS" ? 4 : 5;
}

}  // namespace

// PMC4-15: plm 3:0, pm 6, event 15:8, umask 19:16, threshold 22:20, 10 in 25:24, all 26, line states 30:27.
RegisterId program_montecito(pmu::Monitor& monitor, const oracle::Request& request) {
  const oracle::ia64::Qualifiers& q = request.ia64;
  if (!q.code.empty() || !q.opcodes.empty() || !q.data.empty()) throw std::logic_error("filters are validate's");
  const CodeAndMask selector = selector_of(request.event);
  const std::uint64_t levels = q.levels != 0 ? q.levels : (request.kernel ? 1u : 0) | (request.user ? 8u : 0);
  constexpr std::uint64_t ia64_code = 2, every_state = 15;
  const auto write = [&](std::uint32_t number, std::uint64_t value) {
    const pmu::AccessResult result = monitor.write({Space::pmc, number}, value, {});
    if (result.fault != pmu::Fault::none) throw std::logic_error("register write faults: " + std::to_string(number));
  };
  const std::uint32_t counter = counter_for(request.event);
  write(counter, levels | std::uint64_t{q.privileged_monitor} << 6 | std::uint64_t{selector.code} << 8 |
                     std::uint64_t{selector.umask} << 16 | std::uint64_t{request.threshold} << 20 | ia64_code << 24 |
                     std::uint64_t{q.all_threads} << 26 | every_state << 27);
  write(0, 0);
  return {Space::pmd, counter};
}

}  // namespace pmusim::micro
