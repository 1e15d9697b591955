// Every select code must count the event of the manual's tables, and no similar one. One row per multiplexer entry: an
// activity that must count, and the most similar one that must not. User's Manual Tables 11-2 to 11-5.
#include "testbench/tests/pmu_ppc750gx/bench.h"

namespace pmusim::testing {
namespace {

namespace d = activity::detail;
using activity::Trait;
using activity::Unit;

constexpr std::uint16_t evicted(unsigned cache, unsigned state, unsigned why) {
  return static_cast<std::uint16_t>(cache | state << 4 | why);
}
constexpr unsigned modified = 4, exclusive = 2;

/// One occurrence in cycle 5, or a level in cycles 5 to 7 (which then counts 3).
struct Case {
  unsigned counter, code;
  const char* what;
  bool counts;
  Signal signal = Signal::count_;
  std::uint16_t detail = 0;
  std::uint32_t traits = 0;
  Unit unit = Unit::none;
  State state = State::count_;
  std::uint64_t level = 0;
  bool wrong_path = false;
  bool success = false;
};

Case occurrence(unsigned counter, unsigned code, const char* what, bool counts, Signal s, unsigned detail = 0) {
  return {counter, code, what, counts, s, static_cast<std::uint16_t>(detail)};
}
Case retires(unsigned counter, unsigned code, const char* what, bool counts, std::uint32_t traits,
             Unit unit = Unit::none) {
  return {counter, code, what, counts, Signal::retire, 0, traits, unit};
}
Case level(unsigned counter, unsigned code, const char* what, bool counts, State s, std::uint64_t value) {
  return {counter, code, what, counts, Signal::count_, 0, 0, Unit::none, s, value};
}
constexpr std::uint32_t t(Trait trait) { return activity::bit(trait); }

std::vector<Case> cases() {
  constexpr unsigned data = d::side_data, predicted_right = d::branch_predicted | d::branch_correct;
  std::vector<Case> all = {
      retires(1, 5, "eieio", true, t(Trait::eieio)),
      retires(1, 5, "sync", false, t(Trait::sync)),
      level(1, 6, "instruction-side walk", true, State::table_walk, 1),
      level(1, 6, "data-side walk", false, State::table_walk, 2),
      occurrence(1, 7, "data hit", true, Signal::l2_lookup, data | d::lookup_hit),
      occurrence(1, 7, "instruction hit", true, Signal::l2_lookup, d::lookup_hit),
      occurrence(1, 7, "cache operation hit", true, Signal::l2_lookup,
                 data | d::lookup_hit | d::access_cache_operation),
      occurrence(1, 7, "miss", false, Signal::l2_lookup, data | d::lookup_miss),
      occurrence(1, 7, "victim", false, Signal::l2_lookup, data | d::lookup_hit | d::access_writeback),
      occurrence(1, 8, "fetch request", true, Signal::fetch, d::lookup_hit),
      occurrence(1, 8, "lookup", false, Signal::dcache_lookup),
      occurrence(1, 11, "condition not ready", true, Signal::branch_handled,
                 d::branch_conditional | d::branch_unresolved),
      occurrence(1, 11, "condition ready", false, Signal::branch_handled, d::branch_conditional),
      occurrence(1, 11, "unconditional", false, Signal::branch_handled, d::branch_unresolved),
      level(1, 12, "second stream", true, State::dispatch_hold, activity::dispatch_hold::second_stream),
      level(1, 12, "unit busy", false, State::dispatch_hold, activity::dispatch_hold::unit_busy),

      occurrence(2, 5, "instruction line", true, Signal::line_request, 0),
      occurrence(2, 5, "data line", false, Signal::line_request, data),
      occurrence(2, 6, "instruction walk", true, Signal::translation, d::tlb_walk),
      occurrence(2, 6, "data walk", false, Signal::translation, data | d::tlb_walk),
      occurrence(2, 6, "second level hit", false, Signal::translation, d::tlb_second_level_hit),
      occurrence(2, 7, "instruction miss", true, Signal::l2_lookup, d::lookup_miss),
      occurrence(2, 7, "instruction line under way", true, Signal::l2_lookup, d::lookup_pending),
      occurrence(2, 7, "instruction hit", false, Signal::l2_lookup, d::lookup_hit),
      occurrence(2, 7, "data miss", false, Signal::l2_lookup, data | d::lookup_miss),
      occurrence(2, 8, "fall-through", true, Signal::branch_handled, d::branch_conditional),
      occurrence(2, 8, "taken", false, Signal::branch_handled, d::branch_conditional | d::branch_taken),
      retires(2, 10, "lwarx", true, t(Trait::load) | t(Trait::load_reserve)),
      retires(2, 10, "load", false, t(Trait::load)),
      retires(2, 11, "load", true, t(Trait::load)),
      retires(2, 11, "store", true, t(Trait::store)),
      retires(2, 11, "cache operation", false, t(Trait::store) | t(Trait::cache_operation)),
      retires(2, 11, "branch", false, t(Trait::branch)),
      occurrence(2, 12, "snoop", true, Signal::snoop),
      occurrence(2, 12, "bus request", false, Signal::bus_request),
      occurrence(2, 13, "modified to L2", true, Signal::line_evict,
                 evicted(d::cache_l1d, modified, d::evict_replacement | d::evict_to_l2)),
      occurrence(2, 13, "clean", false, Signal::line_evict,
                 evicted(d::cache_l1d, exclusive, d::evict_replacement | d::evict_to_l2)),
      occurrence(2, 13, "to the bus", false, Signal::line_evict, evicted(d::cache_l1d, modified, d::evict_snoop)),
      occurrence(2, 13, "from L1I", false, Signal::line_evict, evicted(d::cache_l1i, modified, d::evict_to_l2)),
      occurrence(2, 13, "invalid", false, Signal::line_evict, evicted(d::cache_l1d, 0, d::evict_to_l2)),
      occurrence(2, 13, "from L2", false, Signal::line_evict, evicted(d::cache_l2, modified, d::evict_to_l2)),
      retires(2, 14, "system unit", true, 0, Unit::system),
      retires(2, 14, "integer unit", false, 0, Unit::integer_1),
      occurrence(2, 15, "fetch misses", true, Signal::fetch, d::lookup_miss),
      occurrence(2, 15, "line under way", true, Signal::fetch, d::lookup_pending),
      occurrence(2, 15, "fetch hits", false, Signal::fetch, d::lookup_hit),
      occurrence(2, 16, "level 1 right", true, Signal::branch_resolved, predicted_right),
      occurrence(2, 16, "level 1 wrong", false, Signal::branch_resolved, d::branch_predicted),
      occurrence(2, 16, "level 2 right", false, Signal::branch_resolved, predicted_right | d::branch_level_2),
      occurrence(2, 16, "not predicted", false, Signal::branch_resolved, d::branch_correct),

      occurrence(3, 5, "load misses", true, Signal::dcache_lookup, data | d::access_load | d::lookup_miss),
      occurrence(3, 5, "store misses", true, Signal::dcache_lookup, data | d::access_store | d::lookup_miss),
      occurrence(3, 5, "again", false, Signal::dcache_lookup, data | d::access_load | d::lookup_pending),
      occurrence(3, 5, "hit", false, Signal::dcache_lookup, data | d::access_load | d::lookup_hit),
      occurrence(3, 5, "touch", false, Signal::dcache_lookup, data | d::access_prefetch | d::lookup_miss),
      occurrence(3, 5, "cache operation", false, Signal::dcache_lookup,
                 data | d::access_cache_operation | d::lookup_miss),
      occurrence(3, 5, "table walk", false, Signal::dcache_lookup,
                 data | d::access_load | d::access_walk | d::lookup_miss),
      occurrence(3, 6, "data walk", true, Signal::translation, data | d::tlb_walk),
      occurrence(3, 6, "instruction walk", false, Signal::translation, d::tlb_walk),
      occurrence(3, 6, "second level hit", false, Signal::translation, data | d::tlb_second_level_hit),
      occurrence(3, 7, "data miss", true, Signal::l2_lookup, data | d::access_load | d::lookup_miss),
      occurrence(3, 7, "data line under way", true, Signal::l2_lookup, data | d::access_load | d::lookup_pending),
      occurrence(3, 7, "data hit", false, Signal::l2_lookup, data | d::access_load | d::lookup_hit),
      occurrence(3, 7, "instruction miss", false, Signal::l2_lookup, d::lookup_miss),
      occurrence(3, 7, "victim", false, Signal::l2_lookup, data | d::access_writeback | d::lookup_miss),
      occurrence(3, 7, "cache operation", false, Signal::l2_lookup, data | d::access_cache_operation | d::lookup_miss),
      occurrence(3, 8, "predicted and taken", true, Signal::branch_resolved,
                 d::branch_conditional | d::branch_predicted_taken | d::branch_taken),
      occurrence(3, 8, "not taken after all", false, Signal::branch_resolved,
                 d::branch_conditional | d::branch_predicted_taken),
      occurrence(3, 8, "predicted not taken", false, Signal::branch_resolved, d::branch_conditional | d::branch_taken),
      occurrence(3, 8, "unconditional", false, Signal::branch_resolved, d::branch_predicted_taken | d::branch_taken),
      retires(3, 10, "stwcx.", true, t(Trait::store) | t(Trait::store_conditional)),
      retires(3, 10, "store", false, t(Trait::store)),
      retires(3, 11, "FPU", true, t(Trait::fp_arithmetic), Unit::fp),
      retires(3, 11, "FP load", false, t(Trait::load), Unit::load_store),
      occurrence(3, 12, "pushed from L2", true, Signal::snoop, d::snoop_hits_l2 | d::snoop_pushed_modified_l2),
      occurrence(3, 12, "clean in L2", false, Signal::snoop, d::snoop_hits_l2),
      occurrence(3, 13, "cache operation hits", true, Signal::l2_lookup,
                 data | d::lookup_hit | d::access_cache_operation),
      occurrence(3, 13, "cache operation misses", false, Signal::l2_lookup,
                 data | d::lookup_miss | d::access_cache_operation),
      occurrence(3, 13, "load hits", false, Signal::l2_lookup, data | d::lookup_hit | d::access_load),
      level(3, 15, "two misses", true, State::load_misses, 2),
      level(3, 15, "none", false, State::load_misses, 0),
      occurrence(3, 16, "level 2 right", true, Signal::branch_resolved, predicted_right | d::branch_level_2),
      occurrence(3, 16, "level 2 wrong", false, Signal::branch_resolved, d::branch_predicted | d::branch_level_2),
      occurrence(3, 16, "not predicted", false, Signal::branch_resolved, d::branch_correct | d::branch_level_2),
      occurrence(3, 16, "level 1 right", false, Signal::branch_resolved, predicted_right),
      level(3, 17, "waits for LR or CR", true, State::branch_unit, activity::branch_wait::link_or_condition),
      level(3, 17, "waits for CTR", false, State::branch_unit, activity::branch_wait::count_register),

      occurrence(4, 5, "replaced", true, Signal::line_evict, evicted(d::cache_l2, modified, d::evict_replacement)),
      occurrence(4, 5, "pushed by a snoop", true, Signal::snoop, d::snoop_hits_l2 | d::snoop_pushed_modified_l2),
      occurrence(4, 5, "killed by a snoop", false, Signal::line_evict, evicted(d::cache_l2, modified, d::evict_snoop)),
      occurrence(4, 5, "clean", false, Signal::line_evict, evicted(d::cache_l2, exclusive, d::evict_replacement)),
      occurrence(4, 5, "L1", false, Signal::line_evict, evicted(d::cache_l1d, modified, d::evict_replacement)),
      occurrence(4, 5, "L1I", false, Signal::line_evict, evicted(d::cache_l1i, modified, d::evict_replacement)),
      occurrence(4, 5, "invalid", false, Signal::line_evict, evicted(d::cache_l2, 0, d::evict_replacement)),
      occurrence(4, 5, "cache operation", false, Signal::line_evict,
                 evicted(d::cache_l2, modified, d::evict_cache_operation)),
      level(4, 6, "data-side walk", true, State::table_walk, 2),
      level(4, 6, "instruction-side walk", false, State::table_walk, 1),
      occurrence(4, 8, "wrong", true, Signal::branch_resolved, d::branch_predicted),
      occurrence(4, 8, "right", false, Signal::branch_resolved, predicted_right),
      retires(4, 11, "sync", true, t(Trait::sync)),
      retires(4, 11, "eieio", false, t(Trait::eieio)),
      occurrence(4, 12, "retried", true, Signal::snoop, d::snoop_retried),
      occurrence(4, 12, "answered", false, Signal::snoop, d::snoop_hits_l1d),
      retires(4, 13, "either unit", true, 0, Unit::integer),
      retires(4, 13, "IU1", true, 0, Unit::integer_1),
      retires(4, 13, "IU2", true, 0, Unit::integer_2),
      retires(4, 13, "system unit", false, 0, Unit::system),
      level(4, 14, "both levels used", true, State::branch_unit, activity::branch_wait::both_levels_used),
      level(4, 14, "waits for CR", false, State::branch_unit, activity::branch_wait::link_or_condition),
  };
  for (const bool success : {true, false}) {
    Case conditional = retires(4, 10, success ? "stwcx. succeeds" : "stwcx. fails", success,
                               t(Trait::store) | t(Trait::store_conditional));
    conditional.success = success;
    all.push_back(conditional);
  }
  Case other = retires(4, 10, "no stwcx.", false, t(Trait::store));
  other.success = true;
  all.push_back(other);
  for (unsigned counter = 1; counter <= 4; ++counter) {
    all.push_back(level(counter, cycles, "clock runs", true, State::clock, 1));
    all.push_back(retires(counter, completed, "retires", true, 0));
    all.push_back(occurrence(counter, completed, "folds", false, Signal::fold));
    all.push_back(occurrence(counter, dispatched, "dispatches", true, Signal::dispatch));
    all.push_back(occurrence(counter, dispatched, "issues", false, Signal::issue));
    Case wrong = occurrence(counter, dispatched, "dispatches on the wrong path", true, Signal::dispatch);
    wrong.wrong_path = true;
    all.push_back(wrong);
  }
  return all;
}

std::uint64_t count(const Case& c, unsigned amount) {
  HandMade activity(10);
  if (c.state == State::clock) {
    activity.state(State::clock, 0).change(State::clock, 5, c.level).change(State::clock, 8, 0);
  } else if (c.state != State::count_) {
    activity.change(c.state, 5, c.level).change(c.state, 8, 0);
  } else {
    activity::InstructionRecord instruction;
    instruction.traits = c.traits;
    instruction.unit = c.unit;
    instruction.wrong_path = c.wrong_path;
    instruction.conditional_success = c.success;
    activity.add(activity::RequestRecord{});
    activity.occur(c.signal, 5, c.detail, activity.add(instruction), amount);
  }
  auto m = selecting(c.counter, c.code);
  consume_both(*m, activity.block());
  return get(*m, pmc[c.counter - 1]);
}

TEST(Events, EveryCodeCountsItsOwnAndNotItsNeighbour) {
  for (const Case& c : cases()) {
    const unsigned one = c.state == State::count_ ? 1 : 3;
    EXPECT_EQ(count(c, 1), c.counts ? one : 0) << "PMC" << c.counter << " code " << c.code << ": " << c.what;
    if (c.state == State::count_) {
      EXPECT_EQ(count(c, 2), c.counts ? 2u : 0u)
          << "PMC" << c.counter << " code " << c.code << ": " << c.what << ", twice";
    }
  }
}

TEST(Events, TheListNamesEveryCodeThatCounts) {
  // Codes 3, 9 and 10 of PMC1 and code 3 of the others have separate tests.
  const std::vector<Case> all = cases();
  const std::vector<unsigned> expected[] = {{1, 2, 4, 5, 6, 7, 8, 11, 12},
                                            {1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16},
                                            {1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 15, 16, 17},
                                            {1, 2, 4, 5, 6, 8, 10, 11, 12, 13, 14}};
  for (unsigned counter = 1; counter <= 4; ++counter) {
    for (const unsigned code : expected[counter - 1]) {
      for (const bool counts : {true, false}) {
        if (code == cycles && !counts) continue;
        EXPECT_TRUE(
            std::any_of(all.begin(), all.end(),
                        [&](const Case& c) { return c.counter == counter && c.code == code && c.counts == counts; }))
            << counter << ' ' << code;
      }
    }
  }
}

TEST(Events, InstructionAddressBreakpoint) {
  // IABR: bits 0:29 are the word address, bit 31 is TE; BE (bit 30) is ignored.
  constexpr std::uint64_t ir = ibm(26);
  struct Row {
    std::uint32_t iabr_value;
    std::uint64_t ip, msr;
    bool counts;
  };
  for (const Row& row : {Row{0x2000, 0x2000, 0, true},
                         {0x2002, 0x2000, 0, true},
                         {0x2000, 0x2004, 0, false},
                         {0x2000, 0x1ffc, 0, false},
                         {0x2001, 0x2000, 0, false},
                         {0x2001, 0x2000, ir, true},
                         {0x2000, 0x2000, ir, false}}) {
    HandMade activity(10);
    activity.state(State::msr, row.msr).retire(3, row.ip);
    auto m = selecting(1, 9);
    put(*m, iabr, row.iabr_value);
    consume_both(*m, activity.block());
    EXPECT_EQ(get(*m, pmc1), row.counts ? 1u : 0u) << std::hex << row.iabr_value << ' ' << row.ip;
  }
}

TEST(Parameters, EachHasADefaultThatIsAChoiceAndNoneIsConfirmed) {
  const models::Parameters parameters = pmu::ppc750gx_pmu_parameters();
  EXPECT_EQ(parameters.infos().size(), 34u);
  for (const models::ParameterInfo& info : parameters.infos()) {
    EXPECT_TRUE(info.name.starts_with("pmu.")) << info.name;
    EXPECT_FALSE(info.confirmed) << info.name;
    EXPECT_FALSE(info.meaning.empty() || info.source.empty()) << info.name;
    EXPECT_GE(info.choices.size(), 2u) << info.name;
    EXPECT_EQ(info.choices.front().value, info.default_value) << info.name << ": the default comes first";
  }
}

}  // namespace
}  // namespace pmusim::testing
