// Fixtures for the tests of the C API.
#pragma once

#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include <string>

namespace pmusim::encoder::test {

/// Selects a PMU for each test.
class Athlon : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pfm_force_pmu(PFMLIB_ATHLON_PMU), PFMLIB_SUCCESS); }
};
class Ppc750 : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pfm_force_pmu(PFMLIB_PPC750GX_PMU), PFMLIB_SUCCESS); }
};

inline unsigned descriptor(const char* name) {
  unsigned idx = ~0u;
  EXPECT_EQ(pfm_find_event_byname(name, &idx), PFMLIB_SUCCESS) << name;
  return idx;
}

inline pfmlib_event_t event(const char* full_name) {
  pfmlib_event_t e{};
  EXPECT_EQ(pfm_find_full_event(full_name, &e), PFMLIB_SUCCESS) << full_name << ": " << pfm_last_error();
  return e;
}

}  // namespace pmusim::encoder::test
