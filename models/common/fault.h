// Defects that real performance monitors have had. testbench/seeded_defects injects them to measure whether the
// validation detects them (docs/defects.md). Only sources compiled with PMUSIM_FAULTS contain them; elsewhere
// injected() is false at compile time.
#pragma once

#include <cstdint>

namespace pmusim::models {

enum class Fault : std::uint8_t {
  none,
  two_in_one_cycle,         ///< 750GX: several occurrences in a cycle add 1
  counted_again_on_replay,  ///< 21264: instructions that a replay trap discards count as retired
  lost_while_written,       ///< 750GX: no counter counts in the cycle in which software writes a register
  old_event_kept,           ///< 750GX: a reserved code leaves the selection as it was
  second_counter_zero,      ///< 21264: of two counters with the same input only the first counts
  no_sign_extension,        ///< IA-64: a value written to a counter is cut to 32 bits
  edge_ungated,             ///< Athlon: the edge detector does not see the privilege filter
};

#ifdef PMUSIM_FAULTS
inline namespace with_faults {
extern Fault injected_fault;  ///< set by the program before anything runs
[[nodiscard]] inline bool injected(Fault fault) { return injected_fault == fault; }
}  // namespace with_faults
#else
[[nodiscard]] constexpr bool injected(Fault) { return false; }
#endif

}  // namespace pmusim::models
