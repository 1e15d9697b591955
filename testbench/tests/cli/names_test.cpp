// Names of functions and files in what is printed and written: their bytes come from users' programs and traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
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
  const auto rows =
      json_of(pmusim("report -t athlon --trace odd.txt -e RETIRED_INSTRUCTIONS --format json")).at("rows");
  std::set<std::string> functions;
  for (const auto& row : rows) {
    if (row.at("function").is_string()) functions.insert(row.at("function"));
    if (row.at("function") == "main") {
      EXPECT_EQ(row.at("instructions"), 3u);
    }
    if (row.at("function") == "f") {
      EXPECT_EQ(row.at("instructions"), 2u);
    }
    if (row.at("function") == "[unknown]") {
      EXPECT_EQ(row.at("instructions"), 2u);
    }
  }
  EXPECT_EQ(functions, (std::set<std::string>{"main", "f", "[unknown]"}));
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

}  // namespace
}  // namespace pmusim::cli_test
