// The options of `pmusim validate`, and what they ask for.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/cli/validate_modes.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/store/cache.h"
#include "testbench/support/arguments.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {

/// A part of a target's questions.
struct QuestionPart {
  std::size_t number = 0, of = 1;
};

/// The user's choice of questions.
struct Choice {
  std::string only;                    ///< patterns of events
  std::vector<std::string> questions;  ///< to be asked in this order, as a mismatch names them; none: all
  questions::Extent extent = questions::Extent::full;
};

/// The groups judged on a stimulus; with two threads, on each of them.
[[nodiscard]] std::vector<Group> plan_of(const std::string& target, const TraceInput& stimulus, const Choice& choice);
/// Each event of a set alone; none if the set has one event, or its filters need all.
[[nodiscard]] std::vector<Group> apart(const Group& group);
/// Whether the choice names questions and all of them are questions to the target, so that no trace's plan has to be
/// searched for them.
[[nodiscard]] bool are_questions(const std::string& target, const Choice& choice);
/// A part of the questions to a target; the named ones, if the choice names some.
[[nodiscard]] std::vector<questions::Question> questions_of(const std::string& target, const QuestionPart& part,
                                                            const Choice& choice);
/// The targets of which the patterns may select an event. Throws nothing_selected() if there is none.
[[nodiscard]] std::vector<std::string> selected_targets(std::vector<std::string> targets, const std::string& patterns);
/// The error for patterns that select no event of these targets; it names the nearest event.
[[nodiscard]] UsageError nothing_selected(const std::vector<std::string>& targets, const std::string& patterns);

[[nodiscard]] Options validate_options();

/// What a validation judges. Throws UsageError for options that do not go together.
struct ValidateRequest {
  explicit ValidateRequest(const Arguments& arguments);

  std::vector<TraceInput> recordings;                    ///< --activity
  std::vector<std::string> wanted;                       ///< targets
  std::vector<std::string> targets;                      ///< those of them of which an event is selected
  std::vector<std::string> settings;                     ///< --set
  std::map<std::string, models::Parameters> parameters;  ///< by target
  Choice choice;
  Shard shard;
  std::vector<std::string> traces;  ///< --trace
  std::string second;               ///< --second
  bool all_traces = false;
  std::optional<ForeignProgram> program;
  std::optional<std::string> journal;
  [[nodiscard]] bool quick() const { return choice.extent == questions::Extent::quick; }
  /// The whole of each target is judged.
  [[nodiscard]] bool whole() const { return shard.count == 1 && !quick() && choice.questions.empty(); }
};

/// The files of --activity, which replace traces: their core has already run. Throws UsageError for options that cannot
/// be combined with them.
[[nodiscard]] std::vector<TraceInput> recordings_of(const Arguments& arguments);
/// Their targets, without duplicates.
[[nodiscard]] std::vector<std::string> recorded_targets(const std::vector<TraceInput>& recordings);

/// Adds --cache, --no-cache, --cache-size.
[[nodiscard]] Options cache_options();
/// The cache that the options name: --cache DIR, or $PMUSIM_CACHE, or pmusim in $XDG_CACHE_HOME or ~/.cache. Returns
/// null with --no-cache, with PMUSIM_CACHE=off, and for a folder that cannot be written; the last case prints a note.
[[nodiscard]] std::unique_ptr<Cache> cache_of(const Arguments& arguments);
/// Reduces the cache to its size limit, and prints its problem if there was one.
void close_cache(Cache* cache);

}  // namespace pmusim::testbench
