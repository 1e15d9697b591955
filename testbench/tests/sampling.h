// Under a sanitizer everything takes an order of magnitude longer: long suites then try one in so many.
#pragma once

#include <cstddef>

namespace pmusim {

#if defined(PMUSIM_SANITIZED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t sampling = 10;
#else
inline constexpr std::size_t sampling = 1;
#endif
inline constexpr bool sanitized = sampling != 1;

}  // namespace pmusim
