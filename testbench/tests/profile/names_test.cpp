// Functions and lines of programs, compared with nm and addr2line; and names stored in a trace.
#include "pmusim/trace/names.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "capture.h"
#include "elf_names.h"
#include "pmusim/trace/writer.h"
#include "testbench/tests/cli/command.h"
#include "tools.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

class Names : public testing::TestWithParam<CrossTools> {};

/// `file:line` without the folder, or an empty text.
std::string short_line(std::string text) {
  text = text.substr(text.find_last_of('/') + 1);
  text = text.substr(0, text.find(" (discriminator"));
  return text.starts_with("??") || text.ends_with(":?") || text.ends_with(":0") ? "" : text;
}

std::string line_at(const std::vector<trace::LineStart>& lines, std::uint64_t address) {
  const trace::LineStart* at = nullptr;
  for (const trace::LineStart& line : lines) {
    if (line.address <= address) at = &line;
  }
  return at == nullptr || at->line == 0 ? "" : short_line(fmt::format("{}:{}", at->file, at->line));
}

// Every function that nm lists, with its size; and the line of every fourth byte of code.
TEST_P(Names, AreThoseOfBinutils) {
  const std::string program = built_program(GetParam());
  if (program.empty()) GTEST_SKIP() << "no cross tools";
  const trace::ProgramNames names = trace::elf_names(program, GetParam().isa);
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> functions;
  for (const trace::FunctionName& one : names.functions) functions[one.name] = {one.address, one.size};
  std::istringstream table(output_of(GetParam().prefix + "nm -S " + program));
  std::size_t compared = 0;
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    std::string address, size, type, name;
    words >> address >> size >> type >> name;
    if (name.empty() || std::string("tT").find(type) == std::string::npos) continue;
    const std::pair<std::uint64_t, std::uint64_t> is{std::stoull(address, nullptr, 16), std::stoull(size, nullptr, 16)};
    ASSERT_TRUE(functions.contains(name)) << name;
    EXPECT_EQ(functions[name], is) << name;
    begin = std::min<std::uint64_t>(begin, is.first);
    end = std::max<std::uint64_t>(end, is.first + is.second);
    ++compared;
  }
  EXPECT_GE(compared, GetParam().isa == trace::Isa::ia64 ? 1u : 3u);

  std::string addresses;
  for (std::uint64_t at = begin; at < end; at += 4) addresses += fmt::format("{:x}\n", at);
  write_file("addresses.txt", addresses);
  std::istringstream theirs(output_of(fmt::format("{}addr2line -e {} < addresses.txt", GetParam().prefix, program)));
  std::size_t with_line = 0;
  std::uint64_t at = begin;
  for (std::string line; std::getline(theirs, line); at += 4) {
    EXPECT_EQ(line_at(names.lines, at), short_line(line)) << std::hex << at;
    with_line += short_line(line).empty() ? 0 : 1;
  }
  EXPECT_GT(with_line, 50u);
}

INSTANTIATE_TEST_SUITE_P(Isas, Names, testing::ValuesIn(cross_tools()),
                         [](const auto& info) { return std::string(trace::name_of(info.param.isa)); });

TEST(ElfNames, WhatIsNoProgram) {
  const std::string text = write_file("text.txt", "no program\n");
  const auto message = [](const std::string& file, trace::Isa isa) -> std::string {
    try {
      (void)trace::elf_names(file, isa);
    } catch (const trace::CaptureError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(text, trace::Isa::i386), HasSubstr("text.txt: "));
  EXPECT_THAT(message(scratch() + "/gone", trace::Isa::i386), HasSubstr("gone: "));
  const std::string self = output_of("printf %s \"$PMUSIM\"");
  EXPECT_THAT(message(self, trace::Isa::alpha), HasSubstr("is not an ELF file for alpha"));
}

// Names are written to a trace and read back, whatever bytes they contain; the execution is unchanged.
TEST(TraceNames, RoundTrip) {
  trace::ProgramNames names;
  names.functions = {{0x1000, 3, "main"}, {0x1003, 0, "odd name=%\xc3\xa4"}};
  names.lines = {{0x1000, "/a b/c.c", 7}, {0x1002, "", 0}, {0x1003, "d.c", 1}};
  const std::string plain = write_file("plain.txt", nops(40));
  for (const std::string name : {"named.txt", "named.pmt"}) {
    const std::string file = scratch() + '/' + name;
    const auto from = trace::open(plain, {trace::Isa::i386, false, {}});
    const auto to = name.ends_with(".pmt") ? trace::create_pmt(file, trace::Isa::i386, "named")
                                           : trace::create_text(file, trace::Isa::i386);
    trace::write_names(names, *to);
    trace::copy(*from, *to);
    to->close();
    const trace::ProgramNames read = trace::read_names(*trace::open(file));
    EXPECT_EQ(read.functions, names.functions);
    EXPECT_EQ(read.lines, names.lines);
    const std::string run = "run -t athlon -e RETIRED_INSTRUCTIONS -e CPU_CLK_UNHALTED --format json --trace ";
    auto with = json_of(pmusim(run + file)), without = json_of(pmusim(run + plain));
    with.erase("trace");
    without.erase("trace");
    EXPECT_EQ(with, without);
  }
}

// A recorded program's trace contains its names; --elf gives the same names for a trace without them.
TEST(TraceNames, CapturePutsThemThere) {
  const CrossTools& tools = cross_tools().back();
  const std::string program = built_program(tools);
  if (program.empty()) GTEST_SKIP() << "no cross tools";
  EXPECT_EQ(pmusim("trace capture --isa ia64 " + program + " -o with.pmt").code, 0);
  EXPECT_EQ(pmusim("trace capture --isa ia64 " + program + " --no-names -o without.pmt").code, 0);
  const trace::ProgramNames names = trace::read_names(*trace::open(scratch() + "/with.pmt"));
  const trace::ProgramNames of_elf = trace::elf_names(program, tools.isa);
  EXPECT_EQ(names.functions, of_elf.functions);
  EXPECT_EQ(names.lines, of_elf.lines);
  EXPECT_TRUE(trace::read_names(*trace::open(scratch() + "/without.pmt")).empty());
  const std::string report = "report -t itanium2 -e LOADS_RETIRED --by line --format csv --trace ";
  const Outcome with = pmusim(report + "with.pmt"), without = pmusim(report + "without.pmt --elf " + program);
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(with.out, without.out);
  EXPECT_THAT(with.out, HasSubstr("sieve-O2.s"));
}

}  // namespace
}  // namespace pmusim::cli_test
