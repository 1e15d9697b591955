// Runs a text trace on an Alpha core and keeps all its activity, joined from its blocks.
#pragma once

#include <memory>
#include <string>
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

struct LoggedOccurrence {
  Cycle cycle;
  std::uint16_t amount;
  std::uint16_t detail;
  bool named;                               ///< refers to an instruction or a request
  activity::InstructionRecord instruction;  ///< valid if the signal refers to an instruction
  act::Instruction more;
  activity::RequestRecord request;
};

class AlphaLog : public BlockLog<LoggedOccurrence> {
 public:
  using BlockLog::cycles;
  using BlockLog::of;
  /// The occurrences of the instruction with this id.
  [[nodiscard]] std::vector<LoggedOccurrence> of(Signal signal, std::uint64_t id) const;
  [[nodiscard]] std::size_t count(Signal signal) const { return of(signal).size(); }
  /// The cycles of the occurrences of this instruction.
  [[nodiscard]] std::vector<Cycle> cycles(Signal signal, std::uint64_t id) const;
  void append(const activity::Block& block);
  friend bool operator==(const AlphaLog& a, const AlphaLog& b);
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

}  // namespace pmusim::testbench::alpha
