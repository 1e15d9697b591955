// Counters that firmware programs on behalf of software, as PALcode does on an Alpha (WRPERFMON): narrow register
// fields,
// or out of reach, so that software counts their interrupts. Where counters are registers of their own there is no
// firmware.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/pmu/monitor.h"
#include "testbench/driver/sampling.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

using pmu::FirmwareCounter;
class Programming;

/// The full count of a counter whose register is too narrow for it.
struct CounterTotals {
  std::uint64_t whole = 0;    ///< the count, with all carries; in halves if the counter counts halves
  std::uint64_t modulus = 0;  ///< a power of two: the value at which the counter wraps
  std::uint64_t carries = 0;  ///< periods completed since reset, whether or not they became interrupts
  std::uint64_t start = 0;    ///< the value that was written last
};

/// The registers that firmware reaches.
struct FirmwareRegisters {
  std::function<std::uint64_t(pmu::RegisterId)> read;
  std::function<void(pmu::RegisterId, std::uint64_t)> write;
};

/// Firmware calls by the names that an encoder gives them, such as WRPERFMON_SELECT.
class FirmwareCalls {
 public:
  virtual ~FirmwareCalls() = default;
  [[nodiscard]] virtual bool knows(std::string_view call) const = 0;
  /// True for a call that does nothing but load start values into counters.
  [[nodiscard]] virtual bool loads(std::string_view call) const = 0;
  /// Makes the accesses of a known call. Returns false if firmware refuses the argument.
  [[nodiscard]] virtual bool make(std::string_view call, std::uint64_t argument) = 0;
};

/// A handler that samples counters through firmware: it finds the counter that overflowed, and writes its next start
/// value, where counters can be written.
class FirmwareSampler {
 public:
  virtual ~FirmwareSampler() = default;
  /// Start values of the counters; after the selectors, before the enables.
  virtual void preset(Programming& programming) const = 0;
  virtual void operator()(RegisterBus& bus, const pmu::EntryState& entry) = 0;
  [[nodiscard]] virtual std::uint64_t samples() const = 0;
};

/// What firmware does on a target.
struct Firmware {
  std::span<const FirmwareCounter> counters;
  bool fixed_periods = false;  ///< counters cannot be written: they interrupt in periods of the hardware
  std::uint64_t found_bits =
      0;  ///< bits of the counters' register that hold what hardware recorded about an instruction
  std::unique_ptr<FirmwareCalls> (*calls)(FirmwareRegisters registers) = nullptr;
  /// Throws std::invalid_argument for an unknown counter or an impossible period.
  std::unique_ptr<FirmwareSampler> (*sampler)(const std::vector<SampledCounter>& counters, Sampler::Sink sink,
                                              Sampler::NextPeriod next_period) = nullptr;
  /// The shortest period that a handler may request.
  std::uint64_t (*least_period)(const FirmwareCounter& counter) = nullptr;
  /// Events between two interrupts of a counter, as its registers select; 0 if it does not interrupt.
  std::uint64_t (*period)(const FirmwareCounter& counter, const MonitorResult& result) = nullptr;
  /// Whether the counter's interrupt was requested and not taken before the end of the run.
  bool (*pending)(const FirmwareCounter& counter, const MonitorResult& result) = nullptr;
  /// The counter whose interrupt was taken last; empty if none was.
  std::optional<unsigned> (*interrupted)(const pmu::Monitor& monitor) = nullptr;
  CounterTotals (*totals)(const pmu::Monitor& monitor, unsigned counter) = nullptr;
  /// One sentence that says why the counts cannot be explained; empty if they can.
  std::string_view (*no_count)(const MonitorResult& result) = nullptr;
};
/// Null for a target whose counters are registers of their own.
[[nodiscard]] const Firmware* find_firmware(std::string_view target);
/// Null for an unknown name; case does not matter.
[[nodiscard]] const FirmwareCounter* find_counter(std::span<const FirmwareCounter> counters, std::string_view name);
[[nodiscard]] inline const FirmwareCounter* find_counter(const Firmware& firmware, std::string_view name) {
  return find_counter(firmware.counters, name);
}

/// The contents of a counter at the end of a run.
struct CounterReading {
  std::uint64_t value = 0;
  unsigned bits = 0;
  unsigned per_event = 1;  ///< amount that the counter adds for one event: 2 on the 21064, which counts halves
};
/// Works for all targets. Throws std::out_of_range for an unknown counter.
[[nodiscard]] CounterReading read_counter(const models::Target& target, const MonitorResult& result,
                                          std::string_view counter);

/// The count with all carries; for a counter with a register of its own, the value of the register.
[[nodiscard]] std::uint64_t whole_count(const models::Target& target, const MonitorResult& result,
                                        std::string_view counter);

/// An operating system's handler that counts the interrupts of each counter (ticks).
class TickCounter {
 public:
  /// Null, where there is no firmware: it counts nothing.
  explicit TickCounter(const Firmware* firmware) : firmware_(firmware) {}
  void operator()(RegisterBus& bus, const pmu::EntryState& entry);
  [[nodiscard]] std::uint64_t ticks(unsigned counter) const { return ticks_.at(counter); }
  /// A PMU whose interrupts the handler counts. It is not a SystemC module, so that an idle stretch can be skipped.
  [[nodiscard]] MonitorSetup setup(std::vector<RegisterWrite> writes, std::optional<unsigned> thread = {});

 private:
  const Firmware* firmware_;
  std::array<std::uint64_t, 3> ticks_{};
};

/// The count of a driver that counts interrupts: one period for each, and the part of the current period that the
/// counter holds, if it can be read. The first period begins at the counter's start value, later ones at 0.
struct DriversCount {
  std::uint64_t period = 0;  ///< events from the start value to the first interrupt
  std::uint64_t interrupts = 0;
  std::uint64_t value = 0;  ///< in the unit of ExtendedCount::value
  bool pending = false;     ///< one more interrupt was requested but not taken before the end
  std::uint64_t lost = 0;   ///< periods that ended while an interrupt waited and got no interrupt of their own
};

/// The full count of a narrow counter, with its carries.
struct ExtendedCount {
  std::uint64_t value = 0;                  ///< events, or half events
  bool halves = false;                      ///< half events (21064: issues and non-issues alone count in halves)
  std::optional<DriversCount> driver = {};  ///< of a counter with its interrupt on, where there is firmware
};
[[nodiscard]] ExtendedCount extended_count(const models::Target& target, const MonitorResult& result,
                                           std::string_view counter, const TickCounter& ticks);

}  // namespace pmusim::testbench
