// The jobs of a validation: a trace with its plan, or a part of the questions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cli/validate_options.h"
#include "testbench/cli/validate_plans.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/sweep/journal.h"

namespace pmusim::testbench {

struct Pending {
  std::string job;
  std::string target;
  TraceInput stimulus = {};
  std::optional<QuestionPart> questions = {};
  [[nodiscard]] std::string name() const;
};

/// All the work of a validation.
struct Workload {
  Sweep sweep;
  std::vector<InputFile> files;                           ///< of the sweep
  std::map<std::string, std::vector<TraceInput>> shorts;  ///< traces of the questions, by target
  std::vector<Pending> pending;                           ///< the jobs of this process
};
/// `command` names the encoder in jobs; empty: pmusim's own.
[[nodiscard]] Workload workload_of(const ValidateRequest& request, const std::string& command);

/// Makes the jobs and judges them.
class JobMaker {
 public:
  JobMaker(const ValidateRequest& request, const Workload& work, Omissions& omissions, Answers& answers, Cache* cache,
           bool foreign);
  /// Asks the encoder what the jobs need. A foreign encoder must get its requests in one order, so all of them are made
  /// here. The own encoder is called in the workers, for requests that the first plan of each kind does not contain.
  void ask();
  /// The encoder did not answer all of a job, whose verdict is not kept.
  [[nodiscard]] bool lacks_answers(std::size_t job) const;
  /// Begins a job. The packed verdict if the cache has it.
  [[nodiscard]] std::optional<std::string> known(std::size_t job);
  /// Judges the job that known() began, in this process or a child.
  [[nodiscard]] std::string judged();

 private:
  void ask_for(std::size_t job);
  [[nodiscard]] const AnsweredPlan& plan_of(std::size_t job);
  [[nodiscard]] const questions::Exam& exam_of(std::size_t job);
  [[nodiscard]] Task task_of(const Pending& pending);
  [[nodiscard]] questions::Exam new_exam(const Pending& pending);

  const ValidateRequest& request_;
  const Workload& work_;
  Omissions& omissions_;
  Answers& answers_;
  Cache* cache_;
  bool foreign_;
  std::string repeat_;  ///< the options of this validation in a command that judges one question
  ValidatePlans plans_;
  std::map<std::size_t, AnsweredPlan> plan_of_job_;
  std::map<std::size_t, questions::Exam> exam_of_job_;
  std::unique_ptr<JobOfParts> begun_;
  std::size_t begun_job_ = 0;
  std::map<std::string, std::optional<Group>> last_of_target_;  ///< the last question to each target so far
};

}  // namespace pmusim::testbench
