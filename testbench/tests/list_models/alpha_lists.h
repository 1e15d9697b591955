// What the list models of the Alphas see, and random programs. They share no code with the cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/core/alpha/alpha.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/list_models/lists.h"

namespace pmusim::testbench::alpha::lists {

using list_models::Counter, list_models::Draw, list_models::LineList, list_models::Mesi;

// Random programs for small caches: loads and stores that meet in few sets, code over the ends of pages, calls that do
// not always return, barriers, and commands of the system.

struct Mixture {
  std::uint64_t seed = 1;
  unsigned instructions = 20'000;
  unsigned command_in = 0;  ///< a system command before every n-th instruction; 0: none
  std::uint64_t data_bytes = 0x8000, code_bytes = 0x6000;
};

/// The text of a trace. A word stands at its address; outcomes and addresses are random.
[[nodiscard]] std::string text_of(const Mixture& mixture);

// What list models see: a program as its trace tells it, and the activity of a core, cycle by cycle. A model reports
// the first difference that it finds; what comes after it would only follow from it.

namespace act = activity::alpha;
using activity::Cycle;
using activity::Signal;

/// An instruction word, read by the Alpha Architecture Handbook: 4.3 and table 4-4 (branches and their hints), appendix
/// C (opcodes).
struct Word {
  enum class Flow : std::uint8_t {
    other,
    conditional,
    br,
    bsr,
    jmp,
    jsr,
    ret,
    coroutine,
    leaves  ///< to PALcode or back
  };
  std::uint64_t pc = 0;
  std::uint32_t bits = 0;

  [[nodiscard]] unsigned opcode() const { return bits >> 26; }
  [[nodiscard]] Flow flow() const;
  /// Of a branch with a displacement, and of the hint of jmp and jsr.
  [[nodiscard]] std::uint64_t target() const;
  [[nodiscard]] bool backward() const { return (bits >> 20 & 1) != 0; }
  [[nodiscard]] bool loads() const;
  [[nodiscard]] bool stores() const;
  /// Loads and stores of bytes and words, which the 21064 does not have.
  [[nodiscard]] bool bwx() const { return opcode() == 0x0a || (opcode() >= 0x0c && opcode() <= 0x0e); }
  [[nodiscard]] bool memory_barrier() const { return opcode() == 0x18 && (bits & 0xffff) == 0x4000; }
};

/// The outside's command to the processor (`! snoop`).
struct Command {
  act::SystemCommand kind = act::SystemCommand::other;
  std::uint64_t address = 0;
};

/// A program in program order.
struct Program {
  struct Step {
    Word word;
    bool taken = false;
    std::uint64_t next = 0;
    std::size_t access = 0, accesses = 0;  ///< the first one, and how many
  };
  explicit Program(trace::Reader& reader);
  /// The access of a load or store, or null: the last one of its kind.
  [[nodiscard]] const trace::Access* access_of(const Step& step) const;
  /// A load or store that the chip executes, with its address.
  [[nodiscard]] const trace::Access* executed_access(const Step& step, bool has_bwx) const {
    return !has_bwx && step.word.bwx() ? nullptr : access_of(step);
  }
  std::vector<Step> steps;
  std::vector<trace::Access> accesses;
  std::vector<Command> commands;
};

/// An occurrence of a signal. Of the records one is there, or none.
struct Seen {
  Signal signal = Signal::count_;
  std::uint16_t detail = 0;
  const activity::RequestRecord* request = nullptr;
  const activity::InstructionRecord* instruction = nullptr;
  const act::Instruction* more = nullptr;
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  /// All occurrences of a cycle, signal by signal.
  void cycle(Cycle now, std::span<const Seen> seen) {
    if (difference_.empty()) see(now, seen);
  }
  void finish() {
    if (difference_.empty()) end();
  }
  /// The first difference, or nothing.
  [[nodiscard]] const std::string& difference() const { return difference_; }

 protected:
  virtual void see(Cycle now, std::span<const Seen> seen) = 0;
  virtual void end() = 0;
  void differs(const std::string& what) {
    if (difference_.empty()) difference_ = what;
  }
  [[nodiscard]] bool failed() const { return !difference_.empty(); }

 private:
  std::string difference_;
};

using Factory = std::unique_ptr<core::Core> (*)(std::unique_ptr<trace::Reader>, const models::Parameters&);

/// Runs a core to the end of its trace before the watchers.
void watch(core::Core& core, std::span<Watcher* const> watchers);

/// "cycle 17: ..."
[[nodiscard]] std::string at(Cycle cycle);

}  // namespace pmusim::testbench::alpha::lists
