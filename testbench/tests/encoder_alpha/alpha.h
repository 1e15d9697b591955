// Helpers of the tests of the Alpha encoders.
#pragma once

#include "testbench/tests/encoder/expect.h"

namespace pmusim::encoder::test {

inline std::uint64_t image_of(const Encoding& encoding, std::string_view name) {
  for (const RegisterValue& reg : encoding.images)
    if (reg.name == name) return reg.value;
  ADD_FAILURE() << "no image " << name;
  return 0;
}

inline std::uint64_t select_of(const Encoding& encoding) { return value_of(encoding, "WRPERFMON_SELECT"); }

/// The full name of the only event of an encoding.
inline std::string canonical_of(std::string_view target, const std::string& event) {
  const Encoding encoding = encoded(target, {event});
  return encoding.events.size() == 1 ? encoding.events[0].canonical : "";
}

}  // namespace pmusim::encoder::test
