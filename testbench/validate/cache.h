// What validations keep from one run to the next: the activity of traces, and verdicts on answers that have been
// judged.
//
// A name stands for all that its content depends on: the program (a hash of its code), the contents of traces, target
// and parameters. So nothing is ever out of date, and a file that is there under a name is right if it is whole.
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
  /// Each text counts with its length.
  Digest& add(std::string_view text);
  [[nodiscard]] std::string text() const;

 private:
  std::uint64_t a_ = 0xcbf29ce484222325, b_ = 0x9ae16a3b2f90404f;
};

/// A folder with a bound. Two processes may share it: files appear whole, and one that is gone is made again. What
/// cannot be written or read is passed over; problem() says so.
class Cache {
 public:
  static constexpr std::uint64_t default_bytes = std::uint64_t{1} << 30;

  explicit Cache(std::filesystem::path folder, std::uint64_t most_bytes = default_bytes);
  /// A name for what depends on the program, the target, its parameters, the contents of files, and `more`.
  [[nodiscard]] std::string name(std::string_view kind, std::string_view target, const models::Parameters& parameters,
                                 const std::vector<std::filesystem::path>& files, std::string_view more = {}) const;
  [[nodiscard]] std::filesystem::path path(const std::string& name) const;
  /// A regular file has this name; what else has it is removed.
  [[nodiscard]] bool holds(const std::string& name);
  /// Content of a file of this name; empty if there is none, or it is damaged.
  [[nodiscard]] std::optional<std::string> find(const std::string& name);
  void put(const std::string& name, std::string_view content);
  /// It was used just now.
  void touch(const std::string& name);
  void remove(const std::string& name);
  /// Least recently used files go until the rest is within the bound.
  void trim();
  /// Writes and removes a file: notes a folder that is full or may not be written.
  void probe();
  /// Notes why something could not be kept.
  void fail(const std::string& why) { problem_ = problem_.empty() ? why : problem_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t most_bytes_;
  std::string program_, problem_;
};

/// The verdicts on parts of one job, in one file of the cache.
class KeptVerdicts {
 public:
  /// `prefix` begins the command that shows a mismatch; it is left out of the file. A null cache keeps nothing.
  KeptVerdicts(Cache* cache, std::string name, std::string prefix);
  [[nodiscard]] bool keeps() const { return cache_ != nullptr; }
  /// Null if a part of this identity has not been judged.
  [[nodiscard]] std::optional<JobVerdict> find(const std::string& identity) const;
  void put(const std::string& identity, const JobVerdict& verdict);
  /// Writes the file if something is new. Verdicts that this run did not ask for stay as long as they are not too many.
  void save();

 private:
  Cache* cache_;
  std::string name_, prefix_;
  std::map<std::string, std::string> known_;         ///< JSON by digest of the identity
  mutable std::map<std::string, std::string> used_;  ///< in this run
  bool changed_ = false;
};

}  // namespace pmusim::testbench
