// The variants of event families that differ on the Itanium 2 or do not exist there: suffix of the name, unit mask,
// meaning. Source: see events.cpp.
#pragma once

#include "encoder/src/ia64/variants.h"

namespace pmusim::encoder::montecito {

using ia64::Variant;
using ia64::Variants;

inline constexpr Variant kBeL1dFpuBubble[] = {{"ALL", 0x0, "either"},
                                              {"FPU", 0x1, "FPU"},
                                              {"L1D", 0x2, "L1D, any reason"},
                                              {"L1D_AR_CR", 0x8, "L1D, application or control register"},
                                              {"L1D_FILLCONF", 0x7, "L1D, store against a fill"},
                                              {"L1D_FULLSTBUF", 0x3, "L1D, store buffer full"},
                                              {"L1D_HPW", 0x5, "L1D, page walk"},
                                              {"L1D_L2BPRESS", 0x9, "L1D, back pressure of L2"},
                                              {"L1D_LDCHK", 0xc, "L1D, order of a check load"},
                                              {"L1D_LDCONF", 0xb, "L1D, order of a load"},
                                              {"L1D_NAT", 0xd, "L1D, return of NaT bits"},
                                              {"L1D_NATCONF", 0xf, "L1D, ld8.fill against st8.spill"},
                                              {"L1D_PIPE_RECIRC", 0x4, "L1D, recirculation"},
                                              {"L1D_STBUFRECIR", 0xe, "L1D, store buffer recirculates"},
                                              {"L1D_TLB", 0xa, "L1D, transfer between the DTLBs"}};
inline constexpr Variants kBrMispredDetail{ia64::kBranchKinds, ia64::kPredictions};
inline constexpr Variant kAgents[] = {{"ANY", 0x3, "by anybody"},
                                      {"EITHER", 0x0, "by either core"},
                                      {"IO", 0x1, "by an I/O agent"},
                                      {"SELF", 0x2, "by this core"}};
inline constexpr Variants kBusMemory{ia64::kBusSizes, kAgents};
inline constexpr Variants kBusMemRead{ia64::kLineReads, kAgents};
inline constexpr Variant kCoreAgents[] = {
    {"ANY", 0x3, "by anybody"}, {"EITHER", 0x0, "by either core"}, {"SELF", 0x2, "by this core"}};
inline constexpr Variant kCplChanges[] = {{"ALL", 0xf, "any level"},
                                          {"LVL0", 0x1, "to or from level 0"},
                                          {"LVL1", 0x2, "to or from level 1"},
                                          {"LVL2", 0x4, "to or from level 2"},
                                          {"LVL3", 0x8, "to or from level 3"}};
inline constexpr Variant kAllCycles[] = {{"ALL", 0x0, ""}};
inline constexpr Variant kQualifiedCycles[] = {{"QUAL", 0x1, ""}};
inline constexpr Variant kFlushToZero[] = {{"FTZ_POSS", 0x1, "that could have been"}, {"FTZ_REAL", 0x0, "that were"}};
inline constexpr Variant kTagged[] = {{"IBRP0_PMC32_33", 0x0, "channel 0, IBR pair 0 and PMC32-33"},
                                      {"IBRP1_PMC34_35", 0x1, "channel 1, IBR pair 1 and PMC34-35"},
                                      {"IBRP2_PMC32_33", 0x2, "channel 2, IBR pair 2 and PMC32-33"},
                                      {"IBRP3_PMC34_35", 0x3, "channel 3, IBR pair 3 and PMC34-35"}};
inline constexpr Variant kL2dBypass[] = {
    {"L2_DATA1", 0x0, "to L2D, first stage"}, {"L2_DATA2", 0x1, "to L2D, second stage"}, {"L3_DATA1", 0x2, "to L3"}};
inline constexpr Variant kL2dFillStates[] = {{"E", 0x1, "exclusive"},
                                             {"I", 0x3, "invalid"},
                                             {"M", 0x0, "modified"},
                                             {"P", 0x4, "pending"},
                                             {"S", 0x2, "shared"}};
inline constexpr Variant kL2dForceRecirc[] = {{"FILL_HIT", 0x8, "hit on a line being filled"},
                                              {"FRC_RECIRC", 0x9, "another request forces it"},
                                              {"L1W", 0xc, "write of L1D"},
                                              {"LIMBO", 0x1, "in limbo"},
                                              {"OZQ_MISS", 0xb, "miss already in the OZQ"},
                                              {"RECIRC", 0x0, "recirculation"},
                                              {"SAME_INDEX", 0xa, "miss at the index of another"},
                                              {"SECONDARY_ALL", 0xf, "second miss of a line"},
                                              {"SECONDARY_READ", 0xd, "second miss of a line, read"},
                                              {"SECONDARY_WRITE", 0xe, "second miss of a line, write"},
                                              {"SNP_OR_L3", 0x6, "snoop or L3"},
                                              {"TAG_NOTOK", 0x4, "tag not usable"},
                                              {"TAG_OK", 0x7, "tag usable"},
                                              {"TRAN_PREF", 0x5, "transfer or prefetch"}};
inline constexpr Variant kL2dL3accessCancel[] = {
    {"ANY", 0x2, "any reason"},
    {"ER_REJECT", 0x3, "refused by the request logic"},
    {"INV_L3_BYP", 0x0, "invalid bypass"},
    {"P2_COV_SNP_FILL_NOSNP", 0x6, "P2, snoop covered by a fill, none sent"},
    {"P2_COV_SNP_TEM", 0x4, "P2, snoop covered, temporary"},
    {"P2_COV_SNP_VIC", 0x5, "P2, snoop covered by a victim"},
    {"SPEC_L3_BYP", 0x1, "speculative bypass"},
    {"TAIL_TRANS_DIS", 0x7, "transfer of the tail disabled"}};
inline constexpr Variant kL2dOpsIssued[] = {{"FP_LOAD", 0x1, "floating-point loads"},
                                            {"INT_LOAD", 0x0, "integer loads"},
                                            {"LFETCH", 0x4, "lfetch"},
                                            {"OTHER", 0x5, "others"},
                                            {"RMW", 0x2, "read-modify-write"},
                                            {"STORE", 0x3, "stores"}};
inline constexpr Variant kL2dOzqCancels0[] = {{"ACQ", 0x6, "acquire"},
                                              {"BANK_CONF", 0x8, "bank conflict"},
                                              {"CANC_L2M_TO_L2C_ST", 0x1, "cancelled store between L2M and L2C"},
                                              {"FILL_ST_CONF", 0xe, "fill against a store"},
                                              {"L2A_ST_MAT", 0x2, "match of a store in L2A"},
                                              {"L2C_ST_MAT", 0x5, "match of a store in L2C"},
                                              {"L2D_ST_MAT", 0x4, "match of a store in L2D"},
                                              {"L2M_ST_MAT", 0x3, "match of a store in L2M"},
                                              {"MISC_ORDER", 0xd, "order of other operations"},
                                              {"OVER_SUB", 0xa, "too many requests"},
                                              {"OZDATA_CONF", 0xf, "OZQ data"},
                                              {"OZQ_PREEMPT", 0xb, "pre-empted"},
                                              {"RECIRC", 0x0, "recirculation"},
                                              {"REL", 0x7, "release"},
                                              {"SEMA", 0x9, "semaphore"},
                                              {"WB_CONF", 0xc, "write-back"}};
inline constexpr Variant kL2dOzqCancels1[] = {{"ANY", 0x0, "any of them"},
                                              {"LATE_BYP_EFFRELEASE", 0x3, "bypass, effective release"},
                                              {"LATE_SPEC_BYP", 0x1, "speculative bypass"},
                                              {"SIBLING_ACQ_REL", 0x2, "order of a sibling"}};
inline constexpr Variant kL2dReferences[] = {{"ALL", 0x3, "all"}, {"READS", 0x1, "reads"}, {"WRITES", 0x2, "writes"}};
inline constexpr Variant kL2iAccesses[] = {
    {"ALL_ALL", 0xf, "all"},     {"ALL_DMND", 0xd, "on demand"},         {"ALL_PFTCH", 0xe, "prefetches"},
    {"HIT_ALL", 0x7, "hits"},    {"HIT_DMND", 0x5, "hits on demand"},    {"HIT_PFTCH", 0x6, "hits of prefetches"},
    {"MISS_ALL", 0xb, "misses"}, {"MISS_DMND", 0x9, "misses on demand"}, {"MISS_PFTCH", 0xa, "misses of prefetches"}};
inline constexpr Variant kCores[] = {{"EITHER", 0x0, "of either core"}, {"SELF", 0x1, "of this core"}};
inline constexpr Variant kScbSignoffs[] = {
    {"ALL", 0xc, "all"}, {"HIT", 0x4, "hits"}, {"HITM", 0x8, "hits on changed lines"}, {"MISS", 0x0, "misses"}};
inline constexpr Variants kScbInserts{kScbSignoffs, kCores};
inline constexpr Variant kEccKinds[] = {
    {"ALL", 0x8, "of either kind"}, {"DBL", 0x4, "of two bits"}, {"SGL", 0x0, "of one bit"}};
inline constexpr Variants kEccErrors{kEccKinds, kCores};
inline constexpr Variant kWriteKinds[] = {{"ALL", 0x0, "all kinds"},
                                          {"EWB", 0x4, "explicit write-backs"},
                                          {"IWB", 0x2, "implicit write-backs"},
                                          {"NEWB", 0xc, "write-backs of other kinds"},
                                          {"WC16", 0x8, "16 coalesced bytes"},
                                          {"WC1_8A", 0x6, "1 to 8 coalesced bytes, first kind"},
                                          {"WC1_8B", 0xe, "1 to 8 coalesced bytes, second kind"},
                                          {"WC32", 0xa, "32 coalesced bytes"}};
inline constexpr Variants kWriteqInserts{kWriteKinds, kCores};
inline constexpr Variant kNatReasons[] = {{"ALL", 0x0, "any reason"},
                                          {"DEF_PSR_ED", 0x5, "PSR.ed"},
                                          {"DEF_TLB_FAULT", 0x3, "deferred TLB fault"},
                                          {"DEF_TLB_MISS", 0x2, "deferred TLB miss"},
                                          {"NAT_CNSM", 0x4, "NaT in an operand"},
                                          {"VHPT_MISS", 0x1, "miss of the VHPT"}};
inline constexpr Variant kSyllNotDispersed[] = {{"ALL", 0xf, "any reason"},
                                                {"EXPL", 0x1, "explicit stop"},
                                                {"IMPL", 0x2, "implicit stop"},
                                                {"FE", 0x4, "front end"},
                                                {"MLX", 0x8, "long immediate"}};
inline constexpr Variant kSwitchCycle[] = {
    {"ALL_GATED", 0x6, "held up"},      {"ANYSTALL", 0x3, "any stall"},
    {"CRAB", 0x1, "stall of the CRAB"}, {"L2D", 0x2, "stall of a return from L2D"},
    {"PCR", 0x4, "with PCR.sd set"},    {"TOTAL", 0x7, "all, from the decision to the switch"}};
inline constexpr Variant kSwitchEvents[] = {{"ALL", 0x7, "all that were taken"},
                                            {"DBG", 0x5, "debugging"},
                                            {"HINT", 0x3, "hint@pause"},
                                            {"L3MISS", 0x1, "L3 miss"},
                                            {"LP", 0x4, "low power"},
                                            {"MISSED", 0x0, "chances that were missed"},
                                            {"TIMER", 0x2, "timer"}};
inline constexpr Variant kSwitchGated[] = {{"ALL", 0x7, "any reason"},
                                           {"FWDPRO", 0x5, "progress of the running thread"},
                                           {"LP", 0x1, "low power"},
                                           {"PIPE", 0x4, "pipeline"}};
inline constexpr Variant kSwitchStall[] = {
    {"1024", 0x8, "1024 cycles"}, {"128", 0x5, "128 cycles"}, {"16", 0x2, "16 cycles"}, {"2048", 0x9, "2048 cycles"},
    {"256", 0x6, "256 cycles"},   {"32", 0x3, "32 cycles"},   {"4", 0x0, "4 cycles"},   {"4096", 0xa, "4096 cycles"},
    {"512", 0x7, "512 cycles"},   {"64", 0x4, "64 cycles"},   {"8", 0x1, "8 cycles"}};

}  // namespace pmusim::encoder::montecito
