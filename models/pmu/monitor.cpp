#include "models/pmu/monitor.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "models/pmu/multiplexer.h"
#include "models/pmu/probe.h"

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

void Funnel::inputs(const Block& block, std::span<const Term> terms, const TermContext& context, Cycle from, Cycle to,
                    std::uint32_t weight) const {
  for (const Term& term : terms) {
    looks_at(term.signal, term.state);
    if (term.count != nullptr) {
      for (const Occurrence& o : occurrences(block, term.signal, from, to)) {
        const Cycle at = block.begin + o.at;
        const std::uint32_t counted = term.count(block, o, context);
        tell(Step::signal, {at, at + 1, o.amount});
        tell(Step::selected, {at, at + 1, counted});
        if (counted != 0) named(block, term.signal, o, counted * weight);
      }
      continue;
    }
    tell(Step::signal, {from, to, 1});
    if (term.level == nullptr) tell(Step::selected, {from, to, 1});
    for (Cycle at = from; term.level != nullptr && at < to;) {
      const Held now = held(block, term.state, at);
      const Cycle end = std::min(now.until, to);
      tell(Step::selected, {at, end, term.level(now.value, context)});
      at = end;
    }
  }
}

}  // namespace pmusim::pmu
