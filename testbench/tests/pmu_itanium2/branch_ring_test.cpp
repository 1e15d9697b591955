// The branch trace buffer: filters, entries, index, wrap, freeze, and the reconstruction of the branches.
#include <optional>

#include "testbench/tests/pmu_itanium2/bench.h"

namespace pmusim::testing {
namespace {

using ia64::BranchClass;
using ia64::Prediction;
using pmu::ia64::RecordedBranch;

constexpr std::uint64_t all_branches = at(8, 3) | at(10, 3) | at(12, 3);

std::unique_ptr<Monitor> recording(std::uint64_t filter = all_branches, Flips flips = {}) {
  auto m = counting({event(branch_event) | any_level}, flips);
  put(*m, pmc(12), any_level | filter);
  return m;
}

struct Branch {
  std::uint64_t ip;
  std::uint64_t target;
  bool taken = true;
  unsigned slot = 2;
  Prediction prediction = Prediction::correct;
  BranchClass of = BranchClass::ip_relative;
  bool second_bundle = false;
  bool back_end = false;
};
void retire(Activity& activity, Cycle c, const Branch& b) {
  const std::uint32_t i = activity.instruction({.ip = b.ip,
                                                .slot = b.slot,
                                                .type = ia64::SlotType::b,
                                                .kinds = bit(ia64::Kind::branch),
                                                .next_ip = b.target,
                                                .taken = b.taken});
  auto& s = activity.syllable(i);
  s.prediction = b.prediction;
  s.branch_class = b.of;
  s.second_bundle = b.second_bundle;
  s.window = b.second_bundle ? b.ip - 16 : b.ip;
  s.back_end_flush = b.back_end;
  activity.occur(Signal::retire, c, 0, i);
}
std::vector<RecordedBranch> decoded(Monitor& m) {
  std::array<std::uint64_t, 8> entries{};
  for (std::uint32_t i = 0; i < 8; ++i) entries[i] = get(m, pmd(8 + i));
  return decode_branch_ring(pmu::itanium2_branch_ring(entries, get(m, pmd(16))));
}

TEST(BranchRing, SourceAndTarget) {
  auto m = recording();
  Activity activity(10);
  retire(activity, 2, {.ip = 0x4010, .target = 0x5000, .slot = 1, .second_bundle = true, .back_end = true});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(8)), 0x4000u + (1 << 2) + 1);
  EXPECT_EQ(get(*m, pmd(9)), 0x5000u + 2);
  EXPECT_EQ(get(*m, pmd(16)), 2u + at(4, 3));
  EXPECT_EQ(get(*m, pmd(4)), 1u);
  const std::vector<RecordedBranch> expected{{.bundle = 0x4010,
                                              .taken = true,
                                              .slot = 1,
                                              .outcome = RecordedBranch::Outcome::back_end_mispredicted,
                                              .target = 0x5000}};
  EXPECT_EQ(decoded(*m), expected);
}

TEST(BranchRing, NotTakenHasNoTarget) {
  Activity activity(10);
  retire(activity, 2, {.ip = 0x4000, .target = 0x4010, .taken = false, .prediction = Prediction::wrong_path});
  auto m = recording();
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(8)), 0x4000u + 0xc + 3);
  EXPECT_EQ(get(*m, pmd(16)), 1u);
}

TEST(BranchRing, TargetOmitted) {
  // The window at 0x5000 retires a branch in the next cycle; the one at 0x6000 does so two cycles later.
  Activity activity(20);
  retire(activity, 2, {.ip = 0x4000, .target = 0x5000});
  retire(activity, 3, {.ip = 0x5000, .target = 0x6000});
  retire(activity, 5, {.ip = 0x6000, .target = 0x7000});
  auto m = recording();
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(16)), 5u);
  const std::vector<RecordedBranch> expected{{.bundle = 0x4000, .taken = true, .slot = 2},
                                             {.bundle = 0x5000, .taken = true, .slot = 2, .target = 0x6000},
                                             {.bundle = 0x6000, .taken = true, .slot = 2, .target = 0x7000}};
  EXPECT_EQ(decoded(*m), expected);
  auto all = recording(all_branches, {{"pmu.btb_target", "written"}});
  consume_both(*all, activity.block());
  EXPECT_EQ(get(*all, pmd(16)), 6u);
}

TEST(BranchRing, TargetInTheSecondBundleOfTheWindow) {
  // The target 0x5010 is in the second bundle of the window that retires a branch in the next cycle; 0x7000 is in no
  // such window.
  Activity activity(20);
  retire(activity, 2, {.ip = 0x4000, .target = 0x5010});
  retire(activity, 3, {.ip = 0x5010, .target = 0x7000, .second_bundle = true});
  retire(activity, 4, {.ip = 0x6000, .target = 0x8000});
  auto m = recording();
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(16)) & 0xf, 5u) << "sources 0, 1, 3, targets 2, 4";
  EXPECT_EQ(get(*m, pmd(10)), 0x7002u);
}

TEST(BranchRing, SeveralInACycle) {
  // The first taken branch is recorded; if none is taken, the last branch.
  Activity activity(20);
  retire(activity, 2, {.ip = 0x4000, .target = 0, .taken = false, .slot = 0});
  retire(activity, 2, {.ip = 0x4000, .target = 0x5000, .slot = 1});
  retire(activity, 2, {.ip = 0x4000, .target = 0x6000, .slot = 2});
  retire(activity, 9, {.ip = 0x7000, .target = 0, .taken = false, .slot = 0});
  retire(activity, 9, {.ip = 0x7010, .target = 0, .taken = false, .slot = 1, .second_bundle = true});
  auto m = recording();
  consume_both(*m, activity.block());
  const std::vector<RecordedBranch> expected{{.bundle = 0x4000, .taken = true, .slot = 1, .target = 0x5000},
                                             {.bundle = 0x7010}};
  EXPECT_EQ(decoded(*m), expected);
  EXPECT_EQ(get(*m, pmd(4)), 2u);
}

TEST(BranchRing, WrapAndFull) {
  auto m = recording();
  Activity activity(100);
  for (Cycle i = 0; i < 3; ++i) retire(activity, 10 * i, {.ip = 0x4000 + 0x100 * i, .target = 0x8000 + 0x100 * i});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(16)), 6u);
  Activity more(100);
  for (Cycle i = 0; i < 2; ++i) retire(more, 10 * i, {.ip = 0xa000 + 0x100 * i, .target = 0xb000 + 0x100 * i});
  m->consume(more.block(), 0, 100);
  EXPECT_EQ(get(*m, pmd(16)), 2u + 8);
  const auto branches = decoded(*m);
  ASSERT_EQ(branches.size(), 4u) << "the oldest was overwritten";
  EXPECT_EQ(branches.front().bundle, 0x4100u);
  EXPECT_EQ(branches.back().bundle, 0xa100u);
  EXPECT_EQ(branches.back().target, 0xb100u);
  put(*m, pmd(16), 0);
  EXPECT_TRUE(decoded(*m).empty()) << "reset by software";
}

TEST(BranchRing, Filters) {
  // Every filter combination against every kind of branch, by the bits' meaning.
  for (unsigned filter = 0; filter < 256; ++filter) {
    const unsigned tm = filter & 3, ptm = filter >> 2 & 3, ppm = filter >> 4 & 3, brt = filter >> 6 & 3;
    auto m = recording(at(8, filter));
    Activity activity(100);
    Cycle c = 0;
    unsigned expected = 0;
    for (const bool taken : {false, true}) {
      for (const Prediction p : {Prediction::correct, Prediction::wrong_path, Prediction::wrong_target}) {
        for (const BranchClass of : {BranchClass::ip_relative, BranchClass::return_, BranchClass::indirect}) {
          retire(activity, c += 4, {.ip = 0x4000, .target = 0x5000, .taken = taken, .prediction = p, .of = of});
          const bool target_ok = !(taken && p == Prediction::wrong_target), path_ok = p != Prediction::wrong_path;
          expected += (tm & (taken ? 2 : 1)) != 0 && (ptm & (target_ok ? 2 : 1)) != 0 &&
                      (ppm & (path_ok ? 2 : 1)) != 0 && (brt == 0 || brt == static_cast<unsigned>(of));
        }
      }
    }
    m->consume(activity.block(), 0, 100);
    EXPECT_EQ(get(*m, pmd(4)), expected) << filter;
  }
}

TEST(BranchRing, FreezeStillWritesTheTarget) {
  auto m = recording();
  put(*m, pmc(4), event(branch_event) | any_level | oi | enable);
  put(*m, pmd(4), wrap - 2);
  Activity activity(40);
  for (Cycle i = 0; i < 4; ++i) retire(activity, 5 + 10 * i, {.ip = 0x4000 + 0x100 * i, .target = 0x8000 + 0x100 * i});
  EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{15});
  EXPECT_EQ(get(*m, pmd(16)), 4u);
  EXPECT_EQ(get(*m, pmd(11)), 0x8102u);
}

TEST(BranchRing, DetailsInThePlaceOfTargets) {
  auto m = recording(all_branches | at(7, 1));
  Activity activity(10);
  retire(activity, 2, {.ip = 0x4000, .target = 0xffff'ffff'ffff'fff0});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(9)), 0xe000'01ff'ffff'fff2) << "address bits 63:61 and 40:4, no prediction bits";
}

TEST(BranchRing, TagOfChannelZero) {
  auto m = recording();
  put(*m, pmc(8), 0xFFFFFFFF3FFFFFFC);
  put(*m, pmc(14), 0x490);
  put(*m, ibr(0), 0x4000);
  put(*m, ibr(1), 0x0fff'ffff'ffff'f000);
  Activity activity(20);
  retire(activity, 2, {.ip = 0x4000, .target = 0x5000});
  retire(activity, 8, {.ip = 0x5000, .target = 0x4000});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 1u);
}

TEST(BranchRing, Rfi) {
  Activity activity(10);
  const std::uint32_t i =
      activity.instruction({.ip = 0x4000, .type = ia64::SlotType::b, .kinds = bit(ia64::Kind::rfi), .next_ip = 0x9000});
  activity.occur(Signal::retire, 2, 0, i);
  auto m = recording(all_branches, {{"pmu.btb_rfi", "ignored"}});
  consume_both(*m, activity.block());
  EXPECT_EQ(get(*m, pmd(4)), 0u);
  auto recorded = recording(all_branches | at(14, 3));  // brt 3: indirect branches other than returns
  consume_both(*recorded, activity.block());
  EXPECT_EQ(get(*recorded, pmd(9)), 0x9002u);
}

}  // namespace
}  // namespace pmusim::testing
