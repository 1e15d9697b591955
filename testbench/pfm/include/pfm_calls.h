/* Redirects a C program's open, ioctl, read and close of /dev/pfcntr to a modelled device; calls on other files go to
 * the system. A program written for Tru64 UNIX is compiled unchanged:
 *
 *     cc program.c $(pkg-config --cflags --libs pmusim-pfm) -o program
 *
 * which includes this header first and links libpmusim-pfm.a. docs/tru64-pfm.md describes the measured work. */
#ifndef PMUSIM_PFM_CALLS_H
#define PMUSIM_PFM_CALLS_H

#ifdef __cplusplus
#error "pfm_calls.h is for programs in C; a program in C++ is run with libpmusim-pfm-device.so before it (LD_PRELOAD)"
#endif

/* The system's declarations come first, under their own names. */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

int pmusim_pfm_open(const char* path, int flags, ...);
int pmusim_pfm_close(int descriptor);
int pmusim_pfm_ioctl(int descriptor, unsigned long request, ...);
ssize_t pmusim_pfm_read(int descriptor, void* buffer, size_t size);

#undef open
#undef close
#undef ioctl
#undef read
#define open pmusim_pfm_open
#define close pmusim_pfm_close
#define ioctl pmusim_pfm_ioctl
#define read pmusim_pfm_read

#endif
