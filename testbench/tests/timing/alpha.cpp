#include "alpha.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "bench.h"
#include "measures.h"
#include "testbench/tests/core_alpha/words.h"

namespace pmusim::timing::alpha {
namespace {

namespace words = testbench::alpha;

/// ldq r1,0(r1), once for each address.
std::string loads(const std::vector<std::uint64_t>& addresses, const std::string& keys) {
  Code code;
  for (const std::uint64_t address : addresses) code.op(words::ldq(1, 1), fmt::format("L {:x} 8", address), keys);
  return code.text();
}
Walk walk_with(const Chip& chip, const std::string& keys) {
  return Walk(chip, [keys](const auto& addresses) { return loads(addresses, keys); });
}

double nest(const Chip& chip, unsigned depth) {
  constexpr std::uint64_t start = 0x10000, apart = 0x100;
  constexpr int from_call_to_call = (apart - 4) / 4;
  return chip.each(
      [&](unsigned n) {
        Code code;
        for (; n != 0; --n) {
          for (unsigned i = 1; i <= depth; ++i) code.go(words::bsr(26, from_call_to_call), start + apart * i);
          // A ret for each call, then the branch back to the start.
          for (unsigned i = depth; i != 0; --i) code.go(words::ret(26), start + apart * (i - 1) + 4);
          code.go(words::br(-2), start);
        }
        return code.op(words::nop()).text();
      },
      8);
}

}  // namespace

Lines lines(unsigned first, unsigned count, const std::function<std::string(unsigned)>& word) {
  Lines all;
  for (unsigned c = first; c < first + count; ++c) all.push_back({word(c)});
  return all;
}

double Programs::group(const Lines& lines, unsigned times) const {
  return chip_->each(
      [&](unsigned n) {
        Code code;
        for (; n != 0; --n) {
          for (const auto& [word, accesses, keys] : lines) code.op(word, accesses, keys);
        }
        return code.text();
      },
      times);
}

Clocks Programs::repeated(const Lines& lines, unsigned times) const {
  return [*this, lines, times] { return group(lines, times); };
}

Clocks Programs::stream(const Lines& lines) const {
  return [*this, lines] { return group(lines) / static_cast<double>(lines.size()); };
}

Clocks Programs::more(const Lines& without, const Lines& with) const {
  return [*this, without, with] { return group(with) - group(without); };
}

Clocks Programs::walk(unsigned bytes, unsigned apart) const {
  return [*this, bytes, apart] { return walk_with(chip(), "dtlb=hit").load(bytes / apart, apart); };
}

Clocks Programs::fit(unsigned apart, unsigned few, unsigned most, double unit) const {
  return [*this, apart, few, most, unit] { return walk_with(chip(), "dtlb=hit").fit(apart, few, most) * unit; };
}

Clocks Programs::pages(unsigned most) const {
  constexpr std::uint64_t page = 8192;
  return [*this, most] { return walk_with(chip(), "data=l1").fit(page, 1, most); };
}

Clocks Programs::return_stack() const {
  return [*this] {
    const double least_penalty = 3, level = nest(chip(), 3) - nest(chip(), 2);
    return largest(
        2, 64, [&](unsigned depth) { return nest(chip(), depth) - nest(chip(), depth - 1) < level + least_penalty; });
  };
}

}  // namespace pmusim::timing::alpha

// Clocks of the loops in alpha_loops.txt.
namespace pmusim::timing {

using alpha::Step;

namespace {

constexpr std::uint64_t first_address = 0x10000;
constexpr unsigned vector_bytes = 1024;  ///< vectors stay in the Dcache

/// Vectors of different registers share no block and no place in a direct mapped Dcache of 8 KB.
std::uint64_t vector_of(unsigned base) { return 0x40000 + std::uint64_t{base} * 0x10400; }

}  // namespace

double alpha_turn(const Chip& chip, const std::vector<Step>& steps, int step, const std::string& keys) {
  return chip.each([&](unsigned n) {
    Code code;
    for (unsigned turn = 0; turn < n; ++turn) {
      const unsigned moved = (static_cast<unsigned>(step) * turn) % vector_bytes;
      for (const Step& s : steps) {
        if (&s == &steps.back()) break;
        if (s.access == ' ') {
          code.op(s.word);
        } else {
          const std::uint64_t place = (vector_bytes + moved + static_cast<unsigned>(s.displacement)) % vector_bytes;
          code.op(s.word, fmt::format("{} {:x} 8", s.access, vector_of(s.base) + place), keys);
        }
      }
      code.go(steps.back().word, first_address);
    }
    return code.op("1f04ff47").text();  // bis r31,r31,r31
  });
}

Measures alpha_loops(std::string_view target) {
  const auto chip = std::make_shared<const Chip>(target);
  return loop_measures(target, "alpha_loops.txt", [chip](const LoopText& loop) {
    return alpha_turn(*chip, alpha::assemble(loop.lines), loop.step, "dtlb=hit") / loop.parts;
  });
}

}  // namespace pmusim::timing

namespace pmusim::timing::alpha {
namespace {

namespace words = testbench::alpha;

enum class Form : std::uint8_t { operate, load, store, address, branch, plain };
struct Mnemonic {
  std::string_view name;
  Form form;
  unsigned opcode, function;
};
constexpr Mnemonic mnemonics[] = {
    {"addq", Form::operate, 0x10, 0x20},   {"subq", Form::operate, 0x10, 0x29},
    {"cmpult", Form::operate, 0x10, 0x1d}, {"cmplt", Form::operate, 0x10, 0x4d},
    {"s4addq", Form::operate, 0x10, 0x22}, {"and", Form::operate, 0x11, 0x00},
    {"bis", Form::operate, 0x11, 0x20},    {"xor", Form::operate, 0x11, 0x40},
    {"ornot", Form::operate, 0x11, 0x28},  {"sll", Form::operate, 0x12, 0x39},
    {"srl", Form::operate, 0x12, 0x34},    {"mulq", Form::operate, 0x13, 0x20},
    {"umulh", Form::operate, 0x13, 0x30},  {"ctpop", Form::operate, 0x1c, 0x30},
    {"subt", Form::operate, 0x16, 0xa1},   {"cmoveq", Form::operate, 0x11, 0x24},
    {"ldq", Form::load, 0x29, 0},          {"stq", Form::store, 0x2d, 0},
    {"lda", Form::address, 0x08, 0},       {"beq", Form::branch, 0x39, 0},
    {"bne", Form::branch, 0x3d, 0},        {"bge", Form::branch, 0x3e, 0},
    {"fbge", Form::branch, 0x36, 0},       {"fbne", Form::branch, 0x35, 0},
    {"unop", Form::plain, 0, 0},           {"nop", Form::plain, 0, 0},
};

const Mnemonic& known(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(mnemonics), std::end(mnemonics), [&](const Mnemonic& m) { return m.name == name; });
  if (found == std::end(mnemonics)) throw std::runtime_error("no instruction " + name);
  return *found;
}

unsigned reg(const std::string& text) {
  return static_cast<unsigned>(std::stoul(text.front() == 'f' ? text.substr(1) : text));
}

/// `next`: the place of the instruction, plus one. A branch leads to the beginning.
Step one(const std::string& line, std::size_t next) {
  std::istringstream in(line);
  std::string name, a, b, c;
  in >> name >> a >> b >> c;
  const Mnemonic& m = known(name);
  switch (m.form) {
    case Form::plain:
      return {name == "nop" ? words::nop() : words::unop()};
    case Form::branch:
      return {words::branch(m.opcode, reg(a), -static_cast<int>(next))};
    case Form::operate:
      if (b.front() != '#') return {words::operate(m.opcode, m.function, reg(a), reg(b), reg(c))};
      // A literal of eight bits from bit 13 on.
      return {
          words::word(m.opcode << 26 | reg(a) << 21 | reg(b.substr(1)) << 13 | 1u << 12 | m.function << 5 | reg(c))};
    case Form::load:
    case Form::store:
    case Form::address:
      break;
  }
  const std::size_t open = b.find('(');
  const int displacement = std::stoi(b.substr(0, open));
  const unsigned base = reg(b.substr(open + 1));
  const char access = m.form == Form::load ? 'L' : m.form == Form::store ? 'S' : ' ';
  return {words::memory(m.opcode, reg(a), base, displacement), access, base, displacement};
}

}  // namespace

std::vector<Step> assemble(const std::vector<std::string>& lines) {
  std::vector<Step> steps;
  steps.reserve(lines.size());
  for (const std::string& line : lines) steps.push_back(one(line, steps.size() + 1));
  return steps;
}

}  // namespace pmusim::timing::alpha
