#include "testbench/judge/trial/trace_counts.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "pmusim/trace/names.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/judge/trial/trace_tellers.h"

namespace pmusim::testbench {
namespace {

bool are_defaults(const models::Parameters& parameters) {
  return std::all_of(parameters.infos().begin(), parameters.infos().end(), [&](const models::ParameterInfo& info) {
    return info.name == "pmu.thread" || parameters.get(info.name) == info.default_value;
  });
}

}  // namespace

bool TraceCounts::tells(const std::string& target) { return !events_from_instructions(target).empty(); }

TraceCounts::TraceCounts(const std::string& target, trace::Reader& trace, const models::Parameters& parameters)
    : isa_(trace.info().isa) {
  const std::vector<std::string_view> rows = events_from_instructions(target);
  const std::unique_ptr<Teller> teller = judging_facts(target).teller(target);
  silent_ = rows.empty() || teller == nullptr || !are_defaults(parameters);
  if (silent_) return;
  constexpr unsigned user = 3;
  unsigned level = parameters.has("core.cpl") ? static_cast<unsigned>(parameters.get("core.cpl")) : user;
  Counts counts;
  for (trace::Item item; !silent_ && trace.next(item);) {
    if (item.directive == nullptr)
      silent_ = !teller->line(item.instruction, counts, level);
    else if (!trace::is_name(*item.directive))
      silent_ = !teller->directive(*item.directive, level);
  }
  // IA-64: a row that does not occur in the trace counts zero. A table contains the zero, or leaves the row open.
  if (isa_ == trace::Isa::ia64) {
    for (const std::string_view row : rows) counts.try_emplace(row);
  }
  teller->finish(counts);
  for (const auto& [row, count] : counts) {
    const bool is_term = row.starts_with("trace:");  // of identities
    if (is_term || std::find(rows.begin(), rows.end(), row) != rows.end()) counts_[row] = count;
  }
}

namespace {

/// The levels that a request counts, one bit each; none if the levels are not distinguished.
std::optional<unsigned> levels_of(trace::Isa isa, const oracle::Request& request) {
  constexpr unsigned all = 0xf;
  switch (isa) {
    case trace::Isa::ia64:
      if (request.ia64.levels != 0) return request.ia64.levels;
      return (request.user ? 8u : 0u) | (request.kernel ? 1u : 0u);
    case trace::Isa::alpha:  // only the 21164 filters, by modes that the operating system chooses
      if (!request.user || !request.kernel) return std::nullopt;
      return all;
    default:  // CPL 0, MSR[PR] = 0
      return (request.user ? all & ~1u : 0u) | (request.kernel ? 1u : 0u);
  }
}

}  // namespace

std::optional<std::uint64_t> TraceCounts::of(const oracle::Request& request) const {
  const auto found = counts_.find(request.event);
  if (silent_ || found == counts_.end() || !request.umasks.empty()) return std::nullopt;
  oracle::Request plain;
  plain.ia64.levels = request.ia64.levels;
  const bool more =
      request.threshold != 0 || request.invert || request.edge || request.marked || !request.same_qualifiers(plain);
  const auto asked = levels_of(isa_, request);
  if (more || !asked) return std::nullopt;
  std::uint64_t sum = 0;
  for (unsigned level = 0; level < levels; ++level) sum += (*asked >> level & 1) != 0 ? found->second[level] : 0;
  return sum;
}

}  // namespace pmusim::testbench
