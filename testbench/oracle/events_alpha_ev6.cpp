// The 21264: two counters, most inputs at retirement, and the 21264A's aggregate modes (pfm(7), 21264/EV67 Hardware
// Reference Manual 6.10). What a profiled instruction's sample holds is in profile_list.cpp.
#include "testbench/oracle/events_alpha.h"

namespace pmusim::oracle {
namespace {

using namespace alpha_rules;  // NOLINT

Classes retired(const EventSite& s) { return s.alpha_half().has(Kind::squashed) ? not_counted : counted; }
std::uint32_t two(const EventSite&) { return 2; }

/// Traps count when they are taken, that is, when their PALcode flow is entered.
template <Trap... traps>
Event taken(std::string_view name) {
  return {.name = name, .rules = {{Signal::pal_entry, one_of<traps...>}}, .most = 1};
}
Event retired_instructions(std::string_view name) {
  return {.name = name, .rules = {{Signal::retire, retired}}, .most = 8, .carries = true};
}
Event replay_traps(std::string_view name) { return {.name = name, .rules = {{Signal::replay_trap, each}}, .most = 1}; }

// The header says that the input is not implemented and counts cycles; other manuals count mispredicted branches.
bool no_mispredicts(const StateValues&, const Choices& choices) { return !choices.counts_retired_mispredicts; }
Classes mispredicted_branch(const EventSite& s) {
  return s.instruction().mispredicted ? of_kind<Kind::conditional_branch>(s) : not_counted;
}

// A probe of another processor that misses is one that the system answers late.
Classes long_probe(const EventSite& s) {
  return s.any(ad::system_hit) ? not_counted
                               : where<ad::system_command_mask, static_cast<std::uint16_t>(SystemCommand::probe)>(s);
}

}  // namespace

const std::vector<Event>& alpha_ev6_events() {
  static const std::vector<Event> all = [] {
    std::vector<Event> list = {
        {.name = "PF6_MUX0_CYCLES", .level = every_cycle},
        retired_instructions("PF6_MUX0_RET_INSTRUCTIONS"),
        {.name = "PF6_MUX1_CYCLES", .level = every_cycle},
        {.name = "PF6_MUX1_RET_COND_BRANCHES",
         .rules = {{Signal::retire, of_kind<Kind::conditional_branch>}},
         .most = 4,
         .carries = true},
        {.name = "PF6_MUX1_RET_BRANCH_MISPREDICTS",
         .rules = {{.signal = Signal::retire,
                    .classes = mispredicted_branch,
                    .if_chosen = &Choices::counts_retired_mispredicts}},
         .level = no_mispredicts,
         .most = 1},
        taken<Trap::dtb_single>("PF6_MUX1_RET_DTB_SINGLE_MISSES"),
        taken<Trap::dtb_double_3, Trap::dtb_double_4>("PF6_MUX1_RET_DTB_DOUBLE_MISSES"),
        taken<Trap::itb_miss>("PF6_MUX1_RET_ITB_MISSES"),
        taken<Trap::unaligned>("PF6_MUX1_RET_UNALIGNED_TRAPS"),
        replay_traps("PF6_MUX1_REPLAY_TRAP"),
    };
    for (Event& event : list) {
      if (event.name != "PF6_MUX1_RET_DTB_SINGLE_MISSES") continue;
      event.rules.front().amount = two;
      event.most = 2;
    }
    return list;
  }();
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

}  // namespace pmusim::oracle
