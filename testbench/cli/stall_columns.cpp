#include "testbench/cli/stall_columns.h"

#include <algorithm>

namespace pmusim::testbench {
namespace {

// For each family: the events that count stall cycles and overlap as little as possible. The 21264 has none; only
// samples show the distribution of its cycles.
constexpr StallEvent table[] = {
    {"DISPATCH_STALLS", "dispatch"},
    {"INSTRUCTION_DECODER_EMPTY", "no code"},
    {"L1_LOAD_MISS_CYCLES", "load miss"},
    {"BPU_LR_CR_STALL_CYCLES", "LR/CR"},
    {"SECOND_UNRESOLVED_BRANCH_STALLS", "branches"},
    {"PF_PIPEFROZEN", "frozen"},
    {"PF_PIPEDRY", "dry"},
    {"PF5_MUX1_NON_ISSUE_CYCLES", "frozen"},
    {"PF5_MUX1_PIPELINE_DRY", "dry"},
    {"BE_EXE_BUBBLE_ALL", "EXE"},
    {"BE_L1D_FPU_BUBBLE_ALL", "L1D/FPU"},
    {"BE_RSE_BUBBLE_ALL", "RSE"},
    {"BE_FLUSH_BUBBLE_ALL", "flush"},
    {"BACK_END_BUBBLE_FE", "front end"},
};

}  // namespace

std::vector<StallEvent> stall_events(std::span<const encoder::EventInfo> events) {
  std::vector<StallEvent> found;
  for (const StallEvent& stall : table) {
    const bool has =
        std::any_of(events.begin(), events.end(), [&](const auto& event) { return event.name == stall.event; });
    if (has) found.push_back(stall);
  }
  return found;
}

}  // namespace pmusim::testbench
