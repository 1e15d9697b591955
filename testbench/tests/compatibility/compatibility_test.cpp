// Files of earlier versions stay readable; files of later versions are refused in one line with advice.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "testbench/tests/cli/command.h"

namespace pmusim::cli_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string files = PMUSIM_SOURCE_DIR "/testbench/tests/compatibility/files/";

TEST(Compatibility, OneVersion) { EXPECT_EQ(pmusim("--version").out, "pmusim " PMUSIM_VERSION "\n"); }

// The program stores and loads around sync and eieio; its source is isa-traces/programs/ppc_ordering.s.
TEST(Compatibility, FirstTraceIsRead) {
  const auto info = json_of(pmusim("trace info '" + files + "first.pmt' --format json"));
  EXPECT_EQ(info.at("version"), 1);
  EXPECT_EQ(info.at("isa"), "ppc");
  EXPECT_EQ(info.at("program"), "ppc-ordering");
  const Outcome again = pmusim("trace convert '" + files + "first.pmt' -o again.pmt --format-version 1");
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(read_file(scratch() + "/again.pmt"), read_file(files + "first.pmt"))
      << "written as it was on the first day";
}

TEST(Compatibility, FirstActivityIsRead) {
  const auto run =
      json_of(pmusim("run --activity '" + files +
                     "first.pma' -e RETIRED_INSTRUCTIONS -e RETIRED_TAKEN_BRANCH_INSTRUCTIONS --format json"));
  EXPECT_EQ(run.at("counts")[0].at("value"), 3 * 10 + 1);
  EXPECT_EQ(run.at("counts")[1].at("value"), 9);
  EXPECT_EQ(pmusim("activity check '" + files + "first.pma'").code, 0);
}

TEST(Compatibility, LaterVersionsAreRefused) {
  for (const char* name : {"first.pmt", "first.pma"}) {
    std::string bytes = read_file(files + name);
    ASSERT_GT(bytes.size(), 12u);
    bytes[8] = 2;
    write_file(name, bytes);
  }
  EXPECT_THAT(pmusim("trace info first.pmt").err,
              AllOf(HasSubstr("first.pmt: byte 8: format version 2 is not known; this program reads version 1"),
                    HasSubstr("trace convert --format-version 1")));
  EXPECT_THAT(
      pmusim("run --activity first.pma -e RETIRED_INSTRUCTIONS").err,
      AllOf(HasSubstr("format version 2 is not known; this program reads version 1"), HasSubstr("recorded again")));
}

}  // namespace
}  // namespace pmusim::cli_test
