// Functions and lines of programs, compared with nm and addr2line; and names stored in a trace.
#include "pmusim/trace/names.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "capture.h"
#include "elf_names.h"
#include "pmusim/trace/writer.h"
#include "testbench/tests/cli/command.h"
#include "testbench/tests/tools.h"
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
  std::istringstream table(output_of(GetParam().prefix + "nm -S " + as_word(program)));
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
  std::istringstream theirs(
      output_of(fmt::format("{}addr2line -e {} < addresses.txt", GetParam().prefix, as_word(program))));
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
  names.files = {{0x1000, 0x800, 0x1000, "odd name=%"}, {0x40000, 0x100, 0x3f000, "libx.so.1"}};
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
    EXPECT_EQ(read.files, names.files);
    EXPECT_EQ(read.functions, names.functions);
    EXPECT_EQ(read.lines, names.lines);
    const std::string run = "run -t athlon -e RETIRED_INSTRUCTIONS -e CPU_CLK_UNHALTED --format json --trace ";
    auto with = json_of(pmusim(run + as_word(file))), without = json_of(pmusim(run + as_word(plain)));
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
  EXPECT_EQ(pmusim("trace capture --isa ia64 " + as_word(program) + " -o with.pmt").code, 0);
  EXPECT_EQ(pmusim("trace capture --isa ia64 " + as_word(program) + " --no-names -o without.pmt").code, 0);
  const trace::ProgramNames names = trace::read_names(*trace::open(scratch() + "/with.pmt"));
  const trace::ProgramNames of_elf = trace::elf_names(program, tools.isa);
  EXPECT_EQ(names.functions, of_elf.functions);
  EXPECT_EQ(names.lines, of_elf.lines);
  EXPECT_TRUE(trace::read_names(*trace::open(scratch() + "/without.pmt")).empty());
  const std::string report = "report -t itanium2 -e LOADS_RETIRED --by line --format csv --trace ";
  const Outcome with = pmusim(report + "with.pmt"), without = pmusim(report + "without.pmt --elf " + as_word(program));
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(with.out, without.out);
  EXPECT_THAT(with.out, HasSubstr("sieve-O2.s"));
}

// A program of four kinds, as gcc links them; those with libraries use the C library of Debian's cross compilers, for
// which no headers are installed.
constexpr const char* work =
    "__attribute__((noinline)) int work(int n) {\n  int sum = 0;\n  for (int i = 0; i < n; ++i)\n    sum += i * i;\n"
    "  return sum;\n}\n"
    "#ifdef LIBRARY\nint puts(const char*);\nvoid exit(int);\n#else\nstatic void exit(int status) {\n"
    "#ifdef __i386__\n  __asm__ volatile(\"int $0x80\" : : \"a\"(1), \"b\"(status));\n#else\n"
    "  register int number __asm__(\"r0\") = 1;\n  register int argument __asm__(\"r3\") = status;\n"
    "  __asm__ volatile(\"sc\" : \"+r\"(number), \"+r\"(argument) : : \"memory\");\n#endif\n}\n#endif\n"
    "void _start(void) {\n#ifdef LIBRARY\n  puts(\"ran\");\n#endif\n  exit(work(4000) & 1);\n}\n";

struct Linking {
  const char* name;
  const char* options;
  bool has_library, moves;
};
constexpr Linking linkings[] = {{"static", "-static -no-pie", false, false},
                                {"static-pie", "-static-pie -fPIE", false, true},
                                {"fixed", "-no-pie -DLIBRARY", true, false},
                                {"pie", "-pie -fPIE -DLIBRARY", true, true}};

struct System {
  const char *isa, *tools, *linker, *target;
};
constexpr System systems[] = {{"i386", "i686-linux-gnu", "/lib/ld-linux.so.2", "athlon"},
                              {"ppc", "powerpc-linux-gnu", "/lib/ld.so.1", "ppc750gx"}};

/// The instructions of each function that a report lists.
std::map<std::string, std::uint64_t> reported(const std::string& arguments) {
  std::map<std::string, std::uint64_t> counted;
  const nlohmann::json report = json_of(pmusim("report --no-stalls --top 10000 --format json " + arguments));
  for (const auto& row : report.at("rows")) {
    if (row.at("function").is_string()) counted[row.at("function")] += row.at("instructions").get<std::uint64_t>();
  }
  return counted;
}

// The loop of `work` has at least 3 instructions, and `puts` is a function of the C library.
void expect_names(const System& system, const Linking& how) {
  const std::string program = fmt::format("work-{}-{}", system.isa, how.name);
  const std::string library = fmt::format("/usr/{}/lib/libc.so.6 -Wl,-dynamic-linker={}", system.tools, system.linker);
  ASSERT_EQ(shell(fmt::format("{}-gcc -O1 -g -fno-stack-protector -nostdlib {} work.c -o {} {}", system.tools,
                              how.options, program, how.has_library ? library : ""))
                .code,
            0);
  const std::string capture = fmt::format("trace capture --isa {} ./{} -o ", system.isa, program);
  const Outcome captured = pmusim(capture + "work.pmt");
  EXPECT_EQ(captured.code, 0) << captured.err;
  EXPECT_EQ(captured.err, "");
  const trace::ProgramNames names = trace::read_names(*trace::open(scratch() + "/work.pmt"));
  ASSERT_EQ(names.files.size(), how.has_library ? 3u : how.moves ? 1u : 0u);
  const std::string traced = fmt::format("-t {} --trace work.pmt", system.target);
  auto counted = reported(traced);
  EXPECT_GE(counted["work"], 3u * 4000);
  EXPECT_EQ(counted.contains("libc.so.6:puts") || counted.contains("libc.so.6:_IO_puts"), how.has_library);
  const std::string source = "    sum += i * i;";
  EXPECT_THAT(pmusim("annotate --no-stalls work --source . " + traced).out, HasSubstr(source));
  if (names.files.empty()) return;

  EXPECT_EQ(names.files[0].name, program);
  EXPECT_EQ(names.files[0].base != 0, how.moves);
  ASSERT_EQ(pmusim(capture + "bare.pmt --no-names").code, 0);
  const std::string bare = fmt::format("-t {} --trace bare.pmt --elf {}", system.target, program);
  const std::string placed = bare + fmt::format("@{:x}", names.files[0].base);
  EXPECT_EQ(reported(placed)["work"], counted["work"]);
  EXPECT_THAT(pmusim("annotate --no-stalls work --source . " + placed).out, HasSubstr(source));
  EXPECT_THAT(
      pmusim(fmt::format("explain -e {} {}",
                         system.isa == std::string("i386") ? "RETIRED_INSTRUCTIONS" : "INSTRUCTIONS_COMPLETED", placed))
          .out,
      HasSubstr("work+0x"));
  // A trace with names knows where the program was loaded.
  EXPECT_EQ(reported(traced + " --elf " + program), counted);
  if (!how.moves || how.has_library) return;
  for (const char* command :
       {"report", "annotate", "run -e CYCLES", "record --period 1000 -e CYCLES", "explain -e CYCLES"}) {
    std::string words = command;
    const char* const cycles = system.isa == std::string("i386") ? "CPU_CLK_UNHALTED" : "PROCESSOR_CYCLES";
    if (const auto at = words.find("CYCLES"); at != words.npos) words.replace(at, 6, cycles);
    const Outcome elsewhere = pmusim(words + " " + bare);
    EXPECT_EQ(elsewhere.code, 2) << words;
    EXPECT_EQ(lines_of(elsewhere.err).size(), 1u) << elsewhere.err;
    EXPECT_THAT(elsewhere.err, HasSubstr("--elf " + program + ": the trace executes nothing of it")) << words;
  }
}

TEST(TraceNames, OfProgramsThatAreLoadedAnywhere) {
  if (!have_tools({"i686-linux-gnu-gcc", "powerpc-linux-gnu-gcc", "qemu-i386", "qemu-ppc"}))
    GTEST_SKIP() << "needs the cross compilers and qemu-user";
  write_file("work.c", work);
  for (const System& system : systems) {
    for (const Linking& how : linkings) {
      if (&system != systems && how.has_library != how.moves) continue;  // of the other system: neither or both
      SCOPED_TRACE(fmt::format("{} {}", system.isa, how.name));
      expect_names(system, how);
    }
  }
}

TEST(ElfNames, OfLibrariesBesideTheProgram) {
  write_file("two.txt",
             "! isa i386\n! image addr=1000 size=4096 base=0 name=prog\n! image addr=9000 size=4096 base=8000 "
             "name=libx.so\n! function addr=1000 name=f size=2\n! function addr=9000 name=f size=2\n"
             "1000 eb00\n1002 e9f97f0000 T 9000\n9000 90\n9001 90\n9002 90\n");
  EXPECT_EQ(reported("-t athlon --trace two.txt"),
            (std::map<std::string, std::uint64_t>{{"f", 1}, {"[unknown]", 1}, {"libx.so:f", 2}, {"[libx.so]", 1}}));
  const Outcome explained = pmusim("explain -t athlon --trace two.txt -e RETIRED_INSTRUCTIONS");
  EXPECT_THAT(explained.out, HasSubstr("libx.so:f+0x1"));
  EXPECT_THAT(explained.out, HasSubstr("[libx.so]+0x2"));
}

}  // namespace
}  // namespace pmusim::cli_test
