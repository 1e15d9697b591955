// The variants of event families that differ on Montecito or do not exist there: suffix of the name, unit mask,
// meaning. Source: see events.cpp.
#pragma once

#include "encoder/src/ia64/variants.h"

namespace pmusim::encoder::itanium2 {

using ia64::Variant;
using ia64::Variants;

/// Only PMC4 can count the event.
inline constexpr std::uint32_t kOnPmc4 = 1;

inline constexpr Variant kBeL1dFpuBubble[] = {{"ALL", 0x0, "either"},
                                              {"FPU", 0x1, "FPU"},
                                              {"L1D", 0x2, "L1D, any reason"},
                                              {"L1D_DCS", 0x8, "L1D, control of the data cache"},
                                              {"L1D_DCURECIR", 0x4, "L1D, recirculation"},
                                              {"L1D_FILLCONF", 0x7, "L1D, store against a fill"},
                                              {"L1D_FULLSTBUF", 0x3, "L1D, store buffer full"},
                                              {"L1D_HPW", 0x5, "L1D, page walk"},
                                              {"L1D_L2BPRESS", 0x9, "L1D, back pressure of L2"},
                                              {"L1D_LDCHK", 0xc, "L1D, order of a check load"},
                                              {"L1D_LDCONF", 0xb, "L1D, order of a load"},
                                              {"L1D_NAT", 0xd, "L1D, return of NaT bits"},
                                              {"L1D_NATCONF", 0xf, "L1D, ld8.fill against st8.spill"},
                                              {"L1D_STBUFRECIR", 0xe, "L1D, store buffer recirculates"},
                                              {"L1D_TLB", 0xa, "L1D, transfer between the DTLBs"}};
inline constexpr Variant kBranchKinds[] = {{"ALL", 0x0, "all kinds"},
                                           {"IPREL", 0x4, "IP-relative"},
                                           {"NTRETIND", 0xc, "other indirect"},
                                           {"RETURN", 0x8, "returns"}};
inline constexpr Variants kBrMispredDetail{kBranchKinds, ia64::kPredictions};
inline constexpr Variant kAgents[] = {
    {"ANY", 0x3, "by anybody"}, {"IO", 0x1, "by an I/O agent"}, {"SELF", 0x2, "by this processor"}};
inline constexpr Variant kBusBacksnpReq[] = {{"THIS", 0x1, "this processor"}};
inline constexpr Variant kProcessorAgents[] = {{"ANY", 0x3, "by anybody"}, {"SELF", 0x2, "by this processor"}};
inline constexpr Variants kBusMemory{ia64::kBusSizes, kAgents};
inline constexpr Variants kBusMemRead{ia64::kLineReads, kAgents};
inline constexpr Variant kExternDpPins0To3[] = {{"ALL", 0xf, "any of them"},
                                                {"PIN0", 0x1, "pin 0"},
                                                {"PIN1", 0x2, "pin 1"},
                                                {"PIN2", 0x4, "pin 2"},
                                                {"PIN3", 0x8, "pin 3"}};
inline constexpr Variant kExternDpPins4To5[] = {
    {"ALL", 0x3, "any of them"}, {"PIN4", 0x1, "pin 4"}, {"PIN5", 0x2, "pin 5"}};
inline constexpr Variant kIa64InstRetired[] = {{"", 0x0, ""}, {"THIS", 0x0, "the same"}};
inline constexpr Variant kIa64TaggedInstRetired[] = {{"IBRP0_PMC8", 0x0, "channel 0, IBR pair 0 and PMC8"},
                                                     {"IBRP1_PMC9", 0x1, "channel 1, IBR pair 1 and PMC9"},
                                                     {"IBRP2_PMC8", 0x2, "channel 2, IBR pair 2 and PMC8"},
                                                     {"IBRP3_PMC9", 0x3, "channel 3, IBR pair 3 and PMC9"}};
inline constexpr Variant kL2Bypass[] = {{"L2_DATA1", 0x0, "data, to L2, first stage"},
                                        {"L2_DATA2", 0x1, "data, to L2, second stage"},
                                        {"L2_INST1", 0x4, "code, to L2, first stage"},
                                        {"L2_INST2", 0x5, "code, to L2, second stage"},
                                        {"L3_DATA1", 0x2, "data, to L3"},
                                        {"L3_INST1", 0x6, "code, to L3"}};
inline constexpr Variant kL2DataReferences[] = {
    {"L2_ALL", 0x3, "all"}, {"L2_DATA_READS", 0x1, "reads"}, {"L2_DATA_WRITES", 0x2, "writes"}};
inline constexpr Variant kL2ForceRecirc[] = {{"ANY", 0x0, "any reason", kOnPmc4},
                                             {"FILL_HIT", 0x9, "hit on a line being filled", kOnPmc4},
                                             {"FRC_RECIRC", 0xe, "another request forces it", kOnPmc4},
                                             {"IPF_MISS", 0xa, "miss of a prefetch of code", kOnPmc4},
                                             {"L1W", 0x2, "write of L1D", kOnPmc4},
                                             {"OZQ_MISS", 0xc, "miss already in the OZQ", kOnPmc4},
                                             {"SAME_INDEX", 0xd, "miss at the index of another", kOnPmc4},
                                             {"SMC_HIT", 0x1, "self-modifying code", kOnPmc4},
                                             {"SNP_OR_L3", 0x6, "snoop or L3", kOnPmc4},
                                             {"TAG_NOTOK", 0x4, "tag not usable", kOnPmc4},
                                             {"TRAN_PREF", 0x5, "transfer or prefetch", kOnPmc4},
                                             {"VIC_BUF_FULL", 0xb, "victim buffer full", kOnPmc4},
                                             {"VIC_PEND", 0x8, "victim pending", kOnPmc4}};
inline constexpr Variant kL2GotRecircIfetch[] = {{"ANY", 0x8, "any"}};
inline constexpr Variant kL2IfetCancels[] = {{"ANY", 0x0, "any reason"},
                                             {"BYPASS", 0x2, "bypass"},
                                             {"CHG_PRIO", 0xc, "change of priority"},
                                             {"DATA_RD", 0x7, "data read"},
                                             {"DIDNT_RECIR", 0x4, "no recirculation"},
                                             {"IFETCH_BYP", 0xd, "bypass of a fetch"},
                                             {"PREEMPT", 0x8, "pre-empted"},
                                             {"RECIR_OVER_SUB", 0x5, "too many recirculations"},
                                             {"ST_FILL_WB", 0x6, "store, fill or write-back"}};
inline constexpr Variant kL2L3accessCancel[] = {{"ANY", 0x9, "any reason", kOnPmc4},
                                                {"DFETCH", 0xa, "data fetch", kOnPmc4},
                                                {"EBL_REJECT", 0x8, "refused by the bus logic", kOnPmc4},
                                                {"FILLD_FULL", 0x2, "fill data buffer full", kOnPmc4},
                                                {"IFETCH", 0xb, "instruction fetch", kOnPmc4},
                                                {"INV_L3_BYP", 0x6, "invalid bypass", kOnPmc4},
                                                {"SPEC_L3_BYP", 0x1, "speculative bypass", kOnPmc4},
                                                {"UC_BLOCKED", 0x5, "uncacheable access blocked", kOnPmc4}};
inline constexpr Variant kL2OpsIssued[] = {{"FP_LOAD", 0x9, "floating-point loads"},
                                           {"INT_LOAD", 0x8, "integer loads"},
                                           {"NST_NLD", 0xc, "neither load nor store"},
                                           {"RMW", 0xa, "read-modify-write"},
                                           {"STORE", 0xb, "stores"}};
inline constexpr Variant kL2OzqCancels0[] = {{"ANY", 0x0, "any of them"},
                                             {"LATE_ACQUIRE", 0x3, "acquire"},
                                             {"LATE_BYP_EFFRELEASE", 0x4, "bypass, effective release"},
                                             {"LATE_RELEASE", 0x2, "release"},
                                             {"LATE_SPEC_BYP", 0x1, "speculative bypass"}};
inline constexpr Variant kL2OzqCancels1[] = {{"BANK_CONF", 0x1, "bank conflict"},
                                             {"CANC_L2M_ST", 0x6, "cancelled store in L2M"},
                                             {"CCV", 0x9, "ar.ccv"},
                                             {"ECC", 0xf, "ECC"},
                                             {"HPW_IFETCH_CONF", 0x5, "page walk against a fetch"},
                                             {"L1DF_L2M", 0xe, "L1D fill in L2M"},
                                             {"L1_FILL_CONF", 0x7, "L1 fill"},
                                             {"L2A_ST_MAT", 0xd, "match of a store in L2A"},
                                             {"L2D_ST_MAT", 0x2, "match of a store in L2D"},
                                             {"L2M_ST_MAT", 0xb, "match of a store in L2M"},
                                             {"MFA", 0xc, "mf.a"},
                                             {"REL", 0x0, "release"},
                                             {"SEM", 0xa, "semaphore"},
                                             {"ST_FILL_CONF", 0x8, "store against a fill"},
                                             {"SYNC", 0x4, "sync.i"}};
inline constexpr Variant kL2OzqCancels2[] = {{"ACQ", 0x4, "acquire"},
                                             {"CANC_L2C_ST", 0x1, "cancelled store in L2C"},
                                             {"CANC_L2D_ST", 0xd, "cancelled store in L2D"},
                                             {"DIDNT_RECIRC", 0x9, "no recirculation"},
                                             {"D_IFET", 0xf, "fetch of code"},
                                             {"L2C_ST_MAT", 0x2, "match of a store in L2C"},
                                             {"L2FILL_ST_CONF", 0x8, "L2 fill against a store"},
                                             {"OVER_SUB", 0xc, "too many requests"},
                                             {"OZ_DATA_CONF", 0x6, "OZQ data"},
                                             {"READ_WB_CONF", 0x5, "read against a write-back"},
                                             {"RECIRC_OVER_SUB", 0x0, "too many recirculations"},
                                             {"SCRUB", 0x3, "scrubbing"},
                                             {"WEIRD", 0xa, "reason not told"}};
inline constexpr Variant kSyllNotDispersed[] = {{"ALL", 0xf, "any reason"},
                                                {"EXPL", 0x1, "explicit stop"},
                                                {"IMPL", 0x2, "implicit stop"},
                                                {"FE", 0x4, "front end"},
                                                {"MLI", 0x8, "long immediate"}};

}  // namespace pmusim::encoder::itanium2
