// Dispatch, execution and retirement. The expected numbers follow from these rules: an instruction fetched in cycle c
// can dispatch in c+1, starts in the cycle after its dispatch if its operands are available, and finishes latency-1
// cycles later. Its dependents start in the cycle after it finishes, and it retires in that cycle at the earliest.
#include <gtest/gtest.h>

#include "program.h"

namespace pmusim::testbench::ppc750 {
namespace {

using activity::Signal;
using activity::State;
using activity::Unit;
namespace hold = activity::dispatch_hold;
using Cycles = std::vector<activity::Cycle>;

TEST(Pipeline, TwoIndependentIntegerInstructionsGoTogether) {
  const Activity a = run(
      TraceText().op(ppc::addi(3, 0, 1), warm).op(ppc::addi(4, 0, 2)).op(ppc::addi(5, 0, 3)).op(ppc::addi(6, 0, 4)));
  EXPECT_EQ(a.cycles(Signal::fetch), Cycles{0});                // four at a time
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{1, 1, 2, 2}));  // two a cycle
  EXPECT_EQ(a.cycles(Signal::issue), (Cycles{2, 2, 3, 3}));
  EXPECT_EQ(a.cycles(Signal::finish), (Cycles{2, 2, 3, 3}));  // latency 1
  EXPECT_EQ(a.cycles(Signal::retire), (Cycles{3, 3, 4, 4}));
  EXPECT_EQ(a.end(), 5u);
  EXPECT_EQ(a.retired(), 4u);
  const auto dispatched = a.of(Signal::dispatch);
  EXPECT_EQ(dispatched[0].instruction.unit, Unit::integer_2);  // IU2 first
  EXPECT_EQ(dispatched[1].instruction.unit, Unit::integer_1);
}

TEST(Pipeline, DependentInstructionsFollowEachOther) {
  const Activity a = run(TraceText().op(ppc::add(3, 3, 4), warm).op(ppc::add(3, 3, 4)).op(ppc::add(3, 3, 4)));
  EXPECT_EQ(a.cycles(Signal::issue), (Cycles{2, 3, 4}));
  // In cycle 2 both stations are free again or used by the second; the third waits for IU1 until 3.
  EXPECT_EQ(a.cycles(Signal::retire), (Cycles{3, 4, 5}));
}

TEST(Pipeline, MultipliesShareOneUnit) {
  const Activity a = run(TraceText()
                             .op(ppc::addi(3, 0, 1), warm)
                             .op(ppc::addi(4, 0, 2))
                             .op(ppc::mulli(5, 9, 300))
                             .op(ppc::mulli(6, 9, 400)));
  // mulli is 3:2, in IU1 only. Only one instruction a cycle can enter a unit, and IU1 has one station: the second mulli
  // enters it in cycle 3, when the first starts, and starts two cycles later.
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{1, 1, 2, 3}));
  EXPECT_EQ(a.cycles(Signal::issue), (Cycles{2, 2, 3, 5}));
  EXPECT_EQ(a.cycles(Signal::finish), (Cycles{2, 2, 5, 7}));
  EXPECT_EQ(a.cycles(Signal::retire), (Cycles{3, 3, 6, 8}));
}

struct LatencyCase {
  const char* name;
  std::uint32_t first, second;  ///< the second uses the result of the first
  unsigned latency;
};

class Latency : public testing::TestWithParam<LatencyCase> {};

TEST_P(Latency, IsTheDistanceToADependent) {
  const LatencyCase& c = GetParam();
  const Activity a = run(TraceText().op(c.first, warm).op(c.second));
  EXPECT_EQ(a.when(Signal::issue, 0), 2u);
  EXPECT_EQ(a.when(Signal::issue, 1), 2u + c.latency);
  EXPECT_EQ(a.when(Signal::retire, 0), 2u + c.latency);
}

INSTANTIATE_TEST_SUITE_P(Table, Latency,
                         testing::Values(LatencyCase{"add", ppc::add(3, 4, 5), ppc::add(6, 3, 3), 1},
                                         LatencyCase{"mulli", ppc::mulli(3, 4, 300), ppc::add(6, 3, 3), 3},
                                         LatencyCase{"mullw", ppc::mullw(3, 4, 5), ppc::add(6, 3, 3), 4},
                                         LatencyCase{"divw", ppc::divw(3, 4, 5), ppc::add(6, 3, 3), 19},
                                         LatencyCase{"fadd", ppc::fadd(1, 2, 3), ppc::fadd(4, 1, 1), 3},
                                         LatencyCase{"fmul", ppc::fmul(1, 2, 3), ppc::fadd(4, 1, 1), 4},
                                         LatencyCase{"mflr", ppc::mfspr(3, 8), ppc::add(6, 3, 3), 3},
                                         LatencyCase{"cror", ppc::cror(0, 1, 2), ppc::cror(4, 0, 3), 3}),
                         [](const auto& info) { return info.param.name; });

TEST(Pipeline, FloatingPointThroughput) {
  // fmul 4:2 twice, then fadd 3:1: starts 2, 4 and 6 (each multiply occupies the FPU for two cycles).
  const Activity a = run(TraceText().op(ppc::fmul(1, 10, 11), warm).op(ppc::fmul(2, 10, 11)).op(ppc::fadd(3, 10, 11)));
  EXPECT_EQ(a.cycles(Signal::issue), (Cycles{2, 4, 6}));
  EXPECT_EQ(a.cycles(Signal::finish), (Cycles{5, 7, 8}));
}

TEST(Pipeline, LoadToUseIsTwoCyclesAndLoadsGoOneACycle) {
  const Activity a = run(TraceText()
                             .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + warm_data)
                             .op(ppc::lwz(4, 9, 4), "L 2004 4")
                             .op(ppc::add(5, 3, 3)));
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{1, 2, 2}));    // one per unit and cycle
  EXPECT_EQ(a.cycles(Signal::dcache_lookup), (Cycles{3, 4}));  // the cycle after the start
  EXPECT_EQ(a.when(Signal::issue, 0), 2u);
  EXPECT_EQ(a.when(Signal::issue, 1), 3u);
  EXPECT_EQ(a.when(Signal::issue, 2), 4u);  // 2 + 2
  EXPECT_EQ(a.cycles(Signal::retire), (Cycles{4, 5, 5}));
}

TEST(Pipeline, CompletionQueueOfSixHoldsDispatch) {
  TraceText t;
  t.op(ppc::divw(10, 3, 4), warm);
  for (unsigned i = 0; i < 7; ++i) t.op(ppc::addi(11 + i, 0, 1));
  const Activity a = run(t);
  // divw and addi 1 in cycle 1; addi 2 and 3 in 2 (3 goes to IU1, after the divide); addi 4 in 3 and addi 5 in 4,
  // as only IU2 has a free station. Six entries are taken until the divide (2 to 20) retires in 21.
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{1, 1, 2, 2, 3, 4, 21, 21}));
  EXPECT_EQ(a.cycles_with(State::dispatch_hold, hold::completion_full), 21u - 5u);
  EXPECT_EQ(a.at(State::dispatch_hold, 4), 0u);
  EXPECT_EQ(a.at(State::dispatch_hold, 5), hold::completion_full);
  EXPECT_EQ(a.at(State::dispatch_hold, 21), 0u);
  // addi 3 starts when IU1 is free, in 21; it and addi 2 retire in 22 and so on, two a cycle.
  EXPECT_EQ(a.when(Signal::issue, 3), 21u);
  EXPECT_EQ(a.cycles(Signal::retire), (Cycles{21, 21, 22, 22, 23, 23, 24, 24}));
}

// A fetch brings at least one instruction, so there are no more fetches than instructions, whatever holds them up.
TEST(Pipeline, AFullInstructionQueueFetchesNothing) {
  constexpr unsigned instructions = 24;
  TraceText t;
  t.op(ppc::lwz(10, 9, 0), "L 2000 4" + warm);
  for (unsigned i = 1; i < instructions; ++i) t.op(ppc::filler, i % 8 == 0 ? warm_line : "");
  const Activity a = run(t);
  EXPECT_EQ(a.retired(), instructions);
  EXPECT_GT(a.end(), 2 * instructions);
  EXPECT_LE(a.count(Signal::fetch), instructions);
}

TEST(Pipeline, RenamesHoldDispatch) {
  // With two GPR renames the third result must wait for the first retirement in cycle 3.
  const auto p = parameters({{"core.rename.gpr", 2}});
  const Activity a = run(
      TraceText().op(ppc::addi(3, 0, 1), warm).op(ppc::addi(4, 0, 1)).op(ppc::addi(5, 0, 1)).op(ppc::addi(6, 0, 1)), p);
  EXPECT_EQ(a.cycles(Signal::dispatch), (Cycles{1, 1, 3, 3}));
  EXPECT_EQ(a.at(State::dispatch_hold, 2), hold::rename_full);
}

TEST(Pipeline, ExecutionSerialInstructionsWaitForAllBefore) {
  // divw runs from 2 to 20 and retires in 21; sync is then the oldest, starts in 21, finishes in 23 and retires in 24.
  const Activity a = run(TraceText().op(ppc::divw(3, 4, 5), warm).op(ppc::sync).op(ppc::addi(6, 0, 1)));
  EXPECT_EQ(a.when(Signal::issue, 1), 21u);
  EXPECT_EQ(a.when(Signal::finish, 1), 23u);
  EXPECT_EQ(a.when(Signal::retire, 1), 24u);
  EXPECT_EQ(a.when(Signal::issue, 2), 3u) << "what is after it may execute";
  EXPECT_EQ(a.when(Signal::retire, 2), 24u);
}

TEST(Pipeline, IsyncFetchesAgainWhatIsBehindIt) {
  // isync dispatches in 1 and keeps others from dispatching; alone, it runs from 2 to 4 and retires in 5. The fetch is
  // repeated in 6, and the next instruction dispatches in 7.
  const Activity a = run(TraceText().op(ppc::isync, warm).op(ppc::addi(3, 0, 1)));
  EXPECT_EQ(a.when(Signal::retire, 0), 5u);
  EXPECT_EQ(a.when(Signal::dispatch, 1), 7u);
  EXPECT_EQ(a.cycles(Signal::fetch), (Cycles{0, 6}));
  EXPECT_EQ(a.count(Signal::kill), 0u);
}

TEST(Pipeline, RecordsSayWhatRetired) {
  const Activity a = run(TraceText()
                             .op(ppc::eieio, warm)
                             .op(ppc::sync)
                             .op(ppc::lwarx(3, 0, 9), "L 2000 4" + warm_data)
                             .op(ppc::stwcx(3, 0, 9), "L 2000 4 S 2000 4")
                             .op(ppc::stwcx(3, 0, 9))
                             .op(ppc::fadd(1, 2, 3))
                             .op(ppc::mfspr(4, 953), "rd=PMC1")
                             .op(ppc::mtspr(952, 4), "wr=MMCR0:0x42"));
  const auto retired = a.of(Signal::retire);
  ASSERT_EQ(retired.size(), 8u);
  using activity::Trait;
  EXPECT_TRUE(retired[0].instruction.has(Trait::eieio));
  EXPECT_EQ(retired[0].instruction.unit, Unit::system);
  EXPECT_TRUE(retired[1].instruction.has(Trait::sync));
  EXPECT_TRUE(retired[2].instruction.has(Trait::load_reserve));
  EXPECT_TRUE(retired[2].instruction.has(Trait::load));
  EXPECT_TRUE(retired[3].instruction.has(Trait::store_conditional));
  EXPECT_TRUE(retired[3].instruction.conditional_success);
  EXPECT_FALSE(retired[4].instruction.conditional_success);
  EXPECT_EQ(retired[5].instruction.unit, Unit::fp);
  EXPECT_TRUE(retired[5].instruction.has(Trait::fp_arithmetic));
  const auto accesses = a.of(Signal::register_access);
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(accesses[0].cycle, retired[6].cycle);
  EXPECT_EQ(accesses[1].detail, activity::detail::register_write);
  EXPECT_EQ(accesses[1].cycle, retired[7].cycle);
}

TEST(Pipeline, StoreConditionalTakesEightCycles) {
  const Activity a = run(TraceText().op(ppc::stwcx(3, 0, 9), warm).op(ppc::addi(4, 0, 1)));
  EXPECT_EQ(a.when(Signal::issue, 0), 2u);
  EXPECT_EQ(a.when(Signal::finish, 0), 9u);
  EXPECT_EQ(a.when(Signal::retire, 0), 10u);
}

TEST(Pipeline, MultipleWordsGoOneACycle) {
  // lmw r28: four words. It starts in 2, accesses in 3 to 6, 2 + 4 cycles in all: finishes in 7. No later instruction
  // dispatches before it has retired, in 8.
  const Activity a = run(TraceText().op(ppc::lmw(28, 9, 0), "L 2000 16" + warm + warm_data).op(ppc::addi(4, 0, 1)));
  EXPECT_EQ(a.cycles(Signal::dcache_lookup), (Cycles{3, 4, 5, 6}));
  EXPECT_EQ(a.when(Signal::finish, 0), 7u);
  EXPECT_EQ(a.when(Signal::retire, 0), 8u);
  EXPECT_EQ(a.when(Signal::dispatch, 1), 8u);
  EXPECT_EQ(a.at(State::dispatch_hold, 3), hold::serialize);
  EXPECT_TRUE(a.of(Signal::dcache_lookup)[0].request.multiple_or_string);
  EXPECT_EQ(a.cycles(Signal::operation_retire), Cycles{8});
  EXPECT_EQ(a.of(Signal::operation_retire)[0].amount, 4u);
}

// A store word that writes twice: the core waits for a completion that never comes, and names the instruction.
TEST(Pipeline, NamesTheInstructionThatDoesNotComplete) {
  const TraceText trace = TraceText().op(0x80e60001, "L 100115a1 4").op(0x90e60001, "S 200061e8 4096 S 100115a1 4");
  const std::string text = error_of<core::CoreError>([&] { (void)run(trace); });
  EXPECT_TRUE(text.starts_with("trace instruction 1 at ")) << text;
  EXPECT_NE(text.find("(90e60001), 2 accesses"), text.npos) << text;
  EXPECT_EQ(text.find('\n'), text.npos);
}

TEST(Pipeline, RefusesWhatA750CannotDo) {
  EXPECT_THROW((void)run(TraceText().op(0x00000000)), core::CoreError);
  EXPECT_THROW((void)run(TraceText().op(ppc::nop, "data=l3")), core::CoreError);
  EXPECT_THROW((void)run(TraceText().op(ppc::nop, "dtlb=l2")), core::CoreError);
  EXPECT_THROW((void)run(TraceText().op(ppc::nop, "mispredict=path")), core::CoreError);
  EXPECT_THROW((void)run(TraceText().op(ppc::beq(0, 8), "mispredict=target")), core::CoreError);
  EXPECT_EQ(error_of<core::CoreError>([] { (void)run(TraceText().op(ppc::nop).op(ppc::nop, "fetch=l3")); }),
            "trace instruction 1 at 00001004 (60000000): the 750GX has no L3; l1, l2 or mem");
}

}  // namespace
}  // namespace pmusim::testbench::ppc750
