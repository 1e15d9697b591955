#include "testbench/lab/bindings/programme.h"

#include <nlohmann/json.hpp>

#include "testbench/driver/captured.h"
#include "testbench/driver/programming.h"
#include "testbench/explain/raw_counters.h"

namespace pmusim::lab {
namespace {

using testbench::MonitorSetup;
using testbench::Programming;
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
  std::vector<RegisterWrite> writes = testbench::writes_of(*target_, parameters_, registers_);
  if (testbench::find_firmware(target_->name)) return collected.ticks.setup(std::move(writes));
  return {std::move(writes), {}};
}

MonitorSetup Programme::sampled(const Json& sampling, Collected& collected) const {
  std::vector<SampledCounter> counters;
  for (const Json& counter : sampling.at("counters"))
    counters.push_back({counter.at("name"), counter.at("period").get<std::uint64_t>()});
  const auto sink = [&collected](const testbench::Sample& sample) { collected.samples.push_back(sample); };
  const testbench::CaptureUnits units(target_->name, testbench::writes_of(*target_, parameters_, registers_));
  const auto setup = testbench::sampled_setup(*target_, parameters_, counters, sink, next_period_of(sampling),
                                              {units.registers(), units.cleared()}, [&](Programming& programming) {
                                                for (const encoder::RegisterValue& reg : registers_)
                                                  programming.write(reg.name, reg.value);
                                              });
  return {setup.writes, setup.handler};
}

}  // namespace pmusim::lab
