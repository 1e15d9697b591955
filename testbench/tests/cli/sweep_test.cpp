// `pmusim validate`: split and interrupted sweeps give the same result as one whole sweep.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

std::string sweep(const std::string& more) {
  return "validate -t athlon --only RETIRED_ --format json --trace '" + recorded("i386-units") + "' --trace '" +
         recorded("i386-segments") + "' " + more;
}

/// The line with the totals: the object with `mismatches`.
nlohmann::json totals(const Outcome& outcome) {
  EXPECT_NE(outcome.code, 2) << outcome.err;
  nlohmann::json found;
  for (const std::string& line : lines_of(outcome.out)) {
    auto object = nlohmann::json::parse(line, nullptr, false);
    EXPECT_FALSE(object.is_discarded()) << line;
    if (object.contains("mismatches") && object.contains("exercised_by")) found = object;
  }
  return found;
}

TEST(Sweep, ShardsAddUp) {
  const auto whole = totals(pmusim(sweep("")));
  const auto first = totals(pmusim(sweep("--shard 1/2")));
  const auto second = totals(pmusim(sweep("--shard 2/2")));
  ASSERT_GT(whole.at("checks").get<int>(), 0);
  ASSERT_GT(first.at("checks").get<int>(), 0);
  EXPECT_EQ(whole.at("checks").get<int>(), first.at("checks").get<int>() + second.at("checks").get<int>());
  EXPECT_EQ(whole.at("vacuous").get<int>(), first.at("vacuous").get<int>() + second.at("vacuous").get<int>());
}

TEST(Sweep, JobsChangeNothing) { EXPECT_EQ(pmusim(sweep("--jobs 1")).out, pmusim(sweep("--jobs 3")).out); }

// The journal of a killed sweep: its first part is complete, the second is cut within the line.
TEST(Sweep, ResumesBehindACut) {
  const Outcome straight = pmusim(sweep("--jobs 1 --journal kept"));
  const auto kept = lines_of(read_file(scratch() + "/kept"));
  ASSERT_EQ(kept.size(), 3u);  // the sweep, and two jobs
  write_file("cut", kept[0] + "\n" + kept[1] + "\n" + kept[2].substr(0, kept[2].size() / 2));
  const Outcome resumed = pmusim(sweep("--jobs 1 --journal cut"));
  EXPECT_EQ(resumed.out, straight.out);
  EXPECT_EQ(resumed.code, straight.code);
  // A second resume finds everything done, the line after the cut included.
  const Outcome again = pmusim(sweep("--jobs 1 --journal cut"));
  EXPECT_EQ(again.out, straight.out);
  EXPECT_EQ(lines_of(read_file(scratch() + "/cut")).size(), 3u);
}

TEST(Sweep, ResumesBehindAKill) {
  const Outcome straight = pmusim(sweep("--jobs 1"));
  static_cast<void>(shell("timeout -s KILL 0.3 \"$PMUSIM\" " + sweep("--jobs 1 --resume killed")));
  EXPECT_EQ(pmusim(sweep("--jobs 1 --resume killed")).out, straight.out);
}

}  // namespace
}  // namespace pmusim::cli_test
