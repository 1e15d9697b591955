// The PMUs of the C API, each defined beside its encoder (c_model.cpp).
#pragma once

#include "encoder/src/capi/model.h"

namespace pmusim::encoder {
namespace alpha {
extern const capi::Model kCModelEv4, kCModelEv5, kCModelPca56, kCModelEv6, kCModelEv67;
}
namespace athlon {
extern const capi::Model kCModel;
}
namespace itanium2 {
extern const capi::Model kCModel;
}
namespace montecito {
extern const capi::Model kCModel;
}
namespace ppc750gx {
extern const capi::Model kCModel;
}
}  // namespace pmusim::encoder
