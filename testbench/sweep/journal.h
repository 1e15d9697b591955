// The finished jobs of a sweep in a file, one per line. An interrupted sweep continues after them, and the files of a
// split sweep can be merged.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "testbench/judge/verdict/verdict.h"
#include "testbench/support/descriptor.h"

namespace pmusim::testbench {

/// The identity of a sweep, independent of the part that a process judges. All journals of a sweep belong together,
/// whatever its split.
struct Sweep {
  std::string program;  ///< the build that judges: verdicts of another build do not apply
  std::vector<std::string> targets;
  std::string only;               ///< rows whose names start with this
  std::vector<std::string> jobs;  ///< identities of all of them
  std::string traces;             ///< a hash of the traces that the jobs run
  friend bool operator==(const Sweep&, const Sweep&) = default;
};

using Finished = std::map<std::string, JobVerdict>;  ///< by job

/// A journal opened for writing. Each line has a checksum. When it is reopened, a last line that an interruption cut
/// off is dropped.
class Journal {
 public:
  /// Creates the file or continues it. Throws UsageError if it is not a journal, is damaged or belongs to another
  /// sweep, if another process writes it, or if it cannot be written.
  Journal(std::filesystem::path file, const Sweep& sweep);
  [[nodiscard]] const Finished& finished() const { return finished_; }
  /// Appends a verdict. When this returns or throws, the verdict is on the disk completely or is ignored.
  void add(const JobVerdict& verdict);

 private:
  void append(const std::string& line);
  std::filesystem::path file_;
  Descriptor descriptor_;
  Finished finished_;
};

/// Merges the journals of one sweep. Throws UsageError if they are damaged or belong to different sweeps, if a job is
/// missing, or if a job was judged twice with different results.
[[nodiscard]] std::pair<Sweep, Finished> read_journals(const std::vector<std::string>& files);

}  // namespace pmusim::testbench
