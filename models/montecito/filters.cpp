#include "models/montecito/filters.h"

#include "models/ia64/filter_tools.h"
#include "models/ia64/filters.h"

namespace pmusim::pmu::montecito::filters {
namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
namespace i = activity::ia64;
using activity::LineState;
using i::BusAgent;
using i::L3Cancel;
using i::QueueCancel;
using i::Recirculate;
using ia64::filters::amount_if;
using ia64::filters::Named;
using ia64::filters::named;
using ia64::filters::no;
using ia64::filters::of_program;

constexpr Named<QueueCancel> cancels0[] = {{0x0, QueueCancel::recirculate_oversubscribed},
                                           {0x0, QueueCancel::did_not_recirculate},
                                           {0x1, QueueCancel::l2m_to_l2c_store},
                                           {0x2, QueueCancel::l2a_store_match},
                                           {0x3, QueueCancel::l2m_store_match},
                                           {0x4, QueueCancel::l2d_store_match},
                                           {0x5, QueueCancel::l2c_store_match},
                                           {0x6, QueueCancel::acquire},
                                           {0x7, QueueCancel::release},
                                           {0x8, QueueCancel::bank_conflict},
                                           {0x9, QueueCancel::semaphore},
                                           {0xa, QueueCancel::oversubscribed},
                                           {0xb, QueueCancel::preempted},
                                           {0xc, QueueCancel::read_write_back_conflict},
                                           {0xd, QueueCancel::other_order},
                                           {0xe, QueueCancel::l2_fill_store_conflict},
                                           {0xe, QueueCancel::store_fill_conflict},
                                           {0xf, QueueCancel::data_conflict}};
/// Unit mask 0 selects all reasons of the event.
constexpr Named<QueueCancel> cancels1[] = {{1, QueueCancel::late_speculative_bypass},
                                           {2, QueueCancel::sibling_order},
                                           {3, QueueCancel::late_bypass_effective_release},
                                           {0, QueueCancel::late_speculative_bypass},
                                           {0, QueueCancel::sibling_order},
                                           {0, QueueCancel::late_bypass_effective_release}};
constexpr Named<L3Cancel> l3_cancels[] = {{0, L3Cancel::invalid_bypass},  {1, L3Cancel::speculative_bypass},
                                          {3, L3Cancel::bus_reject},      {4, L3Cancel::snoop_of_request},
                                          {5, L3Cancel::snoop_of_victim}, {6, L3Cancel::fill_without_snoop},
                                          {7, L3Cancel::tail_disabled}};
constexpr Named<Recirculate> recirculates[] = {
    {0x1, Recirculate::limbo},          {0x4, Recirculate::tag_not_ok},     {0x5, Recirculate::transaction_prefetch},
    {0x6, Recirculate::snoop_or_l3},    {0x7, Recirculate::tag_ok},         {0x8, Recirculate::fill_hit},
    {0x9, Recirculate::forced},         {0xa, Recirculate::same_index},     {0xb, Recirculate::queue_miss},
    {0xc, Recirculate::l1_write},       {0xd, Recirculate::secondary_read}, {0xe, Recirculate::secondary_write},
    {0xf, Recirculate::secondary_read}, {0xf, Recirculate::secondary_write}};

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

int queue_cancel0(const EventInput& in) { return amount_if(named(cancels0, in, in.occurrence.detail), in); }
int queue_cancel1(const EventInput& in) {
  const bool every = in.umask == 0 && in.choices.cancels_of_all_groups;
  return amount_if(every || named(cancels1, in, in.occurrence.detail), in);
}
int l3_cancel(const EventInput& in) {
  constexpr unsigned any_reason = 2;
  return amount_if(in.umask == any_reason || named(l3_cancels, in, in.occurrence.detail & i::l3_cancel_reason_mask),
                   in);
}
int recirculated(const EventInput& in) {
  return amount_if(in.umask == 0 || named(recirculates, in, in.occurrence.detail), in);
}
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
