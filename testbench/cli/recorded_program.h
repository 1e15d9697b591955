// A program that is recorded before it is run on a model: `pmusim run -t athlon -e cycles -- ./program argument`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/support/output.h"

namespace pmusim::trace {
class Workspace;
}

namespace pmusim::testbench {

class RecordedProgram {
 public:
  /// Runs the program, the first word, with the other words as its arguments, and records its trace in a temporary
  /// folder, which the destructor removes. The program's standard output is the command's for text, and otherwise
  /// standard error. Notes go to standard error. Throws CaptureError.
  RecordedProgram(const models::Target& target, const std::vector<std::string>& words, Format format);
  ~RecordedProgram();
  RecordedProgram(const RecordedProgram&) = delete;
  RecordedProgram& operator=(const RecordedProgram&) = delete;
  [[nodiscard]] const std::string& trace() const { return trace_; }

 private:
  std::unique_ptr<trace::Workspace> folder_;
  std::string trace_;
};

}  // namespace pmusim::testbench
