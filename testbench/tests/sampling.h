// Under a sanitizer everything takes an order of magnitude longer: long suites then try one in a number of cases.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
// The sanitizers' own entries, absent from a program without them. The tests' objects are the same in both.
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
}

namespace pmusim {

inline const bool sanitized = __asan_init != nullptr || __tsan_init != nullptr;
inline const std::size_t sampling = sanitized ? 10 : 1;
/// Programs of more instructions are left out.
inline const std::uint64_t longest_program = sanitized ? 70'000 : ~std::uint64_t{0};

}  // namespace pmusim
