// From an instruction group to the next group that needs its result: latencies, the state while waiting, and its cause.
#include "record.h"

namespace pmusim::testbench::ia64 {
namespace {

namespace cause = act::cause;

struct Case {
  const char* what;
  std::string producer, keys;
  std::string consumer;
  Cycle distance;
  unsigned why;  ///< cause of the execution stall
};

class Latency : public testing::TestWithParam<Case> {};

const std::string load_l1 = "L0 6000000000000100 8 data=l1 dtlb=hit";
const std::string load_l2 = "L0 6000000000000100 8 data=l2 dtlb=hit";
const std::string fp_load = "L0 6000000000000100 8 data=l2 dtlb=hit";

std::string m_first(Syllable s) { return bundle(stop(mmi), s, nop, nop); }
std::string m_second(Syllable s) { return bundle(stop(mmi), nop, s, nop); }
std::string i_last(Syllable s) { return bundle(stop(mii), nop, nop, s); }
std::string f_middle(Syllable s) { return bundle(stop(mfi), nop, s, nop); }

TEST_P(Latency, IsTheTablesAndTheStallIsNamed) {
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
    Table, Latency,
    testing::Values(
        Case{"load, L1D", m_first(ld8 | r1(10) | r3(9)), load_l1, m_first(add | r1(12) | r2(10)), 1, cause::gr_load},
        Case{"load, L1D, to an address", m_first(ld8 | r1(10) | r3(9)), load_l1, m_first(ld8 | r1(11) | r3(10)), 2,
             cause::gr_load},
        Case{"load, L2", m_first(ld8 | r1(10) | r3(9)), load_l2, m_first(add | r1(12) | r2(10)), 5, cause::gr_load},
        Case{"load, L2, to an address", m_first(ld8 | r1(10) | r3(9)), load_l2, m_first(ld8 | r1(11) | r3(10)), 6,
             cause::gr_load},
        Case{"load, given latency", m_first(ld8 | r1(10) | r3(9)), load_l2 + " lat=20", m_first(add | r1(12) | r2(10)),
             20, cause::gr_load},
        Case{"FP load", m_first(ldfd | r1(10) | r3(9)), fp_load, f_middle(fma_d | r1(11) | r3(10)), 6, cause::fr},
        Case{"fma", f_middle(fma_d | r1(10) | r3(9)), "", f_middle(fma_d | r1(11) | r3(10)), 4, cause::fr},
        Case{"setf", m_first(setf_sig | r1(10) | r2(9)), "", f_middle(fma_d | r1(11) | r3(10)), 5, cause::fr},
        Case{"getf", m_first(getf_sig | r1(10) | r2(9)), "", m_first(add | r1(12) | r2(10)), 5, cause::gr_alu},
        Case{"add", m_first(add | r1(10) | r2(9)), "", m_first(add | r1(12) | r2(10)), 1, cause::gr_alu},
        Case{"add to shift", m_first(add | r1(10) | r2(9)), "", i_last(shl | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"load to shift", m_first(ld8 | r1(10) | r3(9)), load_l1, i_last(shl | r1(12) | r2(10)), 2, cause::gr_load},
        Case{"load to setf", m_first(ld8 | r1(10) | r3(9)), load_l1, m_first(setf_sig | r1(12) | r2(10)), 2,
             cause::gr_load},
        Case{"FP load to getf", m_first(ldf8 | r1(10) | r3(9)), fp_load, m_first(getf_sig | r1(12) | r2(10)), 7,
             cause::fr},
        Case{"setf to getf", m_first(setf_sig | r1(10) | r2(9)), "", m_first(getf_sig | r1(12) | r2(10)), 6, cause::fr},
        Case{"xma to getf", f_middle(xma_l | r1(10) | r3(9)), "", m_first(getf_sig | r1(12) | r2(10)), 4, cause::fr},
        Case{"fma to a store", f_middle(fma_d | r1(10) | r3(9)), "", m_first(stfd | r2(10) | r3(9)), 4, cause::fr},
        Case{"getf to shift", m_first(getf_sig | r1(10) | r2(9)), "", i_last(shl | r1(12) | r2(10)), 6, cause::gr_alu},
        Case{"extr", i_last(extr | r1(10) | r3(9)), "", i_last(extr | r1(12) | r3(10)), 1, cause::gr_alu},
        Case{"dep", i_last(dep | r1(10) | r2(9)), "", i_last(dep | r1(12) | r2(10)), 1, cause::gr_alu},
        Case{"shrp", i_last(shrp | r1(10) | r2(9) | r3(8)), "", m_first(add | r1(12) | r2(10)), 1, cause::gr_alu},
        Case{"extr to multimedia", i_last(extr | r1(10) | r3(9)), "", i_last(mux2 | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"popcnt", i_last(popcnt | r1(10) | r3(9)), "", i_last(popcnt | r1(12) | r3(10)), 2, cause::gr_alu},
        Case{"shift", i_last(shl | r1(10) | r2(9)), "", i_last(shl | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"shift to add", i_last(shl | r1(10) | r2(9)), "", m_first(add | r1(12) | r2(10)), 3, cause::gr_alu},
        Case{"multiply", i_last(pmpy2 | r1(10) | r2(9)), "", i_last(pmpy2 | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"compare to predicate", i_last(cmp_eq | to_p6), "", m_first(add | r1(12) | off), 1, cause::predicate},
        Case{"FP compare to predicate", f_middle(fcmp_eq | to_p6 | r2(9)), "", m_first(add | r1(12) | off), 2,
             cause::predicate},
        Case{"mov from BR", i_last(mov_from_b0 | r1(10)), "", m_first(add | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"mov from PR", i_last(mov_from_pr | r1(10)), "", m_first(add | r1(12) | r2(10)), 2, cause::gr_alu},
        Case{"mov from AR", m_second(mov_from_ccv | r1(10)), "", m_first(add | r1(12) | r2(10)), 6, cause::gr_alu},
        Case{"mov to AR and back", m_second(mov_to_ccv | r2(9)), "", m_second(mov_from_ccv | r1(10)), 5,
             cause::application_or_control}),
    [](const testing::TestParamInfo<Case>& info) { return "case" + std::to_string(info.index); });

TEST(Latency, CompareAndBranchGoTogether) {
  const Record r =
      run(Script().add(bundle(stop(mib), nop, cmp_eq | to_p6, br_dpnt(256) | off), "", "xxp").repeat(1, m_first(nop)));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[0].cycle, list[2].cycle);
}

TEST(Latency, GccsIntegerToMultimediaIsAValue) {
  const Script s = Script().add(m_first(add | r1(10) | r2(9))).add(i_last(shl | r1(12) | r2(10)));
  const auto list = run(s, plain({{"core.alu_to_multimedia", 3}})).of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 3u);
}

TEST(Latency, BackingStorePointer) {
  // 13 cycles to the result; in the first two the register stack holds the pipe.
  const Record r = run(Script().add(m_second(mov_from_bspstore | r1(10))).add(m_first(add | r1(12) | r2(10))));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 13u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, cause::rse_dependency)), 2u);
}

TEST(Latency, BankSwitch) {
  const Record r = run(Script().add(bundle(stop(mib), nop, nop, bsw_0)).add(m_first(add | r1(12) | r2(16))));
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::register_stack, cause::rse_bank_switch)), 1u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::execute, cause::execute_bank_switch)), 1u);
}

TEST(Latency, PredicatedOffInstructionsWaitForTheirPredicateOnly) {
  const Record r =
      run(Script().add(m_first(getf_sig | r1(10) | r2(9))).add(m_first(add | r1(12) | r2(10) | off), "", "pxx"));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 1u);
  EXPECT_FALSE(r.of(Signal::retire)[3].syllable.predicate);
  EXPECT_TRUE(r.of(Signal::retire)[4].syllable.predicate);
}

TEST(Latency, APredicatedOffInstructionWaitsForItsPredicate) {
  // The predicate of an FP compare is available after two cycles.
  const Record r =
      run(Script().add(f_middle(fcmp_eq | to_p6 | r2(9))).add(m_first(add | r1(12) | r2(10) | off), "", "pxx"));
  const auto& list = r.of(Signal::dispatch);
  EXPECT_EQ(list[3].cycle - list[0].cycle, 2u);
}

TEST(Latency, SafetyStallOfResultsFlushedToZero) {
  const Record r = run(Script().add(f_middle(fma_d | r1(10) | r3(9)), "ftz=1").add(m_first(nop)));
  ASSERT_EQ(r.of(Signal::safety_stall).size(), 1u);
  EXPECT_EQ(r.of(Signal::safety_stall)[0].detail, 0u);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, cause::fpu)), 4u);
  EXPECT_EQ(r.of(Signal::retire)[1].syllable.flushed_to_zero, 1u);
  EXPECT_EQ(r.of(Signal::retire)[1].syllable.fp_operations, 1u);  // f0 as an operand
}

TEST(Latency, AnOperationThatTrapsEndsItsBundle) {
  const Record r = run(Script().add(f_middle(fma_d | r1(10) | r3(9)), "", "xx-").say("interrupt").add(m_first(nop)));
  ASSERT_EQ(r.of(Signal::safety_stall).size(), 1u);
  EXPECT_EQ(r.of(Signal::safety_stall)[0].detail, activity::detail::trap_exception);
}

TEST(Latency, ADeferredLoadReturnsNat) {
  const Record r = run(Script().add(m_first(ld8_s | r1(10) | r3(9)), "defer=0:6000000000000000").add(m_first(nop)));
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::l1d_fpu, cause::nat)), 1u);
  EXPECT_EQ(r.count(Signal::data_reference), 0u);
}

}  // namespace
}  // namespace pmusim::testbench::ia64
