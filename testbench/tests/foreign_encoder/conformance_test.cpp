// --conformance notices a broken rule. Uses a small encoder that obeys all rules, and for every rule a variant that
// breaks it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "run.h"
#include "testbench/sweep/protocol.h"

namespace pmusim::cli_test {

namespace {

/// Returns the rules that are broken; sets `rules` to the number of all rules.
std::set<std::string> broken(const std::string& encoder, int code, std::size_t& rules) {
  const Outcome outcome =
      pmusim("validate -t athlon --conformance --format json --encoder-timeout 2 --encoder " + as_word(encoder));
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
class Broken : public ::testing::TestWithParam<Break> {};

TEST_P(Broken, IsSeen) {
  std::size_t rules = 0;
  EXPECT_THAT(broken(python(GetParam().mode), 1, rules), ::testing::Contains(GetParam().rule));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Broken,
    ::testing::Values(Break{"crash", "gives registers for an event of the target"},
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

using ::testing::HasSubstr;

std::string judge(const std::string& encoder, const std::string& more) {
  return "validate -t athlon --trace '" + recorded("i386-units") + "' --encoder " + as_word(encoder) + " " + more;
}
TEST(ForeignEncoder, RightValuesPass) {
  const Outcome outcome = pmusim(judge(python("right"), "--only RETIRED_INSTRUCTIONS --format json"));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto found = totals(outcome);
  EXPECT_EQ(found.at("mismatches"), 0);
  EXPECT_GT(found.at("checks").get<int>(), 0);
}

TEST(ForeignEncoder, WrongUnitMaskIsNamedAndReproduced) {
  const Outcome outcome = pmusim(judge(python("wrong_umask"), "--only DATA_CACHE_REFILLS --verbose"));
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("DATA_CACHE_REFILLS"));
  // Every mask is inverted, so that none of all the masks is left: the lost refills are those expected.
  EXPECT_THAT(outcome.out,
              ::testing::ContainsRegex("PerfEvtSel[0-3] unit mask 0x0 does not select L2_INVALID, L2_SHARED, "
                                       "L2_EXCLUSIVE, L2_OWNED and L2_MODIFIED; ([0-9,]+) of [0-9,]+ "
                                       "DATA_CACHE_REFILLS:ALL not counted"));
  const std::size_t at = outcome.out.find("pmusim validate ");
  ASSERT_NE(at, std::string::npos) << outcome.out;
  const std::string command = outcome.out.substr(at, outcome.out.find('\n', at) - at);
  const Outcome again = pmusim(command.substr(std::string("pmusim ").size()));
  EXPECT_EQ(again.code, 1) << command << '\n' << again.err;
  EXPECT_THAT(again.out, HasSubstr("DATA_CACHE_REFILLS"));
}

TEST(ForeignEncoder, UnsupportedIsNoMismatch) {
  const auto found = totals(pmusim(judge(python("right"), "--only RETIRED_ --format json")));
  EXPECT_EQ(found.at("mismatches"), 0);
  EXPECT_GT(found.at("unsupported").get<int>(), 0);
}

struct Failure {
  const char* mode;
  const char* says;
};

TEST(ForeignEncoder, FailuresEndTheRunWithOneLine) {
  for (const Failure& failure :
       {Failure{"crash", "without an answer"},
        Failure{"malformed", "answer to request 1 is malformed: \"}{\"; expected {\"id\":1,\"registers\":"},
        Failure{"silent", "within 1 s"}}) {
    const std::string timeout = failure.mode == std::string("silent") ? "1" : "10";
    const Outcome outcome =
        pmusim(judge(python(failure.mode), "--only RETIRED_INSTRUCTIONS --encoder-timeout " + timeout));
    EXPECT_EQ(outcome.code, 2) << failure.mode;
    EXPECT_THAT(outcome.err, ::testing::StartsWith("pmusim: encoder")) << failure.mode;
    EXPECT_THAT(outcome.err, HasSubstr(failure.says)) << failure.mode;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("json.exception"))) << failure.mode;
  }
}

// What makes an answer malformed, each with the beginning of the message.
TEST(Answers, ThatAreWrongAreRefusedWithTheirReason) {
  const std::string malformed = "answer to request 1 is malformed: ";
  for (const auto& [answer, says] :
       {std::pair<std::string, std::string>{R"({"id":1,"registers":[]})", malformed},
        {R"({"id":1.0,"registers":[{"name":"PerfEvtSel0","value":"0x43"}],"counters":["PerfCtr0"]})", malformed},
        {R"({"id":true,"registers":[{"name":"PerfEvtSel0","value":"0x43"}],"counters":["PerfCtr0"]})", malformed},
        {R"({"id":1,"registers":{"PerfEvtSel0":"0x43"},"counters":["PerfCtr0"]})", malformed},
        {R"({"id":2,"error":"unsupported"})", "was due"},
        {R"({"id":1,"registers":[{"name":"PerfCtr0","value":"0x1000000000000"}],"counters":["PerfCtr0"]})",
         "is wider than its 48 bits"},
        {R"({"id":1,"registers":[{"name":"MMCR9","value":"0x0"}],"counters":["PerfCtr0"]})", "MMCR9"}}) {
    try {
      static_cast<void>(testbench::parse_answer(answer, 1, "athlon", 1));
      ADD_FAILURE() << answer;
    } catch (const testbench::ProtocolError& error) {
      EXPECT_THAT(error.what(), HasSubstr(says)) << answer;
    }
  }
}

}  // namespace

}  // namespace pmusim::cli_test
