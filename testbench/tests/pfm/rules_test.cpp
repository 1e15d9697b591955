// Every rule must have a test with its number, and the page must name it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace pmusim::testbench::pfm {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Rules, EachHasItsTestAndItsLine) {
  const std::filesystem::path source = PMUSIM_SOURCE_DIR;
  std::string tests;
  for (const auto& entry : std::filesystem::directory_iterator(source / "testbench/tests/pfm")) {
    if (entry.path().extension() == ".cpp") tests += text_of(entry.path());
  }
  const std::string page = text_of(source / "docs/tru64-pfm.md");
  constexpr unsigned rules = 102;
  for (unsigned rule = 1; rule <= rules; ++rule) {
    const std::string head = fmt::format("TEST(Pfm, R{}_", rule);
    const auto place = tests.find(head);
    ASSERT_NE(place, std::string::npos) << head;
    const auto name_at = place + std::string("TEST(Pfm, ").size();
    const std::string name = tests.substr(name_at, tests.find(')', name_at) - name_at);
    EXPECT_NE(page.find(fmt::format("| R{} |", rule)), std::string::npos) << rule;
    EXPECT_NE(page.find('`' + name + '`'), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace pmusim::testbench::pfm
