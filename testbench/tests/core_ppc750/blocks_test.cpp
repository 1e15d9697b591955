// Nothing depends on block cuts, and some trace produces every fact that a 750GX event needs.
#include <gtest/gtest.h>

#include <set>

#include "program.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;
using activity::State;

/// A trace with some of everything: branches of all kinds, misses, walks, stores, cache operations, snoops, mode
/// changes, idle time, annotations.
TraceText everything() {
  TraceText t;
  t.say("memory addr=a000 size=4096 type=uc").say("memory addr=b000 size=4096 type=wt");
  t.say("ecc source=system addr=2000");
  for (unsigned round = 0; round < 6; ++round) {
    const unsigned base = 0x2000 + 0x400 * round;
    t.at(0x1000);
    if (round != 0) t.say(fmt::format("idle cycles={}", round));
    t.op(ppc::divw(5, 6, 7)).op(ppc::cmpwi(0, 5, 0));
    t.op(ppc::beq(0, 0x40)).op(ppc::beq(0, 0x40)).op(ppc::lwz(8, 9, 0), fmt::format("L {:x} 4", base));
    if (round % 2 == 0) {
      t.op(ppc::beq(0, 0x14));
      t.op(ppc::stw(8, 9, 0), fmt::format("S {:x} 4", base + 0x46));
      t.op(ppc::lwarx(3, 0, 9), "L 3000 4").op(ppc::stwcx(3, 0, 9), "L 3000 4 S 3000 4");
      t.op(ppc::fadd(1, 2, 3));
    } else {
      t.taken(ppc::beq(0, 0x14), 0x1028, "mispredict=path");
    }
    t.op(ppc::mtctr(4)).op(ppc::mtlr(4)).taken(ppc::blr, 0x1100);
    t.op(ppc::eieio).op(ppc::sync).op(ppc::dcbz(0, 9), fmt::format("S {:x} 32", base + 0x80));
    t.op(ppc::dcbf(0, 9), fmt::format("L {:x} 1", base)).op(ppc::lmw(28, 9, 0), fmt::format("L {:x} 16", base + 0x98));
    t.op(ppc::mtspr(952, 4), "wr=MMCR0:0x42").op(ppc::lwz(4, 9, 0), "L a000 4").op(ppc::stw(4, 9, 0), "S b000 4");
    t.taken(ppc::bctr, 0x1200);
    t.op(ppc::lwz(4, 9, 0), fmt::format("L {:x} 4", 0x9000 + 0x40000 * round));
    t.say(fmt::format("snoop kind=rwitm addr={:x}", base + 0x80)).say("msr pm=1");
    t.op(ppc::filler).say("interrupt").at(0x500).op(ppc::filler).say("return").at(0x120c).op(ppc::isync);
    t.taken(ppc::b(-0x210), 0x1000);
  }
  return t.at(0x1000).op(ppc::filler).say("stop cycles=20").say("tb ratio=5/2");
}

bool same(const activity::InstructionRecord& a, const activity::InstructionRecord& b) {
  // Compares only fields that are valid from dispatch on: a longer block may have filled in later fields.
  return a.id == b.id && a.ip == b.ip && a.encoding == b.encoding && a.tagged == b.tagged && a.traits == b.traits &&
         a.wrong_path == b.wrong_path;
}

bool same(const activity::RequestRecord& a, const activity::RequestRecord& b) {
  return a.id == b.id && a.address == b.address && a.instruction == b.instruction && a.ip == b.ip && a.size == b.size &&
         a.store == b.store && a.oldest_in_queue == b.oldest_in_queue && a.crosses_word == b.crosses_word;
}

/// Expects the same occurrences of every signal, and the same states.
void expect_equal(const Activity& a, const Activity& b) {
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.retired, b.retired);
  for (std::size_t s = 0; s < activity::state_count; ++s) EXPECT_EQ(a.states[s], b.states[s]) << "state " << s;
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    const auto x = a.of(static_cast<Signal>(s)), y = b.of(static_cast<Signal>(s));
    ASSERT_EQ(x.size(), y.size()) << "signal " << s;
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(x[i].cycle, y[i].cycle) << "signal " << s << " occurrence " << i;
      ASSERT_EQ(x[i].detail, y[i].detail) << "signal " << s << " occurrence " << i;
      ASSERT_TRUE(same(x[i].instruction, y[i].instruction)) << "signal " << s << " occurrence " << i;
      ASSERT_TRUE(same(x[i].request, y[i].request)) << "signal " << s << " occurrence " << i;
    }
  }
}

TEST(Blocks, NothingDependsOnTheirLength) {
  const Activity whole = run(everything(), parameters(), 100000);
  for (const activity::Cycle step : {1u, 7u, 1000u}) {
    SCOPED_TRACE(step);
    expect_equal(whole, run(everything(), parameters(), step));
  }
}

TEST(Blocks, FieldsOfRetirementAreThereWhateverTheLength) {
  const Activity whole = run(everything(), parameters(), 100000), single = run(everything(), parameters(), 1);
  const auto x = whole.of(Signal::retire), y = single.of(Signal::retire);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i].instruction.next_ip, y[i].instruction.next_ip);
    EXPECT_EQ(x[i].instruction.conditional_success, y[i].instruction.conditional_success);
  }
  const auto p = whole.of(Signal::load_return), q = single.of(Signal::load_return);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_EQ(p[i].request.start, q[i].request.start);
    EXPECT_EQ(p[i].request.end, q[i].request.end);
  }
}

TEST(Blocks, InstructionsCanBeCountedOff) {
  const auto core = core::make_ppc750(everything().reader(), parameters());
  activity::Block block;
  block.restart(0);
  EXPECT_TRUE(core->run_instructions(10, block));
  EXPECT_GE(core->retired(), 10u);
  EXPECT_LE(core->retired(), 13u) << "two a cycle, and folded branches with them";
  EXPECT_EQ(block.end, core->now());
  Activity a;
  a.add(block);
  const Activity rest = finish(*core);
  const Activity whole = run(everything());
  EXPECT_EQ(rest.end, whole.end);
  EXPECT_EQ(a.count(Signal::retire) + rest.count(Signal::retire), whole.count(Signal::retire));
}

TEST(Blocks, ColumnsAreSortedAndReferencesInRange) {
  const auto core = core::make_ppc750(everything().reader(), parameters());
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run(core->now() + 13, block);
    for (const auto& column : block.columns) {
      for (std::size_t i = 0; i < column.size(); ++i) {
        ASSERT_LT(column[i].at, block.end - block.begin);
        ASSERT_GE(column[i].amount, 1u);
        ASSERT_GE(column[i].at, i == 0 ? 0 : column[i - 1].at);
      }
    }
    for (const auto& state : block.states) {
      for (std::size_t i = 0; i < state.changes.size(); ++i) {
        ASSERT_GT(state.changes[i].at, i == 0 ? 0 : state.changes[i - 1].at);
        ASSERT_NE(state.changes[i].value, i == 0 ? state.initial : state.changes[i - 1].value);
      }
    }
  }
}

TEST(Blocks, EverySignalOfThe750IsMade) {
  const Activity a = run(everything());
  for (const Signal s :
       {Signal::fetch,         Signal::translation,     Signal::dispatch,       Signal::issue,
        Signal::finish,        Signal::retire,          Signal::kill,           Signal::fold,
        Signal::trap,          Signal::register_access, Signal::branch_handled, Signal::branch_resolved,
        Signal::dcache_lookup, Signal::load_return,     Signal::line_request,   Signal::line_fill,
        Signal::line_evict,    Signal::l2_lookup,       Signal::bus_request,    Signal::snoop,
        Signal::ecc_correction}) {
    EXPECT_GT(a.count(s), 0u) << "signal " << static_cast<int>(s);
  }
  for (const State s : {State::clock, State::cpl, State::msr, State::bus_ratio, State::table_walk, State::load_misses,
                        State::branch_unit, State::dispatch_hold}) {
    EXPECT_GT(a.states[static_cast<std::size_t>(s)].size(), 1u) << "state " << static_cast<int>(s);
  }
}

}  // namespace
}  // namespace pmusim::testbench
