/* Extensions of the generic interface for the Alpha implementations (PFMLIB_ALPHA_..._PMU). Names and values after
 * sys/pfcntr.h of Tru64 UNIX and the Alpha Architecture Handbook, version 4, appendix E.
 *
 * Logical registers: PMC0-3 are the arguments of the WRPERFMON functions 2 (select), 3 (options), 4 (frequency; 21164
 * and 21164PC only) and 1 (enable), which must be called in this order (reg_addr: function code in R16, reg_value:
 * argument in R17). PMD0-2 are the counters; the counters of the 21064 can neither be read nor written. Every dispatch
 * returns all calls.
 *
 * Privilege levels: on the 21164 and 21164PC, PFM_PLM0 is kernel, executive and supervisor mode, and the other levels
 * are user mode; PALmode is counted only with PFM_ALPHA_FL_PAL. The other processors count in all modes and accept
 * PFM_PLM0|PFM_PLM3 only. */
#ifndef __PFMLIB_ALPHA_H__
#define __PFMLIB_ALPHA_H__

#include "perfmon/pfmlib.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_ALPHA_MAX_COUNTERS 3 /**< maximum of counters of a processor */

/* Function codes of WRPERFMON, for reg_addr. */
#define PFM_ALPHA_WRPERFMON_DISABLE 0   /**< stop counters */
#define PFM_ALPHA_WRPERFMON_ENABLE 1    /**< start counters */
#define PFM_ALPHA_WRPERFMON_SELECT 2    /**< select events */
#define PFM_ALPHA_WRPERFMON_OPTIONS 3   /**< select modes and processes */
#define PFM_ALPHA_WRPERFMON_FREQUENCY 4 /**< select periods */

/* Values of pfp_alpha_flags. */
#define PFM_ALPHA_FL_MARKED 0x1 /**< count only processes that are marked in their control block */
#define PFM_ALPHA_FL_PAL 0x2    /**< 21164, 21164PC: count in PALmode */
#define PFM_ALPHA_FL_ES 0x4     /**< 21164, 21164PC: count only in executive and supervisor mode; plm is ignored */

/** Settings of the counter of an event. */
typedef struct {
  unsigned int freq;     /**< events per interrupt, one of the values of the counter; 0: not set. 21264: must be 0 */
  unsigned int reserved; /**< 0 */
} pfmlib_alpha_counter_t;

/** model_in: entry i of the counters belongs to event i; the flags apply to the whole run. */
typedef struct {
  pfmlib_alpha_counter_t pfp_alpha_counters[PMU_ALPHA_MAX_COUNTERS]; /**< one for each event */
  unsigned int pfp_alpha_flags;                                      /**< PFM_ALPHA_FL_... */
  unsigned int pfp_alpha_unavail_counters;                           /**< bit n set: counter n must not be used */
  unsigned long reserved[4];                                         /**< 0 */
} pfmlib_alpha_input_param_t;

/** model_out: has no members yet; may be NULL. */
typedef struct {
  unsigned long reserved[4]; /**< 0 */
} pfmlib_alpha_output_param_t;

/** The registers that the calls write, least significant field first. */
typedef union {
  unsigned long long val; /**< all 64 bits */
  struct {
    unsigned long long pc1 : 1;
    unsigned long long reserved1 : 2;
    unsigned long long pc0 : 1;
    unsigned long long reserved2 : 4;
    unsigned long long pcmux0 : 4;
    unsigned long long reserved3 : 20;
    unsigned long long pcmux1 : 3;
    unsigned long long reserved4 : 29;
  } ev4_iccsr; /**< 21064: the fields of ICCSR for the counters */
  struct {
    unsigned long long sel2 : 4;
    unsigned long long sel1 : 4;
    unsigned long long kk : 1;
    unsigned long long kp : 1;
    unsigned long long ctl2 : 2;
    unsigned long long ctl1 : 2;
    unsigned long long ctl0 : 2;
    unsigned long long ctr2 : 14;
    unsigned long long ku : 1;
    unsigned long long sel0 : 1;
    unsigned long long ctr1 : 16;
    unsigned long long ctr0 : 16;
  } ev5_pmctr; /**< 21164, 21164PC: PMCTR */
  struct {
    unsigned long long sl1 : 4;
    unsigned long long sl0 : 1;
    unsigned long long reserved1 : 1;
    unsigned long long pctr1 : 20;
    unsigned long long reserved2 : 2;
    unsigned long long pctr0 : 20;
    unsigned long long sext : 16;
  } ev6_pctr_ctl; /**< 21264: PCTR_CTL */
  struct {
    unsigned long long tak : 1;
    unsigned long long val : 1;
    unsigned long long sl1 : 2;
    unsigned long long sl0 : 1;
    unsigned long long reserved : 1;
    unsigned long long pctr1 : 20;
    unsigned long long pm_killed_bm : 1;
    unsigned long long pm_stalled : 1;
    unsigned long long pctr0 : 20;
    unsigned long long sext : 16;
  } ev67_pctr_ctl; /**< 21264A: PCTR_CTL */
} pfm_alpha_reg_t;

/** Maximum of occurrences of event `idx` in one cycle; 1 for PF_ISSUES and PF_NONISSUES, which are counted in halves.
 * PFMLIB_ERR_NOTSUPP if another PMU is selected. */
extern pfm_err_t pfm_alpha_get_event_maxincr(unsigned int idx, unsigned int* maxincr);
/** Number of a ProfileMe statistic in the enumeration of sys/pfcntr.h; 0 for all other events. */
extern int pfm_alpha_get_profileme_statistic(unsigned int idx);

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_ALPHA_H__ */
