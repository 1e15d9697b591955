/* Extensions of the generic interface for the AMD Athlon (K7) (PFMLIB_ATHLON_PMU). Bits after AMD publication 22007
 * Rev. E, pages 161-168.
 *
 * Logical registers: PMC0-3 are PerfEvtSel0-3 (reg_addr: MSR), PMD0-3 are PerfCtr0-3 (reg_addr: MSR,
 * reg_alt_addr: RDPMC number). Any event may use any counter. */
#ifndef __PFMLIB_ATHLON_H__
#define __PFMLIB_ATHLON_H__

#include "perfmon/pfmlib.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_ATHLON_NUM_COUNTERS 4   /**< PerfCtr0 to PerfCtr3 */
#define PMU_ATHLON_COUNTER_WIDTH 48 /**< width of a counter in bits */

/* Values of pfmlib_athlon_counter_t.flags. */
#define PFM_ATHLON_SEL_INV 0x1  /**< count cycles with fewer than cnt_mask occurrences instead of at least cnt_mask */
#define PFM_ATHLON_SEL_EDGE 0x2 /**< edge detect: count how often the condition begins */
#define PFM_ATHLON_SEL_PC 0x4   /**< pin control: the PM pin toggles on overflow */
#define PFM_ATHLON_SEL_INT 0x8  /**< APIC interrupt on overflow */

/** Settings of the counter of an event. */
typedef struct {
  unsigned int cnt_mask; /**< 0: add all occurrences; 1..255: add 1 in cycles with at least cnt_mask occurrences */
  unsigned int flags;    /**< PFM_ATHLON_SEL_... */
} pfmlib_athlon_counter_t;

/** model_in: entry i belongs to event i. */
typedef struct {
  pfmlib_athlon_counter_t pfp_athlon_counters[PMU_ATHLON_NUM_COUNTERS]; /**< one for each event */
  unsigned long reserved[4];                                            /**< 0 */
} pfmlib_athlon_input_param_t;

/** model_out: has no members yet; may be NULL. */
typedef struct {
  unsigned long reserved[4]; /**< 0 */
} pfmlib_athlon_output_param_t;

/** PerfEvtSel, least significant field first. */
typedef union {
  unsigned long long val; /**< all 64 bits */
  struct {
    unsigned long long sel_event_mask : 8;
    unsigned long long sel_unit_mask : 8;
    unsigned long long sel_usr : 1;
    unsigned long long sel_os : 1;
    unsigned long long sel_edge : 1;
    unsigned long long sel_pc : 1;
    unsigned long long sel_int : 1;
    unsigned long long sel_res1 : 1;
    unsigned long long sel_en : 1;
    unsigned long long sel_inv : 1;
    unsigned long long sel_cnt_mask : 8;
    unsigned long long sel_res2 : 32;
  } perfsel; /**< the fields */
} pfm_athlon_sel_reg_t;

/** Maximum of occurrences of event `idx` in one cycle. PFMLIB_ERR_NOTSUPP if another PMU is selected. */
extern pfm_err_t pfm_athlon_get_event_maxincr(unsigned int idx, unsigned int* maxincr);

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_ATHLON_H__ */
