// The encoder in C++: event strings in, register values out, with typed results and whole-sentence errors.
// Stateless and safe to use from many threads. The libpfm-3 compatible C API (perfmon/pfmlib.h) is a thin
// layer over it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "pmusim/encoder/qualifiers.h"

/// What the shared library shows to its users.
#define PMUSIM_ENCODER_API __attribute__((visibility("default")))

namespace pmusim::encoder {

/// What went wrong; the values of the C API's codes are in perfmon/pfmlib.h.
enum class ErrorCode {
  unknown_target,
  unknown_event,
  unknown_unit_mask,
  missing_unit_mask,
  unit_mask_combination,
  unknown_attribute,
  bad_attribute_value,
  attribute_conflict,
  register_conflict,
  too_many_events,
  no_assignment,
  reserved_event,
  unknown_register,
  bad_value,
  syntax,
  // What only the IA-64 targets can refuse.
  feature_conflict,
  event_set_conflict,
  event_conflict,
  bad_code_range,
  unaligned_code_range,
  too_many_code_ranges,
  code_range_too_big,
  bad_data_range,
  too_many_data_ranges,
  missing_range_flags,
  not_supported,
  bad_qualifier
};

/// One sentence that names the event, the limit and the nearest valid choice.
struct Error {
  ErrorCode code;
  std::string message;
};

/// A value or an Error.
template <class T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Error error) : content_(std::move(error)) {}
  explicit operator bool() const { return content_.index() == 0; }
  [[nodiscard]] const T& value() const& { return std::get<0>(content_); }
  [[nodiscard]] T& value() & { return std::get<0>(content_); }
  [[nodiscard]] T value() && { return std::get<0>(std::move(content_)); }  ///< by value: outlives the Result
  [[nodiscard]] const Error& error() const { return std::get<1>(content_); }
  const T* operator->() const { return &value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> content_;
};

struct TargetInfo {
  std::string_view name;  ///< athlon, ppc750gx, ...
  std::string_view description;
  int pmu_type;  ///< number in the C API
  unsigned counters;
  unsigned counter_width;  ///< bits
};
[[nodiscard]] PMUSIM_ENCODER_API std::span<const TargetInfo> targets();

/// A register to program. Its bus address is (space number << 32) | number.
struct RegisterValue {
  std::string space;  ///< msr, spr, pmc, ipr, ...
  std::uint32_t number = 0;
  std::string name;    ///< the manual's name
  unsigned width = 0;  ///< bits of the register
  std::uint64_t value = 0;
  friend bool operator==(const RegisterValue&, const RegisterValue&) = default;
};

struct EncodedEvent {
  std::string canonical;  ///< fully spelled: athlon::DATA_CACHE_REFILLS:L2_SHARED:k=1:u=1:e=0:i=0:c=0
  std::string counter;    ///< name of the counter register: PerfCtr0, PMC3
  unsigned counter_index = 0;
};

/// What the registers cover of memory for a range that was asked for: possibly more in front and after.
struct CoveredRange {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  ///< first address after
  friend bool operator==(const CoveredRange&, const CoveredRange&) = default;
};

/// Registers to write, in this order: `off` (stops every counter), then the counters' start values (see
/// preset()), then `registers`, which has the final value of each control register once: selectors before
/// the register that starts the counting. Selectors of unused counters are written 0, so that nothing stale
/// counts or interrupts.
struct Encoding {
  std::vector<RegisterValue> registers;
  std::vector<EncodedEvent> events;  ///< in the order of the request
  std::vector<RegisterValue> off;
  /// Alpha: `off` and `registers` are calls of PALcode (space "wrperfmon": function and argument of WRPERFMON); this is
  /// what the processor registers then hold, counters aside.
  std::vector<RegisterValue> images;
  std::vector<std::string> warnings;  ///< legal, but surely not meant: a filter that lets nothing pass
  std::vector<CoveredRange> code;     ///< one for each code range asked for
  std::vector<CoveredRange> data;
  std::vector<std::string> sample_registers;  ///< registers that hold what EARs and branch buffer took in
};

struct EncodeOptions {
  bool sampling = false;  ///< set the overflow interrupt enables of every counter used
  std::vector<unsigned> unavailable_counters = {};
  Qualifiers qualifiers = {};    ///< IA-64 targets
  std::string_view quirks = {};  ///< IA-64 targets: the words of PFMLIB_QUIRKS
};

/// Reads the texts for `target`; an error names the text, the word and what is legal.
[[nodiscard]] PMUSIM_ENCODER_API Result<Qualifiers> parse_qualifiers(std::string_view target,
                                                                     const QualifierTexts& texts);

/// Encodes a group of events for one run. Refuses what does not fit, naming event, limit and nearest choice.
[[nodiscard]] PMUSIM_ENCODER_API Result<Encoding> encode(std::string_view target, std::span<const std::string> events,
                                                         const EncodeOptions& options = {});

/// Splits events into the fewest groups found that each fit the counters, keeping their order; for
/// automatic passes. Fails only when one event alone cannot be encoded.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<std::vector<std::string>>> split_passes(
    std::string_view target, std::span<const std::string> events, const EncodeOptions& options = {});

struct UnitMaskInfo {
  std::string name;
  std::uint32_t code = 0;  ///< bits of the unit mask; for the line states of montecito the place of the bit
  std::string description;
  bool is_default = false;
};

struct EventInfo {
  std::string name;
  std::uint32_t code = 0;  ///< on targets with a code per counter: that of counters[0]
  std::vector<std::pair<unsigned, std::uint32_t>> counter_codes;  ///< counter index and code there
  std::string description;
  std::string source;  ///< document and place
  bool confirmed = true;
  unsigned max_per_cycle = 1;
  std::uint32_t fixed_mask = 0;      ///< unit mask that belongs to the event
  bool mask_is_fixed = false;        ///< it has one, be it 0
  std::string same_as;               ///< an earlier event with the same selector; selections() gives that name
  std::vector<std::string> filters;  ///< filters of the whole run that the event honours
  std::string thread_type;           ///< montecito: active, floating, causal or self-floating
  std::string event_set;             ///< set of events that share wires ("L1 set 2"); empty: none
  std::vector<UnitMaskInfo> unit_masks;
  std::vector<std::string> attributes;  ///< names legal for this event
};

[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<EventInfo>> events(std::string_view target);
/// Codes that the manual reserves: encode() refuses their names (ErrorCode::reserved_event); the raw form of
/// an event string still programs them.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<EventInfo>> reserved_events(std::string_view target);

/// An attribute of event strings, with its limits.
struct AttributeInfo {
  std::string_view name;
  std::uint64_t minimum = 0;
  std::uint64_t maximum = 1;
  bool flag = false;           ///< may stand alone, meaning =1
  bool register_wide = false;  ///< one setting for all events of a run
  std::string_view meaning;
  std::string_view words = {};  ///< names of the values from 0 on, with '|' between; may be empty
};
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<AttributeInfo>> attributes(std::string_view target);

/// One field of a register value, in words.
struct DecodedField {
  std::string name;  ///< CNT_MASK
  std::string bits;  ///< "31:24", IBM numbering where the manual uses it
  std::uint64_t value = 0;
  std::string meaning;  ///< "count cycles with at least 2 occurrences"
};
struct DecodedRegister {
  RegisterValue reg;
  std::vector<DecodedField> fields;
};

/// Registers of a target, with value 0.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<RegisterValue>> registers(std::string_view target);
/// Fields of the named register (the manual's name, any case) holding `value`.
[[nodiscard]] PMUSIM_ENCODER_API Result<DecodedRegister> decode(std::string_view target, std::string_view name,
                                                                std::uint64_t value);
/// What a full set of register values counts: one entry per enabled counter, canonical event names; a code
/// that no table names gives its raw form. Fields that no event string can say are named in `notes`.
struct Selection {
  unsigned counter_index = 0;
  std::string counter;
  std::string canonical;
  bool known = true;
  std::vector<std::string> notes;
};
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<Selection>> selections(std::string_view target,
                                                                           std::span<const RegisterValue> values);

/// Value to preset a counter with so that it overflows after `period` events; an error names the limits.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::uint64_t> preset(std::string_view target, unsigned counter_index,
                                                              std::uint64_t period);

}  // namespace pmusim::encoder
