// Two hardware threads: the causes of a switch, the gates that delay it, and its cost.
#include <fmt/format.h>

#include <algorithm>

#include "bench.h"

namespace pmusim::testbench::montecito {
namespace {

namespace bits = act::switching;
namespace dd = act::detail;
const std::string pausing = bundle(stop(mmi), pause, nop, nop);
const std::string use = bundle(stop(mmi), add | r1(12) | r2(10), nop, nop);
std::string far_load(std::uint64_t address = data) { return fmt::format("L0 {:x} 8 dtlb=hit data=mem", address); }

Script idle(unsigned bundles) { return Script().repeat(bundles, nops); }

/// The cycle of a thread's first dispatch in or after cycle `from`.
Cycle first_dispatch(const Record& r, unsigned thread, Cycle from) {
  for (const Ia64Occurrence& h : r.of(Signal::dispatch)) {
    if (h.cycle >= from && h.instruction.thread == thread) return h.cycle;
  }
  return activity::never;
}
Cycle last_retirement(const Record& r, unsigned thread) {
  Cycle last = 0;
  for (const Ia64Occurrence& h : r.of(Signal::retire)) last = h.instruction.thread == thread ? h.cycle : last;
  return last;
}
std::vector<std::uint16_t> causes(const Record& r) {
  std::vector<std::uint16_t> result;
  for (const Ia64Occurrence& h : r.of(Signal::thread_switch)) result.push_back(cause_of(h));
  return result;
}

TEST(OneTrace, NeverSwitches) {
  const Record r =
      run_alone(Script().add(pausing).add(one_load, far_load()).add(use).say("preempt cause=debug").add(nops));
  EXPECT_EQ(r.count(Signal::thread_switch) + r.count(Signal::thread_switch_missed), 0u);
  EXPECT_EQ(r.count(Signal::retire), 12u);
}

TEST(Switch, CostsTheCyclesOfTheParameter) {
  for (const std::int64_t cost : {4, 15, 40}) {
    const Record r = run_both(Script().add(pausing).repeat(40, nops), idle(10), bare({{"core.switch_cycles", cost}}));
    ASSERT_GE(switches(r).size(), 1u);
    const Cycle at = switches(r)[0];
    EXPECT_EQ(first_dispatch(r, 1, 0), at + static_cast<Cycle>(cost));
    EXPECT_EQ(r.at(State::thread, at), 0u) << "the old thread has the cycle of the switch";
    EXPECT_EQ(r.at(State::thread, at + 1), 1u);
  }
}

TEST(Switch, APauseGivesThePipeAway) {
  // The pause retires in cycle 4 (dispersed in 2); the two bundles issued after it retire in 5 and 6.
  const Record r = run_both(Script().add(pausing).repeat(40, nops), idle(10));
  EXPECT_EQ(causes(r)[0], number(act::SwitchCause::hint));
  const Cycle seized = r.changes(State::switching)[1].first;
  EXPECT_EQ(seized, r.of(Signal::retire)[0].cycle);
  EXPECT_EQ(switches(r)[0], seized + 1);
  EXPECT_EQ(r.count(Signal::thread_switch_gated), 1u) << "what is in the pipe retires first";
  EXPECT_EQ(r.of(Signal::thread_switch_gated)[0].detail, static_cast<std::uint16_t>(act::SwitchGate::pipeline));
  // Both run to their ends, each in order.
  EXPECT_EQ(r.retired(), 51u);
  EXPECT_EQ(r.count(Signal::retire), 3u * 51);
}

TEST(Switch, TheTimerIsAQuantumOfActivity) {
  constexpr Cycle quantum = 500;
  const Record r = run_both(idle(3000), idle(3000), bare({{"core.quantum", quantum}}));
  ASSERT_GE(switches(r).size(), 3u);
  std::vector<Cycle> seized;
  std::uint64_t before = 0;
  for (const auto& [cycle, value] : r.changes(State::switching)) {
    if ((value & ~before & bits::due) != 0) seized.push_back(cycle);
    before = value;
  }
  EXPECT_EQ(seized[0], quantum);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(causes(r)[i], number(act::SwitchCause::timer));
    // The next quantum begins in the cycle after the switch.
    EXPECT_EQ(seized[i + 1], switches(r)[i] + 1 + quantum);
  }
}

TEST(Switch, AMissCompletesInTheBackground) {
  const Record r = run_both(Script().add(one_load, far_load()).add(use).repeat(5, nops), idle(100));
  ASSERT_GE(switches(r).size(), 2u);
  EXPECT_EQ(causes(r)[0], number(act::SwitchCause::l3_miss));
  // L3 is looked up three cycles after EXE (one to L2, two to L3); that cycle is the opportunity.
  const auto& lookups = r.of(Signal::l3_lookup);
  ASSERT_EQ(lookups.size(), 1u);
  EXPECT_EQ(r.changes(State::switching)[1].first, lookups[0].cycle);
  const auto& returns = r.of(Signal::load_return);
  ASSERT_EQ(returns.size(), 1u);
  EXPECT_EQ(returns[0].request.thread, 0u);
  EXPECT_EQ(r.at(State::thread, returns[0].cycle), 1u) << "while the other thread is active";
  // The user of the load issues when its thread is active again: no cycle is then spent on waiting for the data.
  EXPECT_GT(last_retirement(r, 0), returns[0].cycle);
  EXPECT_EQ(lookups[0].cycle, r.of(Signal::dispatch)[0].cycle + 3);
  EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::execute, act::cause::gr_load)), 2u)
      << "the user has waited between them";
}

TEST(Switch, OpportunitiesAreMissedWhileBothWait) {
  const Script both = Script().add(one_load, far_load()).add(use).repeat(5, nops);
  const Record r = run_both(both, both);
  ASSERT_EQ(r.count(Signal::thread_switch_missed), 1u) << "the second thread misses while the first waits";
  EXPECT_EQ(r.of(Signal::thread_switch_missed)[0].detail, number(act::SwitchCause::l3_miss));
  EXPECT_EQ(r.at(State::thread, r.of(Signal::thread_switch_missed)[0].cycle), 1u);
  EXPECT_EQ(run_both(both, both, bare({{"core.switch_on_miss", 0}})).count(Signal::thread_switch_missed), 0u);
}

// Both miss L3, the first thread first: urgencies 4 and 4. When the first thread's data arrives its urgency is 5, and
// it gets the pipe back while the second thread waits.
TEST(Switch, DataOfTheBackgroundThreadAsksForThePipe) {
  const Script both = Script().add(one_load, far_load()).add(use).repeat(5, nops);
  const Record r = run_both(both, both);
  const Cycle came = r.of(Signal::load_return)[0].cycle;
  EXPECT_EQ(r.of(Signal::load_return)[0].request.thread, 0u);
  ASSERT_GE(switches(r).size(), 2u);
  EXPECT_EQ(causes(r)[1], number(act::SwitchCause::l3_miss));
  EXPECT_EQ(r.at(State::switching, came) & bits::due, bits::due);
  EXPECT_EQ(r.at(State::switching, came - 1) & bits::due, 0u);
  const Record without = run_both(both, both, bare({{"core.switch_on_return", 0}}));
  EXPECT_EQ(without.at(State::switching, came) & bits::due, 0u);
  EXPECT_GT(switches(without)[1], switches(r)[1]);
}

// The first thread misses twice before the pipe is empty for the other one: urgency 3. The second thread misses once,
// which leaves it at 4: it is more urgent, although both wait.
TEST(Switch, TheLessUrgentThreadDoesNotGetThePipe) {
  Script twice;
  twice.add(one_load, far_load()).add(bundle(stop(mmi), ld8 | r1(11) | r3(9), nop, nop), far_load(data + 4096));
  twice.add(use).repeat(5, nops);
  const Script once = Script().add(one_load, far_load(data + 8192)).add(use).repeat(5, nops);
  const Record r = run_both(twice, once);
  // The second miss is in the pipe when the first one requests the switch.
  EXPECT_EQ(causes(r)[0], number(act::SwitchCause::l3_miss));
  ASSERT_EQ(r.count(Signal::thread_switch_missed), 1u);
  EXPECT_EQ(r.at(State::thread, r.of(Signal::thread_switch_missed)[0].cycle), 1u);
  // The first return raises the urgency from 3 to 4, which does not exceed 4; the second return raises it to 5.
  const auto& returns = r.of(Signal::load_return);
  EXPECT_EQ(r.at(State::switching, returns[0].cycle) & bits::due, 0u);
  EXPECT_EQ(r.at(State::switching, returns[1].cycle) & bits::due, bits::due);
}

// A fill of the register stack that misses L3.
TEST(Switch, AFillOfTheRegisterStackAsksLikeALoad) {
  Script s;
  s.add(bundle(stop(mmi), alloc(40, 40) | r1(32), nop, nop));
  s.go(bundle(stop(mib), nop, nop, br_ret), 2, Script::start + 4096).repeat(5, nops);
  const auto asked = [&](std::int64_t fills) {
    const Record r = run_both(
        s, idle(50), bare({{"core.psr", static_cast<std::int64_t>(act::psr::up)}, {"core.switch_on_fill", fills}}));
    EXPECT_GT(r.count(Signal::l3_lookup, activity::detail::lookup_miss), 0u);
    const auto all = causes(r);
    return std::count(all.begin(), all.end(), number(act::SwitchCause::l3_miss));
  };
  EXPECT_GT(asked(1), 0);
  EXPECT_EQ(asked(0), 0);
}

// The second thread stores to an address from which the first has made an advanced load; both use one memory.
TEST(Switch, AStoreToTheOthersAlatAsksIfTold) {
  const Script first =
      Script()
          .add(bundle(stop(mmi), ld8_a | r1(10) | r3(9), nop, nop), fmt::format("L0 {:x} 8 dtlb=hit data=l2", data))
          .repeat(40, nops)
          .add(pausing)
          .repeat(40, nops);
  const auto after_the_pause = [&](std::uint64_t address, std::int64_t told) {
    const Script second =
        Script()
            .repeat(5, nops)
            .add(bundle(stop(mmi), st8 | r2(10) | r3(9), nop, nop), fmt::format("S0 {:x} 8 dtlb=hit data=l2", address))
            .repeat(100, nops);
    const Record r = run_both(first, second, bare({{"core.second_memory", 0}, {"core.switch_on_alat", told}}));
    EXPECT_EQ(causes(r)[0], number(act::SwitchCause::hint));
    return causes(r)[1];
  };
  EXPECT_EQ(after_the_pause(data + 4, 1), number(act::SwitchCause::hint));
  EXPECT_EQ(after_the_pause(data + 8, 1), number(act::SwitchCause::low_power)) << "at the end of its trace";
  EXPECT_EQ(after_the_pause(data + 4, 0), number(act::SwitchCause::low_power));
}

// In the active thread's trace another agent takes a line from which both threads have made an advanced load.
TEST(Switch, AnInvalidationOfTheOthersAlatAsksIfTold) {
  const Script first =
      Script()
          .add(bundle(stop(mmi), ld8_a | r1(10) | r3(9), nop, nop), fmt::format("L0 {:x} 8 dtlb=hit data=l2", data))
          .repeat(40, nops)
          .add(pausing)
          .repeat(40, nops);
  const auto after_the_pause = [&](std::uint64_t address, const std::string& kind, std::int64_t memory) {
    const Script second =
        Script().repeat(5, nops).say(fmt::format("snoop kind={} addr={:x}", kind, address)).repeat(100, nops);
    const Record r = run_both(first, second, bare({{"core.second_memory", memory}, {"core.switch_on_alat", 1}}));
    return causes(r)[1];
  };
  const auto asked = number(act::SwitchCause::hint), ended = number(act::SwitchCause::low_power);
  EXPECT_EQ(after_the_pause(data + 64, "invalidate", 0), asked) << "the same line of 128 bytes";
  EXPECT_EQ(after_the_pause(data + 128, "invalidate", 0), ended);
  EXPECT_EQ(after_the_pause(data + 64, "read", 0), ended);
  EXPECT_EQ(after_the_pause(data + 64, "invalidate", std::int64_t{1} << 46), ended) << "another memory";
}

// NPTEL's lecture 41: an interrupt makes the urgency of a background thread 6. The first thread misses L3 twice (5, 4,
// 3) and is switched out. The second thread misses once: 4 is more than 3, and it keeps the pipe, unless the first
// thread has 6.
TEST(Switch, AnInterruptMakesTheBackgroundThreadMoreUrgent) {
  Script twice;
  twice.add(one_load, far_load()).add(bundle(stop(mmi), ld8 | r1(11) | r3(9), nop, nop), far_load(data + 4096));
  twice.add(use).repeat(5, nops);
  const auto missed = [&](bool interrupt, std::int64_t urgency) {
    Script once;
    if (interrupt) once.say("preempt cause=interrupt");
    once.add(one_load, far_load(data + 8192)).add(use).repeat(5, nops);
    const Record r = run_both(twice, once, bare({{"core.urgency", urgency}}));
    EXPECT_EQ(causes(r)[0], number(act::SwitchCause::l3_miss));
    return r.count(Signal::thread_switch_missed);
  };
  EXPECT_EQ(missed(false, 1), 1u);
  EXPECT_EQ(missed(true, 1), 0u) << "its own miss gives the pipe to the other one";
  EXPECT_EQ(missed(true, 0), missed(false, 0)) << "without urgencies it does not matter";
  const Record alone = run_alone(Script().say("preempt cause=interrupt").repeat(5, nops));
  EXPECT_EQ(alone.count(Signal::thread_switch) + alone.count(Signal::thread_switch_missed), 0u);
}

TEST(Switch, DisabledByPcr) {
  const Record r = run_both(
      Script().say("pcr sd=1").add(pausing).repeat(20, nops).say("pcr sd=0").add(pausing).repeat(20, nops), idle(10));
  EXPECT_EQ(r.of(Signal::thread_switch_missed).size(), 1u);
  EXPECT_EQ(causes(r)[0], number(act::SwitchCause::hint));
  EXPECT_GT(r.cycles_in(State::switching, bits::disabled, bits::disabled), 20u);
}

TEST(Switch, TheOutsideAsksForIt) {
  for (const std::string cause : {"debug", "low_power"}) {
    const Record r = run_both(Script().repeat(20, nops).say("preempt cause=" + cause).repeat(20, nops), idle(10));
    EXPECT_EQ(causes(r)[0], number(cause == "debug" ? act::SwitchCause::debug : act::SwitchCause::low_power));
  }
}

TEST(Switch, AThreadThatHaltsLeavesThePipe) {
  const Record r = run_both(Script().add(nops).say("halt cycles=400").add(nops), idle(1000));
  EXPECT_EQ(causes(r)[0], number(act::SwitchCause::low_power));
  EXPECT_EQ(r.cycles_in(State::clock, 0), 0u);
  EXPECT_EQ(r.retired(), 1002u);
}

TEST(Switch, TheClockStandsWhileBothSleep) {
  const Record r =
      run_both(Script().add(nops).say("halt cycles=400").add(nops), Script().add(nops).say("halt cycles=90").add(nops));
  EXPECT_EQ(r.cycles_in(State::clock, 0), 90u) << "until the first one wakes";
  EXPECT_EQ(r.retired(), 4u);
}

TEST(Gates, ASleepingThreadIsWaitedFor) {
  // The first thread sleeps, the second pauses: its switch is due until the first thread wakes.
  const Record r =
      run_both(Script().add(nops).say("halt cycles=300").add(nops), Script().add(pausing).repeat(1000, nops));
  bool gated = false;
  for (const Ia64Occurrence& h : r.of(Signal::thread_switch_gated))
    gated = gated || h.detail == static_cast<std::uint16_t>(act::SwitchGate::low_power);
  EXPECT_TRUE(gated);
  EXPECT_GT(r.cycles_in(State::switching, bits::gated, bits::gated), 200u);
}

TEST(Gates, AThreadRetiresSomethingFirst) {
  // The second thread's first fetch misses L3 before any of its instructions has retired.
  Script far(false);
  far.repeat(4, nops);
  const auto gates = [&](std::int64_t progress) {
    const Record r =
        run_both(Script().add(pausing).repeat(2000, nops), far, bare({{"core.forward_progress", progress}}));
    std::uint64_t count = 0;
    for (const Ia64Occurrence& h : r.of(Signal::thread_switch_gated))
      count += h.detail == static_cast<std::uint16_t>(act::SwitchGate::forward_progress) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(gates(1), 1u);
  EXPECT_EQ(gates(0), 0u);
}

TEST(Gates, DataFromL2IsWaitedFor) {
  // A pause in the group of a load that hits L2: the switch waits for the data.
  const std::string both = bundle(stop(mmi), ld8 | r1(10) | r3(9), pause, nop);
  const Record r =
      run_both(Script().add(both, fmt::format("L0 {:x} 8 dtlb=hit data=l2", data)).repeat(20, nops), idle(10));
  const auto& back = r.of(Signal::load_return);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(switches(r)[0], back[0].cycle);
  EXPECT_GE(r.cycles_in(State::switching, bits::l2d_return, bits::l2d_return), 1u);
}

TEST(Gates, AFetchFromL2IIsWaitedFor) {
  // The pair after the pause's comes from L2I: seven cycles from its fetch to its bundles.
  Script s = Script().add(pausing).add(nops);
  const std::string rest = fmt::format("{:x} {} xxx fetch=l2 itlb=hit\n", s.pc(), nops);
  const Record r = run(*core_with({s.text() + rest, idle(10).text()}));
  ASSERT_EQ(r.count(Signal::fetch_return), 2u) << "once more when the thread is back";
  EXPECT_EQ(switches(r)[0], r.of(Signal::fetch_return)[0].cycle);
  EXPECT_GE(r.cycles_in(State::switching, bits::request_buffer, bits::request_buffer), 1u);
}

TEST(Gates, EachReturnIsAwaitedUntilItsOwnCycle) {
  // Data from L2 and bundles from L2I are under way together. The state's bit of each ends in the cycle of its return,
  // whichever comes first.
  const std::string both = bundle(stop(mmi), ld8 | r1(10) | r3(9), pause, nop);
  const Script s = Script().add(both, fmt::format("L0 {:x} 8 dtlb=hit data=l2", data)).add(nops);
  const std::string rest = fmt::format("{:x} {} xxx fetch=l2 itlb=hit\n", s.pc(), nops);
  for (const auto& [load, fetch] : {std::pair{12, 40}, std::pair{60, 20}}) {
    const Record r = run(*core_with({s.text() + rest, idle(10).text()},
                                    bare({{"core.l2_integer", load}, {"core.l2_instruction", fetch}})));
    const auto end_of = [&](std::uint64_t bit) {
      Cycle end = 0;
      bool on = false;
      for (const auto& [cycle, value] : r.changes(State::switching)) {
        if (on && (value & bit) == 0) end = cycle;
        on = (value & bit) != 0;
      }
      return end;
    };
    const Cycle loaded = r.of(Signal::load_return).at(0).cycle, fetched = r.of(Signal::fetch_return).at(0).cycle;
    EXPECT_NE(loaded<fetched, load> fetch);
    EXPECT_EQ(end_of(bits::l2d_return), loaded);
    EXPECT_EQ(end_of(bits::request_buffer), fetched);
    EXPECT_EQ(switches(r)[0], std::max(loaded, fetched));
  }
}

TEST(State, IsTheActiveThreads) {
  const Record r =
      run_both(Script().say("cpl 1").add(pausing).repeat(30, nops), Script().say("psr up=0").repeat(30, nops));
  const Cycle at = switches(r)[0];
  EXPECT_EQ(r.at(State::cpl, at), 1u);
  EXPECT_EQ(r.at(State::cpl, at + 1), 3u);
  EXPECT_EQ(r.at(State::background_cpl, at + 1), 1u);
  EXPECT_EQ(r.at(State::background_psr, at + 1) & act::psr::up, act::psr::up);
  const Cycle next = switches(r)[1];
  EXPECT_EQ(r.at(State::psr, next) & act::psr::up, 0u);
  EXPECT_EQ(r.at(State::background_psr, next + 1) & act::psr::up, 0u);
  EXPECT_EQ(r.at(State::cpl, next + 1), 1u);
}

TEST(State, TheStallBeforeASwitchIsTold) {
  // The load issues; its user waits.
  const Record r = run_both(Script().add(one_load, far_load()).add(use).repeat(5, nops), idle(100));
  const Ia64Occurrence& h = r.of(Signal::thread_switch)[0];
  const Cycle issued = r.of(Signal::dispatch)[0].cycle;
  EXPECT_EQ(static_cast<Cycle>(h.detail >> dd::switch_stall_shift), h.cycle - issued - 1);
}

TEST(Memory, EachThreadHasItsOwnUnlessTold) {
  const Script load = Script().add(one_load, fmt::format("L0 {:x} 8 dtlb=hit", data)).add(use).repeat(300, nops);
  const auto misses = [&](std::int64_t second) {
    return run_both(load, load, bare({{"core.second_memory", second}}))
        .count(Signal::l3_lookup, activity::detail::lookup_miss);
  };
  EXPECT_EQ(misses(std::int64_t{1} << 46), 2u);
  EXPECT_EQ(misses(0), 1u);
}

TEST(Memory, TheOthersOrderIsNotOurs) {
  // The first thread's acquire has no data yet; the second thread's load is cancelled once and then issues.
  const std::string acquire = bundle(stop(mmi), ld8_acq | r1(10) | r3(9), nop, nop);
  const Record r = run_both(Script().add(acquire, far_load()).add(use).repeat(5, nops),
                            Script().add(one_load, fmt::format("L0 {:x} 8 dtlb=hit data=l2", data)).repeat(300, nops));
  const auto cancels = [&](act::QueueCancel why) {
    const auto& all = r.of(Signal::queue_cancel);
    return std::count_if(all.begin(), all.end(), [&](const Ia64Occurrence& h) {
      return (h.detail & act::queue_cancel::cause_mask) == static_cast<std::uint16_t>(why);
    });
  };
  EXPECT_EQ(cancels(act::QueueCancel::sibling_order), 1);
  EXPECT_EQ(cancels(act::QueueCancel::acquire), 0);
}

TEST(Errors, NameWhatIsWrong) {
  const auto message = [](const std::vector<std::string>& texts) {
    return error_of<core::CoreError>([&] { (void)run(*core_with(texts)); });
  };
  const std::string text = idle(1).text();
  EXPECT_NE(message({}).find("runs 1 or 2 traces, not 0"), std::string::npos);
  EXPECT_NE(message({text, text, text}).find("not 3"), std::string::npos);
  EXPECT_NE(message({"! thread 1\n" + text, text}).find("a trace of its own"), std::string::npos);
}

// Both threads execute the same loop, one after the other. If they share the prediction, the second finds the branch
// known as taken; otherwise its first execution is mispredicted, because its hint is not taken.
TEST(Threads, PredictionIsSharedIfTold) {
  const auto looping = [](unsigned times) {
    const std::string branch = bundle(stop(mib), nop, nop, br_dpnt(-16) | qp(6));
    Script s;
    for (unsigned i = 0; i < times; ++i) s.add(nops).go(branch, 2, Script::start);
    return s.add(nops).add(branch, "", "xxp").add(pausing).repeat(40, nops);
  };
  const auto first_is_wrong = [&](std::int64_t shared) {
    const Record r = run_both(looping(20), looping(3), bare({{"core.shared_prediction", shared}}));
    for (const Ia64Occurrence& h : r.of(Signal::retire)) {
      if (h.instruction.thread == 1 && h.instruction.ip == Script::start + 16 && h.instruction.id % 4 == 2)
        return h.instruction.mispredicted;
    }
    ADD_FAILURE() << "the second thread has no branch";
    return false;
  };
  EXPECT_TRUE(first_is_wrong(0));
  EXPECT_FALSE(first_is_wrong(1));
}

}  // namespace
}  // namespace pmusim::testbench::montecito
