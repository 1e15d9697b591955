// Filters for the second and third level of cache, the bus, and the pins.
#include <algorithm>
#include <span>

#include "models/ia64/filter_tools.h"
#include "models/ia64/filters.h"

namespace pmusim::pmu::ia64::filters {
namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
using activity::ia64::BusAgent;
using activity::ia64::BusKind;
using activity::ia64::FetchCancel;
using activity::ia64::L3Cancel;
using activity::ia64::QueueCancel;
using activity::ia64::Recirculate;

constexpr Named<QueueCancel> cancels0[] = {{1, QueueCancel::late_speculative_bypass},
                                           {2, QueueCancel::late_release},
                                           {3, QueueCancel::late_acquire},
                                           {4, QueueCancel::late_bypass_effective_release}};
constexpr Named<QueueCancel> cancels1[] = {{0x0, QueueCancel::release},
                                           {0x1, QueueCancel::bank_conflict},
                                           {0x2, QueueCancel::l2d_store_match},
                                           {0x4, QueueCancel::sync},
                                           {0x5, QueueCancel::walker_or_fetch_conflict},
                                           {0x6, QueueCancel::l2m_store_cancelled},
                                           {0x7, QueueCancel::l1_fill_conflict},
                                           {0x8, QueueCancel::store_fill_conflict},
                                           {0x9, QueueCancel::ccv},
                                           {0xa, QueueCancel::semaphore},
                                           {0xb, QueueCancel::l2m_store_match},
                                           {0xc, QueueCancel::fence_acceptance},
                                           {0xd, QueueCancel::l2a_store_match},
                                           {0xe, QueueCancel::l1d_fill_l2m},
                                           {0xf, QueueCancel::ecc}};
constexpr Named<QueueCancel> cancels2[] = {{0x0, QueueCancel::recirculate_oversubscribed},
                                           {0x1, QueueCancel::l2c_store_cancelled},
                                           {0x2, QueueCancel::l2c_store_match},
                                           {0x3, QueueCancel::scrub},
                                           {0x4, QueueCancel::acquire},
                                           {0x5, QueueCancel::read_write_back_conflict},
                                           {0x6, QueueCancel::data_conflict},
                                           {0x8, QueueCancel::l2_fill_store_conflict},
                                           {0x9, QueueCancel::did_not_recirculate},
                                           {0xa, QueueCancel::weird},
                                           {0xc, QueueCancel::oversubscribed},
                                           {0xd, QueueCancel::l2d_store_cancelled},
                                           {0xf, QueueCancel::data_or_fetch}};
constexpr Named<FetchCancel> fetch_cancels[] = {{0x2, FetchCancel::bypass},
                                                {0x4, FetchCancel::did_not_recirculate},
                                                {0x5, FetchCancel::recirculate_oversubscribed},
                                                {0x6, FetchCancel::store_fill_write_back},
                                                {0x7, FetchCancel::data_read},
                                                {0x8, FetchCancel::preempted},
                                                {0xc, FetchCancel::changed_priority},
                                                {0xd, FetchCancel::fetch_bypass}};
constexpr Named<Recirculate> recirculates[] = {
    {0x1, Recirculate::self_modifying_hit}, {0x2, Recirculate::l1_write},
    {0x4, Recirculate::tag_not_ok},         {0x5, Recirculate::transaction_prefetch},
    {0x6, Recirculate::snoop_or_l3},        {0x8, Recirculate::victim_pending},
    {0x9, Recirculate::fill_hit},           {0xa, Recirculate::prefetch_miss},
    {0xb, Recirculate::victim_buffer_full}, {0xc, Recirculate::queue_miss},
    {0xd, Recirculate::same_index},         {0xe, Recirculate::forced}};
constexpr Named<L3Cancel> l3_cancels[] = {{0x1, L3Cancel::speculative_bypass},
                                          {0x2, L3Cancel::fill_data_full},
                                          {0x5, L3Cancel::uncacheable_blocked},
                                          {0x6, L3Cancel::invalid_bypass},
                                          {0x8, L3Cancel::bus_reject}};

/// True if unit mask bits 1:0 select the result of the lookup: bit 0 hits, bit 1 misses.
bool of_result(const EventInput& in) {
  return ((in.umask & 1) != 0 && in.detail(d::lookup_hit)) || ((in.umask & 2) != 0 && in.detail(d::lookup_miss));
}

bool reads(BusKind kind) {
  return kind == BusKind::read_line || kind == BusKind::read_invalidate_line || kind == BusKind::read_current ||
         kind == BusKind::read_partial;
}
BusKind kind_of(const EventInput& in) { return static_cast<BusKind>(in.occurrence.detail & dd::bus_kind_mask); }
bool of_agent(const EventInput& in) {
  return filters::of_agent(static_cast<BusAgent>(in.occurrence.detail >> dd::bus_agent_shift & 3), in.umask);
}

}  // namespace

int queue_cancel0(const EventInput& in) {
  const std::uint16_t reason = in.occurrence.detail;
  const bool own = reason <= static_cast<std::uint16_t>(QueueCancel::late_bypass_effective_release);
  const bool any = in.umask == 0 && (own || in.choices.cancels_of_all_groups);
  return amount_if(any || named(cancels0, in, reason), in);
}
int queue_cancel1(const EventInput& in) { return amount_if(named(cancels1, in, in.occurrence.detail), in); }
int queue_cancel2(const EventInput& in) { return amount_if(named(cancels2, in, in.occurrence.detail), in); }
int fetch_cancel(const EventInput& in) {
  return amount_if(in.umask == 0 || named(fetch_cancels, in, in.occurrence.detail), in);
}
int recirculated(const EventInput& in) {
  return amount_if(in.umask == 0 || named(recirculates, in, in.occurrence.detail), in);
}
int l3_cancel(const EventInput& in) {
  namespace i = activity::ia64;
  switch (in.umask) {
    case 0x9:
      return in.occurrence.amount;
    case 0xa:
      return amount_if(in.detail(i::l3_cancel_by_data), in);
    case 0xb:
      return amount_if(in.detail(i::l3_cancel_by_fetch), in);
    default:
      return amount_if(named(l3_cancels, in, in.occurrence.detail & i::l3_cancel_reason_mask), in);
  }
}
// Unit mask bit 2: instruction side; bits 1:0: L2 early, L2 late, L3.
int bypass(const EventInput& in) {
  if (in.detail(dd::bypass_instruction) != ((in.umask & 4) != 0)) return no;
  const unsigned which = in.detail(dd::bypass_l3) ? 2 : in.detail(dd::bypass_late) ? 1 : 0;
  return amount_if(which == (in.umask & 3), in);
}
// Unit masks 8 to 0xc select operations 0 to 4.
int queue_operation(const EventInput& in) { return amount_if(in.occurrence.detail == (in.umask & 7), in); }

int l3_read(const EventInput& in) {
  if (in.detail(d::access_writeback | dd::l3_for_ownership) || !of_result(in)) return no;
  const bool data = in.detail(d::side_data);
  switch (in.umask >> 2 & 3) {
    case 0:
      return amount_if(!data && !in.detail(d::access_prefetch), in);
    case 1:
      return amount_if(!data, in);
    case 2:
      return amount_if(data, in);
    default:
      return in.occurrence.amount;
  }
}
int l3_write(const EventInput& in) {
  if (!in.detail(d::access_writeback | dd::l3_for_ownership) || !of_result(in)) return no;
  switch (in.umask >> 2 & 3) {
    case 1:
      return amount_if(in.detail(dd::l3_for_ownership), in);
    case 2:
      return amount_if(in.detail(d::access_writeback), in);
    default:
      return in.occurrence.amount;
  }
}

int by_agent(const EventInput& in) { return amount_if(of_agent(in), in); }
// Unit mask bits 3:2: 1 full lines, 2 partial lines, 3 both.
int bus_memory(const EventInput& in) {
  const bool memory = kind_of(in) < BusKind::io_read;
  const bool size = (in.umask >> 2 & (in.detail(dd::bus_full_line) ? 1u : 2u)) != 0;
  return amount_if(memory && size && of_agent(in), in);
}
// Unit mask bits 3:2: invalidate line, read line, read and invalidate line, all.
int bus_memory_read(const EventInput& in) {
  static constexpr BusKind kinds[] = {BusKind::invalidate_line, BusKind::read_line, BusKind::read_invalidate_line};
  const BusKind kind = kind_of(in);
  const unsigned which = in.umask >> 2 & 3;
  const bool counts =
      which == 3 ? std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds) : kind == kinds[which];
  return amount_if(counts && of_agent(in), in);
}
int bus_read_data(const EventInput& in) {
  return amount_if(reads(kind_of(in)) && in.detail(dd::bus_for_data) && of_agent(in), in);
}
int bus_read(const EventInput& in) {
  const BusKind kind = kind_of(in);
  return amount_if(in.choices.line_reads_only ? kind == BusKind::read_line : reads(kind), in);
}
// Unit mask bits 3:2: 1 full lines, 2 clean castouts, 3 all.
int bus_write_back(const EventInput& in) {
  if (kind_of(in) != BusKind::write_line || !of_agent(in)) return no;
  switch (in.umask >> 2 & 3) {
    case 1:
      return amount_if(in.detail(dd::bus_full_line) && !in.detail(dd::bus_clean_castout), in);  // castout: no data
    case 2:
      return amount_if(in.detail(dd::bus_clean_castout), in);
    default:
      return in.occurrence.amount;
  }
}
int bus_io(const EventInput& in) {
  return amount_if((kind_of(in) == BusKind::io_read || kind_of(in) == BusKind::io_write) && of_agent(in), in);
}
int bus_invalidates(const EventInput& in) {
  return amount_if(kind_of(in) == BusKind::invalidate_line || kind_of(in) == BusKind::read_invalidate_line, in);
}
int pin(const EventInput& in) {
  return amount_if(in.occurrence.detail < 4 && (in.umask >> in.occurrence.detail & 1) != 0, in);
}
int high_pin(const EventInput& in) {
  constexpr unsigned first = 4, last = 5;
  const unsigned number = in.occurrence.detail;
  return amount_if(number >= first && number <= last && (in.umask >> (number - first) & 1) != 0, in);
}

}  // namespace pmusim::pmu::ia64::filters
