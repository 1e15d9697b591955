// Interrupts, modes, clocks, snoops, self-modifying code, and the program's own PMU accesses.
#include "models/core/core.h"
#include "trace_log.h"

namespace pmusim::testbench::athlon {
namespace {

namespace d = activity::detail;

TEST(Modes, PrivilegeChangesBehindTheLastRetirement) {
  // The nop retires in 9; the directive acts at the start of 10; the new level holds from 11 on.
  const TraceLog log = run(Script().add("90").say("cpl 0").add("90"));
  EXPECT_EQ(log.changes(State::cpl), (std::vector<std::pair<Cycle, std::uint64_t>>{{0, 3}, {11, 0}}));
  EXPECT_EQ(log.cycles(Signal::retire), (std::vector<Cycle>{9, 19}));  // fetched in 10
}

TEST(Modes, InterruptFlagByInstructions) {
  // cli and sti of privileged code take effect in the clock after their retirement; the code after them is user code.
  const TraceLog log = run(Script().say("cpl 0").add("fa").add(20, "90").add("fb").add("90"));
  const auto retired = log.of(Signal::retire);
  const auto& flag = log.changes(State::interrupt_flag);
  ASSERT_EQ(flag.size(), 3u);
  EXPECT_EQ(flag[1], (std::pair<Cycle, std::uint64_t>{retired.front().cycle + 1, 0}));
  EXPECT_EQ(flag[2], (std::pair<Cycle, std::uint64_t>{retired[21].cycle + 1, 1}));
  EXPECT_EQ(run(Script().add("fa").add("90")).changes(State::interrupt_flag).size(), 1u);
}

TEST(Modes, PopfRestoresWhatPushfSaved) {
  const TraceLog log = run(Script()
                               .say("cpl 0")
                               .add("9c", "S 7ffc 4 dtlb=hit data=l1")
                               .add("fa")
                               .add("9d", "L 7ffc 4 dtlb=hit data=l1")
                               .add("90"));
  const auto& flag = log.changes(State::interrupt_flag);
  ASSERT_EQ(flag.size(), 3u);
  EXPECT_EQ(flag[1].second, 0u);
  EXPECT_EQ(flag[2].second, 1u);
}

std::vector<std::uint64_t> values_of(const TraceLog& log, State state) {
  std::vector<std::uint64_t> values;
  for (const auto& [cycle, value] : log.changes(state)) values.push_back(value);
  return values;
}

TEST(Modes, OperatingModesHaveTheirLevel) {
  constexpr std::uint64_t real = 1, virtual_8086 = 2, management = 3;
  using Values = std::vector<std::uint64_t>;
  const TraceLog log = run(Script()
                               .add("90")
                               .say("mode real")
                               .add("90")
                               .say("mode v86")
                               .add("90")
                               .say("mode protected")
                               .add("90")
                               .say("cpl 0")
                               .add("90"));
  EXPECT_EQ(values_of(log, State::operating_mode), (Values{0, real, virtual_8086, 0}));
  EXPECT_EQ(values_of(log, State::cpl), (Values{3, 0, 3, 0}));
  const TraceLog in_real_mode = run(Script().say("mode real").add(40, "90"));
  const auto first = in_real_mode.of(Signal::fetch).front().request,
             last = in_real_mode.of(Signal::fetch).back().request;
  EXPECT_EQ(first.cpl, 3u) << "made in the clock that changes the mode";
  EXPECT_EQ(last.cpl, 0u);
  EXPECT_EQ(last.mode, activity::OperatingMode::real);
  const auto entry = [=](const std::string& before, const std::string& directive) {
    const TraceLog taken = run(Script()
                                   .say("mode " + before)
                                   .add("90")
                                   .say(directive)
                                   .at(0x9000)
                                   .add("90")
                                   .say("return")
                                   .at(0x1001)
                                   .add("90"));
    EXPECT_EQ(taken.changes(State::operating_mode).back().second, before == "real" ? real : virtual_8086);
    return values_of(taken, State::operating_mode);
  };
  EXPECT_EQ(entry("real", "interrupt"), (Values{0, real})) << "the handler runs in real mode";
  EXPECT_EQ(entry("v86", "interrupt"), (Values{0, virtual_8086, 0, virtual_8086}));
  EXPECT_EQ(entry("v86", "smi"), (Values{0, virtual_8086, management, virtual_8086}));
  EXPECT_THROW(run(Script().say("mode v86").say("cpl 0").add("90")), core::CoreError);
}

TEST(Modes, InitStartsInRealMode) {
  const TraceLog log = run(Script().add("90").say("init").at(0x9000).add("90"));
  EXPECT_EQ(log.count(Signal::pin_assert), 1u);
  EXPECT_EQ(log.of(Signal::pin_assert)[0].detail, d::pin_init);
  EXPECT_EQ(log.count(Signal::trap), 0u);
  EXPECT_EQ(log.changes(State::operating_mode).back().second, 1u);
  EXPECT_EQ(log.changes(State::cpl).back().second, 0u);
  EXPECT_EQ(log.changes(State::interrupt_flag).back().second, 0u);
  EXPECT_EQ(log.count(Signal::retire), 2u);
}

TEST(Interrupts, EntryAndReturn) {
  // The nop retires in 9, the trap is taken at the start of 10, and the handler's fetch starts 30 clocks later.
  const std::string text = std::string(Script().add("90")) + "! interrupt vector=64\n" +
                           std::string(Script(0x9000).add("90")) + "! return\n" + std::string(Script(0x1001).add("90"));
  const TraceLog log = run(text);
  const auto traps = log.of(Signal::trap);
  ASSERT_EQ(traps.size(), 1u);
  EXPECT_EQ(traps[0].cycle, 10u);
  EXPECT_EQ(traps[0].detail, d::trap_maskable);
  EXPECT_EQ(log.at(State::cpl, 10), 3u);
  EXPECT_EQ(log.at(State::cpl, 11), 0u);
  EXPECT_EQ(log.at(State::interrupt_flag, 11), 0u);
  EXPECT_EQ(log.cycles(Signal::retire)[1], 10u + 30 + 9);
  EXPECT_EQ(log.changes(State::cpl).back().second, 3u);
  EXPECT_EQ(log.changes(State::interrupt_flag).back().second, 1u);
}

TEST(Interrupts, ReturnBehindAnIretOnlyExplainsTheJump) {
  // A non-maskable interrupt inside a handler: its IRET returns to the handler's CPL 0, IF 0; the directive after it
  // must not leave the handler as well.
  const std::string text = std::string(Script().add("90")) + "! interrupt\n" + std::string(Script(0x9000).add("90")) +
                           "! nmi\n" + std::string(Script(0xa000).add("cf")) + "! return\n" +
                           std::string(Script(0x9001).add("90"));
  const TraceLog log = run(text);
  EXPECT_EQ(log.count(Signal::trap), 2u);
  EXPECT_EQ(log.changes(State::cpl).back().second, 0u);
  EXPECT_EQ(log.changes(State::interrupt_flag).back().second, 0u);
}

TEST(Interrupts, Kinds) {
  const auto kind = [](const std::string& directive) {
    const TraceLog log = run(Script().add("90").say(directive).at(0x9000).add("90"));
    return log.of(Signal::trap).at(0).detail;
  };
  EXPECT_EQ(kind("interrupt"), d::trap_maskable);
  EXPECT_EQ(kind("interrupt vector=14"), d::trap_exception);
  EXPECT_EQ(kind("nmi"), d::trap_nmi);
  EXPECT_EQ(kind("smi"), d::trap_smi);
}

TEST(Interrupts, EntriesRetireTheirMicrocode) {
  const Script text = Script().add("90").say("interrupt").at(0x9000).add("90");
  const TraceLog plainly = run(text), with = run(text, plain({{"core.entry_operations", 7}}));
  EXPECT_EQ(with.count(Signal::operation_retire), plainly.count(Signal::operation_retire) + 7);
  const Cycle trap = with.of(Signal::trap).at(0).cycle;
  std::vector<std::uint16_t> amounts;  // from the clock of the entry on, one element a clock
  for (const LoggedOccurrence& h : with.of(Signal::operation_retire)) {
    if (h.cycle < trap || h.cycle >= trap + 3) continue;
    EXPECT_EQ(h.cycle, trap + amounts.size());
    amounts.push_back(h.amount);
  }
  EXPECT_EQ(amounts, (std::vector<std::uint16_t>{3, 3, 1}));
  EXPECT_EQ(with.cycles(Signal::retire), plainly.cycles(Signal::retire));
}

TEST(Interrupts, FetchRunsAheadOfOneItDoesNotKnow) {
  // A loop of known code: instructions fetched after the interrupted point are killed at the trap.
  Script text;
  text.add("90").add("90").go("ebfc", 0x1000).add("90").say("interrupt").at(0x9000).add("90");
  const TraceLog with = run(text);
  EXPECT_GE(with.count(Signal::kill), 1u);
  for (const LoggedOccurrence& h : with.of(Signal::kill)) EXPECT_TRUE(h.instruction.wrong_path);
  EXPECT_EQ(run(text, plain({{"core.wrong_path", 0}})).count(Signal::kill), 0u);
}

TEST(Interrupts, PinIsPendingUntilAccepted) {
  // The pin rises in the clock after fetch reaches the directive, here 1; it falls 5 clocks later.
  const TraceLog timed = run(Script().say("pin intr level=1 cycles=5").add("90"));
  EXPECT_EQ(timed.changes(State::interrupt_pending),
            (std::vector<std::pair<Cycle, std::uint64_t>>{{0, 0}, {1, 1}, {6, 0}}));
  const TraceLog taken = run(Script().say("pin intr level=1").add("90").say("interrupt").at(0x9000).add("90"));
  const Cycle trap = taken.of(Signal::trap).at(0).cycle;
  EXPECT_EQ(taken.at(State::interrupt_pending, trap), 1u);
  EXPECT_EQ(taken.at(State::interrupt_pending, trap + 1), 0u);
}

TEST(Clock, HaltStopsEverything) {
  for (const char* directive : {"halt cycles=500", "stop cycles=500"}) {
    const TraceLog log = run(Script().add("90").say(directive).add("90"));
    EXPECT_EQ(log.end() - log.cycles_with(State::clock, 1), 500u);
    EXPECT_EQ(log.changes(State::clock), (std::vector<std::pair<Cycle, std::uint64_t>>{{0, 1}, {11, 0}, {511, 1}}));
    EXPECT_EQ(log.cycles(Signal::retire), (std::vector<Cycle>{9, 520}));
  }
}

TEST(Clock, IdleKeepsItRunning) {
  const TraceLog log = run(Script().add("90").say("idle cycles=500").add("90"));
  EXPECT_EQ(log.cycles_with(State::clock, 1), log.end());
  EXPECT_EQ(log.cycles(Signal::retire), (std::vector<Cycle>{9, 10 + 500 + 9}));
}

TEST(Clock, IdleCyclesAddUpAndWhatFollowsWaits) {
  const auto retired = [](const Script& s) { return run(s).cycles(Signal::retire); };
  const Cycle second = 10 + 500 + 9;
  EXPECT_EQ(retired(Script().add("90").say("idle cycles=200").say("idle cycles=300").add("90")).at(1), second);
  const TraceLog pin = run(Script().add("90").say("idle cycles=500").say("pin intr level=1").add("90"));
  EXPECT_EQ(pin.changes(State::interrupt_pending).at(1), (std::pair<Cycle, std::uint64_t>{510 + 1, 1}));
  EXPECT_EQ(pin.cycles(Signal::retire).at(1), second);
  // Also after the last instruction.
  const auto end = [](const char* idle) { return run(Script().add("90").say(idle)).end(); };
  EXPECT_EQ(end("idle cycles=500"), end("idle cycles=300") + 200);
}

TEST(Process, IsAStateAndEmptiesTheTlbs) {
  const std::string load = "L 8000 4 data=l1";
  const TraceLog log = run(Script().add("8b03", load).say("process 7").add("8b03", load));
  EXPECT_EQ(log.changes(State::process).back().second, 7u);
  EXPECT_EQ(log.count(Signal::translation, d::side_data | d::tlb_walk), 2u);
  EXPECT_EQ(run(Script().add("8b03", load).add("8b03", load)).count(Signal::translation, d::side_data), 1u);
}

TEST(Snoops, HitOnCodeInFlightRestarts) {
  // The code arrives from the system in L1I; an invalidation of its line finds it there, and the nops in flight.
  std::string text =
      "1000 8b03 L 8000 4 dtlb=hit itlb=hit\n1002 90 itlb=hit\n! snoop kind=invalidate addr=1000\n1003 90\n";
  const TraceLog log = run(text);
  EXPECT_EQ(log.of(Signal::snoop).at(0).detail, d::snoop_hits_l1i | d::snoop_invalidates);
  EXPECT_EQ(log.count(Signal::resync, d::resync_snoop), 1u);
  EXPECT_EQ(log.count(Signal::retire), 3u);
  EXPECT_EQ(log.count(Signal::fetch, d::lookup_miss), 2u);
}

TEST(SelfModification, StoreIntoCodeInFlight) {
  // The store hits the nop after it: detected at its probe, restart when it retires; later instructions wait.
  const TraceLog log = run(Script().add("8903", "S 1002 1 dtlb=hit data=l1").add(40, "90"));
  const auto stores = log.of(Signal::code_store);
  ASSERT_EQ(stores.size(), 1u);
  EXPECT_EQ(stores[0].cycle, 9u);
  EXPECT_EQ(stores[0].request.address, 0x1002u);
  const auto resyncs = log.of(Signal::resync, d::resync_code_store);
  ASSERT_EQ(resyncs.size(), 1u);
  EXPECT_EQ(resyncs[0].cycle, log.cycles(Signal::retire)[0]);
  EXPECT_EQ(log.count(Signal::retire), 41u);
  EXPECT_GE(log.count(Signal::kill), 2u);
  EXPECT_GE(log.cycles_with(State::dispatch_hold, activity::dispatch_hold::far_or_resync), 1u);
  EXPECT_EQ(run(Script().add("8903", "S 1102 1 dtlb=hit data=l1").add(40, "90")).count(Signal::code_store), 0u);
}

TEST(Registers, AccessedInTheRetireCycle) {
  auto core = core_of(Script().add("0f30", "wr=PerfEvtSel0:4300c0").add("0f33", "rd=PerfCtr0"), plain());
  activity::Block block;
  block.restart(0);
  while (core->run(100000, block)) {
  }
  ASSERT_EQ(block.accesses.size(), 2u);
  EXPECT_STREQ(block.accesses[0].name.data(), "PerfEvtSel0");
  EXPECT_TRUE(block.accesses[0].write);
  EXPECT_EQ(block.accesses[0].value, 0x4300c0u);
  EXPECT_EQ(block.accesses[0].at, block.column(Signal::retire)[0].at);
  EXPECT_FALSE(block.accesses[1].write);
  EXPECT_EQ(block.column(Signal::register_access).size(), 2u);
}

TEST(Errors, NameThePlace) {
  const auto message = [](const std::string& text) { return error_of<core::CoreError>([&] { (void)run(text); }); };
  EXPECT_NE(message("! msr pr=1\n1000 90\n").find("trace line 1: '! msr'"), std::string::npos);
  EXPECT_NE(message("1000 90\n! snoop kind=sideways addr=10\n1001 90\n").find("trace line 2"), std::string::npos);
  EXPECT_NE(message("1000 90\n! pin smi level=1\n1001 90\n").find("intr"), std::string::npos);
  EXPECT_EQ(message("1000 90\n"), "");
}

TEST(Perturbing, InterruptRunsItsHandlerAndComesBack) {
  Script text;
  text.add(60, "90");
  auto core = core_of(text, plain());
  Steps<TraceLog> steps(*core);
  const TraceLog& log = steps.log;
  ASSERT_TRUE(steps.run(12));
  core->take_interrupt(5);
  EXPECT_TRUE(core->in_handler());
  steps.finish(7);
  EXPECT_FALSE(core->in_handler());
  EXPECT_EQ(core->retired(), 60u);
  const auto traps = log.of(Signal::trap);
  ASSERT_EQ(traps.size(), 1u);
  EXPECT_EQ(traps[0].cycle, 12u);
  EXPECT_NE(traps[0].detail & d::trap_monitor, 0);
  EXPECT_EQ(log.count(Signal::retire), 65u);  // 60 of the program and 5 of the handler
  std::uint64_t next = 0;
  for (const LoggedOccurrence& h : log.of(Signal::retire)) {
    if (h.instruction.ip < 0x2000) {
      EXPECT_EQ(h.instruction.id, next++);
    }
  }
  const auto& levels = log.changes(State::cpl);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[1], (std::pair<Cycle, std::uint64_t>{13, 0}));
  EXPECT_EQ(levels[2].second, 3u);
}

TEST(Perturbing, StringInstructionGoesOnWithTheRestOfItsIterations) {
  std::string text;
  for (unsigned i = 0; i < 40; ++i) {
    const std::string at = std::to_string(2000 + i);
    text += hit(0x1000, "f3a4", "L " + at + " 1 S 3" + at.substr(1) + " 1 T 1000 dtlb=hit data=l1");
  }
  text += hit(0x1000, "f3a4") + hit(0x1002, "90");
  auto core = core_of(text, plain());
  Steps<TraceLog> steps(*core);
  const TraceLog& log = steps.log;
  ASSERT_TRUE(steps.run(20));  // one iteration a clock, from the tenth clock on at the latest
  ASSERT_NE(log.count(Signal::operation_retire), 0u);
  ASSERT_EQ(log.count(Signal::retire), 0u);
  core->take_interrupt(5);
  steps.finish(100);
  EXPECT_FALSE(core->in_handler());
  EXPECT_EQ(core->retired(), 2u);
  std::vector<std::uint64_t> ids;
  for (const LoggedOccurrence& h : log.of(Signal::retire)) {
    if (h.instruction.ip < 0x2000) ids.push_back(h.instruction.id);
  }
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{0, 1}));
}

}  // namespace
}  // namespace pmusim::testbench::athlon
