/* Extensions of the generic interface for the Itanium 2 (McKinley, Madison) (PFMLIB_ITANIUM2_PMU). Names, values
 * and layouts are those of libpfm 3.10 (LP64), after libpfm_itanium2(3): programs written for it compile and link
 * unchanged.
 *
 * Logical registers: PMC0-15 and PMD0-17 have the processor's numbers; the counters are PMC/PMD 4 to 7. */
#ifndef __PFMLIB_ITANIUM2_H__
#define __PFMLIB_ITANIUM2_H__

#include <endian.h>

#include "perfmon/pfmlib.h"

#if BYTE_ORDER != LITTLE_ENDIAN
#error "the register views of this header are little-endian"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_ITA2_FIRST_COUNTER 4  /**< PMC and PMD number of the first counter */
#define PMU_ITA2_NUM_COUNTERS 4   /**< PMC4 to PMC7 */
#define PMU_ITA2_NUM_PMCS 16      /**< PMC0 to PMC15 */
#define PMU_ITA2_NUM_PMDS 18      /**< PMD0 to PMD17 */
#define PMU_ITA2_NUM_BTB 8        /**< entries of the branch trace buffer, PMD8 to PMD15 */
#define PMU_ITA2_COUNTER_WIDTH 47 /**< width of a counter in bits */

/** A control register, least significant field first. */
typedef union {
  unsigned long pmc_val; /**< all 64 bits */
  struct {
    unsigned long pmc_plm : 4;
    unsigned long pmc_ev : 1;
    unsigned long pmc_oi : 1;
    unsigned long pmc_pm : 1;
    unsigned long pmc_ig1 : 1;
    unsigned long pmc_es : 8;
    unsigned long pmc_umask : 4;
    unsigned long pmc_thres : 3;
    unsigned long pmc_enable : 1; /**< PMC4 only; pfm_dispatch_events leaves it to the kernel */
    unsigned long pmc_ism : 2;
    unsigned long pmc_ig2 : 38;
  } pmc_ita2_counter_reg; /**< PMC4 to PMC7 */
  struct {
    unsigned long opcm_ig_ad : 1;
    unsigned long opcm_inv : 1;
    unsigned long opcm_bit2 : 1; /**< must be 1 */
    unsigned long opcm_mask : 27;
    unsigned long opcm_ig1 : 3;
    unsigned long opcm_match : 27;
    unsigned long opcm_b : 1;
    unsigned long opcm_f : 1;
    unsigned long opcm_i : 1;
    unsigned long opcm_m : 1;
  } pmc8_9_ita2_reg; /**< opcode matchers */
  struct {
    unsigned long iear_plm : 4;
    unsigned long iear_pm : 1;
    unsigned long iear_umask : 8;
    unsigned long iear_ct : 1; /**< 1 */
    unsigned long iear_ism : 2;
    unsigned long iear_ig4 : 48;
  } pmc10_ita2_cache_reg; /**< instruction EAR, cache mode */
  struct {
    unsigned long iear_plm : 4;
    unsigned long iear_pm : 1;
    unsigned long iear_umask : 7;
    unsigned long iear_ct : 2; /**< 00 */
    unsigned long iear_ism : 2;
    unsigned long iear_ig4 : 48;
  } pmc10_ita2_tlb_reg; /**< instruction EAR, TLB mode */
  struct {
    unsigned long dear_plm : 4;
    unsigned long dear_ig1 : 2;
    unsigned long dear_pm : 1;
    unsigned long dear_mode : 2;
    unsigned long dear_ig2 : 7;
    unsigned long dear_umask : 4;
    unsigned long dear_ig3 : 4;
    unsigned long dear_ism : 2;
    unsigned long dear_ig4 : 38;
  } pmc11_ita2_reg; /**< data EAR */
  struct {
    unsigned long btbc_plm : 4;
    unsigned long btbc_ig1 : 2;
    unsigned long btbc_pm : 1;
    unsigned long btbc_ds : 1;
    unsigned long btbc_tm : 2;
    unsigned long btbc_ptm : 2;
    unsigned long btbc_ppm : 2;
    unsigned long btbc_brt : 2;
    unsigned long btbc_ig2 : 48;
  } pmc12_ita2_reg; /**< branch trace buffer */
  struct {
    unsigned long darc_ig1 : 3;
    unsigned long darc_cfg_dbrp0 : 2;
    unsigned long darc_ig2 : 6;
    unsigned long darc_cfg_dbrp1 : 2;
    unsigned long darc_ig3 : 6;
    unsigned long darc_cfg_dbrp2 : 2;
    unsigned long darc_ig4 : 6;
    unsigned long darc_cfg_dbrp3 : 2;
    unsigned long darc_ig5 : 16;
    unsigned long darc_ena_dbrp0 : 1;
    unsigned long darc_ena_dbrp1 : 1;
    unsigned long darc_ena_dbrp2 : 1;
    unsigned long darc_ena_dbrp3 : 1;
    unsigned long darc_ig6 : 15;
  } pmc13_ita2_reg; /**< data address ranges */
  struct {
    unsigned long iarc_ig1 : 1;
    unsigned long iarc_ibrp0 : 1;
    unsigned long iarc_ig2 : 2;
    unsigned long iarc_ibrp1 : 1;
    unsigned long iarc_ig3 : 2;
    unsigned long iarc_ibrp2 : 1;
    unsigned long iarc_ig4 : 2;
    unsigned long iarc_ibrp3 : 1;
    unsigned long iarc_ig5 : 2;
    unsigned long iarc_fine : 1;
    unsigned long iarc_ig6 : 50;
  } pmc14_ita2_reg; /**< code address ranges; a 0 enables the constraint of the pair */
  struct {
    unsigned long opcmc_ibrp0_pmc8 : 1;
    unsigned long opcmc_ibrp1_pmc9 : 1;
    unsigned long opcmc_ibrp2_pmc8 : 1;
    unsigned long opcmc_ibrp3_pmc9 : 1;
    unsigned long opcmc_ig1 : 60;
  } pmc15_ita2_reg; /**< assigns opcode matchers to channels; a 0 enables the constraint */
} pfm_ita2_pmc_reg_t;

/** A data register, least significant field first. */
typedef union {
  unsigned long pmd_val; /**< all 64 bits */
  struct {
    unsigned long pmd_count : 47;
    unsigned long pmd_sxt47 : 17; /**< copies of bit 46 */
  } pmd_ita2_counter_reg;         /**< PMD4 to PMD7 */
  struct {
    unsigned long iear_stat : 2;
    unsigned long iear_ig1 : 3;
    unsigned long iear_iaddr : 59;
  } pmd0_ita2_reg; /**< instruction EAR: status, and bits 63:5 of the address */
  struct {
    unsigned long iear_latency : 12;
    unsigned long iear_overflow : 1;
    unsigned long iear_ig1 : 51;
  } pmd1_ita2_reg; /**< instruction EAR: latency in cycles */
  struct {
    unsigned long dear_daddr;
  } pmd2_ita2_reg; /**< data EAR: address of the data */
  struct {
    unsigned long dear_latency : 13;
    unsigned long dear_overflow : 1;
    unsigned long dear_stat : 2;
    unsigned long dear_ig1 : 48;
  } pmd3_ita2_reg; /**< data EAR: latency in cycles, and status */
  struct {
    unsigned long btb_b : 1;
    unsigned long btb_mp : 1;
    unsigned long btb_slot : 2;
    unsigned long btb_addr : 60;
  } pmd8_15_ita2_reg; /**< entry of the branch trace buffer with an address (PMC12.ds is 0) */
  struct {
    unsigned long btb_b : 1;
    unsigned long btb_mp : 1;
    unsigned long btb_slot : 2;
    unsigned long btb_loaddr : 37;
    unsigned long btb_pred : 20;
    unsigned long btb_hiaddr : 3;
  } pmd8_15_ds_ita2_reg; /**< entry of the branch trace buffer with prediction details (PMC12.ds is 1) */
  struct {
    unsigned long btbi_bbi : 3;
    unsigned long btbi_full : 1;
    unsigned long btbi_pmd8ext_b1 : 1;
    unsigned long btbi_pmd8ext_bruflush : 1;
    unsigned long btbi_pmd8ext_ig : 2;
    unsigned long btbi_pmd9ext_b1 : 1;
    unsigned long btbi_pmd9ext_bruflush : 1;
    unsigned long btbi_pmd9ext_ig : 2;
    unsigned long btbi_pmd10ext_b1 : 1;
    unsigned long btbi_pmd10ext_bruflush : 1;
    unsigned long btbi_pmd10ext_ig : 2;
    unsigned long btbi_pmd11ext_b1 : 1;
    unsigned long btbi_pmd11ext_bruflush : 1;
    unsigned long btbi_pmd11ext_ig : 2;
    unsigned long btbi_pmd12ext_b1 : 1;
    unsigned long btbi_pmd12ext_bruflush : 1;
    unsigned long btbi_pmd12ext_ig : 2;
    unsigned long btbi_pmd13ext_b1 : 1;
    unsigned long btbi_pmd13ext_bruflush : 1;
    unsigned long btbi_pmd13ext_ig : 2;
    unsigned long btbi_pmd14ext_b1 : 1;
    unsigned long btbi_pmd14ext_bruflush : 1;
    unsigned long btbi_pmd14ext_ig : 2;
    unsigned long btbi_pmd15ext_b1 : 1;
    unsigned long btbi_pmd15ext_bruflush : 1;
    unsigned long btbi_pmd15ext_ig : 2;
    unsigned long btbi_ignored : 28;
  } pmd16_ita2_reg; /**< branch trace buffer: next entry, whether it has wrapped, and flags of the entries */
  struct {
    unsigned long dear_slot : 2;
    unsigned long dear_bn : 1;
    unsigned long dear_vl : 1;
    unsigned long dear_iaddr : 60;
  } pmd17_ita2_reg; /**< data EAR: address of the instruction */
} pfm_ita2_pmd_reg_t;

/** For pfmlib_ita2_counter_t.flags: count even if the event ignores an active filter. */
#define PFMLIB_ITA2_FL_EVT_NO_QUALCHECK 0x1

/** Instruction sets in which an event counts. */
typedef enum { PFMLIB_ITA2_ISM_BOTH = 0, PFMLIB_ITA2_ISM_IA32 = 1, PFMLIB_ITA2_ISM_IA64 = 2 } pfmlib_ita2_ism_t;

/** Settings of the counter of an event. */
typedef struct {
  unsigned int flags; /**< PFMLIB_ITA2_FL_EVT_... */
  unsigned int thres; /**< 1 to 7: add 1 in cycles with more than thres occurrences; only the low three bits are used */
  pfmlib_ita2_ism_t ism; /**< instruction sets in which the event counts */
} pfmlib_ita2_counter_t;

/** Opcode matcher: the raw register value. The library sets its control bits. */
typedef struct {
  unsigned char opcm_used; /**< not 0: use it */
  unsigned long pmc_val;   /**< mask, match and slot types as in PMC8 and PMC9 */
} pfmlib_ita2_opcm_t;

/** Configuration of the branch trace buffer. */
typedef struct {
  unsigned char btb_used; /**< not 0: configure it */
  unsigned char btb_ds;   /**< 1: record prediction details instead of the target */
  unsigned char btb_tm;   /**< bit 0 not taken, bit 1 taken branches */
  unsigned char btb_ptm;  /**< bit 0 wrong, bit 1 right target predictions */
  unsigned char btb_ppm;  /**< bit 0 wrong, bit 1 right path predictions */
  unsigned char btb_brt;  /**< 0 all, 1 IP-relative, 2 return, 3 other indirect branches */
  unsigned int btb_plm;   /**< 0: pfp_dfl_plm */
} pfmlib_ita2_btb_t;

/** Modes of the event address registers. */
typedef enum {
  PFMLIB_ITA2_EAR_CACHE_MODE = 0, /**< cache misses */
  PFMLIB_ITA2_EAR_TLB_MODE = 1,   /**< TLB misses */
  PFMLIB_ITA2_EAR_ALAT_MODE = 2   /**< data EAR only */
} pfmlib_ita2_ear_mode_t;

/** Configuration of an event address register. */
typedef struct {
  unsigned char ear_used;          /**< not 0: configure it */
  pfmlib_ita2_ear_mode_t ear_mode; /**< kind of captured events */
  pfmlib_ita2_ism_t ear_ism;       /**< instruction sets in which it captures events */
  unsigned int ear_plm;            /**< 0: pfp_dfl_plm */
  unsigned long ear_umask;         /**< unit mask of PMC10 or PMC11 */
} pfmlib_ita2_ear_t;

/* Values of pfmlib_ita2_input_rr_t.rr_flags. */
#define PFMLIB_ITA2_RR_INV 0x1          /**< code ranges: match outside the range on pairs 0 and 2 */
#define PFMLIB_ITA2_RR_NO_FINE_MODE 0x2 /**< code ranges: do not use fine mode */

/** A requested address range. */
typedef struct {
  unsigned int rr_plm;    /**< 0: pfp_dfl_plm */
  unsigned long rr_start; /**< first address */
  unsigned long rr_end;   /**< first address after the range */
} pfmlib_ita2_input_rr_desc_t;

/** Number of bytes by which the registers cover more than the requested range. */
typedef struct {
  unsigned long rr_soff; /**< before the start */
  unsigned long rr_eoff; /**< after the end */
} pfmlib_ita2_output_rr_desc_t;

/** Requested address ranges of code or of data. */
typedef struct {
  unsigned int rr_flags;                    /**< PFMLIB_ITA2_RR_...; for code ranges only */
  pfmlib_ita2_input_rr_desc_t rr_limits[4]; /**< ends before the first entry with start 0 and end 0 */
  unsigned char rr_used;                    /**< not 0: the ranges restrict the events */
} pfmlib_ita2_input_rr_t;

/** Address ranges that the registers cover. */
typedef struct {
  unsigned int rr_nbr_used;                 /**< entries of rr_br */
  pfmlib_ita2_output_rr_desc_t rr_infos[4]; /**< one for each range */
  pfmlib_reg_t rr_br[8];                    /**< IBRs or DBRs; reg_num is the number */
} pfmlib_ita2_output_rr_t;

/** model_in: entry i of the counters belongs to event i. */
typedef struct {
  pfmlib_ita2_counter_t pfp_ita2_counters[PMU_ITA2_NUM_COUNTERS]; /**< one for each event */
  unsigned long pfp_ita2_flags;                                   /**< unused */
  pfmlib_ita2_opcm_t pfp_ita2_pmc8;                               /**< first opcode matcher */
  pfmlib_ita2_opcm_t pfp_ita2_pmc9;                               /**< second opcode matcher */
  pfmlib_ita2_ear_t pfp_ita2_iear;                                /**< instruction EAR */
  pfmlib_ita2_ear_t pfp_ita2_dear;                                /**< data EAR */
  pfmlib_ita2_btb_t pfp_ita2_btb;                                 /**< branch trace buffer */
  pfmlib_ita2_input_rr_t pfp_ita2_drange;                         /**< data ranges */
  pfmlib_ita2_input_rr_t pfp_ita2_irange;                         /**< code ranges */
  unsigned long reserved[1];                                      /**< 0 */
} pfmlib_ita2_input_param_t;

/** model_out: requires a model_in; must be given if a range is used. */
typedef struct {
  pfmlib_ita2_output_rr_t pfp_ita2_drange; /**< data ranges */
  pfmlib_ita2_output_rr_t pfp_ita2_irange; /**< code ranges */
  unsigned long reserved[6];               /**< 0 */
} pfmlib_ita2_output_param_t;

/* Kinds of events, 1 or 0; 0 for an invalid descriptor. These require no selected PMU: the descriptor is one of
 * the Itanium 2 whatever PMU is selected. */
/** 1 for an EAR event. */
extern int pfm_ita2_is_ear(unsigned int i);
/** 1 for an event of the data EAR. */
extern int pfm_ita2_is_dear(unsigned int i);
/** 1 for an event of the data EAR in TLB mode. */
extern int pfm_ita2_is_dear_tlb(unsigned int i);
/** 1 for an event of the data EAR in cache mode. */
extern int pfm_ita2_is_dear_cache(unsigned int i);
/** 1 for an event of the data EAR in ALAT mode. */
extern int pfm_ita2_is_dear_alat(unsigned int i);
/** 1 for an event of the instruction EAR. */
extern int pfm_ita2_is_iear(unsigned int i);
/** 1 for an event of the instruction EAR in TLB mode. */
extern int pfm_ita2_is_iear_tlb(unsigned int i);
/** 1 for an event of the instruction EAR in cache mode. */
extern int pfm_ita2_is_iear_cache(unsigned int i);
/** 1 for the event of the branch trace buffer. */
extern int pfm_ita2_is_btb(unsigned int i);
/* Filters that apply to an event: opcode matching, code ranges, data ranges. */
/** 1 if opcode matching applies to the event. */
extern int pfm_ita2_support_opcm(unsigned int i);
/** 1 if code ranges apply to the event. */
extern int pfm_ita2_support_iarr(unsigned int i);
/** 1 if data ranges apply to the event. */
extern int pfm_ita2_support_darr(unsigned int i);

#define PFMLIB_ITA2_EVT_NO_GRP 0       /**< the event is in no group */
#define PFMLIB_ITA2_EVT_L1_CACHE_GRP 1 /**< events of the L1 cache; one set can be counted at a time */
#define PFMLIB_ITA2_EVT_L2_CACHE_GRP 2 /**< events of the L2 cache; one set can be counted at a time */
#define PFMLIB_ITA2_EVT_NO_SET -1      /**< the event is in no set */

/* Properties of an event. PFMLIB_ERR_INVAL for an invalid descriptor or a null pointer. */
/** Mode of the EAR of an EAR event; PFMLIB_ERR_INVAL for other events. */
extern int pfm_ita2_get_ear_mode(unsigned int i, pfmlib_ita2_ear_mode_t* m);
/** Maximum of occurrences in one cycle. */
extern int pfm_ita2_get_event_maxincr(unsigned int i, unsigned int* maxincr);
/** Unit mask of the event. */
extern int pfm_ita2_get_event_umask(unsigned int i, unsigned long* umask);
extern int pfm_ita2_get_event_group(unsigned int i, int* grp); /**< PFMLIB_ITA2_EVT_..._GRP */
extern int pfm_ita2_get_event_set(unsigned int i, int* set);   /**< set in the group, or PFMLIB_ITA2_EVT_NO_SET */

/** 1 if the result of a successful dispatch restricts the code in fine mode. */
extern int pfm_ita2_irange_is_fine(pfmlib_output_param_t* outp, pfmlib_ita2_output_param_t* mod_out);

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_ITANIUM2_H__ */
