// The statements about code and data ranges. That no answer covers less than was asked, and that the offsets are those
// of the registers, is held on drawn ranges by Promise.IsKeptOnDrawnRangesAndNotByLibpfm.
#include "testbench/tests/manual_pages/pages.h"

namespace pmusim::encoder::test {
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

TYPED_TEST(ManualPage, AlignedDataRangesTakeAPairEach) {
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
}

TYPED_TEST(ManualPage, ARangeThatIsNotUsedIsIgnored) {
  Request<TypeParam> request({descriptor("LOADS_RETIRED")});
  request.data_range(0x4000, 0x4100);
  TypeParam::drange(request.model_in).rr_used = 0;
  ASSERT_EQ(request.dispatch(), PFMLIB_SUCCESS);
  EXPECT_EQ(TypeParam::drange(request.model_out).rr_nbr_used, 0u);
}

TYPED_TEST(ManualPage, OneDataRangeMayTakeSeveralPairs) {
  Request<TypeParam> request({descriptor("LOADS_RETIRED")});
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
