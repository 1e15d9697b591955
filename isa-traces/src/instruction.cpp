#include "pmusim/trace/instruction.h"

#include <algorithm>

#include "pmusim/trace/numbering.h"

namespace pmusim::trace {

namespace {
constexpr std::string_view isa_names[] = {"alpha", "ppc", "i386", "ia64"};
}

std::string_view name_of(Isa isa) { return isa_names[static_cast<std::size_t>(isa)]; }

std::optional<Isa> isa_by_name(std::string_view name) {
  for (std::size_t i = 0; i < std::size(isa_names); ++i) {
    if (isa_names[i] == name) return static_cast<Isa>(i);
  }
  return std::nullopt;
}

std::string_view unit_of(Isa isa) { return isa == Isa::ia64 ? "bundles" : "instructions"; }

bool is_repeated_string(const Code& code) {
  constexpr std::array<std::uint8_t, 9> other_prefixes = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0};
  bool repeats = false;
  for (unsigned i = 0; i < code.length; ++i) {
    const std::uint8_t byte = code.bytes[i];
    if (byte == 0xf2 || byte == 0xf3) {
      repeats = true;
    } else if (std::find(other_prefixes.begin(), other_prefixes.end(), byte) == other_prefixes.end()) {
      // ins, outs; movs, cmps; stos, lods, scas
      return repeats &&
             ((byte >= 0x6c && byte <= 0x6f) || (byte >= 0xa4 && byte <= 0xa7) || (byte >= 0xaa && byte <= 0xaf));
    }
  }
  return false;
}

}  // namespace pmusim::trace
