// The classifier of the Alpha architecture with its extensions BWX, FIX, CIX and MVI.
// Opcodes: Alpha Architecture Handbook, version 4, appendix C; FIX, CIX and wh64en: 21264 hardware reference manual,
// appendix A. Opcodes 19, 1B, 1D, 1E and 1F are reserved for PALcode; their names are those of the 21264.
#include "pmusim/trace/alpha.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace pmusim::trace::alpha {

namespace {

/// The bits that select a row, in addition to the opcode (31:26). Format names are those of the handbook.
enum class Form : std::uint8_t {
  opcode,        ///< no further bits: memory, branch, PALcode
  memory_jump,   ///< 15:14
  memory_code,   ///< 15:0
  operate,       ///< 11:5; bit 12: the second operand is a literal
  fp_operate,    ///< 15:5
  fp_qualified,  ///< 10:5, the six bits of the operation; 15:11 are trap and rounding qualifiers
};

/// Operands of a row, as a set of bits. Fields: ra 25:21, rb 20:16, rc 4:0; f: floating point; to_: written.
enum Operand : std::uint16_t {
  none = 0,
  ra = 1U << 0U,
  rb = 1U << 1U,  ///< unless it is a literal
  rc = 1U << 2U,
  fa = 1U << 3U,
  fb = 1U << 4U,
  fc = 1U << 5U,
  to_ra = 1U << 6U,
  to_rc = 1U << 7U,
  to_fa = 1U << 8U,
  to_fc = 1U << 9U,
  fpcr = 1U << 10U,
  to_fpcr = 1U << 11U,
  unaligned = 1U << 12U,
};

using enum Form;
using K = Kind;
using B = BranchKind;
constexpr Extension bwx = Extension::bwx, fix = Extension::fix, cix = Extension::cix, mvi = Extension::mvi;

constexpr std::uint16_t two = ra | rb | to_rc;  // integer operate
constexpr std::uint16_t one = rb | to_rc;       // the first operand is R31
constexpr std::uint16_t move = ra | rb | rc | to_rc;
constexpr std::uint16_t fp_two = fa | fb | to_fc;
constexpr std::uint16_t fp_one = fb | to_fc;
constexpr std::uint16_t fp_move = fa | fb | fc | to_fc;

/// The instructions that share all else.
struct Group {
  Form form;
  Kind kind;
  std::uint16_t operands;
  struct Member {
    std::string_view mnemonic;
    std::uint8_t opcode;
    std::uint16_t function = 0;
  };
  std::initializer_list<Member> members;
  std::uint8_t access_size = 0;
  Extension extension = Extension::base;
  BranchKind branch = BranchKind::none;
};

// clang-format off
const Group groups[] = {
    {opcode, K::call_pal, none, {{"call_pal", 0x00}}, 0, Extension::base, B::pal_entry},
    // Memory
    {opcode, K::load_address, rb | to_ra, {{"lda", 0x08}, {"ldah", 0x09}}},
    {opcode, K::load, rb | to_ra, {{"ldbu", 0x0A}}, 1, bwx},
    {opcode, K::load, rb | to_ra | unaligned, {{"ldq_u", 0x0B}}, 8},
    {opcode, K::load, rb | to_ra, {{"ldwu", 0x0C}}, 2, bwx},
    {opcode, K::store, ra | rb, {{"stw", 0x0D}}, 2, bwx},
    {opcode, K::store, ra | rb, {{"stb", 0x0E}}, 1, bwx},
    {opcode, K::store, ra | rb | unaligned, {{"stq_u", 0x0F}}, 8},
    {opcode, K::fp_load, rb | to_fa, {{"ldf", 0x20}, {"lds", 0x22}}, 4},
    {opcode, K::fp_load, rb | to_fa, {{"ldg", 0x21}, {"ldt", 0x23}}, 8},
    {opcode, K::fp_store, fa | rb, {{"stf", 0x24}, {"sts", 0x26}}, 4},
    {opcode, K::fp_store, fa | rb, {{"stg", 0x25}, {"stt", 0x27}}, 8},
    {opcode, K::load, rb | to_ra, {{"ldl", 0x28}}, 4},
    {opcode, K::load, rb | to_ra, {{"ldq", 0x29}}, 8},
    {opcode, K::load_locked, rb | to_ra, {{"ldl_l", 0x2A}}, 4},
    {opcode, K::load_locked, rb | to_ra, {{"ldq_l", 0x2B}}, 8},
    {opcode, K::store, ra | rb, {{"stl", 0x2C}}, 4},
    {opcode, K::store, ra | rb, {{"stq", 0x2D}}, 8},
    {opcode, K::store_conditional, ra | rb | to_ra, {{"stl_c", 0x2E}}, 4},
    {opcode, K::store_conditional, ra | rb | to_ra, {{"stq_c", 0x2F}}, 8},
    // Integer arithmetic
    {operate, K::add, two,  // /v: bit 6 of the function
     {{"addl", 0x10, 0x00}, {"s4addl", 0x10, 0x02}, {"subl", 0x10, 0x09}, {"s4subl", 0x10, 0x0B},
      {"s8addl", 0x10, 0x12}, {"s8subl", 0x10, 0x1B}, {"addq", 0x10, 0x20}, {"s4addq", 0x10, 0x22},
      {"subq", 0x10, 0x29}, {"s4subq", 0x10, 0x2B}, {"s8addq", 0x10, 0x32}, {"s8subq", 0x10, 0x3B},
      {"addl", 0x10, 0x40}, {"subl", 0x10, 0x49}, {"addq", 0x10, 0x60}, {"subq", 0x10, 0x69}}},
    {operate, K::compare, two,
     {{"cmpbge", 0x10, 0x0F}, {"cmpult", 0x10, 0x1D}, {"cmpeq", 0x10, 0x2D}, {"cmpule", 0x10, 0x3D},
      {"cmplt", 0x10, 0x4D}, {"cmple", 0x10, 0x6D}}},
    // Logical, conditional move
    {operate, K::logical, two,
     {{"and", 0x11, 0x00}, {"bic", 0x11, 0x08}, {"bis", 0x11, 0x20}, {"ornot", 0x11, 0x28}, {"xor", 0x11, 0x40},
      {"eqv", 0x11, 0x48}}},
    {operate, K::conditional_move, move,
     {{"cmovlbs", 0x11, 0x14}, {"cmovlbc", 0x11, 0x16}, {"cmoveq", 0x11, 0x24}, {"cmovne", 0x11, 0x26},
      {"cmovlt", 0x11, 0x44}, {"cmovge", 0x11, 0x46}, {"cmovle", 0x11, 0x64}, {"cmovgt", 0x11, 0x66}}},
    {operate, K::logical, one, {{"amask", 0x11, 0x61}}},
    {operate, K::logical, to_rc, {{"implver", 0x11, 0x6C}}},
    // Shift and byte manipulation
    {operate, K::shift, two,
     {{"mskbl", 0x12, 0x02}, {"extbl", 0x12, 0x06}, {"insbl", 0x12, 0x0B}, {"mskwl", 0x12, 0x12},
      {"extwl", 0x12, 0x16}, {"inswl", 0x12, 0x1B}, {"mskll", 0x12, 0x22}, {"extll", 0x12, 0x26},
      {"insll", 0x12, 0x2B}, {"zap", 0x12, 0x30}, {"zapnot", 0x12, 0x31}, {"mskql", 0x12, 0x32}, {"srl", 0x12, 0x34},
      {"extql", 0x12, 0x36}, {"sll", 0x12, 0x39}, {"insql", 0x12, 0x3B}, {"sra", 0x12, 0x3C}, {"mskwh", 0x12, 0x52},
      {"inswh", 0x12, 0x57}, {"extwh", 0x12, 0x5A}, {"msklh", 0x12, 0x62}, {"inslh", 0x12, 0x67},
      {"extlh", 0x12, 0x6A}, {"mskqh", 0x12, 0x72}, {"insqh", 0x12, 0x77}, {"extqh", 0x12, 0x7A}}},
    // Multiply
    {operate, K::multiply_long, two, {{"mull", 0x13, 0x00}, {"mull", 0x13, 0x40}}},
    {operate, K::multiply_quad, two, {{"mulq", 0x13, 0x20}, {"mulq", 0x13, 0x60}}},
    {operate, K::multiply_high, two, {{"umulh", 0x13, 0x30}}},
    // Square root and moves into floating-point registers
    {fp_operate, K::integer_to_fp, ra | to_fc,
     {{"itofs", 0x14, 0x004}, {"itoff", 0x14, 0x014}, {"itoft", 0x14, 0x024}}, 0, fix},
    {fp_qualified, K::fp_sqrt_single, fp_one, {{"sqrtf", 0x14, 0x0A}, {"sqrts", 0x14, 0x0B}}, 0, fix},
    {fp_qualified, K::fp_sqrt_double, fp_one, {{"sqrtg", 0x14, 0x2A}, {"sqrtt", 0x14, 0x2B}}, 0, fix},
    // VAX floating point
    {fp_qualified, K::fp_add, fp_two,
     {{"addf", 0x15, 0x00}, {"subf", 0x15, 0x01}, {"addg", 0x15, 0x20}, {"subg", 0x15, 0x21}, {"cmpgeq", 0x15, 0x25},
      {"cmpglt", 0x15, 0x26}, {"cmpgle", 0x15, 0x27}}},
    {fp_qualified, K::fp_multiply, fp_two, {{"mulf", 0x15, 0x02}, {"mulg", 0x15, 0x22}}},
    {fp_qualified, K::fp_divide_single, fp_two, {{"divf", 0x15, 0x03}}},
    {fp_qualified, K::fp_add, fp_one,
     {{"cvtdg", 0x15, 0x1E}, {"cvtgf", 0x15, 0x2C}, {"cvtgd", 0x15, 0x2D}, {"cvtgq", 0x15, 0x2F},
      {"cvtqf", 0x15, 0x3C}, {"cvtqg", 0x15, 0x3E}}},
    {fp_qualified, K::fp_divide_double, fp_two, {{"divg", 0x15, 0x23}}},
    // IEEE floating point
    {fp_operate, K::fp_add, fp_one, {{"cvtst", 0x16, 0x2AC}, {"cvtst", 0x16, 0x6AC}}},
    {fp_qualified, K::fp_add, fp_two,
     {{"adds", 0x16, 0x00}, {"subs", 0x16, 0x01}, {"addt", 0x16, 0x20}, {"subt", 0x16, 0x21}, {"cmptun", 0x16, 0x24},
      {"cmpteq", 0x16, 0x25}, {"cmptlt", 0x16, 0x26}, {"cmptle", 0x16, 0x27}}},
    {fp_qualified, K::fp_multiply, fp_two, {{"muls", 0x16, 0x02}, {"mult", 0x16, 0x22}}},
    {fp_qualified, K::fp_divide_single, fp_two, {{"divs", 0x16, 0x03}}},
    {fp_qualified, K::fp_divide_double, fp_two, {{"divt", 0x16, 0x23}}},
    {fp_qualified, K::fp_add, fp_one,
     {{"cvtts", 0x16, 0x2C}, {"cvttq", 0x16, 0x2F}, {"cvtqs", 0x16, 0x3C}, {"cvtqt", 0x16, 0x3E}}},
    // Floating point without a data type
    {fp_operate, K::fp_add, fp_one,
     {{"cvtlq", 0x17, 0x010}, {"cvtql", 0x17, 0x030}, {"cvtql", 0x17, 0x130}, {"cvtql", 0x17, 0x530}}},
    {fp_operate, K::fp_copy_sign, fp_two, {{"cpys", 0x17, 0x020}, {"cpysn", 0x17, 0x021}, {"cpyse", 0x17, 0x022}}},
    {fp_operate, K::fp_control, fa | to_fpcr, {{"mt_fpcr", 0x17, 0x024}}},
    {fp_operate, K::fp_control, to_fa | fpcr, {{"mf_fpcr", 0x17, 0x025}}},
    {fp_operate, K::fp_conditional_move, fp_move,
     {{"fcmoveq", 0x17, 0x02A}, {"fcmovne", 0x17, 0x02B}, {"fcmovlt", 0x17, 0x02C}, {"fcmovge", 0x17, 0x02D},
      {"fcmovle", 0x17, 0x02E}, {"fcmovgt", 0x17, 0x02F}}},
    // Miscellaneous
    {memory_code, K::trap_barrier, none, {{"trapb", 0x18, 0x0000}}},
    {memory_code, K::exception_barrier, none, {{"excb", 0x18, 0x0400}}},
    {memory_code, K::memory_barrier, none, {{"mb", 0x18, 0x4000}}},
    {memory_code, K::write_barrier, none, {{"wmb", 0x18, 0x4400}}},
    {memory_code, K::fetch, rb, {{"fetch", 0x18, 0x8000}, {"fetch_m", 0x18, 0xA000}}},
    {memory_code, K::read_cycle_counter, rb | to_ra, {{"rpcc", 0x18, 0xC000}}},
    {memory_code, K::read_and_flag, to_ra, {{"rc", 0x18, 0xE000}, {"rs", 0x18, 0xF000}}},
    {memory_code, K::evict, rb, {{"ecb", 0x18, 0xE800}}},
    {memory_code, K::write_hint, rb, {{"wh64", 0x18, 0xF800}, {"wh64en", 0x18, 0xFC00}}},
    // Sign extension, bit counts, multimedia, moves out of floating-point registers
    {operate, K::shift, one, {{"sextb", 0x1C, 0x00}, {"sextw", 0x1C, 0x01}}, 0, bwx},
    {operate, K::multimedia, one, {{"ctpop", 0x1C, 0x30}, {"ctlz", 0x1C, 0x32}, {"cttz", 0x1C, 0x33}}, 0, cix},
    {operate, K::multimedia, two,
     {{"perr", 0x1C, 0x31}, {"minsb8", 0x1C, 0x38}, {"minsw4", 0x1C, 0x39}, {"minub8", 0x1C, 0x3A},
      {"minuw4", 0x1C, 0x3B}, {"maxub8", 0x1C, 0x3C}, {"maxuw4", 0x1C, 0x3D}, {"maxsb8", 0x1C, 0x3E},
      {"maxsw4", 0x1C, 0x3F}}, 0, mvi},
    {operate, K::multimedia, one,
     {{"unpkbw", 0x1C, 0x34}, {"unpkbl", 0x1C, 0x35}, {"pkwb", 0x1C, 0x36}, {"pklb", 0x1C, 0x37}}, 0, mvi},
    {operate, K::fp_to_integer, fa | to_rc, {{"ftoit", 0x1C, 0x70}, {"ftois", 0x1C, 0x78}}, 0, fix},
    // PALcode only
    {opcode, K::hw_mfpr, to_ra, {{"hw_mfpr", 0x19}}},
    {opcode, K::hw_load, rb | to_ra, {{"hw_ld", 0x1B}}},
    {opcode, K::hw_mtpr, rb, {{"hw_mtpr", 0x1D}}},
    {opcode, K::hw_return, rb, {{"hw_ret", 0x1E}}, 0, Extension::base, B::pal_return},
    {opcode, K::hw_store, ra | rb, {{"hw_st", 0x1F}}},
    // Branches
    {memory_jump, K::jump, rb | to_ra, {{"jmp", 0x1A, 0}}, 0, Extension::base, B::computed},
    {memory_jump, K::jump, rb | to_ra, {{"jsr", 0x1A, 1}}, 0, Extension::base, B::computed_subroutine},
    {memory_jump, K::jump, rb | to_ra, {{"ret", 0x1A, 2}}, 0, Extension::base, B::subroutine_return},
    {memory_jump, K::jump, rb | to_ra, {{"jsr_coroutine", 0x1A, 3}}, 0, Extension::base, B::coroutine},
    {opcode, K::integer_branch, to_ra, {{"br", 0x30}}, 0, Extension::base, B::unconditional},
    {opcode, K::fp_branch, fa,
     {{"fbeq", 0x31}, {"fblt", 0x32}, {"fble", 0x33}, {"fbne", 0x35}, {"fbge", 0x36}, {"fbgt", 0x37}}, 0, Extension::base, B::conditional},
    {opcode, K::integer_branch, to_ra, {{"bsr", 0x34}}, 0, Extension::base, B::subroutine},
    {opcode, K::integer_branch, ra,
     {{"blbc", 0x38}, {"beq", 0x39}, {"blt", 0x3A}, {"ble", 0x3B}, {"blbs", 0x3C}, {"bne", 0x3D}, {"bge", 0x3E},
      {"bgt", 0x3F}}, 0, Extension::base, B::conditional},
};
// clang-format on

/// Bits high..low of a word; bit 0 is the least significant.
constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & ((1U << (high - low + 1U)) - 1U);
}

std::uint32_t word_of(const Code& code) {
  return static_cast<std::uint32_t>(code.bytes[3]) << 24U | static_cast<std::uint32_t>(code.bytes[2]) << 16U |
         static_cast<std::uint32_t>(code.bytes[1]) << 8U | code.bytes[0];
}

bool matches(Form form, const Group::Member& member, std::uint32_t word) {
  constexpr std::pair<unsigned, unsigned> places[] = {{}, {15, 14}, {15, 0}, {11, 5}, {15, 5}, {10, 5}};  // by Form
  const auto [high, low] = places[static_cast<std::size_t>(form)];
  return member.opcode == field(word, 31, 26) && (form == Form::opcode || member.function == field(word, high, low));
}

/// The group of an instruction and its entry in it; null if there is none.
std::pair<const Group*, const Group::Member*> find_row(std::uint32_t word) {
  for (const Group& group : groups) {
    for (const Group::Member& member : group.members)
      if (matches(group.form, member, word)) return {&group, &member};
  }
  return {};
}

/// Adds a register of the integer (base 0) or floating-point (base reg_fp) file, except the zero register.
void add(std::vector<std::uint8_t>& list, unsigned reg, std::uint8_t base) {
  const auto number = static_cast<std::uint8_t>(base + reg);
  if (reg != 31 && std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

void add_registers(Operation& op, const Group& row, std::uint32_t word) {
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

void add_branch(Operation& op, const Group& row, std::uint32_t word, std::uint64_t pc) {
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
  const auto [row, member] = find_row(word);
  if (code.length != 4 || row == nullptr) return {};
  Operation op;
  op.mnemonic = member->mnemonic;
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
