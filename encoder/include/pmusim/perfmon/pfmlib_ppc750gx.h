/* Extensions of the generic interface for the IBM PowerPC 750GX and 750GL (PFMLIB_PPC750GX_PMU). Bits after the
 * 750GX/750GL user's manual 1.2, chapters 2 and 11; IBM numbers the most significant bit 0.
 *
 * Logical registers: PMC0 is MMCR0, PMC1 is MMCR1; PMD0-3 are the counters PMC1-4, PMD4 is SIA (reg_addr: SPR,
 * reg_alt_addr: SPR of the user copy). Both control registers hold settings of all counters, therefore every
 * dispatch returns both. MMCR1 comes first: MMCR0 starts the counting and must be written last. */
#ifndef __PFMLIB_PPC750GX_H__
#define __PFMLIB_PPC750GX_H__

#include "perfmon/pfmlib.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_PPC750GX_NUM_COUNTERS 4   /**< PMC1 to PMC4 */
#define PMU_PPC750GX_COUNTER_WIDTH 32 /**< width of a counter in bits */

/** For pfmlib_ppc750gx_counter_t.flags: interrupt when the counter becomes negative. PMC2, PMC3 and PMC4 share one
 * interrupt control. Also sets MMCR0[ENINT]. */
#define PFM_PPC750GX_SEL_INT 0x1

/* Values of pfp_ppc750gx_flags. */
#define PFM_PPC750GX_FL_MARKED 0x01        /**< count only while MSR[PM] is 1 (DMR) */
#define PFM_PPC750GX_FL_UNMARKED 0x02      /**< count only while MSR[PM] is 0 (DMS); not together with MARKED */
#define PFM_PPC750GX_FL_DISCOUNT 0x04      /**< signalling an interrupt stops the counting */
#define PFM_PPC750GX_FL_INTONBITTRANS 0x08 /**< a change of the time base bit to 1 signals an interrupt; sets ENINT */
#define PFM_PPC750GX_FL_TRIGGER 0x10       /**< PMC2-4 wait until PMC1 is negative or an interrupt is signalled */

/** Settings of the counter of an event. */
typedef struct {
  unsigned int flags;    /**< PFM_PPC750GX_SEL_... */
  unsigned int reserved; /**< 0 */
} pfmlib_ppc750gx_counter_t;

/** model_in: entry i of the counters belongs to event i; the other members apply to the whole run. */
typedef struct {
  pfmlib_ppc750gx_counter_t pfp_ppc750gx_counters[PMU_PPC750GX_NUM_COUNTERS]; /**< one for each event */
  unsigned int pfp_ppc750gx_flags;                                            /**< PFM_PPC750GX_FL_... */
  unsigned int pfp_ppc750gx_threshold;                                        /**< 0..63 cycles, for L1_LOAD_MISSES */
  unsigned int pfp_ppc750gx_rtcselect;                                        /**< 0..3: time base bit 63, 55, 51, 47 */
  unsigned int pfp_ppc750gx_unavail_counters;                                 /**< bit n-1 set: PMCn must not be used */
  unsigned long reserved[4];                                                  /**< 0 */
} pfmlib_ppc750gx_input_param_t;

/** model_out: has no members yet; may be NULL. */
typedef struct {
  unsigned long reserved[4]; /**< 0 */
} pfmlib_ppc750gx_output_param_t;

/** MMCR0 and MMCR1, least significant field first. */
typedef union {
  unsigned long long val; /**< all 64 bits; the registers consist of the lower 32 */
  struct {
    unsigned long long pmc2select : 6;
    unsigned long long pmc1select : 7;
    unsigned long long pmctrigger : 1;
    unsigned long long pmcintcontrol : 1;
    unsigned long long pmc1intcontrol : 1;
    unsigned long long threshold : 6;
    unsigned long long intonbittrans : 1;
    unsigned long long rtcselect : 2;
    unsigned long long discount : 1;
    unsigned long long enint : 1;
    unsigned long long dmr : 1;
    unsigned long long dms : 1;
    unsigned long long du : 1;
    unsigned long long dp : 1;
    unsigned long long dis : 1;
    unsigned long long reserved : 32;
  } mmcr0; /**< of MMCR0 */
  struct {
    unsigned long long reserved1 : 22;
    unsigned long long pmc4select : 5;
    unsigned long long pmc3select : 5;
    unsigned long long reserved2 : 32;
  } mmcr1; /**< of MMCR1 */
} pfm_ppc750gx_mmcr_reg_t;

/** Maximum of occurrences of event `idx` in one cycle. PFMLIB_ERR_NOTSUPP if another PMU is selected. */
extern pfm_err_t pfm_ppc750gx_get_event_maxincr(unsigned int idx, unsigned int* maxincr);
/** 1 if event `idx` depends on the threshold, else 0. */
extern int pfm_ppc750gx_uses_threshold(unsigned int idx);

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_PPC750GX_H__ */
