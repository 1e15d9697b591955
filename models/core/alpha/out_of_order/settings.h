// Named sizes and times of the out-of-order pipeline; ../chips.cpp has the values. Penalties are those of the manual:
// cycles from the fetch of an instruction to the fetch of the instruction that replaces it, if nothing else delays it.
#pragma once

#include <span>

#include "models/core/alpha/settings.h"

namespace pmusim::core::alpha::out_of_order {

inline constexpr unsigned fetch_to_map = 2;    ///< fetch, slot, map
inline constexpr unsigned fetch_to_issue = 3;  ///< least cycles from fetch to issue

struct OutOfOrderSettings {
  /// Throws ParameterError for inconsistent values.
  OutOfOrderSettings(Chip chip, const models::Parameters& given);

  unsigned wrong_path = 0;
  unsigned fetch_groups = 0, integer_queue = 0, fp_queue = 0, load_queue = 0, store_queue = 0;
  unsigned integer_registers = 0, fp_registers = 0;
  unsigned register_reserve = 0, register_stall = 0, register_release = 0;
  unsigned queue_release = 0;
  unsigned retire_width = 0, retire_burst = 0;
  unsigned line_bubble = 0, return_stack = 0;
  unsigned store_wait_entries = 0, store_wait_period = 0;
  unsigned cluster_delay = 0, fp_to_store = 0, fp_load_extra = 0;
  unsigned mispredict_penalty = 0, jump_penalty = 0, order_penalty = 0, replay_penalty = 0, dtb_penalty = 0,
           itb_penalty = 0, arithmetic_penalty = 0, fp_arithmetic_penalty = 0, decode_penalty = 0;
  unsigned integer_retire = 0, memory_retire = 0, jump_retire = 0, fp_retire = 0;
  unsigned four_levels = 0;

  /// Cycles from the issue of an instruction to the cycle before the fetch of the instruction that replaces it.
  [[nodiscard]] static unsigned from_issue(unsigned penalty) { return penalty - fetch_to_issue - 1; }
};

[[nodiscard]] std::span<const Field<OutOfOrderSettings>> settings_fields();

}  // namespace pmusim::core::alpha::out_of_order
