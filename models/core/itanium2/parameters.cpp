#include "models/core/ia64/core.h"
#include "models/core/ia64/settings.h"
#include "models/core/itanium2/itanium2.h"

namespace pmusim::core {

models::Parameters itanium2_parameters() { return models::parameters_of(ia64::common_rows()); }

std::unique_ptr<Core> make_itanium2(std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters) {
  require_isa(*trace, trace::Isa::ia64, "itanium2");
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(std::move(trace));
  return std::make_unique<ia64::Ia64Core>(std::move(traces), ia64::settings_of(ia64::common_rows(), parameters));
}

}  // namespace pmusim::core
