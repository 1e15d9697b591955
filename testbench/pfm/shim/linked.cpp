// For programs compiled with pfm_calls.h: the functions to which their open, ioctl, read and close are renamed.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "testbench/pfm/shim/calls.h"

namespace {

namespace pfm = pmusim::testbench::pfm;
constexpr pfm::SystemCalls system_calls{&open, &close, &ioctl, &read};

}  // namespace

extern "C" {

int pmusim_pfm_open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = pfm::mode_of(flags, list);
  va_end(list);
  return pfm::open_file(path, flags, mode, system_calls);
}

int pmusim_pfm_close(int descriptor) { return pfm::close_file(descriptor, system_calls); }

int pmusim_pfm_ioctl(int descriptor, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return pfm::control_file(descriptor, request, argument, system_calls);
}

ssize_t pmusim_pfm_read(int descriptor, void* buffer, std::size_t size) {
  return pfm::read_file(descriptor, buffer, size, system_calls);
}
}
