// Sizes of the in-order pipelines (21064, 21164, 21164PC) that can be set.
#pragma once

#include "models/core/alpha/settings.h"

namespace pmusim::core::alpha {

struct InOrderSizes {
  explicit InOrderSizes(const models::Parameters& given);

  unsigned fetch_blocks = 4;    ///< blocks between fetch and issue
  unsigned fetch_to_issue = 3;  ///< stages
  unsigned taken_bubble = 1;
  unsigned mispredict_penalty = 5;
  unsigned replay_penalty = 7;
  unsigned history_entries = 2048, history_bits = 2;
  unsigned return_stack = 12;
  unsigned barrier_cycles = 4;
  unsigned store_conditional = 20;
  unsigned multiply_fresh = 0;
  unsigned store_load_window = 1;  ///< a load right behind a store to the same place replays or waits
};

[[nodiscard]] std::span<const Field<InOrderSizes>> in_order_fields();

}  // namespace pmusim::core::alpha
