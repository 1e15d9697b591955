// The plans of all traces of a validation, with the encoder's answers. Traces of one kind ask nearly the same: the plan
// of a kind is made once, and its groups are shared.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testbench/cli/validate_options.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/question/broken_promises.h"
#include "testbench/judge/verdict/parts.h"

namespace pmusim::testbench {

/// What each target leaves out under its parameters, and the rows of which nothing is left.
struct Omissions {
  std::map<std::string, LeftOut> by_target;
  std::map<std::string, std::set<std::string>> rows;

  explicit Omissions(const std::map<std::string, models::Parameters>& parameters);
  /// Says on stderr what is left out.
  void tell() const;
  [[nodiscard]] std::vector<Group> rest_of(const std::string& target, std::vector<Group> plan);
  [[nodiscard]] std::vector<questions::Question> rest_of(const std::string& target,
                                                         std::vector<questions::Question> list) const;
  /// The error if nothing is left to judge, because the parameters left it out.
  [[nodiscard]] std::optional<UsageError> nothing_left() const;
};

class ValidatePlans {
 public:
  /// Without `all_filters` each short trace has one filter in four, others on each: which events a filter restricts is
  /// a fact of models and oracle, and the questions judge an encoder's filters.
  ValidatePlans(const Choice& choice, Omissions& omissions, Answers& answers, bool all_filters)
      : choice_(choice), omissions_(omissions), answers_(answers), all_filters_(all_filters) {}
  /// The groups to judge on a stimulus. The encoder is asked what it has not answered before. Each event of a refused
  /// set is asked for alone: the encoder may lack one of them, or take one event at a time. A set that it does not
  /// support is not judged; one that it calls invalid is.
  [[nodiscard]] AnsweredPlan of(const std::string& target, const TraceInput& stimulus);
  /// The events of a target that the encoder has, as far as the answers tell.
  [[nodiscard]] std::set<std::string>& events(const std::string& target) { return events_[target]; }

 private:
  /// A group and the encoder's answer to it.
  struct Asked : AnsweredGroup {
    bool is_asked = false;
    std::vector<std::shared_ptr<Asked>> alone = {};  ///< its events, if it is a refused set
    bool is_judged = true;                           ///< false: only `alone` is
    std::optional<Group> without_policy = {};        ///< if a policy of the tool changed it
  };
  using List = std::vector<std::shared_ptr<Asked>>;
  /// The plan of the first trace of a kind.
  struct PlanKind {
    Landmarks landmarks;
    List groups;
    std::vector<char> moves;  ///< for each group: it depends on landmarks
  };

  [[nodiscard]] List groups_for(const std::string& target, const TraceInput& stimulus);
  /// The plan of another trace of a kind; with `turn`, one in four of its filters.
  [[nodiscard]] List moved(const std::string& target, const PlanKind& kind, const Landmarks& landmarks,
                           std::optional<std::size_t> turn);
  [[nodiscard]] std::shared_ptr<Asked> shared(const std::string& target, Group group);
  [[nodiscard]] List shared(const std::string& target, std::vector<Group> plan);
  void ask(const std::string& target, const List& list);
  void settle(const std::string& target, Asked& asked);

  const Choice& choice_;
  Omissions& omissions_;
  Answers& answers_;
  bool all_filters_;
  std::map<std::string, std::set<std::string>> events_;  ///< by target
  std::map<std::string, PlanKind> kinds_;
  std::unordered_map<std::string, std::shared_ptr<Asked>> known_;  ///< by target and identity
  /// Groups with their filters set to other landmarks, by the group of the kind and these filters.
  std::map<std::pair<const Asked*, std::string>, std::shared_ptr<Asked>> moved_;
};

}  // namespace pmusim::testbench
