// What the back ends of both IA-64 processors do in the same way: from requests to an Encoding, and from register
// values to what they select. A processor's own back end derives from it.
#pragma once

#include <map>

#include "encoder/src/backend.h"
#include "encoding.h"

namespace pmusim::encoder::ia64 {

/// Values of control registers by PMC number.
using Controls = std::map<unsigned, std::uint64_t>;

/// The facts of one processor.
struct Chip {
  TargetInfo info;
  std::span<const Attribute> attributes;
  std::span<const ForeignAttribute> foreign_attributes;
  std::span<const Register> registers;
  const std::vector<Row>& rows;
  std::string_view source;  ///< of the event table
  std::span<const std::string_view> wire_groups;
  QualifierForm qualifiers;
  unsigned code_ranges = 0;            ///< PMC of the code ranges
  std::string_view raw_forms;          ///< of raw events
  std::uint64_t raw_limit = 0;         ///< largest raw event
  std::string_view raw_explanation{};  ///< of a raw event that is larger
};

class Ia64Backend : public Backend {
 public:
  explicit Ia64Backend(Chip chip);

  [[nodiscard]] const TargetInfo& info() const final { return chip_.info; }
  [[nodiscard]] const std::vector<Event>& events() const final { return events_; }
  [[nodiscard]] const std::vector<Event>& reserved_events() const final { return reserved_; }
  [[nodiscard]] std::span<const Attribute> attributes() const final { return chip_.attributes; }
  [[nodiscard]] std::span<const ForeignAttribute> foreign_attributes() const final { return chip_.foreign_attributes; }
  [[nodiscard]] std::span<const Register> registers() const final { return chip_.registers; }
  [[nodiscard]] std::string_view counter_name(unsigned counter) const final;
  [[nodiscard]] std::string_view raw_forms() const final { return chip_.raw_forms; }
  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const final;
  [[nodiscard]] Result<Qualifiers> parse_qualifiers(const QualifierTexts& texts) const final;
  [[nodiscard]] Result<Encoding> encode(std::span<const Request> requests, const GroupOptions& options) const final;
  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const final;
  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const final;

 protected:
  /// A run and what came of it. The encoding has no events and warnings yet.
  struct Dispatched {
    RunInput in;
    RunOutput out;
    Encoding encoding;
  };
  [[nodiscard]] virtual Result<Dispatched> dispatched(std::span<const Wanted> events,
                                                      const GroupOptions& options) const = 0;
  /// The event string of a counter's control register.
  [[nodiscard]] virtual std::string canonical(const Row& row, std::uint64_t control) const = 0;
  /// What is remarkable about a control register; `row` is null when no row of the table is known.
  [[nodiscard]] virtual std::vector<std::string> notes_of(std::uint64_t control, const Row* row) const = 0;
  /// ... when it is one of an encoding; `number` is that of the PMC, `fine` says that code ranges are in fine mode.
  virtual void add_run_notes(const Row& row, unsigned number, std::uint64_t control, const RunOutput& out, bool fine,
                             std::vector<std::string>& notes) const = 0;
  /// The row that the control register of counter `number` selects, null when none does.
  [[nodiscard]] virtual const Row* selected_row(unsigned number, const Controls& controls) const = 0;
  /// The unit mask of a raw event that says the same as the control register.
  [[nodiscard]] virtual std::uint32_t raw_mask(std::uint64_t control) const = 0;
  /// An event string can say what the control register has.
  [[nodiscard]] virtual bool has_name(const Row& row, std::uint64_t control) const = 0;
  /// Says that no row of the table has the code and unit mask of `control`.
  [[nodiscard]] virtual std::string unknown_code(std::uint64_t control) const = 0;
  /// What is remarkable about all counters.
  virtual void add_common_notes(const Controls& controls, std::vector<std::string>& notes) const = 0;

  /// The row of the EAR event whose EAR is set up, where `row` is that of all of an EAR's events; else `row`.
  [[nodiscard]] const Row* named_by_ear(const Row* row, unsigned data_ear, unsigned instruction_ear,
                                        const Controls& controls) const;

 private:
  Chip chip_;
  std::vector<Event> events_;
  std::vector<Event> reserved_;
};

/// "never counts" when the threshold is one that the event does not reach.
void add_threshold_note(std::uint64_t control, const Row& row, std::vector<std::string>& notes);

}  // namespace pmusim::encoder::ia64
