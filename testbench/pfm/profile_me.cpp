#include "testbench/pfm/profile_me.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sys/pfcntr.h"

namespace pmusim::testbench::pfm {
namespace {

// Trap types of I_STAT (21264A manual, 5.2.14).
enum Trap : unsigned {
  replay = 0,
  dtb_double_3 = 2,
  dtb_double_4 = 3,
  fp_disabled = 4,
  unaligned = 5,
  dtb_single = 6,
  dstream_fault = 7,
  opcdec = 8,
  machine_check = 10,
  arithmetic = 12,
  mt_fpcr = 14,
  reset = 15
};
// PALcode entries in PMPC<14:0> for redirections, which have no trap type.
constexpr std::uint64_t entry_mask = 0x7FFF, entry_itb_miss = 0x0581, entry_access = 0x0481, entry_interrupt = 0x0681;

struct Fields {
  decltype(ev67_istat_reg_t::fields) status;
  decltype(ev67_pctr_ctl_reg_t::fields) control;
  explicit Fields(const ProfileMe& sample) {
    ev67_istat_reg_t s{};
    ev67_pctr_ctl_reg_t c{};
    s.qval = sample.i_stat;
    c.qval = sample.pctr_ctl;
    status = s.fields;
    control = c.fields;
  }
  /// True if the instruction trapped for this reason. A mispredict is no other trap, whatever the type field contains.
  [[nodiscard]] bool trapped(Trap type) const { return status.trp != 0 && status.mis == 0 && status.ttype == type; }
};

/// True if PMPC contains the entry of a flow and nothing retired: the flow's own first instruction has the same PMPC,
/// but VAL set.
bool redirected(const ProfileMe& sample, std::uint64_t entry) {
  return (sample.pmpc & entry_mask) == entry && Fields(sample).control.val == 0;
}

bool mispredicted(const Fields& f, const ProfileMe& sample) {
  return f.status.trp != 0 && (f.status.mis != 0 || sample.unconditional);
}

}  // namespace

bool retired(const ProfileMe& sample) {
  const Fields f(sample);
  if (charged_to_frame(sample)) return false;
  if (f.status.trp == 0) return f.control.val != 0;
  return mispredicted(f, sample) || (!sample.only_mispredicts_retire && (f.trapped(arithmetic) || f.trapped(mt_fpcr)));
}

bool charged_to_frame(const ProfileMe& sample) {
  return redirected(sample, entry_itb_miss) || redirected(sample, entry_access) || redirected(sample, entry_interrupt);
}

bool is_per_retired(unsigned statistic) {
  constexpr std::array<unsigned, 11> per_retired{
      PF67_PM_ABORT_PER_RET,      PF67_PM_CBR_TAKEN_PER_RET,   PF67_PM_CYCLES_PER_RET,      PF67_PM_DELAY_PER_RET,
      PF67_PM_DTB_MISS_PER_RET,   PF67_PM_EARLY_KILL_PER_RET,  PF67_PM_ICACHE_MISS_PER_RET, PF67_PM_MAP_STALL_PER_RET,
      PF67_PM_MISPREDICT_PER_RET, PF67_PM_REPLAY_TRAP_PER_RET, PF67_PM_TRAP_PER_RET};
  return std::ranges::find(per_retired, statistic) != per_retired.end();
}

std::span<const std::uint64_t> modes_of(unsigned statistic) {
  static constexpr std::uint64_t retires_alone = PF67_PROFILE_ME_MODE | PF67_RET_INST_AND_CYCLES,
                                 delay = PF67_PROFILE_ME_MODE | PF67_CYCLES_AND_RET_DELAY,
                                 bcache_misses = PF67_PROFILE_ME_MODE | PF67_RET_INST_AND_BCACHE_MISS,
                                 replays = PF67_PROFILE_ME_MODE | PF67_CYCLES_AND_REPLAY_TRAPS;
  static constexpr std::array any{retires_alone, delay, bcache_misses, replays};
  static constexpr std::array retires{retires_alone, bcache_misses}, cycles{delay, replays};
  static constexpr std::array of_delay{delay}, of_bcache{bcache_misses}, of_replays{replays};
  switch (statistic) {
    case PF67_PM_DISABLED:
      return {};
    case PF67_PM_INFLT_RETIRES:
      return retires;
    case PF67_PM_CYCLES:
    case PF67_PM_CYCLES_PER_RET:
      return cycles;
    case PF67_PM_DELAY:
    case PF67_PM_DELAY_PER_RET:
      return of_delay;
    case PF67_PM_INFLT_BCACHE_MISS:
      return of_bcache;
    case PF67_PM_INFLT_REPLAYS:
      return of_replays;
    default:
      return any;
  }
}

std::uint64_t contribution(unsigned statistic, const ProfileMe& sample) {
  if (is_per_retired(statistic)) return contribution(statistic - 1, sample);  // it follows the plain one
  const Fields f(sample);
  constexpr std::pair<unsigned, Trap> traps[] = {{PF67_PM_ARITH_TRAP, arithmetic},
                                                 {PF67_PM_DSTREAM_FAULT, dstream_fault},
                                                 {PF67_PM_DTB_MISS, dtb_single},
                                                 {PF67_PM_DTB_MISS3, dtb_double_3},
                                                 {PF67_PM_DTB_MISS4, dtb_double_4},
                                                 {PF67_PM_FP_DISABLED, fp_disabled},
                                                 {PF67_PM_LDST_ALIGN_TRAP, unaligned},
                                                 {PF67_PM_MCHK_TRAP, machine_check},
                                                 {PF67_PM_MT_FPCR_TRAP, mt_fpcr},
                                                 {PF67_PM_OPCDEC_TRAP, opcdec},
                                                 {PF67_PM_RESET, reset}};
  for (const auto& [name, type] : traps)
    if (name == statistic) return f.trapped(type);
  switch (statistic) {
    case PF67_PM_ABORT:
      return !retired(sample) && (!sample.squashed || sample.squashed_aborts);
    case PF67_PM_CBR_TAKEN:  // the direction of a mispredicted branch is undefined
      return sample.conditional_branch && f.control.tak != 0 && f.status.mis == 0;
    case PF67_PM_DELAY:
    case PF67_PM_INFLT_BCACHE_MISS:
    case PF67_PM_INFLT_REPLAYS:
      return f.control.pctr1;
    case PF67_PM_CYCLES:
    case PF67_PM_INFLT_RETIRES:  // the count includes instructions fetched before the window
      return f.control.pctr0 >= f.status.ovr ? f.control.pctr0 - f.status.ovr : 0;
    case PF67_PM_EARLY_KILL:
      return f.control.kb4map;
    case PF67_PM_FREQ:
    case PF67_PM_RETIRE:
      return retired(sample);
    case PF67_PM_ICACHE_MISS:
      return f.status.icm;
    case PF67_PM_ICACHE_PARITY:
      return f.status.par;
    case PF67_PM_INTERRUPT:
      return redirected(sample, entry_interrupt);
    case PF67_PM_ISTREAM_ACCVIO:
      return redirected(sample, entry_access);
    case PF67_PM_ITB_MISS:
      return redirected(sample, entry_itb_miss);
    case PF67_PM_LDST_ORDER_TRAP:
      return f.trapped(replay) && f.status.lso != 0;
    case PF67_PM_MAP_STALL:
      return f.control.mstall;
    case PF67_PM_MISPREDICT:
      return mispredicted(f, sample);
    case PF67_PM_REPLAY_TRAP:
      return f.trapped(replay) && !sample.unconditional;
    case PF67_PM_TRAP:
      return f.status.trp;
    case PF67_PM_VALID:
      return f.control.val;
    default:
      return 0;
  }
}

}  // namespace pmusim::testbench::pfm
