// Preloaded into a program (LD_PRELOAD), this library replaces its open, ioctl, read, close and dup.
#include <dlfcn.h>

#include <cstdlib>

#include "testbench/pfm/shim/calls.h"

namespace {

namespace pfm = pmusim::testbench::pfm;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

const pfm::SystemCalls& system_calls() {
  static const pfm::SystemCalls calls{next<int(const char*, int, ...)>("open"), next<int(int)>("close"),
                                      next<int(int, unsigned long, ...)>("ioctl"),
                                      next<ssize_t(int, void*, std::size_t)>("read")};
  return calls;
}

/// The same with another variant of open.
int open_named(const char* name, const char* path, int flags, mode_t mode) {
  pfm::SystemCalls calls = system_calls();
  calls.open = next<int(const char*, int, ...)>(name);
  return pfm::open_file(path, flags, mode, calls);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = pfm::mode_of(flags, list);
  va_end(list);
  return pfm::open_file(path, flags, mode, system_calls());
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = pfm::mode_of(flags, list);
  va_end(list);
  return open_named("open64", path, flags, mode);
}

// Variants of open() that compilers use with argument checks.
int __open_2(const char* path, int flags) { return pfm::open_file(path, flags, 0, system_calls()); }
int __open64_2(const char* path, int flags) { return open_named("open64", path, flags, 0); }

int dup(int from) { return pfm::duplicated(from, next<int(int)>("dup")(from)); }
int dup2(int from, int to) { return pfm::duplicated(from, next<int(int, int)>("dup2")(from, to)); }
int dup3(int from, int to, int flags) {
  return pfm::duplicated(from, next<int(int, int, int)>("dup3")(from, to, flags));
}

int close(int descriptor) { return pfm::close_file(descriptor, system_calls()); }

int ioctl(int descriptor, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return pfm::control_file(descriptor, request, argument, system_calls());
}

ssize_t read(int descriptor, void* buffer, std::size_t size) {
  return pfm::read_file(descriptor, buffer, size, system_calls());
}

ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  if (size > room) std::abort();
  return read(descriptor, buffer, size);
}
}
