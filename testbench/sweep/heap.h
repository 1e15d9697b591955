// The heap of a process that forks: what parent and child write costs an exception for each page that they share.
#pragma once

namespace pmusim::testbench {

/// Makes the heap faster for work that allocates and frees hundreds of megabytes: freed memory stays with the process,
/// and the kernel may map it in pages of 2 MB. Such exceptions were up to a third of the time of a validation. Does
/// nothing where the memory cannot be reserved. Call it once, before the work begins.
void prepare_heap();

/// If the heap was prepared: from its beginning to its end, what this process allocates comes from pages that no
/// process has touched. Lives while a child is forked, so that the child shares none of the pages that it allocates: it
/// would copy each of them, 4 KB at a time, while untouched memory comes in pages of 2 MB. Free blocks among the
/// allocated ones stay out of use.
class UntouchedHeap {
 public:
  UntouchedHeap();
  ~UntouchedHeap();
  UntouchedHeap(const UntouchedHeap&) = delete;
  UntouchedHeap& operator=(const UntouchedHeap&) = delete;

 private:
  void* rest_ = nullptr;  ///< of the last page that was touched
};

}  // namespace pmusim::testbench
