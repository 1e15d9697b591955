// The settings of MMCR0 that hold for the whole run, gathered from all its events.
#pragma once

#include <span>

#include "encoder/src/backend.h"
#include "encoder/src/levels.h"
#include "table.h"

namespace pmusim::encoder::ppc750gx {

/// One event of the run in its place.
struct Placed {
  const Request* request;
  unsigned counter;
  std::uint32_t select;
  Uses uses;
};

/// MMCR0 without its selectors. A setting asked differently by two events is an error that names the field.
/// `group` holds settings under the names of MMCR0's fields (the C API's model block); where it names one,
/// events without that setting follow it.
[[nodiscard]] Result<std::uint64_t> control_bits(std::span<const Placed> events, const GroupSettings& group,
                                                 bool sampling);

}  // namespace pmusim::encoder::ppc750gx
