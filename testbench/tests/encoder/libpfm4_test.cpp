// Compares our Athlon selectors with those of Debian's libpfm4, for every event that both know under every combination
// of modifiers. libpfm4 always sets INT (bit 20); ours only for sampling requests. So a counting request must equal
// libpfm4's word without INT, and a sampling request the whole word.
#include <cstdio>
#include <memory>
#include <set>
#include <sstream>

#include "expect.h"
#include "testbench/tests/tools.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t kInt = 1u << 20;

struct Line {
  std::string event;
  std::uint64_t value = 0;
};

std::vector<Line> libpfm4_lines() {
  std::vector<Line> lines;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(as_word(built("libpfm4_k7_encodings")).c_str(), "r"),
                                                             pclose);
  if (!pipe) return lines;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe.get())) {
    std::istringstream words(buffer);
    Line line;
    words >> line.event >> std::hex >> line.value;
    lines.push_back(std::move(line));
  }
  return lines;
}

TEST(Libpfm4, SameWordsForEveryCombination) {
  const std::vector<Line> lines = libpfm4_lines();
  std::set<std::string> names;
  unsigned differences = 0;
  for (const Line& line : lines) {
    names.insert(line.event.substr(0, line.event.find(':')));
    const std::vector<std::string> asked{line.event};
    const auto counting = encode("athlon", asked);
    const auto sampling = encode("athlon", asked, {.sampling = true});
    ASSERT_TRUE(counting && sampling) << line.event << ": " << counting.error().message;
    const bool same = (line.value & kInt) != 0 && value_of(*counting, "PerfEvtSel0") == (line.value & ~kInt) &&
                      value_of(*sampling, "PerfEvtSel0") == line.value;
    if (!same && ++differences <= 10)
      ADD_FAILURE() << line.event << ": libpfm4 " << std::hex << line.value << ", counting "
                    << value_of(*counting, "PerfEvtSel0") << ", sampling " << value_of(*sampling, "PerfEvtSel0");
  }
  EXPECT_EQ(differences, 0u);
  // 24 events, three of them with five single masks: 21 without masks; 31 sums, the default and ALL for each of the
  // three. Times five level settings, edge, invert and six counter masks; and each event with all 256 counter masks.
  EXPECT_EQ(names.size(), 24u);
  EXPECT_EQ(lines.size(), (21u + 3 * (31 + 1 + 1)) * 5 * 2 * 2 * 6 + 24 * 256);
}

}  // namespace
}  // namespace pmusim::encoder::test
