#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets::athlon {
namespace {

using Shown = Ratio::Shown;

constexpr Ratio ratios[] = {
    {"cycles per instruction", "CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS"},
    {"operations per instruction", "RETIRED_UOPS", "RETIRED_INSTRUCTIONS"},
    {"data cache misses per access", "DATA_CACHE_MISSES", "DATA_CACHE_ACCESSES", Shown::percent},
    {"data cache misses per 1,000 instructions", "DATA_CACHE_MISSES", "RETIRED_INSTRUCTIONS", Shown::per_thousand},
    {"instruction cache misses per fetch", "INSTRUCTION_CACHE_MISSES", "INSTRUCTION_CACHE_FETCHES", Shown::percent},
    {"mispredicted branches per branch", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", "RETIRED_BRANCH_INSTRUCTIONS",
     Shown::percent},
    {"mispredicted returns per return", "RETIRED_NEAR_RETURNS_MISPREDICTED", "RETIRED_NEAR_RETURNS", Shown::percent},
    {"cycles with a dispatch stall per cycle", "DISPATCH_STALLS", "CPU_CLK_UNHALTED", Shown::percent}};

// cycles, instructions, branches, L1 and TLB as in Linux' table for this processor.
constexpr GenericEvent generic[] = {
    {"cycles", "CPU_CLK_UNHALTED"},
    {"instructions", "RETIRED_INSTRUCTIONS"},
    {"branches", "RETIRED_BRANCH_INSTRUCTIONS"},
    {"branch-misses", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS"},
    {"cache-references", "",
     "DATA_CACHE_MISSES and INSTRUCTION_CACHE_MISSES each count a part of what L2 is asked for"},
    {"cache-misses", "",
     "DATA_CACHE_REFILLS_FROM_SYSTEM and INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM each count a part of what L2 lacks"},
    {"L1-dcache-loads", "DATA_CACHE_ACCESSES", "stores, too"},
    {"L1-dcache-load-misses", "DATA_CACHE_MISSES", "stores, too"},
    {"L1-icache-loads", "INSTRUCTION_CACHE_FETCHES"},
    {"L1-icache-load-misses", "INSTRUCTION_CACHE_MISSES"},
    {"dTLB-load-misses", "L1_DTLB_AND_L2_DTLB_MISS", "stores, too"},
    {"iTLB-load-misses", "L1_ITLB_MISS_AND_L2_ITLB_MISS"}};

}  // namespace

extern const CommandFacts commands{.ratios = ratios, .generic = generic};

}  // namespace pmusim::testbench::targets::athlon
