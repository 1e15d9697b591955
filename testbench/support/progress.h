// Progress on standard error, with the remaining time: a bar on a terminal, otherwise a line every 20 seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace pmusim::testbench {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  /// `now` replaces the clock in tests.
  Progress(std::string what, std::uint64_t total, std::function<Clock::time_point()> now = Clock::now);
  /// Adds steps to the total.
  void expect(std::uint64_t more) { total_ += more; }
  /// Reports one more finished step; `doing` is shown after the bar.
  void advance(const std::string& doing);
  /// Reports this many finished steps. Redraws at most once per percent.
  void at(std::uint64_t done, const std::string& doing);
  /// Removes the bar.
  void finish();

 private:
  [[nodiscard]] std::string remaining(Clock::time_point now) const;
  std::string what_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  int shown_percent_ = -1;
  bool terminal_;
  std::function<Clock::time_point()> now_;
  Clock::time_point began_, told_;
};

}  // namespace pmusim::testbench
