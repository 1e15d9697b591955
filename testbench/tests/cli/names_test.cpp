// Names of functions and files in what is printed and written: their bytes come from users' programs and traces.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "command.h"

namespace pmusim::cli_test {

namespace {

using testing::HasSubstr;
using testing::Not;

/// A call from `main` to a function of this name (written as in traces), and code of no function.
std::string call_of(const std::string& name) {
  return "! isa i386\n! function addr=8048000 name=main size=16\n! function addr=8048020 name=" + name +
         " size=16\n! cpl 3\n8048000 90\n8048001 e81a000000 S bffff000 4 T 8048020\n8048020 90\n"
         "8048021 c3 L bffff000 4 T 8048006\n8048006 eb08 T 8048010\n8048010 90\n8048011 90\n";
}

TEST(Names, MayBeLongInTraces) {
  const std::string name(500, 'x');
  write_file("long.txt", call_of(name));
  ASSERT_EQ(pmusim("trace convert long.txt -o long.pmt").code, 0);
  ASSERT_EQ(pmusim("trace cut long.pmt --range 0:3 -o cut.txt").code, 0);
  EXPECT_THAT(read_file(scratch() + "/cut.txt"), HasSubstr("name=" + name));
  EXPECT_THAT(pmusim("report -t athlon --trace cut.txt -e RETIRED_INSTRUCTIONS --format csv").out, HasSubstr(name));
}

TEST(Names, CannotReachTheTerminalOrEndALine) {
  write_file("odd.txt", call_of("a%1b[31m%0ab%ff"));
  const std::string shown = "a\\x1b[31m\\x0ab\\xff";
  for (const std::string command : {"report", "annotate"}) {
    const Outcome outcome = pmusim(command + " -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS");
    EXPECT_THAT(outcome.out, HasSubstr(shown)) << command;
    EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("\x1b"))) << command;
  }
  for (const std::string format : {"callgrind", "folded", "speedscope", "pprof"}) {
    ASSERT_EQ(
        pmusim("report -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS --export " + format + " -o odd.out").code, 0);
    const std::string text = read_file(scratch() + "/odd.out");
    EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << format;
    if (format != "pprof") {  // compressed
      EXPECT_THAT(text, HasSubstr(format == "speedscope" ? "a\\\\x1b[31m\\\\x0ab\\\\xff" : shown)) << format;
    }
  }
  ASSERT_EQ(pmusim("report -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS --export folded -o odd.out").code, 0);
  EXPECT_EQ(lines_of(read_file(scratch() + "/odd.out")).size(), 3u) << "main, the function, [unknown]";
}

TEST(Names, EndWithTheFunction) {
  write_file("odd.txt", call_of("f"));
  const auto report = json_of(pmusim("report -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS --format json"));
  std::map<std::string, unsigned> functions;
  for (const auto& row : report.at("rows"))
    if (row.at("function").is_string()) functions[row.at("function")] = row.at("instructions");
  EXPECT_EQ(functions, (std::map<std::string, unsigned>{{"main", 3}, {"f", 2}, {"[unknown]", 2}}));
  // Without sizes, a function of `nm` ends with the next symbol, also one of data.
  write_file("symbols.txt", "08048000 T main\n08048010 D table\n08048020 T f\n08048030 B buffer\n");
  EXPECT_THAT(pmusim("report -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS --symbols symbols.txt").out,
              HasSubstr("[unknown]"));
}

TEST(Names, FilesThatDoNotEndAreRefused) {
  write_file("odd.txt", call_of("f"));
  for (const std::string option : {"--elf /dev/zero", "--elf /dev/urandom", "--symbols /dev/zero"}) {
    const Outcome outcome =
        shell("timeout 20 \"$PMUSIM\" report -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS " + option);
    EXPECT_EQ(outcome.code, 2) << option << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  }
  ASSERT_EQ(shell("rm -f pipe && mkfifo pipe").code, 0);
  for (const std::string command :
       {"report -t athlon --trace odd.txt --elf pipe",
        "run -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS --elf pipe",
        "trace import --from lackey --elf pipe odd.txt -o odd.pmt", "trace capture --isa i386 ./pipe -o odd.pmt"}) {
    const Outcome outcome = shell("timeout 20 \"$PMUSIM\" " + command);
    EXPECT_EQ(outcome.code, 2) << command << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("pipe: is no regular file")) << command;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  }
  EXPECT_EQ(shell("timeout 20 \"$PMUSIM\" trace import --from lackey --elf /dev/zero odd.txt -o odd.pmt").code, 2);
  EXPECT_EQ(shell("timeout 20 \"$PMUSIM\" diff /dev/zero /dev/zero").code, 2);
}

// The trace names the file, so it may be anything: a device, a pipe, a file with a huge line or other bytes.
TEST(Names, SourcesAreReadWithinLimits) {
  ASSERT_EQ(shell("rm -f pipe.c && mkfifo pipe.c").code, 0);
  write_file("huge.c", std::string(3'000'000, 'x') + "\n");
  write_file("odd.c", "\x1b[31m caf\xe9\r\n");
  const std::string code = call_of("f");
  const auto with_source = [&](const std::string& file) {
    const std::string line = "! line addr=8048000 file=" + file + " line=1\n";
    write_file("source.txt", code.substr(0, 11) + line + code.substr(11));
    const std::string annotate = "timeout 20 \"$PMUSIM\" annotate -t athlon --no-stalls --trace source.txt main";
    EXPECT_EQ(shell(annotate + " --format json").code, 0) << file;
    const Outcome outcome = shell(annotate);
    EXPECT_EQ(outcome.code, 0) << file << outcome.err;
    return outcome.out;
  };
  for (const char* file : {"/dev/zero", "pipe.c", "."}) EXPECT_THAT(with_source(file), HasSubstr("main")) << file;
  EXPECT_THAT(with_source("huge.c"), HasSubstr("xxx…\n"));
  EXPECT_THAT(pmusim("annotate -t athlon --no-stalls --trace source.txt main --format json").out,
              HasSubstr("\"" + std::string(500, 'x') + "...\""));
  EXPECT_THAT(with_source("odd.c"), HasSubstr("\\x1b[31m caf\\xe9\n"));
}

// With --period the files contain samples: none are not the exact counts.
TEST(Exports, NoSampleIsAnEmptyProfile) {
  write_file("few.txt", call_of("f"));
  for (const std::string format : {"folded", "speedscope", "pprof", "perf-script"}) {
    const Outcome outcome = pmusim(
        "report -t athlon --trace few.txt -e RETIRED_INSTRUCTIONS --period 100000 --export " + format + " -o few.out");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("fewer than the period")) << format;
    if (format == "folded" || format == "perf-script") {
      EXPECT_EQ(read_file(scratch() + "/few.out"), "") << format;
    }
    if (format == "speedscope") {
      EXPECT_THAT(read_file(scratch() + "/few.out"), Not(HasSubstr("main")));
    }
  }
}

// Code and data at the end of the address space: every target gives the same kind of result as at other addresses.

/// A target, and how its text traces are written.
struct Machine {
  const char* target;
  const char* isa;
  const char* event;   ///< an instruction counts once, a bundle three times
  std::uint64_t last;  ///< last byte of the address space
  unsigned length;     ///< of an instruction, in bytes
  const char* operate;
  const char* load;
  const char* store;
  unsigned each = 1;
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.target; }

constexpr std::uint64_t whole = ~std::uint64_t{0}, half = 0xffffffff;
// Bundles of format MII: with no-operations alone, with ld8 r2 = [r3] and with st8 [r3] = r2 in slot 0.
constexpr const char *nop_bundle = "01000000010000000002000000000400",
                     *load_bundle = "01100006181000000002000000000400",
                     *store_bundle = "01000806981100000002000000000400";

class Addresses : public testing::TestWithParam<Machine> {
 protected:
  static std::uint64_t count(const std::string& text) {
    const Machine& m = GetParam();
    write_file("ends.txt", fmt::format("! isa {}\n{}", m.isa, text));
    const Outcome outcome = pmusim(fmt::format("run -t {} --trace ends.txt -e {} --format json", m.target, m.event));
    EXPECT_EQ(outcome.code, 0) << outcome.err << text;
    return outcome.code != 0 ? 0 : json_of(outcome).at("counts").at(0).at("value").get<std::uint64_t>();
  }
  static std::string mask() { return std::string(GetParam().isa) == "ia64" ? " xxx" : ""; }
  static std::string access(std::uint64_t pc, bool store, std::uint64_t address, unsigned size) {
    const Machine& m = GetParam();
    return fmt::format("{:x} {}{} {}{} {:x} {}\n", pc, store ? m.store : m.load, mask(), store ? 'S' : 'L',
                       mask().empty() ? "" : "0", address, size);
  }
  static std::string operate(std::uint64_t pc) { return fmt::format("{:x} {}{}\n", pc, GetParam().operate, mask()); }
};

TEST_P(Addresses, OfDataUpToTheEnd) {
  const Machine& m = GetParam();
  const unsigned size = m.last == whole ? 8 : 4;
  std::string text;
  std::uint64_t pc = 0x10000;
  // The last word, a word that wraps to address 0, and the last word again.
  for (const std::uint64_t address : {m.last - size + 1, m.last - size / 2 + 1, m.last - size + 1}) {
    for (const bool store : {false, true, false}) {
      text += access(pc, store, address, size);
      pc += m.length;
    }
  }
  for (unsigned i = 0; i < 3; ++i) text += operate(pc + i * m.length);
  EXPECT_GE(count(text), 3u * m.each);
}

TEST_P(Addresses, OfCodeUpToTheEndAndOnFromTheBeginning) {
  const Machine& m = GetParam();
  const std::uint64_t begin = m.last - 2 * m.length + 1;
  const std::string end = operate(begin) + operate(begin + m.length);
  EXPECT_GE(count(end), 2u * m.each);
  EXPECT_GE(count(end + operate(0) + operate(m.length)), 4u * m.each);
}

INSTANTIATE_TEST_SUITE_P(
    Targets, Addresses,
    testing::Values(
        Machine{"athlon", "i386", "RETIRED_INSTRUCTIONS", half, 2, "89c0", "8b00", "8900"},
        Machine{"ppc750gx", "ppc", "INSTRUCTIONS_COMPLETED", half, 4, "38600001", "80640000", "90640000"},
        Machine{"ppc750gl", "ppc", "INSTRUCTIONS_COMPLETED", half, 4, "38600001", "80640000", "90640000"},
        Machine{"alpha-ev4", "alpha", "PF_INTOPS", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-ev5", "alpha", "PF5_MUX1_INTEGER_OPERATE", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-pca56", "alpha", "PF5_MUX1_INTEGER_OPERATE", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-ev6", "alpha", "PF6_MUX0_RET_INSTRUCTIONS", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"alpha-ev67", "alpha", "RETINST", whole, 4, "0114e043", "000022a4", "000022b4"},
        Machine{"itanium2", "ia64", "IA64_INST_RETIRED", whole, 16, nop_bundle, load_bundle, store_bundle, 3},
        Machine{"montecito", "ia64", "IA64_INST_RETIRED", whole, 16, nop_bundle, load_bundle, store_bundle, 3}),
    [](const auto& info) {
      std::string name = info.param.target;
      std::erase(name, '-');
      return name;
    });

// Call stacks and symbols of profiles.

using testing::HasSubstr;

std::size_t deepest_of_profile(const std::string& record) {
  const Outcome outcome = pmusim(record + " --folded");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::size_t deepest = 0;
  for (const std::string& line : lines_of(outcome.out)) {
    deepest = std::max(deepest, static_cast<std::size_t>(std::count(line.begin(), line.end(), ';')));
  }
  return deepest;
}

// bcl 20,31,$+4 reads its own address and is no call; bl calls a leaf and returns, repeatedly.
TEST(Stack, ACallOfTheNextInstructionIsNone) {
  std::string text = "! isa ppc\n";
  for (int i = 0; i < 200; ++i) {
    // 10000: bcl 20,31,$+4; mflr 3; bl 10020; b 10000; 10020: addi; blr
    text +=
        "10000 429f0005 T 10004\n10004 7c6802a6\n10008 48000019 T 10020\n10020 38600001\n10024 4e800020 T 1000c\n"
        "1000c 4bfffff4 T 10000\n";
  }
  write_file("calls.txt", text + "10000 429f0005\n");
  EXPECT_EQ(deepest_of_profile("record -t ppc750gx --trace calls.txt -e PROCESSOR_CYCLES --period 7"), 1u);
  // The same on the i386: call +0; pop; call leaf; jmp back; leaf: nop; ret.
  text = "! isa i386\n";
  for (int i = 0; i < 200; ++i) {
    text +=
        "10000 e800000000 S 8000 4 T 10005\n10005 58 L 8000 4\n10006 e815000000 S 8000 4 T 10020\n10020 90\n"
        "10021 c3 L 8000 4 T 1000b\n1000b ebf3 T 10000\n";
  }
  write_file("calls386.txt", text + "10000 e800000000 S 8000 4\n");
  EXPECT_EQ(deepest_of_profile("record -t athlon --trace calls386.txt -e CPU_CLK_UNHALTED --period 7"), 1u);
}

TEST(Symbols, SizesSayWhereAFunctionEnds) {
  write_file("nops.txt", nops(200));  // 10000 to 100c7
  write_file("sized.nm", "00010000 00000040 T first\n00010010 t label_in_first\n00010080 T unsized\n");
  const std::string record =
      "record -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --period 16 --no-randomize --symbols ";
  const std::string out = pmusim(record + "sized.nm").out;
  EXPECT_THAT(out, HasSubstr("first+0x"));
  EXPECT_THAT(out, testing::Not(HasSubstr("label_in_first")));
  EXPECT_THAT(out, HasSubstr("unsized+0x"));
  for (const std::string& line : lines_of(out)) {  // beyond the 64 bytes of `first` no name is right
    if (line.find("0x0001005") == std::string::npos) continue;
    EXPECT_EQ(line.find('+'), std::string::npos) << line;
  }
  EXPECT_THAT(out, HasSubstr("0x0001005"));
  write_file("wrong.nm", "00010000 zz T first\n");
  EXPECT_THAT(pmusim(record + "wrong.nm").err, HasSubstr("nm"));
}

}  // namespace

}  // namespace pmusim::cli_test
