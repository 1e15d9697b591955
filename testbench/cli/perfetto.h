// A timeline of the core's activity in the trace event format that ui.perfetto.dev opens: one microsecond of
// the display is one core cycle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/activity/activity.h"
#include "pmusim/trace/output_file.h"

namespace pmusim::testbench {

class PerfettoWriter {
 public:
  /// The file appears with close(). Throws trace::TraceError when it cannot be written.
  explicit PerfettoWriter(const std::string& file);

  /// States become counter tracks; the first instructions become slices from fetch to retirement. A
  /// process of the display is a hardware thread.
  void add(const activity::Block& block);
  void close();

 private:
  void event(const std::string& json);
  void add_state(const activity::Block& block, activity::State state, std::uint64_t mask, const char* name);

  trace::OutputFile out_;
  std::uint64_t slices_ = 0;
  bool first_ = true;
};

}  // namespace pmusim::testbench
