// The effects of a signal of the 750GX monitor and of taking its interrupt. User's Manual chapter 11 and p. 350 for
// SIA.
#include "models/ppc750gx/monitor.h"

namespace pmusim::pmu::ppc750gx {

using activity::Signal;
using activity::State;

void Ppc750gxMonitor::signal(const Block& block, Cycle at, bool pmc1_overflows) {
  requested_ = !pending_;
  pending_ = true;
  sampled_load_ = sampled_load(block, at, pmc1_overflows);
  if (!behaviour_.sia_at_taking) {
    if (const auto address = sampled_load_ ? sampled_load_ : completed(block, at)) {
      sia_ = *address;
      sia_written_ = true;
    }
  }
  if (behaviour_.enint_clear == EnintClear::at_signal) mmcr0_ &= ~mmcr0::enint;
  if (has(mmcr0::discount)) {
    if (behaviour_.discount_sets_dis) {
      mmcr0_ |= mmcr0::dis;
    } else {
      stopped_ = true;
    }
  }
  if (behaviour_.trigger_release_remembered) released_ = true;
}

// The load whose return made PMC1 negative, if the threshold event is a cause.
std::optional<std::uint32_t> Ppc750gxMonitor::sampled_load(const Block& block, Cycle at, bool pmc1_overflows) const {
  const unsigned code = (mmcr0_ >> mmcr0::pmc1select_shift) & mmcr0::pmc1select_mask;
  if (code != threshold_code || !pmc1_overflows) return std::nullopt;
  const EventContext c = context(0);
  const auto loads = occurrences(block, Signal::load_return, at, at + 1);
  std::uint64_t surplus = pmc_[0] - counter_negative;  // counts after the load that made PMC1 negative
  for (auto load = loads.rbegin(); load != loads.rend(); ++load) {
    const std::uint32_t n = selected_[0].selection.amount(Signal::load_return, block, *load, c);
    if (n > surplus) return static_cast<std::uint32_t>(request_of(block, *load)->ip);
    surplus -= n;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Ppc750gxMonitor::completed(const Block& block, Cycle at) const {
  const auto retired = occurrences(block, Signal::retire, at, at + 1);
  if (retired.empty()) return std::nullopt;
  const auto* const instruction = instruction_of(block, behaviour_.sia_older ? retired.front() : retired.back());
  if (instruction == nullptr) return std::nullopt;
  return static_cast<std::uint32_t>(instruction->ip);
}

void Ppc750gxMonitor::interrupt_taken() {
  pending_ = false;
  if (behaviour_.enint_clear == EnintClear::at_taking) mmcr0_ &= ~mmcr0::enint;
  if (behaviour_.sia_at_taking) {
    if (const auto address = sampled_load_ ? sampled_load_ : last_completed_) {
      sia_ = *address;
      sia_taken_ = true;
    }
  }
}

bool Ppc750gxMonitor::interrupt_enabled(const Block& block, Cycle at) const {
  return (block.state_at(State::msr, at) & activity::msr::ee) != 0;
}

}  // namespace pmusim::pmu::ppc750gx
