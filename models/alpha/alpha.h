// The performance counters of the Alpha 21064 (EV4), 21164 (EV5, EV56), 21164PC (PCA56), 21264 (EV6) and 21264A (EV67).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// A chip with performance counters of its own. The 21164A counts as the 21164, and has its name.
enum class AlphaChip : std::uint8_t { ev4, ev5, pca56, ev6, ev67 };
/// The chip that a monitor models; empty if it does not model an Alpha.
[[nodiscard]] std::optional<AlphaChip> alpha_chip(const Monitor& monitor);

/// Parameters of the behaviours that no document specifies. Names begin with `pmu.`; docs/generated lists them.
[[nodiscard]] models::Parameters alpha_ev4_pmu_parameters();
/// The same for the 21164 and 21164A.
[[nodiscard]] models::Parameters alpha_ev5_pmu_parameters();
/// The same for the 21164PC.
[[nodiscard]] models::Parameters alpha_pca56_pmu_parameters();
/// The same for the 21264.
[[nodiscard]] models::Parameters alpha_ev6_pmu_parameters();
/// The same for the 21264A.
[[nodiscard]] models::Parameters alpha_ev67_pmu_parameters();

/// Creates a monitor in its reset state. `parameters` must contain all parameters that the function above returns for
/// the same chip, and may contain others. The registers are those of PALcode: an access at a privilege level other than
/// 0 causes the illegal instruction fault (OPCDEC). Waveforms show the counters of the 21064 in halves of an event.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev4_monitor(const models::Parameters& parameters);
/// The same for the 21164 and 21164A.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev5_monitor(const models::Parameters& parameters);
/// The same for the 21164PC.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_pca56_monitor(const models::Parameters& parameters);
/// The same for the 21264.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev6_monitor(const models::Parameters& parameters);
/// The same for the 21264A.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev67_monitor(const models::Parameters& parameters);

/// R18 at entInt: the counter whose interrupt was the last to be taken and acknowledged by PALcode; empty if there was
/// none. Throws std::bad_cast for a monitor of another model.
[[nodiscard]] std::optional<unsigned> alpha_interrupted_counter(const Monitor& monitor);

/// The total count of a counter, beyond the width of its register.
struct AlphaTotals {
  std::uint64_t whole = 0;    ///< the value without wrapping; in halves of an event for the 21064
  std::uint64_t modulus = 0;  ///< a power of two: the counter wraps at this value
  std::uint64_t carries = 0;  ///< complete periods since reset, whether or not they caused interrupts
  std::uint64_t start = 0;    ///< the value that was written last
};
/// The totals of a counter. Throws std::bad_cast for a monitor of another model.
[[nodiscard]] AlphaTotals alpha_totals(const Monitor& monitor, unsigned counter);

}  // namespace pmusim::pmu
