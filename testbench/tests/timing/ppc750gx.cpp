// Measurements of the PowerPC 750GX.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"
#include "measures.h"
#include "testbench/tests/core_ppc750/program.h"

namespace pmusim::timing {

// Clocks of the loops in ppc_loops.txt.

// Loops that others timed on the 750.

/// Clocks of a turn of a loop that ends with a taken branch. The accesses through a base register go through a KB, word
/// by word.
[[nodiscard]] double ppc_turn(const Chip& chip, const std::vector<std::string>& lines);

/// Measurements of the loops that have a reference for the target.
[[nodiscard]] Measures ppc_loops(std::string_view target);

namespace {

namespace ppc = testbench::ppc;

struct PpcStep {
  std::uint32_t word = 0;
  std::string access;
  bool branch = false;
};

enum class PpcForm : std::uint8_t {
  arithmetic,
  logical,
  load_store,
  indexed,
  immediate,
  shift,
  insert,
  compare,
  branch
};
struct PpcMnemonic {
  std::string_view name;
  PpcForm form;
  unsigned opcode;  ///< primary one, or the extended one of primary 31; BO of a branch
  char access = ' ';
};
constexpr PpcMnemonic ppc_mnemonics[] = {
    {"adde", PpcForm::arithmetic, 138},     {"addc", PpcForm::arithmetic, 10},
    {"addze", PpcForm::arithmetic, 202},    {"subfe", PpcForm::arithmetic, 136},
    {"subf", PpcForm::arithmetic, 40},      {"mullw", PpcForm::arithmetic, 235},
    {"mulhwu", PpcForm::arithmetic, 11},    {"slw", PpcForm::logical, 24},
    {"srw", PpcForm::logical, 536},         {"or", PpcForm::logical, 444},
    {"nor", PpcForm::logical, 124},         {"lwz", PpcForm::load_store, 32, 'L'},
    {"lwzu", PpcForm::load_store, 33, 'L'}, {"stw", PpcForm::load_store, 36, 'S'},
    {"stwu", PpcForm::load_store, 37, 'S'}, {"lwzx", PpcForm::indexed, 23, 'L'},
    {"addi", PpcForm::immediate, 14},       {"srwi", PpcForm::shift, 21},
    {"rlwimi", PpcForm::insert, 20},        {"cmplw", PpcForm::compare, 32},
    {"bdnz", PpcForm::branch, 16},          {"bdz", PpcForm::branch, 18},
};

/// Sources and destination share no line; addresses advance from access to access of a base register.
std::uint64_t ppc_vector(unsigned base) { return 0x4000 + base * 0x1080; }

PpcStep ppc_step(const std::string& line, unsigned next) {
  std::istringstream in(line);
  std::string name;
  std::array<std::string, 3> text;
  in >> name >> text[0] >> text[1] >> text[2];
  const auto* const m = std::find_if(std::begin(ppc_mnemonics), std::end(ppc_mnemonics),
                                     [&](const PpcMnemonic& row) { return row.name == name; });
  if (m == std::end(ppc_mnemonics)) throw std::runtime_error("no instruction " + name);
  if (m->form == PpcForm::branch) return {ppc::bc(m->opcode, 0, -4 * static_cast<int>(next)), "", true};
  const std::size_t open = text[1].find('(');
  if (open != std::string::npos) {
    const auto base = static_cast<unsigned>(std::stoul(text[1].substr(open + 1)));
    return {ppc::d_form(m->opcode, static_cast<unsigned>(std::stoul(text[0])), base, std::stoi(text[1])),
            fmt::format("{} {}", m->access, base)};
  }
  std::array<unsigned, 3> v{};
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = text[i].empty() ? 0 : static_cast<unsigned>(std::stoul(text[i]));
  constexpr unsigned word_bits = 32;
  switch (m->form) {
    case PpcForm::logical:
      return {ppc::x_form(v[1], v[0], v[2], m->opcode), ""};
    case PpcForm::indexed:
      return {ppc::x_form(v[0], v[1], v[2], m->opcode), fmt::format("{} {}", m->access, v[1])};
    case PpcForm::immediate:
      return {ppc::d_form(m->opcode, v[0], v[1], static_cast<int>(v[2])), ""};
    case PpcForm::shift:
      return {m->opcode << 26 | v[1] << 21 | v[0] << 16 | (word_bits - v[2]) << 11 | v[2] << 6 | 31u << 1, ""};
    case PpcForm::insert:
      return {m->opcode << 26 | v[1] << 21 | v[0] << 16 | v[2] << 11 | (31 - v[2]) << 1, ""};
    case PpcForm::compare:
      return {ppc::x_form(0, v[0], v[1], m->opcode), ""};
    default:
      return {ppc::x_form(v[0], v[1], v[2], m->opcode), ""};
  }
}

}  // namespace

double ppc_turn(const Chip& chip, const std::vector<std::string>& lines) {
  constexpr std::string_view once = "before ";
  std::vector<PpcStep> steps, before;
  for (const std::string& line : lines) {
    if (line.starts_with(once)) {
      before.push_back(ppc_step(line.substr(once.size()), 0));
    } else {
      steps.push_back(ppc_step(line, static_cast<unsigned>(steps.size())));
    }
  }
  return chip.each([&](unsigned n) {
    Code code("");
    for (const PpcStep& s : before) code.op(fmt::format("{:08x}", s.word));
    const std::uint64_t top = code.pc();
    constexpr unsigned word_bytes = 4, vector_bytes = 1024;
    std::array<unsigned, 32> moved{};
    for (unsigned turn = 0; turn < n; ++turn) {
      for (const PpcStep& s : steps) {
        std::string keys = code.pc() % 32 == 0 ? "fetch=l1 itlb=hit" : "", access;
        if (!s.access.empty()) {
          const auto base = static_cast<unsigned>(std::stoul(s.access.substr(2)));
          access = fmt::format("{} {:x} 4", s.access[0], ppc_vector(base) + moved[base]);
          moved[base] = (moved[base] + word_bytes) % vector_bytes;
          keys += " dtlb=hit data=l1";
        }
        if (&s == &steps.back()) {
          code.go(fmt::format("{:08x}", s.word), top, "", keys);
        } else {
          code.op(fmt::format("{:08x}", s.word), access, keys);
        }
      }
    }
    return code.op(fmt::format("{:08x}", ppc::nop)).text();
  });
}

Measures ppc_loops(std::string_view target) {
  const auto chip = std::make_shared<const Chip>(target);
  return loop_measures(target, "ppc_loops.txt",
                       [chip](const LoopText& loop) { return ppc_turn(*chip, loop.lines) / loop.parts; });
}

namespace {

namespace ppc = testbench::ppc;
using ppc::d_form, ppc::x_form;

struct Line {
  std::uint32_t word;
  std::string accesses = "";
};
using Lines = std::vector<Line>;

const Chip& chip() {
  static const Chip ppc750gx("ppc750gx");
  return ppc750gx;
}

// Fetch keys end the previous fetch, so only the first instruction of a line has them.
void add(Code& code, const Line& line, const std::string& data = "dtlb=hit data=l1") {
  std::string keys = code.pc() % 32 == 0 ? "fetch=l1 itlb=hit" : "";
  if (!line.accesses.empty()) keys += " " + data;
  code.op(fmt::format("{:08x}", line.word), line.accesses, keys);
}

/// Clocks of a repeated group of instructions.
double group(const Lines& lines) {
  return chip().each([&](unsigned n) {
    Code code("");
    for (; n != 0; --n) {
      for (const Line& line : lines) add(code, line);
    }
    return code.text();
  });
}

std::function<double()> repeated(const Lines& lines) {
  return [=] { return group(lines); };
}

/// Clocks of an instruction that waits for the previous one.
std::function<double()> chain(std::uint32_t word, const std::string& accesses = "") {
  return repeated({{word, accesses}});
}

/// Clocks of each of four independent instructions: `word` makes them from a target register.
template <class Word>
std::function<double()> stream(Word word, const std::string& accesses = "") {
  Lines lines;
  for (unsigned target = 3; target < 7; ++target) lines.push_back({word(target), accesses});
  return [=] { return group(lines) / static_cast<double>(lines.size()); };
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
  return chip().each([](unsigned n) {
    Code code("");
    const std::uint64_t top = code.pc();
    for (unsigned i = 0; i < n; ++i) {
      add(code, {x_form(5, 6, 5, 124)});
      add(code, {x_form(5, 4, 3, 23), fmt::format("L {:x} 4", 0x2000 + 4 * (i % 64))});
      add(code, {d_form(37, 6, 3, 4), fmt::format("S {:x} 4", 0x3800 + 4 * (i % 64))});
      code.go(fmt::format("{:08x}", ppc::bdnz(-12)), top);
    }
    return code.op("60000000").text();
  });
}

/// lwz r3,0(r3), once for each address.
std::string loads(const std::vector<std::uint64_t>& addresses, const std::string& data) {
  Code code("");
  for (const std::uint64_t address : addresses) {
    add(code, {ppc::lwz(3, 3, 0), fmt::format("L {:x} 4", address)}, data);
  }
  return code.text();
}

const Walk& caches() {
  static const Walk walk(chip(), [](const auto& addresses) { return loads(addresses, "dtlb=hit"); });
  return walk;
}

double pages() {
  const Walk walk(chip(), [](const auto& addresses) { return loads(addresses, "data=l1"); });
  return walk.fit(4096, 1, 256);
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
      {"L1D", "size", [] { return caches().fit(32, 64, 2048) * 32; }},
      {"L1D ways", "size", [] { return caches().fit(4096, 1, 16); }},
      {"L1D line", "size", [] { return caches().line(65536); }},
      {"DTLB", "size", pages},
  };
  const Measures loops = ppc_loops("ppc750gx");
  all.insert(all.end(), loops.begin(), loops.end());
  return all;
}

}  // namespace pmusim::timing
