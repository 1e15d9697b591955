#include "models/core/alpha/in_order/sizes.h"

#include <array>
#include <bit>

namespace pmusim::core::alpha {
namespace {

using S = InOrderSizes;

constexpr std::array<Field<S>, 12> fields{{
    {"core.fetch_blocks", &S::fetch_blocks, 1, 8, "blocks", "fetched and not issued: pairs (21064), fours (21164)"},
    {"core.fetch_to_issue", &S::fetch_to_issue, 1, 8, "cycles", "from fetch to issue at the earliest"},
    {"core.taken_bubble", &S::taken_bubble, 0, 8, "cycles", "without fetch behind a predicted taken branch"},
    {"core.mispredict_penalty", &S::mispredict_penalty, 3, 32, "cycles", "lost by a misprediction"},
    {"core.replay_penalty", &S::replay_penalty, 3, 64, "cycles", "from a replay trap to the second issue"},
    {"core.history_entries", &S::history_entries, 1, 65536, "entries", "branch history, by address"},
    {"core.history_bits", &S::history_bits, 1, 2, "bits", "of an entry: last outcome, or saturating counter"},
    {"core.return_stack", &S::return_stack, 1, 64, "entries", "return address stack"},
    {"core.barrier_cycles", &S::barrier_cycles, 1, 1000, "cycles", "from the issue of mb to the next issue"},
    {"core.store_conditional", &S::store_conditional, 2, 1000, "cycles", "to the flag of a store-conditional"},
    {"core.multiply_fresh", &S::multiply_fresh, 0, 8, "cycles",
     "more for a multiply that issues as its operand comes; one less for each cycle in between"},
    {"core.store_load_window", &S::store_load_window, 0, 1, "",
     "loads one or two cycles behind a store to the same place"},
}};

}  // namespace

std::span<const Field<InOrderSizes>> in_order_fields() { return fields; }

InOrderSizes::InOrderSizes(const models::Parameters& given) {
  read_fields(*this, in_order_fields(), given);
  if (!std::has_single_bit(history_entries)) {
    throw models::ParameterError("core.history_entries must be a power of two");
  }
  if (mispredict_penalty + 1 < fetch_to_issue || replay_penalty < fetch_to_issue) {
    throw models::ParameterError("core.mispredict_penalty + 1 and core.replay_penalty must reach core.fetch_to_issue");
  }
}

}  // namespace pmusim::core::alpha
