// The binary format `.pmt`, version 1: constants and fixed parts. The layout is described in the README of this
// folder; all fixed fields are little-endian.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "pmusim/trace/bytes.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::trace::pmt {

// The first byte is not a text character; a transfer in text mode would change the line ends.
inline constexpr std::string_view magic = "\x89PMT\r\n\x1a\n";
inline constexpr std::string_view chunk_tag = "CHNK";
inline constexpr std::string_view end_mark = "PMTEND\r\n";
inline constexpr std::uint32_t version = 1;

// Offsets in the file header. The header starts with the magic and ends with the program's name and a CRC-32 of all
// bytes before the CRC.
inline constexpr std::size_t version_at = 8;              // u32
inline constexpr std::size_t isa_at = 12;                 // u8
inline constexpr std::size_t flags_at = 13;               // u8
inline constexpr std::size_t name_length_at = 14;         // u16
inline constexpr std::size_t chunk_instructions_at = 16;  // u32, maximum per chunk
inline constexpr std::size_t instructions_at = 20;        // u64, 0 until the file is closed
inline constexpr std::size_t header_size = 28;
inline constexpr std::uint8_t flag_isa_line = 1;
inline constexpr std::uint32_t most_chunk_instructions = 1u << 24;

/// Header of a chunk, between the tag and the packed payload.
struct ChunkHeader {
  std::uint32_t raw_size = 0;     // bytes of the payload
  std::uint32_t packed_size = 0;  // bytes of the zstd frame that follows
  std::uint32_t instructions = 0;
  std::uint64_t first_pc = 0;
  std::uint32_t crc = 0;  // CRC-32 of the four fields above and the raw payload
};
inline constexpr std::size_t chunk_header_size = 24;
inline constexpr std::size_t chunk_checked_size = 20;  // bytes of the header that the CRC covers
// A writer ends a chunk at the first limit, so that no payload exceeds the second.
inline constexpr std::size_t full_payload = 8u << 20;
inline constexpr std::size_t most_payload = 64u << 20;

[[nodiscard]] inline ChunkHeader decode_chunk_header(const char* from) {
  ChunkHeader header;
  header.raw_size = get_fixed<std::uint32_t>(from);
  header.packed_size = get_fixed<std::uint32_t>(from + 4);
  header.instructions = get_fixed<std::uint32_t>(from + 8);
  header.first_pc = get_fixed<std::uint64_t>(from + 12);
  header.crc = get_fixed<std::uint32_t>(from + 20);
  return header;
}

/// Bits of an instruction's control byte. Each bit marks a mispredicted property; its data follow as given below.
enum Control : std::uint8_t {
  code_new = 1,  // length, bytes
  taken = 2,
  target_new = 4,   // difference to the previous target of this branch
  address_new = 8,  // change of the stride, then of each further distance
  list_new = 16,    // count, then (size, slot, store) each
  rare = 32,        // Rare byte and the data that it selects
  mask_new = 64,    // IA-64 slot mask
  run = 128,        // low seven bits + 1 fully predicted instructions
};
enum Rare : std::uint8_t {
  has_directives = 1,  // count, then the directives that precede the instruction
  moved = 2,           // difference between the pc and the expected pc
  has_annotations = 4,
};

/// Added to the number of the key `wr` when its value was spelled with 0x.
inline constexpr std::uint8_t key_prefixed = 8;
/// Byte of a key in the file: 0-7 are the first eight keys, 8-15 the same keys with the 0x prefix, 16 and above the
/// later keys (number + 8).
constexpr std::uint8_t key_byte(Key key, bool prefixed) {
  const auto number = static_cast<std::uint8_t>(key);
  return number >= key_prefixed || prefixed ? number + key_prefixed : number;
}
constexpr bool is_prefixed(std::uint8_t byte) { return byte >= key_prefixed && byte < 2 * key_prefixed; }
constexpr Key key_of(std::uint8_t byte) { return static_cast<Key>(byte < key_prefixed ? byte : byte - key_prefixed); }

/// Unpacks two bits per slot, slot 0 lowest: 0 not reached, 1 predicated off, 2 executed. The invalid value 3 yields
/// '?', which the rules reject.
[[nodiscard]] constexpr std::array<char, 3> unpack_mask(std::uint8_t packed) {
  constexpr std::string_view letters = "-px?";
  if (packed >= 64) return {'?', '?', '?'};
  return {letters[packed & 3], letters[packed >> 2 & 3], letters[packed >> 4 & 3]};
}

}  // namespace pmusim::trace::pmt
