#include "testbench/faults/paper.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/targets.h"
#include "testbench/support/output.h"
#include "testbench/sweep/jobs.h"

namespace pmusim::testbench::faults {

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

void Paper::put(Sheet& sheet, std::size_t question, Answer answer, std::size_t fault) const {
  sheet.exam.questions.push_back(questions_[question]);
  sheet.exam.answers.push_back(std::move(answer));
  sheet.faults.push_back(fault);
}

void Paper::judge(const std::vector<std::size_t>& parts, unsigned jobs, bool once,
                  const std::function<void(std::size_t, Sheet&)>& fill,
                  const std::function<void(std::size_t, std::string, std::string)>& noticed,
                  const std::function<void()>& advance) const {
  const auto work = [&](std::size_t job) {
    Sheet sheet{{"", target_, models::find_target(target_)->parameters(), true, {}, {}, ""}};
    sheet.exam.bare = true;
    sheet.exam.thorough = extent_ == questions::Extent::full;
    fill(parts[job], sheet);
    if (once) sheet.exam.encoders = sheet.faults;
    Json list = Json::array();
    for (const QuestionVerdict& verdict : examine(sheet.exam).questions) {
      if (verdict.verdict == "mismatch")
        list.push_back({sheet.faults[verdict.number], verdict.question, verdict.detail});
    }
    return list.dump();
  };
  const auto name = [&](std::size_t job) { return fmt::format("faults of {}, part {}", target_, parts[job] + 1); };
  run_jobs({parts.size(), work, name}, jobs, [&](std::size_t, const std::string& line) {
    for (const Json& mismatch : Json::parse(line)) noticed(mismatch.at(0), mismatch.at(1), mismatch.at(2));
    if (advance) advance();
  });
}

}  // namespace pmusim::testbench::faults
