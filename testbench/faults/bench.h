// The validation of one target on its short traces, repeatable with one thing changed: plan and comparison are those of
// `pmusim validate`, the activity is recorded once and replayed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbench/driver/activity_source.h"
#include "testbench/faults/fault.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/trial/judging_bench.h"

namespace pmusim::testbench::faults {

/// `EVENT` or `EVENT:UMASK`.
using Rows = std::set<std::string>;
/// Parameters by name and value.
using Settings = std::vector<std::pair<std::string, std::int64_t>>;

/// The result of one pass over all traces.
struct Findings {
  std::uint64_t checks = 0;
  std::vector<std::string> mismatches;  ///< one sentence each
  Rows exercised;
};

class Bench {
 public:
  /// Runs the core on every `stride`-th short trace, and every `stride`-th pair of them on two threads. Throws
  /// models::ParameterError if the core rejects the settings.
  explicit Bench(const std::string& target, const Settings& settings = {}, std::size_t stride = 1);

  [[nodiscard]] const std::string& target() const { return bench_.target(); }
  [[nodiscard]] models::Parameters& parameters() { return bench_.parameters(); }
  /// Runs all checks on all traces. `depth` as for the plan.
  Findings judge_all(Depth depth, const Exchange& exchange = {});
  /// True if any check of the rows fails on any trace.
  bool notices(const Rows& rows, const Exchange& exchange);
  /// Who notices: the quick questions about the rows, or all checks of them, alone or in sets of events, where they may
  /// have other counters than alone; or missed.
  Verdict verdict(const Rows& rows, const Exchange& exchange);
  /// The same for the checks of a given plan.
  bool notices(const std::vector<Group>& plan, const Exchange& exchange);

 private:
  struct Stimulus {
    std::filesystem::path trace, second_trace;
    Landmarks landmarks;
    std::optional<Landmarks> second;  ///< of the trace on the other hardware thread, if any
    ActivityLog log;
  };
  enum class Part : std::uint8_t { quick, alone, in_sets };
  /// By row: the quick questions; all checks, each in a group of its own; the groups in which it is asked for beside
  /// other events.
  using Plan = std::map<std::pair<Part, std::string>, std::vector<Group>>;
  std::vector<Group> whole_plan(const Stimulus& stimulus, Depth depth, questions::Extent extent);
  std::vector<Group> questions_for(const Stimulus& stimulus, questions::Extent extent);
  void collect(Plan& plan, Part part, const std::vector<Group>& groups);
  std::vector<Group> plan_for(const Stimulus& stimulus, const Rows& rows, Part part);
  bool notices(const Rows& rows, const Exchange& exchange, Part part);
  const Answer& own_answer(const Group& group);
  JobVerdict judge(const Stimulus& stimulus, std::vector<Group> plan, const Exchange& exchange);

  JudgingBench bench_;
  std::vector<Stimulus> stimuli_;
  std::map<std::string, Answer> answers_;                    ///< of our own encoder, by request
  Plan plan_, pair_plan_;                                    ///< on one trace; on one trace for each of two threads
  std::map<std::pair<Part, Rows>, std::size_t> noticed_on_;  ///< the stimulus that last told a change of the rows
};

/// The shared bench of a target with default parameters.
Bench& bench_of(const std::string& target);

}  // namespace pmusim::testbench::faults
