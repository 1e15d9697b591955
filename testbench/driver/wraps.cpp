#include "testbench/driver/wraps.h"

#include <algorithm>

#include "testbench/driver/firmware.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

namespace {

/// No counter adds more than a few dozen per cycle, and no counter that can wrap in a run has fewer than 32 bits.
constexpr std::uint64_t cycles_between_looks = 1 << 20;

}  // namespace

std::vector<std::string> counter_names(const models::Target& target, const pmu::Monitor& monitor) {
  std::vector<std::string> names;
  if (const Firmware* const firmware = find_firmware(target.name)) {
    for (const FirmwareCounter& counter : firmware->counters) names.emplace_back(counter.name);
  } else {
    for (const pmu::RegisterInfo& info : monitor.registers())
      if (info.kind == pmu::RegisterKind::counter) names.emplace_back(info.name);
  }
  return names;
}

unsigned counter_bits(const models::Target& target, const pmu::RegisterInfo& info) {
  constexpr unsigned ia64_bits = 47;
  return target.isa == trace::Isa::ia64 ? ia64_bits : info.width;
}

std::uint64_t counter_value(const models::Target& target, const pmu::RegisterInfo& info, std::uint64_t reading) {
  return low_bits(reading, counter_bits(target, info));
}

WrapWatch::WrapWatch(const models::Target& target, RegisterBus& bus) : target_(target), bus_(bus) {
  for (const pmu::RegisterInfo& info : bus.monitor().registers()) {
    if (info.kind == pmu::RegisterKind::counter) counters_.push_back({info, counter_bits(target, info)});
  }
  look();
  for (Counter& counter : counters_) counter.wraps = 0;
}

// Neither a long block nor a register write of the program may hide a wrap since the last check.
void WrapWatch::before(const activity::Block& block) {
  if (!block.accesses.empty() || block.end - block.begin >= cycles_between_looks) look();
}

void WrapWatch::after(const activity::Block& block, std::span<const pmu::AccessReport> accesses) {
  cycles_ += block.end - block.begin;
  for (const pmu::AccessReport& access : accesses) {
    if (!access.write || access.fault != pmu::Fault::none) continue;
    for (Counter& counter : counters_) {
      if (counter.info.name != access.name) continue;
      counter.last = counter_value(target_, counter.info, access.value);
      counter.wraps = 0;
    }
  }
  if (!accesses.empty() || cycles_ >= cycles_between_looks) look();
}

void WrapWatch::look() {
  cycles_ = 0;
  for (Counter& counter : counters_) {
    const pmu::AccessResult result = bus_.try_read(counter.info.id);
    if (result.fault != pmu::Fault::none) continue;
    const std::uint64_t value = counter_value(target_, counter.info, result.value);
    if (value < counter.last) ++counter.wraps;
    counter.last = value;
  }
}

std::uint64_t WrapWatch::wraps(std::string_view counter) {
  look();
  const auto found =
      std::find_if(counters_.begin(), counters_.end(), [&](const Counter& c) { return c.info.name == counter; });
  return found == counters_.end() ? 0 : found->wraps;
}

}  // namespace pmusim::testbench
