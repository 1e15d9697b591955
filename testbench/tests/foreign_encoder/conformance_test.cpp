// --conformance notices a broken rule. Uses a small encoder that obeys all rules, and for every rule a variant that
// breaks it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "run.h"

namespace pmusim::cli_test {
namespace {

/// Returns the rules that are broken; sets `rules` to the number of all rules.
std::set<std::string> broken(const std::string& encoder, int code, std::size_t& rules) {
  const Outcome outcome =
      pmusim("validate -t athlon --conformance --format json --encoder-timeout 5 --encoder " + as_word(encoder));
  EXPECT_EQ(outcome.code, code) << encoder << outcome.out << outcome.err;
  std::set<std::string> found;
  rules = 0;
  for (const std::string& line : lines_of(outcome.out)) {
    const auto object = nlohmann::json::parse(line);
    ++rules;
    if (object.at("verdict") == "BROKEN") found.insert(object.at("rule"));
  }
  return found;
}

TEST(Conformance, OneThatKeepsTheProtocol) {
  std::size_t rules = 0;
  EXPECT_EQ(broken(python("right"), 0, rules), std::set<std::string>{});
  EXPECT_EQ(rules, 16u);
}

struct Break {
  const char* mode;
  const char* rule;
};
class Broken : public testing::TestWithParam<Break> {};

TEST_P(Broken, IsSeen) {
  std::size_t rules = 0;
  EXPECT_THAT(broken(python(GetParam().mode), 1, rules), testing::Contains(GetParam().rule));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Broken,
    testing::Values(Break{"crash", "gives registers for an event of the target"},
                    Break{"too_wide", "gives registers for an event of the target"},
                    Break{"forgetful", "gives the same answer to the same question"},
                    Break{"disorderly", "answers in order when many requests wait"},
                    Break{"takes_unavailable", "does not use unavailable counters"},
                    Break{"nameless_sampled", "answers every kind of question in the form of the protocol"},
                    Break{"takes_too_many", "refuses more events than counters"},
                    Break{"any_event", "refuses an event that it does not know"},
                    Break{"any_umask", "refuses a unit mask that it does not know"},
                    Break{"any_attribute", "refuses an attribute that it does not know"},
                    Break{"any_qualifier", "refuses a qualifier that it does not know"},
                    Break{"any_target", "refuses a target that it does not know"},
                    Break{"any_version", "refuses another version of the protocol"},
                    Break{"any_key", "ignores unknown keys"},
                    Break{"garbage_ends", "answers a line that is not JSON, and continues"},
                    Break{"garbage_unanswered", "answers a line that is not JSON, and continues"},
                    Break{"goes_on", "ends when its input ends"}, Break{"ends_badly", "ends when its input ends"}),
    [](const auto& info) { return std::string(info.param.mode); });

TEST(Conformance, NeedsOneEncoderAndATarget) {
  EXPECT_EQ(pmusim("validate -t athlon --conformance").code, 2);
  EXPECT_EQ(pmusim("validate --conformance --encoder true").code, 2);
  EXPECT_EQ(pmusim("validate -t athlon --conformance --encoder true --only X").code, 2);
}

}  // namespace
}  // namespace pmusim::cli_test
