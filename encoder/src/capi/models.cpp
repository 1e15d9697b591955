// The PMUs of the C API, one line for each.
#include <array>

#include "encoder/src/alpha/c_model.h"
#include "encoder/src/athlon/c_model.h"
#include "encoder/src/itanium2/c_model.h"
#include "encoder/src/montecito/c_model.h"
#include "encoder/src/ppc750gx/c_model.h"
#include "model.h"

namespace pmusim::encoder::capi {

std::span<const Model* const> models() {
  static constexpr std::array<const Model*, 9> all{&athlon::kCModel,     &ppc750gx::kCModel, &itanium2::kCModel,
                                                   &montecito::kCModel,  &alpha::kCModelEv4, &alpha::kCModelEv5,
                                                   &alpha::kCModelPca56, &alpha::kCModelEv6, &alpha::kCModelEv67};
  return all;
}

}  // namespace pmusim::encoder::capi
