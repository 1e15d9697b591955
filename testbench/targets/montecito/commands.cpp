#include "testbench/targets/ia64/commands.h"

namespace pmusim::testbench::targets::montecito {
namespace {

constexpr Ratio ratios[] = {
    {"cycles per instruction", "CPU_OP_CYCLES_ALL", "IA64_INST_RETIRED"},
    {"share of cycles in which the back end stands", "BACK_END_BUBBLE_ALL", "CPU_OP_CYCLES_ALL"},
    {"nops per instruction", "NOPS_RETIRED", "IA64_INST_RETIRED"},
    {"wrong paths per branch", "BR_MISPRED_DETAIL_ALL_WRONG_PATH", "BR_MISPRED_DETAIL_ALL_ALL_PRED"},
    {"loads per instruction", "LOADS_RETIRED", "IA64_INST_RETIRED"}};

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

extern const CommandFacts commands{ratios, never_asked};

}  // namespace pmusim::testbench::targets::montecito
