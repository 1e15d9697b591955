// The byte sources of readers: a file or memory, optionally decompressed with zstd.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// A stream of bytes.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads `size` bytes, fewer only at the end. Throws TraceError.
  std::size_t read(char* to, std::size_t size);
  /// Returns bytes to the stream; the next read() returns them first.
  void unread(std::string_view bytes) { pushed_back_.insert(0, bytes); }

 private:
  /// Reads up to `size` bytes; 0 at the end only.
  virtual std::size_t read_some(char* to, std::size_t size) = 0;
  std::string pushed_back_;
};

/// The bytes of a file, pipe or device. Throws TraceError if it cannot be opened.
[[nodiscard]] std::unique_ptr<ByteSource> file_source(const std::filesystem::path& file);
/// The bytes of an open file, from its position on; closes the descriptor. Messages call the source `name`.
[[nodiscard]] std::unique_ptr<ByteSource> descriptor_source(int descriptor, std::string name);
/// The bytes of a text in memory.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::string content);
/// The same for a text that several sources share.
[[nodiscard]] std::unique_ptr<ByteSource> memory_source(std::shared_ptr<const std::string> content);
/// Decompresses zstd frames; messages call the source `name`.
[[nodiscard]] std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<ByteSource> packed, std::string name);

}  // namespace pmusim::trace
