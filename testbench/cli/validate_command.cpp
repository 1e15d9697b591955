// pmusim validate: plans, encodes, judges in child processes, and reports.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <thread>
#include <tuple>
#include <variant>

#include "models/targets.h"
#include "testbench/cli/activity_files.h"
#include "testbench/cli/cache_options.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/question_coverage.h"
#include "testbench/cli/recordings.h"
#include "testbench/cli/validate_choice.h"
#include "testbench/cli/validate_modes.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/question/broken_promises.h"
#include "testbench/judge/stimulus/trace_inputs.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/judge/trial/judge.h"
#include "testbench/store/shipped.h"
#include "testbench/store/this_program.h"
#include "testbench/support/arguments.h"
#include "testbench/support/heap.h"
#include "testbench/support/only.h"
#include "testbench/support/progress.h"
#include "testbench/support/words.h"
#include "testbench/sweep/foreign_encoder.h"
#include "testbench/sweep/jobs.h"
#include "testbench/sweep/journal.h"
#include "testbench/sweep/line_process.h"
#include "testbench/sweep/report.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText validate_help{
    "pmusim validate [-t TARGET|all] [--trace FILE ...] [--encoder CMD] [--only TEXT]",
    "Checks an encoder. Asks it questions about every event of a target, every modifier and its limits, and for every\n"
    "event in full counter sets on every trace: requests register values from the encoder, writes them over the bus "
    "of\n"
    "the modelled PMU, runs the traces, and compares each counter with a count by event name that does not depend on\n"
    "registers. Fails (exit code 1) on any mismatch and on any event that no trace exercises. A question that is not\n"
    "exercised does not fail: none of the traces shows the effect of one of its attributes.",
    examples::validate};

/// Applies --set to the targets that have the parameter. At least one target must have it.
std::map<std::string, models::Parameters> parameters_of(const std::vector<std::string>& targets,
                                                        const std::vector<std::string>& settings) {
  std::map<std::string, models::Parameters> parameters;
  for (const std::string& target : targets) parameters[target] = models::find_target(target)->parameters();
  for (const std::string& setting : settings) {
    const auto [name, value] = parse_assignment(setting, "--set");
    bool known = false;
    for (auto& [target, set] : parameters) {
      if (!set.has(name) && parameters.size() > 1) continue;
      set.set(name, std::string_view(value));
      known = true;
    }
    if (!known) parameters.begin()->second.set(name, std::string_view(value));  // throws an error with the nearest name
  }
  return parameters;
}

/// A trace with its plan, or questions with the traces on which they are judged.
struct Pending {
  std::string job;
  std::string target;
  TraceInput stimulus = {};
  std::optional<QuestionPart> questions = {};
  [[nodiscard]] std::string name() const {
    return questions ? fmt::format("questions {}/{}", questions->number + 1, questions->of)
                     : stimulus.file.path().filename().string();
  }
};
/// Number of jobs for the questions.
constexpr std::size_t question_parts = 4;

/// Applies the trace's own parameters, unless the user has set them.
models::Parameters with_settings_of(const TraceInput& stimulus, const models::Parameters& given) {
  models::Parameters parameters = given;
  for (const std::string& setting : stimulus.settings) {
    const auto [name, value] = parse_assignment(setting, "--set");
    const auto& infos = given.infos();
    const auto info =
        std::find_if(infos.begin(), infos.end(), [&, &wanted = name](const auto& i) { return i.name == wanted; });
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

/// What each target leaves out under its parameters, and the rows of which nothing is left.
struct Omissions {
  std::map<std::string, LeftOut> by_target;
  std::map<std::string, std::set<std::string>> rows;

  explicit Omissions(const std::map<std::string, models::Parameters>& parameters) {
    for (const auto& [target, set] : parameters) by_target.try_emplace(target, target, set);
  }
  /// Says on stderr what is left out.
  void tell() const {
    for (const auto& [target, left_out] : by_target) {
      if (left_out.any())
        std::cerr << "pmusim: " << target << ": questions without a right answer are left out; " << left_out.reasons()
                  << '\n';
    }
  }
  [[nodiscard]] std::vector<Group> rest_of(const std::string& target, std::vector<Group> plan) {
    const LeftOut& left_out = by_target.at(target);
    if (left_out.any()) rows[target].merge(left_out.rows_lost(plan));
    left_out.remove_from(plan);
    return plan;
  }
  [[nodiscard]] std::vector<questions::Question> rest_of(const std::string& target,
                                                         std::vector<questions::Question> list) const {
    const LeftOut& left_out = by_target.at(target);
    std::erase_if(list, [&](const questions::Question& question) { return left_out.concerns(question.group); });
    return list;
  }
  /// The error if nothing is left to judge, because the parameters left it out.
  [[nodiscard]] std::optional<UsageError> nothing_left() const {
    for (const auto& [target, left_out] : by_target) {
      if (left_out.any())
        return UsageError(fmt::format("{}: every question is left out; {}", target, left_out.reasons()));
    }
    return std::nullopt;
  }
};

/// Asks for each event of a refused set alone: the encoder may lack one of them, or take one event at a time. A set
/// that it does not support is not judged; one that it calls invalid is.
void ask_refused_apart(Answers& answers, Task& task) {
  std::vector<Group> plan, alone;
  std::vector<Answer> given;
  for (std::size_t g = 0; g < task.plan.size(); ++g) {
    Group& group = task.plan[g];
    const Answer::Status status = task.answers[g].status;
    const bool is_refused = status == Answer::Status::unsupported || status == Answer::Status::invalid;
    std::vector<Group> events = is_refused ? apart(group) : std::vector<Group>{};
    const bool is_replaced = !events.empty() && status == Answer::Status::unsupported;
    std::move(events.begin(), events.end(), std::back_inserter(alone));
    if (is_replaced) continue;
    plan.push_back(std::move(group));
    given.push_back(std::move(task.answers[g]));
  }
  std::vector<const Group*> groups;
  for (const Group& group : alone) groups.push_back(&group);
  for (Answer& answer : answers.of(task.target, groups)) given.push_back(std::move(answer));
  std::move(alone.begin(), alone.end(), std::back_inserter(plan));
  task.plan = std::move(plan);
  task.answers = std::move(given);
}

/// The target that has two hardware threads.
std::string_view with_two_threads() {
  const auto all = models::targets();
  return std::find_if(all.begin(), all.end(), [](const models::Target& t) { return t.threads() > 1; })->name;
}

void check_second(const std::vector<std::string>& targets, bool alone) {
  if (alone) throw UsageError("--second runs beside a --trace; give --trace, too");
  for (const std::string& target : targets) {
    if (models::find_target(target)->threads() < 2) {
      throw UsageError(fmt::format("--second: {} has one hardware thread; {} has two", target, with_two_threads()));
    }
  }
}

/// The result of all jobs, without targets of which no event is selected. A part of a sweep reports no rows as not
/// exercised.
std::vector<TargetVerdict> verdicts_of(const Sweep& sweep, const Finished& finished, bool whole,
                                       const std::map<std::string, std::set<std::string>>& omitted = {}) {
  std::vector<TargetVerdict> verdicts;
  for (const std::string& target : sweep.targets) {
    std::vector<JobVerdict> jobs;
    for (const auto& [job, verdict] : finished) {
      if (verdict.target == target) jobs.push_back(verdict);
    }
    std::vector<std::string> rows = row_names(target);
    if (!sweep.only.empty()) {
      const Only only(sweep.only);
      std::erase_if(rows, [&](const std::string& row) {
        const bool judged =
            std::any_of(jobs.begin(), jobs.end(), [&](const JobVerdict& job) { return job.rows.contains(row); });
        return !judged && !only.admits(row);
      });
    }
    TargetVerdict verdict = merge(target, rows, holding_rows(target), std::move(jobs));
    if (!whole) verdict.unexercised.clear();  // another part, or more questions, may exercise them
    const auto rows_omitted = omitted.find(target);
    if (rows_omitted != omitted.end())
      std::erase_if(verdict.unexercised, [&](const std::string& row) { return rows_omitted->second.contains(row); });
    const bool selected = sweep.only.empty() || !verdict.rows.empty();
    if (selected || !verdict.good()) verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

/// A line for each target of which the encoder knows fewer events than --require-coverage asks for.
std::vector<std::string> lacks_of(const std::vector<TargetVerdict>& verdicts, double required) {
  std::vector<std::string> lacks;
  for (const TargetVerdict& verdict : verdicts) {
    const std::size_t all = verdict.rows.size(), known = all - verdict.unknown.size();
    if (static_cast<double>(known) * 100 >= required * static_cast<double>(all)) continue;
    lacks.push_back(fmt::format("{}: the encoder knows {} of {} events ({}%); --require-coverage asks for {}%",
                                verdict.target, known, all, known * 100 / all, required));
  }
  return lacks;
}

int report(const Arguments& arguments, const std::vector<TargetVerdict>& verdicts) {
  const bool verbose = arguments.get<bool>("verbose");
  print_report(std::cout, verdicts, arguments.format(), verbose,
               [](const TargetVerdict& verdict) { return to_json(question_coverage(verdict)); });
  if (arguments.format() == Format::text && verbose) print_question_coverage(std::cout, verdicts);
  if (const auto file = arguments.maybe<std::string>("junit")) write_junit(*file, verdicts);
  const std::vector<std::string> lacks = lacks_of(verdicts, percentage(arguments, "require-coverage"));
  for (const std::string& lack : lacks) std::cerr << "pmusim: " << lack << '\n';
  const bool good = std::all_of(verdicts.begin(), verdicts.end(), [](const TargetVerdict& v) { return v.good(); });
  return good && lacks.empty() ? exit_good : exit_mismatch;
}

/// Reports the merged journals of a split sweep like a whole one.
int run_merge(const Arguments& arguments) {
  const auto [sweep, finished] = read_journals(arguments.list("merge"));
  for (const std::string& target : sweep.targets) check_target(target);
  const std::vector<TargetVerdict> verdicts = verdicts_of(sweep, finished, true);
  if (!sweep.only.empty() && verdicts.empty()) throw nothing_selected(sweep.targets, sweep.only);
  return report(arguments, verdicts);
}

/// Runs the mode that an option chooses, if one does.
std::optional<int> run_mode(const Arguments& arguments, const Arguments::Description& options) {
  const ValidateMode merging{"merge", run_merge, {"require-coverage", "verbose", "junit"}};
  std::vector<ValidateMode> modes = validate_modes();
  modes.insert(modes.begin(), merging);
  for (const ValidateMode& mode : modes) {
    if (!arguments.has(std::string(mode.option))) continue;
    refuse_other_options(arguments, options, mode);
    return mode.run(arguments);
  }
  return std::nullopt;
}

/// `given`: judged instead of the encoder of the options.
int validate(const std::vector<std::string>& list, EncoderUnderTest* given) {
  namespace po = boost::program_options;
  Arguments::Description options("options");
  options.add_options()("target,t", po::value<std::string>()->default_value("all"), "one target, or all")(
      "trace", po::value<std::vector<std::string>>()->composing(),
      "trace file; repeat for more; default: the shipped traces")(
      "all-traces", po::bool_switch(), "all shipped traces, including long ones that add no event to the others")(
      "activity", po::value<std::vector<std::string>>()->composing(),
      "file written by pmusim activity record or another program, instead of traces; repeat for more")(
      "second", po::value<std::string>(), "trace for the other hardware thread, beside each --trace")(
      "encoder", po::value<std::string>(), "judge this program instead of pmusim's own encoder")(
      "encoder-timeout", po::value<unsigned>()->default_value(10), "maximum seconds per answer of the program")(
      "sandbox", po::bool_switch(), "run the program under bubblewrap: no network, no home folder, read-only files")(
      "conformance", po::bool_switch(), "with --encoder and -t: check that the program follows the protocol")(
      "only", po::value<std::string>()->default_value(""),
      "events to judge: name prefixes, or patterns with * and ?; case-insensitive, separated by commas; ! excludes")(
      "question", po::value<std::vector<std::string>>()->composing(),
      "judge one question, named as in a mismatch; repeat for more, which are asked in that order")(
      "quick", po::bool_switch(), "judge every event and every attribute value once; takes seconds")(
      "require-coverage", po::value<double>()->default_value(0),
      "PERCENT of the events that the encoder must know; exit code 1 if it knows fewer")(
      "verbose", po::bool_switch(), "list every event and every recorded mismatch")(
      "set", po::value<std::vector<std::string>>()->composing(), "NAME=VALUE: set a parameter of the core or PMU")(
      "jobs", po::value<unsigned>()->default_value(std::max(1u, std::thread::hardware_concurrency())),
      "number of parallel processes")("shard", po::value<std::string>()->default_value("1/1"),
                                      "I/N: run the I-th of N parts")(
      "journal", po::value<std::string>(), "file that records finished jobs; an interrupted run resumes from it")(
      "resume", po::value<std::string>(), "older name of --journal")(
      "merge", po::value<std::vector<std::string>>()->multitoken(),
      "report on the whole from the journals of all parts")("junit", po::value<std::string>(),
                                                            "write a JUnit report to this file")(
      "gallery", po::bool_switch(),
      "judge encoders of other projects whose faults are known (docs/judged-encoders.md)")(
      "defects", po::bool_switch(), "judge encoders with seeded defects; check that each one is noticed")(
      "mutate", po::bool_switch(),
      "flip the bits of the answers, one at a time; report how many of them a run of this command notices")(
      "sample", po::value<std::uint64_t>()->default_value(0),
      "with --mutate: use a sample of N bits that make a difference per target (docs/evidence.md)")(
      "as-shipped", po::bool_switch(), "with --mutate: has no effect any more")(
      "floor", po::value<double>()->default_value(100),
      "with --mutate: PERCENT of these bits that must be noticed; exit code 1 if fewer are")(
      "markdown", po::bool_switch(), "with --mutate or --gallery: print the table of the documentation");
  add_cache_options(options);
  const Arguments arguments(list, options, validate_help);
  if (arguments.help_shown()) return exit_good;
  if (!arguments.positional().empty())
    throw UsageError(fmt::format("unexpected '{}'; see pmusim validate --help", arguments.positional()[0]));

  (void)percentage(arguments, "require-coverage");  // a wrong one is refused before the work
  if (const std::optional<int> code = run_mode(arguments, options)) return *code;
  for (const char* option : {"sample", "as-shipped", "floor"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} goes with --mutate", option));
  }
  if (arguments.has("markdown")) throw UsageError("--markdown goes with --mutate or --gallery");
  if (arguments.has("journal") && arguments.has("resume"))
    throw UsageError("--resume does not go with --journal; it is the older name of --journal");
  for (const char* option : {"trace", "activity", "quick"}) {
    if (arguments.get<bool>("all-traces") && arguments.has(option))
      throw UsageError(fmt::format("--all-traces does not go with --{}", option));
  }
  const std::vector<TraceInput> recordings = recordings_of(arguments);
  const std::vector<std::string> wanted =
      recordings.empty() ? targets_of(arguments.get<std::string>("target")) : recorded_targets(recordings);
  const std::vector<std::string> settings = arguments.list("set");
  const auto parameters = parameters_of(wanted, settings);
  Omissions omissions(parameters);
  omissions.tell();
  const Shard shard = parse_shard(arguments.get<std::string>("shard"));
  const Choice choice{arguments.get<std::string>("only"), arguments.list("question"),
                      arguments.get<bool>("quick") ? questions::Extent::quick : questions::Extent::full};
  const std::vector<std::string> targets = selected_targets(wanted, choice.only);
  const std::optional<ForeignProgram> program = foreign_program(arguments);
  const bool foreign = program || given != nullptr;
  const std::string command = program ? program->command : given != nullptr ? "encoder in the process" : "";

  // All the work of a validation.
  const bool quick = choice.extent == questions::Extent::quick;
  std::string configuration =
      fmt::format("{}|{}{}{}", choice.only, command, fmt::join(choice.questions, "|"), quick ? "|quick" : "");
  std::string repeat;
  for (const std::string& setting : settings) {
    configuration += '|' + setting;
    repeat += " --set " + shell_word(setting);
  }
  if (program) repeat += fmt::format(" --encoder {}{}", shell_word(command), program->sandbox ? " --sandbox" : "");
  const std::string second = arguments.maybe<std::string>("second").value_or("");
  if (!second.empty()) check_second(targets, arguments.list("trace").empty());
  const auto journal_file = arguments.maybe<std::string>(arguments.has("journal") ? "journal" : "resume");
  Sweep sweep{{}, targets, choice.only, {}, {}};
  std::vector<InputFile> files_of_sweep;
  std::map<std::string, std::vector<TraceInput>> question_traces;  // by target
  std::vector<Pending> pending;
  std::uint64_t number = 0;
  for (const std::string& target : targets) {
    std::vector<TraceInput> stimuli;
    for (const std::string& name : arguments.list("trace")) {
      const std::string file = shipped(name);
      stimuli.push_back(classify_input(file));
      if (!second.empty()) stimuli.back().second = classify_input(second).file;
    }
    for (const TraceInput& recording : recordings) {
      if (recording.target == target) stimuli.push_back(recording);
    }
    if (stimuli.empty()) {
      if (!quick && !are_questions(target, choice)) {
        const bool all = arguments.get<bool>("all-traces");
        stimuli = all ? shipped_inputs(target) : default_inputs(target);
      }
      // The longest jobs first.
      std::size_t parts = choice.questions.empty() ? question_parts : 1;
      if (questions::family_of(target) == nullptr) parts = 0;
      if (parts != 0) {
        question_traces[target] = questions::short_traces(target);
        const std::vector<InputFile> files = questions::files_of(question_traces[target]);
        files_of_sweep.insert(files_of_sweep.end(), files.begin(), files.end());
      }
      for (std::size_t part = 0; part < parts; ++part) {
        sweep.jobs.push_back(fmt::format("{}|questions {}/{}|{}", target, part + 1, parts, configuration));
        if (number++ % shard.count + 1 == shard.index)
          pending.push_back({sweep.jobs.back(), target, {}, QuestionPart{part, parts}});
      }
    }
    for (TraceInput& stimulus : stimuli) {
      const std::string files =
          stimulus.file.path().string() + (stimulus.second.empty() ? "" : '+' + stimulus.second.path().string());
      sweep.jobs.push_back(utf8(fmt::format("{}|{}|{}{}", target, files, configuration, set_options(stimulus))));
      files_of_sweep.push_back(stimulus.file);
      if (!stimulus.second.empty()) files_of_sweep.push_back(stimulus.second);
      if (number++ % shard.count + 1 == shard.index) pending.push_back({sweep.jobs.back(), target, stimulus});
    }
  }
  Finished finished;
  std::optional<Journal> journal;
  if (journal_file) {
    sweep.program = this_program();
    sweep.traces = hash_of(files_of_sweep);
    journal.emplace(*journal_file, sweep);
    for (const Pending& p : pending) {
      const auto found = journal->finished().find(p.job);
      if (found != journal->finished().end()) finished.insert(*found);
    }
    std::erase_if(pending, [&](const Pending& p) { return finished.count(p.job) != 0; });
  }

  const std::unique_ptr<Cache> cache = cache_of(arguments);
  const std::unique_ptr<EncoderUnderTest> named = program ? foreign_encoder(*program) : own_encoder();
  EncoderUnderTest& candidate = given != nullptr ? *given : *named;
  Progress asking("answers", 0);  // its total grows with the requests
  Answers answers(candidate, foreign ? &asking : nullptr);
  // The events of each target that a foreign encoder has; filled in when all answers are known.
  std::map<std::string, std::set<std::string>> known_events;
  const auto learn = [&](const std::string& target, const Group& group, const Answer& answer) {
    if (answer.status != Answer::Status::encoded) return;
    for (const Check& check : group.checks) known_events[target].insert(check.request.event);
  };
  const auto task_of = [&](const Pending& p) {
    Task task;
    task.job = p.job;
    task.target = p.target;
    task.trace = p.stimulus.file;
    task.second_trace = p.stimulus.second;
    task.recorded = p.stimulus.recorded;
    task.provenance = p.stimulus.provenance;
    task.parameters = with_settings_of(p.stimulus, parameters.at(p.target));
    if (p.stimulus.recorded) take_parameters(*p.stimulus.file.activity(), task.parameters);
    task.plan = omissions.rest_of(p.target, plan_of(p.target, p.stimulus, choice));
    task.identities = choice.questions.empty();
    // A recorded program takes longer to run twice than its idle groups take.
    const bool is_short = p.stimulus.provenance != Provenance::real && p.stimulus.second.empty();
    task.whole = !is_short || !choice.only.empty() || !choice.questions.empty();
    task.only = choice.only;
    task.cache = cache.get();
    std::vector<const Group*> groups;
    for (const Group& group : task.plan) groups.push_back(&group);
    task.answers = answers.of(p.target, groups);
    if (choice.questions.empty()) ask_refused_apart(answers, task);
    for (std::size_t i = 0; i < task.plan.size(); ++i) apply(task.answers[i].policy, task.plan[i]);
    if (foreign && choice.questions.empty()) task.known = &known_events[p.target];
    task.reproduce = fmt::format(
        "pmusim validate -t {} --{} {}{}{} --question ", p.target, p.stimulus.recorded ? "activity" : "trace",
        shell_word(p.stimulus.file.path().string()),
        p.stimulus.second.empty() || p.stimulus.recorded ? ""
                                                         : " --second " + shell_word(p.stimulus.second.path().string()),
        repeat + set_options(p.stimulus));
    return task;
  };
  // What was asked before the first question of each job, and the last question to each target so far.
  std::map<std::string, std::optional<Group>> before, last_of_target;
  const auto exam_of = [&](const Pending& p) {
    questions::Exam exam{p.job, p.target, parameters.at(p.target), settings.empty(), {}, {}, {}};
    exam.questions = omissions.rest_of(p.target, questions_of(p.target, *p.questions, choice));
    exam.cache = cache.get();
    exam.traces = question_traces.at(p.target);
    std::vector<const Group*> groups;
    for (const questions::Question& question : exam.questions) groups.push_back(&question.group);
    exam.answers = answers.of(p.target, groups);
    for (std::size_t i = 0; i < exam.questions.size(); ++i) apply(exam.answers[i].policy, exam.questions[i]);
    if (foreign && choice.questions.empty()) exam.known = &known_events[p.target];
    exam.reproduce = fmt::format("pmusim validate -t {}{} --question ", p.target, repeat);
    exam.before = before.try_emplace(p.job, last_of_target[p.target]).first->second;
    for (const questions::Question& question : exam.questions)
      if (question.illegal.empty()) last_of_target[p.target] = question.group;  // a refusal leaves no registers behind
    return exam;
  };
  // A foreign encoder must get its requests in one order, so all of them are made here. The jobs make their plans
  // again, with answers that are known then. A job that lacks an answer is kept as unfinished. The own encoder is
  // called in each job, for requests that the first plan of each kind does not contain.
  std::map<std::size_t, std::variant<Task, questions::Exam>> unanswered;
  std::set<std::tuple<std::string, Depth, bool>> kinds;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const Pending& p = pending[i];
    if (foreign && p.questions) {
      questions::Exam exam = exam_of(p);
      for (std::size_t q = 0; q < exam.questions.size(); ++q) learn(p.target, exam.questions[q].group, exam.answers[q]);
      if (any_missing(exam.answers)) unanswered.emplace(i, std::move(exam));
    } else if (foreign ||
               (!p.questions && kinds.emplace(p.target, p.stimulus.depth, p.stimulus.second.empty()).second)) {
      Task task = task_of(p);
      for (std::size_t g = 0; foreign && g < task.plan.size(); ++g) learn(p.target, task.plan[g], task.answers[g]);
      p.stimulus.file.forget();
      p.stimulus.second.forget();
      if (foreign && any_missing(task.answers)) unanswered.emplace(i, std::move(task));
    }
  }
  asking.finish();

  // The lines are parsed when all jobs have ended: while jobs run, each page that this process writes is copied.
  std::vector<std::string> lines(pending.size());
  Progress progress("validate", pending.size());
  answers.keep_apart();
  give_back_free_memory();
  run_jobs(
      pending.size(), arguments.get<unsigned>("jobs"),
      [&](std::size_t i) {
        const Pending& p = pending[i];
        const auto began = std::chrono::steady_clock::now();
        const auto kept = unanswered.find(i);
        const bool made = kept == unanswered.end();
        JobVerdict verdict = p.questions ? examine(made ? exam_of(p) : std::get<questions::Exam>(kept->second))
                                         : judge(made ? task_of(p) : std::get<Task>(kept->second));
        verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        return line_of(to_json(verdict));
      },
      [&](std::size_t i, const std::string& line) {
        if (journal && !unanswered.contains(i)) journal->add(verdict_from_json(Json::parse(line)));
        lines[i] = line;
        progress.advance(fmt::format("{} {}", pending[i].target, pending[i].name()));
      },
      [&](std::size_t i) {
        return fmt::format("{} on {}", pending[i].target,
                           pending[i].questions ? pending[i].name() : pending[i].stimulus.file.path().string());
      });
  progress.finish();
  for (std::size_t i = 0; i < pending.size(); ++i) {
    finished[pending[i].job] = verdict_from_json(Json::parse(lines[i]));
    lines[i] = {};
  }
  close_cache(cache.get());

  const bool whole = shard.count == 1 && !quick && choice.questions.empty();
  const std::vector<TargetVerdict> verdicts = verdicts_of(sweep, finished, whole, omissions.rows);
  const bool asked = std::any_of(verdicts.begin(), verdicts.end(), [](const TargetVerdict& verdict) {
    return verdict.checks != 0 || verdict.unsupported != 0 || !verdict.questions.empty();
  });
  if (const auto error = omissions.nothing_left(); error && !asked) throw *error;
  if (!choice.questions.empty() && shard.count == 1 && !asked)
    throw UsageError(
        fmt::format("--question '{}': there is none; expected one as a mismatch or --format json writes it",
                    fmt::join(choice.questions, "', '")));
  if (!choice.only.empty() && shard.count == 1 && verdicts.empty()) {
    if (quick && recordings.empty() && arguments.list("trace").empty())
      throw UsageError(fmt::format("--only '{}' selects no quick question; omit --quick", choice.only));
    throw nothing_selected(wanted, choice.only);
  }
  const bool none_known =
      std::all_of(verdicts.begin(), verdicts.end(), [](const TargetVerdict& verdict) { return verdict.none_known(); });
  if (foreign && choice.questions.empty() && shard.count == 1 && !verdicts.empty() && none_known &&
      candidate.failure().empty()) {
    throw UsageError(fmt::format("the encoder has no event of {}{}", fmt::join(targets, ", "),
                                 targets.size() == 1 ? "; -t names its target" : ""));
  }
  const int code = report(arguments, verdicts);
  if (const std::string failure = candidate.failure(); !failure.empty()) throw UsageError(failure);
  return code;
}

}  // namespace

int run_validate(const std::vector<std::string>& list) {
  prepare_heap();
  return validate(list, nullptr);
}

int run_validate(const std::vector<std::string>& list, EncoderUnderTest& encoder) { return validate(list, &encoder); }

}  // namespace pmusim::testbench
