// Shared parts of the binary formats of traces (.pmt) and activity (.pma): zstd-compressed parts with a checksum, and a
// reader of such files. Each message of the reader contains the file and the byte offset.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pmusim/trace/byte_source.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace pmusim::trace {

/// CRC-32 as in zlib; `crc` is the CRC of the preceding bytes, initially 0.
[[nodiscard]] std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

/// Compresses payloads, each to a separate zstd frame.
class Packer {
 public:
  /// Constructor and pack() throw TraceError with a message that begins with `name`.
  Packer(int level, std::string name);
  ~Packer();
  /// Compresses a payload. The returned frame is valid until the next call.
  [[nodiscard]] std::string_view pack(std::string_view payload);

 private:
  int level_;
  std::string name_, packed_;
  ZSTD_CCtx_s* context_;
};

/// The index at the end of a file: the offset and a number for each part, and a last number.
///     "INDX"; u64 parts; for each u64 offset, u64 number; u64 last number; u32 CRC-32 of the entries and the last
///     number; u64 offset of the index; an end mark of eight bytes
inline constexpr std::string_view index_tag = "INDX";

/// Running summary of the index entries.
struct IndexSum {
  std::uint64_t parts = 0;  ///< number of parts
  std::uint32_t crc = 0;    ///< CRC-32 of their entries
  /// Adds a part; returns the bytes of its entry.
  std::string add(std::uint64_t offset, std::uint64_t number);
};
/// The bytes of the complete index. `entries` are the concatenated results of add().
[[nodiscard]] std::string index_bytes(std::string_view entries, const IndexSum& sum, std::uint64_t last,
                                      std::uint64_t offset, std::string_view end_mark);

/// Advice for damaged files, appended to messages.
inline constexpr const char* copy_again =
    "the file is damaged: copy or make it again, or salvage what is before this chunk";

/// Reads a file part by part from its beginning.
class PackedFile {
 public:
  /// Each message begins with `name`.
  PackedFile(std::unique_ptr<ByteSource> source, std::string name);
  ~PackedFile();
  /// The beginning of each message.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Number of bytes read so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// Sets the name of the part that is read from here on, for the message about a truncated file.
  void enter(std::string part) { part_ = std::move(part); }
  /// Reads exactly `size` bytes and appends them to `to`.
  void read_more(std::string& to, std::size_t size);
  /// True at the end of the file. Throws TraceError if reading fails.
  [[nodiscard]] bool ended();
  /// Decompresses a zstd frame to exactly `size` bytes. Messages contain the offset `where` and the name `what`, such
  /// as "chunk 3".
  void unpack(std::string_view packed, std::string& payload, std::size_t size, std::uint64_t where,
              const std::string& what);
  /// Reads the index after its tag, which begins at `offset`, up to the end of the file. Returns the last number.
  /// Messages call the parts of the file `parts`, such as "chunks".
  [[nodiscard]] std::uint64_t read_index(const IndexSum& sum, std::uint64_t offset, std::string_view end_mark,
                                         std::string_view parts);
  /// Throws TraceError: `FILE: byte OFFSET: what`.
  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const;

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_, part_;
  std::uint64_t offset_ = 0;
  ZSTD_DCtx_s* context_;
};

}  // namespace pmusim::trace
