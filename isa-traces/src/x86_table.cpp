// DirectPath or VectorPath: AMD 22007, appendix F. The guide gives no number of macro-operations for VectorPath
// instructions; the numbers in this table are assumptions by class:
//   push of memory, pop of a register ............ 2   near call 3, near return 3 (memory forms one more)
//   read-modify-write with index or lock ......... 2-4 exchange 3, with memory 4
//   multiply .................................... 3   divide 32 steps of microcode, entered as 16
//   string step .................................. 4   (each iteration of a rep)
//   segment load 8, far transfer 16, control registers 8, CPUID 16
//   x87 control 4, environment 20, state 40, transcendental 32
// SSE2 and later extensions and the 64-bit instructions have no row and are therefore illegal. Only models from 6 on
// have the rows of Kind::sse; all have the integer part of SSE, which AMD calls the MMX extensions. A 16-byte operation
// of SSE is two macro-operations, one for each half (GCC, config/i386/athlon.md: VectorPath).
#include "x86_table.h"

#include <array>
#include <initializer_list>

namespace pmusim::trace::x86 {
namespace {

constexpr Path direct{1, false};
constexpr Path vector(std::uint8_t macro_ops) { return {macro_ops, true}; }

#define M(name) ZYDIS_MNEMONIC_##name
using Mnemonics = std::initializer_list<ZydisMnemonic>;

struct Group {
  Rule rule;
  Mnemonics mnemonics;
};

// clang-format off
const Group groups[] = {
    // Integer
    {{Kind::integer},
     {M(ADC), M(ADD), M(AND), M(BSWAP), M(CBW), M(CDQ), M(CLC), M(CMC), M(CMP), M(CWD), M(CWDE), M(DEC), M(INC),
      M(LEA), M(NEG), M(NOT), M(OR), M(SBB), M(STC), M(SUB), M(TEST), M(XOR), M(SALC), M(SETB), M(SETBE), M(SETL),
      M(SETLE), M(SETNB), M(SETNBE), M(SETNL), M(SETNLE), M(SETNO), M(SETNP), M(SETNS), M(SETNZ), M(SETO), M(SETP),
      M(SETS), M(SETZ)}},
    {{Kind::integer, vector(2), vector(2)},
     {M(AAA), M(AAD), M(AAM), M(AAS), M(DAA), M(DAS), M(CLD), M(STD), M(LAHF), M(SAHF)}},
    {{Kind::integer, vector(8), vector(8)},
     {M(BSF), M(BSR)}},
    {{Kind::integer, direct, vector(3)},
     {M(BT)}},
    {{Kind::integer, vector(2), vector(4)},
     {M(BTC), M(BTR), M(BTS), M(CMPXCHG), M(XADD)}},
    {{Kind::integer, vector(8), vector(8)},
     {M(CMPXCHG8B), M(BOUND), M(ARPL)}},
    {{Kind::multiply, vector(3), vector(3)},
     {M(IMUL), M(MUL)}},
    {{Kind::divide, vector(16), vector(16)},
     {M(DIV), M(IDIV)}},
    {{Kind::shift},
     {M(ROL), M(ROR), M(SAR), M(SHL), M(SHR)}},
    {{Kind::shift, vector(4), vector(4)},
     {M(RCL), M(RCR)}},  // by one: DirectPath, a rule in code
    {{Kind::shift, vector(3), vector(4)},
     {M(SHLD), M(SHRD)}},
    {{Kind::string, vector(4), vector(4)},
     {M(CMPSB), M(CMPSD), M(CMPSW), M(LODSB), M(LODSD), M(LODSW), M(MOVSB), M(MOVSD), M(MOVSW), M(SCASB), M(SCASD),
      M(SCASW), M(STOSB), M(STOSD), M(STOSW)}},
    {{Kind::nop},
     {M(NOP), M(PAUSE)}},
    // Moves
    {{Kind::move},
     {M(MOV), M(MOVSX), M(MOVZX), M(CMOVB), M(CMOVBE), M(CMOVL), M(CMOVLE), M(CMOVNB), M(CMOVNBE), M(CMOVNL),
      M(CMOVNLE), M(CMOVNO), M(CMOVNP), M(CMOVNS), M(CMOVNZ), M(CMOVO), M(CMOVP), M(CMOVS), M(CMOVZ)}},
    {{Kind::move, direct, vector(2)},
     {M(PUSH)}},
    {{Kind::move, vector(2), vector(3)},
     {M(POP), M(XLAT)}},
    {{Kind::move, vector(3), vector(4)},
     {M(XCHG), M(LEAVE)}},
    {{Kind::move, vector(9), vector(9)},
     {M(PUSHA), M(PUSHAD), M(POPA), M(POPAD), M(ENTER)}},
    {{Kind::move, vector(3), vector(3)},
     {M(PUSHF), M(PUSHFD)}},
    {{Kind::system, vector(8), vector(8)},
     {M(POPF), M(POPFD)}},
    {{Kind::segment_move, vector(8), vector(8)},
     {M(LDS), M(LES), M(LFS), M(LGS), M(LSS)}},
    // Branches; CALL and JMP become indirect or far by their operand, a rule in code
    {{Kind::branch, direct, direct, BranchKind::conditional},
     {M(JB), M(JBE), M(JL), M(JLE), M(JNB), M(JNBE), M(JNL), M(JNLE), M(JNO), M(JNP), M(JNS), M(JNZ), M(JO), M(JP),
      M(JS), M(JZ)}},
    {{Kind::branch, vector(2), vector(2), BranchKind::conditional},
     {M(JCXZ), M(JECXZ)}},
    {{Kind::branch, vector(3), vector(3), BranchKind::loop},
     {M(LOOP), M(LOOPE), M(LOOPNE)}},
    {{Kind::branch, direct, direct, BranchKind::jump},
     {M(JMP)}},
    {{Kind::branch, vector(3), vector(4), BranchKind::call},
     {M(CALL)}},
    {{Kind::branch, vector(3), vector(3), BranchKind::ret},
     {M(RET)}},
    {{Kind::far_transfer, vector(16), vector(16), BranchKind::far_transfer},
     {M(INT), M(INT1), M(INT3), M(INTO), M(SYSENTER), M(SYSEXIT), M(SYSCALL), M(SYSRET)}},
    {{Kind::far_transfer, vector(16), vector(16), BranchKind::far_transfer, true},
     {M(IRET), M(IRETD)}},
    // System
    {{Kind::system, vector(4), vector(4)},
     {M(CLI), M(STI), M(CLTS), M(HLT), M(IN), M(OUT), M(INSB), M(INSD), M(INSW), M(OUTSB), M(OUTSD), M(OUTSW),
      M(RDPMC), M(RDTSC)}},
    {{Kind::system, vector(8), vector(8)},
     {M(LAR), M(LSL), M(SGDT), M(SIDT), M(SLDT), M(SMSW), M(STR), M(VERR), M(VERW), M(RDMSR)}},
    {{Kind::system, vector(8), vector(8), BranchKind::none, true},
     {M(LGDT), M(LIDT), M(LLDT), M(LMSW), M(LTR), M(INVD), M(INVLPG), M(WBINVD), M(WRMSR), M(RSM)}},
    {{Kind::system, vector(16), vector(16), BranchKind::none, true},
     {M(CPUID)}},
    {{Kind::system, vector(2), vector(2)},
     {M(SFENCE)}},
    {{Kind::illegal, vector(16), vector(16)},
     {M(UD0), M(UD1), M(UD2)}},
    {{Kind::prefetch},
     {M(PREFETCH), M(PREFETCHW), M(PREFETCHNTA), M(PREFETCHT0), M(PREFETCHT1), M(PREFETCHT2)}},
    // x87
    {{Kind::fp_add},
     {M(FADD), M(FADDP), M(FSUB), M(FSUBP), M(FSUBR), M(FSUBRP)}},
    {{Kind::fp_add, vector(2), vector(2)},
     {M(FIADD), M(FISUB), M(FISUBR)}},
    {{Kind::fp_multiply},
     {M(FMUL), M(FMULP)}},
    {{Kind::fp_multiply, vector(2), vector(2)},
     {M(FIMUL)}},
    {{Kind::fp_divide},
     {M(FDIV), M(FDIVP), M(FDIVR), M(FDIVRP)}},
    {{Kind::fp_divide, vector(2), vector(2)},
     {M(FIDIV), M(FIDIVR)}},
    {{Kind::fp_sqrt},
     {M(FSQRT)}},
    {{Kind::fp_transcendental, vector(32), vector(32)},
     {M(F2XM1), M(FCOS), M(FPATAN), M(FPREM), M(FPREM1), M(FPTAN), M(FSCALE), M(FSIN), M(FSINCOS), M(FXTRACT),
      M(FYL2X), M(FYL2XP1)}},
    {{Kind::fp_move},
     {M(FABS), M(FCHS), M(FLD), M(FLD1), M(FLDL2E), M(FLDL2T), M(FLDLG2), M(FLDLN2), M(FLDPI), M(FLDZ), M(FST),
      M(FSTP), M(FSTPNCE), M(FXCH), M(FFREE), M(FFREEP)}},
    {{Kind::fp_move, vector(4), vector(4)},
     {M(FCMOVB), M(FCMOVBE), M(FCMOVE), M(FCMOVNB), M(FCMOVNBE), M(FCMOVNE), M(FCMOVNU), M(FCMOVU)}},
    {{Kind::fp_convert},
     {M(FILD), M(FIST), M(FISTP)}},
    {{Kind::fp_convert, vector(4), vector(4)},
     {M(FRNDINT)}},
    {{Kind::fp_convert, vector(32), vector(32)},
     {M(FBLD), M(FBSTP)}},
    {{Kind::fp_compare},
     {M(FCOM), M(FCOMP), M(FCOMPP), M(FTST), M(FUCOM), M(FUCOMP), M(FUCOMPP)}},
    {{Kind::fp_compare, vector(3), vector(3)},
     {M(FCOMI), M(FCOMIP), M(FUCOMI), M(FUCOMIP), M(FICOM), M(FICOMP), M(FXAM)}},
    {{Kind::fp_control},
     {M(FNOP), M(FWAIT), M(FINCSTP), M(FDECSTP)}},
    {{Kind::fp_control, vector(4), vector(4)},
     {M(FLDCW), M(FNSTCW), M(FNSTSW), M(FNCLEX), M(FNINIT), M(FDISI8087_NOP), M(FENI8087_NOP), M(FSETPM287_NOP)}},
    {{Kind::fp_control, vector(20), vector(20)},
     {M(FLDENV), M(FNSTENV)}},
    {{Kind::fp_control, vector(40), vector(40)},
     {M(FNSAVE), M(FRSTOR), M(FXSAVE), M(FXRSTOR)}},
    // MMX, AMD's extensions to it, 3DNow!; MOVD with a general register is VectorPath
    {{Kind::mmx},
     {M(EMMS), M(FEMMS), M(MOVQ), M(MOVNTQ), M(PACKSSDW), M(PACKSSWB), M(PACKUSWB), M(PADDB), M(PADDD), M(PADDSB),
      M(PADDSW), M(PADDUSB), M(PADDUSW), M(PADDW), M(PAND), M(PANDN), M(PAVGB), M(PAVGW), M(PCMPEQB), M(PCMPEQD),
      M(PCMPEQW), M(PCMPGTB), M(PCMPGTD), M(PCMPGTW), M(PMADDWD), M(PMAXSW), M(PMAXUB), M(PMINSW), M(PMINUB),
      M(PMULHUW), M(PMULHW), M(PMULLW), M(POR), M(PSADBW), M(PSHUFW), M(PSLLD), M(PSLLQ), M(PSLLW), M(PSRAD),
      M(PSRAW), M(PSRLD), M(PSRLQ), M(PSRLW), M(PSUBB), M(PSUBD), M(PSUBSB), M(PSUBSW), M(PSUBUSB), M(PSUBUSW),
      M(PSUBW), M(PUNPCKHBW), M(PUNPCKHDQ), M(PUNPCKHWD), M(PUNPCKLBW), M(PUNPCKLDQ), M(PUNPCKLWD), M(PXOR)}},
    {{Kind::mmx, vector(2), direct},
     {M(MOVD)}},
    {{Kind::mmx, vector(2), vector(2)},
     {M(PEXTRW), M(PINSRW), M(PMOVMSKB)}},
    {{Kind::mmx, vector(8), vector(8)},
     {M(MASKMOVQ)}},
    {{Kind::amd3dnow},
     {M(PAVGUSB), M(PF2ID), M(PF2IW), M(PFACC), M(PFADD), M(PFCMPEQ), M(PFCMPGE), M(PFCMPGT), M(PFMAX), M(PFMIN),
      M(PFMUL), M(PFNACC), M(PFPNACC), M(PFRCP), M(PFCPIT1), M(PFRCPIT2), M(PFRSQIT1), M(PFSQRT), M(PFSUB),
      M(PFSUBR), M(PI2FD), M(PI2FW), M(PMULHRW), M(PSWAPD)}},
    // SSE
    {{Kind::sse},
     {M(ADDSS), M(SUBSS), M(MULSS), M(DIVSS), M(SQRTSS), M(RCPSS), M(RSQRTSS), M(MAXSS), M(MINSS), M(CMPSS),
      M(COMISS), M(UCOMISS), M(MOVHLPS), M(MOVLHPS), M(MOVHPS), M(MOVLPS), M(CVTPI2PS), M(CVTPS2PI), M(CVTTPS2PI)}},
    {{Kind::sse, direct, vector(2)},  // a load clears the other elements; a store is DirectPath, a rule in code
     {M(MOVSS)}},
    {{Kind::sse, vector(2), vector(2)},
     {M(ADDPS), M(SUBPS), M(MULPS), M(DIVPS), M(SQRTPS), M(RCPPS), M(RSQRTPS), M(MAXPS), M(MINPS), M(CMPPS),
      M(ANDPS), M(ANDNPS), M(ORPS), M(XORPS), M(UNPCKHPS), M(UNPCKLPS), M(MOVAPS), M(MOVNTPS)}},
    {{Kind::sse, vector(2), vector(5)},
     {M(MOVUPS)}},
    {{Kind::sse, vector(3), vector(3)},
     {M(SHUFPS), M(MOVMSKPS), M(STMXCSR), M(CVTSS2SI), M(CVTTSS2SI)}},
    {{Kind::sse, vector(4), vector(4)},
     {M(CVTSI2SS)}},
    {{Kind::sse, vector(8), vector(8)},
     {M(LDMXCSR)}},
};
// clang-format on
#undef M

std::array<Rule, ZYDIS_MNEMONIC_MAX_VALUE + 1> index_by_mnemonic() {
  std::array<Rule, ZYDIS_MNEMONIC_MAX_VALUE + 1> index{};
  for (const Group& group : groups) {
    for (const ZydisMnemonic mnemonic : group.mnemonics) index[mnemonic] = group.rule;
  }
  return index;
}

}  // namespace

const Rule& rule_of(ZydisMnemonic mnemonic) {
  static const auto index = index_by_mnemonic();
  return index.at(mnemonic);
}

}  // namespace pmusim::trace::x86
