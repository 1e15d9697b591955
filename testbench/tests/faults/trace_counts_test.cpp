// Counts that follow from a trace's instructions alone: for lines counted by hand, compared with the oracle's counts of
// the cores' activity on recorded programs, and with activity in which an instruction is lost or added.
#include "testbench/judge/trial/trace_counts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <utility>

#include "testbench/driver/session.h"
#include "testbench/judge/question/plan.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;

constexpr const char* nops = "01000000010000000002000000000400";  // MMI: nop.m, nop.m, nop.i

models::Parameters parameters_of(const std::string& target) { return models::find_target(target)->parameters(); }

std::optional<std::uint64_t> count_of(const std::string& text, const std::string& row, bool user = true,
                                      bool kernel = true, const std::string& target = "itanium2") {
  const auto reader = trace::open_text(text, "test");
  oracle::Request request;
  request.event = row;
  request.user = user;
  request.kernel = kernel;
  return TraceCounts(target, *reader, parameters_of(target)).of(request);
}
std::string line(std::uint64_t pc, const char* mask, const char* bundle = nops) {
  char text[160];
  std::snprintf(text, sizeof text, "%llx %s %s\n", static_cast<unsigned long long>(pc), bundle, mask);
  return text;
}

constexpr std::uint64_t here = 0x4000000000010000, there = 0xe000000000000000;

// One slot, an interrupt, three slots at level 0, the return, two slots.
TEST(TraceCounts, TakeSlotsFromTheMask) {
  const std::string text = "! isa ia64\n" + line(here, "x--") + "! interrupt\n" + line(there, "xxx") + "! return\n" +
                           line(here, "-xx") + line(here + 16, "xpx");
  EXPECT_EQ(count_of(text, "IA64_INST_RETIRED"), 1u + 3 + 2 + 3);
  EXPECT_EQ(count_of(text, "IA64_INST_RETIRED", true, false), 1u + 2 + 3);
  EXPECT_EQ(count_of(text, "IA64_INST_RETIRED", false, true), 3u);
  EXPECT_EQ(count_of(text, "NOPS_RETIRED"), 1u + 3 + 2 + 2);
  EXPECT_EQ(count_of(text, "PREDICATE_SQUASHED_RETIRED"), 1u);
  EXPECT_EQ(count_of(text, "BR_MISPRED_DETAIL_ALL_ALL_PRED"), 0u);
}

TEST(TraceCounts, SayNothingOfWhatInstructionsDoNotTell) {
  const std::string plain = "! isa ia64\n" + line(here, "xxx");
  EXPECT_EQ(count_of(plain, "IA64_INST_RETIRED"), 3u);
  EXPECT_EQ(count_of(plain, "L1D_READ_MISSES_ALL"), std::nullopt);
  EXPECT_EQ(count_of("! isa ia64\n! psr up=0\n" + line(here, "xxx"), "IA64_INST_RETIRED"), std::nullopt);
  const auto reader = trace::open_text(plain, "test");
  models::Parameters others = parameters_of("itanium2");
  others.set("pmu.long_instruction", std::int64_t{1});
  oracle::Request request;
  request.event = "IA64_INST_RETIRED";
  EXPECT_EQ(TraceCounts("itanium2", *reader, others).of(request), std::nullopt);
  const auto again = trace::open_text(plain, "test");
  const TraceCounts counts("itanium2", *again, parameters_of("itanium2"));
  request.threshold = 1;
  EXPECT_EQ(counts.of(request), std::nullopt);
  request.threshold = 0;
  request.ia64.code.push_back({0, 16});
  EXPECT_EQ(counts.of(request), std::nullopt);
}

// ld8, ld4 at an address that is no multiple of 4, ldfpd, st8, st4 likewise, lfetch, fetchadd8, ld8 predicated off, fc.
TEST(TraceCounts, OfIa64Accesses) {
  const std::string text =
      "! isa ia64\n" + line(here, "xxx L0 6000000000200000 8", "01180008181000000002000000000400") +
      line(here + 0x10, "xxx L0 6000000000200002 4", "01180008101000000002000000000400") +
      line(here + 0x20, "xxx L0 6000000000200010 16", "01301c08191800000002000000000400") +
      line(here + 0x30, "xxx S0 6000000000200040 8", "01000c08981100000002000000000400") +
      line(here + 0x40, "xxx S0 6000000000200046 4", "01000c08901100000002000000000400") +
      line(here + 0x50, "xxx L0 6000000000200080 1", "01000008601900000002000000000400") +
      line(here + 0x60, "xxx L0 60000000002000c0 8 S0 60000000002000c0 8", "01180c08991000000002000000000400") +
      line(here + 0x70, "pxx", "c1180008181000000002000000000400") +
      line(here + 0x80, "xxx L0 4000000000012000 128", "01000008300400000002000000000400");
  EXPECT_EQ(count_of(text, "trace:loads"), 4u);
  EXPECT_EQ(count_of(text, "trace:stores"), 3u);
  EXPECT_EQ(count_of(text, "MISALIGNED_LOADS_RETIRED"), 1u);
  EXPECT_EQ(count_of(text, "MISALIGNED_STORES_RETIRED"), 1u);
}

// fma, fadd (fma of f1), fmpy (fma of f0), an fma predicated off; then fpma, of which a counter may lose some.
TEST(TraceCounts, OfIa64FloatingPoint) {
  const std::string text = "! isa ia64\n" + line(here, "xxx", "0d180406002160481c10488010200084") +
                           line(here + 0x10, "xxx", "0d180406002160481c02488010200084") +
                           line(here + 0x20, "xxx", "0d180406002160001c10488010200084") +
                           line(here + 0x30, "xpx", "0d18040600a161481c10488010200084");
  EXPECT_EQ(count_of(text, "FP_OPS_RETIRED"), 2u + 1 + 1);
  EXPECT_EQ(count_of(text + line(here + 0x40, "xxx", "0d180406002160481c104c8010200084"), "FP_OPS_RETIRED"),
            std::nullopt);
}

// sync, lwarx r3,0,r4, stwcx. r3,0,r4, eieio.
TEST(TraceCounts, OfPowerPc) {
  const std::string text =
      "! isa ppc\n10000000 7c0004ac\n10000004 7c602028 L 20000000 4\n10000008 7c60212d S 20000000 4\n"
      "1000000c 7c0006ac\n";
  const auto of = [&](const char* row) { return count_of(text, row, true, true, "ppc750gx"); };
  EXPECT_EQ(of("INSTRUCTIONS_COMPLETED"), 4u);
  EXPECT_EQ(of("LOADS_AND_STORES"), 2u);
  EXPECT_EQ(of("SYSTEM_UNIT_INSTRUCTIONS"), 2u);
  EXPECT_EQ(of("STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT"), 1u);
  EXPECT_EQ(of("SYNC_INSTRUCTIONS"), 1u);
  EXPECT_EQ(of("EIEIO_INSTRUCTIONS"), 1u);
  EXPECT_EQ(of("RESERVED_LOADS"), 1u);
  EXPECT_EQ(of("STORE_CONDITIONAL_INSTRUCTIONS"), 1u);
}

// b .+4, bl .+4, bdnz .+4: the first is folded. fadd f1,f2,f3, addi r3,0,1, ori 0,0,0; then sc, for which the trace
// gives no counts.
TEST(TraceCounts, OfPowerPcBranchesAndUnits) {
  const std::string text =
      "! isa ppc\n10000000 48000004 T 10000004\n10000004 48000005 T 10000008\n10000008 42000004 T 1000000c\n"
      "1000000c fc22182a\n! msr pr=0\n10000010 38600001\n10000014 60000000\n! msr pr=1\n10000018 38600001\n";
  const auto of = [&](const char* row, bool user = true, bool kernel = true) {
    return count_of(text, row, user, kernel, "ppc750gx");
  };
  EXPECT_EQ(of("INSTRUCTIONS_COMPLETED"), 6u);
  EXPECT_EQ(of("INSTRUCTIONS_COMPLETED", true, false), 4u);
  EXPECT_EQ(of("INTEGER_OPERATIONS"), 2u);
  EXPECT_EQ(of("INTEGER_OPERATIONS", false, true), 1u);
  EXPECT_EQ(of("FPU_INSTRUCTIONS"), 1u);
  EXPECT_EQ(count_of(text + "1000001c 7c600124\n", "INTEGER_OPERATIONS", true, true, "ppc750gx"), std::nullopt);
}

// ret, ret 4, nop, jmp, and je not taken; then int 80h.
TEST(TraceCounts, OfIa32) {
  const std::string text =
      "! isa i386\n8048000 c3 L 20001000 4 T 8048010\n8048010 c20400 L 20001004 4 T 8048020\n8048020 90\n"
      "! cpl 0\n8048021 eb00 T 8048023\n8048023 7400\n";
  const auto of = [&](const std::string& program, const char* row, bool user = true, bool kernel = true) {
    return count_of(program, row, user, kernel, "athlon");
  };
  EXPECT_EQ(of(text, "RETIRED_NEAR_RETURNS"), 2u);
  EXPECT_EQ(of(text, "RETIRED_INSTRUCTIONS"), 5u);
  EXPECT_EQ(of(text, "RETIRED_INSTRUCTIONS", true, false), 3u);
  EXPECT_EQ(of(text, "RETIRED_BRANCH_INSTRUCTIONS"), 4u);
  EXPECT_EQ(of(text, "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"), 3u);
  EXPECT_EQ(of(text, "RETIRED_TAKEN_BRANCH_INSTRUCTIONS", false, true), 1u);
  EXPECT_EQ(of(text, "RETIRED_FAR_CONTROL_TRANSFERS"), 0u);
  EXPECT_EQ(of(text + "8048025 cd80\n", "RETIRED_FAR_CONTROL_TRANSFERS"), 1u);
  EXPECT_EQ(of(text + "8048025 cd80\n", "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"), 4u);
  const std::string repeats =
      "8048025 f3a4 L 20000000 1 S 20001000 1 T 8048025\n8048025 f3a4 L 20000001 1 S 20001001 1\n";  // rep movsb
  EXPECT_EQ(of(text + repeats, "RETIRED_INSTRUCTIONS"), 6u);
  EXPECT_EQ(of(text + repeats, "RETIRED_TAKEN_BRANCH_INSTRUCTIONS"), 3u);
  const std::string writes_code = text + "8048025 a300800408 S 8048000 4\n";  // mov [8048000], eax
  EXPECT_EQ(of(writes_code, "RETIRED_INSTRUCTIONS"), std::nullopt) << "a restart counts with them";
  EXPECT_EQ(of(writes_code, "RETIRED_NEAR_RETURNS"), 2u);
  EXPECT_EQ(of(text + "! interrupt\n8048030 90\n", "RETIRED_NEAR_RETURNS"), std::nullopt);
}

// addq, addt, lda, bis $31,$31,$31 (no-operation), beq not taken; then ldq.
TEST(TraceCounts, OfAlphas) {
  const std::string text =
      "! isa alpha\n120000000 0114e043 itlb=hit\n120000004 03142258 itlb=hit\n120000008 00002220 itlb=hit\n"
      "12000000c 1f04ff47 itlb=hit\n120000010 000020e4 itlb=hit\n";
  const std::string load = "120000014 000022a4 L 140000000 8 itlb=hit dtlb=hit\n";
  const auto of = [&](const std::string& program, const char* target, const char* row) {
    return count_of(program, row, true, true, target);
  };
  EXPECT_EQ(of(text, "alpha-ev4", "PF_FPINST"), 1u);
  EXPECT_EQ(of(text + load, "alpha-ev4", "PF_INTOPS"), 3u);
  EXPECT_EQ(of(text, "alpha-ev5", "PF5_MUX1_INTEGER_OPERATE"), 3u);
  EXPECT_EQ(of(text + load, "alpha-ev5", "PF5_MUX1_INTEGER_OPERATE"), std::nullopt) << "may be issued again";
  EXPECT_EQ(of(text + load, "alpha-ev6", "PF6_MUX0_RET_INSTRUCTIONS"), 5u) << "the no-operation never retires";
  EXPECT_EQ(of(text + load, "alpha-ev6", "PF6_MUX1_RET_COND_BRANCHES"), 1u);
  EXPECT_EQ(of(text + load, "alpha-ev67", "RETINST"), 5u);
  EXPECT_EQ(of(text + "120000014 0114e043\n", "alpha-ev67", "RETINST"), std::nullopt) << "PALcode may come between";
  EXPECT_EQ(of(text + "120000014 83000000\n", "alpha-ev67", "RETINST"), std::nullopt) << "call_pal";
}

struct Compared {
  unsigned rows = 0, differing = 0;
};

/// All rows that follow from the trace, compared with the oracle on the core's activity, which `change` may modify.
Compared compare(const std::string& name, const std::string& recorded,
                 const std::function<void(activity::Block&)>& change = {}) {
  const models::Target& target = *models::find_target(name);
  const models::Parameters parameters = target.parameters();
  const auto open = [&] {
    if (recorded.find('\n') != std::string::npos) return trace::open_text(recorded, "test");
    return trace::open(data_folder() / "isa-traces" / "recorded" / (recorded + ".pmt"));
  };
  const TraceCounts counts(name, *open(), parameters);
  std::vector<oracle::Request> requests;
  std::vector<std::unique_ptr<oracle::Counter>> counters;
  for (const std::string& row : row_names(name)) {
    oracle::Request request;
    request.event = row;
    if (!counts.of(request)) continue;
    requests.push_back(request);
    counters.push_back(oracle::make_counter(name, {request}, [&](std::string_view p) { return parameters.get(p); }));
  }
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, parameters, options);
  session.add_observer([&](const activity::Block& block) {
    activity::Block copy = block;
    if (change) change(copy);
    for (const auto& counter : counters) counter->consume(copy);
  });
  session.run(open());
  Compared result;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ++result.rows;
    if (counts.of(requests[i]) == counters[i]->tally(0).expected) continue;
    ++result.differing;
    if (!change)
      ADD_FAILURE() << requests[i].event << ": " << *counts.of(requests[i]) << ", the activity has "
                    << counters[i]->tally(0).expected;
  }
  return result;
}

/// Operates of an Alpha in every pipe, and branches, in one loop of a hundred iterations; there are no loads, stores or
/// misses.
std::string alpha_operates() {
  std::string text = "! isa alpha\n";
  for (unsigned round = 0; round < 100; ++round) {
    std::uint64_t pc = 0x120000000;
    for (const char* word : {"0114e043", "03142258", "00002220", "1f04ff47", "01042140", "0114e04c", "44142258"}) {
      text += fmt::format("{:x} {} itlb=hit\n", pc, word);
      pc += 4;
    }
    text += round + 1 < 100 ? fmt::format("{:x} f8ffffe7 T 120000000 itlb=hit\n", pc)  // beq $31
                            : fmt::format("{:x} 0114e043 itlb=hit\n", pc);
  }
  return text;
}

struct Run {
  const char* target;
  const char* trace;  ///< recorded; empty: alpha_operates()
  unsigned rows;      ///< minimum number of rows that follow from it
};
void PrintTo(const Run& run, std::ostream* out) { *out << run.target << ' ' << run.trace; }

class OfCores : public ::testing::TestWithParam<Run> {
 protected:
  static Compared compared(const std::function<void(activity::Block&)>& change = {}) {
    const std::string trace = GetParam().trace;
    return compare(GetParam().target, trace.empty() ? alpha_operates() : trace, change);
  }
};

TEST_P(OfCores, AreThoseOfTheTrace) {
  const Compared result = compared();
  EXPECT_GE(result.rows, GetParam().rows);
  EXPECT_EQ(result.differing, 0u);
}

TEST_P(OfCores, NoticeLostInstructions) {
  bool lost = false;
  const Compared result = compared([&](activity::Block& block) {
    for (const Signal signal : {Signal::retire, Signal::issue}) {
      auto& column = block.columns[static_cast<std::size_t>(signal)];
      if (!lost && column.size() > 30) column.resize(column.size() - 30);
    }
    lost |= block.columns[static_cast<std::size_t>(Signal::retire)].size() > 30;
  });
  EXPECT_GE(result.differing, 1u);
}

INSTANTIATE_TEST_SUITE_P(Targets, OfCores,
                         ::testing::Values(Run{"itanium2", "ia64-pipelined", 9}, Run{"montecito", "ia64-strhash-O2", 9},
                                           Run{"ppc750gx", "ppc-ordering", 10}, Run{"ppc750gl", "ppc-recursion-O2", 10},
                                           Run{"ppc750gx", "ppc-units", 10}, Run{"athlon", "i386-units", 3},
                                           Run{"athlon", "i386-strings", 5}, Run{"athlon", "i386-recursion-O2", 5},
                                           Run{"alpha-ev4", "alpha-recursion-O2", 2}, Run{"alpha-ev4", "", 2},
                                           Run{"alpha-ev5", "", 5}, Run{"alpha-pca56", "", 5},
                                           Run{"alpha-ev6", "alpha-recursion-O2", 1}, Run{"alpha-ev6", "", 2},
                                           Run{"alpha-ev67", "", 1}));

}  // namespace
}  // namespace pmusim::testbench
