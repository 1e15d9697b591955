/* A Tru64 UNIX program for a 21164, in C and with only the header: counts mispredicted branches, issues and loads
 * during some work, and profiles 64 instructions of it. */
#include "program.h"

#include "sys/pfcntr.h"

int program_run(unsigned long start, struct program_result *result) {
  long items = PFM_COUNTERS | PFM_IPL | PFM_PROFILING;
  long events = PF5_MUX0_ISSUES | PF5_MUX1_C_LOAD_INSTRUCTIONS | PF5_MUX2_C_BRANCH_MISPREDICTS;
  long periods = PF5_C0_INT_EVERY_65536 | PF5_C1_INT_EVERY_65536 | PF5_C2_INT_EVERY_16384;
  addr_range_t range;
  pmctrs_ev5 counters;
  struct pfcntrs_ev5 counts, *to_counts = &counts;
  struct pfipls levels, *to_levels = &levels;
  int fd = pfm_open("/dev/pfcntr", PCNTOPENALL);
  if (fd < 0) return 1;

  range.start = start;
  range.end = start + 64 * 4;
  range.stride = 16;
  range.res0 = 0;
  counters.pmctrs_ev5_long = 0;
  counters.pmctrs_ev5_cpu = PMCTRS_ALL_CPUS;
  counters.pmctrs_ev5_select = PF5_SEL_COUNTER_0 | PF5_SEL_COUNTER_1 | PF5_SEL_COUNTER_2;
  if (pfm_ioctl(fd, PCNTSETITEMS, &items) != 0) return 2;
  if (pfm_ioctl(fd, PCNTSETURANGE, &range) != 0) return 3;
  if (pfm_ioctl(fd, PCNTLOGSELECT, 0) != 0) return 4;
  if (pfm_ioctl(fd, PCNT5MUX, &events) != 0) return 5;
  if (pfm_ioctl(fd, PCNT5FREQ, &periods) != 0) return 6;
  if (pfm_ioctl(fd, PCNTCLEARCNT, 0) != 0) return 7;
  if (pfm_ioctl(fd, PCNT5RESTART, &counters) != 0) return 8;
  pfm_work();
  if (pfm_ioctl(fd, PCNTRDISABLE, 0) != 0) return 9;
  if (pfm_ioctl(fd, PCNT5GETCNT, &to_counts) != 0) return 10;
  if (pfm_ioctl(fd, PCNTGETIPLHIS, &to_levels) != 0) return 11;
  if (pfm_ioctl(fd, PCNTGETRSIZE, &result->sample_bytes) != 0) return 12;
  if (pfm_read(fd, result->samples, sizeof result->samples) != (long)sizeof result->samples) return 13;
  result->ticks[0] = counts.pf_cntr0;
  result->ticks[1] = counts.pf_cntr1;
  result->ticks[2] = counts.pf_cntr2;
  result->user_ticks = levels.ipl[8];
  return pfm_close(fd) == 0 ? 0 : 14;
}
