// Single instructions, from the manual and from measured figures: serialised carries, multiplies, fres, no-ops that
// dispatch discards, base registers of stores with update, and loads of a word with an older store. A fetch in cycle 0
// gives dispatch in 1 and start in 2.
#include <gtest/gtest.h>

#include "program.h"

namespace pmusim::testbench::ppc750 {
namespace {

using activity::Signal;
using activity::Unit;
namespace d = activity::detail;
using Cycles = std::vector<activity::Cycle>;

const std::string page = " dtlb=hit";

constexpr std::uint32_t adde(unsigned rd, unsigned a, unsigned b) { return ppc::x_form(rd, a, b, 138); }
constexpr std::uint32_t mulhw(unsigned rd, unsigned a, unsigned b) { return ppc::x_form(rd, a, b, 75); }
constexpr std::uint32_t mulhwu(unsigned rd, unsigned a, unsigned b) { return ppc::x_form(rd, a, b, 11); }
constexpr std::uint32_t fres(unsigned rd, unsigned b) { return 59u << 26 | rd << 21 | b << 11 | 24 << 1; }
constexpr std::uint32_t stwu(unsigned s, unsigned a, int imm) { return ppc::d_form(37, s, a, imm); }

TEST(Execution, CarriesAreSerialised) {
  // Each starts in the cycle after the retirement of the previous one: started and finished in s, retired in s + 1.
  const Activity a = run(TraceText().op(adde(3, 4, 5), warm).op(adde(6, 7, 8)).op(adde(9, 10, 11)));
  EXPECT_EQ(a.cycles(Signal::issue), (Cycles{2, 4, 6}));
  // The result is read after the retirement.
  const Activity use = run(TraceText().op(adde(3, 4, 5), warm).op(ppc::add(6, 3, 8)));
  EXPECT_EQ(use.cycles(Signal::issue), (Cycles{2, 4}));
  // A multiply of 6 cycles finishes in 7 and retires in 8.
  const Activity behind = run(TraceText().op(mulhwu(3, 4, 5), warm).op(adde(6, 3, 8)).op(ppc::add(9, 6, 8)));
  EXPECT_EQ(behind.cycles(Signal::issue), (Cycles{2, 9, 11}));
  // An addition without carry does not wait.
  const Activity b = run(TraceText().op(adde(3, 4, 5), warm).op(ppc::add(6, 7, 8)));
  EXPECT_EQ(b.cycles(Signal::issue), (Cycles{2, 2}));
  const Activity slow =
      run(TraceText().op(adde(3, 4, 5), warm).op(adde(6, 7, 8)), parameters({{"core.latency.extended", 3}}));
  EXPECT_EQ(slow.cycles(Signal::issue), (Cycles{2, 5}));
}

TEST(Execution, MultipliesByTheirResult) {
  // The dependent addition starts in 2 + latency.
  const auto dependent = [](std::uint32_t multiply, const std::string& notes) {
    return run(TraceText().op(multiply, warm + notes).op(ppc::addi(5, 3, 1))).when(Signal::issue, 1);
  };
  EXPECT_EQ(dependent(ppc::mullw(3, 4, 5), ""), 2u + 4);
  EXPECT_EQ(dependent(mulhw(3, 4, 5), ""), 2u + 5);
  EXPECT_EQ(dependent(mulhwu(3, 4, 5), ""), 2u + 6);
  EXPECT_EQ(dependent(ppc::mulli(3, 4, 300), ""), 2u + 3);
  EXPECT_EQ(dependent(ppc::mulli(3, 4, -128), ""), 2u + 2) << "GCC 7xx.md: a factor of 8 bits";
  EXPECT_EQ(dependent(mulhwu(3, 4, 5), " lat=2"), 2u + 2) << "the trace says that its operands were short";
  EXPECT_EQ(dependent(ppc::addi(3, 4, 5), " lat=9"), 2u + 1) << "nothing of an addition depends on its operands";
}

// GMP, mpn/powerpc32/diveby3.asm: 8 cycles with the factor 3, of which mulhwu takes 2. A byte of the factor, a cycle.
TEST(Execution, MultipliesEndEarlyIfTheFactorIsAConstant) {
  const auto cycles = [](const TraceText& before, std::uint32_t multiply, unsigned instructions) {
    TraceText text = before;
    const Activity a = run(text.op(multiply).op(ppc::addi(9, 3, 1)));
    return a.when(Signal::issue, instructions + 1) - a.when(Signal::issue, instructions);
  };
  const auto with = [&](int value, std::uint32_t multiply) {
    return cycles(TraceText().op(ppc::addi(5, 0, value), warm), multiply, 1);
  };
  EXPECT_EQ(with(3, mulhwu(3, 4, 5)), 2u);
  EXPECT_EQ(with(3, mulhwu(3, 5, 4)), 6u) << "the factor is rB";
  EXPECT_EQ(with(128, mulhwu(3, 4, 5)), 3u);
  EXPECT_EQ(with(-3, mulhwu(3, 4, 5)), 6u) << "without sign it is wide";
  EXPECT_EQ(with(-3, mulhw(3, 4, 5)), 2u);
  EXPECT_EQ(with(-129, ppc::mullw(3, 4, 5)), 3u);
  // lis 5,1 is 65536; a register that is written again, and one whose constant has retired.
  EXPECT_EQ(cycles(TraceText().op(ppc::d_form(15, 5, 0, 1), warm), mulhwu(3, 4, 5), 1), 4u);
  EXPECT_EQ(cycles(TraceText().op(ppc::addi(5, 0, 3), warm).op(ppc::add(5, 5, 6)), mulhwu(3, 4, 5), 2), 6u);
  TraceText later;
  later.op(ppc::addi(5, 0, 3), warm);
  for (unsigned i = 0; i < 8; ++i) later.op(ppc::divw(7, 7, 8));
  EXPECT_EQ(cycles(later, mulhwu(3, 4, 5), 9), 2u);
}

TEST(Execution, ReciprocalEstimate) {
  const Activity a = run(TraceText().op(fres(1, 2), warm).op(ppc::fadd(3, 1, 1)));
  EXPECT_EQ(a.when(Signal::issue, 1), 2u + 10);
}

TEST(Execution, StoreWithUpdateGivesItsBaseEarly) {
  const auto dependent = [](unsigned latency) {
    return run(TraceText().op(stwu(4, 9, 4), "S 2004 4" + warm + page).op(ppc::addi(5, 9, 1)),
               parameters({{"core.latency.store_update", latency}}))
        .when(Signal::issue, 1);
  };
  EXPECT_EQ(dependent(1), 3u);
  EXPECT_EQ(dependent(2), 4u);
}

/// A divide that retires in 21, and seven no-ops.
TraceText divide_and_no_ops() {
  TraceText t;
  t.op(ppc::divw(3, 4, 5), warm);
  for (int i = 1; i < 8; ++i) t.op(ppc::nop, i == 1 ? "" : i == 4 ? warm_line : "");
  return t;
}

TEST(NoOp, IsDiscardedAtDispatchAndCompletesInItsPlace) {
  const Activity a = run(divide_and_no_ops());
  // Two leave the queue in a cycle, independently of the divide; two retire in a cycle from 21 on.
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_EQ(a.cycles(Signal::retire), (Cycles{21, 21, 22, 22, 23, 23, 24, 24}));
  EXPECT_EQ(a.count(Signal::issue), 1u);
  EXPECT_EQ(a.of(Signal::retire)[1].instruction.unit, Unit::none) << "no operation of an integer unit";
}

TEST(NoOp, MayCountAsAFoldedBranchDoes) {
  const Activity a = run(divide_and_no_ops(), parameters({{"core.no_op", 2}}));
  EXPECT_EQ(a.cycles(Signal::dispatch), Cycles{1});
  EXPECT_EQ(a.cycles(Signal::retire), Cycles{21});
}

TEST(NoOp, MayBeAnInstructionAsAnyOther) {
  // The completion queue holds six: the divide and at most five no-ops. The others dispatch when the divide has
  // retired.
  const Activity a = run(divide_and_no_ops(), parameters({{"core.no_op", 0}}));
  EXPECT_GE(a.when(Signal::dispatch, 6), 21u);
  EXPECT_EQ(a.count(Signal::issue), 8u);
}

TEST(NoOp, DoesNotCompleteBehindAnOpenPrediction) {
  // divw, cmpwi on its result, a branch predicted not taken, two no-ops and a jump back. The second time the branch is
  // taken, and the no-ops after it are on the wrong path.
  for (const int no_op : {0, 1}) {
    TraceText t;
    for (int round = 0; round < 2; ++round) {
      t.op(ppc::divw(3, 4, 5), round == 0 ? warm : "").op(ppc::cmpwi(0, 3, 0));
      if (round == 1) {
        t.taken(ppc::beq(0, 16), 0x1018);
        break;
      }
      t.op(ppc::beq(0, 16)).op(ppc::nop).op(ppc::nop).taken(ppc::b(-20), 0x1000);
    }
    t.op(ppc::addi(3, 0, 1));
    const Activity a = run(t, parameters({{"core.no_op", no_op}}));
    const auto resolved = a.cycles(Signal::branch_resolved);
    ASSERT_EQ(resolved.size(), 2u);
    std::size_t completed = 0, killed = 0;
    for (const LoggedOccurrence& h : a.of(Signal::retire)) {
      if (h.instruction.encoding != 0x60) continue;
      ++completed;
      EXPECT_GT(h.cycle, resolved[0]);
    }
    for (const LoggedOccurrence& h : a.of(Signal::kill)) killed += h.instruction.encoding == 0x60 ? 1 : 0;
    EXPECT_EQ(completed, 2u);
    EXPECT_EQ(killed, 2u);
    EXPECT_EQ(a.count(Signal::dispatch), a.count(Signal::retire) + a.count(Signal::kill));
  }
}

/// Returns the cycle in which the last of these looks up L1D: a load that warms the line, a store to 2000, and a load.
/// The store is in the queue in 4 and writes in 5, in which the load could look up.
activity::Cycle second_load(const std::string& access, const Changes& set) {
  const Activity a = run(TraceText()
                             .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + warm_data)
                             .op(ppc::stw(4, 9, 0), "S 2000 4")
                             .op(ppc::lwz(5, 9, 0), access + warm_data),
                         parameters(set));
  const auto loads = a.cycles(Signal::dcache_lookup, d::access_load | d::lookup_hit);
  return loads.back();
}

TEST(StoreAlias, ALoadWaitsForTheStoreOfItsWord) {
  EXPECT_EQ(second_load("L 2000 4", {}), 6u);
  EXPECT_EQ(second_load("L 2003 1", {}), 6u) << "a byte of the word";
  EXPECT_EQ(second_load("L 2004 4", {}), 5u) << "the next word";
  EXPECT_EQ(second_load("L 3000 4", {}), 6u) << "the same index and word of another page";
  EXPECT_EQ(second_load("L 2ffc 8", {}), 7u) << "the second of its two accesses waits, as the first took the port in 5";
  EXPECT_EQ(second_load("L 2000 4", {{"core.store_alias_wait", 3}}), 8u);
  EXPECT_EQ(second_load("L 2000 4", {{"core.store_alias", 0}}), 5u);
}

TEST(StoreAlias, NoLoadPassesACachingInhibitedStore) {
  const auto load = [](int alias) {
    return run(TraceText()
                   .say("memory addr=3000 size=4096 type=uc")
                   .op(ppc::stw(4, 9, 0), "S 3000 4" + warm + page)
                   .op(ppc::lwz(5, 9, 0), "L 2008 4" + warm_data),
               parameters({{"core.store_alias", alias}}))
        .cycles(Signal::dcache_lookup);
  };
  // The store is in the queue in 3 and leaves it in 4, in which the load could look up.
  EXPECT_EQ(load(1), Cycles{5});
  EXPECT_EQ(load(0), Cycles{4});
}

TEST(StoreAlias, AChainThroughMemory) {
  // lwz, addi, stw to one word. In the queue: lookup, addition, retired and written, lookup. At the head of the unit:
  // lookup, addition, store started, queued, written, lookup.
  TraceText t;
  for (int i = 0; i < 4; ++i) {
    t.op(ppc::lwz(3, 9, 0), "L 2000 4" + (i == 0 ? warm + warm_data : ""))
        .op(ppc::addi(3, 3, 1))
        .op(ppc::stw(3, 9, 0), "S 2000 4" + (i == 2 ? warm_line : ""));
  }
  const auto loads = [&](std::int64_t where) {
    return run(t, parameters({{"core.store_data", where}}))
        .cycles(Signal::dcache_lookup, d::access_load | d::lookup_hit);
  };
  EXPECT_EQ(loads(1), (Cycles{3, 6, 9, 12}));
  EXPECT_EQ(loads(0), (Cycles{3, 8, 13, 18}));
}

// A load behind a store that waits for a multiply of 4 cycles, which starts in 2.
TEST(StoreData, AnIntegerStoreWaitsInTheQueue) {
  const auto starts = [](std::uint32_t store, std::int64_t where) {
    return run(TraceText()
                   .op(ppc::mullw(3, 10, 11), warm)
                   .op(store, "S 2000 4" + warm_data)
                   .op(ppc::lwz(5, 9, 0), "L 2010 4"),
               parameters({{"core.store_data", where}}))
        .cycles(Signal::issue);
  };
  EXPECT_EQ(starts(ppc::stw(3, 9, 0), 1), (Cycles{2, 2, 3}));
  EXPECT_EQ(starts(ppc::stw(3, 9, 0), 0), (Cycles{2, 6, 7}));
  EXPECT_EQ(starts(ppc::x_form(3, 9, 8, 151), 1), (Cycles{2, 2, 3})) << "stwx";
  // The address needs the product.
  EXPECT_EQ(starts(ppc::stw(3, 3, 0), 1), (Cycles{2, 6, 7}));
  EXPECT_EQ(starts(ppc::x_form(3, 9, 3, 151), 1), (Cycles{2, 6, 7})) << "stwx";
  EXPECT_EQ(starts(ppc::stw(4, 3, 0), 1), (Cycles{2, 6, 7}));
}

// UM 6.4.5: an FP store reads its data in the first stage.
TEST(StoreData, AnFpStoreWaitsInTheUnit) {
  constexpr std::uint32_t stfd = ppc::d_form(54, 3, 9, 0);
  const Activity a = run(
      TraceText().op(ppc::fmul(3, 10, 11), warm).op(stfd, "S 2000 8" + warm_data).op(ppc::lwz(5, 9, 0), "L 2010 4"));
  EXPECT_EQ(a.cycles(Signal::issue), (Cycles{2, 6, 7}));
}

TEST(Sizes, TablesAreIndexedByBits) {
  for (const auto& [name, value] : {std::pair{"core.tlb.sets", 48}, {"core.l1d.ways", 7}, {"core.bht.entries", 500}}) {
    const models::Parameters set = parameters({{name, value}});
    EXPECT_EQ(error_of<models::ParameterError>([&] { (void)run(TraceText().op(ppc::filler, warm), set); }),
              fmt::format("750GX core: {} must be a power of two", name));
  }
}

TEST(BusRatio, TheBusIsNotFasterThanTheCore) {
  EXPECT_THROW((void)run(TraceText().op(ppc::filler, warm),
                         parameters({{"core.bus_ratio_numerator", 1}, {"core.bus_ratio_denominator", 2}})),
               models::ParameterError);
  const std::string error =
      error_of<core::CoreError>([] { (void)run(TraceText().say("tb ratio=1/2").op(ppc::filler, warm)); });
  EXPECT_NE(error.find("at least 1: N or N/M, such as 4 or 5/2"), std::string::npos) << error;
}

}  // namespace
}  // namespace pmusim::testbench::ppc750
