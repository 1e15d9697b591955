// The PMUs that the C API knows: a line each.
#include <array>

#include "../athlon/c_model.h"
#include "../ppc750gx/c_model.h"
#include "model.h"

namespace pmusim::encoder::capi {

std::span<const Model* const> models() {
  static constexpr std::array<const Model*, 2> all{&athlon::kCModel, &ppc750gx::kCModel};
  return all;
}

}  // namespace pmusim::encoder::capi
