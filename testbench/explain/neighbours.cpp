#include "testbench/explain/neighbours.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace pmusim::testbench {
namespace {

struct Place {
  unsigned shift, bits;
};

/// Parses "22", "15:8", or "19:25" where bit 0 is the most significant.
std::optional<Place> place_of(const std::string& text, bool bit_0_is_topmost, unsigned width) {
  unsigned first = 0, last = 0;
  const char* const end = text.data() + text.size();
  auto parsed = std::from_chars(text.data(), end, first);
  last = first;
  if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == ':')
    parsed = std::from_chars(parsed.ptr + 1, end, last);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  const unsigned low = std::min(first, last), high = std::max(first, last);
  if (high >= width) return std::nullopt;
  return Place{bit_0_is_topmost ? width - 1 - high : low, high - low + 1};
}

/// The other values of a field.
std::vector<std::uint64_t> others(std::uint64_t value, unsigned bits) {
  constexpr unsigned all_up_to = 4;
  std::vector<std::uint64_t> values;
  if (bits > all_up_to) {
    for (unsigned i = 0; i < bits; ++i) values.push_back(value ^ std::uint64_t{1} << i);
    std::sort(values.begin(), values.end());
    return values;
  }
  for (std::uint64_t other = 0; other < std::uint64_t{1} << bits; ++other) {
    if (other != value) values.push_back(other);
  }
  return values;
}

}  // namespace

std::vector<NeighbourRegisters> neighbours_of(std::string_view target, bool bit_0_is_topmost,
                                              const std::vector<encoder::RegisterValue>& registers) {
  constexpr unsigned widest = 8;
  std::vector<NeighbourRegisters> all;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const auto decoded = encoder::decode(target, registers[i].name, registers[i].value);
    if (!decoded) continue;  // a counter, an address
    for (std::size_t f = 0; f < decoded->fields.size(); ++f) {
      const encoder::DecodedField& field = decoded->fields[f];
      const auto place = place_of(field.bits, bit_0_is_topmost, registers[i].width);
      if (field.name == "reserved" || field.name == "fixed" || !place || place->bits > widest) continue;
      for (const std::uint64_t other : others(field.value, place->bits)) {
        NeighbourRegisters neighbour{field, {}, registers[i].name, registers};
        neighbour.registers[i].value ^= (field.value ^ other) << place->shift;
        const auto changed = encoder::decode(target, registers[i].name, neighbour.registers[i].value);
        if (!changed) continue;
        neighbour.to = changed->fields.at(f);
        all.push_back(std::move(neighbour));
      }
    }
  }
  return all;
}

}  // namespace pmusim::testbench
