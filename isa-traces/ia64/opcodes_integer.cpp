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

}  // namespace pmusim::trace::ia64
