// The commands of README's first tour, on a terminal of 80 columns.
#include <gtest/gtest.h>

#include <sstream>

#include "command.h"
#include "terminal.h"
#include "testbench/tests/tools.h"

namespace pmusim::cli_test {
namespace {

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
