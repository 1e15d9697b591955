// The PowerPC classifier on hand-assembled words: facts that no disassembly shows.
#include "pmusim/trace/ppc.h"

#include <gtest/gtest.h>

namespace pmusim::trace::ppc {
namespace {

using List = std::vector<std::uint8_t>;

Operation of(std::uint32_t word, std::uint64_t pc = 0x1000) {
  Code code;
  code.length = 4;
  code.pc = pc;
  for (unsigned i = 0; i < 4; ++i) code.bytes[i] = static_cast<std::uint8_t>(word >> (24U - 8U * i));
  return classify(code);
}

constexpr std::uint32_t d_form(unsigned primary, unsigned d, unsigned a, unsigned immediate) {
  return primary << 26U | d << 21U | a << 16U | (immediate & 0xFFFFU);
}
constexpr std::uint32_t x_form(unsigned primary, unsigned d, unsigned a, unsigned b, unsigned extended,
                               unsigned last = 0) {
  return primary << 26U | d << 21U | a << 16U | b << 11U | extended << 1U | last;
}

TEST(Ppc, RecordAndCarry) {
  EXPECT_EQ(of(x_form(31, 3, 4, 5, 10)).writes, (List{3, reg_xer}));                             // addc
  EXPECT_EQ(of(x_form(31, 3, 4, 5, 138)).reads, (List{4, 5, reg_xer}));                          // adde
  EXPECT_EQ(of(x_form(63, 1, 2, 3, 21, 1)).writes, (List{reg_fpr + 1, reg_fpscr, reg_cr + 1}));  // fadd.
  EXPECT_EQ(of(d_form(28, 3, 4, 1)).writes, (List{4, reg_cr}));                                  // andi. r4, r3, 1
}

TEST(Ppc, CompareAndConditionLogic) {
  EXPECT_EQ(of(d_form(11, 6U << 2U, 3, 0)).writes, List{reg_cr + 6});  // cmpwi cr6, r3, 0
  const auto op = of(x_form(19, 5, 10, 31, 449));                      // cror 5, 10, 31
  EXPECT_EQ(op.reads, (List{reg_cr + 2, reg_cr + 7, reg_cr + 1}));
  EXPECT_EQ(op.writes, List{reg_cr + 1});
  EXPECT_EQ(of(31U << 26U | 3U << 21U | 0x81U << 12U | 144U << 1U).writes,
            (List{reg_cr, reg_cr + 7}));  // mtcrf 0x81, r3
}

TEST(Ppc, MultipleAndString) {
  EXPECT_EQ(of(d_form(46, 29, 1, 8)).writes, (List{29, 30, 31}));        // lmw r29, 8(r1)
  EXPECT_EQ(of(d_form(47, 30, 1, 8)).reads, (List{1, 30, 31}));          // stmw r30, 8(r1)
  EXPECT_EQ(of(x_form(31, 30, 4, 9, 597)).writes, (List{30, 31, 0}));    // lswi r30, r4, 9: wraps to r0
  EXPECT_EQ(of(x_form(31, 5, 4, 0, 597)).writes.size(), 8U);             // NB 0 means 32 bytes
  EXPECT_EQ(of(x_form(31, 5, 4, 6, 533)).reads, (List{4, 6, reg_xer}));  // lswx
}

struct BranchFact {
  std::uint32_t word;
  bool conditional, reads_condition, decrements, predicted;
};

constexpr std::uint32_t bc(unsigned bo, int displacement) {
  return 16U << 26U | bo << 21U | 2U << 16U | (static_cast<std::uint32_t>(displacement) & 0xFFFCU);
}

// Programming Environments Manual, BO encodings: 0000y dec and false, 001zy false, 1z00y dec, 1z1zz always.
TEST(Ppc, DirectionRulesOfBranches) {
  const BranchFact facts[] = {
      {bc(0, -8), true, true, true, true},       // backward: taken
      {bc(1, -8), true, true, true, false},      // y reverses
      {bc(12, 8), true, true, false, false},     // beq forward
      {bc(13, 8), true, true, false, true},      // beq+ forward
      {bc(16, -8), true, false, true, true},     // bdnz
      {bc(20, 8), false, false, false, true},    // always
      {0x4E80'0020, false, false, false, true},  // blr
      {0x4D82'0020, true, true, false, false},   // beqlr
      {0x4DA2'0020, true, true, false, true},    // beqlr+
      {0x4BFF'FFFC, false, false, false, true},  // b .-4
  };
  for (const BranchFact& fact : facts) {
    const auto op = of(fact.word);
    EXPECT_EQ(op.kind, Kind::branch);
    EXPECT_EQ(op.conditional, fact.conditional) << fact.word;
    EXPECT_EQ(op.reads_condition, fact.reads_condition) << fact.word;
    EXPECT_EQ(op.decrements_count, fact.decrements) << fact.word;
    EXPECT_EQ(op.predict_taken_static, fact.predicted) << fact.word;
  }
}

TEST(Ppc, BranchRegisters) {
  const auto call = of(0x4800'0011, 0x2000);  // bl .+16
  EXPECT_TRUE(call.links);
  EXPECT_EQ(call.writes, List{reg_lr});
  EXPECT_EQ(of(bc(16, -8)).reads, List{reg_ctr});
  EXPECT_EQ(of(bc(16, -8)).writes, List{reg_ctr});
  EXPECT_EQ(of(0x4E80'0020).reads, List{reg_lr});
  EXPECT_EQ(of(0x4E80'0421).branch, BranchKind::to_count);  // bctrl
  EXPECT_EQ(of(0x4E80'0421).reads, List{reg_ctr});
  EXPECT_EQ(of(0x4E00'0420).kind, Kind::illegal);  // bcctr with CTR decrement
}

TEST(Ppc, SpecialRegisters) {
  const auto to_lr = of(0x7C08'03A6);  // mtlr r0
  EXPECT_EQ(to_lr.spr, 8);
  EXPECT_EQ(to_lr.writes, List{reg_lr});
  EXPECT_EQ(of(0x7C09'02A6).reads, List{reg_ctr});                 // mfctr r0
  EXPECT_EQ(of(x_form(31, 5, 952 & 31, 952 >> 5, 467)).spr, 952);  // mtspr MMCR0
  EXPECT_EQ(of(0x7C6C'42E6).spr, 268);                             // mftb r3
}

TEST(Ppc, ReservationAndBlocks) {
  const auto load = of(x_form(31, 3, 0, 4, 20));
  EXPECT_EQ(load.kind, Kind::load_reserve);
  const auto store = of(x_form(31, 3, 0, 4, 150, 1));
  EXPECT_EQ(store.kind, Kind::store_conditional);
  EXPECT_EQ(store.writes, List{reg_cr});
  EXPECT_EQ(of(x_form(31, 3, 0, 4, 150, 0)).kind, Kind::illegal);
  EXPECT_EQ(of(x_form(31, 0, 3, 4, 1014)).kind, Kind::dcbz);
  EXPECT_EQ(of(x_form(31, 0, 3, 4, 1014)).access_size, 0);
}

TEST(Ppc, Illegal) {
  EXPECT_EQ(of(0).kind, Kind::illegal);
  EXPECT_EQ(of(x_form(63, 1, 0, 2, 22)).kind, Kind::illegal);     // fsqrt: not in the 750
  EXPECT_EQ(of(x_form(31, 3, 4, 5, 23, 1)).kind, Kind::illegal);  // lwzx has no record form
  EXPECT_EQ(of(d_form(11, 1, 3, 0)).kind, Kind::illegal);         // 64-bit compare
  EXPECT_EQ(of(0x4400'0000).kind, Kind::illegal);                 // sc without its constant 1
  EXPECT_TRUE(of(0).mnemonic.empty());
}

}  // namespace
}  // namespace pmusim::trace::ppc
