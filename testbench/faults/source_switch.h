// Which faults of sources are on, by number. Only copies of sources that source_faults.py makes look at it.
// PMUSIM_FAULT lists the numbers of faults to turn on; the file PMUSIM_FAULTS_REACHED gets those that were looked at.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace pmusim {
namespace source_faults {

inline constexpr std::size_t most = std::size_t{1} << 16;
inline unsigned char on[most], reached[most];
inline bool known = false;

inline void tell() {
  if (std::FILE* file = std::fopen(std::getenv("PMUSIM_FAULTS_REACHED"), "a")) {
    for (std::size_t i = 0; i < most; ++i) {
      if (reached[i] != 0) std::fprintf(file, "%zu\n", i);
    }
    std::fclose(file);
  }
}
[[gnu::constructor(101)]] inline void begin() {
  if (known) return;
  known = true;
  const char* text = std::getenv("PMUSIM_FAULT");
  while (text != nullptr && *text != 0) {
    char* end = nullptr;
    on[std::strtoul(text, &end, 10) % most] = 1;
    text = *end == ',' ? end + 1 : end;
  }
  if (std::getenv("PMUSIM_FAULTS_REACHED") != nullptr) std::atexit(tell);
}

}  // namespace source_faults

[[nodiscard]] inline constexpr bool fault_is_on(std::size_t number) {
  if (std::is_constant_evaluated()) return false;
  source_faults::reached[number] = 1;
  return source_faults::on[number] != 0;
}

}  // namespace pmusim
