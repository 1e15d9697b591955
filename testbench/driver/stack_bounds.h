// SystemC tells AddressSanitizer when it changes to a process's stack, but not the bounds of the stack that it
// comes back to; an exception thrown afterwards would be reported as an overflow.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <cstddef>
#endif

namespace pmusim::testbench {

/// To be called after sc_start(), on the stack of the main program. Nothing without AddressSanitizer.
inline void restore_stack_bounds() {
#if defined(__SANITIZE_ADDRESS__)
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* bottom = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &bottom, &size);
  pthread_attr_destroy(&attributes);
  __sanitizer_start_switch_fiber(nullptr, bottom, size);
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

}  // namespace pmusim::testbench
