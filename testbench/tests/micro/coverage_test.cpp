// Runs last: a micro-trace must have counted every event and unit mask of each target, with a count above zero.
#include <gtest/gtest.h>

#include "run.h"

namespace pmusim::micro {
namespace {

/// Events that no instruction and no external cause can produce.
bool counts_nothing(const std::string& name) {
  return name == "NOTHING" || name.starts_with("PM_RSVD_") || name == "SEGMENT_REGISTER_LOADS:HS" ||
         name == "DATA_CACHE_REFILLS_FROM_SYSTEM:INVALID" || name == "DATA_CACHE_LINES_EVICTED:INVALID";
}

class Coverage : public testing::Environment {
 public:
  void TearDown() override {
    // Only a run that selects no tests covers all events; what it leaves out (PmusimTest.cmake) covers none.
    const std::string filter = testing::GTEST_FLAG(filter);
    if (filter != "*" && !filter.starts_with("-")) return;
    for (const char* target : {"ppc750gx", "athlon", "itanium2"}) {
      const auto& counted = covered(target);
      const auto check = [&](const std::string& name) {
        const auto found = counted.find(name);
        ASSERT_NE(found, counted.end()) << target << ": no micro-trace for " << name;
        if (!counts_nothing(name)) {
          EXPECT_GT(found->second, 0u) << target << ": never occurs: " << name;
        }
      };
      for (const oracle::EventName& event : oracle::events(target)) {
        const std::string name(event.name);
        if (event.umasks.empty()) check(name);
        for (const auto& umask : event.umasks) check(name + ":" + std::string(umask));
      }
    }
  }
};
const auto* const coverage = testing::AddGlobalTestEnvironment(new Coverage);

}  // namespace
}  // namespace pmusim::micro
