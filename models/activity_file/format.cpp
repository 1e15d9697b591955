#include "models/activity_file/format.h"

#include "pmusim/trace/bytes.h"

namespace pmusim::activity_file {

using trace::get_fixed;
using trace::put_fixed;

std::string encode(const BlockHeader& header) {
  std::string out;
  put_fixed(out, header.raw_size);
  put_fixed(out, header.packed_size);
  put_fixed(out, static_cast<std::uint8_t>(header.packing));
  put_fixed(out, header.begin);
  put_fixed(out, header.end);
  for (const std::uint64_t instructions : header.instructions) put_fixed(out, instructions);
  put_fixed(out, header.crc);
  return out;
}

BlockHeader decode_block_header(const char* from) {
  BlockHeader header;
  header.raw_size = get_fixed<std::uint32_t>(from);
  header.packed_size = get_fixed<std::uint32_t>(from + 4);
  header.packing = static_cast<Packing>(get_fixed<std::uint8_t>(from + 8));
  header.begin = get_fixed<std::uint64_t>(from + 9);
  header.end = get_fixed<std::uint64_t>(from + 17);
  header.instructions[0] = get_fixed<std::uint64_t>(from + 25);
  header.instructions[1] = get_fixed<std::uint64_t>(from + 33);
  header.crc = get_fixed<std::uint32_t>(from + 41);
  return header;
}

}  // namespace pmusim::activity_file
