// The statistics of profiled executions by name, in the order of the numbers that the driver gives them.
#include <numeric>
#include <stdexcept>
#include <string>

#include "testbench/oracle/profile.h"

namespace pmusim::oracle {
namespace {

using activity::alpha::Replay;
using activity::alpha::Trap;

using Adds = std::uint64_t (*)(const Sample&);

struct Statistic {
  std::string_view name;
  Adds adds;
  bool per_retired = false;
  std::uint64_t scale = 1;  ///< of those per retirement
};

template <Trap trap>
std::uint64_t by_trap(const Sample& s) {
  return s.trap == trap ? 1 : 0;
}
template <bool Sample::*fact>
std::uint64_t if_so(const Sample& s) {
  return s.*fact ? 1 : 0;
}
template <std::uint64_t Sample::*amount>
std::uint64_t sum_of(const Sample& s) {
  return s.*amount;
}
std::uint64_t aborts(const Sample& s) { return s.retired || s.squashed ? 0 : 1; }
std::uint64_t cycles(const Sample& s) { return s.cycles(); }
std::uint64_t traps(const Sample& s) { return s.trapped() ? 1 : 0; }
std::uint64_t store_orders(const Sample& s) {
  return s.trap == Trap::replay && s.replay == Replay::store_load_order ? 1 : 0;
}
// The activity knows no parity error of the Icache.
std::uint64_t never(const Sample&) { return 0; }

constexpr Statistic statistics[] = {
    {"PF67_PM_ABORT", aborts},
    {"PF67_PM_ABORT_PER_RET", aborts, true, 100},
    {"PF67_PM_ARITH_TRAP", by_trap<Trap::arithmetic>},
    {"PF67_PM_CBR_TAKEN", if_so<&Sample::taken>},
    {"PF67_PM_CBR_TAKEN_PER_RET", if_so<&Sample::taken>, true, 100},
    {"PF67_PM_CYCLES", cycles},
    {"PF67_PM_CYCLES_PER_RET", cycles, true},
    {"PF67_PM_DELAY", sum_of<&Sample::delay>},
    {"PF67_PM_DELAY_PER_RET", sum_of<&Sample::delay>, true, 100},
    {"PF67_PM_DSTREAM_FAULT", by_trap<Trap::dstream_fault>},
    {"PF67_PM_DTB_MISS", by_trap<Trap::dtb_single>},
    {"PF67_PM_DTB_MISS_PER_RET", by_trap<Trap::dtb_single>, true, 100},
    {"PF67_PM_DTB_MISS3", by_trap<Trap::dtb_double_3>},
    {"PF67_PM_DTB_MISS4", by_trap<Trap::dtb_double_4>},
    {"PF67_PM_EARLY_KILL", if_so<&Sample::killed_early>},
    {"PF67_PM_EARLY_KILL_PER_RET", if_so<&Sample::killed_early>, true, 100},
    {"PF67_PM_FP_DISABLED", by_trap<Trap::fp_disabled>},
    {"PF67_PM_FREQ", if_so<&Sample::retired>},
    {"PF67_PM_ICACHE_MISS", if_so<&Sample::fill_stream>},
    {"PF67_PM_ICACHE_MISS_PER_RET", if_so<&Sample::fill_stream>, true, 100},
    {"PF67_PM_ICACHE_PARITY", never},
    {"PF67_PM_INFLT_BCACHE_MISS", sum_of<&Sample::bcache_misses>},
    {"PF67_PM_INFLT_REPLAYS", sum_of<&Sample::replays>},
    {"PF67_PM_INFLT_RETIRES", sum_of<&Sample::retires>},
    {"PF67_PM_INTERRUPT", by_trap<Trap::interrupt>},
    {"PF67_PM_ISTREAM_ACCVIO", by_trap<Trap::istream_access>},
    {"PF67_PM_ITB_MISS", by_trap<Trap::itb_miss>},
    {"PF67_PM_LDST_ALIGN_TRAP", by_trap<Trap::unaligned>},
    {"PF67_PM_LDST_ORDER_TRAP", store_orders},
    {"PF67_PM_MAP_STALL", if_so<&Sample::map_stalled>},
    {"PF67_PM_MAP_STALL_PER_RET", if_so<&Sample::map_stalled>, true, 100},
    {"PF67_PM_MCHK_TRAP", by_trap<Trap::machine_check>},
    {"PF67_PM_MISPREDICT", by_trap<Trap::mispredict>},
    {"PF67_PM_MISPREDICT_PER_RET", by_trap<Trap::mispredict>, true, 100},
    {"PF67_PM_MT_FPCR_TRAP", by_trap<Trap::mt_fpcr>},
    {"PF67_PM_OPCDEC_TRAP", by_trap<Trap::opcdec>},
    {"PF67_PM_REPLAY_TRAP", by_trap<Trap::replay>},
    {"PF67_PM_REPLAY_TRAP_PER_RET", by_trap<Trap::replay>, true, 100},
    {"PF67_PM_RESET", by_trap<Trap::reset>},
    {"PF67_PM_RETIRE", if_so<&Sample::retired>},
    {"PF67_PM_TRAP", traps},
    {"PF67_PM_TRAP_PER_RET", traps, true, 100},
    {"PF67_PM_VALID", if_so<&Sample::retired>},
};

std::uint64_t sum(Adds adds, std::span<const Sample> samples) {
  return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                         [&](std::uint64_t n, const Sample& s) { return n + adds(s); });
}

}  // namespace

std::uint64_t statistic(std::string_view name, std::span<const Sample> samples) {
  for (const Statistic& s : statistics) {
    if (s.name != name) continue;
    const std::uint64_t total = sum(s.adds, samples);
    if (!s.per_retired) return total;
    const std::uint64_t retired = sum(if_so<&Sample::retired>, samples);
    return retired == 0 ? 0 : total * s.scale / retired;
  }
  throw std::invalid_argument("no statistic " + std::string(name) + " of profiled executions");
}

std::vector<std::string_view> profile_statistics() {
  std::vector<std::string_view> names;
  for (const Statistic& s : statistics) names.push_back(s.name);
  return names;
}

}  // namespace pmusim::oracle
