/* The header is valid C: this file is compiled as C99 with every extension refused. */
#include <perfmon/pfmlib_itanium2.h>

/* Encodes cycles at user level with the model-specific blocks and returns the first control register, or 0. */
unsigned long long encode_itanium2_from_c(void) {
  static pfmlib_input_param_t in;
  static pfmlib_output_param_t out;
  static pfmlib_ita2_input_param_t model_in;
  static pfmlib_ita2_output_param_t model_out;
  pfm_ita2_pmc_reg_t reg;
  if (pfm_force_pmu(PFMLIB_ITANIUM2_PMU) != PFMLIB_SUCCESS) return 0;
  if (pfm_get_cycle_event(&in.pfp_events[0]) != PFMLIB_SUCCESS) return 0;
  if (pfm_ita2_is_ear(in.pfp_events[0].event)) return 0;
  in.pfp_event_count = 1;
  in.pfp_dfl_plm = PFM_PLM3;
  if (pfm_dispatch_events(&in, &model_in, &out, &model_out) != PFMLIB_SUCCESS) return 0;
  reg.pmc_val = out.pfp_pmcs[0].reg_value;
  return reg.pmc_ita2_counter_reg.pmc_es == 0x12 ? reg.pmc_val : 0;
}
