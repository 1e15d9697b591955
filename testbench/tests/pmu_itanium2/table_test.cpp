#include "models/itanium2/events.h"
#include "testbench/tests/monitors/ia64_table.h"
#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

TEST(Table, EveryRow) {
  const auto table = pmu::itanium2::multiplexer();
  const std::size_t named = expect_the_encoders_facts("itanium2", table, {"L1", "L2"});
  // Intel's list alone: aliases of nine, one and one selectors, both pins in one unit mask, and an event without a
  // meaning.
  EXPECT_EQ(selectors_of(table), named + 3 * (9 + 1 + 1) + 1 + 1) << "nothing else counts";
}

// The list has four codes for each of three events: the lines of all four are the same.
TEST(Table, AliasesHaveTheSameLines) {
  for (unsigned code = 0xa1; code <= 0xa3; ++code) {
    for (unsigned umask = 0; umask < 16; ++umask) {
      const pmu::ia64::Event* const first = pmu::ia64::find_event(pmu::itanium2::multiplexer(), code, umask);
      for (const unsigned alias : {code + 4, code + 8, code + 12}) {
        const pmu::ia64::Event* const other = pmu::ia64::find_event(pmu::itanium2::multiplexer(), alias, umask);
        ASSERT_EQ(other == nullptr, first == nullptr) << std::hex << alias << ' ' << umask;
        if (first == nullptr) continue;
        EXPECT_EQ(std::tie(other->signal, other->amount, other->state, other->level),
                  std::tie(first->signal, first->amount, first->state, first->level))
            << std::hex << alias << ' ' << umask;
      }
    }
  }
}

// TAGGED_L2_DATA_RETURN_POR: Intel's event list has no more than the name.
TEST(Table, AllButTheOneWithoutADefinitionAreModelled) {
  constexpr unsigned undefined = 0xbb;
  for (unsigned code = 0; code < 256; ++code) {
    for (unsigned umask = 0; umask < 16; ++umask) {
      const auto sentences = counting({event(code, umask) | any_level})->not_modelled();
      if (code != undefined || umask != 0) {
        EXPECT_TRUE(sentences.empty()) << std::hex << code << ' ' << umask;
        continue;
      }
      ASSERT_EQ(sentences.size(), 1u);
      EXPECT_EQ(sentences[0], "PMC4: event 0xbb with unit mask 0 is not modelled and counts 0");
    }
  }
}

}  // namespace
}  // namespace pmusim::testing
