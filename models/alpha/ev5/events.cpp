// The inputs of the counters of the 21164 and 21164PC: SEL0, SEL1, SEL2 of PMCTR, and the second selects, which apply
// if SEL1 or SEL2 is 0xF. Selects without a row count nothing.
#include <array>

#include "models/alpha/ev5/monitor.h"
#include "models/alpha/event.h"

namespace pmusim::pmu::alpha {
namespace {

namespace d = activity::detail;
namespace a = activity::alpha::detail;
using activity::LineState;
using activity::Signal;
using activity::State;
using activity::alpha::IssueStall;
using activity::alpha::Kind;
using activity::alpha::Replay;
using activity::alpha::SystemCommand;

constexpr unsigned number(auto value) { return static_cast<unsigned>(value); }

constexpr Event sum(unsigned counter, unsigned select, Input input, unsigned most = 1, When only_if = {}) {
  return {.counter = static_cast<std::uint8_t>(counter),
          .select = static_cast<std::uint8_t>(select),
          .high = static_cast<std::uint8_t>(most),
          .inputs = {input},
          .only_if = only_if};
}
/// Cycles in which `least` to `most` instructions issue.
constexpr Event issues(unsigned select, unsigned least, unsigned most) {
  return {.counter = 1,
          .select = static_cast<std::uint8_t>(select),
          .rule = Rule::within,
          .low = static_cast<std::uint8_t>(least),
          .high = static_cast<std::uint8_t>(most),
          .inputs = {occurs(Signal::issue)}};
}
constexpr Event second(unsigned counter, unsigned select, Input input, When only_if = {}) {
  Event event = sum(counter, ev5::second_select, input, 1, only_if);
  event.second = static_cast<std::uint8_t>(select);
  return event;
}
/// Changes of flow when SEL2 is `select2`.
constexpr Event flow(unsigned select2, Input input) {
  Event event = sum(1, ev5::flow_change, input);
  event.second = static_cast<std::uint8_t>(select2);
  return event;
}
/// Mispredicted branches of these kinds.
template <class... Kinds>
constexpr Input wrong(Kinds... kinds) {
  Input input = of(Signal::branch_resolved, kinds...);
  input.mask = d::branch_correct;
  return input;
}
constexpr Input translation(unsigned side) {
  return occurs(Signal::translation, d::side_data | d::tlb_walk, side | d::tlb_walk);
}
constexpr Input load_translation = [] {
  Input input = translation(d::side_data);
  input.loads = true;
  return input;
}();
constexpr Input replay(Replay cause) { return occurs(Signal::replay_trap, 0xffff, number(cause)); }
constexpr Input command(SystemCommand c) { return occurs(Signal::system_command, a::system_command_mask, number(c)); }
/// A modified block that is replaced and must be written back to memory.
constexpr Input victim(unsigned cache) {
  return occurs(Signal::line_evict, d::cache_mask | 7u << d::evict_state_shift | d::evict_replacement,
                cache | number(LineState::modified) << d::evict_state_shift | d::evict_replacement);
}

// Scache
constexpr unsigned store = d::access_store, hit = d::lookup_hit, miss = d::lookup_miss;
constexpr Input scache(unsigned mask = 0, unsigned value = 0) { return occurs(Signal::l2_lookup, mask, value); }
// Bcache
constexpr Input bcache(unsigned mask = 0, unsigned value = 0) { return occurs(Signal::l3_lookup, mask, value); }
constexpr Input fill(unsigned mask, unsigned value) { return occurs(Signal::bcache_fill, mask, value); }
constexpr unsigned data = d::side_data;
constexpr Input read_miss(unsigned outstanding) { return occurs(Signal::read_miss, 0xffff, outstanding); }

constexpr Input any_branch =
    of(Signal::issue, Kind::conditional_branch, Kind::unconditional_branch, Kind::jump, Kind::pal_return);
constexpr Input operates_and_addresses = of(Signal::issue, Kind::integer_operate, Kind::load_address);
constexpr Input load_miss =
    occurs(Signal::dcache_lookup, d::access_walk | d::access_load, d::access_load, miss | d::lookup_pending);
constexpr Event long_stalls{.counter = 2, .select = 0x0, .rule = Rule::long_run, .inputs = {frozen}};
constexpr Event full_replays{.counter = 2,
                             .select = 0xa,
                             .inputs = {replay(Replay::write_buffer_full), replay(Replay::miss_file_full)},
                             .input_count = 2};
/// Bit 0 of the pins is set.
constexpr Input external_pin = level(State::pins, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37,
                                     39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63);

// Rows of both chips, from pfm(7) and sys/pfcntr.h. If a select has several rows, the chosen behaviour decides which
// one applies.
// clang-format off
constexpr auto common = std::to_array<Event>({
  // PMCTR SEL0
    sum(0, 0x0, clock),                                                    // PF5_MUX0_CYCLES
    sum(0, 0x1, occurs(Signal::issue), 4),                                 // PF5_MUX0_ISSUES

  // PMCTR SEL1
    sum(1, 0x0, frozen),                                                   // PF5_MUX1_NON_ISSUE_CYCLES
    issues(0x1, 1, 3),                                                     // PF5_MUX1_SPLIT_ISSUE_CYCLES
    sum(1, 0x2, dry, 1, unless(&Behaviour::traps_apart)),                  // PF5_MUX1_PIPELINE_DRY
    sum(1, 0x2, empty, 1, &Behaviour::traps_apart),                         // PF5_MUX1_PIPELINE_DRY
    sum(1, 0x3, occurs(Signal::replay_trap)),                              // PF5_MUX1_REPLAY_TRAP
    issues(0x4, 1, 1),                                                     // PF5_MUX1_SINGLE_ISSUE_CYCLES
    issues(0x5, 2, 2),                                                     // PF5_MUX1_DUAL_ISSUE_CYCLES
    issues(0x6, 3, 3),                                                     // PF5_MUX1_TRIPLE_ISSUE_CYCLES
    issues(0x7, 4, 4),                                                     // PF5_MUX1_QUAD_ISSUE_CYCLES
    flow(2, of(Signal::issue, Kind::jump)),                                // PF5_MUX1_FLOW_CHANGE, SEL2 = 2: jumps
    flow(3, of(Signal::issue, Kind::conditional_branch)),                  // PF5_MUX1_FLOW_CHANGE, SEL2 = 3: conditional branches
    sum(1, ev5::flow_change, any_branch),                                  // PF5_MUX1_FLOW_CHANGE
    sum(1, 0x9, operates_and_addresses, 2, unless(&Behaviour::operates_alone)),  // PF5_MUX1_INTEGER_OPERATE
    sum(1, 0x9, of(Signal::issue, Kind::integer_operate), 2, &Behaviour::operates_alone),  // PF5_MUX1_INTEGER_OPERATE
    sum(1, 0xa, of(Signal::issue, Kind::fp_operate), 2),                   // PF5_MUX1_C_FP_INSTRUCTIONS
    sum(1, 0xb, of(Signal::issue, Kind::load), 2),                         // PF5_MUX1_C_LOAD_INSTRUCTIONS
    sum(1, 0xc, of(Signal::issue, Kind::store)),                           // PF5_MUX1_C_STORE_INSTRUCTIONS
    sum(1, 0xd, occurs(Signal::fetch)),                                    // PF5_MUX1_C_ICACHE_ACCESS
    sum(1, 0xe, occurs(Signal::dcache_lookup, d::access_walk, 0), 2),      // PF5_MUX1_C_DCACHE_ACCESS

  // PMCTR SEL2
    long_stalls,                                                           // PF5_MUX2_C_LONG_STALLS
    sum(2, 0x2, wrong(Kind::jump)),                                        // PF5_MUX2_C_PC_MISPR
    sum(2, 0x3, wrong(Kind::conditional_branch)),                          // PF5_MUX2_C_BRANCH_MISPREDICTS
    sum(2, 0x4, occurs(Signal::fetch, d::access_prefetch | miss, miss)),   // PF5_MUX2_C_ICACHE_MISSES
    sum(2, 0x5, translation(0)),                                           // PF5_MUX2_C_ITB_MISS
    sum(2, 0x6, load_miss, 2),                                             // PF5_MUX2_C_DCACHE_MISSES
    sum(2, 0x7, translation(data), 1, unless(&Behaviour::load_dtb_misses)),  // PF5_MUX2_C_DTB_MISS
    sum(2, 0x7, load_translation, 1, &Behaviour::load_dtb_misses),          // PF5_MUX2_C_DTB_MISS
    sum(2, 0x8, occurs(Signal::load_merged), 2),                           // PF5_MUX2_C_LOADS_MERGED
    sum(2, 0x9, replay(Replay::load_use)),                                 // PF5_MUX2_C_LDU_REPLAYS
    full_replays,                                                          // PF5_MUX2_C_WB_MAF_FULL_REPLAYS
    sum(2, 0xb, external_pin, 1, &Behaviour::external_counts),             // PF5_MUX2_C_EXTERNAL
    sum(2, 0xc, clock),                                                    // PF5_MUX2_C_CYCLES
    sum(2, 0xd, level(State::issue_stall, IssueStall::memory_barrier)),    // PF5_MUX2_C_MEM_BARRIER
    sum(2, 0xe, of(Signal::issue, Kind::load_locked)),                     // PF5_MUX2_C_LOAD_LOCKED
});

constexpr auto ev5_rows = std::to_array<Event>({
  // SEL1 = 0xF: second select
    second(1, 0, scache()),                                                // PF5_MUX1_C_SCACHE_ACCESS
    second(1, 1, scache(store)),                                           // PF5_MUX1_C_SCACHE_READ
    second(1, 2, scache(store, store)),                                    // PF5_MUX1_C_SCACHE_WRITE
    second(1, 3, victim(d::cache_l2)),                                     // PF5_MUX1_C_SCACHE_VICTIM
    second(1, 5, bcache()),                                                // PF5_MUX1_C_BCACHE_REF
    second(1, 6, victim(d::cache_l3)),                                     // PF5_MUX1_C_BCACHE_VICTIM
    second(1, 7, occurs(Signal::system_command)),                          // PF5_MUX1_C_SYS_REQ

  // SEL2 = 0xF: second select
    second(2, 0, scache(miss, miss)),                                      // PF5_MUX2_C_SCACHE_MISS
    second(2, 1, scache(store | miss, miss)),                              // PF5_MUX2_C_SCACHE_READ_MISS
    second(2, 2, scache(store | miss, store | miss)),                      // PF5_MUX2_C_SCACHE_WRITE_MISS
    second(2, 3, scache(a::access_shared_write, a::access_shared_write)),  // PF5_MUX2_C_SCACHE_SH_WRITE
    second(2, 4, scache(store, store)),                                    // PF5_MUX2_C_SCACHE_WRITE
    second(2, 5, bcache(miss, miss)),                                      // PF5_MUX2_C_BCACHE_MISS
    second(2, 6, command(SystemCommand::invalidate)),                      // PF5_MUX2_C_SYS_INV
    second(2, 7, command(SystemCommand::read)),                            // PF5_MUX2_C_SYS_READ_REQ
});
// clang-format on

constexpr Input on_hit(SystemCommand c) {
  return occurs(Signal::system_command, a::system_command_mask | a::system_hit, number(c) | a::system_hit);
}
constexpr Input on_miss(SystemCommand c) {
  return occurs(Signal::system_command, a::system_command_mask | a::system_hit, number(c));
}
constexpr Event read_or_flush(unsigned select, Input (*outcome)(SystemCommand), When only_if = {}) {
  Event event = second(2, select, outcome(SystemCommand::read), only_if);
  event.inputs[1] = outcome(SystemCommand::flush);
  event.input_count = 2;
  return event;
}

// clang-format off
constexpr auto pca56_rows = std::to_array<Event>({
  // SEL1 = 0xF: second select
    second(1, 0, bcache(store | d::access_writeback)),                                // PF5_MUX1_C_BCACHE_READ
    second(1, 1, bcache(data | store | d::access_writeback | hit, data | hit)),       // PF5_MUX1_C_BCACHE_DREAD_HIT
    second(1, 2, fill(data | store, data)),                                           // PF5_MUX1_C_BCACHE_DREAD_FILL
    second(1, 3, bcache(store, store)),                                               // PF5_MUX1_C_BCACHE_WRITE
    second(1, 5, bcache(store | hit | a::found_clean, store | hit | a::found_clean)),  // PF5_MUX1_C_BCACHE_CLN_WRT_HIT
    second(1, 6, victim(d::cache_l3)),                                                // PF5_MUX1_C_BCACHE_VICTIM
    second(1, 7, read_miss(2)),                                                       // PF5_MUX1_C_READ_MISS_2

  // SEL2 = 0xF: second select
    second(2, 0, bcache(data | store | d::access_writeback, data)),                   // PF5_MUX2_C_BCACHE_DREAD
    second(2, 1, bcache(store | d::access_writeback | hit, hit)),                     // PF5_MUX2_C_BCACHE_READ_HIT
    second(2, 2, fill(store, 0)),                                                     // PF5_MUX2_C_BCACHE_READ_FILL
    second(2, 3, bcache(store | hit, store | hit)),                                   // PF5_MUX2_C_BCACHE_WRITE_HIT
    second(2, 4, fill(store, store)),                                                 // PF5_MUX2_C_BCACHE_WRITE_FILL
    read_or_flush(5, on_hit),                                                         // PF5_MUX2_C_SYS_READ_FLUSH_HIT
    read_or_flush(6, command, unless(&Behaviour::system_misses)),                     // PF5_MUX2_C_SYS_READ_FLUSH_MISS
    read_or_flush(6, on_miss, &Behaviour::system_misses),                             // PF5_MUX2_C_SYS_READ_FLUSH_MISS
    second(2, 7, read_miss(3)),                                                       // PF5_MUX2_C_READ_MISS_3
});
// clang-format on

template <std::size_t n, std::size_t m>
constexpr std::array<Event, n + m> joined(const std::array<Event, n>& first, const std::array<Event, m>& second) {
  std::array<Event, n + m> all{};
  for (std::size_t i = 0; i < n; ++i) all[i] = first[i];
  for (std::size_t i = 0; i < m; ++i) all[n + i] = second[i];
  return all;
}

constexpr auto ev5_table = joined(common, ev5_rows);
constexpr auto pca56_table = joined(common, pca56_rows);

}  // namespace

std::span<const Event> ev5_multiplexer() { return ev5_table; }
std::span<const Event> pca56_multiplexer() { return pca56_table; }

}  // namespace pmusim::pmu::alpha
