// PALcode samples the counters of an Alpha (driver/alpha_sampling.h).
#include "testbench/driver/session_facts.h"

namespace pmusim::testbench::targets {

namespace alpha_ev4 {
extern const SessionFacts sessions{};
}
namespace alpha_ev5 {
extern const SessionFacts sessions{};
}
namespace alpha_pca56 {
extern const SessionFacts sessions{};
}
namespace alpha_ev6 {
extern const SessionFacts sessions{};
}
namespace alpha_ev67 {
extern const SessionFacts sessions{};
}

}  // namespace pmusim::testbench::targets
