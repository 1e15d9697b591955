// Help, version and shell completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "command.h"
#include "testbench/tests/patterns.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {

namespace {

using testing::HasSubstr;
constexpr const char* commands[] = {"targets",  "events",   "encode", "decode",     "run",
                                    "record",   "validate", "trace",  "completion", "diff",
                                    "activity", "explain",  "report", "annotate",   "lab"};

TEST(Help, EveryCommandTeachesItself) {
  const Outcome whole = pmusim("--help");
  EXPECT_EQ(whole.code, 0);
  for (const char* command : commands) {
    EXPECT_THAT(whole.out, HasSubstr(std::string("\n  ") + command));
    const Outcome one = pmusim(std::string(command) + " --help");
    EXPECT_EQ(one.code, 0) << command;
    EXPECT_EQ(one.err, "") << command;
    EXPECT_THAT(one.out, testing::StartsWith(std::string("usage: pmusim ") + command));
    EXPECT_THAT(one.out, HasSubstr("examples:"));
  }
  for (const char* command : {"info", "dump", "stats", "import", "export", "convert", "cut", "merge", "capture"}) {
    const Outcome one = pmusim(std::string("trace ") + command + " --help");
    EXPECT_EQ(one.code, 0) << command;
    EXPECT_THAT(one.out, testing::StartsWith("usage: pmusim trace"));
  }
  EXPECT_THAT(pmusim("trace capture --help").out, HasSubstr("PROGRAM runs with your rights"));
}

// The recorded traces that examples name exist.
TEST(Help, ExamplesNameTracesThatExist) {
  std::string all = pmusim("--help").out;
  for (const char* command : commands) all += pmusim(std::string(command) + " --help").out;
  const auto found = Pattern("(--trace|trace [a-z]+) ((i386|ppc|alpha|ia64)-[A-Za-z0-9-]+)").all_in(all);
  for (const Match& match : found) EXPECT_NE(read_file(recorded(match[2])), "") << match[2];
  EXPECT_GE(found.size(), 10u);
}

// An example copied from the help finds its trace in any folder, here in one without traces.
TEST(Help, ExamplesRunAnywhere) {
  for (const char* line :
       {"run -t ppc750gx --trace isa-traces/recorded/ppc-lz77.pmt -e PROCESSOR_CYCLES --roi 0:100",
        "trace info isa-traces/recorded/ppc-lz77.pmt",
        "trace merge isa-traces/recorded/ppc-lz77.pmt isa-traces/recorded/ppc-strhash.pmt -o both.pmt"}) {
    const Outcome outcome = pmusim(line);
    EXPECT_EQ(outcome.code, 0) << line << '\n' << outcome.err;
  }
  // A local file of this name takes precedence; a name that is found nowhere is reported as it was given.
  EXPECT_THAT(
      shell("mkdir -p isa-traces/recorded && printf '! isa ppc\\n1000 60000000\\n' > isa-traces/recorded/ppc-lz77.pmt"
            " && \"$PMUSIM\" trace dump isa-traces/recorded/ppc-lz77.pmt; rm -r isa-traces")
          .out,
      HasSubstr("1000 60000000\n"));
  EXPECT_EQ(pmusim("trace info isa-traces/recorded/none.pmt").err,
            "pmusim: trace info: isa-traces/recorded/none.pmt: cannot be opened: No such file or directory\n");
}

TEST(Version, IsOneLine) {
  const Outcome outcome = pmusim("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("pmusim [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Help, IsACommandToo) {
  EXPECT_EQ(pmusim("help").out, pmusim("--help").out);
  EXPECT_EQ(pmusim("help run").out, pmusim("run --help").out);
  EXPECT_EQ(pmusim("help trace capture").out, pmusim("trace capture --help").out);
  EXPECT_EQ(pmusim("help ruin").err, "pmusim: unknown command 'ruin'; did you mean 'run'?\n");
}

/// The completions that bash offers for this line.
std::string completions(const std::string& line) {
  return shell(
             "\"$PMUSIM\" completion > c.sh; mkdir -p bin; ln -sf \"$PMUSIM\" bin/pmusim; PATH=$PWD/bin:$PATH bash -c "
             "'. ./c.sh; COMP_LINE=\"" +
             line + "\"; COMP_POINT=${#COMP_LINE}; _pmusim; echo \"${COMPREPLY[@]}\"'")
      .out;
}

TEST(Completion, IsBashAndCompletes) {
  EXPECT_EQ(shell("\"$PMUSIM\" completion | bash -n").code, 0);
  EXPECT_EQ(completions("pmusim va"), "validate\n");
  EXPECT_EQ(completions("pmusim help va"), "validate\n");
  EXPECT_EQ(completions("pmusim run -t ath"), "athlon\n");
  EXPECT_EQ(completions("pmusim run -t al"), "alpha-ev4 alpha-ev5 alpha-ev6 alpha-ev67 alpha-pca56\n");
  EXPECT_THAT(completions("pmusim validate -t al"), testing::StartsWith("all alpha-ev4 "));
  EXPECT_EQ(completions("pmusim help trace cu"), "cut\n");
  EXPECT_EQ(completions("pmusim run --target=ath"), "athlon\n");
  EXPECT_EQ(completions("pmusim run -t athlon -e retired_inst"), "RETIRED_INSTRUCTIONS\n");
  EXPECT_EQ(completions("pmusim record --per"), "--perfetto --period --perturb\n");
  EXPECT_EQ(completions("pmusim trace exp"), "export\n");
  EXPECT_EQ(completions("pmusim lab -t athlon i386-lz"), "i386-lz77\n");
  EXPECT_EQ(completions("pmusim completion z"), "zsh\n");
  EXPECT_EQ(completions("pmusim run --format "), "csv json text\n");
}

// bash ends a word at a colon, so only the text after it is offered.
TEST(Completion, KnowsUnitMasksAndChoices) {
  EXPECT_EQ(completions("pmusim run -t athlon -e DATA_CACHE_REFILLS:L2_"),
            "L2_EXCLUSIVE L2_INVALID L2_MODIFIED L2_OWNED L2_SHARED\n");
  EXPECT_EQ(completions("pmusim run -t athlon -e DATA_CACHE_REFILLS:L2_SHARED:L2_I"), "L2_INVALID\n");
  EXPECT_EQ(completions("pmusim run -t athlon -e RETIRED_UOPS,retired_inst"), "RETIRED_UOPS,RETIRED_INSTRUCTIONS\n");
  EXPECT_EQ(completions("pmusim run -t athlon --set core.replacement="), "lru pseudo_lru\n");
}

TEST(Completion, IsForThreeShells) {
  for (const char* name : {"zsh", "fish"}) {
    EXPECT_THAT(pmusim(std::string("completion ") + name).out, HasSubstr("pmusim completion --words --")) << name;
    if (shell(std::string("command -v ") + name).code == 0) {
      EXPECT_EQ(shell("\"$PMUSIM\" completion " + std::string(name) + " | " + name + " -n").code, 0) << name;
    }
  }
  EXPECT_EQ(pmusim("completion tcsh").err, "pmusim: no completion for 'tcsh'; there are: bash, zsh, fish\n");
}

TEST(Events, CommasSeparateThem) {
  const std::string two = "run -t athlon --trace " + as_word(recorded("i386-units")) + " --format json -e ";
  EXPECT_EQ(pmusim(two + "RETIRED_INSTRUCTIONS:u,RETIRED_UOPS").out,
            pmusim(two + "RETIRED_INSTRUCTIONS:u -e RETIRED_UOPS").out);
  EXPECT_EQ(pmusim("encode -t athlon -e cpu/event=0xc0,umask=0/,RETIRED_UOPS").out,
            pmusim("encode -t athlon -e RETIRED_INSTRUCTIONS,RETIRED_UOPS").out);
  EXPECT_EQ(pmusim("encode -t athlon -e RETIRED_UOPS,,CYCLES").err,
            "pmusim: --event 'RETIRED_UOPS,,CYCLES': empty event name; expected EVENT,EVENT\n");
}

// script(1) runs the command on its own terminal.
TEST(Colour, IsForTerminalsThatWantIt) {
  const auto on_terminal = [](const std::string& before) {
    return shell(before + " script -qec '\"$PMUSIM\" targets' /dev/null").out;
  };
  if (!have_tools({"script"})) GTEST_SKIP() << "needs script(1)";
  EXPECT_THAT(on_terminal("env -u NO_COLOR TERM=xterm"), HasSubstr("\033[1mtarget"));
  EXPECT_THAT(on_terminal("NO_COLOR=1 TERM=xterm"), testing::Not(HasSubstr("\033[")));
  EXPECT_THAT(on_terminal("env -u NO_COLOR TERM=dumb"), testing::Not(HasSubstr("\033[")));
  EXPECT_THAT(pmusim("targets").out, testing::Not(HasSubstr("\033[")));
}

// The commands of README's first tour, on a terminal of 80 columns.

/// The arguments of each line of the tour that begins with `pmusim`.
std::vector<std::string> tour() {
  const std::string readme = read_file(source_file("README.md"));
  const std::size_t begin = readme.find("\n## A first tour\n"), end = readme.find("\n## ", begin + 1);
  std::istringstream lines(readme.substr(begin, end - begin));
  std::vector<std::string> commands;
  const std::string prompt = "    pmusim ";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(prompt)) continue;
    std::string command = line.substr(prompt.size());
    while (command.ends_with('\\') && std::getline(lines, line)) {
      command.pop_back();
      command += line;
    }
    commands.push_back(command);
  }
  return commands;
}

/// Commands that need a file which the reader makes, or take longer than a test may.
bool needs_more(const std::string& command) {
  return command.find("program") != std::string::npos || command.starts_with("validate");
}

TEST(FirstTour, FitsATerminalOf80Columns) {
  if (!have_tools({"script", "stty"})) GTEST_SKIP() << "needs script(1)";
  unsigned run = 0;
  for (const std::string& command : tour()) {
    if (needs_more(command)) continue;
    ++run;
    const std::string line = widest(on_terminal(command, 80));
    EXPECT_LE(characters(line), 80u) << command << '\n' << line;
  }
  EXPECT_GE(run, 10u);
}

}  // namespace

}  // namespace pmusim::cli_test
