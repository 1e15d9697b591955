// The targets of the encoder. A family consists of a folder with a back end and a line in this file.
#include <vector>

#include "alpha/backend.h"
#include "athlon/backend.h"
#include "engine.h"
#include "ia64/backend.h"
#include "ppc750gx/backend.h"
#include "text.h"

namespace pmusim::encoder {

namespace {

/// The back end that `make` creates. It is created on first use, so that no unused tables are built.
template <auto make>
const Backend& the() {
  static const auto target = make();
  return *target;
}
std::unique_ptr<const Backend> make_ppc750(std::string_view name, std::string_view description) {
  return ppc750gx::make_backend({name, description, 257, 4, 32});
}

struct KnownTarget {
  std::string_view name;
  const Backend& (*get)();
};
/// Constructed at the first call: a program may add a target before its main().
std::vector<KnownTarget>& known_targets() {
  static std::vector<KnownTarget> all = {
      {"athlon", the<[] { return athlon::make_backend(); }>},
      {"ppc750gx", the<[] { return make_ppc750("ppc750gx", "IBM PowerPC 750GX performance monitor"); }>},
      {"ppc750gl", the<[] { return make_ppc750("ppc750gl", "IBM PowerPC 750GL: the 750GX's monitor"); }>},
      {"itanium2", the<itanium2::make_backend>},
      {"montecito", the<montecito::make_backend>},
      {"alpha-ev4", the<[] { return alpha::make_ev4(); }>},
      {"alpha-ev5", the<[] { return alpha::make_ev5(); }>},
      {"alpha-pca56", the<[] { return alpha::make_pca56(); }>},
      {"alpha-ev6", the<[] { return alpha::make_ev6(); }>},
      {"alpha-ev67", the<[] { return alpha::make_ev67(); }>},
  };
  return all;
}

}  // namespace

void add_backend(std::string_view name, const Backend& (*get)()) { known_targets().push_back({name, get}); }

std::span<const Backend* const> backends() {
  static const auto all = [] {
    std::vector<const Backend*> made;
    for (const KnownTarget& target : known_targets()) made.push_back(&target.get());
    return made;
  }();
  return all;
}

const Backend* find_backend(std::string_view name) {
  for (const KnownTarget& target : known_targets())
    if (same_word(target.name, name)) return &target.get();
  return nullptr;
}

}  // namespace pmusim::encoder
