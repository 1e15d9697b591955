// What is particular about driving an Alpha: PALcode programs its counters (WRPERFMON), which are narrow fields of a
// register, or cannot be read at all, so that software counts their interrupts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/alpha/wrperfmon.h"
#include "testbench/driver/alpha_counters.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// The Alpha that a target is; none for other targets.
[[nodiscard]] std::optional<pmu::AlphaChip> alpha_chip(std::string_view target);

/// Null for an unknown name of a counter; case does not matter.
[[nodiscard]] const AlphaCounter* find_alpha_counter(pmu::AlphaChip chip, std::string_view name);

/// Function code of WRPERFMON by the encoder's name for the call: WRPERFMON_SELECT.
[[nodiscard]] std::optional<std::uint64_t> wrperfmon_function(std::string_view name);
/// WRPERFMON on a processor whose registers are reached over a bus, which has to outlive it.
[[nodiscard]] pmu::Wrperfmon wrperfmon_on(pmu::AlphaChip chip, RegisterBus& bus);

/// What a counter held when a run was over.
struct CounterReading {
  std::uint64_t value = 0;
  unsigned bits = 0;
  unsigned per_event = 1;  ///< what the counter adds for one event: 2 on the 21064, which counts halves
};
/// Of any target. Throws std::out_of_range for a counter that is not there.
[[nodiscard]] CounterReading read_counter(const models::Target& target, const MonitorResult& result,
                                          std::string_view counter);

/// What the counter would hold if it had no end; of other targets, what it holds.
[[nodiscard]] std::uint64_t whole_count(const models::Target& target, const MonitorResult& result,
                                        std::string_view counter);

/// Events from one interrupt of a counter to the next, as its registers say; 0: it does not interrupt.
[[nodiscard]] std::uint64_t interrupt_period(pmu::AlphaChip chip, const AlphaCounter& counter,
                                             const MonitorResult& result);
/// The counter's interrupt was requested, and not taken before the run was over.
[[nodiscard]] bool interrupt_pending(pmu::AlphaChip chip, const AlphaCounter& counter, const MonitorResult& result);

/// An operating system's handler: counts the interrupts of each counter, its ticks.
class TickCounter {
 public:
  void operator()(RegisterBus& bus, const pmu::EntryState& entry);
  [[nodiscard]] std::uint64_t ticks(unsigned counter) const { return ticks_.at(counter); }
  /// A PMU whose interrupts it counts; no module, so that those of an idle time need not be taken one by one.
  [[nodiscard]] MonitorSetup setup(std::vector<RegisterWrite> writes, std::optional<unsigned> thread = {});

 private:
  std::array<std::uint64_t, 3> ticks_{};
};

/// What a driver has, which counts interrupts: of each a period, and what the counter holds of the next, if it can be
/// read.
struct DriversCount {
  std::uint64_t period = 0;  ///< events from one interrupt to the next
  std::uint64_t interrupts = 0;
  std::uint64_t value = 0;  ///< in the unit of ExtendedCount::value
  bool pending = false;     ///< one more interrupt was requested, and not taken before the end
  std::uint64_t lost = 0;   ///< periods that were full while an interrupt waited: no interrupt of their own
};

/// A count without end: a narrow counter with its carries.
struct ExtendedCount {
  std::uint64_t value = 0;                  ///< events, or half events
  bool halves = false;                      ///< half events (21064: issues and non-issues alone count in halves)
  std::optional<DriversCount> driver = {};  ///< Alpha, of a counter with its interrupt on
};
[[nodiscard]] ExtendedCount extended_count(const models::Target& target, const MonitorResult& result,
                                           std::string_view counter, const TickCounter& ticks);

}  // namespace pmusim::testbench
