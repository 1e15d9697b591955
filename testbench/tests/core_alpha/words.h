// Instruction words of Alphas as text traces contain them: hexadecimal, in memory order. Registers are 0 to 31.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace pmusim::testbench::alpha {

inline std::string word(std::uint32_t bits) {
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", bits & 0xff, bits >> 8 & 0xff, bits >> 16 & 0xff, bits >> 24);
}
/// Integer or floating-point operate: opcode, function, Ra, Rb, Rc.
inline std::string operate(unsigned opcode, unsigned function, unsigned a, unsigned b, unsigned c) {
  return word(opcode << 26 | a << 21 | b << 16 | function << 5 | c);
}
/// Load, store, lda: opcode, Ra, Rb, displacement.
inline std::string memory(unsigned opcode, unsigned a, unsigned b, int displacement = 0) {
  return word(opcode << 26 | a << 21 | b << 16 | (static_cast<std::uint32_t>(displacement) & 0xffff));
}
/// Branch with a displacement in instructions.
inline std::string branch(unsigned opcode, unsigned a, int displacement) {
  return word(opcode << 26 | a << 21 | (static_cast<std::uint32_t>(displacement) & 0x1fffff));
}

inline std::string addq(unsigned a, unsigned b, unsigned c) { return operate(0x10, 0x20, a, b, c); }
inline std::string cmpult(unsigned a, unsigned b, unsigned c) { return operate(0x10, 0x1d, a, b, c); }
inline std::string shift(unsigned a, unsigned b, unsigned c) { return operate(0x12, 0x39, a, b, c); }
inline std::string compare(unsigned a, unsigned b, unsigned c) { return operate(0x10, 0x2d, a, b, c); }
inline std::string logical(unsigned a, unsigned b, unsigned c) { return operate(0x11, 0x20, a, b, c); }
inline std::string cmov(unsigned a, unsigned b, unsigned c) { return operate(0x11, 0x24, a, b, c); }
inline std::string mull(unsigned a, unsigned b, unsigned c) { return operate(0x13, 0x00, a, b, c); }
inline std::string mulq(unsigned a, unsigned b, unsigned c) { return operate(0x13, 0x20, a, b, c); }
inline std::string mullv(unsigned a, unsigned b, unsigned c) { return operate(0x13, 0x40, a, b, c); }
inline std::string mulqv(unsigned a, unsigned b, unsigned c) { return operate(0x13, 0x60, a, b, c); }
inline std::string umulh(unsigned a, unsigned b, unsigned c) { return operate(0x13, 0x30, a, b, c); }
inline std::string minub8(unsigned a, unsigned b, unsigned c) { return operate(0x1c, 0x3a, a, b, c); }
inline std::string addt(unsigned a, unsigned b, unsigned c) { return operate(0x16, 0x0a0, a, b, c); }
inline std::string mult(unsigned a, unsigned b, unsigned c) { return operate(0x16, 0x0a2, a, b, c); }
inline std::string divs(unsigned a, unsigned b, unsigned c) { return operate(0x16, 0x083, a, b, c); }
inline std::string divt(unsigned a, unsigned b, unsigned c) { return operate(0x16, 0x0a3, a, b, c); }
inline std::string sqrts(unsigned b, unsigned c) { return operate(0x14, 0x08b, 31, b, c); }
inline std::string sqrtt(unsigned b, unsigned c) { return operate(0x14, 0x0ab, 31, b, c); }
inline std::string cpys(unsigned a, unsigned b, unsigned c) { return operate(0x17, 0x020, a, b, c); }
inline std::string fcmov(unsigned a, unsigned b, unsigned c) { return operate(0x17, 0x02a, a, b, c); }
inline std::string itoft(unsigned a, unsigned c) { return operate(0x14, 0x024, a, 31, c); }
inline std::string ftoit(unsigned a, unsigned c) { return operate(0x1c, 0x070, a, 31, c); }
inline std::string lda(unsigned a, unsigned b, int displacement) { return memory(0x08, a, b, displacement); }
inline std::string ldq(unsigned a, unsigned b) { return memory(0x29, a, b); }
inline std::string stq(unsigned a, unsigned b) { return memory(0x2d, a, b); }
inline std::string ldt(unsigned a, unsigned b) { return memory(0x23, a, b); }
inline std::string stt(unsigned a, unsigned b) { return memory(0x27, a, b); }
inline std::string beq(unsigned a, int displacement) { return branch(0x39, a, displacement); }
inline std::string bne(unsigned a, int displacement) { return branch(0x3d, a, displacement); }
inline std::string fbeq(unsigned a, int displacement) { return branch(0x31, a, displacement); }
inline std::string br(int displacement) { return branch(0x30, 31, displacement); }
inline std::string bsr(unsigned a, int displacement) { return branch(0x34, a, displacement); }
/// A return to the address in a register; the return stack predicts it.
inline std::string ret(unsigned b) { return word(0x1au << 26 | 31u << 21 | b << 16 | 2u << 14 | 1u); }
inline std::string mb() { return word(0x60004000); }
inline std::string nop() { return word(0x47ff041f); }       ///< bis r31,r31,r31
inline std::string unop() { return memory(0x0b, 31, 30); }  ///< ldq_u r31,0(sp): uses no pipe of a 21164

}  // namespace pmusim::testbench::alpha
