// A row of facts for each event, so that a new event forgets nothing.
#include "testbench/judge/question/event_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/tests/target_name.h"

namespace pmusim::testbench {
namespace {

template <class... Columns>
concept IsRow = requires(Columns... columns) {
  EventFacts{columns...};
};
static_assert(IsRow<const char*, Occurs, CounterSet, Follows, Filters>);
static_assert(!IsRow<const char*, Occurs, CounterSet, Follows>, "a column that is left out does not compile");
static_assert(!IsRow<const char*, Occurs, CounterSet>);
static_assert(!IsRow<const char*, Occurs>);

class Table : public ::testing::TestWithParam<models::Target> {
 protected:
  const std::string target{GetParam().name};
  const EventTable& table = count_facts(target).events;
  const std::vector<EventFacts> rows = [this] {
    std::vector<EventFacts> all(table[0].begin(), table[0].end());
    all.insert(all.end(), table[1].begin(), table[1].end());
    return all;
  }();
  /// The events of the oracle and of the encoder, with their rows.
  [[nodiscard]] std::set<std::string> named() const {
    std::set<std::string> names;
    for (const std::string& row : row_names(target)) names.insert({row, row.substr(0, row.find(':'))});
    for (const encoder::EventInfo& event : encoder::events(target).value()) names.insert(event.name);
    return names;
  }
};

TEST_P(Table, HasARowForEachEvent) {
  for (const std::string& name : named()) EXPECT_NE(find_event_facts(table, name), nullptr) << name;
}

TEST_P(Table, NamesEachEventOnce) {
  std::set<std::string_view> seen;
  for (const EventFacts& facts : rows) EXPECT_TRUE(seen.insert(facts.name).second) << facts.name;
}

TEST_P(Table, NamesNothingElse) {
  const std::set<std::string> names = named();
  std::set<std::string_view> used;
  for (const std::string& name : names) {
    if (const EventFacts* const facts = find_event_facts(table, name)) used.insert(facts->name);
  }
  for (const EventFacts& facts : rows) EXPECT_TRUE(used.contains(facts.name)) << facts.name;
}

TEST_P(Table, AgreesWithItself) {
  for (const EventFacts& facts : rows) {
    EXPECT_TRUE(facts.occurs.never() || facts.occurs.most() != 0) << facts.name;
    EXPECT_FALSE(facts.counters.numbers(questions::family_of(target)->counters.size()).empty()) << facts.name;
    EXPECT_FALSE(facts.follows.from_instructions() && facts.name.ends_with('*')) << facts.name;
  }
}

TEST_P(Table, RefusesARowThatItLacks) {
  EXPECT_THROW((void)event_facts(target, "NO_SUCH_EVENT"), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(EventFacts, Table, ::testing::ValuesIn(models::targets().begin(), models::targets().end()),
                         [](const auto& info) { return test_name(std::string(info.param.name)); });

// The letters of the Itanium 2's event list: code ranges, opcodes, data ranges.
TEST(Filters, AreTheLettersOfTheEventList) {
  for (const std::string& row : row_names("itanium2")) {
    const Filters filters = event_facts("itanium2", row).filters;
    EXPECT_TRUE(!filters.opcode() || filters.code()) << row << ": an opcode belongs to an instruction";
    EXPECT_TRUE(!filters.data() || filters.opcode()) << row;
  }
  const std::pair<const char*, const char*> letters[] = {{"IA64_INST_RETIRED", "IO"}, {"L1I_READS", "I"},
                                                         {"LOADS_RETIRED", "IOD"},    {"CPU_CYCLES", ""},
                                                         {"BRANCH_EVENT", "IO"},      {"DATA_EAR_CACHE_LAT4", "IOD"},
                                                         {"FP_OPS_RETIRED", "I"},     {"RSE_EVENT_RETIRED", ""}};
  for (const auto& [row, wanted] : letters) {
    const Filters filters = event_facts("itanium2", row).filters;
    const std::string got =
        std::string(filters.code() ? "I" : "") + (filters.opcode() ? "O" : "") + (filters.data() ? "D" : "");
    EXPECT_EQ(got, wanted) << row;
  }
}

}  // namespace
}  // namespace pmusim::testbench
