// Counts how often counters wrap while a session runs. A register holds only the remainder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/pmu/follower.h"
#include "models/targets.h"

namespace pmusim::testbench {

class RegisterBus;

/// Names of all counters of a target, in their order.
[[nodiscard]] std::vector<std::string> counter_names(const models::Target& target, const pmu::Monitor& monitor);
/// Number of bits that a counter register counts in. On IA-64 the higher bits are copies of the topmost one.
[[nodiscard]] unsigned counter_bits(const models::Target& target, const pmu::RegisterInfo& info);
[[nodiscard]] inline std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits < 64 ? value & ((std::uint64_t{1} << bits) - 1) : value;
}
/// The counting bits of a value that was read.
[[nodiscard]] std::uint64_t counter_value(const models::Target& target, const pmu::RegisterInfo& info,
                                          std::uint64_t reading);

/// A counter with a lower value than at the last check has wrapped. A counter that the program writes starts again from
/// the written value. Call this before and after each block is consumed; it reads the registers often enough that no
/// wrap hides another.
class WrapWatch {
 public:
  WrapWatch(const models::Target& target, RegisterBus& bus);
  void before(const activity::Block& block);
  /// `accesses`: of the program, in this block.
  void after(const activity::Block& block, std::span<const pmu::AccessReport> accesses);
  /// At the end: how often the counter register has wrapped since it was last written.
  [[nodiscard]] std::uint64_t wraps(std::string_view counter);

 private:
  struct Counter {
    pmu::RegisterInfo info;
    unsigned bits;
    std::uint64_t last = 0;
    std::uint64_t wraps = 0;
  };
  void look();
  const models::Target& target_;
  RegisterBus& bus_;
  std::vector<Counter> counters_;
  std::uint64_t cycles_ = 0;  ///< since the last look
};

}  // namespace pmusim::testbench
