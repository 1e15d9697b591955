// Instructions as text must equal what objdump prints of the program itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "testbench/explain/disassembler.h"
#include "testbench/tests/cli/command.h"
#include "testbench/tests/patterns.h"
#include "testbench/tests/tools.h"
#include "tools.h"

namespace pmusim::cli_test {
namespace {

using trace::Code;
using trace::Isa;

class Disassembly : public testing::TestWithParam<CrossTools> {};

struct Printed {
  std::vector<Code> codes;
  std::map<std::pair<std::uint64_t, unsigned>, std::string> texts;
};

/// objdump's mnemonics for those that Zydis names differently.
std::string zydis_mnemonic(std::string word) {
  static const std::map<std::string, std::string> names{{"je", "jz"},   {"jne", "jnz"}, {"jae", "jnb"},  {"ja", "jnbe"},
                                                        {"jge", "jnl"}, {"jg", "jnle"}, {"sete", "setz"}};
  const auto name = names.find(word);
  return name == names.end() ? word : name->second;
}

/// Text with one blank between words, without symbols and template.
std::string normal(std::string text) {
  text = Pattern(R"(\[[MIFBLX]{3}\]| ?<[^>]*>)").replaced(text, "");
  text = Pattern("[ \t]+").replaced(text, " ");
  return Pattern("^ | $").replaced(text, "");
}

/// objdump's text of the program's code, with the bytes.
Printed printed(const CrossTools& tools, const std::string& program) {
  static const Pattern shape("^ *([0-9a-f]+):\t(([0-9a-f]{2}+ )+) *(\t(.*))?$");
  const std::string style = tools.isa == Isa::i386 ? " -M intel" : "";
  std::istringstream lines(
      output_of("LC_ALL=C " + tools.prefix + "objdump -d -z -w" + style + " -j .text " + as_word(program)));
  Printed all;
  for (std::string line; std::getline(lines, line);) {
    const Match match = shape.first_in(line);
    if (match.empty()) continue;
    const std::uint64_t address = std::stoull(match[1], nullptr, 16);
    std::istringstream words(match[2]);
    std::string bytes;
    for (std::string word; words >> word;) bytes += word;
    const bool bundle = tools.isa == Isa::ia64;
    const std::uint64_t pc = bundle ? address & ~std::uint64_t{15} : address;
    if (all.codes.empty() || all.codes.back().pc != pc) {
      all.codes.emplace_back();
      all.codes.back().pc = pc;
    }
    Code& code = all.codes.back();
    for (std::size_t i = 0; i + 1 < bytes.size() && code.length < 16; i += 2)
      code.bytes.at(code.length++) = static_cast<std::uint8_t>(std::stoul(bytes.substr(i, 2), nullptr, 16));
    const std::string text = normal(match[5]);
    if (!text.empty()) all.texts[{pc, bundle ? static_cast<unsigned>((address & 15) / 6) : 0}] = text;
  }
  return all;
}

TEST_P(Disassembly, IsObjdumps) {
  const std::string program = built_program(GetParam());
  if (program.empty()) GTEST_SKIP() << "no cross tools";
  const Printed theirs = printed(GetParam(), program);
  ASSERT_GT(theirs.codes.size(), 30u);
  const auto ours = testbench::disassemble(GetParam().isa, theirs.codes);
  std::size_t compared = 0;
  for (const auto& [place, text] : theirs.texts) {
    ASSERT_TRUE(ours.contains(place)) << std::hex << place.first;
    const std::string& mine = ours.at(place);
    if (GetParam().isa == Isa::i386) {  // Zydis spells operands differently
      EXPECT_EQ(mine.substr(0, mine.find(' ')), zydis_mnemonic(text.substr(0, text.find(' ')))) << text;
    } else {
      // Without symbols a target is 0x and digits.
      EXPECT_EQ(Pattern("0x").replaced(mine, ""), Pattern("0x").replaced(text, "")) << std::hex << place.first;
    }
    ++compared;
  }
  EXPECT_GT(compared, 50u);
}

INSTANTIATE_TEST_SUITE_P(Isas, Disassembly, testing::ValuesIn(cross_tools()),
                         [](const auto& info) { return std::string(trace::name_of(info.param.isa)); });

// A comment line above each instruction: the output can be imported again.
TEST(Dump, Disassembled) {
  write_file("nops.txt", nops(3));
  const Outcome dumped = pmusim("trace dump nops.txt --isa i386 --disasm");
  EXPECT_EQ(dumped.code, 0) << dumped.err;
  ASSERT_EQ(lines_of(dumped.out).size(), 7u);  // with `! isa i386`
  EXPECT_EQ(lines_of(dumped.out).at(1), "# nop");
  write_file("again.txt", dumped.out);
  EXPECT_EQ(pmusim("trace import again.txt --isa i386 -o again.pmt").code, 0);
  const auto object = json_of(pmusim("trace dump nops.txt --isa i386 --disasm --range 0:1 --format json"));
  EXPECT_EQ(object.at("disassembled").at(0), "nop");
  if (!have_tools({"ia64-linux-gnu-objdump"})) GTEST_SKIP() << "no objdump";
  // The program's functions, then the bundle.
  const auto lines =
      lines_of(pmusim("trace dump " + as_word(recorded("ia64-sieve-O2")) + " --disasm --range 0:1 --format json").out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(nlohmann::json::parse(lines[0]).at("directive"), "function");
  EXPECT_EQ(nlohmann::json::parse(lines[2]).at("disassembled").size(), 3u);
}

// Where no disassembler is installed, instructions are shown as encodings, and the command names the package to
// install.
TEST(Dump, WithoutObjdump) {
  const std::string trace = recorded("alpha-units");
  const Outcome outcome = shell(
      "PATH=/nowhere; export PATH; \"$PMUSIM\" report -t alpha-ev4 --by instruction --top 1 --trace " + as_word(trace));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("install binutils-alpha-linux-gnu"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("0x[0-9a-f]+  0x[0-9a-f]{8} "));
}

}  // namespace
}  // namespace pmusim::cli_test
