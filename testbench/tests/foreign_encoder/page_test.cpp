// docs/foreign-encoders.md begins with an encoder, a verdict on it, and commands for continuous integration: all of it
// runs as it is written.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "run.h"

namespace pmusim::cli_test {
namespace {

using ::testing::HasSubstr;

const std::string& page() {
  static const std::string text = read_file(std::string(PMUSIM_SOURCE_DIR) + "/docs/foreign-encoders.md");
  return text;
}

/// The text between two marks.
std::string between(const std::string& begin, const std::string& end) {
  const std::size_t from = page().find(begin);
  EXPECT_NE(from, std::string::npos) << begin;
  const std::size_t start = from + begin.size();
  return page().substr(start, page().find(end, start) - start);
}

std::string encoder(const std::string& name, const std::string& code) {
  const std::string file = write_file(name, code);
  EXPECT_EQ(shell("chmod +x " + as_word(file)).code, 0);
  return file;
}

TEST(Page, TheEncoderHasTheVerdictThatIsShown) {
  encoder("my-encoder", between("```python\n", "```\n"));
  const Outcome quick = shell("\"$PMUSIM\" validate -t athlon --encoder ./my-encoder --quick --no-cache");
  EXPECT_EQ(quick.code, 0) << quick.err;
  for (const std::string& line : lines_of(quick.out)) {
    if (line.empty()) continue;
    EXPECT_THAT(page(), HasSubstr("    " + line + '\n'));
  }
}

TEST(Page, ItsMistakeIsNamedAsShown) {
  const std::string right = between("```python\n", "```\n");
  const std::string wrong = std::regex_replace(right, std::regex("0x41"), "0x40");
  ASSERT_NE(wrong, right);
  encoder("my-encoder", wrong);
  const Outcome quick = shell("\"$PMUSIM\" validate -t athlon --encoder ./my-encoder --quick --no-cache");
  EXPECT_EQ(quick.code, 1) << quick.err;
  std::size_t shown = 0;
  for (const std::string& line : lines_of(quick.out)) {
    if (line.starts_with("athlon: the encoder")) break;
    if (line.empty()) continue;
    EXPECT_THAT(page(), HasSubstr("    " + line + '\n'));
    ++shown;
  }
  EXPECT_GT(shown, 3u);
}

TEST(Page, TheCommandsOfContinuousIntegrationPass) {
  encoder("my-encoder", between("```python\n", "```\n"));
  std::istringstream commands(between("  run: |\n", "```\n"));
  std::size_t run = 0;
  for (std::string command; std::getline(commands, command); ++run) {
    const Outcome outcome = shell(std::regex_replace(command, std::regex("^ *pmusim"), R"("$$PMUSIM")"));
    EXPECT_EQ(outcome.code, 0) << command << outcome.out << outcome.err;
  }
  EXPECT_EQ(run, 2u);
}

}  // namespace
}  // namespace pmusim::cli_test
