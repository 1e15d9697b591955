// Events of the Alphas, by name, and the filters of their counters: five chips that differ in both. What counts on
// which chip: the manual page pfm(7) and the hardware reference manuals of the 21164PC and the 21264/EV67.
#include <stdexcept>

#include "testbench/oracle/family.h"

namespace pmusim::oracle::alpha {
namespace {

using activity::LineState;
using activity::Signal;
using activity::State;
using activity::alpha::bit;
using activity::alpha::IssueStall;
using activity::alpha::Kind;
using activity::alpha::Replay;
using activity::alpha::SystemCommand;
using activity::alpha::Trap;
namespace d = activity::detail;
namespace ad = activity::alpha::detail;

/// Whether the instruction is of one of the kinds.
template <Kind... kinds>
Classes of_kind(const EventSite& s) {
  return (s.alpha_half().kinds & (bit(kinds) | ...)) != 0 ? counted : not_counted;
}
/// Whether a prediction for an instruction of these kinds was wrong.
template <Kind... kinds>
Classes mispredicted(const EventSite& s) {
  return s.any(d::branch_correct) ? not_counted : of_kind<kinds...>(s);
}
/// Whether the detail is one of the enumeration's values.
template <auto... values>
Classes one_of(const EventSite& s) {
  return ((s.what.detail == static_cast<std::uint16_t>(values)) || ...) ? counted : not_counted;
}
/// Whether the bits of `mask` equal `value` and the lookup misses.
template <std::uint16_t mask = 0, std::uint16_t value = mask>
Classes misses(const EventSite& s) {
  return s.any(d::lookup_hit) ? not_counted : where<mask, value>(s);
}
/// Whether a dirty line leaves that cache for another one.
template <std::uint16_t cache>
Classes dirty_victim(const EventSite& s) {
  const auto state = static_cast<LineState>(s.what.detail >> d::evict_state_shift & 7u);
  const bool dirty = state == LineState::modified || state == LineState::owned;
  return dirty && (s.what.detail & d::cache_mask) == cache && s.has(d::evict_replacement) ? counted : not_counted;
}

bool every_cycle(const StateValues&, const Choices&) { return true; }

/// Whether nothing issues for this reason.
template <IssueStall... causes>
bool stalled_by(const StateValues& states, const Choices&) {
  const std::uint64_t cause = value_of(states, State::issue_stall);
  return ((cause == static_cast<std::uint64_t>(causes)) || ...);
}
/// Whether nothing issues because no instruction is available.
bool dry(const StateValues& states, const Choices& choices) {
  return stalled_by<IssueStall::no_instructions>(states, choices) ||
         (!choices.traps_apart && stalled_by<IssueStall::trap>(states, choices));
}
/// Whether nothing issues although an instruction is available.
constexpr auto frozen = stalled_by<IssueStall::registers, IssueStall::unit_busy, IssueStall::load_miss,
                                   IssueStall::write_buffer, IssueStall::after_jump, IssueStall::memory_barrier>;

/// Counts a cycle with this many occurrences once.
template <std::uint32_t first, std::uint32_t last = first>
std::uint32_t if_number_is(std::uint32_t n) {
  return n >= first && n <= last ? 1 : 0;
}

constexpr std::uint16_t data_read = d::side_data | d::access_store;  ///< mask: only side_data is set

// The 21064: what its two counters can be connected to (pfm(7); 21064 definition headers of DEC OSF/1).

// Two instructions may issue in a cycle; the remainder to two is counted as not issued.
std::uint32_t left_of_two(std::uint32_t n) { return n >= 2 ? 0 : 2 - n; }

Classes not_in_one_cycle(const EventSite& s) { return s.any(ad::access_delayed) ? counted : misses(s); }

bool in_palcode(const StateValues& states, const Choices&) { return value_of(states, State::pal_mode) != 0; }

Event issued(std::string_view name, std::uint32_t most, Classes (*rule)(const EventSite&)) {
  return {.name = name, .rules = {{Signal::issue, rule}}, .most = most};
}

const std::vector<Event>& alpha_ev4_events() {
  static const std::vector<Event> all = {
      {.name = "PF_ISSUES", .rules = {{Signal::issue, each}}, .most = 2, .halves = true},
      {.name = "PF_PIPEDRY", .states = {State::issue_stall}, .level = dry},
      {.name = "PF_LOADI",
       .rules = {{Signal::issue, of_kind<Kind::load>}, {Signal::replay_trap, one_of<Replay::load_missed>}},
       .most = 1},
      {.name = "PF_PIPEFROZEN", .states = {State::issue_stall}, .level = frozen},
      issued("PF_BRANCHI", 1,
             of_kind<Kind::conditional_branch, Kind::unconditional_branch, Kind::jump, Kind::pal_return>),
      {.name = "PF_CYCLES", .level = every_cycle},
      {.name = "PF_PALMODE", .states = {State::pal_mode}, .level = in_palcode},
      {.name = "PF_NONISSUES", .rules = {{Signal::issue, each}}, .of_cycle = left_of_two, .halves = true},
      {.name = "PF_EXTPIN0", .rules = {{Signal::pin_assert, one_of<0>}}, .most = 1, .clock = &Choices::pin_clock},
      {.name = "PF_DCACHE", .rules = {{Signal::dcache_lookup, not_in_one_cycle}}, .most = 1},
      {.name = "PF_ICACHE", .rules = {{Signal::fetch, misses}}, .most = 1},
      {.name = "PF_DUAL", .rules = {{Signal::issue, each}}, .of_cycle = if_number_is<2>},
      {.name = "PF_BRANCHMISS", .rules = {{Signal::branch_resolved, where<d::branch_correct, 0>}}, .most = 1},
      issued("PF_FPINST", 1, of_kind<Kind::fp_operate>),
      issued("PF_INTOPS", 1, of_kind<Kind::integer_operate, Kind::load_address>),
      issued("PF_STOREI", 1, of_kind<Kind::store>),
      {.name = "PF_EXTPIN1", .rules = {{Signal::pin_assert, one_of<1>}}, .most = 1, .clock = &Choices::pin_clock},
  };
  return all;
}

// The 21164 and the 21164PC: three counters, two of which can count what the secondary or board cache reports (pfm(7),
// 21164PC Hardware Reference Manual).

Event cycles_issuing(std::string_view name, std::uint32_t (*number)(std::uint32_t)) {
  return {.name = name, .rules = {{Signal::issue, each}}, .of_cycle = number};
}
Event once_a_cycle(std::string_view name, Signal signal, Classes (*rule)(const EventSite&)) {
  return {.name = name, .rules = {{signal, rule}}, .most = 1};
}

Classes operates_on_integers(const EventSite& s) {
  return s.choices.addresses_do_not_operate ? of_kind<Kind::integer_operate>(s)
                                            : of_kind<Kind::integer_operate, Kind::load_address>(s);
}
Classes of_wanted_flow(const EventSite& s) {
  switch (s.asked.alpha.flow) {
    case Flow::jumps:
      return of_kind<Kind::jump>(s);
    case Flow::conditional_branches:
      return of_kind<Kind::conditional_branch>(s);
    default:
      return any_class;
  }
}
Classes dtb_miss(const EventSite& s) {
  return s.choices.dtb_misses_of_loads && s.request().store ? not_counted : where<d::side_data | d::tlb_walk>(s);
}
bool pin_is_true(const StateValues& states, const Choices&) { return (value_of(states, State::pins) & 1u) != 0; }
bool pin_is_connected(const StateValues& states, const Choices& choices) {
  return choices.external_pin_counts && pin_is_true(states, choices);
}

/// `external`: whether the pin of PF5_MUX2_C_EXTERNAL counts.
std::vector<Event> of_both_chips(bool (*external)(const StateValues&, const Choices&)) {
  return {
      {.name = "PF5_MUX0_CYCLES", .level = every_cycle},
      {.name = "PF5_MUX0_ISSUES", .rules = {{Signal::issue, each}}, .most = 4},
      // counter 1
      {.name = "PF5_MUX1_NON_ISSUE_CYCLES", .states = {State::issue_stall}, .level = frozen},
      cycles_issuing("PF5_MUX1_SPLIT_ISSUE_CYCLES", if_number_is<1, 3>),
      {.name = "PF5_MUX1_PIPELINE_DRY", .states = {State::issue_stall}, .level = dry},
      once_a_cycle("PF5_MUX1_REPLAY_TRAP", Signal::replay_trap, each),
      cycles_issuing("PF5_MUX1_SINGLE_ISSUE_CYCLES", if_number_is<1>),
      cycles_issuing("PF5_MUX1_DUAL_ISSUE_CYCLES", if_number_is<2>),
      cycles_issuing("PF5_MUX1_TRIPLE_ISSUE_CYCLES", if_number_is<3>),
      cycles_issuing("PF5_MUX1_QUAD_ISSUE_CYCLES", if_number_is<4>),
      {.name = "PF5_MUX1_FLOW_CHANGE",
       .rules = {{Signal::issue,
                  of_kind<Kind::conditional_branch, Kind::unconditional_branch, Kind::jump, Kind::pal_return>,
                  of_wanted_flow}},
       .most = 1},
      issued("PF5_MUX1_INTEGER_OPERATE", 2, operates_on_integers),
      issued("PF5_MUX1_C_FP_INSTRUCTIONS", 2, of_kind<Kind::fp_operate>),
      issued("PF5_MUX1_C_LOAD_INSTRUCTIONS", 2, of_kind<Kind::load>),
      issued("PF5_MUX1_C_STORE_INSTRUCTIONS", 1, of_kind<Kind::store>),
      once_a_cycle("PF5_MUX1_C_ICACHE_ACCESS", Signal::fetch, each),
      {.name = "PF5_MUX1_C_DCACHE_ACCESS", .rules = {{Signal::dcache_lookup, each}}, .most = 2},
      // counter 2
      {.name = "PF5_MUX2_C_LONG_STALLS",
       .states = {State::issue_stall},
       .level = frozen,
       .longer_than = &Choices::long_stall},
      once_a_cycle("PF5_MUX2_C_PC_MISPR", Signal::branch_resolved, mispredicted<Kind::jump>),
      once_a_cycle("PF5_MUX2_C_BRANCH_MISPREDICTS", Signal::branch_resolved, mispredicted<Kind::conditional_branch>),
      once_a_cycle("PF5_MUX2_C_ICACHE_MISSES", Signal::fetch, where<d::lookup_miss>),
      once_a_cycle("PF5_MUX2_C_ITB_MISS", Signal::translation, where<d::side_data | d::tlb_walk, d::tlb_walk>),
      {.name = "PF5_MUX2_C_DCACHE_MISSES", .rules = {{Signal::dcache_lookup, misses<d::access_load>}}, .most = 2},
      once_a_cycle("PF5_MUX2_C_DTB_MISS", Signal::translation, dtb_miss),
      {.name = "PF5_MUX2_C_LOADS_MERGED", .rules = {{Signal::load_merged, each}}, .most = 2},
      once_a_cycle("PF5_MUX2_C_LDU_REPLAYS", Signal::replay_trap, one_of<Replay::load_use>),
      once_a_cycle("PF5_MUX2_C_WB_MAF_FULL_REPLAYS", Signal::replay_trap,
                   one_of<Replay::write_buffer_full, Replay::miss_file_full>),
      {.name = "PF5_MUX2_C_EXTERNAL", .states = {State::pins}, .level = external},
      {.name = "PF5_MUX2_C_CYCLES", .level = every_cycle},
      {.name = "PF5_MUX2_C_MEM_BARRIER",
       .states = {State::issue_stall},
       .level = stalled_by<IssueStall::memory_barrier>},
      issued("PF5_MUX2_C_LOAD_LOCKED", 1, of_kind<Kind::load_locked>),
  };
}

std::vector<Event> with(std::vector<Event> first, std::vector<Event> more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

// A fetch also counts as a read; everything except writes is a read.
constexpr auto reads = where<d::access_store, 0>;
constexpr auto data_reads = where<data_read, d::side_data>;
constexpr auto writes = where<d::access_store>;

Classes hits_and_reads_data(const EventSite& s) { return s.any(d::lookup_hit) ? data_reads(s) : not_counted; }
Classes hits_and_reads(const EventSite& s) { return s.any(d::lookup_hit) ? reads(s) : not_counted; }
Classes read_or_flush(const EventSite& s) {
  const auto command = static_cast<SystemCommand>(s.what.detail & ad::system_command_mask);
  return command == SystemCommand::read || command == SystemCommand::flush ? counted : not_counted;
}
Classes read_or_flush_hits(const EventSite& s) { return s.any(ad::system_hit) ? read_or_flush(s) : not_counted; }
Classes read_or_flush_asked(const EventSite& s) {
  return s.choices.system_misses_alone && s.any(ad::system_hit) ? not_counted : read_or_flush(s);
}
template <SystemCommand command>
constexpr auto commanded = where<ad::system_command_mask, static_cast<std::uint16_t>(command)>;

const std::vector<Event>& alpha_ev5_events() {
  static const std::vector<Event> all =
      with(of_both_chips(pin_is_true),
           {
               once_a_cycle("PF5_MUX1_C_SCACHE_ACCESS", Signal::l2_lookup, each),
               once_a_cycle("PF5_MUX1_C_SCACHE_READ", Signal::l2_lookup, reads),
               once_a_cycle("PF5_MUX1_C_SCACHE_WRITE", Signal::l2_lookup, writes),
               once_a_cycle("PF5_MUX1_C_SCACHE_VICTIM", Signal::line_evict, dirty_victim<d::cache_l2>),
               once_a_cycle("PF5_MUX1_C_BCACHE_REF", Signal::l3_lookup, each),
               once_a_cycle("PF5_MUX1_C_BCACHE_VICTIM", Signal::line_evict, dirty_victim<d::cache_l3>),
               once_a_cycle("PF5_MUX1_C_SYS_REQ", Signal::system_command, each),
               once_a_cycle("PF5_MUX2_C_SCACHE_MISS", Signal::l2_lookup, misses<>),
               once_a_cycle("PF5_MUX2_C_SCACHE_READ_MISS", Signal::l2_lookup, misses<d::access_store, 0>),
               once_a_cycle("PF5_MUX2_C_SCACHE_WRITE_MISS", Signal::l2_lookup, misses<d::access_store>),
               once_a_cycle("PF5_MUX2_C_SCACHE_SH_WRITE", Signal::l2_lookup, where<ad::access_shared_write>),
               once_a_cycle("PF5_MUX2_C_SCACHE_WRITE", Signal::l2_lookup, writes),
               once_a_cycle("PF5_MUX2_C_BCACHE_MISS", Signal::l3_lookup, misses<>),
               once_a_cycle("PF5_MUX2_C_SYS_INV", Signal::system_command, commanded<SystemCommand::invalidate>),
               once_a_cycle("PF5_MUX2_C_SYS_READ_REQ", Signal::system_command, commanded<SystemCommand::read>),
           });
  return all;
}

const std::vector<Event>& alpha_pca56_events() {
  static const std::vector<Event> all =
      with(of_both_chips(pin_is_connected),
           {
               once_a_cycle("PF5_MUX1_C_BCACHE_READ", Signal::l3_lookup, reads),
               once_a_cycle("PF5_MUX1_C_BCACHE_DREAD_HIT", Signal::l3_lookup, hits_and_reads_data),
               once_a_cycle("PF5_MUX1_C_BCACHE_DREAD_FILL", Signal::bcache_fill, data_reads),
               once_a_cycle("PF5_MUX1_C_BCACHE_WRITE", Signal::l3_lookup, writes),
               once_a_cycle("PF5_MUX1_C_BCACHE_CLN_WRT_HIT", Signal::l3_lookup,
                            where<d::access_store | d::lookup_hit | ad::found_clean>),
               once_a_cycle("PF5_MUX1_C_BCACHE_VICTIM", Signal::line_evict, dirty_victim<d::cache_l3>),
               once_a_cycle("PF5_MUX1_C_READ_MISS_2", Signal::read_miss, one_of<2>),
               once_a_cycle("PF5_MUX2_C_BCACHE_DREAD", Signal::l3_lookup, data_reads),
               once_a_cycle("PF5_MUX2_C_BCACHE_READ_HIT", Signal::l3_lookup, hits_and_reads),
               once_a_cycle("PF5_MUX2_C_BCACHE_READ_FILL", Signal::bcache_fill, reads),
               once_a_cycle("PF5_MUX2_C_BCACHE_WRITE_HIT", Signal::l3_lookup, where<d::access_store | d::lookup_hit>),
               once_a_cycle("PF5_MUX2_C_BCACHE_WRITE_FILL", Signal::bcache_fill, writes),
               once_a_cycle("PF5_MUX2_C_SYS_READ_FLUSH_HIT", Signal::system_command, read_or_flush_hits),
               once_a_cycle("PF5_MUX2_C_SYS_READ_FLUSH_MISS", Signal::system_command, read_or_flush_asked),
               once_a_cycle("PF5_MUX2_C_READ_MISS_3", Signal::read_miss, one_of<3>),
           });
  return all;
}

// The 21264: two counters, most inputs at retirement, and the 21264A's aggregate modes (pfm(7), 21264/EV67 Hardware
// Reference Manual 6.10). What a profiled instruction's sample holds is in profile.cpp.

Classes retired(const EventSite& s) { return s.alpha_half().has(Kind::squashed) ? not_counted : counted; }
std::uint32_t two(const EventSite&) { return 2; }

/// Traps count when they are taken, that is, when their PALcode flow is entered.
template <Trap... traps>
Event taken(std::string_view name, std::uint32_t most = 1, std::uint32_t (*amount)(const EventSite&) = nullptr) {
  return {.name = name, .rules = {{Signal::pal_entry, one_of<traps...>, nullptr, false, amount}}, .most = most};
}
Event retired_instructions(std::string_view name) {
  return {.name = name, .rules = {{Signal::retire, retired}}, .most = 8, .carries = true};
}
Event replay_traps(std::string_view name) { return {.name = name, .rules = {{Signal::replay_trap, each}}, .most = 1}; }

// The header says that the input is not implemented and counts cycles; other manuals count mispredicted branches.
bool no_mispredicts(const StateValues&, const Choices& choices) { return !choices.counts_retired_mispredicts; }
Classes mispredicted_conditional_branch(const EventSite& s) {
  return s.instruction().mispredicted ? of_kind<Kind::conditional_branch>(s) : not_counted;
}

// A probe of another processor that misses is one that the system answers late.
Classes long_probe(const EventSite& s) {
  return s.any(ad::system_hit) ? not_counted
                               : where<ad::system_command_mask, static_cast<std::uint16_t>(SystemCommand::probe)>(s);
}

const std::vector<Event>& alpha_ev6_events() {
  static const std::vector<Event> all = {
      {.name = "PF6_MUX0_CYCLES", .level = every_cycle},
      retired_instructions("PF6_MUX0_RET_INSTRUCTIONS"),
      {.name = "PF6_MUX1_CYCLES", .level = every_cycle},
      {.name = "PF6_MUX1_RET_COND_BRANCHES",
       .rules = {{Signal::retire, of_kind<Kind::conditional_branch>}},
       .most = 4,
       .carries = true},
      {.name = "PF6_MUX1_RET_BRANCH_MISPREDICTS",
       .rules = {{.signal = Signal::retire,
                  .classes = mispredicted_conditional_branch,
                  .if_chosen = &Choices::counts_retired_mispredicts}},
       .level = no_mispredicts,
       .most = 1},
      taken<Trap::dtb_single>("PF6_MUX1_RET_DTB_SINGLE_MISSES", 2, two),
      taken<Trap::dtb_double_3, Trap::dtb_double_4>("PF6_MUX1_RET_DTB_DOUBLE_MISSES"),
      taken<Trap::itb_miss>("PF6_MUX1_RET_ITB_MISSES"),
      taken<Trap::unaligned>("PF6_MUX1_RET_UNALIGNED_TRAPS"),
      replay_traps("PF6_MUX1_REPLAY_TRAP"),
  };
  return all;
}

const std::vector<Event>& alpha_ev67_events() {
  static const std::vector<Event> all = {
      retired_instructions("RETINST"),
      {.name = "CYCLES0", .level = every_cycle},
      {.name = "CYCLES1", .level = every_cycle},
      {.name = "BCACHEMISSES",
       .rules = {{Signal::l3_lookup, misses<>}, {Signal::system_command, long_probe}},
       .most = 1},
      replay_traps("REPLAY"),
  };
  return all;
}

// The filters of the counters, and the choices of the parameters.

// Bits of a privilege: the operating system's mode, PALmode, marked process (PME).
constexpr Privilege mode_mask = 3, pal_mode = 4, marked_process = 8, privileges = 16;
enum Mode : Privilege { kernel, executive, supervisor, user };

Privilege privilege_of(std::uint64_t cpl, std::uint64_t pal, std::uint64_t marked) {
  return static_cast<Privilege>(cpl & mode_mask) | (pal != 0 ? pal_mode : 0) | (marked != 0 ? marked_process : 0);
}
bool admits_process(const Request& request, Privilege p, const Choices& choices) {
  return !request.marked || choices.marks_ignored || (p & marked_process) != 0;
}
// The 21164 filters by the hardware's modes; under Tru64 user code runs in executive mode.
bool admits_mode(const Request& request, Privilege p, const Choices& choices) {
  if (!admits_process(request, p, choices)) return false;
  if ((p & pal_mode) != 0) return request.alpha.pal;
  Privilege mode = p & mode_mask;
  if (mode == user && !choices.user_is_user) mode = executive;
  if (mode == user) return request.user;
  return request.kernel || (mode != kernel && request.alpha.executive_and_supervisor);
}

void check_process(const Request& r) {
  if (r.marked && !*r.marked) throw std::invalid_argument(r.event + ": an Alpha counts all or the marked processes");
  if (r.threshold != 0 || r.invert || r.edge) {
    throw std::invalid_argument(r.event + ": an Alpha neither compares nor inverts nor detects edges");
  }
}
void check_no_modes(const Request& r) {
  check_process(r);
  if (!r.user || !r.kernel || r.alpha != Qualifiers{}) {
    throw std::invalid_argument(r.event + ": only the 21164 distinguishes modes and changes of flow");
  }
}
void check_modes(const Request& r) {
  check_process(r);
  const bool some = r.user || r.kernel || r.alpha.pal;
  if (r.alpha.executive_and_supervisor == some) {
    throw std::invalid_argument(
        r.event + ": a counter is for user, kernel or PALcode modes, or for executive and supervisor mode");
  }
}

constexpr ChoiceRow alpha_in_order_rows[] = {{"pmu.increment_limit", &Choices::uncapped},
                                             {"pmu.trap_cycles", &Choices::traps_apart}};
constexpr ChoiceRow alpha_ev4_rows[] = {{"pmu.selective_counting", &Choices::marks_ignored},
                                        {"pmu.half_counts", &Choices::halves_dropped},
                                        {"pmu.pin_clock", nullptr, &Choices::pin_clock}};
constexpr ChoiceRow alpha_ev5_rows[] = {{"pmu.os_user_mode", &Choices::user_is_user},
                                        {"pmu.dtb_miss", &Choices::dtb_misses_of_loads},
                                        {"pmu.integer_operate", &Choices::addresses_do_not_operate},
                                        {"pmu.long_stall", nullptr, &Choices::long_stall}};
constexpr ChoiceRow alpha_pca56_rows[] = {{"pmu.pca56_external", &Choices::external_pin_counts},
                                          {"pmu.sys_read_flush", &Choices::system_misses_alone}};
constexpr ChoiceRow alpha_ev6_rows[] = {{"pmu.increment_limit", &Choices::uncapped},
                                        {"pmu.ret_mispredicts", &Choices::counts_retired_mispredicts}};

Family of(std::string_view name, const std::vector<Event>& (*events)(), Choices (*choices)(const ParameterLookup&)) {
  return {.name = name,
          .privilege_state = State::cpl,
          .gate_state = State::pal_mode,
          .privilege = privilege_of,
          .privileges = privileges,
          .admits = admits_process,
          .events = events,
          .choices = choices,
          .check = check_no_modes,
          .third_state = State::process_marked};
}
Family with_modes(Family family) {
  family.admits = admits_mode;
  family.check = check_modes;
  return family;
}

const Family families[] = {
    of("alpha-ev4", alpha_ev4_events, choices_of<alpha_in_order_rows, alpha_ev4_rows>),
    with_modes(of("alpha-ev5", alpha_ev5_events, choices_of<alpha_in_order_rows, alpha_ev5_rows>)),
    with_modes(
        of("alpha-pca56", alpha_pca56_events, choices_of<alpha_in_order_rows, alpha_ev5_rows, alpha_pca56_rows>)),
    of("alpha-ev6", alpha_ev6_events, choices_of<alpha_ev6_rows>), of("alpha-ev67", alpha_ev67_events, choices_of<>)};

}  // namespace
}  // namespace pmusim::oracle::alpha

namespace pmusim::oracle {

const Family& alpha_ev4::family() { return alpha::families[0]; }
const Family& alpha_ev5::family() { return alpha::families[1]; }
const Family& alpha_pca56::family() { return alpha::families[2]; }
const Family& alpha_ev6::family() { return alpha::families[3]; }
const Family& alpha_ev67::family() { return alpha::families[4]; }

}  // namespace pmusim::oracle
