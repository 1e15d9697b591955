// Questions about the IA-64 processors: ranges, constraint sets, setups of the address registers.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <map>

#include "testbench/tests/questions/asked.h"

namespace pmusim::testbench::questions {
namespace {

class OfItanium : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::string target() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Targets, OfItanium, ::testing::Values("itanium2", "montecito"),
                         [](const auto& info) { return std::string(info.param); });

/// A range as a question writes it: START-END or START-END:LEVELS.
struct Range {
  std::uint64_t start = 0, end = 0;
  unsigned levels = 15;
  /// A block of a power of two at a multiple of its size: one pair of registers covers it exactly.
  [[nodiscard]] bool is_block() const {
    const std::uint64_t size = end - start;
    return std::has_single_bit(size) && start % size == 0;
  }
};

Range read(const std::string& text) {
  char* at = nullptr;
  Range range;
  range.start = std::strtoull(text.c_str(), &at, 16);
  EXPECT_EQ(*at, '-') << text;
  range.end = std::strtoull(at + 1, &at, 16);
  if (*at == ':') range.levels = static_cast<unsigned>(std::strtoul(at + 1, &at, 10));
  EXPECT_EQ(*at, '\0') << text;
  return range;
}

TEST_P(OfItanium, RangesInverseAndUnaligned) {
  std::set<bool> inverse_fine;
  std::set<std::uint64_t> fine_offsets;
  bool code_inside_a_block = false, odd_data = false;
  for (const Question& question : legal_questions(target(), Extent::quick)) {
    const auto& filters = question.group.filters;
    if (filters.inverse) inverse_fine.insert(!filters.no_fine);
    for (const std::string& text : filters.irange) {
      const Range range = read(text);
      if (!filters.no_fine) fine_offsets.insert({range.start % 64, range.end % 64});
      code_inside_a_block |= filters.no_fine && !range.is_block();
    }
    for (const std::string& text : filters.drange) odd_data |= !read(text).is_block();
  }
  EXPECT_EQ(inverse_fine, (std::set{false, true}));
  // Fine mode covers pairs of bundles, on the Montecito groups of four: both ends cut one.
  EXPECT_TRUE(fine_offsets.contains(16));
  EXPECT_TRUE(fine_offsets.contains(48));
  EXPECT_TRUE(code_inside_a_block);
  EXPECT_TRUE(odd_data);
}

// PLM of an instruction breakpoint register has a bit for each of four levels.
TEST_P(OfItanium, RangesOfEverySetOfLevels) {
  std::set<unsigned> asked;
  for (const Question& question : legal_questions(target(), Extent::quick)) {
    for (const std::string& text : question.group.filters.irange) asked.insert(read(text).levels);
  }
  for (unsigned levels = 1; levels <= 15; ++levels) EXPECT_TRUE(asked.contains(levels)) << levels;
}

/// Sets of events that a request can name together, and the same with an event of another set.
struct Together {
  std::set<std::string> legal, illegal;
};

bool contains_events(const std::vector<Question>& questions, const std::set<std::string>& events) {
  return std::any_of(questions.begin(), questions.end(),
                     [&](const Question& question) { return events_of(question) == events; });
}

void expect_sets(const std::string& target, const std::vector<Together>& sets) {
  const auto legal = legal_questions(target), illegal = illegal_questions(target);
  for (const auto& [fits, conflicts] : sets) {
    EXPECT_TRUE(contains_events(legal, fits)) << target << ' ' << *fits.begin();
    EXPECT_TRUE(contains_events(illegal, conflicts)) << target << ' ' << *conflicts.begin();
    EXPECT_FALSE(contains_events(legal, conflicts)) << target << ' ' << *conflicts.begin();
  }
}

// PMC5 selects one of six sets of L1D events: L1DTLB and L2DTLB (0), reads (1), RSE fills, stalls (3), loads, stores.
TEST_P(OfItanium, SetsOfTheL1DCaches) {
  expect_sets(
      target(),
      {{{"L1DTLB_TRANSFER", "L2DTLB_MISSES"}, {"L1DTLB_TRANSFER", "L1D_READ_MISSES_ALL"}},
       {{"L1D_READS_SET1", "L1D_READ_MISSES_ALL"}, {"L1D_READS_SET1", "BE_L1D_FPU_BUBBLE_L1D"}},
       {{"BE_L1D_FPU_BUBBLE_ALL", "BE_L1D_FPU_BUBBLE_L1D"}, {"BE_L1D_FPU_BUBBLE_ALL", "MISALIGNED_LOADS_RETIRED"}},
       {{"LOADS_RETIRED", "MISALIGNED_LOADS_RETIRED"}, {"LOADS_RETIRED", "MISALIGNED_STORES_RETIRED"}},
       {{"STORES_RETIRED", "MISALIGNED_STORES_RETIRED"}, {"STORES_RETIRED", "L2DTLB_MISSES"}}});
}

// PMC4 selects one of six sets of L2 events; L2_FORCE_RECIRC is counted by PMC4 alone.
TEST(OfItanium2, SetsOfTheL2Cache) {
  expect_sets(
      "itanium2",
      {{{"L2_OZQ_ACQUIRE", "L2_OZQ_RELEASE"}, {"L2_OZQ_ACQUIRE", "L2_DATA_REFERENCES_L2_ALL"}},
       {{"L2_REFERENCES", "L2_DATA_REFERENCES_L2_ALL"}, {"L2_REFERENCES", "L2_ISSUED_RECIRC_OZQ_ACC"}},
       {{"L2_FILLB_FULL_THIS", "L2_OZDB_FULL_THIS"}, {"L2_FILLB_FULL_THIS", "L2_OZQ_RELEASE"}},
       {{"DATA_EAR_CACHE_LAT4", "BRANCH_EVENT"}, {"DATA_EAR_TLB_ALL", "BRANCH_EVENT"}},
       {{"DATA_EAR_CACHE_LAT4", "L1I_EAR_CACHE_LAT0"}, {"DATA_EAR_CACHE_LAT4", "DATA_EAR_CACHE_LAT8"}},
       {{"L2_GOT_RECIRC_OZQ_ACC", "L2_ISSUED_RECIRC_OZQ_ACC"}, {"L2_FORCE_RECIRC_ANY", "L2_FORCE_RECIRC_L1W"}}});
}

// Two sets of L2D events can be counted at once, but not three.
TEST(OfMontecito, SetsOfTheL2DCache) {
  expect_sets("montecito",
              {{{"L2D_REFERENCES_READS", "L2D_STORE_HIT_SHARED_ANY"},
                {"L2D_BYPASS_L2_DATA1", "L2D_REFERENCES_ALL", "L2D_STORE_HIT_SHARED_ANY"}},
               {{"DATA_EAR_CACHE_LAT4", "L1I_EAR_CACHE_LAT0"}, {"L1I_EAR_CACHE_LAT0", "L1I_EAR_TLB_ALL"}}});
}

// Data: latencies from 4 to 4,096 cycles, DTLB misses by the level that serves them, ALAT misses. Instructions: nine
// latencies, the buffer in front of the cache, ITLB misses.
TEST_P(OfItanium, EverySetupOfTheAddressRegisters) {
  std::set<std::string> rows, texts;
  const std::vector<std::pair<std::string, std::string>> levels{{"ALL", "l2+vhpt+fault"},
                                                                {"L2#_OR_VHPT", "l2+vhpt"},
                                                                {"L2#_OR_FAULT", "l2+fault"},
                                                                {"VHPT_OR_FAULT", "vhpt+fault"},
                                                                {"L2#", "l2"},
                                                                {"VHPT", "vhpt"},
                                                                {"FAULT", "fault"}};
  const auto add = [&](const std::string& row, const std::string& text) {
    rows.insert(row);
    texts.insert(text);
  };
  for (unsigned latency = 4; latency <= 4096; latency *= 2)
    add("DATA_EAR_CACHE_LAT" + std::to_string(latency), "unit=data,mode=cache,latency=" + std::to_string(latency));
  for (const unsigned latency : {0, 4, 8, 16, 32, 128, 256, 1024, 4096})
    add("L1I_EAR_CACHE_LAT" + std::to_string(latency),
        "unit=instruction,mode=cache,latency=" + std::to_string(latency));
  add("DATA_EAR_ALAT", "unit=data,mode=alat");
  add("L1I_EAR_CACHE_RAB", "unit=instruction,mode=cache,latency=rab");
  for (const auto& [name, level] : levels) {
    std::string data = name, code = name;
    if (const std::size_t at = name.find('#'); at != std::string::npos)
      data.replace(at, 1, "DTLB"), code.replace(at, 1, "TLB");
    add("DATA_EAR_TLB_" + data, "unit=data,mode=tlb,level=" + level);
    add("L1I_EAR_TLB_" + code, "unit=instruction,mode=tlb,level=" + level);
  }
  ASSERT_EQ(rows.size(), 36u);

  std::set<std::string> captured, armed;
  std::map<std::string, std::set<std::string>> attributes;
  for (const Question& question : legal_questions(target())) {
    const Check& check = question.group.checks.front();
    if (question.group.checks.size() != 1) continue;
    for (const std::string& text : question.group.filters.ear) {
      armed.insert(text);
      EXPECT_TRUE(check.request.event.ends_with("_EAR_EVENTS")) << question.group.question();
      EXPECT_TRUE(rows.contains(check.request.ia64.armed)) << question.group.question();
    }
    if (!question.group.captures || check.request.event.find("_EAR_") == std::string::npos) continue;
    captured.insert(check.request.event);
    for (const auto& [name, value] : check.attributes)
      attributes[check.request.event].insert(name + '=' + std::to_string(value));
  }
  EXPECT_EQ(captured, rows);
  EXPECT_EQ(armed, texts);
  for (const auto& [row, asked] : attributes) {
    for (const char* attribute : {"u=1", "k=1", "plm=6", "pm=1"})
      EXPECT_TRUE(asked.contains(attribute)) << row << ' ' << attribute;
  }
}

// Four ranges in four pairs of registers need an event for each: a selection of one of the events keeps them all, or
// the encoder would refuse the run. Runs whose filters serve each event alone are cut.
TEST(Plan, ASelectionDoesNotCutThroughAJointSet) {
  for (const auto& [target, event] : {std::pair{"itanium2", "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8"},
                                      {"montecito", "IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35"}}) {
    std::size_t whole = 0, cut = 0;
    for (const Group& group : make_plan(target, Depth::full, {}, event)) {
      const bool several = group.filters.irange.size() > 1 && group.filters.irange[0] != group.filters.irange[1];
      if (several) {
        EXPECT_EQ(group.checks.size(), 4u) << group.question();
        ++whole;
      } else if (group.checks.size() == 1) {
        ++cut;
      }
    }
    EXPECT_EQ(whole, 2u) << "coarse and fine";
    EXPECT_GT(cut, 0u);
  }
}

}  // namespace
}  // namespace pmusim::testbench::questions
