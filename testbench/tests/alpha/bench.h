// Runs of Alpha targets on traces of the tree.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"

namespace pmusim::testbench {

inline const std::vector<std::string> alphas{"alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"};

inline std::string micro_trace(const std::string& name) {
  return std::string(PMUSIM_SOURCE_DIR) + "/isa-traces/micro/alpha.pmt/" + name;
}
inline std::string recorded_trace(const std::string& name) {
  return std::string(PMUSIM_SOURCE_DIR) + "/isa-traces/recorded/alpha-" + name + ".pmt";
}

/// The encoding of events whose counters interrupt.
inline encoder::Encoding sampling_encoding(const std::string& target, const std::vector<std::string>& events) {
  auto encoding = encoder::encode(target, events, {.sampling = true});
  if (!encoding) throw std::invalid_argument(encoding.error().message);
  return *std::move(encoding);
}
inline void write(Programming& programming, const encoder::Encoding& encoding) {
  for (const encoder::RegisterValue& reg : encoding.registers) programming.write(reg.name, reg.value);
}

struct EventCounts {
  std::vector<ExtendedCount> counts;  ///< of the events, in order
  SessionResult result;
};

/// Counts events over a trace, with the interrupts of the counters enabled.
inline EventCounts count(const std::string& target_name, const std::string& trace,
                         const std::vector<std::string>& events) {
  const models::Target& target = *models::find_target(target_name);
  const models::Parameters parameters = target.parameters();
  const encoder::Encoding encoding = sampling_encoding(target_name, events);
  Programming programming(target, parameters);
  write(programming, encoding);
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, parameters, options);
  TickCounter ticks(find_firmware(target.name));
  session.add_monitor(ticks.setup(programming.writes()));
  EventCounts counted;
  counted.result = session.run(trace::open(trace));
  for (const encoder::EncodedEvent& event : encoding.events)
    counted.counts.push_back(extended_count(target, counted.result.monitors[0], event.counter, ticks));
  return counted;
}

}  // namespace pmusim::testbench
