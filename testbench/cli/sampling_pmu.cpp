#include "testbench/cli/sampling_pmu.h"

#include <fmt/format.h>

#include <iostream>
#include <string_view>
#include <utility>

#include "testbench/cli/command.h"
#include "testbench/cli/qualifier_options.h"

namespace pmusim::testbench {
namespace {

/// What an operating system's driver writes so that an overflow reaches the processor at all: on the Athlon the APIC
/// entry of the counters, as NMI and not masked; on IA-64 the vector, not masked. Written again by every handler,
/// because a delivery may mask it.
std::vector<RegisterWrite> interrupt_delivery(const SessionSetup& setup) {
  struct Entry {
    std::string_view name;
    std::uint64_t value;
  };
  constexpr std::uint64_t deliver_as_nmi = 4 << 8, linux_vector = 0xee;
  constexpr Entry entries[] = {{"LVTPC", deliver_as_nmi}, {"PMV", linux_vector}};
  const auto monitor = setup.target->make_monitor(setup.parameters);
  std::vector<RegisterWrite> writes;
  for (const Entry& entry : entries) {
    if (const auto info = pmu::find_register(*monitor, entry.name)) writes.push_back({info->id, entry.value});
  }
  return writes;
}

/// Periods are drawn unless they were asked to be constant, or the hardware has constant ones alone.
Sampler::NextPeriod next_period(const Arguments& arguments, bool fixed_periods) {
  if (fixed_periods || arguments.get<bool>("no-randomize")) return {};
  return RandomPeriod(arguments.get<std::uint64_t>("seed"));
}

bool has_fixed_periods(const SessionSetup& setup) {
  const Firmware* const firmware = find_firmware(setup.target->name);
  return firmware != nullptr && firmware->fixed_periods;
}

}  // namespace

void add_period_options(Arguments::Description& options) {
  namespace po = boost::program_options;
  options.add_options()("period", po::value<std::uint64_t>(), "N: events between two samples")(
      "randomize", po::bool_switch(),
      "vary each period by up to half (with -e each but the first): the default, where the counters can be written")(
      "no-randomize", po::bool_switch(), "constant periods")("seed", po::value<std::uint64_t>()->default_value(1),
                                                             "of varied periods; the same seed gives the same samples");
}

std::uint64_t period_of(const Arguments& arguments) {
  if (!arguments.has("period"))
    throw UsageError("--period is missing: events between two samples, as in --period 1000");
  return arguments.get<std::uint64_t>("period");
}

void check_period_options(const Arguments& arguments) {
  if (arguments.get<bool>("randomize") && arguments.get<bool>("no-randomize"))
    throw UsageError("give either --randomize or --no-randomize");
}

SamplingPlan sampling_plan(const SessionSetup& setup, const Arguments& arguments, std::vector<std::string> events) {
  const std::uint64_t period = period_of(arguments);
  const bool fixed_periods = has_fixed_periods(setup);
  if (fixed_periods) {  // the event asks for one of them
    for (std::string& event : events) event += fmt::format(":freq={}", period);
  }
  encoder::EncodeOptions options;
  options.sampling = true;
  options.qualifiers = qualifiers_of(arguments, setup.target->name);
  const auto encoding = encoder::encode(setup.target->name, events, options);
  if (!encoding) throw UsageError(encoding.error().message);
  SamplingPlan plan;
  plan.encoding = *encoding;
  plan.registers = encoding->registers;
  for (const encoder::EncodedEvent& event : encoding->events) {
    const auto preset = encoder::preset(setup.target->name, event.counter_index, period);
    if (!preset && !fixed_periods) throw UsageError(fmt::format("--period: {}", preset.error().message));
    plan.awaited.push_back({event.canonical, {event.counter, period}});
    plan.events.push_back(event.canonical);
  }
  if (fixed_periods && arguments.get<bool>("randomize"))
    std::cerr << fmt::format("pmusim: --randomize: the counters of {} cannot be written; its periods are constant\n",
                             setup.target->name);
  return plan;
}

SamplingPmu::SamplingPmu(Session& session, const SessionSetup& setup, const Arguments& arguments, SamplingPlan& plan,
                         unsigned thread, Sink sink, const LatchedRegisters& latched, const Watch& watch)
    : stack_(thread) {
  const auto with_stack = [this, sink = std::move(sink)](const Sample& sample) {
    sink(sample, stack_.at(sample.cycle));
  };
  session.add_observer([this](const activity::Block& block) { stack_.consume(block); });
  if (const auto chip = alpha_chip(setup.target->name)) {
    add_alpha(session, setup, *chip, plan, with_stack, next_period(arguments, has_fixed_periods(setup)), watch);
    return;
  }
  std::vector<SampledCounter> counters;
  for (const Awaited& one : plan.awaited) counters.push_back(one.counter);
  delivery_ = interrupt_delivery(setup);
  sampler_ = std::make_unique<Sampler>(*setup.target, setup.parameters, counters, with_stack,
                                       next_period(arguments, false), latched);
  // The system's part, then presets, then the encoder's writes in its order: it enables last.
  MonitorSetup monitor{delivery_, {}, setup.thread_of(thread)};
  const std::vector<RegisterWrite> presets = sampler_->presets();
  for (std::size_t i = 0; i < presets.size(); ++i) {
    monitor.writes.push_back(presets[i]);
    plan.awaited[i].start = presets[i].value;
  }
  const std::vector<RegisterWrite> programming = bus_writes(setup, plan.registers);
  monitor.writes.insert(monitor.writes.end(), programming.begin(), programming.end());
  monitor.handler = [this](RegisterBus& bus, const pmu::EntryState& entry) {
    (*sampler_)(bus, entry);
    for (const RegisterWrite& write : delivery_) bus.write(write.id, write.value);
  };
  if (watch) watch(monitor);
  monitor_ = session.add_monitor(std::move(monitor));
}

// On an Alpha PALcode says which counter overflowed, and writes its next start value.
void SamplingPmu::add_alpha(Session& session, const SessionSetup& setup, pmu::AlphaChip chip, SamplingPlan& plan,
                            const Sampler::Sink& sink, const Sampler::NextPeriod& next_period, const Watch& watch) {
  std::vector<SampledCounter> counters;
  for (Awaited& one : plan.awaited) {
    counters.push_back(one.counter);
    if (has_fixed_periods(setup)) continue;  // from 0 on, in periods of the hardware
    one.start = find_alpha_counter(chip, one.counter.name)->mask() + 1 - one.counter.period;
  }
  alpha_sampler_ = std::make_unique<AlphaSampler>(chip, counters, sink, next_period);
  Programming programming(*setup.target, setup.parameters);
  alpha_sampler_->preset(programming);
  add_writes(programming, plan.registers);
  MonitorSetup monitor{programming.writes(), std::ref(*alpha_sampler_)};
  if (watch) watch(monitor);
  monitor_ = session.add_monitor(std::move(monitor));
}

}  // namespace pmusim::testbench
