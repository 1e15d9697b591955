#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::testbench {
namespace {

struct Cost {
  std::string_view name, sentence;
};
constexpr std::array costs{
    Cost{"both levels", "a request for one level counts the other one, too"},
    Cost{"interrupts", "a plain count is interrupted at every overflow"},
    Cost{"stops at interrupt", "events between an interrupt and its handler are not counted"},
    Cost{"no filters", "a request for a range, an opcode or a data address counts everything"},
    Cost{"unmarked only", "marked processes are not counted"},
    Cost{"period", "every sample stands for the same number of events, whatever period was asked for"},
};

/// Privilege levels 0 and 3 of IA-64.
constexpr unsigned both_levels_of_ia64 = 9;

void apply(const Policy& policy, oracle::Request& request) {
  if (policy.both_levels) {
    request.user = request.kernel = request.alpha.pal = true;
    request.alpha.executive_and_supervisor = false;
    request.ia64.levels = both_levels_of_ia64;
  }
  if (policy.unmarked_only) request.marked = false;
}

}  // namespace

std::vector<std::string> names_of(const Policy& policy) {
  std::vector<std::string> names;
  if (policy.both_levels) names.emplace_back("both levels");
  if (policy.interrupts) names.emplace_back("interrupts");
  if (policy.stops) names.emplace_back("stops at interrupt");
  if (policy.no_filters) names.emplace_back("no filters");
  if (policy.unmarked_only) names.emplace_back("unmarked only");
  if (policy.period) names.push_back(fmt::format("period {}", *policy.period));
  return names;
}

std::string_view cost_of(std::string_view name) {
  const auto found = std::find_if(costs.begin(), costs.end(), [&](const Cost& c) { return name.starts_with(c.name); });
  return found == costs.end() ? "" : found->sentence;
}

void apply(const Policy& policy, Group& group) {
  if (policy == Policy{}) return;
  group.asked = group.question();
  for (Check& check : group.checks) apply(policy, check.request);
  if (policy.interrupts) group.sampling = true;
  if (policy.no_filters) {
    group.filters = {};
    group.filter = 0;
  }
  if (policy.period && group.period != 0) group.period = *policy.period;
  if (policy.period && group.sampled) group.sampled->period = *policy.period;
}

}  // namespace pmusim::testbench
