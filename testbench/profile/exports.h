// Exports profiles in the formats of other tools.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/profile/profile.h"

namespace pmusim::testbench {

/// Data that the formats need besides the profile.
struct ExportSubject {
  const Profile& profile;
  std::string target;
  std::vector<std::string> traces;  ///< one for each hardware thread
  [[nodiscard]] bool sampled() const { return pmusim::testbench::sampled(profile); }
};

struct ExportFormat {
  std::string_view name;
  std::string_view about;
  bool needs_samples;
  bool binary;
  void (*write)(const ExportSubject& subject, std::ostream& out);
};
/// callgrind, pprof, speedscope, folded, perf-script.
[[nodiscard]] const std::vector<ExportFormat>& export_formats();

/// Exact counts of each instruction, for callgrind_annotate and KCachegrind.
void write_callgrind(const ExportSubject& subject, std::ostream& out);
/// profile.proto, uncompressed: the exact counts of each instruction, or the samples with their stacks if there are
/// samples.
void write_pprof(const ExportSubject& subject, std::ostream& out);
/// JSON for speedscope: one profile per event and thread. Without samples, each function forms its own stack.
void write_speedscope(const ExportSubject& subject, std::ostream& out);
/// Stacks with counts, `outer;inner 12`. Without samples, each function forms its own stack.
void write_folded(const ExportSubject& subject, std::ostream& out);
/// Samples as `perf script` prints them.
void write_perf_script(const ExportSubject& subject, std::ostream& out);

/// The name of a frame in folded stacks: a separator in a function's name would start another frame.
[[nodiscard]] std::string frame_name(std::string function);

/// A stack and its amount of each event. A stack with exact amounts has one frame.
struct WeightedStack {
  unsigned thread = 0;
  std::vector<StackFrame> stack;
  std::vector<std::uint64_t> amounts;  ///< by event
};
/// Samples with equal stacks of addresses are merged. Without samples there is one entry per instruction.
[[nodiscard]] std::vector<WeightedStack> weighted_stacks(const Profile& profile);
/// Names of events in the formats: without target, and without attributes if the names are distinct without them.
[[nodiscard]] std::vector<std::string> event_names(const Profile& profile);

}  // namespace pmusim::testbench
