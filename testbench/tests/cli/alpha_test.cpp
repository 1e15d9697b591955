// Output of the command for the Alphas: the driver's count next to the exact one, profiles by statistic and their
// ranges, and the text of `record` when there is no sample.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

/// Additions from address `at` on; sets `at` to the address after them.
std::string additions(std::uint64_t& at, unsigned number) {
  std::string text;
  for (; number != 0; --number, at += 4) text += fmt::format("{:x} 0114e043 itlb=hit\n", at);
  return text;
}

constexpr std::uint64_t program = 0x120000000, library = 0x20000000000, kernel = 0xfffffc0000240000;

/// Three images: a program and a library of the user, and the kernel's code, which an interrupt enters.
std::string images() {
  std::string text = "! isa alpha\n";
  std::uint64_t at = program;
  text += additions(at, 4000);
  text += fmt::format("{:x} 0000fb6b T {:x} itlb=hit\n", at, library);  // jmp $31,($27)
  at = library;
  text += additions(at, 3000) + "! interrupt\n";
  at = kernel;
  text += additions(at, 5000);
  // hw_rei, or call_pal rti, returns to the interrupted program.
  text += "! return\n";
  at = library + 4 * 3000;
  return text + additions(at, 3000);
}

std::uint64_t sum_of(const nlohmann::json& profile, std::uint64_t from, std::uint64_t to) {
  std::uint64_t sum = 0;
  for (const auto& row : profile.at("rows")) {
    const std::uint64_t address = std::stoull(row.at("address").get<std::string>(), nullptr, 16);
    if (address >= from && address < to) sum += row.at("value").get<std::uint64_t>();
  }
  return sum;
}

TEST(Statistic, ProfilesEveryImageOfTheMode) {
  write_file("images.txt", images());
  const std::string record =
      "record -t alpha-ev5 --trace images.txt --statistic PF5_MUX0_ISSUES --period 256 --format json";
  const auto user = json_of(pmusim(record));
  ASSERT_EQ(user.at("ranges").size(), 2u);
  EXPECT_EQ(user.at("ranges")[0].at("begin"), fmt::format("{:#018x}", program));
  EXPECT_EQ(user.at("ranges")[1].at("begin"), fmt::format("{:#018x}", library));
  // One in 256. The sum of k distances of 128 to 384 has a standard deviation of 74 * sqrt(k): 1.5 samples.
  EXPECT_NEAR(static_cast<double>(sum_of(user, program, program + 0x100000)), 4000 / 256.0, 5);
  EXPECT_NEAR(static_cast<double>(sum_of(user, library, library + 0x100000)), 6000 / 256.0, 6);
  const auto kernels = json_of(pmusim(record + " --kernel"));
  ASSERT_EQ(kernels.at("ranges").size(), 1u);
  EXPECT_NEAR(static_cast<double>(sum_of(kernels, kernel, kernel + 0x100000)), 5000 / 256.0, 6);
  EXPECT_EQ(sum_of(kernels, 0, kernel), 0u);
  EXPECT_EQ(user.at("samples"), kernels.at("samples")) << "the same interrupts, seen from either mode";

  const auto chosen = json_of(pmusim(record + fmt::format(" --range {:#x}:{:#x}", library, library + 8000)));
  EXPECT_EQ(chosen.at("ranges").size(), 1u);
  EXPECT_EQ(sum_of(chosen, library, library + 8000), sum_of(user, library, library + 8000));
  EXPECT_EQ(sum_of(chosen, library, library + 8000), chosen.at("value"));
}

TEST(Statistic, PeriodsAreDrawnUnlessConstant) {
  const std::string record = "record -t alpha-ev67 --trace '" + recorded("alpha-recursion-O2") +
                             "' --statistic retired --format json --period 101";
  const auto drawn = json_of(pmusim(record));
  EXPECT_EQ(drawn.at("seed"), 1);
  EXPECT_EQ(drawn.at("shortest"), 51);
  EXPECT_EQ(drawn.at("longest"), 151);
  EXPECT_EQ(drawn, json_of(pmusim(record + " --randomize --seed 1")));
  EXPECT_NE(drawn.at("rows"), json_of(pmusim(record + " --seed 2")).at("rows"));
  const auto constant = json_of(pmusim(record + " --no-randomize"));
  EXPECT_FALSE(constant.contains("seed"));
  EXPECT_EQ(constant.at("shortest"), 101);
  EXPECT_EQ(constant, json_of(pmusim(record + " --no-randomize --seed 2")));
  // A 21064 cannot: the command reports this and does not refuse.
  const Outcome fixed = pmusim("record -t alpha-ev4 --trace '" + recorded("alpha-recursion-O2") +
                               "' --statistic PF_INTOPS --period 256 --randomize --seed 3");
  EXPECT_EQ(fixed.code, 0);
  EXPECT_THAT(fixed.err, HasSubstr("21064"));
}

TEST(Statistic, AnyStrideThatIsAPowerOfTwo) {
  const std::string record = "record -t alpha-ev67 --trace '" + recorded("alpha-recursion-O2") +
                             "' --statistic retired --format json --stride ";
  const auto one = json_of(pmusim(record + "9223372036854775808"));
  EXPECT_EQ(one.at("rows").size(), 1u);
  EXPECT_EQ(one.at("value"), json_of(pmusim(record + "1")).at("value"));
}

// 8,000 additions, 6,000 of them at IPL 7, with an interrupt every 256 additions.
TEST(Run, CountsWhatInterruptsMiss) {
  std::uint64_t at = program;
  std::string text = "! isa alpha\n" + additions(at, 1000);
  text += "! ipl 7\n" + additions(at, 6000);
  text += "! ipl 0\n" + additions(at, 1000);
  write_file("masked.txt", text);
  const std::string run = "run -t alpha-ev4 --trace masked.txt -e PF_INTOPS:freq=256";
  const auto count = json_of(pmusim(run + " --format json")).at("counts")[0];
  EXPECT_EQ(count.at("value"), 8000);
  EXPECT_EQ(count.at("driver").get<unsigned>(), 256 * count.at("interrupts").get<unsigned>());
  EXPECT_EQ(count.at("interrupts").get<unsigned>() + count.at("lost").get<unsigned>() + (count.at("pending") ? 1 : 0),
            8000u / 256);
  EXPECT_NEAR(count.at("lost").get<double>(), 6000 / 256.0 - 1, 1);
  const Outcome text_form = pmusim(run);
  EXPECT_THAT(text_form.out, HasSubstr("driver count"));
  EXPECT_THAT(text_form.out, HasSubstr("no separate interrupt"));
}

// A counter that starts at -1000 interrupts after 1000 events; then it begins at 0. A sample of ProfileMe stops it.
TEST(Run, PeriodsAreThoseThatWereWritten) {
  const std::string trace = " --trace " + as_word(recorded("alpha-recursion-O2"));
  const auto count_of = [&](const std::string& arguments) {
    return json_of(pmusim("run " + arguments + trace + " --format json")).at("counts").at(0);
  };
  const std::string preset =
      " --write WRPERFMON_OPTIONS=0 --write WRPERFMON_WRITE=0xffc180000003 --write WRPERFMON_ENABLE=1";
  const auto plain = count_of("-t alpha-ev6 -e PF6_MUX0_RET_INSTRUCTIONS");
  const auto started = count_of("-t alpha-ev6 --write WRPERFMON_SELECT=0x10" + preset);
  EXPECT_EQ(started.at("period"), 1000u);
  EXPECT_EQ(started.at("interrupts"), 1u);
  EXPECT_EQ(started.at("lost"), 0u);
  EXPECT_EQ(started.at("driver"), plain.at("value"));
  const auto sampled = count_of("-t alpha-ev67 --write WRPERFMON_SELECT=0x14" + preset);
  EXPECT_EQ(sampled.at("period"), 1000u);
  EXPECT_EQ(sampled.at("interrupts"), 1u);
  EXPECT_EQ(sampled.at("lost"), 0u);
  EXPECT_EQ(sampled.at("driver"), 1000u);
}

TEST(Record, SaysWhyThereIsNoSample) {
  write_file("nops.txt", nops(37));
  const Outcome few = pmusim("record -t athlon --trace nops.txt -e RETIRED_INSTRUCTIONS --period 1000");
  EXPECT_EQ(few.code, 0);
  EXPECT_EQ(few.out, "");
  EXPECT_THAT(few.err, HasSubstr("counted 37 events, fewer than the period of 1,000"));
  std::uint64_t at = program;
  write_file("masked.txt", "! isa alpha\n! ipl 7\n" + additions(at, 500));
  const Outcome masked = pmusim("record -t alpha-ev5 --trace masked.txt -e PF5_MUX0_ISSUES --period 100");
  EXPECT_EQ(masked.out, "");
  EXPECT_THAT(masked.err, HasSubstr("took no interrupt"));
  const Outcome profile = pmusim("record -t alpha-ev67 --trace masked.txt --statistic retired");
  EXPECT_THAT(profile.err, HasSubstr("500 instructions retired, and the first sample is due after 505 to 1,513"));
  const Outcome aggregate = pmusim("record -t alpha-ev6 --trace masked.txt --statistic PF6_MUX0_RET_INSTRUCTIONS");
  EXPECT_THAT(aggregate.err, HasSubstr("500 events, and the first interrupt is due after 524,288 to 1,048,576"));
}

}  // namespace
}  // namespace pmusim::cli_test
