// ProfileMe's handler: 21264/EV67 manual 6.10.3.

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "models/alpha/alpha.h"
#include "models/alpha/wrperfmon.h"
#include "testbench/driver/programming.h"
#include "testbench/targets/alpha/sessions.h"

namespace pmusim::testbench::targets::alpha {
namespace {

using pmu::AlphaChip;
using pmu::RegisterId;

constexpr std::uint64_t write_counters = 6;      // function of WRPERFMON
constexpr std::uint64_t profile_mode = 1u << 4;  // SL0 of PCTR_CTL
constexpr std::uint64_t both_counters = 3;

RegisterId id_of(RegisterBus& bus, std::string_view name) { return pmu::find_register(bus.monitor(), name)->id; }

/// WRPERFMON on a processor whose registers are accessed over a bus, which must outlive the result.
pmu::Wrperfmon wrperfmon_on(AlphaChip chip, RegisterBus& bus) {
  return {chip,
          {[&bus](RegisterId id) { return bus.read(id); },
           [&bus](RegisterId id, std::uint64_t value) { bus.write(id, value); }}};
}

class AlphaSampler final : public FirmwareSampler {
 public:
  AlphaSampler(AlphaChip chip, const std::vector<SampledCounter>& counters, Sampler::Sink sink,
               Sampler::NextPeriod next_period);
  void preset(Programming& programming) const override;
  void operator()(RegisterBus& bus, const pmu::EntryState& entry) override;
  [[nodiscard]] std::uint64_t samples() const override { return next_index_; }

 private:
  struct Armed {
    const FirmwareCounter* counter;
    std::uint64_t period;
    std::uint64_t current;  ///< of the current sample
  };
  void restart(RegisterBus& bus, Armed& armed, std::size_t index);

  AlphaChip chip_;
  std::vector<Armed> counters_;
  Sampler::Sink sink_;
  Sampler::NextPeriod next_period_;
  std::uint64_t next_index_ = 0;
};

AlphaSampler::AlphaSampler(AlphaChip chip, const std::vector<SampledCounter>& counters, Sampler::Sink sink,
                           Sampler::NextPeriod next_period)
    : chip_(chip), sink_(std::move(sink)), next_period_(std::move(next_period)) {
  for (const SampledCounter& wanted : counters) {
    const FirmwareCounter* const counter = find_counter(pmu::alpha_counters(chip), wanted.name);
    if (counter == nullptr) throw std::invalid_argument(fmt::format("no counter '{}' on this Alpha", wanted.name));
    const std::uint64_t least = least_period(chip, *counter), longest = counter->mask() + 1;
    if (wanted.period < least || wanted.period > longest) {
      throw std::invalid_argument(fmt::format("{}: a period of {} events is not possible; legal: {} to {}",
                                              counter->name, wanted.period, least, longest));
    }
    counters_.push_back({counter, wanted.period, wanted.period});
  }
}

void AlphaSampler::preset(Programming& programming) const {
  if (chip_ == AlphaChip::ev4) return;
  for (const Armed& armed : counters_) {
    programming.write(armed.counter->name, armed.counter->mask() + 1 - armed.current);
  }
}

void AlphaSampler::operator()(RegisterBus& bus, const pmu::EntryState& entry) {
  const auto number = pmu::alpha_interrupted_counter(bus.monitor());
  const auto armed = std::find_if(counters_.begin(), counters_.end(),
                                  [&](const Armed& a) { return number && a.counter->number == *number; });
  if (armed == counters_.end()) return;  // a counter that cannot be disabled (21064)
  Sample sample = sample_of(entry, next_index_++);
  sample.counter = static_cast<std::size_t>(armed - counters_.begin());
  sample.period = armed->current;
  if (chip_ == AlphaChip::ev67 && (bus.read(id_of(bus, "PCTR_CTL")) & profile_mode) != 0) {
    for (const std::string_view name : {"I_STAT", "PCTR_CTL", "PMPC"}) {
      sample.latched.emplace_back(name, bus.read(id_of(bus, name)));
    }
  }
  if (sink_) sink_(sample);
  if (chip_ != AlphaChip::ev4) restart(bus, *armed, sample.counter);
}

// Events since the overflow stay counted. After a profiled instruction there are none: both counters hold the counts of
// its window, and must be restarted.
void AlphaSampler::restart(RegisterBus& bus, Armed& armed, std::size_t index) {
  const FirmwareCounter& counter = *armed.counter;
  const std::uint64_t next = next_period_ ? next_period_(index, armed.period) : armed.period;
  armed.current = within(next, least_period(chip_, counter), counter.mask() + 1);
  const std::uint64_t held = bus.read(id_of(bus, counter.reg));
  const bool profiles = chip_ == AlphaChip::ev67 && (held & profile_mode) != 0;
  const std::uint64_t since = profiles ? 0 : held >> counter.shift & counter.mask();
  pmu::Wrperfmon palcode = wrperfmon_on(chip_, bus);
  palcode(write_counters, write_argument(chip_, counter, held, start_value(counter, since, armed.current)) |
                              (profiles ? both_counters : 0));
}

}  // namespace

std::unique_ptr<FirmwareSampler> make_sampler(AlphaChip chip, const std::vector<SampledCounter>& counters,
                                              Sampler::Sink sink, Sampler::NextPeriod next_period) {
  return std::make_unique<AlphaSampler>(chip, counters, std::move(sink), std::move(next_period));
}

}  // namespace pmusim::testbench::targets::alpha
