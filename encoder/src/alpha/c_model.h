#pragma once

#include "encoder/src/capi/model.h"

namespace pmusim::encoder::alpha {

extern const capi::Model kCModelEv4, kCModelEv5, kCModelPca56, kCModelEv6, kCModelEv67;

}  // namespace pmusim::encoder::alpha
