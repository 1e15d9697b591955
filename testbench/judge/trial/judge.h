// Judges one plan on one trace: programs every answer over the bus, runs the trace once, and compares every
// counter with the oracle.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "models/targets.h"
#include "testbench/driver/activity_source.h"
#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/verdict/parts.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/store/cache.h"
#include "testbench/store/input_file.h"

namespace pmusim::testbench {

struct Task {
  std::string job;  ///< identity in reports and journals
  std::string target;
  InputFile trace;              ///< or an activity file
  InputFile second_trace = {};  ///< trace of the second hardware thread; empty if there is none
  Provenance provenance = Provenance::real;
  models::Parameters parameters;
  std::vector<Group> plan;
  std::vector<Answer> answers;                   ///< of the candidate, one per group of the plan
  std::string reproduce;                         ///< command line without the event
  const std::set<std::string>* known = nullptr;  ///< events that the encoder has; null: all
  bool identities = false;                       ///< check the relations that the manuals state
  std::string only = {};                         ///< patterns of the events of these relations
  bool whole = true;                             ///< false: without the idle groups of the plan (expectations.h)
  bool recorded = false;                         ///< `trace` is an activity file, which is replayed
  Cache* cache = nullptr;                        ///< keeps activity and verdicts; null: nothing is kept

  // Replaceable parts, for tests; the defaults are those being validated.
  const models::Target* model = nullptr;  ///< used instead of the target of that name
  std::function<std::unique_ptr<oracle::Counter>(const std::vector<oracle::Request>&, const oracle::ParameterLookup&)>
      make_counter;                       ///< the oracle
  const ActivityLog* activity = nullptr;  ///< replayed without SystemC instead of running the trace
};

/// The job that judges the answers of `plan`, which must outlive it; those of the task are ignored. The verdict of a
/// part (parts.h) depends only on target, traces, parameters, groups and answers of that part, so that the cache can
/// keep it for another run. Judging runs one SystemC simulation, so do it once per process, unless the activity is
/// given.
[[nodiscard]] std::unique_ptr<JobOfParts> job_of(Task task, const AnsweredPlan& plan);
/// Judges the answers of the task itself.
[[nodiscard]] JobVerdict judge(Task task);

}  // namespace pmusim::testbench
