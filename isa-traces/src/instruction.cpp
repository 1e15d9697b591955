#include "pmusim/trace/instruction.h"

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

}  // namespace pmusim::trace
