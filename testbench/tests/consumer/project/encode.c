/* The C API as a libpfm-3 program uses it. */
#include <perfmon/pfmlib.h>
#include <stdio.h>

int main(void) {
  unsigned int count = 0;
  if (pfm_force_pmu(256) != PFMLIB_SUCCESS || pfm_initialize() != PFMLIB_SUCCESS) return 1;
  if (pfm_get_num_events(&count) != PFMLIB_SUCCESS) return 1;
  printf("%s\n", count > 50 ? "many" : "few");
  return 0;
}
