// The 21264 (SL0 in bit 4, SL1 in 3:0) and the 21264A (SL0 = ProfileMe in bit 4, SL1 = mode in 3:2), table 5-16 of the
// EV67 manual.
#include <map>

#include "alpha.h"

namespace pmusim::encoder::test {
namespace {

/// The codes are those of the headers, as the suite `sources` compares them.
TEST(Ev6, EveryInput) {
  const std::vector<EventInfo> list = events("alpha-ev6").value();
  EXPECT_EQ(list.size(), 2u + 8);
  for (const EventInfo& event : list) {
    const auto& [counter, code] = event.counter_codes.front();
    EXPECT_EQ(select_of(encoded("alpha-ev6", {event.name})), counter == 0 ? code << 4 : code) << event.name;
    if (counter != 1) continue;
    EXPECT_EQ(select_of(encoded("alpha-ev6", {"PF6_MUX0_RET_INSTRUCTIONS", event.name})), 0x10 | code) << "any pair";
  }
}

TEST(Ev6, EnablesAndProcesses) {
  const Encoding one = encoded("alpha-ev6", {"PF6_MUX1_REPLAY_TRAP"}, {.sampling = true});
  EXPECT_EQ(value_of(one, "WRPERFMON_ENABLE"), 2u);
  EXPECT_EQ(value_of(one, "WRPERFMON_OPTIONS"), 0u);
  EXPECT_EQ(image_of(one, "PCTR_CTL"), 7u);
  EXPECT_EQ(image_of(one, "I_CTL"), 1u | 1u << 19);
  EXPECT_EQ(image_of(one, "IER_CM"), 1u << 30);
  const Encoding marked = encoded("alpha-ev6", {"PF6_MUX0_CYCLES:pme"});
  EXPECT_EQ(value_of(marked, "WRPERFMON_OPTIONS"), 1u);
  EXPECT_EQ(image_of(marked, "I_CTL"), 1u << 18);
  EXPECT_EQ(image_of(marked, "PCTX"), 2u);
  EXPECT_EQ(image_of(marked, "IER_CM"), 0u);
  EXPECT_EQ(marked.off[0].value, 3u);
}

TEST(Ev6, StartValues) {
  for (const char* target : {"alpha-ev6", "alpha-ev67"}) {
    EXPECT_EQ(preset(target, 0, 16).value(), (1u << 20) - 16);
    EXPECT_FALSE(preset(target, 0, 15)) << "PCTR0 may be 2^20 - 16 at most";
    EXPECT_EQ(preset(target, 1, 4).value(), (1u << 20) - 4);
    EXPECT_FALSE(preset(target, 1, 3));
    EXPECT_EQ(preset(target, 0, 1u << 20).value(), 0u);
    EXPECT_FALSE(preset(target, 0, (1u << 20) + 1));
  }
}

/// sys/pfcntr.h: 0x00 retired and cycles, 0x04 cycles and undefined, 0x08 retired and Bcache, 0x0C cycles and replays.
TEST(Ev67, SingleEventsAndLegalPairs) {
  const auto select = [](const std::vector<std::string>& list) { return select_of(encoded("alpha-ev67", list)); };
  EXPECT_EQ(select({"retinst"}), 0x00u);
  EXPECT_EQ(select({"cycles0"}), 0x04u);
  EXPECT_EQ(select({"cycles1"}), 0x00u);
  EXPECT_EQ(select({"bcachemisses"}), 0x08u);
  EXPECT_EQ(select({"replay"}), 0x0Cu);
  EXPECT_EQ(select({"RETINST", "CYCLES1"}), 0x00u);
  EXPECT_EQ(select({"BCACHEMISSES", "RETINST"}), 0x08u);
  EXPECT_EQ(select({"CYCLES0", "REPLAY"}), 0x0Cu);
  EXPECT_EQ(select({"CYCLES0", "PCTR1=1"}), 0x04u);
}

TEST(Ev67, ConstantsOfThePairs) {
  const std::map<std::string, std::pair<std::uint64_t, std::vector<std::string>>> constants{
      {"PF67_RET_INST_AND_CYCLES", {0x00, {"RETINST", "CYCLES1"}}},
      {"PF67_CYCLES_AND_UNDEFINED", {0x04, {"CYCLES0"}}},
      {"PF67_RET_INST_AND_BCACHE_MISS", {0x08, {"RETINST", "BCACHEMISSES"}}},
      {"PF67_CYCLES_AND_REPLAY_TRAPS", {0x0C, {"CYCLES0", "REPLAY"}}}};
  for (const auto& [name, meaning] : constants) {
    const Encoding encoding = encoded("alpha-ev67", {"alpha-ev67::" + name + ":pme"});
    EXPECT_EQ(select_of(encoding), meaning.first) << name;
    ASSERT_EQ(encoding.events.size(), meaning.second.size()) << name;
    for (std::size_t i = 0; i < meaning.second.size(); ++i)
      EXPECT_EQ(encoding.events[i].canonical, "alpha-ev67::" + meaning.second[i] + ":pme=1");
  }
}

TEST(Ev67, ProfileMe) {
  // Three statistics need a separate window count; all others use cycles and retire delay.
  const std::map<std::string, std::uint64_t> own{
      {"PF67_PM_INFLT_RETIRES", 0x10}, {"PF67_PM_INFLT_BCACHE_MISS", 0x18}, {"PF67_PM_INFLT_REPLAYS", 0x1C}};
  unsigned statistics = 0;
  const auto list = events("alpha-ev67").value();
  for (const EventInfo& event : list) {
    if (!event.name.starts_with("PF67_PM_")) continue;
    ++statistics;
    const Encoding encoding = encoded("alpha-ev67", {event.name});
    EXPECT_EQ(select_of(encoding), own.contains(event.name) ? own.at(event.name) : 0x14u) << event.name;
    EXPECT_EQ(value_of(encoding, "WRPERFMON_ENABLE"), 3u) << event.name;
    EXPECT_EQ(image_of(encoding, "IER_CM"), 3u << 29) << event.name;
    EXPECT_EQ(encoding.events[0].counter, "PCTR0");
  }
  EXPECT_EQ(statistics, 43u);
  const std::map<std::string, std::string> tools{{"abort", "ABORT"},
                                                 {"cbr_taken", "CBR_TAKEN"},
                                                 {"cycles", "CYCLES"},
                                                 {"delay", "DELAY"},
                                                 {"dtb_miss", "DTB_MISS"},
                                                 {"early_kill", "EARLY_KILL"},
                                                 {"freq", "FREQ"},
                                                 {"icache_miss", "ICACHE_MISS"},
                                                 {"map_stall", "MAP_STALL"},
                                                 {"mispredict", "MISPREDICT"},
                                                 {"replay_trap", "REPLAY_TRAP"},
                                                 {"retired", "RETIRE"},
                                                 {"trap", "TRAP"},
                                                 {"delay_per_ret", "DELAY_PER_RET"},
                                                 {"cycles_per_ret", "CYCLES_PER_RET"}};
  for (const auto& [tool, constant] : tools)
    EXPECT_EQ(canonical_of("alpha-ev67", tool), "alpha-ev67::PF67_PM_" + constant);
}

TEST(Ev67, Refusals) {
  using enum ErrorCode;
  const std::vector<std::string> legal{"CYCLES0 with REPLAY", "RETINST with CYCLES1", "RETINST with BCACHEMISSES"};
  const Refusal rows[] = {
      {__LINE__, {"cycles0", "cycles1"}, register_conflict, legal},
      {__LINE__, {"cycles0", "bcachemisses"}, register_conflict, legal},
      {__LINE__, {"retinst", "replay"}, register_conflict, legal},
      {__LINE__, {"cycles0", "retinst"}, no_assignment, {"only on PCTR0"}},
      {__LINE__, {"replay", "bcachemisses"}, no_assignment, {"only on PCTR1"}},
      {__LINE__, {"retired", "replay"}, register_conflict, {"aggregate mode", "exclude each other"}},
      {__LINE__, {"cycles0", "retired"}, register_conflict, {"aggregate mode", "exclude each other"}},
      {__LINE__, {"retired", "trap"}, register_conflict, {"one statistic at a time"}},
      {__LINE__, {"PF6_MUX0_CYCLES"}, unknown_event, {"alpha-ev6 has it"}},
      {__LINE__, {"retinst:freq=256"}, unknown_attribute, {"start value"}},
      {__LINE__, {"retinst:u"}, unknown_attribute, {"all modes"}},
      {__LINE__, {"PCTR0=2"}, bad_value, {"from 0 to 0x1"}},
  };
  for (const Refusal& row : rows) expect_refused("alpha-ev67", row);
}

}  // namespace
}  // namespace pmusim::encoder::test
