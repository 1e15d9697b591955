// The inputs of the 21064's counters, PCMUX0 (without its low bit, see monitor.cpp) and PCMUX1 of ICCSR. An event
// counts two halves.
#include <array>

#include "models/alpha/ev4/monitor.h"
#include "models/alpha/stalls.h"

namespace pmusim::pmu::alpha {
namespace {

namespace d = activity::detail;
using activity::Signal;
using activity::State;
using activity::alpha::Kind;

constexpr Event one(unsigned counter, unsigned select, Input input, bool Behaviour::*only_if = nullptr) {
  return {.counter = static_cast<std::uint8_t>(counter),
          .select = static_cast<std::uint8_t>(select),
          .weight = 2,
          .inputs = {input},
          .only_if = only_if};
}
/// Half an event for each of the two instructions that may issue: those that do, or those that do not.
constexpr Event half(unsigned select, Rule rule) {
  return {.counter = 0,
          .select = static_cast<std::uint8_t>(select),
          .rule = rule,
          .high = 2,
          .inputs = {occurs(Signal::issue)},
          .only_if = &Behaviour::keeps_halves};
}
/// Without the fraction: whole events where two issue, or none.
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
/// At a slower clock than the core's.
constexpr Event sampled(unsigned counter, unsigned select, Input input) {
  Event event = one(counter, select, input, &Behaviour::pins_sampled);
  event.rule = Rule::sampled;
  return event;
}

constexpr Input branches =
    of(Signal::issue, Kind::conditional_branch, Kind::unconditional_branch, Kind::jump, Kind::pal_return);
/// A load that missed is replayed, and counts again.
constexpr auto load_again = static_cast<unsigned>(activity::alpha::Replay::load_missed);
constexpr unsigned slow = d::lookup_miss | d::lookup_pending | activity::alpha::detail::access_delayed;

constexpr auto table = std::to_array<Event>({
    half(0x0, Rule::sum),
    whole(0x0, 2),
    one(0, 0x2, dry, &Behaviour::traps_dry),
    one(0, 0x2, empty, &Behaviour::traps_apart),
    {.counter = 0,
     .select = 0x4,
     .weight = 2,
     .inputs = {of(Signal::issue, Kind::load), occurs(Signal::replay_trap, 0xffff, load_again)},
     .input_count = 2},
    one(0, 0x6, frozen),
    one(0, 0x8, branches),
    one(0, 0xa, clock),
    one(0, 0xb, level(State::pal_mode, 1)),
    half(0xc, Rule::complement),
    whole(0xc, 0),
    one(0, 0xe, pin(0), &Behaviour::pins_each_cycle),
    sampled(0, 0xe, pin(0)),

    one(1, 0, occurs(Signal::dcache_lookup, d::access_walk, 0, slow), &Behaviour::all_probes),
    one(1, 0, occurs(Signal::dcache_lookup, d::access_walk | d::access_store, 0, slow), &Behaviour::loads_only),
    one(1, 1, occurs(Signal::fetch, d::access_prefetch | d::lookup_miss, d::lookup_miss)),
    {.counter = 1,
     .select = 2,
     .rule = Rule::within,
     .low = 2,
     .high = 2,
     .weight = 2,
     .inputs = {occurs(Signal::issue)}},
    one(1, 3, occurs(Signal::branch_resolved, d::branch_correct, 0)),
    one(1, 4, of(Signal::issue, Kind::fp_operate)),
    one(1, 5, of(Signal::issue, Kind::integer_operate, Kind::load_address)),
    one(1, 6, of(Signal::issue, Kind::store)),
    one(1, 7, pin(1), &Behaviour::pins_each_cycle),
    sampled(1, 7, pin(1)),
});

}  // namespace

std::span<const Event> ev4_multiplexer() { return table; }

}  // namespace pmusim::pmu::alpha
