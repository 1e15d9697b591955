// The format of activity files, `.pma`, version 1: constants and fixed parts. docs/activity-format.md describes it
// field by field. All fixed fields are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pmusim::activity_file {

inline constexpr std::string_view magic = "\x89PMA\r\n\x1a\n";  ///< first bytes of a file
inline constexpr std::string_view block_tag = "BLCK";       ///< before a block; trace::index_tag is before the index
inline constexpr std::string_view end_mark = "PMAEND\r\n";  ///< last bytes of a file
/// Of the format, in the header. It changes when an older program could misread a file.
inline constexpr std::uint32_t version = 1;

// File header: magic, then these; the description and a CRC-32 of all before it follow.
inline constexpr std::size_t version_at = 8;                ///< u32
inline constexpr std::size_t description_size_at = 12;      ///< u32
inline constexpr std::size_t header_size = 16;              ///< bytes in front of the description
inline constexpr std::size_t most_description = 16u << 20;  ///< bytes of the longest description

/// How a payload is packed.
enum class Packing : std::uint8_t { stored, zstd };

/// Instructions of a hardware thread are not told.
inline constexpr std::uint64_t not_told = ~std::uint64_t{0};

/// Before each payload, after the tag.
struct BlockHeader {
  std::uint32_t raw_size = 0;         ///< bytes of the payload
  std::uint32_t packed_size = 0;      ///< bytes that follow
  Packing packing = Packing::stored;  ///< how the payload is packed
  std::uint64_t begin = 0;            ///< first cycle
  std::uint64_t end = 0;              ///< first cycle after it
  /// Instructions of each hardware thread's trace that have retired before `end`, since the first block.
  std::uint64_t instructions[2] = {not_told, not_told};
  std::uint32_t crc = 0;  ///< CRC-32 of the fields above and the raw payload
};
inline constexpr std::size_t block_header_size = 45;    ///< bytes of a header as it is in a file
inline constexpr std::size_t block_checked_size = 41;   ///< its bytes that the CRC covers
inline constexpr std::size_t most_payload = 64u << 20;  ///< bytes of the longest payload, unpacked
/// Entries of a column, rows of a table.
inline constexpr std::size_t most_rows = 1u << 22;

/// The header's bytes.
[[nodiscard]] std::string encode(const BlockHeader& header);
/// Reads block_header_size bytes.
[[nodiscard]] BlockHeader decode_block_header(const char* from);

/// How a column of numbers is written.
enum class ColumnMode : std::uint8_t {
  same,        ///< one varint, the value of all
  plain,       ///< a varint each
  differences  ///< a signed varint each: the difference to the one before, of the first to 0
};

}  // namespace pmusim::activity_file
