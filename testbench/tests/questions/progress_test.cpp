// A long run prints a line to a pipe every 20 seconds, a short one prints nothing, and the estimate of the remaining
// time is right. Work that waits for an encoder advances with each of its answers.
#include "testbench/support/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "testbench/faults/encoder_trials.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/support/only.h"
#include "testbench/sweep/conformance.h"
#include "testbench/tests/scratch.h"
#include "testbench/tests/tools.h"

namespace pmusim::testbench {

namespace {

using std::chrono::seconds;

/// A progress display of ten steps, with a clock that is set by hand; standard error is captured, so it is not a
/// terminal.
class TenSteps : public ::testing::Test {
 protected:
  TenSteps() { ::testing::internal::CaptureStderr(); }
  ~TenSteps() override {
    if (capturing_) (void)::testing::internal::GetCapturedStderr();
  }
  /// Ends the next step this many seconds after the start.
  void step_at(int second, const std::string& doing) {
    now_ = Progress::Clock::time_point(seconds(1000 + second));
    progress_.advance(doing);
  }
  std::string told() {
    progress_.finish();
    capturing_ = false;
    return ::testing::internal::GetCapturedStderr();
  }

 private:
  bool capturing_ = true;
  Progress::Clock::time_point now_{seconds(1000)};
  Progress progress_{"validate", 10, [this] { return now_; }};
};

// One step took 25 s: nine more take 225. Four steps took 50 s: six more take 75.
TEST_F(TenSteps, SayWhatIsLeftEveryTwentySeconds) {
  step_at(25, "first");
  step_at(30, "second");
  step_at(44, "third");
  step_at(50, "fourth");
  EXPECT_EQ(told(),
            "validate: 1 of 10, about 3 min 45 s left; first\n"
            "validate: 4 of 10, about 1 min 15 s left; fourth\n");
}

TEST_F(TenSteps, AreSilentForAShortTime) {
  for (int step = 1; step <= 10; ++step) step_at(step, "quick");
  EXPECT_EQ(told(), "");
}

// A line at the last step would directly precede the report.
TEST_F(TenSteps, SayNothingAtTheEnd) {
  for (int step = 1; step <= 9; ++step) step_at(0, "quick");
  step_at(500, "slow");
  EXPECT_EQ(told(), "");
}

Group asking_for(const std::string& event) {
  Check check;
  check.request.event = event;
  Group group;
  group.checks.push_back(check);
  return group;
}

/// An encoder that needs 25 s for each answer.
class SlowEncoder final : public EncoderUnderTest {
 public:
  Answer encode(const std::string&, const Group&) override {
    now += seconds(25);
    return {};
  }
  Progress::Clock::time_point now{seconds(1000)};
};

// One of two answers took 25 s: one more takes 25. Then A and B are known, and three more are requested: four of five
// took 100 s.
TEST(SlowAnswers, AreToldOneByOne) {
  ::testing::internal::CaptureStderr();
  SlowEncoder encoder;
  Progress progress("answers", 0, [&] { return encoder.now; });
  Answers answers(encoder, &progress);
  const Group a = asking_for("A"), b = asking_for("B"), c = asking_for("C"), d = asking_for("D"), e = asking_for("E");
  EXPECT_EQ(answers.of("athlon", {&a, &b}).size(), 2u);
  EXPECT_EQ(answers.of("athlon", {&a, &c, &b, &d, &e}).size(), 5u);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "answers: 1 of 2, about 25 s left; athlon\n"
            "answers: 3 of 5, about 50 s left; athlon\n"
            "answers: 4 of 5, about 25 s left; athlon\n");
}

/// Writes a program that answers every request with `unsupported`.
std::string program_that_refuses(const Scratch& scratch) {
  const std::string file = (scratch / "refuses").string();
  std::ofstream(file) << "#!/bin/sh\n"
                         "while read -r line; do\n"
                         "  id=${line#*'\"id\":'}\n"
                         "  echo '{\"id\":'${id%%[!0-9]*}',\"error\":\"unsupported\"}'\n"
                         "done\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

// The failures of a program are told, too.
TEST(SlowAnswers, OfAProgramAreToldOneByOne) {
  const Scratch scratch;
  const Group a = asking_for("A"), b = asking_for("B"), c = asking_for("C"), d = asking_for("D"), e = asking_for("E");
  const auto encoder = foreign_encoder({as_word(program_that_refuses(scratch))});
  std::size_t answered = 0;
  EXPECT_EQ(encoder->encode_all("athlon", {&a, &b, &c, &d, &e}, [&] { ++answered; }).size(), 5u);
  EXPECT_EQ(answered, 5u);
  // A program that never answers is no encoder.
  EXPECT_THROW((void)foreign_encoder({"false"})->encode_all("athlon", {&a, &b, &c, &d, &e}, [] {}), UsageError);
}

// A program that refuses everything shows no fault. The fault changes few answers, so that a second round is
// unnecessary.
TEST(SlowTrials, AdvanceWithEachPart) {
  const Scratch scratch;
  const faults::TrialOptions options{
      .program = program_that_refuses(scratch), .only = "next-event", .jobs = 3, .quick = true};
  std::vector<std::string> steps;
  const auto trials =
      faults::try_encoder_faults("alpha-ev6", options, [&](const std::string& doing) { steps.push_back(doing); });
  ASSERT_EQ(trials.size(), 1u);
  EXPECT_EQ(steps, std::vector<std::string>(3, "quick questions"));
  EXPECT_EQ(faults::most_steps(options), 6u);
}

TEST(Only, NothingLetsEverythingIn) {
  EXPECT_TRUE(Only("").empty());
  EXPECT_TRUE(Only("").admits("ANY"));
}
TEST(Only, AWordIsTheBeginningInAnyCase) {
  const Only only("retired_in");
  EXPECT_TRUE(only.admits("RETIRED_INSTRUCTIONS:u"));
  EXPECT_FALSE(only.admits("RETIRED_UOPS"));
}
TEST(Only, StarsAndQuestionMarks) {
  EXPECT_TRUE(Only("*CACHE*MISSES").admits("DATA_CACHE_MISSES"));
  EXPECT_FALSE(Only("*CACHE*MISSES").admits("DATA_CACHE_MISSES:u"));
  EXPECT_TRUE(Only("L?_HITS").admits("L2_HITS"));
  EXPECT_FALSE(Only("L?_HITS").admits("L2X_HITS"));
}
TEST(Only, ListsAndExclusions) {
  const Only only("DATA_*,SNOOP*,!*REFILLS*");
  EXPECT_TRUE(only.admits("DATA_CACHE_MISSES"));
  EXPECT_TRUE(only.admits("SNOOP_HITS:DC"));
  EXPECT_FALSE(only.admits("DATA_CACHE_REFILLS:ALL"));
  EXPECT_FALSE(only.admits("RETIRED_UOPS"));
  EXPECT_TRUE(Only("!DATA_").admits("RETIRED_UOPS"));
  EXPECT_FALSE(Only("!DATA_").admits("DATA_CACHE_MISSES"));
}
TEST(Only, NamesThatContinue) {
  EXPECT_TRUE(Only("retired_instructions:u").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_TRUE(Only("X,*TIONS:?:c=1").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_TRUE(Only("!RETIRED_INSTRUCTIONS:u").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_FALSE(Only("RETIRED_INSTRUCTION:u").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_FALSE(Only("RETIRED_INSTRUCTIONS?u").may_admit_more_of("RETIRED_INSTRUCTIONS_ALL"));
  EXPECT_FALSE(Only("RETIRED_INSTRUCTIONS:u,!RETIRED").may_admit_more_of("RETIRED_INSTRUCTIONS"));
}
TEST(Only, TheWordForAHintHasNoWildcards) { EXPECT_EQ(Only("!X,*Cache?*").word(), "cache"); }

}  // namespace

}  // namespace pmusim::testbench
