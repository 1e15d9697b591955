// What an instruction takes in the execution units and in the decoder: one table, by mnemonic and form.
#pragma once

#include <concepts>
#include <cstdint>

#include "models/core/athlon/settings.h"
#include "pmusim/trace/x86.h"

namespace pmusim::core::athlon {

/// The unit of the last macro-operation. `result_bus`: none, for a store that computes nothing.
enum class Pipe : std::uint8_t {
  integer,
  address,
  result_bus,
  fp_add,
  fp_multiply,
  fp_store,
  fp_add_or_multiply,
  fp_any
};
/// A further resource, which an instruction keeps for some clocks.
enum class Unit : std::uint8_t { none, multiplier, fp_divider, lock, count };

/// A number of clocks: a parameter, or a figure of the table.
struct Clocks {
  constexpr Clocks() = default;
  template <std::integral Figure>
  constexpr Clocks(Figure figure) : fixed(static_cast<unsigned>(figure)) {}  // NOLINT: a figure is a number of clocks
  constexpr Clocks(unsigned Settings::*parameter) : setting(parameter) {}    // NOLINT
  [[nodiscard]] unsigned of(const Settings& settings) const { return setting != nullptr ? settings.*setting : fixed; }
  unsigned fixed = 0;
  unsigned Settings::*setting = nullptr;
};

struct Timing {
  Pipe pipe = Pipe::integer;
  Clocks latency = 1;  ///< of the last macro-operation, from its start to its result
  Unit unit = Unit::none;
  Clocks interval = 1;  ///< clocks for which it keeps the unit, or its pipe if there is no unit
  /// Half clocks for which a VectorPath instruction keeps the decoder; 0: a clock for each three macro-operations.
  /// Microcode fills its lines only in part, and an odd number takes one clock more every other time.
  unsigned decode_halves = 0;
  Clocks high;               ///< latency of EDX, if it is another one
  bool both_halves = false;  ///< each macro-operation is half of the operation and takes the pipe
  bool merges_late = false;  ///< the old value of its destination is needed at the end only, and is not waited for
};

/// The timing of an instruction: that of its mnemonic and form, otherwise that of its kind.
[[nodiscard]] Timing timing_of(const trace::x86::Operation& op);

/// Clocks that the decoder needs for prefixes, 0 if they take no time: it looks at three of them a clock.
[[nodiscard]] constexpr unsigned prefix_clocks(unsigned prefixes) {
  constexpr unsigned in_a_clock = 3;
  return prefixes <= in_a_clock ? 0 : (prefixes - 1) / in_a_clock;
}

}  // namespace pmusim::core::athlon
