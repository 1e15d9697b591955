// Runs a text trace on an Alpha core and keeps all its activity, joined from its blocks.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/alpha/alpha.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/block_log.h"
#include "words.h"

namespace pmusim::testbench::alpha {

namespace act = activity::alpha;
using activity::Signal;
using activity::State;
using Cycle = activity::Cycle;

struct AlphaOccurrence : LoggedOccurrence {
  act::Instruction more;
};

class AlphaLog : public BlockLog<AlphaOccurrence> {
 public:
  [[nodiscard]] const std::vector<AlphaOccurrence>& of(Signal signal) const { return BlockLog::of(signal); }
  /// The occurrences of the instruction with this id.
  [[nodiscard]] std::vector<AlphaOccurrence> of(Signal signal, std::uint64_t id) const;
  [[nodiscard]] std::vector<Cycle> cycles(Signal signal) const { return BlockLog::cycles(signal); }
  /// The cycles of the occurrences of this instruction.
  [[nodiscard]] std::vector<Cycle> cycles(Signal signal, std::uint64_t id) const;
  void append(const activity::Block& block);
};

using Factory = std::unique_ptr<core::Core> (*)(std::unique_ptr<trace::Reader>, const models::Parameters&);

/// Runs the core to the end in blocks of `cycles`.
AlphaLog run(core::Core& core, Cycle cycles = 100000);
AlphaLog run(Factory make, const std::string& text, const models::Parameters& parameters, Cycle cycles = 100000);

/// Consecutive lines of a trace; each hits in Icache and ITB.
class Script : public ScriptText<Script> {
 public:
  explicit Script(std::uint64_t pc = 0x1000) : ScriptText(pc) {}
  Script& add(const std::string& word, const std::string& rest = "");
  Script& add(unsigned count, const std::string& word);
  /// A load or store of `size` bytes; hits in Dcache and DTB unless `keys` specifies otherwise.
  Script& load(const std::string& word, std::uint64_t address, unsigned size = 8,
               const std::string& keys = "dtlb=hit data=l1");
  Script& store(const std::string& word, std::uint64_t address, unsigned size = 8,
                const std::string& keys = "dtlb=hit data=l1");
  /// A taken branch; the next line is at its target.
  Script& go(const std::string& word, std::uint64_t target, const std::string& keys = "");
};

// Runs of the in-order chips with changed parameters.

inline AlphaLog ev4(const std::string& text, const Changes& changes = {}) {
  return run(core::make_alpha_ev4, text, changed(core::alpha_ev4_parameters(), changes));
}
inline AlphaLog ev5(const std::string& text, const Changes& changes = {}) {
  return run(core::make_alpha_ev5, text, changed(core::alpha_ev5_parameters(), changes));
}
inline AlphaLog pca56(const std::string& text, const Changes& changes = {}) {
  return run(core::make_alpha_pca56, text, changed(core::alpha_pca56_parameters(), changes));
}

using Cycles = std::vector<Cycle>;

/// Cycle of the first issue of the instruction with this ordinal.
inline Cycle issue_of(const AlphaLog& log, std::uint64_t ordinal) { return log.cycles(Signal::issue, ordinal).at(0); }

/// Cycles of a signal's occurrences with (detail & mask) == value.
inline Cycles cycles_of(const AlphaLog& log, Signal signal, unsigned mask, unsigned value) {
  Cycles found;
  for (const AlphaOccurrence& h : log.of(signal)) {
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

// Runs of the 21264A.

inline AlphaLog ev67(const std::string& text, const Changes& changes = {}) {
  return run(core::make_alpha_ev67, text, changed(core::alpha_ev67_parameters(), changes));
}

/// The only cycle in which an instruction issues.
inline Cycle only_issue_of(const AlphaLog& log, std::uint64_t id) {
  const Cycles cycles = log.cycles(Signal::issue, id);
  EXPECT_EQ(cycles.size(), 1u) << "instruction " << id;
  return cycles.empty() ? 0 : cycles.front();
}

/// A load whose data arrives 100 cycles after its issue.
inline Script slow_load() { return Script().load(ldq(3, 9), 0x8000, 8, "dtlb=hit data=l1 lat=100"); }

}  // namespace pmusim::testbench::alpha
