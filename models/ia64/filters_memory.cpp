// Filters for the second and third level of cache, the bus, and the pins.
#include <algorithm>
#include <span>

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
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;
namespace qc = activity::ia64::queue_cancel;
namespace fc = activity::ia64::fetch_cancel;
namespace rd = activity::ia64::recirculate;

constexpr unsigned first_and_adjacent = qc::first | qc::adjacent;
constexpr unsigned fill_store = qc::store | qc::same_set;

constexpr std::uint16_t number(auto value) { return static_cast<std::uint16_t>(value); }

constexpr Selects cancels0[] = {queue::cancel(0x1, QueueCancel::missed_bypass),
                                queue::cancel(0x2, QueueCancel::release, qc::first, qc::first),
                                queue::cancel(0x3, QueueCancel::acquire, first_and_adjacent, first_and_adjacent),
                                queue::cancel(0x4, QueueCancel::bypass_of_release)};
constexpr Selects cancels1[] = {queue::cancel(0x0, QueueCancel::release, qc::first, 0),
                                queue::cancel(0x1, QueueCancel::bank),
                                queue::cancel(0x2, QueueCancel::store_data, QueueStage::l2d),
                                queue::cancel(0x4, QueueCancel::sync),
                                queue::cancel(0x5, QueueCancel::fetch, qc::walker, qc::walker),
                                queue::cancel(0x6, QueueCancel::store_order, QueueStage::l2m),
                                queue::cancel(0x7, QueueCancel::fill, qc::store, 0),
                                queue::cancel(0x8, QueueCancel::fill, fill_store, fill_store),
                                queue::cancel(0x9, QueueCancel::compare_value),
                                queue::cancel(0xa, QueueCancel::semaphore),
                                queue::cancel(0xb, QueueCancel::store_data, QueueStage::l2m),
                                queue::cancel(0xc, QueueCancel::fence),
                                queue::cancel(0xd, QueueCancel::store_data, QueueStage::l2a),
                                queue::cancel(0xe, QueueCancel::l1d_fill),
                                queue::cancel(0xf, QueueCancel::l2_error)};
constexpr Selects cancels2[] = {queue::cancel(0x0, QueueCancel::recirculating),
                                queue::cancel(0x1, QueueCancel::store_order, QueueStage::l2c),
                                queue::cancel(0x2, QueueCancel::store_data, QueueStage::l2c),
                                queue::cancel(0x3, QueueCancel::system_error),
                                queue::cancel(0x4, QueueCancel::acquire, first_and_adjacent, 0),
                                queue::cancel(0x4, QueueCancel::acquire, first_and_adjacent, qc::first),
                                queue::cancel(0x4, QueueCancel::acquire, first_and_adjacent, qc::adjacent),
                                queue::cancel(0x5, QueueCancel::write_back_read),
                                queue::cancel(0x6, QueueCancel::return_port),
                                queue::cancel(0x8, QueueCancel::fill, fill_store, qc::store),
                                queue::cancel(0x9, QueueCancel::still_missing),
                                queue::cancel(0xa, QueueCancel::uncacheable),
                                queue::cancel(0xc, QueueCancel::no_attempt_left),
                                queue::cancel(0xd, QueueCancel::store_order, QueueStage::l2d),
                                queue::cancel(0xf, QueueCancel::fetch, qc::walker, 0)};
constexpr Selects fetch_cancels[] = {
    {0x2, fc::cause_mask | fc::first | fc::prefetch, number(number(FetchCancel::data) | fc::first)},
    {0x4, fc::cause_mask, number(FetchCancel::still_missing)},
    {0x5, fc::cause_mask, number(FetchCancel::recirculating)},
    {0x6, fc::cause_mask, number(FetchCancel::fill_or_write_back)},
    // Bit 1 of the count is clear for the first two attempts after the first, and set for later ones.
    {0x7, fc::cause_mask | fc::first | 2 << fc::after_data_shift, number(FetchCancel::data)},
    {0x8, fc::cause_mask | fc::first | 2 << fc::after_data_shift,
     number(number(FetchCancel::data) | 2 << fc::after_data_shift)},
    {0xc, fc::cause_mask, number(FetchCancel::snoop)},
    {0xd, fc::cause_mask | fc::first | fc::prefetch, number(number(FetchCancel::data) | fc::first | fc::prefetch)}};
constexpr Selects recirculates[] = {
    queue::round(0x1, Recirculate::self_modifying),
    queue::round(0x2, Recirculate::l1d_line_written),
    queue::round(0x4, Recirculate::tags_written),
    queue::round(0x5, Recirculate::line_under_way, rd::prefetch | rd::for_code_prefetch, rd::prefetch),
    queue::round(0x6, Recirculate::snoop),
    queue::round(0x8, Recirculate::write_back),
    queue::round(0x9, Recirculate::line_under_way, rd::prefetch | rd::for_code_prefetch, 0),
    queue::round(0xa, Recirculate::line_under_way, rd::for_code_prefetch, rd::for_code_prefetch),
    queue::round(0xb, Recirculate::no_victim_buffer),
    queue::round(0xc, Recirculate::miss),
    queue::round(0xd, Recirculate::set_under_way),
    queue::round(0xe, Recirculate::no_fill_buffer)};
constexpr std::uint16_t l3_reason = activity::ia64::l3_cancel_reason_mask;
constexpr std::uint16_t l3_write_back = activity::ia64::l3_cancel_during_write_back;
constexpr Selects l3_cancels[] = {{0x1, l3_reason, number(L3Cancel::l2_hit)},
                                  {0x2, l3_reason, number(L3Cancel::no_fill_buffer)},
                                  {0x5, l3_reason, number(L3Cancel::uncacheable_in_flight)},
                                  {0x6, l3_reason | l3_write_back, number(L3Cancel::l3_busy)},
                                  {0x8, l3_reason, number(L3Cancel::bus_queue_full)}};

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
  if (in.umask != 0) return amount_if(selects(cancels0, in), in);
  if (in.choices.cancels_of_all_groups) return in.occurrence.amount;
  const auto selected = [&](const Selects& row) { return (in.occurrence.detail & row.mask) == row.value; };
  return amount_if(std::any_of(std::begin(cancels0), std::end(cancels0), selected), in);
}
int queue_cancel1(const EventInput& in) { return amount_if(selects(cancels1, in), in); }
int queue_cancel2(const EventInput& in) { return amount_if(selects(cancels2, in), in); }
int fetch_cancel(const EventInput& in) { return amount_if(in.umask == 0 || selects(fetch_cancels, in), in); }
int recirculated(const EventInput& in) { return amount_if(in.umask == 0 || selects(recirculates, in), in); }
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
      return amount_if(selects(l3_cancels, in), in);
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
