#include "testbench/oracle/time_base.h"

namespace pmusim::oracle {
namespace {
constexpr std::uint64_t bus_clocks_per_tick = 4;
}

void TimeBase::set_ratio(activity::Cycle from, std::uint64_t packed_ratio) {
  value_ = value(from);
  anchor_ = from;
  core_clocks_ = packed_ratio >> 16;
  bus_clocks_ = packed_ratio & 0xffff;
}

void TimeBase::write(activity::Cycle from, std::uint32_t tbl) {
  const std::uint64_t before = value(from > anchor_ ? from - 1 : from);
  value_ += ((before & ~std::uint64_t{0xffffffff}) | tbl) - before;
}

std::uint64_t TimeBase::value(activity::Cycle cycle) const {
  if (!runs()) return value_;
  return value_ + (cycle - anchor_) * bus_clocks_ / (core_clocks_ * bus_clocks_per_tick);
}

activity::Cycle TimeBase::next_tick(activity::Cycle cycle) const {
  if (!runs()) return activity::never;
  const std::uint64_t ticks = value(cycle) - value_ + 1;
  const std::uint64_t core_clocks = ticks * core_clocks_ * bus_clocks_per_tick;
  return anchor_ + (core_clocks + bus_clocks_ - 1) / bus_clocks_;
}

activity::Cycle next_bus_clock(activity::Cycle cycle, std::uint64_t packed_ratio) {
  const std::uint64_t core_clocks = packed_ratio >> 16, bus_clocks = packed_ratio & 0xffff;
  if (core_clocks == 0 || bus_clocks == 0) return activity::never;
  const std::uint64_t into = cycle * bus_clocks % core_clocks;
  return cycle + (core_clocks - into + bus_clocks - 1) / bus_clocks;
}

bool bus_clock_begins(activity::Cycle cycle, std::uint64_t packed_ratio) {
  if (cycle == 0) return next_bus_clock(0, packed_ratio) != activity::never;
  return next_bus_clock(cycle - 1, packed_ratio) == cycle;
}

std::uint64_t bus_clocks_between(activity::Cycle after, activity::Cycle before, std::uint64_t packed_ratio) {
  const std::uint64_t core_clocks = packed_ratio >> 16, bus_clocks = packed_ratio & 0xffff;
  if (core_clocks == 0 || bus_clocks == 0) return 0;
  return (before - 1) * bus_clocks / core_clocks - after * bus_clocks / core_clocks;
}

}  // namespace pmusim::oracle
