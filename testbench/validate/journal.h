// The finished jobs of a sweep in a file, one a line: an interrupted sweep goes on after them, and the files of a
// sweep that was split are merged.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

/// What is to be judged, whichever part of it a process does. Journals of one sweep belong together, however it was
/// split.
struct Sweep {
  std::string program;  ///< which build judges: verdicts of another one say nothing about this one
  std::vector<std::string> targets;
  std::string only;               ///< rows whose names start so
  std::vector<std::string> jobs;  ///< identities of all of them
  std::string traces;             ///< a hash of all that they run
  friend bool operator==(const Sweep&, const Sweep&) = default;
};

/// Version and a hash of the running program.
[[nodiscard]] std::string this_program();
/// A hash of the contents of files.
[[nodiscard]] std::string hash_of_files(const std::vector<std::filesystem::path>& files);

using Finished = std::map<std::string, JobVerdict>;  ///< by job

/// A journal that is written; each line has a checksum. What was cut in the middle by an interruption is dropped when
/// it is opened again.
class Journal {
 public:
  /// Creates the file or goes on in it. Throws UsageError when it is no journal, is damaged or of another sweep,
  /// another process writes it, or it cannot be written.
  Journal(std::filesystem::path file, const Sweep& sweep);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  [[nodiscard]] const Finished& finished() const { return finished_; }
  /// Appends a verdict; it is on the disk, or nothing of it counts, when this returns or throws.
  void add(const JobVerdict& verdict);

 private:
  void append(const std::string& line);
  std::filesystem::path file_;
  int descriptor_ = -1;
  bool checked_ = true;  ///< each line has a checksum
  Finished finished_;
};

/// The journals of one sweep together. Throws UsageError when they are damaged or not of one sweep, when a job is in
/// none of them, or was judged twice with different results.
[[nodiscard]] std::pair<Sweep, Finished> read_journals(const std::vector<std::string>& files);

}  // namespace pmusim::testbench
