// What a PMU family brings to the engine: its events, attributes, registers and the packing of their bits.
// The engine (engine.h) knows grammar, look-up and assignment; a back end knows one family.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::encoder {

struct UnitMask {
  std::string_view name;
  std::uint32_t code = 0;
  std::string_view description;
  bool is_default = false;
};

/// The code of an event on one counter.
struct CounterCode {
  unsigned counter = 0;
  std::uint32_t code = 0;
};

/// One event of a family, as the engine sees it; built from the family's own table.
struct Event {
  std::string name;
  std::string description;
  std::string source;
  std::vector<CounterCode> codes;  ///< by ascending counter; counters that are absent do not know the event
  std::span<const UnitMask> unit_masks;
  unsigned max_per_cycle = 1;
  bool confirmed = true;
  bool masks_are_places = false;     ///< the code of a unit mask is the place of its bit, not the bits themselves
  std::uint32_t fixed_mask = 0;      ///< unit mask that belongs to the event itself and cannot be chosen
  bool mask_is_fixed = false;        ///< it has such a unit mask, be it 0
  std::uint32_t companion = 0;       ///< what tells events with one selector apart: the set-up of a further register
  std::string same_as;               ///< name of an earlier event that is selected in the same way
  std::vector<std::string> filters;  ///< filters of the run that it honours
  std::string_view thread_type;      ///< to which thread of a core it belongs; empty where there is one
  std::string event_set;             ///< set of events that share wires, "L1 set 2"; empty: none

  /// Bit c is set when counter c can count the event.
  [[nodiscard]] std::uint32_t counters() const;
  [[nodiscard]] std::optional<std::uint32_t> code_on(unsigned counter) const;
  [[nodiscard]] const UnitMask* default_mask() const;
  /// What a unit mask adds to a request's.
  [[nodiscard]] std::uint32_t bits(const UnitMask& mask) const {
    return masks_are_places ? std::uint32_t{1} << mask.code : mask.code;
  }
};

using Attribute = AttributeInfo;

/// An attribute of other targets, and what to say to somebody who expects it here.
struct ForeignAttribute {
  std::string_view name;
  std::string_view hint;
};

/// What the user set on one event, by attribute name. Absent means not named.
class Settings {
 public:
  void set(std::string_view name, std::uint64_t value) { values_[std::string(name)] = value; }
  [[nodiscard]] std::optional<std::uint64_t> get(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, std::uint64_t, std::less<>> values_;
};

/// One event to count: from a string or from the C API.
struct Request {
  std::string text;              ///< what error messages call it
  const Event* event = nullptr;  ///< null for a raw event
  std::uint32_t unit_mask = 0;   ///< Event::bits() of those named, added up
  Settings settings;
  std::uint32_t raw_code = 0;      ///< raw events: event select
  std::uint32_t raw_counters = 0;  ///< raw events: counters that may take it, bit per counter

  [[nodiscard]] std::uint32_t counters() const { return event ? event->counters() : raw_counters; }
};

/// One field of a register.
struct Field {
  std::string_view name;
  std::string_view bits;  ///< as the manual numbers them
  unsigned shift = 0;
  unsigned width = 1;
  std::string (*meaning)(std::uint64_t value) = nullptr;  ///< null: none is said

  [[nodiscard]] constexpr std::uint64_t limit() const {
    return width < 64 ? (std::uint64_t{1} << width) - 1 : ~std::uint64_t{0};
  }
  [[nodiscard]] constexpr std::uint64_t get(std::uint64_t word) const { return (word >> shift) & limit(); }
  [[nodiscard]] constexpr std::uint64_t put(std::uint64_t value) const { return (value & limit()) << shift; }
  /// `word` with the field holding `value`.
  [[nodiscard]] constexpr std::uint64_t set(std::uint64_t word, std::uint64_t value) const {
    return (word & ~put(limit())) | put(value);
  }
};

/// A register with its place on the bus and its fields, most significant first.
struct Register {
  std::string_view space;
  std::uint32_t number = 0;
  std::string_view name;
  unsigned width = 0;
  std::span<const Field> fields;

  [[nodiscard]] RegisterValue holding(std::uint64_t value) const {
    return {std::string(space), number, std::string(name), width, value};
  }
};

/// The family's settings that belong to no single event; the C API's model blocks fill them.
using GroupSettings = Settings;

/// What of a run belongs to no single event.
struct GroupOptions {
  bool sampling = false;
  std::uint32_t unavailable = 0;  ///< bit per counter
  GroupSettings settings;
  Qualifiers qualifiers;
  std::string_view quirks;
};

/// What a target has, apart from its events.
struct Facts {
  TargetInfo info;
  std::span<const Attribute> attributes;
  std::vector<ForeignAttribute> foreign_attributes;
  std::span<const Register> registers;
  std::vector<std::string_view> counter_names;  ///< the manual's names of the counter registers
  std::string_view raw_forms;                   ///< of raw events, for messages
};

/// Foreign attributes of a whole family, then those of one target.
[[nodiscard]] std::vector<ForeignAttribute> joined(std::span<const ForeignAttribute> family,
                                                   std::span<const ForeignAttribute> own);
/// The names of `count` registers of `space`, from number `first` on.
[[nodiscard]] std::vector<std::string_view> names_of(std::span<const Register> registers, std::string_view space,
                                                     unsigned first, unsigned count);

class Backend {
 public:
  explicit Backend(Facts facts) : facts_(std::move(facts)) {}
  virtual ~Backend() = default;

  [[nodiscard]] const TargetInfo& info() const { return facts_.info; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const std::vector<Event>& reserved_events() const { return reserved_events_; }
  [[nodiscard]] std::span<const Attribute> attributes() const { return facts_.attributes; }
  [[nodiscard]] std::span<const ForeignAttribute> foreign_attributes() const { return facts_.foreign_attributes; }
  [[nodiscard]] std::span<const Register> registers() const { return facts_.registers; }
  /// Of counter register `counter`.
  [[nodiscard]] std::string_view counter_name(unsigned counter) const { return facts_.counter_names.at(counter); }
  [[nodiscard]] std::string_view raw_forms() const { return facts_.raw_forms; }

  /// The events that the name of an event stands for: itself, unless the family has further names.
  [[nodiscard]] virtual std::vector<std::string> expanded(std::string_view head) const { return {std::string(head)}; }
  /// `head` as a raw event; empty when it does not look like one.
  [[nodiscard]] virtual std::optional<Result<Request>> raw_event(std::string_view head) const = 0;

  /// Texts of qualifiers as qualifiers. This one is for targets that have none: it refuses all but empty ones.
  [[nodiscard]] virtual Result<Qualifiers> parse_qualifiers(const QualifierTexts& texts) const;

  /// Register values for a run.
  [[nodiscard]] virtual Result<Encoding> encode(std::span<const Request> requests,
                                                const GroupOptions& options) const = 0;
  [[nodiscard]] virtual Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const = 0;

 protected:
  std::vector<Event> events_;           ///< the family fills them in
  std::vector<Event> reserved_events_;  ///< selectors that the documents reserve
 private:
  Facts facts_;
};

/// A family whose counters are apart: each event is placed by its own counters alone. It has no qualifiers.
class PlacingBackend : public Backend {
 public:
  using Backend::Backend;
  [[nodiscard]] Result<Encoding> encode(std::span<const Request> requests, const GroupOptions& options) const final;
  /// Register values for requests placed on `counters` (same order, all different).
  [[nodiscard]] virtual Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                                                 const GroupSettings& group, bool sampling) const = 0;
};

}  // namespace pmusim::encoder
