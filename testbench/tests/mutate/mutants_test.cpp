// Every kind of mutant, made from hand-written answers.
#include "testbench/mutate/mutants.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace pmusim::testbench::mutate {
namespace {

encoder::RegisterValue selector(unsigned number, std::uint64_t value) {
  return {"msr", 0xc0010000 + number, "PerfEvtSel" + std::to_string(number), 64, value};
}

constexpr std::uint64_t refills = 0x431f42, misses = 0x430041;

class AthlonMutants : public testing::Test {
 protected:
  AthlonMutants() {
    layout_ = layout_of("athlon", own_);
    list_ = mutations_of(layout_, {&other_, &own_}, 1, {0, 0});
  }
  std::vector<const Mutation*> of(Kind kind) const {
    std::vector<const Mutation*> found;
    for (const Mutation& mutation : list_) {
      if (mutation.kind == kind) found.push_back(&mutation);
    }
    return found;
  }
  Registers made(const Mutation& mutation) const {
    return apply(mutation, own_, mutation.needs_donor() ? &other_ : nullptr);
  }

  const Registers own_{selector(0, refills), selector(1, 0)}, other_{selector(0, misses), selector(1, 0)};
  Layout layout_;
  std::vector<Mutation> list_;
};

TEST_F(AthlonMutants, EveryBitOfEveryRegisterIsFlippedOnce) {
  const auto flips = of(Kind::bit);
  ASSERT_EQ(flips.size(), 2u * 64);
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (const Mutation* flip : flips) {
    const Registers mutant = made(*flip);
    EXPECT_EQ(std::popcount(mutant[0].value ^ own_[0].value) + std::popcount(mutant[1].value ^ own_[1].value), 1);
    EXPECT_TRUE(seen.emplace(mutant[0].value, mutant[1].value).second);
  }
}

TEST_F(AthlonMutants, NoMutantIsTheOriginalOrMadeTwice) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen{{refills, 0}};
  for (const Mutation& mutation : list_) {
    const Registers mutant = made(mutation);
    std::uint64_t values[2] = {0, 0};  // a register that is not written keeps its reset value
    for (const encoder::RegisterValue& reg : mutant) values[reg.name == "PerfEvtSel1"] = reg.value;
    EXPECT_TRUE(seen.emplace(values[0], values[1]).second) << text_of(mutation, own_);
  }
}

TEST_F(AthlonMutants, FieldsGoOneUpAndDownAndStayInside) {
  bool mask_up = false, threshold_down = false;
  for (const Mutation* mutation : of(Kind::off_by_one)) {
    const std::uint64_t value = made(*mutation)[mutation->reg].value;
    EXPECT_EQ((value ^ own_[mutation->reg].value) & ~mutation->field.mask(), 0u);
    mask_up = mask_up || value == 0x432042;
    threshold_down = threshold_down || value == 0xff431f42;
  }
  EXPECT_TRUE(mask_up);
  EXPECT_TRUE(threshold_down);
}

TEST_F(AthlonMutants, FieldsAndRegistersOfAnotherRequest) {
  std::set<std::uint64_t> values;
  for (const Mutation* mutation : of(Kind::exchanged)) values.insert(made(*mutation)[0].value);
  EXPECT_TRUE(values.contains(0x430042)) << "the unit mask of the other request";
  const auto stale = of(Kind::stale);
  ASSERT_EQ(stale.size(), 1u);
  EXPECT_EQ(made(*stale[0])[0].value, misses);
}

TEST_F(AthlonMutants, TheWrongCounterAndNoCounter) {
  const auto swapped = of(Kind::wrong_counter);
  ASSERT_EQ(swapped.size(), 1u);
  EXPECT_EQ(made(*swapped[0])[0].value, 0u);
  EXPECT_EQ(made(*swapped[0])[1].value, refills);
  const auto dropped = of(Kind::dropped);
  ASSERT_EQ(dropped.size(), 1u) << "a register that is 0 after reset, too, cannot be missed";
  ASSERT_EQ(made(*dropped[0]).size(), 1u);
  EXPECT_EQ(made(*dropped[0])[0].name, "PerfEvtSel1");
}

// IBM numbers bits from the most significant one: PMC1SELECT is 19:25 of 32.
TEST(PowerPcFields, AreCountedFromTheTop) {
  bool found = false;
  for (const Field& field : fields_of("ppc750gx", "MMCR0", 32)) {
    if (field.name != "PMC1SELECT") continue;
    found = true;
    EXPECT_EQ(field.mask(), 0x1fc0u);
  }
  EXPECT_TRUE(found);
}

TEST(PowerPcFields, SelectorsChangePlacesAcrossRegisters) {
  const Registers own{{"spr", 956, "MMCR1", 32, 0}, {"spr", 952, "MMCR0", 32, 0x40}};
  bool moved = false;
  for (const Mutation& mutation : mutations_of(layout_of("ppc750gx", own), {&own}, 0, {0, 0})) {
    if (mutation.kind != Kind::wrong_counter) continue;
    const Registers mutant = apply(mutation, own, nullptr);
    moved = moved || (mutant[1].value == 1 && mutant[0].value == 0);
  }
  EXPECT_TRUE(moved) << "PMC1's code in PMC2SELECT";
}

TEST(Stems, AreNamesWithoutNumbers) {
  EXPECT_EQ(stem("PerfEvtSel0"), "PerfEvtSel#");
  EXPECT_EQ(stem("PMC12"), stem("PMC4"));
  EXPECT_EQ(stem("DIS"), "DIS");
}

}  // namespace
}  // namespace pmusim::testbench::mutate
