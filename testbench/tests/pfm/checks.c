/* Programs of one page each, which run on the device by preloading it:
 *   checks faults     every call with an address that is not mapped, runs off its page or may not be written
 *   checks enable     EV6: PCNTENABLE after PCNT6RESTART of counter 0 alone; prints counter 1
 *   checks uniform N  EV67: profile-me samples at each of the first N instructions at 120000000
 *   checks threads    four threads open and close the device while two others read a file
 *   checks copies     the device through dup(2), and a number that dup2(2) has given to another file */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pfcntr.h>
#include <unistd.h>

static int opened(void) {
  const int fd = open("/dev/pfcntr", O_RDONLY | PCNTOPENALL);
  if (fd < 0) perror("/dev/pfcntr"), exit(1);
  return fd;
}

/* Calls that take an address, of the EV4 and of every family. */
static const unsigned requests[] = {PCNTSETITEMS,  PCNTGETRSIZE,  PCNTGETIPLHIS, PCNTSETUADDR, PCNTSETKADDR,
                                    PCNTSETURANGE, PCNTSETKRANGE, PCNTSETMUX,    PCNTGETCNT};

static int faults(void) {
  const int fd = opened();
  char* const page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long items = PFM_COUNTERS | PFM_IPL | PFM_PROFILING, size = 0;
  addr_range_t range = {0x120000000, 0x120000100, 1, 0};
  void* array = page + 4096 - 8; /* 8 bytes of an array are mapped, the others not */
  unsigned refused = 0, calls = 0, i;
  munmap(page + 4096, 4096);
  if (ioctl(fd, PCNTSETITEMS, &items) || ioctl(fd, PCNTSETURANGE, &range) || ioctl(fd, PCNTGETRSIZE, &size))
    return perror("set-up"), 1;
  for (i = 0; i < sizeof requests / sizeof *requests; ++i) {
    void* const bad[] = {0, (void*)0x10, (void*)-8L, page + 4096, page + 4096 - 4};
    unsigned k;
    for (k = 0; k < sizeof bad / sizeof *bad; ++k, ++calls)
      refused += ioctl(fd, requests[i], bad[k]) && errno == EFAULT;
  }
  refused += ioctl(fd, PCNTGETCNT, &array) && errno == EFAULT;
  refused += ioctl(fd, PCNTGETIPLHIS, &array) && errno == EFAULT;
  refused += read(fd, page + 4096, size) < 0 && errno == EFAULT;
  mprotect(page, 4096, PROT_READ);
  array = page;
  refused += ioctl(fd, PCNTGETCNT, &array) && errno == EFAULT;
  refused += ioctl(fd, PCNTGETRSIZE, page) && errno == EFAULT;
  refused += read(fd, page, 8) < 0 && errno == EFAULT;
  printf("%u of %u\n", refused, calls + 6);
  return 0;
}

static int enable(void) {
  const int fd = opened();
  long events = PF6_MUX0_RET_INSTRUCTIONS | PF6_MUX1_CYCLES;
  pmctrs_ev6 word = {0};
  struct pfcntrs_ev6 counts, *where = &counts;
  word.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
  word.pmctrs_ev6_select = PF6_SEL_COUNTER_0;
  if (ioctl(fd, PCNT6MUX, &events) || ioctl(fd, PCNTCLEARCNT, 0) || ioctl(fd, PCNT6RESTART, &word) ||
      ioctl(fd, PCNTDISABLE, 0) || ioctl(fd, PCNTENABLE, 0) || ioctl(fd, PCNT6READCNTRS, &where))
    return perror("enable"), 1;
  printf("%lu\n", counts.pf_cntr1);
  return 0;
}

static int uniform(unsigned instructions) {
  const int fd = opened();
  long items = PFM_COUNTERS | PFM_PROFILING | (long)PF67_PM_VALID << PFM_PROFME_MODE_SHIFT, size = 0;
  long mux = PF67_PROFILE_ME_MODE | PF67_RET_INST_AND_CYCLES;
  addr_range_t range = {0x120000000, 0x120000000 + 4 * instructions, 1, 0};
  pmctrs_ev6 word = {0};
  unsigned* samples;
  unsigned i;
  word.pmctrs_ev6_cpu = PMCTRS_ALL_CPUS;
  word.pmctrs_ev6_select = PF6_SEL_COUNTER_0 | PF6_SEL_COUNTER_1;
  if (ioctl(fd, PCNTSETITEMS, &items) || ioctl(fd, PCNTSETURANGE, &range) || ioctl(fd, PCNTGETRSIZE, &size) ||
      ioctl(fd, PCNT6MUX, &mux) || ioctl(fd, PCNT6RESTART, &word) || ioctl(fd, PCNT6DISABLE, &word))
    return perror("uniform"), 1;
  samples = calloc(1, size);
  if (read(fd, samples, size) != size) return perror("read"), 1;
  for (i = 0; i < size / sizeof *samples; ++i) printf("%u ", samples[i]);
  puts("");
  return 0;
}

static volatile int stop;

static void* device(void* unused) {
  while (!stop) {
    const int fd = open("/dev/pfcntr", O_RDONLY | PCNTOPENALL);
    if (fd >= 0) ioctl(fd, PCNTLOGALL, 0), close(fd);
  }
  return unused;
}

static void* plain(void* file) {
  char bytes[64];
  while (!stop) {
    const int fd = open(file, O_RDONLY);
    if (fd < 0 || read(fd, bytes, sizeof bytes) < 0 || close(fd) < 0) perror(file), exit(1);
  }
  return 0;
}

static int threads(char* file) {
  pthread_t all[6];
  int i;
  for (i = 0; i < 6; ++i) pthread_create(&all[i], 0, i < 4 ? device : plain, file);
  usleep(300000);
  stop = 1;
  for (i = 0; i < 6; ++i) pthread_join(all[i], 0);
  puts("right");
  return 0;
}

static int copies(char* file) {
  const int fd = opened(), second = dup(fd), third = open(file, O_RDONLY);
  char byte;
  if (close(fd) || ioctl(second, PCNTLOGALL, 0)) return perror("a duplicate"), 1;
  if (dup2(third, second) != second || read(second, &byte, 1) != 1) return perror("a number of another file"), 1;
  if (close(opened())) return perror("the device is still open"), 1;
  puts("right");
  return 0;
}

int main(int argc, char** argv) {
  const char* const what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "faults") == 0) return faults();
  if (strcmp(what, "enable") == 0) return enable();
  if (strcmp(what, "uniform") == 0 && argc > 2) return uniform((unsigned)atoi(argv[2]));
  if (strcmp(what, "threads") == 0) return threads(argv[0]);
  if (strcmp(what, "copies") == 0) return copies(argv[0]);
  return fprintf(stderr, "checks: expected faults, enable, uniform N, threads or copies\n"), 2;
}
