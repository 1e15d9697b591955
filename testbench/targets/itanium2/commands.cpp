#include "testbench/targets/ia64/commands.h"

namespace pmusim::testbench::targets::itanium2 {
namespace {

constexpr Ratio ratios[] = {
    {"cycles per instruction", "CPU_CYCLES", "IA64_INST_RETIRED"},
    {"share of cycles in which the back end stands", "BACK_END_BUBBLE_ALL", "CPU_CYCLES"},
    {"nops per instruction", "NOPS_RETIRED", "IA64_INST_RETIRED"},
    {"wrong paths per branch", "BR_MISPRED_DETAIL_ALL_WRONG_PATH", "BR_MISPRED_DETAIL_ALL_ALL_PRED"},
    {"loads per instruction", "LOADS_RETIRED", "IA64_INST_RETIRED"}};

constexpr NeverAsked never_asked[] = {
    ia64::freeze,   ia64::overflow,    {"PMC4", "enable", "0", "no counter runs without it"}, ia64::reads, ia64::writes,
    ia64::executes, ia64::data_levels,
};

}  // namespace

extern const CommandFacts commands{ratios, never_asked};

}  // namespace pmusim::testbench::targets::itanium2
