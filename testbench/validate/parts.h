// A plan or a list of questions in parts: the groups that name the same events. Each part has a verdict of its own, so
// that a change of one event's encoding leaves the others as they are; all together are the verdict of the job.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "testbench/validate/cache.h"
#include "testbench/validate/candidate.h"
#include "testbench/validate/plan.h"
#include "testbench/validate/verdict.h"

namespace pmusim::testbench {

struct Part {
  std::string events;               ///< their names
  std::vector<std::size_t> groups;  ///< by number
};
/// In the order of their first groups.
[[nodiscard]] std::vector<Part> parts_of(const std::vector<const Group*>& groups);

/// All that a verdict on an answer to a group depends on beside target, traces and parameters.
[[nodiscard]] std::string identity_of(const Group& group, const Answer& answer);

/// What there is to know of the parts of a job to judge those that the cache does not have.
struct PartJudge {
  std::size_t parts = 0;
  /// Of a part: all that its verdict depends on beside what the cache's file is named after.
  std::function<std::string(std::size_t part)> identity;
  /// The encoder answered all of it; else it is asked again next time.
  std::function<bool(std::size_t part)> answered;
  /// Puts the verdicts of the missing parts in their places.
  std::function<void(const std::vector<std::size_t>& missing, std::vector<JobVerdict>& verdicts)> judge;
};
/// The verdicts of all parts.
[[nodiscard]] std::vector<JobVerdict> verdicts_of(const PartJudge& parts, KeptVerdicts& kept);

/// More mismatches than these are counted, not listed, but for the first of each part.
struct Listing {
  std::size_t most = 50;
  std::size_t most_of_cause = ~std::size_t{0};
};
/// Adds the parts, in their order, to what is said of the job.
[[nodiscard]] JobVerdict join(JobVerdict job, const std::vector<JobVerdict>& parts, const Listing& listing);

}  // namespace pmusim::testbench
