// WRPERFMON: the effect of each function on the registers of each chip. Alpha Architecture Handbook, appendix E.
#include "models/alpha/wrperfmon.h"

#include "testbench/tests/pmu_alpha/bench.h"

namespace pmusim::testing {
namespace {

using pmu::AlphaChip;
using pmu::Wrperfmon;

TEST(Wrperfmon, Ev4) {
  auto m = make_ev4();
  Wrperfmon call(AlphaChip::ev4, *m);
  const RegisterId iccsr = ipr(0x02), hier = ipr(0x10), option = ipr(0x100);
  put(*m, iccsr, field(35, 0xff) | field(8, 2));  // the fields PIPE to FPE do not belong to the counters
  EXPECT_EQ(call(2, field(8, 0xe) | field(32, 5) | 9 | field(35, 3)), 1u);
  EXPECT_EQ(get(*m, iccsr), field(35, 0xff) | field(8, 0xe) | field(32, 5) | 9);
  EXPECT_EQ(call(1, 0), 1u);
  EXPECT_EQ(get(*m, hier), 0x8100u);
  EXPECT_EQ(call(0, 0), 1u);
  EXPECT_EQ(get(*m, hier), 0u);
  EXPECT_EQ(call(3, 2), 1u);
  EXPECT_EQ(get(*m, option), 2u);
  EXPECT_EQ(call(5, 0), 1u) << "no failures here";
}

class Wrperfmon21164 : public ::testing::TestWithParam<bool> {
 protected:
  Wrperfmon21164()
      : m(GetParam() ? make_pca56() : make_ev5()), call(GetParam() ? AlphaChip::pca56 : AlphaChip::ev5, *m) {}
  static constexpr RegisterId pmctr = ipr(0x11c), icsr = ipr(0x118);
  std::unique_ptr<Monitor> m;
  Wrperfmon call;
};

TEST_P(Wrperfmon21164, StoredPeriodsComeWithTheEnable) {
  EXPECT_EQ(call(4, field(8, 2) | field(6, 3) | field(4, 1)), 1u);
  EXPECT_EQ(get(*m, pmctr), 0u);
  EXPECT_EQ(call(1, 5), 1u);
  EXPECT_EQ(get(*m, pmctr), field(14, 2) | field(10, 1));
  EXPECT_EQ(call(1, 2), 1u);
  EXPECT_EQ(get(*m, pmctr), field(14, 2) | field(12, 3) | field(10, 1));
  EXPECT_EQ(call(0, 1), 1u);
  EXPECT_EQ(get(*m, pmctr), field(12, 3) | field(10, 1));
}

TEST_P(Wrperfmon21164, Counters) {
  put(*m, pmctr, 0x8000'0055u);
  const std::uint64_t counters = field(48, 0x1234) | field(32, 0x5678) | field(16, 0x1abc);
  EXPECT_EQ(call(6, counters | 0xffff), 1u);
  EXPECT_EQ(get(*m, pmctr), counters | 0x8000'0055u) << "control fields stay";
  put(*m, pmctr, counters);
  EXPECT_EQ(call(5, 0), counters | 1) << "bit 0 tells success";
  call(4, field(8, 1) | field(4, 1));
  EXPECT_EQ(call(7, 4), 1u);
  EXPECT_EQ(get(*m, pmctr), field(48, 0x1234) | field(32, 0x5678) | field(10, 1)) << "counter 2 cleared and on";
}

TEST_P(Wrperfmon21164, Options) {
  put(*m, pmctr, 0x55);
  EXPECT_EQ(call(3, field(30, 1) | field(8, 1)), 1u);
  EXPECT_EQ(get(*m, pmctr), field(30, 1) | field(8, 1) | 0x55);
  EXPECT_EQ(get(*m, icsr) & 0x100, 0x100u);
  EXPECT_EQ(call(3, 1), 1u);
  EXPECT_EQ(get(*m, pmctr), 0x55u);
  EXPECT_EQ(get(*m, icsr) & 0x100, 0u) << "marked processes alone";
  EXPECT_EQ(call(3, field(30, 1) | 0x202), 1u);
  EXPECT_EQ(get(*m, pmctr), field(30, 1) | field(9, 1) | 0x55) << "a bit that is no option has no effect";
  EXPECT_EQ(call(8, 0), 0u) << "no function";
}

TEST_P(Wrperfmon21164, SelectsReachTheSecondMultiplexer) {
  // Counter 1 counts Scache reads or Bcache D-reads that hit; both have second select 1.
  const bool is_pca56 = GetParam();
  EXPECT_EQ(call(2, 0xf0 | (is_pca56 ? field(8, 1) : field(19, 1))), 1u);
  EXPECT_EQ(get(*m, pmctr), 0xf0u);
  call(3, 0);
  call(4, field(6, 1));
  call(7, 2);
  Activity activity(10);
  activity.occur(is_pca56 ? Signal::l3_lookup : Signal::l2_lookup, 3,
                 activity::detail::side_data | activity::detail::access_load | activity::detail::lookup_hit);
  consume_both(*m, activity.block());
  EXPECT_EQ(call(5, 0) >> 32 & 0xffff, 1u);
}

INSTANTIATE_TEST_SUITE_P(Chips, Wrperfmon21164, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "pca56" : "ev5"; });

TEST(Wrperfmon, Ev6) {
  auto m = make_ev6();
  Wrperfmon call(AlphaChip::ev6, *m);
  const RegisterId pctr_ctl = ipr(0x14), i_ctl = ipr(0x11), ier_cm = ipr(0x0b), isum = ipr(0x0d);
  put(*m, i_ctl, 0x40);
  EXPECT_EQ(call(3, 0), 1u);
  EXPECT_EQ(get(*m, i_ctl), 0x41u);
  EXPECT_EQ(call(1, 2), 1u);
  EXPECT_EQ(get(*m, i_ctl), field(19, 1) | 0x41);
  EXPECT_EQ(get(*m, ier_cm), field(30, 1));
  EXPECT_EQ(call(3, 1), 1u);
  EXPECT_EQ(get(*m, i_ctl), field(19, 1) | 0x40);
  EXPECT_EQ(call(0, 3), 1u);
  EXPECT_EQ(get(*m, i_ctl), 0x40u);
  EXPECT_EQ(get(*m, ier_cm), 0u);

  put(*m, pctr_ctl, field(28, 7) | field(6, 9));
  EXPECT_EQ(call(2, 0x17), 1u);
  EXPECT_EQ(call(5, 0), field(28, 7) | field(6, 9) | 0x17) << "counters stay";
  EXPECT_EQ(call(6, field(28, 100) | field(6, 200) | 1), 1u);
  EXPECT_EQ(call(5, 0), field(28, 100) | field(6, 9) | 0x17) << "counter 0 chosen";
  put(*m, pctr_ctl, field(6, 0xfffff) | 0x17);
  EXPECT_EQ(call(7, field(6, 200) | 2), 1u);
  EXPECT_EQ(call(5, 0), field(6, 200) | 0x17);
  EXPECT_EQ(get(*m, i_ctl), field(19, 1) | 0x40);
  EXPECT_EQ(get(*m, isum), 0u) << "PALcode clears what the write at the threshold has raised";
  EXPECT_EQ(call(8, 0), 0u);
  EXPECT_EQ(call(9, 0), 0u);
}

TEST(Wrperfmon, Ev67ReadsTheSample) {
  auto m = make_ev67();
  Wrperfmon call(AlphaChip::ev67, *m);
  call(3, 0);
  call(2, 0x1c);
  call(7, field(28, 0x100000 - 1) | 3);
  Activity activity(40);
  activity::InstructionRecord record;
  record.ip = 0x8000;
  activity::alpha::Instruction more;
  more.fill_stream = true;
  const std::uint32_t ref = activity.add(record, more);
  activity.occur(Signal::instruction_fetch, 3, 0, ref).occur(Signal::retire, 20, 0, ref);
  EXPECT_EQ(consume_both(*m, activity.block()).requests, std::vector<Cycle>{22});
  EXPECT_EQ(call(9, 0), 0x8000u);
  EXPECT_EQ(call(8, 0), field(33, 1));
  EXPECT_EQ(call(5, 0), field(28, 22 - 8 + 1) | 0x1c | 2) << "cycles 8 to 22, VAL";
}

}  // namespace
}  // namespace pmusim::testing
