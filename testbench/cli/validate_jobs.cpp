#include "testbench/cli/validate_jobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

#include "testbench/cli/activity_files.h"
#include "testbench/cli/command.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

/// Number of jobs for the questions of a target. Each makes all activity on which they are asked.
constexpr std::size_t question_parts = 4, quick_parts = 2;

/// Applies the trace's own parameters, unless the user has set them.
models::Parameters with_settings_of(const TraceInput& stimulus, const models::Parameters& given) {
  models::Parameters parameters = given;
  for (const std::string& setting : stimulus.settings) {
    const auto [name, value] = parse_assignment(setting, "--set");
    const auto& infos = given.infos();
    const auto info = std::ranges::find_if(infos, [&, &wanted = name](const auto& i) { return i.name == wanted; });
    if (info != infos.end() && given.get(name) == info->default_value) parameters.set(name, std::string_view(value));
  }
  return parameters;
}

/// The trace's own parameters, as options of a command or as part of a job's name.
std::string set_options(const TraceInput& stimulus) {
  std::string options;
  for (const std::string& setting : stimulus.settings) options += " --set " + shell_word(setting);
  return options;
}

}  // namespace

std::string Pending::name() const {
  return questions ? fmt::format("questions {}/{}", questions->number + 1, questions->of)
                   : stimulus.file.path().filename().string();
}

Workload workload_of(const ValidateRequest& request, const std::string& command) {
  Workload work{{{}, request.targets, request.choice.only, {}, {}}, {}, {}, {}};
  std::string configuration = fmt::format("{}|{}{}{}", request.choice.only, command,
                                          fmt::join(request.choice.questions, "|"), request.quick() ? "|quick" : "");
  for (const std::string& setting : request.settings) configuration += '|' + setting;
  const auto add = [&](Pending job) {
    if (work.sweep.jobs.size() % request.shard.count + 1 == request.shard.index) work.pending.push_back(job);
    work.sweep.jobs.push_back(std::move(job.job));
  };
  for (const std::string& target : request.targets) {
    std::vector<TraceInput> stimuli;
    for (const std::string& name : request.traces) {
      const std::string file = shipped(name);
      stimuli.push_back(classify_input(file));
      if (!request.second.empty()) stimuli.back().second = classify_input(request.second).file;
    }
    for (const TraceInput& recording : request.recordings) {
      if (recording.target == target) stimuli.push_back(recording);
    }
    if (stimuli.empty()) {
      if (!request.quick() && !are_questions(target, request.choice)) {
        stimuli = request.all_traces ? shipped_inputs(target) : default_inputs(target);
      }
      // The longest jobs first.
      std::size_t parts = request.quick() ? quick_parts : question_parts;
      if (!request.choice.questions.empty()) parts = 1;
      if (questions::family_of(target) == nullptr) parts = 0;
      if (parts != 0) {
        work.shorts[target] = questions::short_traces(target);
        const std::vector<InputFile> files = questions::files_of(work.shorts[target]);
        work.files.insert(work.files.end(), files.begin(), files.end());
      }
      for (std::size_t part = 0; part < parts; ++part) {
        add({fmt::format("{}|questions {}/{}|{}", target, part + 1, parts, configuration),
             target,
             {},
             QuestionPart{part, parts}});
      }
    }
    for (TraceInput& stimulus : stimuli) {
      const std::string files =
          stimulus.file.path().string() + (stimulus.second.empty() ? "" : '+' + stimulus.second.path().string());
      work.files.push_back(stimulus.file);
      if (!stimulus.second.empty()) work.files.push_back(stimulus.second);
      add({utf8(fmt::format("{}|{}|{}{}", target, files, configuration, set_options(stimulus))), target, stimulus});
    }
  }
  return work;
}

JobMaker::JobMaker(const ValidateRequest& request, const Workload& work, Omissions& omissions, Answers& answers,
                   Cache* cache, bool foreign)
    : request_(request),
      work_(work),
      omissions_(omissions),
      answers_(answers),
      cache_(cache),
      foreign_(foreign),
      plans_(request.choice, omissions, answers,
             !foreign || work.shorts.empty()) {  // without short traces there are no questions
  for (const std::string& setting : request.settings) repeat_ += " --set " + shell_word(setting);
  if (request.program) {
    repeat_ += fmt::format(" --encoder {}{}", shell_word(request.program->command),
                           request.program->sandbox ? " --sandbox" : "");
  }
}

void JobMaker::ask() {
  std::set<std::tuple<std::string, Depth, bool>> kinds;
  for (std::size_t job = 0; job < work_.pending.size(); ++job) {
    const Pending& p = work_.pending[job];
    const bool is_new_kind =
        !p.questions && kinds.emplace(p.target, p.stimulus.depth, p.stimulus.second.empty()).second;
    if (foreign_ || is_new_kind) ask_for(job);
  }
}

void JobMaker::ask_for(std::size_t job) {
  const Pending& p = work_.pending[job];
  if (!p.questions) {
    (void)plan_of(job);
    p.stimulus.file.forget();
    p.stimulus.second.forget();
    return;
  }
  const questions::Exam& exam = exam_of(job);
  for (std::size_t q = 0; q < exam.questions.size(); ++q) {
    if (exam.answers[q].status != Answer::Status::encoded) continue;
    for (const Check& check : exam.questions[q].group.checks) plans_.events(p.target).insert(check.request.event);
  }
}

bool JobMaker::lacks_answers(std::size_t job) const {
  const auto exam = exam_of_job_.find(job);
  if (exam != exam_of_job_.end()) return any_missing(exam->second.answers);
  const auto plan = plan_of_job_.find(job);
  return plan != plan_of_job_.end() && std::ranges::any_of(plan->second, [](const auto& asked) {
           return asked->answer.status == Answer::Status::missing;
         });
}

const AnsweredPlan& JobMaker::plan_of(std::size_t job) {
  const auto [place, is_new] = plan_of_job_.try_emplace(job);
  if (is_new) place->second = plans_.of(work_.pending[job].target, work_.pending[job].stimulus);
  return place->second;
}

const questions::Exam& JobMaker::exam_of(std::size_t job) {
  const auto found = exam_of_job_.find(job);
  return found != exam_of_job_.end() ? found->second
                                     : exam_of_job_.emplace(job, new_exam(work_.pending[job])).first->second;
}

Task JobMaker::task_of(const Pending& p) {
  const TraceInput& stimulus = p.stimulus;
  Task task;
  task.job = p.job;
  task.target = p.target;
  task.trace = stimulus.file;
  task.second_trace = stimulus.second;
  task.recorded = stimulus.recorded;
  task.provenance = stimulus.provenance;
  task.parameters = with_settings_of(stimulus, request_.parameters.at(p.target));
  if (stimulus.recorded) take_parameters(*stimulus.file.activity(), task.parameters);
  task.identities = request_.choice.questions.empty();
  // Idle groups are found by running the trace once more. For a recorded program this takes longer than judging them.
  const bool is_short = stimulus.provenance != Provenance::real && stimulus.second.empty();
  task.whole = !is_short || !request_.choice.only.empty() || !request_.choice.questions.empty();
  task.only = request_.choice.only;
  task.cache = cache_;
  if (foreign_ && request_.choice.questions.empty()) task.known = &plans_.events(p.target);
  const bool has_second = !stimulus.second.empty() && !stimulus.recorded;
  task.reproduce = fmt::format("pmusim validate -t {} --{} {}{}{} --question ", p.target,
                               stimulus.recorded ? "activity" : "trace", shell_word(stimulus.file.path().string()),
                               has_second ? " --second " + shell_word(stimulus.second.path().string()) : "",
                               repeat_ + set_options(stimulus));
  return task;
}

questions::Exam JobMaker::new_exam(const Pending& p) {
  questions::Exam exam{p.job, p.target, request_.parameters.at(p.target), request_.settings.empty(), {}, {}, {}};
  exam.questions = omissions_.rest_of(p.target, questions_of(p.target, *p.questions, request_.choice));
  exam.cache = cache_;
  exam.thorough = request_.choice.extent == questions::Extent::full;
  exam.traces = work_.shorts.at(p.target);
  std::vector<const Group*> groups;
  for (const questions::Question& question : exam.questions) groups.push_back(&question.group);
  exam.answers = answers_.of(p.target, groups);
  for (std::size_t i = 0; i < exam.questions.size(); ++i) apply(exam.answers[i].policy, exam.questions[i]);
  if (foreign_ && request_.choice.questions.empty()) exam.known = &plans_.events(p.target);
  exam.reproduce = fmt::format("pmusim validate -t {}{} --question ", p.target, repeat_);
  std::optional<Group>& last = last_of_target_[p.target];
  exam.before = last;
  for (const questions::Question& question : exam.questions)
    if (question.illegal.empty()) last = question.group;  // a refusal leaves no registers behind
  return exam;
}

std::optional<std::string> JobMaker::known(std::size_t job) {
  if (begun_ != nullptr) {  // a worker does many jobs, and keeps none of their traces
    work_.pending[begun_job_].stimulus.file.forget();
    work_.pending[begun_job_].stimulus.second.forget();
  }
  const Pending& p = work_.pending[job];
  begun_job_ = job;
  begun_ = p.questions ? job_of(exam_of(job)) : job_of(task_of(p), plan_of(job));
  const auto verdict = begun_->kept();
  return verdict ? std::optional(packed(*verdict)) : std::nullopt;
}

std::string JobMaker::judged() {
  const auto began = std::chrono::steady_clock::now();
  JobVerdict verdict = begun_->judged();
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return packed(verdict);
}

}  // namespace pmusim::testbench
