// Runs the 21264A on a text trace; helpers to read its log.
#pragma once

#include "alpha_log.h"

namespace pmusim::testbench::alpha {

using Cycles = std::vector<Cycle>;
using Changes = std::vector<std::pair<std::string, std::int64_t>>;

inline models::Parameters ev67_with(const Changes& changes) {
  models::Parameters parameters = core::alpha_ev67_parameters();
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}
inline AlphaLog ev67(const std::string& text, const Changes& changes = {}) {
  return run(core::make_alpha_ev67, text, ev67_with(changes));
}

/// The only cycle in which an instruction issues.
inline Cycle issue_of(const AlphaLog& log, std::uint64_t id) {
  const Cycles cycles = log.cycles(Signal::issue, id);
  EXPECT_EQ(cycles.size(), 1u) << "instruction " << id;
  return cycles.empty() ? 0 : cycles.front();
}

/// A load whose data arrives 100 cycles after its issue.
inline Script slow_load() { return Script().load(ldq(3, 9), 0x8000, 8, "dtlb=hit data=l1 lat=100"); }

}  // namespace pmusim::testbench::alpha
