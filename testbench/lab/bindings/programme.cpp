#include "testbench/lab/bindings/programme.h"

#include <nlohmann/json.hpp>

#include "testbench/driver/captured.h"
#include "testbench/driver/programming.h"

namespace pmusim::lab {
namespace {

using testbench::MonitorSetup;
using testbench::Programming;
using testbench::RegisterBus;
using testbench::RegisterWrite;
using testbench::SampledCounter;
using testbench::Sampler;

Sampler::NextPeriod next_period_of(const Json& sampling) {
  if (!sampling.contains("seed")) return {};
  return testbench::RandomPeriod(sampling.at("seed").get<std::uint64_t>());
}

}  // namespace

Programme::Programme(const Json& request, unsigned threads)
    : target_(&target_of(request)), parameters_(target_->parameters()), registers_(registers_of(request)) {
  for (unsigned thread = 0; thread < threads; ++thread) {
    Collected& collected =
        *collected_.emplace_back(std::make_unique<Collected>(testbench::find_firmware(target_->name)));
    setups_.push_back(request.contains("sampling") ? sampled(request.at("sampling"), collected) : plain(collected));
    if (threads > 1) setups_.back().thread = thread;
  }
}

MonitorSetup Programme::plain(Collected& collected) const {
  Programming programming(*target_, parameters_);
  for (const encoder::RegisterValue& reg : registers_) programming.write(reg.name, reg.value);
  if (testbench::find_firmware(target_->name)) return collected.ticks.setup(programming.writes());
  return {programming.writes(), {}};
}

MonitorSetup Programme::sampled(const Json& sampling, Collected& collected) const {
  std::vector<SampledCounter> counters;
  for (const Json& counter : sampling.at("counters"))
    counters.push_back({counter.at("name"), counter.at("period").get<std::uint64_t>()});
  const auto sink = [&collected](const testbench::Sample& sample) { collected.samples.push_back(sample); };
  Programming programming(*target_, parameters_);
  const auto write_registers = [&] {
    for (const encoder::RegisterValue& reg : registers_) programming.write(reg.name, reg.value);
  };
  if (const auto* const firmware = testbench::find_firmware(target_->name)) {
    const std::shared_ptr<testbench::FirmwareSampler> sampler =
        firmware->sampler(counters, sink, next_period_of(sampling));
    sampler->preset(programming);
    write_registers();
    return {programming.writes(),
            [sampler](RegisterBus& bus, const pmu::EntryState& entry) { (*sampler)(bus, entry); }};
  }
  const std::vector<RegisterWrite> delivery = testbench::interrupt_delivery(*target_, parameters_);
  for (const RegisterWrite& write : delivery) programming.write(write);
  Programming plain(*target_, parameters_);
  for (const encoder::RegisterValue& reg : registers_) plain.write(reg.name, reg.value);
  const testbench::CaptureUnits units(target_->name, plain.writes());
  const auto sampler = std::make_shared<Sampler>(*target_, parameters_, counters, sink, next_period_of(sampling),
                                                 testbench::LatchedRegisters{units.registers(), units.cleared()});
  for (const RegisterWrite& write : sampler->presets()) programming.write(write);
  write_registers();
  return {programming.writes(), [sampler, delivery](RegisterBus& bus, const pmu::EntryState& entry) {
            (*sampler)(bus, entry);
            for (const RegisterWrite& write : delivery) bus.write(write.id, write.value);
          }};
}

}  // namespace pmusim::lab
