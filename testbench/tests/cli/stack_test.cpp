// Call stacks and symbols of profiles, compared with stacks that the test builds from the lines of the trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

/// The depth of the deepest call stack in a PowerPC trace: bl pushes the address after it, blr returns to it.
std::size_t deepest_of_trace(const std::string& trace) {
  std::vector<std::uint64_t> returns;
  std::size_t deepest = 0;
  for (const std::string& line : lines_of(pmusim("trace dump '" + trace + "'").out)) {
    std::istringstream words(line);
    std::string pc, word, mark, target;
    if (!(words >> pc >> word) || pc == "!" || pc == "#") continue;
    const bool taken = (words >> mark) && mark == "T" && (words >> target);
    if (!taken) continue;
    const std::uint64_t at = std::stoull(pc, nullptr, 16), to = std::stoull(target, nullptr, 16);
    const std::uint64_t instruction = std::stoull(word, nullptr, 16);
    const bool links = instruction >> 26 == 18 && (instruction & 1) != 0;
    if (links && to != at + 4) {
      returns.push_back(at + 4);
      deepest = std::max(deepest, returns.size());
    } else if (instruction == 0x4E800020) {
      while (!returns.empty() && std::find(returns.begin(), returns.end(), to) != returns.end()) {
        const bool last = returns.back() == to;
        returns.pop_back();
        if (last) break;
      }
    }
  }
  return deepest;
}

std::size_t deepest_of_profile(const std::string& record) {
  const Outcome outcome = pmusim(record + " --folded");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::size_t deepest = 0;
  for (const std::string& line : lines_of(outcome.out)) {
    deepest = std::max(deepest, static_cast<std::size_t>(std::count(line.begin(), line.end(), ';')));
  }
  return deepest;
}

// A stack lists its calls and the current function: as many separators as calls. Not every moment is sampled.
TEST(Stack, IsPoppedOnThe750) {
  for (const char* trace : {"ppc-recursion-O2", "ppc-recursion-O0", "ppc-quicksort-O0"}) {
    const std::size_t truth = deepest_of_trace(recorded(trace));
    ASSERT_GT(truth, 3u);
    const std::size_t found =
        deepest_of_profile("record -t ppc750gx --trace '" + recorded(trace) + "' -e PROCESSOR_CYCLES --period 211");
    EXPECT_LE(found, truth) << trace;
    EXPECT_GE(found, truth / 2) << trace;
  }
}

// bcl 20,31,$+4 reads its own address and is no call; bl calls a leaf and returns, repeatedly.
TEST(Stack, ACallOfTheNextInstructionIsNone) {
  std::string text = "! isa ppc\n";
  for (int i = 0; i < 200; ++i) {
    // 10000: bcl 20,31,$+4; mflr 3; bl 10020; b 10000; 10020: addi; blr
    text +=
        "10000 429f0005 T 10004\n10004 7c6802a6\n10008 48000019 T 10020\n10020 38600001\n10024 4e800020 T 1000c\n"
        "1000c 4bfffff4 T 10000\n";
  }
  write_file("calls.txt", text + "10000 429f0005\n");
  EXPECT_EQ(deepest_of_profile("record -t ppc750gx --trace calls.txt -e PROCESSOR_CYCLES --period 7"), 1u);
  // The same on the i386: call +0; pop; call leaf; jmp back; leaf: nop; ret.
  text = "! isa i386\n";
  for (int i = 0; i < 200; ++i) {
    text +=
        "10000 e800000000 S 8000 4 T 10005\n10005 58 L 8000 4\n10006 e815000000 S 8000 4 T 10020\n10020 90\n"
        "10021 c3 L 8000 4 T 1000b\n1000b ebf3 T 10000\n";
  }
  write_file("calls386.txt", text + "10000 e800000000 S 8000 4\n");
  EXPECT_EQ(deepest_of_profile("record -t athlon --trace calls386.txt -e CPU_CLK_UNHALTED --period 7"), 1u);
}

TEST(Symbols, SizesSayWhereAFunctionEnds) {
  write_file("nops.txt", nops(200));  // 10000 to 100c7
  write_file("sized.nm", "00010000 00000040 T first\n00010010 t label_in_first\n00010080 T unsized\n");
  const std::string record =
      "record -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --period 16 --no-randomize --symbols ";
  const std::string out = pmusim(record + "sized.nm").out;
  EXPECT_THAT(out, HasSubstr("first+0x"));
  EXPECT_THAT(out, testing::Not(HasSubstr("label_in_first")));
  EXPECT_THAT(out, HasSubstr("unsized+0x"));
  for (const std::string& line : lines_of(out)) {  // beyond the 64 bytes of `first` no name is right
    if (line.find("0x0001005") == std::string::npos) continue;
    EXPECT_EQ(line.find('+'), std::string::npos) << line;
  }
  EXPECT_THAT(out, HasSubstr("0x0001005"));
  write_file("wrong.nm", "00010000 zz T first\n");
  EXPECT_THAT(pmusim(record + "wrong.nm").err, HasSubstr("nm"));
}

}  // namespace
}  // namespace pmusim::cli_test
