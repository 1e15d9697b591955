// Sizes and times of the out-of-order part by name; the values are in chips/ev6.cpp and ev67.cpp. Penalties are the
// manual's: cycles from the fetch of the instruction to that of what comes instead, when nothing else delays it.
#pragma once

#include <span>

#include "models/core/alpha/settings.h"

namespace pmusim::core::alpha::out_of_order {

inline constexpr unsigned fetch_to_map = 2;    ///< fetch, slot, map
inline constexpr unsigned fetch_to_issue = 3;  ///< at the earliest

struct Sizes {
  /// Throws ParameterError for an impossible set of values.
  explicit Sizes(const models::Parameters& given);

  unsigned wrong_path = 1;
  unsigned fetch_groups = 20, integer_queue = 20, fp_queue = 15, load_queue = 32, store_queue = 32;
  unsigned retire_width = 8, retire_burst = 11;
  unsigned line_bubble = 1, return_stack = 32;
  unsigned store_wait_entries = 1024, store_wait_period = 16384;
  unsigned cluster_delay = 1, fp_to_store = 2, fp_load_extra = 1;
  unsigned mispredict_penalty = 7, jump_penalty = 8, order_penalty = 14, replay_penalty = 13, dtb_penalty = 13,
           itb_penalty = 7, arithmetic_penalty = 12, fp_arithmetic_penalty = 13, decode_penalty = 13;
  unsigned integer_retire = 7, memory_retire = 10, jump_retire = 10, fp_retire = 7;
  unsigned four_levels = 0;

  /// Cycles from the issue of an instruction to the last one before what comes instead is fetched.
  [[nodiscard]] static unsigned from_issue(unsigned penalty) { return penalty - fetch_to_issue - 1; }
};

[[nodiscard]] std::span<const Field<Sizes>> sizes_fields();
/// The rows that EV6 and EV67 have in common.
[[nodiscard]] std::span<const Value> sizes_values();

}  // namespace pmusim::core::alpha::out_of_order
