// Turns register values by name, as an encoder gives them, into bus writes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/driver/firmware.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// Collects writes in their order. A name is a register of the model; where there is firmware also one of its calls
/// (WRPERFMON_SELECT, the value its argument), which becomes the accesses that it makes, or a counter (CTR0), a
/// field of a register. A monitor of its own says what registers hold in between.
class Programming {
 public:
  Programming(const models::Target& target, const models::Parameters& parameters);
  /// For a monitor of the target in its reset state.
  Programming(const models::Target& target, std::unique_ptr<pmu::Monitor> fresh);
  Programming(const Programming&) = delete;
  Programming& operator=(const Programming&) = delete;
  /// Throws std::invalid_argument for a name that is none of these, a counter out of reach, or an argument that
  /// firmware refuses.
  void write(std::string_view name, std::uint64_t value);
  /// A bus write, taken as it is.
  void write(const RegisterWrite& write) { write_register(write.id, write.value); }
  [[nodiscard]] bool knows(std::string_view name) const;
  [[nodiscard]] const std::vector<RegisterWrite>& writes() const { return writes_; }
  /// True if a write of this register, or this call, can change counters.
  [[nodiscard]] bool may_write_counters(std::string_view name) const;
  /// True for a call that does nothing but load start values into counters.
  [[nodiscard]] bool loads_counters(std::string_view name) const;
  /// The writable counters and their values.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const;
  /// What the processor does not allow in these values, as sentences: on IA-64, events on counters that cannot count
  /// them together. The registers hold the values all the same.
  [[nodiscard]] std::vector<std::string> broken_rules() const;

 private:
  void write_register(pmu::RegisterId id, std::uint64_t value);
  std::string_view target_;
  std::unique_ptr<pmu::Monitor> monitor_;
  const Firmware* firmware_;
  std::unique_ptr<FirmwareCalls> calls_;  ///< null: there is no firmware
  std::vector<RegisterWrite> writes_;
};

}  // namespace pmusim::testbench
