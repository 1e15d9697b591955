// The ways to program the event address registers, the branch buffers and the matchers: with or without an event, with
// or without the model-specific block.
#include "testbench/tests/manual_pages/pages.h"

namespace pmusim::encoder::test {

namespace {

constexpr unsigned kDataEarCode = 0xc8, kFetchEarCode = 0x43, kBranchCode = 0x11;  // Intel 251110 and 308065

template <class Page>
void use_data_ear(Request<Page>& request, int mode, unsigned umask, unsigned plm) {
  auto& ear = Page::dear(request.model_in);
  ear.ear_used = 1;
  ear.ear_mode = static_cast<typename Page::EarMode>(mode);
  ear.ear_umask = umask;
  ear.ear_plm = plm;
}

TYPED_TEST(ManualPage, EarMethod1AnEventAloneProgramsTheRegister) {
  struct Row {
    const char* event;
    bool data;
    unsigned mode, umask;
  };
  for (const Row& row : {Row{"DATA_EAR_CACHE_LAT4", true, 0, 0}, Row{"DATA_EAR_CACHE_LAT64", true, 0, 4},
                         Row{"DATA_EAR_TLB_ALL", true, 1, 0xe}, Row{"DATA_EAR_ALAT", true, 2, 0},
                         Row{"L1I_EAR_CACHE_LAT4", false, 0, 0xff}}) {
    Request<TypeParam> request({descriptor(row.event)});
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << row.event << ": " << pfm_last_error();
    EXPECT_EQ(request.code(), row.data ? kDataEarCode : kFetchEarCode) << row.event;
    const auto control = request.pmc(row.data ? TypeParam::dear_pmc : TypeParam::iear_pmc);
    ASSERT_TRUE(control) << row.event;
    EXPECT_EQ(*control & 0xf, 8u) << "the default level";
    if (row.data) {
      EXPECT_EQ(TypeParam::dear_mode(*control), row.mode) << row.event;
    }
    if (row.mode != 2) {
      EXPECT_EQ(row.data ? TypeParam::dear_umask(*control) : TypeParam::iear_umask(*control), row.umask) << row.event;
    }
    EXPECT_FALSE(request.pmc(row.data ? TypeParam::iear_pmc : TypeParam::dear_pmc)) << row.event;
  }
}

TYPED_TEST(ManualPage, EarMethod2TheBlockWinsOverTheEvent) {
  Request<TypeParam> request({descriptor("DATA_EAR_CACHE_LAT4")});
  for (const unsigned plm : {3u, 5u, 8u}) {
    use_data_ear(request, 1, 0xa, plm);
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    EXPECT_EQ(request.code(), kDataEarCode);
    const std::uint64_t control = request.pmc(TypeParam::dear_pmc).value_or(0);
    EXPECT_EQ(control & 0xf, plm);
    EXPECT_EQ(TypeParam::dear_mode(control), 1u);
    EXPECT_EQ(TypeParam::dear_umask(control), 0xau);
  }
  use_data_ear(request, 1, 0xa, 0);
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(request.pmc(TypeParam::dear_pmc).value_or(0) & 0xf, 8u) << "plm 0: the default level";
}

TYPED_TEST(ManualPage, EarMethod4FreeRunning) {
  for (const bool counted : {true, false}) {
    Request<TypeParam> request(counted ? std::vector{descriptor("NOPS_RETIRED")} : std::vector<unsigned>{});
    use_data_ear(request, 0, 3, 8);
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    EXPECT_TRUE(request.pmc(TypeParam::dear_pmc));
    if (counted) {
      EXPECT_EQ(request.code(), 0x50u) << "the counter counts its own event";
    }
  }
}

TYPED_TEST(ManualPage, TheInstructionEarHasCacheAndTlbModes) {
  for (const int mode : {0, 1, 2, 9}) {
    Request<TypeParam> request({descriptor("NOPS_RETIRED")});
    auto& ear = TypeParam::iear(request.model_in);
    ear.ear_used = 1;
    ear.ear_mode = static_cast<typename TypeParam::EarMode>(mode);
    ear.ear_umask = 1;
    EXPECT_EQ(request.dispatch(), mode < 2 ? PFMLIB_SUCCESS : PFMLIB_ERR_INVAL) << mode;
    if (mode < 2) {
      EXPECT_TRUE(request.pmc(TypeParam::iear_pmc)) << mode;
    }
  }
}

/// tm, ptm, ppm and brt of PMC12 and PMC39: bits 9:8, 11:10, 13:12 and 15:14.
std::uint64_t branch_fields(unsigned tm, unsigned ptm, unsigned ppm, unsigned brt) {
  return tm << 8 | ptm << 10 | ppm << 12 | brt << 14;
}

TYPED_TEST(ManualPage, BranchMethod1TheEventRecordsAll) {
  Request<TypeParam> request({descriptor(TypeParam::branch_event)});
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(request.code(), kBranchCode);
  EXPECT_EQ(request.pmc(TypeParam::branch_pmc), branch_fields(3, 3, 3, 0) | 8);
}

TYPED_TEST(ManualPage, BranchMethods2And3TheBlockIsWritten) {
  for (const bool counted : {true, false}) {
    for (unsigned fields = 0; fields < 512; ++fields) {
      const unsigned tm = fields & 3, ptm = fields >> 2 & 3, ppm = fields >> 4 & 3, brt = fields >> 6 & 3;
      const unsigned plm = (fields >> 8) * 3;
      Request<TypeParam> request({descriptor(counted ? TypeParam::branch_event : "NOPS_RETIRED")});
      TypeParam::branches(request.model_in, tm, ptm, ppm, brt, plm);
      ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
      EXPECT_EQ(request.code(), counted ? kBranchCode : 0x50u);
      EXPECT_EQ(request.pmc(TypeParam::branch_pmc), branch_fields(tm, ptm, ppm, brt) | (plm == 0 ? 8 : plm));
    }
  }
}

TYPED_TEST(ManualPage, WithoutEventAndBlockNothingIsProgrammed) {
  Request<TypeParam> request({descriptor("LOADS_RETIRED")});
  use_data_ear(request, 1, 0xa, 8);
  TypeParam::dear(request.model_in).ear_used = 0;
  TypeParam::iear(request.model_in) = TypeParam::dear(request.model_in);
  request.data_range(0x4000, 0x4100);
  TypeParam::drange(request.model_in).rr_used = 0;
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
  for (const unsigned pmc : {TypeParam::dear_pmc, TypeParam::iear_pmc, TypeParam::branch_pmc, TypeParam::opcode_pmc})
    EXPECT_FALSE(request.pmc(pmc)) << pmc;
  EXPECT_EQ(TypeParam::drange(request.model_out).rr_nbr_used, 0u);
  TypeParam::match_all(request.model_in);
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
  EXPECT_TRUE(request.pmc(TypeParam::opcode_pmc));
}

using Itanium2ManualPage = ManualPage<Itanium2Page>;
TEST_F(Itanium2ManualPage, Pmc8IsTheValueThatWasGiven) {
  Request<Itanium2Page> request({descriptor("NOPS_RETIRED")});
  // Bit 2 and the inversion bit belong to the library, which may adjust the value.
  request.model_in.pfp_ita2_pmc8 = {1, 0x8000'1234'0000'5678};
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(request.pmc(8).value_or(0) & ~std::uint64_t{7}, 0x8000'1234'0000'5678u);
}

TEST_F(Itanium2ManualPage, InstructionSetsHaveTheirField) {
  for (const unsigned ism : {0u, 1u, 2u}) {
    Request<Itanium2Page> request({descriptor("CPU_CYCLES")});
    request.model_in.pfp_ita2_counters[0].ism = static_cast<pfmlib_ita2_ism_t>(ism);
    use_data_ear(request, 0, 0, 8);
    request.model_in.pfp_ita2_dear.ear_ism = static_cast<pfmlib_ita2_ism_t>(ism);
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
    EXPECT_EQ(request.out.pfp_pmcs[0].reg_value >> 24 & 3, ism);
    EXPECT_EQ(request.pmc(11).value_or(0) >> 24 & 3, ism);
  }
}

using MontecitoManualPage = ManualPage<MontecitoPage>;
TEST_F(MontecitoManualPage, MatchersCompareAllBitsOfTheChosenSlots) {
  constexpr std::uint64_t match = 0x155'5555'5555, mask = 0x0aa'aaaa'aaaa;
  for (unsigned slots = 0; slots < 16; ++slots) {
    const auto slot = [&](unsigned k) { return static_cast<unsigned char>(slots >> k & 1); };
    Request<MontecitoPage> request({descriptor("NOPS_RETIRED")});
    request.model_in.pfp_mont_opcm1 = {1, slot(3), slot(2), slot(1), slot(0), match, mask};
    request.model_in.pfp_mont_opcm2 = request.model_in.pfp_mont_opcm1;
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    for (const unsigned matcher : {32u, 34u}) {
      // B, F, I and M are bits 48 to 51 of PMC32 and PMC34.
      EXPECT_EQ(request.pmc(matcher).value_or(0) >> 48 & 0xf, slots);
      EXPECT_EQ(request.pmc(matcher).value_or(0) & ((1ul << 41) - 1), mask);
      EXPECT_EQ(request.pmc(matcher + 1).value_or(0) & ((1ul << 41) - 1), match);
    }
  }
}

TEST_F(MontecitoManualPage, TheIpEarExcludesBranches) {
  const auto with_ear = [](Request<MontecitoPage> request) {
    request.model_in.pfp_mont_ipear = {1, 5, 100};
    const int result = request.dispatch();
    if (result == PFMLIB_SUCCESS) {
      // Levels in bits 3:0, mode 4 in bits 10:8, the delay in bits 18:11 of PMC42.
      EXPECT_EQ(request.pmc(42), 5u | 4u << 8 | 100u << 11);
    }
    return result;
  };
  EXPECT_EQ(with_ear(Request<MontecitoPage>({descriptor("NOPS_RETIRED")})), PFMLIB_SUCCESS);
  EXPECT_EQ(with_ear(Request<MontecitoPage>({descriptor("ETB_EVENT")})), PFMLIB_ERR_FEATCOMB);
  EXPECT_EQ(with_ear(Request<MontecitoPage>({descriptor("BRANCH_EVENT")})), PFMLIB_ERR_FEATCOMB);
  Request<MontecitoPage> block({descriptor("NOPS_RETIRED")});
  MontecitoPage::branches(block.model_in, 3, 3, 3, 0, 0);
  EXPECT_EQ(with_ear(block), PFMLIB_ERR_FEATCOMB);
  Request<MontecitoPage> default_level({descriptor("NOPS_RETIRED")});
  default_level.model_in.pfp_mont_ipear.ipear_used = 1;
  ASSERT_EQ(default_level.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(default_level.pmc(42).value_or(0) & 0xf, 8u);
  Request<MontecitoPage> unused({descriptor("NOPS_RETIRED")});
  unused.model_in.pfp_mont_ipear = {0, 5, 100};
  ASSERT_EQ(unused.dispatch(), PFMLIB_SUCCESS);
  EXPECT_FALSE(unused.pmc(42));
}

}  // namespace

// The statements about code and data ranges. That no answer covers less than was asked, and that the offsets are those
// of the registers, is held on drawn ranges by Promise.IsKeptOnDrawnRangesAndNotByLibpfm.

namespace {

TYPED_TEST(ManualPage, FineModeTakesTwoPairsAndIsTriedFirst) {
  Request<TypeParam> request({descriptor("NOPS_RETIRED")});
  request.code_range(0x4000'0000'0000'1010, 0x4000'0000'0000'10f0);
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  const auto& ranges = TypeParam::irange(request.model_out);
  EXPECT_EQ(TypeParam::irange_is_fine(&request.out, &request.model_out), 1);
  ASSERT_EQ(ranges.rr_nbr_used, 4u);
  const unsigned numbers[] = {0, 1, 4, 5};
  for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(ranges.rr_br[k].reg_num, numbers[k]);
  EXPECT_LE(ranges.rr_br[0].reg_value, 0x4000'0000'0000'1010u) << "start and end stand in the registers";
  EXPECT_GE(ranges.rr_br[2].reg_value, 0x4000'0000'0000'10e0u);

  request.code_range(0x4000'0000'0000'1010, 0x4000'0000'0000'10f0, TypeParam::fetches | TypeParam::no_fine);
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
  EXPECT_EQ(TypeParam::irange_is_fine(&request.out, &request.model_out), 0);
  EXPECT_EQ(ranges.rr_nbr_used, 2u) << "one pair";
}

TYPED_TEST(ManualPage, FineModeStaysInsideAPage) {
  const auto fine = [](std::uint64_t start, std::uint64_t end) {
    Request<TypeParam> request({descriptor("NOPS_RETIRED")});
    request.code_range(start, end);
    EXPECT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    return TypeParam::irange_is_fine(&request.out, &request.model_out) == 1;
  };
  constexpr std::uint64_t at = 0x4000'0000'0000'0000;
  EXPECT_TRUE(fine(at + 0x10, at + TypeParam::page - 0x10));
  EXPECT_FALSE(fine(at + 0x10, at + TypeParam::page + 0x100)) << "crosses a page";
  EXPECT_FALSE(fine(at + 0x10, at + 2 * TypeParam::page)) << "longer than a page";
}

TYPED_TEST(ManualPage, RangesNeedAlignedCodeAndAnyData) {
  for (unsigned low = 0; low < 16; ++low) {
    Request<TypeParam> code({descriptor("NOPS_RETIRED")});
    code.code_range(0x4000 + low, 0x4100);
    EXPECT_EQ(code.dispatch(), low == 0 ? PFMLIB_SUCCESS : PFMLIB_ERR_IRRALIGN) << low;
    code.code_range(0x4000, 0x4100 + low);
    EXPECT_EQ(code.dispatch(), low == 0 ? PFMLIB_SUCCESS : PFMLIB_ERR_IRRALIGN) << low;
    Request<TypeParam> data({descriptor("LOADS_RETIRED")});
    data.data_range(0x4000 + low, 0x4100 + 3 * low);
    EXPECT_EQ(data.dispatch(), PFMLIB_SUCCESS) << low << ": " << pfm_last_error();
  }
}

TYPED_TEST(ManualPage, LevelsOfACodeRangeAreThoseOfTheMaskRegister) {
  for (const unsigned plm : {0u, 1u, 5u, 8u}) {
    Request<TypeParam> request({descriptor("NOPS_RETIRED")});
    request.code_range(0x4000, 0x4100);
    TypeParam::irange(request.model_in).rr_limits[0].rr_plm = plm;
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
    // Bits 59:56 of an odd IBR.
    EXPECT_EQ(TypeParam::irange(request.model_out).rr_br[1].reg_value >> 56 & 0xf, plm == 0 ? 8 : plm);
  }
}

TYPED_TEST(ManualPage, AlignedDataRangesTakeAPairEachAndOthersSeveral) {
  Request<TypeParam> request({descriptor("LOADS_RETIRED")});
  auto& ranges = TypeParam::drange(request.model_in);
  ranges.rr_used = 1;
  for (unsigned k = 0; k < 4; ++k) {
    ranges.rr_limits[k] = {0, 0x10000ul * (k + 1), 0x10000ul * (k + 1) + 0x1000};
    ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS) << pfm_last_error();
    const auto& found = TypeParam::drange(request.model_out);
    ASSERT_EQ(found.rr_nbr_used, 2 * (k + 1)) << "registers go in pairs";
    for (unsigned r = 0; r < found.rr_nbr_used; ++r) EXPECT_EQ(found.rr_br[r].reg_num, r);
    EXPECT_EQ(found.rr_infos[k].rr_soff, 0u);
    EXPECT_EQ(found.rr_infos[k].rr_eoff, 0u);
  }
  EXPECT_EQ(TypeParam::irange_is_fine(&request.out, &request.model_out), 0);
  ranges = {};
  request.data_range(0x1000, 0x1000 + 0x700);  // 0x400, 0x200 and 0x100 bytes
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(TypeParam::drange(request.model_out).rr_nbr_used, 6u);
  EXPECT_EQ(TypeParam::drange(request.model_out).rr_infos[0].rr_eoff, 0u);
}

TYPED_TEST(ManualPage, AnEventWithoutRangesIsRefusedUnlessUnchecked) {
  Request<TypeParam> request({descriptor(TypeParam::unfiltered)});
  request.code_range(0x4000, 0x4100);
  EXPECT_EQ(request.dispatch(), PFMLIB_ERR_FEATCOMB);
  TypeParam::counters_of(request.model_in)[0].flags = TypeParam::no_qualcheck;
  EXPECT_EQ(request.dispatch(), PFMLIB_SUCCESS);
}

}  // namespace

}  // namespace pmusim::encoder::test
