#include "pmusim/trace/alpha.h"

#include <algorithm>

#include "alpha_table.h"

namespace pmusim::trace::alpha {
namespace {

/// Bits high..low of a word; bit 0 is the least significant.
constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((1U << (high - low + 1U)) - 1U);
}

std::uint32_t word_of(const Code& code) {
  return static_cast<std::uint32_t>(code.bytes[3]) << 24U | static_cast<std::uint32_t>(code.bytes[2]) << 16U |
         static_cast<std::uint32_t>(code.bytes[1]) << 8U | code.bytes[0];
}

bool matches(const Row& row, std::uint32_t word) {
  if (row.opcode != field(word, 31, 26)) return false;
  switch (row.form) {
    case Form::opcode:
      return true;
    case Form::memory_jump:
      return row.function == field(word, 15, 14);
    case Form::memory_code:
      return row.function == field(word, 15, 0);
    case Form::operate:
      return row.function == field(word, 11, 5);
    case Form::fp_operate:
      return row.function == field(word, 15, 5);
    case Form::fp_qualified:
      return row.function == field(word, 10, 5);
  }
  return false;
}

/// Adds a register of the integer (base 0) or floating-point (base reg_fp) file, except the zero register.
void add(std::vector<std::uint8_t>& list, unsigned reg, std::uint8_t base) {
  const auto number = static_cast<std::uint8_t>(base + reg);
  if (reg != 31 && std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

void add_registers(Operation& op, const Row& row, std::uint32_t word) {
  const std::uint16_t set = row.operands;
  const unsigned a = field(word, 25, 21), b = field(word, 20, 16), c = field(word, 4, 0);
  if ((set & ra) != 0) add(op.reads, a, 0);
  if ((set & rb) != 0 && !op.literal) add(op.reads, b, 0);
  if ((set & rc) != 0) add(op.reads, c, 0);
  if ((set & fa) != 0) add(op.reads, a, reg_fp);
  if ((set & fb) != 0) add(op.reads, b, reg_fp);
  if ((set & fc) != 0) add(op.reads, c, reg_fp);
  if ((set & fpcr) != 0) op.reads.push_back(reg_fpcr);
  if ((set & to_ra) != 0) add(op.writes, a, 0);
  if ((set & to_rc) != 0) add(op.writes, c, 0);
  if ((set & to_fa) != 0) add(op.writes, a, reg_fp);
  if ((set & to_fc) != 0) add(op.writes, c, reg_fp);
  if ((set & to_fpcr) != 0) op.writes.push_back(reg_fpcr);
}

void add_branch(Operation& op, const Row& row, std::uint32_t word, std::uint64_t pc) {
  op.branch = row.branch;
  if (op.kind == Kind::integer_branch || op.kind == Kind::fp_branch) {
    op.has_target = true;
    op.backward = field(word, 20, 20) != 0;
    const std::uint64_t sign = op.backward ? ~std::uint64_t{0} << 21U : 0;
    op.target = pc + 4 + 4 * (sign | field(word, 20, 0));
  } else if (op.branch == BranchKind::computed || op.branch == BranchKind::computed_subroutine) {
    op.hint = static_cast<std::uint16_t>(pc + 4 + 4 * field(word, 13, 0));
  } else if (op.kind == Kind::call_pal) {
    op.pal_function = field(word, 25, 0);
  }
}

}  // namespace

Operation classify(const Code& code) {
  const std::uint32_t word = word_of(code);
  const auto row = std::ranges::find_if(table(), [&](const Row& one) { return matches(one, word); });
  if (code.length != 4 || row == table().end()) return {};
  Operation op;
  op.mnemonic = row->mnemonic;
  op.kind = row->kind;
  op.extension = row->extension;
  op.access_size = row->access_size;
  op.unaligned = (row->operands & unaligned) != 0;
  op.literal = row->form == Form::operate && field(word, 12, 12) != 0;
  add_registers(op, *row, word);
  add_branch(op, *row, word, code.pc);
  if (op.writes.empty()) {
    op.nop = op.unaligned ? op.is_load() : op.is_integer_operate() || op.is_fp_operate();
    op.prefetch = !op.nop && (op.kind == Kind::load || op.kind == Kind::fp_load);
  }
  return op;
}

}  // namespace pmusim::trace::alpha
