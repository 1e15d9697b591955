// Behaviours that the documents leave open, as values that the monitors read. parameters.cpp has their names and
// meanings. A field whose parameter a chip does not have keeps the value given here.
#pragma once

#include <cstdint>

#include "models/alpha/alpha.h"

namespace pmusim::pmu::alpha {

using Chip = AlphaChip;

struct Behaviour {
  Behaviour(Chip made, const models::Parameters& parameters);

  Chip chip;
  Cycle skid = 0;
  bool limited = true;
  bool traps_apart = false;
  // 21064
  bool marks_matter = true;
  bool no_option_is_all = true;
  bool low_bit_selects = false;
  bool drops_halves = false;
  Cycle pin_clock = 1;  ///< core cycles per cycle of the clock that samples the pins
  bool pins_sampled = false;
  // 21164, 21164PC
  bool user_is_user = false;
  std::uint32_t long_stall = 0;
  bool operates_alone = false;
  bool counts_unnamed = true;  ///< CTL = 1: the counter counts; otherwise it is off
  bool load_dtb_misses = false;
  bool external_counts = true;
  bool system_misses = false;
  // 21264, 21264A
  bool retired_mispredicts = false;
  bool threshold_raises = true;
  bool shows_increment = false;    ///< a read of a counter that is off adds the increment of the cycle; otherwise exact
  bool enables_elsewhere = false;  ///< IER_CM<30:29> have no effect; the requests are enabled
  Cycle overcount_cycles = 0;
  bool only_mispredicts_retire = false;
};

/// The parameters of a chip's monitor, with their defaults.
[[nodiscard]] models::Parameters parameters_of(Chip chip);

}  // namespace pmusim::pmu::alpha
