#include "testbench/targets/ia64/commands.h"

namespace pmusim::testbench::targets::montecito {
namespace {

using Shown = Ratio::Shown;

constexpr Ratio ratios[] = {
    {"cycles per instruction", "CPU_OP_CYCLES_ALL", "IA64_INST_RETIRED", Shown::number, "insn per cycle"},
    {"share of cycles in which the back end stands", "BACK_END_BUBBLE_ALL", "CPU_OP_CYCLES_ALL", Shown::percent},
    {"nops per instruction", "NOPS_RETIRED", "IA64_INST_RETIRED", Shown::percent},
    {"wrong paths per branch", "BR_MISPRED_DETAIL_ALL_WRONG_PATH", "BR_MISPRED_DETAIL_ALL_ALL_PRED", Shown::percent},
    {"loads per instruction", "LOADS_RETIRED", "IA64_INST_RETIRED", Shown::percent},
    {"L3 misses per reference", "L3_MISSES", "L3_REFERENCES", Shown::percent},
    {"L3 misses per 1,000 instructions", "L3_MISSES", "IA64_INST_RETIRED", Shown::per_thousand}};

constexpr GenericEvent generic[] = {
    {"cycles", "CPU_OP_CYCLES_ALL"},
    {"instructions", "IA64_INST_RETIRED"},
    {"branches", "BR_MISPRED_DETAIL_ALL_ALL_PRED"},
    {"branch-misses", "",
     "BR_MISPRED_DETAIL_ALL_WRONG_PATH and BR_MISPRED_DETAIL_ALL_WRONG_TARGET each count a part of them"},
    {"cache-references", "L3_REFERENCES"},
    {"cache-misses", "L3_MISSES"},
    {"L1-dcache-loads", "L1D_READS_SET0", "integer loads: the others do not use the cache"},
    {"L1-dcache-load-misses", "L1D_READ_MISSES_ALL"},
    {"L1-icache-loads", "L1I_READS", "32 bytes each"},
    {"L1-icache-load-misses", "L2I_DEMAND_READS", "lines that are fetched on demand"},
    {"dTLB-load-misses", "L2DTLB_MISSES", "stores, too"},
    {"iTLB-load-misses", "ITLB_MISSES_FETCH_ALL"}};

constexpr NeverAsked never_asked[] = {
    ia64::freeze,
    ia64::overflow,
    {"PMC36", "", "1", "a matcher that is not asked for matches everything"},
    {"PMC39", "ds", "1", "the trace buffer keeps no predictions"},
    {"PMC42", "mode", "1", "there is one mode"},
    ia64::reads,
    ia64::writes,
    ia64::executes,
    ia64::data_levels,
};

}  // namespace

extern const CommandFacts commands{
    .ratios = ratios, .generic = generic, .never_asked = never_asked, .perf = ia64::no_perf};

}  // namespace pmusim::testbench::targets::montecito
