// The performance counters of the Alpha 21064 (EV4), 21164 (EV5, EV56), 21164PC (PCA56), 21264 (EV6) and 21264A (EV67).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/common/parameters.h"
#include "models/pmu/monitor.h"

namespace pmusim::pmu {

/// The behaviours that no document settles, prefix `pmu.`; docs/generated lists them.
[[nodiscard]] models::Parameters alpha_ev4_pmu_parameters();
/// The same of the 21164 and 21164A.
[[nodiscard]] models::Parameters alpha_ev5_pmu_parameters();
/// The same of the 21164PC.
[[nodiscard]] models::Parameters alpha_pca56_pmu_parameters();
/// The same of the 21264.
[[nodiscard]] models::Parameters alpha_ev6_pmu_parameters();
/// The same of the 21264A.
[[nodiscard]] models::Parameters alpha_ev67_pmu_parameters();

/// A monitor after reset. `parameters` must have all of the function above of the same chip, and may have more.
/// Registers are those of PALcode: privilege level 0 reaches them, others take the illegal instruction fault (OPCDEC).
/// Values that a waveform shows of a 21064 counter are in halves.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev4_monitor(const models::Parameters& parameters);
/// The same of the 21164 and 21164A.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev5_monitor(const models::Parameters& parameters);
/// The same of the 21164PC.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_pca56_monitor(const models::Parameters& parameters);
/// The same of the 21264.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev6_monitor(const models::Parameters& parameters);
/// The same of the 21264A.
[[nodiscard]] std::unique_ptr<Monitor> make_alpha_ev67_monitor(const models::Parameters& parameters);

/// R18 at entInt: the counter whose interrupt was taken last and acknowledged by PALcode; empty when none was. Throws
/// std::bad_cast for a monitor of another model.
[[nodiscard]] std::optional<unsigned> alpha_interrupted_counter(const Monitor& monitor);

/// What a counter has counted, which its register is too narrow to hold.
struct AlphaTotals {
  std::uint64_t whole = 0;    ///< the value of a counter without end; of a 21064 halves
  std::uint64_t modulus = 0;  ///< a power of two: what the counter wraps at
  std::uint64_t carries = 0;  ///< periods that were full since reset, whether or not they became interrupts
};
/// Throws as above.
[[nodiscard]] AlphaTotals alpha_totals(const Monitor& monitor, unsigned counter);

}  // namespace pmusim::pmu
