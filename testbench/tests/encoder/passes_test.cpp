// Splits more events than fit at once into passes, and checks what the targets report about themselves.
#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include <atomic>
#include <thread>

#include "expect.h"

namespace pmusim::encoder::test {

namespace {

using Passes = std::vector<std::vector<std::string>>;

Passes split(std::string_view target, const std::vector<std::string>& events, const EncodeOptions& options = {}) {
  return split_passes(target, events, options).value();
}

TEST(Passes, FillTheCountersInOrder) {
  EXPECT_EQ(split("athlon", {"r1", "r2", "r3", "r4", "r5", "r6"}), (Passes{{"r1", "r2", "r3", "r4"}, {"r5", "r6"}}));
  EXPECT_EQ(split("athlon", {"r1", "r2", "r3"}, {.unavailable_counters = {0, 1, 2}}), (Passes{{"r1"}, {"r2"}, {"r3"}}));
  EXPECT_EQ(split("athlon", {}), Passes{});
}

TEST(Passes, AnEventMayJoinAnEarlierPassThatHasRoom) {
  EXPECT_EQ(split("ppc750gx", {"IABR_MATCHES", "L1_LOAD_MISSES", "SNOOPS", "UNRESOLVED_BRANCHES", "L2_HITS"}),
            (Passes{{"IABR_MATCHES", "SNOOPS", "L2_HITS"}, {"L1_LOAD_MISSES"}, {"UNRESOLVED_BRANCHES"}}));
}

TEST(Passes, SettingsOfTheWholeRunSeparateEvents) {
  EXPECT_EQ(split("ppc750gx", {"PROCESSOR_CYCLES:u", "PROCESSOR_CYCLES:k", "SNOOPS:u"}),
            (Passes{{"PROCESSOR_CYCLES:u", "SNOOPS:u"}, {"PROCESSOR_CYCLES:k"}}));
}

TEST(Passes, EveryEventOfEveryTargetGetsAPass) {
  for (const TargetInfo& target : targets()) {
    std::vector<std::string> all;
    for (const EventInfo& event : events(target.name).value()) all.push_back(complete(event));
    std::size_t placed = 0;
    for (const auto& pass : split(target.name, all)) {
      EXPECT_TRUE(encode(target.name, pass));
      placed += pass.size();
    }
    EXPECT_EQ(placed, all.size());
  }
  // 57 events on 4 equal counters; the 750GX has most single-counter events on PMC2 and PMC3: 16 - 5 each.
  std::vector<std::string> athlon;
  for (const EventInfo& event : events("athlon").value()) athlon.push_back(event.name);
  EXPECT_EQ(split("athlon", athlon).size(), (57u + 3) / 4);
}

TEST(Passes, AnImpossibleEventFailsAlone) {
  const std::vector<std::string> events{"r1", "NO_SUCH_EVENT"};
  const auto result = split_passes("athlon", events);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unknown_event);
}

TEST(Targets, SayWhatTheyAre) {
  const struct {
    const char* name;
    int type;
    unsigned width, counters;
  } rows[] = {{"athlon", 256, 48, 4},    {"ppc750gx", 257, 32, 4},    {"ppc750gl", 257, 32, 4},
              {"itanium2", 3, 47, 4},    {"montecito", 4, 47, 12},    {"alpha-ev4", 258, 16, 2},
              {"alpha-ev5", 259, 16, 3}, {"alpha-pca56", 260, 16, 3}, {"alpha-ev6", 261, 20, 2},
              {"alpha-ev67", 262, 20, 2}};
  const auto all = targets();
  ASSERT_EQ(all.size(), std::size(rows));
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].name, rows[i].name);
    EXPECT_EQ(all[i].pmu_type, rows[i].type);
    EXPECT_EQ(all[i].counter_width, rows[i].width) << rows[i].name;
    EXPECT_EQ(all[i].counters, rows[i].counters) << rows[i].name;
  }
}

TEST(Targets, AttributesEndAtTheirLimits) {
  for (const TargetInfo& target : targets()) {
    const std::string event = complete(events(target.name).value().front());
    for (const AttributeInfo& attribute : attributes(target.name).value()) {
      const std::string limits = std::to_string(attribute.minimum) + " to " + std::to_string(attribute.maximum);
      const std::string beyond =
          event + ":" + std::string(attribute.name) + "=" + std::to_string(attribute.maximum + 1);
      expect_refused(target.name, {__LINE__, {beyond}, ErrorCode::bad_attribute_value, {limits}});
    }
  }
}

TEST(Targets, OthersHaveNothing) {
  EXPECT_FALSE(events("vax"));
  EXPECT_FALSE(attributes("vax"));
  EXPECT_FALSE(reserved_events("vax"));
  EXPECT_FALSE(split_passes("vax", {}));
}

// Calls the engine and the C API from many threads at once.

template <class Work>
void on_threads(Work work) {
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 8; ++id) threads.emplace_back(work, id);
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, TheEngineGivesEachThreadItsOwnAnswer) {
  std::atomic<unsigned> wrong{0};
  on_threads([&](unsigned id) {
    for (unsigned i = 0; i < 2000; ++i) {
      const unsigned mask = (id * 31 + i) % 256;
      const std::vector<std::string> event{"RETIRED_UOPS:c=" + std::to_string(mask)};
      const auto athlon = encode("athlon", event);
      if (!athlon || athlon->registers[0].value != (0x004300C1u | mask << 24)) ++wrong;
      const std::vector<std::string> late{"L1_LOAD_MISSES:t=" + std::to_string(mask % 64)};
      const auto ppc = encode("ppc750gx", late);
      if (!ppc || ppc->registers[1].value != ((mask % 64) << 16 | 10u << 6)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0u);
}

TEST(Threads, TheCApiKeepsTheLastErrorOfEachThread) {
  ASSERT_EQ(pfm_force_pmu(PFMLIB_ATHLON_PMU), PFMLIB_SUCCESS);
  std::atomic<unsigned> wrong{0};
  on_threads([&](unsigned id) {
    const std::string name = "NO_SUCH_" + std::to_string(id);
    for (unsigned i = 0; i < 2000; ++i) {
      unsigned int idx = 0;
      if (pfm_find_event(name.c_str(), &idx) != PFMLIB_ERR_NOTFOUND) ++wrong;
      if (std::string(pfm_last_error()).find("'" + name + "'") == std::string::npos) ++wrong;
      pfmlib_event_t event;
      if (pfm_find_full_event("DATA_CACHE_REFILLS:L2_SHARED", &event) != PFMLIB_SUCCESS || event.num_masks != 1)
        ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0u);
}

}  // namespace

}  // namespace pmusim::encoder::test
