// Montecito: instructions, cycles and thread switches, where they differ from the Itanium 2.
#include "testbench/oracle/events_itanium2.h"

namespace pmusim::oracle::montecito {
namespace {

using namespace activity;  // NOLINT: the words of the rules are the activity's
using activity::ia64::Deferral;
using activity::ia64::Kind;
using activity::ia64::Requester;
using activity::ia64::SwitchCause;
using activity::ia64::SwitchGate;
using namespace itanium2;  // NOLINT: the words that both tables use
namespace id = activity::ia64::detail;
namespace switching = activity::ia64::switching;

// --- instructions -------------------------------------------------------------------------------------
// FTZ_REAL, FTZ_POSS
Classes flushes_to_zero(const EventSite& s) {
  return when(s.syllable().predicate && s.syllable().flushed_to_zero > 0, places({0}));
}
Classes may_flush_to_zero(const EventSite& s) {
  return when(s.syllable().predicate && s.syllable().possibly_flushed > 0, places({1}));
}
std::uint32_t flushed(const EventSite& s) { return s.syllable().flushed_to_zero; }
std::uint32_t possibly_flushed(const EventSite& s) { return s.syllable().possibly_flushed; }

// Neither register stack loads nor semaphores; and the other loads in LOADS_RETIRED are not integer loads either.
Classes integer_load(const EventSite& s) {
  const auto& request = s.ia64_request();
  return when(request.requester == Requester::data && request.load && !request.fp && !request.semaphore &&
              !request.prefetch);
}

// ALL, then why, in the order of Deferral
Classes deferred(const EventSite& s) {
  const auto& load = s.syllable();
  const bool speculative = load.predicate && load.has(Kind::integer_load) && load.has(Kind::speculative);
  if (!speculative || load.deferral == Deferral::none) return not_counted;
  return places({0, static_cast<unsigned>(load.deferral)});
}

// --- cycles -------------------------------------------------------------------------------------------
bool clock_stands(const StateValues& states, const Choices&) { return value_of(states, State::clock) == 0; }
std::uint32_t halted_cycle(const StateValues&, const Choices& choices) { return choices.halted_sevenfold ? 7 : 1; }

// LVL0 to LVL3, ALL: the levels before and after the change
Classes levels(std::uint64_t before, std::uint64_t after) {
  return places({static_cast<unsigned>(before), static_cast<unsigned>(after), 4});
}

// --- threads ------------------------------------------------------------------------------------------
// MISSED (not by a switch), L3MISS, TIMER, HINT, LP, DBG, ALL
Classes switched(const EventSite& s) {
  const unsigned cause = s.what.detail & id::switch_cause_mask;
  return places({6}) | when(cause != static_cast<unsigned>(SwitchCause::none), Classes{1} << cause);
}

// LP, PIPE, FWDPRO, ALL
Classes gated(const EventSite& s) {
  static_assert(static_cast<unsigned>(SwitchGate::low_power) == 0 && static_cast<unsigned>(SwitchGate::pipeline) == 1 &&
                static_cast<unsigned>(SwitchGate::forward_progress) == 2);
  return places({s.what.detail, 3});
}

// CRAB, L2D, ANYSTALL, PCR, ALL_GATED, TOTAL
LevelIncrement switching_cycle(const StateValues& states) {
  const std::uint64_t now = value_of(states, State::switching);
  const auto if_set = [now](std::uint64_t bits, unsigned place) { return when((now & bits) != 0, places({place})); };
  return {if_set(switching::request_buffer, 0) | if_set(switching::l2d_return, 1) |
              if_set(switching::request_buffer | switching::l2d_return, 2) | if_set(switching::disabled, 3) |
              if_set(switching::gated, 4) | if_set(switching::due, 5),
          1};
}

// GTE_4, GTE_8, ..., GTE_4096
Classes stalled_before(const EventSite& s) {
  const unsigned cycles = s.what.detail >> id::switch_stall_shift;
  Classes classes = not_counted;
  for (unsigned place = 0; place <= 10; ++place) classes |= when(cycles >= 4u << place, places({place}));
  return classes;
}

}  // namespace

std::vector<Event> core_events() {
  return {
      {.name = "FP_FLUSH_TO_ZERO",
       .umasks = {"FTZ_REAL", "FTZ_POSS"},
       .rules = {{Signal::retire, flushes_to_zero, nullptr, false, flushed},
                 {Signal::retire, may_flush_to_zero, nullptr, false, possibly_flushed}},
       .most = 2,
       .filters = by_code},
      occurring("LOADS_RETIRED_INTG", 2, by_all, Signal::access_retire, integer_load),
      occurring("SPEC_LOADS_NATTED", 2, {.code = true, .data = true}, Signal::retire, deferred,
                {"ALL", "VHPT_MISS", "DEF_TLB_MISS", "DEF_TLB_FAULT", "NAT_CNSM", "DEF_PSR_ED"}),
      {.name = "CPU_OP_CYCLES_QUAL",
       .rules = {{Signal::retire, each}},
       .states = {State::clock},
       .most = 1,
       .filters = by_instruction,
       .of_groups = true},
      {.name = "CPU_OP_CYCLES_HALTED",
       .states = {State::clock},
       .level = clock_stands,
       .degree = halted_cycle,
       .in_low_power = true},
      {.name = "CPU_CPL_CHANGES",
       .umasks = {"LVL0", "LVL1", "LVL2", "LVL3", "ALL"},
       .states = {State::cpl, State::thread, State::background_cpl},
       .transition = Transition{.state = State::cpl,
                                .mask = 3,
                                .classes = levels,
                                .threads = Transition::Threads{State::thread, State::background_cpl}}},
      {.name = "THREAD_SWITCH_EVENTS",
       .umasks = {"MISSED", "L3MISS", "TIMER", "HINT", "LP", "DBG", "ALL"},
       .rules = {{Signal::thread_switch, switched}, {Signal::thread_switch_missed, each}},
       .most = 1},
      occurring("THREAD_SWITCH_GATED", 1, {}, Signal::thread_switch_gated, gated, {"LP", "PIPE", "FWDPRO", "ALL"}),
      {.name = "THREAD_SWITCH_CYCLE",
       .umasks = {"CRAB", "L2D", "ANYSTALL", "PCR", "ALL_GATED", "TOTAL"},
       .states = {State::switching},
       .increment = switching_cycle,
       .step = 1},
      occurring("THREAD_SWITCH_STALL", 1, {}, Signal::thread_switch, stalled_before,
                {"GTE_4", "GTE_8", "GTE_16", "GTE_32", "GTE_64", "GTE_128", "GTE_256", "GTE_512", "GTE_1024",
                 "GTE_2048", "GTE_4096"}),
      {.name = "ETB_EVENT", .filters = by_instruction, .unit = CaptureUnit::branch_buffer},
  };
}

}  // namespace pmusim::oracle::montecito
