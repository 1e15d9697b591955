// Settings of the in-order pipelines (21064, 21164, 21164PC) that are parameters. A chip without a parameter
// has the default given here.
#pragma once

#include "models/core/alpha/settings.h"

namespace pmusim::core::alpha {

struct InOrderSettings {
  static constexpr unsigned most_multiplies = 4;  ///< in flight at a time
  InOrderSettings(Chip chip, const models::Parameters& given);

  unsigned fetch_blocks = 0;    ///< blocks between fetch and issue
  unsigned fetch_to_issue = 0;  ///< stages from fetch to issue
  unsigned taken_bubble = 0;
  unsigned mispredict_penalty = 0;
  unsigned replay_penalty = 0;
  unsigned history_entries = 0, history_bits = 0;
  unsigned return_stack = 0;
  unsigned barrier_cycles = 0;
  unsigned store_conditional = 0;
  // the multiplier: longwords, quadwords, high halves of quadwords
  unsigned mull = 0, mulq = 0, umulh = 0;                             ///< cycles from issue to the issue of a consumer
  unsigned mull_interval = 0, mulq_interval = 0, umulh_interval = 0;  ///< ... of the next multiply
  unsigned multiply_fresh = 0;
  unsigned store_load_window = 1;  ///< a load directly after a store to the same address replays or waits
  /// No load issues two cycles after a store: 0 any load may, 1 none if the store writes the Dcache, 2 none.
  unsigned load_behind_store = 0;
  unsigned load_replay = 0;  ///< a load that missed passes the Abox again with its data (21064)
};

[[nodiscard]] std::span<const Field<InOrderSettings>> in_order_fields();

}  // namespace pmusim::core::alpha
