// The PMUs of the C API, one line for each.
#include <array>

#include "c_models.h"
#include "model.h"

namespace pmusim::encoder::capi {

std::span<const Model* const> models() {
  static constexpr std::array<const Model*, 9> all{&athlon::kCModel,     &ppc750gx::kCModel, &itanium2::kCModel,
                                                   &montecito::kCModel,  &alpha::kCModelEv4, &alpha::kCModelEv5,
                                                   &alpha::kCModelPca56, &alpha::kCModelEv6, &alpha::kCModelEv67};
  return all;
}

}  // namespace pmusim::encoder::capi
