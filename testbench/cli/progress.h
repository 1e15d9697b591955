// A progress bar on standard error, only when that is a terminal.
#pragma once

#include <cstdint>
#include <string>

namespace pmusim::testbench {

class Progress {
 public:
  Progress(std::string what, std::uint64_t total);
  /// One more step done; `doing` is shown behind the bar.
  void advance(const std::string& doing);
  /// To this many steps; draws at most once per percent.
  void at(std::uint64_t done, const std::string& doing);
  /// Removes the bar.
  void finish();

 private:
  std::string what_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  int shown_percent_ = -1;
  bool terminal_;
};

}  // namespace pmusim::testbench
