// Fields: sys/pfcntr.h (ICCSR), Digital's EV5 PALcode (PMCTR, ISR), 21264/EV67 manual chapter 5 (PCTR_CTL, ISUM).
#include "testbench/driver/alpha.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/alpha/alpha.h"

namespace pmusim::testbench {
namespace {

using pmu::AlphaChip;

constexpr std::array<std::pair<std::string_view, AlphaChip>, 5> chips{{{"alpha-ev4", AlphaChip::ev4},
                                                                       {"alpha-ev5", AlphaChip::ev5},
                                                                       {"alpha-pca56", AlphaChip::pca56},
                                                                       {"alpha-ev6", AlphaChip::ev6},
                                                                       {"alpha-ev67", AlphaChip::ev67}}};
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> functions{{{"WRPERFMON_DISABLE", 0},
                                                                               {"WRPERFMON_ENABLE", 1},
                                                                               {"WRPERFMON_SELECT", 2},
                                                                               {"WRPERFMON_OPTIONS", 3},
                                                                               {"WRPERFMON_FREQUENCY", 4},
                                                                               {"WRPERFMON_WRITE", 6},
                                                                               {"WRPERFMON_ENABLE_CLEAR", 7},
                                                                               {"WRPERFMON_ENABLE_WRITE", 7}}};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool bit(std::uint64_t value, unsigned number) { return (value >> number & 1) != 0; }

}  // namespace

std::optional<AlphaChip> alpha_chip(std::string_view target) {
  for (const auto& [name, chip] : chips) {
    if (name == target) return chip;
  }
  return std::nullopt;
}

const AlphaCounter* find_alpha_counter(AlphaChip chip, std::string_view name) {
  for (const AlphaCounter& counter : alpha_counters(chip)) {
    if (same_word(counter.name, name)) return &counter;
  }
  return nullptr;
}

std::optional<std::uint64_t> wrperfmon_function(std::string_view name) {
  for (const auto& [call, function] : functions) {
    if (same_word(call, name)) return function;
  }
  return std::nullopt;
}

pmu::Wrperfmon wrperfmon_on(AlphaChip chip, RegisterBus& bus) {
  return {chip,
          {[&bus](pmu::RegisterId id) { return bus.read(id); },
           [&bus](pmu::RegisterId id, std::uint64_t value) { bus.write(id, value); }}};
}

CounterReading read_counter(const models::Target& target, const MonitorResult& result, std::string_view counter) {
  const auto chip = alpha_chip(target.name);
  if (!chip) {
    const RegisterReading& reading = result.reading(counter);
    return {reading.value, reading.info.width, 1};
  }
  const AlphaCounter* const place = find_alpha_counter(*chip, counter);
  if (place == nullptr) throw std::out_of_range(fmt::format("{} has no counter '{}'", target.name, counter));
  if (!place->reg.empty()) return {result.value(place->reg) >> place->shift & place->mask(), place->bits, 1};
  return {result.counters.at(place->number), place->bits + 1, 2};
}

std::uint64_t whole_count(const models::Target& target, const MonitorResult& result, std::string_view counter) {
  const CounterReading reading = read_counter(target, result, counter);
  const auto chip = alpha_chip(target.name);
  if (!chip) return reading.value;
  const pmu::AlphaTotals totals = pmu::alpha_totals(*result.monitor, find_alpha_counter(*chip, counter)->number);
  // A register shows what is still to be added, too.
  return totals.whole + ((reading.value - totals.whole) & (totals.modulus - 1));
}

std::uint64_t interrupt_period(AlphaChip chip, const AlphaCounter& counter, const MonitorResult& result) {
  constexpr std::uint64_t one = 1;
  switch (chip) {
    case AlphaChip::ev4: {  // PC0 is bit 3 of ICCSR, PC1 bit 0; of HIER they are bits 8 and 15
      if (!bit(result.value("HIER"), counter.number == 0 ? 8 : 15)) return 0;
      const std::uint64_t iccsr = result.value("ICCSR");
      if (counter.number == 0) return bit(iccsr, 3) ? one << 12 : one << 16;
      return bit(iccsr, 0) ? one << 8 : one << 12;
    }
    case AlphaChip::ev5:
    case AlphaChip::pca56:
      switch (result.value("PMCTR") >> (14 - 2 * counter.number) & 3) {  // CTL
        case 2:
          return one << counter.bits;
        case 3:
          return 256;
        default:
          return 0;
      }
    default:
      return bit(result.value("IER_CM"), 29 + counter.number) ? one << counter.bits : 0;
  }
}

bool interrupt_pending(AlphaChip chip, const AlphaCounter& counter, const MonitorResult& result) {
  switch (chip) {
    case AlphaChip::ev4:
      return bit(result.value("HIRR"), counter.number == 0 ? 9 : 8);
    case AlphaChip::ev5:
    case AlphaChip::pca56:
      return bit(result.value("ISR"), 27 + counter.number);
    default:
      return bit(result.value("ISUM"), 29 + counter.number);
  }
}

void TickCounter::operator()(RegisterBus& bus, const pmu::EntryState&) {
  if (const auto counter = pmu::alpha_interrupted_counter(bus.monitor())) ++ticks_.at(*counter);
}

MonitorSetup TickCounter::setup(std::vector<RegisterWrite> writes, std::optional<unsigned> thread) {
  MonitorSetup setup{std::move(writes), std::ref(*this), thread};
  for (std::uint64_t& ticks : ticks_) setup.tallies.push_back(&ticks);
  setup.called = true;
  return setup;
}

ExtendedCount extended_count(const models::Target& target, const MonitorResult& result, std::string_view counter,
                             const TickCounter& ticks) {
  const CounterReading reading = read_counter(target, result, counter);
  const auto chip = alpha_chip(target.name);
  if (!chip) return {.value = reading.value};
  const AlphaCounter& place = *find_alpha_counter(*chip, counter);
  ExtendedCount count{.value = whole_count(target, result, counter), .halves = reading.per_event == 2};
  const std::uint64_t period = interrupt_period(*chip, place, result);
  if (period == 0) return count;
  const std::uint64_t units = period * reading.per_event;
  const bool readable = !place.reg.empty();
  const bool pending = interrupt_pending(*chip, place, result);
  const std::uint64_t interrupts = ticks.ticks(place.number);
  count.driver =
      DriversCount{.period = period,
                   .interrupts = interrupts,
                   .value = interrupts * units + (readable ? reading.value % units : 0),
                   .pending = pending,
                   .lost = pmu::alpha_totals(*result.monitor, place.number).carries - interrupts - (pending ? 1 : 0)};
  return count;
}

}  // namespace pmusim::testbench
