// Filters and levels for the rows of IA-64 event tables. A filter returns the amount of an occurrence that an event
// counts (negative: it does not belong to the event); a level returns the amount that the value of a state adds in a
// cycle, given the unit mask.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "models/ia64/events.h"

namespace pmusim::pmu::ia64::filters {

/// Bits of activity::ia64::Kind: an instruction must have one of them to pass this filter; 0: not restricted.
[[nodiscard]] std::uint32_t kinds_of(Event::Amount filter);

// retirement; on Signal::retire unless another signal is named
int retired(const EventInput& in);  ///< also IA-32 instructions, see EventChoices::ia32_retirement
int nop(const EventInput& in);
int squashed(const EventInput& in);
int fp_operations(const EventInput& in);
int flushed_to_zero(const EventInput& in);  ///< unit mask 1: all tiny results, whether flushed or not
int failed_fchkf(const EventInput& in);
int srlz(const EventInput& in);
int alat_check(const EventInput& in);  ///< unit mask bits: 1 integer, 2 FP
int failed_alat_check(const EventInput& in);
int failed_speculation_check(const EventInput& in);
int alat_displaced(const EventInput& in);  ///< alat_displace
int rse_event(const EventInput& in);
/// A bit field of the register counts that go with an RSE event.
template <unsigned shift, unsigned mask>
int frame_registers(const EventInput& in) {
  return rse_event(in) < 0 ? -1 : static_cast<int>(in.origin.syllable->frame_registers >> shift & mask);
}
template <unsigned shift, unsigned mask>
int dirty_registers(const EventInput& in) {
  return rse_event(in) < 0 ? -1 : static_cast<int>(in.origin.syllable->dirty_registers >> shift & mask);
}
int retired_load(const EventInput& in);   ///< access_retire, walk_read
int retired_store(const EventInput& in);  ///< access_retire
int misaligned_load(const EventInput& in);
int misaligned_store(const EventInput& in);
int uncacheable_load(const EventInput& in);
int uncacheable_store(const EventInput& in);
int rse_reference(const EventInput& in);    ///< access_retire; unit mask bits: 1 loads, 2 stores
int walker_inserted(const EventInput& in);  ///< access_retire
int debug_fault(const EventInput& in);      ///< access_retire
// branches, on Signal::retire
int branch_outcome(const EventInput& in);       ///< BR_MISPRED_DETAIL
int branch_path(const EventInput& in);          ///< BR_PATH_PRED
int unknown_outcome(const EventInput& in);      ///< BR_MISPRED_DETAIL2
int unknown_path(const EventInput& in);         ///< BR_PATH_PRED2
int back_end_mispredict(const EventInput& in);  ///< BE_BR_MISPRED_DETAIL
int multiway_outcome(const EventInput& in);     ///< ENCBR_MISPRED_DETAIL
// instruction side
int not_dispersed(const EventInput& in);   ///< syllable_held; unit mask: held_* bits
int overcounted(const EventInput& in);     ///< syllable_held
int demand_fetch(const EventInput& in);    ///< fetch
int fetch_pending(const EventInput& in);   ///< fetch
int fetch_streamed(const EventInput& in);  ///< fetch
int itlb_miss(const EventInput& in);       ///< translation; unit mask bits: 1 first level, 2 second level
// data side
int l1d_read(const EventInput& in);  ///< data_reference
int l1d_read_once(const EventInput& in);
int data_reference(const EventInput& in);  ///< data_reference
int data_reference_once(const EventInput& in);
int l1d_read_miss(const EventInput& in);      ///< dcache_lookup; unit mask 1: register stack fills
int l1d_transfer(const EventInput& in);       ///< translation
int l2_data_reference(const EventInput& in);  ///< l2_reference; unit mask bits: 1 reads, 2 writes
int debug_match(const EventInput& in);        ///< data_reference
// second and third level
int queue_cancel0(const EventInput& in);
int queue_cancel1(const EventInput& in);
int queue_cancel2(const EventInput& in);
int fetch_cancel(const EventInput& in);
int recirculated(const EventInput& in);
int l3_cancel(const EventInput& in);
int bypass(const EventInput& in);
int queue_operation(const EventInput& in);
int l3_read(const EventInput& in);  ///< l3_lookup; unit mask: 1:0 hit, miss, all; 3:2 who
int l3_write(const EventInput& in);
// bus; unit mask 1:0: 0 this die's cores, 1 I/O agents, 2 this processor, 3 any
int by_agent(const EventInput& in);  ///< bus_transaction, bus_snoop
int bus_read(const EventInput& in);  ///< any kind of read
int bus_memory(const EventInput& in);
int bus_memory_read(const EventInput& in);
int bus_read_data(const EventInput& in);
int bus_write_back(const EventInput& in);
int bus_io(const EventInput& in);
int bus_invalidates(const EventInput& in);
int pin(const EventInput& in);       ///< pin_assert; unit mask: pins 0 to 3
int high_pin(const EventInput& in);  ///< pin_assert; unit mask: pins 4 and 5

// levels
std::uint32_t back_end_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask);
std::uint32_t flush_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask);
std::uint32_t l1d_fpu_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask);
std::uint32_t execute_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask);
std::uint32_t register_stack_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask);
std::uint32_t dispersal_stalled(std::uint64_t back_end, std::uint64_t, unsigned umask);
std::uint32_t front_end_bubble(std::uint64_t front_end, std::uint64_t, unsigned umask);
std::uint32_t lost_bundles(std::uint64_t front_end, std::uint64_t, unsigned umask);
std::uint32_t lost_bundles_unstalled(std::uint64_t buffer_exit, std::uint64_t back_end, unsigned umask);
std::uint32_t prefetch_stall(std::uint64_t fetch_buffers, std::uint64_t, unsigned umask);
std::uint32_t snoop_stall(std::uint64_t bus_clocks, std::uint64_t, unsigned umask);
/// 1 if the bit of the state is set.
template <std::uint64_t bit>
std::uint32_t has_bit(std::uint64_t value, std::uint64_t, unsigned) {
  return (value & bit) != 0 ? 1 : 0;
}
/// The value of a bit field of the state.
template <unsigned shift, std::uint64_t mask>
std::uint32_t field(std::uint64_t value, std::uint64_t, unsigned) {
  return static_cast<std::uint32_t>(value >> shift & mask);
}

// Helper functions for filters.

inline constexpr int no = -1;

inline int amount_if(bool counts, const EventInput& in) { return counts ? in.occurrence.amount : no; }

/// A unit mask and the details that it selects: those that have `value` in the bits of `mask`. A unit mask may have
/// several rows.
struct Selects {
  unsigned umask;
  std::uint16_t mask, value;
};
template <std::size_t n>
bool selects(const Selects (&table)[n], const EventInput& in) {
  return std::any_of(std::begin(table), std::end(table), [&](const Selects& row) {
    return row.umask == in.umask && (in.occurrence.detail & row.mask) == row.value;
  });
}

/// The causes of the L2's ordered queue, for the rows of either processor.
namespace queue {
using activity::ia64::QueueCancel;
using activity::ia64::QueueStage;
using activity::ia64::Recirculate;
namespace c = activity::ia64::queue_cancel;
namespace r = activity::ia64::recirculate;

/// An attempt cancelled with this cause.
constexpr Selects cancel(unsigned umask, QueueCancel cause) {
  return {umask, c::cause_mask, static_cast<std::uint16_t>(cause)};
}
/// ... and, of the bits of `among`, with those of `set` alone.
constexpr Selects cancel(unsigned umask, QueueCancel cause, unsigned among, unsigned set) {
  return {umask, static_cast<std::uint16_t>(c::cause_mask | among),
          static_cast<std::uint16_t>(static_cast<unsigned>(cause) | set)};
}
/// ... in this stage.
constexpr Selects cancel(unsigned umask, QueueCancel cause, QueueStage stage) {
  return cancel(umask, cause, 3u << c::stage_shift, queue_stage(stage));
}

constexpr Selects round(unsigned umask, Recirculate cause, unsigned among = 0, unsigned set = 0) {
  return {umask, static_cast<std::uint16_t>(r::cause_mask | among),
          static_cast<std::uint16_t>(static_cast<unsigned>(cause) | set)};
}
}  // namespace queue

/// True if unit mask bits 1:0 select the agent: 0 the cores of this die, 1 I/O, 2 this core, 3 any.
inline bool of_agent(activity::ia64::BusAgent agent, unsigned umask) {
  using activity::ia64::BusAgent;
  switch (umask & 3) {
    case 0:
      return agent == BusAgent::self || agent == BusAgent::other_core;
    case 1:
      return agent == BusAgent::io;
    case 2:
      return agent == BusAgent::self;
    default:
      return true;
  }
}

/// True for an access by the program itself, not by the register stack engine or the page walker.
inline bool of_program(const EventInput& in) {
  return in.origin.access != nullptr && in.origin.access->requester == activity::ia64::Requester::data;
}

}  // namespace pmusim::pmu::ia64::filters
