// What a driver has to write into a PMU's registers for its events: register numbers and values in order, as the
// encoder gives them, with the counters' start values between.
#pragma once

#include <models/pmu/monitor.h>
#include <models/targets.h>

#include <cstdint>
#include <string>
#include <vector>

namespace platform {

struct RegisterWrite {
  std::string name;
  std::uint64_t value = 0;
};

/// A counter: bits of a register that software reads. The 21064's are no register's.
struct CounterPlace {
  std::string name;  ///< the encoder's
  std::string reg;
  unsigned shift = 0;
  unsigned bits = 0;
};

struct Programming {
  std::vector<RegisterWrite> start;  ///< stops, presets and starts the counters; doing it again answers an interrupt
  std::vector<RegisterWrite> stop;
  std::vector<CounterPlace> counters;  ///< in the order of the events
};

/// `period`: events of the first counter from a start to its interrupt; 0: none interrupts. Throws
/// std::invalid_argument with the encoder's sentence.
[[nodiscard]] Programming program(const pmusim::models::Target& target, const std::vector<std::string>& events,
                                  std::uint64_t period);

}  // namespace platform
