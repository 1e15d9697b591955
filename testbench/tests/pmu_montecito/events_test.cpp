// The events of a single occurrence: the rows of the event list that name it count it, and no others.
#include "testbench/tests/monitors/ia64_stimuli.h"
#include "testbench/tests/pmu_montecito/bench.h"

namespace pmusim::testing {
namespace {

using ia64::Kind;

// SI_CYCLES counts whenever a bus clock begins (counting_test.cpp); the others the model takes from another signal or
// detail than the oracle, which a core makes together. What has the Itanium 2's line is tested there.
const Stimuli::Names elsewhere{"L1D_READS_SET0",
                               "L1D_READS_SET1",
                               "L2DTLB_MISSES",
                               "L2D_BYPASS_L3_DATA1",
                               "L2D_REFERENCES_ALL",
                               "L2D_REFERENCES_READS",
                               "L2D_REFERENCES_WRITES",
                               "LOADS_RETIRED",
                               "LOADS_RETIRED_INTG",
                               "SI_CYCLES",
                               "SPEC_LOADS_NATTED_ALL",
                               "SPEC_LOADS_NATTED_DEF_PSR_ED",
                               "SPEC_LOADS_NATTED_DEF_TLB_FAULT",
                               "SPEC_LOADS_NATTED_DEF_TLB_MISS",
                               "SPEC_LOADS_NATTED_NAT_CNSM",
                               "SPEC_LOADS_NATTED_VHPT_MISS"};
std::unique_ptr<Monitor> monitor_of(const char* thread) {
  return make_montecito({{"pmu.syllable_overcount", "both_stops"}, {"pmu.thread", thread}});
}

TEST(Events, CountTheirOccurrencesAndNoOthers) {
  Stimuli(oracle::script::montecito_stimuli(), "CPU_OP_CYCLES_ALL").expect_counts("montecito", elsewhere, [] {
    return monitor_of("0");
  });
}

// All stimuli are thread 0's, which is the active one. Captures are those of a monitor's own thread.
TEST(Events, AreThoseOfOneThreadOrOfBoth) {
  const Stimuli stimuli(oracle::script::montecito_stimuli(), "CPU_OP_CYCLES_ALL");
  const auto of_the_other = [] { return monitor_of("1"); };
  stimuli.expect_counts("montecito", {}, of_the_other, ":plm=15", 0);
  Stimuli::Names more = elsewhere;
  for (const oracle::EventName& event : oracle::events("montecito")) {
    if (event.name == "ETB_EVENT" || event.name == "BRANCH_EVENT" || event.name.find("_EAR_") != std::string_view::npos)
      more.emplace(event.name);
  }
  stimuli.expect_counts("montecito", more, of_the_other, ":plm=15:all=1");
}

/// Unit masks, and the expected count of each; the others count nothing.
void expect(const Activity& a, unsigned code, const std::map<unsigned, std::uint64_t>& counts) {
  for (unsigned umask = 0; umask < 16; ++umask) {
    const auto listed = counts.find(umask);
    EXPECT_EQ(count(a, code, umask), listed == counts.end() ? 0 : listed->second) << std::hex << code << ' ' << umask;
  }
}

TEST(Events, SpeculativeLoads) {
  // Each reason once; a load that is not speculative, a floating-point load and a load that has its data do not count.
  Activity a(20);
  Cycle c = 0;
  const auto load = [&](std::uint32_t kinds, ia64::Deferral why) {
    const std::uint32_t i = a.instruction({.kinds = kinds});
    a.syllable(i).deferral = why;
    a.occur(Signal::retire, c++, 0, i);
  };
  constexpr std::uint32_t speculative = bit(Kind::speculative) | bit(Kind::integer_load);
  for (unsigned why = 0; why <= 5; ++why) load(speculative, static_cast<ia64::Deferral>(why));
  load(bit(Kind::integer_load), ia64::Deferral::tlb_miss);
  load(bit(Kind::speculative) | bit(Kind::fp_load), ia64::Deferral::tlb_miss);
  load(speculative, ia64::Deferral::psr_ed);
  expect(a, 0xd9, {{0, 6}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 2}});
}

TEST(Events, IntegerLoads) {
  Activity a(20);
  Cycle c = 0;
  const auto retire = [&](auto change) {
    const std::uint32_t r = a.request(0x9000);
    change(a.more(r));
    a.occur(Signal::access_retire, c++, 0, r);
  };
  retire([](ia64::Request&) {});
  retire([](ia64::Request& r) { r.fp = true; });
  retire([](ia64::Request& r) { r.semaphore = r.store = true; });
  retire([](ia64::Request& r) { r.requester = ia64::Requester::register_stack; });
  retire([](ia64::Request& r) { r.load = false, r.store = true; });
  expect(a, 0xd8, {{0, 1}});
  expect(a, 0xcd, {{0, 4}});
}

TEST(Events, AllAreModelled) {
  for (unsigned code = 0; code < 256; ++code) {
    for (unsigned umask = 0; umask < 16; ++umask)
      EXPECT_TRUE(counting({event(code, umask) | any_level})->not_modelled().empty());
  }
}

}  // namespace
}  // namespace pmusim::testing
