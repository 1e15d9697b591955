/* A program for libpfm 3, with only its header and names: cycles and retired instructions of an Itanium 2. */
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void expect(int good, const char *what) {
  if (good) return;
  printf("wrong: %s\n", what);
  wrong = 1;
}

int main(void) {
  pfmlib_input_param_t in;
  pfmlib_output_param_t out;
  unsigned int counters = 0, i;
  int type = -1;

  /* Without hardware and without a selection the type is 256, the Athlon. */
  unsetenv("LIBPFM_FORCE_PMU");
  expect(pfm_initialize() == PFMLIB_SUCCESS, "pfm_initialize");
  expect(pfm_get_pmu_type(&type) == PFMLIB_SUCCESS && type == 256, "the type that is chosen");
  /* The environment selects the type. */
  setenv("LIBPFM_FORCE_PMU", "4", 1);
  expect(pfm_initialize() == PFMLIB_SUCCESS, "pfm_initialize with LIBPFM_FORCE_PMU");
  expect(pfm_get_pmu_type(&type) == PFMLIB_SUCCESS && type == PFMLIB_MONTECITO_PMU, "the type of the environment");
  unsetenv("LIBPFM_FORCE_PMU");
  /* The program selects the type. */
  expect(pfm_force_pmu(PFMLIB_ITANIUM2_PMU) == PFMLIB_SUCCESS, "pfm_force_pmu");
  expect(pfm_get_num_counters(&counters) == PFMLIB_SUCCESS && counters == 4, "pfm_get_num_counters");

  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  expect(pfm_find_event("CPU_CYCLES", &in.pfp_events[0].event) == PFMLIB_SUCCESS, "CPU_CYCLES");
  expect(pfm_find_event("IA64_INST_RETIRED", &in.pfp_events[1].event) == PFMLIB_SUCCESS, "IA64_INST_RETIRED");
  in.pfp_event_count = 2;
  in.pfp_dfl_plm = PFM_PLM3;
  expect(pfm_dispatch_events(&in, NULL, &out, NULL) == PFMLIB_SUCCESS, "pfm_dispatch_events");
  /* libpfm_itanium2(3), "PMC4 to PMC7": plm in bits 3:0, oi bit 5, es in bits 15:8. Codes: CPU_CYCLES 12h,
   * IA64_INST_RETIRED 08h; privilege level 3 is bit 3. */
  expect(out.pfp_pmd_count >= 2 && out.pfp_pmds[0].reg_num == 4 && out.pfp_pmds[1].reg_num == 5, "the counters");
  for (i = 0; i < 2; i++) {
    const unsigned long es = i == 0 ? 0x12 : 0x08, value = es << 8 | 1 << 5 | 8;
    expect(out.pfp_pmcs[i].reg_num == 4 + i && (out.pfp_pmcs[i].reg_value & 0xff3f) == value, "a PMC");
  }
  expect(pfm_dispatch_events(&in, NULL, NULL, NULL) == PFMLIB_ERR_INVAL, "no place for the answer");
  expect(strcmp(pfm_strerror(PFMLIB_SUCCESS), "success") == 0, "pfm_strerror");
  expect(pfm_find_event("NO_SUCH_EVENT", &in.pfp_events[0].event) == PFMLIB_ERR_NOTFOUND, "an event that is none");
  return wrong;
}
