// Filters for retirement, branches, and the instruction and data sides. filters_memory.cpp has those for the second and
// third level of cache and the bus, filters_levels.cpp those for states.
#include "models/ia64/filters.h"

namespace pmusim::pmu::ia64::filters {
namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
using activity::Signal;
using activity::ia64::BranchClass;
using activity::ia64::Kind;
using activity::ia64::Prediction;
using activity::ia64::Requester;
using activity::ia64::SlotType;
using activity::ia64::Syllable;

/// The instruction if its predicate is true, else null.
const Syllable* executed(const EventInput& in) {
  return in.origin.syllable != nullptr && in.origin.syllable->predicate ? in.origin.syllable : nullptr;
}
bool executed_is(const EventInput& in, Kind kind) { return executed(in) != nullptr && in.is(kind); }

const Syllable* branch(const EventInput& in) { return in.is(Kind::branch) ? in.origin.syllable : nullptr; }
bool taken(const EventInput& in) { return in.origin.instruction->taken; }

bool of_register_kind(const EventInput& in, bool fp) { return (in.umask & (fp ? 2u : 1u)) != 0; }

/// True if unit mask bits 3:2 select the instruction's branch class.
bool of_class(const Syllable& s, unsigned umask) {
  switch (umask >> 2 & 3) {
    case 1:
      return s.branch_class == BranchClass::ip_relative;
    case 2:
      return s.branch_class == BranchClass::return_;
    case 3:
      return s.branch_class == BranchClass::indirect;
    default:
      return true;
  }
}

/// True if unit mask bits 1:0 select the branch's outcome.
bool of_outcome(const Syllable& s, unsigned umask) {
  switch (umask & 3) {
    case 1:
      return s.prediction == Prediction::correct || s.prediction == Prediction::none;
    case 2:
      return s.prediction == Prediction::wrong_path;
    case 3:
      return s.prediction == Prediction::wrong_target;
    default:
      return true;
  }
}

bool is_check(const EventInput& in) { return in.is(Kind::check_advanced) || in.is(Kind::check_load); }
bool checks_fp(const EventInput& in) {
  return in.is(Kind::fp_check) || (in.is(Kind::check_load) && in.is(Kind::fp_load));
}

/// True for an access that data breakpoints can match: all except those by the page walker.
bool watched(const EventInput& in) {
  return in.origin.access != nullptr && in.origin.access->requester != Requester::page_walker;
}
bool loads(const EventInput& in) { return in.origin.access != nullptr && in.origin.access->load; }
bool stores(const EventInput& in) { return in.origin.access != nullptr && in.origin.access->store; }

}  // namespace

int retired(const EventInput& in) {
  if (in.signal == Signal::ia32_retire) return amount_if(in.choices.ia32_retirement, in);
  const bool is_long = in.origin.syllable != nullptr && in.origin.syllable->type == SlotType::x;
  return in.occurrence.amount * (is_long && in.choices.long_is_two ? 2 : 1);
}
int nop(const EventInput& in) {
  return amount_if(in.is(Kind::nop) && (in.choices.false_nops || executed(in) != nullptr), in);
}
// A branch with a false predicate is not squashed: it retires as not taken.
int squashed(const EventInput& in) {
  const Syllable* const s = in.origin.syllable;
  return amount_if(s != nullptr && !s->predicate && s->type != SlotType::b, in);
}
int fp_operations(const EventInput& in) {
  const Syllable* const s = executed(in);
  return s != nullptr && s->has(Kind::fp_operation) ? s->fp_operations : no;
}
int flushed_to_zero(const EventInput& in) {
  const Syllable* const s = executed(in);
  if (s == nullptr) return no;
  const std::uint8_t results = in.umask == 0 ? s->flushed_to_zero : s->possibly_flushed;
  return results != 0 ? results : no;
}
int failed_fchkf(const EventInput& in) {
  return amount_if(executed_is(in, Kind::fp_check_flags) && executed(in)->check_failed, in);
}
int srlz(const EventInput& in) { return amount_if(executed_is(in, Kind::serialize_instruction), in); }
int alat_check(const EventInput& in) {
  return amount_if(executed(in) != nullptr && is_check(in) && of_register_kind(in, checks_fp(in)), in);
}
int failed_alat_check(const EventInput& in) {
  return executed(in) != nullptr && executed(in)->check_failed ? alat_check(in) : no;
}
int failed_speculation_check(const EventInput& in) {
  const bool failed = executed_is(in, Kind::check_speculative) && executed(in)->check_failed;
  return amount_if(failed && of_register_kind(in, in.is(Kind::fp_check)), in);
}
int alat_displaced(const EventInput& in) { return amount_if(of_register_kind(in, in.is(Kind::fp_load)), in); }
int rse_event(const EventInput& in) { return amount_if(executed_is(in, Kind::rse_event), in); }

int retired_load(const EventInput& in) {
  return amount_if(in.signal == Signal::walk_read ? in.choices.walker_loads : loads(in), in);
}
int retired_store(const EventInput& in) { return amount_if(stores(in), in); }
int misaligned_load(const EventInput& in) {
  return amount_if(of_program(in) && loads(in) && in.origin.access->misaligned, in);
}
int misaligned_store(const EventInput& in) {
  return amount_if(of_program(in) && stores(in) && in.origin.access->misaligned, in);
}
int uncacheable_load(const EventInput& in) { return amount_if(loads(in) && in.origin.access->uncacheable, in); }
int uncacheable_store(const EventInput& in) { return amount_if(stores(in) && in.origin.access->uncacheable, in); }
int rse_reference(const EventInput& in) {
  const bool engine = in.origin.access != nullptr && in.origin.access->requester == Requester::register_stack;
  return amount_if(engine && (((in.umask & 1) != 0 && loads(in)) || ((in.umask & 2) != 0 && stores(in))), in);
}
int walker_inserted(const EventInput& in) {
  return amount_if(in.origin.access != nullptr && in.origin.access->walker_inserted, in);
}
int debug_fault(const EventInput& in) {
  const bool watches = (in.mode.psr & activity::ia64::psr::db) != 0 && watched(in);
  return amount_if(watches && in.tagger.breakpoint(in.origin.request->address, loads(in), stores(in), in.mode), in);
}

int branch_outcome(const EventInput& in) {
  const Syllable* const s = branch(in);
  return amount_if(s != nullptr && of_class(*s, in.umask) && of_outcome(*s, in.umask), in);
}
int branch_path(const EventInput& in) {
  const Syllable* const s = branch(in);
  if (s == nullptr || !of_class(*s, in.umask)) return no;
  const bool right = s->prediction != Prediction::wrong_path;
  return amount_if(right == ((in.umask & 2) != 0) && taken(in) == ((in.umask & 1) != 0), in);
}
int unknown_outcome(const EventInput& in) {
  const Syllable* const s = branch(in);
  return s != nullptr && in.choices.unknown_prediction && s->unknown_prediction ? branch_outcome(in) : no;
}
int unknown_path(const EventInput& in) {
  const Syllable* const s = branch(in);
  if (s == nullptr || !in.choices.unknown_prediction || !s->unknown_prediction || !of_class(*s, in.umask)) return no;
  return amount_if(taken(in) == ((in.umask & 1) != 0), in);
}
int back_end_mispredict(const EventInput& in) {
  const Syllable* const s = branch(in);
  if (s == nullptr || !s->back_end_flush) return no;
  switch (in.umask) {
    case 1:
      return amount_if(s->wrong_stage, in);
    case 2:
      return amount_if(s->wrong_rotation, in);
    case 3:
      return amount_if(s->wrong_previous_state, in);
    default:
      return in.occurrence.amount;
  }
}
int multiway_outcome(const EventInput& in) { return in.is(Kind::multiway) ? branch_outcome(in) : no; }

int not_dispersed(const EventInput& in) {
  static_assert(dd::held_explicit_stop == 1 && dd::held_implicit_stop == 2 && dd::held_front_end == 4 &&
                    dd::held_long_immediate == 8,
                "the unit mask has its bits in this order");
  return amount_if((in.occurrence.detail & in.umask) != 0, in);
}
int overcounted(const EventInput& in) {
  constexpr std::uint16_t both = dd::held_explicit_stop | dd::held_implicit_stop;
  return amount_if(in.choices.overcount && (in.occurrence.detail & both) == both, in);
}
int demand_fetch(const EventInput& in) { return amount_if(!in.detail(d::access_prefetch), in); }
int fetch_pending(const EventInput& in) {
  return amount_if(in.detail(d::lookup_pending) && (in.choices.prefetch_hits || !in.detail(d::access_prefetch)), in);
}
int fetch_streamed(const EventInput& in) {
  return amount_if(in.detail(dd::fetch_stream_buffer) && (in.choices.prefetch_hits || !in.detail(d::access_prefetch)),
                   in);
}
int itlb_miss(const EventInput& in) {
  const bool demand = in.origin.access != nullptr && in.origin.access->requester == Requester::demand_fetch;
  return amount_if(demand && ((in.umask & 1) != 0 || in.detail(d::tlb_walk)), in);
}

int l1d_read(const EventInput& in) { return amount_if(in.origin.access != nullptr && in.origin.access->l1d_read, in); }
int l1d_read_once(const EventInput& in) { return in.detail(dd::access_replayed) ? no : l1d_read(in); }
int data_reference(const EventInput& in) {
  const activity::ia64::Request* const access = in.origin.access;
  if (access == nullptr || access->requester == Requester::page_walker) return no;
  return amount_if(!access->prefetch || in.choices.prefetch_reference, in);
}
int data_reference_once(const EventInput& in) { return in.detail(dd::access_replayed) ? no : data_reference(in); }
int l1d_read_miss(const EventInput& in) {
  if (!in.detail(d::lookup_miss | d::lookup_pending) || l1d_read(in) < 0) return no;
  if (in.detail(dd::access_replayed) && !in.choices.replayed_misses) return no;
  return amount_if(in.umask == 0 || in.origin.access->requester == Requester::register_stack, in);
}
int l1d_transfer(const EventInput& in) { return in.detail(d::tlb_second_level_hit) ? l1d_read(in) : no; }
// A semaphore counts as a read and as a write.
int l2_data_reference(const EventInput& in) {
  if (in.origin.access == nullptr) return no;
  const bool reads = (loads(in) || in.origin.access->prefetch) && (in.umask & 1) != 0;
  const bool writes = stores(in) && (in.umask & 2) != 0;
  return reads || writes ? (reads ? in.occurrence.amount : 0) + (writes ? in.occurrence.amount : 0) : no;
}
int debug_match(const EventInput& in) {
  if (in.origin.request == nullptr || in.detail(dd::access_replayed) || !watched(in)) return no;
  return amount_if(in.tagger.breakpoint(in.origin.request->address, loads(in), stores(in), in.mode), in);
}

std::uint32_t kinds_of(Event::Amount filter) {
  using activity::ia64::bit;
  struct Row {
    Event::Amount filter;
    std::uint32_t kinds;
  };
  static constexpr Row rows[] = {{nop, bit(Kind::nop)},
                                 {fp_operations, bit(Kind::fp_operation)},
                                 {failed_fchkf, bit(Kind::fp_check_flags)},
                                 {srlz, bit(Kind::serialize_instruction)},
                                 {alat_check, bit(Kind::check_advanced) | bit(Kind::check_load)},
                                 {failed_alat_check, bit(Kind::check_advanced) | bit(Kind::check_load)},
                                 {failed_speculation_check, bit(Kind::check_speculative)},
                                 {rse_event, bit(Kind::rse_event)},
                                 {branch_outcome, bit(Kind::branch)},
                                 {branch_path, bit(Kind::branch)},
                                 {unknown_outcome, bit(Kind::branch)},
                                 {unknown_path, bit(Kind::branch)},
                                 {back_end_mispredict, bit(Kind::branch)},
                                 {multiway_outcome, bit(Kind::multiway)}};
  for (const Row& row : rows) {
    if (row.filter == filter) return row.kinds;
  }
  return 0;
}

}  // namespace pmusim::pmu::ia64::filters
