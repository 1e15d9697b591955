// The 21064: ICCSR<11:8> selects the input of counter 0, <34:32> that of counter 1; bits 3 and 0 select their periods.
#include "alpha.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t mux0(std::uint64_t code) { return code << 8; }
constexpr std::uint64_t mux1(std::uint64_t code) { return code << 32; }
constexpr std::uint64_t pc0 = 1 << 3, pc1 = 1 << 0;
constexpr std::uint64_t idle0 = mux0(0xE), idle1 = mux1(7);  // an unused counter counts its external pin

/// The codes are those of the headers, as the suite `sources` compares them.
TEST(Ev4, EveryInput) {
  const std::vector<EventInfo> list = events("alpha-ev4").value();
  EXPECT_EQ(list.size(), 9u + 8);
  for (const EventInfo& event : list) {
    const auto& [counter, code] = event.counter_codes.front();
    const Encoding encoding = encoded("alpha-ev4", {event.name});
    EXPECT_EQ(select_of(encoding), counter == 0 ? mux0(code) | idle1 : idle0 | mux1(code)) << event.name;
    EXPECT_EQ(encoding.events[0].counter, counter == 0 ? "CTR0" : "CTR1");
  }
}

TEST(Ev4, PeriodsAndProcesses) {
  const Encoding both = encoded("alpha-ev4", {"pf_cycles:freq=4096", "PF_DCACHE:freq=256"});
  EXPECT_EQ(select_of(both), mux0(0xA) | mux1(0) | pc0 | pc1);
  EXPECT_EQ(image_of(both, "ICCSR"), select_of(both));
  EXPECT_EQ(image_of(both, "HIER"), 1u << 8 | 1u << 15);
  EXPECT_EQ(value_of(both, "WRPERFMON_OPTIONS"), 1u) << "all processes";
  EXPECT_EQ(value_of(both, "WRPERFMON_ENABLE"), 0u);
  EXPECT_EQ(select_of(encoded("alpha-ev4", {"PF_CYCLES:freq=65536", "PF_DCACHE:freq=4096"})), mux0(0xA));
  const Encoding marked = encoded("alpha-ev4", {"PF_CYCLES:pme", "PF_DCACHE:pme"});
  EXPECT_EQ(value_of(marked, "WRPERFMON_OPTIONS"), 2u);
  EXPECT_EQ(marked.events[0].canonical, "alpha-ev4::PF_CYCLES:freq=65536:pme=1");
  EXPECT_EQ(marked.events[1].canonical, "alpha-ev4::PF_DCACHE:freq=4096:pme=1");
}

TEST(Ev4, CallsComeInTheOrderOfUse) {
  const Encoding encoding = encoded("alpha-ev4", {"PF_CYCLES"});
  ASSERT_EQ(encoding.registers.size(), 3u);
  const std::pair<const char*, std::uint32_t> order[] = {
      {"WRPERFMON_SELECT", 2}, {"WRPERFMON_OPTIONS", 3}, {"WRPERFMON_ENABLE", 1}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(encoding.registers[i].name, order[i].first);
    EXPECT_EQ(encoding.registers[i].number, order[i].second);
    EXPECT_EQ(encoding.registers[i].space, "wrperfmon");
  }
  ASSERT_EQ(encoding.off.size(), 1u);
  EXPECT_EQ(encoding.off[0].number, 0u);
}

TEST(Ev4, RawInputs) {
  EXPECT_EQ(select_of(encoded("alpha-ev4", {"CTR0=5", "ctr1=0x7"})), mux0(5) | mux1(7));
  EXPECT_EQ(canonical_of("alpha-ev4", "CTR0=5"), "alpha-ev4::PF_LOADI:freq=65536") << "the low bit is ignored";
  EXPECT_EQ(canonical_of("alpha-ev4", "CTR0=0xB"), "alpha-ev4::PF_PALMODE:freq=65536");
}

TEST(Ev4, Refusals) {
  using enum ErrorCode;
  const Refusal rows[] = {
      {__LINE__, {"PF_CYCLES", "PF_ISSUES"}, no_assignment, {"'PF_ISSUES' counts only on CTR0", "'PF_CYCLES'"}},
      {__LINE__, {"PF_CYCLES", "PF_DUAL", "PF_ICACHE"}, too_many_events, {"3 events", "2 counters"}},
      {__LINE__, {"PF_CYCLES:freq=256"}, bad_attribute_value, {"CTR0 is 65536 or 4096, not 256"}},
      {__LINE__, {"PF_DUAL:freq=65536"}, bad_attribute_value, {"CTR1 is 4096 or 256, not 65536"}},
      {__LINE__, {"PF_DUAL:freq=255"}, bad_attribute_value, {"from 256 to 65536"}},
      {__LINE__, {"PF_CYCLES:u"}, unknown_attribute, {"counts in all modes"}},
      {__LINE__, {"PF_CYCLES:intr"}, unknown_attribute, {"always interrupts"}},
      {__LINE__, {"PF_CYCLES:c=2"}, unknown_attribute, {"no counter mask"}},
      {__LINE__, {"PF_CYCLES:pme", "PF_DUAL"}, register_conflict, {"different pme"}},
      {__LINE__, {"CTR1=8"}, bad_value, {"from 0 to 0x7"}},
      {__LINE__, {"CTR2=0"}, syntax, {"counter from 0 to 1"}},
      {__LINE__, {"PF5_MUX0_CYCLES"}, unknown_event, {"alpha-ev5 and alpha-pca56 have it"}},
      {__LINE__, {"PF_CYCLE"}, unknown_event, {"did you mean PF_CYCLES"}},
  };
  for (const Refusal& row : rows) expect_refused("alpha-ev4", row);
  const auto period = preset("alpha-ev4", 0, 4096);
  ASSERT_FALSE(period);
  EXPECT_NE(period.error().message.find("freq=65536 and freq=4096"), std::string::npos) << period.error().message;
}

}  // namespace
}  // namespace pmusim::encoder::test
