// The PowerPC classifier against binutils: every row of its table and every opcode known to either.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <regex>
#include <set>

#include "disassembler.h"
#include "pmusim/trace/ppc.h"
#include "testbench/tests/sampling.h"

namespace pmusim::trace::ppc {
namespace {

using testbench::Line;

Code code_of(std::uint32_t word) { return testbench::code_of(trace::Isa::ppc, word); }

bool has(const std::vector<std::uint8_t>& list, unsigned reg) {
  return std::find(list.begin(), list.end(), reg) != list.end();
}

/// Instructions of binutils' dialect that the 750 does not have: optional instructions, the 603's TLB loads, the later
/// hint bit of lwarx, 64-bit comparisons (L = 1), and the invalid form of bcctr that would decrement its own target (BO
/// bit 2 = 0).
bool not_in_750(const Line& line) {
  static const std::set<std::string> names{"fsqrt", "fsqrts", "tlbia", "tlbld", "tlbli"};
  static const std::regex wide_compare(R"(cmpl?i?)"), wide_operands(R"(cr\d,1,.*)");
  const std::string name = line.mnemonic.substr(0, line.mnemonic.find('.'));
  if (name == "lwarx") return line.operands.ends_with(",1");
  if (name.starts_with("bcctr")) return (std::stoul(line.operands) & 4U) == 0;
  return names.contains(name) ||
         (std::regex_match(name, wide_compare) && std::regex_match(line.operands, wide_operands));
}

/// The suffix of binutils' mnemonic after our basic one: o overflow, . record, l link, a absolute.
std::string suffix_of(const Operation& op, const std::string& mnemonic) {
  return mnemonic.starts_with(op.mnemonic) ? mnemonic.substr(op.mnemonic.size()) : "?";
}

std::string basic(std::string mnemonic) {
  if (mnemonic.ends_with('.')) mnemonic.pop_back();
  return mnemonic;
}

void expect_same_name(const Operation& op, const Line& line) {
  const std::string suffix = suffix_of(op, line.mnemonic);
  if (op.kind == Kind::branch) {
    EXPECT_TRUE(suffix.empty() || suffix == "l" || suffix == "a" || suffix == "la")
        << op.mnemonic << " / " << line.mnemonic;
    EXPECT_EQ(op.links, suffix.starts_with('l')) << line.mnemonic;
    return;
  }
  EXPECT_TRUE(suffix.empty() || suffix == "." || suffix == "o" || suffix == "o.")
      << op.mnemonic << " / " << line.mnemonic;
  if (suffix.ends_with('.')) {
    EXPECT_TRUE(has(op.writes, line.mnemonic.starts_with('f') || line.mnemonic.starts_with("mtfs") ||
                                       line.mnemonic.starts_with("mffs")
                                   ? trace::ppc::reg_cr + 1U
                                   : trace::ppc::reg_cr))
        << line.mnemonic;
  }
  if (suffix.starts_with('o')) {
    EXPECT_TRUE(has(op.writes, trace::ppc::reg_xer)) << line.mnemonic;
  }
}

/// Derives load, store or neither, and the size, from the name alone.
void expect_same_access(const Operation& op, const Line& line) {
  static const std::regex plain(R"(^(l|st)(bz?|h[az]?|wz?|hbr|wbr|f[sd]|fiw)(u?x?)$)"),
      special(R"(^(l|st)(mw|swi|swx)$)"), reserve(R"(^(lwarx|stwcx|eciwx|ecowx)$)");
  const std::string name = basic(line.mnemonic);
  std::smatch match;
  const bool is_plain = std::regex_match(name, match, plain);
  const bool load = op.kind == Kind::load, store = op.kind == Kind::store;
  if (is_plain) {
    const std::map<char, unsigned> sizes{{'b', 1}, {'h', 2}, {'w', 4}, {'s', 4}, {'i', 4}, {'d', 8}};
    const std::string middle = match[2];
    EXPECT_EQ(op.access_size, sizes.at(middle[0] == 'f' ? middle[1] : middle[0])) << name;
    EXPECT_EQ(load, match[1] == "l") << name;
    EXPECT_EQ(store, match[1] == "st") << name;
    EXPECT_EQ(op.fp_memory, middle[0] == 'f') << name;
    EXPECT_EQ(op.update, std::string(match[3]).starts_with('u')) << name;
  } else if (std::regex_match(name, match, special)) {
    const bool multiple = match[2] == "mw";
    EXPECT_EQ(op.kind, match[1] == "l" ? (multiple ? Kind::load_multiple : Kind::load_string)
                                       : (multiple ? Kind::store_multiple : Kind::store_string))
        << name;
  } else if (std::regex_match(name, match, reserve)) {
    EXPECT_EQ(op.access_size, 4) << name;
  } else {
    EXPECT_FALSE(load || store) << name;
  }
  static const std::regex branch(R"(^b(c|clr|cctr)?l?a?$)");
  EXPECT_EQ(op.kind == Kind::branch, std::regex_match(name, branch)) << name;
}

using Registers = std::set<unsigned>;

Registers registers_of(const std::vector<std::uint8_t>& list) {
  Registers set;
  for (const unsigned reg : list) {
    if (reg < trace::ppc::reg_cr) set.insert(reg);
  }
  return set;
}

/// Expects the general and floating-point registers of the printed operands; the target comes first.
void expect_same_registers(const Operation& op, const Line& line) {
  const std::string name = basic(line.mnemonic);
  if (op.kind == Kind::load_multiple || op.kind == Kind::store_multiple || op.kind == Kind::load_string ||
      op.kind == Kind::store_string) {
    return;  // tested separately
  }
  static const std::regex shape(R"(\b([rf])(\d+)\b)");
  std::vector<unsigned> named;
  for (std::sregex_iterator at(line.operands.begin(), line.operands.end(), shape), end; at != end; ++at) {
    named.push_back(static_cast<unsigned>(std::stoul((*at)[2])) + ((*at)[1] == "f" ? 32U : 0U));
  }
  static const std::regex only_reads(R"(^(st.*|ecowx|cmp.*|fcmp.*|tw|twi|mt.*|dcb.*|icbi|tlbie|bc?.*)$)");
  Registers reads(named.begin(), named.end()), writes;
  if (!std::regex_match(name, only_reads) && !named.empty()) {
    writes.insert(named.front());
    reads = Registers(named.begin() + 1, named.end());
    if (name == "rlwimi") reads.insert(named.front());
  }
  if (op.update) writes.insert(named.at(1));
  EXPECT_EQ(registers_of(op.reads), reads) << line.mnemonic << ' ' << line.operands;
  EXPECT_EQ(registers_of(op.writes), writes) << line.mnemonic << ' ' << line.operands;
}

void expect_same(const Operation& op, const Line& line) {
  expect_same_name(op, line);
  expect_same_access(op, line);
  expect_same_registers(op, line);
  testbench::expect_same_target(op, line);
}

class PpcObjdump : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testbench::have_disassembler(trace::Isa::ppc)) GTEST_SKIP() << "needs binutils-powerpc-linux-gnu";
  }
};

/// True if the low eleven bits extend the opcode, or hold AA and LK.
bool is_extended(std::uint32_t primary) {
  return (primary >= 16 && primary <= 19) || primary == 31 || primary == 59 || primary == 63;
}

/// All primary opcodes; all values of the low eleven bits where they distinguish instructions, and 34 where they are
/// part of an operand; five values of the fields between.
TEST_F(PpcObjdump, EveryOpcode) {
  std::mt19937 random(750);  // NOLINT: a fixed seed
  std::vector<Code> codes;
  for (std::uint32_t primary = 0; primary < 64; ++primary) {
    for (std::uint32_t low = 0; low < 2048; low += is_extended(primary) ? 1 : 61) {
      codes.push_back(code_of(primary << 26U | low));
      codes.push_back(code_of(primary << 26U | 0x0022'1800U | low));  // three registers, all different
      codes.push_back(code_of(primary << 26U | 0x0042'0800U | low));
      codes.push_back(code_of(primary << 26U | 0x0280'0000U | low));
      codes.push_back(code_of(primary << 26U | (static_cast<std::uint32_t>(random()) & 0x03FF'F800U) | low));
    }
  }
  codes.push_back(code_of(0x7C6C'42E6));  // mftb r3: its register field has two legal values only
  const auto lines = testbench::disassemble(trace::Isa::ppc, codes);
  std::set<std::string_view> matched;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Operation op = trace::ppc::classify(codes[i]);
    const bool known_to_binutils = lines[i].mnemonic != ".long";
    if (op.kind == Kind::illegal) {
      EXPECT_TRUE(!known_to_binutils || not_in_750(lines[i])) << lines[i].mnemonic << ' ' << lines[i].operands;
    } else if (known_to_binutils) {  // otherwise a reserved field is not 0: ignored, as the 750 does
      expect_same(op, lines[i]);
      matched.insert(op.mnemonic);
    }
    if (HasFailure()) break;
  }
  std::set<std::string_view> known;
  for (const Code& code : codes) {
    if (const Operation op = trace::ppc::classify(code); op.kind != Kind::illegal) known.insert(op.mnemonic);
  }
  for (const auto mnemonic : known)
    EXPECT_TRUE(matched.contains(mnemonic)) << mnemonic << ": never confirmed by binutils";
  EXPECT_GT(known.size(), 170U);
}

}  // namespace
}  // namespace pmusim::trace::ppc
