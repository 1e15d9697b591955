// Which instructions are dispersed together: ports, stops, split bundles, and held syllables. Fetch begins in cycle 0,
// so the first window is dispersed in cycle 2; instructions dispersed together retire together two cycles later.
#include <map>

#include "record.h"

namespace pmusim::testbench::ia64 {

namespace {

namespace dd = act::detail;

const std::string unstopped_nops = bundle(mmi, nop, nop, nop);

/// The numbers of instructions dispersed, by cycle.
std::vector<unsigned> dispersed(const Record& record) {
  std::map<Cycle, unsigned> counts;
  for (const Ia64Occurrence& h : record.of(Signal::dispatch)) counts[h.cycle] += h.amount;
  std::vector<unsigned> list;
  list.reserve(counts.size());
  for (const auto& [cycle, count] : counts) list.push_back(count);
  return list;
}

TEST(Dispersal, TwoBundlesACycle) {
  const Record r = run(Script().repeat(20, unstopped_nops));
  EXPECT_EQ(dispersed(r), std::vector<unsigned>(10, 6));
  EXPECT_EQ(r.of(Signal::dispatch).front().cycle, 2u);
  EXPECT_EQ(r.of(Signal::dispatch).back().cycle, 11u);
  EXPECT_EQ(r.of(Signal::retire).front().cycle, 4u);
  EXPECT_EQ(r.of(Signal::retire).back().cycle, 13u);
  EXPECT_EQ(r.count(Signal::retire), 60u);
  EXPECT_EQ(r.count(Signal::syllable_held), 0u);
  EXPECT_EQ(r.cycles_in(State::back_end, stage(act::BackEnd::issuing), stage_mask), 10u);
  EXPECT_EQ(r.retired(), 20u);
}

TEST(Dispersal, StopsSplitTheWindow) {
  const Record r = run(Script().repeat(20, bundle(stop(mmi), nop, nop, nop)));
  EXPECT_EQ(dispersed(r), std::vector<unsigned>(20, 3));
  EXPECT_EQ(r.exactly(Signal::syllable_held, dd::held_explicit_stop), 19u * 3);  // the second bundle of every window
  EXPECT_EQ(r.exactly(Signal::syllable_held, dd::held_front_end), 3u);           // the last window has no second bundle
  EXPECT_EQ(r.of(Signal::syllable_held, dd::held_front_end).front().named, false);
}

TEST(Dispersal, TheWindowMovesOnByBundle) {
  // Two I ports: a bundle's two I slots are dispersed with the M slot of the next bundle.
  const Record r = run(Script().repeat(4, bundle(mii, nop, nop, nop)));
  EXPECT_EQ(dispersed(r), (std::vector<unsigned>{4, 3, 3, 2}));
  EXPECT_EQ(r.exactly(Signal::syllable_held, dd::held_implicit_stop), 3u * 2);
  std::uint64_t second = 0;
  for (const Ia64Occurrence& h : r.of(Signal::dispatch)) {
    if (h.instruction.ip == Script::start + 16) {
      second += h.syllable.second_bundle ? 1 : 0;
      EXPECT_EQ(h.syllable.window, h.syllable.second_bundle ? Script::start : Script::start + 16);
    }
  }
  EXPECT_EQ(second, 1u);  // its M slot was dispersed with the first bundle
}

struct Pair {
  const char* what;
  std::string first, second;
  unsigned together;  ///< instructions dispersed in the first cycle
};

// Pairs of nops in all templates, and pairs of most operations, are in ../timing.
class Windows : public testing::TestWithParam<Pair> {};

TEST_P(Windows, SplitWhereThePortsSay) {
  const Pair& p = GetParam();
  const Record r = run(Script().add(p.first, "", "ppp").add(p.second, "", "ppp").repeat(2, unstopped_nops));
  EXPECT_EQ(dispersed(r).front(), p.together);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Windows,
    testing::Values(Pair{"a branch ends the window", bundle(mib, nop, nop, br_dpnt(256) | off), unstopped_nops, 3},
                    Pair{"advanced FP loads take M0 and M1 only",
                         bundle(mmi, ldfd_a | off | r1(8), ldfd_a | off | r1(9), nop),
                         bundle(mmi, ldfd_a | off | r1(10), nop, nop), 3},
                    Pair{"one double shift a cycle", bundle(mii, nop, shrp | off, dep | off), unstopped_nops, 2},
                    // A-type operations of the first bundle leave M0 and M1, or M2 and M3, for what needs them.
                    Pair{"an add and stores behind it", bundle(mmi, add | off, add | off, nop),
                         bundle(mmi, st8 | off, st8 | off, nop), 6},
                    Pair{"an add and loads behind it", bundle(mmi, add | off, add | off, nop),
                         bundle(mmi, ld8 | off, ld8 | off, nop), 6},
                    Pair{"an add, a load and a getf", bundle(mmi, add | off, ld8 | off, nop),
                         bundle(mmi, st8 | off, getf_sig | off, nop), 6},
                    Pair{"FP loads leave ports for loads", bundle(mmi, ldfd | off | r1(8), ldfd | off | r1(9), nop),
                         bundle(mmi, ld8 | off, ld8 | off, nop), 6},
                    Pair{"no port is left for a third store", bundle(mmi, add | off, st8 | off, nop),
                         bundle(mmi, st8 | off, st8 | off, nop), 4},
                    Pair{"an add of an I slot goes to M", bundle(mii, nop, add | off, extr | off),
                         bundle(mii, nop, extr | off, nop), 4}),
    [](const testing::TestParamInfo<Pair>& info) { return "case" + std::to_string(info.index); });

// Two shifters, as the Itanium 9000 has them.
TEST(Dispersal, TwoShifters) {
  const Script s = Script().add(bundle(mii, nop, extr | off, dep | off), "", "ppp").repeat(2, unstopped_nops);
  const auto first = [&](std::int64_t shifters) {
    models::Parameters parameters = core::itanium2_parameters();
    parameters.set("core.shifters", shifters);
    return dispersed(run(s, parameters)).front();
  };
  EXPECT_EQ(first(1), 2u);
  EXPECT_EQ(first(2), 5u);  // the nop of the next I slot finds no I port
}

TEST(Dispersal, LongImmediates) {
  const std::string movl = bundle(mlx, nop, nop_x_upper, 0x0c000000000 | r1(8));
  // After MMI it may be dispersed in the same cycle; L and X are one instruction, and one syllable is lost.
  const Record together = run(Script().add(unstopped_nops).add(movl, "", "x-x"));
  EXPECT_EQ(dispersed(together), (std::vector<unsigned>{5}));
  EXPECT_EQ(together.exactly(Signal::syllable_held, dd::held_long_immediate), 1u);
  EXPECT_EQ(together.count(Signal::retire), 5u);
  EXPECT_EQ(together.of(Signal::retire).back().syllable.type, act::SlotType::x);
  EXPECT_EQ(together.of(Signal::retire).back().instruction.slot, 2u);
  // After MII it may not.
  const Record apart = run(Script().add(bundle(mii, nop, nop, nop)).add(movl, "", "x-x"));
  EXPECT_EQ(dispersed(apart), (std::vector<unsigned>{3, 2}));
  EXPECT_EQ(apart.exactly(Signal::syllable_held, dd::held_implicit_stop), 2u);
  EXPECT_EQ(apart.exactly(Signal::syllable_held, dd::held_long_immediate), 2u);  // held once, dispersed once
}

TEST(Dispersal, EntryIntoTheMiddle) {
  const Record r = run(Script()
                           .add(unstopped_nops)
                           .say("interrupt")
                           .at(0x4000000000020000)
                           .add(unstopped_nops)
                           .say("return")
                           .at(Script::start + 16)
                           .add(unstopped_nops, "", "-xx"));
  EXPECT_EQ(r.count(Signal::retire), 3u + 3 + 2);
  EXPECT_EQ(r.exactly(Signal::syllable_held, dd::held_long_immediate), 1u);
}

TEST(Dispersal, EverySyllableOfAWindowIsDispersedOrHeld) {
  // Windows of two whole bundles: a syllable that is not dispersed in a cycle is held in it.
  Script s;
  for (unsigned i = 0; i < 10; ++i) {
    s.add(bundle(mii, nop, nop, nop))
        .add(bundle(stop(mmi), nop, nop, nop))
        .add(bundle(mib, nop, nop, nop_b))
        .add(unstopped_nops);
  }
  const Record r = run(s);
  std::map<Cycle, unsigned> offered;
  std::map<Cycle, std::uint64_t> first;
  for (const Ia64Occurrence& h : r.of(Signal::dispatch)) {
    offered[h.cycle] += h.amount;
    first.try_emplace(h.cycle, h.instruction.slot);
  }
  for (const Ia64Occurrence& h : r.of(Signal::syllable_held)) offered[h.cycle] += h.amount;
  for (const auto& [cycle, count] : offered) EXPECT_EQ(count + first[cycle], 6u) << "cycle " << cycle;
}

// No instruction is dispersed together with srlz.i. The stop after the second slot is not the cause that holds the
// second slot.
TEST(Dispersal, WhatFollowsASerializationIsHeldByAnImplicitStop) {
  constexpr auto mi_stop_i = static_cast<Template>(0x02);
  const Record r = run(Script().add(bundle(mi_stop_i, srlz_i, nop, nop)).add(bundle(stop(mii), nop, nop, nop)));
  const auto& held = r.of(Signal::syllable_held);
  ASSERT_FALSE(held.empty());
  EXPECT_EQ(held[0].detail, act::detail::held_implicit_stop);
}

// From an instruction group to the next group that needs its result: latencies, the state while waiting, and its cause.
// ../timing measures the chains of one instruction.

namespace cause = act::cause;

struct Case {
  const char* what;
  std::string producer, keys;
  std::string consumer;
  Cycle distance;
  unsigned why;  ///< cause of the execution stall
};

class Ia64Latency : public testing::TestWithParam<Case> {};

const std::string load_l1 = "L0 6000000000000100 8 data=l1 dtlb=hit";
const std::string load_l2 = "L0 6000000000000100 8 data=l2 dtlb=hit";
const std::string fp_from_l2 = "L0 6000000000000100 8 data=l2 dtlb=hit";

std::string m_first(Syllable s) { return bundle(stop(mmi), s, nop, nop); }
std::string m_second(Syllable s) { return bundle(stop(mmi), nop, s, nop); }
std::string i_last(Syllable s) { return bundle(stop(mii), nop, nop, s); }
std::string f_middle(Syllable s) { return bundle(stop(mfi), nop, s, nop); }

TEST_P(Ia64Latency, IsTheTablesAndTheStallIsNamed) {
  const Case& c = GetParam();
  Script s;
  s.add(c.producer, c.keys).add(c.consumer, c.consumer == m_first(ld8 | r1(11) | r3(10)) ? load_l1 : "");
  const Record r = run(s);
  const auto& list = r.of(Signal::dispatch);
  ASSERT_EQ(list.size(), 6u);
  EXPECT_EQ(list[3].cycle - list[0].cycle, c.distance) << c.what;
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::execute, c.why)), c.distance - 1) << c.what;
}

INSTANTIATE_TEST_SUITE_P(
    Table, Ia64Latency,
    testing::Values(
        Case{"load, L2, to an address", m_first(ld8 | r1(10) | r3(9)), load_l2, m_first(ld8 | r1(11) | r3(10)), 6,
             cause::gr_load},
        Case{"load, given latency", m_first(ld8 | r1(10) | r3(9)), load_l2 + " lat=20", m_first(add | r1(12) | r2(10)),
             20, cause::gr_load},
        Case{"FP load", m_first(ldfd | r1(10) | r3(9)), fp_from_l2, f_middle(fma_d | r1(11) | r3(10)), 6, cause::fr},
        Case{"setf", m_first(setf_sig | r1(10) | r2(9)), "", f_middle(fma_d | r1(11) | r3(10)), 5, cause::fr},
        Case{"getf", m_first(getf_sig | r1(10) | r2(9)), "", m_first(add | r1(12) | r2(10)), 5, cause::gr_alu},
        Case{"add to shift", m_first(add | r1(10) | r2(9)), "", i_last(shl | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"load to shift", m_first(ld8 | r1(10) | r3(9)), load_l1, i_last(shl | r1(12) | r2(10)), 2, cause::gr_load},
        Case{"load to setf", m_first(ld8 | r1(10) | r3(9)), load_l1, m_first(setf_sig | r1(12) | r2(10)), 2,
             cause::gr_load},
        Case{"fma to a store", f_middle(fma_d | r1(10) | r3(9)), "", m_first(stfd | r2(10) | r3(9)), 4, cause::fr},
        Case{"getf to shift", m_first(getf_sig | r1(10) | r2(9)), "", i_last(shl | r1(12) | r2(10)), 6, cause::gr_alu},
        Case{"extr to multimedia", i_last(extr | r1(10) | r3(9)), "", i_last(mux2 | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"shift to add", i_last(shl | r1(10) | r2(9)), "", m_first(add | r1(12) | r2(10)), 3, cause::gr_alu},
        Case{"compare to predicate", i_last(cmp_eq | to_p6), "", m_first(add | r1(12) | off), 1, cause::predicate},
        Case{"mov from BR", i_last(mov_from_b0 | r1(10)), "", m_first(add | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"mov from PR", i_last(mov_from_pr | r1(10)), "", m_first(add | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"mov to AR and back", m_second(mov_to_ccv | r2(9)), "", m_second(mov_from_ccv | r1(10)), 5,
             cause::application_or_control}),
    [](const testing::TestParamInfo<Case>& info) { return "case" + std::to_string(info.index); });

TEST(Ia64Latency, CompareAndBranchGoTogether) {
  const Record r =
      run(Script().add(bundle(stop(mib), nop, cmp_eq | to_p6, br_dpnt(256) | off), "", "xxp").repeat(1, m_first(nop)));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[0].cycle, list[2].cycle);
}

TEST(Ia64Latency, GccsIntegerToMultimediaIsAValue) {
  const Script s = Script().add(m_first(add | r1(10) | r2(9))).add(i_last(shl | r1(12) | r2(10)));
  const auto list = run(s, plain({{"core.alu_to_multimedia", 3}})).of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 3u);
}

TEST(Ia64Latency, BackingStorePointer) {
  // 13 cycles to the result; in the first two the register stack holds the pipe.
  const Record r = run(Script().add(m_second(mov_from_bspstore | r1(10))).add(m_first(add | r1(12) | r2(10))));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 13u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, cause::rse_dependency)), 2u);
}

TEST(Ia64Latency, BankSwitch) {
  const Record r = run(Script().add(bundle(stop(mib), nop, nop, bsw_0)).add(m_first(add | r1(12) | r2(16))));
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, cause::rse_bank_switch)), 1u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::execute, cause::execute_bank_switch)), 1u);
}

TEST(Ia64Latency, PredicatedOffInstructionsWaitForTheirPredicateOnly) {
  const Record r =
      run(Script().add(m_first(getf_sig | r1(10) | r2(9))).add(m_first(add | r1(12) | r2(10) | off), "", "pxx"));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 1u);
  EXPECT_FALSE(r.of(Signal::retire)[3].syllable.predicate);
  EXPECT_TRUE(r.of(Signal::retire)[4].syllable.predicate);
}

TEST(Ia64Latency, APredicatedOffInstructionWaitsForItsPredicate) {
  // The predicate of an FP compare is available after two cycles.
  const Record r =
      run(Script().add(f_middle(fcmp_eq | to_p6 | r2(9))).add(m_first(add | r1(12) | r2(10) | off), "", "pxx"));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 2u);
}

TEST(Ia64Latency, SafetyStallOfResultsFlushedToZero) {
  const Record r = run(Script().add(f_middle(fma_d | r1(10) | r3(9)), "ftz=1").add(m_first(nop)));
  ASSERT_EQ(r.of(Signal::safety_stall).size(), 1u);
  EXPECT_EQ(r.of(Signal::safety_stall)[0].detail, 0u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, cause::fpu)), 4u);
  EXPECT_EQ(r.of(Signal::retire)[1].syllable.flushed_to_zero, 1u);
  EXPECT_EQ(r.of(Signal::retire)[1].syllable.fp_operations, 1u);  // f0 as an operand
}

TEST(Ia64Latency, AnOperationThatTrapsEndsItsBundle) {
  const Record r = run(Script().add(f_middle(fma_d | r1(10) | r3(9)), "", "xx-").say("interrupt").add(m_first(nop)));
  ASSERT_EQ(r.of(Signal::safety_stall).size(), 1u);
  EXPECT_EQ(r.of(Signal::safety_stall)[0].detail, activity::detail::trap_exception);
}

TEST(Ia64Latency, ADeferredLoadReturnsNat) {
  const Record r = run(Script().add(m_first(ld8_s | r1(10) | r3(9)), "defer=0:6000000000000000").add(m_first(nop)));
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, cause::nat)), 1u);
  EXPECT_EQ(r.count(Signal::data_reference), 0u);
}

}  // namespace

}  // namespace pmusim::testbench::ia64
