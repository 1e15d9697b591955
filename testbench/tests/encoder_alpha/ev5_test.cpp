// The 21164 and 21164PC.
#include "alpha.h"

namespace pmusim::encoder::test {
namespace {

constexpr std::uint64_t ku = 1u << 30, kp = 1u << 9, kk = 1u << 8;

/// The codes are those of the headers, as the suite `sources` compares them: a second select N is 0xNF.
TEST(Ev5, EveryInput) {
  struct Chip {
    const char* target;
    unsigned second1, second2;  ///< places of the second selects
  };
  for (const auto& [target, second1, second2] : {Chip{"alpha-ev5", 19, 22}, Chip{"alpha-pca56", 8, 11}}) {
    const std::vector<EventInfo> list = events(target).value();
    EXPECT_EQ(list.size(), 2u + 15 + 14 + 7 + 8);
    for (const EventInfo& event : list) {
      const auto& [counter, whole] = event.counter_codes.front();
      const std::uint64_t code = whole & 0xF, second = whole >> 4;
      EXPECT_EQ(select_of(encoded(target, {event.name})), counter == 0   ? code << 31
                                                          : counter == 1 ? code << 4 | second << second1
                                                                         : code | second << second2)
          << target << ' ' << event.name;
    }
  }
}

TEST(Ev5, ThreeCountersAtOnce) {
  const Encoding encoding = encoded("alpha-ev5", {"PF5_MUX2_C_BCACHE_MISS", "PF5_MUX0_ISSUES", "PF5_MUX1_C_SYS_REQ"});
  EXPECT_EQ(select_of(encoding), 0x8000'00FFu | 7u << 19 | 5u << 22);
  EXPECT_EQ(value_of(encoding, "WRPERFMON_ENABLE"), 7u);
  EXPECT_EQ(value_of(encoding, "WRPERFMON_FREQUENCY"), 1u << 8 | 1u << 6 | 1u << 4) << "all without interrupt";
  EXPECT_EQ(image_of(encoding, "PMCTR"), 0x8000'00FFu | 1u << 14 | 1u << 12 | 1u << 10);
  EXPECT_EQ(image_of(encoding, "BC_CTL"), 7u << 19 | 5u << 22);
  EXPECT_EQ(image_of(encoding, "ICSR"), 1u << 8);
  EXPECT_EQ(encoding.events[0].counter, "CTR2");
  EXPECT_EQ(encoding.events[1].counter, "CTR0");
  EXPECT_EQ(encoding.events[2].counter, "CTR1");
  EXPECT_EQ(encoding.off[0].value, 7u);
  EXPECT_EQ(image_of(encoded("alpha-pca56", {"PF5_MUX2_C_READ_MISS_3"}), "CBU_CONFIG"), 7u << 11);
}

TEST(Ev5, Frequencies) {
  const auto period = [](const char* event) { return value_of(encoded("alpha-ev5", {event}), "WRPERFMON_FREQUENCY"); };
  EXPECT_EQ(period("PF5_MUX0_CYCLES"), 1u << 8);
  EXPECT_EQ(period("PF5_MUX0_CYCLES:freq=65536"), 2u << 8);
  EXPECT_EQ(period("PF5_MUX0_CYCLES:freq=256"), 3u << 8);
  EXPECT_EQ(period("PF5_MUX1_REPLAY_TRAP:intr"), 2u << 6);
  EXPECT_EQ(period("PF5_MUX2_C_CYCLES:freq=16384"), 2u << 4);
  EXPECT_EQ(period("PF5_MUX2_C_CYCLES:freq=256:intr=1"), 3u << 4);
  EXPECT_EQ(value_of(encoded("alpha-ev5", {"PF5_MUX1_REPLAY_TRAP"}, {.sampling = true}), "WRPERFMON_FREQUENCY"),
            2u << 6);
  EXPECT_EQ(image_of(encoded("alpha-ev5", {"PF5_MUX2_C_CYCLES:freq=256"}), "PMCTR"), 0xCu | 3u << 10);
  EXPECT_EQ(preset("alpha-ev5", 0, 1).value(), 65535u);
  EXPECT_EQ(preset("alpha-ev5", 2, 16384).value(), 0u);
  EXPECT_FALSE(preset("alpha-ev5", 2, 16385));
  EXPECT_FALSE(preset("alpha-ev5", 1, 0));
}

/// Kill bits for the named modes, from the table of handbook page E-17.
TEST(Ev5, Levels) {
  const std::pair<const char*, std::uint64_t> rows[] = {{"", 0},         {":k:u:pal", 0},   {":u:k", kp},
                                                        {":k:pal", ku},  {":k", ku | kp},   {":u:pal", kk},
                                                        {":u", kp | kk}, {":pal", ku | kk}, {":es", ku | kp | kk}};
  for (const auto& [words, bits] : rows) {
    const Encoding encoding = encoded("alpha-ev5", {std::string("PF5_MUX0_CYCLES") + words});
    EXPECT_EQ(value_of(encoding, "WRPERFMON_OPTIONS"), bits) << words;
    EXPECT_EQ(image_of(encoding, "PMCTR"), bits | 1u << 14) << words;
  }
  const Encoding marked = encoded("alpha-ev5", {"PF5_MUX0_CYCLES:es:pme"});
  EXPECT_EQ(value_of(marked, "WRPERFMON_OPTIONS"), ku | kp | kk | 1);
  EXPECT_EQ(image_of(marked, "ICSR"), 0u);
  EXPECT_EQ(marked.events[0].canonical, "alpha-ev5::PF5_MUX0_CYCLES:k=0:u=0:pal=0:es=1:pme=1");
}

TEST(Ev5, FlowChangesCanBeNarrowedByTheRawForm) {
  const Encoding jumps = encoded("alpha-ev5", {"CTR1=0x8", "PF5_MUX2_C_PC_MISPR"});
  EXPECT_EQ(select_of(jumps), 0x82u);
  const Encoding whole = encoded("alpha-ev5", {"PF5_MUX1_FLOW_CHANGE", "PF5_MUX2_C_CYCLES"});
  EXPECT_EQ(select_of(whole), 0x8Cu);
}

TEST(Ev5, NamesOfTools) {
  EXPECT_EQ(select_of(encoded("alpha-ev5", {"scachewrites"})), 0xF0u | 2u << 19);
  EXPECT_EQ(select_of(encoded("alpha-ev5", {"SCACHEWRITES:k"})), 0xF0u | 2u << 19);
}

TEST(Ev5, Refusals) {
  using enum ErrorCode;
  const Refusal rows[] = {
      {__LINE__, {"PF5_MUX0_CYCLES", "PF5_MUX0_ISSUES"}, no_assignment, {"only on CTR0"}},
      {__LINE__, {"PF5_MUX1_C_SCACHE_READ", "PF5_MUX1_REPLAY_TRAP"}, no_assignment, {"only on CTR1"}},
      {__LINE__, {"PF5_MUX1_C_BCACHE_READ"}, unknown_event, {"alpha-ev5 has no event", "alpha-pca56 has it"}},
      {__LINE__, {"PF6_MUX0_CYCLES"}, unknown_event, {"alpha-ev6 has it"}},
      {__LINE__,
       {"PF5_MUX1_FLOW_CHANGE", "PF5_MUX2_C_PC_MISPR"},
       register_conflict,
       {"only jumps and returns", "SEL2=2"}},
      {__LINE__,
       {"PF5_MUX2_C_BRANCH_MISPREDICTS", "PF5_MUX1_FLOW_CHANGE"},
       register_conflict,
       {"only conditional branches", "SEL2=3"}},
      {__LINE__, {"PF5_MUX0_CYCLES:u", "PF5_MUX1_REPLAY_TRAP:k"}, register_conflict, {"PMCTR[Ku,Kp,Kk]"}},
      {__LINE__, {"PF5_MUX0_CYCLES:u=0"}, bad_attribute_value, {"name es"}},
      {__LINE__, {"PF5_MUX0_CYCLES:es:k"}, attribute_conflict, {"es stands alone"}},
      {__LINE__, {"PF5_MUX2_C_CYCLES:freq=65536"}, bad_attribute_value, {"CTR2 is 16384 or 256"}},
      {__LINE__, {"PF5_MUX0_CYCLES:freq=16384"}, bad_attribute_value, {"CTR0 is 65536 or 256"}},
      {__LINE__, {"PF5_MUX0_CYCLES:freq=256:intr=0"}, attribute_conflict, {"intr=0"}},
      {__LINE__, {"PF5_MUX0_CYCLES:plm=1"}, unknown_attribute, {"u, k and pal"}},
      {__LINE__, {"RSVD_2_1"}, reserved_event, {"CTRn=CODE"}},
      {__LINE__, {"CTR1=0x10"}, bad_value, {"0xNF"}},
      {__LINE__, {"CTR1=0x80"}, bad_value, {"0xNF"}},
  };
  for (const Refusal& row : rows) expect_refused("alpha-ev5", row);
  expect_refused("alpha-pca56", {__LINE__, {"PF5_MUX1_C_SCACHE_READ"}, unknown_event, {"alpha-ev5 has it"}});
  EXPECT_EQ(select_of(encoded("alpha-ev5", {"CTR1=0x4F", "CTR2=1"})), 0xF1u | 4u << 19) << "reserved, but programmed";
}

}  // namespace
}  // namespace pmusim::encoder::test
