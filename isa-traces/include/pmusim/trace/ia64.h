// IA-64 bundle decoder: decodes the 128 bits of a bundle to the properties of its slots. Formats, opcode tables and
// names follow the Intel IA-64 Architecture Software Developer's Manual, volume 3, chapter 4.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::ia64 {

/// Slot type in the template. An A-type instruction has the type of its slot.
enum class Unit : std::uint8_t { M, I, F, B, L, X };

/// Kind of operation, with the detail needed for ports and latencies.
enum class Kind : std::uint8_t {
  illegal,              ///< reserved encoding
  nop,                  ///< nop.m/i/f/b/x
  hint,                 ///< hint.m/i/f/b/x
  break_,               ///< break.m/i/f/b/x
  long_immediate,       ///< slot 1 of an MLX bundle: upper bits of slot 2's immediate, not an instruction
  integer,              ///< A-type: add, sub, and, or, xor, andcm, shladd, addp4
  compare,              ///< A-type: cmp, cmp4
  multimedia_alu,       ///< A-type: padd, psub, pavg, pavgsub, pcmp, pshladd, pshradd
  multimedia,           ///< I: mix, pack, unpack, pmin, pmax, psad, mux, pshl, pshr
  multimedia_multiply,  ///< I: pmpy, pmpyshr, popcnt, clz
  shift,                ///< I: shl, shr by a register
  bit_field,            ///< I: shrp, extr, dep
  extend,               ///< I: sxt, zxt, czx
  test,                 ///< I: tbit, tnat, tf
  move_long,            ///< X: movl
  load,                 ///< integer loads of all kinds, see LoadKind
  fp_load,
  fp_load_pair,
  store,
  fp_store,
  semaphore,  ///< cmpxchg, xchg, fetchadd: load and store
  prefetch,   ///< lfetch
  setf,
  getf,
  check_speculation,  ///< chk.s on GR (M or I) or FR (M); a failed one is a taken branch
  check_advanced,     ///< chk.a on GR or FR; a failed one is a taken branch
  invalidate_alat,    ///< invala, invala.e
  fence,              ///< mf, mf.a, fwb
  alloc,
  flushrs,
  loadrs,
  cover,
  clrrrb,
  serialize_data,
  serialize_instruction,  ///< srlz.d; srlz.i and sync.i
  flush_cache,            ///< fc, fc.i
  move_from_ar,
  move_to_ar,  ///< M or I form, see Slot::unit; the register is in reads or writes
  move_from_br,
  move_to_br,
  move_from_pr,
  move_to_pr,
  move_from_ip,
  move_from_cr,
  move_to_cr,
  move_indexed,    ///< mov to or from pmc, pmd, ibr, dbr, rr, pkr, cpuid, msr, dahr
  psr,             ///< rum, sum, rsm, ssm, mov from and to psr
  system,          ///< other M-unit system instructions: probe, itc, ptc, tpa, ttag, ...
  fp_arithmetic,   ///< fma, fms, fnma
  fp_parallel,     ///< fpma, fpms, fpnma
  fixed_multiply,  ///< xma.l, .h, .hu
  fp_select,       ///< fselect
  fp_compare,
  fp_class,
  fp_reciprocal,   ///< frcpa, frsqrta, fprcpa, fprsqrta
  fp_minmax,       ///< fmin, fmax, famin, famax, fpcmp and parallel forms
  fp_merge,        ///< fmerge, fmix, fsxt, fpack, fswap, fand, fandcm, for, fxor
  fp_convert,      ///< fcvt.*
  fp_status,       ///< fsetc, fclrf
  fp_check,        ///< fchkf; a failed one is a taken branch
  branch,          ///< see BranchKind
  branch_predict,  ///< brp
  system_branch    ///< bsw, rfi, epc, vmsw
};

/// Completers of loads. Check loads come last.
enum class LoadKind : std::uint8_t {
  plain,
  speculative,           ///< .s
  advanced,              ///< .a
  speculative_advanced,  ///< .sa
  bias,                  ///< .bias
  acquire,               ///< .acq
  fill,                  ///< ld8.fill and ldf.fill
  check_clear,           ///< .c.clr
  check_no_clear,        ///< .c.nc
  check_clear_acquire    ///< .c.clr.acq
};

/// Locality completer of loads, stores, semaphores and lfetch.
enum class Locality : std::uint8_t { none, nt1, nt2, nta };

/// Types of branches (manual, volume 3, br).
enum class BranchKind : std::uint8_t {
  none,
  cond,           ///< IP-relative with a predicate, including brl.cond
  wexit,          ///< modulo-scheduled while loop: exit
  wtop,           ///< modulo-scheduled while loop: top
  cloop,          ///< counted loop, ar.lc
  cexit,          ///< modulo-scheduled counted loop: exit
  ctop,           ///< modulo-scheduled counted loop: top
  call,           ///< IP-relative, br and brl
  ret,            ///< through a branch register, restores the frame
  indirect,       ///< through a branch register
  indirect_call,  ///< through a branch register, with a new frame
  ia              ///< through a branch register, to IA-32 code
};

/// Whether hint completer: static or dynamic, not taken or taken; brp also has .loop and .exit.
enum class Whether : std::uint8_t { spnt, sptk, dpnt, dptk, loop, exit };

/// General, floating-point, predicate, branch, application and control registers.
enum class RegisterFile : std::uint8_t { gr, fr, pr, br, ar, cr };

/// A register with its number in the instruction, before rotation and renaming by the register stack.
struct Register {
  RegisterFile file = RegisterFile::gr;  ///< register file
  std::uint8_t number = 0;               ///< number in the file; see also all_predicates
  bool operator==(const Register&) const = default;
};

/// Number in file pr for all (rotating) predicates, which `mov =pr`, `mov pr=` and `mov pr.rot=` use.
inline constexpr std::uint8_t all_predicates = 64;

/// Numbers of application registers (file ar).
inline constexpr std::uint8_t ar_rsc = 16;       ///< register stack configuration
inline constexpr std::uint8_t ar_bsp = 17;       ///< backing store pointer
inline constexpr std::uint8_t ar_bspstore = 18;  ///< backing store pointer for memory stores
inline constexpr std::uint8_t ar_rnat = 19;      ///< NaT collection of the register stack
inline constexpr std::uint8_t ar_csd = 25;       ///< compare and store data
inline constexpr std::uint8_t ar_ccv = 32;       ///< compare value of cmpxchg
inline constexpr std::uint8_t ar_unat = 36;      ///< NaT collection of the user
inline constexpr std::uint8_t ar_fpsr = 40;      ///< floating-point status
inline constexpr std::uint8_t ar_itc = 44;       ///< interval time counter
inline constexpr std::uint8_t ar_pfs = 64;       ///< previous function state
inline constexpr std::uint8_t ar_lc = 65;        ///< loop count
inline constexpr std::uint8_t ar_ec = 66;        ///< epilog count

/// A decoded slot of a bundle. Members that do not apply to its kind keep their defaults.
struct Slot {
  std::uint64_t encoding = 0;  ///< 41 bits
  Unit unit = Unit::M;         ///< type of the slot
  bool stop_after = false;     ///< an instruction group ends after this slot
  bool a_type = false;         ///< may execute on an M or an I port
  Kind kind = Kind::illegal;   ///< kind of operation
  std::string mnemonic;        ///< with completers as in the manual, e.g. "ld8.c.clr.nt1"; "" for illegal
  std::uint8_t predicate = 0;  ///< qualifying predicate; 0 is always true
  bool unpredicated = false;   ///< executes independent of the predicate (br.cloop, cover, alloc, ...)

  /// Registers read, without duplicates. Excludes the qualifying predicate, r0, f0, f1, p0,
  /// and ar.fpsr in floating-point arithmetic.
  std::vector<Register> reads;
  std::vector<Register> writes;         ///< registers written, likewise; includes a post-incremented base
  std::vector<Register> address_reads;  ///< registers that form a memory address, also in reads

  std::uint8_t access_size = 0;  ///< size of the memory access in bytes: 1, 2, 4, 8, 10 (ldfe), 16 (fill, ldfp8)
  LoadKind load_kind = LoadKind::plain;  ///< completer of a load
  Locality locality = Locality::none;    ///< hint of a memory access
  bool post_increment = false;           ///< the base register is incremented after the access
  bool release = false;                  ///< st.rel, semaphore .rel
  bool acquire = false;                  ///< ld.acq, ld.c.clr.acq, semaphore .acq
  bool excl = false;                     ///< lfetch.excl
  bool fault = false;                    ///< lfetch.fault

  BranchKind branch = BranchKind::none;  ///< none for instructions that are not branches
  Whether whether = Whether::spnt;       ///< hint of a branch, or of brp
  bool many = false;                     ///< sequential prefetch completer .many
  bool deallocate = false;               ///< .clr
  bool important = false;                ///< brp.imp
  bool has_target = false;               ///< IP-relative branch, chk, fchkf, brp: the encoding contains the target
  std::uint64_t target = 0;              ///< bundle address, if has_target
  std::uint64_t tagged = 0;              ///< brp: bundle address of the branch that it predicts

  std::uint8_t sof = 0;  ///< alloc: size of the frame
  std::uint8_t sol = 0;  ///< alloc: number of local registers
  std::uint8_t sor = 0;  ///< alloc: size of the rotating part in groups of eight
  std::uint8_t fp_operations =
      0;  ///< weight in FP_OPS_RETIRED: multiply-add 2, one operand f0 or f1 1; parallel twice that
  std::uint64_t immediate = 0;  ///< immediate of break, nop, hint, movl and others, sign-extended as in the manual

  [[nodiscard]] bool is_load() const {  ///< reads memory if it executes and, for a check load, misses the ALAT
    return kind == Kind::load || kind == Kind::fp_load || kind == Kind::fp_load_pair || kind == Kind::semaphore;
  }
  /// Writes memory if it executes. True for semaphores, which also read.
  [[nodiscard]] bool is_store() const {
    return kind == Kind::store || kind == Kind::fp_store || kind == Kind::semaphore;
  }
  /// A load that first checks the ALAT.
  [[nodiscard]] bool is_check_load() const { return load_kind >= LoadKind::check_clear; }
  /// br and brl, but not chk and brp.
  [[nodiscard]] bool is_branch() const { return kind == Kind::branch; }
  /// Its data is in floating-point registers: counts in the FP half of the chk, ld.c and ALAT events.
  [[nodiscard]] bool on_fp_register() const;
};

/// A decoded bundle.
struct Bundle {
  std::uint64_t pc = 0;              ///< address, a multiple of 16
  std::uint8_t template_number = 0;  ///< low five bits, 0 to 0x1d
  bool legal_template = false;       ///< the template number is defined
  std::array<Slot, 3> slots;         ///< in the order of execution
  /// MLX: slots 1 and 2 form one instruction, which is in slot 2; slot 1 is never executed (`-` in the mask).
  [[nodiscard]] bool is_mlx() const { return slots[1].unit == Unit::L; }
};

/// Decodes a bundle. Never fails: reserved encodings have Kind::illegal; an illegal template has legal_template = false
/// and three illegal slots.
[[nodiscard]] Bundle decode(std::uint64_t pc, std::span<const std::uint8_t, 16> bytes);
/// Decodes an entry of a trace's code dictionary.
[[nodiscard]] inline Bundle decode(const Code& code) { return decode(code.pc, code.bytes); }

/// Outcome of a control- or data-speculative instruction, derived from slot mask, accesses and branch outcome.
enum class Speculation : std::uint8_t {
  none,      ///< not executed, or not speculative
  deferred,  ///< ld.s, ld.sa or ldf.s wrote NaT instead of loading
  loaded,    ///< ld.s, ld.a, ld.sa loaded
  hit,       ///< ld.c or chk.a found its ALAT entry; chk.s found no NaT
  failed     ///< ld.c loaded again; chk.a or chk.s branched to its recovery code
};
/// Outcome of a slot in this execution of the bundle.
[[nodiscard]] Speculation speculation_of(const Bundle& bundle, unsigned slot, const Instruction& executed);

/// `place` modulo `size`. Faster than a division if `place` is not much larger than `size`.
template <class T>
[[nodiscard]] constexpr T wrapped(T place, T size) {
  while (place >= size) place -= size;
  return place;
}

/// The current frame marker. Recorder and readers derive it and the backing store pointer from the instructions with
/// the same rules; the recorder adds the keys `cfm=` and `bsp=` to lines for which the rules are not sufficient.
/// Manual, volume 1, chapter 4.1 (frames, rotation) and volume 2, chapter 6 (backing store).
struct Frame {
  std::uint8_t sof = 0;     ///< size of the frame
  std::uint8_t sol = 0;     ///< number of local registers
  std::uint8_t sor = 0;     ///< size of the rotating part in groups of eight
  std::uint8_t rrb_gr = 0;  ///< register rename base of general registers
  std::uint8_t rrb_fr = 0;  ///< register rename base of floating-point registers
  std::uint8_t rrb_pr = 0;  ///< register rename base of predicates
  bool operator==(const Frame&) const = default;
  /// The 38-bit marker as in ar.pfs.
  [[nodiscard]] std::uint64_t marker() const;
  /// The frame of a marker; bits above bit 37 are ignored.
  [[nodiscard]] static Frame from_marker(std::uint64_t marker);
  /// The position in the stack frame, 0 to sof-1, of r32 to r127 after rotation.
  [[nodiscard]] unsigned rotated_gr(unsigned number) const {
    const unsigned place = number - 32, rotating = 8u * sor;
    return place < rotating ? wrapped(place + rrb_gr, rotating) : place;
  }
  /// The number of f32 to f127 after rotation; lower registers do not rotate.
  [[nodiscard]] unsigned rotated_fr(unsigned number) const {
    return number < 32 ? number : 32 + wrapped(number - 32 + rrb_fr, 96u);
  }
  /// The number of p16 to p63 after rotation; lower registers do not rotate.
  [[nodiscard]] unsigned rotated_pr(unsigned number) const {
    return number < 16 ? number : 16 + wrapped(number - 16 + rrb_pr, 48u);
  }
};

/// Tracks the frame and the backing store pointer through a trace.
class FrameTracker {
 public:
  /// Applies an executed line, including its keys `cfm=` and `bsp=`.
  void step(const Bundle& bundle, const Instruction& executed);
  /// Applies one executed slot of a line, for callers that need the frame between slots. Call it in order.
  void step(const Slot& slot, bool taken);
  /// Applies the keys of a line. Call it after its slots.
  void apply(const Annotations& annotations);

  /// Current frame.
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] std::uint64_t bsp() const { return bsp_; }  ///< backing store address of r32
  /// Sets the current frame.
  void set(const Frame& frame) { frame_ = frame; }
  /// Sets the current ar.bsp.
  void set_bsp(std::uint64_t bsp) { bsp_ = bsp; }

 private:
  void enter(unsigned sol);
  void leave();
  void rotate();
  Frame frame_;
  std::uint64_t bsp_ = 0;
  std::vector<Frame> callers_;
};

/// The backing store address `registers` above `bsp`. Every 64th word (address bits 8:3 all one) is a NaT collection.
[[nodiscard]] std::uint64_t bsp_plus(std::uint64_t bsp, unsigned registers);
/// The backing store address `registers` below `bsp`.
[[nodiscard]] std::uint64_t bsp_minus(std::uint64_t bsp, unsigned registers);

}  // namespace pmusim::trace::ia64
