#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets {
namespace {

constexpr Ratio ev4[] = {{"data cache misses per load", "PF_DCACHE", "PF_LOADI"},
                         {"mispredicted branches per branch", "PF_BRANCHMISS", "PF_BRANCHI"},
                         {"instruction cache misses per cycle", "PF_ICACHE", "PF_CYCLES"}};
constexpr Ratio ev5[] = {
    {"cycles per instruction issued", "PF5_MUX2_C_CYCLES", "PF5_MUX0_ISSUES"},
    {"data cache misses per access", "PF5_MUX2_C_DCACHE_MISSES", "PF5_MUX1_C_DCACHE_ACCESS"},
    {"instruction cache misses per access", "PF5_MUX2_C_ICACHE_MISSES", "PF5_MUX1_C_ICACHE_ACCESS"}};
constexpr Ratio ev6[] = {
    {"cycles per instruction", "PF6_MUX1_CYCLES", "PF6_MUX0_RET_INSTRUCTIONS"},
    {"conditional branches per instruction", "PF6_MUX1_RET_COND_BRANCHES", "PF6_MUX0_RET_INSTRUCTIONS"},
    {"replay traps per cycle", "PF6_MUX1_REPLAY_TRAP", "PF6_MUX0_CYCLES"}};
constexpr Ratio ev67[] = {{"cycles per instruction", "CYCLES1", "RETINST"},
                          {"Bcache misses per instruction", "BCACHEMISSES", "RETINST"},
                          {"replay traps per cycle", "REPLAY", "CYCLES0"}};

constexpr NeverAsked never_asked_ev6[] = {
    {"WRPERFMON_SELECT", "SL1", "1", "selects from 8 on have no event"},
};

constexpr StatisticFacts two_periods_of_hardware{.at_once = 2, .asks_for_periods = true};
constexpr StatisticFacts one_period_of_choice{.asks_for_periods = true};
constexpr StatisticFacts start_values;

}  // namespace

namespace alpha_ev4 {
extern const CommandFacts commands{.ratios = ev4, .statistics = &two_periods_of_hardware};
}
namespace alpha_ev5 {
extern const CommandFacts commands{.ratios = ev5, .statistics = &one_period_of_choice};
}
namespace alpha_pca56 {
extern const CommandFacts commands{.ratios = ev5, .statistics = &one_period_of_choice};
}
namespace alpha_ev6 {
extern const CommandFacts commands{.ratios = ev6, .never_asked = never_asked_ev6, .statistics = &start_values};
}
namespace alpha_ev67 {
extern const CommandFacts commands{.ratios = ev67, .never_asked = never_asked_ev6, .statistics = &start_values};
}

}  // namespace pmusim::testbench::targets
