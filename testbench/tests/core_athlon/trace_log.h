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

namespace pmusim::testbench::athlon {

using activity::Signal;
using activity::State;
using Cycle = activity::Cycle;

using TraceLog = BlockLog<>;

/// Parameters for traces computed by hand: no prefetch, no page walks in L2; then the given changes.
models::Parameters plain(const Changes& changes = {});
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

}  // namespace pmusim::testbench::athlon
