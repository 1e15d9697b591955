#include "pmusim/trace/ppc.h"

#include <algorithm>

#include "ppc_table.h"

namespace pmusim::trace::ppc {
namespace {

/// Bits first..last of a word in the numbering of the manuals: bit 0 is the most significant.
constexpr std::uint32_t field(std::uint32_t word, unsigned first, unsigned last) {
  return (word >> (31U - last)) & ((1U << (last - first + 1U)) - 1U);
}

constexpr std::uint32_t preferred_no_op = 0x6000'0000;  // ori 0,0,0

constexpr std::uint64_t sign_extend(std::uint32_t value, unsigned bits) {
  const std::uint32_t sign = 1U << (bits - 1U);
  return static_cast<std::uint32_t>((value ^ sign) - sign);
}

std::uint32_t word_of(const Code& code) {
  return static_cast<std::uint32_t>(code.bytes[0]) << 24U | static_cast<std::uint32_t>(code.bytes[1]) << 16U |
         static_cast<std::uint32_t>(code.bytes[2]) << 8U | code.bytes[3];
}

bool matches(const Row& row, std::uint32_t word) {
  if (row.primary != field(word, 0, 5)) return false;
  if ((row.operands & no_l_bit) != 0 && field(word, 10, 10) != 0) return false;
  const bool last = field(word, 31, 31) != 0;
  switch (row.form) {
    case Form::primary:
    case Form::primary_rc:
      return true;
    case Form::extended:
      return row.extended == field(word, 21, 30) && !last;
    case Form::extended_lk:
    case Form::extended_rc:
      return row.extended == field(word, 21, 30);
    case Form::extended_dot:
      return row.extended == field(word, 21, 30) && last;
    case Form::arithmetic:
      return row.extended == field(word, 22, 30);
    case Form::floating:
      return row.extended == field(word, 26, 30);
  }
  return false;
}

void add(std::vector<std::uint8_t>& list, unsigned reg) {
  const auto number = static_cast<std::uint8_t>(reg);
  if (std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

/// Adds the special-purpose register `spr` if the dependence space contains it.
void add_special(std::vector<std::uint8_t>& list, unsigned spr) {
  if (spr == 1) add(list, reg_xer);
  if (spr == 8) add(list, reg_lr);
  if (spr == 9) add(list, reg_ctr);
}

void add_general(Operation& op, const Row& row, std::uint32_t word) {
  const std::uint32_t set = row.operands;
  const unsigned d = field(word, 6, 10), a = field(word, 11, 15), b = field(word, 16, 20);
  if ((set & rA) != 0 || ((set & rA_or_0) != 0 && a != 0)) add(op.reads, a);
  if ((set & rB) != 0) add(op.reads, b);
  unsigned count = 1;
  if ((set & multiple) != 0) count = 32U - d;
  if ((set & string_count) != 0) count = ((b == 0 ? 32U : b) + 3U) / 4U;  // NB field; registers wrap at 31
  for (unsigned i = 0; i < count; ++i) {
    if ((set & rS) != 0) add(op.reads, (d + i) % 32U);
    if ((set & to_rD) != 0) add(op.writes, (d + i) % 32U);
  }
  if ((set & to_rA) != 0) add(op.writes, a);
}

void add_floating(Operation& op, const Row& row, std::uint32_t word) {
  const std::uint32_t set = row.operands;
  if ((set & frA) != 0) add(op.reads, reg_fpr + field(word, 11, 15));
  if ((set & frB) != 0) add(op.reads, reg_fpr + field(word, 16, 20));
  if ((set & frC) != 0) add(op.reads, reg_fpr + field(word, 21, 25));
  if ((set & frS) != 0) add(op.reads, reg_fpr + field(word, 6, 10));
  if ((set & to_frD) != 0) add(op.writes, reg_fpr + field(word, 6, 10));
  if ((set & fpscr) != 0) add(op.reads, reg_fpscr);
  if ((set & to_fpscr) != 0) add(op.writes, reg_fpscr);
}

void add_condition(Operation& op, const Row& row, std::uint32_t word) {
  const std::uint32_t set = row.operands;
  if ((set & crfS) != 0) add(op.reads, reg_cr + field(word, 11, 13));
  if ((set & to_crfD) != 0) add(op.writes, reg_cr + field(word, 6, 8));
  if ((set & crb) != 0) {  // the target field is also read: its other three bits are kept
    for (const unsigned bit : {field(word, 11, 15), field(word, 16, 20), field(word, 6, 10)}) {
      add(op.reads, reg_cr + bit / 4U);
    }
    add(op.writes, reg_cr + field(word, 6, 10) / 4U);
  }
  for (unsigned i = 0; i < 8; ++i) {
    if ((set & all_cr) != 0) add(op.reads, reg_cr + i);
    if ((set & crm) != 0 && (field(word, 12, 19) & (0x80U >> i)) != 0) add(op.writes, reg_cr + i);
  }
  const bool has_rc = row.form == Form::primary_rc || row.form == Form::extended_rc || row.form == Form::arithmetic ||
                      row.form == Form::floating;
  const bool records = (set & to_cr0) != 0 || (has_rc && field(word, 31, 31) != 0);
  if (records) add(op.writes, row.primary >= 59 ? reg_cr + 1U : reg_cr);
}

void add_special_registers(Operation& op, const Row& row, std::uint32_t word) {
  const std::uint32_t set = row.operands;
  if ((set & (carry_in | xer)) != 0) add(op.reads, reg_xer);
  const bool overflow = row.form == Form::arithmetic && field(word, 21, 21) != 0;
  if ((set & (carry_out | to_xer)) != 0 || overflow) add(op.writes, reg_xer);
  if ((set & (spr_from | spr_to)) == 0) return;
  // The two halves of the SPR field are swapped.
  op.spr = static_cast<std::uint16_t>(field(word, 16, 20) << 5U | field(word, 11, 15));
  if ((set & spr_from) != 0) add_special(op.reads, op.spr);
  if ((set & spr_to) != 0) add_special(op.writes, op.spr);
}

/// Branch semantics: BO bit 0 = ignore the condition, bit 1 = sense of the condition, bit 2 = do not decrement CTR,
/// bit 4 = y.
bool add_branch(Operation& op, const Row& row, std::uint32_t word, std::uint64_t pc) {
  const std::uint64_t base = field(word, 30, 30) != 0 ? 0 : pc;  // AA
  op.links = field(word, 31, 31) != 0;
  if (op.links) add(op.writes, reg_lr);
  if (row.primary == 18) {
    op.branch = BranchKind::direct;
    op.has_target = true;
    op.target = static_cast<std::uint32_t>(base + sign_extend(word & 0x03FF'FFFCU, 26));
    op.predict_taken_static = true;
    return true;
  }
  const unsigned bo = field(word, 6, 10);
  op.reads_condition = (bo & 0x10U) == 0;
  op.decrements_count = (bo & 0x04U) == 0;
  op.conditional = op.reads_condition || op.decrements_count;
  if (op.reads_condition) add(op.reads, reg_cr + field(word, 11, 15) / 4U);
  if (op.decrements_count) {
    add(op.reads, reg_ctr);
    add(op.writes, reg_ctr);
  }
  bool backward = false;
  if (row.primary == 16) {
    op.branch = BranchKind::direct;
    op.has_target = true;
    op.target = static_cast<std::uint32_t>(base + sign_extend(word & 0xFFFCU, 16));
    backward = (word & 0x8000U) != 0;
  } else if (row.extended == 16) {
    op.branch = BranchKind::to_link;
    add(op.reads, reg_lr);
  } else {
    if (op.decrements_count) return false;  // bcctr cannot decrement its own target
    op.branch = BranchKind::to_count;
    add(op.reads, reg_ctr);
  }
  op.predict_taken_static = !op.conditional || backward != ((bo & 1U) != 0);
  return true;
}

}  // namespace

Operation classify(const Code& code) {
  const std::uint32_t word = word_of(code);
  const auto row = std::ranges::find_if(table(), [&](const Row& one) { return matches(one, word); });
  if (code.length != 4 || row == table().end()) return {};
  Operation op;
  op.mnemonic = row->mnemonic;
  op.kind = word == preferred_no_op ? Kind::no_operation : row->kind;
  op.update = (row->operands & update) != 0;
  op.access_size = row->access_size;
  op.fp_memory = row->access_size != 0 && (row->operands & (frS | to_frD)) != 0;
  if (op.kind == Kind::branch && !add_branch(op, *row, word, code.pc)) return {};
  if (op.kind == Kind::system_call && field(word, 30, 30) == 0) return {};
  add_general(op, *row, word);
  add_floating(op, *row, word);
  add_condition(op, *row, word);
  add_special_registers(op, *row, word);
  return op;
}

}  // namespace pmusim::trace::ppc
