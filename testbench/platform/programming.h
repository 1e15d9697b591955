// The writes by which a driver programs a PMU for its events: registers and values in order, from the encoder, together
// with the counters' start values.
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

/// A counter: bits of a register that software reads. The 21064's counters are in no register.
struct CounterPlace {
  std::string name;  ///< the encoder's name
  std::string reg;
  unsigned shift = 0;
  unsigned bits = 0;
  [[nodiscard]] std::uint64_t mask() const { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
  /// The counter in the value of the register.
  [[nodiscard]] std::uint64_t of(std::uint64_t value) const { return value >> shift & mask(); }
};

struct Programming {
  std::vector<RegisterWrite> start;  ///< stops, presets and starts the counters; also answers an interrupt
  std::vector<RegisterWrite> stop;
  std::vector<CounterPlace> counters;  ///< in the order of the events
};

/// `period`: events of the first counter from a start to its interrupt; 0: no interrupts. Throws std::invalid_argument
/// with the encoder's message.
[[nodiscard]] Programming program(const pmusim::models::Target& target, const std::vector<std::string>& events,
                                  std::uint64_t period);

}  // namespace platform
