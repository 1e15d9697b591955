// A file of the trace event format, JSON object form, which ui.perfetto.dev and chrome://tracing open. Times are whole
// microseconds of the display.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pmusim/trace/output_file.h"

namespace pmusim::testbench {

class TraceEvents {
 public:
  /// A track: slices and instants have one, counters belong to a process.
  struct Track {
    unsigned process, thread;
  };
  /// Names of values in an event; numbers, or texts in quotes.
  using Values = std::vector<std::pair<std::string_view, std::string>>;

  /// The file appears with close(). Throws trace::TraceError when it cannot be written.
  explicit TraceEvents(const std::string& file);
  void name_process(unsigned process, std::string_view name);
  void name_track(const Track& track, std::string_view name);
  /// Slices of a track must either follow or contain each other. `kind`: a category for searches.
  void slice(const Track& track, std::string_view kind, std::string_view name, std::uint64_t begin, std::uint64_t end,
             const Values& values = {});
  void instant(const Track& track, std::string_view kind, std::string_view name, std::uint64_t at,
               const Values& values = {});
  void counter(unsigned process, std::string_view name, std::uint64_t at, std::uint64_t value);
  /// `about`: properties of the whole file.
  void close(const Values& about);

  /// A text with its quotes, as JSON has it.
  [[nodiscard]] static std::string quoted(std::string_view text);

 private:
  void event(std::string_view json);
  void metadata(const char* what, const Track& track, std::string_view name);
  [[nodiscard]] static std::string object(const Values& values);

  trace::OutputFile out_;
  bool first_ = true;
};

}  // namespace pmusim::testbench
