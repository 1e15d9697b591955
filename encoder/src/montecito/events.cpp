// Montecito events in libpfm's order: names, codes, masks, limits, filters and thread types as in libpfm 3.10's table,
// L2D sets as in its source; meanings after the public descriptions of the processors' monitoring events.
#include "registers.h"
#include "variants.h"

namespace pmusim::encoder::montecito {
namespace {

using namespace ia64;

constexpr std::uint8_t kTag = kCode | kOpcode;
constexpr std::uint8_t kEvery = kTag | kData;
constexpr std::uint32_t kBusCounters = 0x3f;  // PMC4 to PMC9
constexpr std::uint32_t kHaltCounter = 0x40;  // PMC10
constexpr Wires l1d(int set) { return {kL1dGroup, set}; }
constexpr Wires l2d(int set) { return {kL2dGroup, set}; }

constexpr Family active(std::string_view name, std::uint8_t code, unsigned most, std::uint8_t filters,
                        std::string_view description, Variants variants = {}) {
  Family family{name, code, most, filters, {}, description, variants};
  family.thread = ThreadType::active;
  return family;
}
constexpr Family of(ThreadType thread, Family family) {
  family.thread = thread;
  return family;
}
constexpr Family floating(std::string_view name, std::uint8_t code, unsigned most, std::uint8_t filters,
                          std::string_view description, Variants variants = {}) {
  return of(ThreadType::floating, active(name, code, most, filters, description, variants));
}
constexpr Family causal(std::string_view name, std::uint8_t code, unsigned most, std::uint8_t filters,
                        std::string_view description, Variants variants = {}) {
  return of(ThreadType::causal, active(name, code, most, filters, description, variants));
}
constexpr Family self_floating(std::string_view name, std::uint8_t code, unsigned most, std::uint8_t filters,
                               std::string_view description, Variants variants = {}) {
  return of(ThreadType::self_floating, active(name, code, most, filters, description, variants));
}
constexpr Family wired(Wires wires, Family family) {
  family.wires = wires;
  return family;
}
constexpr Family on(std::uint32_t counters, Family family) {
  family.counters = counters;
  return family;
}
constexpr Family needs(EventKind kind, Family family) {
  family.kind = kind;
  return family;
}
constexpr Family joined(Family family) {
  family.joined = true;
  return family;
}
constexpr Family by_state(Family family) {
  family.line_states = true;
  return family;
}

// Name, code, maximum per cycle, applicable filters, description, variants.
// clang-format off
constexpr Family kFamilies[] = {
    active("ALAT_CAPACITY_MISS", 0x58, 2, kEvery, "ALAT entries pushed out by new ones", kSpeculationTypes),
    active("BACK_END_BUBBLE", 0x00, 1, kNothing, "Cycles in which the back end moves nothing", kBackEndBubble),
    active("BE_BR_MISPRED_DETAIL", 0x61, 1, kTag, "Branches that the back end finds mispredicted", kBeBrMispredDetail),
    active("BE_EXE_BUBBLE", 0x02, 1, kNothing, "Cycles stalled in the EXE stage", kBeExeBubble),
    active("BE_FLUSH_BUBBLE", 0x04, 1, kNothing, "Cycles lost after a pipeline flush", kBeFlushBubble),
    wired(l1d(2), active("BE_L1D_FPU_BUBBLE", 0xca, 1, kNothing, "Cycles stalled by the FPU or the L1D pipe", kBeL1dFpuBubble)),
    active("BE_LOST_BW_DUE_TO_FE", 0x72, 2, kNothing, "Bundles that the front end owes a back end that is not stalled", kFrontEndReasons),
    active("BE_RSE_BUBBLE", 0x01, 1, kNothing, "Cycles stalled by the register stack engine", kBeRseBubble),
    active("BR_MISPRED_DETAIL", 0x5b, 3, kTag, "Retired branches by prediction", kBrMispredDetail),
    active("BR_MISPRED_DETAIL2", 0x68, 2, kTag, "Retired branches without a known path prediction", kBrMispredDetail2),
    active("BR_PATH_PRED", 0x54, 3, kTag, "Retired branches by path", kBrPathPred),
    active("BR_PATH_PRED2", 0x6a, 2, kTag, "Retired branches without path prediction, by path", kBrPathPred2),
    on(kBusCounters, self_floating("BUS_ALL", 0x87, 1, kNothing, "Transactions on the bus", kAgents)),
    on(kBusCounters, causal("BUS_B2B_DATA_CYCLES", 0x93, 1, kNothing, "Bus clocks with data right after a clock with data", kAgents)),
    on(kBusCounters, causal("BUS_DATA_CYCLE", 0x88, 1, kNothing, "Bus clocks with data", kAgents)),
    on(kBusCounters, self_floating("BUS_HITM", 0x84, 1, kNothing, "Transactions whose data come from a changed line elsewhere", kAgents)),
    on(kBusCounters, self_floating("BUS_IO", 0x90, 1, kNothing, "Transactions of I/O port kind", kAgents)),
    on(kBusCounters, self_floating("BUS_MEMORY", 0x8a, 1, kNothing, "Memory transactions", kBusMemory)),
    on(kBusCounters, self_floating("BUS_MEM_READ", 0x8b, 1, kNothing, "Reads of whole lines from memory", kBusMemRead)),
    on(kBusCounters, self_floating("BUS_RD_DATA", 0x8c, 1, kNothing, "Bus reads that fetch data", kAgents)),
    on(kBusCounters, self_floating("BUS_RD_HIT", 0x80, 1, kNothing, "Bus reads that another cache holds unchanged", kAgents)),
    on(kBusCounters, self_floating("BUS_RD_HITM", 0x81, 1, kNothing, "Bus reads that another cache holds changed", kAgents)),
    on(kBusCounters, self_floating("BUS_RD_INVAL_BST_HITM", 0x83, 1, kNothing, "Bus read-invalidates of a line (BRIL) that another cache holds changed", kAgents)),
    on(kBusCounters, self_floating("BUS_RD_INVAL_HITM", 0x82, 1, kNothing, "Bus invalidates of a line (BIL) that another cache holds changed", kAgents)),
    on(kBusCounters, self_floating("BUS_RD_IO", 0x91, 1, kNothing, "Reads of I/O port kind", kAgents)),
    on(kBusCounters, self_floating("BUS_RD_PRTL", 0x8d, 1, kNothing, "Bus reads of less than a line", kAgents)),
    on(kBusCounters, self_floating("BUS_SNOOP_STALL_CYCLES", 0x8f, 1, kNothing, "Bus clocks in which a snoop is stalled", kCoreAgents)),
    on(kBusCounters, self_floating("BUS_WR_WB", 0x92, 1, kNothing, "Lines written back over the bus", kBusWrWb)),
    active("CPU_CPL_CHANGES", 0x13, 1, kNothing, "Changes of the current privilege level", kCplChanges),
    causal("CPU_OP_CYCLES", 0x12, 1, kNothing, "Operating cycles of the core", kAllCycles),
    causal("CPU_OP_CYCLES", 0x12, 1, kTag, "Operating cycles with a tagged instruction group before retirement", kQualifiedCycles),
    on(kHaltCounter, causal("CPU_OP_CYCLES_HALTED", 0x18, 7, kNothing, "Cycles halted in low power")),
    active("DATA_DEBUG_REGISTER_FAULT", 0x52, 1, kNothing, "Data debug faults taken"),
    active("DATA_DEBUG_REGISTER_MATCHES", 0xc6, 1, kEvery, "Data references that match a data breakpoint register"),
    needs(EventKind::data_alat, floating("DATA_EAR_ALAT", 0xc8, 1, kEvery, "Failed ALAT checks that the data EAR takes in")),
    joined(needs(EventKind::data_cache, floating("DATA_EAR_CACHE_LAT", 0xc8, 1, kEvery, "Loads that the data EAR takes in for their latency", kDataEarCacheLat))),
    floating("DATA_EAR_EVENTS", 0xc8, 1, kEvery, "Events that the data EAR takes in, as it is programmed"),
    needs(EventKind::data_tlb, floating("DATA_EAR_TLB", 0xc8, 1, kEvery, "L1 DTLB misses that the data EAR takes in", any_of(kDataEarTlb))),
    wired(l1d(0), active("DATA_REFERENCES_SET0", 0xc3, 4, kEvery, "Data references issued to memory, counted with set 0, replays included")),
    wired(l1d(1), active("DATA_REFERENCES_SET1", 0xc5, 4, kEvery, "Data references issued to memory, counted with set 1")),
    active("DISP_STALLED", 0x49, 1, kNothing, "Cycles in which dispersal is held up"),
    floating("DTLB_INSERTS_HPW", 0xc9, 4, kNothing, "DTLB entries that the page walker puts in"),
    active("ENCBR_MISPRED_DETAIL", 0x63, 3, kTag, "Retired branches of bundles that need encoding", kEncbrMispredDetail),
    on(kBusCounters, causal("ER_BKSNP_ME_ACCEPTED", 0xbb, 2, kNothing, "Snoops of this core that its own request logic accepts")),
    on(kBusCounters, causal("ER_BRQ_LIVE_REQ_HI", 0xb8, 2, kNothing, "Entries of the external request queue each cycle, upper two bits")),
    on(kBusCounters, causal("ER_BRQ_LIVE_REQ_LO", 0xb9, 7, kNothing, "Entries of the external request queue each cycle, lower three bits")),
    on(kBusCounters, floating("ER_BRQ_REQ_INSERTED", 0xba, 1, kNothing, "Requests put into the external request queue")),
    on(kBusCounters, floating("ER_MEM_READ_OUT_HI", 0xb4, 2, kNothing, "Memory reads under way each cycle, upper two bits")),
    on(kBusCounters, floating("ER_MEM_READ_OUT_LO", 0xb5, 7, kNothing, "Memory reads under way each cycle, lower three bits")),
    on(kBusCounters, causal("ER_REJECT_ALL_L1D_REQ", 0xbd, 1, kNothing, "Cycles in which the request logic takes nothing from L1D")),
    on(kBusCounters, causal("ER_REJECT_ALL_L1I_REQ", 0xbe, 1, kNothing, "Cycles in which the request logic takes nothing from L1I")),
    on(kBusCounters, causal("ER_REJECT_ALL_L1_REQ", 0xbc, 1, kNothing, "Cycles in which the request logic takes nothing from either L1")),
    on(kBusCounters, causal("ER_SNOOPQ_REQ_HI", 0xb6, 2, kNothing, "Snoops that wait each cycle, upper two bits")),
    on(kBusCounters, causal("ER_SNOOPQ_REQ_LO", 0xb7, 7, kNothing, "Snoops that wait each cycle, lower three bits")),
    needs(EventKind::branch_buffer, active("ETB_EVENT", 0x11, 1, kTag, "Branches that enter the execution trace buffer")),
    active("FE_BUBBLE", 0x71, 1, kNothing, "Cycles in which the front end delivers nothing", kFeBubble),
    active("FE_LOST_BW", 0x70, 2, kNothing, "Bundles missing at the entry of the instruction buffer", kFrontEndReasons),
    active("FP_FAILED_FCHKF", 0x06, 1, kCode, "fchkf instructions that find their flags set"),
    active("FP_FALSE_SIRSTALL", 0x05, 1, kCode, "Numeric safety stalls after which nothing trapped"),
    active("FP_FLUSH_TO_ZERO", 0x0b, 2, kCode, "Floating-point results replaced by zero", kFlushToZero),
    active("FP_OPS_RETIRED", 0x09, 6, kCode, "Floating-point operations retired, each by its weight"),
    active("FP_TRUE_SIRSTALL", 0x03, 1, kCode, "Numeric safety stalls that end in a trap"),
    active("HPW_DATA_REFERENCES", 0x2d, 4, kNothing, "Page table entries that the page walker reads"),
    active("IA64_INST_RETIRED_THIS", 0x08, 6, kTag, "IA-64 instructions retired that tag channel 0 lets pass"),
    active("IA64_TAGGED_INST_RETIRED", 0x08, 6, kTag, "IA-64 instructions retired under a tag", kTagged),
    active("IDEAL_BE_LOST_BW_DUE_TO_FE", 0x73, 2, kNothing, "Bundles missing at the exit of the instruction buffer, stalled or not", kFrontEndReasons),
    active("INST_CHKA_LDC_ALAT", 0x56, 2, kEvery, "chk.a and ld.c retired", kSpeculationTypes),
    active("INST_DISPERSED", 0x4d, 6, kCode, "Syllables that leave the REN stage"),
    active("INST_FAILED_CHKA_LDC_ALAT", 0x57, 1, kEvery, "chk.a and ld.c that miss the ALAT", kSpeculationTypes),
    active("INST_FAILED_CHKS_RETIRED", 0x55, 1, kNothing, "chk.s retired that go to recovery code", kSpeculationTypes),
    active("ISB_BUNPAIRS_IN", 0x46, 1, kCode, "Bundle pairs that come from L2 into the stream buffer"),
    active("ITLB_MISSES_FETCH", 0x47, 1, kCode, "Demand fetches without a translation", kItlbMissesFetch),
    wired(l1d(0), active("L1DTLB_TRANSFER", 0xc0, 1, kEvery, "Loads that miss the L1 DTLB and hit the L2 DTLB")),
    wired(l1d(0), active("L1D_READS_SET0", 0xc2, 2, kEvery, "Loads looked up in L1D, counted with set 0, replays included")),
    wired(l1d(1), active("L1D_READS_SET1", 0xc4, 2, kEvery, "Loads looked up in L1D, counted with set 1")),
    wired(l1d(1), active("L1D_READ_MISSES", 0xc7, 2, kEvery, "Loads that miss L1D", kL1dReadMisses)),
    active("L1ITLB_INSERTS_HPW", 0x48, 1, kCode, "L1 ITLB entries that the page walker puts in"),
    joined(needs(EventKind::instruction_cache, floating("L1I_EAR_CACHE_LAT", 0x43, 1, kCode, "Fetches that the instruction EAR takes in for their latency", kL1iEarCacheLat))),
    needs(EventKind::instruction_cache, floating("L1I_EAR_CACHE_RAB", 0x43, 1, kCode, "Fetches that the instruction EAR takes in for hitting the RAB")),
    floating("L1I_EAR_EVENTS", 0x43, 1, kCode, "Events that the instruction EAR takes in, as it is programmed"),
    needs(EventKind::instruction_tlb, floating("L1I_EAR_TLB", 0x43, 1, kCode, "ITLB misses that the instruction EAR takes in", any_of(kL1iEarTlb))),
    active("L1I_FETCH_ISB_HIT", 0x66, 1, kCode, "Demand fetches served by the stream buffer"),
    active("L1I_FETCH_RAB_HIT", 0x65, 1, kCode, "Demand fetches of a line that is already asked for"),
    floating("L1I_FILLS", 0x41, 1, kCode, "Lines filled into L1I"),
    active("L1I_PREFETCHES", 0x44, 1, kCode, "Prefetches looked up in L1I"),
    active("L1I_PREFETCH_STALL", 0x67, 1, kNothing, "Cycles in which instruction prefetch is held up", kL1iPrefetchStall),
    causal("L1I_PURGE", 0x4b, 1, kCode, "Purges of the L1 ITLB"),
    active("L1I_PVAB_OVERFLOW", 0x69, 1, kNothing, "Prefetch addresses that overflow their buffer"),
    causal("L1I_RAB_ALMOST_FULL", 0x64, 1, kNothing, "Cycles with the request address buffer almost full"),
    causal("L1I_RAB_FULL", 0x60, 1, kNothing, "Cycles with the request address buffer full"),
    active("L1I_READS", 0x40, 1, kCode, "Demand fetches looked up in L1I, 32 bytes each"),
    causal("L1I_SNOOP", 0x4a, 1, kEvery, "Snoops looked up in L1I"),
    active("L1I_STRM_PREFETCHES", 0x5f, 1, kCode, "Prefetches that streaming branch hints start"),
    wired(l1d(0), active("L2DTLB_MISSES", 0xc1, 4, kEvery, "Data references that miss the L2 DTLB")),
    wired(l2d(5), floating("L2D_BAD_LINES_SELECTED", 0xec, 4, kEvery, "Fills that replace a valid line though an invalid one was there", kAny)),
    wired(l2d(1), floating("L2D_BYPASS", 0xe4, 1, kEvery, "Requests that bypass the L2D queue", kL2dBypass)),
    wired(l2d(7), floating("L2D_FILLB_FULL", 0xf1, 1, kNothing, "Cycles with every L2D fill buffer taken", kThis)),
    wired(l2d(8), floating("L2D_FILL_MESI_STATE", 0xf2, 1, kNothing, "Lines filled into L2D by their new state", kL2dFillStates)),
    wired(l2d(4), floating("L2D_FORCE_RECIRC", 0xea, 4, kEvery, "L2D requests made to recirculate", kL2dForceRecirc)),
    floating("L2D_INSERT_HITS", 0xb1, 4, kEvery, "Data requests that hit L2D as they enter its queue"),
    floating("L2D_INSERT_MISSES", 0xb0, 4, kEvery, "Data requests that miss L2D as they enter its queue"),
    wired(l2d(4), floating("L2D_ISSUED_RECIRC_OZQ_ACC", 0xeb, 1, kEvery, "Attempts to issue a recirculated access of the OZQ again")),
    wired(l2d(3), floating("L2D_L3ACCESS_CANCEL", 0xe8, 1, kEvery, "L2D requests to L3 that are cancelled", kL2dL3accessCancel)),
    floating("L2D_MISSES", 0xcb, 1, kEvery, "Lines that L2D asks L3 for"),
    floating("L2D_OPS_ISSUED", 0xf0, 4, kEvery, "Operations that the L2D OZQ issues", kL2dOpsIssued),
    wired(l2d(3), floating("L2D_OZDB_FULL", 0xe9, 1, kNothing, "Cycles with the data buffer of the OZQ full", kThis)),
    wired(l2d(6), floating("L2D_OZQ_ACQUIRE", 0xef, 1, kNothing, "Cycles with an acquire in the OZQ")),
    wired(l2d(0), floating("L2D_OZQ_CANCELS0", 0xe0, 4, kEvery, "OZQ issues cancelled, first list of reasons", kL2dOzqCancels0)),
    wired(l2d(0), floating("L2D_OZQ_CANCELS1", 0xe2, 4, kEvery, "OZQ issues cancelled, late reasons", kL2dOzqCancels1)),
    wired(l2d(5), floating("L2D_OZQ_FULL", 0xbc, 1, kNothing, "Cycles with the OZQ full", kThis)),
    wired(l2d(1), floating("L2D_OZQ_RELEASE", 0xe5, 1, kNothing, "Cycles with a release in the OZQ")),
    wired(l2d(2), floating("L2D_REFERENCES", 0xe6, 4, kEvery, "Data references to L2D", kL2dReferences)),
    wired(l2d(5), floating("L2D_STORE_HIT_SHARED", 0xed, 2, kEvery, "Stores that find their L2D line shared", kAny)),
    wired(l2d(8), floating("L2D_VICTIMB_FULL", 0xf3, 1, kNothing, "Cycles with the L2D victim buffer full", kThis)),
    active("L2I_DEMAND_READS", 0x42, 1, kCode, "Demand fetches of lines from L2I"),
    floating("L2I_HIT_CONFLICTS", 0x7d, 1, kCode, "L2I accesses in conflict with a hit", kL2iAccesses),
    floating("L2I_L3_REJECTS", 0x7c, 1, kCode, "L2I requests that L3 turns away", kL2iAccesses),
    active("L2I_PREFETCHES", 0x45, 1, kCode, "Prefetches of code sent to L2I"),
    floating("L2I_READS", 0x78, 1, kCode, "Cacheable reads looked up in L2I", kL2iAccesses),
    floating("L2I_RECIRCULATES", 0x7b, 1, kCode, "L2I requests that recirculate", kL2iAccesses),
    causal("L2I_SNOOP_HITS", 0x7f, 1, kNothing, "Snoops that hit L2I"),
    floating("L2I_SPEC_ABORTS", 0x7e, 1, kCode, "Speculative L2I requests given up"),
    floating("L2I_UC_READS", 0x79, 1, kCode, "Uncacheable reads of code", kL2iAccesses),
    floating("L2I_VICTIMIZATION", 0x7a, 1, kCode, "Lines that L2I replaces"),
    by_state(floating("L3_INSERTS", 0xda, 1, kEvery, "Lines filled into L3")),
    by_state(floating("L3_LINES_REPLACED", 0xdf, 1, kNothing, "Valid lines that L3 replaces")),
    floating("L3_MISSES", 0xdc, 1, kEvery, "L3 references that miss"),
    by_state(floating("L3_READS", 0xdd, 1, kEvery, "Reads looked up in L3", kL3Reads)),
    floating("L3_REFERENCES", 0xdb, 1, kEvery, "References to L3"),
    by_state(floating("L3_WRITES", 0xde, 1, kEvery, "Writes looked up in L3", kL3Writes)),
    wired(l1d(3), active("LOADS_RETIRED", 0xcd, 4, kEvery, "Loads retired")),
    wired(l1d(6), active("LOADS_RETIRED_INTG", 0xd8, 2, kEvery, "Integer loads retired")),
    causal("MEM_READ_CURRENT", 0x89, 1, kNothing, "Reads of memory that leave every cache line as it is", kMemReadCurrent),
    wired(l1d(3), active("MISALIGNED_LOADS_RETIRED", 0xce, 4, kEvery, "Loads retired whose address is not aligned")),
    wired(l1d(4), active("MISALIGNED_STORES_RETIRED", 0xd2, 2, kEvery, "Stores retired whose address is not aligned")),
    active("NOPS_RETIRED", 0x50, 6, kTag, "nop instructions retired"),
    active("PREDICATE_SQUASHED_RETIRED", 0x51, 6, kTag, "Instructions retired whose predicate is false, branches left out"),
    active("RSE_CURRENT_REGS_2_TO_0", 0x2b, 7, kNothing, "Registers of the current frame at each RSE event, bits 2 to 0"),
    active("RSE_CURRENT_REGS_5_TO_3", 0x2a, 7, kNothing, "Registers of the current frame at each RSE event, bits 5 to 3"),
    active("RSE_CURRENT_REGS_6", 0x26, 1, kNothing, "Registers of the current frame at each RSE event, bit 6"),
    active("RSE_DIRTY_REGS_2_TO_0", 0x29, 7, kNothing, "Dirty stacked registers at each RSE event, bits 2 to 0"),
    active("RSE_DIRTY_REGS_5_TO_3", 0x28, 7, kNothing, "Dirty stacked registers at each RSE event, bits 5 to 3"),
    active("RSE_DIRTY_REGS_6", 0x24, 1, kNothing, "Dirty stacked registers at each RSE event, bit 6"),
    active("RSE_EVENT_RETIRED", 0x32, 1, kNothing, "Instructions retired that concern the register stack"),
    active("RSE_REFERENCES_RETIRED", 0x20, 2, kEvery, "References of the register stack engine to memory", kRseReferencesRetired),
    active("SERIALIZATION_EVENTS", 0x53, 1, kNothing, "srlz.i instructions retired"),
    causal("SI_CCQ_COLLISIONS", 0xa8, 2, kNothing, "Addresses that meet their like in the clean castout queue", kCores),
    self_floating("SI_CCQ_INSERTS", 0xa5, 2, kNothing, "Lines put into the clean castout queue", kCores),
    causal("SI_CCQ_LIVE_REQ_HI", 0xa7, 1, kNothing, "Entries of the clean castout queue each cycle, upper bit", kCores),
    causal("SI_CCQ_LIVE_REQ_LO", 0xa6, 7, kNothing, "Entries of the clean castout queue each cycle, lower three bits", kCores),
    causal("SI_CYCLES", 0x8e, 1, kNothing, "Clocks of the system interface"),
    causal("SI_IOQ_COLLISIONS", 0xaa, 2, kNothing, "Addresses that meet their like in the in-order queue"),
    causal("SI_IOQ_LIVE_REQ_HI", 0x98, 2, kNothing, "Entries of the in-order queue each cycle, upper two bits"),
    causal("SI_IOQ_LIVE_REQ_LO", 0x97, 3, kNothing, "Entries of the in-order queue each cycle, lower two bits"),
    self_floating("SI_RQ_INSERTS", 0x9e, 2, kNothing, "Reads put into the request queue", kCores),
    causal("SI_RQ_LIVE_REQ_HI", 0xa0, 1, kNothing, "Entries of the request queue each cycle, upper bit", kCores),
    causal("SI_RQ_LIVE_REQ_LO", 0x9f, 7, kNothing, "Entries of the request queue each cycle, lower three bits", kCores),
    causal("SI_SCB_INSERTS", 0xab, 4, kNothing, "Snoops put into the snoop coalescing buffer", kScbInserts),
    causal("SI_SCB_LIVE_REQ_HI", 0xad, 1, kNothing, "Entries of the snoop coalescing buffer each cycle, upper bit", kCores),
    causal("SI_SCB_LIVE_REQ_LO", 0xac, 7, kNothing, "Entries of the snoop coalescing buffer each cycle, lower three bits", kCores),
    causal("SI_SCB_SIGNOFFS", 0xae, 1, kNothing, "Snoops that the snoop coalescing buffer is done with", kScbSignoffs),
    causal("SI_WAQ_COLLISIONS", 0xa4, 1, kNothing, "Addresses that meet their like in the write address queue", kCores),
    causal("SI_WDQ_ECC_ERRORS", 0xaf, 2, kNothing, "ECC errors in the write data queue", kEccErrors),
    self_floating("SI_WRITEQ_INSERTS", 0xa1, 2, kNothing, "Writes put into the write queue", kWriteqInserts),
    causal("SI_WRITEQ_LIVE_REQ_HI", 0xa3, 1, kNothing, "Entries of the write queue each cycle, upper bit", kCores),
    causal("SI_WRITEQ_LIVE_REQ_LO", 0xa2, 7, kNothing, "Entries of the write queue each cycle, lower three bits", kCores),
    active("SPEC_LOADS_NATTED", 0xd9, 2, kCode | kData, "Speculative integer loads that return NaT", kNatReasons),
    wired(l1d(4), active("STORES_RETIRED", 0xd1, 2, kEvery, "Stores retired")),
    active("SYLL_NOT_DISPERSED", 0x4e, 5, kCode, "Syllables held back at dispersal", any_of(kSyllNotDispersed)),
    active("SYLL_OVERCOUNT", 0x4f, 2, kCode, "Syllables that SYLL_NOT_DISPERSED has twice", kSyllOvercount),
    active("THREAD_SWITCH_CYCLE", 0x0e, 1, kNothing, "Cycles spent on the way to a thread switch", kSwitchCycle),
    active("THREAD_SWITCH_EVENTS", 0x0c, 1, kNothing, "Thread switches by their cause", kSwitchEvents),
    active("THREAD_SWITCH_GATED", 0x0d, 1, kNothing, "Thread switches held up", kSwitchGated),
    active("THREAD_SWITCH_STALL_GTE", 0x0f, 1, kNothing, "Thread switches by the least length of the stall before them", kSwitchStall),
    wired(l1d(3), active("UC_LOADS_RETIRED", 0xcf, 4, kEvery, "Loads retired from uncacheable memory")),
    wired(l1d(4), active("UC_STORES_RETIRED", 0xd0, 2, kEvery, "Stores retired to uncacheable memory")),
    active("IA64_INST_RETIRED", 0x08, 6, kTag, "IA-64 instructions retired that tag channel 0 lets pass: the same"),
    needs(EventKind::branch_buffer, active("BRANCH_EVENT", 0x11, 1, kTag, "Branches that enter the execution trace buffer, by the name of the Itanium 2")),
};
// clang-format on

}  // namespace

const std::vector<ia64::Row>& rows() {
  static const std::vector<ia64::Row> all = ia64::rows_of(kFamilies, (1u << kCounters) - 1);
  return all;
}

}  // namespace pmusim::encoder::montecito
