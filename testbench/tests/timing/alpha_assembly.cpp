#include "alpha_assembly.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "testbench/tests/core_alpha/words.h"

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
