// Small PowerPC programs as text traces, and the activity of the core on them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/ppc750/ppc750.h"
#include "testbench/tests/block_log.h"

namespace pmusim::testbench {

// Encodings (Programming Environments Manual, appendix A).
namespace ppc {
constexpr std::uint32_t d_form(std::uint32_t op, unsigned d, unsigned a, int imm) {
  return op << 26 | d << 21 | a << 16 | (static_cast<std::uint32_t>(imm) & 0xFFFF);
}
constexpr std::uint32_t x_form(unsigned d, unsigned a, unsigned b, unsigned xo, unsigned rc = 0) {
  return 31u << 26 | d << 21 | a << 16 | b << 11 | xo << 1 | rc;
}
constexpr std::uint32_t addi(unsigned d, unsigned a, int imm) { return d_form(14, d, a, imm); }
constexpr std::uint32_t add(unsigned d, unsigned a, unsigned b) { return x_form(d, a, b, 266); }
constexpr std::uint32_t divw(unsigned d, unsigned a, unsigned b) { return x_form(d, a, b, 491); }
constexpr std::uint32_t mulli(unsigned d, unsigned a, int imm) { return d_form(7, d, a, imm); }
constexpr std::uint32_t mullw(unsigned d, unsigned a, unsigned b) { return x_form(d, a, b, 235); }
constexpr std::uint32_t cmpwi(unsigned field, unsigned a, int imm) { return d_form(11, field << 2, a, imm); }
constexpr std::uint32_t lwz(unsigned d, unsigned a, int imm) { return d_form(32, d, a, imm); }
constexpr std::uint32_t lmw(unsigned d, unsigned a, int imm) { return d_form(46, d, a, imm); }
constexpr std::uint32_t stmw(unsigned d, unsigned a, int imm) { return d_form(47, d, a, imm); }
constexpr std::uint32_t stw(unsigned s, unsigned a, int imm) { return d_form(36, s, a, imm); }
constexpr std::uint32_t lfd(unsigned d, unsigned a, int imm) { return d_form(50, d, a, imm); }
constexpr std::uint32_t lwarx(unsigned d, unsigned a, unsigned b) { return x_form(d, a, b, 20); }
constexpr std::uint32_t stwcx(unsigned s, unsigned a, unsigned b) { return x_form(s, a, b, 150, 1); }
constexpr std::uint32_t fadd(unsigned d, unsigned a, unsigned b) {
  return 63u << 26 | d << 21 | a << 16 | b << 11 | 21 << 1;
}
constexpr std::uint32_t fmul(unsigned d, unsigned a, unsigned c) {
  return 63u << 26 | d << 21 | a << 16 | c << 6 | 25 << 1;
}
constexpr std::uint32_t bc(unsigned bo, unsigned bi, int offset) {
  return 16u << 26 | bo << 21 | bi << 16 | (static_cast<std::uint32_t>(offset) & 0xFFFC);
}
constexpr std::uint32_t beq(unsigned field, int offset) { return bc(12, 4 * field + 2, offset); }
constexpr std::uint32_t bdnz(int offset) { return bc(16, 0, offset); }
constexpr std::uint32_t b(int offset) { return 18u << 26 | (static_cast<std::uint32_t>(offset) & 0x03FFFFFC); }
constexpr std::uint32_t bl(int offset) { return b(offset) | 1; }
constexpr std::uint32_t blr = 0x4E800020, bctr = 0x4E800420;
constexpr std::uint32_t spr(unsigned number) { return (number & 31) << 16 | (number >> 5) << 11; }
constexpr std::uint32_t mtspr(unsigned number, unsigned s) { return 31u << 26 | s << 21 | spr(number) | 467 << 1; }
constexpr std::uint32_t mfspr(unsigned d, unsigned number) { return 31u << 26 | d << 21 | spr(number) | 339 << 1; }
constexpr std::uint32_t mtlr(unsigned s) { return mtspr(8, s); }
constexpr std::uint32_t mtctr(unsigned s) { return mtspr(9, s); }
constexpr std::uint32_t cror(unsigned d, unsigned a, unsigned b) {
  return 19u << 26 | d << 21 | a << 16 | b << 11 | 449 << 1;
}
constexpr std::uint32_t dcbz(unsigned a, unsigned b) { return x_form(0, a, b, 1014); }
constexpr std::uint32_t dcbf(unsigned a, unsigned b) { return x_form(0, a, b, 86); }
constexpr std::uint32_t dcbst(unsigned a, unsigned b) { return x_form(0, a, b, 54); }
constexpr std::uint32_t dcbi(unsigned a, unsigned b) { return x_form(0, a, b, 470); }
constexpr std::uint32_t dcbt(unsigned a, unsigned b) { return x_form(0, a, b, 278); }
constexpr std::uint32_t icbi(unsigned a, unsigned b) { return x_form(0, a, b, 982); }
constexpr std::uint32_t sync = 0x7C0004AC, eieio = 0x7C0006AC, isync = 0x4C00012C, nop = 0x60000000;
constexpr std::uint32_t filler = addi(20, 0, 1);  ///< one cycle of an integer unit; delays no other instruction
}  // namespace ppc

namespace ppc750 {

/// Builds a text trace line by line.
class TraceText : public ScriptText<TraceText> {
 public:
  explicit TraceText(std::uint64_t pc = 0x1000) : ScriptText(pc) { text_ = "! isa ppc\n"; }
  /// An instruction at the current address; the next one is after it or, with `T`, at its target.
  TraceText& op(std::uint32_t word, const std::string& rest = {}) {
    text_ += fmt::format("{:x} {:08x} {}\n", pc_, word, rest);
    pc_ += 4;
    return *this;
  }
  TraceText& taken(std::uint32_t word, std::uint64_t target, const std::string& rest = {}) {
    text_ += fmt::format("{:x} {:08x} T {:x} {}\n", pc_, word, target, rest);
    pc_ = target;
    return *this;
  }
  [[nodiscard]] std::unique_ptr<trace::Reader> reader() const { return trace::open_text(text_, "test"); }
};

/// Annotations that exclude cold caches from the arithmetic.
inline const std::string warm = " itlb=hit fetch=l1", warm_line = " fetch=l1", warm_data = " dtlb=hit data=l1",
                         page = " dtlb=hit";

using Activity = BlockLog<>;

[[nodiscard]] models::Parameters parameters(const Changes& changes = {});
/// Runs a core to its end in blocks of `step` cycles.
[[nodiscard]] Activity finish(core::Core& core, activity::Cycle step = 1000000);
[[nodiscard]] Activity run(const TraceText& trace, const models::Parameters& with = parameters(),
                           activity::Cycle step = 1000000);

}  // namespace ppc750
}  // namespace pmusim::testbench
