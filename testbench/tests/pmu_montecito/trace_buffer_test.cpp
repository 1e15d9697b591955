// The execution trace buffer: entries, index, flags, wrap, filters, and the reconstruction of the branches.
#include "bench.h"

namespace pmusim::testing {
namespace {

using ia64::BranchClass;
using ia64::Prediction;
using pmu::ia64::RecordedBranch;

constexpr std::uint64_t all_branches = at(8, 0x3f);

std::unique_ptr<Monitor> recording(std::uint64_t filter = all_branches, Flips flips = {}) {
  auto m = counting({event(branch_event) | any_level}, flips);
  put(*m, pmc(39), any_level | filter);
  return m;
}
struct Branch {
  std::uint64_t ip;
  std::uint64_t target;
  bool taken = true;
  unsigned thread = 0;
  Prediction prediction = Prediction::correct;
  bool second_bundle = false;
  bool back_end = false;
};
void retire(Activity& activity, Cycle c, const Branch& b) {
  const std::uint32_t i = activity.instruction({.ip = b.ip,
                                                .slot = 2,
                                                .type = ia64::SlotType::b,
                                                .kinds = bit(ia64::Kind::branch),
                                                .next_ip = b.target,
                                                .taken = b.taken,
                                                .thread = b.thread});
  auto& s = activity.syllable(i);
  s.prediction = b.prediction;
  s.branch_class = BranchClass::ip_relative;
  s.second_bundle = b.second_bundle;
  s.window = b.second_bundle ? b.ip - 16 : b.ip;
  s.back_end_flush = b.back_end;
  activity.occur(Signal::retire, c, 0, i);
}
std::vector<RecordedBranch> decoded(Monitor& m) {
  std::array<std::uint64_t, 16> entries{};
  for (std::uint32_t i = 0; i < 16; ++i) entries[i] = get(m, pmd(48 + i));
  return decode_branch_ring(pmu::montecito_branch_ring(entries, get(m, pmd(38)), get(m, pmd(39))));
}

TEST(TraceBuffer, SourceAndTarget) {
  auto m = recording();
  Activity a(10);
  retire(a, 2, {.ip = 0x4010, .target = 0x5000, .second_bundle = true, .back_end = true});
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(48)), 0x4000u + (2 << 2) + 1);
  EXPECT_EQ(get(*m, pmd(49)), 0x5000u + 2);
  EXPECT_EQ(get(*m, pmd(38)), 2u);
  EXPECT_EQ(get(*m, pmd(39)), 3u) << "b1 and bruflush of PMD48";
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  const std::vector<RecordedBranch> expected{{.bundle = 0x4010,
                                              .taken = true,
                                              .slot = 2,
                                              .outcome = RecordedBranch::Outcome::back_end_mispredicted,
                                              .target = 0x5000}};
  EXPECT_EQ(decoded(*m), expected);
}

TEST(TraceBuffer, FlagsAreInterleaved) {
  // 16 branches that are not taken, only one with b1 set. The position of its bit: 8j in PMD48 + j, and 8(j - 8) + 4
  // from PMD56 on.
  for (unsigned j = 0; j < 16; ++j) {
    auto m = recording();
    Activity a(40);
    for (unsigned k = 0; k < 16; ++k)
      retire(a, 2 * k, {.ip = 0x4010 + 0x100 * k, .target = 0, .taken = false, .second_bundle = k == j});
    consume_both(*m, a.block());
    EXPECT_EQ(get(*m, pmd(39)), 1ull << (j < 8 ? 8 * j : 8 * (j - 8) + 4)) << j;
    EXPECT_EQ(get(*m, pmd(38)), at(5, 1)) << "wrapped to PMD48";
    const auto branches = decoded(*m);
    ASSERT_EQ(branches.size(), 16u);
    for (unsigned k = 0; k < 16; ++k) EXPECT_EQ(branches[k].bundle, 0x4010u + 0x100 * k) << j;
  }
}

TEST(TraceBuffer, HoldsEightTakenOnes) {
  auto m = recording();
  Activity a(100);
  for (Cycle k = 0; k < 11; ++k) retire(a, 5 * k, {.ip = 0x4000 + 0x100 * k, .target = 0x8000 + 0x100 * k});
  consume_both(*m, a.block());
  EXPECT_EQ(get(*m, pmd(38)), 22u % 16 + at(5, 1));
  const auto branches = decoded(*m);
  ASSERT_EQ(branches.size(), 8u);
  for (unsigned k = 0; k < 8; ++k) {
    EXPECT_EQ(branches[k].bundle, 0x4000u + 0x100 * (k + 3));
    EXPECT_EQ(branches[k].target, 0x8000u + 0x100 * (k + 3));
  }
  EXPECT_EQ(get(*m, pmd(4)), 11u);
  put(*m, pmd(38), 0);
  EXPECT_TRUE(decoded(*m).empty()) << "reset by software";
}

TEST(TraceBuffer, Filters) {
  for (unsigned filter = 0; filter < 64; ++filter) {
    const unsigned tm = filter & 3, ptm = filter >> 2 & 3, ppm = filter >> 4 & 3;
    auto m = recording(at(8, filter));
    Activity a(100);
    Cycle c = 0;
    unsigned expected = 0;
    for (const bool taken : {false, true}) {
      for (const Prediction p : {Prediction::correct, Prediction::wrong_path, Prediction::wrong_target}) {
        retire(a, c += 4, {.ip = 0x4000, .target = 0x5000, .taken = taken, .prediction = p});
        const bool target_ok = !(taken && p == Prediction::wrong_target), path_ok = p != Prediction::wrong_path;
        expected += (tm & (taken ? 2 : 1)) != 0 && (ptm & (target_ok ? 2 : 1)) != 0 && (ppm & (path_ok ? 2 : 1)) != 0;
      }
    }
    m->consume(a.block(), 0, 100);
    EXPECT_EQ(get(*m, pmd(4)), expected) << filter;
  }
}

TEST(TraceBuffer, OnlyTheOwnThread) {
  Activity a(40);
  a.state(State::background_psr, psr::up).change(State::thread, 10, 1);
  retire(a, 5, {.ip = 0x4000, .target = 0x5000});
  retire(a, 15, {.ip = 0x6000, .target = 0x7000, .thread = 1});
  for (unsigned thread = 0; thread < 2; ++thread) {
    auto m = recording(all_branches, {{"pmu.thread", thread == 0 ? "0" : "1"}});
    consume_both(*m, a.block());
    EXPECT_EQ(get(*m, pmd(38)), 2u);
    EXPECT_EQ(decoded(*m).front().bundle, thread == 0 ? 0x4000u : 0x6000u);
    EXPECT_EQ(get(*m, pmd(4)), 1u);
  }
}

}  // namespace
}  // namespace pmusim::testing
