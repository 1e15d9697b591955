/* Counts events of a 21264: retired instructions and cycles, or those of the command line. For Tru64 UNIX.
 *   count [EVENT0 EVENT1]        numbers of PF6_MUX0_* and PF6_MUX1_*, in octal, decimal or hexadecimal */
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
  long items = PFM_COUNTERS;
  long events = PF6_MUX0_RET_INSTRUCTIONS | PF6_MUX1_CYCLES;
  pmctrs_ev6 which;
  struct pfcntrs_ev6 counts, *to_counts = &counts;
  int fd;

  if (argc == 3) events = strtol(argv[1], 0, 0) | strtol(argv[2], 0, 0);
  fd = open("/dev/pfcntr", O_RDONLY | PCNTOPENALL);
  if (fd < 0) return fail("/dev/pfcntr");
  if (ioctl(fd, PCNTSETITEMS, &items) != 0) return fail("PCNTSETITEMS");
  if (ioctl(fd, PCNTLOGALL, 0) != 0) return fail("PCNTLOGALL");
  if (ioctl(fd, PCNT6MUX, &events) != 0) return fail("PCNT6MUX");
  if (ioctl(fd, PCNTCLEARCNT, 0) != 0) return fail("PCNTCLEARCNT");
  which.pmctrs_ev6_long = 0;
  which.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
  which.pmctrs_ev6_select = 3;
  if (ioctl(fd, PCNT6RESTART, &which) != 0) return fail("PCNT6RESTART");
  /* The measured code runs here. */
  if (ioctl(fd, PCNT6DISABLE, &which) != 0) return fail("PCNT6DISABLE");
  if (ioctl(fd, PCNT6READCNTRS, &to_counts) != 0) return fail("PCNT6READCNTRS");
  printf("counter 0: %lu\ncounter 1: %lu\n", counts.pf_cntr0, counts.pf_cntr1);
  return close(fd) == 0 ? 0 : fail("close");
}
