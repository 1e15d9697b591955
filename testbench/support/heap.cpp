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
bool is_prepared = false;

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
  is_prepared = true;
}

void give_back_free_memory() {
  (void)malloc_trim(reserved);  // not the reserve at the end
  if (!is_prepared) return;
  // What is allocated from now on comes from the reserve, the part of the heap with the highest addresses.
  const auto address = [](void* block) { return reinterpret_cast<std::uintptr_t>(block); };
  void* const last = std::malloc(reserved / 2);
  const std::uintptr_t reserve = address(last);
  std::free(last);
  if (last == nullptr) return;
  constexpr std::size_t largest = std::size_t{1} << 20, smallest = 64;
  for (std::size_t size = largest; size >= smallest; size /= 2) {
    void* block = std::malloc(size);
    for (; block != nullptr && address(block) < reserve; block = std::malloc(size)) continue;
    std::free(block);
  }
}

}  // namespace pmusim::testbench
