// Fixtures and calls for the tests of the C API.
#pragma once

#include <gtest/gtest.h>
#include <perfmon/pfmlib.h>

#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace pmusim::encoder::test {

/// Selects a PMU for each test.
class Athlon : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pfm_force_pmu(PFMLIB_ATHLON_PMU), PFMLIB_SUCCESS); }
};
class Ppc750 : public ::testing::Test {
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

/// What a function of the C API stores through its last argument, if it succeeds; a value that nobody expects if it
/// stores nothing.
template <class... Parameters, class... Arguments>
auto got(pfm_err_t (*function)(Parameters...), Arguments... arguments) {
  using Last = std::tuple_element_t<sizeof...(Parameters) - 1, std::tuple<Parameters...>>;
  std::remove_pointer_t<Last> value;
  std::memset(&value, 0x5a, sizeof value);
  EXPECT_EQ(function(arguments..., &value), PFMLIB_SUCCESS);
  return value;
}

/// A request of named events, at user level unless changed.
struct Call {
  std::unique_ptr<pfmlib_input_param_t> in = std::make_unique<pfmlib_input_param_t>();
  std::unique_ptr<pfmlib_output_param_t> out = std::make_unique<pfmlib_output_param_t>();

  explicit Call(const std::vector<const char*>& events) {
    in->pfp_dfl_plm = PFM_PLM3;
    for (const char* name : events) in->pfp_events[in->pfp_event_count++] = event(name);
    std::memset(out.get(), 0xff, sizeof *out);
  }
  int dispatch(void* model_in = nullptr) { return pfm_dispatch_events(in.get(), model_in, out.get(), nullptr); }
};

}  // namespace pmusim::encoder::test
