// Every cut and every changed byte is reported with its position, and the undamaged blocks before it are kept.
#include <gmock/gmock.h>

#include "pmusim/trace/bytes.h"
#include "testbench/tests/activity_file/blocks.h"
#include "testbench/tests/sampling.h"

namespace pmusim::activity_file::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<Block>& blocks() {
  static const std::vector<Block> list = random_blocks("itanium2", 7, 3);
  return list;
}
const std::string& sample() {
  static const std::string file = file_of(blocks(), "itanium2");
  return file;
}
std::size_t first_block() { return sample().find(block_tag); }

void expect_prefix(const Got& got) {
  ASSERT_LE(got.blocks.size(), blocks().size());
  for (std::size_t i = 0; i < got.blocks.size(); ++i) ASSERT_TRUE(same(got.blocks[i], blocks()[i]));
}

TEST(Damage, CutAnywhere) {
  std::size_t most = 0;
  const std::size_t step = 37 * sampling;
  for (std::size_t size = 1; size < sample().size(); size += size < first_block() ? step : 7 * sampling) {
    const std::string part = sample().substr(0, size);
    const Got got = read(part), salvaged = read(part, true);
    EXPECT_THAT(got.defect, AllOf(StartsWith("f.pma: byte " + std::to_string(size) + ": "), HasSubstr("was cut")));
    expect_prefix(salvaged);
    EXPECT_EQ(salvaged.defect, got.defect);
    EXPECT_GE(salvaged.blocks.size(), most) << size;  // more bytes, never fewer blocks
    most = salvaged.blocks.size();
  }
  EXPECT_EQ(most, blocks().size());
}

TEST(Damage, ChangedByte) {
  std::size_t changes = 0, without_effect = 0;
  for (std::size_t at = 0; at < sample().size(); at += at < first_block() ? 101 * sampling : 11 * sampling) {
    std::string file = sample();
    file[at] = static_cast<char>(file[at] ^ (1 << at % 8));
    const Got got = read(file);
    // A few bits of a zstd frame have no effect on what it unpacks to. Then the checksum holds and the file is whole.
    if (got.defect.empty()) {
      EXPECT_EQ(got.blocks.size(), blocks().size()) << at;
      expect_prefix(got);
      ++without_effect;
    } else {
      EXPECT_THAT(got.defect, StartsWith("f.pma: byte ")) << at;
    }
    ++changes;
    expect_prefix(read(file, true));
  }
  EXPECT_LT(without_effect * 100, changes);
}

TEST(Damage, BytesBehindTheEnd) {
  EXPECT_THAT(read(sample() + 'x').defect, HasSubstr("bytes after the end"));
  EXPECT_EQ(read(sample() + 'x', true).blocks.size(), blocks().size());
}

TEST(Damage, OtherFiles) {
  EXPECT_EQ(read("no such thing as this one").defect, "f.pma: byte 0: not a .pma file: it begins with other bytes");
  std::string next = sample();
  next[version_at] = 2;
  EXPECT_EQ(
      read(next).defect,
      "f.pma: byte 8: format version 2 is not known; this program reads version 1; expected a later pmusim, or the "
      "activity recorded again by this one");
}

/// Payloads with right checksums that no writer produces: false sizes must neither be believed nor cost memory.
TEST(Damage, WrongPayloadsWithRightChecksums) {
  const Description description = describe("athlon");
  const auto defect_of = [&](const std::string& payload) {
    Description own = description;
    own.properties.set("target", "athlon");
    std::string file = file_of(std::vector<Block>{}, own);
    file.resize(file.find(trace::index_tag));
    BlockHeader header;
    header.raw_size = header.packed_size = static_cast<std::uint32_t>(payload.size());
    header.end = 10;
    header.crc = trace::crc32(trace::crc32(0, std::string_view(encode(header)).substr(0, block_checked_size)), payload);
    trace::IndexSum sum;
    const std::uint64_t at = file.size();
    file += std::string(block_tag) + encode(header) + payload;
    const std::string entries = sum.add(at, 0);
    file += trace::index_bytes(entries, sum, 10, file.size(), end_mark);
    return read(file).defect;
  };
  const auto numbers = [](std::initializer_list<std::uint64_t> list) {
    std::string out;
    for (const std::uint64_t number : list) trace::put_varint(out, number);
    return out;
  };
  const std::uint64_t huge = std::uint64_t{1} << 60;
  EXPECT_EQ(defect_of(numbers({0, 0, 0})), "");
  EXPECT_THAT(defect_of(numbers({0, 0, 0, 0})), HasSubstr("1 bytes after the last table"));
  EXPECT_THAT(defect_of(numbers({1, 200})),
              HasSubstr("signal 200; the header names " + std::to_string(activity::signal_count)));
  EXPECT_THAT(defect_of(numbers({1, 6, huge})), HasSubstr("occurrences; at most"));
  EXPECT_THAT(defect_of(numbers({1, 6, 2, 9})), HasSubstr("column mode 9 is not known"));
  EXPECT_THAT(defect_of(numbers({1, 6, 1000, 1, 1, 2})),
              HasSubstr("a column of 1000 entries is longer than the payload"));
  EXPECT_THAT(defect_of(numbers({1, 6, 1, 0, huge, 0, 1, 0, 0, 0, 0})),
              HasSubstr("signal retire: cycle of occurrence 0: 1152921504606846976 is above 4294967295"));
  EXPECT_THAT(defect_of(numbers({1, 6, 1, 0, 0, 0, 70000, 0, 0, 0, 0})), HasSubstr("amount of occurrence 0: 70000"));
  EXPECT_THAT(defect_of(numbers({2, 6, 1, 0, 0, 0, 1, 0, 0, 0, 0, 6})), HasSubstr("signal retire: a second time"));
  EXPECT_THAT(defect_of(numbers({0, 0, 1, 0, 4'000'000'000})), HasSubstr("rows; at most"));
  EXPECT_THAT(defect_of(numbers({0, 0, 1, 77, 1})), HasSubstr("table 77; the header names 6"));
}

}  // namespace
}  // namespace pmusim::activity_file::test
