#include "models/pmu/probe.h"

#include <algorithm>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu {

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
