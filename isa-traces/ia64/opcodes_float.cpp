// F-unit instructions (formats F1-F16): major opcodes 0, 1, 4, 5, 8 to E.
#include "opcodes.h"

namespace pmusim::trace::ia64 {
namespace {

constexpr Pattern misc(unsigned major, unsigned x6) { return opcode(major) + bit(33, 0) + bits(32, 27, x6); }

void add_arithmetic(std::vector<Row>& rows) {
  const auto row = [&](unsigned major, unsigned x, const char* mnemonic, Kind kind, Op op, Precision precision) {
    rows.push_back({opcode(major) + bit(36, x), mnemonic, kind, op, "f1=f3,f4,f2", static_cast<unsigned>(precision)});
  };
  row(8, 0, "fma{s}", Kind::fp_arithmetic, Op::fma, Precision::dynamic);
  row(8, 1, "fma.s{s}", Kind::fp_arithmetic, Op::fma, Precision::single);
  row(9, 0, "fma.d{s}", Kind::fp_arithmetic, Op::fma, Precision::double_);
  row(9, 1, "fpma{s}", Kind::fp_parallel, Op::fpma, Precision::single);
  row(10, 0, "fms{s}", Kind::fp_arithmetic, Op::fms, Precision::dynamic);
  row(10, 1, "fms.s{s}", Kind::fp_arithmetic, Op::fms, Precision::single);
  row(11, 0, "fms.d{s}", Kind::fp_arithmetic, Op::fms, Precision::double_);
  row(11, 1, "fpms{s}", Kind::fp_parallel, Op::fpms, Precision::single);
  row(12, 0, "fnma{s}", Kind::fp_arithmetic, Op::fnma, Precision::dynamic);
  row(12, 1, "fnma.s{s}", Kind::fp_arithmetic, Op::fnma, Precision::single);
  row(13, 0, "fnma.d{s}", Kind::fp_arithmetic, Op::fnma, Precision::double_);
  row(13, 1, "fpnma{s}", Kind::fp_parallel, Op::fpnma, Precision::single);
  // argument of xma: x2
  rows.push_back({opcode(14) + bits(36, 34, 4), "xma.l", Kind::fixed_multiply, Op::xma, "f1=f3,f4,f2", 0});
  rows.push_back({opcode(14) + bits(36, 34, 6), "xma.hu", Kind::fixed_multiply, Op::xma, "f1=f3,f4,f2", 2});
  rows.push_back({opcode(14) + bits(36, 34, 7), "xma.h", Kind::fixed_multiply, Op::xma, "f1=f3,f4,f2", 3});
  rows.push_back({opcode(14) + bit(36, 0), "fselect", Kind::fp_select, Op::fselect, "f1=f3,f4,f2"});
}

/// F4, F5: relation = ra (bit 33), rb (bit 36). Argument: relation | unc << 4.
void add_float_compares(std::vector<Row>& rows) {
  constexpr const char* names[] = {"eq", "lt", "le", "unord"};
  for (unsigned relation = 0; relation < 4; ++relation) {
    for (unsigned unc = 0; unc < 2; ++unc) {
      rows.push_back({opcode(4) + bit(33, relation >> 1) + bit(36, relation & 1) + bit(12, unc),
                      std::string("fcmp.") + names[relation] + (unc ? ".unc" : "") + "{s}", Kind::fp_compare, Op::fcmp,
                      "p1,p2=f2,f3", relation | unc << 4});
    }
  }
  rows.push_back({opcode(5) + bit(12, 0), "fclass.m", Kind::fp_class, Op::fclass, "p1,p2=f2,fclass9", 0});
  rows.push_back({opcode(5) + bit(12, 1), "fclass.m.unc", Kind::fp_class, Op::fclass, "p1,p2=f2,fclass9", 1});
}

void add_miscellaneous(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands,
                       unsigned argument = 0) {
    rows.push_back({pattern, mnemonic, kind, op, operands, argument});
  };
  row(misc(0, 0x00), "break.f", Kind::break_, Op::break_, "imm21");
  row(misc(0, 0x01) + bit(26, 0), "nop.f", Kind::nop, Op::nop, "imm21");
  row(misc(0, 0x01) + bit(26, 1), "hint.f", Kind::hint, Op::hint, "imm21");
  row(misc(0, 0x04), "fsetc{s}", Kind::fp_status, Op::fsetc, "fsetc_masks|=ar40");
  row(misc(0, 0x05), "fclrf{s}", Kind::fp_status, Op::fclrf, "");
  row(misc(0, 0x08), "fchkf{s}", Kind::fp_check, Op::fchkf, "target25a|=ar40");
  row(opcode(0) + bit(33, 1) + bit(36, 0), "frcpa{s}", Kind::fp_reciprocal, Op::frcpa, "f1,p2=f2,f3");
  row(opcode(0) + bit(33, 1) + bit(36, 1), "frsqrta{s}", Kind::fp_reciprocal, Op::frsqrta, "f1,p2=f3");
  row(opcode(1) + bit(33, 1) + bit(36, 0), "fprcpa{s}", Kind::fp_reciprocal, Op::fprcpa, "f1,p2=f2,f3");
  row(opcode(1) + bit(33, 1) + bit(36, 1), "fprsqrta{s}", Kind::fp_reciprocal, Op::fprsqrta, "f1,p2=f3");
  row(misc(0, 0x14), "fmin{s}", Kind::fp_minmax, Op::fmin, "f1=f2,f3");
  row(misc(0, 0x15), "fmax{s}", Kind::fp_minmax, Op::fmax, "f1=f2,f3");
  row(misc(0, 0x16), "famin{s}", Kind::fp_minmax, Op::famin, "f1=f2,f3");
  row(misc(0, 0x17), "famax{s}", Kind::fp_minmax, Op::famax, "f1=f2,f3");
  row(misc(1, 0x14), "fpmin{s}", Kind::fp_minmax, Op::fpmin, "f1=f2,f3");
  row(misc(1, 0x15), "fpmax{s}", Kind::fp_minmax, Op::fpmax, "f1=f2,f3");
  row(misc(1, 0x16), "fpamin{s}", Kind::fp_minmax, Op::fpamin, "f1=f2,f3");
  row(misc(1, 0x17), "fpamax{s}", Kind::fp_minmax, Op::fpamax, "f1=f2,f3");
  // argument: 0-3 as fcmp, 4-7 their negations
  constexpr const char* relations[] = {"fpcmp.eq{s}",  "fpcmp.lt{s}",  "fpcmp.le{s}",  "fpcmp.unord{s}",
                                       "fpcmp.neq{s}", "fpcmp.nlt{s}", "fpcmp.nle{s}", "fpcmp.ord{s}"};
  for (unsigned i = 0; i < 8; ++i) row(misc(1, 0x30 + i), relations[i], Kind::fp_minmax, Op::fpcmp, "f1=f2,f3", i);
  // argument: 0 sign, 1 negated sign, 2 sign and exponent
  constexpr const char* merges[] = {"fmerge.s", "fmerge.ns", "fmerge.se"};
  constexpr const char* parallel_merges[] = {"fpmerge.s", "fpmerge.ns", "fpmerge.se"};
  for (unsigned i = 0; i < 3; ++i) {
    row(misc(0, 0x10 + i), merges[i], Kind::fp_merge, Op::fmerge, "f1=f2,f3", i);
    row(misc(1, 0x10 + i), parallel_merges[i], Kind::fp_merge, Op::fpmerge, "f1=f2,f3", i);
  }
  row(misc(0, 0x28), "fpack", Kind::fp_merge, Op::fpack, "f1=f2,f3");
  row(misc(0, 0x2c), "fand", Kind::fp_merge, Op::fand, "f1=f2,f3");
  row(misc(0, 0x2d), "fandcm", Kind::fp_merge, Op::fandcm, "f1=f2,f3");
  row(misc(0, 0x2e), "for", Kind::fp_merge, Op::for_, "f1=f2,f3");
  row(misc(0, 0x2f), "fxor", Kind::fp_merge, Op::fxor, "f1=f2,f3");
  row(misc(0, 0x34), "fswap", Kind::fp_merge, Op::fswap, "f1=f2,f3", 0);
  row(misc(0, 0x35), "fswap.nl", Kind::fp_merge, Op::fswap, "f1=f2,f3", 1);
  row(misc(0, 0x36), "fswap.nr", Kind::fp_merge, Op::fswap, "f1=f2,f3", 2);
  row(misc(0, 0x39), "fmix.lr", Kind::fp_merge, Op::fmix, "f1=f2,f3", 0);
  row(misc(0, 0x3a), "fmix.r", Kind::fp_merge, Op::fmix, "f1=f2,f3", 1);
  row(misc(0, 0x3b), "fmix.l", Kind::fp_merge, Op::fmix, "f1=f2,f3", 2);
  row(misc(0, 0x3c), "fsxt.r", Kind::fp_merge, Op::fsxt, "f1=f2,f3", 0);
  row(misc(0, 0x3d), "fsxt.l", Kind::fp_merge, Op::fsxt, "f1=f2,f3", 1);
  // argument: bit 0 unsigned, bit 1 truncate
  constexpr const char* converts[] = {"fcvt.fx{s}", "fcvt.fxu{s}", "fcvt.fx.trunc{s}", "fcvt.fxu.trunc{s}"};
  constexpr const char* parallel_converts[] = {"fpcvt.fx{s}", "fpcvt.fxu{s}", "fpcvt.fx.trunc{s}",
                                               "fpcvt.fxu.trunc{s}"};
  for (unsigned i = 0; i < 4; ++i) {
    row(misc(0, 0x18 + i), converts[i], Kind::fp_convert, Op::fcvt_to_integer, "f1=f2", i);
    row(misc(1, 0x18 + i), parallel_converts[i], Kind::fp_convert, Op::fpcvt, "f1=f2", i);
  }
  row(misc(0, 0x1c), "fcvt.xf", Kind::fp_convert, Op::fcvt_from_integer, "f1=f2");
}

}  // namespace

std::vector<Row> float_rows() {
  std::vector<Row> rows;
  add_arithmetic(rows);
  add_float_compares(rows);
  add_miscellaneous(rows);
  return rows;
}

}  // namespace pmusim::trace::ia64
