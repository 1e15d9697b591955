// A-type instructions (formats A1-A10): major opcodes 8, 9, C, D, E.
#include <fmt/format.h>

#include "opcodes.h"

namespace pmusim::trace::ia64 {

namespace {

/// A1-A3: x2a = 0, ve = 0, x4, x2b.
constexpr Pattern alu(unsigned x4, unsigned x2b) {
  return opcode(8) + bits(35, 33, 0) + bits(32, 29, x4) + bits(28, 27, x2b);
}
constexpr Pattern alu(unsigned x4) { return opcode(8) + bits(35, 33, 0) + bits(32, 29, x4); }

void add_alu(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Op op, const char* operands) {
    rows.push_back({pattern, mnemonic, Kind::integer, op, operands});
  };
  row(alu(0, 0), "add", Op::add, "r1=r2,r3");
  row(alu(0, 1), "add", Op::add_one, "r1=r2,r3");
  row(alu(1, 1), "sub", Op::sub, "r1=r2,r3");
  row(alu(1, 0), "sub", Op::sub_one, "r1=r2,r3");
  row(alu(2, 0), "addp4", Op::addp4, "r1=r2,r3");
  row(alu(3, 0), "and", Op::and_, "r1=r2,r3");
  row(alu(3, 1), "andcm", Op::andcm, "r1=r2,r3");
  row(alu(3, 2), "or", Op::or_, "r1=r2,r3");
  row(alu(3, 3), "xor", Op::xor_, "r1=r2,r3");
  row(alu(4), "shladd", Op::shladd, "r1=r2,count2,r3");
  row(alu(6), "shladdp4", Op::shladdp4, "r1=r2,count2,r3");
  row(alu(9, 1), "sub", Op::sub, "r1=imm8,r3");
  row(alu(11, 0), "and", Op::and_, "r1=imm8,r3");
  row(alu(11, 1), "andcm", Op::andcm, "r1=imm8,r3");
  row(alu(11, 2), "or", Op::or_, "r1=imm8,r3");
  row(alu(11, 3), "xor", Op::xor_, "r1=imm8,r3");
  row(opcode(8) + bits(35, 33, 4), "adds", Op::add, "r1=imm14,r3");
  row(opcode(8) + bits(35, 33, 6), "addp4", Op::addp4, "r1=imm14,r3");
  row(opcode(9), "addl", Op::add, "r1=imm22,r3short");
}

/// A6-A8: the major opcode and c select the relation, the major opcode the compare type.
void add_compares(std::vector<Row>& rows) {
  struct Major {
    unsigned number;
    const char* relation;
    Relation compare;
    CompareType parallel;
    const char* type;
  };
  constexpr Major majors[] = {{12, "lt", Relation::lt, CompareType::and_, "and"},
                              {13, "ltu", Relation::ltu, CompareType::or_, "or"},
                              {14, "eq", Relation::eq, CompareType::or_andcm, "or.andcm"}};
  const auto row = [&](Pattern pattern, std::string mnemonic, const char* operands, unsigned argument) {
    rows.push_back({pattern, std::move(mnemonic), Kind::compare, Op::compare, operands, argument});
  };
  for (const Major& major : majors) {
    for (unsigned x2 = 0; x2 < 4; ++x2) {
      const bool word = (x2 & 1) != 0, immediate = x2 >= 2;
      const char* const name = word ? "cmp4" : "cmp";
      const Pattern base = opcode(major.number) + bits(35, 34, x2) + (immediate ? Pattern{} : bit(36, 0));
      const char* const operands = immediate ? "p1,p2=imm8,r3" : "p1,p2=r2,r3";
      row(base + bit(33, 0) + bit(12, 0), fmt::format("{}.{}", name, major.relation), operands,
          compare_argument(major.compare, CompareType::normal, word));
      row(base + bit(33, 0) + bit(12, 1), fmt::format("{}.{}.unc", name, major.relation), operands,
          compare_argument(major.compare, CompareType::unc, word));
      row(base + bit(33, 1) + bit(12, 0), fmt::format("{}.eq.{}", name, major.type), operands,
          compare_argument(Relation::eq, major.parallel, word));
      row(base + bit(33, 1) + bit(12, 1), fmt::format("{}.ne.{}", name, major.type), operands,
          compare_argument(Relation::ne, major.parallel, word));
      if (immediate) continue;
      // A7: against r0, by ta and c
      constexpr std::pair<const char*, Relation> against_zero[] = {
          {"gt", Relation::gt}, {"le", Relation::le}, {"ge", Relation::ge}, {"lt", Relation::lt}};
      for (unsigned i = 0; i < 4; ++i) {
        row(opcode(major.number) + bits(36, 34, 4 | x2) + bit(33, i >> 1) + bit(12, i & 1),
            fmt::format("{}.{}.{}", name, against_zero[i].first, major.type), "p1,p2=r3",
            compare_argument(against_zero[i].second, major.parallel, word) | 0x200);
      }
    }
  }
}

/// A9, A10: x2a = 1; za and zb encode the size: 0, 1, 2 for 1, 2, 4 bytes.
void add_parallel_integer(std::vector<Row>& rows) {
  const auto sized = [](unsigned size, unsigned x4) {
    return opcode(8) + bits(35, 34, 1) + bit(36, size == 2) + bit(33, size == 1) + bits(32, 29, x4);
  };
  const auto row = [&](Pattern pattern, std::string mnemonic, Op op, const char* operands, unsigned argument) {
    rows.push_back({pattern, std::move(mnemonic), Kind::multimedia_alu, op, operands, argument});
  };
  constexpr const char* saturations[] = {"", ".sss", ".uuu", ".uus"};
  for (unsigned size = 0; size < 3; ++size) {
    const unsigned bytes = 1u << size;
    // argument: size | saturation << 4
    for (unsigned kind = 0; kind < (size == 2 ? 1u : 4u); ++kind) {
      row(sized(size, 0) + bits(28, 27, kind), fmt::format("padd{}{}", bytes, saturations[kind]), Op::padd, "r1=r2,r3",
          size | kind << 4);
      row(sized(size, 1) + bits(28, 27, kind), fmt::format("psub{}{}", bytes, saturations[kind]), Op::psub, "r1=r2,r3",
          size | kind << 4);
    }
    if (size < 2) {
      row(sized(size, 2) + bits(28, 27, 2), fmt::format("pavg{}", bytes), Op::pavg, "r1=r2,r3", size);
      row(sized(size, 2) + bits(28, 27, 3), fmt::format("pavg{}.raz", bytes), Op::pavg_raz, "r1=r2,r3", size);
      row(sized(size, 3) + bits(28, 27, 2), fmt::format("pavgsub{}", bytes), Op::pavgsub, "r1=r2,r3", size);
    }
    row(sized(size, 9) + bits(28, 27, 0), fmt::format("pcmp{}.eq", bytes), Op::pcmp_eq, "r1=r2,r3", size);
    row(sized(size, 9) + bits(28, 27, 1), fmt::format("pcmp{}.gt", bytes), Op::pcmp_gt, "r1=r2,r3", size);
  }
  row(sized(1, 4), "pshladd2", Op::pshladd, "r1=r2,count2,r3", 1);
  row(sized(1, 6), "pshradd2", Op::pshradd, "r1=r2,count2,r3", 1);
}

}  // namespace

std::vector<Row> integer_rows() {
  std::vector<Row> rows;
  add_alu(rows);
  add_compares(rows);
  add_parallel_integer(rows);
  return rows;
}

// I-unit instructions (formats I1-I30): major opcodes 0, 4, 5, 7.

namespace {

/// Major opcode 0, x3 = 0.
constexpr Pattern plain(unsigned x6) { return opcode(0) + bits(35, 33, 0) + bits(32, 27, x6); }

void add_moves(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Kind kind, Op op, const char* operands,
                       unsigned argument = 0) {
    rows.push_back({pattern, mnemonic, kind, op, operands, argument});
  };
  row(plain(0x00), "break.i", Kind::break_, Op::break_, "imm21");
  row(plain(0x01) + bit(26, 0), "nop.i", Kind::nop, Op::nop, "imm21");
  row(plain(0x01) + bit(26, 1), "hint.i", Kind::hint, Op::hint, "imm21");
  row(opcode(0) + bits(35, 33, 1), "chk.s.i", Kind::check_speculation, Op::chk_s_gr, "=r2,target25c");
  row(opcode(0) + bits(35, 33, 2), "mov", Kind::move_to_pr, Op::mov_to_pr_rot, "=imm44|pr=");
  row(opcode(0) + bits(35, 33, 3), "mov", Kind::move_to_pr, Op::mov_to_pr, "=r2,mask17|pr=");
  row(opcode(0) + bits(35, 33, 7) + bit(22, 0), "mov{b}", Kind::move_to_br, Op::mov_to_br, "b1=r2");
  row(opcode(0) + bits(35, 33, 7) + bit(22, 1), "mov.ret{b}", Kind::move_to_br, Op::mov_to_br, "b1=r2");
  row(plain(0x31), "mov", Kind::move_from_br, Op::mov_from_br, "r1=b2");
  row(plain(0x33), "mov", Kind::move_from_pr, Op::mov_from_pr, "r1=|=pr");
  row(plain(0x30), "mov", Kind::move_from_ip, Op::mov_from_ip, "r1=");
  row(plain(0x2a), "mov.i", Kind::move_to_ar, Op::mov_to_ar, "ar3=r2");
  row(plain(0x0a), "mov.i", Kind::move_to_ar, Op::mov_to_ar, "ar3=imm8");
  row(plain(0x32), "mov.i", Kind::move_from_ar, Op::mov_from_ar, "r1=ar3");
  for (unsigned size = 0; size < 3; ++size) {
    rows.push_back({plain(0x10 + size), fmt::format("zxt{}", 1 << size), Kind::extend, Op::zero_extend, "r1=r3", size});
    rows.push_back({plain(0x14 + size), fmt::format("sxt{}", 1 << size), Kind::extend, Op::sign_extend, "r1=r3", size});
  }
  row(plain(0x18), "czx1.l", Kind::extend, Op::zero_index_left, "r1=r3", 0);
  row(plain(0x19), "czx2.l", Kind::extend, Op::zero_index_left, "r1=r3", 1);
  row(plain(0x1c), "czx1.r", Kind::extend, Op::zero_index_right, "r1=r3", 0);
  row(plain(0x1d), "czx2.r", Kind::extend, Op::zero_index_right, "r1=r3", 1);
}

void add_fields(std::vector<Row>& rows) {
  const auto row = [&](Pattern pattern, const char* mnemonic, Op op, const char* operands) {
    rows.push_back({pattern, mnemonic, Kind::bit_field, op, operands});
  };
  row(opcode(4), "dep", Op::deposit, "r1=r2,r3,cpos6d,len4");
  row(opcode(5) + bits(35, 33, 2) + bit(13, 0), "extr.u", Op::extract_unsigned, "r1=r3,pos6,len6");
  row(opcode(5) + bits(35, 33, 2) + bit(13, 1), "extr", Op::extract, "r1=r3,pos6,len6");
  row(opcode(5) + bits(35, 33, 3) + bit(26, 0), "dep.z", Op::deposit_zero, "r1=r2,cpos6c,len6");
  row(opcode(5) + bits(35, 33, 3) + bit(26, 1), "dep.z", Op::deposit_zero, "r1=imm8,cpos6c,len6");
  row(opcode(5) + bits(35, 33, 7), "dep", Op::deposit, "r1=imm1,r3,cpos6b,len6");
  row(opcode(5) + bits(35, 33, 6), "shrp", Op::shift_right_pair, "r1=r2,r3,count6");
}

/// I16, I17, I30: ta is bit 33, tb bit 36, c bit 12.
void add_tests(std::vector<Row>& rows) {
  struct Type {
    unsigned ta, tb, c;
    const char* completer;
    Relation relation;  // relation of the bit to 0
    CompareType type;
  };
  constexpr Type types[] = {{0, 0, 0, "z", Relation::eq, CompareType::normal},
                            {0, 0, 1, "z.unc", Relation::eq, CompareType::unc},
                            {0, 1, 0, "z.and", Relation::eq, CompareType::and_},
                            {0, 1, 1, "nz.and", Relation::ne, CompareType::and_},
                            {1, 0, 0, "z.or", Relation::eq, CompareType::or_},
                            {1, 0, 1, "nz.or", Relation::ne, CompareType::or_},
                            {1, 1, 0, "z.or.andcm", Relation::eq, CompareType::or_andcm},
                            {1, 1, 1, "nz.or.andcm", Relation::ne, CompareType::or_andcm}};
  for (const Type& t : types) {
    const Pattern base = opcode(5) + bits(35, 34, 0) + bit(33, t.ta) + bit(36, t.tb) + bit(12, t.c);
    const unsigned argument = compare_argument(t.relation, t.type);
    rows.push_back(
        {base + bit(13, 0), fmt::format("tbit.{}", t.completer), Kind::test, Op::test_bit, "p1,p2=r3,pos6", argument});
    rows.push_back({base + bit(13, 1) + bit(19, 0), fmt::format("tnat.{}", t.completer), Kind::test, Op::test_nat,
                    "p1,p2=r3", argument});
    rows.push_back({base + bit(13, 1) + bit(19, 1), fmt::format("tf.{}", t.completer), Kind::test, Op::unsupported,
                    "p1,p2=imm5", argument});
  }
}

/// I1-I9: sizes 0, 1, 2 are 1, 2, 4 bytes, 3 is the whole register.
void add_multimedia(std::vector<Row>& rows) {
  const auto row = [&](unsigned size, unsigned x2a, unsigned x2b, unsigned x2c, std::string mnemonic, Op op,
                       const char* operands, Kind kind = Kind::multimedia) {
    rows.push_back({opcode(7) + bit(36, size >> 1) + bit(33, size & 1) + bit(32, 0) + bits(35, 34, x2a) +
                        bits(29, 28, x2b) + bits(31, 30, x2c),
                    std::move(mnemonic), kind, op, operands, size});
  };
  const auto multiply = [&](unsigned x2b, const char* mnemonic, Op op) {  // I1
    rows.push_back({opcode(7) + bits(36, 34, 0) + bit(33, 1) + bit(32, 0) + bits(29, 28, x2b), mnemonic,
                    Kind::multimedia_multiply, op, "r1=r2,r3,pmpyshr_count", 1});
  };
  multiply(1, "pmpyshr2.u", Op::pmpyshr_unsigned);
  multiply(3, "pmpyshr2", Op::pmpyshr);
  row(1, 2, 1, 3, "pmpy2.r", Op::pmpy_right, "r1=r2,r3", Kind::multimedia_multiply);
  row(1, 2, 3, 3, "pmpy2.l", Op::pmpy_left, "r1=r2,r3", Kind::multimedia_multiply);
  for (unsigned size = 0; size < 3; ++size) {
    row(size, 2, 0, 2, fmt::format("mix{}.r", 1 << size), Op::mix_right, "r1=r2,r3");
    row(size, 2, 2, 2, fmt::format("mix{}.l", 1 << size), Op::mix_left, "r1=r2,r3");
    row(size, 2, 0, 1, fmt::format("unpack{}.h", 1 << size), Op::unpack_high, "r1=r2,r3");
    row(size, 2, 2, 1, fmt::format("unpack{}.l", 1 << size), Op::unpack_low, "r1=r2,r3");
  }
  row(1, 2, 0, 0, "pack2.uss", Op::pack_unsigned, "r1=r2,r3");
  row(1, 2, 2, 0, "pack2.sss", Op::pack_signed, "r1=r2,r3");
  row(2, 2, 2, 0, "pack4.sss", Op::pack_signed, "r1=r2,r3");
  row(0, 2, 1, 0, "pmin1.u", Op::pmin, "r1=r2,r3");
  row(0, 2, 1, 1, "pmax1.u", Op::pmax, "r1=r2,r3");
  row(1, 2, 3, 0, "pmin2", Op::pmin, "r1=r2,r3");
  row(1, 2, 3, 1, "pmax2", Op::pmax, "r1=r2,r3");
  row(0, 2, 3, 2, "psad1", Op::psad, "r1=r2,r3");
  row(0, 3, 2, 2, "mux1", Op::mux1, "r1=r2,mbtype4");
  row(1, 3, 2, 2, "mux2", Op::mux2, "r1=r2,mhtype8");
  for (unsigned size = 1; size < 4; ++size) {
    const std::string prefix = size == 3 ? "sh" : "psh", digit = size == 3 ? "" : fmt::format("{}", 1 << size);
    const bool whole = size == 3;
    const Kind kind = whole ? Kind::shift : Kind::multimedia;
    row(size, 0, 0, 0, prefix + "r" + digit + ".u", whole ? Op::shift_right_unsigned : Op::pshr_unsigned, "r1=r3,r2",
        kind);
    row(size, 0, 2, 0, prefix + "r" + digit, whole ? Op::shift_right : Op::pshr, "r1=r3,r2", kind);
    row(size, 0, 0, 1, prefix + "l" + digit, whole ? Op::shift_left : Op::pshl, "r1=r2,r3", kind);
    if (whole) continue;
    row(size, 1, 1, 0, prefix + "r" + digit + ".u", Op::pshr_unsigned, "r1=r3,count5b");
    row(size, 1, 3, 0, prefix + "r" + digit, Op::pshr, "r1=r3,count5b");
    row(size, 3, 1, 1, prefix + "l" + digit, Op::pshl, "r1=r2,count5c");
  }
  row(1, 1, 1, 2, "popcnt", Op::popcount, "r1=r3", Kind::multimedia_multiply);
  row(1, 1, 1, 3, "clz", Op::unsupported, "r1=r3", Kind::multimedia_multiply);
}

}  // namespace

std::vector<Row> shift_rows() {
  std::vector<Row> rows;
  add_moves(rows);
  add_fields(rows);
  add_tests(rows);
  add_multimedia(rows);
  return rows;
}

}  // namespace pmusim::trace::ia64
