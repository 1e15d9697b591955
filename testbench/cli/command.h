// The pmusim command: one file per subcommand, each a function from arguments to exit code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/support/error.h"

namespace pmusim::testbench {

class EncoderUnderTest;

struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for `pmusim --help`
  int (*run)(const std::vector<std::string>& arguments);
};

int run_targets(const std::vector<std::string>& arguments);
int run_events(const std::vector<std::string>& arguments);
int run_encode(const std::vector<std::string>& arguments);
int run_decode(const std::vector<std::string>& arguments);
int run_run(const std::vector<std::string>& arguments);
int run_explain(const std::vector<std::string>& arguments);
int run_record(const std::vector<std::string>& arguments);
int run_validate(const std::vector<std::string>& arguments);
/// Judges this encoder, an object in the process. It is called in the calling thread, before any other work is started.
int run_validate(const std::vector<std::string>& arguments, EncoderUnderTest& encoder);
int run_diff(const std::vector<std::string>& arguments);
int run_trace(const std::vector<std::string>& arguments);
int run_traces(const std::vector<std::string>& arguments);
int run_activity(const std::vector<std::string>& arguments);
int run_lab(const std::vector<std::string>& arguments);
int run_completion(const std::vector<std::string>& arguments);

[[nodiscard]] std::span<const Command> commands();
/// Runs `COMMAND [options]` and returns the exit code. Throws errors whose text is one line for the user.
int dispatch(const std::vector<std::string>& arguments);

}  // namespace pmusim::testbench
