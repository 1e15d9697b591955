// The IBM 750GX/750GL encoder. Each of the four counters has its own events; MMCR0 and MMCR1 hold all selectors and the
// settings of the whole run.
#pragma once

#include <memory>
#include <span>

#include "encoder/src/backend.h"
#include "registers.h"

namespace pmusim::encoder::ppc750gx {

/// Tests pass tables with a changed row, which must outlive the back end.
[[nodiscard]] std::unique_ptr<const Backend> make_backend(const TargetInfo& info,
                                                          std::span<const CounterTable> tables = ppc750gx::tables());

}  // namespace pmusim::encoder::ppc750gx
