// What the Montecito's trace buffer keeps while it traces addresses (IP-EAR).
#include <algorithm>

#include "testbench/oracle/captures.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/gates_cursor.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {

using activity::Block;
using activity::Cycle;
using activity::Signal;
using activity::State;
using activity::ia64::BackEnd;

namespace {

constexpr Cycle most_cycles = 63;                // of an entry's field
constexpr std::uint64_t below_cut_bits = 0xfff;  // of an address that was cut short

/// Looks for flushes of the pipe while a thread is active, in order of time.
class FlushCursor {
 public:
  FlushCursor(const Block& block, unsigned thread, bool branches_alone)
      : thread_(thread), branches_alone_(branches_alone), at_(block.begin) {
    back_end_.enter(block, block.begin);
    active_.enter(block, block.begin);
  }
  /// Sets `last` to the last cycle up to `until` in which the pipe is flushed; leaves it if there is none.
  void look(Cycle until, std::optional<Cycle>& last) {
    while (at_ <= until) {
      const Cycle equal_until = std::min({back_end_.next(), active_.next(), until + 1});
      if (flushes()) last = equal_until - 1;
      at_ = equal_until;
      back_end_.move_to(at_);
      active_.move_to(at_);
    }
  }

 private:
  [[nodiscard]] bool flushes() const {
    const std::uint64_t value = back_end_.value();
    return active_.value() == thread_ && static_cast<BackEnd>(value & 0xf) == BackEnd::flush &&
           (!branches_alone_ || (value >> 8 & 0xff) == activity::ia64::cause::branch);
  }
  unsigned thread_;
  bool branches_alone_;
  Cycle at_;
  StateCursor back_end_{State::back_end};
  StateCursor active_{State::thread};
};

}  // namespace

AddressTrace::AddressTrace(const Request& request, const ParameterLookup& parameters)
    : request_(request),
      choices_(montecito_choices(parameters)),
      entries_(family_of("montecito").trace_entries),
      freeze_delay_(parameters ? static_cast<Cycle>(parameters("pmu.freeze_delay")) : 0) {}

void AddressTrace::record(Cycle at, std::uint64_t bundle) {
  TracedBundle entry;
  entry.at = at;
  entry.bundle = bundle;
  if (last_entry_) {
    const Cycle distance = at - *last_entry_;
    const Cycle bubbles = distance > 0 ? distance - 1 : 0;
    entry.cycles = static_cast<unsigned>(std::min(choices_.traces_distance ? distance : bubbles, most_cycles));
  }
  entry.flushed = last_flush_ && (!last_entry_ || *last_flush_ > *last_entry_);
  last_entry_ = at;
  bundles_.push_back(entry);
}

void AddressTrace::consume(const Block& block) {
  GatesCursor gates(choices_.thread);
  gates.enter(block);
  FlushCursor flushes(block, choices_.thread, choices_.trace_branch_flushes);
  const auto& retired = block.column(Signal::retire);
  for (std::size_t i = 0; i < retired.size();) {
    const std::uint32_t at = retired[i].at;
    const bool runs = runs_in_either_set(request_, gates.at(block.begin + at));
    flushes.look(block.begin + at, last_flush_);
    std::optional<std::uint64_t> bundle;  // the last one that got an entry in this cycle
    for (; i < retired.size() && retired[i].at == at; ++i) {
      if (retired[i].ref == activity::no_ref || !runs) continue;
      const auto& instruction = block.instructions.at(retired[i].ref);
      const bool next = !bundle || (choices_.traces_bundles && instruction.ip != *bundle);
      if (instruction.thread != choices_.thread || !next) continue;
      bundle = instruction.ip;
      record(block.begin + at, instruction.ip);
    }
  }
  flushes.look(block.end - 1, last_flush_);
  for (const Signal signal : {Signal::thread_switch, Signal::trap}) {
    for (const auto& what : block.column(signal)) {
      const Cycle at = block.begin + what.at;
      if (block.state_at(State::thread, at) == choices_.thread) cuts_.push_back(at);
    }
  }
}

std::vector<TracedBundle> AddressTrace::buffer_after(Cycle wrap, Cycle stop) const {
  const Cycle frozen = wrap + freeze_delay_, end = frozen + request_.ia64.trace_delay;
  Cycle last = end;
  if (!choices_.trace_never_cut) {
    if (stop >= frozen) last = std::min(last, stop);
    for (const Cycle cut : cuts_) {
      if (cut >= frozen) last = std::min(last, cut);
    }
  }
  std::vector<TracedBundle> buffer;
  for (const TracedBundle& entry : bundles_) {
    if (entry.at <= last) buffer.push_back(entry);
  }
  if (buffer.size() > entries_) buffer.erase(buffer.begin(), buffer.end() - static_cast<std::ptrdiff_t>(entries_));
  if (last < end && !buffer.empty()) {
    buffer.back().cut_short = true;
    buffer.back().delay_left = static_cast<unsigned>(end - last);
    buffer.back().bundle &= ~below_cut_bits;
  }
  return buffer;
}

void AddressTrace::forget(Cycle before) {
  std::erase_if(bundles_, [&](const TracedBundle& entry) { return entry.at < before; });
  std::erase_if(cuts_, [&](Cycle at) { return at < before; });
}

}  // namespace pmusim::oracle
