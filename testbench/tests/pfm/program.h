/* The system calls of program.c, and the results of its run. On Tru64 UNIX the calls are those of <unistd.h> and
 * <stropts.h>. */
#ifndef TESTBENCH_TESTS_PFM_PROGRAM_H
#define TESTBENCH_TESTS_PFM_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif

int pfm_open(const char* path, int flags);
int pfm_close(int descriptor);
int pfm_ioctl(int descriptor, unsigned int request, void* argument);
long pfm_read(int descriptor, void* buffer, unsigned long size);
/* The work to be measured. */
void pfm_work(void);

struct program_result {
  unsigned long ticks[3];
  unsigned long user_ticks; /* of the histogram of levels */
  unsigned int samples[4];  /* of 16 instructions each */
  long sample_bytes;
};
/* Returns 0, or the number of the call that failed. */
int program_run(unsigned long start, struct program_result* result);

#ifdef __cplusplus
}
#endif
#endif
