#include "ia64_texts.h"

#include <fmt/format.h>

#include <cstdint>

namespace pmusim::cli_test {
namespace {

constexpr std::uint64_t base = 0x4000000000000400, bundle_bytes = 16;
constexpr std::uint64_t nop = 1u << 27;  // nop.m 0, nop.i 0

/// The hexadecimal bytes of a bundle.
std::string bundle(unsigned format, std::uint64_t first, std::uint64_t second, std::uint64_t third) {
  std::string text;
  const std::uint64_t low = format | first << 5 | second << 46, high = second >> 18 | third << 23;
  for (const std::uint64_t half : {low, high})
    for (unsigned byte = 0; byte < 8; ++byte) text += fmt::format("{:02x}", half >> (8 * byte) & 0xff);
  return text;
}

}  // namespace

std::string ia64_nops(unsigned count) {
  constexpr unsigned mii_stop = 1;
  std::string text = "! isa ia64\n";
  for (unsigned i = 0; i < count; ++i)
    text += fmt::format("{:x} {} xxx\n", base + i * bundle_bytes, bundle(mii_stop, nop, nop, nop));
  return text;
}

std::string ia64_loop(unsigned rounds) {
  constexpr unsigned mii_stop = 1, mib_stop = 0x11;
  constexpr std::uint64_t load = 4ull << 37 | 3ull << 30 | 3 << 20 | 2 << 6;      // ld8 r2 = [r3]
  constexpr std::uint64_t back = 4ull << 37 | 1ull << 36 | 0xfffffull << 13 | 1;  // (p1) br.cond to the previous bundle
  std::string text = "! isa ia64\n";
  for (unsigned i = 0; i < rounds; ++i) {
    text += fmt::format("{:x} {} xxx L0 {:x} 8\n", base, bundle(mii_stop, load, nop, nop),
                        0x6000000000000000 + 4096ull * i);
    const bool last = i + 1 == rounds;
    text += fmt::format("{:x} {} {}\n", base + bundle_bytes, bundle(mib_stop, nop, nop, back),
                        last ? "xxp" : fmt::format("xxx T2 {:x}", base));
  }
  return text;
}

}  // namespace pmusim::cli_test
