// The implementation of a program's calls: those on /dev/pfcntr go to the modelled device, all others to the system.
#pragma once

#include <sys/types.h>

#include <cstdarg>
#include <cstddef>

namespace pmusim::testbench::pfm {

/// The system's calls, independent of how they are found.
struct SystemCalls {
  int (*open)(const char* path, int flags, ...);
  int (*close)(int descriptor);
  int (*ioctl)(int descriptor, unsigned long request, ...);
  ssize_t (*read)(int descriptor, void* buffer, std::size_t size);
};

int open_file(const char* path, int flags, mode_t mode, const SystemCalls& system);
int close_file(int descriptor, const SystemCalls& system);
int control_file(int descriptor, unsigned long request, void* argument, const SystemCalls& system);
/// The system has made `to` (a descriptor, or negative) a duplicate of `from`. Returns `to`.
int duplicated(int from, int to);
ssize_t read_file(int descriptor, void* buffer, std::size_t size, const SystemCalls& system);
/// The mode argument of open(), which exists only if the flags may create a file.
[[nodiscard]] mode_t mode_of(int flags, va_list list);

}  // namespace pmusim::testbench::pfm
