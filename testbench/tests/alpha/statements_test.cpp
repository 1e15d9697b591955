// Statements of pfm(7) about caches, replays and profiled instructions, each on a program whose count is arithmetic.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include "bench.h"
#include "testbench/driver/activity_source.h"
#include "testbench/oracle/profile.h"

namespace pmusim::testbench {
namespace {

constexpr std::uint64_t code_start = 0x120000000;
/// Data whose sets in the caches the code does not use.
constexpr std::uint64_t data_start = 0x140007000;

/// A program of a user, as the text of a trace.
class Program {
 public:
  Program& additions(unsigned number) {
    for (unsigned i = 0; i < number; ++i) line(addq[i % addq.size()], "itlb=hit");
    return *this;
  }
  /// Loads directly after one another go to different registers, so that none waits for another.
  Program& load(std::uint64_t address) {
    const std::uint32_t to = 10 + loads_++ % 16;
    line(0xa4090000 | to << 21, fmt::format("L {:x} 8 dtlb=hit", address));  // ldq $to,0($9)
    return *this;
  }
  Program& store(std::uint64_t address) {
    line(0xb4290000, fmt::format("S {:x} 8 dtlb=hit", address));  // stq $1,0($9)
    return *this;
  }
  /// A store whose address comes from two multiplications.
  Program& late_store(std::uint64_t address) {
    line(0x4cc60405, "");                                         // mulq $6,$6,$5
    line(0x4ca50405, "");                                         // mulq $5,$5,$5
    line(0xb4250000, fmt::format("S {:x} 8 dtlb=hit", address));  // stq $1,0($5)
    return *this;
  }
  Program& barrier() {
    line(0x60004000, "");  // mb
    return *this;
  }
  /// A branch that is always taken.
  Program& jump(std::uint64_t to) {
    const std::uint64_t words = (to - (at_ + 4)) / 4;
    line(0xc3e00000 | static_cast<std::uint32_t>(words & 0x1fffff), fmt::format("T {:x}", to));  // br $31
    at_ = to;
    return *this;
  }
  /// A conditional branch.
  Program& branch(std::uint64_t to, bool taken) {
    const std::uint64_t words = (to - (at_ + 4)) / 4;
    line(0xf4200000 | static_cast<std::uint32_t>(words & 0x1fffff), taken ? fmt::format("T {:x}", to) : "");  // bne $1
    if (taken) at_ = to;
    return *this;
  }
  /// Additions to the register of the last load, each of which waits for it.
  Program& users(unsigned number) {
    const std::uint32_t from = 10 + (loads_ - 1) % 16;
    for (unsigned i = 0; i < number; ++i) line(0x40001400 | from << 21 | (1 + i % 4), "itlb=hit");  // addq $from,0,$n
    return *this;
  }
  [[nodiscard]] std::uint64_t here() const { return at_; }
  [[nodiscard]] std::string file(const std::string& name) const {
    const std::string path = ::testing::TempDir() + "statement-" + name + ".txt";
    std::ofstream(path) << text_;
    return path;
  }

 private:
  static constexpr std::array<std::uint32_t, 4> addq{0x43e01401, 0x43e03402, 0x43e05403, 0x43e07404};  // no dependence

  void line(std::uint32_t word, const std::string& rest) {
    text_ += fmt::format("{:x} {:02x}{:02x}{:02x}{:02x} {}\n", at_, word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff,
                         word >> 24, rest);
    at_ += 4;
  }
  std::string text_ = "! isa alpha\n";
  std::uint64_t at_ = code_start;
  std::uint32_t loads_ = 0;
};

std::uint64_t count_of(const std::string& target, const std::string& file, const std::string& event) {
  return count(target, file, {event}).counts[0].value;
}

/// Stores to `number` blocks at this distance, each out of the write buffer before the next.
std::string stores_apart(unsigned number, std::uint64_t distance) {
  Program program;
  for (unsigned i = 0; i < number; ++i) program.store(data_start + distance * i).additions(20).barrier().additions(140);
  return program.additions(200).file(fmt::format("stores-{}-{:x}", number, distance));
}

// "for each time a data block in the Secondary Cache must be written back to main memory before it is reused": the
// cache has 96 KB in three ways, and all these blocks are of one set and modified, so each after the third pushes one
// out.
TEST(Statements, SecondaryCacheVictims) {
  for (const unsigned blocks : {2u, 3u, 4u, 8u, 20u})
    EXPECT_EQ(count_of("alpha-ev5", stores_apart(blocks, 96 * 1024 / 3), "PF5_MUX1_C_SCACHE_VICTIM"),
              blocks < 3 ? 0 : blocks - 3);
}

// The same for the board's cache, which has one way, and for the VICTIM commands of the 21164PC.
TEST(Statements, BackupCacheVictims) {
  constexpr std::uint64_t multiple_of_every_size = 0x1000000;
  for (const unsigned blocks : {1u, 2u, 8u, 20u}) {
    const std::string file = stores_apart(blocks, multiple_of_every_size);
    EXPECT_EQ(count_of("alpha-ev5", file, "PF5_MUX1_C_BCACHE_VICTIM"), blocks - 1);
    EXPECT_EQ(count_of("alpha-pca56", file, "PF5_MUX1_C_BCACHE_VICTIM"), blocks - 1);
  }
}

/// A loop that runs through the same code with `cold` loads of blocks that only memory has, one directly after the
/// other, in all passes but the first two.
std::string loads_together(unsigned passes, unsigned cold) {
  Program program;
  constexpr unsigned places = 4;
  for (unsigned pass = 0; pass < passes + 2; ++pass) {
    for (unsigned i = 0; i < places; ++i) {
      const bool misses = pass >= 2 && i < cold;
      program.load(misses ? data_start + 0x100000 + 0x400 * (places * pass + i) : data_start);
    }
    program.additions(400).jump(pass + 1 < passes + 2 ? code_start : program.here() + 4);
  }
  return program.additions(200).file(fmt::format("together-{}-{}", passes, cold));
}

/// What a number of cold loads in each pass adds to a count.
std::uint64_t added_by(const char* target, const char* event, unsigned passes, unsigned cold) {
  return count_of(target, loads_together(passes, cold), event) - count_of(target, loads_together(passes, 0), event);
}

// "each Secondary Cache miss", "each access to the optional, board-level Backup Cache", "each miss" in it: a load of a
// block that only memory has is one of each.
TEST(Statements, BackupCacheAccessesAndMisses) {
  constexpr unsigned passes = 20;
  for (const char* event :
       {"PF5_MUX2_C_SCACHE_MISS", "PF5_MUX2_C_SCACHE_READ_MISS", "PF5_MUX1_C_BCACHE_REF", "PF5_MUX2_C_BCACHE_MISS"})
    for (const unsigned cold : {1u, 2u, 3u})
      EXPECT_EQ(added_by("alpha-ev5", event, passes, cold), passes * cold) << event;
}

// "each time a second READ_MISS is sent to the system while an earlier READ_MISS command is still outstanding", and a
// third one for counter 2.
TEST(Statements, ReadMissesWhileOthersAreOutstanding) {
  constexpr unsigned passes = 20;
  for (const unsigned cold : {1u, 2u, 3u}) {
    EXPECT_EQ(added_by("alpha-pca56", "PF5_MUX1_C_READ_MISS_2", passes, cold), cold >= 2 ? passes : 0) << cold;
    EXPECT_EQ(added_by("alpha-pca56", "PF5_MUX2_C_READ_MISS_3", passes, cold), cold >= 3 ? passes : 0) << cold;
  }
}

/// Loads or stores of `number` blocks directly after one another, `passes` times, through code that has run before.
std::string burst(unsigned passes, unsigned number, bool stores) {
  Program program;
  for (unsigned pass = 0; pass < passes + 2; ++pass) {
    for (unsigned i = 0; i < number; ++i) {
      const std::uint64_t address =
          pass < 2 && !stores ? data_start : data_start + 0x100000 + 0x400 * (number * pass + i);
      stores ? program.store(address) : program.load(address);
    }
    program.additions(600).jump(pass + 1 < passes + 2 ? code_start : program.here() + 4);
  }
  return program.file(fmt::format("burst-{}-{}-{}", passes, number, stores));
}

// "each store that is replayed because the Write Buffer is full and each load that is replayed because the Missed
// Address File is full": both have six entries, and the second load of a cycle needs two that are free.
TEST(Statements, ReplaysForAFullBuffer) {
  constexpr unsigned passes = 10, entries = 6;
  const auto replays = [&](unsigned number, bool stores) {
    return count_of("alpha-ev5", burst(passes, number, stores), "PF5_MUX2_C_WB_MAF_FULL_REPLAYS");
  };
  EXPECT_EQ(replays(entries - 1, false), 0u);
  EXPECT_GE(replays(entries + 1, false), passes);
  EXPECT_EQ(replays(entries, true), 0u);
  EXPECT_GE(replays(4 * entries, true), passes);
}

// --- profiled instructions ------------------------------------------------------------------------------------------

/// The samples of a program if each of its fetched instructions is profiled.
std::vector<oracle::Sample> samples_of(const std::string& file, const char* parameter = nullptr,
                                       std::int64_t value = 0) {
  const models::Target& target = *models::find_target("alpha-ev67");
  models::Parameters parameters = target.parameters();
  if (parameter != nullptr) parameters.set(parameter, value);
  oracle::ProfileList list;
  CoreSource source(target.make_core(trace::open(file), parameters), Region{}, false);
  while (const Block* const block = source.next(1024)) list.consume(*block);
  std::vector<oracle::Sample> samples;
  for (std::uint64_t number = 1; const auto sample = list.sample(0, number); ++number) samples.push_back(*sample);
  return samples;
}

std::uint64_t sum_of(const char* statistic, const std::vector<oracle::Sample>& samples) {
  return oracle::statistic(std::string("PF67_PM_") + statistic, samples);
}

/// Samples of the executions of the instruction at an address.
std::vector<oracle::Sample> at_address(std::vector<oracle::Sample> samples, std::uint64_t pc) {
  std::erase_if(samples, [&](const oracle::Sample& sample) { return sample.pc != pc; });
  return samples;
}

struct StatisticRow {
  const char* trace;
  const char* statistic;
  std::uint64_t count;
};

// "This statistic is incremented if the profiled execution ...": over all executions, the number of instructions of the
// micro-traces that do so (isa-traces/micro/alpha_programs.py).
TEST(Statements, StatisticsOfProfiledInstructions) {
  static constexpr StatisticRow rows[] = {{"arithmetic", "ARITH_TRAP", 48},       {"data_faults", "DSTREAM_FAULT", 48},
                                          {"data_double_walks", "DTB_MISS3", 48}, {"data_double_walks", "DTB_MISS4", 0},
                                          {"disabled", "FP_DISABLED", 48},        {"interrupted", "INTERRUPT", 60},
                                          {"code_faults", "ISTREAM_ACCVIO", 48},  {"code_walks", "ITB_MISS", 48},
                                          {"unaligned", "LDST_ALIGN_TRAP", 48},   {"control", "MT_FPCR_TRAP", 48},
                                          {"reserved", "OPCDEC_TRAP", 48},        {"resets", "RESET", 118},
                                          {"machine_checks", "MCHK_TRAP", 118},   {"data_walks", "DTB_MISS", 200}};
  for (const StatisticRow& row : rows) {
    const auto samples = samples_of(micro_trace(row.trace));
    EXPECT_EQ(sum_of(row.statistic, samples), row.count) << row.statistic << " of " << row.trace;
  }
}

// "a DTB double miss (3 level page tables)", "(4 level page tables)".
TEST(Statements, DoubleMissesByLevelsOfPageTables) {
  const auto samples = samples_of(micro_trace("data_double_walks"), "core.four_levels", 1);
  EXPECT_EQ(sum_of("DTB_MISS3", samples), 0u);
  EXPECT_EQ(sum_of("DTB_MISS4", samples), 48u);
}

// "if the profiled execution was not yet prefetched for the cache": the first instruction at the target of each jump,
// when it is reached for the first time. "experienced an icache parity error": the activity has the machine check that
// follows, and not its cause, so that the statistic stays 0 (docs/tru64-pfm.md).
TEST(Statements, FetchesOfCodeThatIsNotInTheCache) {
  Program program;
  constexpr unsigned passes = 3, targets = 8;
  constexpr std::uint64_t apart = 0x1000;  // further than the prefetcher looks
  for (unsigned pass = 0; pass < passes; ++pass)
    for (unsigned i = 0; i < targets; ++i)
      program.additions(60).jump(i + 1 < targets     ? code_start + apart * (i + 1)
                                 : pass + 1 < passes ? code_start
                                                     : program.here() + 4);
  const auto samples = samples_of(program.additions(200).file("far-code"));
  for (unsigned i = 0; i < targets; ++i) {
    const auto visits = at_address(samples, code_start + apart * i);
    ASSERT_GE(visits.size(), passes);
    EXPECT_EQ(sum_of("ICACHE_MISS", {visits.front()}), 1u) << i;
    EXPECT_EQ(sum_of("ICACHE_MISS", {visits.back()}), 0u) << i;
  }
  EXPECT_EQ(sum_of("ICACHE_PARITY", samples_of(micro_trace("machine_checks"))), 0u);
}

// "if the profiled execution retires", "is valid", "freq is merely the same as the retired statistic": the additions of
// a program without traps do, and nothing else happens to them.
TEST(Statements, AdditionsOnlyRetire) {
  constexpr unsigned number = 1000;
  const auto samples = samples_of(Program().additions(number).file("additions"));
  for (const char* statistic : {"RETIRE", "VALID", "FREQ"}) EXPECT_EQ(sum_of(statistic, samples), number) << statistic;
  for (const char* statistic :
       {"ABORT", "TRAP", "MISPREDICT", "REPLAY_TRAP", "CBR_TAKEN", "EARLY_KILL", "INFLT_REPLAYS", "INTERRUPT"})
    EXPECT_EQ(sum_of(statistic, samples), 0u) << statistic;
}

// Every fetched execution retires or aborts, or is squashed.
TEST(Statements, WhatDoesNotRetireAborts) {
  const auto samples = samples_of(micro_trace("branches"));
  const auto squashed = std::count_if(samples.begin(), samples.end(), [](const auto& s) { return s.squashed; });
  EXPECT_GT(sum_of("ABORT", samples), 0u);
  EXPECT_EQ(sum_of("RETIRE", samples) + sum_of("ABORT", samples) + static_cast<std::uint64_t>(squashed),
            samples.size());
}

// "by the approximate number of cycles the execution was in flight", "by the approximate retire delay": of a load from
// memory both grow by what memory takes longer, and "the approximate number of bcache misses" is that of the load.
TEST(Statements, TimesOfALoadFromMemory) {
  Program program;
  constexpr unsigned passes = 3;
  std::uint64_t place = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {  // the code is in the cache when the load misses
    program.additions(200);
    place = program.here();
    program.load(data_start + (pass == passes - 1 ? 0x10000 : 0)).additions(400);
    program.jump(pass + 1 < passes ? code_start : program.here() + 4);
  }
  const std::string file = program.additions(100).file("one-load");
  constexpr std::int64_t memory = 150, longer = 80;
  const auto last_of = [&](std::int64_t latency, std::uint64_t address) {
    const auto samples = at_address(samples_of(file, "core.memory_read", latency), address);
    EXPECT_GE(samples.size(), passes);
    return std::vector{samples.back()};
  };
  const auto fast = last_of(memory, place), slow = last_of(memory + longer, place);
  EXPECT_EQ(sum_of("CYCLES", slow) - sum_of("CYCLES", fast), static_cast<std::uint64_t>(longer));
  EXPECT_EQ(sum_of("DELAY", slow) - sum_of("DELAY", fast), static_cast<std::uint64_t>(longer));
  EXPECT_EQ(sum_of("INFLT_BCACHE_MISS", fast), 1u);
  EXPECT_EQ(sum_of("INFLT_BCACHE_MISS", last_of(memory, code_start)), 0u);
}

// "if the profiled execution is a taken conditional branch", "experiences a misprediction": the direction of a
// mispredicted branch is not recorded, so the taken ones of a loop are in one of the two statistics each.
TEST(Statements, TakenAndMispredictedBranches) {
  Program program;
  constexpr unsigned taken = 100;
  std::uint64_t place = 0;
  for (unsigned pass = 0; pass <= taken; ++pass) {
    program.additions(15);
    place = program.here();
    program.branch(code_start, pass < taken);
  }
  const auto samples = at_address(samples_of(program.additions(300).file("loop")), place);
  std::vector<oracle::Sample> retired;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(retired), [](const auto& s) { return s.retired; });
  EXPECT_EQ(retired.size(), taken + 1);
  const std::uint64_t wrong = sum_of("MISPREDICT", retired);
  EXPECT_GE(wrong, 1u) << "the branch falls through once, after a hundred times";
  EXPECT_EQ(sum_of("CBR_TAKEN", retired) + wrong, taken + 1) << "the one that falls through is mispredicted";
}

// "stalled before it was mapped": what waits for the load behind more instructions than the queue of 20 has entries
// stalls; the first ones do not. "killed early in the pipeline": instructions behind a mispredicted branch, and none
// without one.
TEST(Statements, StallsBeforeMapAndEarlyKills) {
  Program program;
  constexpr unsigned passes = 3, queue = 20, waiting = 60;
  std::uint64_t first = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    program.additions(100).load(data_start + 0x10000 * pass);
    first = program.here();
    program.users(waiting).additions(300).jump(pass + 1 < passes ? code_start : program.here() + 4);
  }
  const auto samples = samples_of(program.additions(100).file("waiting"));
  for (unsigned i = 0; i < queue / 2; ++i)
    EXPECT_EQ(sum_of("MAP_STALL", {at_address(samples, first + 4 * i).back()}), 0u) << i;
  std::uint64_t stalled = 0;
  for (unsigned i = queue; i < waiting; ++i)
    stalled += sum_of("MAP_STALL", {at_address(samples, first + 4 * i).back()});
  EXPECT_GE(stalled, 1u);
  EXPECT_GT(sum_of("EARLY_KILL", samples_of(micro_trace("branches"))), 0u);
}

/// Pairs of a store whose address comes from two multiplications, and a load of the same bytes, fetched together. Each
/// load is at another address, so that none is known as one that has to wait, and alone among the 80 instructions that
/// are in flight, so that no other trap takes its place.
std::string late_stores(unsigned pairs) {
  Program program;
  for (unsigned i = 0; i < pairs; ++i) program.additions(108).late_store(data_start + 64 * i).load(data_start + 64 * i);
  return program.additions(100).file("late-stores");
}
constexpr unsigned pairs = 48;

// "causes a load-store order trap", "a replay trap", "the approximate number of replay traps".
TEST(Statements, OrderTraps) {
  const auto samples = samples_of(late_stores(pairs));
  EXPECT_EQ(sum_of("LDST_ORDER_TRAP", samples), pairs);
  EXPECT_EQ(sum_of("REPLAY_TRAP", samples), pairs);
  EXPECT_EQ(sum_of("TRAP", samples), pairs);
  EXPECT_GE(sum_of("INFLT_REPLAYS", samples), pairs);
}

// "for each replay trap", aggregate: the same on the 21264 and the 21264A.
TEST(Statements, ReplayTraps) {
  EXPECT_EQ(count_of("alpha-ev6", late_stores(pairs), "PF6_MUX1_REPLAY_TRAP"), pairs);
  EXPECT_EQ(count_of("alpha-ev67", late_stores(pairs), "REPLAY"), pairs);
}

}  // namespace
}  // namespace pmusim::testbench
