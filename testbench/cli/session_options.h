// Options that `run` and `record` share: trace, target, parameters, region of interest, events or registers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/session.h"
#include "testbench/store/input_file.h"
#include "testbench/support/arguments.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {

/// Parses the value of --roi, `BEGIN:END`, where either may be missing. Throws UsageError.
[[nodiscard]] Region parse_region(const std::string& text);
/// Adds -t, --trace, --isa, --set, --roi, --warmup.
[[nodiscard]] Options trace_options();
/// The same and --activity, --perturb, --handler.
[[nodiscard]] Options session_options();
/// Adds -e and --write, one of which selects what to count.
[[nodiscard]] Options counted_options();

/// The values of one of them.
struct ToCount {
  std::vector<std::string> events, writes;
};
/// With perf's generic names replaced. Throws UsageError unless exactly one of the two is given.
[[nodiscard]] ToCount counted(const Arguments& arguments, std::string_view target);

/// The checked values of those options.
struct SessionSetup {
  const models::Target* target = nullptr;
  models::Parameters parameters;
  std::vector<std::string> traces;  ///< one for each hardware thread that runs, from 0 on
  std::vector<std::string> names;   ///< the same as the user named them, for output
  std::string
      activity;  ///< activity file that is replayed instead; the traces are then those from which it was recorded
  SessionOptions options;

  /// The hardware thread whose registers belong to PMU number `index` of the run; empty if there is one thread.
  [[nodiscard]] std::optional<unsigned> thread_of(std::size_t index) const {
    return traces.size() == 1 ? std::nullopt : std::optional{static_cast<unsigned>(index)};
  }
};
[[nodiscard]] SessionSetup session_setup(const Arguments& arguments);
/// The same with these traces in place of --trace.
[[nodiscard]] SessionSetup session_setup(const Arguments& arguments, const std::vector<std::string>& traces);
/// Throws UsageError without a trace, and for more traces than the target has threads.
void check_traces(const models::Target& target, const std::vector<std::string>& traces);
/// Opens the traces again, and checks that they have the target's instruction set.
[[nodiscard]] std::vector<std::unique_ptr<trace::Reader>> open_traces(const SessionSetup& setup);
/// The same for files whose content is also used otherwise.
[[nodiscard]] std::vector<std::unique_ptr<trace::Reader>> open_traces(const models::Target& target,
                                                                      const std::vector<InputFile>& files);

/// Opens the inputs to find their errors. Returns the number of lines of the traces, 0 if unknown.
std::uint64_t check_input(const SessionSetup& setup);
/// Returns an error of the core with file names added: a core knows the position in a trace, but no file name.
[[nodiscard]] UsageError named(const SessionSetup& setup, const core::CoreError& error);
/// Changes the readers of a session, to see what they read.
using WrapReaders =
    std::function<std::vector<std::unique_ptr<trace::Reader>>(std::vector<std::unique_ptr<trace::Reader>>)>;
/// Runs the session on the traces, or on the activity.
[[nodiscard]] SessionResult run_session(const SessionSetup& setup, Session& session, const WrapReaders& wrap = {});
/// Throws a UsageError with the reason why a trace is needed, if there is recorded activity instead.
void require_traces(const SessionSetup& setup, std::string_view why);

/// Converts register values into bus writes. Throws UsageError for a register that the model does not have.
[[nodiscard]] std::vector<RegisterWrite> bus_writes(const SessionSetup& setup,
                                                    const std::vector<encoder::RegisterValue>& registers);
/// The same, after the existing writes.
void add_writes(Programming& programming, const std::vector<encoder::RegisterValue>& registers);
/// Adds the write that a system makes after raw values, unless they contain it: PMC0 = 0 ends the freeze of an IA-64
/// PMU after reset.
void end_freeze(const SessionSetup& setup, std::vector<encoder::RegisterValue>& values);
/// The values of --write.
struct RawWrites {
  std::vector<encoder::RegisterValue> registers;
  std::vector<std::string> warnings;  ///< bits that the register does not have
};
/// Parses `--write NAME=VALUE` texts into register values: values that fit into the register, negative numbers, and
/// values sign-extended to 64 bits. CR4.PCE=0 prevents the program from reading counters. Throws UsageError naming the
/// nearest register.
[[nodiscard]] RawWrites parse_writes(SessionSetup& setup, const std::vector<std::string>& texts);

}  // namespace pmusim::testbench
