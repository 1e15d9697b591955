// An operator new that counts its calls. In a separate file: if it were inlined, it would not match the library's
// delete.
#include "testbench/tests/core_parts/counted_new.h"

#include <cstdlib>
#include <new>

namespace pmusim {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
  ++pmusim::allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
