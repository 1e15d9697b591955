#include "models/alpha/ev6/profile_me.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/alpha/ev6/registers.h"
#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::alpha {
namespace {

namespace d = activity::detail;
using activity::Block;
using activity::Signal;
using activity::alpha::Kind;
using activity::alpha::Replay;
using activity::alpha::Trap;

bool is(const Block& block, const Occurrence& o, std::uint64_t id) {
  const auto* const instruction = instruction_of(block, o);
  return instruction != nullptr && instruction->id == id;
}

/// First occurrence of a signal in [from, to) that belongs to the instruction and passes.
template <class Passes>
const Occurrence* first(const Block& block, Signal signal, Cycle from, Cycle to, std::uint64_t id, Passes passes) {
  for (const Occurrence& o : occurrences(block, signal, from, to)) {
    if (is(block, o, id) && passes(o)) return &o;
  }
  return nullptr;
}

const activity::alpha::Instruction* alpha_part(const Block& block, const Occurrence& o) {
  return o.ref < block.alpha_instructions.size() ? &block.alpha_instructions[o.ref] : nullptr;
}

/// The PMPC value, bit 0 included, of the PALcode entries that redirect fetch instead of aborting the pipeline.
std::optional<std::uint64_t> redirection(Trap trap) {
  switch (trap) {
    case Trap::itb_miss:
      return 0x0581;
    case Trap::istream_access:
      return 0x0481;
    case Trap::interrupt:
      return 0x0681;
    default:
      return std::nullopt;
  }
}

/// TRAP_TYPE of I_STAT. A misprediction has no type: it gets a value that no other trap has, as do those without a row.
std::uint64_t trap_type(Trap trap) {
  constexpr std::pair<Trap, std::uint64_t> types[] = {
      {Trap::replay, 0},         {Trap::dtb_double_3, 2}, {Trap::dtb_double_4, 3},  {Trap::fp_disabled, 4},
      {Trap::unaligned, 5},      {Trap::dtb_single, 6},   {Trap::dstream_fault, 7}, {Trap::opcdec, 8},
      {Trap::machine_check, 10}, {Trap::arithmetic, 12},  {Trap::mt_fpcr, 14},      {Trap::reset, 15}};
  for (const auto& [of, type] : types) {
    if (of == trap) return type;
  }
  return 1;
}

/// Traps of instructions that retire.
bool retires(Trap trap, bool only_mispredicts) {
  return trap == Trap::mispredict || (!only_mispredicts && (trap == Trap::arithmetic || trap == Trap::mt_fpcr));
}

bool traps_into_pal(const Occurrence& o) {
  const auto trap = static_cast<Trap>(o.detail);
  return trap != Trap::none && trap != Trap::call_pal && trap != Trap::mispredict && trap != Trap::replay;
}

}  // namespace

std::uint64_t ProfileMe::fetched(const Block& block, Cycle from, Cycle to) {
  std::uint64_t sum = 0;
  for (const Occurrence& o : occurrences(block, Signal::instruction_fetch, from, to)) sum += o.amount;
  return sum;
}

ProfileMe::Selected ProfileMe::select(const Block& block, Cycle from, Cycle& to, std::uint64_t left) {
  std::uint64_t sum = 0;
  for (const Occurrence& o : occurrences(block, Signal::instruction_fetch, from, to)) {
    sum += o.amount;
    const auto* const instruction = instruction_of(block, o);
    if (sum < left || instruction == nullptr) continue;
    const auto* const more = alpha_part(block, o);
    phase_ = Phase::following;
    id_ = instruction->id;
    fetch_ = block.begin + o.at;
    conditional_ = more != nullptr && more->has(Kind::conditional_branch);
    fill_stream_ = more != nullptr && more->fill_stream;
    pmpc_ = (instruction->ip & ~std::uint64_t{3}) | (more != nullptr && more->pal ? 1 : 0);
    to = fetch_ + 1;
    const std::uint64_t all = fetched(block, from, to);
    residue_ = all - left;
    look_for_end(block, fetch_, to);
    look_for_outcome(block, fetch_, to);
    return {all, true};
  }
  return {sum, false};
}

// Within one cycle a trap of the instruction takes precedence, since its kill or retirement follows from the trap.
void ProfileMe::look_for_end(const Block& block, Cycle from, Cycle to) {
  const auto any = [](const Occurrence&) { return true; };
  const auto earlier = [&](const Occurrence* o) { return o != nullptr && block.begin + o->at < end_; };
  if (const auto* o = first(block, Signal::replay_trap, from, to, id_, any); earlier(o)) {
    end_ = block.begin + o->at;
    trap_ = Trap::replay;
    replay_ = static_cast<Replay>(o->detail);
  }
  if (const auto* o = first(block, Signal::pal_entry, from, to, id_, traps_into_pal); earlier(o)) {
    end_ = block.begin + o->at;
    trap_ = static_cast<Trap>(o->detail);
  }
  const auto fails = [](const Occurrence& o) { return (o.detail & d::branch_correct) == 0; };
  if (const auto* o = first(block, Signal::branch_resolved, from, to, id_, fails); earlier(o)) {
    end_ = block.begin + o->at;
    trap_ = Trap::mispredict;
  }
  if (const auto* o = first(block, Signal::retire, from, to, id_, any); earlier(o)) {
    end_ = block.begin + o->at;
    trap_ = Trap::none;
    retired_ = true;
  }
  if (const auto* o = first(block, Signal::kill, from, to, id_, any); earlier(o)) {
    end_ = block.begin + o->at;
    trap_ = Trap::none;
    retired_ = false;
  }
}

// Reads the values that are known at dispatch, at branch resolution, and at retirement or kill; the last two may occur
// after the trap. The first occurrence of each decides.
void ProfileMe::look_for_outcome(const Block& block, Cycle from, Cycle to) {
  const auto any = [](const Occurrence&) { return true; };
  if (const auto* const o = first(block, Signal::dispatch, from, to, id_, any); o != nullptr && !dispatched_) {
    const auto* const more = alpha_part(block, *o);
    map_stalled_ = more != nullptr && more->map_stalled;
    dispatched_ = true;
  }
  if (const auto* const o = first(block, Signal::branch_resolved, from, to, id_, any); o != nullptr && !resolved_) {
    taken_ = (o->detail & d::branch_taken) != 0;
    resolved_ = true;
  }
  if (left_) return;
  const auto* const retired = first(block, Signal::retire, from, to, id_, any);
  const auto* const killed = first(block, Signal::kill, from, to, id_, any);
  if (retired == nullptr && killed == nullptr) return;
  const bool by_kill = retired == nullptr || (killed != nullptr && killed->at < retired->at);
  left_ = true;
  if (const auto* const more = alpha_part(block, by_kill ? *killed : *retired)) {
    delay_ = more->inum_delay;
    killed_early_ = by_kill && more->killed_early;
  }
}

// A window that would end before it begins is empty.
Cycle ProfileMe::last_cycle() const {
  if (end_ == activity::never) return activity::never;
  return std::max(end_ + window_tail, fetch_ + window_delay - 1);
}

ProfileMe::Parts ProfileMe::follow(const Block& block, Cycle from, Cycle& to, Cycle overcount_cycles) {
  if (end_ == activity::never) look_for_end(block, from, to);
  const Cycle last = last_cycle();
  const bool ends = last < to;
  if (ends) to = std::max(last, from) + 1;
  look_for_outcome(block, from, to);
  const Cycle window = fetch_ + window_delay;
  const auto within = [&](Cycle at) { return std::clamp(at, from, to); };
  const Cycle early_end = end_ == activity::never ? to : within(end_);
  return {.residue_end = within(fetch_ + 1 + overcount_cycles),
          .window_begin = within(window),
          .window_end = std::max(within(window), last == activity::never ? to : within(last + 1)),
          .early_begin = std::min(within(window - early_input), early_end),
          .early_end = early_end,
          .last = ends};
}

std::uint64_t ProfileMe::finish(bool only_mispredicts_retire) {
  using namespace ev6;
  phase_ = Phase::stopped;
  const auto redirected = redirection(trap_);
  const bool trapped = trap_ != Trap::none && !redirected;
  const bool valid = trapped ? retires(trap_, only_mispredicts_retire) : retired_;
  sample_.pmpc = redirected.value_or(pmpc_);
  sample_.status = (map_stalled_ ? pctr_ctl::pm_stalled : 0) | (killed_early_ ? pctr_ctl::pm_killed_bm : 0) |
                   (valid ? pctr_ctl::val : 0) | (conditional_ && taken_ ? pctr_ctl::tak : 0);
  sample_.i_stat = (fill_stream_ ? i_stat::icm : 0) | std::min(residue_, i_stat::most_overcount) << i_stat::ovr_shift;
  if (trapped) {
    sample_.i_stat |= i_stat::trp | trap_type(trap_) << i_stat::trap_type_shift;
    if (trap_ == Trap::mispredict && conditional_) sample_.i_stat |= i_stat::mis;
    if (trap_ == Trap::replay && replay_ == Replay::store_load_order) sample_.i_stat |= i_stat::lso;
  }
  const Cycle first = fetch_ + window_delay;
  const Cycle length = last_cycle() + 1 - first;
  return length > 2 ? std::min<std::uint64_t>(delay_, length - 2) : 0;
}

}  // namespace pmusim::pmu::alpha
