// Events of the AMD Athlon, by name: when each occurs. AMD Athlon Processor x86 Code Optimization Guide
// (22007), appendix D, with the readings that docs/generated/parameters-athlon.md lists as choices.
#include <bit>
#include <stdexcept>

#include "testbench/oracle/family.h"

namespace pmusim::oracle::athlon {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
namespace d = activity::detail;

constexpr Classes class_number(unsigned index) { return Classes{1} << index; }

/// The rule without the occurrences that a choice excludes: those of a wrong path.
template <Classes (*rule)(const EventSite&), bool of_request = true>
Classes followed(const EventSite& s) {
  if (s.choices.wrong_path_left_out && s.has_ref()) {
    const bool wrong = of_request ? s.request().wrong_path : s.instruction().wrong_path;
    if (wrong) return not_counted;
  }
  return rule(s);
}
template <Classes (*rule)(const EventSite&)>
constexpr auto executed = followed<rule, false>;

// --- load-store and data cache ------------------------------------------------------------------------
Classes by_enumerator(const EventSite& s) { return class_number(s.what.detail); }  // names are in the enum's order

// Probes by load, store and prefetch operations. The page walker does not execute operations of the program.
bool by_operation(const EventSite& s) {
  return s.any(d::access_load | d::access_store | d::access_prefetch) && !s.any(d::access_walk | d::access_writeback);
}
Classes data_probe(const EventSite& s) { return by_operation(s) ? counted : not_counted; }
Classes data_probe_misses(const EventSite& s) {
  return by_operation(s) && s.has(d::lookup_miss) ? counted : not_counted;
}
// Counts 1 per reference, whatever the number of its probes.
Classes misaligned_reference(const EventSite& s) {
  if (!s.any(d::access_load | d::access_store) || s.any(d::access_second_half | d::access_walk)) return not_counted;
  const RequestRecord& reference = s.request();
  return reference.crosses_octet ? counted : not_counted;
}

unsigned state_at(const EventSite& s, unsigned shift) { return (s.what.detail >> shift) & 7u; }
bool from_l2(const EventSite& s) {
  return state_at(s, d::fill_found_shift) != static_cast<unsigned>(LineState::invalid);
}

// The five state names are in the order of LineState.
Classes data_fill_by_l2_state(const EventSite& s) {
  if (!s.any(d::side_data) || (s.choices.refill_bit0_nothing && !from_l2(s))) return not_counted;
  return class_number(state_at(s, d::fill_found_shift));
}
Classes data_fill_from_system(const EventSite& s) {
  if (!s.any(d::side_data) || from_l2(s)) return not_counted;
  return class_number(state_at(s, d::fill_installed_shift));
}
Classes data_victim_by_state(const EventSite& s) {
  if ((s.what.detail & d::cache_mask) != d::cache_l1d || !s.any(d::evict_replacement)) return not_counted;
  const unsigned state = state_at(s, d::evict_state_shift);
  const bool dirty =
      state == static_cast<unsigned>(LineState::owned) || state == static_cast<unsigned>(LineState::modified);
  return s.choices.evict_dirty_only && !dirty ? not_counted : class_number(state);
}

template <bool data_side, std::uint16_t outcome>
constexpr Classes translation(const EventSite& s) {
  return s.any(d::side_data) == data_side && s.has(outcome) ? counted : not_counted;
}

// --- bus unit -------------------------------------------------------------------------------------------
Classes by_memory_type(const EventSite& s) { return class_number(s.what.detail & d::bus_type_mask); }
// TAG_READ, TAG_WRITE, INSTRUCTION_READ, LOAD_READ, STORE_READ, SYSTEM_WRITE, DC_WRITE, L2_WRITE
Classes by_array(const EventSite& s) {
  const bool writes = s.any(d::l2_array_write);
  if (!s.any(d::l2_array_data)) return class_number(writes ? 1 : 0);
  const auto who = static_cast<L2Requester>(s.what.detail & d::l2_array_requester_mask);
  if (!writes) {
    if (who == L2Requester::fetch) return class_number(2);
    if (who == L2Requester::load) return class_number(3);
    return who == L2Requester::store ? class_number(4) : not_counted;
  }
  if (who == L2Requester::system) return class_number(5);
  if (who == L2Requester::data_cache) return class_number(6);
  return who == L2Requester::l2 ? class_number(7) : not_counted;
}
// IC, DC, L2. The L2 counts only if the data cache does not have the line.
Classes by_cache_hit(const EventSite& s) {
  return (s.any(d::snoop_hits_l1i) ? class_number(0) : 0) | (s.any(d::snoop_hits_l1d) ? class_number(1) : 0) |
         (s.any(d::snoop_hits_l2) && !s.any(d::snoop_hits_l1d) ? class_number(2) : 0);
}
Classes by_ecc_origin(const EventSite& s) { return class_number(s.any(d::ecc_from_l2) ? 1 : 0); }
// D_INVALIDATES_I, D_INVALIDATES_D, I_INVALIDATES_I, I_INVALIDATES_D.
Classes by_sides(const EventSite& s) {
  return class_number((s.any(d::cross_by_data) ? 0 : 2) + (s.any(d::cross_from_data) ? 1 : 0));
}
bool running(const StateValues& states, const Choices&) { return value_of(states, State::clock) == 1; }

// --- instruction cache ------------------------------------------------------------------------------------
Classes code_fill_from_l2(const EventSite& s) { return !s.any(d::side_data) && from_l2(s) ? counted : not_counted; }
Classes code_fill_from_system(const EventSite& s) {
  return !s.any(d::side_data) && !from_l2(s) ? counted : not_counted;
}

// --- retirement -------------------------------------------------------------------------------------------
bool near_branch(const InstructionRecord& i) { return i.has(Trait::branch) && !i.has(Trait::far_transfer); }
// An unconditional transfer counts as taken even if its target is the next address.
bool goes_to_target(const InstructionRecord& i) { return i.taken || !i.has(Trait::conditional); }
bool far_taken(const InstructionRecord& i) { return i.has(Trait::far_transfer) && goes_to_target(i); }

Classes control_transfer(const EventSite& s) {
  return near_branch(s.instruction()) || s.instruction().has(Trait::far_transfer) ? counted : not_counted;
}
Classes taken_transfer(const EventSite& s) {
  const InstructionRecord& i = s.instruction();
  if (far_taken(i)) return counted;
  return near_branch(i) && goes_to_target(i) ? counted : not_counted;
}
Classes mispredicted_branch(const EventSite& s) {
  const InstructionRecord& i = s.instruction();
  if (s.choices.far_mispredicted && far_taken(i)) return counted;
  return near_branch(i) && i.mispredicted ? counted : not_counted;
}
Classes mispredicted_taken_branch(const EventSite& s) {
  const InstructionRecord& i = s.instruction();
  if (s.choices.far_mispredicted && far_taken(i)) return counted;
  return near_branch(i) && i.mispredicted && goes_to_target(i) ? counted : not_counted;
}
Classes far_transfer(const EventSite& s) { return far_taken(s.instruction()) ? counted : not_counted; }
Classes mispredicted_return(const EventSite& s) {
  return s.instruction().has(Trait::near_return) && s.instruction().mispredicted ? counted : not_counted;
}
Classes mispredicted_indirect(const EventSite& s) {
  const InstructionRecord& i = s.instruction();
  return i.has(Trait::indirect) && !i.has(Trait::near_return) && i.mispredicted ? counted : not_counted;
}

Classes branch_resync(const EventSite& s) {
  return s.choices.snoop_resyncs_left_out && s.any(d::resync_snoop) ? not_counted : counted;
}

template <bool Choices::*included>
Classes if_included(const EventSite& s) {
  return s.choices.*included ? counted : not_counted;
}
Classes hardware_interrupt(const EventSite& s) {
  return s.any(d::trap_maskable | d::trap_nmi | d::trap_smi | d::trap_monitor) ? counted : not_counted;
}

/// Counts 1 per macro-operation, or the operations that it consists of: one each, and one more for those in the detail.
std::uint32_t operations_of(const EventSite& s) {
  return s.choices.operations_retire ? std::uint32_t{s.what.amount} + s.what.detail : s.what.amount;
}

bool interrupts_masked(const StateValues& states, const Choices&) {
  return value_of(states, State::interrupt_flag) == 0;
}
bool interrupt_waits_masked(const StateValues& states, const Choices& choices) {
  return interrupts_masked(states, choices) && value_of(states, State::interrupt_pending) != 0;
}

// --- dispatch -----------------------------------------------------------------------------------------------
namespace hold = activity::dispatch_hold;
constexpr std::uint64_t any_cause = hold::branch_abort | hold::serialize | hold::segment_load |
                                    hold::reorder_buffer_full | hold::reservation_full | hold::fp_full |
                                    hold::load_store_full | hold::all_quiet | hold::far_or_resync;
bool nothing_offered(const StateValues& states, const Choices&) {
  const bool held = (value_of(states, State::dispatch_hold) & any_cause) != 0;
  return value_of(states, State::decoder_empty) != 0 && !held;
}
template <std::uint64_t causes>
Event stall(std::string_view name) {
  return {.name = name, .states = {State::dispatch_hold}, .level = holds<State::dispatch_hold, causes>};
}

std::uint32_t causes_that_count(const StateValues& states, const Choices& choices) {
  const std::uint64_t causes = value_of(states, State::dispatch_hold) & any_cause;
  return choices.stalls_added ? static_cast<std::uint32_t>(std::popcount(causes)) : 1;
}

// --- breakpoints --------------------------------------------------------------------------------------------
constexpr std::uint32_t kind_of(const Request& r) { return r.breakpoint & 3u; }

Classes instruction_breakpoint(const EventSite& s) {
  return kind_of(s.asked) == breakpoint_execute && s.instruction().ip == s.asked.address ? counted : not_counted;
}
// A reference to a watched byte. DR0-DR3 ignore the address bits below their length.
Classes data_breakpoint(const EventSite& s) {
  const std::uint32_t kind = kind_of(s.asked);
  if (kind == breakpoint_execute || s.any(d::access_second_half | d::access_walk | d::access_prefetch)) {
    return not_counted;
  }
  if (!s.any(kind == breakpoint_write ? d::access_store : d::access_load | d::access_store)) return not_counted;
  const std::uint64_t length = std::uint64_t{(s.asked.breakpoint >> breakpoint_length_shift) & 0xfu};
  const std::uint64_t first = s.asked.address & ~(length - 1);
  const RequestRecord& reference = s.request();
  const bool touches = reference.address < first + length && first < reference.address + reference.size;
  return touches ? counted : not_counted;
}
Event breakpoint(std::string_view name) {
  return {.name = name,
          .rules = {{Signal::dispatch, instruction_breakpoint}, {Signal::dcache_lookup, data_breakpoint}}};
}

const std::vector<Event>& athlon_events() {
  const std::vector<std::string_view> moesi = {"INVALID", "SHARED", "EXCLUSIVE", "OWNED", "MODIFIED"};
  const std::vector<std::string_view> l2_moesi = {"L2_INVALID", "L2_SHARED", "L2_EXCLUSIVE", "L2_OWNED", "L2_MODIFIED"};
  static const std::vector<Event> all = {
      // LS
      {.name = "SEGMENT_REGISTER_LOADS",
       .umasks = {"ES", "CS", "SS", "DS", "FS", "GS", "HS"},
       .rules = {{Signal::segment_load, executed<by_enumerator>}}},
      {.name = "STORES_TO_ACTIVE_INSTRUCTION_STREAM", .rules = {{Signal::code_store, each}}},
      // DC
      {.name = "DATA_CACHE_ACCESSES", .rules = {{Signal::dcache_lookup, followed<data_probe>, nullptr, true}}},
      {.name = "DATA_CACHE_MISSES", .rules = {{Signal::dcache_lookup, followed<data_probe_misses>}}},
      {.name = "DATA_CACHE_REFILLS",
       .umasks = l2_moesi,
       .rules = {{Signal::line_fill, followed<data_fill_by_l2_state>}}},
      {.name = "DATA_CACHE_REFILLS_FROM_SYSTEM",
       .umasks = moesi,
       .rules = {{Signal::line_fill, followed<data_fill_from_system>}}},
      {.name = "DATA_CACHE_LINES_EVICTED", .umasks = moesi, .rules = {{Signal::line_evict, data_victim_by_state}}},
      {.name = "L1_DTLB_MISS_AND_L2_DTLB_HIT",
       .rules = {{Signal::translation, followed<translation<true, d::tlb_second_level_hit>>}}},
      {.name = "L1_DTLB_AND_L2_DTLB_MISS", .rules = {{Signal::translation, followed<translation<true, d::tlb_walk>>}}},
      {.name = "MISALIGNED_ACCESSES", .rules = {{Signal::dcache_lookup, followed<misaligned_reference>}}},
      // BU
      {.name = "DRAM_SYSTEM_REQUESTS", .rules = {{Signal::bus_request, where<d::bus_dram>}}},
      {.name = "SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE",
       .umasks = {"UC", "WC", "WT", "WP", "WB"},
       .rules = {{Signal::bus_request, by_memory_type}}},
      {.name = "SNOOP_HITS", .umasks = {"IC", "DC", "L2"}, .rules = {{Signal::snoop, by_cache_hit}}},
      {.name = "SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED",
       .umasks = {"SYSTEM", "L2"},
       .rules = {{Signal::ecc_correction, by_ecc_origin}}},
      {.name = "INTERNAL_CACHE_LINE_INVALIDATES",
       .umasks = {"D_INVALIDATES_I", "D_INVALIDATES_D", "I_INVALIDATES_I", "I_INVALIDATES_D"},
       .rules = {{Signal::cross_invalidate, by_sides}}},
      {.name = "CPU_CLK_UNHALTED", .states = {State::clock}, .level = running},
      {.name = "L2_REQUESTS",
       .umasks = {"TAG_READ", "TAG_WRITE", "INSTRUCTION_READ", "LOAD_READ", "STORE_READ", "SYSTEM_WRITE", "DC_WRITE",
                  "L2_WRITE"},
       .rules = {{Signal::l2_array, by_array}}},
      {.name = "CYCLES_FILL_REQUEST_WAITED_FOR_L2",
       .states = {State::l2_fill_wait},
       .level = nonzero<State::l2_fill_wait>},
      // IC
      {.name = "INSTRUCTION_CACHE_FETCHES", .rules = {{Signal::fetch, followed<each>, nullptr, true}}},
      {.name = "INSTRUCTION_CACHE_MISSES", .rules = {{Signal::fetch, followed<where<d::lookup_miss>>}}},
      {.name = "INSTRUCTION_CACHE_REFILLS_FROM_L2", .rules = {{Signal::line_fill, followed<code_fill_from_l2>}}},
      {.name = "INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM",
       .rules = {{Signal::line_fill, followed<code_fill_from_system>}}},
      {.name = "L1_ITLB_MISS_AND_L2_ITLB_HIT",
       .rules = {{Signal::translation, followed<translation<false, d::tlb_second_level_hit>>}}},
      {.name = "L1_ITLB_MISS_AND_L2_ITLB_MISS",
       .rules = {{Signal::translation, followed<translation<false, d::tlb_walk>>}}},
      {.name = "SNOOP_RESYNCS", .rules = {{Signal::resync, where<d::resync_snoop>}}},
      {.name = "INSTRUCTION_FETCH_STALL_CYCLES", .states = {State::fetch_stall}, .level = nonzero<State::fetch_stall>},
      {.name = "RETURN_STACK_HITS", .rules = {{Signal::return_stack, executed<where<d::ras_predicts>>}}},
      {.name = "RETURN_STACK_OVERFLOW",
       .rules = {{Signal::return_stack, executed<where<d::ras_push | d::ras_overwrites_live>>}}},
      // FR, at retirement
      {.name = "RETIRED_INSTRUCTIONS",
       .rules = {{Signal::retire, each},
                 {Signal::trap, if_included<&Choices::instructions_with_traps>, nullptr, true},
                 {Signal::resync, if_included<&Choices::instructions_with_traps>, nullptr, true}}},
      {.name = "RETIRED_UOPS",
       .rules = {{.signal = Signal::operation_retire, .classes = each, .amount = operations_of}}},
      {.name = "RETIRED_BRANCH_INSTRUCTIONS",
       .rules = {{Signal::retire, control_transfer},
                 {Signal::trap, if_included<&Choices::branches_with_traps>, nullptr, true}}},
      {.name = "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", .rules = {{Signal::retire, mispredicted_branch}}},
      {.name = "RETIRED_TAKEN_BRANCH_INSTRUCTIONS",
       .rules = {{Signal::retire, taken_transfer},
                 {Signal::trap, if_included<&Choices::branches_with_traps>, nullptr, true}}},
      {.name = "RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED",
       .rules = {{Signal::retire, mispredicted_taken_branch}}},
      {.name = "RETIRED_FAR_CONTROL_TRANSFERS",
       .rules = {{Signal::retire, far_transfer}, {Signal::trap, if_included<&Choices::far_with_traps>, nullptr, true}}},
      {.name = "RETIRED_BRANCH_RESYNCS", .rules = {{Signal::resync, branch_resync, nullptr, true}}},
      {.name = "RETIRED_NEAR_RETURNS", .rules = {{Signal::retire, with_trait<Trait::near_return>}}},
      {.name = "RETIRED_NEAR_RETURNS_MISPREDICTED", .rules = {{Signal::retire, mispredicted_return}}},
      {.name = "RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED",
       .rules = {{Signal::retire, mispredicted_indirect}}},
      {.name = "INTERRUPTS_MASKED_CYCLES", .states = {State::interrupt_flag}, .level = interrupts_masked},
      {.name = "INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING",
       .states = {State::interrupt_flag, State::interrupt_pending},
       .level = interrupt_waits_masked},
      {.name = "INTERRUPTS_TAKEN", .rules = {{Signal::trap, hardware_interrupt}}},
      // FR, dispatch
      {.name = "INSTRUCTION_DECODER_EMPTY",
       .states = {State::decoder_empty, State::dispatch_hold},
       .level = nothing_offered},
      {.name = "DISPATCH_STALLS",
       .states = {State::dispatch_hold},
       .level = holds<State::dispatch_hold, any_cause>,
       .degree = causes_that_count},
      stall<hold::branch_abort>("BRANCH_ABORT_TO_RETIRE"),
      stall<hold::serialize>("SERIALIZE"),
      stall<hold::segment_load>("SEGMENT_LOAD_STALL"),
      stall<hold::reorder_buffer_full>("ICU_FULL"),
      stall<hold::reservation_full>("RESERVATION_STATIONS_FULL"),
      stall<hold::fp_full>("FPU_FULL"),
      stall<hold::load_store_full>("LS_FULL"),
      stall<hold::all_quiet>("ALL_QUIET_STALL"),
      stall<hold::far_or_resync>("FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING"),
      breakpoint("BREAKPOINT_MATCHES_FOR_DR0"),
      breakpoint("BREAKPOINT_MATCHES_FOR_DR1"),
      breakpoint("BREAKPOINT_MATCHES_FOR_DR2"),
      breakpoint("BREAKPOINT_MATCHES_FOR_DR3"),
  };
  return all;
}

// --- levels and operating modes, a counter mask, and the choices of the parameters --------------------------
constexpr Privilege user_level = 1;
/// Bits above the user level: the operating mode.
constexpr unsigned mode_shift = 1;
Privilege athlon_privilege(std::uint64_t cpl, std::uint64_t mode, std::uint64_t) {
  return (cpl > 0 ? user_level : 0) | static_cast<Privilege>(mode << mode_shift);
}
/// Whether a request counts at this CPL in this operating mode (activity::OperatingMode).
bool counts_at(const Request& request, std::uint64_t cpl, std::uint64_t mode, const Choices& choices) {
  constexpr std::int64_t kernel = 0, user = 1;
  const bool has_levels = mode == static_cast<std::uint64_t>(activity::OperatingMode::protected_mode);
  const std::int64_t level = !has_levels ? choices.level_of_mode.at(mode) : cpl > 0 ? user : kernel;
  return (request.kernel && level == kernel) || (request.user && level == user);
}
bool admits_athlon(const Request& request, Privilege p, const Choices& choices) {
  return counts_at(request, p & user_level, p >> mode_shift, choices);
}
void check_athlon(const Request& r) {
  if (r.marked) throw std::invalid_argument(r.event + ": the Athlon has no marked processes");
  if (r.threshold > 255) throw std::invalid_argument(r.event + ": a counter mask is 0 to 255");
  const std::uint32_t kind = r.breakpoint & 3u, length = r.breakpoint >> breakpoint_length_shift;
  if (kind == 2 || (length & (length - 1)) != 0 || length > 8 || (kind != breakpoint_execute && length == 0)) {
    throw std::invalid_argument(r.event + ": a breakpoint is execute, write or read_write, of 1, 2, 4 or 8 bytes");
  }
}

constexpr ChoiceRow athlon_rows[] = {
    {"pmu.inv_without_mask", &Choices::invert_alone},
    {"pmu.privilege_gate", &Choices::privilege_first},
    {"pmu.edge_input", &Choices::edge_before_gate},
    {"pmu.count_in_halt", &Choices::counts_in_halt},
    {"pmu.counting_with_pc", &Choices::pin_control_stops},
    {"pmu.refill_mask_bit0", &Choices::refill_bit0_nothing},
    {"pmu.evict_scope", &Choices::evict_dirty_only},
    {"pmu.branches_with_traps", &Choices::branches_with_traps},
    {"pmu.far_with_traps", &Choices::far_with_traps},
    {"pmu.instructions_with_traps", &Choices::instructions_with_traps},
    {"pmu.edge_amount", &Choices::edge_adds_events},
    {"pmu.far_mispredicted", &Choices::far_mispredicted},
    {"pmu.dispatch_stalls", &Choices::stalls_added},
    {"pmu.increment_limit", &Choices::three_at_most},
    {"pmu.wrong_path", &Choices::wrong_path_left_out},
    {"pmu.snoop_resyncs", &Choices::snoop_resyncs_left_out},
    {"pmu.retired_unit", &Choices::operations_retire},
};

Choices athlon_choices(const ParameterLookup& parameters) {
  Choices choices = read_choices({athlon_rows}, parameters);
  if (!parameters) return choices;
  using activity::OperatingMode;
  const auto level = [&](OperatingMode mode) -> std::int64_t& {
    return choices.level_of_mode[static_cast<std::size_t>(mode)];
  };
  level(OperatingMode::real) = parameters("pmu.real_privilege");
  level(OperatingMode::virtual_8086) = parameters("pmu.v86_privilege");
  level(OperatingMode::system_management) = parameters("pmu.smm_privilege");
  return choices;
}

const Family athlon_family = {.name = "athlon",
                              .privilege_state = State::cpl,
                              .gate_state = State::operating_mode,
                              .privilege = athlon_privilege,
                              .privileges = 8,
                              .admits = admits_athlon,
                              .bound = [](const Request& r) { return r.threshold; },
                              .events = athlon_events,
                              .choices = athlon_choices,
                              .check = check_athlon};

}  // namespace

const Family& family() { return athlon_family; }

}  // namespace pmusim::oracle::athlon
