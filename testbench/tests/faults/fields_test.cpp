// The fields by which wrong bits are listed.
#include "testbench/faults/fields.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pmusim::testbench::faults {
namespace {

std::uint64_t mask_of(const std::string& target, const std::string& reg, unsigned width, const std::string& name) {
  for (const Field& field : fields_of(target, reg, width)) {
    if (field.name == name) return field.mask();
  }
  return 0;
}

// IBM numbers bits from the most significant one: PMC1SELECT is 19:25 of 32.
TEST(Fields, OfPowerPcAreCountedFromTheTop) { EXPECT_EQ(mask_of("ppc750gx", "MMCR0", 32, "PMC1SELECT"), 0x1fc0u); }

// 22007E p. 162, figure 11.
TEST(Fields, OfTheAthlon) {
  EXPECT_EQ(mask_of("athlon", "PerfEvtSel0", 64, "UNIT_MASK"), 0xff00u);
  EXPECT_EQ(mask_of("athlon", "PerfEvtSel0", 64, "CNT_MASK"), 0xff000000u);
}

TEST(Fields, CoverEveryBitOnce) {
  std::uint64_t seen = 0;
  for (const Field& field : fields_of("athlon", "PerfEvtSel1", 64)) {
    EXPECT_EQ(seen & field.mask(), 0u) << field.name;
    seen |= field.mask();
  }
  EXPECT_EQ(seen, ~std::uint64_t{0});
}

TEST(Stems, AreNamesWithoutNumbers) {
  EXPECT_EQ(stem("PerfEvtSel0"), "PerfEvtSel#");
  EXPECT_EQ(stem("PMC12"), stem("PMC4"));
  EXPECT_EQ(stem("DIS"), "DIS");
}

}  // namespace
}  // namespace pmusim::testbench::faults
