// Runs one micro-trace through the core, and counts its activity with the oracle and with the PMU model, whose
// registers are written raw. Both must equal the count that the test has computed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/common/parameters.h"
#include "models/pmu/monitor.h"
#include "models/targets.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::micro {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The request for `EVENT` or `EVENT:UMASK`, with oracle::Request's defaults otherwise.
[[nodiscard]] oracle::Request ask(const std::string& event);

class TraceRun {
 public:
  /// Runs <trace> of isa-traces/micro/<target>.pmt; if there are <trace>_0 and <trace>_1 instead, both, one per thread.
  /// The Montecito uses the Itanium 2's traces where it has none with that name. `settings` as after `--set`.
  TraceRun(const std::string& target, const std::string& trace, const Settings& settings = {});

  /// The count of an event by oracle and model; a difference between them is a failure. Notes the event as covered.
  std::uint64_t count(const std::string& event);
  std::uint64_t count(const oracle::Request& request);
  void expect(const std::string& event, std::uint64_t expected);
  void expect(const oracle::Request& request, std::uint64_t expected);
  /// Expects least <= count <= most.
  void expect(const std::string& event, std::uint64_t least, std::uint64_t most);

  /// The same activity under another value of a parameter of the PMU.
  void set(const std::string& parameter, std::int64_t value) { parameters_.set(parameter, value); }
  [[nodiscard]] const models::Parameters& parameters() const { return parameters_; }
  [[nodiscard]] std::uint64_t count_by_oracle(const oracle::Request& request,
                                              const oracle::Breakage& breakage = {}) const;
  [[nodiscard]] std::uint64_t count_by_model(const oracle::Request& request) const;

  [[nodiscard]] std::uint64_t cycles() const { return blocks_.back().end; }

 private:
  const models::Target* target_;
  std::string trace_;
  models::Parameters parameters_;
  std::vector<activity::Block> blocks_;
};

inline TraceRun run_itanium2(const std::string& trace, const Settings& settings = {}) {
  return TraceRun("itanium2", trace, settings);
}

/// Names of the micro-traces of a target.
[[nodiscard]] std::vector<std::string> traces(const std::string& target);

/// Maps `EVENT` or `EVENT:UMASK` to the greatest count that a test expected, per target.
std::map<std::string, std::uint64_t>& covered(const std::string& target);

// Register values written by hand from the processors' manuals, so that a micro-trace needs no encoder.

/// Programs a monitor for the request; returns the register that holds the count.
pmu::RegisterId program(pmu::Monitor& monitor, std::string_view target, const oracle::Request& request);
/// The Itanium 2's part: Itanium Architecture SDM volume 2, chapter 7, and libpfm-3's layouts. Throws std::logic_error
/// for ranges that the registers cannot represent exactly.
pmu::RegisterId program_itanium2(pmu::Monitor& monitor, const oracle::Request& request);
/// The Montecito's part: libpfm-3's layouts, the events of its micro-traces and no filters; `pmusim validate` tests the
/// others. Throws std::logic_error for an unsupported event or a filter.
pmu::RegisterId program_montecito(pmu::Monitor& monitor, const oracle::Request& request);

}  // namespace pmusim::micro
