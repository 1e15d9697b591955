// The event multiplexer of Montecito.
#pragma once

#include <span>

#include "models/ia64/events.h"
#include "models/ia64/family.h"

namespace pmusim::pmu::montecito {

/// All events, sorted by code. Sources: libpfm's event table; definitions after HP Caliper.
[[nodiscard]] std::span<const ia64::Event> multiplexer();
/// The definition of the Montecito monitor, including the event table.
[[nodiscard]] const ia64::Family& family();

}  // namespace pmusim::pmu::montecito

// Filters and levels that only Montecito's event table uses; the others are in models/ia64/filters.h.
namespace pmusim::pmu::montecito::filters {

using ia64::EventInput;

// retirement
int integer_load(const EventInput& in);   ///< access_retire
int deferred_load(const EventInput& in);  ///< retire; unit mask: 0, or the activity::ia64::Deferral
// thread switches
int switched(const EventInput& in);        ///< thread_switch; unit mask: the SwitchCause, or 7 for any
int switch_gated(const EventInput& in);    ///< thread_switch_gated; unit mask: 1, 4, 5 SwitchGate 0 to 2, 7 any
int switch_stalled(const EventInput& in);  ///< thread_switch; the switch stalled at least 4 << unit mask cycles
// L2I; unit mask bits 1:0: 1 demand, 2 prefetch; 3:2: 1 hit, 2 miss
int l2i_read(const EventInput& in);
int l2i_uncacheable_read(const EventInput& in);
int l2i_retried(const EventInput& in);
// L2D
int queue_cancel0(const EventInput& in);
int queue_cancel1(const EventInput& in);
int l3_cancel(const EventInput& in);
int recirculated(const EventInput& in);
int queue_operation(const EventInput& in);
int filled(const EventInput& in);  ///< l2_fill; unit mask: M, E, S, I, pending
// bus; unit mask bits 1:0: agent
int read(const EventInput& in);
int read_invalidates(const EventInput& in);
// system interface; unit mask bit 0: this core only
template <activity::ia64::InterfaceQueue queue>
int in_queue(const EventInput& in) {
  namespace i = activity::ia64;
  const bool own = !in.detail(i::interface_other_core) || (in.umask & 1) == 0;
  return own && (in.occurrence.detail & i::interface_queue_mask) == static_cast<unsigned>(queue) ? in.occurrence.amount
                                                                                                 : -1;
}
int write_inserted(const EventInput& in);  ///< unit mask bits 3:1: 0 all, else InterfaceWrite + 1
int snoop_inserted(const EventInput& in);  ///< unit mask bits 3:2: InterfaceSnoop, or 3 for all
int snoop_signed_off(const EventInput& in);
int ecc_error(const EventInput& in);  ///< unit mask bits 3:2: single, double, all

// levels
std::uint32_t switch_cycle(std::uint64_t switching, std::uint64_t, unsigned umask);
std::uint32_t data_cycle(std::uint64_t bus_clocks, std::uint64_t, unsigned umask);
std::uint32_t back_to_back_data(std::uint64_t bus_clocks, std::uint64_t, unsigned umask);
std::uint32_t snoop_stall(std::uint64_t bus_clocks, std::uint64_t, unsigned umask);
std::uint32_t rejects_all(std::uint64_t request_reject, std::uint64_t, unsigned umask);
/// A bit field of the entries of both cores; with unit mask 1, of this core.
template <unsigned shift, std::uint64_t mask>
std::uint32_t entries(std::uint64_t both, std::uint64_t own, unsigned umask) {
  return static_cast<std::uint32_t>((umask == 0 ? both : own) >> shift & mask);
}

}  // namespace pmusim::pmu::montecito::filters
