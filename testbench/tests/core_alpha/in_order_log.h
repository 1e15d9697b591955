// Runs of the in-order chips with changed parameters.
#pragma once

#include <initializer_list>

#include "alpha_log.h"

namespace pmusim::testbench::alpha {

using Changes = std::initializer_list<std::pair<const char*, std::int64_t>>;

inline models::Parameters changed(models::Parameters parameters, Changes changes) {
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}
inline AlphaLog ev4(const std::string& text, Changes changes = {}) {
  return run(core::make_alpha_ev4, text, changed(core::alpha_ev4_parameters(), changes));
}
inline AlphaLog ev5(const std::string& text, Changes changes = {}) {
  return run(core::make_alpha_ev5, text, changed(core::alpha_ev5_parameters(), changes));
}
inline AlphaLog pca56(const std::string& text, Changes changes = {}) {
  return run(core::make_alpha_pca56, text, changed(core::alpha_pca56_parameters(), changes));
}

using Cycles = std::vector<Cycle>;

/// Cycle of the first issue of the instruction with this ordinal.
inline Cycle issue_of(const AlphaLog& log, std::uint64_t ordinal) { return log.cycles(Signal::issue, ordinal).at(0); }

/// Cycles of a signal's occurrences with (detail & mask) == value.
inline Cycles cycles_of(const AlphaLog& log, Signal signal, unsigned mask, unsigned value) {
  Cycles found;
  for (const LoggedOccurrence& h : log.of(signal)) {
    if ((h.detail & mask) == value) found.push_back(h.cycle);
  }
  return found;
}
template <class Enum>
Cycles cycles_of(const AlphaLog& log, Signal signal, Enum detail) {
  return cycles_of(log, signal, 0xffff, static_cast<unsigned>(detail));
}
inline act::IssueStall stall_at(const AlphaLog& log, Cycle cycle) {
  return static_cast<act::IssueStall>(log.at(State::issue_stall, cycle));
}

}  // namespace pmusim::testbench::alpha
