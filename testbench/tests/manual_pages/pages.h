#pragma once
// The two pages' functions and blocks under common names, so that a test is written once.
#include <gtest/gtest.h>
#include <perfmon/pfmlib_itanium2.h>
#include <perfmon/pfmlib_montecito.h>

#include <optional>
#include <string>
#include <vector>

namespace pmusim::encoder::test {

/// Two functions of the same kind, one of each page.
#define PMUSIM_PAGE_FUNCTION(name, short_name)      \
  template <class... Arguments>                     \
  static auto name(Arguments... arguments) {        \
    return pfm_##short_name##_##name(arguments...); \
  }
#define PMUSIM_PAGE_FUNCTIONS(short_name)             \
  PMUSIM_PAGE_FUNCTION(is_ear, short_name)            \
  PMUSIM_PAGE_FUNCTION(is_dear, short_name)           \
  PMUSIM_PAGE_FUNCTION(is_dear_tlb, short_name)       \
  PMUSIM_PAGE_FUNCTION(is_dear_cache, short_name)     \
  PMUSIM_PAGE_FUNCTION(is_dear_alat, short_name)      \
  PMUSIM_PAGE_FUNCTION(is_iear, short_name)           \
  PMUSIM_PAGE_FUNCTION(is_iear_tlb, short_name)       \
  PMUSIM_PAGE_FUNCTION(is_iear_cache, short_name)     \
  PMUSIM_PAGE_FUNCTION(support_opcm, short_name)      \
  PMUSIM_PAGE_FUNCTION(support_iarr, short_name)      \
  PMUSIM_PAGE_FUNCTION(support_darr, short_name)      \
  PMUSIM_PAGE_FUNCTION(get_event_maxincr, short_name) \
  PMUSIM_PAGE_FUNCTION(get_event_umask, short_name)   \
  PMUSIM_PAGE_FUNCTION(get_event_group, short_name)   \
  PMUSIM_PAGE_FUNCTION(get_event_set, short_name)     \
  PMUSIM_PAGE_FUNCTION(get_ear_mode, short_name)      \
  PMUSIM_PAGE_FUNCTION(irange_is_fine, short_name)

/// libpfm_itanium2(3).
struct Itanium2Page {
  static constexpr int pmu = PFMLIB_ITANIUM2_PMU;
  using Input = pfmlib_ita2_input_param_t;
  using Output = pfmlib_ita2_output_param_t;
  using EarMode = pfmlib_ita2_ear_mode_t;
  static constexpr unsigned counters = PMU_ITA2_NUM_COUNTERS;
  static constexpr unsigned iear_pmc = 10, dear_pmc = 11, branch_pmc = 12, opcode_pmc = 8;
  static constexpr unsigned no_qualcheck = PFMLIB_ITA2_FL_EVT_NO_QUALCHECK;
  static constexpr unsigned inverse = PFMLIB_ITA2_RR_INV, no_fine = PFMLIB_ITA2_RR_NO_FINE_MODE;
  static constexpr unsigned fetches = 0;       ///< flags of a code range that every event takes
  static constexpr std::uint64_t page = 4096;  ///< of fine mode
  static constexpr const char* branch_event = "BRANCH_EVENT";
  static constexpr const char* unfiltered = "CPU_CYCLES";  ///< an event that takes no code range
  static int is_branch_buffer(unsigned i) { return pfm_ita2_is_btb(i); }
  static auto& counters_of(Input& in) { return in.pfp_ita2_counters; }
  static auto& iear(Input& in) { return in.pfp_ita2_iear; }
  static auto& dear(Input& in) { return in.pfp_ita2_dear; }
  static auto& irange(Input& in) { return in.pfp_ita2_irange; }
  static auto& drange(Input& in) { return in.pfp_ita2_drange; }
  static auto& irange(Output& out) { return out.pfp_ita2_irange; }
  static auto& drange(Output& out) { return out.pfp_ita2_drange; }
  static void match_all(Input& in) { in.pfp_ita2_pmc8 = {1, 0xf00000003ffffffc}; }
  /// Writes the branch buffer's block.
  static void branches(Input& in, unsigned tm, unsigned ptm, unsigned ppm, unsigned brt, unsigned plm) {
    in.pfp_ita2_btb = {1,
                       0,
                       static_cast<unsigned char>(tm),
                       static_cast<unsigned char>(ptm),
                       static_cast<unsigned char>(ppm),
                       static_cast<unsigned char>(brt),
                       plm};
  }
  /// The fields of PMC10, PMC11 (Intel 251110, 10.3.7 and 10.3.8).
  static unsigned iear_umask(std::uint64_t value) { return value >> 5 & 0xff; }
  static unsigned dear_umask(std::uint64_t value) { return value >> 16 & 0xf; }
  static unsigned dear_mode(std::uint64_t value) { return value >> 7 & 3; }
  PMUSIM_PAGE_FUNCTIONS(ita2)
};

/// libpfm_montecito(3).
struct MontecitoPage {
  static constexpr int pmu = PFMLIB_MONTECITO_PMU;
  using Input = pfmlib_mont_input_param_t;
  using Output = pfmlib_mont_output_param_t;
  using EarMode = pfmlib_mont_ear_mode_t;
  static constexpr unsigned counters = PMU_MONT_NUM_COUNTERS;
  static constexpr unsigned iear_pmc = 37, dear_pmc = 40, branch_pmc = 39, opcode_pmc = 32;
  static constexpr unsigned no_qualcheck = PFMLIB_MONT_FL_EVT_NO_QUALCHECK;
  static constexpr unsigned inverse = PFMLIB_MONT_RR_INV, no_fine = PFMLIB_MONT_RR_NO_FINE_MODE;
  static constexpr unsigned fetches = PFMLIB_MONT_IRR_DEMAND_FETCH;
  static constexpr std::uint64_t page = 65536;
  static constexpr const char* branch_event = "ETB_EVENT";
  static constexpr const char* unfiltered = "FE_BUBBLE_ALL";
  static int is_branch_buffer(unsigned i) { return pfm_mont_is_etb(i); }
  static auto& counters_of(Input& in) { return in.pfp_mont_counters; }
  static auto& iear(Input& in) { return in.pfp_mont_iear; }
  static auto& dear(Input& in) { return in.pfp_mont_dear; }
  static auto& irange(Input& in) { return in.pfp_mont_irange; }
  static auto& drange(Input& in) { return in.pfp_mont_drange; }
  static auto& irange(Output& out) { return out.pfp_mont_irange; }
  static auto& drange(Output& out) { return out.pfp_mont_drange; }
  static void match_all(Input& in) { in.pfp_mont_opcm1 = {1, 1, 1, 1, 1, 0, (1ul << 41) - 1}; }
  static void branches(Input& in, unsigned tm, unsigned ptm, unsigned ppm, unsigned brt, unsigned plm) {
    in.pfp_mont_etb = {1,
                       0,
                       plm,
                       static_cast<unsigned char>(tm),
                       static_cast<unsigned char>(ptm),
                       static_cast<unsigned char>(ppm),
                       static_cast<unsigned char>(brt)};
  }
  /// The fields of PMC37 and PMC40 (Intel 308065, 3.3.8 and 3.3.9).
  static unsigned iear_umask(std::uint64_t value) { return value >> 5 & 0xff; }
  static unsigned dear_umask(std::uint64_t value) { return value >> 16 & 0xf; }
  static unsigned dear_mode(std::uint64_t value) { return value >> 7 & 3; }
  PMUSIM_PAGE_FUNCTIONS(mont)
};

/// A descriptor, by pfm_find_event.
inline unsigned descriptor(const std::string& name) {
  unsigned i = ~0u;
  EXPECT_EQ(pfm_find_event(name.c_str(), &i), PFMLIB_SUCCESS) << name;
  return i;
}

inline std::string name_of(unsigned i) {
  char name[96] = "";
  EXPECT_EQ(pfm_get_event_name(i, name, sizeof name), PFMLIB_SUCCESS) << i;
  return name;
}

inline unsigned number_of_events() {
  unsigned events = 0;
  EXPECT_EQ(pfm_get_num_events(&events), PFMLIB_SUCCESS);
  return events;
}

/// A request with all its blocks, at level 3 unless a block says otherwise.
template <class Page>
struct Request {
  pfmlib_input_param_t in{};
  pfmlib_output_param_t out{};
  typename Page::Input model_in{};
  typename Page::Output model_out{};

  explicit Request(const std::vector<unsigned>& events = {}) {
    in.pfp_dfl_plm = PFM_PLM3;
    for (const unsigned i : events) {
      pfmlib_event_t& event = in.pfp_events[in.pfp_event_count++];
      event.event = i;
      EXPECT_EQ(pfm_get_num_event_masks(i, &event.num_masks), PFMLIB_SUCCESS);
      for (unsigned k = 0; k < event.num_masks; ++k) event.unit_masks[k] = k;  // every state of a line
    }
  }
  int dispatch() {
    out = {};
    model_out = {};
    return pfm_dispatch_events(&in, &model_in, &out, &model_out);
  }
  /// The value given for a control register, if there is one.
  std::optional<std::uint64_t> pmc(unsigned number) const {
    for (unsigned k = 0; k < out.pfp_pmc_count; ++k)
      if (out.pfp_pmcs[k].reg_num == number) return out.pfp_pmcs[k].reg_value;
    return std::nullopt;
  }
  /// Event code and unit mask of the first event's control register (Intel 251110 and 308065: bits 15:8 and 19:16).
  unsigned code() const { return out.pfp_pmcs[0].reg_value >> 8 & 0xff; }
  unsigned umask() const { return out.pfp_pmcs[0].reg_value >> 16 & 0xf; }
  void code_range(std::uint64_t start, std::uint64_t end, unsigned flags = Page::fetches) {
    auto& range = Page::irange(model_in);
    range.rr_used = 1;
    range.rr_flags = flags;
    range.rr_limits[0] = {0, start, end};
  }
  void data_range(std::uint64_t start, std::uint64_t end) {
    auto& range = Page::drange(model_in);
    range.rr_used = 1;
    range.rr_limits[0] = {0, start, end};
  }
};

/// A test of both pages.
template <class Page>
class ManualPage : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pfm_force_pmu(Page::pmu), PFMLIB_SUCCESS); }
};
using BothPages = testing::Types<Itanium2Page, MontecitoPage>;
TYPED_TEST_SUITE(ManualPage, BothPages);

}  // namespace pmusim::encoder::test
