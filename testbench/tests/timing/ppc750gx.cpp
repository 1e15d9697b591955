// What measures the figures of the PowerPC 750GX.
#include "bench.h"
#include "measures.h"

namespace pmusim::timing {

Measures ppc750gx() { return {}; }

}  // namespace pmusim::timing
