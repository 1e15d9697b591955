// Help, version and shell completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;
constexpr const char* commands[] = {"targets",  "events", "encode",     "decode", "run",     "record",
                                    "validate", "trace",  "completion", "diff",   "activity"};

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
  for (const char* command : {"info", "dump", "import", "export", "capture"}) {
    const Outcome one = pmusim(std::string("trace ") + command + " --help");
    EXPECT_EQ(one.code, 0) << command;
    EXPECT_THAT(one.out, testing::StartsWith("usage: pmusim trace"));
  }
}

// Traces that examples name under isa-traces/ are there.
TEST(Help, ExamplesNameTracesThatExist) {
  std::string all = pmusim("--help").out;
  for (const char* command : commands) all += pmusim(std::string(command) + " --help").out;
  std::size_t found = 0;
  const std::string folder = "isa-traces/recorded/";
  for (std::size_t at = all.find(folder); at != std::string::npos; at = all.find(folder, at + 1)) {
    const std::string file = all.substr(at, all.find_first_of(" \n", at) - at);
    EXPECT_NE(read_file(PMUSIM_SOURCE_DIR "/" + file), "") << file;
    ++found;
  }
  EXPECT_GE(found, 3u);
}

TEST(Version, IsOneLine) {
  const Outcome outcome = pmusim("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("pmusim [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

/// What bash offers behind these words.
std::string completions(const std::string& words) {
  return shell(
             "\"$PMUSIM\" completion > c.sh; mkdir -p bin; ln -sf \"$PMUSIM\" bin/pmusim; PATH=$PWD/bin:$PATH bash -c "
             "'. ./c.sh; "
             "COMP_WORDS=(" +
             words + "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _pmusim; echo \"${COMPREPLY[@]}\"'")
      .out;
}

TEST(Completion, IsBashAndCompletes) {
  EXPECT_EQ(shell("\"$PMUSIM\" completion | bash -n").code, 0);
  EXPECT_EQ(completions("pmusim va"), "validate\n");
  EXPECT_EQ(completions("pmusim run -t ath"), "athlon\n");
  EXPECT_EQ(completions("pmusim run -t athlon -e retired_inst"), "RETIRED_INSTRUCTIONS\n");
  EXPECT_EQ(completions("pmusim record --per"), "--period --perturb\n");
  EXPECT_EQ(completions("pmusim trace exp"), "export\n");
}

}  // namespace
}  // namespace pmusim::cli_test
