// Fetches, flushes and snoops of the model of L2 and L3.
#include <fmt/format.h>

#include "testbench/tests/list_models/ia64_lists.h"

namespace pmusim::testbench::ia64::lists {

namespace d = activity::detail;
namespace dd = act::detail;
using act::BusKind;
using act::Served;

Memory::Answer Memory::fetch(const Trip& trip, Wanted& wanted) {
  const std::uint64_t line = l2_.line_of(trip.record.address);
  const std::uint64_t kind = trip.half.prefetch ? d::access_prefetch : 0;
  if (split_) return fetch_split(trip, wanted, line, kind);
  wanted.add(Signal::l2_reference, kind);
  const Event* const looked = trip.first(Signal::l2_lookup);
  const Cycle at = looked != nullptr ? looked->cycle : 0;
  const bool reported = looked != nullptr && (looked->detail & d::lookup_pending) != 0;
  const bool pending = under_way(arrivals_, line, at, reported);
  l2_.use(line);
  if (pending) {
    wanted.add(Signal::l2_lookup, kind | d::lookup_pending);
    const Arrival& a = arrivals_[line];
    return {a.served, {a.earliest + 1, a.latest + 1, a.served}};
  }
  if (l2_.find(line) == nullptr) {
    wanted.add(Signal::l2_lookup, kind | d::lookup_miss);
    return miss(trip, wanted, line, kind);
  }
  wanted.add(Signal::l2_lookup, kind | d::lookup_hit);
  return {Served::l2, {at + l2_fetch_ - 1, at + l2_fetch_ - 1, Served::l2}};
}

/// L2I has tags three cycles before data: a request for a line on its way hits from then on.
Memory::Answer Memory::fetch_split(const Trip& trip, Wanted& wanted, std::uint64_t line, std::uint64_t kind) {
  constexpr Cycle tags_first = 3;
  const Event* const looked = trip.first(Signal::l2i_lookup);
  const Cycle at = looked != nullptr ? looked->cycle : 0;
  const bool pending = under_way(code_arrivals_, line, at, trip.count(Signal::l2i_retry, dd::retry_recirculated) != 0);
  if (pending) {
    const Arrival& a = code_arrivals_[line];
    const bool exact = a.earliest == a.latest;
    const bool tags = exact ? a.latest <= at + tags_first : looked != nullptr && (looked->detail & d::lookup_hit) != 0;
    wanted.add(Signal::l2i_lookup, kind | (tags ? d::lookup_hit : d::lookup_miss));
    return {a.served, {a.earliest + 1, a.latest + 1, a.served}};
  }
  l2i_.use(line);
  if (l2i_.find(line) != nullptr) {
    wanted.add(Signal::l2i_lookup, kind | d::lookup_hit);
    return {Served::l2, {at + l2_fetch_ - 1, at + l2_fetch_ - 1, Served::l2}};
  }
  wanted.add(Signal::l2i_lookup, kind | d::lookup_miss);
  Answer answer;
  (void)ask_l3(trip, wanted, line, kind, answer.served);
  if (l2i_.put(line, Mesi::shared)) wanted.add(Signal::l2i_evict, 0);
  const Event* const there = trip.last(Signal::fetch_return);
  const Event* const pair = trip.first(Signal::bundle_pair_in);
  constexpr Cycle later = 32;
  if (there != nullptr) {
    answer.data = {there->cycle, there->cycle, answer.served};
  } else if (pair != nullptr) {
    answer.data = {pair->cycle - std::min(pair->cycle, later), pair->cycle, answer.served};
  }
  code_arrivals_[line] = answer.data;
  return answer;
}

void Memory::flush(const Trip& trip, Wanted& wanted) {
  const std::uint64_t line = l2_.line_of(trip.record.address);
  wanted.add(Signal::l2_reference,
             d::side_data | d::access_cache_operation |
                 (split_ ? (l2_.find(line) != nullptr && trip.first(Signal::l2_reference) &&
                                    !under_way(arrivals_, line, trip.first(Signal::l2_reference)->cycle, false)
                                ? d::lookup_hit
                                : d::lookup_miss)
                         : 0));
  wanted.add(Signal::l2_probe, 0);
  const Event* const probe = trip.first(Signal::l2_probe);
  const Cycle at = probe != nullptr ? probe->cycle : 0;
  const Mesi second = l2_.take(line), third = l3_.take(line);
  if (second != Mesi::invalid)
    wanted.add(Signal::line_evict, evicted(d::cache_l2, second, d::evict_cache_operation), at);
  if (third != Mesi::invalid) wanted.add(Signal::line_evict, evicted(d::cache_l3, third, d::evict_cache_operation), at);
  (void)take_from_first_level(line, at, d::evict_cache_operation);
  if (split_) l2i_.take(line);
  if (second == Mesi::invalid && third == Mesi::invalid) return;
  const bool clean = second != Mesi::modified && third != Mesi::modified;
  bus(wanted, BusKind::write_line, line, true, clean);
}

/// Another agent's transaction. What it finds is the modified copy, or what L3 has.
void Memory::snoop(BusKind kind, std::uint64_t line, Cycle at) {
  const bool coherent = kind <= BusKind::read_current || kind == BusKind::write_line || kind == BusKind::read_partial ||
                        kind == BusKind::write_partial;
  const bool takes = kind == BusKind::read_invalidate_line || kind == BusKind::invalidate_line ||
                     kind == BusKind::write_line || kind == BusKind::write_partial;
  Mesi found = Mesi::invalid;
  bool code = false;
  if (coherent) {
    const Mesi second = l2_.state(line), third = l3_.state(line);
    found = second == Mesi::modified || third == Mesi::invalid ? second : third;
    if (second != Mesi::invalid) findings_.want_unowned(Signal::l2_probe, 0, at);
    if (split_ && l2i_.find(line) != nullptr) findings_.want_unowned(Signal::l2i_snoop_hit, 0, at);
    if (takes) {
      if (second != Mesi::invalid)
        findings_.want_unowned(Signal::line_evict, evicted(d::cache_l2, l2_.take(line), d::evict_snoop), at);
      if (third != Mesi::invalid)
        findings_.want_unowned(Signal::line_evict, evicted(d::cache_l3, l3_.take(line), d::evict_snoop), at);
      code = take_from_first_level(line, at, d::evict_snoop);
      if (split_) l2i_.take(line);
    } else if (kind != BusKind::read_current) {
      if (LineList::Line* l = l2_.find(line)) l->state = Mesi::shared;
      if (LineList::Line* l = l3_.find(line)) l->state = Mesi::shared;
    }
  }
  const bool modified = found == Mesi::modified;
  const bool line_read = kind <= BusKind::read_current && kind != BusKind::invalidate_line;
  std::uint64_t detail = static_cast<std::uint64_t>(kind) | dd::bus_for_data |
                         static_cast<std::uint64_t>(act::BusAgent::other_processor) << dd::bus_agent_shift;
  if (line_read || kind == BusKind::write_line) detail |= dd::bus_full_line;
  if (found != Mesi::invalid) detail |= modified ? dd::bus_answer_modified : dd::bus_answer_hit;
  findings_.want_unowned(Signal::bus_transaction, detail, Wanted::any);
  findings_.want_unowned(Signal::snoop,
                         (found != Mesi::invalid ? d::snoop_hits_l2 : 0) | (code ? d::snoop_hits_l1i : 0) |
                             (takes ? d::snoop_invalidates : 0),
                         at);
  if (kind > BusKind::write_partial) return;
  findings_.want_unowned(Signal::bus_snoop,
                         (modified ? dd::snoop_found_modified : 0) | (code ? dd::snoop_reaches_l1i : 0) |
                             (found != Mesi::invalid || code ? dd::snoop_self : 0) |
                             static_cast<std::uint64_t>(act::BusAgent::other_processor) << dd::bus_agent_shift,
                         Wanted::any);
}

void Memory::apply(const Outside& outside, Cycle at) {
  const std::uint64_t line = l2_.line_of(outside.address);
  if (outside.what == Outside::What::transaction) return snoop(outside.kind, line, at);
  LineList::Line* const here = outside.what == Outside::What::state ? l2_.find(line) : nullptr;
  if (here == nullptr) {
    elsewhere_[line] = outside.state;
    return;
  }
  here->state = outside.state;
  if (LineList::Line* l = l3_.find(line)) l->state = outside.state;
}

std::string Outside::text() const {
  constexpr const char* kinds[] = {"read_line",    "read_invalidate_line", "invalidate_line", "read_current",
                                   "read_partial", "write_line",           "write_partial"};
  if (what == What::transaction) {
    if (kind == BusKind::read_line) return fmt::format("snoop kind=read addr={:x}", address);
    if (kind == BusKind::read_invalidate_line) return fmt::format("snoop kind=invalidate addr={:x}", address);
    return fmt::format("bus kind={} addr={:x}", kinds[static_cast<std::size_t>(kind)], address);
  }
  return fmt::format("state addr={:x} line={}{}", address, letter(state),
                     what == What::state_elsewhere ? " at=elsewhere" : "");
}

}  // namespace pmusim::testbench::ia64::lists
