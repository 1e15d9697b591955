#include <stdexcept>

#include "bench.h"

namespace pmusim::testbench {
namespace {

/// Returns the value of a register of a monitor after these writes.
std::uint64_t value_behind(const models::Target& target, const Programming& programming, std::string_view name) {
  const auto monitor = target.make_monitor(target.parameters());
  for (const RegisterWrite& write : programming.writes()) monitor->write(write.id, write.value, {});
  const auto info = pmu::find_register(*monitor, name);
  return info ? monitor->read(info->id, {}).value : ~std::uint64_t{0};
}

/// True for a register that software cannot read back, or that follows the running process.
bool reads_otherwise(std::string_view name) { return name == "BC_CTL" || name == "CBU_CONFIG" || name == "PCTX"; }

TEST(AlphaProgramming, CallsLeaveTheImagesThatTheEncoderSays) {
  std::size_t compared = 0;
  for (const std::string& name : alphas) {
    const models::Target& target = *models::find_target(name);
    const auto events = encoder::events(name);
    ASSERT_TRUE(events);
    for (const encoder::EventInfo& event : *events) {
      const auto encoding = encoder::encode(name, std::vector{event.name}, {.sampling = true});
      ASSERT_TRUE(encoding) << event.name;
      Programming programming(target, target.parameters());
      for (const encoder::RegisterValue& call : encoding->registers) programming.write(call.name, call.value);
      for (const encoder::RegisterValue& image : encoding->images) {
        if (reads_otherwise(image.name)) continue;
        EXPECT_EQ(value_behind(target, programming, image.name), image.value) << event.name << " " << image.name;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 300u);
}

// The second selects cannot be read back: the writes themselves are checked.
TEST(AlphaProgramming, SecondSelectsAreWritten) {
  for (const auto& [name, reg] : {std::pair{"alpha-ev5", "BC_CTL"}, std::pair{"alpha-pca56", "CBU_CONFIG"}}) {
    const models::Target& target = *models::find_target(name);
    const auto encoding = encoder::encode(name, std::vector<std::string>{"CTR1=0x7F", "CTR2=0x5F"});
    ASSERT_TRUE(encoding) << encoding.error().message;
    Programming programming(target, target.parameters());
    for (const encoder::RegisterValue& call : encoding->registers) programming.write(call.name, call.value);
    const auto id = pmu::find_register(*target.make_monitor(target.parameters()), reg)->id;
    std::uint64_t last = 0;
    for (const RegisterWrite& write : programming.writes()) last = write.id == id ? write.value : last;
    EXPECT_EQ(last, reg == std::string("BC_CTL") ? 7u << 19 | 5u << 22 : 7u << 8 | 5u << 11);
  }
}

TEST(AlphaProgramming, CountersAreFieldsAndKeepTheOthers) {
  const models::Target& target = *models::find_target("alpha-ev5");
  Programming programming(target, target.parameters());
  programming.write("CTR0", 0x1234);
  programming.write("ctr2", 0x3fff);
  programming.write("CTR1", 0xfffe);
  programming.write("WRPERFMON_FREQUENCY", 0x2a0);
  programming.write("WRPERFMON_ENABLE", 7);
  const std::uint64_t counters = 0x1234ull << 48 | 0xfffeull << 32 | 0x3fffull << 16;
  EXPECT_EQ(value_behind(target, programming, "PMCTR"), counters | 0xa800);
}

TEST(AlphaProgramming, RefusesWhatPalcodeRefuses) {
  const models::Target& ev5 = *models::find_target("alpha-ev5");
  Programming programming(ev5, ev5.parameters());
  EXPECT_NO_THROW(programming.write("WRPERFMON_OPTIONS", 2));             // not one of the options: no effect
  EXPECT_THROW(programming.write("PCTR_CTL", 0), std::invalid_argument);  // of another chip
  const models::Target& ev4 = *models::find_target("alpha-ev4");
  Programming of_ev4(ev4, ev4.parameters());
  EXPECT_THROW(of_ev4.write("CTR0", 0), std::invalid_argument);  // not accessible to software
}

}  // namespace
}  // namespace pmusim::testbench
