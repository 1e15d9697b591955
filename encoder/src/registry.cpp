// The targets that the encoder knows: a family is a folder with a back end, and a line here.
#include <array>

#include "alpha/backend.h"
#include "athlon/backend.h"
#include "engine.h"
#include "itanium2/backend.h"
#include "montecito/backend.h"
#include "ppc750gx/backend.h"
#include "text.h"

namespace pmusim::encoder {

std::span<const Backend* const> backends() {
  static const athlon::AthlonBackend athlon_k7;
  static const ppc750gx::Ppc750Backend ppc750gx({"ppc750gx", "IBM PowerPC 750GX performance monitor", 257, 4, 32});
  static const ppc750gx::Ppc750Backend ppc750gl({"ppc750gl", "IBM PowerPC 750GL: the 750GX's monitor", 257, 4, 32});
  static const itanium2::Itanium2Backend itanium2;
  static const montecito::MontecitoBackend montecito;
  static const std::unique_ptr<const Backend> ev4 = alpha::make_ev4(), ev5 = alpha::make_ev5(),
                                              pca56 = alpha::make_pca56(), ev6 = alpha::make_ev6(),
                                              ev67 = alpha::make_ev67();
  static const std::array<const Backend*, 10> all{&athlon_k7, &ppc750gx, &ppc750gl,   &itanium2, &montecito,
                                                  ev4.get(),  ev5.get(), pca56.get(), ev6.get(), ev67.get()};
  return all;
}

const Backend* find_backend(std::string_view name) {
  for (const Backend* backend : backends())
    if (same_word(backend->info().name, name)) return backend;
  return nullptr;
}

}  // namespace pmusim::encoder
