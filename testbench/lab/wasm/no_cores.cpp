// Stand-ins for the cores, which the list of targets names. The laboratory only replays recorded activity: here cores
// have no parameters and cannot be created.
#include <stdexcept>

#include "models/core/alpha/alpha.h"
#include "models/core/athlon/athlon.h"
#include "models/core/itanium2/itanium2.h"
#include "models/core/montecito/montecito.h"
#include "models/core/ppc750/ppc750.h"

namespace pmusim::core {
namespace {

[[noreturn]] void refuse() { throw std::logic_error("the laboratory replays recorded activity; it has no cores"); }

using Reader = std::unique_ptr<trace::Reader>;

}  // namespace

models::Parameters alpha_ev4_parameters() { return {}; }
models::Parameters alpha_ev5_parameters() { return {}; }
models::Parameters alpha_pca56_parameters() { return {}; }
models::Parameters alpha_ev6_parameters() { return {}; }
models::Parameters alpha_ev67_parameters() { return {}; }
models::Parameters athlon_parameters() { return {}; }
models::Parameters itanium2_parameters() { return {}; }
models::Parameters montecito_parameters() { return {}; }
models::Parameters ppc750_parameters() { return {}; }

std::unique_ptr<Core> make_alpha_ev4(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_alpha_ev5(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_alpha_pca56(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_alpha_ev6(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_alpha_ev67(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_athlon(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_itanium2(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_montecito_single(Reader, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_montecito(std::vector<Reader>, const models::Parameters&) { refuse(); }
std::unique_ptr<Core> make_ppc750(Reader, const models::Parameters&) { refuse(); }

}  // namespace pmusim::core
