// Calls the engine and the C API from many threads at once.
#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include <atomic>
#include <thread>

#include "expect.h"

namespace pmusim::encoder::test {
namespace {

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
