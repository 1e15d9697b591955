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
  return a.status == b.status && a.registers == b.registers && a.counters == b.counters;
}

/// What came of one extent of the questions.
struct Outcome {
  bool differs = false;
  std::string by;  ///< empty: not noticed
};

Outcome ask(const std::string& target, const Defect& defect, const std::string& program, Extent extent) {
  const std::string command = fmt::format("'{}' encode --serve -t {} --defect '{}'", program, target, defect.name);
  const std::unique_ptr<Candidate> defective = foreign_encoder({command}), right = own_encoder();
  Exam exam{"", target, models::find_target(target)->parameters(), true, {}, {}, {}};
  Outcome outcome;
  for (Question& question : questions_of(target, extent)) {
    Answer answer = defective->encode(target, question.group);
    if (answer.status == Answer::Status::missing) throw UsageError(answer.message);  // not what the defect does
    // The right answers are judged by `pmusim validate`; those that differ have to show it.
    if (same(answer, right->encode(target, question.group))) continue;
    outcome.differs = true;
    exam.questions.push_back(std::move(question));
    exam.answers.push_back(std::move(answer));
  }
  if (!outcome.differs) return outcome;
  exam.until_first = true;
  const JobVerdict verdict = examine(exam);
  if (!verdict.mismatches.empty()) outcome.by = verdict.mismatches.front().sample.event;
  return outcome;
}

Trial run(const std::string& target, const Defect& defect, const std::string& program) {
  Trial trial{target, defect.name, defect.about, Trial::Verdict::missed, {}};
  const Outcome quick = ask(target, defect, program, Extent::quick);
  if (!quick.by.empty()) {
    trial.verdict = Trial::Verdict::caught;
    trial.by = quick.by;
    return trial;
  }
  const Outcome full = ask(target, defect, program, Extent::full);
  trial.by = full.by;
  if (!full.differs) {
    trial.verdict = Trial::Verdict::unfit;
  } else if (!full.by.empty()) {
    trial.verdict = Trial::Verdict::caught_late;
  } else if (const std::string_view excuse = excuse_for(target, defect.name); !excuse.empty()) {
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
  const auto work = [&](std::size_t i) {
    const Trial trial = run(target, defects[i], options.program);
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
