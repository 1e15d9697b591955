#include "testbench/judge/trial/exam.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "testbench/judge/trial/examined.h"

namespace pmusim::testbench::questions {
namespace {

/// Key of the cache's entry with the verdicts of this job.
CacheKey key_of(const Exam& exam, const std::vector<TraceInput>& traces) {
  const std::size_t configuration = exam.job.find('|', exam.job.find('|') + 1);
  return exam.cache->key(
      "questions", exam.target, exam.parameters, files_of(traces),
      exam.job.substr(0, configuration) + (exam.as_shipped ? "" : " set") + (exam.thorough ? "" : " quick"));
}

bool same_registers(const Answer& a, const Answer& b) {
  return std::equal(a.registers.begin(), a.registers.end(), b.registers.begin(), b.registers.end(),
                    [](const encoder::RegisterValue& one, const encoder::RegisterValue& other) {
                      return one.name == other.name && one.value == other.value;
                    });
}

/// The questions for Exam::stale. An encoder that keeps a state may give the registers of an earlier request.
std::vector<std::string> stale_of(const Exam& exam) {
  std::vector<std::string> stale(exam.questions.size());
  const auto own_encoder_of_target = own_encoder();
  const auto right_for = [&](const Group& group) { return own_encoder_of_target->encode(exam.target, group); };
  std::string before;
  Answer of_before;
  std::size_t wrong_ones = 0, stale_ones = 0;
  const auto move_on = [&](const Group& group, Answer right) {
    if (right.status != Answer::Status::encoded) return;  // a refusal has no registers to keep
    before = group.question();
    of_before = std::move(right);
  };
  if (exam.before) move_on(*exam.before, right_for(*exam.before));
  for (std::size_t i = 0; i < exam.questions.size(); ++i) {
    const Answer& answer = exam.answers[i];
    Answer right = right_for(exam.questions[i].group);
    const bool wrong = answer.status == Answer::Status::encoded && right.status == Answer::Status::encoded &&
                       !same_registers(answer, right);
    if (wrong && !before.empty() && same_registers(answer, of_before)) stale[i] = before;
    wrong_ones += wrong ? 1 : 0;
    stale_ones += stale[i].empty() ? 0 : 1;
    move_on(exam.questions[i].group, std::move(right));
  }
  // A few answers may have these registers for another reason: an attribute that the question before did not have.
  if (2 * stale_ones < wrong_ones) stale.assign(stale.size(), "");
  return stale;
}

/// The parts of an exam.
class ExamParts final : public JobOfParts {
 public:
  explicit ExamParts(const Exam& exam)
      : exam_(exam),
        traces_(exam.traces.empty() ? short_traces(exam.target) : exam.traces),
        stale_(exam.bare ? std::vector<std::string>{} : stale_of(exam)) {
    std::vector<const Group*> groups;
    for (const Question& question : exam.questions) groups.push_back(&question.group);
    parts_ = parts_of(groups);
  }

 private:
  [[nodiscard]] std::size_t parts() const override { return parts_.size(); }
  /// A run that stops at a mismatch has no complete verdicts on parts to keep.
  [[nodiscard]] KeptVerdicts open_kept() const override {
    if (exam_.bare || exam_.cache == nullptr) return {};
    return {*exam_.cache, key_of(exam_, traces_), exam_.reproduce};
  }
  /// The sum. Verdicts that depend on the answer alone come first, each group in the order of the questions.
  [[nodiscard]] JobVerdict joined(const std::vector<JobVerdict>& judged) const override {
    std::vector<JobVerdict> verdicts = judged;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      for (QuestionVerdict& question : verdicts[part].questions) question.number = parts_[part].groups[question.number];
    }
    JobVerdict verdict;
    verdict.job = exam_.job;
    verdict.target = exam_.target;
    verdict.trace = "questions";
    verdict.provenance = Provenance::directive;
    verdict = join(std::move(verdict), verdicts, {~std::size_t{0}, examples_of_cause});
    std::sort(verdict.questions.begin(), verdict.questions.end(),
              [](const QuestionVerdict& a, const QuestionVerdict& b) {
                return std::tie(b.at_once, a.number) < std::tie(a.at_once, b.number);
              });
    return verdict;
  }
  [[nodiscard]] std::string identity(std::size_t part) const override {
    std::string text;
    for (const std::size_t q : parts_[part].groups) {
      const Question& question = exam_.questions[q];
      text += fmt::format("{} {}\n", question.interrupts, question.illegal);
      for (const bool silent : question.silent) text += silent ? "silent\n" : "interrupts\n";
      if (question.form) text += identity_of(*question.form, question.values);
      if (!stale_.empty() && !stale_[q].empty()) text += fmt::format("answered as {}\n", stale_[q]);
      text += identity_of(question.group, exam_.answers[q]);
    }
    return text;
  }
  [[nodiscard]] bool answered(std::size_t part) const override {
    return std::all_of(parts_[part].groups.begin(), parts_[part].groups.end(),
                       [&](std::size_t q) { return exam_.answers[q].status != Answer::Status::missing; });
  }
  void judge(const std::vector<std::size_t>& missing, std::vector<JobVerdict>& verdicts) const override {
    Exam rest = exam_;
    rest.traces = traces_;
    rest.questions.clear();
    rest.answers.clear();
    rest.encoders.clear();
    std::vector<VerdictPosition> places;
    for (const std::size_t part : missing) {
      for (std::size_t i = 0; i < parts_[part].groups.size(); ++i) {
        const std::size_t q = parts_[part].groups[i];
        rest.questions.push_back(exam_.questions[q]);
        rest.answers.push_back(exam_.answers[q]);
        if (!exam_.encoders.empty()) rest.encoders.push_back(exam_.encoders[q]);
        if (!stale_.empty()) rest.stale.push_back(stale_[q]);
        places.push_back({part, i});
      }
    }
    examine(rest, verdicts, places);
  }

  const Exam& exam_;
  std::vector<TraceInput> traces_;
  std::vector<std::string> stale_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<JobOfParts> job_of(const Exam& exam) { return std::make_unique<ExamParts>(exam); }

JobVerdict examine(const Exam& exam) { return ExamParts(exam).judged(); }

std::vector<Question> part_of(std::vector<Question> questions, std::size_t part, std::size_t parts) {
  std::map<std::string, std::size_t> events;
  std::vector<Question> own;
  for (Question& question : questions) {
    const std::string& event = question.group.checks.front().request.event;
    if (events.try_emplace(event, events.size()).first->second % parts == part) own.push_back(std::move(question));
  }
  return own;
}

}  // namespace pmusim::testbench::questions
