// PALcode flows, modes, directives and interrupts of the in-order chips, with cycles computed by hand. The flow of a TB
// miss has 20 PALmode cycles (21164) or 30 (21064); its instructions issue one a cycle at its end.
#include <gtest/gtest.h>

#include <set>

#include "alpha_log.h"
#include "models/core/alpha/alpha.h"
#include "models/core/core.h"

namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
using act::IssueStall;
using act::SystemCommand;
using act::Trap;

/// A load whose page is not in the DTB; the page of the page table is there since the load before.
std::string second_page() {
  return Script().load(ldq(3, 9), 0x8000, 8, "data=l1").load(ldq(4, 9), 0xa000, 8, "data=l1").add(addq(4, 4, 5));
}

TEST(InOrderFlow, DtbMisses) {
  const AlphaLog log = ev5(second_page());
  // Issue in 3, PALmode from 4. The first of the flow's ten instructions issues in 4 + 10 and reads the page table,
  // which misses the DTB, too: 20 cycles for the nested flow, then the ten, the last in 44. Fetch in 45, issue in 48.
  // The flow of the second load takes 20 cycles.
  EXPECT_EQ(cycles_of(log, Signal::pal_entry, Trap::dtb_single), (Cycles{3, 48}));
  EXPECT_EQ(cycles_of(log, Signal::pal_entry, Trap::dtb_double_3), (Cycles{14}));
  EXPECT_TRUE(log.of(Signal::pal_entry)[1].more.pal) << "it is the flow's read that misses";
  EXPECT_EQ(log.cycles(Signal::issue, 0), (Cycles{3, 48}));
  EXPECT_EQ(log.cycles(Signal::kill, 0), (Cycles{3}));
  EXPECT_EQ(log.cycles(Signal::issue, 1), (Cycles{48, 48 + 20 + 1 + 3}));
  EXPECT_EQ(log.cycles_with(State::pal_mode), 61u);
  EXPECT_EQ(log.at(State::pal_mode, 3), 0u);
  EXPECT_EQ(log.at(State::pal_mode, 4), 1u);
  EXPECT_EQ(log.at(State::pal_mode, 44), 1u);
  EXPECT_EQ(log.at(State::pal_mode, 45), 0u);
  EXPECT_EQ(cycles_of(log, Signal::translation, d::side_data | d::tlb_walk).size(), 2u);
  EXPECT_EQ(log.retired(), 3u);
  EXPECT_EQ(ev4(second_page()).cycles_with(State::pal_mode), 61u + 30u);
}

TEST(InOrderFlow, ItsInstructionsIssueAtItsEnd) {
  const AlphaLog log = ev5(second_page());
  Cycles pal;
  unsigned returns = 0;
  for (const AlphaOccurrence& h : log.of(Signal::issue)) {
    if (!h.more.pal) continue;
    pal.push_back(h.cycle);
    returns += h.more.has(act::Kind::pal_return) ? 1 : 0;
    EXPECT_EQ(stall_at(log, h.cycle), IssueStall::issuing);
  }
  Cycles expected{14};                                     // misses the DTB
  for (Cycle c = 25; c <= 34; ++c) expected.push_back(c);  // the nested flow
  for (Cycle c = 35; c <= 44; ++c) expected.push_back(c);
  for (Cycle c = 59; c <= 68; ++c) expected.push_back(c);
  EXPECT_EQ(pal, expected);
  EXPECT_EQ(returns, 3u);
  EXPECT_EQ(stall_at(log, 20), IssueStall::trap);
  EXPECT_EQ(log.count(Signal::issue), log.count(Signal::retire) + log.count(Signal::kill));
}

TEST(InOrderFlow, WhatThePredecessorsDid) {
  struct Case {
    const char* what;
    std::string text;
    Trap cause;
    unsigned issues;  ///< issues of the instruction: 2 if it is executed again
    unsigned traps;   ///< entries of the operating system
  };
  const std::string ldbu = memory(0x0a, 3, 9);  // BWX
  const Case cases[] = {
      {"unaligned", Script().load(ldq(3, 9), 0x8004), Trap::unaligned, 1, 1},
      {"page fault", Script().load(ldq(3, 9), 0x8000, 8, "dtlb=fault data=l1"), Trap::dstream_fault, 2, 1},
      {"arithmetic", Script().add(addt(1, 2, 3), "trap=arithmetic"), Trap::arithmetic, 1, 1},
      {"no floating point", Script().say("pcb fen=0").add(addt(1, 2, 3)), Trap::fp_disabled, 2, 1},
      {"no BWX on the 21064", Script().load(ldbu, 0x8001, 1), Trap::opcdec, 1, 1},
      {"call_pal", Script().add(word(0x83)), Trap::call_pal, 1, 0},
  };
  for (const Case& c : cases) {
    const AlphaLog log = ev4(c.text);
    EXPECT_EQ(cycles_of(log, Signal::pal_entry, c.cause).size(), 1u) << c.what;
    EXPECT_EQ(log.count(Signal::pal_entry), 1u) << c.what;
    EXPECT_EQ(log.cycles(Signal::issue, 0).size(), c.issues) << c.what;
    EXPECT_EQ(log.cycles(Signal::retire, 0).size(), 1u) << c.what;
    EXPECT_EQ(log.count(Signal::trap), c.traps) << c.what;
    EXPECT_EQ(log.retired(), 1u) << c.what;
  }
  EXPECT_EQ(ev5(cases[4].text).count(Signal::pal_entry), 0u) << "the 21164A has BWX";
}

TEST(InOrderFlow, PalcodeInTheTraceItself) {
  const std::string hw_rei = word(0x1eu << 26 | 0x3ff8000);
  const AlphaLog log = ev5(Script()
                               .add(nop())
                               .add(word(0x83))
                               .say("mode pal")
                               .say("switch")
                               .at(0x14000)
                               .add(addq(1, 2, 3))
                               .go(hw_rei, 0x1008)
                               .say("mode native")
                               .add(nop()));
  EXPECT_EQ(log.retired(), 5u);
  const auto& issued = log.of(Signal::issue);
  ASSERT_EQ(issued.size(), 5u) << "no made-up flow";
  for (std::size_t i = 0; i < issued.size(); ++i) EXPECT_EQ(issued[i].more.pal, i == 2 || i == 3) << i;
  EXPECT_GT(log.cycles_with(State::pal_mode), 0u);
}

// --- modes and directives ------------------------------------------------------------------------------------------

TEST(InOrderOutside, AnInterruptAndTheWayBack) {
  const AlphaLog log = ev5(Script()
                               .say("ipl 3")
                               .add(nop())
                               .say("interrupt")
                               .at(0x9000)
                               .add(nop())
                               .say("ipl 7")
                               .add(nop())
                               .say("return")
                               .at(0x1004)
                               .add(nop()));
  ASSERT_EQ(log.count(Signal::trap), 1u);
  const Cycle entry = cycles_of(log, Signal::pal_entry, Trap::interrupt).at(0), trap = log.cycles(Signal::trap)[0];
  EXPECT_EQ(trap, entry + 40);
  EXPECT_EQ(log.of(Signal::trap)[0].detail, d::trap_maskable);
  EXPECT_EQ(log.at(State::cpl, trap), 3u);
  EXPECT_EQ(log.at(State::cpl, trap + 1), 0u);
  EXPECT_EQ(log.at(State::ipl, trap + 1), 5u);
  EXPECT_EQ(log.at(State::ipl, issue_of(log, 2)), 7u);
  EXPECT_EQ(log.at(State::cpl, issue_of(log, 3)), 3u);
  EXPECT_EQ(log.at(State::ipl, issue_of(log, 3)), 3u);
}

TEST(InOrderOutside, StatesThatDirectivesSet) {
  const AlphaLog log = ev5(Script()
                               .add(nop())
                               .say("process 7")
                               .say("pcb pme=1 asn=3")
                               .say("cpl 0")
                               .add(nop())
                               .say("idle cycles=20")
                               .add(nop())
                               .say("halt cycles=30")
                               .add(nop()));
  const Cycle second = issue_of(log, 1);
  EXPECT_EQ(log.at(State::process, 0), 0u);
  EXPECT_EQ(log.at(State::process, second), 7u);
  EXPECT_EQ(log.at(State::process_marked, 3), 0u);
  EXPECT_EQ(log.at(State::process_marked, second), 1u);
  EXPECT_EQ(log.at(State::cpl, 0), 3u);
  EXPECT_EQ(log.at(State::cpl, second), 0u);
  EXPECT_EQ(log.cycles_with(State::idle_thread), 20u);
  EXPECT_EQ(log.end() - log.cycles_with(State::clock), 30u);
  EXPECT_EQ(log.retired(), 4u);
}

TEST(InOrderOutside, Pins) {
  const AlphaLog log =
      ev4(Script().say("pin perf_mon_h level=1 cycles=5").say("pin 1 level=1 cycles=7").add(12, addq(1, 1, 1)));
  EXPECT_EQ(cycles_of(log, Signal::pin_assert, 0).size(), 1u);
  EXPECT_EQ(cycles_of(log, Signal::pin_assert, 1).size(), 1u);
  EXPECT_EQ(log.at(State::pins, 4), 3u);
  EXPECT_EQ(log.at(State::pins, 5), 2u);
  EXPECT_EQ(log.at(State::pins, 6), 2u);
  EXPECT_EQ(log.at(State::pins, 7), 0u);
}

TEST(InOrderOutside, AParityErrorCostsTheLine) {
  // Two iterations of a loop in one line: the second fetch hits, unless the line had a parity error.
  const auto text = [](const char* before_second) {
    std::string text = "1000 " + br(-1) + " T 1000\n";
    return text + before_second + "1000 " + br(-1) + "\n";
  };
  EXPECT_EQ(cycles_of(ev5(text("")), Signal::fetch, d::lookup_miss).size(), 1u);
  EXPECT_EQ(cycles_of(ev5(text("! parity addr=1008\n")), Signal::fetch, d::lookup_miss).size(), 2u);
  EXPECT_EQ(cycles_of(ev5(text("! parity addr=1020\n")), Signal::fetch, d::lookup_miss).size(), 1u);
}

TEST(InOrderOutside, SystemCommands) {
  const AlphaLog log = ev5(Script()
                               .say("state addr=8000 line=M")
                               .say("snoop kind=read addr=8000")
                               .say("snoop kind=flush addr=8000")
                               .say("snoop kind=read addr=8000")
                               .say("bus kind=invalidate addr=9000 agent=io")
                               .add(nop()));
  const auto& commands = log.of(Signal::system_command);
  ASSERT_EQ(commands.size(), 4u);
  const auto detail = [](SystemCommand c, bool hit) {
    return static_cast<unsigned>(c) | (hit ? act::detail::system_hit : 0u);
  };
  EXPECT_EQ(commands[0].detail, detail(SystemCommand::read, true));
  EXPECT_EQ(commands[1].detail, detail(SystemCommand::flush, true));
  EXPECT_EQ(commands[2].detail, detail(SystemCommand::read, false)) << "flushed";
  EXPECT_EQ(commands[3].detail, detail(SystemCommand::invalidate, false));
}

TEST(InOrderOutside, WrongDirectivesAreToldWithTheirPlace) {
  const auto error = [](const std::string& text) { return error_of<core::CoreError>([&] { (void)ev5(text); }); };
  EXPECT_NE(error(Script().say("psr up=1").add(nop())).find("Alphas take"), std::string::npos);
  EXPECT_NE(error(Script().say("return").at(0x1000).add(nop())).find("nothing to return from"), std::string::npos);
  EXPECT_NE(error(Script().say("snoop kind=clean addr=0").add(nop())).find("'clean' is none of"), std::string::npos);
  EXPECT_NE(error(Script().say("pin 9 level=1").add(nop())).find("9"), std::string::npos);
}

TEST(InOrderOutside, OutcomesThatNoInstructionHasAreRefused) {
  const auto error = [](Factory make, const models::Parameters& parameters, const std::string& text) {
    return error_of<trace::TraceError>([&] { (void)run(make, text, parameters); });
  };
  const std::string taken_add = Script().add(nop()).go(addq(1, 2, 3), 0x2000).add(nop());
  const std::string untaken_br = Script().add(br(3)).add(nop());
  const std::pair<Factory, models::Parameters> chips[] = {{core::make_alpha_ev5, core::alpha_ev5_parameters()},
                                                          {core::make_alpha_ev67, core::alpha_ev67_parameters()}};
  for (const auto& [make, parameters] : chips) {
    EXPECT_EQ(error(make, parameters, taken_add),
              "test:2: 'T 2000': addq is no branch and cannot be taken; expected no T, and a directive such as '! "
              "interrupt' or "
              "'! switch' where the program is elsewhere");
    EXPECT_EQ(
        error(make, parameters, untaken_br),
        "test:2: the line before, br at 1000, is a branch without a condition and has to be taken; expected T 1010 in "
        "that line");
    EXPECT_EQ(error(make, parameters, Script().add(nop()).add(br(3))), "") << "where the last goes is not told";
    EXPECT_EQ(error(make, parameters, Script().add(beq(1, 3)).go(beq(1, 3), 0x1014).add(nop())), "");
  }
}

TEST(InOrderOutside, SizesThatDoNotFitAreRefused) {
  EXPECT_THROW((void)ev5(nop(), {{"core.l1d_bytes", 3000}}), models::ParameterError);
  EXPECT_THROW((void)ev4(nop(), {{"core.scache_line", 48}}), models::ParameterError) << "though there is no such cache";
}

// --- perturbing mode -----------------------------------------------------------------------------------------------

TEST(InOrderInterrupt, TheHandlerRunsAndTheProgramGoesOn) {
  const std::string text = Script().add(40, addq(1, 1, 1));
  const auto core = core::make_alpha_ev5(reader_of(text, trace::Isa::alpha), core::alpha_ev5_parameters());
  Steps<AlphaLog> steps(*core);
  const AlphaLog& log = steps.log;
  ASSERT_TRUE(steps.run(10));
  const std::uint64_t before = core->retired();
  EXPECT_EQ(before, 7u) << "one a cycle from cycle 3 on";
  core->take_interrupt(12);
  EXPECT_TRUE(core->in_handler());
  steps.finish(50);
  EXPECT_FALSE(core->in_handler());
  EXPECT_EQ(core->retired(), 40u);
  ASSERT_EQ(log.count(Signal::trap), 1u);
  EXPECT_EQ(log.of(Signal::trap)[0].detail, d::trap_maskable | d::trap_monitor);
  EXPECT_EQ(log.cycles(Signal::trap), (Cycles{10 + 40}));
  EXPECT_EQ(log.at(State::ipl, 51), 6u);
  EXPECT_EQ(log.at(State::cpl, 51), 0u);
  // The program's 40, the handler's 12, ten instructions of PALcode at entry and ten at exit.
  EXPECT_EQ(log.count(Signal::retire), 40u + 12u + 2 * 10u);
  EXPECT_EQ(cycles_of(log, Signal::pal_entry, act::Trap::interrupt).size(), 1u);
  std::set<std::uint64_t> ids;
  for (const AlphaOccurrence& h : log.of(Signal::retire)) ids.insert(h.instruction.id);
  EXPECT_EQ(ids.size(), log.count(Signal::retire)) << "no two instructions have one number";
  EXPECT_EQ(log.count(Signal::kill), 0u);
  EXPECT_EQ(log.at(State::cpl, issue_of(log, before)), 3u);
  EXPECT_EQ(log.at(State::ipl, issue_of(log, before)), 0u);
}

TEST(InOrderInterrupt, IdleTimeEndsWhenItDoes) {
  const std::string text = Script().add(addq(1, 1, 1)).say("idle cycles=500").add(addq(1, 1, 1));
  const auto core = core::make_alpha_ev5(reader_of(text, trace::Isa::alpha), core::alpha_ev5_parameters());
  Steps<AlphaLog> steps(*core);
  const AlphaLog& log = steps.log;
  ASSERT_TRUE(steps.run(200));
  core->take_interrupt(12);
  steps.finish(50);
  EXPECT_EQ(log.cycles(Signal::trap), (Cycles{200 + 40}));
  EXPECT_GE(issue_of(log, 1), 500u);
  EXPECT_EQ(log.cycles_with(State::idle_thread), 500u);
}

TEST(InOrderRun, CountsInstructions) {
  const std::string text = Script().add(40, addq(1, 1, 1));
  const auto core = core::make_alpha_ev5(reader_of(text, trace::Isa::alpha), core::alpha_ev5_parameters());
  activity::Block block;
  block.restart(0);
  ASSERT_TRUE(core->run_instructions(5, block));
  EXPECT_EQ(core->retired(), 5u);
  EXPECT_EQ(core->now(), 3u + 5u);
  EXPECT_EQ(block.end, core->now());
  block.restart(core->now());
  EXPECT_FALSE(core->run_instructions(1000, block));
  EXPECT_EQ(core->retired(), 40u);
}

}  // namespace
}  // namespace pmusim::testbench::alpha
