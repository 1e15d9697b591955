#include "models/core/alpha/in_order/settings.h"

#include <algorithm>
#include <array>
#include <bit>

namespace pmusim::core::alpha {
namespace {

using models::field;
using S = InOrderSettings;

constexpr std::array<Field<S>, 20> fields{{
    {"core.fetch_blocks", field<&S::fetch_blocks>, 1, 8, "blocks",
     "fetched and not issued: pairs (21064), fours (21164)"},
    {"core.fetch_to_issue", field<&S::fetch_to_issue>, 1, 8, "cycles", "from fetch to issue at the earliest"},
    {"core.taken_bubble", field<&S::taken_bubble>, 0, 8, "cycles", "without fetch after a predicted taken branch"},
    {"core.mispredict_penalty", field<&S::mispredict_penalty>, 3, 32, "cycles", "lost by a misprediction"},
    {"core.replay_penalty", field<&S::replay_penalty>, 3, 64, "cycles", "from a replay trap to the second issue"},
    {"core.history_entries", field<&S::history_entries>, 1, 65536, "entries", "branch history, by address"},
    {"core.history_bits", field<&S::history_bits>, 1, 2, "bits", "of an entry: last outcome, or saturating counter"},
    {"core.return_stack", field<&S::return_stack>, 1, 64, "entries", "return address stack"},
    {"core.barrier_cycles", field<&S::barrier_cycles>, 1, 1000, "cycles", "from the issue of mb to the next issue"},
    {"core.store_conditional", field<&S::store_conditional>, 2, 1000, "cycles", "to the flag of a store-conditional"},
    {"core.mull", field<&S::mull>, 1, 64, "cycles", "issue of a longword multiply to that of a user"},
    {"core.mulq", field<&S::mulq>, 1, 64, "cycles", "issue of a quadword multiply to that of a user"},
    {"core.umulh", field<&S::umulh>, 1, 64, "cycles", "issue of umulh to that of a user"},
    {"core.mull_interval", field<&S::mull_interval>, 1, 64, "cycles", "longword multiply to the issue of any other"},
    {"core.mulq_interval", field<&S::mulq_interval>, 1, 64, "cycles", "quadword multiply to the issue of any other"},
    {"core.umulh_interval", field<&S::umulh_interval>, 1, 64, "cycles", "umulh to the issue of any other multiply"},
    {"core.multiply_fresh", field<&S::multiply_fresh>, 0, 8, "cycles",
     "more for a multiply that issues as its operand comes; one less for each cycle in between"},
    {"core.store_load_window", field<&S::store_load_window>, 0, 1, "",
     "loads one or two cycles after a store to the same place"},
    {"core.load_behind_store", field<&S::load_behind_store>, 0, 2, "",
     "no load issues two cycles after a store: that hits the Dcache (1), any store (2)"},
    {"core.load_replay", field<&S::load_replay>, 0, 1, "",
     "a load that missed takes the Abox once more when its data comes"},
}};

}  // namespace

std::span<const Field<InOrderSettings>> in_order_fields() { return fields; }

InOrderSettings::InOrderSettings(Chip chip, const models::Parameters& given) {
  models::read_parameters(*this, rows_of(in_order_fields(), chip), given);
  if (!std::has_single_bit(history_entries)) {
    throw models::ParameterError("core.history_entries must be a power of two");
  }
  if (mispredict_penalty + 1 < fetch_to_issue || replay_penalty < fetch_to_issue) {
    throw models::ParameterError("core.mispredict_penalty + 1 and core.replay_penalty must reach core.fetch_to_issue");
  }
  for (const unsigned interval : {mull_interval, mulq_interval, umulh_interval}) {
    if (std::max({mull, mulq, umulh}) + multiply_fresh > most_multiplies * interval) {
      throw models::ParameterError(
          "core.mull, mulq, umulh and core.multiply_fresh: together at most 4 times the smallest interval");
    }
  }
}

}  // namespace pmusim::core::alpha
