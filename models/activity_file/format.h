// The format of activity files, `.pma`, version 1: constants and parts of fixed size. docs/activity.md describes
// every field. All fields of fixed size are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pmusim::activity_file {

inline constexpr std::string_view magic = "\x89PMA\r\n\x1a\n";  ///< first bytes of a file
inline constexpr std::string_view block_tag = "BLCK";       ///< before a block; trace::index_tag is before the index
inline constexpr std::string_view end_mark = "PMAEND\r\n";  ///< last bytes of a file
/// Version of the format, in the header. It changes when an older program could misread a file.
inline constexpr std::uint32_t version = 1;

// File header: magic, version, size of the description, the description, and a CRC-32 of all bytes before it.
inline constexpr std::size_t version_at = 8;                ///< offset of the version, a u32
inline constexpr std::size_t description_size_at = 12;      ///< offset of the description's size in bytes, a u32
inline constexpr std::size_t header_size = 16;              ///< bytes before the description
inline constexpr std::size_t most_description = 16u << 20;  ///< largest size of a description in bytes

/// How a payload is packed.
enum class Packing : std::uint8_t { stored, zstd };

/// The number of a hardware thread's retired instructions is not known.
inline constexpr std::uint64_t not_told = ~std::uint64_t{0};

/// The header of a block, between its tag and its payload.
struct BlockHeader {
  std::uint32_t raw_size = 0;         ///< bytes of the unpacked payload
  std::uint32_t packed_size = 0;      ///< bytes of the packed payload, which follows
  Packing packing = Packing::stored;  ///< how the payload is packed
  std::uint64_t begin = 0;            ///< first cycle
  std::uint64_t end = 0;              ///< first cycle after the block
  /// Instructions of each hardware thread's trace that have retired before `end`, counted from the first block.
  std::uint64_t instructions[2] = {not_told, not_told};
  std::uint32_t crc = 0;  ///< CRC-32 of the fields above and the raw payload
};
inline constexpr std::size_t block_header_size = 45;    ///< bytes of an encoded BlockHeader
inline constexpr std::size_t block_checked_size = 41;   ///< leading bytes of it that the CRC covers
inline constexpr std::size_t most_payload = 64u << 20;  ///< largest size of an unpacked payload in bytes
/// Largest number of entries in a column and of rows in a table.
inline constexpr std::size_t most_rows = 1u << 22;

/// Encodes a header in block_header_size bytes.
[[nodiscard]] std::string encode(const BlockHeader& header);
/// Decodes a header from block_header_size bytes.
[[nodiscard]] BlockHeader decode_block_header(const char* from);

/// The encoding of a column of numbers.
enum class ColumnMode : std::uint8_t {
  same,        ///< one varint: all entries have this value
  plain,       ///< a varint for each entry
  differences  ///< a signed (zigzag) varint for each entry: the difference to the previous entry, or to 0 for the first
};

}  // namespace pmusim::activity_file
