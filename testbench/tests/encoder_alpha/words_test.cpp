// Register values back to words: selections() returns the words of encode(), from the calls and from the images;
// decoded fields.
#include <algorithm>

#include "alpha.h"

namespace pmusim::encoder::test {
namespace {

std::vector<std::string> alpha_modifiers_of(std::string_view target) {
  if (target == "alpha-ev4") return {"", ":pme"};
  if (target == "alpha-ev6" || target == "alpha-ev67") return {"", ":pme"};
  return {"", ":u", ":k:pal", ":es:pme", ":freq=256", ":intr:k"};
}

/// The selection of one counter; the 21064's other counter always runs as well.
std::string named(std::string_view target, const std::vector<RegisterValue>& values, unsigned counter) {
  const auto found = selections(target, values);
  if (!found) return found.error().message;
  for (const Selection& selection : *found)
    if (selection.counter_index == counter) return selection.canonical;
  return "nothing";
}

TEST(AlphaWords, RoundTrip) {
  for (const char* target : {"alpha-ev4", "alpha-ev5", "alpha-pca56", "alpha-ev6", "alpha-ev67"}) {
    const auto list = events(target).value();
    for (const EventInfo& event : list) {
      if (event.name.starts_with("PF67_PM_")) continue;  // the register does not hold the driver's statistic
      for (const std::string& modifier : alpha_modifiers_of(target)) {
        const Encoding first = encoded(target, {event.name + modifier});
        const EncodedEvent& name = first.events.at(0);
        EXPECT_EQ(named(target, first.registers, name.counter_index), name.canonical);
        // No image of the 21064 shows the choice of processes.
        if (modifier != ":pme" || std::string_view(target) != "alpha-ev4") {
          EXPECT_EQ(named(target, first.images, name.counter_index), name.canonical);
        }
        EXPECT_EQ(encoded(target, {name.canonical}).registers, first.registers) << event.name << modifier;
      }
    }
  }
}

TEST(AlphaWords, NothingRunsThatIsNotEnabled) {
  Encoding encoding = encoded("alpha-ev5", {"PF5_MUX0_CYCLES", "PF5_MUX1_REPLAY_TRAP"});
  EXPECT_EQ(selections("alpha-ev5", encoding.registers)->size(), 2u);
  encoding.registers.pop_back();  // the call that enables the counters
  EXPECT_TRUE(selections("alpha-ev5", encoding.registers)->empty());
  EXPECT_TRUE(selections("alpha-ev67", std::vector<RegisterValue>{{"", 0, "PCTR_CTL", 0, 0xC}})->empty());
  EXPECT_EQ(selections("alpha-ev4", std::vector<RegisterValue>{{"", 0, "ICCSR", 0, 0}})->size(), 2u);
}

TEST(AlphaWords, NarrowedFlowChangeIsNoted) {
  const auto found = selections("alpha-ev5", encoded("alpha-ev5", {"CTR1=8", "PF5_MUX2_C_PC_MISPR"}).registers).value();
  ASSERT_EQ(found.size(), 2u);
  ASSERT_EQ(found[0].notes.size(), 1u);
  EXPECT_NE(found[0].notes[0].find("jumps and returns"), std::string::npos);
}

std::string meaning(std::string_view target, std::string_view reg, std::uint64_t value, std::string_view field) {
  const auto decoded = decode(target, reg, value);
  if (!decoded) return decoded.error().message;
  for (const DecodedField& one : decoded->fields)
    if (one.name == field) return one.meaning;
  return "no such field";
}

TEST(AlphaWords, DecodedFields) {
  EXPECT_EQ(meaning("alpha-ev4", "ICCSR", 0xB00, "PCMUX0"), "PF_PALMODE");
  EXPECT_EQ(meaning("alpha-ev4", "iccsr", 0xD00, "PCMUX0"), "PF_NONISSUES");
  EXPECT_EQ(meaning("alpha-ev4", "ICCSR", 8, "PC0"), "interrupt every 4096 events");
  EXPECT_EQ(meaning("alpha-ev5", "PMCTR", 0xC000, "CTL0"), "counts, interrupt every 256");
  EXPECT_EQ(meaning("alpha-ev5", "PMCTR", 0x0800, "CTL2"), "counts, interrupt every 16384");
  EXPECT_EQ(meaning("alpha-ev5", "WRPERFMON_SELECT", 5u << 22 | 0xF, "CBOX_SEL2"), "PF5_MUX2_C_BCACHE_MISS");
  EXPECT_EQ(meaning("alpha-pca56", "WRPERFMON_SELECT", 5u << 11 | 0xF, "PM1_MUX"), "PF5_MUX2_C_SYS_READ_FLUSH_HIT");
  EXPECT_EQ(meaning("alpha-ev5", "WRPERFMON_ENABLE", 5, "COUNTERS"), "counter 0, counter 2");
  EXPECT_EQ(meaning("alpha-ev6", "PCTR_CTL", 0x13, "SL1"), "PF6_MUX1_RET_DTB_SINGLE_MISSES");
  EXPECT_EQ(meaning("alpha-ev6", "PCTR_CTL", std::uint64_t{77} << 28, "PCTR0"), "new value 77");
  EXPECT_EQ(meaning("alpha-ev67", "PCTR_CTL", 0x10, "SL0"), "ProfileMe");
  EXPECT_EQ(meaning("alpha-ev67", "I_STAT", std::uint64_t{6} << 34, "TRAP_TYPE"), "DTB single miss");
  EXPECT_EQ(meaning("alpha-ev67", "PMPC", 0x1'2000'0440, "PC"), "sampled at 0x120000440");
  EXPECT_NE(meaning("alpha-ev67", "PMCTR", 0, "SL0").find("has no register"), std::string::npos);
}

}  // namespace
}  // namespace pmusim::encoder::test
