// Runs a text trace on the Athlon core and keeps all its activity, joined from its blocks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/athlon/athlon.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/block_log.h"

namespace pmusim::testbench {

using activity::Signal;
using activity::State;
using Cycle = activity::Cycle;

struct LoggedOccurrence {
  Cycle cycle;
  std::uint16_t amount;
  std::uint16_t detail;
  activity::InstructionRecord instruction;  ///< valid if the signal refers to an instruction
  activity::RequestRecord request;
};

/// True for signals that refer to an instruction.
bool names_instruction(Signal signal);

class TraceLog : public BlockLog<LoggedOccurrence> {
 public:
  std::vector<LoggedOccurrence> of(Signal signal) const { return BlockLog::of(signal); }
  /// The occurrences whose detail has all bits of `with` and none of `without`.
  std::vector<LoggedOccurrence> of(Signal signal, std::uint16_t with, std::uint16_t without = 0) const;
  std::uint64_t count(Signal signal, std::uint16_t with = 0, std::uint16_t without = 0) const;
  void append(const activity::Block& block);
  friend bool operator==(const TraceLog& a, const TraceLog& b);

 private:
  std::vector<activity::RegisterAccess> accesses_;
};

/// Parameters for traces computed by hand: no prefetch, no page walks in L2; then the given changes.
models::Parameters plain(const std::vector<std::pair<std::string, std::int64_t>>& changes = {});
std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters);
/// Runs the core to the end in blocks of `cycles`.
TraceLog run(core::Core& core, Cycle cycles = 100000);
TraceLog run(const std::string& text, const models::Parameters& parameters = plain(), Cycle cycles = 100000);

/// One line of a trace: address, bytes, other fields; always a hit in L1I and ITLB, so that fetch takes one clock a
/// window.
std::string hit(std::uint64_t pc, const std::string& bytes, const std::string& rest = "");
inline const std::string load = "8b03", store = "8903";  ///< eax and [ebx]
/// Consecutive lines as written by hit().
class Script : public ScriptText<Script> {
 public:
  explicit Script(std::uint64_t pc = 0x1000) : ScriptText(pc) {}
  Script& add(const std::string& bytes, const std::string& rest = "") { return add(1, bytes, rest); }
  Script& add(unsigned count, const std::string& bytes, const std::string& rest = "");
  /// A taken branch; the next line is at its target.
  Script& go(const std::string& bytes, std::uint64_t target, const std::string& accesses = "",
             const std::string& keys = "");
};

}  // namespace pmusim::testbench
