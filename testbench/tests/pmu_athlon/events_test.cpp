// Every event code and unit mask bit must count the event of the tables, and no similar one. One row per multiplexer
// entry: an activity that must count, and the most similar one that must not. 22007 Rev. E pp. 164-167.
#include "testbench/tests/pmu_athlon/bench.h"

namespace pmusim::testing {
namespace {

namespace d = activity::detail;
namespace hold = activity::dispatch_hold;
using activity::Trait;

/// One occurrence in clock 5, or levels in clocks 5 to 7 (which then count 3).
struct Case {
  unsigned code, unit;
  const char* what;
  bool counts;
  Signal signal = Signal::count_;
  std::uint16_t detail = 0;
  std::uint32_t traits = 0;
  bool taken = false, mispredicted = false, crosses = false;
  std::vector<std::pair<State, std::uint64_t>> levels = {};
};

Case occurrence(unsigned code, unsigned unit, const char* what, bool counts, Signal s, unsigned detail = 0) {
  return {code, unit, what, counts, s, static_cast<std::uint16_t>(detail)};
}
Case retires(unsigned code, const char* what, bool counts, std::uint32_t traits, bool taken = false,
             bool mispredicted = false) {
  return {code, 0, what, counts, Signal::retire, 0, traits, taken, mispredicted};
}
Case level(unsigned code, const char* what, bool counts, std::vector<std::pair<State, std::uint64_t>> levels) {
  Case c{code, 0, what, counts};
  c.levels = std::move(levels);
  return c;
}
constexpr std::uint32_t t(Trait trait) { return activity::bit(trait); }

HandMade activity_of(const Case& c, unsigned amount) {
  HandMade activity(10);
  activity.state(State::interrupt_flag, 1);
  if (!c.levels.empty()) {
    for (const auto& [state, value] : c.levels) {
      const std::uint64_t idle = state == State::interrupt_flag ? 1 : 0;
      activity.state(state, idle).change(state, 5, value).change(state, 8, idle);
    }
  } else {
    activity::InstructionRecord instruction;
    instruction.traits = c.traits;
    instruction.taken = c.taken;
    instruction.mispredicted = c.mispredicted;
    activity::RequestRecord request;
    request.crosses_octet = c.crosses;
    activity.add(request);
    activity.occur(c.signal, 5, c.detail, activity.add(instruction), amount);
  }
  return activity;
}

std::uint64_t count(const Case& c, unsigned mask, unsigned amount = 1, Flips flips = {}) {
  return counted(all_rings | c.code | units(mask), activity_of(c, amount), flips);
}

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const unsigned one = c.levels.empty() ? 1 : 3;
    const auto name = ::testing::Message() << std::hex << c.code << "h/" << c.unit << ": " << c.what;
    EXPECT_EQ(count(c, c.unit), c.counts ? one : 0) << name;
    if (c.levels.empty()) {
      EXPECT_EQ(count(c, c.unit, 2), c.counts ? 2u : 0u) << name << ", twice";
    }
  }
}

/// For events whose unit mask bits stand for values: each bit counts its own value and no other.
void check_disjoint(unsigned code, const std::vector<std::pair<unsigned, Case>>& values) {
  for (const auto& [unit, other] : values) {
    for (const auto& [own, c] : values) {
      EXPECT_EQ(count(c, unit), unit == own ? 1u : 0u)
          << std::hex << code << "h: " << c.what << " against mask " << unit;
    }
    unsigned rest = 0;
    for (const auto& [own, c] : values) rest |= own == unit ? 0 : own;
    EXPECT_EQ(count(other, rest), 0u) << std::hex << code << "h: " << other.what << " against all other bits";
    EXPECT_EQ(count(other, 0xff), 1u);
  }
}

std::vector<std::pair<unsigned, Case>> numbered(unsigned code, Signal s,
                                                const std::vector<std::pair<unsigned, unsigned>>& details) {
  std::vector<std::pair<unsigned, Case>> values;
  values.reserve(details.size());
  for (const auto& [unit, detail] : details)
    values.emplace_back(unit, occurrence(code, unit, "value", true, s, detail));
  return values;
}

TEST(Events, SegmentRegisters) {
  check_disjoint(0x20, numbered(0x20, Signal::segment_load, {{1, 0}, {2, 1}, {4, 2}, {8, 3}, {16, 4}, {32, 5}}));
  for (unsigned segment = 0; segment < 6; ++segment) {
    EXPECT_EQ(count(occurrence(0x20, 0x40, "HS", false, Signal::segment_load, segment), 0x40), 0u);
  }
}

TEST(Events, Refills) {
  // 42h counts by the state found in L2, 43h by the state installed for lines that L2 did not hold.
  std::vector<std::pair<unsigned, unsigned>> found, installed;
  for (unsigned state = 0; state < 5; ++state) {
    found.emplace_back(1u << state, d::side_data | state << d::fill_found_shift | 2 << d::fill_installed_shift);
    installed.emplace_back(1u << state, d::side_data | state << d::fill_installed_shift);
  }
  check_disjoint(0x42, numbered(0x42, Signal::line_fill, found));
  check_disjoint(0x43, numbered(0x43, Signal::line_fill, installed));
  for (unsigned state = 0; state < 5; ++state) {
    const unsigned found_in_l2 = state << d::fill_found_shift, put_in = state << d::fill_installed_shift;
    check({occurrence(0x42, 0x1f, "instruction side", false, Signal::line_fill, found_in_l2),
           occurrence(0x43, 0x1f, "instruction side", false, Signal::line_fill, put_in)});
    for (unsigned held = 1; held < 5; ++held) {
      const unsigned from_l2 = d::side_data | held << d::fill_found_shift;
      check({occurrence(0x43, 0x1f, "from L2", false, Signal::line_fill, from_l2 | put_in)});
    }
  }
  const Case system =
      occurrence(0x42, 1, "system", true, Signal::line_fill, d::side_data | 2 << d::fill_installed_shift);
  EXPECT_EQ(count(system, 0x1f, 1, {{"pmu.refill_mask_bit0", "nothing"}}), 0u);
}

TEST(Events, Victims) {
  std::vector<std::pair<unsigned, unsigned>> states;
  for (unsigned state = 0; state < 5; ++state) {
    states.emplace_back(1u << state, d::cache_l1d | state << d::evict_state_shift | d::evict_replacement);
  }
  check_disjoint(0x44, numbered(0x44, Signal::line_evict, states));
  for (unsigned state = 0; state < 5; ++state) {
    const unsigned left = state << d::evict_state_shift;
    check(
        {occurrence(0x44, 0x1f, "L2 victim", false, Signal::line_evict, d::cache_l2 | left | d::evict_replacement),
         occurrence(0x44, 0x1f, "L1I victim", false, Signal::line_evict, d::cache_l1i | left | d::evict_replacement),
         occurrence(0x44, 0x1f, "taken by a probe", false, Signal::line_evict, d::cache_l1d | left | d::evict_snoop)});
  }
  for (unsigned state = 0; state < 5; ++state) {
    const Case c = occurrence(0x44, 0x1f, "dirty only", true, Signal::line_evict, states[state].second);
    EXPECT_EQ(count(c, 0x1f, 1, {{"pmu.evict_scope", "dirty"}}), state >= 3 ? 1u : 0u);
  }
}

TEST(Events, OtherUnitMasks) {
  check_disjoint(0x65, numbered(0x65, Signal::bus_request, {{0x01, 0}, {0x02, 1}, {0x10, 2}, {0x20, 3}, {0x40, 4}}));
  check_disjoint(
      0x73, numbered(0x73, Signal::snoop, {{1, d::snoop_hits_l1i}, {2, d::snoop_hits_l1d}, {4, d::snoop_hits_l2}}));
  check_disjoint(0x74, numbered(0x74, Signal::ecc_correction, {{1, 0}, {2, d::ecc_from_l2}}));
  check_disjoint(
      0x75,
      numbered(0x75, Signal::cross_invalidate,
               {{1, d::cross_by_data}, {2, d::cross_by_data | d::cross_from_data}, {4, 0}, {8, d::cross_from_data}}));
  // Fetch, load, store; then a victim of the data cache, the system, L2 itself.
  constexpr unsigned data = d::l2_array_data, write = d::l2_array_write;
  check_disjoint(0x79, numbered(0x79, Signal::l2_array,
                                {{1, 0},
                                 {2, write},
                                 {4, data | 0},
                                 {8, data | 1},
                                 {16, data | 2},
                                 {32, data | write | 4},
                                 {64, data | write | 3},
                                 {128, data | write | 5}}));
  check({occurrence(0x73, 4, "L2 after a hit in L1D", false, Signal::snoop, d::snoop_hits_l1d | d::snoop_hits_l2),
         occurrence(0x73, 7, "hits nothing", false, Signal::snoop, d::snoop_retried)});
}

TEST(Events, DataCacheAndBus) {
  constexpr unsigned load = d::side_data | d::access_load, store = d::side_data | d::access_store;
  Case crossing = occurrence(0x47, 0, "crosses", true, Signal::dcache_lookup, load | d::lookup_hit);
  crossing.crosses = true;
  Case second = occurrence(0x47, 0, "its second probe", false, Signal::dcache_lookup, load | d::access_second_half);
  second.crosses = true;
  Case prefetch = occurrence(0x47, 0, "prefetch", false, Signal::dcache_lookup, d::side_data | d::access_prefetch);
  prefetch.crosses = true;
  Case crossing_store = crossing, crossing_walk = crossing;
  crossing_store.detail = store;
  crossing_walk.detail = load | d::access_walk;
  crossing_walk.counts = false;
  check(
      {crossing,
       crossing_store,
       crossing_walk,
       second,
       prefetch,
       occurrence(0x47, 0, "aligned", false, Signal::dcache_lookup, load),
       occurrence(0x21, 0, "code store", true, Signal::code_store),
       occurrence(0x21, 0, "resync", false, Signal::resync, 1),
       occurrence(0x40, 0, "load", true, Signal::dcache_lookup, load | d::lookup_hit),
       occurrence(0x40, 0, "store", true, Signal::dcache_lookup, store | d::lookup_miss),
       occurrence(0x40, 0, "prefetch", true, Signal::dcache_lookup, d::side_data | d::access_prefetch | d::lookup_hit),
       occurrence(0x40, 0, "second probe", true, Signal::dcache_lookup, load | d::access_second_half | d::lookup_hit),
       occurrence(0x40, 0, "table walk", false, Signal::dcache_lookup, load | d::access_walk | d::lookup_hit),
       occurrence(0x40, 0, "cache operation", false, Signal::dcache_lookup, d::side_data | d::access_cache_operation),
       occurrence(0x41, 0, "cache operation", false, Signal::dcache_lookup, d::access_cache_operation | d::lookup_miss),
       occurrence(0x41, 0, "prefetch", true, Signal::dcache_lookup, d::side_data | d::access_prefetch | d::lookup_miss),
       occurrence(0x41, 0, "miss", true, Signal::dcache_lookup, load | d::lookup_miss),
       occurrence(0x41, 0, "store miss", true, Signal::dcache_lookup, store | d::lookup_miss),
       occurrence(0x41, 0, "hit", false, Signal::dcache_lookup, load | d::lookup_hit),
       occurrence(0x41, 0, "fill under way", false, Signal::dcache_lookup, load | d::lookup_pending),
       occurrence(0x41, 0, "table walk", false, Signal::dcache_lookup, load | d::access_walk | d::lookup_miss),
       occurrence(0x45, 0, "second level hit", true, Signal::translation, d::side_data | d::tlb_second_level_hit),
       occurrence(0x45, 0, "walk", false, Signal::translation, d::side_data | d::tlb_walk),
       occurrence(0x45, 0, "instruction side", false, Signal::translation, d::tlb_second_level_hit),
       occurrence(0x46, 0, "walk", true, Signal::translation, d::side_data | d::tlb_walk),
       occurrence(0x46, 0, "second level hit", false, Signal::translation, d::side_data | d::tlb_second_level_hit),
       occurrence(0x46, 0, "instruction side", false, Signal::translation, d::tlb_walk),
       occurrence(0x64, 0, "DRAM", true, Signal::bus_request, d::bus_dram | 4),
       occurrence(0x64, 0, "device", false, Signal::bus_request, 0),
       level(0x76, "runs", true, {{State::clock, 1}}),
       level(0x7a, "two wait", true, {{State::l2_fill_wait, 2}}),
       level(0x7a, "loads miss", false, {{State::load_misses, 1}, {State::clock, 1}})});
}

TEST(Events, InstructionFetch) {
  check({occurrence(0x80, 0, "hit", true, Signal::fetch, d::lookup_hit),
         occurrence(0x80, 0, "miss", true, Signal::fetch, d::lookup_miss),
         occurrence(0x80, 0, "line request", false, Signal::line_request, 0),
         occurrence(0x81, 0, "miss", true, Signal::fetch, d::lookup_miss),
         occurrence(0x81, 0, "hit", false, Signal::fetch, d::lookup_hit),
         occurrence(0x81, 0, "fill under way", false, Signal::fetch, d::lookup_pending),
         occurrence(0x82, 0, "exclusive in L2", true, Signal::line_fill, 2 << d::fill_found_shift),
         occurrence(0x82, 0, "modified in L2", true, Signal::line_fill, 4 << d::fill_found_shift),
         occurrence(0x83, 0, "exclusive in L2", false, Signal::line_fill, 2 << d::fill_found_shift),
         occurrence(0x83, 0, "modified in L2", false, Signal::line_fill, 4 << d::fill_found_shift),
         occurrence(0x82, 0, "shared in L2", true, Signal::line_fill, 1 << d::fill_found_shift),
         occurrence(0x82, 0, "from system", false, Signal::line_fill, 1 << d::fill_installed_shift),
         occurrence(0x82, 0, "data side", false, Signal::line_fill, d::side_data | 1 << d::fill_found_shift),
         occurrence(0x83, 0, "from system", true, Signal::line_fill, 1 << d::fill_installed_shift),
         occurrence(0x83, 0, "from L2", false, Signal::line_fill, 1 << d::fill_found_shift),
         occurrence(0x83, 0, "data side", false, Signal::line_fill, d::side_data),
         occurrence(0x84, 0, "second level hit", true, Signal::translation, d::tlb_second_level_hit),
         occurrence(0x84, 0, "walk", false, Signal::translation, d::tlb_walk),
         occurrence(0x84, 0, "data side", false, Signal::translation, d::side_data | d::tlb_second_level_hit),
         occurrence(0x85, 0, "walk", true, Signal::translation, d::tlb_walk),
         occurrence(0x85, 0, "second level hit", false, Signal::translation, d::tlb_second_level_hit),
         occurrence(0x85, 0, "data side", false, Signal::translation, d::side_data | d::tlb_walk),
         occurrence(0x86, 0, "probe", true, Signal::resync, d::resync_snoop),
         occurrence(0x86, 0, "code store", false, Signal::resync, d::resync_code_store),
         level(0x87, "stalled", true, {{State::fetch_stall, 1}}),
         level(0x87, "decoder empty", false, {{State::decoder_empty, 1}}),
         occurrence(0x88, 0, "predicts", true, Signal::return_stack, d::ras_predicts),
         occurrence(0x88, 0, "push", false, Signal::return_stack, d::ras_push),
         occurrence(0x89, 0, "overwrites", true, Signal::return_stack, d::ras_push | d::ras_overwrites_live),
         occurrence(0x89, 0, "no push", false, Signal::return_stack, d::ras_overwrites_live),
         occurrence(0x89, 0, "push", false, Signal::return_stack, d::ras_push)});
}

constexpr std::uint32_t near = t(Trait::branch), conditional = near | t(Trait::conditional),
                        far = t(Trait::far_transfer), ret = near | t(Trait::near_return) | t(Trait::indirect),
                        indirect = near | t(Trait::indirect);

TEST(Events, Retirement) {
  check({retires(0xc0, "any", true, 0),
         occurrence(0xc0, 0, "exception", true, Signal::trap, d::trap_exception),
         occurrence(0xc0, 0, "interrupt", true, Signal::trap, d::trap_maskable),
         occurrence(0xc0, 0, "resync", true, Signal::resync, d::resync_code_store),
         occurrence(0xc0, 0, "killed", false, Signal::kill),
         occurrence(0xc1, 0, "operation", true, Signal::operation_retire),
         retires(0xc1, "instruction", false, 0),
         retires(0xc2, "branch", true, conditional),
         retires(0xc2, "far", true, far),
         occurrence(0xc2, 0, "exception", true, Signal::trap, d::trap_exception),
         retires(0xc2, "load", false, t(Trait::load)),
         occurrence(0xc2, 0, "resync", false, Signal::resync),
         retires(0xc3, "mispredicted", true, conditional, false, true),
         retires(0xc3, "right", false, conditional),
         retires(0xc3, "far", false, far, true, true),
         retires(0xc3, "no branch", false, 0, true, true),
         occurrence(0xc3, 0, "interrupt", false, Signal::trap, d::trap_maskable),
         retires(0xc4, "taken", true, conditional, true),
         retires(0xc4, "not taken", false, conditional),
         retires(0xc4, "unconditional", true, near),
         retires(0xc4, "far", true, far),
         retires(0xc4, "INTO without a trap", false, far | t(Trait::conditional)),
         retires(0xc4, "no branch", false, 0, true),
         occurrence(0xc4, 0, "interrupt", true, Signal::trap, d::trap_maskable),
         retires(0xc5, "taken and wrong", true, conditional, true, true),
         retires(0xc5, "not taken", false, conditional, false, true),
         retires(0xc5, "right", false, conditional, true),
         retires(0xc5, "no branch", false, 0, true, true),
         retires(0xc5, "far", false, far, true, true),
         retires(0xc6, "far", true, far, true),
         retires(0xc6, "INTO without a trap", false, far | t(Trait::conditional)),
         retires(0xc6, "near", false, near, true),
         occurrence(0xc6, 0, "exception", true, Signal::trap, d::trap_exception),
         occurrence(0xc7, 0, "code store", true, Signal::resync, d::resync_code_store),
         occurrence(0xc7, 0, "probe", true, Signal::resync, d::resync_snoop),
         retires(0xc7, "branch", false, near),
         retires(0xc8, "return", true, ret),
         retires(0xc8, "jump", false, indirect),
         retires(0xc9, "return wrong", true, ret, true, true),
         retires(0xc9, "return right", false, ret, true),
         retires(0xc9, "jump wrong", false, indirect, true, true),
         retires(0xca, "jump wrong", true, indirect, true, true),
         retires(0xca, "jump right", false, indirect, true),
         retires(0xca, "return wrong", false, ret, true, true),
         retires(0xca, "direct wrong", false, conditional, true, true)});
}

TEST(Events, InterruptsTaken) {
  check({occurrence(0xcf, 0, "maskable", true, Signal::trap, d::trap_maskable),
         occurrence(0xcf, 0, "NMI", true, Signal::trap, d::trap_nmi),
         occurrence(0xcf, 0, "SMI", true, Signal::trap, d::trap_smi),
         occurrence(0xcf, 0, "own", true, Signal::trap, d::trap_maskable | d::trap_monitor),
         occurrence(0xcf, 0, "exception", false, Signal::trap, d::trap_exception)});
}

TEST(Events, Levels) {
  check(
      {level(0xcd, "IF = 0", true, {{State::interrupt_flag, 0}}),
       level(0xcd, "IF = 1", false, {{State::interrupt_flag, 1}}),
       level(0xce, "both", true, {{State::interrupt_flag, 0}, {State::interrupt_pending, 1}}),
       level(0xce, "masked, none waits", false, {{State::interrupt_flag, 0}}),
       level(0xce, "waits, not masked", false, {{State::interrupt_pending, 1}}),
       level(0xd0, "empty", true, {{State::decoder_empty, 1}}),
       level(0xd0, "not empty", false, {{State::decoder_empty, 0}}),
       level(0xd0, "empty after a stall", false, {{State::decoder_empty, 1}, {State::dispatch_hold, hold::serialize}}),
       level(0xd0, "no stall of D2h-DAh", true, {{State::decoder_empty, 1}, {State::dispatch_hold, hold::unit_busy}}),
       level(0xd1, "no stall of D2h-DAh", false, {{State::dispatch_hold, hold::unit_busy}}),
       level(0xd1, "none", false, {{State::dispatch_hold, 0}})});
  const std::uint64_t causes[] = {hold::branch_abort,        hold::serialize,        hold::segment_load,
                                  hold::reorder_buffer_full, hold::reservation_full, hold::fp_full,
                                  hold::load_store_full,     hold::all_quiet,        hold::far_or_resync};
  for (unsigned i = 0; i < std::size(causes); ++i) {
    check({level(0xd1, "any", true, {{State::dispatch_hold, causes[i]}})});
    for (unsigned j = 0; j < std::size(causes); ++j) {
      check({level(0xd2 + j, "one cause", i == j, {{State::dispatch_hold, causes[i]}})});
    }
  }
  check({level(0xd1, "three at once are one", true,
               {{State::dispatch_hold, hold::serialize | hold::fp_full | hold::all_quiet}})});
}

// --- breakpoints ------------------------------------------------------------------------------------

struct Reference {
  std::uint64_t address;
  std::uint32_t size;
  unsigned detail;
};

/// DR7 for breakpoint i: enabled by `enable` (1 L, 2 G), with R/W and LEN.
std::uint32_t dr7(unsigned i, unsigned enable, unsigned rw, unsigned len) {
  return enable << 2 * i | (rw | len << 2) << (16 + 4 * i);
}

std::uint64_t matches(unsigned i, std::uint32_t address, std::uint32_t control, const HandMade& activity) {
  auto m = programmed(all_rings | (0xdc + i));
  put(*m, dr(i), address);
  put(*m, dr(7), control);
  consume_both(*m, activity.block());
  return get(*m, perf_ctr(0));
}

TEST(Breakpoints, Execution) {
  for (unsigned i = 0; i < 4; ++i) {
    HandMade activity(10);
    activity::InstructionRecord instruction;
    instruction.ip = 0x1000;
    instruction.wrong_path = true;
    activity.occur(Signal::dispatch, 3, 0, activity.add(instruction));
    instruction.ip = 0x1001;
    activity.occur(Signal::dispatch, 4, 0, activity.add(instruction)).retire(5, 0x1000);
    EXPECT_EQ(matches(i, 0x1000, dr7(i, 1, 0, 0), activity), 1u) << "wrong path included";
    EXPECT_EQ(matches(i, 0x1000, dr7(i, 2, 0, 0), activity), 1u) << "global enable";
    EXPECT_EQ(matches(i, 0x1000, dr7(i, 0, 0, 0), activity), 0u) << "disabled";
    EXPECT_EQ(matches(i, 0x1002, dr7(i, 1, 0, 0), activity), 0u);
    EXPECT_EQ(matches(i, 0x1000, dr7(i, 1, 1, 0), activity), 0u) << "data writes";
    EXPECT_EQ(matches(i, 0x1000, dr7((i + 1) % 4, 1, 0, 0), activity), 0u) << "another breakpoint enabled";
  }
}

TEST(Breakpoints, DataReferences) {
  constexpr unsigned load = d::side_data | d::access_load, store = d::side_data | d::access_store;
  struct Row {
    Reference reference;
    unsigned rw, len;
    bool counts;
  };
  const Row rows[] = {{{0x2000, 1, store}, 1, 0, true},
                      {{0x2000, 1, load}, 1, 0, false},
                      {{0x2000, 1, load}, 3, 0, true},
                      {{0x2000, 1, store}, 3, 0, true},
                      {{0x2000, 1, load}, 2, 0, false},
                      {{0x2000, 1, load}, 0, 0, false},
                      {{0x1fff, 1, load}, 3, 0, false},
                      {{0x2001, 1, load}, 3, 0, false},
                      {{0x2001, 1, load}, 3, 1, true},
                      {{0x2002, 1, load}, 3, 1, false},
                      {{0x2003, 1, load}, 3, 3, true},
                      {{0x2004, 1, load}, 3, 3, false},
                      {{0x1ffd, 4, load}, 3, 0, true},
                      {{0x1ffc, 4, load}, 3, 0, false},
                      {{0x2000, 1, load | d::access_second_half}, 3, 0, false},
                      {{0x2000, 1, load | d::access_walk}, 3, 0, false},
                      {{0x2000, 1, d::side_data | d::access_prefetch}, 3, 0, false}};
  for (unsigned i = 0; i < 4; ++i) {
    for (const Row& row : rows) {
      HandMade activity(10);
      activity::RequestRecord request;
      request.address = row.reference.address;
      request.size = row.reference.size;
      activity.occur(Signal::dcache_lookup, 3, static_cast<std::uint16_t>(row.reference.detail), activity.add(request));
      EXPECT_EQ(matches(i, 0x2000, dr7(i, 1, row.rw, row.len), activity), row.counts ? 1u : 0u)
          << std::hex << row.reference.address << ' ' << row.reference.size << " rw " << row.rw << " len " << row.len;
      EXPECT_EQ(matches(i, 0x2000, dr7(i, 0, row.rw, row.len), activity), 0u) << "disabled";
    }
  }
}

}  // namespace
}  // namespace pmusim::testing
