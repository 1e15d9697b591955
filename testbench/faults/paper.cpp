#include "testbench/faults/paper.h"

#include <map>
#include <utility>

#include "models/targets.h"

namespace pmusim::testbench::faults {

using questions::Exam;
using questions::Question;

Paper::Paper(const std::string& target, questions::Extent extent, const Admits& admits)
    : target_(target), extent_(extent) {
  const auto right = own_encoder();
  std::map<std::string, std::size_t> numbers;
  std::optional<std::size_t> last;
  for (Question& question : questions::questions_of(target, extent)) {
    Answer answer = right->encode(target, question.group);
    if (admits && !admits(question, answer)) continue;
    before_.push_back(last);
    if (answer.status == Answer::Status::encoded) last = questions_.size();
    events_.push_back(numbers.try_emplace(question.group.checks.front().request.event, numbers.size()).first->second);
    questions_.push_back(std::move(question));
    answers_.push_back(std::move(answer));
  }
}

Exam Paper::blank() const {
  Exam exam{"", target_, models::find_target(target_)->parameters(), true, {}, {}, ""};
  exam.bare = true;
  exam.thorough = extent_ == questions::Extent::full;
  return exam;
}

void Paper::put(Exam& exam, std::size_t question, Answer answer) const {
  exam.questions.push_back(questions_[question]);
  exam.answers.push_back(std::move(answer));
}

}  // namespace pmusim::testbench::faults
