// A long run must print nothing to a pipe, and the estimate of the remaining time must be right.
#include "testbench/support/progress.h"

#include <gtest/gtest.h>

#include <chrono>

namespace pmusim::testbench {
namespace {

using std::chrono::seconds;

/// A progress display of ten steps, with a clock that is set by hand; standard error is captured, so it is not a
/// terminal.
class TenSteps : public testing::Test {
 protected:
  TenSteps() { testing::internal::CaptureStderr(); }
  ~TenSteps() override {
    if (capturing_) (void)testing::internal::GetCapturedStderr();
  }
  /// Ends the next step this many seconds after the start.
  void step_at(int second, const std::string& doing) {
    now_ = Progress::Clock::time_point(seconds(1000 + second));
    progress_.advance(doing);
  }
  std::string told() {
    progress_.finish();
    capturing_ = false;
    return testing::internal::GetCapturedStderr();
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

}  // namespace
}  // namespace pmusim::testbench
