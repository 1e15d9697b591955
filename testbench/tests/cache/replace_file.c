/* Preloaded into a command: gives the file REPLACE_NAME the content of the file REPLACE_BY, by renaming that, just
 * before the command or a child of it opens it for the REPLACE_AT-th time. The file REPLACE_COUNT gets a byte for each
 * time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void before_open(const char* path) {
  const char* const name = getenv("REPLACE_NAME");
  const char* const by = getenv("REPLACE_BY");
  const char* const at = getenv("REPLACE_AT");
  const char* const counts = getenv("REPLACE_COUNT");
  if (!name || !by || !at || !counts || strcmp(path, name) != 0) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, counts, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0 || write(file, "x", 1) != 1) return;
  const long count = (long)lseek(file, 0, SEEK_CUR);
  close(file);
  if (count == atol(at)) rename(by, name);
}

#define WITH_MODE(flags)                   \
  mode_t mode = 0;                         \
  if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list list;                          \
    va_start(list, flags);                 \
    mode = va_arg(list, mode_t);           \
    va_end(list);                          \
  }
#define OPEN(function)                                                                       \
  int function(const char* path, int flags, ...) {                                           \
    WITH_MODE(flags)                                                                         \
    before_open(path);                                                                       \
    return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #function))(path, flags, mode); \
  }
#define OPENAT(function)                                                                                  \
  int function(int folder, const char* path, int flags, ...) {                                            \
    WITH_MODE(flags)                                                                                      \
    before_open(path);                                                                                    \
    return ((int (*)(int, const char*, int, ...))dlsym(RTLD_NEXT, #function))(folder, path, flags, mode); \
  }
#define FOPEN(function)                                                                     \
  FILE* function(const char* path, const char* how) {                                       \
    before_open(path);                                                                      \
    return ((FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, #function))(path, how); \
  }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)
