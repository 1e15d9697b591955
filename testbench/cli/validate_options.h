// The options of `pmusim validate`, and what they ask for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/cli/validate_choice.h"
#include "testbench/cli/validate_modes.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {

[[nodiscard]] Arguments::Description validate_options();

/// What a validation judges. Throws UsageError for options that do not go together.
struct ValidateRequest {
  explicit ValidateRequest(const Arguments& arguments);

  std::vector<TraceInput> recordings;                    ///< --activity
  std::vector<std::string> wanted;                       ///< targets
  std::vector<std::string> targets;                      ///< those of them of which an event is selected
  std::vector<std::string> settings;                     ///< --set
  std::map<std::string, models::Parameters> parameters;  ///< by target
  Choice choice;
  Shard shard;
  std::vector<std::string> traces;  ///< --trace
  std::string second;               ///< --second
  bool all_traces = false;
  std::optional<ForeignProgram> program;
  std::optional<std::string> journal;
  [[nodiscard]] bool quick() const { return choice.extent == questions::Extent::quick; }
  /// The whole of each target is judged.
  [[nodiscard]] bool whole() const { return shard.count == 1 && !quick() && choice.questions.empty(); }
};

}  // namespace pmusim::testbench
