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
  unknown_target,         ///< no such target
  unknown_event,          ///< no such event on the target
  unknown_unit_mask,      ///< no such unit mask of the event
  missing_unit_mask,      ///< the event counts nothing without one
  unit_mask_combination,  ///< unit masks that the event does not take together
  unknown_attribute,      ///< no such attribute of the target
  bad_attribute_value,    ///< a value outside of the attribute's limits
  attribute_conflict,     ///< attributes that exclude each other, or that the event cannot have
  register_conflict,      ///< two events want different values in one register that they share
  too_many_events,        ///< more events than counters
  no_assignment,          ///< each event fits some counter, and no assignment fits all
  reserved_event,         ///< the manual reserves the code
  unknown_register,       ///< no such register of the target
  bad_value,              ///< a value that the register or counter cannot hold
  syntax,                 ///< the text is no event string
  // What only the IA-64 targets can refuse.
  feature_conflict,      ///< a filter that an event ignores, or parts of the PMU that cannot be used together
  event_set_conflict,    ///< events of two sets that share wires
  event_conflict,        ///< events that exclude each other
  bad_code_range,        ///< empty, or with the end in front of the start (of data, too), or on no event's channel
  unaligned_code_range,  ///< not on bundle boundaries (16 bytes)
  too_many_code_ranges,  ///< more than the breakpoint pairs can hold
  code_range_too_big,    ///< more than the breakpoint pairs that are left can cover
  bad_data_range,        ///< none is given
  too_many_data_ranges,  ///< more than the breakpoint pairs can hold
  missing_range_flags,   ///< montecito: whether demand fetches or prefetches follow the range is not said
  not_supported,         ///< what the hardware has and this interface has not
  bad_qualifier          ///< a filter's text or value is not legal
};

/// One sentence that names the event, the limit and the nearest valid choice.
struct Error {
  ErrorCode code;       ///< for programs: which rule was broken
  std::string message;  ///< for people, without a final line end
};

/// A value or an Error.
template <class T>
class Result {
 public:
  /// Of success. Implicit, so that a function returns the value itself.
  Result(T value) : content_(std::move(value)) {}
  /// Of failure.
  Result(Error error) : content_(std::move(error)) {}
  /// True: there is a value, and no error.
  explicit operator bool() const { return content_.index() == 0; }
  /// The value. Throws std::bad_variant_access when there is none.
  [[nodiscard]] const T& value() const& { return std::get<0>(content_); }
  /// The same, to be changed.
  [[nodiscard]] T& value() & { return std::get<0>(content_); }
  [[nodiscard]] T value() && { return std::get<0>(std::move(content_)); }  ///< by value: outlives the Result
  /// The error. Throws std::bad_variant_access when there is a value.
  [[nodiscard]] const Error& error() const { return std::get<1>(content_); }
  /// A member of the value; throws as value() does.
  const T* operator->() const { return &value(); }
  /// The value; throws as value() does.
  const T& operator*() const& { return value(); }
  /// By value, as value() of a temporary.
  T operator*() && { return std::move(*this).value(); }

 private:
  std::variant<T, Error> content_;
};

/// What a target is to the encoder.
struct TargetInfo {
  std::string_view name;         ///< athlon, ppc750gx, ...
  std::string_view description;  ///< the processor in words
  int pmu_type;                  ///< number in the C API
  unsigned counters;             ///< counters of the PMU
  unsigned counter_width;        ///< bits
};
/// All targets, in the order in which the commands list them. The list lives as long as the program.
[[nodiscard]] PMUSIM_ENCODER_API std::span<const TargetInfo> targets();

/// A register to program. Its bus address is (space number << 32) | number.
struct RegisterValue {
  std::string space;         ///< msr, spr, pmc, ipr, ...
  std::uint32_t number = 0;  ///< within its space: MSR, SPR, PMC number, PALcode function
  std::string name;          ///< the manual's name
  unsigned width = 0;        ///< bits of the register
  std::uint64_t value = 0;   ///< to be written; 0 in lists of registers
  friend bool operator==(const RegisterValue&, const RegisterValue&) = default;
};

/// An event of the request and the counter that it got.
struct EncodedEvent {
  std::string canonical;       ///< fully spelled: athlon::DATA_CACHE_REFILLS:L2_SHARED:k=1:u=1:e=0:i=0:c=0
  std::string counter;         ///< name of the counter register: PerfCtr0, PMC3
  unsigned counter_index = 0;  ///< from 0, as the manual numbers the counters apart from an offset
};

/// What the registers cover of memory for a range that was asked for: possibly more in front and after.
struct CoveredRange {
  std::uint64_t start = 0;  ///< first address covered
  std::uint64_t end = 0;    ///< first address after
  friend bool operator==(const CoveredRange&, const CoveredRange&) = default;
};

/// Registers to write, in this order: `off` (stops every counter), then the counters' start values (see
/// preset()), then `registers`, which has the final value of each control register once: selectors before
/// the register that starts the counting. Selectors of unused counters are written 0, so that nothing stale
/// counts or interrupts.
struct Encoding {
  std::vector<RegisterValue> registers;  ///< control registers, final values, in the order of writing
  std::vector<EncodedEvent> events;      ///< in the order of the request
  std::vector<RegisterValue> off;        ///< control registers with all counters stopped, in the order of writing
  /// Alpha: `off` and `registers` are calls of PALcode (space "wrperfmon": function and argument of WRPERFMON); this is
  /// what the processor registers then hold, counters aside.
  std::vector<RegisterValue> images;
  std::vector<std::string> warnings;          ///< legal, but surely not meant: a filter that lets nothing pass
  std::vector<CoveredRange> code;             ///< one for each code range asked for
  std::vector<CoveredRange> data;             ///< one for each data range asked for
  std::vector<std::string> sample_registers;  ///< registers that hold what EARs and branch buffer took in
};

/// What holds for a whole group of events.
struct EncodeOptions {
  bool sampling = false;                            ///< set the overflow interrupt enables of every counter used
  std::vector<unsigned> unavailable_counters = {};  ///< indexes of counters that may not be used
  Qualifiers qualifiers = {};                       ///< IA-64 targets
  std::string_view quirks = {};                     ///< IA-64 targets: the words of PFMLIB_QUIRKS
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

/// A unit mask of an event.
struct UnitMaskInfo {
  std::string name;         ///< as in event strings
  std::uint32_t code = 0;   ///< bits of the unit mask; for the line states of montecito the place of the bit
  std::string description;  ///< the manual's sentence or shorter
  bool is_default = false;  ///< taken when the event string names none
};

/// What is known of an event of a target.
struct EventInfo {
  std::string name;        ///< as in event strings
  std::uint32_t code = 0;  ///< on targets with a code per counter: that of counters[0]
  std::vector<std::pair<unsigned, std::uint32_t>> counter_codes;  ///< counter index and code there
  std::string description;                                        ///< the manual's sentence or shorter
  std::string source;                                             ///< document and place
  bool confirmed = true;                 ///< false: the source is no document of the vendor, or leaves the meaning open
  unsigned max_per_cycle = 1;            ///< most occurrences in one cycle; 0 for reserved codes
  std::uint32_t fixed_mask = 0;          ///< unit mask that belongs to the event
  bool mask_is_fixed = false;            ///< it has one, be it 0
  std::string same_as;                   ///< an earlier event with the same selector; selections() gives that name
  std::vector<std::string> filters;      ///< filters of the whole run that the event honours
  std::string thread_type;               ///< montecito: active, floating, causal or self-floating
  std::string event_set;                 ///< set of events that share wires ("L1 set 2"); empty: none
  std::vector<UnitMaskInfo> unit_masks;  ///< empty: it takes none
  std::vector<std::string> attributes;   ///< names legal for this event
};

/// Events of a target, in the order of its table. Fails for an unknown target only.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<EventInfo>> events(std::string_view target);
/// Codes that the manual reserves: encode() refuses their names (ErrorCode::reserved_event); the raw form of
/// an event string still programs them.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<EventInfo>> reserved_events(std::string_view target);

/// An attribute of event strings, with its limits.
struct AttributeInfo {
  std::string_view name;        ///< as in event strings: c, e, thres
  std::uint64_t minimum = 0;    ///< smallest legal value
  std::uint64_t maximum = 1;    ///< largest legal value
  bool flag = false;            ///< may stand alone, meaning =1
  bool register_wide = false;   ///< one setting for all events of a run
  std::string_view meaning;     ///< one sentence
  std::string_view words = {};  ///< names of the values from 0 on, with '|' between; may be empty
};
/// Attributes of a target. Fails for an unknown target only.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<AttributeInfo>> attributes(std::string_view target);

/// One field of a register value, in words.
struct DecodedField {
  std::string name;         ///< CNT_MASK
  std::string bits;         ///< "31:24", IBM numbering where the manual uses it
  std::uint64_t value = 0;  ///< the bits alone, shifted down
  std::string meaning;      ///< "count cycles with at least 2 occurrences"
};
/// A register and what its bits mean.
struct DecodedRegister {
  RegisterValue reg;                 ///< with the value that was given
  std::vector<DecodedField> fields;  ///< all bits, reserved ones included, from the most significant on
};

/// Registers of a target, with value 0.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<RegisterValue>> registers(std::string_view target);
/// Fields of the named register (the manual's name, any case) holding `value`.
[[nodiscard]] PMUSIM_ENCODER_API Result<DecodedRegister> decode(std::string_view target, std::string_view name,
                                                                std::uint64_t value);
/// What a full set of register values counts: one entry per enabled counter, canonical event names; a code
/// that no table names gives its raw form. Fields that no event string can say are named in `notes`.
struct Selection {
  unsigned counter_index = 0;      ///< from 0
  std::string counter;             ///< name of the counter register
  std::string canonical;           ///< an event string that gives the same selection
  bool known = true;               ///< false: no table names the code
  std::vector<std::string> notes;  ///< what the registers do beside and no event string can say
};
/// Fails for an unknown target, and for registers that the target has not.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::vector<Selection>> selections(std::string_view target,
                                                                           std::span<const RegisterValue> values);

/// Value to preset a counter with so that it overflows after `period` events; an error names the limits.
[[nodiscard]] PMUSIM_ENCODER_API Result<std::uint64_t> preset(std::string_view target, unsigned counter_index,
                                                              std::uint64_t period);

}  // namespace pmusim::encoder
