// The page has neither zstd nor zlib: it opens only activity files with uncompressed blocks, and checks them.
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <cstdint>
#include <stdexcept>

#include "testbench/driver/engine.h"
#include "testbench/explain/recorder.h"

extern "C" {

/// CRC-32 by a table of all bytes, with the polynomial of zlib.
uLong crc32(uLong crc, const Bytef* bytes, uInt size) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t byte = 0; byte < made.size(); ++byte) {
      std::uint32_t value = byte;
      for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? 0xedb88320u ^ value >> 1 : value >> 1;
      made[byte] = value;
    }
    return made;
  }();
  auto value = ~static_cast<std::uint32_t>(crc);
  for (uInt i = 0; i < size; ++i) value = table[(value ^ bytes[i]) & 0xff] ^ value >> 8;
  return static_cast<std::uint32_t>(~value);
}

// All compressed frames are refused.
unsigned ZSTD_isError(std::size_t) { return 1; }
const char* ZSTD_getErrorName(std::size_t) { return "this page has no zstd: record the activity with --level 0"; }
ZSTD_DCtx* ZSTD_createDCtx() {
  static char none;  // null would mean a lack of memory
  return reinterpret_cast<ZSTD_DCtx*>(&none);
}
std::size_t ZSTD_freeDCtx(ZSTD_DCtx*) { return 0; }
std::size_t ZSTD_decompressDCtx(ZSTD_DCtx*, void*, std::size_t, const void*, std::size_t) { return 0; }
ZSTD_DStream* ZSTD_createDStream() { return nullptr; }
std::size_t ZSTD_freeDStream(ZSTD_DStream*) { return 0; }
std::size_t ZSTD_DStreamInSize() { return 0; }
std::size_t ZSTD_decompressStream(ZSTD_DStream*, ZSTD_outBuffer*, ZSTD_inBuffer*) { return 0; }
ZSTD_CCtx* ZSTD_createCCtx() { return nullptr; }
std::size_t ZSTD_freeCCtx(ZSTD_CCtx*) { return 0; }
std::size_t ZSTD_compressBound(std::size_t size) { return size; }
std::size_t ZSTD_compressCCtx(ZSTD_CCtx*, void*, std::size_t, const void*, std::size_t, int) { return 0; }
}

// The laboratory's sessions run without SystemC.
namespace pmusim::testbench {

std::unique_ptr<TimeKeeper> make_systemc(std::vector<EngineMonitor>, const SessionOptions&, Cycle) {
  throw std::logic_error("this build has no SystemC; sessions run with Engine::direct");
}

}  // namespace pmusim::testbench

// Explanations identify instructions by address; the page has its own listings.
namespace pmusim::testbench {

void add_code_text(trace::Reader&, std::map<Culprit, std::string>&) {}

}  // namespace pmusim::testbench
