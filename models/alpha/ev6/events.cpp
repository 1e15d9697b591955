// The inputs of the counters of the 21264 (SL0, SL1 of PCTR_CTL) and 21264A (SL1 for both counters; SL0 is ProfileMe).
#include <array>

#include "models/alpha/ev6/monitor.h"

namespace pmusim::pmu::alpha {
namespace {

namespace d = activity::detail;
namespace a = activity::alpha::detail;
using activity::Signal;
using activity::alpha::Kind;
using activity::alpha::SystemCommand;
using activity::alpha::Trap;

constexpr unsigned number(auto value) { return static_cast<unsigned>(value); }

constexpr Event row(unsigned counter, unsigned select, Input input, unsigned most = 1, When only_if = {}) {
  return {.counter = static_cast<std::uint8_t>(counter),
          .select = static_cast<std::uint8_t>(select),
          .high = static_cast<std::uint8_t>(most),
          .inputs = {input},
          .only_if = only_if};
}
/// A counter adds at most `most` per cycle. The remainder of a larger burst of retirement is added in the following
/// cycles.
constexpr Event burst(unsigned counter, unsigned select, unsigned most, Input input) {
  return {.counter = static_cast<std::uint8_t>(counter),
          .select = static_cast<std::uint8_t>(select),
          .rule = Rule::carried,
          .high = static_cast<std::uint8_t>(most),
          .inputs = {input}};
}
constexpr Event retired(unsigned select) { return burst(0, select, 8, occurs(Signal::retire)); }
constexpr Input entry(Trap trap) { return occurs(Signal::pal_entry, 0xffff, number(trap)); }
constexpr Event entries(unsigned select, Trap trap, unsigned weight = 1) {
  Event event = row(1, select, entry(trap));
  event.weight = static_cast<std::uint8_t>(weight);
  return event;
}

constexpr Input retired_mispredict{
    .signal = Signal::retire, .kinds = bit(Kind::conditional_branch), .mispredicted = true};
constexpr Event double_misses{
    .counter = 1, .select = 4, .inputs = {entry(Trap::dtb_double_3), entry(Trap::dtb_double_4)}, .input_count = 2};

// Sources: pfm(7), sys/pfcntr.h, and the hardware reference manuals of the 21264 and 21264/EV67.
// clang-format off
constexpr auto ev6_table = std::to_array<Event>({
  // PCTR_CTL SL0
    row(0, 0, clock),                                                       // PF6_MUX0_CYCLES
    retired(1),                                                             // PF6_MUX0_RET_INSTRUCTIONS

  // PCTR_CTL SL1
    row(1, 0, clock),                                                       // PF6_MUX1_CYCLES
    burst(1, 1, 4, of(Signal::retire, Kind::conditional_branch)),           // PF6_MUX1_RET_COND_BRANCHES
    row(1, 2, clock, 1, unless(&Behaviour::retired_mispredicts)),           // PF6_MUX1_RET_BRANCH_MISPREDICTS
    row(1, 2, retired_mispredict, 1, &Behaviour::retired_mispredicts),      // PF6_MUX1_RET_BRANCH_MISPREDICTS
    entries(3, Trap::dtb_single, 2),                                        // PF6_MUX1_RET_DTB_SINGLE_MISSES
    double_misses,                                                          // PF6_MUX1_RET_DTB_DOUBLE_MISSES
    entries(5, Trap::itb_miss),                                             // PF6_MUX1_RET_ITB_MISSES
    entries(6, Trap::unaligned),                                            // PF6_MUX1_RET_UNALIGNED_TRAPS
    row(1, 7, occurs(Signal::replay_trap)),                                 // PF6_MUX1_REPLAY_TRAP
});
// clang-format on

/// Misses of the Bcache, and requests of other processors that miss it.
constexpr Event bcache_misses{
    .counter = 1,
    .select = bcache_mode,
    .inputs = {occurs(Signal::l3_lookup, d::lookup_miss, d::lookup_miss),
               occurs(Signal::system_command, a::system_command_mask | a::system_hit, number(SystemCommand::probe))},
    .input_count = 2};

// SL1 selects the inputs of both counters; each pair of inputs is an event of sys/pfcntr.h.
// clang-format off
constexpr auto ev67_table = std::to_array<Event>({
  // PCTR_CTL SL1, counter 0
    retired(0),                                                             // PF67_RET_INST_AND_CYCLES
    row(0, 1, clock),                                                       // PF67_CYCLES_AND_UNDEFINED
    retired(2),                                                             // PF67_RET_INST_AND_BCACHE_MISS
    row(0, 3, clock),                                                       // PF67_CYCLES_AND_REPLAY_TRAPS

  // PCTR_CTL SL1, counter 1
    row(1, 0, clock),                                                       // PF67_RET_INST_AND_CYCLES
    bcache_misses,                                                          // PF67_RET_INST_AND_BCACHE_MISS
    row(1, 3, occurs(Signal::replay_trap)),                                 // PF67_CYCLES_AND_REPLAY_TRAPS
});
// clang-format on

}  // namespace

std::span<const Event> ev6_multiplexer() { return ev6_table; }
std::span<const Event> ev67_multiplexer() { return ev67_table; }

}  // namespace pmusim::pmu::alpha
