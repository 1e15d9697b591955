/* The headers are valid C: this file is compiled as C99 with every extension refused. */
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_alpha.h>
#include <perfmon/pfmlib_athlon.h>
#include <perfmon/pfmlib_itanium2.h>
#include <perfmon/pfmlib_montecito.h>
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

unsigned long long pmctr_from_c(void) {
  pfm_alpha_reg_t word = {0};
  word.ev5_pmctr.sel0 = 1;
  word.ev5_pmctr.ctl0 = 3;
  word.ev5_pmctr.kp = 1;
  word.ev5_pmctr.sel1 = 0xF;
  word.ev5_pmctr.sel2 = 2;
  word.ev5_pmctr.ctr0 = 77;
  return word.val;
}

unsigned long long pctr_ctl_from_c(void) {
  pfm_alpha_reg_t word = {0};
  word.ev67_pctr_ctl.sl0 = 1;
  word.ev67_pctr_ctl.sl1 = 3;
  word.ev67_pctr_ctl.pctr0 = 5;
  word.ev67_pctr_ctl.pctr1 = 9;
  return word.val;
}

/* Encodes cycles at user level with the model-specific blocks, the trace buffer of the Montecito with the structure of the
 * manual page, and returns the first control register, or 0. */
#define ENCODE_FROM_C(name, cpu, pmu, use_buffer)                                                          \
  unsigned long long encode_##name##_from_c(void) {                                                        \
    static pfmlib_input_param_t in;                                                                        \
    static pfmlib_output_param_t out;                                                                      \
    static pfmlib_##cpu##_input_param_t model_in;                                                          \
    static pfmlib_##cpu##_output_param_t model_out;                                                        \
    pfm_##cpu##_pmc_reg_t reg;                                                                             \
    if (pfm_force_pmu(pmu) != PFMLIB_SUCCESS) return 0;                                                    \
    if (pfm_get_cycle_event(&in.pfp_events[0]) != PFMLIB_SUCCESS) return 0;                                \
    if (pfm_##cpu##_is_ear(in.pfp_events[0].event)) return 0;                                              \
    in.pfp_event_count = 1;                                                                                \
    in.pfp_dfl_plm = PFM_PLM3;                                                                             \
    use_buffer;                                                                                            \
    if (pfm_dispatch_events(&in, &model_in, &out, &model_out) != PFMLIB_SUCCESS) return 0;                 \
    reg.pmc_val = out.pfp_pmcs[0].reg_value;                                                               \
    return reg.pmc_##cpu##_counter_reg.pmc_es == 0x12 ? reg.pmc_val : 0;                                   \
  }
ENCODE_FROM_C(itanium2, ita2, PFMLIB_ITANIUM2_PMU, )
ENCODE_FROM_C(montecito, mont, PFMLIB_MONTECITO_PMU,
              (model_in.pfp_mont_etb.etb_used = 1, model_in.pfp_mont_etb.etb_ds = 0, model_in.pfp_mont_etb.etb_tm = 2))
