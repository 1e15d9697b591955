// PMUs count the same when their cores omit the activity that the PMUs do not read: all but the IA-64 ones by event,
// and those of all families when a program changes the event.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/names.h"
#include "pmusim/trace/text.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/tests/driver/observed.h"

namespace pmusim::testbench {
namespace {

/// A micro-trace such as `alpha/misses`.
std::unique_ptr<trace::Reader> micro(const std::string& name) {
  const std::size_t slash = name.find('/');
  return trace::open(PMUSIM_SOURCE_DIR "/isa-traces/micro/" + name.substr(0, slash) + ".pmt" + name.substr(slash));
}

/// The register writes for an event and its unit mask; empty if the encoder refuses.
Writes writes_of(const models::Target& target, const std::string& event) {
  const auto encoding = encoder::encode(target.name, std::vector<std::string>{event});
  if (!encoding) return {};
  Programming programming(target, target.parameters());
  for (const encoder::RegisterValue& reg : encoding->registers) programming.write(reg.name, reg.value);
  return programming.writes();
}

/// The register writes for every event with each of its unit masks.
std::vector<Writes> all_writes(const models::Target& target) {
  std::vector<Writes> all;
  const auto add = [&](const std::string& event) {
    if (Writes writes = writes_of(target, event); !writes.empty()) all.push_back(std::move(writes));
  };
  for (const encoder::EventInfo& event : *encoder::events(target.name)) {
    if (event.unit_masks.empty()) add(event.name);
    for (const encoder::UnitMaskInfo& mask : event.unit_masks) add(event.name + ":" + mask.name);
  }
  return all;
}

/// The values of all counters, PMU by PMU.
std::vector<std::vector<std::uint64_t>> count(const models::Target& target, std::unique_ptr<trace::Reader> trace,
                                              const std::vector<Writes>& pmus, bool observed) {
  Readers readers;
  readers.push_back(std::move(trace));
  std::vector<std::vector<std::uint64_t>> counters;
  for (const MonitorResult& monitor : run_pmus(target, target.parameters(), std::move(readers), pmus, observed))
    counters.emplace_back(monitor.counters.begin(), monitor.counters.end());
  return counters;
}

struct MicroTrace {
  const char* target;
  const char* trace;
};
class EventInterests : public testing::TestWithParam<MicroTrace> {};

// With an observer the core reports everything, without one only what the single event reads.
TEST_P(EventInterests, EveryEventCountsTheSame) {
  const models::Target& target = *models::find_target(GetParam().target);
  const auto open = [] { return micro(GetParam().trace); };
  const std::vector<Writes> all = all_writes(target);
  const auto full = count(target, open(), all, true);
  std::size_t not_zero = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(count(target, open(), {all[i]}, false).at(0), full[i]) << fmt::format("{:#x}", all[i].front().value);
    for (const std::uint64_t value : full[i]) not_zero += value != 0 ? 1 : 0;
  }
  EXPECT_GT(not_zero, all.size() / 20);
}

constexpr MicroTrace micro_traces[] = {
    {"athlon", "athlon/branches"},      {"athlon", "athlon/segments"},       {"athlon", "athlon/interrupts_2"},
    {"athlon", "athlon/split_loads"},   {"athlon", "athlon/self_modifying"}, {"athlon", "athlon/code_pages_17"},
    {"athlon", "athlon/owned_leaves"},  {"athlon", "athlon/fpu_full_150"},   {"alpha-ev6", "alpha/branches"},
    {"alpha-ev6", "alpha/orders"},      {"alpha-ev67", "alpha/branches"},    {"alpha-ev67", "alpha/orders"},
    {"alpha-ev67", "alpha/data_walks"}, {"alpha-ev67", "alpha/misses"},      {"alpha-ev5", "alpha/misses"},
    {"alpha-ev5", "alpha/branches"},    {"alpha-ev4", "alpha/branches"},     {"alpha-ev4", "alpha/misses"},
    {"alpha-pca56", "alpha/data_walks"}};
INSTANTIATE_TEST_SUITE_P(Traces, EventInterests, testing::ValuesIn(micro_traces), [](const auto& info) {
  std::string name = std::string(info.param.target) + "_" + info.param.trace;
  for (char& c : name) c = c == '/' || c == '-' ? '_' : c;
  return name;
});

/// Returns the final values of a driver's handler that counts the interrupts of each counter, and the counters.
std::vector<std::uint64_t> tick(const models::Target& target, std::unique_ptr<trace::Reader> trace,
                                const Writes& writes, bool observed) {
  SessionOptions options;
  options.engine = Engine::direct;
  options.region.end = 150000;
  Session session(target, target.parameters(), options);
  TickCounter ticks(find_firmware(target.name));
  session.add_monitor(ticks.setup(writes));
  if (observed) session.add_observer([](const activity::Block&) {});
  const MonitorResult result = session.run(std::move(trace)).monitors.at(0);
  std::vector<std::uint64_t> all{result.interrupts, ticks.ticks(0), ticks.ticks(1), ticks.ticks(2)};
  all.insert(all.end(), result.counters.begin(), result.counters.end());
  return all;
}

/// Changes the writes to those of a sampling driver on the 21164: CTL0<15:14>, CTL1<13:12> and CTL2<11:10> of PMCTR are
/// 1 in a counter that counts and 3 in a counter that interrupts at its short period.
void interrupt_often(const models::Target& ev5, Writes& writes) {
  const auto pmctr = find_register(*ev5.make_monitor(ev5.parameters()), "PMCTR").value().id;
  for (RegisterWrite& write : writes)
    if (write.id == pmctr) write.value |= (write.value & 0x5400) << 1;
}

// A handler that only counts writes no register: the core need not report more than without a handler.
TEST(EventInterestsOfAHandler, TicksAreTheSame) {
  for (const std::string chip : {"alpha-ev4", "alpha-ev5"}) {  // the 21064's counters always interrupt
    const models::Target& target = *models::find_target(chip);
    unsigned interrupted = 0;
    for (Writes& writes : all_writes(target)) {
      if (chip == "alpha-ev5") interrupt_often(target, writes);
      const auto open = [] { return trace::open(PMUSIM_SOURCE_DIR "/isa-traces/recorded/alpha-strhash.pmt"); };
      const auto full = tick(target, open(), writes, true);
      EXPECT_EQ(tick(target, open(), writes, false), full) << chip;
      interrupted += full[0] != 0 ? 1 : 0;
    }
    EXPECT_GT(interrupted, 4u) << chip;
  }
}

// Two threads switch in the same cycles: a wait for the pipeline to be empty ends when it is empty.
TEST(EventInterestsOfTwoThreads, ThreadsSwitchInTheSameCycles) {
  const models::Target& montecito = *models::find_target("montecito");
  models::Parameters parameters = montecito.parameters();
  parameters.set("core.quantum", 1000);
  const auto cycles = [&](bool observed) {
    Readers readers;
    for (const char* name : {"ia64-listwalk-O2", "ia64-quicksort-O2"})
      readers.push_back(trace::open(fmt::format("{}/isa-traces/recorded/{}.pmt", PMUSIM_SOURCE_DIR, name)));
    return run_pmus(montecito, parameters, std::move(readers), {writes_of(montecito, "CPU_OP_CYCLES_ALL")}, observed)
        .at(0)
        .counters;
  };
  const auto full = cycles(true);
  EXPECT_GT(*std::max_element(full.begin(), full.end()), 100000u);
  EXPECT_EQ(cycles(false), full);
}

/// A program that writes a register while it runs.
struct Switched {
  const char* target;
  const char* before;  ///< the event that is counted until then
  const char* trace;
  unsigned at;  ///< number of the instruction that writes
  const char* reg;
  std::vector<std::uint64_t> values;  ///< 0 is none of them
};

/// The trace at the most privileged level.
std::unique_ptr<trace::Reader> writing(const Switched& one, std::uint64_t value) {
  const auto reader = micro(one.trace);
  const bool ppc = reader->info().isa == trace::Isa::ppc;
  std::string text = fmt::format("! isa {}\n", trace::name_of(reader->info().isa));
  unsigned number = 0;
  for (trace::Item item; reader->next(item); text += '\n') {
    if (item.directive != nullptr) {
      trace::append_line(text, *item.directive);
      continue;
    }
    if (number == 0) text += ppc ? "! msr pr=0\n" : "! cpl 0\n";
    trace::append_line(text, reader->info().isa, item.instruction);
    if (number++ == one.at) text += fmt::format(" wr={}:{:#x}", one.reg, value);
  }
  EXPECT_GT(number, one.at);
  return trace::open_text(text, one.trace);
}

std::vector<std::uint64_t> numbers(std::uint64_t from, std::uint64_t to,
                                   const std::function<std::uint64_t(std::uint64_t)>& value) {
  std::vector<std::uint64_t> list;
  for (; from <= to; ++from) list.push_back(value(from));
  return list;
}

// The program itself changes the counter to an event that had no subscriber before: it counts the same when the core
// has omitted, up to then, what no counter reads.
TEST(EventInterestsThatChange, AreSeenComing) {
  std::vector<std::uint64_t> athlon;
  for (const Writes& writes : all_writes(*models::find_target("athlon"))) {
    for (const RegisterWrite& write : writes) {
      if (write.value != 0) athlon.push_back(write.value);
    }
  }
  // MMCR0: the codes of PMC1 and PMC2. PMC4 of the Itanium 2: INST_DISPERSED, IA64_INST_RETIRED, at every level.
  // 21064: PCMUX0 at 0 to 14, PCMUX1 at 1 to 7. 21164 and 21164PC: CTL1 at 1 and SEL1 at 0 to 15. 21264: SL1 at 1 to 7.
  const auto sel1 = [](std::uint64_t sel) { return 1u << 12 | sel << 4; };
  auto ev4 = numbers(0, 7, [](std::uint64_t mux0) { return mux0 << 9; });
  for (const std::uint64_t mux1 : numbers(1, 7, [](std::uint64_t mux) { return mux << 32; })) ev4.push_back(mux1);
  const Switched all[] = {
      {"athlon", "CPU_CLK_UNHALTED", "athlon/loop", 20, "PerfEvtSel0", athlon},
      {"ppc750gx", "NOTHING", "ppc750gx/loop", 20, "MMCR0",
       numbers(1, 127, [](std::uint64_t code) { return code << 6 | (code & 0x3f); })},
      {"itanium2", "CPU_CYCLES", "itanium2/branches", 20, "PMC4", {0x280000f | 0x4d << 8, 0x280000f | 0x08 << 8}},
      {"alpha-ev4", "PF_CYCLES", "alpha/branches", 300, "ICCSR", ev4},
      {"alpha-ev5", "PF5_MUX0_CYCLES", "alpha/branches", 300, "PMCTR", numbers(0, 15, sel1)},
      {"alpha-pca56", "PF5_MUX0_CYCLES", "alpha/branches", 300, "PMCTR", numbers(0, 15, sel1)},
      {"alpha-ev6", "PF6_MUX1_CYCLES", "alpha/branches", 300, "PCTR_CTL",
       numbers(1, 7, [](std::uint64_t sl1) { return sl1; })}};
  for (const Switched& one : all) {
    const models::Target& target = *models::find_target(one.target);
    const Writes before = writes_of(target, one.before);
    const auto counted = [&](std::uint64_t value, bool observed) {
      return count(target, writing(one, value), {before}, observed);
    };
    const auto off = counted(0, true);
    unsigned others = 0;
    for (const std::uint64_t value : one.values) {
      const auto full = counted(value, true);
      EXPECT_EQ(counted(value, false), full) << one.target << fmt::format(" {:#x}", value);
      others += full != off ? 1 : 0;
    }
    EXPECT_GE(others, std::min<std::size_t>(one.values.size(), 3)) << one.target << ": too few values count anything";
  }
}

}  // namespace
}  // namespace pmusim::testbench
