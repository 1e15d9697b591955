// Numbers in the binary format: fixed fields are little-endian, the rest are varints (seven bits a byte, lowest
// first, bit 7 set when more follow), signed ones in zigzag order (0, -1, 1, -2, ...).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// Appends sizeof(T) bytes.
template <typename T>
void put_fixed(std::string& out, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
}

/// The number in sizeof(T) bytes.
template <typename T>
[[nodiscard]] T get_fixed(const char* from) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < sizeof(T); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(from[i])) << (8 * i);
  }
  return static_cast<T>(value);
}

/// Appends one to ten bytes.
inline void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

/// A length as varint, then the bytes.
inline void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}

/// Code of a difference of two numbers of 64 bits.
[[nodiscard]] constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
/// Difference of a code.
[[nodiscard]] constexpr std::uint64_t unzigzag(std::uint64_t code) { return (code >> 1) ^ (0 - (code & 1)); }

}  // namespace pmusim::trace
