#include "testbench/questions/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/targets.h"
#include "testbench/cli/command.h"
#include "testbench/questions/defects.h"
#include "testbench/questions/exam.h"
#include "testbench/validate/jobs.h"
#include "testbench/validate/only.h"

namespace pmusim::testbench::questions {
namespace {

bool same(const Answer& a, const Answer& b) {
  return a.status == b.status && a.registers == b.registers && a.counters == b.counters && a.presets == b.presets;
}

/// What came of one extent of the questions.
struct Outcome {
  bool differs = false;
  std::string by;  ///< empty: not noticed
};

/// Questions with the right answers, the same for every defect of a target.
struct Paper {
  std::vector<Question> questions;
  std::vector<Answer> answers;
};
Paper paper_of(const std::string& target, Extent extent) {
  Paper paper{questions_of(target, extent), {}};
  const std::unique_ptr<Candidate> right = own_encoder();
  for (const Question& question : paper.questions) paper.answers.push_back(right->encode(target, question.group));
  return paper;
}

/// Whether a defect changes an answer, or a question so that it is another one.
bool fits(const std::string& target, const Defect& defect, const Paper& paper) {
  if (defect.instead_of_refusal) return true;
  const std::unique_ptr<Candidate> right = own_encoder();
  for (std::size_t i = 0; i < paper.questions.size(); ++i) {
    const Group& asked = paper.questions[i].group;
    Group group = asked;
    if (defect.ask) {
      defect.ask(target, group);
      if (group.question() == asked.question() && group.samples() == asked.samples()) continue;
      if (!same(right->encode(target, group), paper.answers[i])) return true;
    }
    if (!defect.spoil || paper.answers[i].status != Answer::Status::encoded) continue;
    Answer answer = paper.answers[i];
    const Answer nothing;
    defect.spoil({target, group, i == 0 ? nothing : paper.answers[i - 1]}, answer);
    if (!same(answer, paper.answers[i])) return true;
  }
  return false;
}

Outcome ask(const std::string& target, const Defect& defect, const std::string& program, const Paper& paper) {
  const std::string command = fmt::format("'{}' encode --serve -t {} --defect '{}'", program, target, defect.name);
  const std::unique_ptr<Candidate> defective = foreign_encoder({command});
  Exam exam{"", target, models::find_target(target)->parameters(), true, {}, {}, {}};
  exam.until_first = true;
  Outcome outcome;
  // A few at a time: one that is noticed is enough.
  constexpr std::size_t few = 64;
  const auto judge = [&] {
    const JobVerdict verdict = examine(exam);
    if (!verdict.mismatches.empty()) outcome.by = verdict.mismatches.front().sample.event;
  };
  for (std::size_t i = 0; i < paper.questions.size() && outcome.by.empty(); ++i) {
    Answer answer = defective->encode(target, paper.questions[i].group);
    if (answer.status == Answer::Status::missing) throw UsageError(answer.message);  // not what the defect does
    // The right answers are judged by `pmusim validate`; those that differ have to show it.
    if (same(answer, paper.answers[i])) continue;
    outcome.differs = true;
    exam.questions.push_back(paper.questions[i]);
    exam.answers.push_back(std::move(answer));
    if (exam.questions.size() == few) judge();
  }
  if (outcome.differs && outcome.by.empty()) judge();
  return outcome;
}

Trial run(const std::string& target, const Defect& defect, const std::string& program, const Paper& quick_paper,
          const Paper& full_paper) {
  Trial trial{target, defect.name, defect.about, Trial::Verdict::missed, {}};
  if (!fits(target, defect, full_paper)) {
    trial.verdict = Trial::Verdict::unfit;
    return trial;
  }
  const Outcome quick = ask(target, defect, program, quick_paper);
  if (!quick.by.empty()) {
    trial.verdict = Trial::Verdict::caught;
    trial.by = quick.by;
    return trial;
  }
  const Outcome full = ask(target, defect, program, full_paper);
  trial.by = full.by;
  if (!full.by.empty()) trial.verdict = Trial::Verdict::caught_late;
  if (!full.differs) trial.verdict = Trial::Verdict::unfit;
  if (const std::string_view excuse = excuse_for(target, defect.name); full.by.empty() && !excuse.empty()) {
    trial.verdict = Trial::Verdict::excused;
    trial.by = excuse;
  }
  return trial;
}

}  // namespace

std::string_view name_of(Trial::Verdict verdict) {
  static constexpr std::array<std::string_view, 5> names{"caught", "caught by all questions", "does not fit", "excused",
                                                         "MISSED"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<Trial> try_defects(const std::string& target, const TrialOptions& options,
                               const std::function<void(const std::string&)>& advance) {
  std::vector<Defect> defects = defects_of(target);
  const Only only(options.only);
  std::erase_if(defects, [&](const Defect& defect) { return !only.admits(defect.name); });
  std::vector<Trial> trials(defects.size());
  if (defects.empty()) return trials;
  const Paper quick = paper_of(target, Extent::quick), full = paper_of(target, Extent::full);
  const auto work = [&](std::size_t i) {
    const Trial trial = run(target, defects[i], options.program, quick, full);
    return Json{static_cast<int>(trial.verdict), trial.by}.dump();
  };
  const auto done = [&](std::size_t i, const std::string& line) {
    const Json result = Json::parse(line);
    trials[i] = {target, defects[i].name, defects[i].about, static_cast<Trial::Verdict>(result.at(0).get<int>()),
                 result.at(1)};
    if (advance) advance(defects[i].name);
  };
  run_jobs(defects.size(), options.jobs, work, done, [&](std::size_t i) { return target + ' ' + defects[i].name; });
  return trials;
}

}  // namespace pmusim::testbench::questions
