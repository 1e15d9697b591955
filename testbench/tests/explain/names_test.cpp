// The names of steps must match their enum, in its order.
#include "testbench/explain/names.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace pmusim::testbench {
namespace {

/// The enumerators in the header, without count_.
std::vector<std::string> enumerators(const std::string& file, const std::string& name) {
  std::ifstream in(PMUSIM_SOURCE_DIR "/models/" + file);
  std::vector<std::string> names;
  bool inside = false;
  static const std::regex enumerator(R"(^  (\w+),?(\s*//.*)?$)");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("enum class " + name + " ")) inside = true;
    if (inside && line == "};") break;
    std::smatch match;
    if (inside && std::regex_match(line, match, enumerator) && match[1] != "count_") names.push_back(match[1]);
  }
  return names;
}

TEST(ExplainNames, AreTheEnums) {
  const std::vector<std::string> names = enumerators("pmu/probe.h", "Step");
  ASSERT_EQ(names.size(), pmu::step_count);
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(name_of(static_cast<pmu::Step>(i)), names[i]);
}

}  // namespace
}  // namespace pmusim::testbench
