// A hand-made .pmt file of one chunk, whose payload no writer need produce, with right checksums.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <string>

namespace pmusim::fuzz {

template <typename T>
std::string little(T value) {
  std::string out;
  for (unsigned i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i));
  return out;
}

inline std::uint32_t crc(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// `claimed`: instructions according to header and index; `index_error`: added to the offset in the index.
inline std::string pmt_file(char isa, std::uint32_t instructions, std::uint64_t first_pc, const std::string& payload,
                            std::uint64_t claimed, std::uint64_t index_error = 0) {
  std::string packed(ZSTD_compressBound(payload.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), payload.data(), payload.size(), 1));
  std::string file = std::string("\x89PMT\r\n\x1a\n\x01\0\0\0", 12) + isa + std::string("\1\0\0", 3) +
                     little<std::uint32_t>(256) + little(claimed);
  file += little(crc(file));
  const std::uint64_t chunk_at = file.size();
  const std::string fields = little(static_cast<std::uint32_t>(payload.size())) +
                             little(static_cast<std::uint32_t>(packed.size())) + little(instructions) +
                             little(first_pc);
  file += "CHNK" + fields + little(crc(fields + payload)) + packed;
  const std::uint64_t index_at = file.size();
  const std::string index = little(chunk_at + index_error) + little(std::uint64_t{0}) + little(claimed);
  return file + "INDX" + little(std::uint64_t{1}) + index + little(crc(index)) + little(index_at) + "PMTEND\r\n";
}

}  // namespace pmusim::fuzz
