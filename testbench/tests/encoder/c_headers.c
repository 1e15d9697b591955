/* The headers are valid C: this file is compiled as C99 with every extension refused. */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_ppc750gx.h>

/* Encodes retired instructions from C and returns the selector's value, or 0. */
unsigned long long encode_from_c(void) {
  pfmlib_input_param_t in = {0};
  pfmlib_output_param_t out;
  pfm_athlon_sel_reg_t selector;
  if (pfm_force_pmu(PFMLIB_ATHLON_PMU) != PFMLIB_SUCCESS) return 0;
  if (pfm_find_full_event("RETIRED_INSTRUCTIONS", &in.pfp_events[0]) != PFMLIB_SUCCESS) return 0;
  in.pfp_event_count = 1;
  in.pfp_dfl_plm = PFM_PLM3;
  if (pfm_dispatch_events(&in, NULL, &out, NULL) != PFMLIB_SUCCESS) return 0;
  selector.val = out.pfp_pmcs[0].reg_value;
  return selector.perfsel.sel_en && selector.perfsel.sel_usr && !selector.perfsel.sel_os ? selector.val : 0;
}

/* Combines the fields of the two control registers of the 750GX in C. */
unsigned long long mmcr0_from_c(void) {
  pfm_ppc750gx_mmcr_reg_t word = {0};
  word.mmcr0.enint = 1;
  word.mmcr0.discount = 1;
  word.mmcr0.threshold = 20;
  word.mmcr0.pmc1intcontrol = 1;
  word.mmcr0.pmc1select = 10;
  return word.val;
}

unsigned long long mmcr1_from_c(void) {
  pfm_ppc750gx_mmcr_reg_t word = {0};
  word.mmcr1.pmc3select = 5;
  word.mmcr1.pmc4select = 5;
  return word.val;
}
