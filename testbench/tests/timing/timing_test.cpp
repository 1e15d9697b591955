// The cores' clocks compared with documents and with measurements on silicon.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "measures.h"
#include "page.h"
#include "silicon.h"
#include "testbench/tests/tools.h"

namespace pmusim::timing {

namespace {

const std::vector<Row>& rows() {
  static const std::vector<Row> measured = measure_all();
  return measured;
}

bool names(const std::vector<Remark>& remarks, const Reference& r) {
  return std::any_of(remarks.begin(), remarks.end(), [&](const Remark& m) { return m.of(r); });
}

TEST(Timing, EachReferenceIsMeasured) {
  std::set<std::string> measured;
  for (const Row& row : rows()) measured.insert(row.reference.name());
  std::set<std::string> all;
  for (const Reference& r : read_references()) {
    EXPECT_TRUE(all.insert(r.name()).second) << r.name() << ": twice in references.csv";
    EXPECT_EQ(measured.count(r.name()), 1u) << r.name() << ": nothing measures it";
  }
}

TEST(Timing, NothingElseIsMeasured) {
  std::map<std::string, std::set<std::pair<std::string, std::string>>> references;
  for (const Reference& r : read_references()) references[r.target].insert({r.class_name, r.kind});
  for (const auto& [target, wanted] : references) {
    std::set<std::pair<std::string, std::string>> measured;
    for (const Measure& m : measures_of(target)) {
      EXPECT_TRUE(measured.insert({m.class_name, m.kind}).second)
          << target << ", " << m.class_name << ", " << m.kind << ": measured twice";
      EXPECT_EQ(wanted.count({m.class_name, m.kind}), 1u)
          << target << ", " << m.class_name << ", " << m.kind << ": no such reference";
    }
  }
}

TEST(Timing, NearlyAllFiguresOfEachTargetAreMet) {
  std::map<std::pair<std::string, bool>, std::pair<std::size_t, std::size_t>> counts;  // of loops or not: met, all
  for (const Row& row : rows()) {
    auto& [met, all] = counts[{row.reference.target, row.reference.is_loop()}];
    met += row.holds() ? 1 : 0;
    ++all;
  }
  for (const auto& [of, count] : counts) {
    const std::size_t least = of.second ? 66 : 97;
    EXPECT_GE(count.first * 100, count.second * least)
        << of.first << (of.second ? ", loops: " : ": ") << count.first << " of " << count.second;
  }
}

TEST(Timing, NineTenthsOfAllLoopsAreMet) {
  const auto is_loop = [](const Row& row) { return row.reference.is_loop(); };
  const auto holds = [](const Row& row) { return row.reference.is_loop() && row.holds(); };
  const auto all = std::count_if(rows().begin(), rows().end(), is_loop);
  EXPECT_GE(std::count_if(rows().begin(), rows().end(), holds) * 10, all * 9);
}

// The tolerance of a loop of others is a tenth of its figure.
TEST(Timing, LoopsHaveATenth) {
  for (const Reference& r : read_references()) {
    if (!r.is_loop()) continue;
    EXPECT_NEAR(r.tolerance, r.most / 10, 0.01 + r.most / 200) << r.name();
  }
}

TEST(Timing, EachDifferenceHasAReason) {
  const std::vector<Remark> reasons = read_disagreements();
  std::size_t used = 0;
  for (const Row& row : rows()) {
    const Reference& r = row.reference;
    EXPECT_NE(row.holds(), names(reasons, r))
        << r.name() << ": reference " << r.figure << ", measured " << row.measured
        << (row.holds() ? "; drop it from disagreements.csv" : "; disagreements.csv does not say why");
    used += names(reasons, r) ? 1 : 0;
  }
  EXPECT_EQ(used, reasons.size()) << "disagreements.csv has lines for no reference, or twice for one";
}

TEST(Timing, ThePageIsCurrent) {
  std::ifstream in(std::string(PMUSIM_SOURCE_DIR) + "/docs/generated/timing.md");
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(text.str() == page(rows())) << "build timing_page, and: timing_page > docs/generated/timing.md";
}

// The table's reader and the comparison, tested with invented figures.
TEST(Timing, ToleranceReachesBeyondBothEndsOfARange) {
  const Reference r{"", "", "", "4..6", 4, 6, 0.15, "", ""};
  EXPECT_TRUE(r.holds(3.85));
  EXPECT_TRUE(r.holds(6.15));
  EXPECT_FALSE(r.holds(3.8));
  EXPECT_FALSE(r.holds(6.2));
}

// Single instructions on the Athlon's core against those of a real Athlon XP.

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
