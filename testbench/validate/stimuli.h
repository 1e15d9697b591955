// The traces that a validation runs by default: the recorded programs and the micro-traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbench/validate/plan.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

struct Stimulus {
  InputFile file;
  Provenance provenance = Provenance::real;
  Depth depth = Depth::full;
  InputFile second = {};  ///< trace of the other hardware thread; empty if there is none
  /// NAME=VALUE of parameters that the trace needs to show its events; parameters that the user sets have priority.
  std::vector<std::string> settings = {};
  bool recorded = false;    ///< `file` is an activity file
  std::string target = {};  ///< of its activity
};

/// The folder of the shipped data: $PMUSIM_DATA, or the nearest share/pmusim beside or above this program or library,
/// which an installation and a build folder have. Throws UsageError if there is none.
[[nodiscard]] std::filesystem::path data_folder();
/// The shipped traces of a target, sorted by name. Throws UsageError if there are none.
[[nodiscard]] std::vector<Stimulus> shipped_stimuli(const std::string& target);
/// Those that a run without `--trace` judges: all but JudgingFacts::on_request.
[[nodiscard]] std::vector<Stimulus> default_stimuli(const std::string& target);
/// A stimulus for one file, classified by its content, which is not kept in memory.
[[nodiscard]] Stimulus classify_stimulus(const std::filesystem::path& file);

}  // namespace pmusim::testbench
