// The rows that exist on the Montecito but not on the Itanium 2: the system interface of two cores, the divided L2.
// Counts are computed from montecito_programs.py or, where the trace is the Itanium 2's, from its programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "run.h"

namespace pmusim::micro {
namespace {

struct Count {
  std::string row;
  std::uint64_t expected;
};
void expect(TraceRun& r, std::initializer_list<Count> counts) {
  for (const Count& count : counts) r.expect(count.row, count.expected);
}
// Each part of the trace makes its entries in one cycle. A counter adds at most two per cycle, four for snoops, one for
// sign-offs of the snoop coalescing buffer. Every kind occurs once for this core and twice for the other; for each core
// also nine entries at a time, three castouts at a time and three collisions of each kind at a time.
struct Queues : ::testing::Test {
  static constexpr std::uint64_t own = 1, both = 3, at_a_time = 2;
  TraceRun r{"montecito", "queues"};
};

TEST_F(Queues, Inserts) {
  expect(r, {{"SI_RQ_INSERTS_SELF", own + at_a_time},
             {"SI_RQ_INSERTS_EITHER", both + 2 * at_a_time},
             {"SI_CCQ_INSERTS_SELF", own + 2 * at_a_time},
             {"SI_CCQ_INSERTS_EITHER", both + 2 * 2 * at_a_time}});
  for (const std::string kind : {"IWB", "EWB", "WC1_8A", "WC1_8B", "WC32", "NEWB"}) {
    expect(r, {{"SI_WRITEQ_INSERTS_" + kind + "_SELF", own}, {"SI_WRITEQ_INSERTS_" + kind + "_EITHER", both}});
  }
  expect(r, {{"SI_WRITEQ_INSERTS_WC16_SELF", own + at_a_time},
             {"SI_WRITEQ_INSERTS_WC16_EITHER", both + 2 * at_a_time},
             {"SI_WRITEQ_INSERTS_ALL_SELF", at_a_time + at_a_time},
             {"SI_WRITEQ_INSERTS_ALL_EITHER", both * at_a_time + 2 * at_a_time}});
}

TEST_F(Queues, Snoops) {
  const std::uint64_t snoops_at_a_time = 4;
  for (const std::string result : {"HIT", "HITM"}) {
    expect(r, {{"SI_SCB_INSERTS_" + result + "_SELF", own}, {"SI_SCB_INSERTS_" + result + "_EITHER", both}});
  }
  expect(r, {{"SI_SCB_INSERTS_MISS_SELF", own + snoops_at_a_time},
             {"SI_SCB_INSERTS_MISS_EITHER", both + 2 * snoops_at_a_time},
             {"SI_SCB_INSERTS_ALL_SELF", 3 * own + snoops_at_a_time},
             {"SI_SCB_INSERTS_ALL_EITHER", 3 * both + 2 * snoops_at_a_time}});
  for (const std::string result : {"MISS", "HIT", "HITM", "ALL"}) r.expect("SI_SCB_SIGNOFFS_" + result, both);
}

TEST_F(Queues, CollisionsAndErrors) {
  expect(r, {{"SI_WAQ_COLLISIONS_SELF", own + 1},
             {"SI_WAQ_COLLISIONS_EITHER", both + 2 * 1},  // at most one per cycle
             {"SI_CCQ_COLLISIONS_SELF", own + at_a_time},
             {"SI_CCQ_COLLISIONS_EITHER", both + 2 * at_a_time},
             {"SI_IOQ_COLLISIONS", both},
             {"SI_WDQ_ECC_ERRORS_SGL_SELF", own},
             {"SI_WDQ_ECC_ERRORS_SGL_EITHER", both},
             {"SI_WDQ_ECC_ERRORS_DBL_SELF", 2 * own},
             {"SI_WDQ_ECC_ERRORS_DBL_EITHER", 2 * both},
             {"SI_WDQ_ECC_ERRORS_ALL_SELF", at_a_time},
             {"SI_WDQ_ECC_ERRORS_ALL_EITHER", both * at_a_time}});
}

// A number of entries for a number of cycles, for this core and for the other: the counters add bits 2:0 and bit 3 of
// the number.
TEST_F(Queues, Levels) {
  const auto low = [](std::uint64_t entries, std::uint64_t cycles) { return entries % 8 * cycles; };
  const auto high = [](std::uint64_t entries, std::uint64_t cycles) { return entries / 8 * cycles; };
  const std::uint64_t many = 9, kinds_of_writes = 7, kinds_of_snoops = 3;
  const auto levels = [&](const std::string& queue, std::uint64_t once, std::uint64_t cycles, std::uint64_t more) {
    expect(r, {{queue + "_LO_SELF", once + low(many, cycles) + more},
               {queue + "_LO_EITHER", both * once + 2 * (low(many, cycles) + more)},
               {queue + "_HI_SELF", high(many, cycles)},
               {queue + "_HI_EITHER", 2 * high(many, cycles)}});
  };
  levels("SI_RQ_LIVE_REQ", 1, 30, 0);
  levels("SI_WRITEQ_LIVE_REQ", kinds_of_writes, 20, 0);
  levels("SI_CCQ_LIVE_REQ", 1, 40, low(3, 70));
  levels("SI_SCB_LIVE_REQ", kinds_of_snoops, 50, 0);
  // Bits 1:0 and 3:2 of the number for both cores; the counter adds at most two of the latter per cycle.
  const std::uint64_t thirteen = 13;
  r.expect("SI_IOQ_LIVE_REQ_LO", both + 2 * (many % 4 * 60 + thirteen % 4 * 80));
  r.expect("SI_IOQ_LIVE_REQ_HI", 2 * (many / 4 * 60 + std::min<std::uint64_t>(thirteen / 4, 2) * 80));
}

// Transactions of each agent on lines that are modified here (three reads, two reads for ownership, one invalidation)
// and clean (four reads). The other core also reads part of a line, reads a device and writes to it. The processor
// itself reads a line for ownership for each store and reads one for each clean line; it reads two lines while another
// cache has them, and invalidates the copies when they are modified. Another processor reads 24 lines that no cache
// has.
struct Agents : ::testing::Test {
  static constexpr std::uint64_t agents = 3, reads = 3, owns = 2, invalidates = 1, clean = 4, shared = 2, others = 24,
                                 own_reads = agents * clean + shared, own_owns = agents * (reads + owns + invalidates);
  TraceRun r{"montecito", "agents"};
  /// Expected counts by agent: `each` for one agent, `self` for this processor, `core` more for the other core,
  /// `elsewhere` more for other processors.
  void by_agent(const std::string& event, std::uint64_t each, std::uint64_t self, std::uint64_t core = 0,
                std::uint64_t elsewhere = 0) {
    if (event != "BUS_SNOOP_STALL_CYCLES") r.expect(event + "_IO", each);
    r.expect(event + "_SELF", self);
    r.expect(event + "_EITHER", self + each + core);
    r.expect(event + "_ANY", self + agents * each + core + elsewhere);
  }
};

TEST_F(Agents, Answers) {
  by_agent("BUS_RD_HIT", clean, shared);
  by_agent("BUS_RD_HITM", reads + owns, 0);
  by_agent("BUS_RD_INVAL_HITM", invalidates, shared);
  by_agent("BUS_RD_INVAL_BST_HITM", owns, 0);
  by_agent("BUS_HITM", reads + owns + invalidates, shared);
  by_agent("BUS_SNOOP_STALL_CYCLES", reads + owns + invalidates, shared);  // one bus clock each
}

TEST_F(Agents, Kinds) {
  const std::uint64_t lines = reads + owns + clean, own_lines = own_reads + own_owns, part = 1, device = 2;
  by_agent("BUS_MEM_READ_BIL", invalidates, shared);
  by_agent("BUS_MEM_READ_BRL", reads + clean, own_reads, 0, others);
  by_agent("BUS_MEM_READ_BRIL", owns, own_owns);
  by_agent("BUS_MEM_READ_ALL", lines + invalidates, own_lines + shared, 0, others);
  by_agent("BUS_MEMORY_EQ_128BYTE", lines, own_lines, 0, others);
  by_agent("BUS_MEMORY_LT_128BYTE", invalidates, shared, part);
  by_agent("BUS_MEMORY_ALL", lines + invalidates, own_lines + shared, part, others);
  by_agent("BUS_RD_DATA", lines, own_lines, part, others);
  by_agent("BUS_RD_PRTL", 0, 0, part);
  by_agent("BUS_IO", 0, 0, device);
  by_agent("BUS_RD_IO", 0, 0, device / 2);
  by_agent("BUS_ALL", lines + invalidates, own_lines + shared, part + device, others);
}

// Four bus clocks of data for a line and for a device, one for part of a line; all except the first are back to back.
// Lines read in succession are also back to back.
TEST_F(Agents, DataCycles) {
  const std::uint64_t line = 4, behind = line - 1, lines = reads + owns + clean, own_lines = own_reads + own_owns,
                      part = 1, devices = 2;
  by_agent("BUS_DATA_CYCLE", line * lines, line * own_lines, part + line * devices, line * others);
  by_agent("BUS_B2B_DATA_CYCLES", behind * lines, behind * own_lines, behind * devices, behind * others + others - 1);
}

TEST_F(Agents, Requests) {
  r.expect("ER_BRQ_REQ_INSERTED", own_reads + own_owns + shared);
  r.expect("SI_RQ_INSERTS_SELF", own_reads + own_owns + shared);
  r.expect("ER_BKSNP_ME_ACCEPTED", agents * (reads + owns + invalidates + clean));
  const std::uint64_t ratio = 5;
  r.expect("SI_CYCLES", (r.cycles() + ratio - 1) / ratio);
}

// L2D's queue distinguishes fewer reasons than the queue of the Itanium 2's L2, from which these traces are.
TEST(MontecitoL2d, Order) {
  TraceRun releases("montecito", "releases"), acquires = TraceRun("montecito", "acquires"),
                                              fences = TraceRun("montecito", "fences"),
                                              stores = TraceRun("montecito", "store_matches");
  releases.expect("L2D_OZQ_CANCELS0_REL", 3 + 3);  // late releases and others
  releases.expect("L2D_OZQ_CANCELS1_LATE_BYP_EFFRELEASE", 1);
  acquires.expect("L2D_OZQ_CANCELS0_ACQ", 2 + 2);
  fences.expect("L2D_OZQ_CANCELS0_SEMA", 4);
  const std::uint64_t fence = 2, sync = 3, compare_value = 5;
  fences.expect("L2D_OZQ_CANCELS0_MISC_ORDER", fence + sync + compare_value);
  expect(stores,
         {{"L2D_OZQ_CANCELS0_L2A_ST_MAT", 2}, {"L2D_OZQ_CANCELS0_L2D_ST_MAT", 2}, {"L2D_OZQ_CANCELS0_L2C_ST_MAT", 2}});
}

TEST(MontecitoL2d, Lines) {
  TraceRun shared("montecito", "shared"), rounds = TraceRun("montecito", "rounds"),
                                          victims = TraceRun("montecito", "victims");
  shared.expect("L2D_STORE_HIT_SHARED_ANY", 4);
  expect(rounds, {{"L2D_FORCE_RECIRC_L1W", 2}, {"L2D_FORCE_RECIRC_TRAN_PREF", 4}});
  const std::uint64_t ways = 8, lines = 10;
  expect(victims, {{"L3_WRITES_L2_WB_HIT", lines - ways}, {"L3_WRITES_L2_WB_MISS", lines - ways}});
}

}  // namespace
}  // namespace pmusim::micro
