// The inputs of the 21064's counters, PCMUX0 (without its low bit, see monitor.cpp) and PCMUX1 of ICCSR. An event
// counts as two halves.
#include <array>

#include "models/alpha/ev4/monitor.h"
#include "models/alpha/event.h"

namespace pmusim::pmu::alpha {
namespace {

namespace d = activity::detail;
using activity::Signal;
using activity::State;
using activity::alpha::Kind;

constexpr Event one(unsigned counter, unsigned select, Input input, When only_if = {}) {
  return {.counter = static_cast<std::uint8_t>(counter),
          .select = static_cast<std::uint8_t>(select),
          .weight = 2,
          .inputs = {input},
          .only_if = only_if};
}
/// Half an event for each of the two instructions that can issue in a cycle: for those that issue, or for those that do
/// not.
constexpr Event half(unsigned select, Rule rule) {
  return {.counter = 0,
          .select = static_cast<std::uint8_t>(select),
          .rule = rule,
          .high = 2,
          .inputs = {occurs(Signal::issue)},
          .only_if = unless(&Behaviour::drops_halves)};
}
/// Without halves: one event in a cycle that issues two instructions, or none.
constexpr Event whole(unsigned select, unsigned instructions) {
  return {.counter = 0,
          .select = static_cast<std::uint8_t>(select),
          .rule = Rule::within,
          .low = static_cast<std::uint8_t>(instructions),
          .high = static_cast<std::uint8_t>(instructions),
          .weight = 2,
          .inputs = {occurs(Signal::issue)},
          .only_if = &Behaviour::drops_halves};
}

constexpr Input pin(unsigned number) { return occurs(Signal::pin_assert, 0xffff, number); }
/// Sampled by a clock that is slower than the core's.
constexpr Event sampled(unsigned counter, unsigned select, Input input) {
  Event event = one(counter, select, input, &Behaviour::pins_sampled);
  event.rule = Rule::sampled;
  return event;
}

constexpr Input branches =
    of(Signal::issue, Kind::conditional_branch, Kind::unconditional_branch, Kind::jump, Kind::pal_return);
/// A load that missed is replayed and counts again.
constexpr auto load_again = static_cast<unsigned>(activity::alpha::Replay::load_missed);
constexpr unsigned slow = d::lookup_miss | d::lookup_pending | activity::alpha::detail::access_delayed;

constexpr Event loads{.counter = 0,
                      .select = 0x4,
                      .weight = 2,
                      .inputs = {of(Signal::issue, Kind::load), occurs(Signal::replay_trap, 0xffff, load_again)},
                      .input_count = 2};
constexpr Event dual_issue{.counter = 1,
                           .select = 2,
                           .rule = Rule::within,
                           .low = 2,
                           .high = 2,
                           .weight = 2,
                           .inputs = {occurs(Signal::issue)}};
constexpr Input slow_probe = occurs(Signal::dcache_lookup, d::access_walk, 0, slow);
/// A line that the stream buffer holds or is fetching is not in the Icache: pfm(7) makes that exception for the 21164
/// alone.
constexpr Input fetch_miss = occurs(Signal::fetch, d::access_prefetch, 0, d::lookup_miss | d::lookup_pending);

// Sources: pfm(7) and sys/pfcntr.h. If a select has several rows, the chosen behaviour decides which one applies.
// clang-format off
constexpr auto table = std::to_array<Event>({
  // ICCSR PCMUX0: counter 0
    half(0x0, Rule::sum),                                                   // PF_ISSUES
    whole(0x0, 2),                                                          // PF_ISSUES, pairs of instructions
    one(0, 0x2, dry, unless(&Behaviour::traps_apart)),                      // PF_PIPEDRY
    one(0, 0x2, empty, &Behaviour::traps_apart),                            // PF_PIPEDRY
    loads,                                                                  // PF_LOADI
    one(0, 0x6, frozen),                                                    // PF_PIPEFROZEN
    one(0, 0x8, branches),                                                  // PF_BRANCHI
    one(0, 0xa, clock),                                                     // PF_CYCLES
    one(0, 0xb, level(State::pal_mode, 1)),                                 // PF_PALMODE
    half(0xc, Rule::complement),                                            // PF_NONISSUES
    whole(0xc, 0),                                                          // PF_NONISSUES, cycles without issue
    one(0, 0xe, pin(0), unless(&Behaviour::pins_sampled)),                  // PF_EXTPIN0
    sampled(0, 0xe, pin(0)),                                                // PF_EXTPIN0

  // ICCSR PCMUX1: counter 1
    one(1, 0x0, slow_probe),                                                // PF_DCACHE
    one(1, 0x1, fetch_miss),                                                // PF_ICACHE
    dual_issue,                                                             // PF_DUAL
    one(1, 0x3, occurs(Signal::branch_resolved, d::branch_correct, 0)),     // PF_BRANCHMISS
    one(1, 0x4, of(Signal::issue, Kind::fp_operate)),                       // PF_FPINST
    one(1, 0x5, of(Signal::issue, Kind::integer_operate, Kind::load_address)),  // PF_INTOPS
    one(1, 0x6, of(Signal::issue, Kind::store)),                            // PF_STOREI
    one(1, 0x7, pin(1), unless(&Behaviour::pins_sampled)),                  // PF_EXTPIN1
    sampled(1, 0x7, pin(1)),                                                // PF_EXTPIN1
});
// clang-format on

}  // namespace

std::span<const Event> ev4_multiplexer() { return table; }

}  // namespace pmusim::pmu::alpha
