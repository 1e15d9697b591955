// The heap of commands that use much memory for short times.
#pragma once

namespace pmusim::testbench {

/// Makes the heap faster for work that allocates and frees hundreds of megabytes: freed memory stays with the process,
/// and the kernel may map it in pages of 2 MB. A page that is touched for the first time, in this process or in a
/// child, costs an exception, and such exceptions were up to a third of the time of a validation. Does nothing where
/// the memory cannot be reserved. Call it once, before the work begins.
void prepare_heap();

/// Gives the pages of free blocks back to the kernel, and takes these blocks out of use if the heap was prepared. Call
/// it before children start: a child that takes a free block of its parent copies the page or gets an empty one, 4 KB
/// at a time, while the end of the heap comes in pages of 2 MB.
void give_back_free_memory();

}  // namespace pmusim::testbench
