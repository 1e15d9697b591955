#pragma once

#include "encoder/src/capi/model.h"

namespace pmusim::encoder::ppc750gx {

extern const capi::Model kCModel;

}  // namespace pmusim::encoder::ppc750gx
