// A PMU of a session that is sampled as by an operating system's driver, with the call stack of its program, and the
// events that a profile counts beside the samples.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/cli/session_options.h"
#include "testbench/driver/call_stack.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/sampling.h"

namespace pmusim::testbench {

/// A counter that was to be sampled.
struct Awaited {
  std::string event;
  SampledCounter counter;
  std::uint64_t start = 0;  ///< its value before the first cycle
};

/// One sentence for each counter: too few events, or an overflow that did not interrupt the processor.
[[nodiscard]] std::vector<std::string> why_no_sample(const models::Target& target, const MonitorResult& result,
                                                     const std::vector<Awaited>& counters);

/// Adds --period, --randomize, --no-randomize and --seed.
[[nodiscard]] Options period_options();
/// The value of --period. Throws UsageError if it is missing.
[[nodiscard]] std::uint64_t period_of(const Arguments& arguments);
/// Throws UsageError for contradicting options.
void check_period_options(const Arguments& arguments);

/// The events that a PMU samples, and their registers.
struct SamplingPlan {
  std::vector<std::string> events;  ///< canonical names, by sampled counter
  std::vector<encoder::RegisterValue> registers;
  std::vector<Awaited> awaited;
  encoder::Encoding encoding;
};
/// Encodes events for interrupts. An event of the 21064 selects one of the hardware's periods. Throws UsageError.
[[nodiscard]] SamplingPlan sampling_plan(const SessionSetup& setup, const Arguments& arguments,
                                         std::vector<std::string> events);

class SamplingPmu {
 public:
  /// Called with each sample and the entry addresses of the functions active at that time, outermost first.
  using Sink = std::function<void(const Sample&, const std::vector<std::uint64_t>& stack)>;
  /// Called with the setup before it is added to the session.
  using Watch = std::function<void(MonitorSetup&)>;
  /// Adds the PMU of a hardware thread to the session, and must outlive its run. Start values of the counters are added
  /// to the plan.
  SamplingPmu(Session& session, const SessionSetup& setup, const Arguments& arguments, SamplingPlan& plan,
              unsigned thread, Sink sink, const LatchedRegisters& latched = {}, const Watch& watch = {});
  SamplingPmu(const SamplingPmu&) = delete;
  SamplingPmu& operator=(const SamplingPmu&) = delete;
  /// Its index in the session.
  [[nodiscard]] std::size_t monitor() const { return monitor_; }

 private:
  CallStack stack_;
  std::size_t monitor_ = 0;
};

/// An event that shows why a target loses cycles. `report` and `annotate` add a column for each by default.
struct StallEvent {
  std::string_view event;
  std::string_view title;  ///< title of the column
};
/// The events of the table that a target has, in the table's order.
[[nodiscard]] std::vector<StallEvent> stall_events(std::span<const encoder::EventInfo> events);

}  // namespace pmusim::testbench
