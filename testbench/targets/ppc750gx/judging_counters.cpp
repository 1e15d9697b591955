// The counters of each event of the 750GX (user's manual, tables 11-2 to 11-5).
#include "testbench/targets/ppc750gx/judging.h"

namespace pmusim::testbench::targets::ppc750gx {

const std::map<std::string, std::vector<unsigned>>& counters_of_events() {
  static const std::map<std::string, std::vector<unsigned>> table{
      {"NOTHING", {0, 1, 2, 3}},
      {"PROCESSOR_CYCLES", {0, 1, 2, 3}},
      {"INSTRUCTIONS_COMPLETED", {0, 1, 2, 3}},
      {"TBL_BIT_TRANSITIONS", {0, 1, 2, 3}},
      {"INSTRUCTIONS_DISPATCHED", {0, 1, 2, 3}},
      {"EIEIO_INSTRUCTIONS", {0}},
      {"ITLB_TABLE_SEARCH_CYCLES", {0}},
      {"L2_ACCESSES", {0}},
      {"EAS_DELIVERED", {0}},
      {"IABR_MATCHES", {0}},
      {"L1_LOAD_MISSES", {0}},
      {"UNRESOLVED_BRANCHES", {0}},
      {"SECOND_UNRESOLVED_BRANCH_STALLS", {0}},
      {"L1_ICACHE_MISSES", {1}},
      {"ITLB_MISSES", {1}},
      {"L2_I_MISSES", {1}},
      {"BRANCHES_NOT_TAKEN", {1}},
      {"RESERVED_LOADS", {1}},
      {"LOADS_AND_STORES", {1}},
      {"SNOOPS", {1}},
      {"L1_CASTOUTS_TO_L2", {1}},
      {"SYSTEM_UNIT_INSTRUCTIONS", {1}},
      {"INSTRUCTION_FETCH_MISSES", {1}},
      {"SPECULATIVE_BRANCHES", {1}},
      {"L1_DCACHE_MISSES", {2}},
      {"DTLB_MISSES", {2}},
      {"L2_DATA_MISSES", {2}},
      {"TAKEN_BRANCHES", {2}},
      {"STORE_CONDITIONAL_INSTRUCTIONS", {2}},
      {"FPU_INSTRUCTIONS", {2}},
      {"L2_CASTOUTS_MODIFIED_SNOOPS", {2}},
      {"L2_HITS", {2}},
      {"L1_LOAD_MISS_CYCLES", {2}},
      {"SECOND_STREAM_RESOLVED_BRANCHES", {2}},
      {"BPU_LR_CR_STALL_CYCLES", {2}},
      {"L2_CASTOUTS", {3}},
      {"DTLB_TABLE_SEARCH_CYCLES", {3}},
      {"MISPREDICTED_BRANCHES", {3}},
      {"STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", {3}},
      {"SYNC_INSTRUCTIONS", {3}},
      {"SNOOP_RETRIES", {3}},
      {"INTEGER_OPERATIONS", {3}},
      {"BPU_BLOCKED_CYCLES", {3}},
  };
  return table;
}

}  // namespace pmusim::testbench::targets::ppc750gx
