// Properties of every program: nothing is lost, nothing occurs twice, and the widths of the machine are not exceeded.
#include "testbench/tests/core_parts/recorded.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "program.h"

namespace pmusim::testbench {

namespace {

using activity::Signal;
namespace d = activity::detail;

/// An independent count over the trace itself.
struct Facts {
  std::uint64_t instructions = 0, folding = 0, loads_and_stores = 0, stores = 0;
  explicit Facts(const std::filesystem::path& file) {
    const auto reader = trace::open(file);
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr) continue;
      ++instructions;
      const std::uint8_t* w = item.instruction.code->bytes.data();
      const std::uint32_t word =
          std::uint32_t{w[0]} << 24 | std::uint32_t{w[1]} << 16 | std::uint32_t{w[2]} << 8 | w[3];
      const unsigned primary = word >> 26, extended = (word >> 1) & 1023;
      const bool link = (word & 1) != 0, leaves_ctr = (word & (4u << 21)) != 0;
      if (primary == 18 && !link) ++folding;
      if ((primary == 16 || (primary == 19 && (extended == 16 || extended == 528))) && !link && leaves_ctr) ++folding;
    }
  }
};

class Recorded : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Recorded, KeepsTheBooks) {
  const Facts facts(GetParam());
  const auto core = core::make_ppc750(trace::open(GetParam()), core::ppc750_parameters());
  std::map<Signal, std::uint64_t> n;
  std::uint64_t folded = 0, next_id = 0, correct_dispatches = 0;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run(core->now() + 50000, block);
    for (std::size_t s = 0; s < activity::signal_count; ++s) n[static_cast<Signal>(s)] += block.columns[s].size();
    const auto at_most = [&](Signal s, unsigned limit) {
      const auto& column = block.column(s);
      for (std::size_t i = limit; i < column.size(); ++i) {
        ASSERT_NE(column[i].at, column[i - limit].at) << "signal " << static_cast<int>(s);
      }
    };
    at_most(Signal::dispatch, 2);
    at_most(Signal::retire, 2);
    at_most(Signal::fetch, 1);
    at_most(Signal::branch_handled, 1);
    at_most(Signal::branch_resolved, 1);
    for (const auto& o : block.column(Signal::fold)) folded += block.instructions[o.ref].wrong_path ? 0 : 1;
    for (const auto& o : block.column(Signal::dispatch))
      correct_dispatches += block.instructions[o.ref].wrong_path ? 0 : 1;
    for (const auto& o : block.column(Signal::retire)) {
      ASSERT_FALSE(block.instructions[o.ref].wrong_path);
      ASSERT_GE(block.instructions[o.ref].id, next_id) << "program order";
      next_id = block.instructions[o.ref].id + 1;
    }
  }
  EXPECT_EQ(core->retired(), facts.instructions);
  EXPECT_EQ(n[Signal::retire], facts.instructions - facts.folding);
  EXPECT_GE(folded, facts.folding) << "a refetch may fold a branch again";
  EXPECT_EQ(n[Signal::dispatch], n[Signal::retire] + n[Signal::kill]);
  EXPECT_GE(correct_dispatches, n[Signal::retire]);
  EXPECT_LE(n[Signal::finish], n[Signal::issue]);
  EXPECT_GE(n[Signal::finish], n[Signal::retire]);
  EXPECT_EQ(n[Signal::line_request], n[Signal::line_fill]);
  EXPECT_GE(n[Signal::dcache_lookup], n[Signal::load_return]);
}

TEST_P(Recorded, IsTheSameInBlocksOfAnyLength) {
  const auto signature = [&](activity::Cycle step, std::uint64_t limit) {
    const auto core = core::make_ppc750(trace::open(GetParam()), core::ppc750_parameters());
    std::uint64_t hash = 1469598103934665603ull;
    const auto mix = [&](std::uint64_t v) { hash = (hash ^ v) * 1099511628211ull; };
    std::array<std::uint64_t, activity::signal_count> columns{};
    std::array<std::uint64_t, activity::state_count> states{}, last{};
    activity::Block block;
    for (bool more = true; more && core->now() < limit;) {
      block.restart(core->now());
      more = core->run(std::min(core->now() + step, limit), block);
      for (std::size_t s = 0; s < activity::signal_count; ++s) {
        for (const auto& o : block.columns[s])
          columns[s] = (columns[s] ^ ((block.begin + o.at) << 16 ^ o.detail)) * 1099511628211ull;
      }
      for (std::size_t s = 0; s < activity::state_count; ++s) {
        const auto note = [&](activity::Cycle cycle, std::uint64_t value) {
          if (value == last[s]) return;
          last[s] = value;
          states[s] = (states[s] ^ (cycle << 8 ^ value)) * 1099511628211ull;
        };
        note(block.begin, block.states[s].initial);
        for (const auto& change : block.states[s].changes) note(block.begin + change.at, change.value);
      }
    }
    for (const std::uint64_t v : columns) mix(v);
    for (const std::uint64_t v : states) mix(v);
    mix(core->now());
    mix(core->retired());
    return hash;
  };
  const std::uint64_t limit = 30000;
  EXPECT_EQ(signature(100000, limit), signature(1, limit));
  EXPECT_EQ(signature(100000, limit), signature(7, limit));
  EXPECT_EQ(signature(100000, 300000), signature(1000, 300000));
}

INSTANTIATE_TEST_SUITE_P(Traces, Recorded, testing::ValuesIn(recorded_traces("ppc-")), [](const auto& info) {
  std::string name = info.param.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Recorded);

// Nothing depends on block cuts, and some trace produces every fact that a 750GX event needs.

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
  EXPECT_EQ(a.end(), b.end());
  EXPECT_EQ(a.retired(), b.retired());
  for (std::size_t s = 0; s < activity::state_count; ++s)
    EXPECT_EQ(a.changes(static_cast<State>(s)), b.changes(static_cast<State>(s))) << "state " << s;
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
  a.append(block);
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run(core->now() + 1000, block);
    a.append(block);
  }
  const Activity whole = run(everything());
  EXPECT_EQ(a.end(), whole.end());
  EXPECT_EQ(a.count(Signal::retire), whole.count(Signal::retire));
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
    EXPECT_GT(a.changes(s).size(), 1u) << "state " << static_cast<int>(s);
  }
}

}  // namespace

}  // namespace pmusim::testbench
