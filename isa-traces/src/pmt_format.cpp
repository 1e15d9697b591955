#include "pmt_format.h"

#include "pmusim/trace/bytes.h"

namespace pmusim::trace::pmt {

ChunkHeader decode_chunk_header(const char* from) {
  ChunkHeader header;
  header.raw_size = get_fixed<std::uint32_t>(from);
  header.packed_size = get_fixed<std::uint32_t>(from + 4);
  header.instructions = get_fixed<std::uint32_t>(from + 8);
  header.first_pc = get_fixed<std::uint64_t>(from + 12);
  header.crc = get_fixed<std::uint32_t>(from + 20);
  return header;
}

std::array<char, 3> unpack_mask(std::uint8_t packed) {
  constexpr std::string_view letters = "-px?";
  if (packed >= 64) return {'?', '?', '?'};
  return {letters[packed & 3], letters[packed >> 2 & 3], letters[packed >> 4 & 3]};
}

}  // namespace pmusim::trace::pmt
