// Counts that a trace's instructions tell by themselves: of lines counted by hand, against what the oracle makes of the
// cores' activity on recorded programs, and against activity that has lost or gained an instruction.
#include "testbench/validate/trace_counts.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "testbench/driver/session.h"
#include "testbench/validate/plan.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;

constexpr const char* nops = "01000000010000000002000000000400";  // MMI: nop.m, nop.m, nop.i

models::Parameters parameters_of(const std::string& target) { return models::find_target(target)->parameters(); }

std::optional<std::uint64_t> told(const std::string& text, const std::string& row, bool user = true, bool kernel = true,
                                  const std::string& target = "itanium2") {
  const auto reader = trace::open_text(text, "test");
  oracle::Request request;
  request.event = row;
  request.user = user;
  request.kernel = kernel;
  return TraceCounts(target, *reader, parameters_of(target)).of(request);
}
std::string line(std::uint64_t pc, const char* mask, const char* bundle = nops) {
  char text[128];
  std::snprintf(text, sizeof text, "%llx %s %s\n", static_cast<unsigned long long>(pc), bundle, mask);
  return text;
}

constexpr std::uint64_t here = 0x4000000000010000, there = 0xe000000000000000;

// One slot, an interrupt, three slots at level 0, the return, two slots.
TEST(TraceCounts, TakeSlotsFromTheMask) {
  const std::string text = "! isa ia64\n" + line(here, "x--") + "! interrupt\n" + line(there, "xxx") + "! return\n" +
                           line(here, "-xx") + line(here + 16, "xpx");
  EXPECT_EQ(told(text, "IA64_INST_RETIRED"), 1u + 3 + 2 + 3);
  EXPECT_EQ(told(text, "IA64_INST_RETIRED", true, false), 1u + 2 + 3);
  EXPECT_EQ(told(text, "IA64_INST_RETIRED", false, true), 3u);
  EXPECT_EQ(told(text, "NOPS_RETIRED"), 1u + 3 + 2 + 2);
  EXPECT_EQ(told(text, "PREDICATE_SQUASHED_RETIRED"), 1u);
  EXPECT_EQ(told(text, "BR_MISPRED_DETAIL_ALL_ALL_PRED"), 0u);
}

TEST(TraceCounts, SayNothingOfWhatInstructionsDoNotTell) {
  const std::string plain = "! isa ia64\n" + line(here, "xxx");
  EXPECT_EQ(told(plain, "IA64_INST_RETIRED"), 3u);
  EXPECT_EQ(told(plain, "L1D_READ_MISSES_ALL"), std::nullopt);
  EXPECT_EQ(told("! isa ia64\n! psr up=0\n" + line(here, "xxx"), "IA64_INST_RETIRED"), std::nullopt);
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

// sync, lwarx r3,0,r4, stwcx. r3,0,r4, eieio.
TEST(TraceCounts, OfPowerPc) {
  const std::string text =
      "! isa ppc\n10000000 7c0004ac\n10000004 7c602028 L 20000000 4\n10000008 7c60212d S 20000000 4\n"
      "1000000c 7c0006ac\n";
  const auto of = [&](const char* row) { return told(text, row, true, true, "ppc750gx"); };
  EXPECT_EQ(of("INSTRUCTIONS_COMPLETED"), std::nullopt) << "some branches are folded";
  EXPECT_EQ(of("SYNC_INSTRUCTIONS"), 1u);
  EXPECT_EQ(of("EIEIO_INSTRUCTIONS"), 1u);
  EXPECT_EQ(of("RESERVED_LOADS"), 1u);
  EXPECT_EQ(of("STORE_CONDITIONAL_INSTRUCTIONS"), 1u);
}

// ret, ret 4, nop.
TEST(TraceCounts, OfIa32) {
  const std::string text =
      "! isa i386\n8048000 c3 L 20001000 4 T 8048010\n8048010 c20400 L 20001004 4 T 8048020\n8048020 90\n";
  const auto of = [&](const char* row) { return told(text, row, true, true, "athlon"); };
  EXPECT_EQ(of("RETIRED_NEAR_RETURNS"), 2u);
  EXPECT_EQ(of("RETIRED_INSTRUCTIONS"), std::nullopt) << "interrupts and resynchronisations count with them";
}

struct Compared {
  unsigned rows = 0, differing = 0;
};

/// All rows that the trace tells, against the oracle on the core's activity, which `change` may change.
Compared compare(const std::string& name, const std::string& recorded,
                 const std::function<void(activity::Block&)>& change = {}) {
  const models::Target& target = *models::find_target(name);
  const models::Parameters parameters = target.parameters();
  const auto file = data_folder() / "isa-traces" / "recorded" / (recorded + ".pmt");
  const TraceCounts counts(name, *trace::open(file), parameters);
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
  session.run(trace::open(file));
  Compared result;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ++result.rows;
    result.differing += counts.of(requests[i]) == counters[i]->tally(0).expected ? 0 : 1;
  }
  return result;
}

TEST(TraceCounts, AreThoseOfTheCores) {
  const std::pair<const char*, const char*> runs[] = {{"itanium2", "ia64-pipelined"},
                                                      {"montecito", "ia64-strhash-O2"},
                                                      {"ppc750gx", "ppc-ordering"},
                                                      {"athlon", "i386-units"}};
  for (const auto& [target, recorded] : runs) {
    const Compared result = compare(target, recorded);
    EXPECT_GE(result.rows, 1u) << target;
    EXPECT_EQ(result.differing, 0u) << target;
  }
}

TEST(TraceCounts, NoticeACoreThatLosesAnInstruction) {
  for (const auto& [target, recorded] :
       {std::pair{"itanium2", "ia64-pipelined"}, std::pair{"montecito", "ia64-strhash-O2"}}) {
    bool lost = false;
    const Compared result = compare(target, recorded, [&](activity::Block& block) {
      auto& retired = block.columns[static_cast<std::size_t>(Signal::retire)];
      if (!std::exchange(lost, lost || !retired.empty()) && !retired.empty()) retired.pop_back();
    });
    EXPECT_GE(result.differing, 1u) << target;
  }
}

}  // namespace
}  // namespace pmusim::testbench
