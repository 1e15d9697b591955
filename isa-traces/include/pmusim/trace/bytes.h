// Numbers in the binary format: fixed fields are little-endian, other numbers are varints (seven bits per byte, lowest
// first, bit 7 set if more bytes follow), signed numbers in zigzag order (0, -1, 1, -2, ...).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// Appends a number in sizeof(T) bytes.
template <typename T>
void put_fixed(std::string& out, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i)));
}

/// Reads a number of sizeof(T) bytes.
template <typename T>
[[nodiscard]] T get_fixed(const char* from) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < sizeof(T); ++i) {
    value |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(from[i])) << (8 * i);
  }
  return static_cast<T>(value);
}

/// Appends a varint, one to ten bytes.
inline void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

/// Appends the length of a text as a varint, then its bytes.
inline void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}

/// Zigzag code of a 64-bit difference.
[[nodiscard]] constexpr std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1) ^ (0 - (difference >> 63));
}
/// The difference with this zigzag code.
[[nodiscard]] constexpr std::uint64_t unzigzag(std::uint64_t code) { return (code >> 1) ^ (0 - (code & 1)); }

}  // namespace pmusim::trace
