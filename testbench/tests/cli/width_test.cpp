// No line of text is wider than the terminal, or than 120 characters in a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

std::vector<std::string> wide_commands() {
  const auto trace = [](const char* name) { return " --trace " + as_word(recorded(name)); };
  return {
      "targets",
      "targets --parameters",
      "events",
      "events -t itanium2 L1D_READS_SET0",
      "events -t ppc750gx --choose L1_DCACHE_MISSES",
      "events -t athlon --ratios",
      "events -t athlon --generic",
      "traces",
      "decode -t ppc750gx MMCR0=0x06148280 MMCR1=0x29400000",
      "encode -t athlon -e DATA_CACHE_REFILLS:L2_SHARED:u:c=2",
      "run -t athlon -e RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS:u,RETIRED_BRANCH_INSTRUCTIONS:u" + trace("i386-units"),
      "report -t athlon -e DATA_CACHE_MISSES --period 50" + trace("i386-recursion-O2"),
      "report -t athlon -e DATA_CACHE_MISSES,RETIRED_INSTRUCTIONS --by instruction" + trace("i386-recursion-O2"),
      "report -t itanium2" + trace("ia64-sieve-O2"),
      "annotate -t athlon -e DATA_CACHE_MISSES" + trace("i386-recursion-O2"),
      "annotate -t itanium2 main" + trace("ia64-sieve-O2"),
      "explain -t athlon -e DATA_CACHE_MISSES" + trace("i386-units"),
      "explain -t itanium2 -e L1D_READ_MISSES_ALL" + trace("ia64-pipelined"),
      "trace stats " + as_word(recorded("i386-units")),
      "validate -t athlon --only RETIRED_U" + trace("i386-selfmod")};
}

TEST(Width, IsThatOfAFile) {
  for (const std::string& command : wide_commands()) {
    const Outcome outcome = pmusim(command);
    EXPECT_EQ(outcome.code, 0) << command << outcome.err;
    EXPECT_LE(characters(widest(outcome.out)), 120u) << command << '\n' << widest(outcome.out);
  }
}

// A narrow terminal, and a wide one; the tour (help_test.cpp) is on one of 80 columns.
TEST(Width, IsThatOfAnyTerminal) {
  if (!have_tools({"script", "stty"})) GTEST_SKIP() << "needs script(1)";
  for (const std::string& command : wide_commands()) {
    const std::string line = widest(on_terminal(command, 60));
    EXPECT_LE(characters(line), 60u) << command << '\n' << line;
  }
  for (const unsigned columns : {40u, 200u}) {
    const std::string line = widest(on_terminal(wide_commands()[11], columns));
    EXPECT_LE(characters(line), columns) << line;
  }
}

// The function is the first column, and no row of a report has a second line.
TEST(Width, AReportHasOneLineForARow) {
  if (!have_tools({"script", "stty"})) GTEST_SKIP() << "needs script(1)";
  const std::string command =
      "report -t athlon --no-stalls --trace " + as_word(recorded("i386-recursion-O2")) + " -e DATA_CACHE_MISSES";
  const auto rows = json_of(pmusim(command + " --format json")).at("rows");
  const auto lines = lines_of(on_terminal(command, 80));
  const auto head =
      std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("function "); });
  ASSERT_NE(head, lines.end());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& name = rows[i].at("function");
    EXPECT_THAT(head[static_cast<std::ptrdiff_t>(i) + 1],
                testing::StartsWith(name.is_null() ? "no instruction" : name.get<std::string>() + ' '));
  }
}

// A long name ends with an ellipsis; columns without room are named.
TEST(Width, IsKeptByAnEllipsisAndByFewerColumns) {
  if (!have_tools({"script", "stty"})) GTEST_SKIP() << "needs script(1)";
  const std::string name = "a_function_whose_name_is_longer_than_any_terminal_that_shows_it_in_a_table_of_a_report";
  write_file("long.txt", nops(5));
  write_file("long.nm", "00010000 T " + name + "\n");
  const std::string text =
      on_terminal("report -t athlon --trace long.txt --symbols long.nm -e RETIRED_INSTRUCTIONS --period 2", 80);
  EXPECT_THAT(text, HasSubstr("\n" + name.substr(0, 11)));
  EXPECT_THAT(text, HasSubstr("… "));
  EXPECT_THAT(text, HasSubstr("no room for "));
  EXPECT_THAT(text, testing::Not(HasSubstr(name)));
  EXPECT_THAT(pmusim("report -t athlon --trace long.txt --symbols long.nm --format csv").out, HasSubstr(name));
}

// annotate refuses csv.
TEST(Width, NamesAFormatThatTheCommandHas) {
  if (!have_tools({"script", "stty"})) GTEST_SKIP() << "needs script(1)";
  const std::string annotate =
      "annotate -t athlon -e DATA_CACHE_MISSES --trace " + as_word(recorded("i386-recursion-O2"));
  EXPECT_THAT(on_terminal(annotate, 80), testing::ContainsRegex("no room for [a-zA-Z, ]+; --format json has them"));
  EXPECT_EQ(pmusim(annotate + " --format csv").code, 2);
}

// Titles are cut at blanks alone, and the columns without room are named with the format that has them.
TEST(Width, BreaksNoTitleOfValidate) {
  if (!have_tools({"script", "stty"})) GTEST_SKIP() << "needs script(1)";
  const std::string text =
      on_terminal("validate -t athlon --only RETIRED_U --trace " + as_word(recorded("i386-selfmod")), 80);
  for (const char* word : {"target", "events", "checks", "mismatches", "exercised", "unsupported", "verdict"})
    EXPECT_THAT(text, HasSubstr(word));
  EXPECT_THAT(text, testing::ContainsRegex("no room for .*identities; --format json has them"));
}

TEST(Width, OfHelpIsThatOfTheTerminal) {
  if (!have_tools({"script", "stty"})) GTEST_SKIP() << "needs script(1)";
  std::string commands = pmusim("completion --words -- ''").out;
  for (const char* more : {"trace", "activity"})
    for (const std::string& word : lines_of(pmusim(std::string("completion --words -- ") + more + " ''").out))
      commands += std::string(more) + ' ' + word + '\n';
  for (const std::string& command : lines_of("\n" + commands)) {
    if (command.starts_with("--")) continue;  // options
    const std::string arguments = command + " --help", line = widest(on_terminal(arguments, 80));
    EXPECT_LE(characters(line), 80u) << arguments << '\n' << line;
  }
  // A paragraph is laid out anew, and not line by line.
  EXPECT_THAT(on_terminal("explain --help", 80),
              HasSubstr("of occurrences of the core's signals, and how many of them\npass each step: event code"));
}

/// A report of functions with 950, 47 and 3 of 1,000 instructions.
std::string shares() {
  write_file("shares.txt", nops(1000));
  write_file("shares.nm", "00010000 T many\n000103b6 T some\n000103e5 T few\n000103e8 T end\n");
  return "report -t athlon --trace shares.txt --symbols shares.nm -e RETIRED_INSTRUCTIONS:u ";
}

// perf report shows 5 % and more in red, 0.5 % and more in green.
TEST(Colour, FollowsTheShare) {
  if (!have_tools({"script"})) GTEST_SKIP() << "needs script(1)";
  const Outcome shown =
      shell("env -u NO_COLOR TERM=xterm script -qec '\"$PMUSIM\" " + shares() + "--no-stalls' /dev/null");
  EXPECT_THAT(shown.out, HasSubstr("\033[31m95.0%"));
  EXPECT_THAT(shown.out, HasSubstr("\033[32m4.7%"));
  EXPECT_THAT(shown.out, testing::ContainsRegex("few +0.3%"));
}

TEST(PercentLimit, LeavesOutSmallShares) {
  const std::string report = shares() + "--percent-limit ";
  const auto names = [&](const std::string& limit) {
    const auto object = json_of(pmusim(report + limit + " --format json"));
    std::vector<std::string> all;
    for (const auto& row : object.at("rows"))
      if (!row.at("function").is_null()) all.push_back(row.at("function"));
    return all;
  };
  EXPECT_THAT(names("0"), testing::ElementsAre("many", "some", "few"));
  EXPECT_THAT(names("0.5"), testing::ElementsAre("many", "some"));
  EXPECT_THAT(names("5"), testing::ElementsAre("many"));
  EXPECT_THAT(pmusim(report + "5").out, testing::ContainsRegex("[.]{3} and [0-9]+ more; each below 5 %"));
  const std::string annotate = "annotate" + report.substr(6);
  EXPECT_THAT(pmusim(annotate + "5").out, testing::Not(HasSubstr("\nsome:")));
  EXPECT_EQ(pmusim(report + "-1").code, 2);
}

// Without a name, a listing shows the code around its hottest instruction: a load that misses after 50 no-operations.
TEST(Annotate, OpensAtTheHottestPlace) {
  std::string text = "! isa i386\n";
  char line[40];
  for (unsigned i = 0; i < 100; ++i) {
    std::snprintf(line, sizeof line, i == 50 ? "%x 8b00 L 8000 4\n" : "%x 90\n", 0x1000 + i + (i > 50 ? 1 : 0));
    text += line;
  }
  write_file("one.txt", text);
  write_file("one.nm", "00001000 T f\n");
  const std::string annotate =
      "annotate -t athlon --trace one.txt --symbols one.nm -e DATA_CACHE_MISSES:u --no-stalls ";
  const Outcome shown = pmusim(annotate);
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("\nf: hottest at 0x1032, 79 more instructions with annotate f\n"));
  EXPECT_THAT(shown.out, HasSubstr("  0x1028  "));
  EXPECT_THAT(shown.out, testing::Not(HasSubstr("  0x1027  ")));
  const Outcome all = pmusim(annotate + "f");
  EXPECT_THAT(all.out, HasSubstr("  0x1000  "));
  EXPECT_EQ(json_of(pmusim(annotate + "--format json")).at("functions")[0].at("rows").size(), 100u);
}

// A line of source begins at a tab stop; a terminal would show a tab wider than the table takes it for.
TEST(Annotate, WritesTabsOfASourceAsSpaces) {
  write_file("start_i386.s", "\n\n_start:\tcall\tkernel\n\tmovzbl\t%al, %ebx\n");
  const Outcome shown =
      pmusim("annotate _start -t athlon --source . --no-stalls --trace " + as_word(recorded("i386-recursion-O2")));
  EXPECT_THAT(shown.out, HasSubstr("start_i386.s:3  _start: call    kernel\n"));
  EXPECT_THAT(shown.out, HasSubstr("start_i386.s:4          movzbl  %al, %ebx\n"));
}

}  // namespace
}  // namespace pmusim::cli_test
