// Defects that encoders have had, to ask whether the validation would catch them (docs/defects.md). Only sources that
// are compiled with PMUSIM_FAULTS have them, for the program testbench/seeded_defects; in all others injected() is
// false at compile time.
#pragma once

#include <cstdint>

namespace pmusim::encoder {

enum class Fault : std::uint8_t {
  none,
  unknown_event_counts_zero,  ///< INSTRUCTIONS_COMPLETED is not in the table and selects nothing, without a word
  retired_code_zero,          ///< Athlon: the code of RETIRED_INSTRUCTIONS is 0
  set_constraints_ignored,    ///< Itanium 2: cache events of different sets share the counters
  threshold_off_by_one,       ///< Athlon: CNT_MASK is one more than asked
  wrong_default_unit_mask,    ///< an event without a unit mask gets another than the table says
  fine_range_with_hole,       ///< IA-64: fine bounds are rounded to pairs of bundles inside the range
};

#ifdef PMUSIM_FAULTS
inline namespace with_faults {
extern Fault injected_fault;  ///< set by the program before anything is encoded
[[nodiscard]] inline bool injected(Fault fault) { return injected_fault == fault; }
}  // namespace with_faults
#else
[[nodiscard]] constexpr bool injected(Fault) { return false; }
#endif

}  // namespace pmusim::encoder
