#include "testbench/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace pmusim::testbench {

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::advance(const std::string& doing) { at(done_ + 1, doing); }

void Progress::at(std::uint64_t done, const std::string& doing) {
  done_ = done;
  if (!terminal_ || total_ == 0) return;
  const int percent = static_cast<int>(done_ * 100 / total_);
  if (percent == shown_percent_) return;
  shown_percent_ = percent;
  constexpr int width = 30;
  const int filled = percent * width / 100;
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3}% {:.40}\033[K", what_, "", filled, "", width - filled, percent, doing);
  std::fflush(stderr);
}

void Progress::finish() {
  if (terminal_ && shown_percent_ >= 0) fmt::print(stderr, "\r\033[K");
}

}  // namespace pmusim::testbench
