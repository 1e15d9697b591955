#pragma once

#include "encoder/src/capi/model.h"

namespace pmusim::encoder::itanium2 {

extern const capi::Model kCModel;

}  // namespace pmusim::encoder::itanium2
