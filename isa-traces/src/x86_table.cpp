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
#include <map>
#include <sstream>
#include <string>

namespace pmusim::trace::x86 {
namespace {

constexpr Path direct{1, false};
constexpr Path vector(std::uint8_t macro_ops) { return {macro_ops, true}; }

struct Group {
  Rule rule;
  const char* mnemonics;  ///< Zydis' names
};

// clang-format off
const Group groups[] = {
    // Integer
    {{Kind::integer},
     "adc add and bswap cbw cdq clc cmc cmp cwd cwde dec inc lea neg not or sbb stc sub test xor salc setb setbe "
     "setl setle setnb setnbe setnl setnle setno setnp setns setnz seto setp sets setz"},
    {{Kind::integer, vector(2), vector(2)}, "aaa aad aam aas daa das cld std lahf sahf"},
    {{Kind::integer, vector(8), vector(8)}, "bsf bsr"},
    {{Kind::integer, direct, vector(3)}, "bt"},
    {{Kind::integer, vector(2), vector(4)}, "btc btr bts cmpxchg xadd"},
    {{Kind::integer, vector(8), vector(8)}, "cmpxchg8b bound arpl"},
    {{Kind::multiply, vector(3), vector(3)}, "imul mul"},
    {{Kind::divide, vector(16), vector(16)}, "div idiv"},
    {{Kind::shift}, "rol ror sar shl shr"},
    {{Kind::shift, vector(4), vector(4)}, "rcl rcr"},  // by one: DirectPath, a rule in code
    {{Kind::shift, vector(3), vector(4)}, "shld shrd"},
    {{Kind::string, vector(4), vector(4)},
     "cmpsb cmpsd cmpsw lodsb lodsd lodsw movsb movsd movsw scasb scasd scasw stosb stosd stosw"},
    {{Kind::nop}, "nop pause"},
    // Moves
    {{Kind::move},
     "mov movsx movzx cmovb cmovbe cmovl cmovle cmovnb cmovnbe cmovnl cmovnle cmovno cmovnp cmovns cmovnz cmovo "
     "cmovp cmovs cmovz"},
    {{Kind::move, direct, vector(2)}, "push"},
    {{Kind::move, vector(2), vector(3)}, "pop xlat"},
    {{Kind::move, vector(3), vector(4)}, "xchg leave"},
    {{Kind::move, vector(9), vector(9)}, "pusha pushad popa popad enter"},
    {{Kind::move, vector(3), vector(3)}, "pushf pushfd"},
    {{Kind::system, vector(8), vector(8)}, "popf popfd"},
    {{Kind::segment_move, vector(8), vector(8)}, "lds les lfs lgs lss"},
    // Branches; CALL and JMP become indirect or far by their operand, a rule in code
    {{Kind::branch, direct, direct, BranchKind::conditional},
     "jb jbe jl jle jnb jnbe jnl jnle jno jnp jns jnz jo jp js jz"},
    {{Kind::branch, vector(2), vector(2), BranchKind::conditional}, "jcxz jecxz"},
    {{Kind::branch, vector(3), vector(3), BranchKind::loop}, "loop loope loopne"},
    {{Kind::branch, direct, direct, BranchKind::jump}, "jmp"},
    {{Kind::branch, vector(3), vector(4), BranchKind::call}, "call"},
    {{Kind::branch, vector(3), vector(3), BranchKind::ret}, "ret"},
    {{Kind::far_transfer, vector(16), vector(16), BranchKind::far_transfer},
     "int int1 int3 into sysenter sysexit syscall sysret"},
    {{Kind::far_transfer, vector(16), vector(16), BranchKind::far_transfer, true}, "iret iretd"},
    // System
    {{Kind::system, vector(4), vector(4)}, "cli sti clts hlt in out insb insd insw outsb outsd outsw rdpmc rdtsc"},
    {{Kind::system, vector(8), vector(8)}, "lar lsl sgdt sidt sldt smsw str verr verw rdmsr"},
    {{Kind::system, vector(8), vector(8), BranchKind::none, true},
     "lgdt lidt lldt lmsw ltr invd invlpg wbinvd wrmsr rsm"},
    {{Kind::system, vector(16), vector(16), BranchKind::none, true}, "cpuid"},
    {{Kind::system, vector(2), vector(2)}, "sfence"},
    {{Kind::illegal, vector(16), vector(16)}, "ud0 ud1 ud2"},
    {{Kind::prefetch}, "prefetch prefetchw prefetchnta prefetcht0 prefetcht1 prefetcht2"},
    // x87
    {{Kind::fp_add}, "fadd faddp fsub fsubp fsubr fsubrp"},
    {{Kind::fp_add, vector(2), vector(2)}, "fiadd fisub fisubr"},
    {{Kind::fp_multiply}, "fmul fmulp"},
    {{Kind::fp_multiply, vector(2), vector(2)}, "fimul"},
    {{Kind::fp_divide}, "fdiv fdivp fdivr fdivrp"},
    {{Kind::fp_divide, vector(2), vector(2)}, "fidiv fidivr"},
    {{Kind::fp_sqrt}, "fsqrt"},
    {{Kind::fp_transcendental, vector(32), vector(32)},
     "f2xm1 fcos fpatan fprem fprem1 fptan fscale fsin fsincos fxtract fyl2x fyl2xp1"},
    {{Kind::fp_move}, "fabs fchs fld fld1 fldl2e fldl2t fldlg2 fldln2 fldpi fldz fst fstp fstpnce fxch ffree ffreep"},
    {{Kind::fp_move, vector(4), vector(4)}, "fcmovb fcmovbe fcmove fcmovnb fcmovnbe fcmovne fcmovnu fcmovu"},
    {{Kind::fp_convert}, "fild fist fistp"},
    {{Kind::fp_convert, vector(4), vector(4)}, "frndint"},
    {{Kind::fp_convert, vector(32), vector(32)}, "fbld fbstp"},
    {{Kind::fp_compare}, "fcom fcomp fcompp ftst fucom fucomp fucompp"},
    {{Kind::fp_compare, vector(3), vector(3)}, "fcomi fcomip fucomi fucomip ficom ficomp fxam"},
    {{Kind::fp_control}, "fnop fwait fincstp fdecstp"},
    {{Kind::fp_control, vector(4), vector(4)},
     "fldcw fnstcw fnstsw fnclex fninit fdisi8087_nop feni8087_nop fsetpm287_nop"},
    {{Kind::fp_control, vector(20), vector(20)}, "fldenv fnstenv"},
    {{Kind::fp_control, vector(40), vector(40)}, "fnsave frstor fxsave fxrstor"},
    // MMX, AMD's extensions to it, 3DNow!; MOVD with a general register is VectorPath
    {{Kind::mmx},
     "emms femms movq movntq packssdw packsswb packuswb paddb paddd paddsb paddsw paddusb paddusw paddw pand pandn "
     "pavgb pavgw pcmpeqb pcmpeqd pcmpeqw pcmpgtb pcmpgtd pcmpgtw pmaddwd pmaxsw pmaxub pminsw pminub pmulhuw "
     "pmulhw pmullw por psadbw pshufw pslld psllq psllw psrad psraw psrld psrlq psrlw psubb psubd psubsb psubsw "
     "psubusb psubusw psubw punpckhbw punpckhdq punpckhwd punpcklbw punpckldq punpcklwd pxor"},
    {{Kind::mmx, vector(2), direct}, "movd"},
    {{Kind::mmx, vector(2), vector(2)}, "pextrw pinsrw pmovmskb"},
    {{Kind::mmx, vector(8), vector(8)}, "maskmovq"},
    {{Kind::amd3dnow},
     "pavgusb pf2id pf2iw pfacc pfadd pfcmpeq pfcmpge pfcmpgt pfmax pfmin pfmul pfnacc pfpnacc pfrcp pfcpit1 "
     "pfrcpit2 pfrsqit1 pfsqrt pfsub pfsubr pi2fd pi2fw pmulhrw pswapd"},
    // SSE
    {{Kind::sse},
     "addss subss mulss divss sqrtss rcpss rsqrtss maxss minss cmpss comiss ucomiss movhlps movlhps movhps movlps "
     "cvtpi2ps cvtps2pi cvttps2pi"},
    {{Kind::sse, direct, vector(2)},  // a load clears the other elements; a store is DirectPath, a rule in code
     "movss"},
    {{Kind::sse, vector(2), vector(2)},
     "addps subps mulps divps sqrtps rcpps rsqrtps maxps minps cmpps andps andnps orps xorps unpckhps unpcklps "
     "movaps movntps"},
    {{Kind::sse, vector(2), vector(5)}, "movups"},
    {{Kind::sse, vector(3), vector(3)}, "shufps movmskps stmxcsr cvtss2si cvttss2si"},
    {{Kind::sse, vector(4), vector(4)}, "cvtsi2ss"},
    {{Kind::sse, vector(8), vector(8)}, "ldmxcsr"},
};
// clang-format on

std::array<Rule, ZYDIS_MNEMONIC_MAX_VALUE + 1> index_by_mnemonic() {
  std::map<std::string, int> numbers;
  for (int i = 0; i <= ZYDIS_MNEMONIC_MAX_VALUE; ++i)
    numbers[ZydisMnemonicGetString(static_cast<ZydisMnemonic>(i))] = i;
  std::array<Rule, ZYDIS_MNEMONIC_MAX_VALUE + 1> index{};
  for (const Group& group : groups) {
    std::istringstream mnemonics(group.mnemonics);
    for (std::string name; mnemonics >> name;) index.at(static_cast<std::size_t>(numbers.at(name))) = group.rule;
  }
  return index;
}

}  // namespace

const Rule& rule_of(ZydisMnemonic mnemonic) {
  static const auto index = index_by_mnemonic();
  return index.at(mnemonic);
}

}  // namespace pmusim::trace::x86
