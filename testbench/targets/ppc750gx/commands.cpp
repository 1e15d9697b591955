#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets {
namespace {

using Shown = Ratio::Shown;

constexpr Ratio ratios[] = {
    {"cycles per instruction", "PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED", Shown::number, "insn per cycle"},
    {"L1 data cache misses per load or store", "L1_DCACHE_MISSES", "LOADS_AND_STORES", Shown::percent},
    {"L1 data cache misses per 1,000 instructions", "L1_DCACHE_MISSES", "INSTRUCTIONS_COMPLETED", Shown::per_thousand},
    {"mispredicted branches per 1,000 instructions", "MISPREDICTED_BRANCHES", "INSTRUCTIONS_COMPLETED",
     Shown::per_thousand}};

constexpr GenericEvent generic[] = {{"cycles", "PROCESSOR_CYCLES"},
                                    {"instructions", "INSTRUCTIONS_COMPLETED", "without folded branches"},
                                    {"branches", "", "TAKEN_BRANCHES and BRANCHES_NOT_TAKEN each count a part of them"},
                                    {"branch-misses", "MISPREDICTED_BRANCHES"},
                                    {"cache-references", "L2_ACCESSES"},
                                    {"cache-misses", "", "L2_I_MISSES and L2_DATA_MISSES each count a part of them"},
                                    {"L1-dcache-loads", "LOADS_AND_STORES", "stores, too"},
                                    {"L1-dcache-load-misses", "L1_DCACHE_MISSES", "stores, too"},
                                    {"L1-icache-loads", "EAS_DELIVERED", "the addresses that are sent to the cache"},
                                    {"L1-icache-load-misses", "L1_ICACHE_MISSES"},
                                    {"dTLB-load-misses", "DTLB_MISSES", "stores, too"},
                                    {"iTLB-load-misses", "ITLB_MISSES"}};

constexpr std::string_view no_word = "no request can ask for it; an answer that sets it counts otherwise";
constexpr NeverAsked never_asked[] = {
    {"MMCR0", "DIS", "1", started_last},
    {"MMCR0", "DISCOUNT", "1", no_word},
    {"MMCR0", "INTONBITTRANS", "1", no_word},
    {"MMCR0", "PMCTRIGGER", "1", no_word},
    {"MMCR0", "PMC1SELECT", "1", "there is no such select of PMC1"},
    {"MMCR0", "PMC2SELECT", "1", "there is no such select of PMC2"},
    {"MMCR1", "PMC4SELECT", "1", "there is no such select of PMC4"},
};

constexpr PerfFacts no_perf_of_750{nullptr,
                                   "Linux's perf has no driver for the 750; the one for the 7450 has other events"};

}  // namespace

const CommandFacts ppc750gx::commands{
    .ratios = ratios, .generic = generic, .never_asked = never_asked, .perf = no_perf_of_750};
const CommandFacts ppc750gl::commands{
    .ratios = ratios, .generic = generic, .never_asked = never_asked, .perf = no_perf_of_750};

}  // namespace pmusim::testbench::targets
