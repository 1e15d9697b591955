/* The header is valid C: this file is compiled as C99 with every extension refused. */
#include <perfmon/pfmlib_montecito.h>

/* Encodes cycles at user level with the model-specific blocks, the trace buffer with the structure of the manual page, and
 * returns the first control register, or 0. */
unsigned long long encode_montecito_from_c(void) {
  static pfmlib_input_param_t in;
  static pfmlib_output_param_t out;
  static pfmlib_mont_input_param_t model_in;
  static pfmlib_mont_output_param_t model_out;
  pfm_mont_pmc_reg_t reg;
  if (pfm_force_pmu(PFMLIB_MONTECITO_PMU) != PFMLIB_SUCCESS) return 0;
  if (pfm_get_cycle_event(&in.pfp_events[0]) != PFMLIB_SUCCESS) return 0;
  if (pfm_mont_is_ear(in.pfp_events[0].event)) return 0;
  in.pfp_event_count = 1;
  in.pfp_dfl_plm = PFM_PLM3;
  model_in.pfp_mont_etb.etb_used = 1;
  model_in.pfp_mont_etb.etb_ds = 0;
  model_in.pfp_mont_etb.etb_tm = 2;
  if (pfm_dispatch_events(&in, &model_in, &out, &model_out) != PFMLIB_SUCCESS) return 0;
  reg.pmc_val = out.pfp_pmcs[0].reg_value;
  return reg.pmc_mont_counter_reg.pmc_es == 0x12 ? reg.pmc_val : 0;
}
