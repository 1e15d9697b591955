// Cache tags and the memory map, against small cases and an independent list model.
#include "models/core/parts/cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <stdexcept>

#include "models/core/parts/tlb.h"

namespace pmusim::testbench {

namespace {

using activity::LineState;
using activity::MemoryType;
using core::Cache;
using core::CacheShape;
using core::Replacement;

CacheShape shape(std::uint32_t sets, std::uint32_t ways, Replacement replacement = Replacement::lru) {
  CacheShape s;
  s.sets = sets;
  s.ways = ways;
  s.replacement = replacement;
  return s;
}

TEST(Cache, FillLookupEvict) {
  Cache cache(shape(4, 2));
  EXPECT_EQ(cache.lookup(0x1000), LineState::invalid);
  EXPECT_FALSE(cache.fill(0x1008, LineState::exclusive).valid);
  EXPECT_EQ(cache.lookup(0x103f), LineState::exclusive);  // last byte of the line
  EXPECT_EQ(cache.lookup(0x1040), LineState::invalid);    // first byte of the next line
  const auto slot = cache.find(0x1000);
  cache.set_state(slot, 0x1000, LineState::modified);
  const core::Victim victim = cache.evict(slot);
  EXPECT_TRUE(victim.valid);
  EXPECT_EQ(victim.address, 0x1000u);
  EXPECT_EQ(victim.states[0], LineState::modified);
  EXPECT_EQ(cache.find(0x1000), Cache::none);
  EXPECT_FALSE(cache.evict(Cache::none).valid);
}

TEST(Cache, LruTakesTheOldestOfTheSet) {
  Cache cache(shape(4, 2));  // lines 0x100 apart share a set
  cache.fill(0x0000, LineState::shared);
  cache.fill(0x0100, LineState::shared);
  (void)cache.lookup(0x0000);
  EXPECT_EQ(cache.next_victim(0x0200, 0x0200).address, 0x0100u);
  const core::Victim victim = cache.fill(0x0200, LineState::shared);
  ASSERT_TRUE(victim.valid);
  EXPECT_EQ(victim.address, 0x0100u);
}

TEST(Cache, SnoopAndFindDoNotTouch) {
  Cache cache(shape(4, 2));
  cache.fill(0x0000, LineState::owned);
  cache.fill(0x0100, LineState::shared);
  EXPECT_EQ(cache.snoop(0x0000), LineState::owned);
  (void)cache.find(0x0000);
  EXPECT_EQ(cache.fill(0x0200, LineState::shared).address, 0x0000u);
}

TEST(Cache, EqualsAListModel) {
  constexpr unsigned sets = 8, ways = 4;
  Cache cache(shape(sets, ways));
  std::map<unsigned, std::list<std::uint64_t>> model;
  std::mt19937 random(1);
  for (unsigned i = 0; i < 20000; ++i) {
    const std::uint64_t line = random() % 80;
    auto& set = model[line % sets];
    const auto found = std::find(set.begin(), set.end(), line);
    ASSERT_EQ(cache.lookup(line * 64) != LineState::invalid, found != set.end());
    if (found != set.end()) {
      set.erase(found);
    } else {
      const core::Victim victim = cache.fill(line * 64, LineState::shared);
      ASSERT_EQ(victim.valid, set.size() == ways);
      if (victim.valid) {
        ASSERT_EQ(victim.address, set.back() * 64);
        set.pop_back();
      }
    }
    set.push_front(line);
  }
}

TEST(Cache, PseudoLruFollowsTheTree) {
  // Four ways filled in order 0..3: the root points to the lower half, the lower node to way 0. A use of way 0 reverses
  // both.
  Cache cache(shape(1, 4, Replacement::pseudo_lru));
  for (std::uint64_t i = 0; i < 4; ++i) cache.fill(i * 64, LineState::shared);
  EXPECT_EQ(cache.next_victim(0x1000, 0x1000).address, 0u);
  (void)cache.lookup(0);
  EXPECT_EQ(cache.next_victim(0x1000, 0x1000).address, 128u);  // upper half, whose older way is 2
  (void)cache.lookup(128);
  EXPECT_EQ(cache.next_victim(0x1000, 0x1000).address, 64u);  // true LRU would agree; way 3 is younger
  (void)cache.lookup(64);
  EXPECT_EQ(cache.next_victim(0x1000, 0x1000).address, 192u);
}

// Four ways: the root chooses between ways 0-1 and 2-3, one bit below it within each pair. Every fill turns the bits on
// its path away from itself: ways 0, 2, 1, 3.
TEST(Cache, PseudoLruAloneMayChooseTheWay) {
  CacheShape s = shape(4, 4, Replacement::pseudo_lru);
  s.prefers_empty_way = false;
  Cache cache(s);
  for (const std::uint64_t line : {0x0000u, 0x0100u, 0x0200u, 0x0300u}) {
    EXPECT_FALSE(cache.fill(line, LineState::shared).valid);
  }
  EXPECT_EQ(cache.line_in_way(0, 0), cache.find(0x0000));
  EXPECT_EQ(cache.line_in_way(0, 1), cache.find(0x0200));
  EXPECT_EQ(cache.line_in_way(0, 2), cache.find(0x0100));
  EXPECT_EQ(cache.line_in_way(0, 3), cache.find(0x0300));
  EXPECT_EQ(cache.line_in_way(0x40, 0), Cache::none);  // another set
  EXPECT_EQ(cache.next_victim(0x0400, 0x0400).address, 0x0000u);
  // An invalidated way is the next one, although way 0 was the older one.
  cache.set_state(cache.find(0x0100), 0x0100, LineState::invalid);
  EXPECT_EQ(cache.line_in_way(0, 2), Cache::none);
  EXPECT_FALSE(cache.next_victim(0x0400, 0x0400).valid);
  // An access to way 3 turns the root to ways 0 and 1: a line is replaced, although way 2 is empty.
  (void)cache.lookup(0x0300);
  const core::Victim victim = cache.fill(0x0400, LineState::shared);
  ASSERT_TRUE(victim.valid);
  EXPECT_EQ(victim.address, 0x0000u);
  EXPECT_EQ(cache.line_in_way(0, 0), cache.find(0x0400));
}

TEST(Cache, SectorsHaveTheirOwnState) {
  CacheShape s = shape(4, 2);
  s.sectors = 2;
  Cache cache(s);
  cache.fill(0x1000, LineState::exclusive);
  EXPECT_EQ(cache.lookup(0x1020), LineState::invalid);  // the tag is present, the other sector is not
  EXPECT_NE(cache.find(0x1020), Cache::none);
  EXPECT_FALSE(cache.fill(0x1020, LineState::modified).valid);
  EXPECT_EQ(cache.sector_of(0x103f), 0x1020u);
  const auto slot = cache.find(0x1000);
  cache.set_state(slot, 0x1000, LineState::invalid);
  EXPECT_EQ(cache.lookup(0x1020), LineState::modified);
  cache.set_state(slot, 0x1020, LineState::invalid);  // the last valid sector frees the line
  EXPECT_EQ(cache.find(0x1000), Cache::none);
}

TEST(Cache, VirtualIndexMakesAliases) {
  CacheShape s = shape(512, 2);
  s.virtual_index_from = 12;
  Cache cache(s);
  cache.fill(0x3000, 0x8000, LineState::modified);
  EXPECT_EQ(cache.lookup(0x3000, 0x8000), LineState::modified);
  EXPECT_EQ(cache.lookup(0x4000, 0x8000), LineState::invalid);
  EXPECT_EQ(cache.snoop(0x8000), LineState::modified);
  const auto slot = cache.find_anywhere(0x8000);
  EXPECT_EQ(slot, cache.find(0x3000, 0x8000));
  EXPECT_EQ(cache.find_anywhere(0x8000, slot), Cache::none);
}

TEST(Cache, ImpossibleShapesAreRefused) {
  EXPECT_THROW(Cache(shape(3, 2)), std::invalid_argument);
  EXPECT_THROW(Cache(shape(4, 0)), std::invalid_argument);
  EXPECT_THROW(Cache(shape(4, 3, Replacement::pseudo_lru)), std::invalid_argument);
  EXPECT_NO_THROW(Cache(shape(4, 3)));
}

TEST(MemoryMap, LaterRangesWinAndPagesTranslate) {
  core::MemoryMap map;
  EXPECT_EQ(map.type(0x1234), MemoryType::write_back);
  EXPECT_EQ(map.translate(0x1234), 0x1234u);
  map.set_type(0x1000, 0x1000, MemoryType::uncacheable, false);
  map.set_type(0x1800, 0x10, MemoryType::write_combining);
  EXPECT_EQ(map.type(0x0fff), MemoryType::write_back);
  EXPECT_EQ(map.type(0x17ff), MemoryType::uncacheable);
  EXPECT_FALSE(map.is_dram(0x17ff));
  EXPECT_EQ(map.type(0x180f), MemoryType::write_combining);
  EXPECT_TRUE(map.is_dram(0x180f));
  EXPECT_EQ(map.type(0x1810), MemoryType::uncacheable);
  map.map(0x5000, 0x9000);
  EXPECT_EQ(map.translate(0x5abc), 0x9abcu);
  EXPECT_EQ(map.translate(0x4fff), 0x4fffu);
  map.map(0x5000, 0x7000);
  EXPECT_EQ(map.translate(0x5000), 0x7000u);
}

using activity::MemoryType;
using core::WriteBuffer;

TEST(WriteBuffer, CombinesWithinALineAndKnowsWhenItIsFull) {
  WriteBuffer buffer(4, 64);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_FALSE(buffer.take_full());
    EXPECT_FALSE(buffer.store(0x1000 + 8 * i, 8, MemoryType::write_combining, true, i));
    EXPECT_EQ(buffer.size(), 1u);
  }
  const auto full = buffer.take_full();
  ASSERT_TRUE(full);
  EXPECT_EQ(full->line, 0x1000u);
  EXPECT_EQ(full->born, 0u);
  EXPECT_TRUE(buffer.empty());
}

TEST(WriteBuffer, DoesNotCombineOtherLinesTypesOrWhenTold) {
  WriteBuffer buffer(4, 64);
  (void)buffer.store(0x1000, 4, MemoryType::write_combining, true, 0);
  (void)buffer.store(0x1040, 4, MemoryType::write_combining, true, 0);
  (void)buffer.store(0x1000, 4, MemoryType::write_through, true, 0);
  (void)buffer.store(0x1000, 4, MemoryType::write_combining, false, 0);
  EXPECT_EQ(buffer.size(), 4u);
}

TEST(WriteBuffer, SendsTheOldestToMakeRoomOrByAge) {
  WriteBuffer buffer(2, 64);
  (void)buffer.store(0x1000, 4, MemoryType::write_combining, true, 5);
  (void)buffer.store(0x2000, 4, MemoryType::write_combining, true, 7);
  const auto sent = buffer.store(0x3000, 4, MemoryType::write_combining, true, 9);
  ASSERT_TRUE(sent);
  EXPECT_EQ(sent->line, 0x1000u);
  EXPECT_EQ(buffer.oldest_born(), 7u);
  EXPECT_FALSE(buffer.take_born_by(6));
  EXPECT_EQ(buffer.take_born_by(7)->line, 0x2000u);
  EXPECT_FALSE(buffer.take_line(0x2000));
  EXPECT_EQ(buffer.take_line(0x303f)->line, 0x3000u);
  EXPECT_FALSE(buffer.take_oldest());
}

TEST(WriteBuffer, ImpossibleShapesAreRefused) {
  EXPECT_THROW(WriteBuffer(0, 64), std::invalid_argument);
  EXPECT_THROW(WriteBuffer(1, 48), std::invalid_argument);
  EXPECT_THROW(WriteBuffer(1, 128), std::invalid_argument);
}

}  // namespace

}  // namespace pmusim::testbench
