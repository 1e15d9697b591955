// Values that files of earlier versions name and this program records in other fields.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace pmusim::activity_file {

/// A value of a field in the detail of a signal, as earlier versions named it.
struct EarlierValue {
  std::string_view signal;  ///< name of the signal
  std::string_view field;   ///< name of the field in the earlier version
  std::string_view value;   ///< name of the value in the earlier version
  std::uint16_t detail;     ///< the detail in this version
};

/// All such values of a signal, in no particular order. Empty for a signal whose fields have not changed.
[[nodiscard]] std::span<const EarlierValue> earlier_values(std::string_view signal);

}  // namespace pmusim::activity_file
