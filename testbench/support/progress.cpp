#include "testbench/support/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace pmusim::testbench {
namespace {

/// If the output is not a terminal, a line at regular intervals shows that the work continues.
constexpr std::chrono::seconds between_lines{20};

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, std::function<Clock::time_point()> now)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) != 0),
      now_(std::move(now)),
      began_(now_()),
      told_(began_) {}

void Progress::advance(const std::string& doing) { at(done_ + 1, doing); }

void Progress::at(std::uint64_t done, const std::string& doing) {
  done_ = done;
  if (total_ == 0) return;
  const auto now = now_();
  const std::string left = remaining(now);
  if (!terminal_) {
    if (now - told_ < between_lines || done_ == total_) return;
    told_ = now;
    fmt::print(stderr, "{}: {} of {}{}; {}\n", what_, done_, total_, left, doing);
    std::fflush(stderr);
    return;
  }
  const int percent = static_cast<int>(done_ * 100 / total_);
  if (percent == shown_percent_) return;
  shown_percent_ = percent;
  constexpr int width = 30;
  const int filled = percent * width / 100;
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3}%{} {:.40}\033[K", what_, "", filled, "", width - filled, percent, left,
             doing);
  std::fflush(stderr);
}

std::string Progress::remaining(Clock::time_point now) const {
  if (done_ == 0 || done_ >= total_) return {};
  const auto passed = std::chrono::duration_cast<std::chrono::seconds>(now - began_).count();
  const auto left = passed * static_cast<std::int64_t>(total_ - done_) / static_cast<std::int64_t>(done_);
  return left < 60 ? fmt::format(", about {} s left", left)
                   : fmt::format(", about {} min {} s left", left / 60, left % 60);
}

void Progress::finish() {
  if (terminal_ && shown_percent_ >= 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace pmusim::testbench
