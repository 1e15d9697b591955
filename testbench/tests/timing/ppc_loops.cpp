// Clocks of the loops in ppc_loops.txt.
#include "ppc_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "loops.h"
#include "testbench/tests/core_ppc750/program.h"

namespace pmusim::timing {
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

}  // namespace pmusim::timing
