// Writes of counters by the driver at a tick: always for the next profile-me sample, and for others if the set-up draws
// the distance of ticks, so that the samples of a loop do not all hit the same instruction.
#include <algorithm>

#include "models/alpha/wrperfmon.h"
#include "sys/pfcntr.h"
#include "testbench/pfm/device.h"
#include "testbench/pfm/profile_me.h"

namespace pmusim::testbench::pfm {
namespace {

const pmu::AlphaCounter& counter_of(Family family, unsigned number) {
  return pmu::alpha_counters(static_cast<pmu::AlphaChip>(family))[number];
}

}  // namespace

bool Device::reloads() const { return setup_.spacing != Spacing::hardware && family_ != Family::ev4; }

bool Device::makes_sense(const Open& open) {
  if (!open.mux) return true;
  const auto wanted = modes_of(open.statistic);
  return std::find(wanted.begin(), wanted.end(), *open.mux) != wanted.end() || wanted.empty();
}

std::uint64_t Device::draw(unsigned counter, std::uint64_t period, bool profile_me) {
  const pmu::AlphaCounter& place = counter_of(family_, counter);
  const bool random = setup_.spacing == Spacing::drawn || (profile_me && setup_.spacing == Spacing::hardware);
  return within(random ? random_(counter, period) : period, least_period(static_cast<pmu::AlphaChip>(family_), place),
                place.mask() + 1);
}

// Loads counters that PALcode has just cleared and enabled.
void Device::start(const Open& open, unsigned counters) {
  for (unsigned i = 0; i < counters_; ++i) {
    if (!reloads() || (counters >> i & 1) == 0) continue;
    for (const unsigned cpu : open.cpus) reload(open, cpu, i);
  }
}

void Device::reload(const Open& open, unsigned cpu, unsigned counter) {
  const pmu::AlphaCounter& place = counter_of(family_, counter);
  const std::uint64_t period = counters_ == 3 ? open.periods[counter] : setup_.count_period;
  const std::uint64_t image = cpus_[cpu]->wrperfmon(Function::read, 0);
  const std::uint64_t held = image >> place.shift & place.mask();
  const std::uint64_t start = start_value(place, held, draw(counter, period, false));
  data_[cpu].starts[counter] = start;
  data_[cpu].moved[counter] += start - held;
  cpus_[cpu]->wrperfmon(Function::write, write_argument(static_cast<pmu::AlphaChip>(family_), place, image, start));
}

// Counters that begin at 0 would select the first instruction after 2^20 of them.
void Device::first_sample(const Open& open, unsigned counters) {
  const bool profiles = open.mux && (*open.mux & PF67_PROFILE_ME_MODE) != 0 && family_ == Family::ev67;
  if (!profiles || (counters & PF6_SEL_COUNTER_0) == 0) return;
  for (const unsigned cpu : open.cpus) next_sample(cpu);
}

// Restarts both counters (21264A manual, 6.10.3).
void Device::next_sample(unsigned cpu) {
  pmctrs_ev6 next{};
  next.pmctrs_ev6_cntr0 = ((1u << PF6_C0_WIDTH) - draw(0, setup_.profile_me_period, true)) & ((1u << PF6_C0_WIDTH) - 1);
  next.pmctrs_ev6_select = PF6_SEL_COUNTER_0 | PF6_SEL_COUNTER_1;
  cpus_[cpu]->wrperfmon(Function::enable_write, next.pmctrs_ev6_long);
}

}  // namespace pmusim::testbench::pfm
