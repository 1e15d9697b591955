// Columns of an activity file are in their shortest form. The bytes are worked out by hand from the format.
#include "models/activity_file/column.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pmusim::activity_file {
namespace {

enum : unsigned char { same, plain, differences };

/// The column, written in a type of this width, if its numbers fit.
template <class Number>
std::string written(const Numbers& values) {
  const std::vector<Number> narrow(values.begin(), values.end());
  if (!std::equal(values.begin(), values.end(), narrow.begin())) return written<std::uint64_t>(values);
  Payload out;
  out.put_text("before");
  put_column(out, std::span<const Number>(narrow));
  return std::string(out.bytes().substr(1));
}

TEST(Column, HasItsShortestForm) {
  struct Row {
    Numbers values;
    std::basic_string<unsigned char> bytes;
  };
  const Row rows[] = {
      {{5, 5, 5}, {same, 5}},
      {{127, 0}, {plain, 127, 0}},
      {{60, 120, 180}, {differences, 120, 120, 120}},             // 60 each, twice that in zigzag order
      {{128, 129, 128}, {differences, 0x80, 0x02, 2, 1}},         // 256, then 1 and -1
      {{63, 127, 191}, {plain, 63, 127, 0xbf, 0x01}},             // a difference of 64 has two bytes
      {{60, 0, 128}, {plain, 60, 0, 0x80, 0x01}},                 // four bytes either way
      {{0, 1, 300, 299}, {differences, 0, 2, 0xd6, 0x04, 0x01}},  // 299 is 598 in zigzag order
      {{256, 300, 310}, {differences, 0x80, 0x04, 88, 20}},       // 512, then 44 and 10
      {{130, 128, 127}, {differences, 0x84, 0x02, 3, 1}},         // 260, then -2 and -1
      {{100, 128}, {plain, 100, 0x80, 0x01}},                     // three bytes either way
      // In their own width, these steps would wrap to small ones.
      {{10, 250, 10}, {plain, 10, 0xfa, 0x01, 10}},
      {{0xffff, 0, 0xffff}, {plain, 0xff, 0xff, 0x03, 0, 0xff, 0xff, 0x03}},
      // 2^32 in zigzag order, then 400 and 399
      {{0x80000000, 0x800000c8, 0x80000000}, {differences, 0x80, 0x80, 0x80, 0x80, 0x10, 0x90, 0x03, 0x8f, 0x03}},
      {{0xffffffff, 0, 300}, {plain, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0xac, 0x02}},
  };
  for (const Row& row : rows) {
    const std::string out = written<std::uint64_t>(row.values);
    EXPECT_EQ(out, "before" + std::string(row.bytes.begin(), row.bytes.end())) << ::testing::PrintToString(row.values);
    EXPECT_EQ(out, written<std::uint32_t>(row.values));
    EXPECT_EQ(out, written<std::uint16_t>(row.values));
    EXPECT_EQ(out, written<std::uint8_t>(row.values));
    trace::ByteCursor from(std::string_view(out).substr(6));
    Numbers read;
    get_column(from, row.values.size(), read);
    EXPECT_EQ(read, row.values);
    EXPECT_EQ(from.left(), 0u);
  }
}

}  // namespace
}  // namespace pmusim::activity_file
