// The validation of one target on its short traces, repeatable with one thing changed: plan and comparison are those of
// `pmusim validate`, the activity is recorded once and replayed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testbench/driver/activity_log.h"
#include "testbench/judge/question/groups.h"
#include "testbench/judge/trial/judging_bench.h"

namespace pmusim::perturbation {

using testbench::Answer;
using testbench::Exchange;
using testbench::Group;

/// `EVENT` or `EVENT:UMASK`.
using Rows = std::set<std::string>;
/// Parameters by name and value.
using Settings = std::vector<std::pair<std::string, std::int64_t>>;

/// Only one in this many changes is tried: PMUSIM_PERTURB_EVERY if set, else `usually` times PMUSIM_PERTURB_COARSER;
/// under a sanitizer ten times this number.
[[nodiscard]] std::size_t sampling(std::size_t usually = 1);
/// The same for cases that each judge a whole target: one in at most four (under a sanitizer, one in forty).
[[nodiscard]] std::size_t sampling_of_targets();

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
  Findings judge_all(testbench::Depth depth, const Exchange& exchange = {});
  /// True if any check of the rows fails on any trace.
  bool notices(const Rows& rows, const Exchange& exchange);
  /// The same for the sets of events that the rows are asked for in, where they may have other counters than alone.
  bool notices_in_sets(const Rows& rows, const Exchange& exchange);
  /// The same for the checks of a given plan.
  bool notices(const std::vector<Group>& plan, const Exchange& exchange);

 private:
  struct Stimulus {
    std::filesystem::path trace, second_trace;
    testbench::Landmarks landmarks;
    std::optional<testbench::Landmarks> second;  ///< of the trace on the other hardware thread, if any
    testbench::ActivityLog log;
  };
  /// By row: its checks, each in a group of its own; the groups in which it is asked for beside other events.
  struct Plan {
    std::map<std::string, std::vector<Group>> alone, in_sets;
  };
  std::vector<Group> whole_plan(const Stimulus& stimulus, testbench::Depth depth, testbench::questions::Extent extent);
  std::vector<Group> plan_for(const Stimulus& stimulus, const Rows& rows, bool in_sets = false);
  const Answer& own_answer(const Group& group);
  testbench::JobVerdict judge(const Stimulus& stimulus, std::vector<Group> plan, const Exchange& exchange);

  testbench::JudgingBench bench_;
  std::vector<Stimulus> stimuli_;
  std::map<std::string, Answer> answers_;   ///< of our own encoder, by request
  Plan plan_, pair_plan_;                   ///< on one trace; on one trace for each of two threads
  std::map<Rows, std::size_t> noticed_on_;  ///< the stimulus that last detected a change of the rows
};

/// The shared bench of a target with default parameters.
Bench& bench_of(const std::string& target);

}  // namespace pmusim::perturbation
