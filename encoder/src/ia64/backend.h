// The back end of both IA-64 processors: from requests to an Encoding, and from register values to selections.
#pragma once

#include <map>
#include <memory>

#include "encoder/src/backend.h"
#include "encoding.h"

namespace pmusim::encoder::ia64 {

/// Values of control registers by PMC number.
using Controls = std::map<unsigned, std::uint64_t>;

/// A run and its result. The encoding does not contain events and warnings yet.
struct Dispatched {
  RunInput in;
  RunOutput out;
  Encoding encoding;
};

/// The properties of one processor.
struct Chip {
  TargetInfo info;
  std::span<const Attribute> attributes;
  std::span<const ForeignAttribute> foreign_attributes;  ///< in addition to the attributes that neither processor has
  std::span<const Register> registers;
  const std::vector<Row>& rows;
  std::span<const Row> other_codes = {};  ///< further codes of events of `rows`, with the event's name
  std::span<const Row> undefined = {};    ///< events that a list names and no document defines
  std::string_view source;                ///< source of the event table
  std::span<const std::string_view> wire_groups;
  QualifierForm qualifiers;
  unsigned code_ranges = 0;  ///< PMC number of the code ranges
  unsigned data_ear = 0;     ///< PMC number of the data EAR
  unsigned instruction_ear = 0;
  const Field* line_states = nullptr;  ///< field of the line states that a counter passes, for rows with line states
  std::string_view raw_forms;          ///< forms of raw events
  std::uint64_t raw_limit = 0;         ///< largest raw event
  std::string_view raw_explanation;    ///< error text for a larger raw event
  std::string_view no_event;           ///< description of a code that selects no row: "no event"
  Result<Dispatched> (*run)(std::span<const Wanted> events, const GroupOptions& options) = nullptr;
  /// The attribute of event strings that exists on this processor only, with its value in a counter's control register.
  std::string (*own_attribute)(std::uint64_t control) = nullptr;
  /// A note about the instruction set field of a control register; empty: none.
  std::string_view (*note_of_set)(std::uint64_t control) = nullptr;
  /// Adds notes about a control register of an encoding. `number` is the PMC number; `fine` is true if code ranges are
  /// in fine mode.
  void (*add_run_notes)(const Row& row, unsigned number, std::uint64_t control, const RunOutput& out, bool fine,
                        std::vector<std::string>& notes) = nullptr;
  /// The row that the control register of counter `number` selects; null if there is none. One row of an EAR may stand
  /// for all events of this EAR.
  const Row* (*selected_row)(unsigned number, const Controls& controls) = nullptr;
  /// Adds notes about all counters.
  void (*add_common_notes)(const Controls& controls, std::vector<std::string>& notes) = nullptr;
};

/// Executes the steps of a run on one processor: reads the input, dispatches it and converts the result.
template <auto input_of, auto dispatch, auto encoding_of>
[[nodiscard]] Result<Dispatched> run(std::span<const Wanted> events, const GroupOptions& options) {
  const auto in = input_of(events, options);
  if (!in) return in.error();
  const auto out = dispatch(*in);
  if (!out) return out.error();
  return Dispatched{*in, *out, encoding_of(*in, *out)};
}

[[nodiscard]] std::unique_ptr<const Backend> make(const Chip& chip);

}  // namespace pmusim::encoder::ia64

namespace pmusim::encoder::itanium2 {
/// Four counters with constraints on the sets of cache events, two EARs, the branch trace buffer, opcode matchers and
/// address ranges.
[[nodiscard]] std::unique_ptr<const Backend> make_backend();
}  // namespace pmusim::encoder::itanium2

namespace pmusim::encoder::montecito {
/// Twelve counters for one thread or both, constraints on the sets of cache events, two EARs, the execution trace
/// buffer with its IP-EAR, matchers of all opcode bits and address ranges.
[[nodiscard]] std::unique_ptr<const Backend> make_backend();
}  // namespace pmusim::encoder::montecito
