// Register values back to words: fields, selections, presets, and the round trip with encode().
#include "expect.h"

namespace pmusim::encoder::test {
namespace {

std::vector<std::string> canonicals(const std::vector<Selection>& selections) {
  std::vector<std::string> all;
  all.reserve(selections.size());
  for (const Selection& selection : selections) all.push_back(selection.counter + " " + selection.canonical);
  return all;
}

std::string fields_of(std::string_view target, std::string_view reg, std::uint64_t value) {
  std::string all;
  for (const DecodedField& field : decode(target, reg, value).value().fields)
    all += field.name + " " + field.bits + "=" + std::to_string(field.value) + ", ";
  return all;
}

TEST(Decode, AthlonFieldsOfAWholeWord) {
  const auto decoded = decode("athlon", "perfevtsel2", 0x01C70242).value();
  EXPECT_EQ(decoded.reg.name, "PerfEvtSel2");
  EXPECT_EQ(decoded.reg.number, 0xC0010002u);
  EXPECT_EQ(fields_of("athlon", "perfevtsel2", 0x01C70242),
            "reserved 63:32=0, CNT_MASK 31:24=1, INV 23=1, EN 22=1, reserved 21=0, INT 20=0, PC 19=0, E 18=1, OS 17=1, "
            "USR 16=1, UNIT_MASK 15:8=2, EVENT 7:0=66, ");
}

TEST(Decode, PpcFieldsInIbmNumbering) {
  EXPECT_EQ(fields_of("ppc750gx", "MMCR0", 0x06148280),
            "DIS 0=0, DP 1=0, DU 2=0, DMS 3=0, DMR 4=0, ENINT 5=1, DISCOUNT 6=1, RTCSELECT 7:8=0, INTONBITTRANS 9=0, "
            "THRESHOLD 10:15=20, PMC1INTCONTROL 16=1, PMCINTCONTROL 17=0, PMCTRIGGER 18=0, PMC1SELECT 19:25=10, "
            "PMC2SELECT 26:31=0, ");
  EXPECT_EQ(fields_of("ppc750gl", "MMCR1", 0x29400000), "PMC3SELECT 0:4=5, PMC4SELECT 5:9=5, reserved 10:31=0, ");
}

TEST(Decode, RefusesUnknownRegistersAndWideValues) {
  const auto unknown = decode("athlon", "PerfEvtSel4", 0);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::unknown_register);
  const auto wide = decode("ppc750gx", "MMCR0", 0x100000000);
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().code, ErrorCode::bad_value);
  EXPECT_TRUE(decode("ppc750gx", "MMCR0", 0xFFFFFFFF));
  EXPECT_TRUE(decode("athlon", "PerfCtr3", 0xFFFFFFFFFFFF));
  EXPECT_FALSE(decode("athlon", "PerfCtr3", 0x1000000000000));
}

TEST(Decode, RegistersOfEachTarget) {
  EXPECT_EQ(registers("athlon").value().size(), 8u);
  EXPECT_EQ(registers("ppc750gx").value().size(), 7u);
  EXPECT_EQ(registers("ppc750gl").value().size(), 7u);
  EXPECT_FALSE(registers("vax"));
}

TEST(Selections, ShowEnabledCountersOnly) {
  const auto list = registers("athlon").value();
  std::vector<RegisterValue> values(list.begin(), list.begin() + 4);
  values[1].value = 0x004300C0;
  values[2].value = 0x000300C0;  // EN is 0
  values[3].value = 0x00530076;
  EXPECT_EQ(canonicals(selections("athlon", values).value()),
            (std::vector<std::string>{"PerfCtr1 athlon::RETIRED_INSTRUCTIONS:k=1:u=1:e=0:i=0:c=0",
                                      "PerfCtr3 athlon::CPU_CLK_UNHALTED:k=1:u=1:e=0:i=0:c=0:intr=1"}));
}

TEST(Selections, NameRegistersByNameOrByNumber) {
  const RegisterValue by_number{"msr", 0xC0010001, "", 64, 0x004300C1};
  EXPECT_EQ(canonicals(selections("athlon", std::vector{by_number}).value()).size(), 1u);
  const RegisterValue by_name{"", 0, "mmcr0", 0, 0x40};
  EXPECT_EQ(canonicals(selections("ppc750gx", std::vector{by_name}).value()),
            std::vector<std::string>{"PMC1 ppc750gx::PROCESSOR_CYCLES:k=1:u=1"});
  EXPECT_FALSE(selections("athlon", std::vector{by_name}));
}

TEST(Selections, UnknownCodesComeBackRawWithANote) {
  const auto of = [](std::uint64_t value) {
    return selections("athlon", std::vector<RegisterValue>{{"", 0, "PerfEvtSel0", 0, value}}).value().at(0);
  };
  EXPECT_EQ(of(0x004300DB).canonical, "athlon::r00db:k=1:u=1:e=0:i=0:c=0");
  EXPECT_FALSE(of(0x004300DB).known);
  EXPECT_EQ(of(0x00432042).canonical, "athlon::r2042:k=1:u=1:e=0:i=0:c=0");
  EXPECT_EQ(of(0x00430042).canonical, "athlon::r0042:k=1:u=1:e=0:i=0:c=0") << "an empty mask is not the default";
  EXPECT_FALSE(of(0x00430042).notes.empty());
  EXPECT_TRUE(of(0x00431E42).known);
  EXPECT_FALSE(of(0x006300C0).notes.empty()) << "reserved bit 21";
  const auto reserved = selections("ppc750gx", std::vector<RegisterValue>{{"", 0, "MMCR0", 0, 13u << 6}}).value();
  EXPECT_EQ(reserved.at(0).canonical, "ppc750gx::PMC1=13:k=1:u=1");
  EXPECT_FALSE(reserved.at(0).known);
}

TEST(Selections, PpcNotesSayWhatNoEventStringCan) {
  const auto notes = [](std::uint64_t mmcr0) {
    std::string all;
    for (const Selection& selection :
         selections("ppc750gx", std::vector<RegisterValue>{{"", 0, "MMCR0", 0, mmcr0}}).value())
      for (const std::string& note : selection.notes) all += note + "\n";
    return all;
  };
  EXPECT_NE(notes(0x02000040).find("DISCOUNT"), std::string::npos);
  EXPECT_NE(notes(0x04400040).find("INTONBITTRANS"), std::string::npos);
  EXPECT_NE(notes(0x00002040).find("PMCTRIGGER"), std::string::npos);
  EXPECT_NE(notes(0x18000040).find("DMS and DMR"), std::string::npos);
  EXPECT_NE(notes(0x60000040).find("DP and DU"), std::string::npos);
  EXPECT_NE(notes(0x04000040).find("ENINT"), std::string::npos);
  EXPECT_NE(notes(0x00008040).find("without ENINT"), std::string::npos);
  EXPECT_EQ(notes(0x00000040), "");
  EXPECT_EQ(notes(0x80000040), "") << "DIS stops all counters";
}

std::vector<std::string> modifiers_of(const std::string& target) {
  if (target == "athlon") return {"", ":u", ":k:e", ":i:c=255", ":pc:intr", ":u=0", ":c=1:e:i"};
  if (target == "itanium2") return {"", ":u", ":k:t=7", ":plm=6:ism=ia64", ":intr:ism=1", ":pm:t=1", ":unchecked"};
  if (target == "montecito") return {"", ":u", ":k:t=7", ":plm=6:all", ":intr:me", ":pm:t=1", ":unchecked"};
  return {"", ":u", ":k:t=63", ":tb=2:marked", ":unmarked:intr", ":u=0"};
}

// selections() gives the words of encode() back; and these words encode to the same registers.
TEST(RoundTrip, EveryEventUnderEveryModifier) {
  for (const TargetInfo& target : targets()) {
    const std::string name(target.name);
    if (name.starts_with("alpha-")) continue;  // tested in encoder_alpha: an EV4's counters always run
    const std::vector<std::string> modifiers = modifiers_of(name);
    for (const EventInfo& event : events(name).value()) {
      if (event.name == "NOTHING") continue;  // a counter that holds its value is not enabled
      for (const std::string& modifier : modifiers) {
        const Encoding first = encoded(name, {complete(event) + modifier});
        const auto found = selections(name, first.registers).value();
        ASSERT_EQ(found.size(), 1u) << event.name << modifier;
        // A code shared by several events is reported as the first event's, unless the counter determines the event.
        if (event.same_as.empty() || !found[0].canonical.starts_with(name + "::" + event.same_as + ":")) {
          EXPECT_EQ(found[0].canonical, first.events[0].canonical) << event.same_as;
        }
        EXPECT_TRUE(found[0].known);
        const Encoding again = encoded(name, {found[0].canonical});
        EXPECT_EQ(again.events[0].canonical, found[0].canonical);
        if (first.warnings.empty()) {  // a warning may be about a setting that no event uses
          EXPECT_EQ(again.registers, first.registers) << event.name << modifier;
        }
      }
    }
  }
}

TEST(Preset, ReachesTheOverflowAfterThePeriod) {
  constexpr std::uint64_t wrap = std::uint64_t{1} << 48;
  EXPECT_EQ(preset("athlon", 0, 1).value(), wrap - 1);
  EXPECT_EQ(preset("athlon", 3, 100000).value(), wrap - 100000);
  EXPECT_EQ(preset("athlon", 0, wrap / 2).value(), wrap / 2);
  EXPECT_FALSE(preset("athlon", 0, wrap / 2 + 1));
  EXPECT_FALSE(preset("athlon", 0, 0));
  EXPECT_FALSE(preset("athlon", 4, 1));
  constexpr std::uint64_t negative = std::uint64_t{1} << 31;
  EXPECT_EQ(preset("ppc750gx", 0, 1).value(), negative - 1);
  EXPECT_EQ(preset("ppc750gl", 3, negative).value(), 0u);
  EXPECT_FALSE(preset("ppc750gx", 0, negative + 1));
  EXPECT_FALSE(preset("ppc750gx", 0, 0));
  EXPECT_FALSE(preset("ppc750gx", 4, 1));
}

}  // namespace
}  // namespace pmusim::encoder::test
