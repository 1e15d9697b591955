// Sources, where a row differs from its kind:
//   S  measured on a real Athlon XP (CPUID 662), published by InstLatX64: testbench/tests/timing/k7_silicon.csv
//   G  GCC, config/i386/athlon.md
//   M  GMP, mpn/x86/k7/README
//   U  unconfirmed: no figure for the K7 was at hand; chosen to fit the instructions of the same kind
//   N  like its neighbour in the table
// A figure of decode time is the measured interval of a stream: no unit explains it.
#include <initializer_list>
#include <map>
#include <string_view>
#include <vector>

#include "models/core/athlon/static_code.h"

namespace pmusim::core::athlon {
namespace {

using trace::x86::Kind;
using trace::x86::Operation;

/// Forms of a mnemonic; the first row that fits counts.
enum class Form : std::uint8_t {
  any,
  registers,  ///< no memory operand
  loads,
  stores,
  by_cl,
  vector,  ///< VectorPath
  byte,
  word,
  word_immediate,  ///< 16 bits, an immediate operand
  immediate,
  one_operand,  ///< MUL and IMUL that write EDX:EAX
  word_one_operand,
  repeated,
};

constexpr unsigned low_word = 0, high_word = 2;  // of a product: EAX and EDX, in the numbering of pmusim/trace/x86.h

bool writes(const Operation& op, unsigned reg) {
  for (const std::uint8_t r : op.writes) {
    if (r == reg) return true;
  }
  return false;
}

bool fits(Form form, const Operation& op) {
  const bool wide = writes(op, low_word) && writes(op, high_word);
  switch (form) {
    case Form::any:
      return true;
    case Form::registers:
      return !op.loads && !op.stores;
    case Form::loads:
      return op.loads;
    case Form::stores:
      return op.stores;
    case Form::by_cl:
      return op.by_cl;
    case Form::vector:
      return op.vector_path;
    case Form::byte:
      return op.operand_bits == 8;
    case Form::word:
      return op.operand_bits == 16;
    case Form::word_immediate:
      return op.operand_bits == 16 && op.immediate;
    case Form::immediate:
      return op.immediate;
    case Form::one_operand:
      return wide;
    case Form::word_one_operand:
      return wide && op.operand_bits == 16;
    case Form::repeated:
      return op.repeats;
  }
  return false;
}

struct Row {
  std::initializer_list<std::string_view> mnemonics;
  Form form = Form::any;
  Timing timing;
};

using P = Pipe;
using U = Unit;
using S = Settings;

constexpr Timing alu(unsigned latency, unsigned decode_halves = 0) {
  return {P::integer, latency, U::none, 1, decode_halves, 0, false, false};
}
constexpr Timing product(Clocks latency, Clocks interval, Clocks high = 0) {
  return {P::integer, latency, U::multiplier, interval, 0, high, false, false};
}
constexpr Timing quotient(Clocks latency) { return {P::integer, latency, U::multiplier, latency, 0, 0, false, false}; }
constexpr Timing fp(Pipe pipe, Clocks latency, unsigned decode_halves = 0) {
  return {pipe, latency, U::none, 1, decode_halves, 0, false, false};
}
constexpr Timing halves(Pipe pipe, Clocks latency) { return {pipe, latency, U::none, 1, 0, 0, true, false}; }
constexpr Timing divider(Clocks latency, Clocks interval) {
  return {P::fp_multiply, latency, U::fp_divider, interval, 0, 0, false, false};
}
/// Keeps its pipe to the end.
constexpr Timing alone(Clocks latency) { return {P::fp_add, latency, U::none, latency, 0, 0, false, false}; }

// clang-format off
const Row rows[] = {
    // Integer
    {{"lea"}, Form::word, alu(3)},                                                    // S
    {{"lea"}, Form::any, {P::address, &S::lea, U::none, 1, 0, 0, false, false}},             // G
    {{"xchg"}, Form::registers, alu(2)},                                              // S
    {{"xadd"}, Form::registers, alu(2)},                                              // S
    {{"cmpxchg"}, Form::any, alu(3, 4)},                                              // U
    {{"cmpxchg8b"}, Form::any, alu(3, 24)},                                           // S
    {{"btc", "btr", "bts"}, Form::registers, alu(2)},                                 // S
    {{"bsf"}, Form::any, alu(7, 14)},                                                 // S
    {{"bsr"}, Form::any, alu(9, 17)},                                                 // S
    {{"std"}, Form::any, alu(1, 4)},                                                  // S
    {{"lahf"}, Form::any, alu(3, 4)},                                                 // U
    {{"sahf"}, Form::any, alu(2, 4)},                                                 // U
    {{"xlatb"}, Form::any, alu(2)},                                                   // U: 5 with the load
    {{"shld", "shrd"}, Form::by_cl, {P::integer, &S::double_shift, U::none, 1, 6, 0, false, false}},  // S
    {{"shld", "shrd"}, Form::any, {P::integer, &S::double_shift, U::none, 1, 4, 0, false, false}},    // S
    {{"rcl"}, Form::vector, alu(4, 8)},                                               // S
    {{"rcr"}, Form::vector, alu(3, 6)},                                               // U
    {{"aaa", "aas"}, Form::any, alu(5, 10)},                                          // S, N
    {{"aad"}, Form::any, alu(2, 5)},                                                  // S
    {{"aam"}, Form::any, alu(6, 13)},                                                 // S
    {{"daa"}, Form::any, alu(6, 12)},                                                 // U
    {{"das"}, Form::any, alu(7, 14)},                                                 // S
    // Multiply and divide. The multiplier starts a 16-bit product each clock, a 32-bit one every two; a second half of
    // the result takes a further one.
    {{"mul", "imul"}, Form::byte, product(3, 2)},                                     // U
    {{"mul", "imul"}, Form::word_one_operand, product(3, 2)},                         // S, U
    {{"mul", "imul"}, Form::one_operand, product(&S::multiply, &S::multiply_interval, &S::multiply_high)},  // M, S
    {{"imul"}, Form::word_immediate, product(4, 1)},                                  // U
    {{"imul"}, Form::word, product(3, 1)},                                            // S
    {{"imul"}, Form::immediate, product(5, 2)},                                       // S
    {{"imul"}, Form::any, product(&S::multiply, 2)},                                  // S, N
    {{"div"}, Form::byte, quotient(16)},                                              // N: one less than IDIV
    {{"div"}, Form::word, quotient(23)},                                              // S
    {{"idiv"}, Form::byte, quotient(17)},                                             // S
    {{"idiv"}, Form::word, quotient(24)},                                             // S
    {{"div", "idiv"}, Form::any, quotient(&S::divide)},                               // S, M
    // Stack, strings
    {{"pushf", "pushfd"}, Form::any, alu(1, 4)},                                      // S
    {{"popf", "popfd"}, Form::any, alu(9, 22)},                                       // S
    {{"pushad", "pusha"}, Form::any, alu(1, 9)},                                      // S
    {{"popad", "popa"}, Form::any, alu(1, 8)},                                        // U
    {{"lodsb", "lodsw", "lodsd", "stosb", "stosw", "stosd", "scasb", "scasw", "scasd",
      "movsb", "movsw", "movsd", "cmpsb", "cmpsw", "cmpsd"}, Form::repeated, alu(1)},
    {{"movsb", "movsw", "movsd", "cmpsb", "cmpsw", "cmpsd"}, Form::any, alu(1, 6)},   // S
    // System
    {{"rdtsc"}, Form::any, alu(11, 22)},                                              // S
    {{"rdpmc"}, Form::any, alu(11, 22)},                                              // U
    {{"cpuid"}, Form::any, alu(36)},                                                  // S: 44 with the empty pipeline
    // x87
    {{"fchs", "fabs"}, Form::any, fp(P::fp_multiply, &S::fp_move)},                   // G
    {{"fxch", "fnop", "fwait", "fdecstp", "fincstp", "ffree", "ffreep"}, Form::any, fp(P::fp_any, &S::fp_move)},  // G, S
    {{"fcmovb", "fcmovbe", "fcmove", "fcmovnb", "fcmovnbe", "fcmovne", "fcmovnu", "fcmovu"}, Form::any,
     fp(P::fp_multiply, &S::fp_cmov, 10)},                                            // S; U for the decoder
    {{"fxam"}, Form::any, fp(P::fp_add, &S::fp_move, 4)},                             // S
    {{"fld", "fst", "fstp", "fstpnce"}, Form::registers, fp(P::fp_add_or_multiply, &S::fp_move)},  // G
    {{"fprem"}, Form::any, alone(9)},                                                 // U
    {{"fprem1"}, Form::any, alone(10)},                                               // U
    {{"fscale"}, Form::any, alone(8)},                                                // U
    {{"fxtract"}, Form::any, alone(11)},                                              // U
    {{"frndint"}, Form::any, fp(P::fp_add, 10, 6)},                                   // U
    {{"f2xm1"}, Form::any, alone(27)},                                                // U
    {{"fyl2x"}, Form::any, alone(126)},                                               // U
    {{"fyl2xp1"}, Form::any, alone(147)},                                             // U
    {{"fptan"}, Form::any, alone(150)},                                               // U
    {{"fpatan"}, Form::any, alone(165)},                                              // U
    // MMX. Moves between the register files pass through the store queue.
    {{"emms", "femms"}, Form::any, fp(P::fp_any, &S::fp_move)},                       // S
    {{"movd", "movq", "movntq"}, Form::stores, fp(P::fp_store, &S::fp_move)},         // G
    {{"movd", "movq"}, Form::loads, fp(P::fp_any, &S::fp_move)},                      // G
    {{"movd"}, Form::registers, fp(P::fp_store, 9, 5)},                               // S
    {{"pextrw"}, Form::any, fp(P::fp_store, 9, 5)},                                   // S
    {{"pinsrw"}, Form::registers, fp(P::fp_store, 10, 5)},                            // N
    {{"pmovmskb"}, Form::any, fp(P::fp_store, 9, 5)},                                 // S
    {{"maskmovq"}, Form::any, fp(P::fp_store, 2, 48)},                                // S
    {{"pmullw", "pmulhw", "pmulhuw", "pmaddwd", "pmulhrw", "psadbw"}, Form::any,
     fp(P::fp_multiply, &S::mmx_multiply)},                                           // G, S
    // 3DNow!
    {{"pfcmpeq", "pfcmpge", "pfcmpgt", "pfmax", "pfmin"}, Form::any, fp(P::fp_add, &S::fp_move)},  // S
    {{"pf2id", "pf2iw", "pi2fd", "pi2fw"}, Form::any, fp(P::fp_add, 5)},              // S
    {{"pfmul", "pfcpit1", "pfrcpit2", "pfrsqit1"}, Form::any, fp(P::fp_multiply, &S::fp_multiply)},  // S
    {{"pfrcp", "pfsqrt"}, Form::any, fp(P::fp_multiply, 3)},                          // S; Zydis' name of PFRSQRT
    {{"pavgusb", "pswapd"}, Form::any, fp(P::fp_add_or_multiply, &S::fp_move)},       // S
    // SSE
    {{"addss", "subss"}, Form::any, fp(P::fp_add, &S::fp_add)},                       // S
    {{"addps", "subps"}, Form::any, halves(P::fp_add, &S::fp_add)},                   // S
    {{"mulss"}, Form::any, fp(P::fp_multiply, &S::fp_multiply)},                      // S
    {{"mulps"}, Form::any, halves(P::fp_multiply, &S::fp_multiply)},                  // S
    {{"maxss", "minss", "cmpss"}, Form::any, fp(P::fp_add, &S::fp_move)},             // S
    {{"maxps", "minps", "cmpps"}, Form::any, halves(P::fp_add, &S::fp_move)},         // S
    {{"comiss", "ucomiss"}, Form::any, fp(P::fp_add, 3)},                             // S; U for the latency
    {{"andps", "andnps", "orps", "xorps"}, Form::any, halves(P::fp_multiply, &S::fp_move)},  // S
    {{"rcpss", "rsqrtss"}, Form::any, fp(P::fp_multiply, 3)},                         // S
    {{"rcpps", "rsqrtps"}, Form::any, halves(P::fp_multiply, 3)},                     // S
    {{"unpckhps", "unpcklps"}, Form::any, halves(P::fp_multiply, 3)},                 // S; G for the latency
    {{"shufps"}, Form::any, fp(P::fp_multiply, 3, 5)},                                // S
    {{"divss"}, Form::any, divider(16, 15)},                                          // S; interval: half of DIVPS
    {{"divps"}, Form::any, divider(30, 30)},                                          // S
    {{"sqrtss"}, Form::any, divider(19, 18)},                                         // S; interval: half of SQRTPS
    {{"sqrtps"}, Form::any, divider(36, 36)},                                         // S
    {{"movss"}, Form::loads, fp(P::fp_any, &S::fp_move, 4)},                          // S
    {{"movss"}, Form::stores, fp(P::fp_store, &S::fp_move)},                          // G
    {{"movss"}, Form::registers, fp(P::fp_multiply, &S::fp_move)},                    // S; U for the pipe
    {{"movaps", "movups"}, Form::loads, fp(P::fp_any, &S::fp_move, 4)},               // U
    {{"movaps"}, Form::stores, halves(P::fp_store, &S::fp_move)},                     // N
    {{"movups"}, Form::stores, fp(P::fp_store, &S::fp_move)},                         // S
    {{"movntps"}, Form::stores, fp(P::fp_store, &S::fp_move, 8)},                     // U
    {{"movaps", "movups", "movhlps", "movlhps"}, Form::registers, fp(P::fp_add_or_multiply, &S::fp_move)},  // S, U
    {{"movhps", "movlps"}, Form::stores, fp(P::fp_store, &S::fp_move)},               // U
    {{"movhps", "movlps"}, Form::loads, fp(P::fp_any, &S::fp_move)},                  // U
    {{"movmskps"}, Form::any, fp(P::fp_store, 9, 5)},                                 // S
    {{"cvtpi2ps"}, Form::any, fp(P::fp_add, 4)},                                      // U
    {{"cvtps2pi", "cvttps2pi"}, Form::any, fp(P::fp_add, 5)},                         // S; N of PF2ID for the latency
    {{"cvtss2si", "cvttss2si"}, Form::any, fp(P::fp_store, 10, 5)},                   // S
    {{"cvtsi2ss"}, Form::any, {P::fp_store, 12, U::none, 1, 5, 0, false, true}},      // S
    {{"ldmxcsr"}, Form::any, fp(P::fp_store, &S::fp_move, 18)},                       // U
    {{"stmxcsr"}, Form::any, fp(P::fp_store, &S::fp_move, 20)},                       // U
};
// clang-format on

/// Instructions without a row of their own.
Timing timing_of(Kind kind) {
  switch (kind) {
    case Kind::segment_move:
      return {P::integer, &S::segment_load, U::none, 1, 0, 0, false, false};
    case Kind::far_transfer:
      return {P::integer, &S::far_transfer, U::none, 1, 0, 0, false, false};
    case Kind::fp_add:
      return fp(P::fp_add, &S::fp_add);
    case Kind::fp_compare:
      return fp(P::fp_add, &S::fp_move);
    case Kind::fp_transcendental:
      return alone(&S::fp_transcendental);
    case Kind::fp_multiply:
      return fp(P::fp_multiply, &S::fp_multiply);
    case Kind::fp_divide:
      return divider(&S::fp_divide, &S::fp_divide_interval);
    case Kind::fp_sqrt:
      return divider(&S::fp_sqrt, &S::fp_sqrt_interval);
    case Kind::fp_move:
    case Kind::fp_convert:
    case Kind::fp_control:
      return fp(P::fp_store, &S::fp_move);
    case Kind::mmx:
      return fp(P::fp_add_or_multiply, &S::fp_move);
    case Kind::amd3dnow:
      return fp(P::fp_add, &S::fp_add);
    default:
      return {};
  }
}

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
      if (fits(row->form, op)) return row->timing;
    }
  }
  Timing timing = timing_of(op.kind);
  // A move that loads uses any pipe, a move that stores the store pipe.
  if (op.kind == Kind::fp_move && op.loads) timing.pipe = P::fp_any;
  if (op.kind == Kind::fp_move && op.stores) timing.pipe = P::fp_store;
  return timing;
}

}  // namespace pmusim::core::athlon
