// What measures the figures of Itanium 2 and Montecito.
#include "bench.h"
#include "measures.h"

namespace pmusim::timing {

Measures ia64(std::string_view) { return {}; }

}  // namespace pmusim::timing
