// Data that validations keep from one run to the next: the activity of traces, and verdicts on answers that have been
// judged.
//
// A file name encodes everything that the content depends on: the program (a hash of its code), the contents of traces,
// the target and the parameters. Therefore no file is ever out of date: a complete file with the right name has the
// right content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

/// 128 bits as 32 hexadecimal digits.
class Digest {
 public:
  /// Each text is hashed with its length.
  Digest& add(std::string_view text);
  [[nodiscard]] std::string text() const;

 private:
  std::uint64_t a_ = 0xcbf29ce484222325, b_ = 0x9ae16a3b2f90404f;
};

/// A folder with a size limit. Processes may share it: files appear only when they are complete, and a missing file is
/// made again. Files that cannot be written or read are ignored; problem() reports the first such error.
class Cache {
 public:
  static constexpr std::uint64_t default_bytes = std::uint64_t{1} << 30;

  explicit Cache(std::filesystem::path folder, std::uint64_t most_bytes = default_bytes);
  /// A name that depends on the program, the target, its parameters, the contents of files, and `more`.
  [[nodiscard]] std::string name(std::string_view kind, std::string_view target, const models::Parameters& parameters,
                                 const std::vector<std::filesystem::path>& files, std::string_view more = {}) const;
  [[nodiscard]] std::filesystem::path path(const std::string& name) const;
  /// Keeps a regular file of this name and removes anything else that has the name.
  [[nodiscard]] bool holds(const std::string& name);
  /// Content of the file of this name; empty if the file is missing or damaged.
  [[nodiscard]] std::optional<std::string> find(const std::string& name);
  void put(const std::string& name, std::string_view content);
  /// Marks the file as used now.
  void touch(const std::string& name);
  void remove(const std::string& name);
  /// Removes the least recently used files until the remaining ones are within the limit.
  void trim();
  /// Checks whether the folder is full or read-only by writing and removing a file, and records the problem.
  void probe();
  /// Records the reason why a file could not be kept.
  void fail(const std::string& why) { problem_ = problem_.empty() ? why : problem_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
  std::string program_, problem_;
};

/// The verdicts on the parts of one job, in one file of the cache.
class KeptVerdicts {
 public:
  /// `prefix` is the beginning of the command that reproduces a mismatch; the file does not contain it. With a null
  /// cache nothing is kept.
  KeptVerdicts(Cache* cache, std::string name, std::string prefix);
  [[nodiscard]] bool keeps() const { return cache_ != nullptr; }
  /// Null if no part with this identity has been judged.
  [[nodiscard]] std::optional<JobVerdict> find(const std::string& identity) const;
  void put(const std::string& identity, const JobVerdict& verdict);
  /// Writes the file if there are new verdicts. Verdicts that this run did not request are kept up to a limit.
  void save();

 private:
  Cache* cache_;
  std::string name_, prefix_;
  std::map<std::string, std::string> known_;         ///< JSON by digest of the identity
  mutable std::map<std::string, std::string> used_;  ///< in this run
  bool changed_ = false;
};

}  // namespace pmusim::testbench
