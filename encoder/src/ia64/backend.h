// What the back ends of both IA-64 processors do in the same way: from requests to an Encoding, and from register
// values to what they select. A processor's own back end derives from it.
#pragma once

#include <map>

#include "encoder/src/backend.h"
#include "encoding.h"

namespace pmusim::encoder::ia64 {

/// Values of control registers by PMC number.
using Controls = std::map<unsigned, std::uint64_t>;

/// A run and what came of it. The encoding has no events and warnings yet.
struct Dispatched {
  RunInput in;
  RunOutput out;
  Encoding encoding;
};

/// The facts of one processor.
struct Chip {
  TargetInfo info;
  std::span<const Attribute> attributes;
  std::span<const ForeignAttribute> foreign_attributes;  ///< beyond those that neither processor has
  std::span<const Register> registers;
  const std::vector<Row>& rows;
  std::string_view source;  ///< of the event table
  std::span<const std::string_view> wire_groups;
  QualifierForm qualifiers;
  unsigned code_ranges = 0;  ///< PMC of the code ranges
  unsigned data_ear = 0;     ///< PMC of the data EAR
  unsigned instruction_ear = 0;
  const Field* line_states = nullptr;  ///< states that a counter lets pass, of rows that have them
  std::string_view raw_forms;          ///< of raw events
  std::uint64_t raw_limit = 0;         ///< largest raw event
  std::string_view raw_explanation;    ///< of a raw event that is larger
  std::string_view no_event;           ///< what a code is of that selects no row: "no event"
  Result<Dispatched> (*run)(std::span<const Wanted> events, const GroupOptions& options) = nullptr;
};

/// The run of a processor whose steps these are: the input of events and options, the dispatch, its result as an
/// Encoding.
template <auto input_of, auto dispatch, auto encoding_of>
[[nodiscard]] Result<Dispatched> run(std::span<const Wanted> events, const GroupOptions& options) {
  const auto in = input_of(events, options);
  if (!in) return in.error();
  const auto out = dispatch(*in);
  if (!out) return out.error();
  return Dispatched{*in, *out, encoding_of(*in, *out)};
}

class Ia64Backend : public Backend {
 public:
  explicit Ia64Backend(const Chip& chip);

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const final;
  [[nodiscard]] Result<Qualifiers> parse_qualifiers(const QualifierTexts& texts) const final;
  [[nodiscard]] Result<Encoding> encode(std::span<const Request> requests, const GroupOptions& options) const final;
  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const final;
  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const final;

 protected:
  /// The attribute of an event string that only this processor's have, as a counter's control register has it.
  [[nodiscard]] virtual std::string own_attribute(std::uint64_t control) const = 0;
  /// What is remarkable about the instruction set in a control register; empty: nothing.
  [[nodiscard]] virtual std::string_view note_of_set(std::uint64_t control) const = 0;
  /// What is remarkable about a control register of an encoding; `number` is that of the PMC, `fine` says that code
  /// ranges are in fine mode.
  virtual void add_run_notes(const Row& row, unsigned number, std::uint64_t control, const RunOutput& out, bool fine,
                             std::vector<std::string>& notes) const = 0;
  /// The row that the control register of counter `number` selects, null when none does. One row of an EAR may stand
  /// for all of its events.
  [[nodiscard]] virtual const Row* selected_row(unsigned number, const Controls& controls) const = 0;
  /// What is remarkable about all counters.
  virtual void add_common_notes(const Controls& /*controls*/, std::vector<std::string>& /*notes*/) const {}

 private:
  /// The event string of a counter's control register.
  [[nodiscard]] std::string canonical(const Row& row, std::uint64_t control) const;
  /// What is remarkable about a control register; `row` is null when no row of the table is known.
  [[nodiscard]] std::vector<std::string> notes_of(std::uint64_t control, const Row* row) const;
  /// The line states that a control register lets pass.
  [[nodiscard]] std::uint64_t states_of(std::uint64_t control) const;
  /// The row of the EAR event whose EAR is set up, where `row` is that of all of an EAR's events; else `row`.
  [[nodiscard]] const Row* named_by_ear(const Row* row, const Controls& controls) const;

  Chip chip_;
};

}  // namespace pmusim::encoder::ia64
