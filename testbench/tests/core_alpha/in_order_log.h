// Runs of the in-order chips with some parameters changed.
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
  for (const Happening& h : log.of(signal)) {
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

inline std::string shift(unsigned a, unsigned b, unsigned c) { return operate(0x12, 0x39, a, b, c); }
inline std::string compare(unsigned a, unsigned b, unsigned c) { return operate(0x10, 0x2d, a, b, c); }
inline std::string logical(unsigned a, unsigned b, unsigned c) { return operate(0x11, 0x20, a, b, c); }
inline std::string cmov(unsigned a, unsigned b, unsigned c) { return operate(0x11, 0x24, a, b, c); }
inline std::string mull(unsigned a, unsigned b, unsigned c) { return operate(0x13, 0x00, a, b, c); }
inline std::string umulh(unsigned a, unsigned b, unsigned c) { return operate(0x13, 0x30, a, b, c); }
inline std::string mult(unsigned a, unsigned b, unsigned c) { return operate(0x16, 0x0a2, a, b, c); }
inline std::string divs(unsigned a, unsigned b, unsigned c) { return operate(0x16, 0x083, a, b, c); }
inline std::string divt(unsigned a, unsigned b, unsigned c) { return operate(0x16, 0x0a3, a, b, c); }
inline std::string cpys(unsigned a, unsigned b, unsigned c) { return operate(0x17, 0x020, a, b, c); }
inline std::string ldt(unsigned a, unsigned b) { return memory(0x23, a, b); }
inline std::string stt(unsigned a, unsigned b) { return memory(0x27, a, b); }
inline std::string beq(unsigned a, int displacement) { return branch(0x39, a, displacement); }
inline std::string fbeq(unsigned a, int displacement) { return branch(0x31, a, displacement); }
inline std::string br(int displacement) { return branch(0x30, 31, displacement); }
inline std::string mb() { return word(0x60004000); }

}  // namespace pmusim::testbench::alpha
