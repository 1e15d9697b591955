/* Profiles a program on a 21164: samples its PC every 65,536 cycles. For Tru64 UNIX.
 *   profile START END            addresses of the code, in hexadecimal */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/pfcntr.h>
#include <unistd.h>

static int fail(const char* call) {
  perror(call);
  return 1;
}

int main(int argc, char** argv) {
  long items = PFM_COUNTERS | PFM_PROFILING;
  long events = PF5_MUX0_CYCLES | PF5_MUX1_C_LOAD_INSTRUCTIONS | PF5_MUX2_C_BRANCH_MISPREDICTS;
  long periods = PF5_C0_INT_EVERY_65536 | PF5_C1_INT_EVERY_65536 | PF5_C2_INT_EVERY_16384;
  long bytes = 0;
  unsigned long i, sum = 0;
  addr_range_t range;
  pmctrs_ev5 which;
  struct pfcntrs_ev5 counts, *to_counts = &counts;
  unsigned int* samples;
  int fd;

  if (argc != 3) {
    fprintf(stderr, "usage: profile START END\n");
    return 2;
  }
  range.start = strtoul(argv[1], 0, 16);
  range.end = strtoul(argv[2], 0, 16);
  range.stride = 4;
  range.res0 = 0;
  fd = open("/dev/pfcntr", O_RDONLY | PCNTOPENALL);
  if (fd < 0) return fail("/dev/pfcntr");
  if (ioctl(fd, PCNTSETITEMS, &items) != 0) return fail("PCNTSETITEMS");
  if (ioctl(fd, PCNTSETURANGE, &range) != 0) return fail("PCNTSETURANGE");
  if (ioctl(fd, PCNT5MUX, &events) != 0) return fail("PCNT5MUX");
  if (ioctl(fd, PCNT5FREQ, &periods) != 0) return fail("PCNT5FREQ");
  if (ioctl(fd, PCNTCLEARCNT, 0) != 0) return fail("PCNTCLEARCNT");
  which.pmctrs_ev5_long = 0;
  which.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
  which.pmctrs_ev5_select = PF5_SEL_COUNTER_0;
  if (ioctl(fd, PCNT5RESTART, &which) != 0) return fail("PCNT5RESTART");
  /* The measured code runs here. */
  if (ioctl(fd, PCNTRDISABLE, 0) != 0) return fail("PCNTRDISABLE");
  if (ioctl(fd, PCNT5GETCNT, &to_counts) != 0) return fail("PCNT5GETCNT");
  if (ioctl(fd, PCNTGETRSIZE, &bytes) != 0) return fail("PCNTGETRSIZE");
  samples = malloc(bytes);
  if (samples == 0 || read(fd, samples, bytes) != bytes) return fail("read");
  for (i = 0; i < bytes / sizeof *samples; i++) {
    if (samples[i] == 0) continue;
    sum += samples[i];
    printf("%#lx %u\n", range.start + 4 * i, samples[i]);
  }
  printf("%lu ticks, %lu in the range\n", counts.pf_cntr0, sum);
  return close(fd) == 0 ? 0 : fail("close");
}
