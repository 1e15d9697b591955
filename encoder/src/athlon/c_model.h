#pragma once

#include "../capi/model.h"

namespace pmusim::encoder::athlon {

extern const capi::Model kCModel;

}  // namespace pmusim::encoder::athlon
