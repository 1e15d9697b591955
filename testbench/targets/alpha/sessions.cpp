// PALcode that programs and samples the counters of an Alpha (driver/firmware.h). Sources of the fields: sys/pfcntr.h
// (ICCSR), Digital's EV5 PALcode (PMCTR, ISR), 21264/EV67 manual chapter 5 (PCTR_CTL, ISUM).
// It samples as an Alpha's profilers do: an interrupt reports which counter overflowed, and the handler writes the
// counter's next start value with a PALcode call. The 21064's counters cannot be written; their periods are those of
// the hardware. A 21264A in ProfileMe mode samples fetched instructions with PCTR0; their data is returned as latched
// registers (21264/EV67 manual 6.10.3).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <stdexcept>
#include <utility>

#include "models/alpha/alpha.h"
#include "models/alpha/wrperfmon.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/session_facts.h"

namespace pmusim::testbench {
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
  void preset(Programming& programming) const override {
    if (chip_ == AlphaChip::ev4) return;
    for (const Armed& armed : counters_) {
      programming.write(armed.counter->name, armed.counter->mask() + 1 - armed.current);
    }
  }
  void operator()(RegisterBus& bus, const pmu::EntryState& entry) override {
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
  [[nodiscard]] std::uint64_t samples() const override { return next_index_; }

 private:
  struct Armed {
    const FirmwareCounter* counter;
    std::uint64_t period;
    std::uint64_t current;  ///< of the current sample
  };
  /// Events since the overflow stay counted. After a profiled instruction there are none: both counters hold the counts
  /// of its window, and must be restarted.
  void restart(RegisterBus& bus, Armed& armed, std::size_t index) {
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

  AlphaChip chip_;
  std::vector<Armed> counters_;
  Sampler::Sink sink_;
  Sampler::NextPeriod next_period_;
  std::uint64_t next_index_ = 0;
};

bool bit(std::uint64_t value, unsigned number) { return (value >> number & 1) != 0; }

/// Function codes of WRPERFMON by the encoder's names for the calls.
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> functions{{{"WRPERFMON_DISABLE", 0},
                                                                               {"WRPERFMON_ENABLE", 1},
                                                                               {"WRPERFMON_SELECT", 2},
                                                                               {"WRPERFMON_OPTIONS", 3},
                                                                               {"WRPERFMON_FREQUENCY", 4},
                                                                               {"WRPERFMON_WRITE", 6},
                                                                               {"WRPERFMON_ENABLE_CLEAR", 7},
                                                                               {"WRPERFMON_ENABLE_WRITE", 7}}};
std::optional<std::uint64_t> wrperfmon_function(std::string_view name) {
  const auto same = [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); };
  for (const auto& [call, function] : functions) {
    if (std::equal(call.begin(), call.end(), name.begin(), name.end(), same)) return function;
  }
  return std::nullopt;
}

class PalcodeCalls final : public FirmwareCalls {
 public:
  PalcodeCalls(AlphaChip chip, FirmwareRegisters registers)
      : palcode_(chip, {std::move(registers.read), std::move(registers.write)}) {}

  [[nodiscard]] bool knows(std::string_view call) const override { return wrperfmon_function(call).has_value(); }
  [[nodiscard]] bool loads(std::string_view call) const override { return wrperfmon_function(call) == write_counters; }
  [[nodiscard]] bool make(std::string_view call, std::uint64_t argument) override {
    return palcode_(wrperfmon_function(call).value(), argument) == pmu::Wrperfmon::success;
  }

 private:
  pmu::Wrperfmon palcode_;
};

// PC0 is bit 3 of ICCSR, PC1 bit 0; the enables in HIER are bits 8 and 15.
std::uint64_t ev4_period(const FirmwareCounter& counter, const MonitorResult& result) {
  constexpr std::uint64_t one = 1;
  if (!bit(result.value("HIER"), counter.number == 0 ? 8 : 15)) return 0;
  const std::uint64_t iccsr = result.value("ICCSR");
  if (counter.number == 0) return bit(iccsr, 3) ? one << 12 : one << 16;
  return bit(iccsr, 0) ? one << 8 : one << 12;
}
bool ev4_pending(const FirmwareCounter& counter, const MonitorResult& result) {
  return bit(result.value("HIRR"), counter.number == 0 ? 9 : 8);
}

std::uint64_t ev5_period(const FirmwareCounter& counter, const MonitorResult& result) {
  switch (result.value("PMCTR") >> (14 - 2 * counter.number) & 3) {  // CTL
    case 2:
      return std::uint64_t{1} << counter.bits;
    case 3:
      return 256;
    default:
      return 0;
  }
}
bool ev5_pending(const FirmwareCounter& counter, const MonitorResult& result) {
  return bit(result.value("ISR"), 27 + counter.number);
}

std::uint64_t ev6_period(const FirmwareCounter& counter, const MonitorResult& result) {
  return bit(result.value("IER_CM"), 29 + counter.number) ? std::uint64_t{1} << counter.bits : 0;
}
bool ev6_pending(const FirmwareCounter& counter, const MonitorResult& result) {
  return bit(result.value("ISUM"), 29 + counter.number);
}

CounterTotals totals(const pmu::Monitor& monitor, unsigned counter) {
  const pmu::AlphaTotals all = pmu::alpha_totals(monitor, counter);
  return {all.whole, all.modulus, all.carries, all.start};
}

std::string_view always_counts(const MonitorResult& /*result*/) { return {}; }
// ProfileMe occupies the counters.
std::string_view profiles(const MonitorResult& result) {
  constexpr unsigned sl0 = 4;
  if (!bit(result.value("PCTR_CTL"), sl0)) return {};
  return "with PCTR_CTL SL0 = 1 the counters serve ProfileMe and follow one instruction at a time: there is no count "
         "to explain; see pmusim record --statistic";
}

template <AlphaChip chip>
constexpr Firmware palcode(decltype(Firmware::period) period, decltype(Firmware::pending) pending) {
  constexpr std::uint64_t profiled = 1u << 27 | 1u << 26 | 3;  // the fate of the profiled instruction
  constexpr bool profile_me = chip == AlphaChip::ev67;
  return {.counters = pmu::alpha_counters(chip),
          .fixed_periods = chip == AlphaChip::ev4,
          .found_bits = profile_me ? profiled : 0,
          .calls = [](FirmwareRegisters registers) -> std::unique_ptr<FirmwareCalls> {
            return std::make_unique<PalcodeCalls>(chip, std::move(registers));
          },
          .sampler = [](const std::vector<SampledCounter>& counters, Sampler::Sink sink,
                        Sampler::NextPeriod next_period) -> std::unique_ptr<FirmwareSampler> {
            return std::make_unique<AlphaSampler>(chip, counters, std::move(sink), std::move(next_period));
          },
          .least_period = [](const FirmwareCounter& counter) { return pmu::least_period(chip, counter); },
          .period = period,
          .pending = pending,
          .interrupted = pmu::alpha_interrupted_counter,
          .totals = totals,
          .no_count = profile_me ? profiles : always_counts};
}

constexpr Firmware ev4 = palcode<AlphaChip::ev4>(ev4_period, ev4_pending);
constexpr Firmware ev5 = palcode<AlphaChip::ev5>(ev5_period, ev5_pending);
constexpr Firmware pca56 = palcode<AlphaChip::pca56>(ev5_period, ev5_pending);
constexpr Firmware ev6 = palcode<AlphaChip::ev6>(ev6_period, ev6_pending);
constexpr Firmware ev67 = palcode<AlphaChip::ev67>(ev6_period, ev6_pending);

}  // namespace

namespace targets {

const SessionFacts alpha_ev4::sessions{.firmware = &ev4};
const SessionFacts alpha_ev5::sessions{.firmware = &ev5};
const SessionFacts alpha_pca56::sessions{.firmware = &pca56};
const SessionFacts alpha_ev6::sessions{.firmware = &ev6};
const SessionFacts alpha_ev67::sessions{.firmware = &ev67};

}  // namespace targets

}  // namespace pmusim::testbench
