// The traces that a validation uses when none are named: the recorded programs and the micro-traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbench/validate/plan.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

struct Stimulus {
  std::filesystem::path file;
  Provenance provenance = Provenance::real;
  Depth depth = Depth::full;
  std::filesystem::path second = {};  ///< of the other hardware thread, which runs beside it; empty: there is none
  /// NAME=VALUE of parameters without which it does not show what it is for: they give way to what the user sets.
  std::vector<std::string> settings = {};
  bool recorded = false;  ///< `file` is an activity file
};

/// Folder of the shipped data: $PMUSIM_DATA, else the nearest share/pmusim beside or above this program or library,
/// which an installation and a build folder have. Throws UsageError where there is none.
[[nodiscard]] std::filesystem::path data_folder();
/// What is shipped for a target, sorted by name. Throws UsageError when there is nothing.
[[nodiscard]] std::vector<Stimulus> shipped_stimuli(const std::string& target);
/// A stimulus for one file, classified by its content.
[[nodiscard]] Stimulus classify_stimulus(const std::filesystem::path& file);

}  // namespace pmusim::testbench
