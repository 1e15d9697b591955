// Every event is asked for on every counter that can count it, and on no other. The counters are those of the manuals.
#include <gtest/gtest.h>

#include <map>

#include "testbench/tests/questions/asked.h"

namespace pmusim::testbench::questions {
namespace {

using Counters = std::set<unsigned>;

/// For each event, the counters on which a legal question about it alone is asked.
std::map<std::string, Counters> asked_counters(const std::string& target, std::size_t counters) {
  std::map<std::string, Counters> asked;
  for (const Question& question : legal_questions(target)) {
    if (is_on_one_counter(question, counters))
      asked[*events_of(question).begin()].insert(counter_of(question, counters));
  }
  return asked;
}

// User's manual of the 750GX, tables 11-2 to 11-5: the selects of PMC1 to PMC4. Selects 0 to 4 are alike.
TEST(Placement, EveryEventOfThe750OnItsCounters) {
  const std::vector<std::set<std::string>> tables{
      {"EIEIO_INSTRUCTIONS", "ITLB_TABLE_SEARCH_CYCLES", "L2_ACCESSES", "EAS_DELIVERED", "IABR_MATCHES",
       "L1_LOAD_MISSES", "UNRESOLVED_BRANCHES", "SECOND_UNRESOLVED_BRANCH_STALLS"},
      {"L1_ICACHE_MISSES", "ITLB_MISSES", "L2_I_MISSES", "BRANCHES_NOT_TAKEN", "RESERVED_LOADS", "LOADS_AND_STORES",
       "SNOOPS", "L1_CASTOUTS_TO_L2", "SYSTEM_UNIT_INSTRUCTIONS", "INSTRUCTION_FETCH_MISSES", "SPECULATIVE_BRANCHES"},
      {"L1_DCACHE_MISSES", "DTLB_MISSES", "L2_DATA_MISSES", "TAKEN_BRANCHES", "STORE_CONDITIONAL_INSTRUCTIONS",
       "FPU_INSTRUCTIONS", "L2_CASTOUTS_MODIFIED_SNOOPS", "L2_HITS", "L1_LOAD_MISS_CYCLES",
       "SECOND_STREAM_RESOLVED_BRANCHES", "BPU_LR_CR_STALL_CYCLES"},
      {"L2_CASTOUTS", "DTLB_TABLE_SEARCH_CYCLES", "MISPREDICTED_BRANCHES",
       "STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", "SYNC_INSTRUCTIONS", "SNOOP_RETRIES", "INTEGER_OPERATIONS",
       "BPU_BLOCKED_CYCLES"}};
  std::map<std::string, Counters> due;
  for (const char* event :
       {"NOTHING", "PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED", "TBL_BIT_TRANSITIONS", "INSTRUCTIONS_DISPATCHED"})
    due[event] = {0, 1, 2, 3};
  for (unsigned counter = 0; counter < tables.size(); ++counter) {
    for (const std::string& event : tables[counter]) due[event] = {counter};
  }
  for (const char* target : {"ppc750gx", "ppc750gl"}) EXPECT_EQ(asked_counters(target, 4), due) << target;
}

/// The counters of the events whose names begin so.
struct Restricted {
  const char* prefix;
  Counters counters;
};

void expect_placements(const std::string& target, const Counters& all, const std::vector<Restricted>& restricted) {
  const auto asked = asked_counters(target, all.size());
  std::size_t events = 0;
  for (const oracle::EventName& event : oracle::events(target)) {
    const std::string name(event.name);
    if (name.ends_with("_EAR_EVENTS")) continue;  // asked for with each setup (ia64_test.cpp)
    ++events;
    Counters due = all;
    std::size_t longest = 0;
    for (const Restricted& r : restricted) {
      const std::string prefix = r.prefix;
      if (!name.starts_with(prefix) || prefix.size() < longest) continue;
      due = r.counters;
      longest = prefix.size();
    }
    const auto found = asked.find(name);
    ASSERT_NE(found, asked.end()) << target << ' ' << name;
    EXPECT_EQ(found->second, due) << target << ' ' << name;
  }
  EXPECT_GT(events, 400u) << target;
}

/// Events of the L1D caches, of both processors: PMC5 selects their set.
const std::vector<Restricted> on_pmc5{{"L1DTLB_TRANSFER", {1}},   {"L2DTLB_MISSES", {1}},   {"L1D_READS_SET", {1}},
                                      {"L1D_READ_MISSES", {1}},   {"DATA_REFERENCES", {1}}, {"BE_L1D_FPU_BUBBLE", {1}},
                                      {"LOADS_RETIRED", {1}},     {"STORES_RETIRED", {1}},  {"MISALIGNED_LOADS", {1}},
                                      {"MISALIGNED_STORES", {1}}, {"UC_LOADS", {1}},        {"UC_STORES", {1}}};

// Reference manual of the Itanium 2, 10.3: events of the L2 caches in sets are on PMC4.
TEST(Placement, EveryEventOfTheItanium2OnItsCounters) {
  std::vector<Restricted> restricted = on_pmc5;
  restricted.push_back({"L2_", {0}});
  for (const char* free : {"L2_INST_DEMAND_READS", "L2_INST_PREFETCHES", "L2_MISSES"})
    restricted.push_back({free, {0, 1, 2, 3}});
  expect_placements("itanium2", {0, 1, 2, 3}, restricted);
}

// Reference manual of the Montecito: L2D events in sets are on PMC4, bus events on PMC4 to PMC9. Some L2D events are in
// no set (libpfm_montecito(3)).
TEST(Placement, EveryEventOfTheMontecitoOnItsCounters) {
  Counters all;
  for (unsigned counter = 0; counter < 12; ++counter) all.insert(counter);
  const Counters first_six{0, 1, 2, 3, 4, 5};
  std::vector<Restricted> restricted = on_pmc5;
  restricted.push_back({"L2D_", {0}});
  for (const char* free : {"L2D_MISSES", "L2D_INSERT_", "L2D_OPS_ISSUED_"}) restricted.push_back({free, all});
  restricted.push_back({"BUS_", first_six});
  restricted.push_back({"ER_", first_six});
  // Its code is that of an L2D event on the counter that selects the set.
  restricted.push_back({"ER_REJECT_ALL_L1_REQ", {1, 3, 4, 5}});
  restricted.push_back({"CPU_OP_CYCLES_HALTED", {6}});
  expect_placements("montecito", all, restricted);
}

}  // namespace
}  // namespace pmusim::testbench::questions
