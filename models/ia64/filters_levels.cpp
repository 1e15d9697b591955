// Levels of the states of the pipeline and the bus.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "models/ia64/filters.h"

namespace pmusim::pmu::ia64::filters {
namespace {

using activity::ia64::BackEnd;
using activity::ia64::FrontEnd;
namespace cause = activity::ia64::cause;

BackEnd stage_of(std::uint64_t back_end) { return static_cast<BackEnd>(back_end & 0xf); }
unsigned cause_of(std::uint64_t state) { return static_cast<unsigned>(state >> 8 & 0xff); }
unsigned missing_of(std::uint64_t front_end) { return static_cast<unsigned>(front_end & 3); }

/// A set of causes.
constexpr unsigned causes(auto... these) { return (0u | ... | (1u << static_cast<unsigned>(these))); }
/// The causes that a unit mask selects.
struct Selected {
  unsigned umask, causes;
};
/// By unit mask; one without a row selects every cause.
using ByUmask = std::array<unsigned, 16>;
constexpr ByUmask by_umask(std::initializer_list<Selected> rows) {
  ByUmask sets{};
  sets.fill(~0u);
  for (const Selected& row : rows) sets[row.umask] = row.causes;
  return sets;
}
bool selects(const ByUmask& sets, unsigned umask, unsigned why) {
  constexpr unsigned no_cause = 31;
  return (sets[umask] >> std::min(why, no_cause) & 1) != 0;
}

constexpr ByUmask l1d_fpu = by_umask({{0x1, causes(cause::fpu)},
                                      {0x2, ~causes(cause::fpu)},
                                      {0x3, causes(cause::full_store_buffer)},
                                      {0x4, causes(cause::recirculated)},
                                      {0x5, causes(cause::walker)},
                                      {0x6, 0},
                                      {0x7, causes(cause::fill_conflict)},
                                      {0x8, causes(cause::dcs)},
                                      {0x9, causes(cause::l2_back_pressure)},
                                      {0xa, causes(cause::tlb)},
                                      {0xb, causes(cause::load_conflict)},
                                      {0xc, causes(cause::load_check)},
                                      {0xd, causes(cause::nat)},
                                      {0xe, causes(cause::store_buffer_recirculated)},
                                      {0xf, causes(cause::nat_conflict)}});
constexpr unsigned rare =
    causes(cause::predicate, cause::application_or_control, cause::cancelled_load, cause::execute_bank_switch);
constexpr ByUmask execute = by_umask({{1, causes(cause::gr_load, cause::gr_alu)},
                                      {2, causes(cause::fr)},
                                      {3, causes(cause::predicate)},
                                      {4, causes(cause::application_or_control)},
                                      {5, causes(cause::gr_alu)},
                                      {6, causes(cause::cancelled_load)},
                                      {7, causes(cause::execute_bank_switch)},
                                      {8, rare}});
constexpr unsigned branches = causes(FrontEnd::branch_interlock, FrontEnd::branch_queue,
                                     FrontEnd::perfect_loop_prediction, FrontEnd::branch_immediate);
constexpr ByUmask front_end_bubbles = by_umask({{0x1, causes(FrontEnd::flush)},
                                                {0x3, causes(FrontEnd::bubble) | branches},
                                                {0x4, causes(FrontEnd::instruction_miss, FrontEnd::tlb_miss)},
                                                {0x5, causes(FrontEnd::buffer_full)},
                                                {0x6, causes(FrontEnd::instruction_miss)},
                                                {0x7, causes(FrontEnd::tlb_miss)},
                                                {0x8, causes(FrontEnd::fill_recirculate)},
                                                {0x9, branches},
                                                {0xa, causes(FrontEnd::fill_recirculate) | branches},
                                                {0xb, ~causes(FrontEnd::flush, FrontEnd::bubble)},
                                                {0xc, ~causes(FrontEnd::buffer_full)},
                                                {0xd, causes(FrontEnd::bubble)}});
/// Of the events of lost bandwidth.
constexpr ByUmask lost = by_umask({{0x1, causes(FrontEnd::flush)},
                                   {0x2, 0},
                                   {0x3, 0},
                                   {0x4, causes(FrontEnd::unreached)},
                                   {0x5, causes(FrontEnd::buffer_full)},
                                   {0x6, causes(FrontEnd::instruction_miss)},
                                   {0x7, causes(FrontEnd::tlb_miss)},
                                   {0x8, causes(FrontEnd::fill_recirculate)},
                                   {0x9, causes(FrontEnd::branch_immediate)},
                                   {0xa, causes(FrontEnd::branch_queue)},
                                   {0xb, causes(FrontEnd::perfect_loop_prediction)},
                                   {0xc, causes(FrontEnd::branch_interlock)},
                                   {0xd, causes(FrontEnd::bubble)},
                                   {0xe, 0},
                                   {0xf, 0}});

}  // namespace

std::uint32_t back_end_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask) {
  const BackEnd stage = stage_of(back_end);
  switch (umask) {
    case 1:
      return stage == BackEnd::front_end;
    case 2:
      return stage == BackEnd::l1d_fpu || stage == BackEnd::register_stack;
    default:
      return stage != BackEnd::issuing;
  }
}
std::uint32_t flush_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask) {
  return stage_of(back_end) == BackEnd::flush && (umask == 0 || cause_of(back_end) == umask);
}
std::uint32_t l1d_fpu_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask) {
  return stage_of(back_end) == BackEnd::l1d_fpu && selects(l1d_fpu, umask, cause_of(back_end));
}
std::uint32_t execute_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask) {
  return stage_of(back_end) == BackEnd::execute && selects(execute, umask, cause_of(back_end));
}
// Unit mask n selects cause n; 0 selects all.
std::uint32_t register_stack_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask) {
  return stage_of(back_end) == BackEnd::register_stack && (umask == 0 || cause_of(back_end) == umask);
}
std::uint32_t dispersal_stalled(std::uint64_t back_end, std::uint64_t, unsigned) {
  const BackEnd stage = stage_of(back_end);
  return stage != BackEnd::issuing && stage != BackEnd::front_end;
}

std::uint32_t front_end_bubble(std::uint64_t front_end, std::uint64_t, unsigned umask) {
  constexpr unsigned all_missing = 2;
  return missing_of(front_end) == all_missing && selects(front_end_bubbles, umask, cause_of(front_end));
}
std::uint32_t lost_bundles(std::uint64_t front_end, std::uint64_t, unsigned umask) {
  return selects(lost, umask, cause_of(front_end)) ? missing_of(front_end) : 0;
}
std::uint32_t lost_bundles_unstalled(std::uint64_t buffer_exit, std::uint64_t back_end, unsigned umask) {
  return dispersal_stalled(back_end, 0, 0) != 0 ? 0 : lost_bundles(buffer_exit, 0, umask);
}

std::uint32_t prefetch_stall(std::uint64_t fetch_buffers, std::uint64_t, unsigned umask) {
  namespace bits = activity::ia64::fetch_buffers;
  constexpr unsigned flow = 2;
  return (fetch_buffers & (umask == flow ? bits::prefetch_flow : bits::prefetch_held)) != 0;
}
std::uint32_t snoop_stall(std::uint64_t bus_clocks, std::uint64_t, unsigned umask) {
  namespace bits = activity::ia64::bus_clocks;
  constexpr unsigned self = 2;
  return (bus_clocks & (umask == self ? bits::snoop_stall_self : bits::snoop_stall_self | bits::snoop_stall_other)) !=
         0;
}

}  // namespace pmusim::pmu::ia64::filters
