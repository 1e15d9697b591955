#include "models/pmu/monitor.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace pmusim::pmu {
namespace {

bool same_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  return std::equal(a.begin(), a.end(), b.begin(),
                    [](unsigned char x, unsigned char y) { return x == y || std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::string_view name_of(Space space) {
  static constexpr std::array<std::string_view, 13> names{"",    "msr", "spr", "pmc",   "pmd",  "ibr", "dbr",
                                                          "ipr", "cr",  "psr", "rdpmc", "apic", "dr"};
  const auto index = static_cast<std::size_t>(space);
  return index < names.size() ? names[index] : "";
}

std::string_view name_of(Fault fault) {
  static constexpr std::array<std::string_view, 4> names{"none", "general_protection", "privileged_instruction",
                                                         "illegal_instruction"};
  return names[static_cast<std::size_t>(fault)];
}

std::optional<RegisterInfo> find_register(const Monitor& monitor, std::string_view name) {
  for (const RegisterInfo& info : monitor.registers()) {
    if (same_name(info.name, name)) return info;
  }
  return std::nullopt;
}

}  // namespace pmusim::pmu
