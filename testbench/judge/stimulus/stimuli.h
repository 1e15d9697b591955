// The activity on which answers are judged: that of short traces, the shortest first, in every mode, and denser.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/targets.h"
#include "testbench/driver/activity_source.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/stimulus/modes.h"
#include "testbench/judge/stimulus/trace_inputs.h"

namespace pmusim::testbench::questions {

struct Stimulus {
  std::string name;            ///< the trace and its transforms
  std::size_t pass = 0;        ///< 0: unchanged traces; then the number of the transform of all traces
  std::size_t trace = 0;       ///< number of the trace
  std::filesystem::path file;  ///< of the trace
  bool paired = false;         ///< another trace ran on the other hardware thread
  Landmarks landmarks;
  ActivityLog log;
  PrivilegeContext context = {};  ///< the bits inverted in its states (IA-64)
};

/// Least length of the blocks of a stimulus, at whose ends counts are compared: drawn from its name, between a quarter
/// and a half of its cycles. Recorded blocks are not divided.
[[nodiscard]] Cycle drawn_length(const std::string& name, Cycle cycles);

/// The traces of a target on which questions are judged, in no order.
[[nodiscard]] std::vector<TraceInput> short_traces(const std::string& target);
/// Their files.
[[nodiscard]] std::vector<InputFile> files_of(const std::vector<TraceInput>& traces);

/// The stimuli of a target in order: every short trace unchanged, alone and then beside another one; then in other
/// modes; then with each occurrence repeated two to four times in a cycle.
class Stimuli {
 public:
  /// The traces are those of short_traces().
  Stimuli(const std::string& target, models::Parameters parameters, const std::vector<TraceInput>& traces);
  Stimuli(const std::string& target, models::Parameters parameters);
  /// The next stimulus that is `wanted`; null if none is left. `wanted` is given stimuli without name and activity,
  /// which are made for the next one only.
  [[nodiscard]] const Stimulus* next(const std::function<bool(const Stimulus&)>& wanted);
  /// Selected activity of all traces, in every mode and context, denser and with other encodings
  /// (activity_transforms.h). Not `thorough`: in fewer contexts.
  [[nodiscard]] Stimulus everything(bool thorough);
  /// All activity of a single trace, likewise. `denser`: each occurrence two to five times in its cycle.
  [[nodiscard]] Stimulus everything_of(const std::filesystem::path& trace, bool denser);

 private:
  struct Trace {
    InputFile file, second;  ///< second: on the other thread, or empty
    std::uintmax_t size = 0;
    Landmarks landmarks;
  };
  /// A transform of every trace; the passes are applied in order.
  struct Pass {
    std::size_t mode = 0;          ///< of the instruction set
    unsigned context = 0;          ///< IA-64
    unsigned times = 1;            ///< repetitions of each occurrence
    bool apart = false;            ///< occurrences are first moved apart
    bool twice = false;            ///< the trace twice in succession
    bool high_occurrence = false;  ///< few occurrences, up to 256 of them in a cycle
    bool often = false;            ///< the trace repeated until a period of the hardware has passed
  };
  [[nodiscard]] const ActivityLog& recorded(std::size_t trace, std::size_t mode);
  /// Sets all of current_ but its name and activity.
  void describe(std::size_t number);
  [[nodiscard]] std::string name_of(const Trace& trace, const Pass& pass) const;
  [[nodiscard]] ActivityLog activity_of(const Pass& pass);
  /// The activity of the stimulus with this name in every context, denser and with other encodings.
  [[nodiscard]] ActivityLog in_every_way(ActivityLog log, const std::string& name, bool thorough) const;

  const models::Target& target_;
  models::Parameters parameters_;
  std::vector<Trace> traces_;
  std::vector<Pass> passes_;
  std::vector<std::vector<std::optional<ActivityLog>>> logs_;  ///< by trace and mode
  std::size_t next_ = 0;
  Stimulus current_;
};

}  // namespace pmusim::testbench::questions
