// Who counts the instructions of one instruction set for TraceCounts, line by line.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pmusim/trace/reader.h"
#include "testbench/validate/trace_counts.h"

namespace pmusim::testbench {

class Teller {
 public:
  virtual ~Teller() = default;
  /// False: what follows is not told by instructions alone.
  virtual bool line(const trace::Instruction& executed, TraceCounts::Counts& counts, unsigned level) = 0;
  /// After the last line.
  virtual void finish(TraceCounts::Counts& /*counts*/) {}
  /// A directive that changes the level, or nothing that is told. False: the rest is not told.
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

/// Counts rows of a table, of which each instruction has some by its code.
class TableTeller : public Teller {
 public:
  bool line(const trace::Instruction& executed, TraceCounts::Counts& counts, unsigned level) final;
  void finish(TraceCounts::Counts& counts) final;
  bool directive(const trace::Directive& directive, unsigned& level) override;

 protected:
  using Rows = std::uint32_t;  ///< a bit for each row of the table
  /// What an instruction counts: in any case, if it was taken, if it wrote to memory.
  struct Told {
    Rows always = 0, taken = 0, stored = 0;
    Rows untold = 0;        ///< nothing is told of these rows where a trace has it
    bool iterates = false;  ///< a line that goes to itself is one iteration of many, of which the last counts
    bool silent = false;    ///< nothing is told of any row
  };
  explicit TableTeller(std::span<const std::string_view> names) : names_(names) {}
  /// The bit of a row that is in the table; 0 for another.
  [[nodiscard]] Rows row(std::string_view name) const;
  [[nodiscard]] virtual Told decode(const trace::Code& code) const = 0;
  /// Looks at a line for what leaves rows untold; false: all of them.
  virtual bool look(const trace::Instruction& executed) = 0;
  /// Rows that the lines seen leave untold.
  [[nodiscard]] virtual Rows untold() const = 0;

 private:
  std::span<const std::string_view> names_;
  Decodings<Told> told_;
  std::array<TraceCounts::ByLevel, 32> counts_{};
  Rows untold_ = 0;  ///< by the instructions seen
};

/// The value of a directive's operand, one digit; of the bare one for an empty key.
[[nodiscard]] std::optional<unsigned> level_operand(const trace::Directive& directive, std::string_view key);
/// Directives that say something about the file, or about what retires nothing.
[[nodiscard]] bool leaves_instructions_alone(std::string_view directive);

}  // namespace pmusim::testbench
