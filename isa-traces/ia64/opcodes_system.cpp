// M-unit instructions other than memory accesses (formats M20-M48): major opcodes 0 and 1.
#include "opcodes.h"

namespace pmusim::trace::ia64 {

// B-unit (formats B1-B9) and X-unit instructions (formats X1-X5).

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

namespace {

/// Major opcode 0, x3 = 0, x2 and x4.
constexpr Pattern zero(unsigned x2, unsigned x4) {
  return opcode(0) + bits(35, 33, 0) + bits(32, 31, x2) + bits(30, 27, x4);
}
/// The same for the mask instructions, in which x2 belongs to the immediate.
constexpr Pattern mask_form(unsigned x4) { return opcode(0) + bits(35, 33, 0) + bits(30, 27, x4); }
/// Major opcode 1, x3 = 0, x6.
constexpr Pattern one(unsigned x6) { return opcode(1) + bits(35, 33, 0) + bits(32, 27, x6); }

void add_checks_and_stack(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands,
                       unsigned argument = 0) {
    rows.push_back({pattern, mnemonic, kind, op, operands, argument});
  };
  row(zero(0, 0), "break.m", Kind::break_, Op::break_, "imm21");
  row(zero(0, 1) + bit(26, 0), "nop.m", Kind::nop, Op::nop, "imm21");
  row(zero(0, 1) + bit(26, 1), "hint.m", Kind::hint, Op::hint, "imm21");
  // argument of chk.a: 1 = clear the entry
  row(opcode(0) + bits(35, 33, 4), "chk.a.nc", Kind::check_advanced, Op::chk_a_gr, "=r1,target25b", 0);
  row(opcode(0) + bits(35, 33, 5), "chk.a.clr", Kind::check_advanced, Op::chk_a_gr, "=r1,target25b", 1);
  row(opcode(0) + bits(35, 33, 6), "chk.a.nc", Kind::check_advanced, Op::chk_a_fr, "=f1,target25b", 0);
  row(opcode(0) + bits(35, 33, 7), "chk.a.clr", Kind::check_advanced, Op::chk_a_fr, "=f1,target25b", 1);
  row(opcode(1) + bits(35, 33, 1), "chk.s.m", Kind::check_speculation, Op::chk_s_gr, "=r2,target25c");
  row(opcode(1) + bits(35, 33, 3), "chk.s", Kind::check_speculation, Op::chk_s_fr, "=f2,target25c");
  row(opcode(1) + bits(35, 33, 6), "alloc", Kind::alloc, Op::alloc, "r1=|=ar64");
  row(zero(0, 0xa), "loadrs", Kind::loadrs, Op::loadrs, "|=ar16");
  row(zero(0, 0xc), "flushrs", Kind::flushrs, Op::flushrs, "");
  row(zero(1, 0), "invala", Kind::invalidate_alat, Op::invala, "");
  row(zero(1, 2), "invala.e", Kind::invalidate_alat, Op::invala_gr, "=r1");
  row(zero(1, 3), "invala.e", Kind::invalidate_alat, Op::invala_fr, "=f1");
  row(zero(2, 0), "fwb", Kind::fence, Op::fence, "");
  row(zero(2, 2), "mf", Kind::fence, Op::fence, "");
  row(zero(2, 3), "mf.a", Kind::fence, Op::fence, "");
  row(zero(3, 0), "srlz.d", Kind::serialize_data, Op::serialize, "");
  row(zero(3, 1), "srlz.i", Kind::serialize_instruction, Op::serialize, "");
  row(zero(3, 3), "sync.i", Kind::serialize_instruction, Op::serialize, "");
  row(mask_form(4), "sum", Kind::psr, Op::user_mask_set, "imm24");
  row(mask_form(5), "rum", Kind::psr, Op::user_mask_reset, "imm24");
  row(mask_form(6), "ssm", Kind::psr, Op::privileged, "imm24");
  row(mask_form(7), "rsm", Kind::psr, Op::privileged, "imm24");
}

void add_system_moves(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands) {
    rows.push_back({pattern, mnemonic, kind, op, operands});
  };
  row(zero(2, 8), "mov.m", Kind::move_to_ar, Op::mov_to_ar, "ar3=imm8");
  row(one(0x2a), "mov.m", Kind::move_to_ar, Op::mov_to_ar, "ar3=r2");
  row(one(0x22), "mov.m", Kind::move_from_ar, Op::mov_from_ar, "r1=ar3");
  row(one(0x2c), "mov", Kind::move_to_cr, Op::privileged, "cr3=r2");
  row(one(0x24), "mov", Kind::move_from_cr, Op::privileged, "r1=cr3");
  row(one(0x21), "mov", Kind::psr, Op::mov_from_psr_um, "r1=");
  row(one(0x29), "mov", Kind::psr, Op::mov_to_psr_um, "=r2");
  row(one(0x25), "mov", Kind::psr, Op::privileged, "r1=");
  row(one(0x2d), "mov", Kind::psr, Op::privileged, "=r2");
  // Indexed register files in the order of x6; only cpuid and pmd can be read by user programs.
  for (unsigned x6 = 0; x6 < 7; ++x6) row(one(x6), "mov", Kind::move_indexed, Op::privileged, "=r3,r2");
  for (unsigned x6 = 0x10; x6 < 0x18; ++x6) {
    const bool user = x6 == 0x15 || x6 == 0x17;
    rows.push_back({one(x6), "mov", Kind::move_indexed, user ? Op::read_indexed : Op::privileged, "r1=r3", x6});
  }
}

void add_system(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, const char* operands) {
    rows.push_back({pattern, mnemonic, Kind::system, Op::privileged, operands});
  };
  rows.push_back({one(0x30) + bit(36, 0), "fc", Kind::flush_cache, Op::flush_cache, "[r3]"});
  rows.push_back({one(0x30) + bit(36, 1), "fc.i", Kind::flush_cache, Op::flush_cache, "[r3]"});
  row(one(0x18), "probe.r", "r1=r3,imm2");
  row(one(0x19), "probe.w", "r1=r3,imm2");
  row(one(0x38), "probe.r", "r1=r3,r2");
  row(one(0x39), "probe.w", "r1=r3,r2");
  row(one(0x31), "probe.rw.fault", "=r3,imm2");
  row(one(0x32), "probe.r.fault", "=r3,imm2");
  row(one(0x33), "probe.w.fault", "=r3,imm2");
  row(one(0x1a), "thash", "r1=r3");
  row(one(0x1b), "ttag", "r1=r3");
  row(one(0x1e), "tpa", "r1=r3");
  row(one(0x1f), "tak", "r1=r3");
  row(one(0x2e), "itc.d", "=r2");
  row(one(0x2f), "itc.i", "=r2");
  row(one(0x0e), "itr.d", "=r3,r2");
  row(one(0x0f), "itr.i", "=r3,r2");
  row(one(0x09), "ptc.l", "=r3,r2");
  row(one(0x0a), "ptc.g", "=r3,r2");
  row(one(0x0b), "ptc.ga", "=r3,r2");
  row(one(0x0c), "ptr.d", "=r3,r2");
  row(one(0x0d), "ptr.i", "=r3,r2");
  row(one(0x34), "ptc.e", "=r3");
}

}  // namespace

std::vector<Row> system_rows() {
  std::vector<Row> rows;
  add_checks_and_stack(rows);
  add_system_moves(rows);
  add_system(rows);
  return rows;
}

}  // namespace pmusim::trace::ia64
