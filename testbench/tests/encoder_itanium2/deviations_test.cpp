// The table of deviations: libpfm 3.10's answer, this library's answer, and the number of probed addresses that pass
// each set of registers. deviations.jsonl has the same table for other suites.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "json_case.h"

namespace pmusim::encoder::test {
namespace {

const std::vector<Json>& deviations() {
  static const std::vector<Json> rows =
      read_lines(PMUSIM_SOURCE_DIR "/testbench/tests/encoder_itanium2/deviations.jsonl");
  return rows;
}

TEST(Deviations, EachQuirkGivesLibpfmsAnswerAndNoneOurs) {
  ASSERT_FALSE(deviations().empty());
  std::set<std::string> shown;
  for (const Json& row : deviations()) {
    SCOPED_TRACE(row.at("what").get<std::string>());
    const Json& in = row.at("in");
    {
      const WithQuirks quirks(quirks_of(in));
      EXPECT_EQ(answer_to(in), row.at("libpfm"));
    }
    {
      const WithQuirks alone(row.at("quirk").get<std::string>());
      EXPECT_EQ(answer_to(in), row.at("libpfm")) << "the quirk alone makes the difference";
    }
    EXPECT_EQ(answer_to(in), row.at("here"));
    EXPECT_NE(row.at("libpfm"), row.at("here"));
    shown.insert(row.at("quirk").get<std::string>());
  }
  EXPECT_EQ(shown,
            (std::set<std::string>{"short-cover", "wide-block", "fine-page-32-bits", "cancel-anywhere", "fine-offsets",
                                   "second-fine", "top-offset", "used-exactly-one", "unrounded-fine"}));
}

// libpfm computes a block's size from its mask, but blocks of 2^56 bytes and more have no mask. Two ranges use a pair
// each. The third, of 2^58 + 2^57 + 2^56 bytes at 2^60, has two pairs left: 2^58 bytes at 2^60, and 2^58 at 2^60 +
// 2^58, which ends 2^56 bytes after the range. By the masks neither block ends after the range: no offset.
TEST(Deviations, OffsetsFollowTheMask) {
  const Json in = Json::parse(R"({"dfl_plm":8,"flags":0,"events":[{"name":"LOADS_RETIRED"}],"model":{"drange":{"limits":
      [["0x1000","0x2000"],["0x4000","0x8000"],["0x1000000000000000","0x1700000000000000"]]}}})");
  const WithQuirks quirks("libpfm-3.10");
  const Json range = answer_to(in).at("drange");
  EXPECT_EQ(range.at("infos"), Json::parse(R"([["0x0","0x0"],["0x0","0x0"],["0x0","0x0"]])"));
  EXPECT_EQ(range.at("br").at(4), Json::parse(R"([4,"0x1000000000000000"])"));
  EXPECT_EQ(range.at("br").at(6), Json::parse(R"([6,"0x1400000000000000"])"));
}

TEST(Deviations, OurAnswersKeepThePromise) {
  for (const Json& row : deviations()) {
    EXPECT_EQ(broken_promise(row.at("in"), row.at("here")), "") << row.at("what");
    const bool ranges = row.at("libpfm").contains("irange") || row.at("libpfm").contains("drange");
    EXPECT_EQ(broken_promise(row.at("in"), row.at("libpfm")).empty(), !ranges) << row.at("what");
  }
}

TEST(Promise, IsKeptOnDrawnRangesAndNotByLibpfm) {
  expect_promise_kept(kItanium2Ranges);
  expect_promise_broken(kItanium2Ranges, "libpfm-3.10");
}

TEST(Deviations, CountsAreThoseOfTheRegisters) {
  for (const Json& row : deviations()) {
    if (!row.contains("probe")) continue;
    SCOPED_TRACE(row.at("what").get<std::string>());
    const std::string range = row.at("probe").at("space") == "code" ? "irange" : "drange";
    const Json& limits = row.at("in").at("model").at(range).at("limits");
    const Json& addresses = row.at("probe").at("addresses");
    EXPECT_EQ(addresses_inside(limits, addresses), row.at("counts").at("asked"));
    for (const char* answer : {"libpfm", "here"}) {
      const Json& count = row.at("counts").at(answer);
      if (count.is_null())
        EXPECT_NE(row.at(answer).at("ret"), "PFMLIB_SUCCESS");
      else
        EXPECT_EQ(addresses_passed(row.at(answer), range, addresses), count) << answer;
    }
  }
}

}  // namespace
}  // namespace pmusim::encoder::test
