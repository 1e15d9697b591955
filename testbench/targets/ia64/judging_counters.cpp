// The counters of the events, and the events that can occur more than once in a cycle. Source: libpfm's tables of
// events.
#include <algorithm>
#include <array>
#include <numeric>

#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench::ia64 {
namespace {

/// Both processors count these on PMC5 only.
constexpr std::array<std::string_view, 9> on_pmc5{"BE_L1D", "DATA_REFERENCES", "L1DTLB", "L1D", "L2DTLB",
                                                  "LOADS",  "MISALIGNED",      "STORES", "UC"};

constexpr MostInCycle several_in_cycle[] = {
    {"ALAT_CAPACITY_MISS_", 2},
    {"BE_LOST_BW_DUE_TO_FE_", 2},
    {"BR_MISPRED_DETAIL2_", 2},
    {"BR_MISPRED_DETAIL_", 3},
    {"BR_PATH_PRED2_", 2},
    {"BR_PATH_PRED_", 3},
    {"DATA_REFERENCES_SET", 4},
    {"DTLB_INSERTS_HPW", 4},
    {"ENCBR_MISPRED_DETAIL_", 3},
    {"FE_LOST_BW_", 2},
    {"HPW_DATA_REFERENCES", 4},
    {"IA64_", 6},
    {"IDEAL_BE_LOST_BW_DUE_TO_FE_", 2},
    {"INST_CHKA_LDC_ALAT_", 2},
    {"INST_DISPERSED", 6},
    {"L1D_READ", 2},
    {"L2DTLB_MISSES", 4},
    {"LOADS_RETIRED", 4},
    {"MISALIGNED_LOADS_RETIRED", 4},
    {"MISALIGNED_STORES_RETIRED", 2},
    {"NOPS_RETIRED", 6},
    {"PREDICATE_SQUASHED_RETIRED", 6},
    {"RSE_CURRENT_REGS_2_TO_0", 7},
    {"RSE_CURRENT_REGS_5_TO_3", 7},
    {"RSE_DIRTY_REGS_2_TO_0", 7},
    {"RSE_DIRTY_REGS_5_TO_3", 7},
    {"RSE_REFERENCES_RETIRED_", 2},
    {"STORES_RETIRED", 2},
    {"SYLL_NOT_DISPERSED_", 5},
    {"SYLL_OVERCOUNT_", 2},
    {"UC_LOADS_RETIRED", 4},
    {"UC_STORES_RETIRED", 2},
};

}  // namespace

std::vector<unsigned> counters_of(const Processor& processor, std::string_view row) {
  const auto begins = [&](std::string_view prefix) { return row.starts_with(prefix); };
  if (std::any_of(on_pmc5.begin(), on_pmc5.end(), begins)) return {1};
  for (const Placing& placing : processor.placings) {
    if (begins(placing.prefix)) return placing.counters;
  }
  std::vector<unsigned> all(processor.counters);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

unsigned most_in_cycle(const Processor& processor, std::string_view event) {
  const MostInCycle own = most_in_cycle(processor.several_in_cycle, event);
  const MostInCycle shared = most_in_cycle(several_in_cycle, event);
  return own.prefix.size() >= shared.prefix.size() ? own.most : shared.most;
}

}  // namespace pmusim::testbench::ia64
