#pragma once

#include "encoder/src/capi/model.h"

namespace pmusim::encoder::montecito {

extern const capi::Model kCModel;

}  // namespace pmusim::encoder::montecito
