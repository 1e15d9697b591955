#include "testbench/driver/programming.h"

#include <fmt/format.h>

#include <stdexcept>

#include "models/ia64/monitor.h"

namespace pmusim::testbench {

Programming::Programming(const models::Target& target, const models::Parameters& parameters)
    : Programming(target, target.make_monitor(parameters)) {}

Programming::Programming(const models::Target& target, std::unique_ptr<pmu::Monitor> fresh)
    : target_(target.name), monitor_(std::move(fresh)), firmware_(find_firmware(target.name)) {
  if (firmware_ == nullptr) return;
  calls_ = firmware_->calls({[this](pmu::RegisterId id) { return monitor_->read(id, {}).value; },
                             [this](pmu::RegisterId id, std::uint64_t value) { write_register(id, value); }});
}

void Programming::write_register(pmu::RegisterId id, std::uint64_t value) {
  writes_.push_back({id, value});
  monitor_->write(id, value, {});
}

bool Programming::knows(std::string_view name) const {
  return pmu::find_register(*monitor_, name).has_value() ||
         (firmware_ != nullptr && (calls_->knows(name) || find_counter(*firmware_, name) != nullptr));
}

void Programming::write(std::string_view name, std::uint64_t value) {
  if (const auto info = pmu::find_register(*monitor_, name)) {
    write_register(info->id, value);
    return;
  }
  if (calls_ != nullptr && calls_->knows(name)) {
    if (!calls_->make(name, value)) {
      throw std::invalid_argument(fmt::format("{}={:#x}: PALcode of {} refuses the call", name, value, target_));
    }
    return;
  }
  const FirmwareCounter* const counter = firmware_ != nullptr ? find_counter(*firmware_, name) : nullptr;
  if (counter == nullptr) throw std::invalid_argument(fmt::format("target {} has no register '{}'", target_, name));
  if (counter->reg.empty()) {
    throw std::invalid_argument(fmt::format("{}: counters of {} cannot be written", name, target_));
  }
  const pmu::RegisterId id = pmu::find_register(*monitor_, counter->reg)->id;
  const std::uint64_t field = counter->mask() << counter->shift;
  write_register(id, (monitor_->read(id, {}).value & ~field) | (value << counter->shift & field));
}

bool Programming::may_write_counters(std::string_view name) const {
  if (firmware_ != nullptr) return true;
  const auto info = pmu::find_register(*monitor_, name);
  return info && info->kind == pmu::RegisterKind::counter;
}

bool Programming::loads_counters(std::string_view name) const {
  return calls_ != nullptr && calls_->knows(name) && calls_->loads(name);
}

std::vector<std::pair<std::string, std::uint64_t>> Programming::counters() const {
  std::vector<std::pair<std::string, std::uint64_t>> values;
  if (firmware_ == nullptr) {
    for (const pmu::RegisterInfo& info : monitor_->registers()) {
      if (info.kind == pmu::RegisterKind::counter) values.emplace_back(info.name, monitor_->read(info.id, {}).value);
    }
    return values;
  }
  for (const FirmwareCounter& counter : firmware_->counters) {
    if (counter.reg.empty()) continue;
    const std::uint64_t reg = monitor_->read(pmu::find_register(*monitor_, counter.reg)->id, {}).value;
    values.emplace_back(counter.name, reg >> counter.shift & counter.mask());
  }
  return values;
}

std::vector<std::string> Programming::broken_rules() const {
  const auto* const ia64 = dynamic_cast<const pmu::ia64::Ia64Monitor*>(monitor_.get());
  return ia64 == nullptr ? std::vector<std::string>{} : ia64->broken_rules();
}

}  // namespace pmusim::testbench
