// B-unit (formats B1-B9) and X-unit instructions (formats X1-X5).
#include "opcodes.h"

namespace pmusim::trace::ia64 {
namespace {

/// Major opcodes 0 and 2: x6.
constexpr Pattern extended(unsigned major, unsigned x6) { return opcode(major) + bits(32, 27, x6); }

}  // namespace

std::vector<Row> branch_rows() {
  std::vector<Row> rows;
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands,
                       unsigned argument = 0) {
    rows.push_back({pattern, mnemonic, kind, op, operands, argument});
  };
  const auto relative = [](unsigned type) { return opcode(4) + bits(8, 6, type); };
  row(relative(0), "br.cond{w}{p}{d}", Kind::branch, Op::br_cond, "target25");
  row(relative(2), "br.wexit{w}{p}{d}", Kind::branch, Op::br_wexit, "target25|ar66,p63=ar66");
  row(relative(3), "br.wtop{w}{p}{d}", Kind::branch, Op::br_wtop, "target25|ar66,p63=ar66");
  row(relative(5), "br.cloop{w}{p}{d}", Kind::branch, Op::br_cloop, "target25|ar65=ar65");
  row(relative(6), "br.cexit{w}{p}{d}", Kind::branch, Op::br_cexit, "target25|ar65,ar66,p63=ar65,ar66");
  row(relative(7), "br.ctop{w}{p}{d}", Kind::branch, Op::br_ctop, "target25|ar65,ar66,p63=ar65,ar66");
  row(opcode(5), "br.call{w}{p}{d}", Kind::branch, Op::br_call, "b1=target25|ar64=ar66");
  row(extended(0, 0x20) + bits(8, 6, 0), "br.cond{w}{p}{d}", Kind::branch, Op::br_indirect, "=b2");
  row(extended(0, 0x20) + bits(8, 6, 1), "br.ia{w}{p}{d}", Kind::branch, Op::br_ia, "=b2");
  row(extended(0, 0x21) + bits(8, 6, 4), "br.ret{w}{p}{d}", Kind::branch, Op::br_ret, "=b2|ar66=ar64");
  row(opcode(1) + bit(32, 1), "br.call{w}{p}{d}", Kind::branch, Op::br_indirect_call, "b1=b2|ar64=ar66");
  row(opcode(7), "brp{b}", Kind::branch_predict, Op::brp, "target25,tag13");
  row(extended(2, 0x10), "brp{b}", Kind::branch_predict, Op::brp, "=b2,tag13");
  row(extended(2, 0x11), "brp.ret{b}", Kind::branch_predict, Op::brp, "=b2,tag13");
  row(extended(0, 0x00), "break.b", Kind::break_, Op::break_, "imm21");
  row(extended(2, 0x00), "nop.b", Kind::nop, Op::nop, "imm21");
  row(extended(2, 0x01), "hint.b", Kind::hint, Op::hint, "imm21");
  row(extended(0, 0x02), "cover", Kind::cover, Op::cover, "");
  row(extended(0, 0x04), "clrrrb", Kind::clrrrb, Op::clrrrb, "");
  row(extended(0, 0x05), "clrrrb.pr", Kind::clrrrb, Op::clrrrb_pr, "");
  row(extended(0, 0x08), "rfi", Kind::system_branch, Op::privileged, "");
  row(extended(0, 0x0c), "bsw.0", Kind::system_branch, Op::privileged, "");
  row(extended(0, 0x0d), "bsw.1", Kind::system_branch, Op::privileged, "");
  row(extended(0, 0x10), "epc", Kind::system_branch, Op::privileged, "");
  row(extended(0, 0x18), "vmsw.0", Kind::system_branch, Op::privileged, "");
  row(extended(0, 0x19), "vmsw.1", Kind::system_branch, Op::privileged, "");
  return rows;
}

std::vector<Row> long_rows() {
  const Pattern zero = opcode(0) + bits(35, 33, 0);
  return {
      {zero + bits(32, 27, 0), "break.x", Kind::break_, Op::break_, "imm62", 0},
      {zero + bits(32, 27, 1) + bit(26, 0), "nop.x", Kind::nop, Op::nop, "imm62", 0},
      {zero + bits(32, 27, 1) + bit(26, 1), "hint.x", Kind::hint, Op::hint, "imm62", 0},
      {opcode(6) + bit(20, 0), "movl", Kind::move_long, Op::movl, "r1=imm64", 0},
      {opcode(12) + bits(8, 6, 0), "brl.cond{w}{p}{d}", Kind::branch, Op::br_cond, "target64", 0},
      {opcode(13), "brl.call{w}{p}{d}", Kind::branch, Op::br_call, "b1=target64|ar64=ar66", 0},
  };
}

}  // namespace pmusim::trace::ia64
