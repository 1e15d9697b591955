#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets::athlon {
namespace {

constexpr Ratio ratios[] = {
    {"cycles per instruction", "CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS"},
    {"operations per instruction", "RETIRED_UOPS", "RETIRED_INSTRUCTIONS"},
    {"data cache misses per access", "DATA_CACHE_MISSES", "DATA_CACHE_ACCESSES"},
    {"instruction cache misses per fetch", "INSTRUCTION_CACHE_MISSES", "INSTRUCTION_CACHE_FETCHES"},
    {"mispredicted branches per branch", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", "RETIRED_BRANCH_INSTRUCTIONS"},
    {"mispredicted returns per return", "RETIRED_NEAR_RETURNS_MISPREDICTED", "RETIRED_NEAR_RETURNS"},
    {"cycles with a dispatch stall per cycle", "DISPATCH_STALLS", "CPU_CLK_UNHALTED"}};

}  // namespace

extern const CommandFacts commands{ratios};

}  // namespace pmusim::testbench::targets::athlon
