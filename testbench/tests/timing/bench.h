// Small programs as text traces, and how many clocks a target's core takes for them.
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
using Changes = std::vector<std::pair<std::string, std::int64_t>>;

class Chip {
 public:
  /// A target's core with its default parameters, and then `changes`.
  explicit Chip(std::string_view target, const Changes& changes = {});
  /// Clocks from the start of a trace to its end.
  [[nodiscard]] double clocks(const std::string& text) const;
  /// Clocks that each repetition adds once the program is under way: 2n of them against n.
  [[nodiscard]] double each(const Program& program, unsigned n = 256) const;

 private:
  const models::Target& target_;
  models::Parameters parameters_;
};

/// A text trace written line by line. What every line says is said once: its keys, and the mask of ia64.
class Code {
 public:
  explicit Code(std::string keys = "fetch=l1 itlb=hit", std::string mask = "", std::uint64_t pc = 0x10000)
      : keys_(std::move(keys)), mask_(std::move(mask)), pc_(pc) {}
  /// An instruction or bundle: its bytes, its accesses, its keys.
  Code& op(const std::string& bytes, const std::string& accesses = "", const std::string& keys = "");
  /// The same as a taken branch; what follows is at its target. `mark`: T, or on ia64 T and the slot.
  Code& go(const std::string& bytes, std::uint64_t target, const std::string& accesses = "",
           const std::string& keys = "", const std::string& mark = "T");
  /// The next instruction is at this address.
  Code& at(std::uint64_t pc) {
    pc_ = pc;
    return *this;
  }
  [[nodiscard]] std::uint64_t pc() const { return pc_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string keys_, mask_, text_;
  std::uint64_t pc_;
};

/// The largest number from `least` on that fits, at most `most`; whatever is smaller than one that fits does, too.
/// 0 if not even the least fits.
unsigned largest(unsigned least, unsigned most, const std::function<bool(unsigned)>& fits);

/// Walks over memory: loads of which each waits for the one before it, over and over. `chain` makes the trace of such
/// loads; it decides what is forced (`dtlb=hit` when caches are measured, `data=l1` when TLBs are).
class Walk {
 public:
  using Chain = std::function<std::string(const std::vector<std::uint64_t>& addresses)>;
  Walk(const Chip& chip, Chain chain) : chip_(chip), chain_(std::move(chain)) {}
  /// Clocks of a load in a walk over these addresses that has been made before.
  [[nodiscard]] double load(const std::vector<std::uint64_t>& addresses) const;
  /// The same for n addresses, `apart` bytes from one to the next.
  [[nodiscard]] double load(unsigned n, std::uint64_t apart) const;
  /// How many addresses `apart` bytes apart can be walked over at no more clocks than `few` of them: multiples of
  /// `few`.
  [[nodiscard]] unsigned fit(std::uint64_t apart, unsigned few, unsigned most) const;
  /// Bytes of a line: from this distance on each load of a walk over that many bytes is to a line of its own.
  [[nodiscard]] unsigned line(unsigned bytes) const;

 private:
  const Chip& chip_;
  Chain chain_;
};

}  // namespace pmusim::timing
