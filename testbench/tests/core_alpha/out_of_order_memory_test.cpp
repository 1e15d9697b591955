// The 21264's caches write back: a modified line of the Dcache goes to the board cache, a modified block of the board
// cache to memory.
#include <fmt/format.h>

#include <map>

#include "out_of_order_log.h"

namespace pmusim::testbench::alpha {
namespace {

namespace d = activity::detail;
using activity::LineState;

/// The number of occurrences whose detail has all these bits.
std::size_t with(const AlphaLog& log, Signal signal, unsigned bits) {
  std::size_t count = 0;
  for (const LoggedOccurrence& h : log.of(signal)) count += (h.detail & bits) == bits ? 1 : 0;
  return count;
}
std::size_t replaced(const AlphaLog& log, unsigned cache, LineState state) {
  const unsigned detail = cache | static_cast<unsigned>(state) << d::evict_state_shift | d::evict_replacement;
  std::size_t count = 0;
  for (const LoggedOccurrence& h : log.of(Signal::line_evict)) count += h.detail == detail ? 1 : 0;
  return count;
}

/// 64 KB in two ways: lines 32 KB apart share a set, and the third replaces the first.
Script third_line_after(const std::string& state) {
  Script script;
  script.say("state addr=8000 line=" + state);
  for (const std::uint64_t address : {0x10000, 0x18000}) script.load(ldq(3, 9), address, 8, "dtlb=hit");
  return script;
}

TEST(OutOfOrderWriteBack, AModifiedLineOfTheDcacheGoesToTheBoardCache) {
  const AlphaLog modified = ev67(third_line_after("M")), clean = ev67(third_line_after("E"));
  EXPECT_EQ(replaced(modified, d::cache_l1d, LineState::modified), 1u);
  EXPECT_EQ(with(modified, Signal::l3_lookup, d::access_writeback | d::access_store | d::lookup_hit), 1u);
  EXPECT_EQ(replaced(clean, d::cache_l1d, LineState::exclusive), 1u);
  EXPECT_EQ(with(clean, Signal::l3_lookup, d::access_writeback), 0u);
}

TEST(OutOfOrderWriteBack, WhatWasWrittenBackIsModifiedInTheBoardCache) {
  // A board cache of 1 MB is direct mapped: this block replaces that of 8000h.
  const auto leaves = [](const std::string& state) {
    return ev67(third_line_after(state).load(ldq(4, 9), 0x108000, 8, "dtlb=hit"), {{"core.bcache_bytes", 0x100000}});
  };
  EXPECT_EQ(replaced(leaves("M"), d::cache_l3, LineState::modified), 1u);
  EXPECT_EQ(replaced(leaves("E"), d::cache_l3, LineState::modified), 0u);
}

// A prefetched line is used when it has arrived, not before: 16 instructions a line.
TEST(OutOfOrderFetch, WaitsForALineThatIsOnItsWay) {
  std::string text;
  for (std::uint64_t pc = 0x1000; pc < 0x1100; pc += 4) text += fmt::format("{:x} {} itlb=hit\n", pc, addq(1, 2, 3));
  const AlphaLog log = ev67(text, {{"core.stream_lines", 3}});
  std::map<std::uint64_t, Cycle> filled;
  for (const LoggedOccurrence& h : log.of(Signal::line_fill)) filled.try_emplace(h.request.address / 64, h.cycle);
  EXPECT_EQ(filled.size(), 4u);
  EXPECT_GE(with(log, Signal::fetch, d::lookup_pending), 1u);
  for (const LoggedOccurrence& h : log.of(Signal::instruction_fetch)) {
    ASSERT_TRUE(filled.contains(h.instruction.ip / 64));
    EXPECT_GE(h.cycle, filled.at(h.instruction.ip / 64)) << "instruction " << h.instruction.id;
  }
  EXPECT_EQ(log.retired(), 64u);
}

}  // namespace
}  // namespace pmusim::testbench::alpha
