// Shapes that are refused, the memory map, the write buffer. What a cache holds is compared in ../list_models.
#include "models/core/parts/cache.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "models/core/parts/tlb.h"

namespace pmusim::testbench {

namespace {

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
  EXPECT_EQ(buffer.take_oldest()->line, 0x3000u);
  EXPECT_FALSE(buffer.take_oldest());
}

TEST(WriteBuffer, ImpossibleShapesAreRefused) {
  EXPECT_THROW(WriteBuffer(0, 64), std::invalid_argument);
  EXPECT_THROW(WriteBuffer(1, 48), std::invalid_argument);
  EXPECT_THROW(WriteBuffer(1, 128), std::invalid_argument);
}

}  // namespace

}  // namespace pmusim::testbench
