#include "models/ia64/filters.h"

#include "models/montecito/events.h"

namespace pmusim::pmu::montecito::filters {
namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
namespace i = activity::ia64;
using activity::LineState;
using i::BusAgent;
using i::L3Cancel;
using i::LinePhase;
using i::QueueCancel;
using i::QueueStage;
using i::Recirculate;
namespace qc = activity::ia64::queue_cancel;
namespace rd = activity::ia64::recirculate;
namespace queue = ia64::filters::queue;
using ia64::filters::amount_if;
using ia64::filters::no;
using ia64::filters::of_program;
using ia64::filters::Selects;
using ia64::filters::selects;

constexpr Selects cancels0[] = {queue::cancel(0x0, QueueCancel::recirculating, qc::first, 0),
                                queue::cancel(0x0, QueueCancel::still_missing),
                                queue::cancel(0x1, QueueCancel::store_order),
                                queue::cancel(0x2, QueueCancel::store_data, QueueStage::l2a),
                                queue::cancel(0x3, QueueCancel::store_data, QueueStage::l2m),
                                queue::cancel(0x4, QueueCancel::store_data, QueueStage::l2d),
                                queue::cancel(0x5, QueueCancel::store_data, QueueStage::l2c),
                                queue::cancel(0x6, QueueCancel::acquire),
                                queue::cancel(0x7, QueueCancel::release),
                                queue::cancel(0x8, QueueCancel::bank),
                                queue::cancel(0x9, QueueCancel::semaphore),
                                queue::cancel(0xa, QueueCancel::no_attempt_left),
                                queue::cancel(0xb, QueueCancel::recirculating, qc::first, qc::first),
                                queue::cancel(0xc, QueueCancel::write_back_read),
                                queue::cancel(0xd, QueueCancel::sync),
                                queue::cancel(0xd, QueueCancel::fence),
                                queue::cancel(0xd, QueueCancel::compare_value),
                                queue::cancel(0xd, QueueCancel::uncacheable),
                                queue::cancel(0xe, QueueCancel::fill, qc::store, qc::store),
                                queue::cancel(0xf, QueueCancel::fill, qc::store, 0),
                                queue::cancel(0xf, QueueCancel::return_port)};
/// Unit mask 0 has all of them.
constexpr Selects cancels1[] = {
    queue::cancel(1, QueueCancel::missed_bypass),     queue::cancel(2, QueueCancel::sibling_order),
    queue::cancel(3, QueueCancel::bypass_of_release), queue::cancel(0, QueueCancel::missed_bypass),
    queue::cancel(0, QueueCancel::sibling_order),     queue::cancel(0, QueueCancel::bypass_of_release)};
constexpr Selects l3_because(unsigned umask, L3Cancel reason) {
  return {umask, i::l3_cancel_reason_mask, static_cast<std::uint16_t>(reason)};
}
constexpr Selects l3_cancels[] = {l3_because(0, L3Cancel::l3_busy),         l3_because(1, L3Cancel::l2_hit),
                                  l3_because(3, L3Cancel::bus_queue_full),  l3_because(4, L3Cancel::snoop_of_request),
                                  l3_because(5, L3Cancel::snoop_of_victim), l3_because(6, L3Cancel::fill),
                                  l3_because(7, L3Cancel::write_back)};

/// A line on its way in this phase for a data request; the entry is no lfetch, and has these bits among `among`.
constexpr Selects under_way(unsigned umask, LinePhase phase, unsigned among = 0, unsigned set = 0) {
  return queue::round(umask, Recirculate::line_under_way,
                      rd::prefetch | rd::for_code_prefetch | 3u << rd::phase_shift | among, line_phase(phase) | set);
}
constexpr Selects recirculates[] = {
    under_way(0x1, LinePhase::requested),
    queue::round(0x4, Recirculate::tags_written),
    queue::round(0x5, Recirculate::line_under_way, rd::prefetch | rd::for_code_prefetch, rd::prefetch),
    queue::round(0x6, Recirculate::snoop),
    under_way(0x7, LinePhase::in_tags),
    under_way(0x8, LinePhase::arrives),
    queue::round(0x9, Recirculate::no_fill_buffer),
    queue::round(0xa, Recirculate::set_under_way),
    queue::round(0xb, Recirculate::miss),
    queue::round(0xc, Recirculate::l1d_line_written),
    under_way(0xd, LinePhase::accepted, rd::store, 0),
    under_way(0xe, LinePhase::accepted, rd::store, rd::store),
    under_way(0xf, LinePhase::accepted)};

constexpr unsigned any = 7;  ///< unit mask of the thread switch events

bool of_l2i_kind(const EventInput& in) {
  const unsigned side = in.detail(d::access_prefetch) ? 2 : 1;
  const unsigned result = in.detail(d::lookup_hit) ? 1 : 2;
  return (in.umask & side) != 0 && (in.umask >> 2 & result) != 0;
}
bool uncacheable(const EventInput& in) { return in.origin.access != nullptr && in.origin.access->uncacheable; }

unsigned kind_of(const EventInput& in) { return in.occurrence.detail >> i::interface_kind_shift & 7; }
bool of_snoop_kind(const EventInput& in) {
  constexpr unsigned all = 3;
  const unsigned kind = in.umask >> 2 & 3;
  return kind == all || kind == kind_of(in);
}

BusAgent agent_at(std::uint64_t bus_clocks, unsigned shift) { return static_cast<BusAgent>(bus_clocks >> shift & 3); }

}  // namespace

int integer_load(const EventInput& in) {
  return amount_if(of_program(in) && in.origin.access->load && !in.origin.access->fp && !in.origin.access->semaphore,
                   in);
}
int deferred_load(const EventInput& in) {
  if (!in.is(i::Kind::speculative) || !in.is(i::Kind::integer_load)) return no;
  const auto why = static_cast<unsigned>(in.origin.syllable->deferral);
  return amount_if(why != 0 && (in.umask == 0 || in.umask == why), in);
}

int switched(const EventInput& in) {
  return amount_if(in.umask == any || (in.occurrence.detail & dd::switch_cause_mask) == in.umask, in);
}
int switch_gated(const EventInput& in) {
  static constexpr unsigned umasks[] = {1, 4, 5};  // SwitchGate
  const unsigned gate = in.occurrence.detail;
  return amount_if(in.umask == any || (gate < std::size(umasks) && umasks[gate] == in.umask), in);
}
int switch_stalled(const EventInput& in) {
  return amount_if(in.occurrence.detail >> dd::switch_stall_shift >= 4 << in.umask, in);
}

int l2i_read(const EventInput& in) { return amount_if(!uncacheable(in) && of_l2i_kind(in), in); }
int l2i_uncacheable_read(const EventInput& in) { return amount_if(uncacheable(in) && of_l2i_kind(in), in); }
int l2i_retried(const EventInput& in) { return amount_if(of_l2i_kind(in), in); }

int queue_cancel0(const EventInput& in) { return amount_if(selects(cancels0, in), in); }
int queue_cancel1(const EventInput& in) {
  const bool every = in.umask == 0 && in.choices.cancels_of_all_groups;
  return amount_if(every || selects(cancels1, in), in);
}
int l3_cancel(const EventInput& in) {
  constexpr unsigned any_reason = 2;
  return amount_if(in.umask == any_reason || selects(l3_cancels, in), in);
}
int recirculated(const EventInput& in) { return amount_if(in.umask == 0 || selects(recirculates, in), in); }
int queue_operation(const EventInput& in) {
  static constexpr std::uint16_t operations[] = {dd::operation_integer_load,      dd::operation_fp_load,
                                                 dd::operation_read_modify_write, dd::operation_store,
                                                 dd::operation_prefetch,          dd::operation_other};
  return amount_if(in.umask < std::size(operations) && in.occurrence.detail == operations[in.umask], in);
}
int filled(const EventInput& in) {
  static constexpr LineState states[] = {LineState::modified, LineState::exclusive, LineState::shared,
                                         LineState::invalid};
  constexpr unsigned pending = 4;
  if (in.detail(dd::l2_fill_pending) || in.umask == pending)
    return amount_if(in.detail(dd::l2_fill_pending) && in.umask == pending, in);
  return amount_if((in.occurrence.detail & 7) == static_cast<unsigned>(states[in.umask & 3]), in);
}

int read(const EventInput& in) { return ia64::filters::bus_read(in) < 0 ? no : ia64::filters::by_agent(in); }
int read_invalidates(const EventInput& in) {
  const unsigned kind = in.occurrence.detail & dd::bus_kind_mask;
  return kind == static_cast<unsigned>(i::BusKind::read_invalidate_line) ? ia64::filters::by_agent(in) : no;
}
int write_inserted(const EventInput& in) {
  const unsigned kind = in.umask >> 1;
  return kind == 0 || kind == kind_of(in) + 1 ? in_queue<i::InterfaceQueue::write>(in) : no;
}
int snoop_inserted(const EventInput& in) {
  return of_snoop_kind(in) ? in_queue<i::InterfaceQueue::snoop_coalescing>(in) : no;
}
int snoop_signed_off(const EventInput& in) { return amount_if(of_snoop_kind(in), in); }
int ecc_error(const EventInput& in) {
  constexpr unsigned all = 2;
  const unsigned kind = in.umask >> 2 & 3;
  const bool own = !in.detail(i::interface_other_core) || (in.umask & 1) == 0;
  return amount_if(own && (kind == all || (kind == 1) == in.detail(i::interface_double_error)), in);
}

std::uint32_t switch_cycle(std::uint64_t switching, std::uint64_t, unsigned umask) {
  namespace bits = i::switching;
  static constexpr std::uint64_t of_umask[8] = {
      0, bits::request_buffer, bits::l2d_return, bits::request_buffer | bits::l2d_return, bits::disabled,
      0, bits::gated,          bits::due};
  return (switching & of_umask[umask & 7]) != 0;
}
std::uint32_t data_cycle(std::uint64_t bus_clocks, std::uint64_t, unsigned umask) {
  namespace bits = i::bus_clocks;
  return (bus_clocks & bits::data) != 0 && ia64::filters::of_agent(agent_at(bus_clocks, bits::data_agent_shift), umask);
}
std::uint32_t back_to_back_data(std::uint64_t bus_clocks, std::uint64_t, unsigned umask) {
  namespace bits = i::bus_clocks;
  return (bus_clocks & bits::back_to_back) != 0 &&
         ia64::filters::of_agent(agent_at(bus_clocks, bits::data_agent_shift), umask);
}
// A stall caused by this core has its own bit and counts for every unit mask.
std::uint32_t snoop_stall(std::uint64_t bus_clocks, std::uint64_t, unsigned umask) {
  namespace bits = i::bus_clocks;
  constexpr unsigned any_agent = 3;
  if ((bus_clocks & bits::snoop_stall_self) != 0) return 1;
  if ((bus_clocks & bits::snoop_stall_other) == 0) return 0;
  const BusAgent agent = agent_at(bus_clocks, bits::stall_agent_shift);
  return umask == any_agent || (agent != BusAgent::self && ia64::filters::of_agent(agent, umask));
}
std::uint32_t rejects_all(std::uint64_t request_reject, std::uint64_t, unsigned) {
  namespace bits = i::request_reject;
  constexpr std::uint64_t both = bits::instruction | bits::data;
  return (request_reject & both) == both;
}

}  // namespace pmusim::pmu::montecito::filters
