// Measurements of the Itanium 2 and the Montecito.
#include <fmt/format.h>

#include <map>

#include "bench.h"
#include "measures.h"
#include "reference.h"
#include "testbench/tests/core_itanium2/code.h"

namespace pmusim::timing {
namespace {

using namespace testbench::ia64;

/// A bundle with its accesses.
struct Line {
  std::string bytes, accesses = "", mask = "xxx";
};
using Lines = std::vector<Line>;

/// Each access hits, unless a program specifies otherwise; floating-point accesses hit L2.
constexpr auto hits = "dtlb=hit data=l1";
constexpr std::uint64_t data = 0x6000000000000000;

/// Bundles that end an instruction group.
std::string m(Syllable s) { return bundle(stop(mmi), s, nop, nop); }
std::string m2(Syllable s) { return bundle(stop(mmi), nop, s, nop); }
std::string i(Syllable s) { return bundle(stop(mii), nop, s, nop); }
std::string f(Syllable s) { return bundle(stop(mfi), nop, s, nop); }
std::string both_i(Syllable a, Syllable b) { return bundle(stop(mii), nop, a, b); }
std::string both_m(Syllable a, Syllable b) { return bundle(stop(mmi), a, b, nop); }
std::string both_f(Syllable s) { return bundle(mfi, nop, s | r1(20), nop); }

std::string access(char kind, unsigned slot, std::uint64_t offset, unsigned bytes = 8) {
  return fmt::format("{}{} {:x} {}", kind, slot, data + offset, bytes);
}

/// Syllables that compute register 10 of their register file from its previous value.
constexpr Syllable of_r2 = r1(10) | r2(10), of_r3 = r1(10) | r3(10), of_f2 = r1(10) | r2(10);

class Ia64 {
 public:
  explicit Ia64(std::string_view target)
      : chip_(target),
        caches_(chip_, [](const auto& addresses) { return loads(addresses, "dtlb=hit"); }),
        pages_(chip_, [](const auto& addresses) { return loads(addresses, "data=l1"); }) {}

  [[nodiscard]] const Walk& caches() const { return caches_; }
  [[nodiscard]] const Walk& pages() const { return pages_; }

  /// Clocks of these bundles, repeated.
  [[nodiscard]] double each(const Lines& lines, const std::string& keys = hits) const {
    return chip_.each([&](unsigned n) {
      Code code;
      for (; n != 0; --n) {
        for (const auto& [bytes, accesses, mask] : lines)
          code.op(bytes, mask + " " + accesses, accesses.empty() ? "" : keys);
      }
      return code.text();
    });
  }

  /// Groups of `number` floating-point loads, the first two in a separate bundle: no register is loaded again before
  /// its data has arrived, and no two loads of a group access the same bank.
  [[nodiscard]] double fp_loads(Syllable load, unsigned number, unsigned bytes) const {
    constexpr unsigned groups = 8, bank = 16, first_register = 32, in_bundle = 2;
    Lines lines;
    for (unsigned group = 0; group < groups; ++group) {
      for (unsigned done = 0; done < number; done += in_bundle) {
        std::array<Syllable, in_bundle> slots = {nop, nop};
        std::string accesses;
        for (unsigned slot = 0; slot < in_bundle && done + slot < number; ++slot) {
          const unsigned place = 4 * group + done + slot, reg = first_register + 2 * place;
          slots.at(slot) = load | r1(reg) | r3(9) | (load == ldfpd ? r2(reg + 1) : 0);
          accesses += access('L', slot, place * bank, bytes) + " ";
        }
        const bool last = done + in_bundle >= number;
        lines.push_back({bundle(last ? stop(mmi) : mmi, slots[0], slots[1], nop), accesses});
      }
    }
    return each(lines) / groups;
  }

  /// A counted loop of one bundle.
  [[nodiscard]] double loop() const {
    return chip_.each([](unsigned n) {
      constexpr std::uint64_t start = 0x10000;
      Code code("fetch=l1 itlb=hit", "xxx", start);
      const std::string bytes = bundle(stop(mib), nop, nop, br_cloop(0));
      for (; n != 0; --n) code.go(bytes, start, "", "", "T2");
      return code.op(bytes).text();
    });
  }

  /// Additional clocks of a mispredicted branch.
  [[nodiscard]] double misprediction() const {
    const auto branches = [&](const std::string& how) {
      return chip_.each([&](unsigned n) {
        constexpr std::uint64_t start = 0x10000;
        const std::string nops = bundle(stop(mmi), nop, nop, nop);
        Code code("fetch=l1 itlb=hit", "", start);
        for (; n != 0; --n) {
          code.op(bundle(stop(mib), nop, nop, br_dpnt(32) | qp(6)), "xxp", "mispredict=" + how);
          for (unsigned k = 0; k < 6; ++k) code.op(nops, "xxx");
          code.go(bundle(stop(mib), nop, nop, br_sptk(-7 * 16)), start, "xxx", "mispredict=none", "T2");
        }
        return code.op(nops, "xxx").text();
      });
    };
    return branches("path") - branches("none");
  }

  /// Two bundles of nops without a stop between them, with these templates.
  [[nodiscard]] double two_bundles(const std::string& first, const std::string& second) const {
    const Line a = nops(first, false), b = nops(second, true);
    return each({a, b});
  }

 private:
  /// Loads each of which gives the address of the next.
  static std::string loads(const std::vector<std::uint64_t>& addresses, const std::string& keys) {
    Code code;
    const std::string load = m(ld8 | of_r3);
    for (const std::uint64_t address : addresses) code.op(load, fmt::format("xxx L0 {:x} 8", data + address), keys);
    return code.text();
  }
  static Line nops(const std::string& name, bool ends) {
    static const std::map<std::string, Template> templates = {{"mii", mii}, {"mmi", mmi}, {"mfi", mfi}, {"mmf", mmf},
                                                              {"mib", mib}, {"mbb", mbb}, {"bbb", bbb}, {"mmb", mmb},
                                                              {"mfb", mfb}, {"mlx", mlx}};
    const Template form = templates.at(name);
    const auto of = [&](std::size_t slot) {
      return name[slot] == 'b' ? nop_b : name[slot] == 'l' ? nop_x_upper : name[slot] == 'x' ? nop_x : nop;
    };
    return {bundle(ends ? stop(form) : form, of(0), of(1), of(2)), "", form == mlx ? "x-x" : "xxx"};
  }

  Chip chip_;
  Walk caches_, pages_;
};

/// A measurement, and the only target that has a figure for it; "": both.
struct Figure {
  Measure measure;
  std::string_view only = "";
};

}  // namespace

Measures ia64(std::string_view target) {
  static std::map<std::string, Ia64, std::less<>> chips;
  const Ia64& chip = chips.try_emplace(std::string(target), target).first->second;
  // Clocks of the repeated bundles minus a known part.
  const auto takes = [&chip](const Lines& lines, double known = 0) {
    return [&chip, lines, known] { return chip.each(lines) - known; };
  };
  const auto each_of = [&chip](const Lines& lines, double parts) {
    return [&chip, lines, parts] { return chip.each(lines) / parts; };
  };
  const auto chain = [&](const std::string& bytes) { return takes({{bytes}}); };
  const Syllable next = add | r1(12) | r2(10), next_if = add | r1(12) | r2(11) | qp(6);
  const Line load_r10{m(ld8 | r1(10) | r3(12)), access('L', 0, 0)};
  const auto lat = [](const char* what, std::function<double()> clocks, std::string_view only = "") {
    return Figure{{what, "latency", std::move(clocks)}, only};
  };
  const auto pair = [&](const char* what, const Lines& lines, std::string_view only = "") {
    return Figure{{what, "pairing", takes(lines)}, only};
  };
  constexpr std::string_view itanium2 = "itanium2", montecito = "montecito";
  const std::string two_stores = access('S', 0, 1024) + " " + access('S', 1, 1040),
                    two_loads = access('L', 0, 0) + " " + access('L', 1, 64), third = " " + access('L', 0, 128);
  const Line loads{bundle(mmi, ld8 | r1(10) | r3(9), ld8 | r1(11) | r3(9), nop), two_loads},
      stores{bundle(mmi, st8 | r2(12) | r3(9), st8 | r2(13) | r3(9), nop), two_stores};

  const std::vector<Figure> figures = {
      lat("integer", chain(m(add | of_r2))),
      lat("shladd", chain(m(shladd | of_r2))),
      lat("extr", chain(i(extr | of_r3))),
      lat("dep", chain(i(dep | of_r2))),
      lat("shrp", chain(i(shrp | of_r2))),
      lat("sxt", chain(i(sxt4 | of_r3))),
      lat("variable shift to the same", chain(i(shl | of_r2))),
      lat("multimedia", chain(m(padd2 | of_r2)), itanium2),
      lat("pmpy", chain(i(pmpy2 | of_r2))),
      lat("popcnt", chain(i(popcnt | of_r3))),
      // The address of the load is the result of the addition: one clock.
      lat("load to integer", takes({load_r10, {m(next)}}, 1)),
      lat("load to address", takes({{m(ld8 | of_r3), access('L', 0, 0)}})),
      // Three clocks from the multimedia operation to the address, as to any integer operation.
      lat("load to multimedia", takes({load_r10, {m(padd2 | r1(12) | r2(10))}}, 3)),
      lat("integer, multimedia, integer", takes({{m(add | of_r2)}, {m(padd2 | of_r2)}})),
      lat("setf to getf and back", takes({{m(setf_sig | of_r2)}, {m(getf_sig | of_r2)}})),
      lat("load, setf, getf, address",
          takes({{m(ld8 | of_r3), access('L', 0, 0)}, {m(setf_sig | of_r2)}, {m(getf_sig | of_r2)}})),
      lat("setf, xma, getf", takes({{m(setf_sig | of_r2)}, {f(xma_l | of_r3)}, {m(getf_sig | of_r2)}})),
      lat("xma", chain(f(xma_l | of_r3))),
      lat("fma", chain(f(fma_d | of_r3))),
      lat("FP misc", chain(f(fmerge_s | of_f2)), itanium2),
      lat("frcpa", chain(f(frcpa | of_f2))),
      lat("fcvt", chain(f(fcvt_fx | of_f2))),
      // getf to the address of the next load: five clocks.
      lat("FP load to getf", takes({{m(ldf8 | of_r3), access('L', 0, 0)}, {m(getf_sig | of_r2)}}, 5)),
      lat("fcmp to predicate, and 1", takes({{f(fcmp_eq | to_p6 | r2(10))}, {m(next_if)}})),
      lat("cmp to predicate, and 1", takes({{m(cmp_eq | to_p6 | r2(10))}, {m(next_if)}})),
      lat("tbit to predicate, and 1", takes({{i(tbit_z | to_p6 | r3(10))}, {m(next_if)}}), itanium2),
      lat("mov to and from br", takes({{i(mov_to_b0 | r2(10))}, {i(mov_from_b0 | r1(10))}}), montecito),
      lat("mov ar.lc, and 1", takes({{i(mov_from_lc | r1(10))}, {m(next)}})),
      lat("mov ar.unat to and from", takes({{m2(mov_to_unat | r2(10))}, {m2(mov_from_unat | r1(10))}})),
      lat("mov ar.ccv, and 1", takes({{m2(mov_from_ccv | r1(10))}, {m(next)}})),
      lat("mov ar.bsp, and 1", takes({{m2(mov_from_bsp | r1(10))}, {m(next)}})),
      lat("movl", takes({{bundle(stop(mlx), nop, 0, movl | r1(10)), "", "x-x"}, {m(next)}}, 1)),
      lat("FP load L2", takes({{m(ldf8 | r1(10) | r3(9)), access('L', 0, 0)}, {f(fma_d | r1(11) | r3(10))}}, 1)),
      // The store of each repetition stores the result of the load before it.
      lat("load after a store of 3 cycles",
          [&chip] {
            return chip.each(
                {{m(st8 | r2(10) | r3(9)), access('S', 0, 0)}, {m(ld8 | r1(10) | r3(9)), access('L', 0, 0)}},
                "dtlb=hit");
          }),

      pair("six integer",
           {{bundle(mii, add | r1(10), add | r1(11), add | r1(12))},
            {bundle(stop(mii), add | r1(13), add | r1(14), add | r1(15))}},
           itanium2),
      pair("two loads", {{both_m(ld8 | r1(10) | r3(9), ld8 | r1(11) | r3(9)), two_loads}}),
      pair("three loads", {loads, {m(ld8 | r1(12) | r3(9)), third}}),
      pair("two stores", {{both_m(st8 | r2(12) | r3(9), st8 | r2(13) | r3(9)), two_stores}}),
      pair("three stores", {stores, {m(st8 | r2(14) | r3(9)), access('S', 0, 1056)}}),
      pair("two loads and two stores", {loads, {both_m(st8 | r2(12) | r3(9), st8 | r2(13) | r3(9)), two_stores}}),
      {{"four FP loads", "pairing", [&chip] { return chip.fp_loads(ldfd, 4, 8); }}},
      {{"two FP pair loads", "pairing", [&chip] { return chip.fp_loads(ldfpd, 2, 16); }}, montecito},
      {{"three FP pair loads", "pairing", [&chip] { return chip.fp_loads(ldfpd, 3, 16); }}, itanium2},
      pair("two fma", {{both_f(fma_d)}, {f(fma_d | r1(21))}}),
      pair("two fcmp", {{bundle(mfi, nop, fcmp_eq | to_p6, nop)}, {f(fcmp_eq | to_p(7))}}),
      pair("two FP misc", {{both_f(fmerge_s)}, {f(fmerge_s | r1(21))}}),
      pair("two extr", {{both_i(extr | r1(10), extr | r1(11))}}),
      pair("two tbit", {{both_i(tbit_z | to_p6, tbit_z | to_p(7))}}, itanium2),
      pair("two sxt", {{both_i(sxt4 | r1(10), sxt4 | r1(11))}}),
      pair("two padd in I", {{both_i(padd2 | r1(10), padd2 | r1(11))}}),
      pair("two pshr", {{both_i(pshr2 | r1(10), pshr2 | r1(11))}}),
      pair("two variable shl", {{both_i(shl | r1(10), shl | r1(11))}}),
      pair("two mux", {{both_i(mux2 | r1(10), mux2 | r1(11))}}),
      pair("two popcnt", {{both_i(popcnt | r1(10), popcnt | r1(11))}}),
      pair("two pmpy", {{both_i(pmpy2 | r1(10), pmpy2 | r1(11))}}),
      pair("two setf", {{both_m(setf_sig | r1(10) | r2(9), setf_sig | r1(11) | r2(9))}}),
      pair("two getf", {{both_m(getf_sig | r1(10) | r2(9), getf_sig | r1(11) | r2(9))}}),
      pair("two lfetch", {{both_m(lfetch | r3(9), lfetch | r3(9)), two_loads}}),
      pair("two mov to br", {{both_i(mov_to_b0, mov_to_b0 | r1(1))}}),

      // Loops that others timed, by their mix, in groups of our own order.
      // 2 ld8, ldf8, 2 getf, setf, 2 st8, 2 xma, 2 shrp; A-type instructions in M and I slots. As registers rotate, a turn
      // does not load the FP register of the turn before.
      {{"squares added to a doubled vector, a turn", "loop",
        [&chip] {
          Lines lines;
          for (unsigned turn = 0; turn < 2; ++turn) {
            const Lines one = {
                {bundle(mmi, add | r1(20), ld8 | r1(10) | r3(9), shrp | r1(21)), access('L', 1, 0)},
                {bundle(stop(mfi), getf_sig | r1(22) | r2(14), xma_l | r1(20), add | r1(23))},
                {bundle(mmi, add | r1(24), ldf8 | r1(10 + turn) | r3(9), shrp | r1(25)), access('L', 1, 512)},
                {bundle(stop(mfi), getf_sig | r1(26) | r2(15), xma_l | r1(21), add | r1(27))},
                {bundle(mmi, add | r1(28), st8 | r2(9) | r3(9), add | r1(29)), access('S', 1, 1024)},
                {bundle(stop(mmi), ld8 | r1(11) | r3(9), setf_sig | r1(16) | r2(9), add | r1(30)), access('L', 0, 64)},
                {bundle(stop(mib), st8 | r2(9) | r3(9), add | r1(31), nop_b), access('S', 0, 1088)}};
            lines.insert(lines.end(), one.begin(), one.end());
          }
          return chip.each(lines) / 2;
        }},
       itanium2},
      // 8 ld8, 4 st8, 2 lfetch; `and`, add and compare in M slots: six windows for four limbs.
      {{"conditional add, a limb", "loop",
        [&chip] {
          Lines lines;
          for (unsigned limb = 0; limb < 4; ++limb) {
            lines.push_back({bundle(mmi, add | r1(20), ld8 | r1(10) | r3(9), add | r1(21)), access('L', 1, 128 * limb)});
            lines.push_back({bundle(stop(mmi), ld8 | r1(11) | r3(9), st8 | r2(9) | r3(9), add | r1(22)),
                             access('L', 0, 128 * limb + 16) + " " + access('S', 1, 1024 + 128 * limb)});
          }
          for (unsigned i = 0; i < 2; ++i) {
            lines.push_back({bundle(mmi, add | r1(23), lfetch | r3(9), add | r1(24)), access('L', 1, 2048)});
            lines.push_back({bundle(stop(mmi), add | r1(25), add | r1(26), add | r1(27))});
          }
          return chip.each(lines) / 4;
        }},
       itanium2},
      // The recurrence of an xma and one that uses its result; the first result is stored in the group of the second.
      {{"exact division, a limb", "loop",
        takes({{f(xma_l | r1(10) | r3(11))},
               {bundle(stop(mfi), stf8 | r2(10) | r3(9), xma_l | r1(11) | r3(10), nop), access('S', 0, 1024)}})},
       itanium2},

      // Loops of one clock or two, whose limit is a port: two limbs, but popcount, lshift and mul_1 one.
      {{"copy, a limb", "loop",
        each_of({loads, {bundle(stop(mmi), st8 | r2(12) | r3(9), st8 | r2(13) | r3(9), add | r1(20)), two_stores}}, 2)},
       itanium2},
      {{"and, a limb", "loop",
        each_of({{bundle(mmi, ld8 | r1(10) | r3(9), ld8 | r1(11) | r3(9), add | r1(20)), two_loads},
                 {bundle(stop(mib), st8 | r2(12) | r3(9), add | r1(21), nop_b), access('S', 0, 1024)},
                 {bundle(mmi, ld8 | r1(14) | r3(9), ld8 | r1(15) | r3(9), add | r1(22)), two_loads},
                 {bundle(stop(mib), st8 | r2(13) | r3(9), add | r1(23), nop_b), access('S', 0, 1040)}},
                2)},
       itanium2},
      {{"popcount, a limb", "loop",
        takes({{bundle(stop(mii), ld8 | r1(10) | r3(9), popcnt | r1(11) | r3(12), add | r1(13) | r2(13)),
                access('L', 0, 0)}})},
       itanium2},
      {{"shift, a limb", "loop",
        takes({{bundle(stop(mmi), ld8 | r1(10) | r3(9), st8 | r2(12) | r3(9), shrp | r1(11)),
                access('L', 0, 0) + " " + access('S', 1, 1024)}})},
       itanium2},
      // As registers rotate, each turn loads and computes other FP registers.
      {{"product with a number, a limb", "loop",
        [&chip] {
          constexpr unsigned turns = 8, loaded = 32, low = 48, high = 64;
          Lines lines;
          for (unsigned t = 0; t < turns; ++t) {
            lines.push_back({bundle(stop(mfi), getf_sig | r1(22) | r2(14), xma_l | r1(low + t), add | r1(23))});
            lines.push_back({bundle(mmi, ldf8 | r1(loaded + t) | r3(9), st8 | r2(12) | r3(9), add | r1(24)),
                             access('L', 0, 512 + 16 * t) + " " + access('S', 1, 1024 + 16 * t)});
            lines.push_back({bundle(stop(mfi), getf_sig | r1(26) | r2(15), xma_l | r1(high + t), add | r1(27))});
          }
          return chip.each(lines) / turns;
        }},
       itanium2},

      {{"one-cycle loop", "throughput", [&chip] { return chip.loop(); }}, montecito},
      {{"mispredicted branch", "penalty", [&chip] { return chip.misprediction(); }}},
      {{"L1D", "size", [&chip] { return chip.caches().fit(64, 64, 4096) * 64; }}},
      {{"L1D ways", "size", [&chip] { return chip.caches().fit(4096, 1, 16); }}},
      {{"L1D line", "size", [&chip] { return chip.caches().line(131072); }}},
      // Walks over lines of L2, larger than L1D.
      lat("L2 to an address", [&chip] { return chip.caches().load(1024, 128); }),
      {{"L2", "size", [&chip] { return chip.caches().fit(128, 256, 4096) * 128 / 1024; }}},
      lat(
          "L3 to an address", [&chip] { return chip.caches().load(8192, 128); }, itanium2),
      {{"L2 DTLB", "size", [&chip] { return chip.pages().fit(16384, 64, 512); }}},
  };

  Measures measures;
  for (const Figure& figure : figures) {
    if (figure.only.empty() || figure.only == target) measures.push_back(figure.measure);
  }
  const std::string bundles = "bundles ";
  for (const Reference& r : read_references()) {
    if (r.target != target || !r.class_name.starts_with(bundles)) continue;
    const std::string first = r.class_name.substr(bundles.size(), 3), second = r.class_name.substr(bundles.size() + 4);
    measures.push_back({r.class_name, r.kind, [&chip, first, second] { return chip.two_bundles(first, second); }});
  }
  return measures;
}

}  // namespace pmusim::timing
