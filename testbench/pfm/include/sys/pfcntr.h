/* The interface of Tru64 UNIX's pfm pseudo-device to the performance counters of Alpha processors: open modes, ioctl
 * calls, types and constants, with the names, numbers and layouts of pfm(7) and of <sys/pfcntr.h> 1.1.47.1. A program
 * that includes this header compiles here and on Tru64 UNIX; ../../device.h implements the device. */
#ifndef SYS_PFCNTR_H
#define SYS_PFCNTR_H

#ifdef __cplusplus
extern "C" {
#endif

/* --- open modes, ORed into the flags of open(2) ------------------------------------------------------------- */
#define PCNTOPENONE 0100000  /* the CPU that the program is bound to */
#define PCNTOPENEACH 0200000 /* all CPUs, each with its own data */
#define PCNTOPENALL 0300000  /* all CPUs, one collection of data */
#define PCNTOPENMASK 0300000

/* --- types --------------------------------------------------------------------------------------------------- */
/* EV4: the argument of PCNTSETMUX: the counters' fields of register ICCSR and the driver's own field. */
struct iccsr {
  unsigned long iccsr_pc1 : 1; /* period of counter 1: PF_C1_INT_EVERY_* */
  unsigned long iccsr_ign0 : 2;
  unsigned long iccsr_pc0 : 1; /* period of counter 0: PF_C0_INT_EVERY_* */
  unsigned long iccsr_ign1 : 4;
  unsigned long iccsr_mux0 : 4; /* event of counter 0 */
  unsigned long iccsr_ign2 : 20;
  unsigned long iccsr_mux1 : 3;    /* event of counter 1 */
  unsigned long iccsr_disable : 2; /* 1: no data of counter 0, 2: none of counter 1 */
  unsigned long iccsr_ign3 : 27;
};

/* Ticks by counter, and cycles of the processor cycle counter since they were cleared. */
struct pfcntrs {
  unsigned long pf_cntr0, pf_cntr1, pr_cycle;
};
struct pfcntrs_ev5 {
  unsigned long pr_cycle, pf_cntr0, pf_cntr1, pf_cntr2;
};
struct pfcntrs_ev6 {
  unsigned long pr_cycle, pf_cntr0, pf_cntr1;
};

/* Ticks by interrupt priority level: 0 to 5, 6 unused, 7 idle, 8 user mode. */
struct pfipls {
  unsigned long ipl[9];
};

struct addr_range {
  unsigned long start, end;
};
typedef struct {
  unsigned long start, end, stride, res0;
} addr_range_t;

typedef union pmctrs_ev5 {
  unsigned long pmctrs_ev5_long;
  struct {
    unsigned long pmctrs_ev5_s_sel : 3;
    unsigned long pmctrs_ev5_s_pad0 : 5;
    unsigned long pmctrs_ev5_s_cpu : 8;
    unsigned long pmctrs_ev5_s_c2 : 14;
    unsigned long pmctrs_ev5_s_pad1 : 2;
    unsigned long pmctrs_ev5_s_c1 : 16;
    unsigned long pmctrs_ev5_s_c0 : 16;
  } pmctrs_ev5_struct;
} pmctrs_ev5;
#define pmctrs_ev5_select pmctrs_ev5_struct.pmctrs_ev5_s_sel
#define pmctrs_ev5_cpu pmctrs_ev5_struct.pmctrs_ev5_s_cpu
#define pmctrs_ev5_cntr0 pmctrs_ev5_struct.pmctrs_ev5_s_c0
#define pmctrs_ev5_cntr1 pmctrs_ev5_struct.pmctrs_ev5_s_c1
#define pmctrs_ev5_cntr2 pmctrs_ev5_struct.pmctrs_ev5_s_c2

typedef union pmctrs_ev6 {
  unsigned long pmctrs_ev6_long;
  struct {
    unsigned long pmctrs_ev6_s_sel : 2;
    unsigned long pmctrs_ev6_s_pad0 : 4;
    unsigned long pmctrs_ev6_s_c1 : 20;
    unsigned long pmctrs_ev6_s_pad1 : 2;
    unsigned long pmctrs_ev6_s_c0 : 20;
    unsigned long pmctrs_ev6_s_pad2 : 8;
    unsigned long pmctrs_ev6_s_cpu : 8;
  } pmctrs_ev6_struct;
} pmctrs_ev6;
#define pmctrs_ev6_select pmctrs_ev6_struct.pmctrs_ev6_s_sel
#define pmctrs_ev6_cpu pmctrs_ev6_struct.pmctrs_ev6_s_cpu
#define pmctrs_ev6_cntr0 pmctrs_ev6_struct.pmctrs_ev6_s_c0
#define pmctrs_ev6_cntr1 pmctrs_ev6_struct.pmctrs_ev6_s_c1

#define PMCTRS_ALL_CPUS 0xFF

/* Registers of the 21264A in a profile-me sample. */
typedef union {
  unsigned long qval;
  struct {
    unsigned long res_0 : 29;
    unsigned long par : 1, ovr : 3, icm : 1, ttype : 4, lso : 1, trp : 1, mis : 1;
    unsigned long res_1 : 23;
  } fields;
} ev67_istat_reg_t;
typedef union {
  unsigned long qval;
  struct {
    unsigned long tak : 1, val : 1, sl1 : 2, sl0 : 1, res_0 : 1, pctr1 : 20, kb4map : 1, mstall : 1, pctr0 : 20, sext : 16;
  } fields;
} ev67_pctr_ctl_reg_t;

/* --- ioctl calls --------------------------------------------------------------------------------------------- */
#define PCNT_VOID_(n) (0x20000000u | 'P' << 8 | (n))
#define PCNT_OUT_(n, type) (0x40000000u | (unsigned)sizeof(type) << 16 | 'P' << 8 | (n))
#define PCNT_IN_(n, type) (0x80000000u | (unsigned)sizeof(type) << 16 | 'P' << 8 | (n))
#define PCNT_INOUT_(n, type) (0xC0000000u | (unsigned)sizeof(type) << 16 | 'P' << 8 | (n))

#define PCNTRDISABLE PCNT_VOID_(0)
#define PCNTRENABLE PCNT_VOID_(1)
#define PCNTDISABLE PCNTRDISABLE
#define PCNTENABLE PCNTRENABLE
#define PCNTLOGALL PCNT_VOID_(3)
#define PCNTLOGSELECT PCNT_VOID_(4)
#define PCNTCLEARCNT PCNT_VOID_(5)
#define PCNTCLEARPCBPME PCNT_VOID_(7)
#define PCNTCALLER PCNT_VOID_(8)
#define PCNTGETRSIZE PCNT_OUT_(10, long)
#define PCNTGETIPLHIS PCNT_IN_(11, struct pfipls *)
#define PCNTSETITEMS PCNT_IN_(31, long)
#define PCNTSETUADDR PCNT_IN_(32, struct addr_range)
#define PCNTSETKADDR PCNT_IN_(33, struct addr_range)
#define PCNTSETURANGE PCNT_IN_(34, addr_range_t)
#define PCNTSETKRANGE PCNT_IN_(35, addr_range_t)

#define PCNTSETMUX PCNT_IN_(2, struct iccsr)
#define PCNTGETCNT PCNT_IN_(6, struct pfcntrs *)

#define PCNT5CTXTS PCNT_IN_(40, long)
#define PCNT5MUX PCNT_IN_(41, long)
#define PCNT5FREQ PCNT_IN_(42, long)
#define PCNT5DISABLE PCNT_IN_(43, long)
#define PCNT5ENABLE PCNT_IN_(44, long)
#define PCNT5CLEAR PCNT_IN_(45, long)
#define PCNT5RESTART PCNT_IN_(46, long)
#define PCNT5SETCNTRS PCNT_IN_(47, long)
#define PCNT5GETCNTRS PCNT_INOUT_(48, long)
#define PCNT5GETCNT PCNT_IN_(49, struct pfcntrs_ev5 *)
#define PCNT5READCNTRS PCNT_IN_(50, struct pfcntrs_ev5 *)

#define PCNT6MUX PCNT_IN_(51, long)
#define PCNT6ENABWRITE PCNT_IN_(52, long)
#define PCNT6DISABLE PCNT_IN_(53, long)
#define PCNT6ENABLE PCNT_IN_(54, long)
#define PCNT6CLEAR PCNT_IN_(55, long)
#define PCNT6RESTART PCNT_IN_(56, long)
#define PCNT6SETCNTRS PCNT_IN_(57, long)
#define PCNT6GETCNTRS PCNT_INOUT_(58, long)
#define PCNT6GETCNT PCNT_IN_(59, struct pfcntrs_ev6 *)
#define PCNT6READCNTRS PCNT_IN_(60, struct pfcntrs_ev6 *)

/* --- items of PCNTSETITEMS ------------------------------------------------------------------------------------ */
#define PFM_COUNTERS 1
#define PFM_IPL 2
#define PFM_PROFILING 4
#define PFM_PROFME_MODE_MASK 0xFF00 /* EV67: the profile-me statistic */
#define PFM_PROFME_MODE_SHIFT 8

/* --- EV4 ------------------------------------------------------------------------------------------------------ */
enum { PF_ISSUES = 0, PF_PIPEDRY = 2, PF_LOADI = 4, PF_PIPEFROZEN = 6, PF_BRANCHI = 8, PF_CYCLES = 0xA,
       PF_PALMODE = 0xB, PF_NONISSUES = 0xC, PF_EXTPIN0 = 0xE };
enum { PF_DCACHE, PF_ICACHE, PF_DUAL, PF_BRANCHMISS, PF_FPINST, PF_INTOPS, PF_STOREI, PF_EXTPIN1 };
enum { PF_C0_INT_EVERY_65536, PF_C0_INT_EVERY_4096 };
enum { PF_C1_INT_EVERY_4096, PF_C1_INT_EVERY_256 };

/* --- EV5, EV56, PCA56 ----------------------------------------------------------------------------------------- */
#define PF5_CTXT_ALL_PROC 0L
#define PF5_CTXT_SEL_PROC 1L
#define PF5_CTXT_PME_THIS 2L
#define PF5_CTXT_THIS_PROC 3L
#define PF5_CTXT_NO_USER 0x40000000L
#define PF5_CTXT_NO_PAL 0x200L
#define PF5_CTXT_NO_KERNEL 0x100L
#define PF5_CTXT_ALL_MODES 0L
#define PF5_CTXT_USER 0x300L
#define PF5_CTXT_PAL 0x40000100L
#define PF5_CTXT_USER_AND_PAL 0x100L
#define PF5_CTXT_KERNEL 0x40000200L
#define PF5_CTXT_USER_AND_KERNEL 0x200L
#define PF5_CTXT_PAL_AND_KERNEL 0x40000000L
#define PF5_CTXT_EXEC_AND_SUPER 0x40000300L /* Tru64's user code: the 21164 takes it for executive mode */

#define PF5_C0_INT_EVERY_65536 0x200L
#define PF5_C0_INT_EVERY_256 0x300L
#define PF5_C1_INT_EVERY_65536 0x80L
#define PF5_C1_INT_EVERY_256 0xC0L
#define PF5_C2_INT_EVERY_16384 0x20L
#define PF5_C2_INT_EVERY_256 0x30L
#define PF5_C0_WIDTH 16
#define PF5_C1_WIDTH 16
#define PF5_C2_WIDTH 14
#define PF5_SEL_COUNTER_0 1
#define PF5_SEL_COUNTER_1 2
#define PF5_SEL_COUNTER_2 4

#define PF5_MUX0_CYCLES 0L
#define PF5_MUX0_ISSUES 0x80000000L

#define PF5_MUX1_(select) ((long)(select) << 4)
#define PF5_MUX1_NON_ISSUE_CYCLES PF5_MUX1_(0x0)
#define PF5_MUX1_SPLIT_ISSUE_CYCLES PF5_MUX1_(0x1)
#define PF5_MUX1_PIPELINE_DRY PF5_MUX1_(0x2)
#define PF5_MUX1_REPLAY_TRAP PF5_MUX1_(0x3)
#define PF5_MUX1_SINGLE_ISSUE_CYCLES PF5_MUX1_(0x4)
#define PF5_MUX1_DUAL_ISSUE_CYCLES PF5_MUX1_(0x5)
#define PF5_MUX1_TRIPLE_ISSUE_CYCLES PF5_MUX1_(0x6)
#define PF5_MUX1_QUAD_ISSUE_CYCLES PF5_MUX1_(0x7)
#define PF5_MUX1_FLOW_CHANGE PF5_MUX1_(0x8)
#define PF5_MUX1_INTEGER_OPERATE PF5_MUX1_(0x9)
#define PF5_MUX1_C_FP_INSTRUCTIONS PF5_MUX1_(0xA)
#define PF5_MUX1_C_LOAD_INSTRUCTIONS PF5_MUX1_(0xB)
#define PF5_MUX1_C_STORE_INSTRUCTIONS PF5_MUX1_(0xC)
#define PF5_MUX1_C_ICACHE_ACCESS PF5_MUX1_(0xD)
#define PF5_MUX1_C_DCACHE_ACCESS PF5_MUX1_(0xE)

#define PF5_MUX1_CBOX_(second) (PF5_MUX1_(0xF) | (long)(second) << 51)
/* EV5, EV56 */
#define PF5_MUX1_C_SCACHE_ACCESS PF5_MUX1_CBOX_(0)
#define PF5_MUX1_C_SCACHE_READ PF5_MUX1_CBOX_(1)
#define PF5_MUX1_C_SCACHE_WRITE PF5_MUX1_CBOX_(2)
#define PF5_MUX1_C_SCACHE_VICTIM PF5_MUX1_CBOX_(3)
#define PF5_MUX1_C_BCACHE_REF PF5_MUX1_CBOX_(5)
#define PF5_MUX1_C_BCACHE_VICTIM PF5_MUX1_CBOX_(6) /* and PCA56 */
#define PF5_MUX1_C_SYS_REQ PF5_MUX1_CBOX_(7)
/* PCA56 */
#define PF5_MUX1_C_BCACHE_READ PF5_MUX1_CBOX_(0)
#define PF5_MUX1_C_BCACHE_DREAD_HIT PF5_MUX1_CBOX_(1)
#define PF5_MUX1_C_BCACHE_DREAD_FILL PF5_MUX1_CBOX_(2)
#define PF5_MUX1_C_BCACHE_WRITE PF5_MUX1_CBOX_(3)
#define PF5_MUX1_C_BCACHE_CLN_WRT_HIT PF5_MUX1_CBOX_(5)
#define PF5_MUX1_C_READ_MISS_2 PF5_MUX1_CBOX_(7)

#define PF5_MUX2_C_LONG_STALLS 0x0L
#define PF5_MUX2_C_PC_MISPR 0x2L
#define PF5_MUX2_C_BRANCH_MISPREDICTS 0x3L
#define PF5_MUX2_C_ICACHE_MISSES 0x4L
#define PF5_MUX2_C_ITB_MISS 0x5L
#define PF5_MUX2_C_DCACHE_MISSES 0x6L
#define PF5_MUX2_C_DTB_MISS 0x7L
#define PF5_MUX2_C_LOADS_MERGED 0x8L
#define PF5_MUX2_C_LDU_REPLAYS 0x9L
#define PF5_MUX2_C_WB_MAF_FULL_REPLAYS 0xAL
#define PF5_MUX2_C_EXTERNAL 0xBL
#define PF5_MUX2_C_CYCLES 0xCL
#define PF5_MUX2_C_MEM_BARRIER 0xDL
#define PF5_MUX2_C_LOAD_LOCKED 0xEL

#define PF5_MUX2_CBOX_(second) (0xFL | (long)(second) << 54)
/* EV5, EV56 */
#define PF5_MUX2_C_SCACHE_MISS PF5_MUX2_CBOX_(0)
#define PF5_MUX2_C_SCACHE_READ_MISS PF5_MUX2_CBOX_(1)
#define PF5_MUX2_C_SCACHE_WRITE_MISS PF5_MUX2_CBOX_(2)
#define PF5_MUX2_C_SCACHE_SH_WRITE PF5_MUX2_CBOX_(3)
#define PF5_MUX2_C_SCACHE_WRITE PF5_MUX2_CBOX_(4)
#define PF5_MUX2_C_BCACHE_MISS PF5_MUX2_CBOX_(5)
#define PF5_MUX2_C_SYS_INV PF5_MUX2_CBOX_(6)
#define PF5_MUX2_C_SYS_READ_REQ PF5_MUX2_CBOX_(7)
/* PCA56 */
#define PF5_MUX2_C_BCACHE_DREAD PF5_MUX2_CBOX_(0)
#define PF5_MUX2_C_BCACHE_READ_HIT PF5_MUX2_CBOX_(1)
#define PF5_MUX2_C_BCACHE_READ_FILL PF5_MUX2_CBOX_(2)
#define PF5_MUX2_C_BCACHE_WRITE_HIT PF5_MUX2_CBOX_(3)
#define PF5_MUX2_C_BCACHE_WRITE_FILL PF5_MUX2_CBOX_(4)
#define PF5_MUX2_C_SYS_READ_FLUSH_HIT PF5_MUX2_CBOX_(5)
#define PF5_MUX2_C_SYS_READ_FLUSH_MISS PF5_MUX2_CBOX_(6)
#define PF5_MUX2_C_READ_MISS_3 PF5_MUX2_CBOX_(7)

/* --- EV6 ------------------------------------------------------------------------------------------------------ */
#define PF6_MUX0_CYCLES 0x00L
#define PF6_MUX0_RET_INSTRUCTIONS 0x10L
#define PF6_MUX1_CYCLES 0L
#define PF6_MUX1_RET_COND_BRANCHES 1L
#define PF6_MUX1_RET_BRANCH_MISPREDICTS 2L
#define PF6_MUX1_RET_DTB_SINGLE_MISSES 3L
#define PF6_MUX1_RET_DTB_DOUBLE_MISSES 4L
#define PF6_MUX1_RET_ITB_MISSES 5L
#define PF6_MUX1_RET_UNALIGNED_TRAPS 6L
#define PF6_MUX1_REPLAY_TRAP 7L
#define PF6_C0_INT_EVERY_1048576 0x0
#define PF6_C1_INT_EVERY_1048576 0x1
#define PF6_SEL_COUNTER_0 1
#define PF6_SEL_COUNTER_1 2
#define PF6_C0_WIDTH 20
#define PF6_C1_WIDTH 20

/* --- EV67: arguments of PCNT6MUX ------------------------------------------------------------------------------- */
#define PF67_RET_INST_AND_CYCLES 0x00L
#define PF67_CYCLES_AND_UNDEFINED 0x04L
#define PF67_RET_INST_AND_BCACHE_MISS 0x08L
#define PF67_CYCLES_AND_REPLAY_TRAPS 0x0CL
#define PF67_PROFILE_ME_MODE 0x10L
#define PF67_CYCLES_AND_RET_DELAY 0x04L /* with PF67_PROFILE_ME_MODE */

/* Profile-me statistics, for bits 15:8 of PCNTSETITEMS. */
enum { PF67_PM_DISABLED, PF67_PM_ABORT, PF67_PM_ABORT_PER_RET, PF67_PM_ARITH_TRAP, PF67_PM_CBR_TAKEN,
       PF67_PM_CBR_TAKEN_PER_RET, PF67_PM_CYCLES, PF67_PM_CYCLES_PER_RET, PF67_PM_DELAY, PF67_PM_DELAY_PER_RET,
       PF67_PM_DSTREAM_FAULT, PF67_PM_DTB_MISS, PF67_PM_DTB_MISS_PER_RET, PF67_PM_DTB_MISS3, PF67_PM_DTB_MISS4,
       PF67_PM_EARLY_KILL, PF67_PM_EARLY_KILL_PER_RET, PF67_PM_FP_DISABLED, PF67_PM_FREQ, PF67_PM_ICACHE_MISS,
       PF67_PM_ICACHE_MISS_PER_RET, PF67_PM_ICACHE_PARITY, PF67_PM_INFLT_BCACHE_MISS, PF67_PM_INFLT_REPLAYS,
       PF67_PM_INFLT_RETIRES, PF67_PM_INTERRUPT, PF67_PM_ISTREAM_ACCVIO, PF67_PM_ITB_MISS, PF67_PM_LDST_ALIGN_TRAP,
       PF67_PM_LDST_ORDER_TRAP, PF67_PM_MAP_STALL, PF67_PM_MAP_STALL_PER_RET, PF67_PM_MCHK_TRAP, PF67_PM_MISPREDICT,
       PF67_PM_MISPREDICT_PER_RET, PF67_PM_MT_FPCR_TRAP, PF67_PM_OPCDEC_TRAP, PF67_PM_REPLAY_TRAP,
       PF67_PM_REPLAY_TRAP_PER_RET, PF67_PM_RESET, PF67_PM_RETIRE, PF67_PM_TRAP, PF67_PM_TRAP_PER_RET, PF67_PM_VALID,
       PF67_PM_COUNT_ };

#ifdef __cplusplus
}
#endif
#endif
