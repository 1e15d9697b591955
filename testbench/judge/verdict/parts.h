// Splits a plan or a list of questions into parts: the groups that name the same events. Each part has its own verdict,
// so that a changed encoding of one event leaves the other verdicts valid. The verdict of the job is the sum of its
// parts.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/plan.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/store/cache.h"

namespace pmusim::testbench {

// The verdicts on the parts of one job, in one entry of the cache.

class KeptVerdicts {
 public:
  /// Nothing is kept.
  KeptVerdicts() = default;
  /// `prefix` is the beginning of the command that reproduces a mismatch; the file does not contain it.
  KeptVerdicts(Cache& cache, CacheKey key, std::string prefix);
  [[nodiscard]] bool keeps() const { return cache_ != nullptr; }
  /// Null if no part with this identity has been judged.
  [[nodiscard]] std::optional<JobVerdict> find(const std::string& identity) const;
  void put(const std::string& identity, const JobVerdict& verdict);
  /// Writes the file if there are new verdicts. Verdicts that this run did not request are kept up to a limit.
  void save();

 private:
  Cache* cache_ = nullptr;
  std::optional<CacheKey> key_;
  std::string prefix_;
  std::map<std::string, std::string> known_;         ///< packed, by digest of the identity
  mutable std::map<std::string, std::string> used_;  ///< in this run
  bool changed_ = false;
};

struct Part {
  std::string events;               ///< names of the events
  std::vector<std::size_t> groups;  ///< indices of the groups
};
/// In the order of their first groups.
[[nodiscard]] std::vector<Part> parts_of(const std::vector<const Group*>& groups);

/// Everything on which a verdict on an answer to a group depends, besides target, traces and parameters.
[[nodiscard]] std::string identity_of(const Group& group, const Answer& answer);

/// A group with the answer to it. Jobs that ask the same share it.
struct AnsweredGroup {
  Group group;
  Answer answer;
  std::string digest = {};  ///< of identity_of(group, answer), once there is an answer
};
using AnsweredPlan = std::vector<std::shared_ptr<const AnsweredGroup>>;
/// The groups of a plan, which lives longer.
[[nodiscard]] std::vector<const Group*> groups_of(const AnsweredPlan& plan);
/// A plan that nothing shares.
[[nodiscard]] AnsweredPlan answered_plan(std::vector<Group> groups, std::vector<Answer> answers);

/// Limits of the mismatches that are listed; further ones are only counted, except the first one of each part.
struct Listing {
  std::size_t most = 50;
  std::size_t most_of_cause = ~std::size_t{0};
};
/// Adds the parts, in their order, to the verdict of the job.
[[nodiscard]] JobVerdict join(JobVerdict job, const std::vector<JobVerdict>& parts, const Listing& listing);

/// A job that is judged by parts: those that the cache does not have.
class JobOfParts {
 public:
  JobOfParts() = default;
  JobOfParts(const JobOfParts&) = delete;
  JobOfParts& operator=(const JobOfParts&) = delete;
  virtual ~JobOfParts() = default;
  /// The verdict if the cache has all parts. Reads the cache at the first call.
  [[nodiscard]] std::optional<JobVerdict> kept();
  /// Judges the other parts and keeps their verdicts. May run in a child of the process that called kept().
  [[nodiscard]] JobVerdict judged();

 private:
  void find_parts();
  [[nodiscard]] virtual std::size_t parts() const = 0;
  [[nodiscard]] virtual KeptVerdicts open_kept() const = 0;
  /// Everything on which the verdict on a part depends, besides what the name of the cache file contains.
  [[nodiscard]] virtual std::string identity(std::size_t part) const = 0;
  /// True if the encoder answered all of the part. If not, it is asked again next time.
  [[nodiscard]] virtual bool answered(std::size_t part) const = 0;
  /// Inserts the verdicts of the missing parts.
  virtual void judge(const std::vector<std::size_t>& missing, std::vector<JobVerdict>& verdicts) const = 0;
  [[nodiscard]] virtual JobVerdict joined(const std::vector<JobVerdict>& verdicts) const = 0;

  KeptVerdicts kept_;
  std::vector<JobVerdict> verdicts_;  ///< of the parts; empty before kept_ is read
  std::vector<std::string> identities_;
  std::vector<std::size_t> missing_;
};

}  // namespace pmusim::testbench
