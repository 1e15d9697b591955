// Fuzzes the binary reader with the input as a file, and as the payload of a chunk in a file with correct lengths and
// checksums, which random changes would rarely produce. Byte 0: instruction set, byte 1: instructions in the chunk, the
// rest: payload.
#include <zlib.h>
#include <zstd.h>

#include "testbench/fuzz/trace_checks.h"

namespace {

template <typename T>
void put(std::string& out, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i) out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i));
}

std::uint32_t crc(const std::string& bytes) {
  return static_cast<std::uint32_t>(
      ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// A file of one chunk that starts at 0x1000.
std::string file_around(const std::string& payload, std::uint8_t isa, std::uint32_t instructions) {
  std::string file("\x89PMT\r\n\x1a\n\x01\0\0\0", 12);
  put(file, isa);
  put(file, std::uint8_t{1});
  put(file, std::uint16_t{0});
  put(file, std::uint32_t{256});
  put(file, std::uint64_t{instructions});
  put(file, crc(file));
  const std::uint64_t chunk_at = file.size();
  std::string packed(ZSTD_compressBound(payload.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), payload.data(), payload.size(), 1));
  std::string fields;
  put(fields, static_cast<std::uint32_t>(payload.size()));
  put(fields, static_cast<std::uint32_t>(packed.size()));
  put(fields, instructions);
  put(fields, std::uint64_t{0x1000});
  file += "CHNK" + fields;
  put(file, crc(fields + payload));
  file += packed;
  const std::uint64_t index_at = file.size();
  std::string index;
  put(index, chunk_at);
  put(index, std::uint64_t{0});
  put(index, std::uint64_t{instructions});
  file += "INDX";
  put(file, std::uint64_t{1});
  file += index;
  put(file, crc(index));
  put(file, index_at);
  return file + "PMTEND\r\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmusim::trace;
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (size > 0 && data[0] == 0x89) {
    fuzz::check(input, {});
  } else if (size >= 2) {
    fuzz::check(file_around(input.substr(2), data[0] % 4, data[1]), {});
  }
  return 0;
}
