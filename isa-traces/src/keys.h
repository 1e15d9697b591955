// The keys of an instruction (`lat=`, `wr=`, ...) and the order in which they are written.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Names in the order of Key.
inline constexpr std::array<std::string_view, 14> key_names = {
    "rd", "wr", "mispredict", "lat", "data", "dtlb", "fetch", "itlb", "cfm", "bsp", "loadrs", "defer", "ftz", "trap"};

/// The only instruction set that has the key; empty if all have it.
[[nodiscard]] constexpr std::optional<Isa> owner_of(Key key) {
  if (key == Key::trap) return Isa::alpha;
  return key >= Key::cfm ? std::optional(Isa::ia64) : std::nullopt;
}

/// The keys that are set, with one entry for each `rd=`, `wr=` and `defer=`, in the order of writing: the order of the
/// text, or registers first and then the order of Key.
[[nodiscard]] std::vector<Key> keys_of(const Annotations& annotations);
/// Stores the order of a text, unless it is the usual order.
void set_order(Annotations& annotations, std::vector<Key> order);

}  // namespace pmusim::trace
