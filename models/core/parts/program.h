// The window of a trace between the oldest instruction that has not retired and the youngest that was fetched,
// with the directives between them. Lets a front end go back: after a misprediction, an interrupt, a purge.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pmusim/trace/reader.h"

namespace pmusim::core {

class Program {
 public:
  /// One instruction of the window, with copies of what the reader hands out for one step only: accesses and
  /// annotations of the instruction point into this entry.
  struct Entry : trace::Item {
    std::uint32_t directives_done = 0;
    bool done = false;  ///< retired, or folded with its outcome known
    std::vector<trace::Access> accesses;
    std::vector<trace::Directive> directives;         ///< that act before it
    std::unique_ptr<trace::Annotations> annotations;  ///< of the last that had any: few have
    /// Directives before it that have not been passed.
    [[nodiscard]] bool has_directives() const { return !directives.empty() && directives_done != directives.size(); }
    /// It accesses registers of the PMU, so that from then on anything may be looked at (Core::subscribe()).
    [[nodiscard]] bool accesses_registers() const {
      return instruction.annotations != nullptr && !instruction.annotations->registers.empty();
    }
  };

  explicit Program(std::unique_ptr<trace::Reader> reader);

  /// The instruction with this ordinal, read from the trace if need be; null past the end. `ordinal` lies
  /// between begin() and the youngest one read plus 1.
  Entry* at(std::uint64_t ordinal) {
    if (ordinal < read_) return &entry(ordinal);
    return read_next() ? &entry(ordinal) : nullptr;
  }
  /// Directives after the last instruction; meaningful once at() returned null.
  [[nodiscard]] std::vector<trace::Directive>& trailing() { return trailing_; }

  /// Marks an instruction as done; those at the old end that are done leave the window.
  void complete(std::uint64_t ordinal) {
    entry(ordinal).done = true;
    while (begin_ < read_ && entry(begin_).done) ++begin_;
  }
  /// The same for a core that finishes in order: this one and all before it leave the window.
  void complete_through(std::uint64_t ordinal) { begin_ = ordinal + 1; }
  /// Instructions from `ordinal` on are not done (an interrupt sends the front end back).
  void undo(std::uint64_t ordinal);
  /// First ordinal of the window: the number of instructions that have left it.
  [[nodiscard]] std::uint64_t begin() const { return begin_; }

  /// An error's text for a core with nothing left to wait for: the oldest instruction and what is wrong with it.
  [[nodiscard]] std::string never_completes(std::uint64_t cycle);

  [[nodiscard]] const trace::Reader& reader() const { return *reader_; }

 private:
  Entry& entry(std::uint64_t ordinal) { return *ring_[ordinal & (ring_.size() - 1)]; }
  bool read_next();
  void grow();

  std::unique_ptr<trace::Reader> reader_;
  std::vector<std::unique_ptr<Entry>> ring_;  ///< a power of two of them; their addresses never change
  std::vector<trace::Directive> trailing_;
  std::uint64_t begin_ = 0;  ///< oldest ordinal in the window
  std::uint64_t read_ = 0;   ///< next ordinal to read
  bool ended_ = false;
};

}  // namespace pmusim::core
