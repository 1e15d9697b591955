// The settings of MMCR0 that apply to the whole run, collected from all its events.
#pragma once

#include <span>

#include "encoder/src/backend.h"
#include "encoder/src/levels.h"
#include "table.h"

namespace pmusim::encoder::ppc750gx {

/// One event of the run with its counter.
struct Placed {
  const Request* request;
  unsigned counter;
  std::uint32_t select;
  Uses uses;
};

/// The value of MMCR0 without its selectors. Two events with different values of a setting are an error that names the
/// field. `group` holds settings by the names of MMCR0's fields (from the C API's model block). They apply to events
/// that do not have the setting.
[[nodiscard]] Result<std::uint64_t> control_bits(std::span<const Placed> events, const GroupSettings& group,
                                                 bool sampling);

}  // namespace pmusim::encoder::ppc750gx
