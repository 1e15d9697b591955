/* The generic libpfm-3 interface: names, values, layouts and return codes of libpfm 3.10 (LP64), for the
 * PMUs of this library. Programs written for libpfm-3 compile and link unchanged. Extensions of this library
 * are marked as such.
 *
 * Calls return PFMLIB_SUCCESS or a negative code. Most calls require a selected PMU (pfm_initialize or
 * pfm_force_pmu) and return PFMLIB_ERR_NOINIT without one. After the selection all calls are thread-safe. */
#ifndef __PFMLIB_H__
#define __PFMLIB_H__

#include <inttypes.h>
#include <stdio.h>

#include "perfmon/pfmlib_comp.h"
#include "perfmon/pfmlib_os.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the interface: the major number in bits 31:16, the minor one in bits 15:0. */
#define PFMLIB_VERSION (3 << 16 | 10)
/** Major number of a version. */
#define PFMLIB_MAJ_VERSION(v) ((v) >> 16)
/** Minor number of a version. */
#define PFMLIB_MIN_VERSION(v) ((v)&0xffff)

/* Limits. */
#define PFMLIB_MAX_PMCS 512 /**< logical control registers that a set or an input can name */
#define PFMLIB_MAX_PMDS 512 /**< logical data registers that a set or an output can name */
/** Bits of a register set. */
#define PFMLIB_REG_MAX (PFMLIB_MAX_PMCS > PFMLIB_MAX_PMDS ? PFMLIB_MAX_PMCS : PFMLIB_MAX_PMDS)
#define PFMLIB_MAX_MASKS_PER_EVENT 48 /**< most unit masks of one event */

/* Privilege levels, which can be combined; 0 is the most privileged. On machines with two levels, level 0 is the
 * kernel and each other level the user. */
#define PFM_PLM0 0x1 /**< most privileged level, kernel */
#define PFM_PLM1 0x2 /**< level 1; the user's on machines with two levels */
#define PFM_PLM2 0x4 /**< level 2; the user's on machines with two levels */
#define PFM_PLM3 0x8 /**< least privileged level, user */

/* pfp_flags: the session is system wide. */
#define PFMLIB_PFP_SYSTEMWIDE 0x1 /**< for pfmlib_input_param_t.pfp_flags */

/* Return codes. */
#define PFMLIB_SUCCESS 0          /**< no error */
#define PFMLIB_ERR_NOTSUPP -1     /**< not supported */
#define PFMLIB_ERR_INVAL -2       /**< bad argument */
#define PFMLIB_ERR_NOINIT -3      /**< no PMU is selected */
#define PFMLIB_ERR_NOTFOUND -4    /**< no such event */
#define PFMLIB_ERR_NOASSIGN -5    /**< the events do not fit the counters */
#define PFMLIB_ERR_FULL -6        /**< the caller's buffer is too small */
#define PFMLIB_ERR_EVTMANY -7     /**< an event given more than once */
#define PFMLIB_ERR_MAGIC -8       /**< a model block of the wrong kind */
#define PFMLIB_ERR_FEATCOMB -9    /**< features that exclude each other */
#define PFMLIB_ERR_EVTSET -10     /**< event sets that exclude each other */
#define PFMLIB_ERR_EVTINCOMP -11  /**< events that exclude each other */
#define PFMLIB_ERR_TOOMANY -12    /**< too many events or unit masks */
#define PFMLIB_ERR_IRRTOOBIG -13  /**< code range too large */
#define PFMLIB_ERR_IRREMPTY -14   /**< code range empty */
#define PFMLIB_ERR_IRRINVAL -15   /**< code range invalid */
#define PFMLIB_ERR_IRRTOOMANY -16 /**< too many code ranges */
#define PFMLIB_ERR_DRRINVAL -17   /**< data range invalid */
#define PFMLIB_ERR_DRRTOOMANY -18 /**< too many data ranges */
#define PFMLIB_ERR_BADHOST -19    /**< not available on this processor */
#define PFMLIB_ERR_IRRALIGN -20   /**< code range not on bundle boundaries */
#define PFMLIB_ERR_IRRFLAGS -21   /**< code range lacks its flags */
#define PFMLIB_ERR_UMASK -22      /**< unit mask wrong or missing */
#define PFMLIB_ERR_NOMEM -23      /**< out of memory */

/** @name PMU types
 * The numbers of libpfm 3. The library supports Itanium 2, Montecito and the types of the next block. It returns
 * PFMLIB_ERR_NOTSUPP for all others.
 * @{ */
/** A type of libpfm 3. */
#define PFMLIB_NO_PMU -1     /**< no PMU; terminates lists */
#define PFMLIB_UNKNOWN_PMU 0 /**< unknown type */
#define PFMLIB_GEN_IA64_PMU 1
#define PFMLIB_ITANIUM_PMU 2
#define PFMLIB_ITANIUM2_PMU 3
#define PFMLIB_MONTECITO_PMU 4
#define PFMLIB_AMD64_PMU 16
#define PFMLIB_I386_P6_PMU 32
#define PFMLIB_PENTIUM4_PMU 33
#define PFMLIB_COREDUO_PMU 34
#define PFMLIB_I386_PM_PMU 35
#define PFMLIB_CORE_PMU 36 /**< older name of PFMLIB_INTEL_CORE_PMU */
#define PFMLIB_INTEL_CORE_PMU 36
#define PFMLIB_INTEL_PPRO_PMU 37
#define PFMLIB_INTEL_PII_PMU 38
#define PFMLIB_INTEL_ATOM_PMU 39
#define PFMLIB_INTEL_NHM_PMU 40
#define PFMLIB_INTEL_WSM_PMU 41
#define PFMLIB_GEN_IA32_PMU 63
#define PFMLIB_MIPS_20KC_PMU 64
#define PFMLIB_MIPS_24K_PMU 65
#define PFMLIB_MIPS_25KF_PMU 66
#define PFMLIB_MIPS_34K_PMU 67
#define PFMLIB_MIPS_5KC_PMU 68
#define PFMLIB_MIPS_74K_PMU 69
#define PFMLIB_MIPS_R10000_PMU 70
#define PFMLIB_MIPS_R12000_PMU 71
#define PFMLIB_MIPS_RM7000_PMU 72
#define PFMLIB_MIPS_RM9000_PMU 73
#define PFMLIB_MIPS_SB1_PMU 74
#define PFMLIB_MIPS_VR5432_PMU 75
#define PFMLIB_MIPS_VR5500_PMU 76
#define PFMLIB_MIPS_ICE9A_PMU 77
#define PFMLIB_MIPS_ICE9B_PMU 78
#define PFMLIB_POWERPC_PMU 90
#define PFMLIB_CRAYX2_PMU 96
#define PFMLIB_CELL_PMU 100
#define PFMLIB_PPC970_PMU 110
#define PFMLIB_PPC970MP_PMU 111
#define PFMLIB_POWER3_PMU 112
#define PFMLIB_POWER4_PMU 113
#define PFMLIB_POWER5_PMU 114
#define PFMLIB_POWER5p_PMU 115
#define PFMLIB_POWER6_PMU 116
#define PFMLIB_POWER7_PMU 117
#define PFMLIB_SPARC_ULTRA12_PMU 130
#define PFMLIB_SPARC_ULTRA3_PMU 131
#define PFMLIB_SPARC_ULTRA3I_PMU 132
#define PFMLIB_SPARC_ULTRA3PLUS_PMU 133
#define PFMLIB_SPARC_ULTRA4PLUS_PMU 134
#define PFMLIB_SPARC_NIAGARA1_PMU 135
#define PFMLIB_SPARC_NIAGARA2_PMU 136
/** @} */

/* Extension: types of this library, outside the numbers of libpfm-3. */
#define PFMLIB_ATHLON_PMU 256      /**< AMD Athlon (K7) */
#define PFMLIB_PPC750GX_PMU 257    /**< IBM PowerPC 750GX, and the 750GL, which has the same performance monitor */
#define PFMLIB_ALPHA_EV4_PMU 258   /**< Alpha 21064 family */
#define PFMLIB_ALPHA_EV5_PMU 259   /**< Alpha 21164, 21164A */
#define PFMLIB_ALPHA_PCA56_PMU 260 /**< Alpha 21164PC */
#define PFMLIB_ALPHA_EV6_PMU 261   /**< Alpha 21264 */
#define PFMLIB_ALPHA_EV67_PMU 262  /**< Alpha 21264A */

typedef unsigned long pfmlib_regmask_bits_t; /**< a word of a register set */
/** Number of bits in a word of a register set. */
#define __PFMLIB_REG_BV_BITS (sizeof(pfmlib_regmask_bits_t) << 3)
/** Number of words in a set of x bits. */
#define PFMLIB_BVSIZE(x) (((x) + (__PFMLIB_REG_BV_BITS)-1) / __PFMLIB_REG_BV_BITS)
#define PFMLIB_REG_BV PFMLIB_BVSIZE(PFMLIB_REG_MAX) /**< number of words in a register set */
/** Index of the word that contains bit g. */
#define __PFMLIB_REGMASK_EL(g) ((g) / __PFMLIB_REG_BV_BITS)
/** Mask of bit g in its word. */
#define __PFMLIB_REGMASK_MASK(g) (((pfmlib_regmask_bits_t)1) << ((g) % __PFMLIB_REG_BV_BITS))

/** A set of registers, with one bit for each. The pfm_regmask_... functions read and write it. */
typedef struct {
  pfmlib_regmask_bits_t bits[PFMLIB_REG_BV]; /**< bit n % 64 of word n / 64 is register n */
} pfmlib_regmask_t;

typedef int pfm_err_t; /**< PFMLIB_SUCCESS, or one of PFMLIB_ERR_... */

/** An event to count. */
typedef struct {
  unsigned int event;                                  /**< descriptor: 0 .. pfm_get_num_events() - 1 */
  unsigned int plm;                                    /**< privilege levels; 0: pfp_dfl_plm */
  unsigned long flags;                                 /**< unused */
  unsigned int unit_masks[PFMLIB_MAX_MASKS_PER_EVENT]; /**< descriptors of unit masks, not their codes */
  unsigned int num_masks;    /**< entries of unit_masks; 0: the default of the event, if it has one */
  unsigned long reserved[2]; /**< 0 */
} pfmlib_event_t;

/** A register to program. The values of data registers are 0. */
typedef struct {
  unsigned long long reg_value; /**< value to write */
  unsigned long long reg_addr;  /**< number in the processor (MSR, SPR) */
  unsigned int reg_num;         /**< logical number */
  unsigned int reg_reserved1;   /**< 0 */
  unsigned long reg_alt_addr;   /**< second number of the same register */
} pfmlib_reg_t;

/** Input of pfm_dispatch_events(). */
typedef struct {
  unsigned int pfp_event_count;               /**< entries of pfp_events, up to the number of counters */
  unsigned int pfp_dfl_plm;                   /**< privilege levels of events whose plm is 0; must not be 0 */
  unsigned int pfp_flags;                     /**< PFMLIB_PFP_... */
  unsigned int reserved1;                     /**< 0 */
  pfmlib_event_t pfp_events[PFMLIB_MAX_PMCS]; /**< events to count in one run */
  pfmlib_regmask_t pfp_unavail_pmcs;          /**< control registers that must not be used */
  unsigned long reserved[6];                  /**< 0 */
} pfmlib_input_param_t;

/** Output of pfm_dispatch_events(): the registers in the order in which they must be written. */
typedef struct {
  unsigned int pfp_pmc_count;             /**< entries of pfp_pmcs */
  unsigned int pfp_pmd_count;             /**< entries of pfp_pmds */
  pfmlib_reg_t pfp_pmcs[PFMLIB_MAX_PMCS]; /**< control registers with their values */
  pfmlib_reg_t pfp_pmds[PFMLIB_MAX_PMDS]; /**< entry i is the counter of event i */
  unsigned long reserved[7];              /**< 0 */
} pfmlib_output_param_t;

/** Selects the output of the library, which goes to standard error unless LIBPFM_DEBUG_STDOUT redirects it. */
typedef struct {
  unsigned int pfm_debug : 1;     /**< print every failure */
  unsigned int pfm_verbose : 1;   /**< print the choices and the resulting values */
  unsigned int pfm_reserved : 30; /**< 0 */
} pfmlib_options_t;

/* Set-up. */
/** Sets the output options. Options that pfm_initialize() read from LIBPFM_DEBUG or LIBPFM_VERBOSE take precedence. */
extern pfm_err_t pfm_set_options(pfmlib_options_t* opt);
/** Reads LIBPFM_VERBOSE, LIBPFM_DEBUG, LIBPFM_DEBUG_STDOUT and LIBPFM_FORCE_PMU and selects a PMU: the type in
 * LIBPFM_FORCE_PMU, else the type of the last pfm_force_pmu(), else PFMLIB_ATHLON_PMU. */
extern pfm_err_t pfm_initialize(void);
/** Prints the names of all PMUs and marks the selected one. `pf` is a function like printf. */
extern pfm_err_t pfm_list_supported_pmus(int (*pf)(const char* fmt, ...));
/** Name of the selected PMU, truncated to `maxlen` bytes including the terminator. */
extern pfm_err_t pfm_get_pmu_name(char* name, int maxlen);
/** Type of the selected PMU (PFMLIB_..._PMU). */
extern pfm_err_t pfm_get_pmu_type(int* type);
/** Name of a type, truncated to `maxlen` bytes including the terminator. PFMLIB_ERR_INVAL for an unsupported type.
 * Requires no selected PMU. */
extern pfm_err_t pfm_get_pmu_name_bytype(int type, char* name, size_t maxlen);
/** PFMLIB_SUCCESS for a supported type, else PFMLIB_ERR_NOTSUPP. */
extern pfm_err_t pfm_is_pmu_supported(int type);
/** Selects a PMU. PFMLIB_ERR_NOTSUPP for an unsupported type; the selection then stays. */
extern pfm_err_t pfm_force_pmu(int type);

/* Look-up of events and unit masks. */
/** Descriptor of an event by name, like pfm_find_event_byname(), or by code if the text begins with a digit (C
 * notation). PFMLIB_ERR_NOTFOUND for an unknown event, PFMLIB_ERR_INVAL for a malformed number. */
extern pfm_err_t pfm_find_event(const char* str, unsigned int* idx);
/** Descriptor of the event with the name before the first colon, in any case. PFMLIB_ERR_NOTFOUND for an unknown
 * event. */
extern pfm_err_t pfm_find_event_byname(const char* name, unsigned int* idx);
/** Descriptor of the first event that has this code on its first counter. PFMLIB_ERR_NOTFOUND if there is none. */
extern pfm_err_t pfm_find_event_bycode(int code, unsigned int* idx);
/** Like pfm_find_event_bycode(), but searches after descriptor `start`. */
extern pfm_err_t pfm_find_event_bycode_next(int code, unsigned int start, unsigned int* next);
/** Descriptor of an event's unit mask by name, in any case, or by code in C notation. PFMLIB_ERR_UMASK for an unknown
 * unit mask. */
extern pfm_err_t pfm_find_event_mask(unsigned int event_idx, const char* str, unsigned int* mask_idx);
/** Parses EVENT[:MASK]...: sets event, unit_masks and num_masks, and clears the other members. A number may be the
 * combined code of several masks. PFMLIB_ERR_NOTFOUND, PFMLIB_ERR_UMASK (unknown or missing) or PFMLIB_ERR_TOOMANY. */
extern pfm_err_t pfm_find_full_event(const char* str, pfmlib_event_t* e);

/* Properties of events and unit masks. Descriptions are allocated; the caller must free them. */
/** Length in bytes of the longest event name with all its unit masks, without the terminator. */
extern pfm_err_t pfm_get_max_event_name_len(size_t* len);
/** Number of events; the descriptors are 0 to count - 1. */
extern pfm_err_t pfm_get_num_events(unsigned int* count);
/** Number of an event's unit masks; their descriptors are 0 to count - 1. PFMLIB_ERR_INVAL for an unknown event. */
extern pfm_err_t pfm_get_num_event_masks(unsigned int event_idx, unsigned int* count);
/** Name of an event in capitals. PFMLIB_ERR_INVAL for an unknown event or a buffer that is too small. */
extern pfm_err_t pfm_get_event_name(unsigned int idx, char* name, size_t maxlen);
/** Name of an event in capitals, followed by the unit masks of `e`, separated by colons. PFMLIB_ERR_FULL for a buffer
 * that is too small: each mask needs one byte more than its name and colon. */
extern pfm_err_t pfm_get_full_event_name(pfmlib_event_t* e, char* name, size_t maxlen);
/** Code of an event on its first counter. */
extern pfm_err_t pfm_get_event_code(unsigned int idx, int* code);
/** Code of a unit mask; 0 on PMUs without unit masks. */
extern pfm_err_t pfm_get_event_mask_code(unsigned int idx, unsigned int mask_idx, unsigned int* code);
/** Counters (PMD numbers) that can count the event. */
extern pfm_err_t pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t* counters);
/** Meaning of the event in one sentence; the caller must free it. */
extern pfm_err_t pfm_get_event_description(unsigned int idx, char** str);
/** Code of an event on counter `cnt` (a PMD number; ~0u is the first). PFMLIB_ERR_INVAL if that counter cannot
 * count it. */
extern pfm_err_t pfm_get_event_code_counter(unsigned int idx, unsigned int cnt, int* code);
/** Name of a unit mask in capitals. PFMLIB_ERR_NOTSUPP for an event without unit masks, PFMLIB_ERR_FULL for a buffer
 * that is too small. */
extern pfm_err_t pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx, char* name, size_t maxlen);
/** Meaning of a unit mask; the caller must free it. */
extern pfm_err_t pfm_get_event_mask_description(unsigned int event_idx, unsigned int mask_idx, char** desc);
/** The event that counts cycles, without privilege levels. */
extern pfm_err_t pfm_get_cycle_event(pfmlib_event_t* e);
/** The event that counts instructions retired, without privilege levels. */
extern pfm_err_t pfm_get_inst_retired_event(pfmlib_event_t* e);

/** Computes the registers for events. model_in and model_out are the blocks of the selected PMU's header, or NULL.
 * Fails with PFMLIB_ERR_INVAL (input), PFMLIB_ERR_TOOMANY and PFMLIB_ERR_UMASK (unit masks), PFMLIB_ERR_NOASSIGN
 * (counters), PFMLIB_ERR_FEATCOMB, PFMLIB_ERR_EVTSET, PFMLIB_ERR_EVTINCOMP (settings that exclude each other), and on
 * IA-64 PMUs with the codes of address ranges; pfm_last_error() returns the reason. */
extern pfm_err_t pfm_dispatch_events(pfmlib_input_param_t* p, void* model_in, pfmlib_output_param_t* q,
                                     void* model_out);

/* Registers. */
/** Set of the implemented control registers. */
extern pfm_err_t pfm_get_impl_pmcs(pfmlib_regmask_t* impl_pmcs);
/** Set of the implemented data registers. */
extern pfm_err_t pfm_get_impl_pmds(pfmlib_regmask_t* impl_pmds);
/** Set of the implemented counters, by PMD number. */
extern pfm_err_t pfm_get_impl_counters(pfmlib_regmask_t* impl_counters);
/** Number of data registers. */
extern pfm_err_t pfm_get_num_pmds(unsigned int* num);
/** Number of control registers. */
extern pfm_err_t pfm_get_num_pmcs(unsigned int* num);
/** Number of counters. */
extern pfm_err_t pfm_get_num_counters(unsigned int* num);
/** Width of a counter in bits. */
extern pfm_err_t pfm_get_hw_counter_width(unsigned int* width);

/** PFMLIB_VERSION of the library. Requires no selected PMU. */
extern pfm_err_t pfm_get_version(unsigned int* version);
/** Text of a return code. Never NULL; the caller must not modify it. */
extern char* pfm_strerror(int code);

/** Extension: the complete message of the calling thread's last failure. It names the event, the limit and the
 * nearest valid choice, if there is one. "" before the first failure. Valid until the thread's next failure. */
extern const char* pfm_last_error(void);

/** Extension: selects the behaviours of libpfm 3.10 to reproduce that contradict its manual pages (IA-64 PMUs; the
 * project's page on deviations lists them). `words` is a comma-separated list of names: "libpfm-3.10" selects all that
 * libpfm shows on a detected processor, "unrounded-fine" the additional one of a forced PMU. NULL or "": none. The
 * environment variable PFMLIB_QUIRKS, read by pfm_initialize and by the first selection, has the same effect; the
 * latest setting applies. PFMLIB_ERR_INVAL for an unknown name; the setting then stays. */
extern pfm_err_t pfm_set_quirks(const char* words);

/* Register sets. */
/** 1 if register b is in the set, else 0. */
static inline int pfm_regmask_isset(pfmlib_regmask_t* h, unsigned int b) {
  if (b >= PFMLIB_REG_MAX) return 0;
  return (h->bits[__PFMLIB_REGMASK_EL(b)] & __PFMLIB_REGMASK_MASK(b)) != 0;
}

/** Adds register b. PFMLIB_ERR_INVAL for a number that is too large. */
static inline int pfm_regmask_set(pfmlib_regmask_t* h, unsigned int b) {
  if (b >= PFMLIB_REG_MAX) return PFMLIB_ERR_INVAL;
  h->bits[__PFMLIB_REGMASK_EL(b)] |= __PFMLIB_REGMASK_MASK(b);
  return PFMLIB_SUCCESS;
}

/** Removes register b. PFMLIB_ERR_INVAL for a number that is too large. */
static inline int pfm_regmask_clr(pfmlib_regmask_t* h, unsigned int b) {
  if (h == NULL || b >= PFMLIB_REG_MAX) return PFMLIB_ERR_INVAL;
  h->bits[__PFMLIB_REGMASK_EL(b)] &= ~__PFMLIB_REGMASK_MASK(b);
  return PFMLIB_SUCCESS;
}

/** Number of registers in the set. */
static inline int pfm_regmask_weight(pfmlib_regmask_t* h, unsigned int* w) {
  unsigned int pos;
  if (h == NULL || w == NULL) return PFMLIB_ERR_INVAL;
  *w = 0;
  for (pos = 0; pos < PFMLIB_REG_BV; pos++) *w += (unsigned int)pfmlib_popcnt(h->bits[pos]);
  return PFMLIB_SUCCESS;
}

/** 1 if both sets are equal, else 0. */
static inline int pfm_regmask_eq(pfmlib_regmask_t* h1, pfmlib_regmask_t* h2) {
  unsigned int pos;
  if (h1 == NULL || h2 == NULL) return 0;
  for (pos = 0; pos < PFMLIB_REG_BV; pos++)
    if (h1->bits[pos] != h2->bits[pos]) return 0;
  return 1;
}

/** Intersection of h1 and h2. */
static inline int pfm_regmask_and(pfmlib_regmask_t* dst, pfmlib_regmask_t* h1, pfmlib_regmask_t* h2) {
  unsigned int pos;
  if (dst == NULL || h1 == NULL || h2 == NULL) return PFMLIB_ERR_INVAL;
  for (pos = 0; pos < PFMLIB_REG_BV; pos++) dst->bits[pos] = h1->bits[pos] & h2->bits[pos];
  return PFMLIB_SUCCESS;
}

/** Registers that are in h1 and not in h2. */
static inline int pfm_regmask_andnot(pfmlib_regmask_t* dst, pfmlib_regmask_t* h1, pfmlib_regmask_t* h2) {
  unsigned int pos;
  if (dst == NULL || h1 == NULL || h2 == NULL) return PFMLIB_ERR_INVAL;
  for (pos = 0; pos < PFMLIB_REG_BV; pos++) dst->bits[pos] = h1->bits[pos] & ~h2->bits[pos];
  return PFMLIB_SUCCESS;
}

/** Union of h1 and h2. */
static inline int pfm_regmask_or(pfmlib_regmask_t* dst, pfmlib_regmask_t* h1, pfmlib_regmask_t* h2) {
  unsigned int pos;
  if (dst == NULL || h1 == NULL || h2 == NULL) return PFMLIB_ERR_INVAL;
  for (pos = 0; pos < PFMLIB_REG_BV; pos++) dst->bits[pos] = h1->bits[pos] | h2->bits[pos];
  return PFMLIB_SUCCESS;
}

/** Copies src to dst. */
static inline int pfm_regmask_copy(pfmlib_regmask_t* dst, pfmlib_regmask_t* src) {
  unsigned int pos;
  if (dst == NULL || src == NULL) return PFMLIB_ERR_INVAL;
  for (pos = 0; pos < PFMLIB_REG_BV; pos++) dst->bits[pos] = src->bits[pos];
  return PFMLIB_SUCCESS;
}

/** Complements the set, up to the end of its last word. */
static inline int pfm_regmask_not(pfmlib_regmask_t* dst) {
  unsigned int pos;
  if (dst == NULL) return PFMLIB_ERR_INVAL;
  for (pos = 0; pos < PFMLIB_REG_BV; pos++) dst->bits[pos] = ~dst->bits[pos];
  return PFMLIB_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_H__ */
