// A PMU of a session that is sampled as an operating system's driver does it, with the call stack of its program.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "testbench/cli/no_sample.h"
#include "testbench/cli/session_options.h"
#include "testbench/driver/call_stack.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/sampling.h"

namespace pmusim::testbench {

/// Adds --period, --randomize, --no-randomize and --seed.
void add_period_options(Arguments::Description& options);
/// --period. Throws UsageError without one.
[[nodiscard]] std::uint64_t period_of(const Arguments& arguments);
/// Throws UsageError for options that exclude each other.
void check_period_options(const Arguments& arguments);

/// What a PMU is sampled for, and the registers that make it so.
struct SamplingPlan {
  std::vector<std::string> events;  ///< canonical, by sampled counter
  std::vector<encoder::RegisterValue> registers;
  std::vector<Awaited> awaited;
  encoder::Encoding encoding;
};
/// Encodes events for interrupts. A 21064's event asks for one of its periods. Throws UsageError.
[[nodiscard]] SamplingPlan sampling_plan(const SessionSetup& setup, const Arguments& arguments,
                                         std::vector<std::string> events);

class SamplingPmu {
 public:
  /// Gets each sample, and entry addresses of the functions that are active then, outermost first.
  using Sink = std::function<void(const Sample&, const std::vector<std::uint64_t>& stack)>;
  /// Called with what is about to be added to the session.
  using Watch = std::function<void(MonitorSetup&)>;
  /// Adds the PMU of a hardware thread to the session; it must live until that has run. Start values of the counters
  /// go into the plan.
  SamplingPmu(Session& session, const SessionSetup& setup, const Arguments& arguments, SamplingPlan& plan,
              unsigned thread, Sink sink, const LatchedRegisters& latched = {}, const Watch& watch = {});
  SamplingPmu(const SamplingPmu&) = delete;
  SamplingPmu& operator=(const SamplingPmu&) = delete;
  /// Of the session.
  [[nodiscard]] std::size_t monitor() const { return monitor_; }

 private:
  void add_with_firmware(Session& session, const SessionSetup& setup, const Firmware& firmware, SamplingPlan& plan,
                         const Sampler::Sink& sink, const Sampler::NextPeriod& next_period, const Watch& watch);
  CallStack stack_;
  std::vector<RegisterWrite> delivery_;
  std::unique_ptr<Sampler> sampler_;
  std::unique_ptr<FirmwareSampler> firmware_sampler_;
  std::size_t monitor_ = 0;
};

}  // namespace pmusim::testbench
