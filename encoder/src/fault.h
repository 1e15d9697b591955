// Seeded defects: defects that encoders have had, built in to test that the validation notices them (docs/defects.md).
// They exist only in sources compiled with PMUSIM_FAULTS, for the program testbench/seeded_defects; in all others
// injected() is false at compile time.
#pragma once

#include <cstdint>

namespace pmusim::encoder {

enum class Fault : std::uint8_t {
  none,
  unknown_event_counts_zero,  ///< INSTRUCTIONS_COMPLETED is not in the table and selects nothing, without an error
  retired_code_zero,          ///< Athlon: the code of RETIRED_INSTRUCTIONS is 0
  set_constraints_ignored,    ///< Itanium 2: cache events of different sets share the counters
  threshold_off_by_one,       ///< Athlon: CNT_MASK is one more than requested
  wrong_default_unit_mask,    ///< an event without a unit mask does not get the default of the table
  fine_range_with_hole,       ///< IA-64: fine bounds are rounded to pairs of bundles inside the range
};

#ifdef PMUSIM_FAULTS
inline namespace with_faults {
extern Fault injected_fault;  ///< set by the program before the first encoding
[[nodiscard]] inline bool injected(Fault fault) { return injected_fault == fault; }
}  // namespace with_faults
#else
[[nodiscard]] constexpr bool injected(Fault) { return false; }
#endif

}  // namespace pmusim::encoder
