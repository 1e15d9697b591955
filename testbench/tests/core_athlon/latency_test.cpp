// Latencies and units of instructions. An instruction of one dispatch line, alone in an empty machine, executes in
// cycle 7; its consumer starts when the result is available.
#include "trace_log.h"

namespace pmusim::testbench::athlon {
namespace {

/// start_of(): the cycle in which instruction `which` of a trace starts; finish_of(): the cycle of its last result.
Cycle start_of(const TraceLog& log, std::uint64_t which) {
  for (const LoggedOccurrence& h : log.of(Signal::issue)) {
    if (h.instruction.id == which) return h.cycle;
  }
  return activity::never;
}
Cycle finish_of(const TraceLog& log, std::uint64_t which) {
  for (const LoggedOccurrence& h : log.of(Signal::finish)) {
    if (h.instruction.id == which) return h.cycle;
  }
  return activity::never;
}

/// Returns the start of the second of two instructions.
Cycle consumer(const std::string& producer, const std::string& waits, const Changes& changes = {}) {
  return start_of(run(Script().add(producer).add(waits), plain(changes)), 1);
}

constexpr auto add_ecx_eax = "01c1", add_ecx_edx = "01d1", fchs = "d9e0";
constexpr auto mul_ecx = "f7e1", div_ecx = "f7f1", fdiv = "d8f1", fsqrt = "d9fa";

TEST(Latency, OfIntegerInstructions) {
  EXPECT_EQ(consumer("8d048500000000", add_ecx_eax), 9u);  // lea eax,[eax*4]: 7 + 2
  EXPECT_EQ(consumer("0fadd0", add_ecx_eax), 11u);         // shrd eax,edx,cl: 7 + 4
  EXPECT_EQ(consumer("0fa5d0", add_ecx_eax), 11u);         // shld
  EXPECT_EQ(consumer("0fafc1", add_ecx_eax), 11u);         // imul eax,ecx: 7 + 4
  EXPECT_EQ(consumer("8d048500000000", add_ecx_eax, {{"core.lea", 5}}), 12u);
}

// A trace may omit the access of a load. It takes as long as a hit: the address in 7, the data in 10.
TEST(Latency, OfALoadWithoutAnAddress) {
  EXPECT_EQ(consumer("8b03", add_ecx_eax), 10u);  // mov eax,[ebx]
  EXPECT_EQ(consumer("0303", add_ecx_eax), 11u);  // add eax,[ebx]: executes in 10
}

TEST(Latency, OfTheTwoHalvesOfAProduct) {
  EXPECT_EQ(consumer(mul_ecx, add_ecx_eax), 11u);  // low word: 7 + 4
  EXPECT_EQ(consumer(mul_ecx, add_ecx_edx), 13u);  // high word: 7 + 6
  EXPECT_EQ(consumer(mul_ecx, add_ecx_edx, {{"core.multiply_high", 9}}), 16u);
  // IMUL of two registers has no high word, whatever its destination.
  EXPECT_EQ(consumer("0fafd1", add_ecx_edx), 11u);
  // The instruction finishes when both halves are available.
  EXPECT_EQ(finish_of(run(Script().add(mul_ecx)), 0), 13u);
}

// 16 macro-operations, three a clock: the last one is dispatched in cycle 5 + 5, executes in 12 and takes 40.
TEST(Latency, OfADivide) {
  EXPECT_EQ(consumer(div_ecx, add_ecx_eax), 52u);
  EXPECT_EQ(consumer(div_ecx, add_ecx_edx), 52u);
  // An independent multiply waits for the divider, too: imul ebx, which uses another register.
  const TraceLog log = run(Script().add(div_ecx).add("0fafdb"));
  EXPECT_EQ(finish_of(log, 1), 52u + 4u);
}

// A product of 64 bits keeps the multiplier for three clocks, one of 32 bits for two, one of 16 bits for one.
TEST(Latency, OfTheMultiplierBySize) {
  const auto then_imul = [](const std::string& first, const Changes& changes = {}) {
    return finish_of(run(Script().add(first).add("0faff6"), plain(changes)), 1);  // imul esi,esi
  };
  EXPECT_EQ(then_imul(mul_ecx), 7u + 3u + 4u);
  EXPECT_EQ(then_imul(mul_ecx, {{"core.multiply_interval", 1}}), 8u + 4u);  // dispatched a clock later
  EXPECT_EQ(then_imul("0fafdb"), 7u + 2u + 4u);                             // imul ebx,ebx
  EXPECT_EQ(then_imul("660fafdb"), 8u + 4u);                                // imul bx,bx
  EXPECT_EQ(consumer("660fafc1", add_ecx_eax), 10u);                        // imul ax,cx: 7 + 3
  EXPECT_EQ(consumer("6bc103", add_ecx_eax), 12u);                          // imul eax,ecx,3: 7 + 5
}

// ESP, ESI and EDI come from the address unit: in 8, if the address executes in 7. The load takes 40 clocks.
TEST(Latency, OfPointersBesideALoad) {
  const auto second = [](const std::string& load, const std::string& accesses, const std::string& waits) {
    return start_of(run(Script().add(load, accesses + " dtlb=hit data=l1 lat=40").add(waits), plain({})), 1);
  };
  constexpr auto add_ecx_esp = "01e1", add_ecx_esi = "01f1", add_ecx_edi = "01f9", add_ecx_ebp = "01e9";
  EXPECT_EQ(second("58", "L 1000 4", add_ecx_esp), 8u);  // pop eax
  EXPECT_GE(second("58", "L 1000 4", add_ecx_eax), 7u + 40u);
  EXPECT_GE(second("5c", "L 1000 4", add_ecx_esp), 7u + 40u);  // pop esp: the loaded value
  EXPECT_EQ(second("c9", "L 1000 4", add_ecx_esp), 8u);        // leave
  EXPECT_GE(second("c9", "L 1000 4", add_ecx_ebp), 7u + 40u);
  EXPECT_EQ(second("ff30", "L 1000 4 S 2000 4", add_ecx_esp), 8u);  // push [eax]
  EXPECT_EQ(second("ad", "L 1000 4", add_ecx_esi), 9u);             // lodsd: two lines in 5 and 6, the add in 7
  EXPECT_GE(second("ad", "L 1000 4", add_ecx_eax), 7u + 40u);
  EXPECT_EQ(second("a5", "L 1000 4 S 2000 4", add_ecx_edi), 10u);  // movsd: three clocks in the decoder
  // A push does not wait for the value that it stores.
  const TraceLog log = run(
      Script().add("8b03", "L 1000 4 dtlb=hit data=l1 lat=40").add("50", "S 2000 4 dtlb=hit data=l1").add(add_ecx_esp));
  EXPECT_EQ(start_of(log, 2), 8u);
}

// A locked operation starts when the one before it is over, whatever its address.
TEST(Latency, OfLockedOperations) {
  const std::string lock_inc = "f0ff03";
  const TraceLog log = run(
      Script().add(lock_inc, "L 8000 4 S 8000 4 dtlb=hit data=l1").add(lock_inc, "L 9000 4 S 9000 4 dtlb=hit data=l1"));
  EXPECT_EQ(finish_of(log, 1) - finish_of(log, 0), 17u);
}

// addps takes the add pipe for each half; the one behind it starts two clocks later. addss takes it once.
TEST(Latency, OfHalvesOfAnXmmRegister) {
  constexpr auto addps_xmm0 = "0f58c0", addps_xmm1 = "0f58c9", addss_xmm0 = "f30f58c0", addss_xmm1 = "f30f58c9";
  const auto apart = [](const std::string& first, const std::string& second) {
    const TraceLog log = run(Script().add(first).add(second));
    return finish_of(log, 1) - finish_of(log, 0);
  };
  EXPECT_EQ(apart(addps_xmm0, addps_xmm1), 2u);
  EXPECT_EQ(apart(addss_xmm0, addss_xmm1), 1u);
  EXPECT_EQ(apart(addss_xmm0, addss_xmm0), 4u);
  // Model 4 has no SSE: nothing is known of the instruction, and nothing waits for it.
  const TraceLog model_4 = run(Script().add(addss_xmm0).add(addss_xmm0), plain({{"core.model", 0}}));
  EXPECT_EQ(finish_of(model_4, 1), finish_of(model_4, 0));
}

TEST(Latency, OfDivideAndRootByPrecision) {
  const struct {
    std::int64_t precision;
    Cycle divide, root;
  } rows[] = {{0, 16, 19}, {1, 20, 27}, {2, 24, 35}};
  for (const auto& row : rows) {
    const Changes changes = {{"core.precision_control", row.precision}};
    EXPECT_EQ(consumer(fdiv, fchs, changes), 7 + row.divide) << row.precision;
    EXPECT_EQ(consumer(fsqrt, fchs, changes), 7 + row.root) << row.precision;
  }
  EXPECT_EQ(consumer(fdiv, fchs), 31u);  // extended is the default
}

// fdiv st1,st0; fdiv st2,st0; fmul st3,st0: none waits for another's result.
TEST(Latency, MultipliesFillInWhileADivideGoesOn) {
  const auto starts = [](const Changes& changes) {
    return run(Script().add("dcf9").add("dcfa").add("dccb"), plain(changes)).cycles(Signal::issue);
  };
  EXPECT_EQ(starts({}), (std::vector<Cycle>{7, 8, 28}));  // the second divide starts 3 clocks before the first ends
  EXPECT_EQ(starts({{"core.multiply_beside_divide", 0}}), (std::vector<Cycle>{7, 28, 49}));
  EXPECT_EQ(starts({{"core.fp_divide_overlap", 0}}), (std::vector<Cycle>{7, 8, 31}));
}

// Four macro-operations, three of which take a pipe each in 7. The last one waits for the operands: in 8, and 6 clocks.
TEST(Latency, OfAConditionalMoveOfTheFpu) {
  EXPECT_EQ(consumer("dac1", fchs), 14u);
  // It also waits for the value that it may keep: a load of st0 before it.
  const TraceLog log = run(Script().add("d903", "L 1000 4 dtlb=hit data=l1 lat=40").add("dac1").add(fchs));
  EXPECT_EQ(start_of(log, 2), 7u + 40u + 2u + 6u);
}

TEST(Latency, OfMmxProducts) {
  EXPECT_EQ(consumer("0fd5c0", "0fefc8"), 10u);  // pmullw mm0,mm0; pxor mm1,mm0
  EXPECT_EQ(consumer("0ff5c0", "0fefc8"), 10u);  // pmaddwd
  EXPECT_EQ(consumer("0ffdc0", "0fefc8"), 9u);   // paddw
}

TEST(Units, FloatingPointPipes) {
  const auto starts = [](const Script& script) { return run(std::string(script)).cycles(Signal::issue); };
  using Cycles = std::vector<Cycle>;
  EXPECT_EQ(starts(Script().add("0fd5c0").add("0fd5c9")), (Cycles{7, 8}));      // two pmullw: one pipe
  EXPECT_EQ(starts(Script().add("0ffdc0").add("0ffdc9")), (Cycles{7, 7}));      // two paddw: either
  EXPECT_EQ(starts(Script().add("0f0fc09e").add("0f0fc99e")), (Cycles{7, 8}));  // two pfadd
  EXPECT_EQ(starts(Script().add("0f0fc09e").add("0f0fc9b4")), (Cycles{7, 7}));  // pfadd, pfmul
  // An MMX store leaves both pipes free for two additions.
  EXPECT_EQ(finish_of(run(Script().add("0f7f23", "S 1000 8 dtlb=hit data=l1").add("0ffdc0").add("0ffdc9")), 2), 9u);
}

// LEA uses the address part of its station, an addition the other part: both may start in one clock. Here both are
// second in their lines and wait for one load.
TEST(Units, LeaExecutesInAnAddressUnit) {
  const auto start = [](const std::string& second) {
    const Script first_line = Script().add("8b03", "L 1000 4 dtlb=hit data=l1 lat=20").add(second).add("90");
    return start_of(run(Script(first_line).add("90").add("01c1").add("90")), 4);
  };
  EXPECT_EQ(start("8d148500000000"), 27u);  // lea edx,[eax*4]
  EXPECT_EQ(start("01c2"), 28u);            // add edx,eax
}

// Each follows a load of 20 clocks into the register.
TEST(ZeroIdioms, DoNotWaitForTheirRegister) {
  const auto start = [](const std::string& bytes, const Changes& changes) {
    const std::string load = hit(0x1000, "8b03", "L 1000 4 dtlb=hit data=l1 lat=20");
    return start_of(run(load + hit(0x1002, bytes), plain(changes)), 1);
  };
  const Changes none = {{"core.zero_idioms", 0}}, all = {{"core.zero_idioms", 2}};
  const Changes by_xor = {{"core.zero_idioms", 1}};
  EXPECT_EQ(start("31c0", {}), 7u);  // xor eax,eax
  EXPECT_EQ(start("31c0", none), 27u);
  EXPECT_EQ(start("29c0", {}), 7u);  // sub eax,eax
  EXPECT_EQ(start("29c0", by_xor), 27u);
  EXPECT_EQ(start("28c0", {}), 27u);  // sub al,al
  EXPECT_EQ(start("29c0", all), 7u);
  EXPECT_EQ(start("19c0", all), 7u);   // sbb eax,eax: no older instruction writes the flags
  EXPECT_EQ(start("30c0", all), 27u);  // xor al,al keeps the rest of eax
  EXPECT_EQ(start("31c1", all), 27u);  // xor ecx,eax
  EXPECT_EQ(start("21c0", all), 27u);  // and eax,eax
  const auto mmx = [](const std::string& bytes, const Changes& changes) {
    const std::string load = hit(0x1000, "0f6f03", "L 1000 8 dtlb=hit data=l1 lat=20");
    return start_of(run(load + hit(0x1003, bytes), plain(changes)), 1);
  };
  EXPECT_EQ(mmx("0fefc0", {}), 29u);  // pxor mm0,mm0: 7 + 20 + 2
  EXPECT_EQ(mmx("0fefc0", all), 7u);
  // An SBB of two equal registers still waits for the flags.
  const std::string compare = hit(0x1000, "3b0b", "L 1000 4 dtlb=hit data=l1 lat=20");  // cmp ecx,[ebx]
  EXPECT_EQ(start_of(run(compare + hit(0x1002, "19c0"), plain(all)), 1), 28u);
}

// The x87 stack is renamed (22007E p. 99): names move with every push and pop. An exchange moves them, too, and delays
// no other instruction. The stack holds a value that arrives late and, on top of it, one that is available at once.
TEST(Latency, NamesOfTheStackMove) {
  constexpr unsigned late = 60;
  const auto last_waits = [](const std::vector<const char*>& codes) {
    Script script;
    for (const unsigned latency : {late, 3u})
      script.add("dd03", "L 1000 8 dtlb=hit data=l1 lat=" + std::to_string(latency));  // fld qword [ebx]
    for (const char* const code : codes) script.add(code);
    return start_of(run(script), codes.size() + 1) >= late;
  };
  constexpr auto add_st0 = "d8c0", add_st1 = "d8c1", add_st2 = "d8c2", exchange = "d9c9", pop = "ddd8",
                 load_one = "d9e8", compare_and_pop_both = "ded9";
  EXPECT_FALSE(last_waits({add_st0}));
  EXPECT_TRUE(last_waits({add_st1}));
  EXPECT_TRUE(last_waits({pop, add_st0}));
  EXPECT_FALSE(last_waits({exchange})) << "it moves names alone";
  EXPECT_TRUE(last_waits({exchange, fchs}));
  EXPECT_FALSE(last_waits({exchange, exchange, fchs}));
  EXPECT_FALSE(last_waits({load_one, add_st1}));
  EXPECT_TRUE(last_waits({load_one, add_st2}));
  EXPECT_TRUE(last_waits({compare_and_pop_both}));
  EXPECT_FALSE(last_waits({compare_and_pop_both, load_one, fchs}));
}

// FYL2X, FYL2XP1 and FPATAN pop one of their two operands. Below the operands is a value that arrives late: afterwards
// it is ST(1).
TEST(Latency, FunctionsOfTwoOperandsPopOne) {
  constexpr unsigned late = 1000;
  const auto waits = [](const std::vector<const char*>& codes) {
    Script script;
    for (const unsigned latency : {late, 3u, 3u})
      script.add("dd03", "L 1000 8 dtlb=hit data=l1 lat=" + std::to_string(latency));  // fld qword [ebx]
    for (const char* const code : codes) script.add(code);
    return start_of(run(script), codes.size() + 2) >= late;
  };
  constexpr auto add_st1 = "d8c1";
  EXPECT_FALSE(waits({add_st1}));
  for (const char* const function : {"d9f1", "d9f9", "d9f3"}) EXPECT_TRUE(waits({function, add_st1})) << function;
}

}  // namespace
}  // namespace pmusim::testbench::athlon
