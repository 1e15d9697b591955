// The Itanium 2 on the command line: filters of the whole run, event address registers, branch trace buffer.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

using testing::HasSubstr;

std::uint64_t count(const std::string& arguments) {
  return json_of(pmusim("run -t itanium2 --format json " + arguments)).at("counts").at(0).at("value");
}

TEST(Filters, CountInsideAndOutsideOfACodeRange) {
  write_file("nops.txt", ia64_nops(20));
  const std::string run = "--trace nops.txt -e NOPS_RETIRED";
  EXPECT_EQ(count(run), 60u);
  EXPECT_EQ(count(run + " --irange 0x4000000000000420-0x4000000000000460"), 4 * 3u);
  EXPECT_EQ(count(run + " --irange 0x4000000000000420-0x4000000000000460 --inverse"), 16 * 3u);
  // Bounds within a page have a granularity of 32 bytes; without fine mode a range is a block of a power of two.
  EXPECT_EQ(count(run + " --irange 0x4000000000000430-0x4000000000000450"), 4 * 3u);
  EXPECT_EQ(count(run + " --irange 0x4000000000000420-0x4000000000000460 --no-fine"), 8 * 3u);
}

// libpfm_itanium2(3) and libpfm_montecito(3): with the flag the event counts the whole program.
TEST(Filters, UncheckedEventsCountTheWholeProgram) {
  write_file("nops.txt", ia64_nops(20));
  for (const std::string run : {"run -t itanium2 --format json --trace nops.txt -e CPU_CYCLES:unchecked",
                                "run -t montecito --format json --trace nops.txt -e FE_BUBBLE_ALL:unchecked"}) {
    const auto whole = json_of(pmusim(run)).at("counts").at(0);
    EXPECT_GT(whole.at("value"), 0u) << run;
    EXPECT_EQ(json_of(pmusim(run + " --irange 0x4000000000000420-0x4000000000000460")).at("counts").at(0), whole);
  }
}

TEST(Filters, SayWhatTheyCover) {
  const std::string encode = "encode -t itanium2 -e NOPS_RETIRED --irange 0x4000000000000420-0x4000000000000460";
  const auto covered = [](const std::string& arguments) { return json_of(pmusim(arguments)).at("code_ranges").at(0); };
  const auto fine = covered(encode + " --format json");
  EXPECT_EQ(fine.at("start"), "0x4000000000000420");
  EXPECT_EQ(fine.at("end"), "0x4000000000000460");
  const auto block = covered(encode + " --no-fine --format json");
  EXPECT_EQ(block.at("start"), "0x4000000000000400");
  EXPECT_EQ(block.at("end"), "0x4000000000000480");
  EXPECT_THAT(pmusim(encode).out, HasSubstr("code range covers 0x4000000000000420 to 0x4000000000000460\n"));
  write_file("nops.txt", ia64_nops(20));
  const auto run = json_of(pmusim(
      "run -t itanium2 --trace nops.txt --format json -e NOPS_RETIRED --irange 0x4000000000000420-0x4000000000000460"));
  EXPECT_EQ(run.at("code_ranges").at(0), fine);
}

// Samples are a stream on standard output; the encoder's remarks are printed elsewhere.
TEST(Filters, RecordSaysWhatTheEncoderDoes) {
  write_file("nops.txt", ia64_nops(20));
  const Outcome outcome = pmusim(
      "record -t itanium2 --trace nops.txt -e L1I_FILLS --period 1 --irange 0x4000000000000420-0x4000000000000460");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("code range covers 0x4000000000000420 to 0x4000000000000460\n"));
  EXPECT_THAT(outcome.err, HasSubstr("demand fetches only"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("warning")));
}

TEST(Filters, DataAndOpcodes) {
  write_file("loop.txt", ia64_loop(10));
  const std::string run = "--trace loop.txt -e ";
  EXPECT_EQ(count(run + "LOADS_RETIRED --drange 0x6000000000000000-0x6000000000010000"), 10u);
  EXPECT_EQ(count(run + "LOADS_RETIRED --drange 0x6000000000002000-0x6000000000004000"), 2u);
  // Bits 40:37 of an IP-relative branch are 4; those of nop.b are 2, and those of other NOPs 0.
  EXPECT_EQ(count(run + "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8 --opcode 0x8000000000/0x01fffffffff:b"), 10u);
  EXPECT_EQ(count(run + "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8 --opcode 0/0x1ffffffffff:i"), 10 * 3u);
}

// `run --write` accepts the registers that `encode` prints; the freeze at reset ends without a message.
TEST(Filters, SurviveTheWayThroughWrite) {
  write_file("nops.txt", ia64_nops(20));
  const std::string asked = " -t itanium2 --format json -e NOPS_RETIRED --irange 0x4000000000000420-0x4000000000000460";
  std::string writes;
  const auto encoded = json_of(pmusim("encode" + asked));
  for (const auto& reg : encoded.at("registers"))
    if (reg.at("name") != "PMC0")
      writes += " --write " + reg.at("name").get<std::string>() + "=" + reg.at("value").get<std::string>();
  EXPECT_EQ(count("--trace nops.txt" + writes), 12u);
  const Outcome frozen = pmusim("run -t itanium2 --trace nops.txt" + writes + " --write PMC0=1");
  EXPECT_EQ(frozen.code, 0);
  EXPECT_THAT(frozen.out, HasSubstr("PMD4: nothing enables it"));
}

TEST(Warnings, AreTold) {
  const std::string encode = "encode -t itanium2 -e LOADS_RETIRED:t=5";
  EXPECT_THAT(pmusim(encode).out, HasSubstr("warning: 'LOADS_RETIRED:t=5': never counts"));
  EXPECT_EQ(json_of(pmusim(encode + " --format json")).at("warnings").size(), 1u);
  write_file("nops.txt", ia64_nops(20));
  const std::string run = "run -t itanium2 --trace nops.txt -e LOADS_RETIRED:t=5";
  EXPECT_THAT(pmusim(run).out, HasSubstr("warning: 'LOADS_RETIRED:t=5': never counts"));
  EXPECT_EQ(json_of(pmusim(run + " --format json")).at("warnings").size(), 1u);
}

// --- captures of the hardware ------------------------------------------------------------------------------------

TEST(Captured, DataEarAtTheEnd) {
  write_file("loop.txt", ia64_loop(10));
  const std::string run = "run -t itanium2 --trace loop.txt -e DATA_EAR_EVENTS --ear unit=data,mode=cache,latency=4";
  const auto object = json_of(pmusim(run + " --format json"));
  EXPECT_EQ(object.at("counts").at(0).at("value"), 10);
  const auto& ear = object.at("data_ear");
  EXPECT_EQ(ear.at("valid"), true);
  EXPECT_EQ(ear.at("mode"), "cache");
  EXPECT_EQ(ear.at("address"), "0x6000000000009000");
  EXPECT_EQ(ear.at("ip"), "0x4000000000000400");
  EXPECT_EQ(ear.at("slot"), 0);
  const auto latency = ear.at("latency").get<std::uint64_t>();
  EXPECT_GE(latency, 4u);
  EXPECT_THAT(pmusim(run).out,
              HasSubstr(fmt::format("data: 0x6000000000009000  {} cycles  by 0x4000000000000400.0\n", latency)));
}

TEST(Captured, EarThatTookNothingIn) {
  write_file("nops.txt", ia64_nops(20));
  const std::string run = "run -t itanium2 --trace nops.txt -e CPU_CYCLES --ear unit=data";
  EXPECT_EQ(json_of(pmusim(run + " --format json")).at("data_ear").at("valid"), false);
  EXPECT_THAT(pmusim(run).out, HasSubstr("data: nothing taken in\n"));
}

TEST(Captured, FetchesByTheirTranslation) {
  write_file("nops.txt", ia64_nops(20));
  const auto object = json_of(pmusim(
      "run -t itanium2 --trace nops.txt --format json -e L1I_EAR_EVENTS --ear unit=instruction,mode=tlb,level=vhpt"));
  EXPECT_EQ(object.at("counts").at(0).at("value"), 1);
  EXPECT_EQ(object.at("instruction_ear").at("served_by"), "vhpt");
  EXPECT_EQ(object.at("instruction_ear").at("address"), "0x4000000000000400");
  EXPECT_FALSE(object.at("instruction_ear").contains("latency"));
}

void expect_way_back(const nlohmann::json& branches) {
  ASSERT_FALSE(branches.empty());
  for (const auto& branch : branches) {
    EXPECT_EQ(branch.at("ip"), "0x4000000000000410");
    EXPECT_EQ(branch.at("taken"), true);
    EXPECT_EQ(branch.at("slot"), 2);
    if (branch.contains("target")) {
      EXPECT_EQ(branch.at("target"), "0x4000000000000400");
    }
  }
}

TEST(Captured, BranchesAtTheEnd) {
  write_file("loop.txt", ia64_loop(10));
  const std::string run = "run -t itanium2 --trace loop.txt --format json -e BRANCH_EVENT";
  const auto all = json_of(pmusim(run));
  EXPECT_EQ(all.at("counts").at(0).at("value"), 10);
  EXPECT_EQ(all.at("branches").back().at("taken"), false);
  EXPECT_FALSE(all.at("branches").back().contains("slot"));
  const auto taken = json_of(pmusim(run + " --btb tm=taken"));
  EXPECT_EQ(taken.at("counts").at(0).at("value"), 9);
  expect_way_back(taken.at("branches"));
  EXPECT_EQ(json_of(pmusim(run + " --btb tm=taken,brt=return")).at("branches").size(), 0u);
  EXPECT_THAT(pmusim("run -t itanium2 --trace loop.txt -e BRANCH_EVENT --btb tm=taken").out,
              HasSubstr("branch: 0x4000000000000410.2  to 0x4000000000000400\n"));
}

TEST(Record, ItaniumSamplesInEveryForm) {
  write_file("loop.txt", ia64_loop(100));
  const std::string record = "record -t itanium2 --trace loop.txt -e DATA_EAR_CACHE_LAT4 --period 3 --no-randomize";
  const auto samples = rows_of(pmusim(record + " --format json"));
  ASSERT_GT(samples.size(), 10u);
  for (const auto& sample : samples) EXPECT_EQ(sample.at("data_ear").at("address"), sample.at("pmd2"));
  const std::string address = samples[0].at("pmd2");
  EXPECT_THAT(lines_of(pmusim(record).out).at(1), testing::StartsWith("              data: " + address + "  "));
  EXPECT_THAT(lines_of(pmusim(record + " --format csv").out).at(1), HasSubstr("PMD2=" + address + " PMD3="));
  EXPECT_THAT(pmusim(record + " --folded").out, HasSubstr("0x40000000000004"));
}

TEST(Record, FoldsCallsOfIa64) {
  const Outcome outcome =
      pmusim("record -t itanium2 --trace '" + recorded("ia64-recursion-O2") + "' -e CPU_CYCLES --period 997 --folded");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // The program calls itself: a stack contains the same function repeatedly.
  EXPECT_THAT(outcome.out, HasSubstr("main;fib;fib;fib"));
}

TEST(Decode, FieldsOfEveryRegisterThatEncodeGives) {
  std::string values;
  const auto encoded = json_of(pmusim("encode -t itanium2 --format json -e BRANCH_EVENT --btb tm=taken"));
  for (const auto& reg : encoded.at("registers"))
    values += " " + reg.at("name").get<std::string>() + "=" + reg.at("value").get<std::string>();
  const Outcome outcome = pmusim("decode -t itanium2" + values);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("counts itanium2::BRANCH_EVENT:plm=9:t=0:ism=both"));
  for (const char* field : {"tm", "ptm", "ppm", "brt", "ibrp0", "cfg_dbrp0", "ig_ad"})
    EXPECT_THAT(outcome.out, HasSubstr(std::string("  ") + field + " "));
}

TEST(Decode, JsonHasOneObjectForEachRegisterAndCounter) {
  const auto lines = lines_of(pmusim("decode -t itanium2 PMC12=0x3e09 PMC4=0x801109 --format json").out);
  ASSERT_EQ(lines.size(), 3u);
  const auto buffer = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(buffer.at("space"), "pmc");
  EXPECT_EQ(buffer.at("number"), 12);
  EXPECT_EQ(buffer.at("name"), "PMC12");
  EXPECT_EQ(buffer.at("value"), "0x0000000000003e09");
  for (const auto& field : buffer.at("fields")) {
    if (field.at("field") == "tm") {
      EXPECT_EQ(field.at("value"), 2);
      EXPECT_EQ(field.at("bits"), "9:8");
    }
  }
  const auto counter = nlohmann::json::parse(lines[2]);
  EXPECT_EQ(counter.at("counter"), "PMD4");
  EXPECT_EQ(counter.at("event"), "itanium2::BRANCH_EVENT:plm=9:t=0:ism=both");
  EXPECT_EQ(pmusim("decode -t itanium2 PMC12=1 PMC77=1 --format json").out, "") << "nothing half-written";
}

}  // namespace
}  // namespace pmusim::cli_test
