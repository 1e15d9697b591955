#include "testbench/oracle/profile.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace pmusim::oracle {

using activity::Block;
using activity::Cycle;
using activity::Occurrence;
using activity::Signal;
using activity::alpha::Kind;
using activity::alpha::Trap;
namespace d = activity::detail;
namespace ad = activity::alpha::detail;

namespace {

constexpr Cycle window_opens = 5;   ///< cycles after the fetch
constexpr Cycle window_closes = 2;  ///< cycles after the end, the last of the window
constexpr Cycle bcache_input_early = 3;
constexpr unsigned most_overcount = 7;

// An instruction that traps for these reasons has completed its work; others are executed again.
bool retires_with(Trap trap, bool mispredicts_alone) {
  if (trap == Trap::arithmetic || trap == Trap::mt_fpcr) return !mispredicts_alone;
  return trap == Trap::mispredict;
}

Trap trap_of(Signal signal, const Occurrence& what) {
  if (signal == Signal::replay_trap) return Trap::replay;
  if (signal == Signal::branch_resolved) {
    return (what.detail & d::branch_correct) != 0 ? Trap::none : Trap::mispredict;
  }
  const auto trap = static_cast<Trap>(what.detail);
  return trap == Trap::call_pal ? Trap::none : trap;
}

bool misses_bcache(Signal signal, const Occurrence& what) {
  if (signal == Signal::l3_lookup) return (what.detail & d::lookup_hit) == 0;
  const auto command = static_cast<activity::alpha::SystemCommand>(what.detail & ad::system_command_mask);
  return command == activity::alpha::SystemCommand::probe && (what.detail & ad::system_hit) == 0;
}

/// The number of the cycles in [begin, end).
std::uint64_t within(const std::vector<Cycle>& cycles, Cycle begin, Cycle end) {
  const auto first = std::lower_bound(cycles.begin(), cycles.end(), begin);
  return static_cast<std::uint64_t>(std::lower_bound(first, cycles.end(), end) - first);
}

void sort_once_each(std::vector<Cycle>& cycles) {
  std::sort(cycles.begin(), cycles.end());
  cycles.erase(std::unique(cycles.begin(), cycles.end()), cycles.end());
}

}  // namespace

bool Sample::redirected() const {
  return trap == Trap::interrupt || trap == Trap::itb_miss || trap == Trap::istream_access;
}

ProfileList::Life& ProfileList::life_of(const Block& block, std::uint32_t ref) {
  const activity::InstructionRecord& record = block.instructions.at(ref);
  Life& life = lives_[{record.tagged, record.id}];
  life.record = record;
  life.half = block.alpha_instructions.at(ref);
  return life;
}

void ProfileList::note_traps(const Block& block, Signal signal) {
  for (const Occurrence& what : block.column(signal)) {
    const Trap trap = trap_of(signal, what);
    if (what.ref == activity::no_ref || trap == Trap::none) continue;
    Life& life = life_of(block, what.ref);
    const Cycle at = block.begin + what.at;
    if (at >= life.trapped) continue;
    life.trapped = at;
    life.trap = trap;
  }
}

void ProfileList::consume(const Block& block) {
  for (const Occurrence& what : block.column(Signal::instruction_fetch)) {
    const Life& life = life_of(block, what.ref);
    const Fetch fetch{block.begin + what.at, {life.record.tagged, life.record.id}};
    fetches_.insert(fetches_.end(), what.amount, fetch);
  }
  for (const Occurrence& what : block.column(Signal::dispatch)) life_of(block, what.ref);
  for (const Occurrence& what : block.column(Signal::retire)) {
    Life& life = life_of(block, what.ref);
    life.retired = block.begin + what.at;
    if (!life.half.has(Kind::squashed)) retires_.push_back({life.retired, what.amount});
  }
  for (const Occurrence& what : block.column(Signal::kill)) life_of(block, what.ref).killed = block.begin + what.at;
  for (const Signal signal : {Signal::replay_trap, Signal::branch_resolved, Signal::pal_entry}) {
    note_traps(block, signal);
  }
  for (const Occurrence& what : block.column(Signal::replay_trap)) replays_.push_back(block.begin + what.at);
  for (const Signal signal : {Signal::l3_lookup, Signal::system_command}) {
    for (const Occurrence& what : block.column(signal)) {
      if (misses_bcache(signal, what)) bcache_misses_.push_back(block.begin + what.at);
    }
  }
  sort_once_each(replays_);
  sort_once_each(bcache_misses_);
}

std::optional<Sample> ProfileList::sample(Cycle from, std::uint64_t number) const {
  const auto first =
      std::partition_point(fetches_.begin(), fetches_.end(), [&](const Fetch& f) { return f.at < from; });
  if (number == 0 || number > static_cast<std::uint64_t>(fetches_.end() - first)) return std::nullopt;
  const auto fetch = first + static_cast<std::ptrdiff_t>(number - 1);
  const Life& life = lives_.at(fetch->key);
  // A trap after the kill, as of a branch killed by an older instruction's trap, does not count.
  const bool traps = life.trapped != activity::never && life.trapped <= life.killed;
  const Cycle end = traps ? life.trapped : std::min(life.retired, life.killed);
  if (end == activity::never) return std::nullopt;

  Sample s;
  s.id = life.record.id;
  s.pc = life.record.ip;
  s.word = static_cast<std::uint32_t>(life.record.encoding);
  s.pal = life.half.pal;
  s.fetched = fetch->at;
  s.end = end;
  if (traps) s.trap = life.trap;
  if (s.trap == Trap::replay) s.replay = life.half.replay;
  s.retired = s.trapped() ? retires_with(s.trap, mispredicts_alone_) : life.retired == end;
  s.squashed = !squashed_aborts_ && !s.redirected() && life.half.has(Kind::squashed);
  s.conditional_branch = life.half.has(Kind::conditional_branch);
  s.taken = s.conditional_branch && life.record.taken && !s.mispredicted();
  s.fill_stream = life.half.fill_stream;
  s.map_stalled = life.half.map_stalled;
  s.killed_early = life.half.killed_early;
  const auto behind =
      std::partition_point(fetch + 1, fetches_.end(), [&](const Fetch& f) { return f.at <= fetch->at + overcounted_; });
  s.overcount = std::min(static_cast<unsigned>(behind - fetch - 1), most_overcount);

  s.window_begin = s.fetched + window_opens;
  s.window_end = std::max(s.window_begin, s.end + window_closes + 1);
  const auto in_window =
      std::partition_point(retires_.begin(), retires_.end(), [&](const Retires& r) { return r.at < s.window_begin; });
  for (auto r = in_window; r != retires_.end() && r->at < s.window_end; ++r) s.retires += r->amount;
  s.replays = within(replays_, s.window_begin, s.window_end);
  const auto early = [](Cycle at) { return at < bcache_input_early ? 0 : at - bcache_input_early; };
  s.bcache_misses = within(bcache_misses_, early(s.window_begin), early(s.window_end));
  // Holds of retirement after the window do not count.
  if (std::min(life.retired, life.killed) < s.window_end) {
    s.delay = std::min(life.half.inum_delay, s.cycles() < window_closes ? 0 : s.cycles() - window_closes);
  }
  return s;
}

void ProfileList::forget(Cycle before) {
  std::erase_if(fetches_, [&](const Fetch& f) { return f.at < before; });
  lives_.erase(lives_.begin(), lives_.lower_bound({before, 0}));
  // No window begins before its fetch, and the early input does not use cycles before the fetch either.
  std::erase_if(retires_, [&](const Retires& r) { return r.at < before; });
  std::erase_if(replays_, [&](Cycle at) { return at < before; });
  std::erase_if(bcache_misses_, [&](Cycle at) { return at < before; });
}

// The statistics of profiled executions by name, in the order of the numbers that the driver gives them.

namespace {

using activity::alpha::Replay;

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
