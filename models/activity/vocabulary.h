// The names of signals and states, and the fields of their details and values. A file of activity contains them, so
// that it can be read after numbers here have changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity/signals.h"

namespace pmusim::activity {

/// Adjacent bits of a number with one meaning.
struct Field {
  std::string name;        ///< its name in files and in `activity dump`
  std::uint64_t mask = 0;  ///< the bits, without gaps
  /// Names of the values 0, 1, 2, ...; if empty, the field is a number, or a flag if it has one bit.
  std::vector<std::string> values = {};
  friend bool operator==(const Field&, const Field&) = default;
};
/// The words of a text.
[[nodiscard]] std::vector<std::string> names_in(const char* text);
/// Fields of one number do not overlap. Without fields it is a plain number.
using Fields = std::vector<Field>;

/// A signal or a state by its name.
struct Name {
  std::string name;  ///< the identifier of signals.h
  Fields fields;     ///< of a signal's detail, or of a state's value
  friend bool operator==(const Name&, const Name&) = default;
};

/// Processor families whose cores report the same things in the same bits, one bit each.
enum class Family : unsigned { x86 = 1, ppc = 2, itanium = 4, digital = 8 };
/// The family of a target; an unknown target counts as an x86.
[[nodiscard]] Family family_of(std::string_view target);

/// Of the activity of one target: bits mean different things in different families. In the order of Signal and State.
[[nodiscard]] std::vector<Name> signal_names(std::string_view target);
/// The same of states, in the order of State.
[[nodiscard]] std::vector<Name> state_names(std::string_view target);

/// "data_side miss state=owned"; bits without a field are a hexadecimal number. Empty for 0 without a name.
[[nodiscard]] std::string words(const Fields& fields, std::uint64_t value);

}  // namespace pmusim::activity
