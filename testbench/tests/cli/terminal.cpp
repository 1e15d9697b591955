#include "terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "command.h"

namespace pmusim::cli_test {

std::size_t characters(const std::string& line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string widest(const std::string& text) {
  std::string widest;
  for (const std::string& line : lines_of(text)) {
    if (characters(line) > characters(widest)) widest = line;
  }
  return widest;
}

std::string on_terminal(const std::string& arguments, unsigned columns) {
  const Outcome outcome = shell(
      "TERM=xterm COLUMNS=" + std::to_string(columns) + " script -qec " +
      as_word("stty cols " + std::to_string(columns) + "; \"$PMUSIM\" " + arguments + " 2>/dev/null") + " /dev/null");
  EXPECT_EQ(outcome.code, 0) << arguments;
  const std::string plain = std::regex_replace(outcome.out, std::regex("\033\\[[0-9;]*[mK]|\r"), "");
  EXPECT_NE(plain, "") << arguments;
  return plain;
}

}  // namespace pmusim::cli_test
