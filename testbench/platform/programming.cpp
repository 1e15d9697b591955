#include "programming.h"

#include <models/alpha/wrperfmon.h>
#include <pmusim/encoder/encoder.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace platform {
namespace {

namespace encoder = pmusim::encoder;
namespace pmu = pmusim::pmu;
using pmusim::models::Target;

template <class T>
T value_of(encoder::Result<T> result) {
  if (!result) throw std::invalid_argument(result.error().message);
  return std::move(result).value();
}

/// Register writes of a target, in order. An Alpha's encoding consists of PALcode calls; their register writes are
/// determined by making the calls on a monitor.
class Recorder {
 public:
  explicit Recorder(const Target& target) : monitor_(target.make_monitor(target.parameters())) {
    if (const auto chip = this->chip()) {
      palcode_.emplace(
          *chip, pmu::Wrperfmon::Registers{[this](pmu::RegisterId id) { return monitor_->read(id, {}).value; },
                                           [this](pmu::RegisterId id, std::uint64_t value) { write(id, value); }});
    }
  }
  void write(const encoder::RegisterValue& reg) {
    if (reg.space == "wrperfmon") {
      (*palcode_)(reg.number, reg.value);
    } else {
      write(pmu::find_register(*monitor_, reg.name)->id, reg.value);
    }
  }
  /// Writes some bits of a register; the others are unchanged.
  void write(const CounterPlace& place, std::uint64_t value) {
    const pmu::RegisterId id = pmu::find_register(*monitor_, place.reg)->id;
    write(id, (monitor_->read(id, {}).value & ~(place.mask() << place.shift)) | (value & place.mask()) << place.shift);
  }
  /// Empty for a target that is not an Alpha.
  [[nodiscard]] std::optional<pmu::AlphaChip> chip() const { return pmu::alpha_chip(*monitor_); }
  [[nodiscard]] bool has(std::string_view name) const { return pmu::find_register(*monitor_, name).has_value(); }
  [[nodiscard]] unsigned width(std::string_view name) const { return pmu::find_register(*monitor_, name)->width; }
  std::vector<RegisterWrite> take() { return std::exchange(writes_, {}); }

 private:
  void write(pmu::RegisterId id, std::uint64_t value) {
    for (const pmu::RegisterInfo& info : monitor_->registers()) {
      if (info.id == id) writes_.push_back({std::string(info.name), value});
    }
    monitor_->write(id, value, {});
  }
  std::unique_ptr<pmu::Monitor> monitor_;
  std::optional<pmu::Wrperfmon> palcode_;
  std::vector<RegisterWrite> writes_;
};

CounterPlace place_of(const Recorder& recorder, const std::string& counter) {
  if (recorder.has(counter)) return {counter, counter, 0, recorder.width(counter)};
  const unsigned number = static_cast<unsigned>(counter.back() - '0');
  constexpr std::array<std::pair<unsigned, unsigned>, 3> pmctr{{{48, 16}, {32, 16}, {16, 14}}};
  constexpr std::array<std::pair<unsigned, unsigned>, 2> pctr_ctl{{{28, 20}, {6, 20}}};
  switch (recorder.chip().value_or(pmu::AlphaChip::ev4)) {
    case pmu::AlphaChip::ev5:
    case pmu::AlphaChip::pca56:
      return {counter, "PMCTR", pmctr[number].first, pmctr[number].second};
    case pmu::AlphaChip::ev6:
    case pmu::AlphaChip::ev67:
      return {counter, "PCTR_CTL", pctr_ctl[number].first, pctr_ctl[number].second};
    default:
      return {counter, "", 0, 0};
  }
}

}  // namespace

Programming program(const Target& target, const std::vector<std::string>& events, std::uint64_t period) {
  encoder::EncodeOptions options;
  options.sampling = period != 0;
  const encoder::Encoding encoding = value_of(encoder::encode(target.name, events, options));
  Programming result;
  Recorder recorder(target);
  for (const encoder::EncodedEvent& event : encoding.events) {
    result.counters.push_back(place_of(recorder, event.counter));
  }
  for (const encoder::RegisterValue& reg : encoding.off) recorder.write(reg);
  result.stop = recorder.take();
  result.start = result.stop;
  const bool alpha = recorder.chip().has_value();
  const auto preset = [&] {
    for (std::size_t i = 0; i < result.counters.size(); ++i) {
      const CounterPlace& place = result.counters[i];
      if (place.reg.empty()) continue;
      const bool samples = i == 0 && period != 0;
      recorder.write(place,
                     samples ? value_of(encoder::preset(target.name, encoding.events[i].counter_index, period)) : 0);
    }
  };
  // Delivery of the request: without these entries it does not leave the PMU.
  const auto deliver = [&](const char* name, std::uint64_t value) {
    if (options.sampling && recorder.has(name)) recorder.write({name, name, 0, 32}, value);
  };
  deliver("LVTPC", 0x400);  // Athlon: as an NMI
  deliver("PMV", 0xee);     // IA-64: vector 0xee
  if (!alpha) preset();
  for (const encoder::RegisterValue& reg : encoding.registers) recorder.write(reg);
  if (alpha) preset();  // the counters are fields of the registers that the calls write
  for (RegisterWrite& write : recorder.take()) result.start.push_back(std::move(write));
  return result;
}

}  // namespace platform
