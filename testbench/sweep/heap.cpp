#include "testbench/sweep/heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

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

std::uintptr_t address(const void* block) { return reinterpret_cast<std::uintptr_t>(block); }
std::uintptr_t next_large_page(std::uintptr_t place) { return (place + large_page - 1) / large_page * large_page; }

/// Lets the kernel know how the large pages from `first` to `last` are used; one that cannot do so refuses.
void advise(std::uintptr_t first, std::uintptr_t last, int advice) {
  if (first < last) (void)madvise(reinterpret_cast<void*>(first), last - first, advice);
}

/// Where the unused end of the heap begins; 0 if it has become short.
std::uintptr_t end_of_blocks() {
  void* const block = std::malloc(reserved / 2);
  const volatile std::uintptr_t end = address(block);  // read before free(): GCC warns of a later use
  std::free(block);
  return end;
}

/// Allocates each free block below `end`, of a size or more.
void use_up(std::size_t size, std::uintptr_t end) {
  void* block = std::malloc(size);
  for (; block != nullptr && address(block) < end; block = std::malloc(size)) continue;
  std::free(block);
}

}  // namespace

void prepare_heap() {
  // Large blocks come from the heap, too. A sanitizer's heap refuses this.
  if (mallopt(M_MMAP_MAX, 0) == 0) return;
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  void* const block = std::malloc(reserved);
  if (block == nullptr) return;
  advise(next_large_page(address(block)), (address(block) + reserved) / large_page * large_page, MADV_HUGEPAGE);
  std::free(block);  // it stays with the process, as the end of the heap
  is_prepared = true;
}

UntouchedHeap::UntouchedHeap() {
  const std::uintptr_t end = is_prepared ? end_of_blocks() : 0;
  if (end == 0) return;
  (void)malloc_trim(reserved);  // the pages of free blocks, without the end
  constexpr std::size_t largest = std::size_t{1} << 20, small = 1032, step = 16;
  for (std::size_t size = largest; size > small; size /= 2) use_up(size, end);
  // Each smaller size has a list of its own.
  for (std::size_t size = small; size >= step; size -= step) use_up(size, end);
  constexpr std::size_t header = 64;  // of what remains; it must lie before the next page
  const std::uintptr_t rest = end_of_blocks(), untouched = next_large_page(rest + large_page / 2);
  if (rest == 0) return;
  rest_ = std::malloc(untouched - rest - header);
  const std::uintptr_t last = address(sbrk(0)), unused = last - mallinfo2().keepcost;
  if (rest < unused && unused <= untouched) advise(untouched, last / large_page * large_page, MADV_DONTNEED);
}

UntouchedHeap::~UntouchedHeap() { std::free(rest_); }

}  // namespace pmusim::testbench
