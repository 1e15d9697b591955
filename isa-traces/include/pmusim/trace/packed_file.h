// What the binary formats of traces (.pmt) and of activity (.pma) share: parts of a file that are packed by zstd and
// have a checksum, and a reader of such files whose every message names file and byte.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pmusim/trace/byte_source.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace pmusim::trace {

/// CRC-32 as zlib computes it; `crc` is that of the bytes before, 0 at first.
[[nodiscard]] std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

/// Packs payloads, each into a zstd frame of its own.
class Packer {
 public:
  /// Throws TraceError, beginning with `name`, as pack() does.
  Packer(int level, std::string name);
  ~Packer();
  /// The frame is valid until the next call.
  [[nodiscard]] const std::string& pack(std::string_view payload);

 private:
  int level_;
  std::string name_, packed_;
  ZSTD_CCtx_s* context_;
};

/// The index at the end of a file: for each part its offset and a number, and a last number.
///     "INDX"; u64 parts; for each u64 offset, u64 number; u64 last number; u32 CRC-32 of the entries and the last
///     number; u64 offset of the index; an end mark of eight bytes
inline constexpr std::string_view index_tag = "INDX";

/// What the index says of the parts so far.
struct IndexSum {
  std::uint64_t parts = 0;  ///< number of them
  std::uint32_t crc = 0;    ///< CRC-32 of their entries
  /// Returns the entry's bytes.
  std::string add(std::uint64_t offset, std::uint64_t number);
};
/// The whole of it; `entries` are those that add() returned.
[[nodiscard]] std::string index_bytes(std::string_view entries, const IndexSum& sum, std::uint64_t last,
                                      std::uint64_t offset, std::string_view end_mark);

/// What to do about damage, after the end of a message.
inline constexpr const char* copy_again =
    "the file is damaged: copy or make it again, or salvage what is before this chunk";

/// Reads a file part by part, from its beginning.
class PackedFile {
 public:
  /// `name` begins every message.
  PackedFile(std::unique_ptr<ByteSource> source, std::string name);
  ~PackedFile();
  /// What begins every message.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Bytes read so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// What is read from here on, for the message about a file that was cut.
  void enter(std::string part) { part_ = std::move(part); }
  /// Reads exactly `size` bytes after what `to` holds.
  void read_more(std::string& to, std::size_t size);
  /// Nothing is left. Throws TraceError when reading fails.
  [[nodiscard]] bool ended();
  /// Unpacks a zstd frame of exactly `size` bytes. `where` and `what` are for messages: "chunk 3".
  void unpack(std::string_view packed, std::string& payload, std::size_t size, std::uint64_t where,
              const std::string& what);
  /// Reads the index after its tag, which begins at `offset`, and the end of the file. Returns the last number.
  /// `parts` is what the file is made of, for messages: "chunks".
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
