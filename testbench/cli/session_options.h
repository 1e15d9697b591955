// Options that `run` and `record` share: trace, target, parameters, region of interest, events or registers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/cli/command.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/session.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

/// Adds -t, --trace, --isa, --set, --roi, --warmup.
void add_trace_options(Arguments::Description& options);
/// The same and --activity, --perturb, --handler.
void add_session_options(Arguments::Description& options);
/// Adds -e and --write, of which one says what to count.
void add_counted_options(Arguments::Description& options);

/// What one of them says.
struct ToCount {
  std::vector<std::string> events, writes;
};
/// Throws UsageError unless there is exactly one of the two.
[[nodiscard]] ToCount counted(const Arguments& arguments);

/// What those options say, checked.
struct SessionSetup {
  const models::Target* target = nullptr;
  models::Parameters parameters;
  std::vector<std::string> traces;  ///< one for each hardware thread that runs, from 0 on
  std::string activity;             ///< file that is played in their place; they are those that it was recorded from
  SessionOptions options;

  /// Whose registers PMU number `index` of the run is; empty where there is one thread.
  [[nodiscard]] std::optional<unsigned> thread_of(std::size_t index) const {
    return traces.size() == 1 ? std::nullopt : std::optional{static_cast<unsigned>(index)};
  }
};
[[nodiscard]] SessionSetup session_setup(const Arguments& arguments);
/// Throws UsageError for no trace, and for more than the target has threads.
void check_traces(const models::Target& target, const std::vector<std::string>& traces);
/// Opens the traces again, and checks that their instruction set is the target's.
[[nodiscard]] std::vector<std::unique_ptr<trace::Reader>> open_traces(const SessionSetup& setup);

/// Opens what is to run, for its errors. Returns its instructions, 0 if they are not known.
std::uint64_t check_input(const SessionSetup& setup);
/// A core knows the place in a trace, and no name of a file: the same with the names.
[[nodiscard]] UsageError named(const SessionSetup& setup, const core::CoreError& error);
/// Runs the session on the traces, or on the activity.
[[nodiscard]] SessionResult run_session(const SessionSetup& setup, Session& session);
/// Throws UsageError that says why it needs a trace, where there is activity in its place.
void require_traces(const SessionSetup& setup, std::string_view why);

/// Register values as bus writes. Throws UsageError for a register that the model has not.
[[nodiscard]] std::vector<RegisterWrite> bus_writes(const SessionSetup& setup,
                                                    const std::vector<encoder::RegisterValue>& registers);
/// The same, after what is programmed already.
void add_writes(Programming& programming, const std::vector<encoder::RegisterValue>& registers);
/// What a system writes after raw values, unless they say it themselves: PMC0 = 0 ends the freeze that an IA-64 PMU
/// has at reset.
void end_freeze(const SessionSetup& setup, std::vector<encoder::RegisterValue>& values);
/// What --write says.
struct RawWrites {
  std::vector<encoder::RegisterValue> registers;
  std::vector<std::string> warnings;  ///< bits that a register has not
};
/// `--write NAME=VALUE` texts as register values: what fits into the register, negative numbers, and a value that is
/// sign-extended to 64 bits. CR4.PCE=0 keeps the program from reading counters. Throws UsageError naming the nearest
/// register.
[[nodiscard]] RawWrites parse_writes(SessionSetup& setup, const std::vector<std::string>& texts);

}  // namespace pmusim::testbench
