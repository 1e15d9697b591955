// The variants of event families that exist on both IA-64 processors: suffix of the name, unit mask, meaning. The unit
// masks of EAR events are those of the EARs' control registers. Sources: see events.cpp of the processors.
#pragma once

#include "table.h"

namespace pmusim::encoder::ia64 {

inline constexpr Variant kSpeculationTypes[] = {
    {"ALL", 0x3, "all"}, {"FP", 0x2, "floating-point"}, {"INT", 0x1, "integer"}};
inline constexpr Variant kBackEndBubble[] = {
    {"ALL", 0x0, "any reason"}, {"FE", 0x1, "the front end"}, {"L1D_FPU_RSE", 0x2, "L1D, FPU or RSE"}};
inline constexpr Variant kBeBrMispredDetail[] = {{"ANY", 0x0, "any kind"},
                                                 {"PFS", 0x3, "previous function state of a return"},
                                                 {"ROT", 0x2, "rotating registers"},
                                                 {"STG", 0x1, "stage of a loop"}};
inline constexpr Variant kBeExeBubble[] = {
    {"ALL", 0x0, "any reason"},
    {"ARCR", 0x4, "application or control register"},
    {"ARCR_PR_CANCEL_BANK", 0x8, "AR, CR, predicate, cancelled load or bank switch"},
    {"BANK_SWITCH", 0x7, "bank switch"},
    {"CANCEL", 0x6, "cancelled load"},
    {"FRALL", 0x2, "floating-point register"},
    {"GRALL", 0x1, "general register"},
    {"GRGR", 0x5, "general register from an ALU"},
    {"PR", 0x3, "predicate"}};
inline constexpr Variant kBeFlushBubble[] = {
    {"ALL", 0x0, "any reason"}, {"BRU", 0x1, "branch misprediction"}, {"XPN", 0x2, "exception or interruption"}};
inline constexpr Variant kFrontEndReasons[] = {{"ALL", 0x0, "any reason"},
                                               {"BI", 0x9, "branch initialisation"},
                                               {"BRQ", 0xa, "branch retirement queue full"},
                                               {"BR_ILOCK", 0xc, "branch interlock"},
                                               {"BUBBLE", 0xd, "taken-branch bubble"},
                                               {"FEFLUSH", 0x1, "front-end flush"},
                                               {"FILL_RECIRC", 0x8, "fill or recirculation"},
                                               {"IBFULL", 0x5, "buffer full"},
                                               {"IMISS", 0x6, "instruction cache miss"},
                                               {"PLP", 0xb, "perfect loop prediction"},
                                               {"TLBMISS", 0x7, "ITLB miss"},
                                               {"UNREACHED", 0x4, "slots after a taken branch"}};
inline constexpr Variant kBeRseBubble[] = {{"ALL", 0x0, "any reason"},          {"AR_DEP", 0x2, "application register"},
                                           {"BANK_SWITCH", 0x1, "bank switch"}, {"LOADRS", 0x5, "loadrs"},
                                           {"OVERFLOW", 0x3, "spilling"},       {"UNDERFLOW", 0x4, "filling"}};
inline constexpr Variant kBranchKinds[] = {{"ALL", 0x0, "all kinds"},
                                           {"IPREL", 0x4, "IP-relative"},
                                           {"NRETIND", 0xc, "other indirect"},
                                           {"RETURN", 0x8, "returns"}};
inline constexpr Variant kPredictions[] = {{"ALL_PRED", 0x0, "any prediction"},
                                           {"CORRECT_PRED", 0x1, "predicted right"},
                                           {"WRONG_PATH", 0x2, "wrong path"},
                                           {"WRONG_TARGET", 0x3, "wrong target"}};
inline constexpr Variant kGuesses[] = {{"ALL_UNKNOWN_PRED", 0x0, "any outcome"},
                                       {"UNKNOWN_PATH_CORRECT_PRED", 0x1, "guessed right"},
                                       {"UNKNOWN_PATH_WRONG_PATH", 0x2, "guessed wrong"}};
inline constexpr Variants kBrMispredDetail2{kBranchKinds, kGuesses};
inline constexpr Variant kPredictedPaths[] = {{"MISPRED_NOTTAKEN", 0x0, "wrongly predicted, not taken"},
                                              {"MISPRED_TAKEN", 0x1, "wrongly predicted, taken"},
                                              {"OKPRED_NOTTAKEN", 0x2, "rightly predicted, not taken"},
                                              {"OKPRED_TAKEN", 0x3, "rightly predicted, taken"}};
inline constexpr Variants kBrPathPred{kBranchKinds, kPredictedPaths};
inline constexpr Variant kPaths[] = {{"UNKNOWNPRED_NOTTAKEN", 0x0, "not taken"}, {"UNKNOWNPRED_TAKEN", 0x1, "taken"}};
inline constexpr Variants kBrPathPred2{kBranchKinds, kPaths};
inline constexpr Variant kBusSizes[] = {
    {"ALL", 0xc, "all sizes"}, {"EQ_128BYTE", 0x4, "whole lines"}, {"LT_128BYTE", 0x8, "less than a line"}};
inline constexpr Variant kLineReads[] = {{"ALL", 0xc, "all kinds"},
                                         {"BIL", 0x0, "line invalidates"},
                                         {"BRIL", 0x8, "line reads that invalidate"},
                                         {"BRL", 0x4, "line reads"}};
inline constexpr Variant kBusWrWb[] = {{"ALL_ANY", 0xf, "all kinds, by anybody"},
                                       {"ALL_IO", 0xd, "all kinds, by an I/O agent"},
                                       {"ALL_SELF", 0xe, "all kinds, by this processor"},
                                       {"CCASTOUT_ANY", 0xb, "unchanged lines cast out, by anybody"},
                                       {"CCASTOUT_SELF", 0xa, "unchanged lines cast out, by this processor"},
                                       {"EQ_128BYTE_ANY", 0x7, "whole lines, by anybody"},
                                       {"EQ_128BYTE_IO", 0x5, "whole lines, by an I/O agent"},
                                       {"EQ_128BYTE_SELF", 0x6, "whole lines, by this processor"}};
inline constexpr Variant kDataEarCacheLat[] = {
    {"1024", 0x8, "at least 1024 cycles"}, {"128", 0x5, "at least 128 cycles"},   {"16", 0x2, "at least 16 cycles"},
    {"2048", 0x9, "at least 2048 cycles"}, {"256", 0x6, "at least 256 cycles"},   {"32", 0x3, "at least 32 cycles"},
    {"4", 0x0, "at least 4 cycles"},       {"4096", 0xa, "at least 4096 cycles"}, {"512", 0x7, "at least 512 cycles"},
    {"64", 0x4, "at least 64 cycles"},     {"8", 0x1, "at least 8 cycles"}};
inline constexpr Variant kDataEarTlb[] = {{"ALL", 0xe, "all"},
                                          {"L2DTLB", 0x2, "found in the L2 DTLB"},
                                          {"VHPT", 0x4, "found by a page walk"},
                                          {"FAULT", 0x8, "ending in a fault"}};
inline constexpr Variant kEncodingBranches[] = {{"ALL", 0x0, "all kinds"},
                                                {"ALL2", 0xc, "second encoding, all kinds"},
                                                {"OVERSUB", 0x8, "more branches than slots"}};
inline constexpr Variants kEncbrMispredDetail{kEncodingBranches, kPredictions};
inline constexpr Variant kFeBubble[] = {{"ALL", 0x0, "any reason"},
                                        {"ALLBUT_FEFLUSH_BUBBLE", 0xb, "all but flushes and bubbles"},
                                        {"ALLBUT_IBFULL", 0xc, "all but a full buffer"},
                                        {"BRANCH", 0x9, "branch"},
                                        {"BUBBLE", 0xd, "taken-branch bubble"},
                                        {"FEFLUSH", 0x1, "front-end flush"},
                                        {"FILL_RECIRC", 0x8, "fill or recirculation"},
                                        {"GROUP1", 0x3, "branch or taken-branch bubble"},
                                        {"GROUP2", 0x4, "cache or ITLB miss"},
                                        {"GROUP3", 0xa, "branch, fill or recirculation"},
                                        {"IBFULL", 0x5, "buffer full"},
                                        {"IMISS", 0x6, "instruction cache miss"},
                                        {"TLBMISS", 0x7, "ITLB miss"}};
inline constexpr Variant kItlbMissesFetch[] = {
    {"ALL", 0x3, "in either ITLB"}, {"L1ITLB", 0x1, "in the L1 ITLB"}, {"L2ITLB", 0x2, "in both ITLBs"}};
inline constexpr Variant kL1dReadMisses[] = {{"ALL", 0x0, "all"}, {"RSE_FILL", 0x1, "fills of the register stack"}};
inline constexpr Variant kL1iEarCacheLat[] = {
    {"0", 0x40, "any latency"},         {"1024", 0xc0, "at least 1024 cycles"}, {"128", 0xf0, "at least 128 cycles"},
    {"16", 0xfc, "at least 16 cycles"}, {"256", 0xe0, "at least 256 cycles"},   {"32", 0xf8, "at least 32 cycles"},
    {"4", 0xff, "at least 4 cycles"},   {"4096", 0x80, "at least 4096 cycles"}, {"8", 0xfe, "at least 8 cycles"}};
inline constexpr Variant kL1iEarTlb[] = {{"ALL", 0x7, "all"},
                                         {"L2TLB", 0x1, "found in the L2 ITLB"},
                                         {"VHPT", 0x2, "found by a page walk"},
                                         {"FAULT", 0x4, "ending in a fault"}};
inline constexpr Variant kL1iPrefetchStall[] = {{"ALL", 0x3, "any reason"}, {"FLOW", 0x2, "flow control"}};
inline constexpr Variant kAny[] = {{"ANY", 0x0, "any"}};
inline constexpr Variant kThis[] = {{"THIS", 0x0, "this processor"}};
inline constexpr Variant kLookups[] = {{"ALL", 0x3, "all"}, {"HIT", 0x1, "hits"}, {"MISS", 0x2, "misses"}};
inline constexpr Variant kReads[] = {{"ALL", 0xc, "data and code"},
                                     {"DATA_READ", 0x8, "data"},
                                     {"DINST_FETCH", 0x0, "code on demand"},
                                     {"INST_FETCH", 0x4, "code, prefetches too"}};
inline constexpr Variants kL3Reads{kReads, kLookups};
inline constexpr Variant kWrites[] = {
    {"ALL", 0xc, "of every kind"}, {"DATA_WRITE", 0x4, "for stores"}, {"L2_WB", 0x8, "write-backs of L2"}};
inline constexpr Variants kL3Writes{kWrites, kLookups};
inline constexpr Variant kMemReadCurrent[] = {{"ANY", 0x3, "by anybody"}, {"IO", 0x1, "by an I/O agent"}};
inline constexpr Variant kRseReferencesRetired[] = {
    {"ALL", 0x3, "both ways"}, {"LOAD", 0x1, "fills"}, {"STORE", 0x2, "spills"}};
inline constexpr Variant kSyllOvercount[] = {
    {"ALL", 0x3, "any stop"}, {"EXPL", 0x1, "explicit stop"}, {"IMPL", 0x2, "implicit stop"}};

}  // namespace pmusim::encoder::ia64
