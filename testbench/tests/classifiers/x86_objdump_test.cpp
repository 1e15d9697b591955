// The i386 classifier against binutils: every encoding that the recorded programs executed.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "disassembler.h"
#include "pmusim/trace/x86.h"

namespace pmusim::trace::x86 {
namespace {

using testbench::Line;

/// Maps binutils' names to ours, where the two conventions differ: the operand size is part of our name; spelling.
const std::map<std::string, std::string> aliases{{"pusha", "pushad"}, {"popa", "popad"},  {"pushf", "pushfd"},
                                                 {"popf", "popfd"},   {"iret", "iretd"},  {"retf", "ret"},
                                                 {"sal", "shl"},      {"fclex", "fnclex"}};

/// Conditions: below/carry, equal/zero and so on.
std::string condition_name(const std::string& name) {
  static const std::map<std::string, std::string> ours{{"ae", "nb"}, {"a", "nbe"}, {"e", "z"},
                                                       {"ne", "nz"}, {"ge", "nl"}, {"g", "nle"}};
  for (const std::string stem : {"j", "set", "cmov"}) {
    if (!name.starts_with(stem)) continue;
    const auto condition = ours.find(name.substr(stem.size()));
    if (condition != ours.end()) return stem + condition->second;
  }
  return name;
}

/// String instructions: binutils shows the size in the operands.
std::string string_name(const Line& line, const std::string& name) {
  static const std::set<std::string> strings{"movs", "cmps", "stos", "lods", "scas"};
  if (!strings.contains(name)) return name;
  if (line.operands.find("BYTE PTR") != std::string::npos) return name + 'b';
  return name + (line.operands.find("DWORD PTR") != std::string::npos ? 'd' : 'w');
}

std::string without_prefixes(const std::string& mnemonic) { return mnemonic.substr(mnemonic.rfind(' ') + 1); }

std::string our_name(const Line& line) {
  const std::string name = string_name(line, without_prefixes(line.mnemonic));
  if (name == "xchg" && line.operands == "ax,ax") return "nop";
  const auto alias = aliases.find(name);
  return alias == aliases.end() ? condition_name(name) : alias->second;
}

struct Memory {
  bool loads = false;
  bool stores = false;
};

/// Derives reads and writes from the printed text: those of the memory operand, by group, and those of the stack.
Memory memory_of(const Line& line) {
  const std::string name = without_prefixes(line.mnemonic);
  static const std::regex operand(R"(PTR|ds:0x|\[)"), none(R"(lea|nop|prefetch.*)"),
      first_written(R"(mov.*|set.*|fn?st.*|fist.*|fbstp|fnsave|pop)"),
      first_read(
          R"(cmp|xlat|test|push|call|jmp|bt|i?mul|i?div|f(i?add|i?sub|i?mul|i?div|i?com|ld|ild|bld|rstor).*|l[defgs]s)"),
      pushes(R"(push.*|call|enter)"), pops(R"(pop.*|ret|retf|leave|iret)");
  Memory memory{std::regex_match(name, pops), std::regex_match(name, pushes)};
  if (name == "movs") return {true, true};
  if (name == "stos") return {false, true};
  if (name == "lods" || name == "scas" || name == "cmps") return {true, false};
  if (!std::regex_search(line.operands, operand) || std::regex_match(name, none)) return memory;
  const std::string first = line.operands.substr(0, line.operands.find(','));
  const bool is_first = std::regex_search(first, operand);
  const bool writes_it = is_first && !std::regex_match(name, first_read);
  const bool reads_it = !is_first || !std::regex_match(name, first_written);
  return {memory.loads || reads_it, memory.stores || writes_it || name == "xchg"};
}

void expect_same_name(const Operation& op, const Line& line, const trace::Code& code) {
  EXPECT_NE(op.kind, Kind::illegal);
  EXPECT_EQ(op.mnemonic, our_name(line));
  EXPECT_EQ(line.length, code.length);
  EXPECT_EQ(op.locked, line.mnemonic.find("lock") != std::string::npos ||
                           (op.mnemonic == "xchg" && line.operands.find("PTR") != std::string::npos) ||
                           (op.mnemonic == "xchg" && line.operands.find("ds:") != std::string::npos));
  EXPECT_EQ(op.repeats, line.mnemonic.starts_with("rep"));
}

void expect_same_branch(const Operation& op, const Line& line) {
  static const std::regex branch(R"(j.*|loop.*|call|ret|retf|iret|int|int3|into)"), number(R"((0x)?[0-9a-f]+)");
  EXPECT_EQ(op.branch != BranchKind::none, std::regex_match(without_prefixes(line.mnemonic), branch));
  if (op.branch == BranchKind::none || op.branch == BranchKind::ret || op.branch == BranchKind::far_transfer) return;
  EXPECT_EQ(op.has_target, std::regex_match(line.operands, number));
  if (op.has_target) {
    EXPECT_EQ(op.target, std::stoull(line.operands, nullptr, 16) & 0xFFFF'FFFFU);
  }
}

void expect_same_segment(const Operation& op, const Line& line) {
  static const std::map<std::string, int> order{{"es", 0}, {"cs", 1}, {"ss", 2}, {"ds", 3}, {"fs", 4}, {"gs", 5}};
  const std::string name = without_prefixes(line.mnemonic);
  const std::string first = line.operands.substr(0, line.operands.find(','));
  int expected = -1;
  if ((name == "mov" || name == "pop") && order.contains(first)) expected = order.at(first);
  if (name.size() == 3 && name[0] == 'l' && order.contains(name.substr(1))) expected = order.at(name.substr(1));
  if (op.branch == BranchKind::far_transfer) expected = order.at("cs");
  EXPECT_EQ(op.segment_written, expected);
}

TEST(X86Objdump, EveryRecordedEncoding) {
  if (!testbench::have_disassembler(trace::Isa::i386)) GTEST_SKIP() << "needs binutils-i686-linux-gnu";
  std::vector<trace::Code> codes = testbench::recorded_encodings(trace::Isa::i386);
  const std::vector<Line> lines = testbench::disassemble(trace::Isa::i386, codes);
  ASSERT_GT(codes.size(), 1000U);
  for (std::size_t i = 0; i < codes.size() && !::testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(lines[i].mnemonic + ' ' + lines[i].operands);
    const Operation op = trace::x86::classify(codes[i]);
    const Memory memory = memory_of(lines[i]);
    EXPECT_EQ(op.loads, memory.loads);
    EXPECT_EQ(op.stores, memory.stores);
    expect_same_name(op, lines[i], codes[i]);
    expect_same_branch(op, lines[i]);
    expect_same_segment(op, lines[i]);
  }
}

}  // namespace
}  // namespace pmusim::trace::x86
