// The targets of the encoder. A family consists of a folder with a back end and a line in this file.
#include <vector>

#include "add_backend.h"
#include "alpha/backend.h"
#include "athlon/backend.h"
#include "engine.h"
#include "itanium2/backend.h"
#include "montecito/backend.h"
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
  return std::make_unique<ppc750gx::Ppc750Backend>(TargetInfo{name, description, 257, 4, 32});
}

struct Entry {
  std::string_view name;
  const Backend& (*get)();
};
/// Constructed at the first call: a program may add a target before its main().
std::vector<Entry>& entries() {
  static std::vector<Entry> all = {
      {"athlon", the<[] { return std::make_unique<const athlon::AthlonBackend>(); }>},
      {"ppc750gx", the<[] { return make_ppc750("ppc750gx", "IBM PowerPC 750GX performance monitor"); }>},
      {"ppc750gl", the<[] { return make_ppc750("ppc750gl", "IBM PowerPC 750GL: the 750GX's monitor"); }>},
      {"itanium2", the<[] { return std::make_unique<const itanium2::Itanium2Backend>(); }>},
      {"montecito", the<[] { return std::make_unique<const montecito::MontecitoBackend>(); }>},
      {"alpha-ev4", the<[] { return alpha::make_ev4(); }>},
      {"alpha-ev5", the<[] { return alpha::make_ev5(); }>},
      {"alpha-pca56", the<[] { return alpha::make_pca56(); }>},
      {"alpha-ev6", the<[] { return alpha::make_ev6(); }>},
      {"alpha-ev67", the<[] { return alpha::make_ev67(); }>},
  };
  return all;
}

}  // namespace

void add_backend(std::string_view name, const Backend& (*get)()) { entries().push_back({name, get}); }

std::span<const Backend* const> backends() {
  static const auto all = [] {
    std::vector<const Backend*> made;
    for (const Entry& entry : entries()) made.push_back(&entry.get());
    return made;
  }();
  return all;
}

const Backend* find_backend(std::string_view name) {
  for (const Entry& entry : entries())
    if (same_word(entry.name, name)) return &entry.get();
  return nullptr;
}

}  // namespace pmusim::encoder
