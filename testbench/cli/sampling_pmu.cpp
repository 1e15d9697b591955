#include "testbench/cli/sampling_pmu.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "testbench/cli/command.h"
#include "testbench/cli/programmed.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/wraps.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

namespace {

bool has_fixed_periods(const SessionSetup& setup) {
  const Firmware* const firmware = find_firmware(setup.target->name);
  return firmware != nullptr && firmware->fixed_periods;
}

/// Periods are randomised unless the user asks for constant ones, or the hardware has only constant ones.
Sampler::NextPeriod next_period(const Arguments& arguments, const SessionSetup& setup) {
  if (has_fixed_periods(setup) || arguments.get<bool>("no-randomize")) return {};
  return RandomPeriod(arguments.get<std::uint64_t>("seed"));
}

}  // namespace

Options period_options() {
  return {{"period", po::number<std::uint64_t>(), "N: number of events between two samples"},
          {"randomize", po::flag(),
           "vary each period by up to half (with -e all but the first); the default if the counters are writable"},
          {"no-randomize", po::flag(), "use constant periods"},
          {"seed", po::number<std::uint64_t>(1), "seed of varied periods; the same seed gives the same samples"}};
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
  if (fixed_periods) {  // the event selects one of them
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
    if (!preset && !fixed_periods) throw UsageError("--period: {}", preset.error().message);
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
  const Firmware* const firmware = find_firmware(setup.target->name);
  std::vector<SampledCounter> counters;
  for (const Awaited& one : plan.awaited) counters.push_back(one.counter);
  SampledSetup sampled =
      sampled_setup(*setup.target, setup.parameters, counters, with_stack, next_period(arguments, setup), latched,
                    [&](Programming& programming) { add_writes(programming, plan.registers); });
  for (std::size_t i = 0; i < plan.awaited.size(); ++i) {
    Awaited& one = plan.awaited[i];
    if (firmware == nullptr)
      one.start = sampled.presets[i].value;
    else if (!firmware->fixed_periods)  // else from 0 on, with the periods of the hardware
      one.start = find_counter(*firmware, one.counter.name)->mask() + 1 - one.counter.period;
  }
  MonitorSetup monitor{std::move(sampled.writes), std::move(sampled.handler), setup.thread_of(thread)};
  if (watch) watch(monitor);
  monitor_ = session.add_monitor(std::move(monitor));
}

std::vector<std::string> why_no_sample(const models::Target& target, const MonitorResult& result,
                                       const std::vector<Awaited>& counters) {
  std::vector<std::string> sentences;
  const bool waits = result.monitor->interrupt_pending();
  for (const Awaited& awaited : counters) {
    const CounterReading reading = read_counter(target, result, awaited.counter.name);
    const unsigned bits =
        find_firmware(target.name) ? reading.bits : counter_bits(target, result.reading(awaited.counter.name).info);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const std::uint64_t events = ((reading.value - awaited.start) & mask) / reading.per_event;
    const bool reached = waits || events >= awaited.counter.period;
    sentences.push_back(
        reached
            ? fmt::format("no sample: {} overflowed, but the processor took no interrupt before the end: masked, or "
                          "the program was over",
                          awaited.event)
            : fmt::format("no sample: {} counted {} events, fewer than the period of {}", awaited.event,
                          grouped(events), grouped(awaited.counter.period)));
  }
  return sentences;
}

namespace {

// For each family: the events that count stall cycles and overlap as little as possible. The 21264 has none; only
// samples show the distribution of its cycles.
constexpr StallEvent table[] = {
    {"DISPATCH_STALLS", "dispatch"},
    {"INSTRUCTION_DECODER_EMPTY", "no code"},
    {"L1_LOAD_MISS_CYCLES", "load miss"},
    {"BPU_LR_CR_STALL_CYCLES", "LR/CR"},
    {"SECOND_UNRESOLVED_BRANCH_STALLS", "branches"},
    {"PF_PIPEFROZEN", "frozen"},
    {"PF_PIPEDRY", "dry"},
    {"PF5_MUX1_NON_ISSUE_CYCLES", "frozen"},
    {"PF5_MUX1_PIPELINE_DRY", "dry"},
    {"BE_EXE_BUBBLE_ALL", "EXE"},
    {"BE_L1D_FPU_BUBBLE_ALL", "L1D/FPU"},
    {"BE_RSE_BUBBLE_ALL", "RSE"},
    {"BE_FLUSH_BUBBLE_ALL", "flush"},
    {"BACK_END_BUBBLE_FE", "front end"},
};

}  // namespace

std::vector<StallEvent> stall_events(std::span<const encoder::EventInfo> events) {
  std::vector<StallEvent> found;
  for (const StallEvent& stall : table) {
    const bool has = std::ranges::any_of(events, [&](const auto& event) { return event.name == stall.event; });
    if (has) found.push_back(stall);
  }
  return found;
}

}  // namespace pmusim::testbench
