// Single instructions on the Athlon's core against those of a real Athlon XP.
#include "silicon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "testbench/tests/tools.h"

namespace pmusim::timing {
namespace {

const std::vector<SiliconResult>& measured() {
  static const std::vector<SiliconResult> all = measure_silicon();
  return all;
}

class Silicon : public testing::Test {
 protected:
  void SetUp() override {
    if (!have_tools({"i686-linux-gnu-as", "i686-linux-gnu-objcopy"})) {
      GTEST_SKIP() << "needs binutils-i686-linux-gnu";
    }
  }
};

TEST_F(Silicon, EachRowHasOneProgram) {
  std::map<std::string, unsigned> rows, programs;
  for (const SiliconRow& row : read_silicon()) ++rows[row.name()];
  for (const SiliconProgram& program : read_programs()) ++programs[program.form + " " + program.kind];
  EXPECT_EQ(rows, programs);
  for (const auto& [name, count] : rows) EXPECT_EQ(count, 1u) << name;
}

// The share is a requirement of the model; the list of misses holds each other row where it is.
TEST_F(Silicon, NineOfTenFormsAreMet) {
  constexpr double least = 0.92;
  const auto met =
      std::count_if(measured().begin(), measured().end(), [](const SiliconResult& m) { return m.holds(); });
  EXPECT_GE(static_cast<double>(met), least * static_cast<double>(measured().size()));
  RecordProperty("met", static_cast<int>(met));
}

TEST_F(Silicon, EachMissHasAReason) {
  std::map<std::string, std::string> reasons;
  for (const SiliconMiss& miss : read_misses()) reasons[miss.form + " " + miss.kind] = miss.why;
  for (const SiliconResult& m : measured()) {
    const bool named = reasons.erase(m.row.name()) != 0;
    EXPECT_NE(m.holds(), named) << m.row.name() << ": silicon " << m.row.cycles << ", core " << m.clocks
                                << (named ? "; drop it from k7_misses.csv" : "; k7_misses.csv does not say why");
  }
  for (const auto& [name, why] : reasons) ADD_FAILURE() << "k7_misses.csv: no row " << name;
}

}  // namespace
}  // namespace pmusim::timing
