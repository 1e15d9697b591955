#include "testbench/explain/raw_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"

namespace pmusim::testbench {

namespace {

/// The interrupt enable bit in a counter's control register, and the bits that mask it.
struct Delivery {
  std::string_view counter, control;  ///< names without their number
  unsigned asks;
  std::string_view mask;
};
constexpr unsigned mask_bit = 16;
constexpr Delivery deliveries[] = {{"PerfCtr", "PerfEvtSel", 20, "LVTPC"}, {"PMD", "PMC", 5, "PMV"}};

const RegisterReading* find_reading(const MonitorResult& result, std::string_view name) {
  const auto found = std::find_if(result.registers.begin(), result.registers.end(),
                                  [&](const RegisterReading& reading) { return reading.info.name == name; });
  return found == result.registers.end() ? nullptr : &*found;
}

bool has_bit(const RegisterReading* reading, unsigned bit) {
  return reading != nullptr && (reading->value >> bit & 1) != 0;
}

}  // namespace

std::string without_target(const std::string& event) {
  const std::size_t target = event.find("::");
  return target == std::string::npos ? event : event.substr(target + 2);
}

std::string without_attributes(const std::string& event) {
  std::string name;
  std::istringstream parts(without_target(event));
  for (std::string part; std::getline(parts, part, ':');) {
    if (part.find('=') == std::string::npos) name += (name.empty() ? "" : ":") + part;
  }
  return name;
}

std::vector<RegisterWrite> writes_of(const models::Target& target, const models::Parameters& parameters,
                                     std::span<const encoder::RegisterValue> registers) {
  Programming programming(target, parameters);
  for (const encoder::RegisterValue& reg : registers) programming.write(reg.name, reg.value);
  return programming.writes();
}

encoder::Result<std::vector<encoder::Selection>> raw_selections(std::string_view target,
                                                                std::span<const encoder::RegisterValue> registers) {
  const auto known = encoder::registers(target);
  std::vector<encoder::RegisterValue> selectors;
  for (const encoder::RegisterValue& value : registers) {
    const bool selects = std::any_of(known->begin(), known->end(),
                                     [&](const encoder::RegisterValue& r) { return r.name == value.name; });
    if (selects) selectors.push_back(value);
  }
  return encoder::selections(target, selectors);
}

std::vector<std::string> lost_bits(const models::Target& target, const models::Parameters& parameters,
                                   std::span<const encoder::RegisterValue> registers) {
  std::vector<std::string> lines;
  if (find_firmware(target.name))
    return lines;  // some of its registers are read in a layout other than the one in which they are written
  const auto monitor = target.make_monitor(parameters);
  for (const encoder::RegisterValue& reg : registers) {
    const auto info = pmu::find_register(*monitor, reg.name);
    if (!info || info->kind != pmu::RegisterKind::control) continue;
    if (monitor->write(info->id, reg.value, {}).fault != pmu::Fault::none) continue;  // the run reports it
    const pmu::AccessResult held = monitor->read(info->id, {});
    if (held.fault != pmu::Fault::none || held.value == reg.value) continue;
    lines.push_back(fmt::format("{}={:#x}: the register holds {:#x}; bits {:#x} are reserved or fixed", reg.name,
                                reg.value, held.value, held.value ^ reg.value));
  }
  return lines;
}

std::vector<encoder::Selection> program_selections(std::string_view target,
                                                   std::vector<encoder::RegisterValue> registers,
                                                   std::span<const pmu::AccessReport> accesses) {
  std::vector<encoder::Selection> all;
  const auto known = encoder::registers(target);
  for (const pmu::AccessReport& access : accesses) {
    if (!access.write || access.fault != pmu::Fault::none) continue;
    const auto same = [&](const encoder::RegisterValue& r) { return r.name == access.name; };
    const auto info = std::find_if(known->begin(), known->end(), same);
    if (info == known->end()) continue;
    auto value = std::find_if(registers.begin(), registers.end(), same);
    if (value == registers.end()) value = registers.insert(registers.end(), *info);
    value->value = access.value;
    const auto selections = raw_selections(target, registers);
    if (selections) all.insert(all.end(), selections->begin(), selections->end());
  }
  return all;
}

std::vector<std::string> interrupt_notes(const MonitorResult& result, std::string_view counter) {
  for (const Delivery& delivery : deliveries) {
    if (!counter.starts_with(delivery.counter)) continue;
    const std::string control = fmt::format("{}{}", delivery.control, counter.substr(delivery.counter.size()));
    if (!has_bit(find_reading(result, control), delivery.asks)) continue;
    if (!has_bit(find_reading(result, delivery.mask), mask_bit)) continue;
    return {
        fmt::format("it asks for an interrupt, and {} masks it (bit {}): none is delivered", delivery.mask, mask_bit)};
  }
  return {};
}

}  // namespace pmusim::testbench
