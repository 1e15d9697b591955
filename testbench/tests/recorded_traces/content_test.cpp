// Details that the recorder must get right, computed from the programs' source text.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "pmusim/trace/alpha.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/x86.h"
#include "recorded.h"

namespace {

using namespace pmusim;
namespace fs = std::filesystem;

fs::path recorded(const char* name) { return fs::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded" / name; }

struct Sum {
  std::uint64_t executed = 0, accesses = 0, bytes = 0;
};

/// Sums by mnemonic over a trace, for the instructions that `classify` recognizes.
template <typename Classify>
std::map<std::string, Sum, std::less<>> sums_of(const char* name, Classify classify) {
  std::map<std::string, Sum, std::less<>> sums;
  const auto reader = trace::open(recorded(name));
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    Sum& sum = sums[std::string(classify(*item.instruction.code).mnemonic)];
    ++sum.executed;
    for (const auto& access : item.instruction.accesses) {
      ++sum.accesses;
      sum.bytes += access.size;
    }
  }
  return sums;
}

TEST(Content, MultipleAndStringOperands) {
  auto sums = sums_of("ppc-multiple.pmt", trace::ppc::classify);
  const std::uint64_t rounds = 6;
  // Part 1: twelve registers 40 times; entry and exit move r13-r31 once.
  EXPECT_EQ(sums["stmw"].accesses, rounds * 40 * 12 + 19);
  EXPECT_EQ(sums["lmw"].accesses, rounds * 40 * 12 + 19);
  EXPECT_EQ(sums["lmw"].bytes, 4 * (rounds * 40 * 12 + 19));
  // Part 2: 3, 4, 7 and 8 bytes in 1, 1, 2 and 2 registers, 24 times each.
  EXPECT_EQ(sums["lswi"].bytes, rounds * 24 * (3 + 4 + 7 + 8));
  EXPECT_EQ(sums["stswi"].accesses, rounds * 24 * (1 + 1 + 2 + 2));
  // Part 3: 0 to 32 bytes.
  EXPECT_EQ(sums["lswx"].executed, rounds * 33);
  EXPECT_EQ(sums["lswx"].bytes, rounds * 32 * 33 / 2);
  EXPECT_EQ(sums["stswx"].bytes, rounds * 32 * 33 / 2);
}

TEST(Content, MultipleStartsWhereTheProgramPutsIt) {
  // stmw r20, 0(r6) in part 1: r6 starts at the area and moves by 4; twelve words each.
  const auto reader = trace::open(recorded("ppc-multiple.pmt"));
  std::uint64_t previous = 0, checked = 0;
  for (trace::Item item; reader->next(item);) {
    const auto accesses = item.instruction.accesses;
    if (item.directive != nullptr || accesses.size() != 12 || !accesses[0].store) continue;
    for (std::size_t i = 1; i < accesses.size(); ++i) EXPECT_EQ(accesses[i].address, accesses[0].address + 4 * i);
    if (checked % 40 != 0) {
      EXPECT_EQ(accesses[0].address, previous + 4);
    }
    previous = accesses[0].address;
    ++checked;
  }
  EXPECT_EQ(checked, 6U * 40U);
}

TEST(Content, ConditionalStoresAndBlocks) {
  auto sums = sums_of("ppc-ordering.pmt", trace::ppc::classify);
  // 2 x 200 increments and 50 locks succeed at the first attempt, 100 stores without a reservation fail.
  EXPECT_EQ(sums["lwarx"].accesses, 400U + 50U);
  EXPECT_EQ(sums["stwcx"].executed, 400U + 50U + 100U);
  EXPECT_EQ(sums["stwcx"].accesses, 400U + 50U);
  // 4 rounds over 128 blocks.
  for (const char* name : {"dcbt", "dcbtst", "dcbst", "dcbf", "icbi"})
    EXPECT_EQ(sums[name].accesses, 4U * 128U) << name;
  EXPECT_EQ(sums["dcbz"].bytes, 4U * 128U * 32U);
}

TEST(Content, AlphaOrdering) {
  auto sums = sums_of("alpha-ordering.pmt", trace::alpha::classify);
  // 200 increments of each width and 50 locks succeed at the first attempt, 100 stores without a locked load fail.
  EXPECT_EQ(sums["ldl_l"].accesses, 200U + 50U);
  EXPECT_EQ(sums["ldq_l"].accesses, 200U);
  EXPECT_EQ(sums["stl_c"].executed, 200U + 50U + 100U);
  EXPECT_EQ(sums["stl_c"].bytes, 4U * (200U + 50U));
  EXPECT_EQ(sums["stq_c"].bytes, 8U * 200U);
  EXPECT_EQ(sums["mb"].executed, 200U + 50U);
  EXPECT_EQ(sums["wmb"].executed, 200U + 50U);
  for (const char* name : {"fetch", "fetch_m", "trapb", "excb", "rpcc", "rc", "rs"}) {
    EXPECT_EQ(sums[name].executed, 64U) << name;
    EXPECT_EQ(sums[name].accesses, 0U) << name;
  }
  EXPECT_EQ(sums["call_pal"].executed, 3U * 64U + 1U);  // one more to exit
}

TEST(Content, AlphaUnalignedAndFloatingOperands) {
  auto sums = sums_of("alpha-memory.pmt", trace::alpha::classify);
  const std::uint64_t rounds = 8, offsets = 16;
  // Two quadwords read, written and read again; the byte needs one.
  EXPECT_EQ(sums["ldq_u"].accesses, rounds * offsets * (3 * 4 + 2));
  EXPECT_EQ(sums["stq_u"].bytes, 8 * rounds * offsets * (3 * 2 + 1));
  for (const char* name : {"ldt", "stt", "ldg", "stg"}) EXPECT_EQ(sums[name].bytes, 8 * rounds) << name;
  for (const char* name : {"lds", "sts", "ldf", "stf"}) EXPECT_EQ(sums[name].bytes, 4 * rounds) << name;
  const auto reader = trace::open(recorded("alpha-memory.pmt"));
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    const auto op = trace::alpha::classify(*item.instruction.code);
    for (const auto& access : item.instruction.accesses) ASSERT_EQ(access.address % op.access_size, 0U) << op.mnemonic;
  }
}

TEST(Content, RepeatedStrings) {
  // Lengths 0 to 59: 0 + 1 + ... + 59 iterations of each of the seven repeated instructions, and one line that ends
  // each.
  const auto reader = trace::open(recorded("i386-strings.pmt"));
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> lines;  // iterations, instructions
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    const auto op = trace::x86::classify(*item.instruction.code);
    if (!op.repeats) continue;
    auto& [iterations, instructions] = lines[op.mnemonic];
    iterations += item.instruction.accesses.empty() ? 0 : 1;
    instructions += item.instruction.taken ? 0 : 1;
  }
  const std::uint64_t sum = 59 * 60 / 2;
  const std::pair<std::uint64_t, std::uint64_t> once{sum, 60}, twice{2 * sum, 2 * 60};
  EXPECT_EQ(lines["stosb"], once);
  EXPECT_EQ(lines["stosw"], once);
  EXPECT_EQ(lines["stosd"], once);
  EXPECT_EQ(lines["movsb"], once);
  EXPECT_EQ(lines["movsd"], twice);                                                   // forwards and backwards
  EXPECT_EQ(lines["scasb"], (std::pair<std::uint64_t, std::uint64_t>{60 * 4, 60}));   // found at the fourth byte
  EXPECT_EQ(lines["cmpsb"], (std::pair<std::uint64_t, std::uint64_t>{40 * 17, 40}));  // equal to the end
}

TEST(Content, ModifiedInstructionsAppearOnceAndAnew) {
  // Per round: 100 x 8 + 100 x 5 + 100 x 10 instructions and 5 around them; the kernel has 6 more, _start 4.
  const auto reader = trace::open(recorded("i386-selfmod.pmt"));
  std::uint64_t instructions = 0;
  std::map<std::uint64_t, std::set<std::uint32_t>> codes;
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    ++instructions;
    codes[item.instruction.code->pc].insert(item.instruction.code->id);
  }
  EXPECT_EQ(instructions, 5U * (800 + 500 + 1000 + 5) + 4 + 4 + 4);
  std::size_t most = 0;
  for (const auto& [pc, versions] : codes) most = std::max(most, versions.size());
  EXPECT_GE(most, 100U) << "the function whose operand is rewritten 100 times";
}

}  // namespace
