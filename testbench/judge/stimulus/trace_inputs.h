// The traces that a validation runs by default: the recorded programs and the micro-traces.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbench/judge/question/plan.h"
#include "testbench/judge/verdict/verdict.h"

namespace pmusim::testbench {

struct TraceInput {
  InputFile file;
  Provenance provenance = Provenance::real;
  Depth depth = Depth::full;
  InputFile second = {};  ///< trace of the other hardware thread; empty if there is none
  /// NAME=VALUE of parameters that the trace needs to show its events; parameters that the user sets have priority.
  std::vector<std::string> settings = {};
  bool recorded = false;    ///< `file` is an activity file
  std::string target = {};  ///< of its activity
};

/// The shipped traces of a target, sorted by name. Throws UsageError if there are none.
[[nodiscard]] std::vector<TraceInput> shipped_inputs(const std::string& target);
/// Those that a run without `--trace` judges: all but JudgingFacts::on_request.
[[nodiscard]] std::vector<TraceInput> default_inputs(const std::string& target);
/// A stimulus for one file, classified by its content, which is not kept in memory.
[[nodiscard]] TraceInput classify_input(const std::filesystem::path& file);

/// A number in which traces differ, from the name: for what is done on a few traces, and on each with another part.
[[nodiscard]] std::size_t turn_of(const InputFile& trace);

}  // namespace pmusim::testbench
