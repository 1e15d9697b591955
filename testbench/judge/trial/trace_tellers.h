// Counts the instructions of one instruction set for TraceCounts, line by line.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pmusim/trace/reader.h"
#include "testbench/judge/question/event_facts.h"
#include "testbench/judge/trial/trace_counts.h"

namespace pmusim::testbench {

class Teller {
 public:
  virtual ~Teller() = default;
  /// Counts a line. Returns false if the instructions alone do not determine the counts from here on.
  virtual bool line(const trace::Instruction& executed, TraceCounts::Counts& counts, unsigned level) = 0;
  /// Called after the last line; adds the counts.
  virtual void finish(TraceCounts::Counts& /*counts*/) {}
  /// Handles a directive that changes the level, or one without effect on the counts. Returns false for all others.
  virtual bool directive(const trace::Directive& directive, unsigned& level) = 0;
};

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
class TableTeller : public Teller {
 public:
  bool line(const trace::Instruction& executed, TraceCounts::Counts& counts, unsigned level) final;
  void finish(TraceCounts::Counts& counts) final;
  bool directive(const trace::Directive& directive, unsigned& level) override;

 protected:
  using Rows = std::uint32_t;  ///< one bit for each row of the table
  /// Rows for which an instruction counts: always, if it was taken, if it wrote to memory.
  struct Told {
    Rows always = 0, taken = 0, stored = 0;
    Rows untold = 0;        ///< these rows are undetermined if the trace has this instruction
    bool iterates = false;  ///< a line with itself as successor is one of several iterations; only the last one counts
    bool silent = false;    ///< all rows are undetermined
  };
  /// The table: the target's events whose counts follow from the instructions.
  explicit TableTeller(std::string_view target) : names_(events_from_instructions(target)) {}
  /// The bit of a row of the table; 0 for other rows.
  [[nodiscard]] Rows row(std::string_view name) const;
  [[nodiscard]] virtual Told decode(const trace::Code& code) const = 0;
  /// Checks whether a line leaves rows undetermined; returns false if it leaves all rows undetermined.
  virtual bool look(const trace::Instruction& executed) = 0;
  /// Rows that the lines so far leave undetermined.
  [[nodiscard]] virtual Rows untold() const = 0;

 private:
  std::vector<std::string_view> names_;
  Decodings<Told> told_;
  std::array<TraceCounts::ByLevel, 32> counts_{};
  Rows untold_ = 0;  ///< left undetermined by the instructions read
};

/// The value of a directive's operand, one digit; for an empty key, of the operand without a key.
[[nodiscard]] std::optional<unsigned> level_operand(const trace::Directive& directive, std::string_view key);
/// Directives about the file itself, or about events that retire no instruction.
[[nodiscard]] bool leaves_instructions_alone(std::string_view directive);

}  // namespace pmusim::testbench
