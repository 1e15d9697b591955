/* The header as used by a Tru64 program: it is C, and its types have the sizes and offsets that the kernel expects. */
#include "sys/pfcntr.h"

/* C99 has no static assertions. */
#define PFM_ASSERT(condition, name) typedef char name##_has_its_size[(condition) ? 1 : -1]

PFM_ASSERT(sizeof(struct iccsr) == 8, iccsr);
PFM_ASSERT(sizeof(struct pfcntrs) == 24, pfcntrs);
PFM_ASSERT(sizeof(struct pfcntrs_ev5) == 32, pfcntrs_ev5);
PFM_ASSERT(sizeof(struct pfcntrs_ev6) == 24, pfcntrs_ev6);
PFM_ASSERT(sizeof(struct pfipls) == 72, pfipls);
PFM_ASSERT(sizeof(struct addr_range) == 16, addr_range);
PFM_ASSERT(sizeof(addr_range_t) == 32, addr_range_t);
PFM_ASSERT(sizeof(pmctrs_ev5) == 8, pmctrs_ev5);
PFM_ASSERT(sizeof(pmctrs_ev6) == 8, pmctrs_ev6);
PFM_ASSERT(sizeof(ev67_istat_reg_t) == 8, ev67_istat_reg_t);
PFM_ASSERT(sizeof(ev67_pctr_ctl_reg_t) == 8, ev67_pctr_ctl_reg_t);

unsigned long pfm_header_iccsr(void) {
  union {
    struct iccsr fields;
    unsigned long word;
  } u;
  u.word = 0;
  u.fields.iccsr_pc1 = PF_C1_INT_EVERY_256;
  u.fields.iccsr_mux0 = PF_EXTPIN0;
  u.fields.iccsr_mux1 = PF_EXTPIN1;
  u.fields.iccsr_disable = 2;
  return u.word;
}
