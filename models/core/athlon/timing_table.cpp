// Sources, where a row differs from its kind:
//   S  measured on a real Athlon XP (CPUID 662), published by InstLatX64: testbench/tests/timing/k7_silicon.csv
//   G  GCC, config/i386/athlon.md
//   M  GMP, mpn/x86/k7/README
//   U  unconfirmed: no figure for the K7 was at hand; chosen to fit the instructions of the same kind
//   N  like its neighbour in the table
// A figure of decode time is the measured interval of a stream: no unit explains it.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

#include "models/core/athlon/static_code.h"

namespace pmusim::core::athlon {
namespace {

using trace::x86::Kind;
using trace::x86::Operation;

constexpr unsigned low_word = 0, high_word = 2;  // of a product: EAX and EDX, in the numbering of pmusim/trace/x86.h

/// Writes EDX:EAX: MUL, and IMUL with one operand.
bool is_wide(const Operation& op) {
  const auto writes = [&](unsigned reg) {
    return std::find(op.writes.begin(), op.writes.end(), reg) != op.writes.end();
  };
  return writes(low_word) && writes(high_word);
}

/// Forms of a mnemonic; the first row that fits counts.
namespace form {
using Form = bool (*)(const Operation& op);
constexpr Form any = [](const Operation&) { return true; };
constexpr Form registers = [](const Operation& op) { return !op.loads && !op.stores; };  // no memory operand
constexpr Form loads = [](const Operation& op) { return op.loads; };
constexpr Form stores = [](const Operation& op) { return op.stores; };
constexpr Form by_cl = [](const Operation& op) { return op.by_cl; };
constexpr Form vector = [](const Operation& op) { return op.vector_path; };
constexpr Form byte = [](const Operation& op) { return op.operand_bits == 8; };
constexpr Form word = [](const Operation& op) { return op.operand_bits == 16; };
constexpr Form word_immediate = [](const Operation& op) { return op.operand_bits == 16 && op.immediate; };
constexpr Form immediate = [](const Operation& op) { return op.immediate; };
constexpr Form one_operand = [](const Operation& op) { return is_wide(op); };
constexpr Form word_one_operand = [](const Operation& op) { return is_wide(op) && op.operand_bits == 16; };
constexpr Form repeated = [](const Operation& op) { return op.repeats; };
}  // namespace form

struct Row {
  std::initializer_list<std::string_view> mnemonics;
  form::Form fits;
  Timing timing;
};

using P = Pipe;
using U = Unit;
using S = Settings;

constexpr Timing alu(Clocks latency, unsigned decode_halves = 0) {
  return {.latency = latency, .decode_halves = decode_halves};
}
constexpr Timing product(Clocks latency, Clocks interval, Clocks high = 0) {
  return {.latency = latency, .unit = U::multiplier, .interval = interval, .high = high};
}
constexpr Timing quotient(Clocks latency) { return product(latency, latency); }
constexpr Timing fp(Pipe pipe, Clocks latency, unsigned decode_halves = 0) {
  return {.pipe = pipe, .latency = latency, .decode_halves = decode_halves};
}
constexpr Timing halves(Pipe pipe, Clocks latency) { return {.pipe = pipe, .latency = latency, .both_halves = true}; }
constexpr Timing divider(Clocks latency, Clocks interval) {
  return {.pipe = P::fp_multiply, .latency = latency, .unit = U::fp_divider, .interval = interval};
}
/// Keeps its pipe to the end.
constexpr Timing alone(Clocks latency) { return {.pipe = P::fp_add, .latency = latency, .interval = latency}; }

// clang-format off
const Row rows[] = {
    // Integer
    {{"lea"}, form::word, alu(3)},                                                    // S
    {{"lea"}, form::any, {.pipe = P::address, .latency = &S::lea}},                   // G
    {{"xchg"}, form::registers, alu(2)},                                              // S
    {{"xadd"}, form::registers, alu(2)},                                              // S
    {{"cmpxchg"}, form::any, alu(3, 4)},                                              // U
    {{"cmpxchg8b"}, form::any, alu(3, 24)},                                           // S
    {{"btc", "btr", "bts"}, form::registers, alu(2)},                                 // S
    {{"bsf"}, form::any, alu(7, 14)},                                                 // S
    {{"bsr"}, form::any, alu(9, 17)},                                                 // S
    {{"std"}, form::any, alu(1, 4)},                                                  // S
    {{"lahf"}, form::any, alu(3, 4)},                                                 // U
    {{"sahf"}, form::any, alu(2, 4)},                                                 // U
    {{"xlatb"}, form::any, alu(2)},                                                   // U: 5 with the load
    {{"shld", "shrd"}, form::by_cl, alu(&S::double_shift, 6)},                        // S
    {{"shld", "shrd"}, form::any, alu(&S::double_shift, 4)},                          // S
    {{"rcl"}, form::vector, alu(4, 8)},                                               // S
    {{"rcr"}, form::vector, alu(3, 6)},                                               // U
    {{"aaa", "aas"}, form::any, alu(5, 10)},                                          // S, N
    {{"aad"}, form::any, alu(2, 5)},                                                  // S
    {{"aam"}, form::any, alu(6, 13)},                                                 // S
    {{"daa"}, form::any, alu(6, 12)},                                                 // U
    {{"das"}, form::any, alu(7, 14)},                                                 // S
    // Multiply and divide. The multiplier starts a 16-bit product each clock, a 32-bit one every two; a second half of
    // the result takes a further one.
    {{"mul", "imul"}, form::byte, product(3, 2)},                                     // U
    {{"mul", "imul"}, form::word_one_operand, product(3, 2)},                         // S, U
    {{"mul", "imul"}, form::one_operand, product(&S::multiply, &S::multiply_interval, &S::multiply_high)},  // M, S
    {{"imul"}, form::word_immediate, product(4, 1)},                                  // U
    {{"imul"}, form::word, product(3, 1)},                                            // S
    {{"imul"}, form::immediate, product(5, 2)},                                       // S
    {{"imul"}, form::any, product(&S::multiply, 2)},                                  // S, N
    {{"div"}, form::byte, quotient(16)},                                              // N: one less than IDIV
    {{"div"}, form::word, quotient(23)},                                              // S
    {{"idiv"}, form::byte, quotient(17)},                                             // S
    {{"idiv"}, form::word, quotient(24)},                                             // S
    {{"div", "idiv"}, form::any, quotient(&S::divide)},                               // S, M
    // Stack, strings
    {{"pushf", "pushfd"}, form::any, alu(1, 4)},                                      // S
    {{"popf", "popfd"}, form::any, alu(9, 22)},                                       // S
    {{"pushad", "pusha"}, form::any, alu(1, 9)},                                      // S
    {{"popad", "popa"}, form::any, alu(1, 8)},                                        // U
    {{"lodsb", "lodsw", "lodsd", "stosb", "stosw", "stosd", "scasb", "scasw", "scasd",
      "movsb", "movsw", "movsd", "cmpsb", "cmpsw", "cmpsd"}, form::repeated, alu(1)},
    {{"movsb", "movsw", "movsd", "cmpsb", "cmpsw", "cmpsd"}, form::any, alu(1, 6)},   // S
    // System
    {{"rdtsc"}, form::any, alu(11, 22)},                                              // S
    {{"rdpmc"}, form::any, alu(11, 22)},                                              // U
    {{"cpuid"}, form::any, alu(36)},                                                  // S: 44 with the empty pipeline
    // x87
    {{"fchs", "fabs"}, form::any, fp(P::fp_multiply, &S::fp_move)},                   // G
    {{"fxch", "fnop", "fwait", "fdecstp", "fincstp", "ffree", "ffreep"}, form::any, fp(P::fp_any, &S::fp_move)},  // G, S
    {{"fcmovb", "fcmovbe", "fcmove", "fcmovnb", "fcmovnbe", "fcmovne", "fcmovnu", "fcmovu"}, form::any,
     fp(P::fp_multiply, &S::fp_cmov, 10)},                                            // S; U for the decoder
    {{"fxam"}, form::any, fp(P::fp_add, &S::fp_move, 4)},                             // S
    {{"fld", "fst", "fstp", "fstpnce"}, form::registers, fp(P::fp_add_or_multiply, &S::fp_move)},  // G
    {{"fprem"}, form::any, alone(9)},                                                 // U
    {{"fprem1"}, form::any, alone(10)},                                               // U
    {{"fscale"}, form::any, alone(8)},                                                // U
    {{"fxtract"}, form::any, alone(11)},                                              // U
    {{"frndint"}, form::any, fp(P::fp_add, 10, 6)},                                   // U
    {{"f2xm1"}, form::any, alone(27)},                                                // U
    {{"fyl2x"}, form::any, alone(126)},                                               // U
    {{"fyl2xp1"}, form::any, alone(147)},                                             // U
    {{"fptan"}, form::any, alone(150)},                                               // U
    {{"fpatan"}, form::any, alone(165)},                                              // U
    // MMX. Moves between the register files pass through the store queue.
    {{"emms", "femms"}, form::any, fp(P::fp_any, &S::fp_move)},                       // S
    {{"movd", "movq", "movntq"}, form::stores, fp(P::fp_store, &S::fp_move)},         // G
    {{"movd", "movq"}, form::loads, fp(P::fp_any, &S::fp_move)},                      // G
    {{"movd"}, form::registers, fp(P::fp_store, 9, 5)},                               // S
    {{"pextrw"}, form::any, fp(P::fp_store, 9, 5)},                                   // S
    {{"pinsrw"}, form::registers, fp(P::fp_store, 10, 5)},                            // N
    {{"pmovmskb"}, form::any, fp(P::fp_store, 9, 5)},                                 // S
    {{"maskmovq"}, form::any, fp(P::fp_store, 2, 48)},                                // S
    {{"pmullw", "pmulhw", "pmulhuw", "pmaddwd", "pmulhrw", "psadbw"}, form::any,
     fp(P::fp_multiply, &S::mmx_multiply)},                                           // G, S
    // 3DNow!
    {{"pfcmpeq", "pfcmpge", "pfcmpgt", "pfmax", "pfmin"}, form::any, fp(P::fp_add, &S::fp_move)},  // S
    {{"pf2id", "pf2iw", "pi2fd", "pi2fw"}, form::any, fp(P::fp_add, 5)},              // S
    {{"pfmul", "pfcpit1", "pfrcpit2", "pfrsqit1"}, form::any, fp(P::fp_multiply, &S::fp_multiply)},  // S
    {{"pfrcp", "pfsqrt"}, form::any, fp(P::fp_multiply, 3)},                          // S; Zydis' name of PFRSQRT
    {{"pavgusb", "pswapd"}, form::any, fp(P::fp_add_or_multiply, &S::fp_move)},       // S
    // SSE
    {{"addss", "subss"}, form::any, fp(P::fp_add, &S::fp_add)},                       // S
    {{"addps", "subps"}, form::any, halves(P::fp_add, &S::fp_add)},                   // S
    {{"mulss"}, form::any, fp(P::fp_multiply, &S::fp_multiply)},                      // S
    {{"mulps"}, form::any, halves(P::fp_multiply, &S::fp_multiply)},                  // S
    {{"maxss", "minss", "cmpss"}, form::any, fp(P::fp_add, &S::fp_move)},             // S
    {{"maxps", "minps", "cmpps"}, form::any, halves(P::fp_add, &S::fp_move)},         // S
    {{"comiss", "ucomiss"}, form::any, fp(P::fp_add, 3)},                             // S; U for the latency
    {{"andps", "andnps", "orps", "xorps"}, form::any, halves(P::fp_multiply, &S::fp_move)},  // S
    {{"rcpss", "rsqrtss"}, form::any, fp(P::fp_multiply, 3)},                         // S
    {{"rcpps", "rsqrtps"}, form::any, halves(P::fp_multiply, 3)},                     // S
    {{"unpckhps", "unpcklps"}, form::any, halves(P::fp_multiply, 3)},                 // S; G for the latency
    {{"shufps"}, form::any, fp(P::fp_multiply, 3, 5)},                                // S
    {{"divss"}, form::any, divider(16, 15)},                                          // S; interval: half of DIVPS
    {{"divps"}, form::any, divider(30, 30)},                                          // S
    {{"sqrtss"}, form::any, divider(19, 18)},                                         // S; interval: half of SQRTPS
    {{"sqrtps"}, form::any, divider(36, 36)},                                         // S
    {{"movss"}, form::loads, fp(P::fp_any, &S::fp_move, 4)},                          // S
    {{"movss"}, form::stores, fp(P::fp_store, &S::fp_move)},                          // G
    {{"movss"}, form::registers, fp(P::fp_multiply, &S::fp_move)},                    // S; U for the pipe
    {{"movaps", "movups"}, form::loads, fp(P::fp_any, &S::fp_move, 4)},               // U
    {{"movaps"}, form::stores, halves(P::fp_store, &S::fp_move)},                     // N
    {{"movups"}, form::stores, fp(P::fp_store, &S::fp_move)},                         // S
    {{"movntps"}, form::stores, fp(P::fp_store, &S::fp_move, 8)},                     // U
    {{"movaps", "movups", "movhlps", "movlhps"}, form::registers, fp(P::fp_add_or_multiply, &S::fp_move)},  // S, U
    {{"movhps", "movlps"}, form::stores, fp(P::fp_store, &S::fp_move)},               // U
    {{"movhps", "movlps"}, form::loads, fp(P::fp_any, &S::fp_move)},                  // U
    {{"movmskps"}, form::any, fp(P::fp_store, 9, 5)},                                 // S
    {{"cvtpi2ps"}, form::any, fp(P::fp_add, 4)},                                      // U
    {{"cvtps2pi", "cvttps2pi"}, form::any, fp(P::fp_add, 5)},                         // S; N of PF2ID for the latency
    {{"cvtss2si", "cvttss2si"}, form::any, fp(P::fp_store, 10, 5)},                   // S
    {{"cvtsi2ss"}, form::any, {.pipe = P::fp_store, .latency = 12, .decode_halves = 5, .merges_late = true}},  // S
    {{"ldmxcsr"}, form::any, fp(P::fp_store, &S::fp_move, 18)},                       // U
    {{"stmxcsr"}, form::any, fp(P::fp_store, &S::fp_move, 20)},                       // U
};
// clang-format on

/// Instructions without a row of their own. Those of the other kinds take a clock in an integer unit.
const std::map<Kind, Timing> of_kinds = {
    {Kind::segment_move, alu(&S::segment_load)},
    {Kind::far_transfer, alu(&S::far_transfer)},
    {Kind::fp_add, fp(P::fp_add, &S::fp_add)},
    {Kind::fp_compare, fp(P::fp_add, &S::fp_move)},
    {Kind::fp_transcendental, alone(&S::fp_transcendental)},
    {Kind::fp_multiply, fp(P::fp_multiply, &S::fp_multiply)},
    {Kind::fp_divide, divider(&S::fp_divide, &S::fp_divide_interval)},
    {Kind::fp_sqrt, divider(&S::fp_sqrt, &S::fp_sqrt_interval)},
    {Kind::fp_move, fp(P::fp_store, &S::fp_move)},
    {Kind::fp_convert, fp(P::fp_store, &S::fp_move)},
    {Kind::fp_control, fp(P::fp_store, &S::fp_move)},
    {Kind::mmx, fp(P::fp_add_or_multiply, &S::fp_move)},
    {Kind::amd3dnow, fp(P::fp_add, &S::fp_add)},
};

using Rows = std::map<std::string_view, std::vector<const Row*>>;

Rows by_mnemonic() {
  Rows index;
  for (const Row& row : rows) {
    for (const std::string_view mnemonic : row.mnemonics) index[mnemonic].push_back(&row);
  }
  return index;
}

}  // namespace

Timing timing_of(const Operation& op) {
  static const Rows index = by_mnemonic();
  if (const auto found = index.find(op.mnemonic); found != index.end()) {
    for (const Row* row : found->second) {
      if (row->fits(op)) return row->timing;
    }
  }
  const auto of_kind = of_kinds.find(op.kind);
  Timing timing = of_kind != of_kinds.end() ? of_kind->second : Timing{};
  // A move that loads uses any pipe, a move that stores the store pipe.
  if (op.kind == Kind::fp_move && op.loads) timing.pipe = P::fp_any;
  if (op.kind == Kind::fp_move && op.stores) timing.pipe = P::fp_store;
  return timing;
}

}  // namespace pmusim::core::athlon
