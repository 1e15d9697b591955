// What measures the figures of the in-order Alphas: 21064, 21164, 21164PC.
#include "bench.h"
#include "measures.h"

namespace pmusim::timing {

Measures alpha_in_order(std::string_view) { return {}; }

}  // namespace pmusim::timing
