#include "testbench/driver/sampling.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"

namespace pmusim::testbench {

namespace {

const SamplingRule& rule_for(std::string_view target) {
  const SessionFacts* const facts = find_session_facts(target);
  if (facts == nullptr || facts->sampling == nullptr)
    throw std::invalid_argument(fmt::format("no sampling handler for target '{}'", target));
  return *facts->sampling;
}

pmu::RegisterId id_of(const pmu::Monitor& monitor, std::string_view target, std::string_view name) {
  const auto info = find_register(monitor, name);
  if (!info) throw std::invalid_argument(fmt::format("{} has no register '{}'", target, name));
  return info->id;
}

}  // namespace

std::vector<RegisterWrite> interrupt_delivery(const models::Target& target, const models::Parameters& parameters) {
  const InterruptEntry* const entry = interrupt_entry(target.name);
  if (entry == nullptr) return {};
  const auto monitor = target.make_monitor(parameters);
  return {{id_of(*monitor, target.name, entry->reg), entry->value}};
}

Sampler::Sampler(const models::Target& target, const models::Parameters& parameters,
                 std::vector<SampledCounter> counters, Sink sink, NextPeriod next_period,
                 const LatchedRegisters& latched)
    : rule_(&rule_for(target.name)), sink_(std::move(sink)), next_period_(std::move(next_period)) {
  const auto monitor = target.make_monitor(parameters);
  for (const SampledCounter& counter : counters) {
    if (counter.period == 0 || counter.period > rule_->longest_period) {
      throw std::invalid_argument(fmt::format("{}: a period of {} events is not possible; legal: 1 to {}", counter.name,
                                              counter.period, rule_->longest_period));
    }
    counters_.push_back({id_of(*monitor, target.name, counter.name), counter.period, counter.period});
  }
  const auto id = [&](std::string_view name) { return id_of(*monitor, target.name, name); };
  if (!rule_->latched.empty()) latched_.emplace_back(rule_->latched, id(rule_->latched));
  for (const std::string_view name : latched.read) latched_.emplace_back(name, id(name));
  for (const std::string_view name : latched.cleared) cleared_.push_back(id(name));
  if (!rule_->status.empty()) status_ = id(rule_->status);
  if (!rule_->rearm.empty()) rearm_ = id(rule_->rearm);
}

std::vector<RegisterWrite> Sampler::presets() const {
  std::vector<RegisterWrite> writes;
  for (const Armed& counter : counters_) writes.push_back({counter.id, rule_->overflow_value - counter.current});
  return writes;
}

bool Sampler::overflowed(const Armed& counter, std::uint64_t value, std::uint64_t status) const {
  if (!rule_->status.empty()) return (status >> counter.id.number & 1) != 0;
  return ((value >> rule_->sign_bit & 1) != 0) == rule_->overflowed_when_set;
}

void Sampler::operator()(RegisterBus& bus, const pmu::EntryState& entry) {
  const std::uint64_t mask = (std::uint64_t{1} << rule_->width) - 1;
  const std::uint64_t status = rule_->status.empty() ? 0 : bus.read(status_);
  bool any = false;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    Armed& counter = counters_[i];
    const std::uint64_t value = bus.read(counter.id) & mask;
    if (!overflowed(counter, value, status)) continue;
    any = true;
    sample(bus, entry, i);
    const std::uint64_t next = next_period_ ? next_period_(i, counter.period) : counter.period;
    counter.current = within(next, 1, rule_->longest_period);
    // More than a whole period of events since the overflow: the samples between are lost.
    std::uint64_t since = (value - rule_->overflow_value) & mask;
    if (since >= counter.current) since = 0;
    bus.write(counter.id, (rule_->overflow_value - counter.current + since) & mask);
  }
  if (!any) sample(bus, entry, counters_.size());
  for (const pmu::RegisterId id : cleared_) bus.write(id, 0);
  if (!rule_->rearm.empty()) bus.write(rearm_, (bus.read(rearm_) & rule_->rearm_keeps) | rule_->rearm_sets);
}

Sample sample_of(const pmu::EntryState& entry, std::uint64_t index) {
  Sample sample;
  sample.index = index;
  sample.cycle = entry.cycle;
  sample.requested = entry.requested;
  sample.ip = entry.pc;
  sample.thread = entry.thread;
  return sample;
}

void Sampler::sample(RegisterBus& bus, const pmu::EntryState& entry, std::size_t counter) {
  Sample sample = sample_of(entry, next_index_++);
  sample.counter = counter;
  sample.period = counter < counters_.size() ? counters_[counter].current : 0;
  for (const auto& [name, id] : latched_) sample.latched.emplace_back(name, bus.read(id));
  if (sink_) sink_(sample);
}

SampledSetup sampled_setup(const models::Target& target, const models::Parameters& parameters,
                           const std::vector<SampledCounter>& counters, const Sampler::Sink& sink,
                           const Sampler::NextPeriod& next_period, const LatchedRegisters& latched,
                           const std::function<void(Programming&)>& program) {
  Programming programming(target, parameters);
  if (const Firmware* const firmware = find_firmware(target.name)) {
    const std::shared_ptr<FirmwareSampler> sampler = firmware->sampler(counters, sink, next_period);
    sampler->preset(programming);
    program(programming);
    return {programming.writes(),
            [sampler](RegisterBus& bus, const pmu::EntryState& entry) { (*sampler)(bus, entry); },
            {}};
  }
  const std::vector<RegisterWrite> delivery = interrupt_delivery(target, parameters);
  const auto sampler = std::make_shared<Sampler>(target, parameters, counters, sink, next_period, latched);
  const std::vector<RegisterWrite> presets = sampler->presets();
  for (const auto* const writes : {&delivery, &presets}) {
    for (const RegisterWrite& write : *writes) programming.write(write);
  }
  program(programming);
  const auto handler = [sampler, delivery](RegisterBus& bus, const pmu::EntryState& entry) {
    (*sampler)(bus, entry);
    for (const RegisterWrite& write : delivery) bus.write(write.id, write.value);
  };
  return {programming.writes(), handler, presets};
}

}  // namespace pmusim::testbench
