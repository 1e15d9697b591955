#include "testbench/driver/firmware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

#include "testbench/driver/session_facts.h"

// The registry of session facts by target.
#define FACTS SessionFacts
#define MEMBER sessions
#define FINDER find_session_facts
#include "testbench/targets/find_facts.inc"

namespace pmusim::testbench {
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// a - b, or 0.
std::uint64_t less(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

const Firmware* find_firmware(std::string_view target) {
  const SessionFacts* const facts = find_session_facts(target);
  return facts == nullptr ? nullptr : facts->firmware;
}

const InterruptEntry* interrupt_entry(std::string_view target) {
  const SessionFacts* const facts = find_session_facts(target);
  return facts == nullptr ? nullptr : facts->delivery;
}

const FirmwareCounter* find_counter(std::span<const FirmwareCounter> counters, std::string_view name) {
  const auto found = std::find_if(counters.begin(), counters.end(),
                                  [&](const FirmwareCounter& counter) { return same_word(counter.name, name); });
  return found == counters.end() ? nullptr : &*found;
}

CounterReading read_counter(const models::Target& target, const MonitorResult& result, std::string_view counter) {
  const Firmware* const firmware = find_firmware(target.name);
  if (firmware == nullptr) {
    const RegisterReading& reading = result.reading(counter);
    return {reading.value, reading.info.width, 1};
  }
  const FirmwareCounter* const place = find_counter(*firmware, counter);
  if (place == nullptr) throw std::out_of_range(fmt::format("{} has no counter '{}'", target.name, counter));
  if (!place->reg.empty()) return {result.value(place->reg) >> place->shift & place->mask(), place->bits, 1};
  return {result.counters.at(place->number), place->bits + 1, 2};
}

std::uint64_t whole_count(const models::Target& target, const MonitorResult& result, std::string_view counter) {
  const CounterReading reading = read_counter(target, result, counter);
  const Firmware* const firmware = find_firmware(target.name);
  if (firmware == nullptr) return reading.value;
  const CounterTotals totals = firmware->totals(*result.monitor, find_counter(*firmware, counter)->number);
  // A register read includes the amount that has not been added yet.
  return totals.whole + ((reading.value - totals.whole) & (totals.modulus - 1));
}

void TickCounter::operator()(RegisterBus& bus, const pmu::EntryState&) {
  if (firmware_ == nullptr) return;
  if (const auto counter = firmware_->interrupted(bus.monitor())) ++ticks_.at(*counter);
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
  const Firmware* const firmware = find_firmware(target.name);
  if (firmware == nullptr) return {.value = reading.value};
  const FirmwareCounter& place = *find_counter(*firmware, counter);
  ExtendedCount count{.value = whole_count(target, result, counter), .halves = reading.per_event == 2};
  const std::uint64_t period = firmware->period(place, result);
  if (period == 0) return count;
  const std::uint64_t units = period * reading.per_event;
  const bool pending = firmware->pending(place, result);
  const std::uint64_t interrupts = ticks.ticks(place.number), seen = interrupts + (pending ? 1 : 0);
  const CounterTotals totals = firmware->totals(*result.monitor, place.number);
  // A sample of ProfileMe stops the counter, which then holds what was found about one instruction; its carry is not
  // among those of the counter.
  const bool counts = firmware->no_count(result).empty();
  const std::uint64_t before = totals.start % units;
  const std::uint64_t rest = counts && !place.reg.empty() ? reading.value % units : 0;
  count.driver = DriversCount{.period = (units - before) / reading.per_event,
                              .interrupts = interrupts,
                              .value = less(interrupts * units + rest, counts ? before : interrupts * before),
                              .pending = pending,
                              .lost = less(totals.carries, seen)};
  return count;
}

}  // namespace pmusim::testbench
