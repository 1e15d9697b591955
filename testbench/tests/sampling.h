// Under a sanitizer everything takes an order of magnitude longer: long suites then try one in so many.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pmusim {

#if defined(PMUSIM_SANITIZED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t sampling = 10;
#else
inline constexpr std::size_t sampling = 1;
#endif
inline constexpr bool sanitized = sampling != 1;
/// Programs of more instructions are left out.
inline constexpr std::uint64_t longest_program = sanitized ? 70'000 : ~std::uint64_t{0};

}  // namespace pmusim
