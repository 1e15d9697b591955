// The 21064 family: what its two counters can be connected to (pfm(7); 21064 definition headers of DEC OSF/1).
#include "testbench/oracle/events_alpha.h"

namespace pmusim::oracle {
namespace {

using namespace alpha_rules;  // NOLINT

// Two instructions may issue in a cycle; the remainder to two is counted as not issued.
std::uint32_t left_of_two(std::uint32_t n) { return n >= 2 ? 0 : 2 - n; }

Classes not_in_one_cycle(const EventSite& s) {
  if (s.choices.probes_of_loads && !s.any(d::access_load)) return not_counted;
  return s.any(ad::access_delayed) ? counted : misses(s);
}

bool in_palcode(const StateValues& states, const Choices&) { return value_of(states, State::pal_mode) != 0; }

Event issued(std::string_view name, Classes (*rule)(const EventSite&)) {
  return {.name = name, .rules = {{Signal::issue, rule}}, .most = 1};
}

}  // namespace

const std::vector<Event>& alpha_ev4_events() {
  static const std::vector<Event> all = {
      {.name = "PF_ISSUES", .rules = {{Signal::issue, each}}, .most = 2, .halves = true},
      {.name = "PF_PIPEDRY", .states = {State::issue_stall}, .level = dry},
      {.name = "PF_LOADI",
       .rules = {{Signal::issue, of_kind<Kind::load>}, {Signal::replay_trap, one_of<Replay::load_missed>}},
       .most = 1},
      {.name = "PF_PIPEFROZEN", .states = {State::issue_stall}, .level = frozen},
      issued("PF_BRANCHI", of_kind<Kind::conditional_branch, Kind::unconditional_branch, Kind::jump, Kind::pal_return>),
      {.name = "PF_CYCLES", .level = every_cycle},
      {.name = "PF_PALMODE", .states = {State::pal_mode}, .level = in_palcode},
      {.name = "PF_NONISSUES", .rules = {{Signal::issue, each}}, .of_cycle = left_of_two, .halves = true},
      {.name = "PF_EXTPIN0", .rules = {{Signal::pin_assert, one_of<0>}}, .most = 1, .clock = &Choices::pin_clock},
      {.name = "PF_DCACHE", .rules = {{Signal::dcache_lookup, not_in_one_cycle}}, .most = 1},
      {.name = "PF_ICACHE", .rules = {{Signal::fetch, misses}}, .most = 1},
      {.name = "PF_DUAL", .rules = {{Signal::issue, each}}, .of_cycle = if_number_is<2>},
      {.name = "PF_BRANCHMISS", .rules = {{Signal::branch_resolved, where<d::branch_correct, 0>}}, .most = 1},
      issued("PF_FPINST", of_kind<Kind::fp_operate>),
      issued("PF_INTOPS", of_kind<Kind::integer_operate, Kind::load_address>),
      issued("PF_STOREI", of_kind<Kind::store>),
      {.name = "PF_EXTPIN1", .rules = {{Signal::pin_assert, one_of<1>}}, .most = 1, .clock = &Choices::pin_clock},
  };
  return all;
}

}  // namespace pmusim::oracle
