// Options that `run` and `record` share: trace, target, parameters, region of interest, events or registers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/cli/arguments.h"
#include "testbench/driver/session.h"

namespace pmusim::testbench {

/// Adds -t, --trace, --isa, --set, --roi, --warmup, --perturb, --handler.
void add_session_options(Arguments::Description& options);

/// What those options say, checked.
struct SessionSetup {
  const models::Target* target = nullptr;
  models::Parameters parameters;
  std::string trace;
  SessionOptions options;
};
[[nodiscard]] SessionSetup session_setup(const Arguments& arguments);
/// Opens the trace again, and checks that its instruction set is the target's.
[[nodiscard]] std::unique_ptr<trace::Reader> open_trace(const SessionSetup& setup);

/// Register values as bus writes. Throws UsageError for a register that the model has not.
[[nodiscard]] std::vector<RegisterWrite> bus_writes(const SessionSetup& setup,
                                                    const std::vector<encoder::RegisterValue>& registers);
/// What a system writes behind raw values, unless they say it themselves: PMC0 = 0 ends the freeze that an IA-64 PMU
/// has at reset.
void end_freeze(const SessionSetup& setup, std::vector<encoder::RegisterValue>& values);
/// `--write NAME=VALUE` texts as register values. Throws UsageError naming the nearest register.
[[nodiscard]] std::vector<encoder::RegisterValue> parse_writes(const SessionSetup& setup,
                                                               const std::vector<std::string>& texts);

}  // namespace pmusim::testbench
