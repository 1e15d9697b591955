// Where a reader's bytes come from: a file, memory, or either through zstd.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// Bytes one after the other.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads `size` bytes, fewer only at the end. Throws TraceError.
  std::size_t read(char* to, std::size_t size);
  /// Gives bytes back, to be read again first.
  void unread(std::string_view bytes) { pushed_back_.insert(0, bytes); }

 private:
  /// Up to `size` bytes, 0 at the end only.
  virtual std::size_t read_some(char* to, std::size_t size) = 0;
  std::string pushed_back_;
};

/// The bytes of a file, pipe or device. Throws TraceError when it cannot be opened.
[[nodiscard]] std::unique_ptr<ByteSource> file_source(const std::filesystem::path& file);
/// The bytes of a text that is in memory.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::string content);
/// Unpacks zstd frames; `name` is for messages.
[[nodiscard]] std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<ByteSource> packed, std::string name);

}  // namespace pmusim::trace
