// The window of a trace between the oldest instruction that has not retired and the youngest that was fetched, with the
// directives between them. After a misprediction, an interrupt or a purge the front end returns to an earlier
// instruction of the window.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/numbering.h"
#include "pmusim/trace/reader.h"

namespace pmusim::core {

/// Directives of the trace that take effect before an instruction, or after the last one.
struct Directives {
  std::vector<trace::Directive> list;
  std::uint32_t done = 0;  ///< the first of them have taken effect
  [[nodiscard]] bool due() const { return done != list.size(); }
  [[nodiscard]] const trace::Directive& next() const { return list[done]; }
};

/// State of the directives before the next instruction of the trace: a directive changes how later instructions run,
/// and some directives must wait until earlier instructions have completed.
enum class Gate : std::uint8_t {
  open,       ///< none left: fetch continues
  wait,       ///< fetch stops until they have taken effect
  run_ahead,  ///< an event that fetch does not foresee, such as an interrupt: fetch continues past it
};
class DirectiveGate {
 public:
  virtual ~DirectiveGate() = default;
  /// Applies the directives that can take effect now. `at_start`: called at the start of a cycle, before any unit.
  virtual Gate pass(Directives& directives, bool at_start) = 0;
};

/// Throws CoreError unless the trace is of the instruction set of this core.
void require_isa(const trace::Reader& trace, trace::Isa isa, std::string_view core);

class Program {
 public:
  /// One instruction of the window. The reader's accesses and annotations are valid for one step only, so the entry
  /// holds copies, and the instruction points to these.
  struct Entry : trace::Item {
    bool done = false;         ///< retired, or folded with its outcome known
    std::uint64_t number = 0;  ///< of its instruction in the trace, for messages
    std::vector<trace::Access> accesses;
    Directives directives;                            ///< that take effect before it
    std::unique_ptr<trace::Annotations> annotations;  ///< of the last instruction that has any: most have none
    /// It accesses PMU registers, so from then on all activity may be read (Core::subscribe()).
    [[nodiscard]] bool accesses_registers() const {
      return instruction.annotations != nullptr && !instruction.annotations->registers.empty();
    }
  };

  explicit Program(std::unique_ptr<trace::Reader> reader);

  /// The instruction with this ordinal, read from the trace if necessary; null past the end. `ordinal` must lie between
  /// begin() and the youngest instruction read plus 1.
  Entry* at(std::uint64_t ordinal) { return ordinal < read_ ? &entry(ordinal) : read_next(); }
  /// The number of an instruction of the window, or of the one that would be read next.
  [[nodiscard]] std::uint64_t number_at(std::uint64_t ordinal) {
    return ordinal < read_ ? entry(ordinal).number : numbering_.instructions();
  }
  /// The directives before an instruction; past the end, those after the last instruction.
  [[nodiscard]] Directives& directives_at(std::uint64_t ordinal) {
    Entry* const entry = at(ordinal);
    return entry != nullptr ? entry->directives : trailing_;
  }
  /// True if there is no instruction with this ordinal, and no directive after the last one is left.
  [[nodiscard]] bool ends_at(std::uint64_t ordinal) { return at(ordinal) == nullptr && !trailing_.due(); }

  /// Marks an instruction as completed. Completed instructions at the old end leave the window.
  void complete(std::uint64_t ordinal) {
    entry(ordinal).done = true;
    while (begin_ < read_ && entry(begin_).done) ++begin_;
  }
  /// The same for a core that completes in order: this instruction and all older ones leave the window.
  void complete_through(std::uint64_t ordinal) { begin_ = ordinal + 1; }
  /// Marks the instructions from `ordinal` on as not completed (an interrupt sends the front end back).
  void undo(std::uint64_t ordinal) {
    for (std::uint64_t i = std::max(ordinal, begin_); i < read_; ++i) entry(i).done = false;
  }
  /// First ordinal of the window: the number of instructions that have left it.
  [[nodiscard]] std::uint64_t begin() const { return begin_; }

  /// Error text for a core that waits for nothing but has not finished: the oldest instruction and its problem.
  [[nodiscard]] std::string never_completes(std::uint64_t cycle);

  /// The static instruction at an address among those read so far (with the latest bytes); null if unknown. A wrong
  /// path asks for the same addresses again and again, so answers are kept; read_next() keeps them up to date.
  [[nodiscard]] const trace::Code* find(std::uint64_t pc) {
    if (found_.empty()) found_.resize(std::size_t{1} << found_bits);
    Found& found = found_at(pc);
    if (found.pc != pc) found = {pc, reader_->find(pc)};
    return found.code;
  }

 private:
  struct Found {
    std::uint64_t pc = ~std::uint64_t{0};
    const trace::Code* code = nullptr;
  };
  static constexpr unsigned found_bits = 10;
  [[nodiscard]] Found& found_at(std::uint64_t pc) { return found_[pc * 0x9e3779b97f4a7c15u >> (64 - found_bits)]; }
  Entry& entry(std::uint64_t ordinal) { return *ring_[ordinal & last_]; }
  Entry* read_next();
  // What few instructions need is apart.
  [[gnu::noinline]] bool pass_directives(Entry& e);
  [[gnu::noinline]] static void keep(Entry& e);
  [[gnu::noinline]] Entry* end(Entry& e);
  void grow();

  std::unique_ptr<trace::Reader> reader_;
  std::vector<std::unique_ptr<Entry>> ring_;  ///< their number is a power of two; their addresses never change
  std::uint64_t last_;                        ///< place of the last of them
  Directives trailing_;
  std::vector<Found> found_;  ///< empty before the first find()
  trace::Numbering numbering_;
  std::uint64_t begin_ = 0;  ///< oldest ordinal in the window
  std::uint64_t read_ = 0;   ///< next ordinal to read
  bool ended_ = false;
};

}  // namespace pmusim::core
