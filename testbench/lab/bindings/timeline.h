// The upper half of the timeline: instructions with the cycles of their stages, and requests to caches.
#pragma once

#include <cstdint>
#include <vector>

#include "models/activity/activity.h"

namespace pmusim::lab {

/// A cycle that does not exist: of a stage that a core does not report, or of a fate that the instruction did not have.
inline constexpr std::uint32_t no_cycle = 0xffffffff;

/// Cycles are relative to the first of the activity. The layouts are known to page/model.js.
struct InstructionRow {
  std::uint32_t ip_low, ip_high;
  std::uint32_t fetch, dispatch, issue, finish, retire, kill;
  std::uint32_t flags;  ///< bits 0..1 slot, 2 thread, 3 wrong path, 4 mispredicted, 5 load, 6 store, 7 branch
  std::uint32_t id;
};

struct RequestRow {
  std::uint32_t address_low = 0, address_high = 0, ip_low = 0, ip_high = 0;
  std::uint32_t start = 0, end = no_cycle;  ///< end: no_cycle if the activity has none
  std::uint32_t flags = 0;                  ///< bit 0 store, 1 has an instruction, 2 thread, 3 wrong path, 4 fetch side
  std::uint32_t instruction = 0;
  std::uint32_t id = 0;
};

struct Timeline {
  std::vector<InstructionRow> instructions;  ///< by their first cycle
  std::vector<RequestRow> requests;          ///< those with a duration, by their start
};
[[nodiscard]] Timeline timeline_of(const std::vector<activity::Block>& blocks);

}  // namespace pmusim::lab
