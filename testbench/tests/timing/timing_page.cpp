// Writes docs/generated/timing.md to standard output.
#include <cstdio>
#include <exception>

#include "page.h"

int main() {
  try {
    std::fputs(pmusim::timing::page(pmusim::timing::measure_all()).c_str(), stdout);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "timing_page: %s\n", e.what());
    return 2;
  }
}
