// The Alpha classifier on hand-assembled words: facts that no disassembly shows.
#include "pmusim/trace/alpha.h"

#include <gtest/gtest.h>

namespace pmusim::trace::alpha {
namespace {

using List = std::vector<std::uint8_t>;

Operation of(std::uint32_t word, std::uint64_t pc = 0x1'2000'1000) {
  Code code;
  code.length = 4;
  code.pc = pc;
  for (unsigned i = 0; i < 4; ++i) code.bytes[i] = static_cast<std::uint8_t>(word >> (8U * i));
  return classify(code);
}

constexpr std::uint32_t memory(unsigned opcode, unsigned a, unsigned b, unsigned displacement = 0) {
  return opcode << 26U | a << 21U | b << 16U | (displacement & 0xFFFFU);
}
constexpr std::uint32_t branch(unsigned opcode, unsigned a, int displacement) {
  return opcode << 26U | a << 21U | (static_cast<std::uint32_t>(displacement) & 0x1F'FFFFU);
}
constexpr std::uint32_t operate(unsigned opcode, unsigned a, unsigned b, unsigned c, unsigned function) {
  return opcode << 26U | a << 21U | b << 16U | function << 5U | c;
}

TEST(Alpha, LiteralsAndRepeatedRegisters) {
  const auto literal = of(operate(0x10, 1, 2, 3, 0x20) | 1U << 12U);  // addq
  EXPECT_TRUE(literal.literal);
  EXPECT_EQ(literal.reads, List{1});
  EXPECT_EQ(of(operate(0x10, 2, 2, 3, 0x20)).reads, List{2});  // each register once
}

TEST(Alpha, NoOperationsAndPrefetches) {
  EXPECT_TRUE(of(0x47FF'041F).nop);             // bis r31, r31, r31
  EXPECT_TRUE(of(0x2FFE'0000).nop);             // unop: ldq_u r31, 0(sp)
  EXPECT_TRUE(of(0x5FFF'041F).nop);             // fnop: cpys f31, f31, f31
  EXPECT_TRUE(of(memory(0x08, 31, 2, 8)).nop);  // lda r31
  EXPECT_FALSE(of(memory(0x0B, 1, 2)).nop);     // ldq_u r1
  EXPECT_FALSE(of(memory(0x0F, 1, 2)).nop);     // stq_u writes memory
  EXPECT_FALSE(of(operate(0x17, 1, 1, 1, 0x24)).nop);
  EXPECT_TRUE(of(memory(0x28, 31, 2)).prefetch);  // ldl r31
  EXPECT_TRUE(of(memory(0x22, 31, 2)).prefetch);  // lds f31
  EXPECT_FALSE(of(memory(0x0B, 31, 2)).prefetch);
  EXPECT_FALSE(of(memory(0x2A, 31, 2)).prefetch);  // ldl_l sets the lock flag even without a target
  EXPECT_FALSE(of(memory(0x28, 1, 2)).prefetch);
}

TEST(Alpha, Branches) {
  const std::uint64_t pc = 0x1'2000'1000;
  const auto back = of(branch(0x3D, 4, -3), pc);  // bne r4
  EXPECT_EQ(back.branch, BranchKind::conditional);
  EXPECT_TRUE(back.backward);
  const auto far = of(branch(0x34, 26, 0xF'FFFF), pc);  // bsr r26: the longest forward displacement
  EXPECT_EQ(far.branch, BranchKind::subroutine);
  EXPECT_FALSE(far.backward);
  EXPECT_EQ(of(branch(0x30, 31, 0), pc).branch, BranchKind::unconditional);
  EXPECT_EQ(of(branch(0x31, 5, 1), pc).kind, Kind::fp_branch);  // fbeq f5
}

TEST(Alpha, JumpsAndTheirHints) {
  const std::uint64_t pc = 0x1'2000'1000;
  const auto call = of(memory(0x1A, 26, 27, 0x4000U | 0x3FFEU), pc);  // jsr r26, (r27), hint -2
  EXPECT_EQ(call.branch, BranchKind::computed_subroutine);
  EXPECT_FALSE(call.has_target);
  EXPECT_EQ(call.hint, 0x1004 - 8);
  EXPECT_EQ(of(memory(0x1A, 31, 1, 0)).branch, BranchKind::computed);
  EXPECT_EQ(of(memory(0x1A, 31, 26, 0x8001)).branch, BranchKind::subroutine_return);
  EXPECT_EQ(of(memory(0x1A, 31, 26, 0x8001)).hint, 0);  // the hint of a return is for software
  EXPECT_EQ(of(memory(0x1A, 26, 27, 0xC000)).branch, BranchKind::coroutine);
}

TEST(Alpha, PalCode) {
  const auto call = of(0x83);
  EXPECT_EQ(call.kind, Kind::call_pal);
  EXPECT_EQ(call.branch, BranchKind::pal_entry);
  EXPECT_EQ(call.pal_function, 0x83U);
  EXPECT_EQ(of(0x1EU << 26U).branch, BranchKind::pal_return);
  EXPECT_EQ(of(0x03FF'FFFF).pal_function, 0x3FF'FFFFU);
}

/// Handbook, AMASK: bit 0 BWX, bit 1 FIX, bit 2 CIX, bit 8 MVI.
TEST(Alpha, Extensions) {
  for (const unsigned opcode : {0x0AU, 0x0CU, 0x0DU, 0x0EU})  // ldbu, ldwu, stw, stb
    EXPECT_EQ(of(memory(opcode, 1, 2)).extension, Extension::bwx) << opcode;
  for (const unsigned function : {0x00U, 0x01U})  // sextb, sextw
    EXPECT_EQ(of(operate(0x1C, 31, 2, 3, function)).extension, Extension::bwx) << function;
  for (const unsigned function : {0x30U, 0x32U, 0x33U})  // ctpop, ctlz, cttz
    EXPECT_EQ(of(operate(0x1C, 31, 2, 3, function)).extension, Extension::cix) << function;
  EXPECT_EQ(of(operate(0x1C, 1, 2, 3, 0x31)).extension, Extension::mvi);  // perr
  for (unsigned function = 0x34; function <= 0x3F; ++function)            // pack, unpack, minimum, maximum
    EXPECT_EQ(of(operate(0x1C, 31, 2, 3, function)).extension, Extension::mvi) << function;
  for (const unsigned function : {0x004U, 0x014U, 0x024U, 0x08BU, 0x0AAU})  // itof, sqrt
    EXPECT_EQ(of(operate(0x14, 1, 2, 3, function)).extension, Extension::fix) << function;
  for (const unsigned function : {0x70U, 0x78U})  // ftoit, ftois
    EXPECT_EQ(of(operate(0x1C, 1, 31, 3, function)).extension, Extension::fix) << function;
  for (const std::uint32_t word : {memory(0x0B, 1, 2), operate(0x12, 1, 2, 3, 0x06), operate(0x16, 1, 2, 3, 0x0A0)})
    EXPECT_EQ(of(word).extension, Extension::base) << word;
}

TEST(Alpha, ClassesOfEvents) {
  EXPECT_TRUE(of(memory(0x08, 1, 2)).is_integer_operate());             // lda
  EXPECT_TRUE(of(operate(0x13, 1, 2, 3, 0x20)).is_integer_operate());   // mulq
  EXPECT_TRUE(of(operate(0x1C, 31, 2, 3, 0x37)).is_integer_operate());  // pklb
  EXPECT_FALSE(of(operate(0x16, 1, 2, 3, 0xA0)).is_integer_operate());
  EXPECT_FALSE(of(memory(0x29, 1, 2)).is_integer_operate());
  EXPECT_TRUE(of(operate(0x16, 1, 2, 3, 0xA0)).is_fp_operate());
  EXPECT_TRUE(of(operate(0x17, 1, 2, 3, 0x20)).is_fp_operate());  // cpys
  EXPECT_FALSE(of(memory(0x23, 1, 2)).is_fp_operate());           // ldt
  EXPECT_FALSE(of(branch(0x31, 5, 1)).is_fp_operate());
}

TEST(Alpha, DividesAndRootsByWidth) {
  EXPECT_EQ(of(operate(0x16, 1, 2, 3, 0x083)).kind, Kind::fp_divide_single);
  EXPECT_EQ(of(operate(0x16, 1, 2, 3, 0x0A3)).kind, Kind::fp_divide_double);
  EXPECT_EQ(of(operate(0x14, 31, 2, 3, 0x08B)).kind, Kind::fp_sqrt_single);
  EXPECT_EQ(of(operate(0x14, 31, 2, 3, 0x0AB)).kind, Kind::fp_sqrt_double);
  EXPECT_EQ(of(operate(0x16, 31, 2, 3, 0x2AC)).mnemonic, "cvtst");
  EXPECT_EQ(of(operate(0x16, 31, 2, 3, 0x0AC)).mnemonic, "cvtts");
}

TEST(Alpha, Illegal) {
  EXPECT_EQ(of(0x01U << 26U).kind, Kind::illegal);  // OPC01
  EXPECT_EQ(of(operate(0x10, 1, 2, 3, 0x01)).kind, Kind::illegal);
  EXPECT_EQ(of(memory(0x18, 0, 0, 0x4001)).kind, Kind::illegal);
  EXPECT_TRUE(of(0x01U << 26U).mnemonic.empty());
  Code code;
  code.length = 2;
  EXPECT_EQ(classify(code).kind, Kind::illegal);
}

}  // namespace
}  // namespace pmusim::trace::alpha
