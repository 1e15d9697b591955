#pragma once

#include "encoder/src/capi/model.h"

namespace pmusim::encoder::athlon {

extern const capi::Model kCModel;

}  // namespace pmusim::encoder::athlon
