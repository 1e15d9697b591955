// Levels of the states of the pipeline and the bus.
#include "models/ia64/filters.h"

namespace pmusim::pmu::ia64::filters {
namespace {

using activity::ia64::BackEnd;
using activity::ia64::FrontEnd;
namespace cause = activity::ia64::cause;

BackEnd stage_of(std::uint64_t back_end) { return static_cast<BackEnd>(back_end & 0xf); }
unsigned cause_of(std::uint64_t state) { return static_cast<unsigned>(state >> 8 & 0xff); }
unsigned missing_of(std::uint64_t front_end) { return static_cast<unsigned>(front_end & 3); }
FrontEnd front_end_cause(std::uint64_t state) { return static_cast<FrontEnd>(cause_of(state)); }

constexpr unsigned none = 0xff;  ///< no cause has this number

/// Causes of BE_L1D_FPU_BUBBLE by unit mask; unit masks 0 and 2 are sums of causes.
constexpr unsigned l1d_fpu_causes[16] = {none,
                                         cause::fpu,
                                         none,
                                         cause::full_store_buffer,
                                         cause::recirculated,
                                         cause::walker,
                                         none,
                                         cause::fill_conflict,
                                         cause::dcs,
                                         cause::l2_back_pressure,
                                         cause::tlb,
                                         cause::load_conflict,
                                         cause::load_check,
                                         cause::nat,
                                         cause::store_buffer_recirculated,
                                         cause::nat_conflict};

bool is_branch(FrontEnd why) {
  return why == FrontEnd::branch_interlock || why == FrontEnd::branch_queue ||
         why == FrontEnd::perfect_loop_prediction || why == FrontEnd::branch_immediate;
}

/// True if the unit mask of a lost-bandwidth event selects this cause; unit mask 0 selects all.
bool lost_to(FrontEnd why, unsigned umask) {
  static constexpr FrontEnd causes[16] = {FrontEnd::none,
                                          FrontEnd::flush,
                                          FrontEnd::none,
                                          FrontEnd::none,
                                          FrontEnd::unreached,
                                          FrontEnd::buffer_full,
                                          FrontEnd::instruction_miss,
                                          FrontEnd::tlb_miss,
                                          FrontEnd::fill_recirculate,
                                          FrontEnd::branch_immediate,
                                          FrontEnd::branch_queue,
                                          FrontEnd::perfect_loop_prediction,
                                          FrontEnd::branch_interlock,
                                          FrontEnd::bubble,
                                          FrontEnd::none,
                                          FrontEnd::none};
  return umask == 0 || (why != FrontEnd::none && causes[umask] == why);
}

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
  if (stage_of(back_end) != BackEnd::l1d_fpu) return 0;
  const unsigned why = cause_of(back_end);
  return umask == 0 || (umask == 2 ? why != cause::fpu : why == l1d_fpu_causes[umask]);
}
std::uint32_t execute_bubble(std::uint64_t back_end, std::uint64_t, unsigned umask) {
  if (stage_of(back_end) != BackEnd::execute) return 0;
  const unsigned why = cause_of(back_end);
  switch (umask) {
    case 1:
      return why == cause::gr_load || why == cause::gr_alu;
    case 2:
      return why == cause::fr;
    case 3:
      return why == cause::predicate;
    case 4:
      return why == cause::application_or_control;
    case 5:
      return why == cause::gr_alu;
    case 6:
      return why == cause::cancelled_load;
    case 7:
      return why == cause::execute_bank_switch;
    case 8:
      return why == cause::predicate || why == cause::application_or_control || why == cause::cancelled_load ||
             why == cause::execute_bank_switch;
    default:
      return 1;
  }
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
  if (missing_of(front_end) != all_missing) return 0;
  const FrontEnd why = front_end_cause(front_end);
  switch (umask) {
    case 0x1:
      return why == FrontEnd::flush;
    case 0x3:
      return why == FrontEnd::bubble || is_branch(why);
    case 0x4:
      return why == FrontEnd::instruction_miss || why == FrontEnd::tlb_miss;
    case 0x5:
      return why == FrontEnd::buffer_full;
    case 0x6:
      return why == FrontEnd::instruction_miss;
    case 0x7:
      return why == FrontEnd::tlb_miss;
    case 0x8:
      return why == FrontEnd::fill_recirculate;
    case 0x9:
      return is_branch(why);
    case 0xa:
      return why == FrontEnd::fill_recirculate || is_branch(why);
    case 0xb:
      return why != FrontEnd::flush && why != FrontEnd::bubble;
    case 0xc:
      return why != FrontEnd::buffer_full;
    case 0xd:
      return why == FrontEnd::bubble;
    default:
      return 1;
  }
}
std::uint32_t lost_bundles(std::uint64_t front_end, std::uint64_t, unsigned umask) {
  return lost_to(front_end_cause(front_end), umask) ? missing_of(front_end) : 0;
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
