// Conversion between register values and the bytes of a transfer, least significant byte first.
#pragma once

#include <cstdint>

namespace pmusim::pmu {

[[nodiscard]] inline std::uint64_t get_bytes(const unsigned char* data, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= static_cast<std::uint64_t>(data[i]) << (8 * i);
  return value;
}

inline void put_bytes(unsigned char* data, unsigned count, std::uint64_t value) {
  for (unsigned i = 0; i < count; ++i) data[i] = static_cast<unsigned char>(value >> (8 * i));
}

}  // namespace pmusim::pmu
