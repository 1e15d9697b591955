/* Extensions of the generic interface for the dual-core Itanium 2 9000 (Montecito) (PFMLIB_MONTECITO_PMU). Names,
 * values and layouts are those of libpfm 3.10 (LP64), after libpfm_montecito(3): programs written for it compile and
 * link unchanged.
 *
 * Logical registers: PMC0-15 and 32-42, PMD4-15, 32-39 and 48-63 have the processor's numbers; the counters are
 * PMC/PMD 4 to 15. */
#ifndef __PFMLIB_MONTECITO_H__
#define __PFMLIB_MONTECITO_H__

#include <endian.h>

#include "perfmon/pfmlib.h"

#if BYTE_ORDER != LITTLE_ENDIAN
#error "the register views of this header are little-endian"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PMU_MONT_FIRST_COUNTER 4  /**< PMC and PMD number of the first counter */
#define PMU_MONT_NUM_COUNTERS 12  /**< PMC4 to PMC15 */
#define PMU_MONT_NUM_PMCS 27      /**< number of control registers */
#define PMU_MONT_NUM_PMDS 36      /**< number of data registers */
#define PMU_MONT_NUM_ETB 16       /**< entries of the execution trace buffer, PMD48 to PMD63 */
#define PMU_MONT_COUNTER_WIDTH 47 /**< width of a counter in bits */

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
    unsigned long pmc_ig2 : 1;
    unsigned long pmc_ism : 2; /**< 2 */
    unsigned long pmc_all : 1; /**< both threads */
    unsigned long pmc_i : 1;   /**< states of the line: invalid (i), shared (s), exclusive (e), modified (m) */
    unsigned long pmc_s : 1;
    unsigned long pmc_e : 1;
    unsigned long pmc_m : 1;
    unsigned long pmc_res3 : 33;
  } pmc_mont_counter_reg; /**< PMC4 to PMC15 */
  struct {
    unsigned long opcm_mask : 41;
    unsigned long opcm_ig1 : 7;
    unsigned long opcm_b : 1;
    unsigned long opcm_f : 1;
    unsigned long opcm_i : 1;
    unsigned long opcm_m : 1;
    unsigned long opcm_ig2 : 4;
    unsigned long opcm_inv : 1; /**< PMC32 only, like opcm_ig_ad */
    unsigned long opcm_ig_ad : 1;
    unsigned long opcm_ig3 : 6;
  } pmc32_34_mont_reg; /**< opcode matchers: mask and slots */
  struct {
    unsigned long opcm_match : 41;
    unsigned long opcm_ig1 : 23;
  } pmc33_35_mont_reg; /**< opcode matchers: match */
  struct {
    unsigned long opcm_ch0_ig_opcm : 1;
    unsigned long opcm_ch1_ig_opcm : 1;
    unsigned long opcm_ch2_ig_opcm : 1;
    unsigned long opcm_ch3_ig_opcm : 1;
    unsigned long opcm_res : 28;
    unsigned long opcm_ig : 32;
  } pmc36_mont_reg; /**< assigns opcode matchers to channels; a 0 enables the constraint */
  struct {
    unsigned long iear_plm : 4;
    unsigned long iear_pm : 1;
    unsigned long iear_umask : 8;
    unsigned long iear_ct : 1; /**< 1 */
    unsigned long iear_res : 2;
    unsigned long iear_ig : 48;
  } pmc37_mont_cache_reg; /**< instruction EAR, cache mode */
  struct {
    unsigned long iear_plm : 4;
    unsigned long iear_pm : 1;
    unsigned long iear_umask : 7;
    unsigned long iear_ct : 2; /**< 00 */
    unsigned long iear_res : 50;
  } pmc37_mont_tlb_reg; /**< instruction EAR, TLB mode */
  struct {
    unsigned long dear_plm : 4;
    unsigned long dear_ig1 : 2;
    unsigned long dear_pm : 1;
    unsigned long dear_mode : 2;
    unsigned long dear_ig2 : 7;
    unsigned long dear_umask : 4;
    unsigned long dear_ig3 : 4;
    unsigned long dear_ism : 2; /**< 2 */
    unsigned long dear_ig4 : 38;
  } pmc40_mont_reg; /**< data EAR */
  struct {
    unsigned long ipear_plm : 4;
    unsigned long ipear_ig1 : 2;
    unsigned long ipear_pm : 1;
    unsigned long ipear_ig2 : 1;
    unsigned long ipear_mode : 3; /**< 4 is on */
    unsigned long ipear_delay : 8;
    unsigned long ipear_ig3 : 45;
  } pmc42_mont_reg; /**< IP-EAR */
  struct {
    unsigned long etbc_plm : 4;
    unsigned long etbc_res1 : 2;
    unsigned long etbc_pm : 1;
    unsigned long etbc_ds : 1; /**< 0 */
    unsigned long etbc_tm : 2;
    unsigned long etbc_ptm : 2;
    unsigned long etbc_ppm : 2;
    unsigned long etbc_brt : 2;
    unsigned long etbc_ig : 48;
  } pmc39_mont_reg; /**< execution trace buffer */
  struct {
    unsigned long darc_res1 : 3;
    unsigned long darc_cfg_dtag0 : 2;
    unsigned long darc_res2 : 6;
    unsigned long darc_cfg_dtag1 : 2;
    unsigned long darc_res3 : 6;
    unsigned long darc_cfg_dtag2 : 2;
    unsigned long darc_res4 : 6;
    unsigned long darc_cfg_dtag3 : 2;
    unsigned long darc_res5 : 16;
    unsigned long darc_ena_dbrp0 : 1;
    unsigned long darc_ena_dbrp1 : 1;
    unsigned long darc_ena_dbrp2 : 1;
    unsigned long darc_ena_dbrp3 : 1;
    unsigned long darc_res6 : 15;
  } pmc41_mont_reg; /**< data address ranges */
  struct {
    unsigned long iarc_res1 : 1;
    unsigned long iarc_ig_ibrp0 : 1;
    unsigned long iarc_res2 : 2;
    unsigned long iarc_ig_ibrp1 : 1;
    unsigned long iarc_res3 : 2;
    unsigned long iarc_ig_ibrp2 : 1;
    unsigned long iarc_res4 : 2;
    unsigned long iarc_ig_ibrp3 : 1;
    unsigned long iarc_res5 : 2;
    unsigned long iarc_fine : 1;
    unsigned long iarc_ig6 : 50;
  } pmc38_mont_reg; /**< code address ranges; a 0 enables the constraint of the pair */
} pfm_mont_pmc_reg_t;

/** A data register, least significant field first. */
typedef union {
  unsigned long pmd_val; /**< all 64 bits */
  struct {
    unsigned long pmd_count : 47;
    unsigned long pmd_sxt47 : 17; /**< copies of bit 46 */
  } pmd_mont_counter_reg;         /**< PMD4 to PMD15 */
  struct {
    unsigned long dear_daddr;
  } pmd32_mont_reg; /**< data EAR: address of the data */
  struct {
    unsigned long dear_latency : 13;
    unsigned long dear_ov : 1;
    unsigned long dear_stat : 2;
    unsigned long dear_ig : 48;
  } pmd33_mont_reg; /**< data EAR: latency in cycles, and status */
  struct {
    unsigned long iear_stat : 2;
    unsigned long iear_ig : 3;
    unsigned long iear_iaddr : 59;
  } pmd34_mont_reg; /**< instruction EAR: status, and bits 63:5 of the address */
  struct {
    unsigned long iear_latency : 12;
    unsigned long iear_ov : 1;
    unsigned long iear_ig : 51;
  } pmd35_mont_reg; /**< instruction EAR: latency in cycles */
  struct {
    unsigned long dear_slot : 2;
    unsigned long dear_bn : 1;
    unsigned long dear_vl : 1;
    unsigned long dear_iaddr : 60;
  } pmd36_mont_reg; /**< data EAR: address of the instruction */
  struct {
    unsigned long etbi_ebi : 4; /**< next entry: 0 is PMD48 */
    unsigned long etbi_ig1 : 1;
    unsigned long etbi_full : 1;
    unsigned long etbi_ig2 : 58;
  } pmd38_mont_reg; /**< index of the trace buffer */
  struct {
    unsigned long etb_pmd48ext_b1 : 1;
    unsigned long etb_pmd48ext_bruflush : 1;
    unsigned long etb_pmd48ext_res : 2;
    unsigned long etb_pmd56ext_b1 : 1;
    unsigned long etb_pmd56ext_bruflush : 1;
    unsigned long etb_pmd56ext_res : 2;
    unsigned long etb_pmd49ext_b1 : 1;
    unsigned long etb_pmd49ext_bruflush : 1;
    unsigned long etb_pmd49ext_res : 2;
    unsigned long etb_pmd57ext_b1 : 1;
    unsigned long etb_pmd57ext_bruflush : 1;
    unsigned long etb_pmd57ext_res : 2;
    unsigned long etb_pmd50ext_b1 : 1;
    unsigned long etb_pmd50ext_bruflush : 1;
    unsigned long etb_pmd50ext_res : 2;
    unsigned long etb_pmd58ext_b1 : 1;
    unsigned long etb_pmd58ext_bruflush : 1;
    unsigned long etb_pmd58ext_res : 2;
    unsigned long etb_pmd51ext_b1 : 1;
    unsigned long etb_pmd51ext_bruflush : 1;
    unsigned long etb_pmd51ext_res : 2;
    unsigned long etb_pmd59ext_b1 : 1;
    unsigned long etb_pmd59ext_bruflush : 1;
    unsigned long etb_pmd59ext_res : 2;
    unsigned long etb_pmd52ext_b1 : 1;
    unsigned long etb_pmd52ext_bruflush : 1;
    unsigned long etb_pmd52ext_res : 2;
    unsigned long etb_pmd60ext_b1 : 1;
    unsigned long etb_pmd60ext_bruflush : 1;
    unsigned long etb_pmd60ext_res : 2;
    unsigned long etb_pmd53ext_b1 : 1;
    unsigned long etb_pmd53ext_bruflush : 1;
    unsigned long etb_pmd53ext_res : 2;
    unsigned long etb_pmd61ext_b1 : 1;
    unsigned long etb_pmd61ext_bruflush : 1;
    unsigned long etb_pmd61ext_res : 2;
    unsigned long etb_pmd54ext_b1 : 1;
    unsigned long etb_pmd54ext_bruflush : 1;
    unsigned long etb_pmd54ext_res : 2;
    unsigned long etb_pmd62ext_b1 : 1;
    unsigned long etb_pmd62ext_bruflush : 1;
    unsigned long etb_pmd62ext_res : 2;
    unsigned long etb_pmd55ext_b1 : 1;
    unsigned long etb_pmd55ext_bruflush : 1;
    unsigned long etb_pmd55ext_res : 2;
    unsigned long etb_pmd63ext_b1 : 1;
    unsigned long etb_pmd63ext_bruflush : 1;
    unsigned long etb_pmd63ext_res : 2;
  } pmd39_mont_reg; /**< extensions of PMD48 to PMD63, branches */
  struct {
    unsigned long ipear_pmd48ext_cycles : 2;
    unsigned long ipear_pmd48ext_f : 1;
    unsigned long ipear_pmd48ext_ef : 1;
    unsigned long ipear_pmd56ext_cycles : 2;
    unsigned long ipear_pmd56ext_f : 1;
    unsigned long ipear_pmd56ext_ef : 1;
    unsigned long ipear_pmd49ext_cycles : 2;
    unsigned long ipear_pmd49ext_f : 1;
    unsigned long ipear_pmd49ext_ef : 1;
    unsigned long ipear_pmd57ext_cycles : 2;
    unsigned long ipear_pmd57ext_f : 1;
    unsigned long ipear_pmd57ext_ef : 1;
    unsigned long ipear_pmd50ext_cycles : 2;
    unsigned long ipear_pmd50ext_f : 1;
    unsigned long ipear_pmd50ext_ef : 1;
    unsigned long ipear_pmd58ext_cycles : 2;
    unsigned long ipear_pmd58ext_f : 1;
    unsigned long ipear_pmd58ext_ef : 1;
    unsigned long ipear_pmd51ext_cycles : 2;
    unsigned long ipear_pmd51ext_f : 1;
    unsigned long ipear_pmd51ext_ef : 1;
    unsigned long ipear_pmd59ext_cycles : 2;
    unsigned long ipear_pmd59ext_f : 1;
    unsigned long ipear_pmd59ext_ef : 1;
    unsigned long ipear_pmd52ext_cycles : 2;
    unsigned long ipear_pmd52ext_f : 1;
    unsigned long ipear_pmd52ext_ef : 1;
    unsigned long ipear_pmd60ext_cycles : 2;
    unsigned long ipear_pmd60ext_f : 1;
    unsigned long ipear_pmd60ext_ef : 1;
    unsigned long ipear_pmd53ext_cycles : 2;
    unsigned long ipear_pmd53ext_f : 1;
    unsigned long ipear_pmd53ext_ef : 1;
    unsigned long ipear_pmd61ext_cycles : 2;
    unsigned long ipear_pmd61ext_f : 1;
    unsigned long ipear_pmd61ext_ef : 1;
    unsigned long ipear_pmd54ext_cycles : 2;
    unsigned long ipear_pmd54ext_f : 1;
    unsigned long ipear_pmd54ext_ef : 1;
    unsigned long ipear_pmd62ext_cycles : 2;
    unsigned long ipear_pmd62ext_f : 1;
    unsigned long ipear_pmd62ext_ef : 1;
    unsigned long ipear_pmd55ext_cycles : 2;
    unsigned long ipear_pmd55ext_f : 1;
    unsigned long ipear_pmd55ext_ef : 1;
    unsigned long ipear_pmd63ext_cycles : 2;
    unsigned long ipear_pmd63ext_f : 1;
    unsigned long ipear_pmd63ext_ef : 1;
  } pmd39_ipear_mont_reg; /**< extensions of PMD48 to PMD63, IP-EAR; cycles: bits 5 and 4 */
  struct {
    unsigned long etb_s : 1; /**< 1 a branch, 0 a target */
    unsigned long etb_mp : 1;
    unsigned long etb_slot : 2;
    unsigned long etb_addr : 60;
  } pmd48_63_etb_mont_reg; /**< branches */
  struct {
    unsigned long ipear_addr : 60;  /**< bits 63 to 4 */
    unsigned long ipear_cycles : 4; /**< bits 3 to 0 */
  } pmd48_63_ipear_mont_reg;        /**< IP-EAR, ef of the extension is 0 */
  struct {
    unsigned long ipear_delay : 8;
    unsigned long ipear_addr : 52;  /**< bits 63 to 12 */
    unsigned long ipear_cycles : 4; /**< bits 3 to 0 */
  } pmd48_63_ipear_ef_mont_reg;     /**< IP-EAR, ef of the extension is 1 */
} pfm_mont_pmd_reg_t;

/* Values of pfmlib_mont_counter_t.flags. */
#define PFMLIB_MONT_FL_EVT_NO_QUALCHECK 0x1 /**< count even if the event ignores an active filter */
#define PFMLIB_MONT_FL_EVT_ALL_THRD 0x2     /**< count both threads; gives PFMLIB_ERR_NOTSUPP, as in libpfm */
#define PFMLIB_MONT_FL_EVT_ACTIVE_ONLY 0x4  /**< no effect */
#define PFMLIB_MONT_FL_EVT_ALWAYS 0x8       /**< no effect */

/** Settings of the counter of an event. */
typedef struct {
  unsigned int flags; /**< PFMLIB_MONT_FL_EVT_... */
  unsigned int thres; /**< 1 to 7: add 1 in cycles with more than thres occurrences; only the low three bits are used */
} pfmlib_mont_counter_t;

/** Opcode matcher: the slot types that match (low bits), and all 41 bits of the instruction. */
typedef struct {
  unsigned char opcm_used;  /**< not 0: use it */
  unsigned char opcm_m;     /**< slots of type M */
  unsigned char opcm_i;     /**< slots of type I */
  unsigned char opcm_f;     /**< slots of type F */
  unsigned char opcm_b;     /**< slots of type B */
  unsigned long opcm_match; /**< value of the compared bits */
  unsigned long opcm_mask;  /**< 1 for bits that are not compared */
} pfmlib_mont_opcm_t;

/** Configuration of the execution trace buffer. */
typedef struct {
  unsigned char etb_used; /**< not 0: configure it */
  unsigned char etb_ds;   /**< no effect, because the processor has no such mode; padding in libpfm's header */
  unsigned int etb_plm;   /**< 0: pfp_dfl_plm */
  unsigned char etb_tm;   /**< bit 0 not taken, bit 1 taken branches */
  unsigned char etb_ptm;  /**< bit 0 wrong, bit 1 right target predictions */
  unsigned char etb_ppm;  /**< bit 0 wrong, bit 1 right path predictions */
  unsigned char etb_brt;  /**< 0 all, 1 IP-relative, 2 return, 3 other indirect branches */
} pfmlib_mont_etb_t;

/** Configuration of the IP-EAR: the trace buffer records retiring instructions. Not together with branches. */
typedef struct {
  unsigned char ipear_used;   /**< not 0: configure it */
  unsigned int ipear_plm;     /**< 0: pfp_dfl_plm */
  unsigned short ipear_delay; /**< cycles from the freeze of the counters to the freeze of the buffer; only the low
                                 eight bits are used */
} pfmlib_mont_ipear_t;

/** Modes of the event address registers. */
typedef enum {
  PFMLIB_MONT_EAR_CACHE_MODE = 0, /**< cache misses */
  PFMLIB_MONT_EAR_TLB_MODE = 1,   /**< TLB misses */
  PFMLIB_MONT_EAR_ALAT_MODE = 2   /**< data EAR only */
} pfmlib_mont_ear_mode_t;

/** Configuration of an event address register. */
typedef struct {
  unsigned char ear_used;          /**< not 0: configure it */
  pfmlib_mont_ear_mode_t ear_mode; /**< kind of captured events */
  unsigned int ear_plm;            /**< 0: pfp_dfl_plm */
  unsigned long ear_umask;         /**< unit mask of PMC37 or PMC40 */
} pfmlib_mont_ear_t;

/* Values of pfmlib_mont_input_rr_t.rr_flags. */
#define PFMLIB_MONT_RR_INV 0x1             /**< code ranges: match outside the range on pairs 0 and 2 */
#define PFMLIB_MONT_RR_NO_FINE_MODE 0x2    /**< code ranges: do not use fine mode */
#define PFMLIB_MONT_IRR_DEMAND_FETCH 0x4   /**< code ranges: restrict demand fetches; this or the next is required */
#define PFMLIB_MONT_IRR_PREFETCH_MATCH 0x8 /**< code ranges: restrict prefetches; may be combined with the previous */

/** A requested address range. */
typedef struct {
  unsigned int rr_plm;    /**< 0: pfp_dfl_plm */
  unsigned long rr_start; /**< first address */
  unsigned long rr_end;   /**< first address after the range */
} pfmlib_mont_input_rr_desc_t;

/** Number of bytes by which the registers cover more than the requested range. */
typedef struct {
  unsigned long rr_soff; /**< before the start */
  unsigned long rr_eoff; /**< after the end */
} pfmlib_mont_output_rr_desc_t;

/** Requested address ranges of code or of data. */
typedef struct {
  unsigned int rr_flags;                    /**< PFMLIB_MONT_RR_... and PFMLIB_MONT_IRR_...; for code ranges only */
  pfmlib_mont_input_rr_desc_t rr_limits[4]; /**< ends before the first entry with start 0 and end 0 */
  unsigned char rr_used;                    /**< not 0: the ranges restrict the events */
} pfmlib_mont_input_rr_t;

/** Address ranges that the registers cover. */
typedef struct {
  unsigned int rr_nbr_used;                 /**< entries of rr_br */
  pfmlib_mont_output_rr_desc_t rr_infos[4]; /**< one for each range */
  pfmlib_reg_t rr_br[8];                    /**< IBRs or DBRs; reg_num is the number */
} pfmlib_mont_output_rr_t;

/** model_in: entry i of the counters belongs to event i. */
typedef struct {
  pfmlib_mont_counter_t pfp_mont_counters[PMU_MONT_NUM_COUNTERS]; /**< one for each event */
  unsigned long pfp_mont_flags;                                   /**< unused */
  pfmlib_mont_opcm_t pfp_mont_opcm1;                              /**< first opcode matcher, PMC32 and PMC33 */
  pfmlib_mont_opcm_t pfp_mont_opcm2;                              /**< second opcode matcher, PMC34 and PMC35 */
  pfmlib_mont_ear_t pfp_mont_iear;                                /**< instruction EAR */
  pfmlib_mont_ear_t pfp_mont_dear;                                /**< data EAR */
  pfmlib_mont_etb_t pfp_mont_etb;                                 /**< execution trace buffer */
  pfmlib_mont_ipear_t pfp_mont_ipear;                             /**< IP-EAR */
  pfmlib_mont_input_rr_t pfp_mont_drange;                         /**< data ranges */
  pfmlib_mont_input_rr_t pfp_mont_irange;                         /**< code ranges */
  unsigned long reserved[1];                                      /**< 0 */
} pfmlib_mont_input_param_t;

/** model_out: requires a model_in; must be given if a range is used. */
typedef struct {
  pfmlib_mont_output_rr_t pfp_mont_drange; /**< data ranges */
  pfmlib_mont_output_rr_t pfp_mont_irange; /**< code ranges */
  unsigned long reserved[6];               /**< 0 */
} pfmlib_mont_output_param_t;

/* Kinds of events, 1 or 0; 0 for an invalid descriptor. These require no selected PMU: the descriptor is one of
 * the Montecito whatever PMU is selected. */
/** 1 for an EAR event. */
extern int pfm_mont_is_ear(unsigned int i);
/** 1 for an event of the data EAR. */
extern int pfm_mont_is_dear(unsigned int i);
/** 1 for an event of the data EAR in TLB mode. */
extern int pfm_mont_is_dear_tlb(unsigned int i);
/** 1 for an event of the data EAR in cache mode. */
extern int pfm_mont_is_dear_cache(unsigned int i);
/** 1 for an event of the data EAR in ALAT mode. */
extern int pfm_mont_is_dear_alat(unsigned int i);
/** 1 for an event of the instruction EAR. */
extern int pfm_mont_is_iear(unsigned int i);
/** 1 for an event of the instruction EAR in TLB mode. */
extern int pfm_mont_is_iear_tlb(unsigned int i);
/** 1 for an event of the instruction EAR in cache mode. */
extern int pfm_mont_is_iear_cache(unsigned int i);
/** 1 for the event of the execution trace buffer. */
extern int pfm_mont_is_etb(unsigned int i);
/* Filters that apply to an event: opcode matching, code ranges, data ranges. */
/** 1 if opcode matching applies to the event. */
extern int pfm_mont_support_opcm(unsigned int i);
/** 1 if code ranges apply to the event. */
extern int pfm_mont_support_iarr(unsigned int i);
/** 1 if data ranges apply to the event. */
extern int pfm_mont_support_darr(unsigned int i);
extern int pfm_mont_support_all(unsigned int i); /**< always 0: no event is marked for PFMLIB_MONT_FL_EVT_ALL_THRD */

#define PFMLIB_MONT_EVT_NO_GRP 0        /**< the event is in no group */
#define PFMLIB_MONT_EVT_L1D_CACHE_GRP 1 /**< events of the L1 data cache; one set can be counted at a time */
#define PFMLIB_MONT_EVT_L2D_CACHE_GRP 2 /**< events of the L2 data cache; two sets can be counted at a time */
#define PFMLIB_MONT_EVT_NO_SET -1       /**< the event is in no set */

#define PFMLIB_MONT_EVT_ACTIVE 0        /**< occurs in the active thread */
#define PFMLIB_MONT_EVT_FLOATING 1      /**< occurs for its thread, which may be inactive at that time */
#define PFMLIB_MONT_EVT_CAUSAL 2        /**< belongs to no thread */
#define PFMLIB_MONT_EVT_SELF_FLOATING 3 /**< floating under .me, causal under .all */

/* Properties of an event. PFMLIB_ERR_INVAL for an invalid descriptor or a null pointer. */
/** Mode of the EAR of an EAR event; PFMLIB_ERR_INVAL for other events. */
extern int pfm_mont_get_ear_mode(unsigned int i, pfmlib_mont_ear_mode_t* m);
/** Maximum of occurrences in one cycle. */
extern int pfm_mont_get_event_maxincr(unsigned int i, unsigned int* maxincr);
/** Unit mask of the event. */
extern int pfm_mont_get_event_umask(unsigned int i, unsigned long* umask);
extern int pfm_mont_get_event_group(unsigned int i, int* grp); /**< PFMLIB_MONT_EVT_..._GRP */
/** Set of the event in its group, or PFMLIB_MONT_EVT_NO_SET. The numbers have no meaning except equality. */
extern int pfm_mont_get_event_set(unsigned int i, int* set);
extern int pfm_mont_get_event_type(unsigned int i, int* type); /**< PFMLIB_MONT_EVT_ACTIVE ... */

/** 1 if the result of a successful dispatch restricts the code in fine mode. */
extern int pfm_mont_irange_is_fine(pfmlib_output_param_t* outp, pfmlib_mont_output_param_t* mod_out);

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_MONTECITO_H__ */
