// The Alpha classifier against binutils: every row of its table and every function code known to either.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <regex>
#include <set>

#include "disassembler.h"
#include "pmusim/trace/alpha.h"

namespace pmusim::trace::alpha {
namespace {

using testbench::Line;

Code code_of(std::uint32_t word) { return testbench::code_of(trace::Isa::alpha, word); }

/// PALcode's own instructions have different names in each processor; binutils names some only by their opcode.
bool is_palcode(Kind kind) { return kind >= Kind::hw_mfpr && kind <= Kind::hw_return; }

/// The mnemonic without qualifiers; an alias is replaced by the instruction that it stands for.
std::string basic(const std::string& mnemonic) {
  static const std::map<std::string, std::string> aliases{
      {"unop", "ldq_u"}, {"nop", "bis"},   {"clr", "bis"},           {"mov", "bis"},    {"not", "ornot"},
      {"negl", "subl"},  {"negq", "subq"}, {"sextl", "addl"},        {"fnop", "cpys"},  {"fclr", "cpys"},
      {"fabs", "cpys"},  {"fmov", "cpys"}, {"fneg", "cpysn"},        {"negs", "subs"},  {"negt", "subt"},
      {"negf", "subf"},  {"negg", "subg"}, {"jcr", "jsr_coroutine"}, {"andnot", "bic"}, {"or", "bis"},
      {"xornot", "eqv"}};
  const std::string name = mnemonic.substr(0, mnemonic.find('/'));
  const auto alias = aliases.find(name);
  return alias == aliases.end() ? name : alias->second;
}

using Registers = std::set<unsigned>;

/// The registers named in the operands, in order; 31 and 63 are the zero registers.
std::vector<unsigned> named(const std::string& operands) {
  static const std::vector<std::string> names{"v0", "t0", "t1",  "t2",  "t3", "t4",  "t5", "t6", "t7", "s0",  "s1",
                                              "s2", "s3", "s4",  "s5",  "fp", "a0",  "a1", "a2", "a3", "a4",  "a5",
                                              "t8", "t9", "t10", "t11", "ra", "t12", "at", "gp", "sp", "zero"};
  static const std::regex word(R"(\$f(\d+)|\b([a-z]+\d*)\b)");
  std::vector<unsigned> found;
  for (std::sregex_iterator at(operands.begin(), operands.end(), word), end; at != end; ++at) {
    if ((*at)[1].matched) {
      found.push_back(32U + static_cast<unsigned>(std::stoul((*at)[1])));
      continue;
    }
    const auto name = std::find(names.begin(), names.end(), (*at)[2].str());
    if (name != names.end()) found.push_back(static_cast<unsigned>(name - names.begin()));
  }
  return found;
}

Registers without_zeros(Registers set) {
  set.erase(31);
  set.erase(63);
  return set;
}

/// Applies the rules of the assembler: operates name their target last, loads and branches with a link first.
void expect_same_registers(const Operation& op, const Line& line) {
  if (op.kind == Kind::call_pal || is_palcode(op.kind) || line.mnemonic == "unop") return;
  const auto list = named(line.operands);
  Registers reads(list.begin(), list.end()), writes;
  const bool operate = op.is_integer_operate() || op.is_fp_operate();
  if (op.kind == Kind::fp_control) {
    (op.mnemonic == "mf_fpcr" ? reads : writes) = {trace::alpha::reg_fpcr};
    if (op.mnemonic == "mf_fpcr") writes = Registers(list.begin(), list.end());
  } else if (op.kind == Kind::jump) {
    if (list.empty()) reads = {26};  // ret without operands returns by ra
    if (list.size() == 2) writes = {list[0]}, reads = {list[1]};
  } else if (op.branch == BranchKind::unconditional || op.branch == BranchKind::subroutine ||
             op.kind == Kind::read_and_flag) {
    std::swap(reads, writes);
  } else if (operate && op.kind != Kind::load_address && !list.empty()) {
    writes = {list.back()};
    reads = Registers(list.begin(), list.end() - 1);
    if (op.kind == Kind::conditional_move || op.kind == Kind::fp_conditional_move) reads.insert(list.back());
  } else if ((op.is_load() || op.kind == Kind::load_address || op.kind == Kind::read_cycle_counter ||
              op.kind == Kind::store_conditional) &&
             !list.empty()) {
    writes = {list.front()};
    if (!op.is_store()) reads = Registers(list.begin() + 1, list.end());
  }
  EXPECT_EQ(Registers(op.reads.begin(), op.reads.end()), without_zeros(reads)) << line.mnemonic << ' ' << line.operands;
  EXPECT_EQ(Registers(op.writes.begin(), op.writes.end()), without_zeros(writes))
      << line.mnemonic << ' ' << line.operands;
}

/// Derives load, store or neither, and the size, from the name alone.
void expect_same_access(const Operation& op, const Line& line) {
  static const std::regex shape(R"(^(ld|st)(bu?|wu?|[lqfgst])(_u|_l|_c)?$)");
  const std::string name = basic(line.mnemonic);
  std::smatch match;
  if (!std::regex_match(name, match, shape)) {
    EXPECT_FALSE(op.is_load() || op.is_store()) << name;
    return;
  }
  const std::map<char, unsigned> sizes{{'b', 1}, {'w', 2}, {'l', 4}, {'f', 4}, {'s', 4}, {'q', 8}, {'g', 8}, {'t', 8}};
  EXPECT_EQ(op.access_size, sizes.at(match[2].str()[0])) << name;
  EXPECT_EQ(op.is_load(), match[1] == "ld") << name;
  EXPECT_EQ(op.is_store(), match[1] == "st") << name;
  EXPECT_EQ(op.kind == Kind::fp_load || op.kind == Kind::fp_store,
            std::string("fgst").find(match[2].str()[0]) != std::string::npos)
      << name;
  EXPECT_EQ(op.unaligned, match[3] == "_u") << name;
  EXPECT_EQ(op.kind == Kind::load_locked || op.kind == Kind::store_conditional, match[3] == "_l" || match[3] == "_c");
}

/// The names of PALcode functions depend on the operating system; only the fact that it is a call is checked.
bool is_pal_call(const Line& line) {
  static const std::set<std::string> functions{"call_pal", "halt",   "draina",  "bpt",    "bugchk",
                                               "callsys",  "imb",    "gentrap", "rduniq", "wruniq",
                                               "clrfen",   "cflush", "cserve",  "swppal", "wripir"};
  return functions.contains(line.mnemonic);
}

void expect_same(const Operation& op, const Line& line) {
  if (op.kind == Kind::call_pal) {
    EXPECT_TRUE(is_pal_call(line)) << line.mnemonic;
  } else if (is_palcode(op.kind)) {
    EXPECT_TRUE(line.mnemonic.starts_with("hw_") || line.mnemonic.starts_with("pal")) << line.mnemonic;
  } else {
    EXPECT_EQ(op.mnemonic, basic(line.mnemonic)) << line.operands;
  }
  if (!is_palcode(op.kind)) expect_same_access(op, line);
  expect_same_registers(op, line);
  testbench::expect_same_target(op, line);
}

class AlphaObjdump : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testbench::have_disassembler(trace::Isa::alpha)) GTEST_SKIP() << "needs binutils-alpha-linux-gnu";
  }
};

/// All opcodes with all values of bits 15:5 and three values of the other fields, and the function codes of opcode 18.
std::vector<Code> every_opcode() {
  std::mt19937 random(21264);  // NOLINT: a fixed seed
  std::vector<Code> codes;
  for (std::uint32_t opcode = 0; opcode < 64; ++opcode) {
    const std::uint32_t step = opcode >= 0x10 && opcode < 0x20 ? 1 : 127;  // the others have no function codes
    for (std::uint32_t function = 0; function < 2048; function += step) {
      const std::uint32_t fixed = opcode << 26U | function << 5U;
      codes.push_back(code_of(fixed | 31U << 21U | 2U << 16U | 3U));
      codes.push_back(code_of(fixed | 1U << 21U | 31U << 16U | 3U));
      codes.push_back(code_of(fixed | (static_cast<std::uint32_t>(random()) & 0x03FF'001FU)));
    }
  }
  for (std::uint32_t function = 0; function < 0x10000; function += 0x100)
    for (const std::uint32_t registers : {0U, 1U << 21U, 2U << 16U, 31U << 21U, 0x03FFU << 16U})
      codes.push_back(code_of(0x18U << 26U | registers | function));
  codes.push_back(code_of(0x47E0'3D83));               // implver: its second operand is the literal 1
  for (const std::uint32_t function : {0x24U, 0x25U})  // mt_fpcr, mf_fpcr: one register in all three fields
    codes.push_back(code_of(0x17U << 26U | 3U << 21U | 3U << 16U | function << 5U | 3U));
  return codes;
}

TEST_F(AlphaObjdump, EveryOpcode) {
  auto codes = every_opcode();
  const auto lines = testbench::disassemble(trace::Isa::alpha, codes);
  std::set<std::string_view> known, matched;
  for (std::size_t i = 0; i < codes.size() && !HasFailure(); ++i) {
    const Operation op = trace::alpha::classify(codes[i]);
    const bool known_to_binutils = lines[i].mnemonic != ".long";
    if (op.kind == Kind::illegal) {
      EXPECT_TRUE(!known_to_binutils) << lines[i].mnemonic;
      continue;
    }
    known.insert(op.mnemonic);
    if (!known_to_binutils) continue;  // a field that should be 31 or 0 is not, or a qualifier is invalid
    expect_same(op, lines[i]);
    matched.insert(op.mnemonic);
  }
  for (const auto mnemonic : known)
    EXPECT_TRUE(matched.contains(mnemonic)) << mnemonic << ": never confirmed by binutils";
  EXPECT_GT(known.size(), 190U);
}

}  // namespace
}  // namespace pmusim::trace::alpha
