#include "testbench/cli/ratios.h"

#include <array>

namespace pmusim::testbench {
namespace {

constexpr auto athlon = std::to_array<Ratio>(
    {{"cycles per instruction", "CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS"},
     {"operations per instruction", "RETIRED_UOPS", "RETIRED_INSTRUCTIONS"},
     {"data cache misses per access", "DATA_CACHE_MISSES", "DATA_CACHE_ACCESSES"},
     {"instruction cache misses per fetch", "INSTRUCTION_CACHE_MISSES", "INSTRUCTION_CACHE_FETCHES"},
     {"mispredicted branches per branch", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", "RETIRED_BRANCH_INSTRUCTIONS"},
     {"mispredicted returns per return", "RETIRED_NEAR_RETURNS_MISPREDICTED", "RETIRED_NEAR_RETURNS"},
     {"cycles with a dispatch stall per cycle", "DISPATCH_STALLS", "CPU_CLK_UNHALTED"}});
constexpr auto ppc750 = std::to_array<Ratio>(
    {{"cycles per instruction", "PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED"},
     {"L1 data cache misses per load or store", "L1_DCACHE_MISSES", "LOADS_AND_STORES"},
     {"mispredicted branches per instruction", "MISPREDICTED_BRANCHES", "INSTRUCTIONS_COMPLETED"}});
constexpr auto itanium2 = std::to_array<Ratio>(
    {{"cycles per instruction", "CPU_CYCLES", "IA64_INST_RETIRED"},
     {"share of cycles in which the back end stands", "BACK_END_BUBBLE_ALL", "CPU_CYCLES"},
     {"nops per instruction", "NOPS_RETIRED", "IA64_INST_RETIRED"},
     {"wrong paths per branch", "BR_MISPRED_DETAIL_ALL_WRONG_PATH", "BR_MISPRED_DETAIL_ALL_ALL_PRED"},
     {"loads per instruction", "LOADS_RETIRED", "IA64_INST_RETIRED"}});
constexpr auto montecito = std::to_array<Ratio>(
    {{"cycles per instruction", "CPU_OP_CYCLES_ALL", "IA64_INST_RETIRED"},
     {"share of cycles in which the back end stands", "BACK_END_BUBBLE_ALL", "CPU_OP_CYCLES_ALL"},
     {"nops per instruction", "NOPS_RETIRED", "IA64_INST_RETIRED"},
     {"wrong paths per branch", "BR_MISPRED_DETAIL_ALL_WRONG_PATH", "BR_MISPRED_DETAIL_ALL_ALL_PRED"},
     {"loads per instruction", "LOADS_RETIRED", "IA64_INST_RETIRED"}});
constexpr auto ev4 = std::to_array<Ratio>({{"data cache misses per load", "PF_DCACHE", "PF_LOADI"},
                                           {"mispredicted branches per branch", "PF_BRANCHMISS", "PF_BRANCHI"},
                                           {"instruction cache misses per cycle", "PF_ICACHE", "PF_CYCLES"}});
constexpr auto ev5 = std::to_array<Ratio>(
    {{"cycles per instruction issued", "PF5_MUX2_C_CYCLES", "PF5_MUX0_ISSUES"},
     {"data cache misses per access", "PF5_MUX2_C_DCACHE_MISSES", "PF5_MUX1_C_DCACHE_ACCESS"},
     {"instruction cache misses per access", "PF5_MUX2_C_ICACHE_MISSES", "PF5_MUX1_C_ICACHE_ACCESS"}});
constexpr auto ev6 = std::to_array<Ratio>(
    {{"cycles per instruction", "PF6_MUX1_CYCLES", "PF6_MUX0_RET_INSTRUCTIONS"},
     {"conditional branches per instruction", "PF6_MUX1_RET_COND_BRANCHES", "PF6_MUX0_RET_INSTRUCTIONS"},
     {"replay traps per cycle", "PF6_MUX1_REPLAY_TRAP", "PF6_MUX0_CYCLES"}});
constexpr auto ev67 = std::to_array<Ratio>({{"cycles per instruction", "CYCLES1", "RETINST"},
                                            {"Bcache misses per instruction", "BCACHEMISSES", "RETINST"},
                                            {"replay traps per cycle", "REPLAY", "CYCLES0"}});

struct Row {
  std::string_view target;
  std::span<const Ratio> ratios;
};
constexpr Row rows[] = {{"athlon", athlon},       {"ppc750gx", ppc750}, {"ppc750gl", ppc750}, {"itanium2", itanium2},
                        {"montecito", montecito}, {"alpha-ev4", ev4},   {"alpha-ev5", ev5},   {"alpha-pca56", ev5},
                        {"alpha-ev6", ev6},       {"alpha-ev67", ev67}};

}  // namespace

std::span<const Ratio> ratios_of(std::string_view target) {
  for (const Row& row : rows) {
    if (row.target == target) return row.ratios;
  }
  return {};
}

}  // namespace pmusim::testbench
