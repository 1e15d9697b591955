// Several traces in one file: the paths of its traces, and the errors.
#include "pmusim/trace/collection.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

const std::string first_text = "! isa i386\n10 90\n11 90 lat=3\n";
const std::string second_text = "! isa i386\n! cpl 3\n20 f3a5 L 100 4 T 20\n20 f3a5\n";

std::string packed(const std::string& text, const std::string& name) {
  return pmt_of(records_of_text(text), Isa::i386, {}, name);
}

class Collections : public ::testing::Test {
 protected:
  Collections() { write(packed(first_text, "first") + packed(second_text, "second")); }
  ~Collections() override { fs::remove(file_); }

  void write(const std::string& bytes) { std::ofstream(file_, std::ios::binary) << bytes; }
  std::string damaged(const std::string& bytes) {
    write(bytes);
    return error_of([&] { (void)members(file_); });
  }

  fs::path file_ = fs::path(::testing::TempDir()) /
                   (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".pmt");
};

TEST_F(Collections, HoldTracesByTheirNames) {
  EXPECT_EQ(members(file_), (std::vector<fs::path>{file_ / "first", file_ / "second"}));
  EXPECT_TRUE(is_member(file_ / "second"));
  EXPECT_EQ(member_content(file_ / "second"), packed(second_text, "second"));
  EXPECT_EQ(size_of(file_ / "first"), packed(first_text, "first").size());
  EXPECT_EQ(size_of(file_), fs::file_size(file_));
  const auto reader = open(file_ / "second");
  EXPECT_EQ(reader->info().program, "second");
  Item item;
  ASSERT_TRUE(reader->next(item));
  EXPECT_EQ(item.directive->name, "cpl");
  ASSERT_TRUE(reader->next(item));
  EXPECT_EQ(item.instruction.code->pc, 0x20u);
}

TEST_F(Collections, AreNotOpenedAsOneTrace) {
  const std::string message = error_of([&] {
    const auto reader = open(file_);
    for (Item item; reader->next(item);) {
    }
  });
  EXPECT_THAT(message, HasSubstr("bytes after the end of the trace; expected none, or FILE/NAME"));
}

TEST_F(Collections, ListTheNamesIfOneIsWrong) {
  const std::string expected = ": no trace of this name in the file; expected one of: first, second";
  EXPECT_EQ(error_of([&] { (void)open(file_ / "third"); }), (file_ / "third").string() + expected);
  EXPECT_EQ(error_of([&] { (void)open(file_ / ""); }), (file_ / "").string() + expected);
  EXPECT_FALSE(is_member(file_ / "third"));
}

TEST_F(Collections, AreNotOtherFiles) {
  write(first_text);
  EXPECT_FALSE(is_member(file_ / "first"));
  EXPECT_EQ(member_content(file_ / "first"), std::nullopt);
  EXPECT_THAT(error_of([&] { (void)open(file_ / "first"); }), HasSubstr("cannot be opened: Not a directory"));
  EXPECT_FALSE(is_member("no/such/file"));
}

TEST_F(Collections, NameThePlaceOfADamage) {
  const std::string one = packed(first_text, "first"), other = packed(second_text, "second");
  for (std::size_t length = 1; length < other.size(); ++length) {
    EXPECT_THAT(damaged(one + other.substr(0, length)), HasSubstr("the file ends inside a trace")) << length;
  }
  EXPECT_EQ(damaged(one + "x" + other),
            file_.string() + ": byte " + std::to_string(one.size()) + ": no .pmt trace begins here");
  std::string changed = one;
  changed.replace(one.find("CHNK"), 4, "CHUM");
  EXPECT_THAT(damaged(changed), HasSubstr("neither a chunk nor the index begins here"));
  changed = one;
  changed.replace(one.find("INDX") + 4, 8, 8, '\xff');
  EXPECT_THAT(damaged(changed), HasSubstr("the index counts more chunks than the file has bytes"));
}

}  // namespace
}  // namespace pmusim::trace::test
