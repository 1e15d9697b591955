// Bundles and traces for tests: named syllables that are combined here, so that a test reads like assembly.
#pragma once

#include <cstdint>
#include <string>

#include "testbench/tests/block_log.h"

namespace pmusim::testbench::ia64 {

/// Low five bits of a bundle; adding 1 gives the form with a stop at the end.
enum Template : unsigned {
  mii = 0x00,
  mlx = 0x04,
  mmi = 0x08,
  mfi = 0x0c,
  mmf = 0x0e,
  mib = 0x10,
  mbb = 0x12,
  bbb = 0x16,
  mmb = 0x18,
  mfb = 0x1c
};
constexpr Template stop(Template t) { return static_cast<Template>(t + 1); }

using Syllable = std::uint64_t;
constexpr Syllable r1(unsigned r) { return Syllable{r} << 6; }
constexpr Syllable r2(unsigned r) { return Syllable{r} << 13; }
constexpr Syllable r3(unsigned r) { return Syllable{r} << 20; }
constexpr Syllable r4(unsigned r) { return Syllable{r} << 27; }
/// Qualifying predicate.
constexpr Syllable qp(unsigned p) { return p; }

// Opcodes from the SDM's format tables, with operands zero.
constexpr Syllable nop = 0x00008000000, nop_b = 0x04000000000, nop_x_upper = 0, nop_x = 0x00008000000;
constexpr Syllable ld8 = 0x080c0000000, ld8_a = 0x082c0000000, ld8_c_clr = 0x088c0000000, ld8_s = 0x081c0000000,
                   ld8_acq = 0x085c0000000, ld8_fill = 0x086c0000000, st8 = 0x08cc0000000, st1 = 0x08c00000000,
                   st8_rel = 0x08dc0000000, st8_spill = 0x08ec0000000, ldfd = 0x0c0c0000000, ldfd_c_clr = 0x0c8c0000000,
                   stfd = 0x0ccc0000000, lfetch = 0x0cb00000000, xchg8 = 0x082c8000000, cmpxchg8_rel = 0x081c8000000,
                   mf = 0x00110000000, sync_i = 0x00198000000, srlz_i = 0x00188000000, fc = 0x02180000000,
                   mov_to_ccv = 0x02152000000, mov_from_ccv = 0x02112000000, mov_from_bspstore = 0x02111200000,
                   mov_to_rnat = 0x02151300000, mov_to_unat = 0x02152400000, setf_sig = 0x0c708000000,
                   getf_sig = 0x08708000000, add = 0x10000000000, sum_up = 0x00020000100, rum_up = 0x00028000100,
                   flushrs = 0x00060000000, ptc_l = 0x02048000000, break_m = 0x01000000000, shl = 0x0f240000000,
                   pmpy2 = 0x0ead0000000, cmp_eq = 0x1c000000000, mov_from_b0 = 0x00188000000,
                   mov_from_pr = 0x00198000000, fma_d = 0x12000000000, fcmp_eq = 0x08000000000, cover = 0x00010000000,
                   bsw_0 = 0x00060000000, shrp = 0x0ac00000000, extr = 0x0a400002000, dep = 0x09f80000000,
                   shr_u = 0x0f200000000, pshr2 = 0x0e220000000, popcnt = 0x0e690000000, mux2 = 0x0eea0000000,
                   padd2 = 0x10600000000, sxt4 = 0x000b0000000, shladd = 0x10080000000, or_ = 0x10070000000,
                   tbit_z = 0x0a000000000, cmp_ltu = 0x1a000000000, cmp_eq_or = 0x1a200000000, ld4 = 0x08080000000,
                   st4 = 0x08c80000000, ld8_post = 0x0a0c0010000, st8_post = 0x0acc0000200, ldf8 = 0x0c040000000,
                   ldfd_a = 0x0c2c0000000, ldfpd = 0x0c0c8000000, stf8 = 0x0cc40000000, xma_l = 0x1d000000000,
                   frcpa = 0x00200000000, fcvt_fx = 0x000c0000000, fmerge_s = 0x00080000000, movl = 0x0c000000000,
                   mov_to_b0 = 0x00e00100000, mov_from_lc = 0x00194100000, mov_from_unat = 0x02112400000,
                   mov_from_bsp = 0x02111100000;
/// Predicated by p6, which is false.
constexpr Syllable off = qp(6);
/// Compares write p6 (and p0).
constexpr Syllable to_p6 = Syllable{6} << 6;
constexpr Syllable to_p(unsigned p) { return Syllable{p} << 6; }
constexpr Syllable alloc(unsigned sof, unsigned sol) {
  return 0x02c00000000 | Syllable{sof} << 13 | Syllable{sol} << 20;
}
// Branches to a displacement in bytes.
constexpr Syllable displaced(Syllable branch, std::int64_t bytes) {
  const auto bundles = static_cast<Syllable>(bytes / 16);
  return branch | (bundles & 0xfffff) << 13 | (bundles >> 20 & 1) << 36;
}
constexpr Syllable br_sptk(std::int64_t bytes) { return displaced(0x08000000000, bytes); }
constexpr Syllable br_dptk(std::int64_t bytes) { return displaced(0x08400000000, bytes); }
constexpr Syllable br_dpnt(std::int64_t bytes) { return displaced(0x08600000000, bytes); }
constexpr Syllable br_cloop(std::int64_t bytes) { return displaced(0x08000000140, bytes); }
constexpr Syllable br_ctop(std::int64_t bytes) { return displaced(0x080000001c0, bytes); }
constexpr Syllable br_wtop(std::int64_t bytes) { return displaced(0x080000000c0, bytes); }
constexpr Syllable br_call(std::int64_t bytes) { return displaced(0x0a000000000, bytes); }
constexpr Syllable br_ret = 0x00108000100, br_b1 = 0x00100002000;
constexpr Syllable many = 0x1000;
constexpr Syllable chk_a(unsigned reg, std::int64_t bytes) { return displaced(0x00800000000, bytes) | r1(reg); }
constexpr Syllable chk_s(unsigned reg, std::int64_t bytes) {
  const auto bundles = static_cast<Syllable>(bytes / 16);
  return 0x02200000000 | r2(reg) | (bundles & 0x7f) << 6 | (bundles >> 7 & 0x1fff) << 20;
}

/// The bundle's bytes in memory order, as in a text trace.
std::string bundle(Template form, Syllable first, Syllable second, Syllable third);
inline const std::string nops = bundle(stop(mmi), nop, nop, nop),
                         one_load = bundle(stop(mmi), ld8 | r1(10) | r3(9), nop, nop),
                         one_store = bundle(stop(mmi), st8 | r2(10) | r3(9), nop, nop);
/// The address of the data that they access, as a rule.
constexpr std::uint64_t data = 0x6000000000000000;

/// A text trace. By default every bundle hits L1I and ITLB, so that fetch takes one cycle a pair.
class Script : public ScriptText<Script> {
 public:
  static constexpr std::uint64_t start = 0x4000000000010000;

  explicit Script(bool forced = true) : ScriptText(start), forced_(forced) {}
  Script& add(const std::string& bytes, const std::string& rest = "", const std::string& mask = "xxx");
  Script& repeat(unsigned count, const std::string& bytes, const std::string& rest = "",
                 const std::string& mask = "xxx");
  /// A taken branch in a slot; the next line is at its target.
  Script& go(const std::string& bytes, unsigned slot, std::uint64_t target, const std::string& keys = "",
             const std::string& mask = "xxx", const std::string& accesses = "");

 private:
  bool forced_;
};

}  // namespace pmusim::testbench::ia64
