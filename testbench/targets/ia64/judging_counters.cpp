// The counters of the events. Source: libpfm's tables of events.
#include <algorithm>
#include <array>
#include <numeric>

#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench::ia64 {
namespace {

/// Both processors count these on PMC5 only.
constexpr std::array<std::string_view, 9> on_pmc5{"BE_L1D", "DATA_REFERENCES", "L1DTLB", "L1D", "L2DTLB",
                                                  "LOADS",  "MISALIGNED",      "STORES", "UC"};

}  // namespace

std::vector<unsigned> counters_of(const Processor& processor, std::string_view row) {
  const auto begins = [&](std::string_view prefix) { return row.starts_with(prefix); };
  if (std::any_of(on_pmc5.begin(), on_pmc5.end(), begins)) return {1};
  for (const Placing& placing : processor.placings) {
    if (begins(placing.prefix)) return placing.counters;
  }
  std::vector<unsigned> all(processor.counters);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

}  // namespace pmusim::testbench::ia64
