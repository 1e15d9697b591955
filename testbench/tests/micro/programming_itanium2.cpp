#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <string>

#include "run.h"

namespace pmusim::micro {
namespace {

using pmu::RegisterId;
using pmu::Space;
namespace ia64 = oracle::ia64;

// --- events: codes; for unit masks the value (hexadecimal) and the suffix of the name -----------------------------

struct EventCode {
  std::string_view name;
  unsigned code;
  std::string_view umasks;
};
constexpr EventCode event_codes[] = {
    {"BACK_END_BUBBLE", 0x00, "0=ALL 1=FE 2=L1D_FPU_RSE"},
    {"BE_RSE_BUBBLE", 0x01, "0=ALL 1=BANK_SWITCH 2=AR_DEP 3=OVERFLOW 4=UNDERFLOW 5=LOADRS"},
    {"BE_EXE_BUBBLE", 0x02, "0=ALL 1=GRALL 2=FRALL 3=PR 4=ARCR 5=GRGR 6=CANCEL 7=BANK_SWITCH 8=ARCR_PR_CANCEL_BANK"},
    {"FP_TRUE_SIRSTALL", 0x03, ""},
    {"BE_FLUSH_BUBBLE", 0x04, "0=ALL 1=BRU 2=XPN"},
    {"FP_FALSE_SIRSTALL", 0x05, ""},
    {"FP_FAILED_FCHKF", 0x06, ""},
    {"IA32_ISA_TRANSITIONS", 0x07, ""},
    {"FP_OPS_RETIRED", 0x09, ""},
    {"FP_FLUSH_TO_ZERO", 0x0b, ""},
    {"BRANCH_EVENT", 0x11, ""},
    {"CPU_CYCLES", 0x12, ""},
    {"CPU_CPL_CHANGES", 0x13, ""},
    {"RSE_REFERENCES_RETIRED", 0x20, "1=LOAD 2=STORE 3=ALL"},
    {"RSE_DIRTY_REGS_6", 0x24, ""},
    {"RSE_CURRENT_REGS_6", 0x26, ""},
    {"RSE_DIRTY_REGS_5_TO_3", 0x28, ""},
    {"RSE_DIRTY_REGS_2_TO_0", 0x29, ""},
    {"RSE_CURRENT_REGS_5_TO_3", 0x2a, ""},
    {"RSE_CURRENT_REGS_2_TO_0", 0x2b, ""},
    {"DTLB_INSERTS_HPW_RETIRED", 0x2c, ""},
    {"HPW_DATA_REFERENCES", 0x2d, ""},
    {"RSE_EVENT_RETIRED", 0x32, ""},
    {"L1I_READS", 0x40, ""},
    {"L1I_FILLS", 0x41, ""},
    {"L2_INST_DEMAND_READS", 0x42, ""},
    {"L1I_EAR_EVENTS", 0x43, ""},
    {"L1I_PREFETCHES", 0x44, ""},
    {"L2_INST_PREFETCHES", 0x45, ""},
    {"ISB_BUNPAIRS_IN", 0x46, ""},
    {"ITLB_MISSES_FETCH", 0x47, "1=L1ITLB 2=L2ITLB 3=ALL"},
    {"L1ITLB_INSERTS_HPW", 0x48, ""},
    {"DISP_STALLED", 0x49, ""},
    {"L1I_SNOOP", 0x4a, ""},
    {"L1I_PURGE", 0x4b, ""},
    {"INST_DISPERSED", 0x4d, ""},
    {"SYLL_NOT_DISPERSED", 0x4e,
     "1=EXPL 2=IMPL 3=EXPL_OR_IMPL 4=FE 5=EXPL_OR_FE 6=IMPL_OR_FE 7=EXPL_OR_IMPL_OR_FE 8=MLI "
     "9=EXPL_OR_MLI A=IMPL_OR_MLI B=EXPL_OR_IMPL_OR_MLI C=FE_OR_MLI D=EXPL_OR_FE_OR_MLI "
     "E=IMPL_OR_FE_OR_MLI F=ALL"},
    {"SYLL_OVERCOUNT", 0x4f, "1=EXPL 2=IMPL 3=ALL"},
    {"NOPS_RETIRED", 0x50, ""},
    {"PREDICATE_SQUASHED_RETIRED", 0x51, ""},
    {"DATA_DEBUG_REGISTER_FAULT", 0x52, ""},
    {"SERIALIZATION_EVENTS", 0x53, ""},
    {"BR_PATH_PRED", 0x54,
     "0=ALL_MISPRED_NOTTAKEN 1=ALL_MISPRED_TAKEN 2=ALL_OKPRED_NOTTAKEN 3=ALL_OKPRED_TAKEN "
     "4=IPREL_MISPRED_NOTTAKEN 5=IPREL_MISPRED_TAKEN 6=IPREL_OKPRED_NOTTAKEN 7=IPREL_OKPRED_TAKEN "
     "8=RETURN_MISPRED_NOTTAKEN 9=RETURN_MISPRED_TAKEN A=RETURN_OKPRED_NOTTAKEN "
     "B=RETURN_OKPRED_TAKEN C=NRETIND_MISPRED_NOTTAKEN D=NRETIND_MISPRED_TAKEN "
     "E=NRETIND_OKPRED_NOTTAKEN F=NRETIND_OKPRED_TAKEN"},
    {"INST_FAILED_CHKS_RETIRED", 0x55, "1=INT 2=FP 3=ALL"},
    {"INST_CHKA_LDC_ALAT", 0x56, "1=INT 2=FP 3=ALL"},
    {"INST_FAILED_CHKA_LDC_ALAT", 0x57, "1=INT 2=FP 3=ALL"},
    {"ALAT_CAPACITY_MISS", 0x58, "1=INT 2=FP 3=ALL"},
    {"IA32_INST_RETIRED", 0x59, ""},
    {"BR_MISPRED_DETAIL", 0x5b,
     "0=ALL_ALL_PRED 1=ALL_CORRECT_PRED 2=ALL_WRONG_PATH 3=ALL_WRONG_TARGET 4=IPREL_ALL_PRED "
     "5=IPREL_CORRECT_PRED 6=IPREL_WRONG_PATH 7=IPREL_WRONG_TARGET 8=RETURN_ALL_PRED "
     "9=RETURN_CORRECT_PRED A=RETURN_WRONG_PATH B=RETURN_WRONG_TARGET C=NTRETIND_ALL_PRED "
     "D=NTRETIND_CORRECT_PRED E=NTRETIND_WRONG_PATH F=NTRETIND_WRONG_TARGET"},
    {"L1I_STRM_PREFETCHES", 0x5f, ""},
    {"L1I_RAB_FULL", 0x60, ""},
    {"BE_BR_MISPRED_DETAIL", 0x61, "0=ANY 1=STG 2=ROT 3=PFS"},
    {"ENCBR_MISPRED_DETAIL", 0x63,
     "0=ALL_ALL_PRED 1=ALL_CORRECT_PRED 2=ALL_WRONG_PATH 3=ALL_WRONG_TARGET 8=OVERSUB_ALL_PRED "
     "9=OVERSUB_CORRECT_PRED A=OVERSUB_WRONG_PATH B=OVERSUB_WRONG_TARGET C=ALL2_ALL_PRED "
     "D=ALL2_CORRECT_PRED E=ALL2_WRONG_PATH F=ALL2_WRONG_TARGET"},
    {"L1I_RAB_ALMOST_FULL", 0x64, ""},
    {"L1I_FETCH_RAB_HIT", 0x65, ""},
    {"L1I_FETCH_ISB_HIT", 0x66, ""},
    {"L1I_PREFETCH_STALL", 0x67, "2=FLOW 3=ALL"},
    {"BR_MISPRED_DETAIL2", 0x68,
     "0=ALL_ALL_UNKNOWN_PRED 1=ALL_UNKNOWN_PATH_CORRECT_PRED 2=ALL_UNKNOWN_PATH_WRONG_PATH "
     "4=IPREL_ALL_UNKNOWN_PRED 5=IPREL_UNKNOWN_PATH_CORRECT_PRED 6=IPREL_UNKNOWN_PATH_WRONG_PATH "
     "8=RETURN_ALL_UNKNOWN_PRED 9=RETURN_UNKNOWN_PATH_CORRECT_PRED "
     "A=RETURN_UNKNOWN_PATH_WRONG_PATH C=NRETIND_ALL_UNKNOWN_PRED "
     "D=NRETIND_UNKNOWN_PATH_CORRECT_PRED E=NRETIND_UNKNOWN_PATH_WRONG_PATH"},
    {"L1I_PVAB_OVERFLOW", 0x69, ""},
    {"BR_PATH_PRED2", 0x6a,
     "0=ALL_UNKNOWNPRED_NOTTAKEN 1=ALL_UNKNOWNPRED_TAKEN 4=IPREL_UNKNOWNPRED_NOTTAKEN "
     "5=IPREL_UNKNOWNPRED_TAKEN 8=RETURN_UNKNOWNPRED_NOTTAKEN 9=RETURN_UNKNOWNPRED_TAKEN "
     "C=NRETIND_UNKNOWNPRED_NOTTAKEN D=NRETIND_UNKNOWNPRED_TAKEN"},
    {"FE_LOST_BW", 0x70,
     "0=ALL 1=FEFLUSH 4=UNREACHED 5=IBFULL 6=IMISS 7=TLBMISS 8=FILL_RECIRC 9=BI A=BRQ B=PLP "
     "C=BR_ILOCK D=BUBBLE"},
    {"FE_BUBBLE", 0x71,
     "0=ALL 1=FEFLUSH 3=GROUP1 4=GROUP2 5=IBFULL 6=IMISS 7=TLBMISS 8=FILL_RECIRC 9=BRANCH "
     "A=GROUP3 B=ALLBUT_FEFLUSH_BUBBLE C=ALLBUT_IBFULL D=BUBBLE"},
    {"BE_LOST_BW_DUE_TO_FE", 0x72,
     "0=ALL 1=FEFLUSH 4=UNREACHED 5=IBFULL 6=IMISS 7=TLBMISS 8=FILL_RECIRC 9=BI A=BRQ B=PLP "
     "C=BR_ILOCK D=BUBBLE"},
    {"IDEAL_BE_LOST_BW_DUE_TO_FE", 0x73,
     "0=ALL 1=FEFLUSH 4=UNREACHED 5=IBFULL 6=IMISS 7=TLBMISS 8=FILL_RECIRC 9=BI A=BRQ B=PLP "
     "C=BR_ILOCK D=BUBBLE"},
    {"BUS_RD_HIT", 0x80, ""},
    {"BUS_RD_HITM", 0x81, ""},
    {"BUS_RD_INVAL_HITM", 0x82, ""},
    {"BUS_RD_INVAL_ALL_HITM", 0x83, ""},
    {"BUS_HITM", 0x84, ""},
    {"BUS_SNOOPS_HITM", 0x85, "2=SELF 3=ANY"},
    {"BUS_SNOOPS", 0x86, "1=IO 2=SELF 3=ANY"},
    {"BUS_ALL", 0x87, "1=IO 2=SELF 3=ANY"},
    {"BUS_DATA_CYCLE", 0x88, ""},
    {"MEM_READ_CURRENT", 0x89, "1=IO 3=ANY"},
    {"BUS_MEMORY", 0x8a,
     "5=EQ_128BYTE_IO 6=EQ_128BYTE_SELF 7=EQ_128BYTE_ANY 9=LT_128BYTE_IO A=LT_128BYTE_SELF "
     "B=LT_128BYTE_ANY D=ALL_IO E=ALL_SELF F=ALL_ANY"},
    {"BUS_MEM_READ", 0x8b,
     "1=BIL_IO 2=BIL_SELF 3=BIL_ANY 5=BRL_IO 6=BRL_SELF 7=BRL_ANY 9=BRIL_IO A=BRIL_SELF "
     "B=BRIL_ANY D=ALL_IO E=ALL_SELF F=ALL_ANY"},
    {"BUS_RD_DATA", 0x8c, "1=IO 2=SELF 3=ANY"},
    {"BUS_RD_PRTL", 0x8d, "1=IO 2=SELF 3=ANY"},
    {"BUS_BACKSNP_REQ_THIS", 0x8e, "1="},
    {"BUS_SNOOP_STALL_CYCLES", 0x8f, "2=SELF 3=ANY"},
    {"BUS_IO", 0x90, "1=IO 2=SELF 3=ANY"},
    {"BUS_RD_IO", 0x91, "1=IO 2=SELF 3=ANY"},
    {"BUS_WR_WB", 0x92,
     "5=EQ_128BYTE_IO 6=EQ_128BYTE_SELF 7=EQ_128BYTE_ANY A=CCASTOUT_SELF B=CCASTOUT_ANY D=ALL_IO "
     "E=ALL_SELF F=ALL_ANY"},
    {"BUS_LOCK", 0x93, "2=SELF 3=ANY"},
    {"BUS_MEM_READ_OUT_HI", 0x94, ""},
    {"BUS_MEM_READ_OUT_LO", 0x95, ""},
    {"BUS_SNOOPQ_REQ", 0x96, ""},
    {"BUS_IOQ_LIVE_REQ_LO", 0x97, ""},
    {"BUS_IOQ_LIVE_REQ_HI", 0x98, ""},
    {"BUS_OOQ_LIVE_REQ_LO", 0x99, ""},
    {"BUS_OOQ_LIVE_REQ_HI", 0x9a, ""},
    {"BUS_BRQ_LIVE_REQ_LO", 0x9b, ""},
    {"BUS_BRQ_LIVE_REQ_HI", 0x9c, ""},
    {"BUS_BRQ_REQ_INSERTED", 0x9d, ""},
    {"EXTERN_DP_PINS_0_TO_3", 0x9e,
     "1=PIN0 2=PIN1 3=PIN0_OR_PIN1 4=PIN2 5=PIN0_OR_PIN2 6=PIN1_OR_PIN2 7=PIN0_OR_PIN1_OR_PIN2 "
     "8=PIN3 9=PIN0_OR_PIN3 A=PIN1_OR_PIN3 B=PIN0_OR_PIN1_OR_PIN3 C=PIN2_OR_PIN3 "
     "D=PIN0_OR_PIN2_OR_PIN3 E=PIN1_OR_PIN2_OR_PIN3 F=ALL"},
    {"EXTERN_DP_PINS_4_TO_5", 0x9f, "1=PIN4 2=PIN5 3=ALL"},
    {"L2_OZQ_CANCELS0", 0xa0, "0=ANY 1=LATE_SPEC_BYP 2=LATE_RELEASE 3=LATE_ACQUIRE 4=LATE_BYP_EFFRELEASE"},
    {"L2_IFET_CANCELS", 0xa1,
     "0=ANY 2=BYPASS 4=DIDNT_RECIR 5=RECIR_OVER_SUB 6=ST_FILL_WB 7=DATA_RD 8=PREEMPT C=CHG_PRIO "
     "D=IFETCH_BYP"},
    {"L2_OZQ_ACQUIRE", 0xa2, ""},
    {"L2_OZQ_RELEASE", 0xa3, ""},
    {"L2_OZQ_CANCELS2", 0xa8,
     "0=RECIRC_OVER_SUB 1=CANC_L2C_ST 2=L2C_ST_MAT 3=SCRUB 4=ACQ 5=READ_WB_CONF 6=OZ_DATA_CONF "
     "8=L2FILL_ST_CONF 9=DIDNT_RECIRC A=WEIRD C=OVER_SUB D=CANC_L2D_ST F=D_IFET"},
    {"L2_OZQ_CANCELS1", 0xac,
     "0=REL 1=BANK_CONF 2=L2D_ST_MAT 4=SYNC 5=HPW_IFETCH_CONF 6=CANC_L2M_ST 7=L1_FILL_CONF "
     "8=ST_FILL_CONF 9=CCV A=SEM B=L2M_ST_MAT C=MFA D=L2A_ST_MAT E=L1DF_L2M F=ECC"},
    {"L2_L3ACCESS_CANCEL", 0xb0,
     "1=SPEC_L3_BYP 2=FILLD_FULL 5=UC_BLOCKED 6=INV_L3_BYP 8=EBL_REJECT 9=ANY A=DFETCH B=IFETCH"},
    {"L2_REFERENCES", 0xb1, ""},
    {"L2_DATA_REFERENCES_L2", 0xb2, "1=DATA_READS 2=DATA_WRITES 3=ALL"},
    {"L2_FORCE_RECIRC", 0xb4,
     "0=ANY 1=SMC_HIT 2=L1W 4=TAG_NOTOK 5=TRAN_PREF 6=SNP_OR_L3 8=VIC_PEND 9=FILL_HIT A=IPF_MISS "
     "B=VIC_BUF_FULL C=OZQ_MISS D=SAME_INDEX E=FRC_RECIRC"},
    {"L2_ISSUED_RECIRC_OZQ_ACC", 0xb5, ""},
    {"L2_GOT_RECIRC_OZQ_ACC", 0xb6, ""},
    {"L2_SYNTH_PROBE", 0xb7, ""},
    {"L2_BYPASS", 0xb8, "0=L2_DATA1 1=L2_DATA2 2=L3_DATA1 4=L2_INST1 5=L2_INST2 6=L3_INST1"},
    {"L2_OPS_ISSUED", 0xb8, "8=INT_LOAD 9=FP_LOAD A=RMW B=STORE C=NST_NLD"},
    {"L2_BAD_LINES_SELECTED_ANY", 0xb9, ""},
    {"L2_ISSUED_RECIRC_IFETCH_ANY", 0xb9, "8="},
    {"L2_STORE_HIT_SHARED_ANY", 0xba, ""},
    {"L2_GOT_RECIRC_IFETCH_ANY", 0xba, "8="},
    {"L2_OZQ_FULL_THIS", 0xbc, ""},
    {"L2_OZDB_FULL_THIS", 0xbd, ""},
    {"L2_VICTIMB_FULL_THIS", 0xbe, ""},
    {"L2_FILLB_FULL_THIS", 0xbf, ""},
    {"L1DTLB_TRANSFER", 0xc0, ""},
    {"L2DTLB_MISSES", 0xc1, ""},
    {"L1D_READS_SET0", 0xc2, ""},
    {"DATA_REFERENCES_SET0", 0xc3, ""},
    {"L1D_READS_SET1", 0xc4, ""},
    {"DATA_REFERENCES_SET1", 0xc5, ""},
    {"DATA_DEBUG_REGISTER_MATCHES", 0xc6, ""},
    {"L1D_READ_MISSES", 0xc7, "0=ALL 1=RSE_FILL"},
    {"DATA_EAR_EVENTS", 0xc8, ""},
    {"DTLB_INSERTS_HPW", 0xc9, ""},
    {"BE_L1D_FPU_BUBBLE", 0xca,
     "0=ALL 1=FPU 2=L1D 3=L1D_FULLSTBUF 4=L1D_DCURECIR 5=L1D_HPW 7=L1D_FILLCONF 8=L1D_DCS "
     "9=L1D_L2BPRESS A=L1D_TLB B=L1D_LDCONF C=L1D_LDCHK D=L1D_NAT E=L1D_STBUFRECIR F=L1D_NATCONF"},
    {"L2_MISSES", 0xcb, ""},
    {"LOADS_RETIRED", 0xcd, ""},
    {"MISALIGNED_LOADS_RETIRED", 0xce, ""},
    {"UC_LOADS_RETIRED", 0xcf, ""},
    {"UC_STORES_RETIRED", 0xd0, ""},
    {"STORES_RETIRED", 0xd1, ""},
    {"MISALIGNED_STORES_RETIRED", 0xd2, ""},
    {"L3_REFERENCES", 0xdb, ""},
    {"L3_MISSES", 0xdc, ""},
    {"L3_READS", 0xdd,
     "1=DINST_FETCH_HIT 2=DINST_FETCH_MISS 3=DINST_FETCH_ALL 5=INST_FETCH_HIT 6=INST_FETCH_MISS "
     "7=INST_FETCH_ALL 9=DATA_READ_HIT A=DATA_READ_MISS B=DATA_READ_ALL D=ALL_HIT E=ALL_MISS "
     "F=ALL_ALL"},
    {"L3_WRITES", 0xde,
     "5=DATA_WRITE_HIT 6=DATA_WRITE_MISS 7=DATA_WRITE_ALL 9=L2_WB_HIT A=L2_WB_MISS B=L2_WB_ALL "
     "D=ALL_HIT E=ALL_MISS F=ALL_ALL"},
    {"L3_LINES_REPLACED", 0xdf, ""},
};

/// A selected event, and the setting of its unit: the row of DATA_EAR_* or L1I_EAR_*.
struct Selected {
  unsigned code = 0;
  unsigned umask = 0;
  std::string data_ear = {}, fetch_ear = {};
};

constexpr std::string_view data_ear = "DATA_EAR_", fetch_ear = "L1I_EAR_", tagged = "IA64_TAGGED_INST_RETIRED_IBRP";

Selected selected(const oracle::Request& request) {
  const std::string row = request.umasks.empty() ? request.event : request.event + "_" + request.umasks.front();
  const std::string& armed = request.ia64.armed;
  if (row.starts_with(data_ear)) return {0xc8, 0, row.ends_with("_EVENTS") ? armed : row, ""};
  if (row.starts_with(fetch_ear)) return {0x43, 0, "", row.ends_with("_EVENTS") ? armed : row};
  if (row == "IA64_INST_RETIRED" || row == "IA64_INST_RETIRED_THIS") return {0x08};
  if (row.starts_with(tagged)) return {0x08, static_cast<unsigned>(row[tagged.size()] - '0')};
  for (const EventCode& event : event_codes) {
    if (!row.starts_with(event.name)) continue;
    if (event.umasks.empty() && row == event.name) return {event.code};
    for (std::string_view rest = event.umasks; !rest.empty();) {
      const std::string_view mask = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), mask.size() + 1));
      const std::string_view name = mask.substr(2);
      if (row == std::string(event.name) + (name.empty() ? "" : "_") + std::string(name)) {
        return {event.code, static_cast<unsigned>(std::stoul(std::string(mask.substr(0, 1)), nullptr, 16))};
      }
    }
  }
  throw std::logic_error("no code for " + row);
}

// --- registers ---------------------------------------------------------------------------------------------------

class Registers {
 public:
  Registers(pmu::Monitor& monitor, const oracle::Request& request) : monitor_(monitor), q_(request.ia64) {}

  void write(Space space, unsigned number, std::uint64_t value) {
    const pmu::AccessResult result = monitor_.write({space, number}, value, {});
    if (result.fault != pmu::Fault::none) throw std::logic_error("register write faults: " + std::to_string(number));
  }

  /// Address and mask of a pair for an aligned block of 2^n bytes.
  void write_pair(Space space, unsigned pair, std::uint64_t start, std::uint64_t bytes, std::uint64_t control) {
    if (!std::has_single_bit(bytes) || start % bytes != 0) throw std::logic_error("no range of a register pair");
    constexpr std::uint64_t mask = (std::uint64_t{1} << 56) - 1;
    write(space, 2 * pair, start);
    write(space, 2 * pair + 1, (~(bytes - 1) & mask) | control);
  }

  // PMC14: 0 in bits 1, 4, 7, 10 constrains a channel by its pair; bit 13: fine mode.
  void code_ranges(bool prefetches) {
    if (q_.code.empty()) return;
    std::uint64_t control = 0xdb6;
    const auto use = [&](unsigned pair) { control &= ~(std::uint64_t{1} << (1 + 3 * pair)); };
    if (q_.fine_mode) {
      control |= 1u << 13;
      for (unsigned k = 0; k < q_.code.size(); ++k) {
        const ia64::CodeRange& range = q_.code[k];
        constexpr std::uint64_t two_bundles = 32, page = ~std::uint64_t{4095};
        if (range.start % two_bundles != 0 || range.end % two_bundles != 0) throw std::logic_error("no fine range");
        const std::uint64_t levels = std::uint64_t{range.levels} << 56,
                            compared = page & ((std::uint64_t{1} << 56) - 1);
        for (const auto& [pair, bound] : {std::pair{k, range.start}, std::pair{k + 2, range.end - 16}}) {
          write(Space::ibr, 2 * pair, bound);
          write(Space::ibr, 2 * pair + 1, compared | levels);
          use(pair);
        }
      }
    } else {
      for (unsigned k = 0; k < 4; ++k) {
        if (k >= q_.code.size() && !(prefetches && k == 1)) break;
        const ia64::CodeRange& range = q_.code[std::min<std::size_t>(k, q_.code.size() - 1)];
        write_pair(Space::ibr, k, range.start, range.end - range.start, std::uint64_t{range.levels} << 56);
        use(k);
      }
    }
    write(Space::pmc, 14, control);
  }

  // PMC8 and PMC9: ig_ad 0, inv 1, bit 2 always 1, mask 29:3, match 59:33, slot types b, f, i, m from bit 60 on. PMC15:
  // 0 constrains channels 0 to 3 by PMC8, 9, 8, 9.
  void matchers() {
    std::uint64_t routing = 0xffffffff;
    for (unsigned k = 0; k < 2; ++k) {
      const bool used = k < q_.opcodes.size();
      const ia64::OpcodeMatch m = used ? q_.opcodes[k] : ia64::OpcodeMatch{};
      std::uint64_t value = 4 | std::uint64_t{m.ignore} << 3 | std::uint64_t{m.match} << 33 | std::uint64_t{m.b} << 60 |
                            std::uint64_t{m.f} << 61 | std::uint64_t{m.i} << 62 | std::uint64_t{m.m} << 63;
      if (k == 0) value |= (q_.code.empty() ? 1u : 0u) | (q_.outside ? 2u : 0u);
      if (used) routing &= ~(std::uint64_t{5} << k);
      write(Space::pmc, 8 + k, value);
    }
    write(Space::pmc, 15, routing);
  }

  // PMC13: cfg 0 tag and data, 1 tag, 2 data, 3 nothing at 4:3, 12:11, 20:19, 28:27; enabled by bits 45 to 48.
  void data_ranges() {
    std::uint64_t control = 0x78fefefefe;
    const auto use = [&](unsigned pair, std::uint64_t configuration) {
      control &= ~(std::uint64_t{3} << (3 + 8 * pair));
      control |= configuration << (3 + 8 * pair) | std::uint64_t{1} << (45 + pair);
    };
    const bool tags = !q_.code.empty() || !q_.opcodes.empty();
    unsigned pair = 0;
    for (const ia64::DataRange& range : q_.data) {
      for (std::uint64_t at = range.start; at < range.end; ++pair) {
        if (pair == 4) throw std::logic_error("more data ranges than pairs");
        std::uint64_t bytes = at == 0 ? range.end : at & (~at + 1);
        while (bytes > range.end - at) bytes /= 2;
        write_pair(Space::dbr, pair, at, bytes, std::uint64_t{15} << 56);
        use(pair, tags && pair == 0 ? 0 : 2);
        at += bytes;
      }
    }
    if (pair == 0) use(0, tags ? 1 : 3);
    write(Space::pmc, 13, control);
  }

  void breakpoints() {
    unsigned pair = 3;
    for (const ia64::DataBreakpoint& b : q_.breakpoints) {
      write_pair(Space::dbr, pair--, b.range.start, b.range.end - b.range.start,
                 std::uint64_t{b.levels} << 56 | std::uint64_t{b.write} << 62 | std::uint64_t{b.read} << 63);
    }
  }

  // PMC12: plm 3:0, pm 6, ds 7, tm 9:8, ptm 11:10, ppm 13:12, brt 15:14; bit 0 of a field is the wrong or untaken half.
  void branch_buffer(unsigned levels) {
    const ia64::BranchFilter& f = q_.branches;
    const auto halves = [](bool low, bool high) { return std::uint64_t{low} | std::uint64_t{high} << 1; };
    write(Space::pmc, 12,
          levels | std::uint64_t{q_.privileged_monitor} << 6 | halves(f.not_taken, f.taken) << 8 |
              halves(f.target_wrong, f.target_right) << 10 | halves(f.path_wrong, f.path_right) << 12 |
              static_cast<std::uint64_t>(f.type) << 14);
  }

  /// Bits of the unit mask for translations: the second level, the walker, a fault.
  static std::uint64_t levels_in(const std::string& names) {
    const auto named = [&](const char* name) {
      return names == "ALL" || names.find(name) != std::string::npos ? 1u : 0u;
    };
    return named("L2") | named("VHPT") << 1 | named("FAULT") << 2;
  }

  // PMC11: plm 3:0, pm 6, mode 8:7, umask 19:16, ism 25:24.
  void arm_data_ear(const std::string& row, unsigned levels) {
    std::uint64_t value = levels | std::uint64_t{q_.privileged_monitor} << 6 | instruction_set() << 24;
    const std::string what = row.substr(data_ear.size());
    if (what.starts_with("CACHE_LAT")) {
      value |= static_cast<std::uint64_t>(std::countr_zero(std::stoull(what.substr(9))) - 2) << 16;
    } else if (what.starts_with("TLB_")) {
      value |= 1u << 7 | levels_in(what.substr(4)) << 17;
    } else {
      value |= 2u << 7;
    }
    write(Space::pmc, 11, value);
  }

  // PMC10: plm 3:0, pm 4, umask 12:5, cache mode 13, ism 15:14.
  void arm_fetch_ear(const std::string& row, unsigned levels) {
    std::uint64_t value = levels | std::uint64_t{q_.privileged_monitor} << 4 | instruction_set() << 14;
    const std::string what = row.substr(fetch_ear.size());
    if (what.starts_with("TLB_")) {
      value |= levels_in(what.substr(4)) << 5;
    } else {
      constexpr std::pair<std::string_view, unsigned> rows[] = {
          {"CACHE_LAT0", 0x40},   {"CACHE_LAT4", 0xff},    {"CACHE_LAT8", 0xfe},
          {"CACHE_LAT16", 0xfc},  {"CACHE_LAT32", 0xf8},   {"CACHE_LAT128", 0xf0},
          {"CACHE_LAT256", 0xe0}, {"CACHE_LAT1024", 0xc0}, {"CACHE_LAT4096", 0x80}};
      value |= 1u << 13;
      for (const auto& [name, umask] : rows) value |= name == what ? std::uint64_t{umask} << 5 : 0;
    }
    write(Space::pmc, 10, value);
  }

  /// ism: 0 both, 1 IA-32, 2 IA-64.
  [[nodiscard]] std::uint64_t instruction_set() const {
    switch (q_.instruction_set) {
      case ia64::InstructionSet::ia64:
        return 2;
      case ia64::InstructionSet::ia32:
        return 1;
      default:
        return 0;
    }
  }

 private:
  pmu::Monitor& monitor_;
  const ia64::Qualifiers& q_;
};

}  // namespace

// PMC4: plm 3:0, pm 6, event 15:8, umask 19:16, threshold 22:20, enable 23, ism 25:24.
RegisterId program_itanium2(pmu::Monitor& monitor, const oracle::Request& request) {
  const ia64::Qualifiers& q = request.ia64;
  const unsigned levels = q.levels != 0 ? q.levels : (request.kernel ? 1u : 0) | (request.user ? 8u : 0);
  const Selected event = selected(request);
  constexpr unsigned prefetch_events[] = {0x41, 0x44, 0x45, 0x46, 0x5f, 0x65, 0x66};
  Registers registers(monitor, request);
  registers.code_ranges(std::find(std::begin(prefetch_events), std::end(prefetch_events), event.code) !=
                        std::end(prefetch_events));
  registers.matchers();
  registers.data_ranges();
  registers.breakpoints();
  if (!event.data_ear.empty()) registers.arm_data_ear(event.data_ear, levels);
  if (!event.fetch_ear.empty()) registers.arm_fetch_ear(event.fetch_ear, levels);
  if (request.event == "BRANCH_EVENT" || q.branch_buffer_on) registers.branch_buffer(levels);
  registers.write(Space::pmc, 4,
                  levels | std::uint64_t{q.privileged_monitor} << 6 | std::uint64_t{event.code} << 8 |
                      std::uint64_t{event.umask} << 16 | std::uint64_t{request.threshold} << 20 |
                      std::uint64_t{1} << 23 | registers.instruction_set() << 24);
  registers.write(Space::pmc, 0, 0);
  return {Space::pmd, 4};
}

}  // namespace pmusim::micro
