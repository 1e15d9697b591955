// The interface of a PMU family to the engine: its events, attributes and registers, and the packing of their bits.
// The engine (engine.h) implements grammar, look-up and assignment; a back end implements one family.
#pragma once

#include <array>
#include <concepts>
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

/// One event in the form that the engine uses. Each family builds it from its own table.
struct Event {
  std::string name;
  std::string description;
  std::string source;
  std::vector<CounterCode> codes;  ///< sorted by counter; the other counters cannot count the event
  std::span<const UnitMask> unit_masks;
  unsigned max_per_cycle = 1;
  bool confirmed = true;
  bool masks_are_places = false;     ///< the code of a unit mask is the position of its bit, not a bit mask
  std::uint32_t fixed_mask = 0;      ///< unit mask that belongs to the event and cannot be selected
  bool mask_is_fixed = false;        ///< the event has such a unit mask, possibly 0
  std::uint32_t companion = 0;       ///< distinguishes events with the same selector that configure another register
  std::string same_as;               ///< name of an earlier event with the same selector
  std::vector<std::string> filters;  ///< filters of the run that apply to the event
  std::string_view thread_type;  ///< the thread of a core to which the event belongs; empty on cores with one thread
  std::string event_set;         ///< set of events that can be counted together, "L1 set 2"; empty: none

  /// Bit c is set if counter c can count the event.
  [[nodiscard]] std::uint32_t counters() const;
  [[nodiscard]] std::optional<std::uint32_t> code_on(unsigned counter) const;
  [[nodiscard]] const UnitMask* default_mask() const;
  /// The bits of a unit mask in Request::unit_mask.
  [[nodiscard]] std::uint32_t bits(const UnitMask& mask) const {
    return masks_are_places ? std::uint32_t{1} << mask.code : mask.code;
  }
};

using Attribute = AttributeInfo;

/// An attribute of other targets, with a hint for the error message.
struct ForeignAttribute {
  std::string_view name;
  std::string_view hint;
};

/// The settings of one event by attribute name. Attributes that the user did not set are absent.
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

/// One event to count, from a string or from the C API.
struct Request {
  std::string text;              ///< name of the event in error messages
  const Event* event = nullptr;  ///< null for a raw event
  std::uint32_t unit_mask = 0;   ///< Event::bits() of the named unit masks, combined
  Settings settings;
  std::uint32_t raw_code = 0;      ///< raw events: event select
  std::uint32_t raw_counters = 0;  ///< raw events: counters that can count it, one bit for each

  [[nodiscard]] std::uint32_t counters() const { return event ? event->counters() : raw_counters; }
};

/// What the value of a field means: words for 0, 1 and so on, of which the last ones are for all higher values, too,
/// and may have a place for the value ({}); or a function.
class Meaning {
 public:
  constexpr Meaning() = default;
  constexpr Meaning(std::string (*function)(std::uint64_t value)) : function_(function) {}  // NOLINT: in tables
  template <std::convertible_to<std::string_view>... Words>
  constexpr Meaning(Words... words) : words_{words...}, count_(sizeof...(words)) {}  // NOLINT: in tables

  /// Empty if the field is not described.
  [[nodiscard]] std::string of(std::uint64_t value) const;

 private:
  std::string (*function_)(std::uint64_t value) = nullptr;
  std::array<std::string_view, 4> words_;
  std::size_t count_ = 0;
};

/// One field of a register.
struct Field {
  std::string_view name;
  std::string_view bits;  ///< bit numbers as in the manual
  unsigned shift = 0;
  unsigned width = 1;
  Meaning meaning = {};

  [[nodiscard]] constexpr std::uint64_t limit() const {
    return width < 64 ? (std::uint64_t{1} << width) - 1 : ~std::uint64_t{0};
  }
  [[nodiscard]] constexpr std::uint64_t get(std::uint64_t word) const { return (word >> shift) & limit(); }
  [[nodiscard]] constexpr std::uint64_t put(std::uint64_t value) const { return (value & limit()) << shift; }
  /// `word` with the field set to `value`.
  [[nodiscard]] constexpr std::uint64_t set(std::uint64_t word, std::uint64_t value) const {
    return (word & ~put(limit())) | put(value);
  }
};

/// A register with its space and number on the register bus and its fields, the most significant field first.
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

/// Settings of a family for a whole run. The model blocks of the C API fill them.
using GroupSettings = Settings;

/// Options for all events of a run.
struct GroupOptions {
  bool sampling = false;
  std::uint32_t unavailable = 0;  ///< counters that must not be used, one bit for each
  GroupSettings settings;
  Qualifiers qualifiers;
  std::string_view quirks;
};

/// Properties of a target, except its events.
struct Facts {
  TargetInfo info;
  std::span<const Attribute> attributes;
  std::vector<ForeignAttribute> foreign_attributes;
  std::span<const Register> registers;
  std::vector<std::string_view> counter_names;  ///< the manual's names of the counter registers
  std::string_view raw_forms;                   ///< forms of raw events, for messages
};

/// Foreign attributes of a whole family, followed by those of one target.
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
  /// Name of counter register `counter`.
  [[nodiscard]] std::string_view counter_name(unsigned counter) const { return facts_.counter_names.at(counter); }
  [[nodiscard]] std::string_view raw_forms() const { return facts_.raw_forms; }

  /// The event names that `head` stands for: `head` itself, unless the family has additional names.
  [[nodiscard]] virtual std::vector<std::string> expanded(std::string_view head) const { return {std::string(head)}; }
  /// Parses `head` as a raw event; empty if it does not have the form of one.
  [[nodiscard]] virtual std::optional<Result<Request>> raw_event(std::string_view head) const = 0;

  /// Parses the texts of qualifiers. This implementation is for targets without qualifiers: it refuses all texts.
  [[nodiscard]] virtual Result<Qualifiers> parse_qualifiers(const QualifierTexts& texts) const;

  /// Computes the register values of a run.
  [[nodiscard]] virtual Result<Encoding> encode(std::span<const Request> requests,
                                                const GroupOptions& options) const = 0;
  [[nodiscard]] virtual Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const = 0;
  [[nodiscard]] virtual Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const = 0;

 protected:
  /// `longest` - `period`, from which a counter overflows after `period` events. Refuses a period that is not from
  /// `least` to `longest`; `ends` says in the message what happens then.
  [[nodiscard]] Result<std::uint64_t> start_value(unsigned counter, std::uint64_t period, std::uint64_t longest,
                                                  std::uint64_t least = 1, std::string_view ends = "overflows") const;

  std::vector<Event> events_;           ///< filled by the family
  std::vector<Event> reserved_events_;  ///< selectors that the documents reserve
 private:
  Facts facts_;
};

/// A family with independent counters: the counters of an event do not depend on other events. No qualifiers.
class PlacingBackend : public Backend {
 public:
  using Backend::Backend;
  [[nodiscard]] Result<Encoding> encode(std::span<const Request> requests, const GroupOptions& options) const final;
  /// Computes the register values for requests that are assigned to `counters` (same order, all different).
  [[nodiscard]] virtual Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                                                 const GroupSettings& group, bool sampling) const = 0;
};

// The privilege levels of an event string.

struct Levels {
  bool user = true;
  bool kernel = true;
  friend bool operator==(const Levels&, const Levels&) = default;
};

/// Reads the settings u, k and plm. If no level is named, both apply; else only the named levels. plm with a
/// contradicting u or k is an error.
[[nodiscard]] Result<Levels> levels_of(const Request& request);

}  // namespace pmusim::encoder
