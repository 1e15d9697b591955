// Small programs as text traces, and the clocks that a target's core needs for them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/targets.h"

namespace pmusim::timing {

/// A program of n repetitions, as a text trace.
using Program = std::function<std::string(unsigned n)>;

class Chip {
 public:
  /// A target's core with its default parameters.
  explicit Chip(std::string_view target);
  /// Clocks from the start of a trace to its end.
  [[nodiscard]] double clocks(const std::string& text) const;
  /// Clocks that each repetition adds in the steady state: from the difference between 2n and n repetitions.
  [[nodiscard]] double each(const Program& program, unsigned n = 256) const;

 private:
  const models::Target& target_;
  models::Parameters parameters_;
};

/// A text trace built line by line. Keys of all lines at a multiple of `fetched` bytes, and the mask of ia64, are given
/// once.
class Code {
 public:
  explicit Code(std::string keys = "fetch=l1 itlb=hit", std::string mask = "", std::uint64_t pc = 0x10000,
                unsigned fetched = 1)
      : keys_(std::move(keys)), mask_(std::move(mask)), pc_(pc), fetched_(fetched) {}
  /// Adds an instruction or bundle: its bytes, accesses and keys.
  Code& op(const std::string& bytes, const std::string& accesses = "", const std::string& keys = "");
  /// Adds a taken branch; the next instruction is at its target. `mark`: T, or on ia64 T and the slot.
  Code& go(const std::string& bytes, std::uint64_t target, const std::string& accesses = "",
           const std::string& keys = "", const std::string& mark = "T");
  /// Sets the address of the next instruction.
  Code& at(std::uint64_t pc) {
    pc_ = pc;
    return *this;
  }
  [[nodiscard]] std::uint64_t pc() const { return pc_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string keys_, mask_, text_;
  std::uint64_t pc_;
  unsigned fetched_;
};

/// The encoding of each line in hexadecimal, by one run of binutils for the machine (`alpha-linux-gnu`). Directives
/// (`back = .`) have none; ` @` ends an instruction. Throws std::runtime_error if the assembler refuses.
[[nodiscard]] std::vector<std::string> assembled(const std::string& machine, const std::vector<std::string>& lines,
                                                 const std::string& options = "");

/// The largest number from `least` to `most` that fits, if every smaller number fits, too. 0 if not even `least` fits.
unsigned largest(unsigned least, unsigned most, const std::function<bool(unsigned)>& fits);

/// Walks over memory: repeated loads, each of which waits for the previous one. `chain` makes the trace of such loads;
/// it selects the forced outcomes (`dtlb=hit` to measure caches, `data=l1` to measure TLBs).
class Walk {
 public:
  using Chain = std::function<std::string(const std::vector<std::uint64_t>& addresses)>;
  Walk(const Chip& chip, Chain chain) : chip_(chip), chain_(std::move(chain)) {}
  /// Clocks of a load in a walk over these addresses, after a first pass.
  [[nodiscard]] double load(const std::vector<std::uint64_t>& addresses) const;
  /// The same for n addresses that are `apart` bytes apart.
  [[nodiscard]] double load(unsigned n, std::uint64_t apart) const;
  /// Number of addresses, `apart` bytes apart, that a walk accesses in no more clocks per load than `few` of them: a
  /// multiple of `few`.
  [[nodiscard]] unsigned fit(std::uint64_t apart, unsigned few, unsigned most) const;
  /// Bytes of a line: from this distance on each load of a walk over that many bytes accesses a different line.
  [[nodiscard]] unsigned line(unsigned bytes) const;

 private:
  const Chip& chip_;
  Chain chain_;
};

}  // namespace pmusim::timing
