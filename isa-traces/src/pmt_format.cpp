#include "pmt_format.h"

#include "pmusim/trace/bytes.h"

namespace pmusim::trace::pmt {

std::string encode(const ChunkHeader& header) {
  std::string out;
  put_fixed(out, header.raw_size);
  put_fixed(out, header.packed_size);
  put_fixed(out, header.instructions);
  put_fixed(out, header.first_pc);
  put_fixed(out, header.crc);
  return out;
}

ChunkHeader decode_chunk_header(const char* from) {
  ChunkHeader header;
  header.raw_size = get_fixed<std::uint32_t>(from);
  header.packed_size = get_fixed<std::uint32_t>(from + 4);
  header.instructions = get_fixed<std::uint32_t>(from + 8);
  header.first_pc = get_fixed<std::uint64_t>(from + 12);
  header.crc = get_fixed<std::uint32_t>(from + 20);
  return header;
}

std::uint8_t pack_mask(const std::array<char, 3>& mask) {
  unsigned packed = 0;
  for (unsigned slot = 0; slot < mask.size(); ++slot) {
    packed |= (mask[slot] == 'x' ? 2u : mask[slot] == 'p' ? 1u : 0u) << (2 * slot);
  }
  return static_cast<std::uint8_t>(packed);
}

std::array<char, 3> unpack_mask(std::uint8_t packed) {
  constexpr std::string_view letters = "-px?";
  if (packed >= 64) return {'?', '?', '?'};
  return {letters[packed & 3], letters[packed >> 2 & 3], letters[packed >> 4 & 3]};
}

}  // namespace pmusim::trace::pmt
