// Counters that pass their width while a session runs: the registers show what is left, this says how often.
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
/// Bits that a counter register counts in. IA-64 gives the rest copies of the topmost one.
[[nodiscard]] unsigned counter_bits(const models::Target& target, const pmu::RegisterInfo& info);
/// Those bits of what was read.
[[nodiscard]] std::uint64_t counter_value(const models::Target& target, const pmu::RegisterInfo& info,
                                          std::uint64_t reading);

/// A counter that stands lower than some time before has passed its width; one that the program writes begins anew with
/// what is written. To be told of every block before it is consumed and after it; it looks at the registers often
/// enough for no wrap to hide another.
class WrapWatch {
 public:
  WrapWatch(const models::Target& target, RegisterBus& bus);
  void before(const activity::Block& block);
  /// `accesses`: of the program, in the block.
  void after(const activity::Block& block, std::span<const pmu::AccessReport> accesses);
  /// At the end: times that the counter register has passed its width since it was written last.
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
