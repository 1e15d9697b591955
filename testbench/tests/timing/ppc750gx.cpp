// Measurements of the PowerPC 750GX.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "measures.h"
#include "programs.h"
#include "testbench/tests/core_ppc750/program.h"
#include "testbench/tests/patterns.h"

namespace pmusim::timing {

namespace {

Code fetched_by_lines() { return Code("fetch=l1 itlb=hit", "", 0x10000, 32); }

/// Sources and destination share no line; addresses advance from access to access of a base register.
std::uint64_t ppc_vector(unsigned base) { return 0x4000 + base * 0x1080; }

/// `L BASE` or `S BASE`, or nothing.
std::string ppc_access_of(const std::string& line) {
  static const Pattern memory(R"(^(lwzx|lwzu?|stwu?) [0-9]+,([0-9]+\()?([0-9]+))");
  const Match found = memory.first_in(line);
  if (found.empty()) return "";
  return (line.front() == 'l' ? "L " : "S ") + found[3];
}

/// Clocks of a turn of a loop that ends with a taken branch. The accesses through a base register go through a KB, word
/// by word.
double ppc_turn(const Chip& chip, const LoopText& loop) {
  const auto start = static_cast<std::size_t>(std::ranges::find(loop.lines, "back = .") - loop.lines.begin());
  std::vector<std::string> accesses;
  for (const std::string& line : loop.lines) accesses.push_back(ppc_access_of(line));
  return chip.each([&](unsigned n) {
    Code code = fetched_by_lines();
    for (std::size_t i = 0; i < start; ++i) code.op(loop.encodings[i]);
    const std::uint64_t top = code.pc();
    constexpr unsigned word_bytes = 4, vector_bytes = 1024;
    std::array<unsigned, 32> moved{};
    for (unsigned turn = 0; turn < n; ++turn) {
      for (std::size_t i = start + 1; i < loop.lines.size(); ++i) {
        std::string access;
        if (!accesses[i].empty()) {
          const auto base = static_cast<unsigned>(std::stoul(accesses[i].substr(2)));
          access = fmt::format("{} {:x} 4", accesses[i][0], ppc_vector(base) + moved[base]);
          moved[base] = (moved[base] + word_bytes) % vector_bytes;
        }
        if (i + 1 == loop.lines.size()) {
          code.go(loop.encodings[i], top);
        } else {
          code.op(loop.encodings[i], access, access.empty() ? "" : hits);
        }
      }
    }
    return code.op(fmt::format("{:08x}", testbench::ppc::nop)).text();
  });
}

/// Measurements of the loops that have a reference.
Measures ppc_loops() {
  const auto chip = std::make_shared<const Chip>("ppc750gx");
  const auto clocks = [chip](const LoopText& loop) { return ppc_turn(*chip, loop) / loop.parts; };
  return loop_measures("ppc750gx", "ppc_loops.txt", clocks, "powerpc-linux-gnu");
}

namespace ppc = testbench::ppc;
using ppc::d_form, ppc::x_form;

struct Word {
  std::uint32_t word;
  std::string accesses = "";
  operator Line() const { return {fmt::format("{:08x}", word), accesses}; }
};

/// The load is lwz r3,0(r3). Fetch keys end the previous fetch, so only the first instruction of a line has them.
const Programs& programs() {
  static const Programs ppc750gx("ppc750gx", {fmt::format("{:08x}", ppc::lwz(3, 3, 0)), 4}, fetched_by_lines());
  return ppc750gx;
}

Clocks repeated(const std::vector<Word>& words) { return programs().repeated(Lines(words.begin(), words.end())); }

/// Clocks of an instruction that waits for the previous one.
Clocks chain(std::uint32_t word, const std::string& accesses = "") { return repeated({{word, accesses}}); }

/// Clocks of each of four independent instructions: `word` makes them from a target register.
Clocks stream(std::uint32_t (*word)(unsigned), const std::string& accesses = "") {
  Lines lines;
  for (unsigned target = 3; target < 7; ++target) lines.push_back(Word{word(target), accesses});
  return programs().stream(lines);
}

constexpr std::uint32_t fp(unsigned primary, unsigned rd, unsigned a, unsigned b, unsigned c, unsigned xo) {
  return primary << 26 | rd << 21 | a << 16 | b << 11 | c << 6 | xo << 1;
}
constexpr std::uint32_t fmadd(unsigned rd) { return fp(63, rd, 10, 11, 12, 29); }
constexpr std::uint32_t fmuls(unsigned rd) { return fp(59, rd, 10, 0, 12, 25); }
constexpr int wide = 300, narrow = 5;  // immediates of 16 and of 8 bits
constexpr std::uint32_t mulli(unsigned rd) { return ppc::mulli(rd, 10, wide); }
constexpr std::uint32_t narrow_mulli(unsigned rd) { return ppc::mulli(rd, 10, narrow); }
constexpr std::uint32_t lwz(unsigned rd) { return ppc::lwz(rd, 9, 0); }
constexpr std::uint32_t lfd(unsigned rd) { return ppc::lfd(rd, 9, 0); }
constexpr std::uint32_t lwarx(unsigned rd) { return ppc::lwarx(rd, 0, 9); }
constexpr std::uint32_t stw(unsigned rs) { return ppc::stw(rs, 9, 0); }
constexpr std::uint32_t mfcr(unsigned rd) { return x_form(rd, 0, 0, 19); }
constexpr std::uint32_t addi(unsigned rd) { return ppc::addi(rd, 10, 1); }
constexpr std::uint32_t crand = 19u << 26 | 0u << 21 | 0u << 16 | 1u << 11 | 257u << 1;

/// The complement of the previous word, a load, the store of the complement with update of the common base, and bdnz.
double complements() {
  return programs().chip().each([](unsigned n) {
    Code code = fetched_by_lines();
    const auto add = [&](const Line& line) { code.op(line.bytes, line.accesses, line.accesses.empty() ? "" : hits); };
    const std::uint64_t top = code.pc();
    for (unsigned i = 0; i < n; ++i) {
      add(Word{x_form(5, 6, 5, 124)});
      add(Word{x_form(5, 4, 3, 23), fmt::format("L {:x} 4", 0x2000 + 4 * (i % 64))});
      add(Word{d_form(37, 6, 3, 4), fmt::format("S {:x} 4", 0x3800 + 4 * (i % 64))});
      code.go(fmt::format("{:08x}", ppc::bdnz(-12)), top);
    }
    return code.op("60000000").text();
  });
}

}  // namespace

Measures ppc750gx() {
  Measures all = {
      {"integer", "latency", chain(ppc::add(3, 3, 4))},
      {"integer", "throughput", stream(addi)},
      {"mulhw (wide operand)", "latency", chain(x_form(3, 3, 4, 75))},
      {"mulhwu (wide operand)", "latency", chain(x_form(3, 3, 4, 11))},
      {"mulli", "latency", chain(ppc::mulli(3, 3, wide))},
      {"mulli", "throughput", stream(mulli)},
      {"mulli of 8 bits", "latency", chain(ppc::mulli(3, 3, narrow))},
      {"mulli of 8 bits", "throughput", stream(narrow_mulli)},
      {"divw", "latency", chain(ppc::divw(3, 3, 4))},
      {"load", "latency", chain(ppc::lwz(3, 3, 0), "L 2000 4")},
      {"load", "throughput", stream(lwz, "L 2000 4")},
      {"load with update", "latency", chain(d_form(33, 4, 3, 0), "L 2000 4")},
      {"store", "throughput", stream(stw, "S 2000 4")},
      {"load and store", "pairing", repeated({{lwz(3), "L 2000 4"}, {stw(4), "S 2010 4"}})},
      {"load, nor, store of the result", "pairing", complements},
      {"lfd", "throughput", stream(lfd, "L 2000 8")},
      {"lwarx", "throughput", stream(lwarx, "L 2000 4")},
      {"lwarx and stwcx.", "throughput",
       repeated({{lwarx(3), "L 2000 4"}, {ppc::stwcx(3, 0, 9), "L 2000 4 S 2000 4"}})},
      {"lmw of 8", "latency", chain(ppc::lmw(24, 9, 0), "L 2000 32")},
      {"stmw of 8", "latency", chain(ppc::stmw(24, 9, 0), "S 2000 32")},
      {"dcbz", "throughput", chain(ppc::dcbz(0, 9), "S 2000 32")},
      {"dcbf", "throughput", chain(ppc::dcbf(0, 9), "L 2000 1")},
      {"dcbt", "throughput", chain(ppc::dcbt(0, 9), "L 2000 1")},
      {"icbi", "throughput", chain(ppc::icbi(0, 9), "L 2000 1")},
      {"sync", "latency", chain(ppc::sync)},
      {"fadd", "latency", chain(fp(63, 3, 3, 4, 0, 21))},
      {"fmul", "latency", chain(fp(63, 3, 3, 0, 4, 25))},
      {"fmadd", "throughput", stream(fmadd)},
      {"fmuls", "throughput", stream(fmuls)},
      {"fdiv", "latency", chain(fp(63, 3, 3, 4, 0, 18))},
      {"fdivs", "latency", chain(fp(59, 3, 3, 4, 0, 18))},
      {"fres", "latency", chain(fp(59, 3, 0, 3, 0, 24))},
      {"crand", "latency", chain(crand)},
      {"mfcr", "throughput", stream(mfcr)},
      {"integer and load", "pairing", repeated({{addi(3)}, {lwz(4), "L 2000 4"}})},
      {"two loads", "pairing", repeated({{lwz(3), "L 2000 4"}, {lwz(4), "L 2004 4"}})},
      {"folded branch not taken", "rule", repeated({{addi(3)}, {addi(4)}, {ppc::beq(7, 64)}})},
      {"no-op", "rule",
       repeated({{ppc::mullw(3, 10, 11)},
                 {ppc::nop},
                 {ppc::nop},
                 {ppc::nop},
                 {ppc::nop},
                 {ppc::nop},
                 {ppc::nop},
                 {ppc::nop}})},
      {"L1D", "size", programs().fit(32, 64, 2048, 32)},
      {"L1D ways", "size", programs().fit(4096, 1, 16)},
      {"L1D line", "size", programs().line(65536)},
      {"DTLB", "size", programs().pages(4096, 1, 256)},
  };
  const Measures loops = ppc_loops();
  all.insert(all.end(), loops.begin(), loops.end());
  return all;
}

}  // namespace pmusim::timing
