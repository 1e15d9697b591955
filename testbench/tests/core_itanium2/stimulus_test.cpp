// Directives, and the interrupts of perturbing mode.
#include <fmt/format.h>

#include <algorithm>

#include "models/core/core.h"
#include "record.h"

namespace pmusim::testbench::ia64 {
namespace {

// The first slot, an interrupt, a bundle of the handler, the return, the other two slots: six instructions. A branch
// that is not reached does not retire.
TEST(Slots, WhatIsNotReachedDoesNotRetire) {
  constexpr std::uint64_t handler = 0xe000000000000000;
  const std::string with_branch = bundle(stop(mib), nop, nop, br_dptk(64));
  for (const std::string& bytes : {bundle(stop(mmi), nop, nop, nop), with_branch}) {
    const Record r = run(Script()
                             .add(bytes, "", "x--")
                             .say("interrupt")
                             .at(handler)
                             .add(bundle(stop(mmi), nop, nop, nop))
                             .say("return")
                             .at(Script::start)
                             .add(bytes, "", "-xx"));
    EXPECT_EQ(r.count(Signal::retire), 6u);
    EXPECT_EQ(r.retired(), 3u) << "lines of the trace";
  }
  for (const char* mask : {"x--", "xx-", "-x-", "--x"}) {
    const Record r = run(Script().add(with_branch, "", mask));
    const auto reached = static_cast<unsigned>(std::count(mask, mask + 3, 'x'));
    EXPECT_EQ(r.count(Signal::retire), reached) << mask;
    EXPECT_EQ(r.count(Signal::dispatch), reached) << mask;
    for (const Ia64Occurrence& h : r.of(Signal::retire))
      EXPECT_EQ(h.syllable.has(act::Kind::branch), mask[2] == 'x' && h.instruction.slot == 2) << mask;
  }
}

namespace d = activity::detail;
namespace dd = act::detail;
namespace psr = act::psr;

std::uint64_t user_psr() { return static_cast<std::uint64_t>(core::itanium2_parameters().get("core.psr")); }

TEST(Modes, LevelsAndPsrBits) {
  const Record r = run(Script().add(nops).say("cpl 1").say("psr up=0 sp=1").add(nops).say("psr up=1 pp=0").add(nops));
  EXPECT_EQ(r.at(State::cpl, 0), 3u);
  EXPECT_EQ(r.at(State::cpl, r.end() - 1), 1u);
  std::vector<std::uint64_t> values;
  for (const auto& [cycle, value] : r.changes(State::psr)) values.push_back(value);
  const std::uint64_t up_off = (user_psr() & ~psr::up) | psr::sp;
  EXPECT_EQ(values, (std::vector<std::uint64_t>{user_psr(), up_off, (up_off | psr::up) & ~psr::pp}));
}

TEST(Modes, BreakpointsAndDeferral) {
  const Record r = run(Script().add(nops).say("psr db=1").add(nops).say("psr db=0").say("dcr pp=1").add(nops));
  EXPECT_GT(r.cycles_in(State::psr, psr::db, psr::db), 0u);
  EXPECT_EQ(r.at(State::psr, r.end() - 1) & psr::db, 0u);
  EXPECT_EQ(r.at(State::dcr, r.end() - 1), 1u);
}

TEST(Modes, ChangeBehindTheLastOldInstruction) {
  // The last older instruction retires in the cycle in which the directive acts: it keeps its level.
  const Record r = run(Script().add(nops).say("cpl 1").add(nops));
  const auto& retired = r.of(Signal::retire);
  EXPECT_EQ(r.at(State::cpl, retired[2].cycle), 3u);
  EXPECT_EQ(r.at(State::cpl, retired[3].cycle), 1u);
  EXPECT_EQ(r.changes(State::cpl)[1].first, retired[2].cycle + 1);
}

TEST(Modes, SumAndRumChangeTheUserMask) {
  const Record r = run(Script()
                           .add(bundle(stop(mmi), rum_up, nop, nop))
                           .repeat(3, nops)
                           .add(bundle(stop(mmi), sum_up, nop, nop))
                           .repeat(3, nops));
  std::vector<std::uint64_t> values;
  for (const auto& [cycle, value] : r.changes(State::psr)) values.push_back(value);
  EXPECT_EQ(values, (std::vector<std::uint64_t>{user_psr(), user_psr() & ~psr::up, user_psr()}));
  // With PSR.sp set, a user program may not change it.
  const Record secure = run(Script().say("psr sp=1").add(bundle(stop(mmi), rum_up, nop, nop)).repeat(3, nops));
  EXPECT_NE(secure.at(State::psr, secure.end() - 1) & psr::up, 0u);
  const Record open = run(Script().say("psr sp=1").add(bundle(stop(mmi), rum_up, nop, nop)).repeat(3, nops),
                          plain({{"core.secure_user_mask", 1}}));
  EXPECT_EQ(open.at(State::psr, open.end() - 1) & psr::up, 0u);
}

TEST(Modes, AnInterruptionClearsTheSecureBitOrKeepsIt) {
  for (const std::int64_t kept : {0, 1}) {
    const Record r = run(Script().say("psr sp=1").add(nops).say("interrupt").at(0xe000000000000000).add(nops),
                         plain({{"core.entry_sp", kept}}));
    const Cycle entry = r.changes(State::cpl).at(1).first;
    EXPECT_NE(r.at(State::psr, entry - 1) & psr::sp, 0u);
    EXPECT_EQ((r.at(State::psr, entry) & psr::sp) != 0, kept == 1);
  }
}

TEST(Modes, InterruptAndReturn) {
  for (const std::int64_t dcr : {0, 1}) {
    const Record r = run(Script()
                             .add(nops)
                             .say("interrupt vector=32")
                             .at(0xe000000000000000)
                             .add(nops)
                             .say("return")
                             .at(Script::start + 16)
                             .add(nops),
                         plain({{"core.dcr", dcr}}));
    ASSERT_EQ(r.count(Signal::trap), 1u);
    EXPECT_EQ(r.of(Signal::trap)[0].detail, d::trap_maskable);
    EXPECT_EQ(r.count(Signal::retire), 9u);
    ASSERT_EQ(r.changes(State::cpl).size(), 3u);  // 3, 0, 3
    const Cycle entry = r.changes(State::cpl)[1].first;
    const std::uint64_t inside = r.at(State::psr, entry);
    EXPECT_EQ(inside & (psr::i | psr::sp | psr::is), 0u);
    EXPECT_EQ((inside & psr::pp) != 0, dcr == 1);
    EXPECT_EQ(inside & psr::up, user_psr() & psr::up);
    EXPECT_EQ(r.at(State::psr, r.end() - 1), user_psr());
    EXPECT_EQ(r.cycles_in(State::back_end, act::back_end(act::BackEnd::flush, act::cause::interruption)), 16u);
  }
}

TEST(Modes, ABreakEntersTheSystemAndComesBack) {
  const Record r = run(Script().add(bundle(stop(mmi), break_m, nop, nop)).add(nops));
  EXPECT_EQ(r.count(Signal::trap, d::trap_exception), 1u);
  EXPECT_EQ(r.count(Signal::retire), 5u);  // a break does not retire
  EXPECT_EQ(r.changes(State::cpl).size(), 3u);
  EXPECT_EQ(r.retired(), 2u);
}

TEST(Modes, Ia32CodeRetiresWhileTheTraceIsIdle) {
  const Record r = run(Script().add(nops).say("mode ia32").say("idle cycles=40").say("mode native").add(nops));
  // 40 clocks, two instructions in every fourth.
  EXPECT_EQ(r.of(Signal::ia32_retire).size(), 40u);
  EXPECT_EQ(r.count(Signal::ia32_retire), 50u);
  EXPECT_EQ(r.changes(State::psr).size(), 3u);
}

TEST(Clock, StopsInHalt) {
  const Record r = run(Script().add(nops).say("halt cycles=100").add(nops));
  EXPECT_EQ(r.cycles_in(State::clock, 0), 100u);
  EXPECT_EQ(r.count(Signal::retire), 6u);
}

TEST(Pins, AreLevels) {
  const Record r = run(Script()
                           .add(nops)
                           .say("pin dp2 level=1 cycles=10")
                           .say("pin dp4 level=1")
                           .repeat(30, nops)
                           .say("pin dp4 level=0")
                           .add(nops));
  ASSERT_EQ(r.count(Signal::pin_assert), 2u);
  EXPECT_EQ(r.of(Signal::pin_assert)[0].detail, 2u);
  EXPECT_EQ(r.cycles_in(State::pins, 0x4, 0x4), 10u);
  EXPECT_GT(r.cycles_in(State::pins, 0x10, 0x10), 10u);
  EXPECT_EQ(r.at(State::pins, r.end() - 1), 0u);
}

TEST(Outside, BusTransactionsOfOtherAgents) {
  const std::vector<std::string> kinds = {
      "read_line",  "read_invalidate_line", "invalidate_line", "read_current", "read_partial",
      "write_line", "write_partial",        "io_read",         "io_write",     "lock",
      "other"};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (const std::string agent : {"any", "io"}) {
      const Record r = run(Script().add(nops).say("bus kind=" + kinds[k] + " addr=1000 agent=" + agent).add(nops));
      ASSERT_EQ(r.count(Signal::bus_transaction), 1u);
      const std::uint16_t detail = r.of(Signal::bus_transaction)[0].detail;
      EXPECT_EQ(detail & dd::bus_kind_mask, k);
      EXPECT_EQ(detail >> dd::bus_agent_shift & 3,
                static_cast<unsigned>(agent == "io" ? act::BusAgent::io : act::BusAgent::other_processor));
      EXPECT_EQ(r.count(Signal::bus_snoop), k <= 6 ? 1u : 0u) << "memory transactions are snooped";
    }
  }
}

TEST(Outside, WhatIa32CodeDoesOnTheBus) {
  // The I/O and locked transactions of IA-32 code are not in a trace.
  for (const std::string kind : {"io_read", "io_write", "lock"}) {
    const Record r = run(Script().add(nops).say("bus kind=" + kind + " addr=1000 agent=self").add(nops));
    ASSERT_EQ(r.count(Signal::bus_transaction), 1u);
    EXPECT_EQ(r.of(Signal::bus_transaction)[0].detail >> dd::bus_agent_shift & 3,
              static_cast<unsigned>(act::BusAgent::self));
  }
  EXPECT_THROW(run(Script().say("bus kind=read_line addr=1000 agent=self").add(nops)), core::CoreError);
  EXPECT_THROW(run(Script().say("bus kind=io_read addr=1000 agent=core").add(nops)), core::CoreError);
}

TEST(Outside, UncacheableMemoryGoesToTheBus) {
  Script s;
  s.say(fmt::format("memory addr={:x} size=4096 type=uc", data));
  s.add(one_load, fmt::format("L0 {:x} 8 dtlb=hit", data)).add(one_store, fmt::format("S0 {:x} 8 dtlb=hit", data + 8));
  const Record r = run(s);
  ASSERT_EQ(r.count(Signal::bus_transaction), 2u);
  EXPECT_EQ(r.of(Signal::bus_transaction)[0].detail & dd::bus_kind_mask,
            static_cast<unsigned>(act::BusKind::read_partial));
  EXPECT_EQ(r.of(Signal::bus_transaction)[1].detail & dd::bus_kind_mask,
            static_cast<unsigned>(act::BusKind::write_partial));
  EXPECT_EQ(r.count(Signal::dcache_lookup), 0u);
}

TEST(Outside, TheBusRatioCountsClocks) {
  // A line takes four bus clocks of data; a bus clock is marked in its first core cycle.
  for (const unsigned ratio : {2u, 5u, 9u}) {
    const Record r = run(Script()
                             .say(fmt::format("tb ratio={}", ratio))
                             .add(one_load, fmt::format("L0 {:x} 8 dtlb=hit", data))
                             .repeat(2, nops));
    EXPECT_EQ(r.cycles_in(State::bus_clocks, act::bus_clocks::data, act::bus_clocks::data), 4u) << ratio;
    EXPECT_EQ(r.at(State::bus_ratio, r.end() - 1), std::uint64_t{ratio} << 16 | 1);
    for (const auto& [cycle, value] : r.changes(State::bus_clocks)) {
      if ((value & act::bus_clocks::data) != 0) {
        EXPECT_EQ(cycle % ratio, 0u);
      }
    }
  }
}

TEST(Registers, ProgramsMayReachThePmu) {
  const Record r = run(Script().add(nops, "rd=pmd4 wr=pmc4:0x12").add(nops));
  ASSERT_EQ(r.accesses().size(), 2u);
  EXPECT_EQ(std::string(r.accesses()[0].name.data()), "pmd4");
  EXPECT_TRUE(r.accesses()[1].write);
  EXPECT_EQ(r.accesses()[1].value, 0x12u);
  EXPECT_EQ(r.count(Signal::register_access), 2u);
}

TEST(Perturbing, TheHandlerRunsAndTheProgramGoesOn) {
  Script s;
  s.repeat(40, nops);
  auto core = core_of(s.text());
  Steps<Record> steps(*core);
  const Record& r = steps.log;
  EXPECT_TRUE(steps.run(20));
  core->take_interrupt(10);
  EXPECT_TRUE(core->in_handler());
  steps.finish(7);
  EXPECT_FALSE(core->in_handler());
  EXPECT_EQ(core->retired(), 40u);
  EXPECT_EQ(r.count(Signal::trap, d::trap_monitor | d::trap_maskable), 1u);
  EXPECT_EQ(r.count(Signal::retire), 120u + 12);  // whole bundles of the handler
  EXPECT_EQ(r.changes(State::cpl).size(), 3u);
  std::uint64_t supervisor = 0;
  for (const Ia64Occurrence& h : r.of(Signal::retire)) supervisor += r.at(State::cpl, h.cycle) == 0 ? 1 : 0;
  EXPECT_EQ(supervisor, 12u);
}

TEST(Perturbing, AnInterruptWaitsForTheHandlerOfTheOneBefore) {
  Script s;
  s.repeat(40, nops);
  constexpr std::uint64_t first = 10, second = 3;  // instructions: four bundles, and one
  for (Cycle later = 1; later < 40; ++later) {
    SCOPED_TRACE(later);
    auto core = core_of(s.text());
    Steps<Record> steps(*core);
    const Record& r = steps.log;
    EXPECT_TRUE(steps.run(20));
    core->take_interrupt(first);
    (void)steps.run(later);
    const bool in_first = core->in_handler() && r.count(Signal::trap) == 1;
    const bool merged = r.count(Signal::trap) == 0;
    core->take_interrupt(second);
    steps.finish(7);
    EXPECT_FALSE(core->in_handler());
    EXPECT_EQ(core->retired(), 40u);
    EXPECT_EQ(r.count(Signal::trap, d::trap_monitor), merged ? 1u : 2u);
    EXPECT_EQ(r.count(Signal::retire), 40u * 3 + (merged ? 3 : 12 + 3));
    if (!in_first) continue;
    // The level falls once and rises once: no instruction of the program executes between the two handlers. Each costs
    // a flush.
    EXPECT_EQ(r.changes(State::cpl).size(), 3u);
    const Cycle flush = static_cast<Cycle>(plain().get("core.interruption_flush"));
    const auto traps = r.cycles(Signal::trap);
    ASSERT_EQ(traps.size(), 2u);
    for (const Cycle trap : traps) {
      for (Cycle c = trap; c < trap + flush; ++c)
        EXPECT_EQ(r.at(State::back_end, c), act::back_end(act::BackEnd::flush, act::cause::interruption)) << c;
    }
  }
}

TEST(Directives, IdleCyclesAddUpAndWhatFollowsWaits) {
  const auto length = [](std::initializer_list<const char*> directives, const char* mode = "mode native") {
    Script s;
    s.say(mode);
    for (const char* directive : directives) s.say(directive);
    return run(s.say("mode native").repeat(2, nops));
  };
  const Record whole = length({"idle cycles=60"});
  EXPECT_EQ(length({"idle cycles=25", "idle cycles=35"}).end(), whole.end());
  EXPECT_EQ(length({"idle cycles=20", "idle cycles=20", "idle cycles=20"}).end(), whole.end());
  EXPECT_EQ(length({"idle cycles=1"}).end() + 59, whole.end());
  // In IA-32 mode the same number of instructions retires.
  EXPECT_EQ(length({"idle cycles=25", "idle cycles=35"}, "mode ia32").count(Signal::ia32_retire),
            length({"idle cycles=60"}, "mode ia32").count(Signal::ia32_retire));
  const auto pin_at = [&](const Record& r) { return r.cycles(Signal::pin_assert).at(0); };
  EXPECT_EQ(pin_at(length({"idle cycles=60", "pin dp0 level=1"})),
            pin_at(length({"pin dp0 level=1"})) + 61);  // the cycle of the directive, and 60
}

TEST(Errors, OfIa64NameThePlace) {
  const auto message = [](const Script& s) { return error_of<core::CoreError>([&] { (void)run(s); }); };
  EXPECT_NE(message(Script().say("if 1").add(nops)).find("trace line 1: '! if': an IA-64 core takes"),
            std::string::npos);
  EXPECT_NE(message(Script().say("cpl 3").say("pin reset level=1").add(nops)).find("trace line 2"), std::string::npos);
  EXPECT_NE(message(Script().say("thread 7").add(nops)).find("0 or 1"), std::string::npos);
}

TEST(Errors, ParametersMustFit) {
  EXPECT_THROW(core_of(Script().add(nops).text(), plain({{"core.l2_ways", 7}})), models::ParameterError);
  EXPECT_THROW(core_of(Script().add(nops).text(), plain({{"core.branch_flush", 2}, {"core.wrong_path_cycles", 2}})),
               models::ParameterError);
}

TEST(Directives, TheThreadIsAState) {
  const Record r = run(Script().add(nops).say("thread 1").add(nops));
  EXPECT_EQ(r.at(State::thread, 0), 0u);
  EXPECT_EQ(r.at(State::thread, r.end() - 1), 1u);
}

}  // namespace
}  // namespace pmusim::testbench::ia64
