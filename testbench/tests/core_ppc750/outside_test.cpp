// Directives, and the interrupts of perturbing mode. A directive acts at the start of the first cycle in which nothing
// is in flight; that cycle is the first of the new state, and the next instruction is fetched in it.
#include <gtest/gtest.h>

#include "program.h"

namespace pmusim::testbench::ppc750 {
namespace {

using activity::LineState;
using activity::Signal;
using activity::State;
namespace d = activity::detail;
namespace msr = activity::msr;
using Cycles = std::vector<activity::Cycle>;

TEST(Outside, MsrChangesBetweenInstructions) {
  // The first instruction retires in 3, so the directive acts in 4.
  const Activity a = run(TraceText().op(ppc::filler, warm).say("msr pr=0 pm=1").op(ppc::filler));
  EXPECT_EQ(a.at(State::msr, 3), 0xF032u);
  EXPECT_EQ(a.at(State::msr, 4), (0xF032u & ~msr::pr) | msr::pm);
  EXPECT_EQ(a.at(State::cpl, 3), 3u);
  EXPECT_EQ(a.at(State::cpl, 4), 0u);
  EXPECT_EQ(a.cycles(Signal::fetch), (Cycles{0, 4}));
  EXPECT_EQ(a.when(Signal::dispatch, 1), 5u);
}

TEST(Outside, InterruptEntersAndReturnRestores) {
  const Activity a = run(TraceText()
                             .op(ppc::filler, warm)
                             .say("msr pm=1")
                             .say("interrupt vector=0x500")
                             .at(0x500)
                             .op(ppc::filler, "fetch=l1")
                             .say("return")
                             .at(0x1004)
                             .op(ppc::filler));
  // Handler in 4: its instruction retires in 7. Return in 8.
  EXPECT_EQ(a.cycles(Signal::trap, d::trap_maskable), Cycles{4});
  EXPECT_EQ(a.at(State::msr, 4), (0xF032u | msr::pm) & ~0x0004EF36u);
  EXPECT_EQ(a.at(State::cpl, 4), 0u);
  EXPECT_EQ(a.at(State::msr, 7), a.at(State::msr, 4));
  EXPECT_EQ(a.at(State::msr, 8), 0xF032u | msr::pm);
  EXPECT_EQ(a.count(Signal::translation), 0u) << "the handler runs untranslated";
  EXPECT_EQ(a.retired(), 3u);
}

TEST(Outside, KindsOfTraps) {
  const auto kind = [](const std::string& directive) {
    return run(TraceText().op(ppc::filler, warm).say(directive).at(0x100).op(ppc::filler, "fetch=l1"))
        .of(Signal::trap)
        .at(0)
        .detail;
  };
  EXPECT_EQ(kind("interrupt vector=0x900"), d::trap_maskable);
  EXPECT_EQ(kind("interrupt vector=0xc00"), d::trap_exception);
  EXPECT_EQ(kind("nmi"), d::trap_nmi);
  EXPECT_EQ(kind("smi"), d::trap_smi);
}

TEST(Outside, IdleRunsTheClockAndStopDoesNot) {
  const Activity idle = run(TraceText().op(ppc::filler, warm).say("idle cycles=100").op(ppc::filler));
  EXPECT_EQ(idle.cycles(Signal::fetch), (Cycles{0, 104}));
  EXPECT_EQ(idle.cycles_with(State::clock, 1), idle.end());
  const Activity stop = run(TraceText().op(ppc::filler, warm).say("stop cycles=100").op(ppc::filler));
  EXPECT_EQ(stop.cycles(Signal::fetch), (Cycles{0, 104}));
  EXPECT_EQ(stop.at(State::clock, 3), 1u);
  EXPECT_EQ(stop.at(State::clock, 4), 0u);
  EXPECT_EQ(stop.at(State::clock, 103), 0u);
  EXPECT_EQ(stop.at(State::clock, 104), 1u);
  // It also counts after the last instruction.
  EXPECT_EQ(run(TraceText().op(ppc::filler, warm).say("idle cycles=100")).end(), 104u);
  EXPECT_EQ(run(TraceText().op(ppc::filler, warm).say("halt cycles=100")).cycles_with(State::clock, 1), 4u);
}

TEST(Outside, ProcessesHaveTheirOwnTranslations) {
  const Activity a =
      run(TraceText().op(ppc::filler, "fetch=l1").say("process 7").op(ppc::filler).say("process 0").op(ppc::filler));
  EXPECT_EQ(a.count(Signal::translation), 2u);
  EXPECT_EQ(a.cycles_with(State::process, 7) > 0, true);
  EXPECT_EQ(a.at(State::process, a.end() - 1), 0u);
}

TEST(Outside, BusRatio) {
  const auto ratio = [](const std::string& text) {
    return run(TraceText().say("tb ratio=" + text).op(ppc::filler, warm)).at(State::bus_ratio, 1);
  };
  EXPECT_EQ(run(TraceText().op(ppc::filler, warm)).at(State::bus_ratio, 0), 4u << 16 | 1);
  EXPECT_EQ(ratio("5/2"), 5u << 16 | 2);
  EXPECT_EQ(ratio("10"), 10u << 16 | 1);
}

// A line that is set to exclusive is in L2 as well, as after a load. L2 has no modified line that L1D has: what a
// program writes is newer than L2's copy.
TEST(Snoop, FindsTheLinesThatDirectivesSet) {
  const auto found = [](const std::string& state) {
    const Activity a =
        run(TraceText().say("state addr=2000 line=" + state).op(ppc::filler, warm).say("snoop kind=clean addr=2000"));
    return a.of(Signal::snoop).at(0).detail;
  };
  EXPECT_EQ(found("E"), d::snoop_hits_l1d | d::snoop_hits_l2);
  EXPECT_EQ(found("M"), d::snoop_hits_l1d);
  EXPECT_EQ(found("I"), 0u);
}

TEST(Snoop, RetriedWhileTheLineIsOnItsWayOrWhenTheOutsideSaysSo) {
  // The load's line is requested in 3 and complete in 98. The load retires in 74, and until then the two queues of six
  // cannot hold all 16 instructions: the snoop occurs when fetch reaches it, soon after 74.
  TraceText t;
  t.op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page);
  for (unsigned i = 1; i < 16; ++i) t.op(ppc::addi(4 + i, 0, 1), i == 8 ? warm_line : "");
  t.say("snoop kind=read-now addr=2000").op(ppc::filler, warm_line);
  const Activity a = run(t);
  ASSERT_EQ(a.count(Signal::snoop), 1u);
  EXPECT_EQ(a.of(Signal::snoop)[0].detail, d::snoop_retried);
  EXPECT_GT(a.cycles(Signal::snoop)[0], 74u);
  EXPECT_LT(a.cycles(Signal::snoop)[0], 98u);
  const Activity b = run(TraceText().op(ppc::filler, warm).say("snoop kind=read-retried addr=2000"));
  EXPECT_EQ(b.cycles(Signal::snoop, d::snoop_retried), Cycles{4});
}

TEST(Snoop, TakesTheTagsForACycle) {
  // The load would access L1D in 3. Snoops occur in 1 to 4, one a cycle.
  TraceText t;
  t.op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + warm_data);
  for (int i = 0; i < 4; ++i) t.say("snoop kind=read-now addr=9000");
  const Activity a = run(t.op(ppc::filler));
  EXPECT_EQ(a.cycles(Signal::snoop), (Cycles{1, 2, 3, 4}));
  EXPECT_EQ(a.cycles(Signal::dcache_lookup), Cycles{5});
}

TEST(Outside, StateOfALine) {
  const Activity a = run(TraceText()
                             .say("state addr=2000 line=M")
                             .say("state addr=3000 line=E")
                             .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page)
                             .op(ppc::lwz(3, 9, 0), "L 3000 4" + page)
                             .say("state addr=2000 line=I")
                             .op(ppc::lwz(3, 9, 0), "L 2000 4"));
  EXPECT_EQ(a.count(Signal::dcache_lookup, d::lookup_hit), 2u);
  EXPECT_EQ(a.count(Signal::dcache_lookup, d::lookup_miss), 1u);
  EXPECT_EQ(a.count(Signal::line_evict), 0u);
}

TEST(Outside, MapSharesAPhysicalPage) {
  const Activity a = run(TraceText()
                             .say("map addr=70000000 to=2000")
                             .op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page)
                             .say("idle cycles=1")
                             .op(ppc::lwz(3, 9, 0), "L 70000000 4" + page));
  EXPECT_EQ(a.count(Signal::dcache_lookup, d::lookup_hit), 1u);
}

TEST(Outside, BusOfOthersDelaysOurs) {
  // Another agent's line occupies the data bus for 25 cycles from 0 on; this alone does not delay our access. A burst
  // of five in 0 to 4 occupies it until 125: our first word arrives then, and not in 5 + 73 - 0.
  TraceText t;
  for (int i = 0; i < 5; ++i) t.say("bus kind=read addr=9000");
  const Activity a = run(t.op(ppc::lwz(3, 9, 0), "L 2000 4" + warm + page));
  EXPECT_EQ(a.count(Signal::bus_request), 6u);
  EXPECT_EQ(a.cycles(Signal::load_return), Cycles{125});
}

TEST(Outside, UnknownThingsAreErrorsWithTheirPlace) {
  const auto message = [](const std::string& directive) {
    const TraceText text = TraceText().op(ppc::filler, warm).say(directive).op(ppc::filler);
    return error_of<core::CoreError>([&] { (void)run(text); });
  };
  EXPECT_EQ(message("return"), "trace line 3: '! return': no interrupt has been taken to return from");
  EXPECT_EQ(message("cpl 0").substr(0, 59), "trace line 3: '! cpl': not a directive of the 750GX; it tak");
  EXPECT_EQ(
      message("snoop kind=look addr=2000"),
      "trace line 3: '! snoop': 'look' is none of read, rwitm, clean, flush, kill, write, write_kill, each also with "
      "-retried, -now or -retried-now");
  EXPECT_EQ(message("state addr=2000 line=S"), "trace line 3: '! state': 'S' is none of M, E, I");
  EXPECT_EQ(message("memory addr=2000 size=4096 type=wc"), "trace line 3: '! memory': 'wc' is none of wb, wt, uc");
  for (const std::string map : {"map addr=2004 to=3000", "map addr=2000 to=3020"})
    EXPECT_EQ(message(map), "trace line 3: '! map': addr and to must be multiples of 1000 (4 KB)");
  EXPECT_EQ(message("map addr=2000 to=3000"), "");
  EXPECT_NE(message("pin INT level=1"), "");
}

TEST(Interrupt, TakenBetweenTwoCyclesAndBack) {
  TraceText t;
  for (int i = 0; i < 8; ++i) t.op(ppc::addi(3, 3, 1), i == 0 ? warm : "");
  const auto core = core::make_ppc750(t.reader(), parameters());
  Steps<Activity> steps(*core);
  const Activity& a = steps.log;
  // Dependent additions: dispatched in 1 1 2 3 ..., started in 2 3 4 ..., retired in 3 4 5 ... After cycle 4 two of
  // them have retired.
  EXPECT_TRUE(steps.run(5));
  EXPECT_EQ(core->retired(), 2u);
  const auto in_flight = a.count(Signal::dispatch) - a.count(Signal::retire);
  core->take_interrupt(4);
  EXPECT_TRUE(core->in_handler());
  while (core->in_handler()) ASSERT_TRUE(steps.run(1));
  const activity::Cycle back = core->now();
  steps.finish(1000);
  const auto traps = a.of(Signal::trap);
  ASSERT_EQ(traps.size(), 1u);
  EXPECT_EQ(traps[0].cycle, 5u);
  EXPECT_EQ(traps[0].detail, d::trap_monitor | d::trap_maskable);
  EXPECT_EQ(traps[0].instruction.ip, 0x1008u) << "the instruction that would have come next";
  EXPECT_EQ(a.count(Signal::kill), in_flight);
  EXPECT_EQ(a.at(State::msr, 5), 0xF032u & ~0x0004EF36u);
  EXPECT_EQ(a.at(State::msr, back), 0xF032u);
  std::size_t handler = 0;
  for (const LoggedOccurrence& h : a.of(Signal::retire)) {
    if (h.instruction.ip < 0xF00 || h.instruction.ip >= 0xF10) continue;
    ++handler;
    EXPECT_EQ(a.at(State::cpl, h.cycle), 0u);
  }
  EXPECT_EQ(handler, 4u);
  EXPECT_EQ(core->retired(), 8u) << "the handler is not part of the trace";
  EXPECT_EQ(a.count(Signal::retire), 12u);
}

TEST(Interrupt, OfAHandlerWithoutInstructions) {
  const auto core = core::make_ppc750(TraceText().op(ppc::filler, warm).op(ppc::filler).reader(), parameters());
  core->take_interrupt(0);
  const Activity a = finish(*core);
  EXPECT_EQ(a.count(Signal::trap), 1u);
  EXPECT_EQ(a.retired(), 2u);
}

}  // namespace
}  // namespace pmusim::testbench::ppc750
