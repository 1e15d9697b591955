// Counts and branches that follow from the instructions of a trace alone, read from the trace itself, without core,
// model or oracle. The oracle counts what a core reports; these counts reveal a core that reports too much or too
// little.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/common/parameters.h"
#include "pmusim/trace/reader.h"
#include "testbench/judge/question/event_facts.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::testbench {

/// Whether all parameters with this prefix but pmu.thread have their defaults.
[[nodiscard]] bool are_defaults(const models::Parameters& parameters, std::string_view prefix = {});

class TraceCounts {
 public:
  /// Reads the trace to its end.
  TraceCounts(const std::string& target, trace::Reader& trace, const models::Parameters& parameters);
  /// The count of a request for one row at some levels without further conditions. Empty if the instructions do not
  /// determine it: another event, a further condition, or a trace in which directives or system instructions change the
  /// mode.
  [[nodiscard]] std::optional<std::uint64_t> of(const oracle::Request& request) const;
  /// True if the target has rows whose counts follow from the instructions.
  [[nodiscard]] static bool has_rows(const std::string& target);

  static constexpr unsigned levels = 4;
  using ByLevel = std::array<std::uint64_t, levels>;
  using Counts = std::map<std::string_view, ByLevel>;

 private:
  trace::Isa isa_;
  bool silent_ = false;
  Counts counts_;
};

// Counts the instructions of one instruction set for TraceCounts, line by line.

class LineCounter {
 public:
  virtual ~LineCounter() = default;
  /// Counts a line. Returns false if the instructions alone do not determine the counts from here on.
  virtual bool line(const trace::Instruction& executed, TraceCounts::Counts& counts, unsigned level) = 0;
  /// Called after the last line; adds the counts.
  virtual void finish(TraceCounts::Counts& /*counts*/) {}
  /// Handles a directive that changes the level, or one without effect on the counts. Returns false for all others.
  virtual bool directive(const trace::Directive& directive, unsigned& level) = 0;
};

/// Makes a line counter for a target.
template <class Counter>
std::unique_ptr<LineCounter> line_counter_of(std::string_view target) {
  return std::make_unique<Counter>(target);
}

/// Decoded instructions by their id.
template <class Decoded>
class Decodings {
 public:
  template <class Decode>
  const Decoded& of(const trace::Code& code, const Decode& decode) {
    if (code.id >= list_.size()) list_.resize(code.id + 1u);
    std::optional<Decoded>& place = list_[code.id];
    if (!place) place = decode(code);
    return *place;
  }

 private:
  std::vector<std::optional<Decoded>> list_;
};

/// Counts rows of a table. The code of an instruction determines which rows it counts for.
class TableLineCounter : public LineCounter {
 public:
  bool line(const trace::Instruction& executed, TraceCounts::Counts& counts, unsigned level) final;
  void finish(TraceCounts::Counts& counts) final;
  bool directive(const trace::Directive& directive, unsigned& level) override;

 protected:
  using Rows = std::uint32_t;  ///< one bit for each row of the table
  /// Rows for which an instruction counts: always, if it was taken, if it wrote to memory.
  struct CountedRows {
    Rows always = 0, taken = 0, stored = 0;
    Rows undetermined = 0;  ///< these rows are undetermined if the trace has this instruction
    bool iterates = false;  ///< a line with itself as successor is one of several iterations; only the last one counts
    bool silent = false;    ///< all rows are undetermined
  };
  /// The table: the target's events whose counts follow from the instructions.
  explicit TableLineCounter(std::string_view target) : names_(events_from_instructions(target)) {}
  /// The bit of a row of the table; 0 for other rows.
  [[nodiscard]] Rows row(std::string_view name) const;
  [[nodiscard]] virtual CountedRows decode(const trace::Code& code) const = 0;
  /// Checks whether a line leaves rows undetermined; returns false if it leaves all rows undetermined.
  virtual bool look(const trace::Instruction& /*executed*/) { return true; }
  /// Rows that the lines so far leave undetermined.
  [[nodiscard]] virtual Rows undetermined() const { return 0; }

 private:
  std::vector<std::string_view> names_;
  Decodings<CountedRows> counted_rows_;
  std::array<TraceCounts::ByLevel, 32> counts_{};
  Rows undetermined_ = 0;  ///< left undetermined by the instructions read
};

/// The value of a directive's operand, one digit; for an empty key, of the operand without a key.
[[nodiscard]] std::optional<unsigned> level_operand(const trace::Directive& directive, std::string_view key);
/// Directives about the file itself, or about events that retire no instruction.
[[nodiscard]] bool leaves_instructions_alone(std::string_view directive);

// Compares the branches of IA-64 traces, read from the traces themselves, with those that retire in the activity.
// Samples of the branch buffer are compared with the activity, and through this with the program.

class TraceBranches {
 public:
  /// One trace for each hardware thread.
  explicit TraceBranches(std::vector<std::unique_ptr<trace::Reader>> traces);

  void consume(const activity::Block& block);
  /// Call after the last block: checks that no trace has a branch left.
  void finish();
  /// The first difference as a sentence; empty if every branch retired once, in order, with its outcome and target.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::uint64_t branches() const { return branches_; }

 private:
  struct Branch {
    std::uint64_t ordinal = 0;  ///< of its bundle
    std::uint64_t bundle = 0, target = 0;
    unsigned slot = 0;
    bool taken = false;
  };
  struct Program {
    std::unique_ptr<trace::Reader> reader;
    std::uint64_t bundles = 0;               ///< read so far
    std::deque<Branch> next;                 ///< read and not yet retired
    std::vector<std::array<bool, 3>> slots;  ///< by code id: the slots with a branch
    std::vector<bool> known;                 ///< by code id
  };
  static bool read_on(Program& program);

  std::vector<Program> programs_;
  std::uint64_t branches_ = 0;
  std::string problem_;
};

}  // namespace pmusim::testbench
