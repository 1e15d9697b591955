#include "testbench/judge/trial/exam.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "testbench/judge/trial/examination.h"
#include "testbench/judge/trial/examined.h"
#include "testbench/judge/verdict/parts.h"

namespace pmusim::testbench::questions {
namespace {

/// Key of the cache's entry with the verdicts of this job.
CacheKey key_of(const Exam& exam, const std::vector<TraceInput>& traces) {
  const std::size_t configuration = exam.job.find('|', exam.job.find('|') + 1);
  return exam.cache->key("questions", exam.target, exam.parameters, files_of(traces),
                         exam.job.substr(0, configuration) + (exam.as_shipped ? "" : " set"));
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

}  // namespace

JobVerdict examine(const Exam& exam) {
  const std::vector<TraceInput> traces = exam.traces.empty() ? short_traces(exam.target) : exam.traces;
  const std::vector<std::string> stale = exam.bare ? std::vector<std::string>{} : stale_of(exam);
  JobVerdict verdict;
  verdict.job = exam.job;
  verdict.target = exam.target;
  verdict.trace = "questions";
  verdict.provenance = Provenance::directive;

  std::vector<const Group*> groups;
  for (const Question& question : exam.questions) groups.push_back(&question.group);
  const std::vector<Part> parts = parts_of(groups);
  const auto identity = [&](std::size_t part) {
    std::string text;
    for (const std::size_t q : parts[part].groups) {
      const Question& question = exam.questions[q];
      text += fmt::format("{} {}\n", question.interrupts, question.illegal);
      for (const bool silent : question.silent) text += silent ? "silent\n" : "interrupts\n";
      if (question.form) text += identity_of(*question.form, question.values);
      if (!stale.empty() && !stale[q].empty()) text += fmt::format("answered as {}\n", stale[q]);
      text += identity_of(question.group, exam.answers[q]);
    }
    return text;
  };
  const auto answered = [&](std::size_t part) {
    return std::all_of(parts[part].groups.begin(), parts[part].groups.end(),
                       [&](std::size_t q) { return exam.answers[q].status != Answer::Status::missing; });
  };
  const auto examine_missing = [&](const std::vector<std::size_t>& missing, std::vector<JobVerdict>& verdicts) {
    Exam rest = exam;
    rest.traces = traces;
    rest.questions.clear();
    rest.answers.clear();
    rest.encoders.clear();
    std::vector<Place> places;
    for (const std::size_t part : missing) {
      for (std::size_t i = 0; i < parts[part].groups.size(); ++i) {
        rest.questions.push_back(exam.questions[parts[part].groups[i]]);
        rest.answers.push_back(exam.answers[parts[part].groups[i]]);
        if (!exam.encoders.empty()) rest.encoders.push_back(exam.encoders[parts[part].groups[i]]);
        if (!stale.empty()) rest.stale.push_back(stale[parts[part].groups[i]]);
        places.push_back({part, i});
      }
    }
    examine(rest, verdicts, places);
  };
  // A run that stops at a mismatch has no complete verdicts on parts to keep.
  KeptVerdicts kept = exam.bare || exam.cache == nullptr
                          ? KeptVerdicts()
                          : KeptVerdicts(*exam.cache, key_of(exam, traces), exam.reproduce);
  auto verdicts = verdicts_of({parts.size(), identity, answered, examine_missing}, kept);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (QuestionVerdict& question : verdicts[part].questions) question.number = parts[part].groups[question.number];
  }
  verdict = join(std::move(verdict), verdicts, {~std::size_t{0}, examples_of_cause});
  // Verdicts that depend on the answer alone come first, each group in the order of the questions.
  std::sort(verdict.questions.begin(), verdict.questions.end(), [](const QuestionVerdict& a, const QuestionVerdict& b) {
    return std::tie(b.at_once, a.number) < std::tie(a.at_once, b.number);
  });
  return verdict;
}

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
