// A sanitizer makes tests about ten times slower: long suites then test only one case in `sampling`.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
// The sanitizers' own entry points, absent from a program without them. The object files are the same in both builds.
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
}

namespace pmusim {

inline const bool sanitized = __asan_init != nullptr || __tsan_init != nullptr;
inline const std::size_t sampling = sanitized ? 10 : 1;
/// Programs with more instructions are skipped.
inline const std::uint64_t longest_program = sanitized ? 70'000 : ~std::uint64_t{0};

}  // namespace pmusim
