// Profiles in the forms that other people's tools read.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/profile/profile.h"

namespace pmusim::testbench {

/// What the formats ask for beside the profile.
struct ExportSubject {
  const Profile& profile;
  std::string target;
  std::vector<std::string> traces;  ///< one for each hardware thread
  [[nodiscard]] bool sampled() const { return !profile.samples.empty(); }
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
/// profile.proto, not packed: exact counts of each instruction or, of a profile with samples, these with their stacks.
void write_pprof(const ExportSubject& subject, std::ostream& out);
/// JSON for speedscope: a profile for each event and thread. Without samples, each function is a stack of its own.
void write_speedscope(const ExportSubject& subject, std::ostream& out);
/// Stacks with counts, `outer;inner 12`. Without samples, each function is a stack of its own.
void write_folded(const ExportSubject& subject, std::ostream& out);
/// Samples as `perf script` prints them.
void write_perf_script(const ExportSubject& subject, std::ostream& out);

/// A stack and how much of each event it has, in events; exact ones are of one frame.
struct WeightedStack {
  unsigned thread = 0;
  std::vector<StackFrame> stack;
  std::vector<std::uint64_t> amounts;  ///< by event
};
/// Samples with the same stack of addresses are one; without samples, each instruction.
[[nodiscard]] std::vector<WeightedStack> weighted_stacks(const Profile& profile);
/// Events as the formats name them: unit masks, without the target in front and attributes, if that tells them apart.
[[nodiscard]] std::vector<std::string> event_names(const Profile& profile);

}  // namespace pmusim::testbench
