// Counters that pass their width while a session runs: the registers show what is left, this says how often.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/pmu/monitor.h"
#include "models/targets.h"

namespace pmusim::testbench {

class RegisterBus;

/// Bits that a counter register counts in. IA-64 gives the rest copies of the topmost one.
[[nodiscard]] unsigned counter_bits(const models::Target& target, const pmu::RegisterInfo& info);
/// Those bits of what was read.
[[nodiscard]] std::uint64_t counter_value(const models::Target& target, const pmu::RegisterInfo& info,
                                          std::uint64_t reading);

/// A counter that stands lower than some time before, and was not written, has passed its width. To be told of every
/// block before it is consumed and behind it; it looks at the registers often enough for no wrap to hide another.
class WrapWatch {
 public:
  WrapWatch(const models::Target& target, RegisterBus& bus);
  void before(const activity::Block& block);
  void after(const activity::Block& block);
  /// At the end: times that the counter register has passed its width.
  [[nodiscard]] std::uint64_t wraps(std::string_view counter);

 private:
  struct Counter {
    pmu::RegisterInfo info;
    unsigned bits;
    std::uint64_t last = 0;
    std::uint64_t wraps = 0;
  };
  /// `written`: values may be somebody's writes; they only begin anew.
  void look(bool written);
  const models::Target& target_;
  RegisterBus& bus_;
  std::vector<Counter> counters_;
  std::uint64_t cycles_ = 0;  ///< since the last look
};

}  // namespace pmusim::testbench
