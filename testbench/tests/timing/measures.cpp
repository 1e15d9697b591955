#include "measures.h"

namespace pmusim::timing {

Measures measures_of(std::string_view target) {
  if (target == "athlon") return athlon();
  if (target == "ppc750gx") return ppc750gx();
  if (target == "alpha-ev4" || target == "alpha-ev5" || target == "alpha-pca56") return alpha_in_order(target);
  if (target == "alpha-ev6" || target == "alpha-ev67") return alpha_out_of_order(target);
  if (target == "itanium2" || target == "montecito") return ia64(target);
  return {};
}

}  // namespace pmusim::timing
