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
                                          {"FAULT", 0x8, "ending in a fault"},
                                          {"L2DTLB", 0x2, "found in the L2 DTLB"},
                                          {"L2DTLB_OR_FAULT", 0xa, "found in the L2 DTLB or ending in a fault"},
                                          {"L2DTLB_OR_VHPT", 0x6, "found in the L2 DTLB or found by a page walk"},
                                          {"VHPT", 0x4, "found by a page walk"},
                                          {"VHPT_OR_FAULT", 0xc, "found by a page walk or ending in a fault"}};
inline constexpr Variant kEncbrMispredDetail[] = {
    {"ALL_ALL_PRED", 0x0, "all kinds, any prediction"},
    {"ALL_CORRECT_PRED", 0x1, "all kinds, predicted right"},
    {"ALL_WRONG_PATH", 0x2, "all kinds, wrong path"},
    {"ALL_WRONG_TARGET", 0x3, "all kinds, wrong target"},
    {"ALL2_ALL_PRED", 0xc, "second encoding, all kinds, any prediction"},
    {"ALL2_CORRECT_PRED", 0xd, "second encoding, all kinds, predicted right"},
    {"ALL2_WRONG_PATH", 0xe, "second encoding, all kinds, wrong path"},
    {"ALL2_WRONG_TARGET", 0xf, "second encoding, all kinds, wrong target"},
    {"OVERSUB_ALL_PRED", 0x8, "more branches than slots, any prediction"},
    {"OVERSUB_CORRECT_PRED", 0x9, "more branches than slots, predicted right"},
    {"OVERSUB_WRONG_PATH", 0xa, "more branches than slots, wrong path"},
    {"OVERSUB_WRONG_TARGET", 0xb, "more branches than slots, wrong target"}};
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
                                         {"FAULT", 0x4, "ending in a fault"},
                                         {"L2TLB", 0x1, "found in the L2 ITLB"},
                                         {"L2TLB_OR_FAULT", 0x5, "found in the L2 ITLB or ending in a fault"},
                                         {"L2TLB_OR_VHPT", 0x3, "found in the L2 ITLB or found by a page walk"},
                                         {"VHPT", 0x2, "found by a page walk"},
                                         {"VHPT_OR_FAULT", 0x6, "found by a page walk or ending in a fault"}};
inline constexpr Variant kL1iPrefetchStall[] = {{"ALL", 0x3, "any reason"}, {"FLOW", 0x2, "flow control"}};
inline constexpr Variant kAny[] = {{"ANY", 0x0, "any"}};
inline constexpr Variant kThis[] = {{"THIS", 0x0, "this processor"}};
inline constexpr Variant kL3Reads[] = {{"ALL_ALL", 0xf, "data and code, all"},
                                       {"ALL_HIT", 0xd, "data and code, hits"},
                                       {"ALL_MISS", 0xe, "data and code, misses"},
                                       {"DATA_READ_ALL", 0xb, "data, all"},
                                       {"DATA_READ_HIT", 0x9, "data, hits"},
                                       {"DATA_READ_MISS", 0xa, "data, misses"},
                                       {"DINST_FETCH_ALL", 0x3, "code on demand, all"},
                                       {"DINST_FETCH_HIT", 0x1, "code on demand, hits"},
                                       {"DINST_FETCH_MISS", 0x2, "code on demand, misses"},
                                       {"INST_FETCH_ALL", 0x7, "code, prefetches too, all"},
                                       {"INST_FETCH_HIT", 0x5, "code, prefetches too, hits"},
                                       {"INST_FETCH_MISS", 0x6, "code, prefetches too, misses"}};
inline constexpr Variant kL3Writes[] = {
    {"ALL_ALL", 0xf, "of every kind, all"},          {"ALL_HIT", 0xd, "of every kind, hits"},
    {"ALL_MISS", 0xe, "of every kind, misses"},      {"DATA_WRITE_ALL", 0x7, "for stores, all"},
    {"DATA_WRITE_HIT", 0x5, "for stores, hits"},     {"DATA_WRITE_MISS", 0x6, "for stores, misses"},
    {"L2_WB_ALL", 0xb, "write-backs of L2, all"},    {"L2_WB_HIT", 0x9, "write-backs of L2, hits"},
    {"L2_WB_MISS", 0xa, "write-backs of L2, misses"}};
inline constexpr Variant kMemReadCurrent[] = {{"ANY", 0x3, "by anybody"}, {"IO", 0x1, "by an I/O agent"}};
inline constexpr Variant kRseReferencesRetired[] = {
    {"ALL", 0x3, "both ways"}, {"LOAD", 0x1, "fills"}, {"STORE", 0x2, "spills"}};
inline constexpr Variant kSyllOvercount[] = {
    {"ALL", 0x3, "any stop"}, {"EXPL", 0x1, "explicit stop"}, {"IMPL", 0x2, "implicit stop"}};

}  // namespace pmusim::encoder::ia64
