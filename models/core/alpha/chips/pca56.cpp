// The 21164PC: a 21164 with other caches and without an Scache. GEN: general literature, no manual seen; HRM-PC:
// 21164PC Hardware Reference Manual.
#include <algorithm>
#include <iterator>
#include <vector>

#include "models/core/alpha/alpha.h"
#include "models/core/alpha/chips/tables.h"
#include "models/core/alpha/in_order/core.h"

namespace pmusim::core {
namespace alpha {
namespace {

constexpr Value other_values[] = {
    // name, value, source, confirmed
    {"core.l1i_bytes", 16384, "GEN", choice},
    {"core.l1d_bytes", 8192, "GEN", choice},
    {"core.bcache_bytes", 1048576, "GEN: from 0.5 MB", choice},
    {"core.bcache_read", 10, "HRM-PC 2-25: 10 or more", yes},
    {"core.history_entries", 4096, "GEN: one per instruction of the Icache", choice},
    {"core.store_conditional", 10, "none: as a Bcache read", choice},
};

std::vector<Value> changed_values() {
  std::vector<Value> values;
  for (const Value& of_ev5 : ev5_values()) {
    if (of_ev5.name.starts_with("core.scache_")) continue;
    const auto* const other = std::find_if(std::begin(other_values), std::end(other_values),
                                           [&](const Value& v) { return v.name == of_ev5.name; });
    values.push_back(other != std::end(other_values) ? *other : of_ev5);
  }
  return values;
}

}  // namespace

std::span<const Value> pca56_values() {
  static const std::vector<Value> values = changed_values();
  return values;
}

}  // namespace alpha

models::Parameters alpha_pca56_parameters() { return alpha::in_order_parameters(alpha::Chip::pca56); }

std::unique_ptr<Core> make_alpha_pca56(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return alpha::make_in_order(alpha::Chip::pca56, std::move(reader), parameters);
}

}  // namespace pmusim::core
