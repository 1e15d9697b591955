// A timeline of the core's activity in the trace event format that ui.perfetto.dev opens: one microsecond of
// the display is one core cycle.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "models/activity/activity.h"

namespace pmusim::testbench {

class PerfettoWriter {
 public:
  /// Writes to a temporary name until close(). Throws UsageError when it cannot.
  explicit PerfettoWriter(const std::string& file);
  ~PerfettoWriter();
  PerfettoWriter(const PerfettoWriter&) = delete;
  PerfettoWriter& operator=(const PerfettoWriter&) = delete;

  /// States become counter tracks; the first instructions become slices from fetch to retirement. A
  /// process of the display is a hardware thread.
  void add(const activity::Block& block);
  void close();

 private:
  void event(const std::string& json);
  void add_state(const activity::Block& block, activity::State state, std::uint64_t mask, const char* name);

  std::string file_;
  std::ofstream out_;
  std::uint64_t slices_ = 0;
  bool first_ = true;
  bool closed_ = false;
};

}  // namespace pmusim::testbench
