// The issue rules of the 21064 and 21164, with cycles computed by hand: fetch in cycle f, issue in f + 3 at the
// earliest.
#include "alpha_log.h"

namespace pmusim::testbench::alpha {
namespace {

using act::IssueStall;

/// A line of a program: a word and its memory access.
struct Line {
  std::string word;
  char access = ' ';  ///< L or S: at a separate address, a hit
};
void put(Script& script, const Line& line, std::uint64_t address) {
  if (line.access == 'L') {
    script.load(line.word, address);
  } else if (line.access == 'S') {
    script.store(line.word, address);
  } else {
    script.add(line.word);
  }
}

// --- 21064 ---------------------------------------------------------------------------------------------------------

// The two instructions of an aligned pair issue together if they use different buses and different units.
TEST(Ev4Issue, PairingTable) {
  const Line load{ldq(3, 9), 'L'}, store{stq(4, 9), 'S'}, fp_load{ldt(3, 9), 'L'}, fp_store{stt(4, 9), 'S'};
  const Line add{addq(1, 2, 5)}, fp{addt(1, 2, 5)}, multiply{mull(1, 2, 6)}, taken{beq(1, 4)}, fp_taken{fbeq(1, 4)};
  struct Case {
    const char* what;
    Line first, second;
    bool pairs;
  };
  const Case cases[] = {
      {"load, integer operate", load, add, true},
      {"integer operate, load", add, load, true},
      {"load, FP operate", load, fp, true},
      {"load, integer branch", load, taken, true},
      {"load, FP branch", load, fp_taken, true},
      {"integer operate, integer store", add, store, true},
      {"integer operate, integer branch", add, taken, true},
      {"integer operate, FP operate", add, fp, true},
      {"FP operate, integer operate", fp, add, true},
      {"FP operate, FP store", fp, fp_store, true},
      {"FP operate, FP branch", fp, fp_taken, true},
      {"integer operate, FP store", add, fp_store, false},
      {"FP operate, integer store", fp, store, false},
      {"integer operate, FP branch", add, fp_taken, false},
      {"FP operate, integer branch", fp, taken, false},
      {"load, load", load, fp_load, false},
      {"load, store", load, store, false},
      {"integer operate, multiply", add, multiply, false},
      {"integer operates", add, {addq(1, 2, 7)}, false},
      {"FP operates", fp, {mult(1, 2, 7)}, false},
  };
  for (const Case& c : cases) {
    Script script;
    put(script, c.first, 0x8000);
    put(script, c.second, 0x9000);
    const AlphaLog log = ev4(script);
    EXPECT_EQ(issue_of(log, 0), 3u) << c.what;
    EXPECT_EQ(issue_of(log, 1), c.pairs ? 3u : 4u) << c.what;
  }
}

TEST(Ev4Issue, PairsAreAlignedAndInOrder) {
  // From the middle of a pair: issues alone. Then a pair that cannot issue together, then one that can.
  const AlphaLog log = ev4(
      Script(0x1004).add(addq(1, 2, 3)).add(addq(1, 2, 4)).add(addq(1, 2, 5)).add(addt(1, 2, 3)).add(addq(1, 2, 6)));
  EXPECT_EQ(log.cycles(Signal::issue), (Cycles{3, 4, 5, 6, 6}));
  EXPECT_EQ(log.cycles(Signal::retire), (Cycles{3, 4, 5, 6, 6}));
  EXPECT_EQ(log.cycles(Signal::fetch), (Cycles{0, 1, 2})) << "8 bytes a cycle";
}

// Distance from the issue of a producer to that of its user, the other instruction of its pair. ../timing measures the
// chains of one instruction.
TEST(Ev4Issue, Latencies) {
  struct Case {
    const char* what;
    Line producer;
    std::string user;
    Cycle latency;
  };
  const Case cases[] = {
      {"add to multiply", {addq(1, 2, 3)}, mull(3, 3, 4), 1},
      {"logical to branch", {logical(1, 2, 3)}, beq(3, 4), 1},
      {"compare to branch", {compare(1, 2, 3)}, beq(3, 4), 1},
      {"multiply longword", {mull(1, 2, 3)}, addq(3, 3, 4), 21},
      {"multiply quadword", {mulq(1, 2, 3)}, addq(3, 3, 4), 23},
      {"FP to FP", {addt(1, 2, 3)}, mult(3, 3, 4), 4},
      {"load", {ldq(3, 9), 'L'}, addq(3, 3, 4), 3},
  };
  for (const Case& c : cases) {
    Script script;
    put(script, c.producer, 0x8000);
    const AlphaLog log = ev4(script.add(c.user));
    EXPECT_EQ(issue_of(log, 0), 3u) << c.what;
    EXPECT_EQ(issue_of(log, 1) - issue_of(log, 0), c.latency) << c.what;
  }
}

TEST(Ev4Issue, AStoreTakesTheResultOfTheOperateBesideIt) {
  const AlphaLog log = ev4(Script().add(addq(1, 2, 3)).store(stq(3, 9), 0x8000));
  EXPECT_EQ(log.cycles(Signal::issue), (Cycles{3, 3}));
}

// No Ebox issue exactly 3 cycles before a multiply ends: at 3 + 21 - 3 = 21.
TEST(Ev4Issue, MultiplyLeavesAHole) {
  Script script;
  script.add(mull(1, 2, 3)).add(addt(1, 2, 3));
  // A chain of shifts in 4, 6, 8 ... 20; then independent adds, one a cycle: 21 is skipped.
  for (unsigned i = 0; i < 9; ++i) script.add(shift(5, 5, 5)).add(cpys(31, 31, 30));
  script.add(addq(1, 1, 6)).add(cpys(31, 31, 29));
  const AlphaLog log = ev4(script);
  EXPECT_EQ(issue_of(log, 0), 3u);
  EXPECT_EQ(issue_of(log, 2), 4u);
  EXPECT_EQ(issue_of(log, 18), 20u);
  EXPECT_EQ(issue_of(log, 20), 22u);
  EXPECT_EQ(stall_at(log, 21), IssueStall::unit_busy);
}

TEST(Ev4Issue, NoConditionalBranchBehindAJump) {
  // jmp at 0x1000 (hint: the low bits of its target), then fetch has a bubble; with deep fetch both are ready.
  const std::string jump = word(0x1au << 26 | 31u << 21 | 27u << 16 | 0x3);  // target 0x1004 + 4 * 3 = 0x1010
  Script script(0xff0);
  script.add(mull(1, 2, 3)).add(nop()).add(addq(3, 3, 3)).add(nop());  // delays issue so that fetch runs ahead
  script.go(jump, 0x1010).add(beq(1, 4)).add(nop());
  const AlphaLog log = ev4(script);
  EXPECT_EQ(issue_of(log, 5), issue_of(log, 4) + 2);
  EXPECT_EQ(stall_at(log, issue_of(log, 4) + 1), IssueStall::after_jump);
}

// --- 21164 ---------------------------------------------------------------------------------------------------------

TEST(Ev5Issue, SlottingTable) {
  struct Case {
    const char* what;
    std::vector<std::string> words;
    Cycles issues;
  };
  const std::string e0 = shift(1, 2, 3), any = addq(1, 2, 4), any2 = addq(1, 2, 5), fa = addt(1, 2, 3);
  const std::string fm = mult(1, 2, 4), either = cpys(1, 2, 5), unop = memory(0x0b, 31, 30), e1 = branch(0x39, 1, 4);
  const Case cases[] = {
      {"four pipes", {any, any2, fa, fm}, {3, 3, 3, 3}},
      {"a third integer instruction waits", {any, any2, addq(1, 2, 6), fa}, {3, 3, 4, 4}},
      {"the second needs E0", {any, e0, fa, fm}, {3, 3, 3, 3}},
      {"E0 twice", {e0, shift(1, 2, 6), fa, fm}, {3, 4, 4, 4}},
      {"only the next one counts", {any, any2, e0, fa}, {3, 3, 4, 4}},
      {"FA taken: copy sign goes to FM", {fa, either, any, any2}, {3, 3, 3, 3}},
      {"FA, FM, FA", {fa, either, addt(1, 2, 6), any}, {3, 3, 4, 4}},
      {"copy sign first takes FA", {either, fa, any, any2}, {3, 4, 4, 4}},
      {"UNOP takes no pipe", {any, any2, unop, unop}, {3, 3, 3, 3}},
      {"E1 for a branch", {any, e1, fa, fm}, {3, 3, 3, 3}},
      {"add in E1, branch waits", {shift(1, 2, 6), any, e1, fa}, {3, 3, 4, 4}},
  };
  for (const Case& c : cases) {
    Script script;
    for (const std::string& w : c.words) script.add(w);
    EXPECT_EQ(ev5(script).cycles(Signal::issue), c.issues) << c.what;
    EXPECT_EQ(pca56(script).cycles(Signal::issue), c.issues) << c.what;
  }
}

TEST(Ev5Issue, NoBlockBeforeTheOneBeforeIsThrough) {
  // 0x1008: two instructions of the block; the next block issues in pairs to the integer pipes.
  const AlphaLog log =
      ev5(Script(0x1008).add(addq(1, 2, 3)).add(addt(1, 2, 3)).add(4, addq(1, 2, 4)).add(addq(1, 2, 5)));
  EXPECT_EQ(log.cycles(Signal::issue), (Cycles{3, 3, 4, 4, 5, 5, 6}));
  EXPECT_EQ(log.cycles(Signal::fetch), (Cycles{0, 1, 2})) << "16 bytes a cycle";
}

TEST(Ev5Issue, Latencies) {
  struct Case {
    const char* what;
    Line producer;
    std::string user;
    Cycle latency;
  };
  const Case cases[] = {
      {"add to branch", {addq(1, 2, 3)}, beq(3, 4), 1},
      {"compare to branch", {compare(1, 2, 3)}, beq(3, 4), 0},
      {"logical to cmov", {logical(1, 2, 3)}, cmov(3, 1, 4), 0},
      {"compare to add", {compare(1, 2, 3)}, addq(3, 3, 4), 1},
      {"shift", {shift(1, 2, 3)}, addq(3, 3, 4), 1},
      {"multiply longword", {mull(1, 2, 3)}, addq(3, 3, 4), 8},
      {"multiply quadword", {mulq(1, 2, 3)}, addq(3, 3, 4), 12},
      {"multiply high", {umulh(1, 2, 3)}, addq(3, 3, 4), 14},
      {"divide single", {divs(1, 2, 3)}, addt(3, 3, 4), 15},
  };
  for (const Case& c : cases) {
    Script script;
    put(script, c.producer, 0x8000);
    const AlphaLog log = ev5(script.add(c.user));
    EXPECT_EQ(issue_of(log, 1) - issue_of(log, 0), c.latency) << c.what;
  }
}

// The add issues in cycle 3; each shift after the first occupies E0 for one more cycle.
TEST(Ev5Issue, AFreshOperandSlowsAMultiply) {
  const unsigned more[] = {2, 2, 1, 0};  // by the number of shifts
  for (unsigned shifts = 0; shifts < 4; ++shifts) {
    Script script;
    script.add(addq(1, 2, 3)).add(shifts, shift(1, 2, 6)).add(mull(3, 3, 4));
    const AlphaLog log = ev5(script.add(addq(4, 4, 5)));
    EXPECT_EQ(issue_of(log, shifts + 1), shifts == 0 ? 4u : 3u + shifts);
    EXPECT_EQ(issue_of(log, shifts + 2) - issue_of(log, shifts + 1), 8 + more[shifts]) << shifts;
  }
}

// No issue to E0 exactly 2 cycles before a multiply ends, none to FA exactly 5 before a divide ends.
TEST(Ev5Issue, MultiplyAndDivideLeaveHoles) {
  Script script;
  script.add(mull(1, 2, 3)).add(nop()).add(addt(1, 2, 3)).add(mult(1, 2, 4));  // ends at 3 + 8 = 11: E0's hole is 9
  const AlphaLog log = ev5(script.add(8, shift(1, 2, 6)));
  Cycles shifts = log.cycles(Signal::issue);
  shifts.erase(shifts.begin(), shifts.begin() + 4);
  EXPECT_EQ(shifts, (Cycles{4, 5, 6, 7, 8, 10, 11, 12}));
  EXPECT_EQ(stall_at(log, 9), IssueStall::unit_busy);
  Script divide;
  divide.add(divs(1, 2, 3)).add(mult(1, 2, 4)).add(nop()).add(nop());  // ends at 3 + 15 = 18: FA has its hole at 13
  for (unsigned i = 0; i < 12; ++i) divide.add(addt(1, 2, 6)).add(nop()).add(nop()).add(mult(1, 2, 5));
  const AlphaLog holes = ev5(divide);
  Cycles adds;
  for (const AlphaOccurrence& h : holes.of(Signal::issue)) {
    if (h.instruction.encoding >> 26 == 0x16 && (h.instruction.encoding >> 5 & 0x7ff) == 0x0a0) adds.push_back(h.cycle);
  }
  EXPECT_EQ(adds, (Cycles{4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16}));
}

// Cycles from multiply to multiply, and from the issue of each to its hole, 2 cycles before its end.
TEST(Ev5Issue, TheMultiplierIsPipelined) {
  const auto issues = [](const std::string& word, Changes changes = {}) {
    return ev5(Script().add(3, word), changes).cycles(Signal::issue);
  };
  EXPECT_EQ(issues(mull(1, 2, 3)), (Cycles{3, 7, 11}));
  EXPECT_EQ(issues(mulq(1, 2, 3)), (Cycles{3, 11, 19}));
  EXPECT_EQ(issues(umulh(1, 2, 3)), (Cycles{3, 13, 23}));
  EXPECT_EQ(issues(umulh(1, 2, 3), {{"core.umulh_interval", 8}}), (Cycles{3, 11, 19}));
  // Two longword multiplies, which end in 11 and 15, have their holes in 9 and 13.
  const AlphaLog log = ev5(Script().add(2, mull(1, 2, 3)).add(12, shift(1, 2, 6)));
  Cycles shifts = log.cycles(Signal::issue);
  shifts.erase(shifts.begin(), shifts.begin() + 2);
  EXPECT_EQ(shifts, (Cycles{8, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21}));
  EXPECT_THROW((void)ev5(nop(), {{"core.mull_interval", 3}}), models::ParameterError) << "five of 14 cycles at a time";
}

TEST(Ev4Issue, TwoCyclesOfAMultiplyArePipelined) {
  // Result after 23 cycles, the next multiply after 21.
  EXPECT_EQ(ev4(Script().add(mulq(1, 2, 3)).add(umulh(1, 2, 4)).add(mulq(1, 2, 5))).cycles(Signal::issue),
            (Cycles{3, 24, 45}));
  EXPECT_EQ(ev4(Script().add(mulq(1, 2, 3)).add(mulq(3, 2, 4))).cycles(Signal::issue), (Cycles{3, 26}));
}

// --- branches ------------------------------------------------------------------------------------------------------

TEST(InOrderBranch, ATakenOneHasABubbleAWrongOneItsPenalty) {
  const std::string right = Script().go(beq(1, 7), 0x1020, "mispredict=none").add(addq(1, 2, 3));
  const std::string wrong = Script().go(beq(1, 7), 0x1020, "mispredict=path").add(addq(1, 2, 3));
  // Fetch in 0 and, with a bubble, in 2. Mispredicted: 4 (21064) or 5 cycles (21164) are lost after cycle 4.
  EXPECT_EQ(ev4(right).cycles(Signal::issue), (Cycles{3, 5}));
  EXPECT_EQ(ev5(right).cycles(Signal::issue), (Cycles{3, 5}));
  const AlphaLog on_ev4 = ev4(wrong), on_ev5 = ev5(wrong);
  EXPECT_EQ(on_ev4.cycles(Signal::issue), (Cycles{3, 4 + 4}));
  EXPECT_EQ(on_ev5.cycles(Signal::issue), (Cycles{3, 4 + 5}));
  EXPECT_EQ(stall_at(on_ev5, 5), IssueStall::no_instructions);
  const auto& resolved = on_ev5.of(Signal::branch_resolved);
  ASSERT_EQ(resolved.size(), 1u);
  EXPECT_EQ(resolved[0].detail & activity::detail::branch_correct, 0);
  EXPECT_NE(resolved[0].detail & activity::detail::branch_taken, 0);
  EXPECT_TRUE(resolved[0].instruction.mispredicted);
  EXPECT_EQ(resolved[0].more.trap, act::Trap::mispredict);
}

TEST(InOrderBranch, KindsAreToldApart) {
  const AlphaLog log = ev5(Script().add(beq(1, 7)).go(br(3), 0x1014).add(nop()));
  const auto& issued = log.of(Signal::issue);
  ASSERT_EQ(issued.size(), 3u);
  EXPECT_TRUE(issued[0].more.has(act::Kind::conditional_branch));
  EXPECT_TRUE(issued[1].more.has(act::Kind::unconditional_branch));
  EXPECT_TRUE(issued[2].more.has(act::Kind::integer_operate));
}

// A multiply has one result. An instruction that reads another register issues as if there were no multiply.
TEST(InOrderRegisters, OnlyTheResultIsWaitedFor) {
  for (const auto chip : {ev4, ev5}) {
    const auto issue = [chip](unsigned reads) {
      return issue_of(chip(Script().add(mulq(1, 2, 3)).add(addq(reads, reads, 4)), {}), 1);
    };
    const Cycle free = issue(31);
    for (unsigned reads = 0; reads < 31; ++reads) {
      if (reads == 3) {
        EXPECT_GT(issue(reads), free);
      } else {
        EXPECT_EQ(issue(reads), free) << reads;
      }
    }
  }
}

// The cycles in which an instruction issues are those in which the state reports no stall.
TEST(InOrderIssue, IsNoStall) {
  const auto file = PMUSIM_SOURCE_DIR "/isa-traces/recorded/alpha-ordering.pmt";
  const std::pair<Factory, models::Parameters> chips[] = {{core::make_alpha_ev4, core::alpha_ev4_parameters()},
                                                          {core::make_alpha_ev5, core::alpha_ev5_parameters()}};
  for (const auto& [make, parameters] : chips) {
    const auto core = make(trace::open(file), parameters);
    const AlphaLog log = run(*core);
    const Cycles issues = log.cycles(Signal::issue);
    const std::set<Cycle> cycles(issues.begin(), issues.end());
    const auto issuing = static_cast<std::uint64_t>(IssueStall::issuing);
    EXPECT_EQ(log.cycles_in(State::issue_stall, issuing), cycles.size());
    for (const Cycle c : cycles) ASSERT_EQ(stall_at(log, c), IssueStall::issuing) << c;
  }
}

// Alpha Architecture Handbook, 4.2.5: of these instructions only stq_c (2F) is a conditional store.
TEST(InOrderRegisters, StoreConditionalIsCalledSo) {
  const AlphaLog log = ev5(Script()
                               .add(addq(1, 2, 3))
                               .load(ldq(5, 9), 0x8000)
                               .store(stq(5, 9), 0x8000)
                               .store(memory(0x2f, 6, 9), 0x8000)
                               .add(br(0)));
  std::vector<bool> conditional;
  for (const AlphaOccurrence& h : log.of(Signal::retire))
    conditional.push_back((h.instruction.traits & activity::bit(activity::Trait::store_conditional)) != 0);
  EXPECT_EQ(conditional, (std::vector<bool>{false, false, false, true, false}));
}

}  // namespace
}  // namespace pmusim::testbench::alpha
