#include "testbench/support/heap.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace pmusim::testbench {
namespace {

/// Address space, not memory: only what is touched takes memory.
constexpr std::size_t reserved = std::size_t{1} << 30;
constexpr std::uintptr_t large_page = std::uintptr_t{1} << 21;

}  // namespace

void prepare_heap() {
  // Large blocks come from the heap, too. A sanitizer's heap refuses this.
  if (mallopt(M_MMAP_MAX, 0) == 0) return;
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  void* const block = std::malloc(reserved);
  if (block == nullptr) return;
  const auto first = (reinterpret_cast<std::uintptr_t>(block) + large_page - 1) / large_page * large_page;
  const auto last = (reinterpret_cast<std::uintptr_t>(block) + reserved) / large_page * large_page;
  (void)madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // a kernel without them refuses
  std::free(block);  // it stays with the process, as the end of the heap
}

void give_back_free_memory() { (void)malloc_trim(reserved); }  // not the reserve at the end

}  // namespace pmusim::testbench
