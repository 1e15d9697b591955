// Itanium 2 events in libpfm's order: names, codes, masks, limits and filters as in libpfm 3.10's table; meanings after
// the public descriptions of the processor's monitoring events.
#include "registers.h"
#include "variants.h"

namespace pmusim::encoder::itanium2 {
namespace {

using namespace ia64;

constexpr std::uint8_t kTag = kCode | kOpcode;
constexpr std::uint8_t kEvery = kTag | kData;
constexpr Wires l1(int set) { return {kL1Group, set}; }
constexpr Wires l2(int set) { return {kL2Group, set}; }

// Name, code, maximum per cycle, applicable filters, group and set, description, variants, kind.
// clang-format off
constexpr Family kFamilies[] = {
    {"ALAT_CAPACITY_MISS", 0x58, 2, kEvery, {}, "ALAT entries pushed out by new ones", kSpeculationTypes},
    {"BACK_END_BUBBLE", 0x00, 1, kNothing, {}, "Cycles in which the back end moves nothing", kBackEndBubble},
    {"BE_BR_MISPRED_DETAIL", 0x61, 1, kTag, {}, "Branches that the back end finds mispredicted", kBeBrMispredDetail},
    {"BE_EXE_BUBBLE", 0x02, 1, kNothing, {}, "Cycles stalled in the EXE stage", kBeExeBubble},
    {"BE_FLUSH_BUBBLE", 0x04, 1, kNothing, {}, "Cycles lost after a pipeline flush", kBeFlushBubble},
    {"BE_L1D_FPU_BUBBLE", 0xca, 1, kNothing, l1(2), "Cycles stalled by the FPU or the L1D pipe", kBeL1dFpuBubble},
    {"BE_LOST_BW_DUE_TO_FE", 0x72, 2, kNothing, {}, "Bundles that the front end owes a back end that is not stalled", kFrontEndReasons},
    {"BE_RSE_BUBBLE", 0x01, 1, kNothing, {}, "Cycles stalled by the register stack engine", kBeRseBubble},
    {"BRANCH_EVENT", 0x11, 1, kTag, {}, "Branches that enter the branch trace buffer", {}, EventKind::branch_buffer},
    {"BR_MISPRED_DETAIL", 0x5b, 3, kTag, {}, "Retired branches by prediction", kBrMispredDetail},
    {"BR_MISPRED_DETAIL2", 0x68, 2, kTag, {}, "Retired branches without a known path prediction", kBrMispredDetail2},
    {"BR_PATH_PRED", 0x54, 3, kTag, {}, "Retired branches by path", kBrPathPred},
    {"BR_PATH_PRED2", 0x6a, 2, kTag, {}, "Retired branches without path prediction, by path", kBrPathPred2},
    {"BUS_ALL", 0x87, 1, kNothing, {}, "Transactions on the bus", kAgents},
    {"BUS_BACKSNP_REQ", 0x8e, 1, kNothing, {}, "Snoops of this processor that its own bus logic asks for", kBusBacksnpReq},
    {"BUS_BRQ_LIVE_REQ_HI", 0x9c, 2, kNothing, {}, "Entries of the bus request queue each cycle, upper two bits", {}},
    {"BUS_BRQ_LIVE_REQ_LO", 0x9b, 7, kNothing, {}, "Entries of the bus request queue each cycle, lower three bits", {}},
    {"BUS_BRQ_REQ_INSERTED", 0x9d, 1, kNothing, {}, "Requests put into the bus request queue", {}},
    {"BUS_DATA_CYCLE", 0x88, 1, kNothing, {}, "Bus clocks in which data are on the bus", {}},
    {"BUS_HITM", 0x84, 1, kNothing, {}, "Transactions whose data come from a changed line elsewhere", {}},
    {"BUS_IO", 0x90, 1, kNothing, {}, "Transactions of I/O port kind", kAgents},
    {"BUS_IOQ_LIVE_REQ_HI", 0x98, 2, kNothing, {}, "Entries of the in-order bus queue each cycle, upper two bits", {}},
    {"BUS_IOQ_LIVE_REQ_LO", 0x97, 3, kNothing, {}, "Entries of the in-order bus queue each cycle, lower two bits", {}},
    {"BUS_LOCK", 0x93, 1, kNothing, {}, "Transactions under a bus lock of IA-32 code", kProcessorAgents},
    {"BUS_MEMORY", 0x8a, 1, kNothing, {}, "Memory transactions", kBusMemory},
    {"BUS_MEM_READ", 0x8b, 1, kNothing, {}, "Reads of whole lines from memory", kBusMemRead},
    {"BUS_MEM_READ_OUT_HI", 0x94, 2, kNothing, {}, "Memory reads under way each cycle, upper two bits", {}},
    {"BUS_MEM_READ_OUT_LO", 0x95, 7, kNothing, {}, "Memory reads under way each cycle, lower three bits", {}},
    {"BUS_OOQ_LIVE_REQ_HI", 0x9a, 2, kNothing, {}, "Entries of the deferred bus queue each cycle, upper two bits", {}},
    {"BUS_OOQ_LIVE_REQ_LO", 0x99, 7, kNothing, {}, "Entries of the deferred bus queue each cycle, lower three bits", {}},
    {"BUS_RD_DATA", 0x8c, 1, kNothing, {}, "Bus reads that fetch data", kAgents},
    {"BUS_RD_HIT", 0x80, 1, kNothing, {}, "Bus reads that another cache holds unchanged", {}},
    {"BUS_RD_HITM", 0x81, 1, kNothing, {}, "Bus reads that another cache holds changed", {}},
    {"BUS_RD_INVAL_ALL_HITM", 0x83, 1, kNothing, {}, "Bus read-invalidates of either kind that another cache holds changed", {}},
    {"BUS_RD_INVAL_HITM", 0x82, 1, kNothing, {}, "Bus invalidates of a line (BIL) that another cache holds changed", {}},
    {"BUS_RD_IO", 0x91, 1, kNothing, {}, "Reads of I/O port kind", kAgents},
    {"BUS_RD_PRTL", 0x8d, 1, kNothing, {}, "Bus reads of less than a line", kAgents},
    {"BUS_SNOOPQ_REQ", 0x96, 7, kNothing, {}, "Snoops that wait in the snoop queue each cycle", {}},
    {"BUS_SNOOPS", 0x86, 1, kNothing, {}, "Snoops served", kAgents},
    {"BUS_SNOOPS_HITM", 0x85, 1, kNothing, {}, "Snoops that find a changed line here", kProcessorAgents},
    {"BUS_SNOOP_STALL_CYCLES", 0x8f, 1, kNothing, {}, "Bus clocks in which a snoop is stalled", kProcessorAgents},
    {"BUS_WR_WB", 0x92, 1, kNothing, {}, "Lines written back over the bus", kBusWrWb},
    {"CPU_CPL_CHANGES", 0x13, 1, kNothing, {}, "Changes of the current privilege level", {}},
    {"CPU_CYCLES", 0x12, 1, kNothing, {}, "Clock cycles of the processor", {}},
    {"DATA_DEBUG_REGISTER_FAULT", 0x52, 1, kNothing, {}, "Data debug faults taken", {}},
    {"DATA_DEBUG_REGISTER_MATCHES", 0xc6, 1, kEvery, {}, "Data references that match a data breakpoint register", {}},
    {"DATA_EAR_ALAT", 0xc8, 1, kEvery, {}, "Failed ALAT checks that the data EAR takes in", {}, EventKind::data_alat},
    {"DATA_EAR_CACHE_LAT", 0xc8, 1, kEvery, {}, "Loads that the data EAR takes in for their latency", kDataEarCacheLat, EventKind::data_cache, true},
    {"DATA_EAR_EVENTS", 0xc8, 1, kEvery, {}, "Events that the data EAR takes in, as it is programmed", {}},
    {"DATA_EAR_TLB", 0xc8, 1, kEvery, {}, "L1 DTLB misses that the data EAR takes in", any_of(kDataEarTlb), EventKind::data_tlb},
    {"DATA_REFERENCES_SET0", 0xc3, 4, kEvery, l1(0), "Data references issued to memory, counted with set 0, replays included", {}},
    {"DATA_REFERENCES_SET1", 0xc5, 4, kEvery, l1(1), "Data references issued to memory, counted with set 1", {}},
    {"DISP_STALLED", 0x49, 1, kNothing, {}, "Cycles in which dispersal is held up", {}},
    {"DTLB_INSERTS_HPW", 0xc9, 4, kEvery, {}, "DTLB entries that the page walker puts in", {}},
    {"DTLB_INSERTS_HPW_RETIRED", 0x2c, 4, kEvery, {}, "DTLB entries that the page walker puts in for retired references", {}},
    {"ENCBR_MISPRED_DETAIL", 0x63, 3, kTag, {}, "Retired branches of bundles that need encoding", kEncbrMispredDetail},
    {"EXTERN_DP_PINS_0_TO_3", 0x9e, 1, kNothing, {}, "Cycles with a signal on the debug pins 0 to 3", any_of(kExternDpPins0To3)},
    {"EXTERN_DP_PINS_4_TO_5", 0x9f, 1, kNothing, {}, "Cycles with a signal on the debug pins 4 and 5", kExternDpPins4To5},
    {"FE_BUBBLE", 0x71, 1, kNothing, {}, "Cycles in which the front end delivers nothing", kFeBubble},
    {"FE_LOST_BW", 0x70, 2, kNothing, {}, "Bundles missing at the entry of the instruction buffer", kFrontEndReasons},
    {"FP_FAILED_FCHKF", 0x06, 1, kCode, {}, "fchkf instructions that find their flags set", {}},
    {"FP_FALSE_SIRSTALL", 0x05, 1, kCode, {}, "Numeric safety stalls after which nothing trapped", {}},
    {"FP_FLUSH_TO_ZERO", 0x0b, 2, kCode, {}, "Floating-point results replaced by zero", {}},
    {"FP_OPS_RETIRED", 0x09, 4, kCode, {}, "Floating-point operations retired, each by its weight", {}},
    {"FP_TRUE_SIRSTALL", 0x03, 1, kCode, {}, "Numeric safety stalls that end in a trap", {}},
    {"HPW_DATA_REFERENCES", 0x2d, 4, kEvery, {}, "Page table entries that the page walker reads", {}},
    {"IA32_INST_RETIRED", 0x59, 2, kNothing, {}, "IA-32 instructions retired", {}},
    {"IA32_ISA_TRANSITIONS", 0x07, 1, kNothing, {}, "Changes between IA-64 and IA-32 code", {}},
    {"IA64_INST_RETIRED", 0x08, 6, kTag, {}, "IA-64 instructions retired that tag channel 0 lets pass", kIa64InstRetired},
    {"IA64_TAGGED_INST_RETIRED", 0x08, 6, kTag, {}, "IA-64 instructions retired under a tag", kIa64TaggedInstRetired},
    {"IDEAL_BE_LOST_BW_DUE_TO_FE", 0x73, 2, kNothing, {}, "Bundles missing at the exit of the instruction buffer, stalled or not", kFrontEndReasons},
    {"INST_CHKA_LDC_ALAT", 0x56, 2, kEvery, {}, "chk.a and ld.c retired", kSpeculationTypes},
    {"INST_DISPERSED", 0x4d, 6, kCode, {}, "Syllables that leave the REN stage", {}},
    {"INST_FAILED_CHKA_LDC_ALAT", 0x57, 1, kEvery, {}, "chk.a and ld.c that miss the ALAT", kSpeculationTypes},
    {"INST_FAILED_CHKS_RETIRED", 0x55, 1, kNothing, {}, "chk.s retired that go to recovery code", kSpeculationTypes},
    {"ISB_BUNPAIRS_IN", 0x46, 1, kCode, {}, "Bundle pairs that come from L2 into the stream buffer", {}},
    {"ITLB_MISSES_FETCH", 0x47, 1, kCode, {}, "Demand fetches without a translation", kItlbMissesFetch},
    {"L1DTLB_TRANSFER", 0xc0, 1, kEvery, l1(0), "Loads that miss the L1 DTLB and hit the L2 DTLB", {}},
    {"L1D_READS_SET0", 0xc2, 2, kEvery, l1(0), "Loads looked up in L1D, counted with set 0, replays included", {}},
    {"L1D_READS_SET1", 0xc4, 2, kEvery, l1(1), "Loads looked up in L1D, counted with set 1", {}},
    {"L1D_READ_MISSES", 0xc7, 2, kEvery, l1(1), "Loads that miss L1D", kL1dReadMisses},
    {"L1ITLB_INSERTS_HPW", 0x48, 1, kCode, {}, "L1 ITLB entries that the page walker puts in", {}},
    {"L1I_EAR_CACHE_LAT", 0x43, 1, kCode, {}, "Fetches that the instruction EAR takes in for their latency", kL1iEarCacheLat, EventKind::instruction_cache, true},
    {"L1I_EAR_CACHE_RAB", 0x43, 1, kCode, {}, "Fetches that the instruction EAR takes in for hitting the RAB", {}, EventKind::instruction_cache},
    {"L1I_EAR_EVENTS", 0x43, 1, kCode, {}, "Events that the instruction EAR takes in, as it is programmed", {}},
    {"L1I_EAR_TLB", 0x43, 1, kCode, {}, "ITLB misses that the instruction EAR takes in", any_of(kL1iEarTlb), EventKind::instruction_tlb},
    {"L1I_FETCH_ISB_HIT", 0x66, 1, kCode, {}, "Demand fetches served by the stream buffer", {}},
    {"L1I_FETCH_RAB_HIT", 0x65, 1, kCode, {}, "Demand fetches of a line that is already asked for", {}},
    {"L1I_FILLS", 0x41, 1, kCode, {}, "Lines filled into L1I", {}},
    {"L1I_PREFETCHES", 0x44, 1, kCode, {}, "Prefetches looked up in L1I", {}},
    {"L1I_PREFETCH_STALL", 0x67, 1, kNothing, {}, "Cycles in which instruction prefetch is held up", kL1iPrefetchStall},
    {"L1I_PURGE", 0x4b, 1, kCode, {}, "Purges of the L1 ITLB", {}},
    {"L1I_PVAB_OVERFLOW", 0x69, 1, kNothing, {}, "Prefetch addresses that overflow their buffer", {}},
    {"L1I_RAB_ALMOST_FULL", 0x64, 1, kNothing, {}, "Cycles with the request address buffer almost full", {}},
    {"L1I_RAB_FULL", 0x60, 1, kNothing, {}, "Cycles with the request address buffer full", {}},
    {"L1I_READS", 0x40, 1, kCode, {}, "Demand fetches looked up in L1I, 32 bytes each", {}},
    {"L1I_SNOOP", 0x4a, 1, kEvery, {}, "Snoops looked up in L1I", {}},
    {"L1I_STRM_PREFETCHES", 0x5f, 1, kCode, {}, "Prefetches that streaming branch hints start", {}},
    {"L2DTLB_MISSES", 0xc1, 4, kEvery, l1(0), "Data references that miss the L2 DTLB", {}},
    {"L2_BAD_LINES_SELECTED", 0xb9, 4, kEvery, l2(3), "Fills that replace a valid line though an invalid one was there", kAny},
    {"L2_BYPASS", 0xb8, 1, kEvery, l2(3), "Requests that bypass the L2 queue", kL2Bypass},
    {"L2_DATA_REFERENCES", 0xb2, 4, kEvery, l2(1), "Data references to L2", kL2DataReferences},
    {"L2_FILLB_FULL", 0xbf, 1, kNothing, l2(5), "Cycles with every L2 fill buffer taken", kThis},
    {"L2_FORCE_RECIRC", 0xb4, 4, kEvery, l2(2), "L2 requests made to recirculate", kL2ForceRecirc},
    {"L2_GOT_RECIRC_IFETCH", 0xba, 1, kEvery, l2(4), "Instruction fetches that L2 recirculates", kL2GotRecircIfetch},
    {"L2_GOT_RECIRC_OZQ_ACC", 0xb6, 1, kEvery, l2(2), "Accesses of the L2 OZQ that recirculate", {}},
    {"L2_IFET_CANCELS", 0xa1, 1, kEvery, l2(0), "Instruction fetches that L2 cancels", kL2IfetCancels},
    {"L2_INST_DEMAND_READS", 0x42, 1, kCode, {}, "Demand fetches of lines from L2", {}},
    {"L2_INST_PREFETCHES", 0x45, 1, kCode, {}, "Prefetches of code sent to L2", {}},
    {"L2_ISSUED_RECIRC_IFETCH", 0xb9, 1, kEvery, l2(4), "Attempts to issue a recirculated fetch again", kL2GotRecircIfetch},
    {"L2_ISSUED_RECIRC_OZQ_ACC", 0xb5, 1, kEvery, l2(2), "Attempts to issue a recirculated access of the OZQ again", {}},
    {"L2_L3ACCESS_CANCEL", 0xb0, 1, kEvery, l2(1), "L2 requests to L3 that are cancelled", kL2L3accessCancel},
    {"L2_MISSES", 0xcb, 1, kEvery, {}, "Lines that L2 asks L3 for", {}},
    {"L2_OPS_ISSUED", 0xb8, 4, kEvery, l2(4), "Operations that the L2 OZQ issues", kL2OpsIssued},
    {"L2_OZDB_FULL", 0xbd, 1, kNothing, l2(5), "Cycles with the data buffer of the OZQ full", kThis},
    {"L2_OZQ_ACQUIRE", 0xa2, 1, kNothing, l2(0), "Cycles with an acquire in the OZQ", {}},
    {"L2_OZQ_CANCELS0", 0xa0, 4, kEvery, l2(0), "OZQ issues cancelled, late reasons", kL2OzqCancels0},
    {"L2_OZQ_CANCELS1", 0xac, 4, kEvery, l2(0), "OZQ issues cancelled, first list of reasons", kL2OzqCancels1},
    {"L2_OZQ_CANCELS2", 0xa8, 4, kEvery, l2(0), "OZQ issues cancelled, second list of reasons", kL2OzqCancels2},
    {"L2_OZQ_FULL", 0xbc, 1, kNothing, l2(5), "Cycles with the OZQ full", kThis},
    {"L2_OZQ_RELEASE", 0xa3, 1, kNothing, l2(0), "Cycles with a release in the OZQ", {}},
    {"L2_REFERENCES", 0xb1, 4, kEvery, l2(1), "Requests that enter L2", {}},
    {"L2_STORE_HIT_SHARED", 0xba, 2, kEvery, l2(3), "Stores that find their L2 line shared", kAny},
    {"L2_SYNTH_PROBE", 0xb7, 1, kEvery, l2(2), "Probes that L2 makes up itself", {}},
    {"L2_VICTIMB_FULL", 0xbe, 1, kNothing, l2(5), "Cycles with the L2 victim buffer full", kThis},
    {"L3_LINES_REPLACED", 0xdf, 1, kNothing, {}, "Valid lines that L3 replaces", {}},
    {"L3_MISSES", 0xdc, 1, kEvery, {}, "L3 references that miss", {}},
    {"L3_READS", 0xdd, 1, kEvery, {}, "Reads looked up in L3", kL3Reads},
    {"L3_REFERENCES", 0xdb, 1, kEvery, {}, "References to L3", {}},
    {"L3_WRITES", 0xde, 1, kEvery, {}, "Writes looked up in L3", kL3Writes},
    {"LOADS_RETIRED", 0xcd, 4, kEvery, l1(3), "Loads retired", {}},
    {"MEM_READ_CURRENT", 0x89, 1, kNothing, {}, "Reads of memory that leave every cache line as it is", kMemReadCurrent},
    {"MISALIGNED_LOADS_RETIRED", 0xce, 4, kEvery, l1(3), "Loads retired whose address is not aligned", {}},
    {"MISALIGNED_STORES_RETIRED", 0xd2, 2, kEvery, l1(4), "Stores retired whose address is not aligned", {}},
    {"NOPS_RETIRED", 0x50, 6, kTag, {}, "nop instructions retired", {}},
    {"PREDICATE_SQUASHED_RETIRED", 0x51, 6, kTag, {}, "Instructions retired whose predicate is false, branches left out", {}},
    {"RSE_CURRENT_REGS_2_TO_0", 0x2b, 7, kNothing, {}, "Registers of the current frame at each RSE event, bits 2 to 0", {}},
    {"RSE_CURRENT_REGS_5_TO_3", 0x2a, 7, kNothing, {}, "Registers of the current frame at each RSE event, bits 5 to 3", {}},
    {"RSE_CURRENT_REGS_6", 0x26, 1, kNothing, {}, "Registers of the current frame at each RSE event, bit 6", {}},
    {"RSE_DIRTY_REGS_2_TO_0", 0x29, 7, kNothing, {}, "Dirty stacked registers at each RSE event, bits 2 to 0", {}},
    {"RSE_DIRTY_REGS_5_TO_3", 0x28, 7, kNothing, {}, "Dirty stacked registers at each RSE event, bits 5 to 3", {}},
    {"RSE_DIRTY_REGS_6", 0x24, 1, kNothing, {}, "Dirty stacked registers at each RSE event, bit 6", {}},
    {"RSE_EVENT_RETIRED", 0x32, 1, kNothing, {}, "Instructions retired that concern the register stack", {}},
    {"RSE_REFERENCES_RETIRED", 0x20, 2, kEvery, {}, "References of the register stack engine to memory", kRseReferencesRetired},
    {"SERIALIZATION_EVENTS", 0x53, 1, kNothing, {}, "srlz.i instructions retired", {}},
    {"STORES_RETIRED", 0xd1, 2, kEvery, l1(4), "Stores retired", {}},
    {"SYLL_NOT_DISPERSED", 0x4e, 5, kCode, {}, "Syllables held back at dispersal", any_of(kSyllNotDispersed)},
    {"SYLL_OVERCOUNT", 0x4f, 2, kCode, {}, "Syllables that SYLL_NOT_DISPERSED has twice", kSyllOvercount},
    {"UC_LOADS_RETIRED", 0xcf, 4, kEvery, l1(3), "Loads retired from uncacheable memory", {}},
    {"UC_STORES_RETIRED", 0xd0, 2, kEvery, l1(4), "Stores retired to uncacheable memory", {}},
};

// Codes and unit masks that libpfm does not have. Source: Intel's event list in 251110-001, as oprofile's
// events/ia64/itanium2 has it. There each of these has the name of an event above.
constexpr Variant kAllPins[] = {{"ALL", 0xf, "any of them"}};
constexpr Family kOtherCodes[] = {
    {"EXTERN_DP_PINS_4_TO_5", 0x9f, 1, kNothing, {}, "", kAllPins},
    {"L2_IFET_CANCELS", 0xa5, 1, kEvery, l2(0), "", kL2IfetCancels},
    {"L2_IFET_CANCELS", 0xa9, 1, kEvery, l2(0), "", kL2IfetCancels},
    {"L2_IFET_CANCELS", 0xad, 1, kEvery, l2(0), "", kL2IfetCancels},
    {"L2_OZQ_ACQUIRE", 0xa6, 1, kNothing, l2(0), "", {}},
    {"L2_OZQ_ACQUIRE", 0xaa, 1, kNothing, l2(0), "", {}},
    {"L2_OZQ_ACQUIRE", 0xae, 1, kNothing, l2(0), "", {}},
    {"L2_OZQ_RELEASE", 0xa7, 1, kNothing, l2(0), "", {}},
    {"L2_OZQ_RELEASE", 0xab, 1, kNothing, l2(0), "", {}},
    {"L2_OZQ_RELEASE", 0xaf, 1, kNothing, l2(0), "", {}},
};
// The same list has this name without a text that says what it counts.
constexpr Family kUndefined[] = {
    {"TAGGED_L2_DATA_RETURN_POR", 0xbb, 1, kNothing, {}, "only a name in Intel's event list: not modelled", {}},
};
// clang-format on

constexpr std::uint32_t kAllCounters = (1u << kCounters) - 1;

}  // namespace

const std::vector<ia64::Row>& rows() {
  static const std::vector<ia64::Row> all = ia64::rows_of(kFamilies, kAllCounters);
  return all;
}

const std::vector<ia64::Row>& other_codes() {
  static const std::vector<ia64::Row> all = ia64::rows_of(kOtherCodes, kAllCounters);
  return all;
}

const std::vector<ia64::Row>& undefined_rows() {
  static const std::vector<ia64::Row> all = ia64::rows_of(kUndefined, kAllCounters);
  return all;
}

}  // namespace pmusim::encoder::itanium2
