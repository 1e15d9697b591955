#pragma once

#include "../capi/model.h"

namespace pmusim::encoder::ppc750gx {

extern const capi::Model kCModel;

}  // namespace pmusim::encoder::ppc750gx
