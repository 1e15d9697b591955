#include "testbench/cli/validate_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "testbench/judge/question/plan.h"
#include "testbench/store/this_program.h"

namespace pmusim::testbench {
namespace {

/// What a group is compared with, at two places.
bool same_places(const Group& a, const Group& b) {
  const auto same_write = [](const ExtraWrite& x, const ExtraWrite& y) { return x.reg == y.reg && x.value == y.value; };
  const auto same_request = [](const Check& x, const Check& y) {
    const oracle::Request &p = x.request, &q = y.request;
    return p.address == q.address && p.breakpoint == q.breakpoint && p.ia64 == q.ia64;
  };
  return std::ranges::equal(a.extra, b.extra, same_write) &&
         std::equal(a.checks.begin(), a.checks.end(), b.checks.begin(), same_request) &&
         words_of(a.filters) == words_of(b.filters);
}

Group moved_to(const std::string& target, const Landmarks& landmarks, Group group) {
  move_to(target, landmarks, group);
  return group;
}

/// Landmarks that no trace has.
constexpr Landmarks elsewhere{0x123456780, 0x123457780, 0x123457780, 1, 1, 0x123456780, 0x123457780, 0x123456780};

bool depends_on_landmarks(const std::string& target, const Landmarks& landmarks, const Group& group) {
  return !same_places(moved_to(target, landmarks, group), moved_to(target, elsewhere, group));
}

Landmarks landmarks_of(const TraceInput& stimulus) {
  return stimulus.recorded ? find_landmarks_of_activity(stimulus.file) : find_landmarks(stimulus.file);
}

}  // namespace

Omissions::Omissions(const std::map<std::string, models::Parameters>& parameters) {
  for (const auto& [target, set] : parameters) by_target.try_emplace(target, target, set);
}

void Omissions::tell() const {
  for (const auto& [target, left_out] : by_target) {
    if (left_out.any())
      std::cerr << "pmusim: " << target << ": questions without a right answer are left out; " << left_out.reasons()
                << '\n';
  }
}

std::vector<Group> Omissions::rest_of(const std::string& target, std::vector<Group> plan) {
  const LeftOut& left_out = by_target.at(target);
  if (left_out.any()) rows[target].merge(left_out.rows_lost(plan));
  left_out.remove_from(plan);
  return plan;
}

std::vector<questions::Question> Omissions::rest_of(const std::string& target,
                                                    std::vector<questions::Question> list) const {
  const LeftOut& left_out = by_target.at(target);
  std::erase_if(list, [&](const questions::Question& question) { return left_out.concerns(question.group); });
  return list;
}

std::optional<UsageError> Omissions::nothing_left() const {
  for (const auto& [target, left_out] : by_target) {
    if (left_out.any()) return UsageError("{}: every question is left out; {}", target, left_out.reasons());
  }
  return std::nullopt;
}

std::shared_ptr<ValidatePlans::Asked> ValidatePlans::shared(const std::string& target, Group group) {
  std::shared_ptr<Asked>& asked = known_[target + ' ' + identity_of(group, {})];
  if (asked == nullptr) {
    asked = std::make_shared<Asked>();
    asked->group = std::move(group);
  }
  return asked;
}

ValidatePlans::List ValidatePlans::shared(const std::string& target, std::vector<Group> plan) {
  List list;
  for (Group& group : plan) list.push_back(shared(target, std::move(group)));
  return list;
}

ValidatePlans::List ValidatePlans::moved(const std::string& target, const PlanKind& kind, const Landmarks& landmarks,
                                         std::optional<std::size_t> turn) {
  std::map<unsigned, std::string> filters;  // by number, at these landmarks
  const auto filters_of = [&](unsigned filter) -> const std::string& {
    const auto [place, is_new] = filters.try_emplace(filter);
    if (is_new) place->second = words_of(moved_to(target, landmarks, Group{.checks = {}, .filter = filter}).filters);
    return place->second;
  };
  List list;
  for (std::size_t g = 0; g < kind.groups.size(); ++g) {
    const Asked& asked = *kind.groups[g];
    const unsigned filter = asked.group.filter;
    if (turn && filter != 0 && (*turn + filter) % turns_on_long != 0) continue;
    if (kind.moves[g] == 0) {
      list.push_back(kind.groups[g]);
      continue;
    }
    const Group& group = asked.without_policy ? *asked.without_policy : asked.group;
    if (group.filter == 0 || !group.extra.empty()) {
      list.push_back(shared(target, moved_to(target, landmarks, group)));
      continue;
    }
    std::shared_ptr<Asked>& there = moved_[{&asked, filters_of(group.filter)}];
    if (there == nullptr) there = shared(target, moved_to(target, landmarks, group));
    list.push_back(there);
  }
  return list;
}

ValidatePlans::List ValidatePlans::groups_for(const std::string& target, const TraceInput& stimulus) {
  if (!stimulus.second.empty() || !choice_.questions.empty())
    return shared(target, omissions_.rest_of(target, plan_of(target, stimulus, choice_)));
  const Landmarks landmarks = landmarks_of(stimulus);
  const std::string name = fmt::format("{} {} {}", target, static_cast<int>(stimulus.depth),
                                       stimulus.depth == Depth::full ? 0 : landmarks.turn() % turns_on_long);
  const auto [place, is_new] = kinds_.try_emplace(name);
  PlanKind& kind = place->second;
  if (is_new) {
    kind.landmarks = landmarks;
    kind.groups =
        shared(target, omissions_.rest_of(target, make_plan(target, stimulus.depth, landmarks, choice_.only)));
    for (const auto& asked : kind.groups)
      kind.moves.push_back(depends_on_landmarks(target, landmarks, asked->group) ? 1 : 0);
  }
  if (!all_filters_ && stimulus.depth == Depth::full) return moved(target, kind, landmarks, turn_of(stimulus.file));
  return landmarks == kind.landmarks ? kind.groups : moved(target, kind, landmarks, {});
}

void ValidatePlans::settle(const std::string& target, Asked& asked) {
  const Answer::Status status = asked.answer.status;
  asked.is_asked = status != Answer::Status::missing;
  if (status == Answer::Status::encoded) {
    for (const Check& check : asked.group.checks) events_[target].insert(check.request.event);
  }
  if (choice_.questions.empty() && (status == Answer::Status::unsupported || status == Answer::Status::invalid)) {
    asked.alone = shared(target, apart(asked.group));
    asked.is_judged = asked.alone.empty() || status == Answer::Status::invalid;
  }
  if (!names_of(asked.answer.policy).empty()) asked.without_policy = asked.group;
  apply(asked.answer.policy, asked.group);
  asked.digest = digest_of(identity_of(asked.group, asked.answer));
}

void ValidatePlans::ask(const std::string& target, const List& list) {
  std::vector<Asked*> open;
  for (const auto& asked : list) {
    if (asked->is_asked) continue;
    asked->is_asked = true;  // in this call
    open.push_back(asked.get());
  }
  if (open.empty()) return;
  std::vector<const Group*> groups;
  for (const Asked* const asked : open) groups.push_back(&asked->group);
  std::vector<Answer> answers = answers_.of(target, groups);
  List alone;
  for (std::size_t i = 0; i < open.size(); ++i) {
    open[i]->answer = std::move(answers[i]);
    settle(target, *open[i]);
    alone.insert(alone.end(), open[i]->alone.begin(), open[i]->alone.end());
  }
  ask(target, alone);
}

AnsweredPlan ValidatePlans::of(const std::string& target, const TraceInput& stimulus) {
  const List list = groups_for(target, stimulus);
  ask(target, list);
  AnsweredPlan plan;
  for (const auto& asked : list) {
    if (asked->is_judged) plan.push_back(asked);
  }
  for (const auto& asked : list) plan.insert(plan.end(), asked->alone.begin(), asked->alone.end());
  return plan;
}

}  // namespace pmusim::testbench
