// Data that validations keep from one run to the next: the activity of traces, and verdicts on answers that have been
// judged.
//
// An entry has a key: all on which its content depends, that is the program (a hash of its code), the contents of
// traces, the target and the parameters. The file is named after the hash of the key and contains the key, which is
// compared when the file is read. Therefore no entry is ever out of date: a whole file with the right key has the right
// content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity_file/writer.h"
#include "models/common/parameters.h"
#include "testbench/store/input_file.h"
#include "testbench/support/descriptor.h"

namespace pmusim::testbench {

// The folder of the cache. It may be beside files of others, who may also have put files into it.

/// The folder `v2` in the folder that the user names, with a mark that pmusim made it. No link in it is followed. A
/// file of the cache is a regular file of this user.
class CacheFolder {
 public:
  /// Makes the folder if there is none; problem() says why it cannot be used.
  explicit CacheFolder(const std::filesystem::path& base);
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  /// The cache's file of this name, for reading; not open if there is none.
  [[nodiscard]] Descriptor open(const std::string& name) const;
  /// True if the name is free or belongs to a file of the cache.
  [[nodiscard]] bool may_write(const std::string& name) const;
  /// Marks the file as used now.
  void touch(const std::string& name) const;
  /// Removes the cache's files that are called by `is_name`, the least recently used first, until those that remain
  /// have `most_bytes`. `is_entry` is asked about the content of each before it is removed.
  void trim(std::uint64_t most_bytes, const std::function<bool(const std::string& name)>& is_name,
            const std::function<bool(const std::string& name, int descriptor)>& is_entry) const;

 private:
  std::filesystem::path folder_;
  std::string problem_;
};

/// All on which an entry depends.
class CacheKey {
 public:
  CacheKey(std::string_view kind, std::string_view target);
  /// Adds a part. Keys are equal if all their parts are.
  CacheKey& add(std::string_view part);
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The name of the file: KIND-TARGET-DIGEST.
  [[nodiscard]] std::string name() const;
  /// The name of the file with a key of this text; empty if it is no key.
  [[nodiscard]] static std::string name_of(std::string_view text);

 private:
  std::string text_;
};

/// A folder with a size limit. Processes may share it: files appear only when they are complete, and a missing file is
/// made again. Files that cannot be written or read are ignored; problem() reports the first such error.
class Cache {
 public:
  static constexpr std::uint64_t default_bytes = std::uint64_t{1} << 30;

  explicit Cache(const std::filesystem::path& folder, std::uint64_t most_bytes = default_bytes);
  /// A key with the program, the target, its parameters, the contents of files, and `more`.
  [[nodiscard]] CacheKey key(std::string_view kind, std::string_view target, const models::Parameters& parameters,
                             const std::vector<InputFile>& files, std::string_view more = {}) const;
  [[nodiscard]] std::filesystem::path path(const CacheKey& key) const { return folder_.path(key.name()); }
  /// Content of the entry; empty if it is missing, damaged, or of another key.
  [[nodiscard]] std::optional<std::string> find(const CacheKey& key);
  void put(const CacheKey& key, std::string_view content);
  /// The activity that is kept under the key; null if it is missing, damaged, or of another key.
  [[nodiscard]] std::unique_ptr<activity_file::Reader> find_activity(const CacheKey& key);
  /// A writer of the activity to keep. Null if nothing can be kept.
  [[nodiscard]] std::unique_ptr<activity_file::Writer> put_activity(const CacheKey& key, const std::string& target);
  /// Removes the least recently used entries until the remaining ones are within the limit.
  void trim();
  /// Checks whether the folder is full or read-only by writing a file without a name, and records the problem.
  void probe();
  /// Records the reason why a file could not be kept.
  void fail(const std::string& why) { problem_ = problem_.empty() ? why : problem_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  [[nodiscard]] bool may_write(const CacheKey& key);
  CacheFolder folder_;
  std::uint64_t most_bytes_;
  std::string program_, problem_;
};

}  // namespace pmusim::testbench
