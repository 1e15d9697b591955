// The C++ API of the encoder: turns event strings into register values. Results are typed; errors are complete
// sentences. All functions are stateless and thread-safe. The libpfm-3 compatible C API (perfmon/pfmlib.h) is a thin
// layer over this one.
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

/// Exports a symbol from the shared library.
#define PMUSIM_ENCODER_API __attribute__((visibility("default")))

namespace pmusim::encoder {

/// Kinds of errors. perfmon/pfmlib.h has the codes of the C API.
enum class ErrorCode {
  unknown_target,         ///< no such target
  unknown_event,          ///< no such event on the target
  unknown_unit_mask,      ///< no such unit mask of the event
  missing_unit_mask,      ///< the event counts nothing without one
  unit_mask_combination,  ///< unit masks that cannot be combined for the event
  unknown_attribute,      ///< no such attribute of the target
  bad_attribute_value,    ///< a value outside the attribute's limits
  attribute_conflict,     ///< attributes that exclude each other, or that the event does not allow
  register_conflict,      ///< two events need different values in a register that they share
  too_many_events,        ///< more events than counters
  no_assignment,          ///< each event fits some counter, but no assignment fits all of them
  reserved_event,         ///< the manual reserves the code
  unknown_register,       ///< no such register of the target
  bad_value,              ///< a value that does not fit the register or counter
  syntax,                 ///< the text is not an event string
  // Errors of the IA-64 targets only.
  feature_conflict,      ///< a filter that an event ignores, or parts of the PMU that cannot be used together
  event_set_conflict,    ///< events of sets that cannot be counted together
  event_conflict,        ///< events that exclude each other
  bad_code_range,        ///< empty, end before start (data ranges, too), or on a tag channel on which no event counts
  unaligned_code_range,  ///< not on bundle boundaries (16 bytes)
  too_many_code_ranges,  ///< more ranges than the breakpoint pairs can hold
  code_range_too_big,    ///< larger than the remaining breakpoint pairs can cover
  bad_data_range,        ///< no data range is given
  too_many_data_ranges,  ///< more ranges than the breakpoint pairs can hold
  missing_range_flags,   ///< montecito: neither demand fetches nor prefetches are selected for the range
  not_supported,         ///< a function of the hardware that this interface does not support
  bad_qualifier          ///< the text or value of a filter is not legal
};

/// An error, with one sentence that names the event, the limit and the nearest valid choice.
struct Error {
  ErrorCode code;       ///< for programs: the rule that was violated
  std::string message;  ///< for people; without a line end
};

/// A value or an Error.
template <class T>
class Result {
 public:
  /// A success. Implicit, so that functions can return the value itself.
  Result(T value) : content_(std::move(value)) {}
  /// A failure.
  Result(Error error) : content_(std::move(error)) {}
  /// True if there is a value, false if there is an error.
  explicit operator bool() const { return content_.index() == 0; }
  /// The value. Throws std::bad_variant_access if there is an error.
  [[nodiscard]] const T& value() const& { return std::get<0>(content_); }
  /// The value, modifiable. Throws as above.
  [[nodiscard]] T& value() & { return std::get<0>(content_); }
  [[nodiscard]] T value() && { return std::get<0>(std::move(content_)); }  ///< by value: outlives the Result
  /// The error. Throws std::bad_variant_access if there is a value.
  [[nodiscard]] const Error& error() const { return std::get<1>(content_); }
  /// Accesses a member of the value; throws like value().
  const T* operator->() const { return &value(); }
  /// The value; throws like value().
  const T& operator*() const& { return value(); }
  /// Returns a copy, like value() of a temporary.
  T operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> content_;
};

/// Description of a target.
struct TargetInfo {
  std::string_view name;         ///< athlon, ppc750gx, ...
  std::string_view description;  ///< name of the processor in words
  int pmu_type;                  ///< number in the C API
  unsigned counters;             ///< counters of the PMU
  unsigned counter_width;        ///< bits
};
/// All targets, in the order in which the commands list them. The list lives as long as the program.
[[nodiscard]] PMUSIM_ENCODER_API std::span<const TargetInfo> targets();

/// A register with a value. Its address on the register bus is (space number << 32) | number.
struct RegisterValue {
  std::string space;         ///< msr, spr, pmc, ipr, ...
  std::uint32_t number = 0;  ///< within its space: number of the MSR, SPR or PMC, or PALcode function
  std::string name;          ///< name in the manual
  unsigned width = 0;        ///< width of the register in bits
  std::uint64_t value = 0;   ///< value to write; 0 in lists of registers
  friend bool operator==(const RegisterValue&, const RegisterValue&) = default;
};

/// An event of the request with the counter assigned to it.
struct EncodedEvent {
  std::string canonical;       ///< fully spelled: athlon::DATA_CACHE_REFILLS:L2_SHARED:k=1:u=1:e=0:i=0:c=0
  std::string counter;         ///< name of the counter register: PerfCtr0, PMC3
  unsigned counter_index = 0;  ///< from 0, in the manual's order
};

/// The memory that the registers cover for a requested range. It may begin before and end after the requested range.
struct CoveredRange {
  std::uint64_t start = 0;  ///< first address covered
  std::uint64_t end = 0;    ///< first address after the covered range
  friend bool operator==(const CoveredRange&, const CoveredRange&) = default;
};

/// The registers of a run. Write them in this order: `off` (stops every counter), the start values of the counters (see
/// preset()), `registers`. `registers` contains each control register once with its final value: the selectors come
/// before the register that starts the counting. Selectors of unused counters are set to 0, so that an old setting
/// neither counts nor interrupts.
struct Encoding {
  std::vector<RegisterValue> registers;  ///< control registers, final values, in the order of writing
  std::vector<EncodedEvent> events;      ///< in the order of the request
  std::vector<RegisterValue> off;        ///< control registers with all counters stopped, in the order of writing
  /// Alpha: `off` and `registers` are calls of PALcode (space "wrperfmon": function and argument of WRPERFMON);
  /// `images` has the values of the processor registers after these calls, except the counters.
  std::vector<RegisterValue> images;
  std::vector<std::string> warnings;  ///< legal but probably unintended settings, such as a filter that passes nothing
  std::vector<CoveredRange> code;     ///< one for each requested code range
  std::vector<CoveredRange> data;     ///< one for each requested data range
  std::vector<std::string> sample_registers;  ///< registers with the captured values of EARs and trace buffer
};

/// Options for a whole group of events.
struct EncodeOptions {
  bool sampling = false;                            ///< enable the overflow interrupt of every used counter
  std::vector<unsigned> unavailable_counters = {};  ///< indexes of counters that must not be used
  Qualifiers qualifiers = {};                       ///< IA-64 targets: filters and address registers
  std::string_view quirks = {};  ///< IA-64 targets: the words of the environment variable PFMLIB_QUIRKS
};

/// Parses the texts for `target`. An error names the text, the word and the legal values.
[[nodiscard]] PMUSIM_ENCODER_API Result<Qualifiers> parse_qualifiers(std::string_view target,
                                                                     const QualifierTexts& texts);

/// Encodes a group of events for one run. An error names the event, the limit and the nearest valid choice.
[[nodiscard]] PMUSIM_ENCODER_API Result<Encoding> encode(std::string_view target, std::span<const std::string> events,
                                                         const EncodeOptions& options = {});

/// Splits events into groups of which each fits the counters, for automatic passes. Keeps the order of the events and
/// uses as few groups as it finds. Fails only if a single event cannot be encoded.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<std::vector<std::string>>> split_passes(
    std::string_view target, std::span<const std::string> events, const EncodeOptions& options = {});

/// A unit mask of an event.
struct UnitMaskInfo {
  std::string name;         ///< as in event strings
  std::uint32_t code = 0;   ///< bits of the unit mask; for the line states of montecito the position of the bit
  std::string description;  ///< the manual's sentence, possibly shortened
  bool is_default = false;  ///< used if the event string names no unit mask
};

/// Description of an event of a target.
struct EventInfo {
  std::string name;        ///< as in event strings
  std::uint32_t code = 0;  ///< on targets with a code per counter: the code of the first entry of counter_codes
  std::vector<std::pair<unsigned, std::uint32_t>> counter_codes;  ///< counter index, and the code on this counter
  std::string description;                                        ///< the manual's sentence, possibly shortened
  std::string source;                                             ///< document and section
  bool confirmed = true;                 ///< false: the source is not a vendor document, or it leaves the meaning open
  unsigned max_per_cycle = 1;            ///< maximum of occurrences in one cycle; 0 for reserved codes
  std::uint32_t fixed_mask = 0;          ///< the unit mask, if mask_is_fixed
  bool mask_is_fixed = false;            ///< the event has a fixed unit mask, possibly 0
  std::string same_as;                   ///< an earlier event with the same selector; selections() gives that name
  std::vector<std::string> filters;      ///< filters of the run that apply to the event
  std::string thread_type;               ///< montecito: active, floating, causal or self-floating
  std::string event_set;                 ///< set of events that can be counted together ("L1 set 2"); empty: none
  std::vector<UnitMaskInfo> unit_masks;  ///< empty: the event has none
  std::vector<std::string> attributes;   ///< names legal for this event
};

/// The events of a target, in the order of its table. Fails only for an unknown target.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<EventInfo>> events(std::string_view target);
/// The codes that the manual reserves, and those of which it only gives a name. encode() refuses their names
/// (ErrorCode::reserved_event), but accepts them in the raw form of an event string.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<EventInfo>> reserved_events(std::string_view target);

/// An attribute of event strings, with its limits.
struct AttributeInfo {
  std::string_view name;        ///< as in event strings: c, e, thres
  std::uint64_t minimum = 0;    ///< smallest legal value
  std::uint64_t maximum = 1;    ///< largest legal value
  bool flag = false;            ///< the name alone means =1
  bool register_wide = false;   ///< one setting for all events of a run
  std::string_view meaning;     ///< one sentence
  std::string_view words = {};  ///< names of the values from 0 on, separated by '|'; may be empty
};
/// The attributes of a target. Fails only for an unknown target.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<AttributeInfo>> attributes(std::string_view target);

/// One field of a register value, in words.
struct DecodedField {
  std::string name;         ///< CNT_MASK
  std::string bits;         ///< "31:24"; IBM numbering where the manual uses it
  std::uint64_t value = 0;  ///< shifted down to bit 0
  std::string meaning;      ///< "count cycles with at least 2 occurrences"
};
/// A register with the meaning of its bits.
struct DecodedRegister {
  RegisterValue reg;                 ///< with the given value
  std::vector<DecodedField> fields;  ///< all bits, reserved ones included, from the most significant on
};

/// The registers of a target, with value 0.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<RegisterValue>> registers(std::string_view target);
/// Decodes `value` into the fields of the named register (the manual's name, any case).
[[nodiscard]] PMUSIM_ENCODER_API Result<DecodedRegister> decode(std::string_view target, std::string_view name,
                                                                std::uint64_t value);
/// The event that a set of register values selects on one counter. A code without an event gives the raw form. `notes`
/// describes fields that an event string cannot express.
struct Selection {
  unsigned counter_index = 0;      ///< from 0
  std::string counter;             ///< name of the counter register
  std::string canonical;           ///< an event string that gives the same selection
  bool known = true;               ///< false: the code belongs to no event
  std::vector<std::string> notes;  ///< settings that an event string cannot express
};
/// The selections of a full set of register values: one entry per enabled counter. Fails for an unknown target, and for
/// registers that the target does not have.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<Selection>> selections(std::string_view target,
                                                                           std::span<const RegisterValue> values);

/// The start value of a counter with which it overflows after `period` events. An error names the limits.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::uint64_t> preset(std::string_view target, unsigned counter_index,
                                                              std::uint64_t period);

}  // namespace pmusim::encoder
