// Pieces of traces must keep the meaning that they had in their own trace, and traces must be counted correctly.
#include "isa-traces/edit/pieces.h"

#include <gmock/gmock.h>

#include "common.h"
#include "isa-traces/edit/statistics.h"
#include "pmusim/trace/ia64.h"

namespace pmusim::trace::test {
namespace {

using ::testing::HasSubstr;

class Pieces : public ::testing::Test {
 protected:
  static std::unique_ptr<edit::Source> source(const std::string& text, const std::string& name = "one.txt") {
    return std::make_unique<edit::Source>(open_text(text, name), name);
  }

  std::string cut(const std::string& text, std::uint64_t begin, std::uint64_t end) {
    const auto from = source(text);
    const auto writer = create_text(file(), from->isa());
    count = edit::cut(*from, begin, end, *writer);
    writer->close();
    return lines_of(file());
  }

  std::string merge(const std::vector<std::string>& texts, const edit::MergeOptions& how = {}) {
    std::vector<std::unique_ptr<edit::Source>> sources;
    sources.reserve(texts.size());
    for (const std::string& text : texts) sources.push_back(source(text, "trace" + std::to_string(sources.size() + 1)));
    const auto writer = create_text(file(), sources.front()->isa());
    count = edit::merge(sources, how, *writer);
    writer->close();
    return lines_of(file());
  }

  [[nodiscard]] std::filesystem::path file() const { return folder.path() / "piece.txt"; }
  testbench::Scratch folder;
  std::uint64_t count = 0;
};

// Every directive is either an event or a lasting setting; a new directive must be classified.
TEST(Standing, EveryDirectiveHasAMeaning) {
  for (const DirectiveForm& form : directive_forms()) {
    const edit::Meaning* const meaning = edit::meaning_of(form.name);
    ASSERT_NE(meaning, nullptr) << form.name;
    EXPECT_FALSE(meaning->enters && meaning->lasting != edit::Lasting::no) << form.name;
    EXPECT_FALSE(meaning->lasting != edit::Lasting::no && form.explains_jump) << form.name;
  }
}

TEST_F(Pieces, CutBeginsWithWhatLasts) {
  const std::string text =
      "! isa ppc\n! msr pr=1 pm=0\n! map addr=1000 to=2000\n! map addr=3000 to=4000\n"
      "100 60000000\n"
      "! msr pm=1\n! map addr=1000 to=5000\n! snoop kind=read addr=40\n"
      "104 60000000\n"
      "! snoop kind=read addr=80\n"
      "108 4082fff8 T 100\n"
      "100 60000000\n! idle cycles=9\n";
  EXPECT_EQ(cut(text, 2, 3),
            "! map addr=3000 to=4000\n! msr pr=1 pm=1\n! map addr=1000 to=5000\n! snoop kind=read addr=80\n"
            "108 4082fff8 T 100\n");
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(cut(text, 0, 100), text.substr(10)) << "all of it is itself";
  EXPECT_EQ(cut(text, 4, 100), "");
}

// A piece from the middle of a handler first enters the handler again, so that the return matches an entry.
TEST_F(Pieces, CutInsideOfAHandler) {
  const std::string text =
      "! isa ppc\n! msr pr=1\n100 60000000\n"
      "! interrupt vector=5\n! process 7\n! msr ee=1\n500 60000000\n504 60000000\n! return\n104 60000000\n";
  EXPECT_EQ(cut(text, 2, 4),
            "! msr pr=1\n! interrupt vector=5\n! process 7\n! msr ee=1\n504 60000000\n! return\n104 60000000\n");
  EXPECT_EQ(cut(text, 3, 4), "! msr pr=1\n! process 7\n104 60000000\n") << "the handler's privilege is gone with it";
}

// A repeated string instruction is one instruction with a line for each iteration: an end is never between them.
constexpr const char* repeated =
    "! isa i386\n"
    "1000 90\n"
    "1001 f3a4 L 2000 1 S 3000 1 T 1001\n"
    "1001 f3a4 L 2001 1 S 3001 1 T 1001\n"
    "1001 f3a4 L 2002 1 S 3002 1\n"
    "1003 40\n"
    "1004 41\n";

TEST_F(Pieces, RepeatedInstructionsAreWhole) {
  EXPECT_EQ(cut(repeated, 0, 1), "1000 90\n");
  EXPECT_EQ(cut(repeated, 1, 2),
            "1001 f3a4 L 2000 1 S 3000 1 T 1001\n1001 f3a4 L 2001 1 S 3001 1 T 1001\n1001 f3a4 L 2002 1 S 3002 1\n");
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(cut(repeated, 2, 4), "1003 40\n1004 41\n");
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(cut(repeated, 4, 6), "");

  edit::MergeOptions turns;
  turns.quantum = 2;
  EXPECT_EQ(merge({repeated, "! isa i386\n9000 90\n9001 90\n9002 90\n"}, turns),
            "! process 1\n1000 90\n1001 f3a4 L 2000 1 S 3000 1 T 1001\n1001 f3a4 L 2001 1 S 3001 1 T 1001\n"
            "1001 f3a4 L 2002 1 S 3002 1\n! switch\n! process 2\n9000 90\n9001 90\n! switch\n! process 1\n"
            "1003 40\n1004 41\n! switch\n! process 2\n9002 90\n");
  EXPECT_EQ(count, 7u);

  const edit::Statistics s = edit::statistics_of(*open_text(repeated, "t"), 64, 4096);
  EXPECT_EQ(s.lines, 6u);
  EXPECT_EQ(s.instructions, 4u);
  EXPECT_EQ(s.mnemonics.at("movsb"), 1u);
  EXPECT_EQ(s.privilege.at("not told").instructions, 4u);
  EXPECT_EQ(s.loads, 3u);
  EXPECT_EQ(s.stores, 3u);
}

/// ar.bsp and the frame marker after each line, as computed by a reader of the trace.
std::vector<std::pair<std::uint64_t, std::uint64_t>> stacks_of(Reader& reader) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> list;
  ia64::FrameTracker tracker;
  for (Item item; reader.next(item);) {
    if (item.directive != nullptr) continue;
    tracker.step(ia64::decode(*item.instruction.code), item.instruction);
    list.emplace_back(tracker.bsp(), tracker.frame().marker());
  }
  return list;
}

// Register stack frames are those of the whole trace, also after returns to callers from before the piece.
TEST_F(Pieces, CutKeepsFramesOfTheRegisterStack) {
  const std::filesystem::path recorded = PMUSIM_SOURCE_DIR "/isa-traces/recorded/ia64-recursion-O2.pmt";
  const auto whole = stacks_of(*open(recorded));
  for (const std::uint64_t begin : {1000u, 2500u}) {
    edit::Source from(open(recorded), recorded.string());
    const auto writer = create_text(file(), Isa::ia64);
    ASSERT_EQ(edit::cut(from, begin, begin + 3000, *writer), 3000u);
    writer->close();
    const auto piece = stacks_of(*open(file()));
    ASSERT_EQ(piece.size(), 3000u);
    for (std::size_t i = 0; i < piece.size(); ++i) ASSERT_EQ(piece[i], whole[begin + i]) << begin << " + " << i;
  }
}

TEST_F(Pieces, MergeOneAfterTheOther) {
  EXPECT_EQ(merge({"! isa ppc\n100 60000000\n104 4082fff8 T 100\n", "! isa ppc\n! idle cycles=3\n200 60000000\n"}),
            "! process 1\n100 60000000\n104 4082fff8 T 100\n! switch\n! process 2\n! idle cycles=3\n200 60000000\n");
  EXPECT_EQ(count, 3u);
}

TEST_F(Pieces, MergeInTurnsKeepsEachPrivilege) {
  edit::MergeOptions turns;
  turns.quantum = 1;
  EXPECT_EQ(
      merge({"! isa ppc\n! msr pr=1\n100 60000000\n104 60000000\n", "! isa ppc\n! msr pr=0\n200 60000000\n"}, turns),
      "! process 1\n! msr pr=1\n100 60000000\n! switch\n! process 2\n! msr pr=0\n200 60000000\n"
      "! switch\n! process 1\n! msr pr=1\n104 60000000\n");
  // Merging does not switch away in the middle of a handler.
  EXPECT_EQ(merge({"! isa ppc\n! interrupt\n100 60000000\n104 60000000\n! return\n108 60000000\n",
                   "! isa ppc\n200 60000000\n"},
                  turns),
            "! process 1\n! interrupt\n100 60000000\n104 60000000\n! return\n! switch\n! process 2\n200 60000000\n"
            "! switch\n! process 1\n108 60000000\n");
}

TEST_F(Pieces, MergeRefusesWhatWouldNotMeanTheSame) {
  const auto error = [&](const std::vector<std::string>& texts, edit::MergeAs as = edit::MergeAs::processes) {
    try {
      edit::MergeOptions how;
      how.as = as;
      return "made: " + merge(texts, how);
    } catch (const TraceError& wrong) {
      return std::string(wrong.what());
    }
  };
  EXPECT_THAT(error({"! isa ppc\n! msr pr=1\n100 60000000\n", "! isa ppc\n200 60000000\n"}),
              HasSubstr("trace2: does not say '! msr', which trace1 does"));
  EXPECT_THAT(error({"! isa ppc\n100 60000000\n", "! isa i386\n200 90\n"}), HasSubstr("one instruction set"));
  EXPECT_THAT(error({"! isa ppc\n100 60000000\n", "! isa ppc\n200 60000000\n"}, edit::MergeAs::threads),
              HasSubstr("no hardware threads"));
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST(Statistics, CountsByHand) {
  // add (%esi),%eax; dec; jnz taken once, then not; call; ret; fld; an unknown SSE2 instruction
  const auto reader = open_text(
      "! isa i386\n"
      "1000 0306 L 2000 4\n1002 49\n1003 75fb T 1000\n"
      "1000 0306 L 2040 4\n1002 49\n1003 75fb\n"
      "! cpl 0\n"
      "1005 e8f6000000 S 2ffe 4 T 1100\n"
      "! interrupt\n! return\n"
      "1100 c3 L 2ffe 4 T 100a\n"
      "! cpl 3\n"
      "100a d900 L 3000 4\n100c 660f58c0\n",
      "t");
  const edit::Statistics s = edit::statistics_of(*reader, 64, 4096);
  EXPECT_EQ(s.lines, 10u);
  EXPECT_EQ(s.instructions, 10u);
  const auto of = [&](edit::Class kind) { return s.classes[static_cast<std::size_t>(kind)]; };
  EXPECT_EQ(of(edit::Class::load), 2u);
  EXPECT_EQ(of(edit::Class::integer), 2u);
  EXPECT_EQ(of(edit::Class::branch), 4u);
  EXPECT_EQ(of(edit::Class::floating_point), 1u);
  EXPECT_EQ(of(edit::Class::unknown), 1u);
  EXPECT_EQ(s.mnemonics.at("dec"), 2u);
  EXPECT_EQ(s.branches, 4u);
  EXPECT_EQ(s.branch_places, 3u);
  EXPECT_EQ(s.taken, 3u);
  EXPECT_EQ(s.conditional, 2u);
  EXPECT_EQ(s.conditional_taken, 1u);
  EXPECT_EQ(s.calls, 1u);
  EXPECT_EQ(s.returns, 1u);
  EXPECT_EQ(s.indirect, 1u);
  EXPECT_EQ(s.code_bytes, 2u + 1 + 2 + 5 + 1 + 2 + 4);
  EXPECT_EQ(s.code.lines, 2u);
  EXPECT_EQ(s.code.pages, 1u);
  EXPECT_EQ(s.loads, 4u);
  EXPECT_EQ(s.stores, 1u);
  EXPECT_EQ(s.data.lines, 4u) << "2000, 2040, and 2ffe on both sides of 3000";
  EXPECT_EQ(s.data.pages, 2u);
  EXPECT_EQ(s.read.lines, 4u);
  EXPECT_EQ(s.written.lines, 2u);
  EXPECT_EQ(s.privilege.at("not told").instructions, 6u);
  EXPECT_EQ(s.privilege.at("level 0").instructions, 2u);
  EXPECT_EQ(s.privilege.at("level 0").taken, 2u);
  EXPECT_EQ(s.privilege.at("level 3").loads, 1u);
  EXPECT_EQ(s.directives.at("cpl"), 2u);
}

// IA-64: executed slots; a branch whose predicate is false is counted as not taken.
TEST(Statistics, SlotsOfBundles) {
  // nop.m, nop.i, (p6) br.few to itself
  const std::string bundle = "11000000010000000002000300000040";
  const auto line = [&](const char* mask, const char* rest) { return "4000 " + bundle + " " + mask + rest + "\n"; };
  const auto reader = open_text("! isa ia64\n" + line("xxx", " T2 4000 bsp=8000") + line("xxp", ""), "t");
  const edit::Statistics s = edit::statistics_of(*reader, 64, 4096);
  EXPECT_EQ(s.lines, 2u);
  EXPECT_EQ(s.instructions, 5u);
  EXPECT_EQ(s.predicated_off, 1u);
  EXPECT_EQ(s.branches, 2u);
  EXPECT_EQ(s.taken, 1u);
  EXPECT_EQ(s.conditional, 2u);
  EXPECT_EQ(s.conditional_taken, 1u);
  EXPECT_EQ(s.classes[static_cast<std::size_t>(edit::Class::hint)], 4u);
}

}  // namespace
}  // namespace pmusim::trace::test
