// The events of a single occurrence: the rows of the event list that name it count it, and no others.
#include "testbench/tests/monitors/ia64_stimuli.h"
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

// The last: the model takes them from another signal or detail than the oracle, which a core makes together.
TEST(Events, CountTheirOccurrencesAndNoOthers) {
  Stimuli(oracle::script::itanium2_stimuli(), "CPU_CYCLES")
      .expect_counts(
          "itanium2",
          {"L1D_READS_SET0", "L1D_READS_SET1", "L2DTLB_MISSES", "L2_BYPASS_L3_DATA1", "L2_DATA_REFERENCES_L2_ALL",
           "L2_DATA_REFERENCES_L2_DATA_READS", "L2_DATA_REFERENCES_L2_DATA_WRITES", "LOADS_RETIRED"},
          [] {
            return make_itanium2({{"pmu.syllable_overcount", "both_stops"}});
          });
}

std::uint64_t count(const Activity& activity, unsigned code, unsigned umask = 0) {
  auto m = counting({event(code, umask) | any_level});
  consume_both(*m, activity.block());
  return get(*m, pmd(4));
}

TEST(Events, Loads) {
  // A load, a semaphore and the walker's load; an lfetch and a store are none.
  Activity a(20);
  const std::uint32_t load = a.request(0x9000), semaphore = a.request(0x9000), store = a.request(0x9000),
                      lfetch = a.request(0x9000), walk = a.request(0xf000);
  a.more(semaphore).semaphore = a.more(semaphore).store = true;
  a.more(store).load = false;
  a.more(store).store = true;
  a.more(lfetch).load = false;
  a.more(lfetch).prefetch = true;
  a.more(walk).requester = ia64::Requester::page_walker;
  for (const std::uint32_t r : {load, semaphore, store, lfetch}) {
    a.occur(Signal::access_retire, r, 0, r);
    a.occur(Signal::l2_reference, 10 + r, d::side_data, r);
  }
  a.occur(Signal::walk_read, 15, 0, walk);
  a.occur(Signal::l2_reference, 16, 0, a.request(0x4000));  // a fetch
  EXPECT_EQ(count(a, 0xcd), 3u);
  EXPECT_EQ(count(a, 0xb2, 1), 3u) << "reads: lfetch, too";
  EXPECT_EQ(count(a, 0xb2, 2), 2u) << "writes";
  EXPECT_EQ(count(a, 0xb2, 3), 5u);
}

TEST(Events, ReadsOfTheFirstLevel) {
  Activity a(40);
  Cycle c = 0;
  for (const auto& [read, detail] : {std::pair{true, d::lookup_hit},
                                     {true, d::lookup_miss},
                                     {false, d::lookup_miss},
                                     {true, std::uint16_t{d::lookup_miss | dd::access_replayed}}}) {
    const std::uint32_t r = a.request(0x8000);
    a.more(r).l1d_read = read;
    a.occur(Signal::data_reference, c++, detail, r);
  }
  EXPECT_EQ(count(a, 0xc2), 3u);
  EXPECT_EQ(count(a, 0xc4), 2u) << "each once";
  for (std::uint16_t i = 0; i < 8; ++i) a.occur(Signal::bypass, 20u + i, i, a.request(0x8000));
  EXPECT_EQ(count(a, 0xb8, 2), 2u) << "to L3 on either side of a late one";
}

}  // namespace
}  // namespace pmusim::testing
