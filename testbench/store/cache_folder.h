// The folder of the cache. It may be beside files of others, who may also have put files into it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "testbench/support/descriptor.h"

namespace pmusim::testbench {

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

}  // namespace pmusim::testbench
