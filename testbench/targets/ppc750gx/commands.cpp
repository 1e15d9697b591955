#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets {
namespace {

constexpr Ratio ratios[] = {
    {"cycles per instruction", "PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED"},
    {"L1 data cache misses per load or store", "L1_DCACHE_MISSES", "LOADS_AND_STORES"},
    {"mispredicted branches per instruction", "MISPREDICTED_BRANCHES", "INSTRUCTIONS_COMPLETED"}};

constexpr std::string_view no_word = "a request has no word for it; an answer that sets it counts otherwise";
constexpr NeverAsked never_asked[] = {
    {"MMCR0", "DIS", "1", started_last},
    {"MMCR0", "DISCOUNT", "1", no_word},
    {"MMCR0", "INTONBITTRANS", "1", no_word},
    {"MMCR0", "PMCTRIGGER", "1", no_word},
    {"MMCR0", "PMC1SELECT", "1", "there is no such select of PMC1"},
    {"MMCR0", "PMC2SELECT", "1", "there is no such select of PMC2"},
    {"MMCR1", "PMC4SELECT", "1", "there is no such select of PMC4"},
};

}  // namespace

namespace ppc750gx {
extern const CommandFacts commands{ratios, never_asked};
}
namespace ppc750gl {
extern const CommandFacts commands{ratios, never_asked};
}

}  // namespace pmusim::testbench::targets
