// The PMUs that the C API knows: a line each.
#include <array>

#include "../athlon/c_model.h"
#include "../itanium2/c_model.h"
#include "../ppc750gx/c_model.h"
#include "model.h"

namespace pmusim::encoder::capi {

std::span<const Model* const> models() {
  static constexpr std::array<const Model*, 3> all{&athlon::kCModel, &ppc750gx::kCModel, &itanium2::kCModel};
  return all;
}

}  // namespace pmusim::encoder::capi
