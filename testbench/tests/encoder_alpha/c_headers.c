/* The header is valid C: this file is compiled as C99 with every extension refused. */
#include <perfmon/pfmlib_alpha.h>

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
