// Effects of single instructions in small programs; the expected values come from the host's arithmetic or from the
// definitions in the architecture manual, volume 3.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <functional>
#include <random>

#include "assembled.h"
#include "testbench/tests/tools.h"

namespace {

using namespace pmusim;
using Value = std::uint64_t;

using Instructions = testbench::WithBinutils;

struct Case {
  std::string snippet;
  Value expected;
};

void expect(const std::vector<Case>& cases) {
  std::vector<std::string> snippets;
  snippets.reserve(cases.size());
  for (const Case& c : cases) snippets.push_back(c.snippet);
  const auto results = testbench::evaluate(snippets);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(results[i], cases[i].expected)
        << cases[i].snippet << fmt::format("\n{:x}, right {:x}", results[i], cases[i].expected);
  }
}

/// The instruction on pairs of r14 and r15, with the result of the host.
std::vector<Case> on_pairs(const std::string& instruction, const std::function<Value(Value, Value)>& host) {
  static std::mt19937_64 random(7);
  std::vector<Case> cases;
  for (unsigned i = 0; i < 12; ++i) {
    Value a = random(), b = random();
    if (i % 4 == 1) a >>= random() % 64;
    if (i % 4 == 2) b = random() % 70;
    if (i % 4 == 3) b = a;
    cases.push_back({fmt::format("movl r14 = {:#x}\nmovl r15 = {:#x}\n;;\n{}\n", a, b, instruction), host(a, b)});
  }
  return cases;
}

/// Applies f to each pair of elements.
template <typename T, typename Function>
Value elements(Value a, Value b, Function f) {
  Value result = 0;
  for (unsigned i = 0; i < 8 / sizeof(T); ++i) {
    const unsigned at = 8 * sizeof(T) * i;
    result |=
        static_cast<Value>(static_cast<std::make_unsigned_t<T>>(f(static_cast<T>(a >> at), static_cast<T>(b >> at))))
        << at;
  }
  return result;
}

TEST_F(Instructions, IntegerArithmetic) {
  std::vector<Case> cases;
  const auto add = [&](const std::string& text, const std::function<Value(Value, Value)>& host) {
    for (Case& c : on_pairs(text, host)) cases.push_back(std::move(c));
  };
  add("add r8 = r14, r15", [](Value a, Value b) { return a + b; });
  add("add r8 = r14, r15, 1", [](Value a, Value b) { return a + b + 1; });
  add("sub r8 = r14, r15", [](Value a, Value b) { return a - b; });
  add("sub r8 = r14, r15, 1", [](Value a, Value b) { return a - b - 1; });
  add("sub r8 = -7, r15", [](Value, Value b) { return Value(-7) - b; });
  add("andcm r8 = r14, r15", [](Value a, Value b) { return a & ~b; });
  add("xor r8 = r14, r15", [](Value a, Value b) { return a ^ b; });
  add("or r8 = -128, r15", [](Value, Value b) { return b | Value(-128); });
  add("shladd r8 = r14, 3, r15", [](Value a, Value b) { return 8 * a + b; });
  add("adds r8 = -8192, r15", [](Value, Value b) { return b - 8192; });
  add("addp4 r8 = r14, r15", [](Value a, Value b) { return ((a + b) & 0xffffffff) | (b >> 30 & 3) << 61; });
  add("shl r8 = r14, r15", [](Value a, Value b) { return b > 63 ? 0 : a << b; });
  add("shr.u r8 = r14, r15", [](Value a, Value b) { return b > 63 ? 0 : a >> b; });
  add("shr r8 = r14, r15", [](Value a, Value b) { return Value(std::int64_t(a) >> (b > 63 ? 63 : b)); });
  add("shrp r8 = r14, r15, 20", [](Value a, Value b) { return a << 44 | b >> 20; });
  add("extr r8 = r14, 10, 12", [](Value a, Value) { return Value(std::int64_t(a << 42) >> 52); });
  add("extr.u r8 = r14, 60, 20", [](Value a, Value) { return a >> 60; });
  add("dep r8 = r14, r15, 5, 9", [](Value a, Value b) { return (b & ~(Value{0x1ff} << 5)) | (a & 0x1ff) << 5; });
  add("dep r8 = -1, r15, 60, 4", [](Value, Value b) { return b | Value{15} << 60; });
  add("dep.z r8 = r14, 40, 30", [](Value a, Value) { return a << 40; });
  add("dep.z r8 = -3, 4, 8", [](Value, Value) { return Value{0xfd} << 4; });
  add("sxt2 r8 = r14", [](Value a, Value) { return Value(std::int64_t(std::int16_t(a))); });
  add("zxt4 r8 = r14", [](Value a, Value) { return a & 0xffffffff; });
  add("popcnt r8 = r14", [](Value a, Value) { return Value(std::popcount(a)); });
  add("setf.sig f6 = r14\nsetf.sig f7 = r15\n;;\nxmpy.hu f8 = f6, f7\n;;\ngetf.sig r8 = f8", [](Value a, Value b) {
    __extension__ using Wide = unsigned __int128;
    return Value(Wide{a} * b >> 64);
  });
  add("setf.sig f6 = r14\nsetf.sig f7 = r15\n;;\nxma.h f8 = f6, f7, f6\n;;\ngetf.sig r8 = f8", [](Value a, Value b) {
    __extension__ using Wide = __int128;
    return Value((Wide{std::int64_t(a)} * std::int64_t(b) + Wide{a}) >> 64);
  });
  expect(cases);
}

TEST_F(Instructions, ParallelInteger) {
  std::vector<Case> cases;
  const auto add = [&](const std::string& text, const std::function<Value(Value, Value)>& host) {
    for (Case& c : on_pairs(text + " r8 = r14, r15", host)) cases.push_back(std::move(c));
  };
  using u8 = std::uint8_t;
  using s16 = std::int16_t;
  using u16 = std::uint16_t;
  using s32 = std::int32_t;
  add("padd1", [](Value a, Value b) { return elements<u8>(a, b, [](int x, int y) { return x + y; }); });
  add("padd1.uuu",
      [](Value a, Value b) { return elements<u8>(a, b, [](int x, int y) { return std::min(x + y, 255); }); });
  add("psub2.sss", [](Value a, Value b) {
    return elements<s16>(a, b, [](int x, int y) { return std::clamp(x - y, -32768, 32767); });
  });
  add("psub2.uus", [](Value a, Value b) {
    return elements<u16>(a, b, [](int x, int y) { return std::clamp(x - s16(y), 0, 65535); });
  });
  add("padd4", [](Value a, Value b) { return elements<s32>(a, b, [](Value x, Value y) { return x + y; }); });
  add("pavg1.raz", [](Value a, Value b) { return elements<u8>(a, b, [](int x, int y) { return (x + y + 1) / 2; }); });
  add("pcmp2.gt", [](Value a, Value b) { return elements<s16>(a, b, [](int x, int y) { return x > y ? -1 : 0; }); });
  add("pcmp1.eq", [](Value a, Value b) { return elements<u8>(a, b, [](int x, int y) { return x == y ? -1 : 0; }); });
  add("pmax2", [](Value a, Value b) { return elements<s16>(a, b, [](int x, int y) { return std::max(x, y); }); });
  add("pmin1.u", [](Value a, Value b) { return elements<u8>(a, b, [](int x, int y) { return std::min(x, y); }); });
  add("psad1", [](Value a, Value b) {
    Value sum = 0;
    for (unsigned i = 0; i < 64; i += 8) sum += Value(std::abs(int(a >> i & 255) - int(b >> i & 255)));
    return sum;
  });
  add("pshl2", [](Value a, Value b) { return elements<u16>(a, b, [&](int x, int) { return b > 15 ? 0 : x << b; }); });
  add("pshr4", [](Value a, Value b) {
    return elements<s32>(b, a, [&](s32 y, s32) { return y; }) * 0 +
           elements<s32>(a, a, [&](s32 x, s32) { return x >> std::min<Value>(b, 31); });
  });
  expect(cases);
  // permutations as drawn in the manual, with distinct bytes that identify their source
  const std::string set = "movl r14 = 0x7766554433221100\nmovl r15 = 0xffeeddccbbaa9988\n;;\n";
  expect(
      {{set + "mux1 r8 = r14, @rev", 0x0011223344556677},
       {set + "mux1 r8 = r14, @mix", 0x7733551166224400},
       {set + "mux1 r8 = r14, @shuf", 0x7733662255114400},
       {set + "mux1 r8 = r14, @alt", 0x7755331166442200},
       {set + "mux1 r8 = r14, @brcst", 0},
       {set + "mux2 r8 = r14, 0x1b", 0x1100332255447766},
       {set + "mix1.l r8 = r14, r15", 0x77ff55dd33bb1199},
       {set + "mix2.r r8 = r14, r15", 0x5544ddcc11009988},
       {set + "mix4.l r8 = r14, r15", 0x77665544ffeeddcc},
       {set + "unpack1.h r8 = r14, r15", 0x77ff66ee55dd44cc},
       {set + "unpack2.l r8 = r14, r15", 0x3322bbaa11009988},
       {set + "unpack4.h r8 = r14, r15", 0x77665544ffeeddcc},
       {"movl r14 = 0x7fff8000ff800001\nmovl r15 = 0x00ff0100ffff0000\n;;\npack2.uss r8 = r14, r15",
        0xffff0000ff000001},
       {"movl r14 = 0x7fff8000ff800001\nmovl r15 = 0x00ff0100ffff0000\n;;\npack2.sss r8 = r14, r15",
        0x7f7fff007f808001},
       {"movl r14 = 0x0000800000010000\nmov r15 = r0\n;;\npack4.sss r8 = r14, r15", 0x000000007fff7fff},
       {"movl r14 = 0x1100220033004400\n;;\nczx1.l r8 = r14", 1},
       {"movl r14 = 0x1100220033004400\n;;\nczx1.r r8 = r14", 0},
       {"movl r14 = 0x1100220033004411\n;;\nczx2.r r8 = r14", 4},
       {"movl r14 = 0x0003fffe00047fff\nmovl r15 = 0x0002000200027fff\n;;\npmpyshr2 r8 = r14, r15, 0",
        0x0006fffc00080001},
       {"movl r14 = 0x0003fffe00047fff\nmovl r15 = 0x0002000200027fff\n;;\npmpy2.r r8 = r14, r15", 0xfffffffc3fff0001},
       {"movl r14 = 0x4000000100010001\nmovl r15 = 0x1\n;;\npshladd2 r8 = r14, 2, r15", 0x7fff000400040005}});
}

/// Every compare type, with its qualifying predicate on and off, on targets that were 0 and 1.
TEST_F(Instructions, ParallelAndUnconditionalCompares) {
  std::vector<Case> cases;
  constexpr int keep = -1;
  struct Type {
    const char* name;
    std::array<int, 2> holds, fails;  ///< the targets, if the comparison holds or not
    bool clears_when_off;
  };
  const Type types[] = {{"", {1, 0}, {0, 1}, false},
                        {".unc", {1, 0}, {0, 1}, true},
                        {".and", {keep, keep}, {0, 0}, false},
                        {".or", {1, 1}, {keep, keep}, false},
                        {".or.andcm", {1, 0}, {keep, keep}, false}};
  for (const Type& type : types) {
    for (unsigned i = 0; i < 16; ++i) {
      const bool equal = (i & 1) != 0, on = (i & 2) != 0;
      const int p6 = i >> 2 & 1, p7 = i >> 3 & 1;
      const std::string head = fmt::format(
          "cmp.{} p6, p0 = r0, r0\ncmp.{} p7, p0 = r0, r0\ncmp.{} p8, p0 = r0, r0\nmov r14 = {}\nmov r8 = r0\n;;\n",
          p6 ? "eq" : "ne", p7 ? "eq" : "ne", on ? "eq" : "ne", equal ? 5 : 4);
      const std::string tail = "\n;;\n(p6) adds r8 = 1, r8\n;;\n(p7) adds r8 = 2, r8\n";
      const std::array none = {type.clears_when_off ? 0 : keep, type.clears_when_off ? 0 : keep};
      const auto [a, b] = !on ? none : equal ? type.holds : type.fails;
      const Value expected = Value(a == keep ? p6 : a) + 2 * Value(b == keep ? p7 : b);
      cases.push_back({head + fmt::format("(p8) cmp.eq{} p6, p7 = 5, r14", type.name) + tail, expected});
      cases.push_back({head + fmt::format("(p8) tbit.nz{} p6, p7 = r14, 0", type.name) + tail, expected});
      cases.push_back({head + fmt::format("(p8) cmp4.eq{} p6, p7 = 5, r14", type.name) + tail, expected});
    }
  }
  // comparison with r0; unsigned and 32-bit relations
  const std::string negative = "movl r14 = 0xffffffff00000001\nmov r8 = r0\n;;\n", read = "\n;;\n(p6) mov r8 = 1\n";
  cases.push_back({negative + "cmp.eq p6, p0 = r0, r0\n;;\ncmp.gt.and p6, p7 = r0, r14" + read, 1});
  cases.push_back({negative + "cmp.lt p6, p0 = r14, r0" + read, 1});
  cases.push_back({negative + "cmp.ltu p6, p0 = r14, r0" + read, 0});
  cases.push_back({negative + "cmp4.lt p6, p0 = r0, r14" + read, 1});
  cases.push_back({negative + "cmp.ne p6, p0 = r0, r0\n;;\ncmp.ge.or p6, p7 = r0, r14" + read, 1});
  cases.push_back(
      {"mov r8 = r0\nld8.s r14 = [r0]\n;;\ncmp.eq p6, p7 = r14, r14\n;;\n(p6) mov r8 = 1\n(p7) mov r8 = 2\n", 0});
  cases.push_back(
      {"mov r8 = r0\nld8.s r14 = [r0]\n;;\ntnat.nz p6, p7 = r14\n;;\n(p6) mov r8 = 1\n(p7) mov r8 = 2\n", 1});
  expect(cases);
}

TEST_F(Instructions, MemoryForms) {
  const std::string at = "movl r14 = work\nmovl r15 = 0x8877665544332211\n;;\nst8 [r14] = r15\n;;\n";
  expect({{at + "ld1 r8 = [r14]", 0x11},
          {at + "ld2 r8 = [r14], 2\n;;\nld4 r9 = [r14]\n;;\nadd r8 = r8, r9", 0x2211 + 0x66554433},
          {at + "mov r16 = 3\n;;\nld1 r9 = [r14], r16\n;;\nld1 r8 = [r14]", 0x44},
          {at + "st4 [r14] = r0, 4\n;;\nadds r14 = -4, r14\n;;\nld8 r8 = [r14]", 0x8877665500000000},
          {at + "ldf8 f6 = [r14]\n;;\ngetf.sig r8 = f6", 0x8877665544332211},
          {at + "adds r16 = 16, r14\n;;\nldf.fill f6 = [r14]\nmovl r17 = 0x3ff8000000000000\n;;\nsetf.d f7 = r17\n;;\n"
                "stfe [r16] = f7\n;;\nldfe f8 = [r16]\n;;\ngetf.d r8 = f8",
           0x3ff8000000000000},
          {at + "adds r16 = 8, r14\nmovl r17 = 0x4000000000000000\n;;\nst8 [r16] = r17\n;;\nldfpd f6, f7 = [r14]\n;;\n"
                "getf.d r8 = f7",
           0x4000000000000000},
          {at + "mov ar.ccv = r15\n;;\ncmpxchg8.acq r9 = [r14], r0, ar.ccv\n;;\nld8 r8 = [r14]", 0},
          {at + "mov ar.ccv = r0\n;;\ncmpxchg8.acq r8 = [r14], r0, ar.ccv\n;;\nld8 r9 = [r14]\n;;\nsub r8 = r8, r9", 0},
          {at + "fetchadd8.rel r9 = [r14], -16\n;;\nld8 r8 = [r14]", 0x8877665544332201},
          {at + "xchg4 r8 = [r14], r0\n;;\nld4 r9 = [r14]\n;;\nadd r8 = r8, r9", 0x44332211},
          // NaT through spill and fill: bit address{8:3} of ar.unat
          {at + "ld8.s r16 = [r0]\n;;\nst8.spill [r14] = r16\n;;\nld8.fill r17 = [r14]\n;;\ntnat.nz p6, p7 = r17\n;;\n"
                "(p6) mov r8 = 1\n(p7) mov r8 = 2",
           1},
          {"movl r8 = 0x1234\n;;\nmov b6 = r8\n;;\nmov r8 = b6", 0x1234},
          // mask bit 16 stands for p16 and all later predicates
          {"movl r9 = 0x15555500\n;;\nmov pr = r9, 0xfffe\n;;\nmov r8 = pr\n;;\nmov pr = r0, -1", 0x5501},
          {"movl r9 = 0x15555500\n;;\nmov pr = r9, 0x10000\n;;\nmov r8 = pr\n;;\nmov pr = r0, -1", 0x15550001}});
}

TEST_F(Instructions, AdvancedLoads) {
  const std::string at = "invala\nmovl r14 = work\nmov r15 = 5\n;;\nadds r16 = 8, r14\nst8 [r14] = r15\n;;\n";
  const std::string missed = "\n;;\nmov r8 = 1\nbr.cond.sptk 2f\n;;\n1: mov r8 = 2\n;;\n2:\n";
  expect({// a store to another address keeps the entry, a store of one byte inside removes it
          {at + "ld8.a r17 = [r14]\n;;\nst8 [r16] = r0\n;;\nchk.a.nc r17, 1f" + missed, 1},
          {at + "ld8.a r17 = [r14]\n;;\nadds r18 = 7, r14\n;;\nst1 [r18] = r0\n;;\nchk.a.nc r17, 1f" + missed, 2},
          {at + "ld8.a r17 = [r14]\n;;\nchk.a.clr r17, 1f\n;;\nchk.a.nc r17, 1f" + missed, 2},
          {at + "ld8.a r17 = [r14]\n;;\ninvala.e r17\n;;\nchk.a.nc r17, 1f" + missed, 2},
          {at + "ld8.a r17 = [r14]\n;;\ninvala\n;;\nchk.a.nc r17, 1f" + missed, 2},
          // a hit keeps the register's value, a miss loads
          {at + "ld8.a r8 = [r14]\n;;\nmov r8 = 9\n;;\nld8.c.clr r8 = [r14]", 9},
          {at + "ld8.a r8 = [r14]\n;;\nst8 [r14] = r0\n;;\nld8.c.nc r8 = [r14]", 0},
          {at + "ld8.a r8 = [r14]\n;;\nld8.c.clr r8 = [r14]\n;;\nmov r8 = 9\n;;\nld8.c.clr r8 = [r14]", 5},
          // 33 entries do not fit into the 32 of the ALAT
          {at +
               [] {
                 std::string text;
                 for (unsigned i = 0; i < 33; ++i) text += fmt::format("ld8.a r{} = [r14]\n;;\n", 40 + i);
                 return text;
               }() +
               "chk.a.nc r40, 1f" + missed,
           2},
          {at + "ldfd.a f6 = [r14]\n;;\nst8 [r16] = r0\n;;\nchk.a.nc f6, 1f" + missed, 1}});
}

TEST_F(Instructions, SpeculationDefers) {
  const std::string chk = "\n;;\nmov r8 = 1\nbr.cond.sptk 2f\n;;\n1: mov r8 = 2\n;;\n2:\n";
  expect(
      {{"movl r14 = 0x123456789000\n;;\nld8.s r15 = [r14]\n;;\nchk.s.m r15, 1f" + chk, 2},
       {"movl r14 = work\n;;\nld8.s r15 = [r14]\n;;\nchk.s.i r15, 1f" + chk, 1},
       {"ld8.s r14 = [r0]\n;;\nadd r15 = r14, r0\n;;\nshladd r15 = r15, 2, r15\n;;\nchk.s.m r15, 1f" + chk, 2},
       {"ldfd.s f6 = [r0]\n;;\nfadd f7 = f6, f6\n;;\nchk.s f7, 1f" + chk, 2},
       {"ld8.s r14 = [r0]\n;;\nsetf.d f6 = r14\n;;\nfclass.m p6, p7 = f6, @nat\n;;\n(p6) mov r8 = 1\n(p7) mov r8 = 2",
        1}});
}

TEST_F(Instructions, FloatingPoint) {
  const auto two = [](double a, double b) {
    return fmt::format("movl r14 = {:#x}\nmovl r15 = {:#x}\n;;\nsetf.d f6 = r14\nsetf.d f7 = r15\n;;\n",
                       std::bit_cast<Value>(a), std::bit_cast<Value>(b));
  };
  const auto bits = [](double value) { return std::bit_cast<Value>(value); };
  const std::string read = "\n;;\ngetf.d r8 = f8";
  // division by the manual's software sequences: one rounding, so the result equals the host's
  const std::string divide =
      "frcpa.s0 f8, p6 = f6, f7\n;;\n(p6) fma.s1 f9 = f6, f8, f0\n(p6) fnma.s1 f10 = f7, f8, f1\n;;\n"
      "(p6) fma.s1 f9 = f10, f9, f9\n(p6) fma.s1 f11 = f10, f10, f0\n(p6) fma.s1 f8 = f10, f8, f8\n;;\n"
      "(p6) fma.s1 f9 = f11, f9, f9\n(p6) fma.s1 f12 = f11, f11, f0\n(p6) fma.s1 f8 = f11, f8, f8\n;;\n"
      "(p6) fma.d.s1 f9 = f12, f9, f9\n(p6) fma.s1 f8 = f12, f8, f8\n;;\n"
      "(p6) fnma.d.s1 f13 = f7, f9, f6\n;;\n(p6) fma.d.s0 f8 = f13, f8, f9";
  std::vector<Case> cases;
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 40; ++i) {
    const double a = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 60) - 100),
                 b = std::ldexp(static_cast<double>(random() | 1), static_cast<int>(random() % 60) - 90);
    cases.push_back({two(a, b) + divide + read, bits(a / b)});
    cases.push_back({two(a, b) + "fadd.d f8 = f6, f7" + read, bits(a + b)});
    cases.push_back({two(a, b) + "fnmpy.d f8 = f6, f7" + read, bits(-(a * b))});
    cases.push_back({two(a, b) + "fms.d f8 = f6, f7, f6" + read, bits(std::fma(a, b, -a))});
    cases.push_back({two(a, b) + "fmin f8 = f6, f7" + read, bits(std::min(a, b))});
    cases.push_back({two(-a, b) + "famax f8 = f6, f7" + read, bits(a > b ? -a : b)});
  }
  cases.push_back({two(1.0, 0.0) + divide + read, bits(std::numeric_limits<double>::infinity())});
  cases.push_back({two(-2.5, 3) + "fcvt.fx.trunc f8 = f6\n;;\ngetf.sig r8 = f8", Value(-2)});
  cases.push_back({two(2.5, 3) + "fcvt.fx f8 = f6\n;;\ngetf.sig r8 = f8", 2});
  cases.push_back({two(-2.5, 3) + "fcvt.fxu f8 = f6\n;;\ngetf.sig r8 = f8", Value{1} << 63});
  cases.push_back({"mov r14 = -3\n;;\nsetf.sig f6 = r14\n;;\nfcvt.xf f8 = f6" + read, bits(-3.0)});
  cases.push_back({two(-2.5, 3) + "fmerge.s f8 = f6, f7" + read, bits(-3.0)});
  cases.push_back({two(-2.5, 3) + "fmerge.se f8 = f6, f7" + read, bits(-3.0)});
  cases.push_back({two(1.5, -2) + "fpack f8 = f6, f7\n;;\ngetf.sig r8 = f8", 0x3fc00000c0000000});
  cases.push_back({two(1.5, -2) + "fpack f8 = f6, f7\n;;\nfpma f9 = f8, f8, f8\n;;\ngetf.sig r8 = f9",
                   Value{std::bit_cast<std::uint32_t>(3.75f)} << 32 | std::bit_cast<std::uint32_t>(2.0f)});
  cases.push_back({two(1.5, -2) + "mov r8 = r0\nfcmp.lt p6, p7 = f7, f6\n;;\n(p6) mov r8 = 1", 1});
  cases.push_back({two(std::nan(""), -2) + "mov r8 = r0\nfcmp.unord p6, p7 = f7, f6\n;;\n(p6) mov r8 = 1", 1});
  cases.push_back({two(-0.0, 1) + "mov r8 = r0\nfclass.m p6, p7 = f6, @zero | @neg\n;;\n(p6) mov r8 = 1", 1});
  cases.push_back({two(5e-324, 1) + "mov r8 = r0\nfclass.m p6, p7 = f6, @unorm | @pos\n;;\n(p6) mov r8 = 1", 1});
  cases.push_back({two(1, 0) + "movl r16 = 0x2ffff\n;;\nsetf.exp f8 = r16" + read, bits(-1.0)});
  cases.push_back({two(1.5, 1) + "getf.exp r8 = f6", 0xffff});
  expect(cases);
}

}  // namespace
