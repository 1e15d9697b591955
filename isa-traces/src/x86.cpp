#include "pmusim/trace/x86.h"

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>

#include "pmusim/trace/x86_operands.h"
#include "x86_table.h"

namespace pmusim::trace::x86 {
namespace {

using Operands = std::span<const ZydisDecodedOperand>;

const ZydisDecoder& decoder() {
  static const ZydisDecoder instance = [] {
    ZydisDecoder d;
    ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    // Later processors redefined prefixed forms of older instructions (rep bsf became tzcnt).
    for (const ZydisDecoderMode mode :
         {ZYDIS_DECODER_MODE_MPX, ZYDIS_DECODER_MODE_CET, ZYDIS_DECODER_MODE_LZCNT, ZYDIS_DECODER_MODE_TZCNT,
          ZYDIS_DECODER_MODE_WBNOINVD, ZYDIS_DECODER_MODE_CLDEMOTE}) {
      ZydisDecoderEnableMode(&d, mode, ZYAN_FALSE);
    }
    return d;
  }();
  return instance;
}

/// Number in the dependence space of x86.h, or register_count for a register outside it (segments, control, ...).
unsigned number_of(ZydisRegister reg) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LEGACY_32, reg);
  if (whole >= ZYDIS_REGISTER_EAX && whole <= ZYDIS_REGISTER_EDI)
    return static_cast<unsigned>(whole - ZYDIS_REGISTER_EAX);
  if (reg >= ZYDIS_REGISTER_ST0 && reg <= ZYDIS_REGISTER_ST7)
    return reg_fp + static_cast<unsigned>(reg - ZYDIS_REGISTER_ST0);
  if (reg >= ZYDIS_REGISTER_MM0 && reg <= ZYDIS_REGISTER_MM7)
    return reg_fp + static_cast<unsigned>(reg - ZYDIS_REGISTER_MM0);
  if (reg >= ZYDIS_REGISTER_XMM0 && reg <= ZYDIS_REGISTER_XMM7)
    return reg_xmm + static_cast<unsigned>(reg - ZYDIS_REGISTER_XMM0);
  if (whole == ZYDIS_REGISTER_EFLAGS || reg == ZYDIS_REGISTER_FLAGS) return reg_flags;
  if (reg == ZYDIS_REGISTER_X87CONTROL || reg == ZYDIS_REGISTER_X87STATUS || reg == ZYDIS_REGISTER_X87TAG)
    return reg_fp_status;
  return register_count;
}

void add(std::vector<std::uint8_t>& list, unsigned reg) {
  if (reg >= register_count) return;
  const auto number = static_cast<std::uint8_t>(reg);
  if (std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

bool is_memory(const ZydisDecodedOperand& operand) {
  return operand.type == ZYDIS_OPERAND_TYPE_MEMORY && operand.mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

bool reads(const ZydisDecodedOperand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0; }
bool writes(const ZydisDecodedOperand& operand) { return (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0; }

/// True if the write also depends on the old value: conditional writes (cmov, fcmov) and partial writes (mov al, ...).
bool merges(const ZydisDecodedOperand& operand, unsigned number) {
  return (operand.actions & ZYDIS_OPERAND_ACTION_CONDWRITE) != 0 || (number < reg_flags && operand.size < 32);
}

bool is_segment(ZydisRegister reg) { return reg >= ZYDIS_REGISTER_ES && reg <= ZYDIS_REGISTER_GS; }

void add_registers(Operation& op, const ZydisDecodedOperand& operand) {
  if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) {
    for (const ZydisRegister reg : {operand.mem.base, operand.mem.index}) {
      const unsigned number = number_of(reg);
      add(op.reads, number);
      if (operand.mem.type != ZYDIS_MEMOP_TYPE_AGEN) add(op.address_reads, number);
    }
  } else if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
    const unsigned number = number_of(operand.reg.value);
    if (reads(operand)) add(op.reads, number);
    if (writes(operand)) add(op.writes, number);
    if (writes(operand) && merges(operand, number)) add(op.reads, number);
    if (writes(operand) && is_segment(operand.reg.value)) {
      op.segment_written = static_cast<std::int8_t>(operand.reg.value - ZYDIS_REGISTER_ES);
    }
  }
}

/// Registers that the instruction advances besides its result: the stack pointer, and the pointers of strings.
void add_pointers(Operation& op, Operands hidden) {
  for (const ZydisDecodedOperand& operand : hidden) {
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || !writes(operand)) continue;
    const ZydisRegister reg = operand.reg.value;
    const bool of_string = op.kind == Kind::string &&
                           (reg == ZYDIS_REGISTER_ESI || reg == ZYDIS_REGISTER_EDI || reg == ZYDIS_REGISTER_ECX);
    if (reg == ZYDIS_REGISTER_ESP || of_string) add(op.pointers, number_of(reg));
  }
}

void add_flags(Operation& op, const ZydisDecodedInstruction& instruction) {
  if (instruction.cpu_flags == nullptr) return;
  const ZydisAccessedFlags& cpu = *instruction.cpu_flags;
  const std::uint32_t written = cpu.modified | cpu.set_0 | cpu.set_1 | cpu.undefined;
  constexpr std::uint32_t carry = ZYDIS_CPUFLAG_CF;
  for (const auto& [flags, reg] : {std::pair{~carry, reg_flags}, std::pair{carry, reg_carry}}) {
    if ((cpu.tested & flags) != 0) add(op.reads, reg);
    if ((written & flags) != 0) add(op.writes, reg);
  }
  if (instruction.fpu_flags == nullptr || !op.fp_unit) return;
  const ZydisAccessedFlags& fpu = *instruction.fpu_flags;
  if (fpu.tested != 0) add(op.reads, reg_fp_status);
  if ((fpu.modified | fpu.set_0 | fpu.set_1) != 0) add(op.writes, reg_fp_status);
}

bool uses_fp_unit(Kind kind) {
  using enum Kind;
  constexpr std::array kinds{fp_add,     fp_multiply, fp_divide,  fp_sqrt, fp_transcendental, fp_move,
                             fp_compare, fp_control,  fp_convert, mmx,     amd3dnow,          sse};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool needs_absent_extension(const ZydisDecodedInstruction& instruction, Operands operands) {
  const bool vex = instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
                   instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_3DNOW;
  // SSE2 gave MMX instructions forms with XMM registers.
  const bool has_xmm = rule_of(instruction.mnemonic).kind == Kind::sse;
  return vex || (!has_xmm && std::any_of(operands.begin(), operands.end(), [](const ZydisDecodedOperand& operand) {
           return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && operand.reg.value >= ZYDIS_REGISTER_XMM0 &&
                  operand.reg.value <= ZYDIS_REGISTER_XMM31;
         }));
}

/// Classifies near branches: direct with a target, or indirect through a register or memory. Far branches get another
/// class.
void add_branch(Operation& op, const ZydisDecodedInstruction& instruction, const ZydisDecodedOperand* first,
                std::uint64_t pc) {
  const bool far = instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
  if (far && op.branch != BranchKind::none) {
    op.kind = Kind::far_transfer;
    op.branch = BranchKind::far_transfer;
    op.vector_path = true;
    op.macro_ops = 16;
  }
  if (op.branch == BranchKind::far_transfer) {
    op.segment_written = static_cast<std::int8_t>(ZYDIS_REGISTER_CS - ZYDIS_REGISTER_ES);
    return;
  }
  const bool immediate = first != nullptr && first->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  if (op.branch == BranchKind::none || op.branch == BranchKind::ret) return;
  if (!immediate) {
    op.branch = op.branch == BranchKind::call ? BranchKind::indirect_call : BranchKind::indirect_jump;
    return;
  }
  op.has_target = true;
  op.target = static_cast<std::uint32_t>(pc + instruction.length + static_cast<std::uint64_t>(first->imm.value.s));
}

/// Sets the decode path of forms that differ from the path of their mnemonic.
void refine_path(Operation& op, const ZydisDecodedInstruction& instruction, Operands visible) {
  const auto is_register = [&](std::size_t i, ZydisRegisterClass wanted) {
    return i < visible.size() && visible[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(visible[i].reg.value) == wanted;
  };
  const auto set = [&op](std::uint8_t macro_ops, bool vector) {
    op.macro_ops = macro_ops;
    op.vector_path = vector;
  };
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_RCL:
    case ZYDIS_MNEMONIC_RCR:
      if (instruction.opcode == 0xD0 || instruction.opcode == 0xD1) set(1, false);
      break;
    case ZYDIS_MNEMONIC_LEA:
      if (instruction.operand_width == 16) set(2, true);
      break;
    case ZYDIS_MNEMONIC_BT:
      if (visible.size() == 2 && visible[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) set(1, false);
      break;
    case ZYDIS_MNEMONIC_FLD:
      if (instruction.operand_count > 0 && visible[0].type == ZYDIS_OPERAND_TYPE_MEMORY && visible[0].size == 80)
        set(4, true);
      break;
    case ZYDIS_MNEMONIC_FSTP:
      if (visible[0].type == ZYDIS_OPERAND_TYPE_MEMORY && visible[0].size == 80) set(5, true);
      break;
    case ZYDIS_MNEMONIC_MOVSS:
      if (visible[0].type == ZYDIS_OPERAND_TYPE_MEMORY) set(1, false);
      break;
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_POP: {
      const bool control = is_register(0, ZYDIS_REGCLASS_CONTROL) || is_register(0, ZYDIS_REGCLASS_DEBUG);
      if (control || is_register(1, ZYDIS_REGCLASS_CONTROL) || is_register(1, ZYDIS_REGCLASS_DEBUG)) {
        op.kind = Kind::system;
        op.serializing = control;
        set(8, true);
      } else if (op.segment_written >= 0) {
        op.kind = Kind::segment_move;
        set(8, true);
      } else if (is_register(0, ZYDIS_REGCLASS_SEGMENT) || is_register(1, ZYDIS_REGCLASS_SEGMENT)) {
        op.kind = Kind::segment_move;
        set(2, true);
      }
      break;
    }
    default:
      break;
  }
}

/// Macro-operations of an iteration of a repeated string instruction, which has microcode of its own. From the clocks
/// of an iteration on a real Athlon XP (InstLatX64), at three macro-operations a clock: MOVSB 0.70 (with wider accesses
/// than those of the trace), STOS 1.00, SCASB 2.27; MOVSD 1.3 (GMP, mpn/x86/copyi.asm). The others are assumed to have
/// as many as without a prefix.
std::uint8_t iteration_operations(ZydisMnemonic mnemonic, std::uint8_t otherwise) {
  constexpr std::pair<ZydisMnemonic, std::uint8_t> measured[] = {
      {ZYDIS_MNEMONIC_MOVSB, 2}, {ZYDIS_MNEMONIC_STOSB, 3}, {ZYDIS_MNEMONIC_STOSW, 3}, {ZYDIS_MNEMONIC_STOSD, 3},
      {ZYDIS_MNEMONIC_SCASB, 7}, {ZYDIS_MNEMONIC_SCASW, 7}, {ZYDIS_MNEMONIC_SCASD, 7}};
  for (const auto& [repeated, operations] : measured)
    if (repeated == mnemonic) return operations;
  return otherwise;
}

void add_system_effects(Operation& op, ZydisMnemonic mnemonic) {
  op.clears_interrupt_flag = mnemonic == ZYDIS_MNEMONIC_CLI;
  op.sets_interrupt_flag = mnemonic == ZYDIS_MNEMONIC_STI;
  op.halts = mnemonic == ZYDIS_MNEMONIC_HLT;
  op.software_interrupt = mnemonic == ZYDIS_MNEMONIC_INT || mnemonic == ZYDIS_MNEMONIC_INT1 ||
                          mnemonic == ZYDIS_MNEMONIC_INT3 || mnemonic == ZYDIS_MNEMONIC_INTO;
}

/// Sets the properties that depend on the operands.
void add_operand_facts(Operation& op, Operands visible) {
  const auto is_register = [&](std::size_t i) {
    return i < visible.size() && visible[i].type == ZYDIS_OPERAND_TYPE_REGISTER;
  };
  op.same_register = visible.size() == 2 && is_register(0) && is_register(1) &&
                     visible[0].reg.value == visible[1].reg.value && visible[0].size >= 32;
  op.stores_high_byte = op.stores && is_register(1) && visible[1].reg.value >= ZYDIS_REGISTER_AH &&
                        visible[1].reg.value <= ZYDIS_REGISTER_BH;
  const bool shifts = op.kind == Kind::shift && !visible.empty() && is_register(visible.size() - 1);
  op.by_cl = shifts && visible.back().reg.value == ZYDIS_REGISTER_CL;
  op.immediate = std::any_of(visible.begin(), visible.end(), [](const ZydisDecodedOperand& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  });
  for (const ZydisDecodedOperand& operand : visible) {
    // The base of FS and GS is not part of the instruction.
    const bool flat =
        is_memory(operand) && operand.mem.segment != ZYDIS_REGISTER_FS && operand.mem.segment != ZYDIS_REGISTER_GS;
    if (!flat || operand.mem.base != ZYDIS_REGISTER_NONE || operand.mem.index != ZYDIS_REGISTER_NONE) continue;
    op.absolute_loads = op.loads ? reads(operand) : op.kind == Kind::prefetch;
    op.absolute_stores = op.stores && writes(operand);
    op.absolute_address = static_cast<std::uint32_t>(operand.mem.disp.value);
    op.absolute_bytes = static_cast<std::uint16_t>(std::max(operand.size / 8, 1));
  }
}

}  // namespace

Operation classify(const Code& code) {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder(), code.bytes.data(), code.length, &instruction, operands)))
    return {};
  const Operands all(operands, instruction.operand_count);
  const Operands visible(operands, instruction.operand_count_visible);
  const Rule& rule = rule_of(instruction.mnemonic);
  if (instruction.length != code.length || rule.kind == Kind::illegal || needs_absent_extension(instruction, all))
    return {};

  Operation op;
  op.mnemonic = ZydisMnemonicGetString(instruction.mnemonic);
  op.kind = rule.kind;
  op.branch = rule.branch;
  op.serializing = rule.serializing;
  op.fp_unit = uses_fp_unit(rule.kind);
  const bool has_memory = std::any_of(visible.begin(), visible.end(), is_memory);
  const Path path = has_memory ? rule.memory : rule.registers;
  op.macro_ops = path.macro_ops;
  op.vector_path = path.vector;
  const bool touches_memory = rule.kind != Kind::nop && rule.kind != Kind::prefetch;
  for (const ZydisDecodedOperand& operand : all) {
    add_registers(op, operand);
    if (!is_memory(operand) || !touches_memory) continue;
    op.loads = op.loads || reads(operand);
    op.stores = op.stores || writes(operand);
  }
  op.operand_bits = instruction.operand_width;
  op.prefixes = instruction.raw.prefix_count;
  add_operand_facts(op, visible);
  const bool pops_itself = std::any_of(visible.begin(), visible.end(), [](const ZydisDecodedOperand& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_REGISTER && writes(operand) && operand.reg.value == ZYDIS_REGISTER_ESP;
  });
  if (!pops_itself) add_pointers(op, all.subspan(visible.size()));
  add_flags(op, instruction);
  add_branch(op, instruction, visible.empty() ? nullptr : &visible[0], code.pc);
  refine_path(op, instruction, visible);
  add_system_effects(op, instruction.mnemonic);
  const bool string = op.kind == Kind::string || instruction.meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
  op.repeats =
      string && (instruction.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
  if (op.repeats) op.macro_ops = iteration_operations(instruction.mnemonic, op.macro_ops);
  op.locked = (instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 ||
              (instruction.mnemonic == ZYDIS_MNEMONIC_XCHG && has_memory);
  return op;
}

MemoryOperands memory_operands(std::span<const std::uint8_t> bytes) {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder(), bytes.data(), bytes.size(), &instruction, operands))) return {};
  MemoryOperands result{instruction.length, 0, 0};
  for (const ZydisDecodedOperand& operand : Operands(operands, instruction.operand_count)) {
    if (!is_memory(operand)) continue;
    if (reads(operand)) result.load_bytes += operand.size / 8;
    if (writes(operand)) result.store_bytes += operand.size / 8;
  }
  return result;
}

}  // namespace pmusim::trace::x86
