#include "testbench/judge/encoder/answers.h"

#include <algorithm>
#include <utility>

namespace pmusim::testbench {

std::vector<Answer> Answers::of(const std::string& target, const std::vector<const Group*>& groups) {
  std::vector<Answer*> places;
  std::vector<const Group*> unknown;
  std::vector<Answer*> asked;
  for (const Group* const group : groups) {
    std::string key = target + ' ' + group->question();
    const auto settled = settled_.find(key);
    if (settled != settled_.end() && settled->second.status != Answer::Status::missing) {
      places.push_back(&settled->second);
      continue;
    }
    const auto [found, is_new] = known_.try_emplace(std::move(key));
    Answer& place = found->second;
    places.push_back(&place);
    if (!is_new && place.status != Answer::Status::missing) continue;
    place.status = Answer::Status::encoded;  // requested in this call
    unknown.push_back(group);
    asked.push_back(&place);
  }
  if (progress_ != nullptr) progress_->expect(unknown.size());
  std::vector<Answer> answered = candidate_.encode_all(target, unknown, [&] {
    if (progress_ != nullptr) progress_->advance(target);
  });
  for (std::size_t i = 0; i < asked.size(); ++i) *asked[i] = std::move(answered.at(i));
  std::vector<Answer> answers;
  std::size_t next = 0;  // index among those requested
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const bool was_asked = next < unknown.size() && unknown[next] == groups[i];
    next += was_asked;
    if (!was_asked && places[i]->status == Answer::Status::missing) *places[i] = candidate_.encode(target, *groups[i]);
    answers.push_back(*places[i]);
  }
  return answers;
}

bool any_missing(const std::vector<Answer>& answers) {
  return std::any_of(answers.begin(), answers.end(),
                     [](const Answer& answer) { return answer.status == Answer::Status::missing; });
}

}  // namespace pmusim::testbench
