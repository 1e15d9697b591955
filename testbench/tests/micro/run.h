// Runs one micro-trace through the core, and counts its activity with the oracle, which must find the count that the
// test has computed. `pmusim validate` compares the PMU model with the oracle on the same traces.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "models/common/parameters.h"
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

  /// The oracle's count of an event. Notes the event as covered.
  std::uint64_t count(const std::string& event);
  std::uint64_t count(const oracle::Request& request);
  void expect(const std::string& event, std::uint64_t expected);
  void expect(const oracle::Request& request, std::uint64_t expected);
  /// Expects least <= count <= most.
  void expect(const std::string& event, std::uint64_t least, std::uint64_t most);

  /// The same activity under another value of a parameter of the PMU.
  void set(const std::string& parameter, std::int64_t value) { parameters_.set(parameter, value); }
  [[nodiscard]] std::uint64_t cycles() const { return blocks_.back().end; }

 private:
  const models::Target* target_;
  std::string trace_;
  models::Parameters parameters_;
  std::vector<activity::Block> blocks_;
};

/// Each IA-64 program ends with a bundle of three additions.
inline constexpr std::uint64_t last_bundle = 3;
inline TraceRun run_itanium2(const std::string& trace, const Settings& settings = {}) {
  return TraceRun("itanium2", trace, settings);
}

/// Names of the micro-traces of a target.
[[nodiscard]] std::vector<std::string> traces(const std::string& target);

}  // namespace pmusim::micro
