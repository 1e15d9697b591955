// Sizes of the in-order pipelines (21064, 21164, 21164PC) that can be set.
#pragma once

#include "models/core/alpha/settings.h"

namespace pmusim::core::alpha {

struct InOrderSizes {
  static constexpr unsigned most_multiplies = 4;  ///< under way at a time
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
  // the multiplier: longwords, quadwords, high halves of quadwords
  unsigned mull = 8, mulq = 12, umulh = 14;                           ///< issue to issue of a user
  unsigned mull_interval = 4, mulq_interval = 8, umulh_interval = 8;  ///< ... of the next multiply
  unsigned multiply_fresh = 0;
  unsigned store_load_window = 1;  ///< a load right after a store to the same place replays or waits
  /// No load issues two cycles after a store: 0 any may, 1 if the store writes the Dcache, 2 none does.
  unsigned load_behind_store = 0;
  unsigned load_replay = 0;  ///< a load that missed goes through the Abox again with its data (21064)
};

[[nodiscard]] std::span<const Field<InOrderSizes>> in_order_fields();

}  // namespace pmusim::core::alpha
