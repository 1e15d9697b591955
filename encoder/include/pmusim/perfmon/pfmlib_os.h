/* Parts of the interface that depend on the operating system. The registers belong to a simulated PMU, so there is no
 * kernel session to start or stop: both calls fail with ENOSYS. */
#ifndef __PFMLIB_OS_H__
#define __PFMLIB_OS_H__

#include <errno.h>

/** Always -1 with errno ENOSYS. */
static inline int pfm_self_start(int fd) {
  (void)fd;
  errno = ENOSYS;
  return -1;
}

/** Always -1 with errno ENOSYS. */
static inline int pfm_self_stop(int fd) {
  (void)fd;
  errno = ENOSYS;
  return -1;
}

#endif /* __PFMLIB_OS_H__ */
