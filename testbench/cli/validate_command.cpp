// pmusim validate: plans, encodes, judges in child processes, and reports.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "models/activity_file/tables.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/cli/question_coverage.h"
#include "testbench/cli/validate_alone.h"
#include "testbench/cli/validate_jobs.h"
#include "testbench/cli/validate_modes.h"
#include "testbench/cli/validate_options.h"
#include "testbench/cli/validate_plans.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/verdict/verdict.h"
#include "testbench/store/this_program.h"
#include "testbench/support/arguments.h"
#include "testbench/support/only.h"
#include "testbench/support/progress.h"
#include "testbench/sweep/conformance.h"
#include "testbench/sweep/heap.h"
#include "testbench/sweep/jobs.h"
#include "testbench/sweep/journal.h"
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

/// The result of all jobs, without targets of which no event is selected. A part of a sweep reports no rows as not
/// exercised.
std::vector<TargetVerdict> verdicts_of(const Sweep& sweep, Finished finished, bool whole,
                                       const std::map<std::string, std::set<std::string>>& omitted = {}) {
  std::vector<TargetVerdict> verdicts;
  for (const std::string& target : sweep.targets) {
    std::vector<JobVerdict> jobs;
    for (auto& [job, verdict] : finished) {
      if (verdict.target == target) jobs.push_back(std::move(verdict));
    }
    std::vector<std::string> rows = row_names(target);
    if (!sweep.only.empty()) {
      const Only only(sweep.only);
      std::erase_if(rows, [&](const std::string& row) {
        const bool judged = std::ranges::any_of(jobs, [&](const JobVerdict& job) { return job.rows.contains(row); });
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
  const bool good = std::ranges::all_of(verdicts, &TargetVerdict::good);
  return good && lacks.empty() ? exit_good : exit_mismatch;
}

/// Reports the merged journals of a split sweep like a whole one.
int run_merge(const Arguments& arguments) {
  auto [sweep, finished] = read_journals(arguments.list("merge"));
  for (const std::string& target : sweep.targets) check_target(target);
  const std::vector<TargetVerdict> verdicts = verdicts_of(sweep, std::move(finished), true);
  if (!sweep.only.empty() && verdicts.empty()) throw nothing_selected(sweep.targets, sweep.only);
  return report(arguments, verdicts);
}

/// Runs the mode that an option chooses, if one does.
std::optional<int> run_mode(const Arguments& arguments) {
  const ValidateMode merging{"merge", run_merge, {"require-coverage", "verbose", "junit"}};
  std::vector<ValidateMode> modes = validate_modes();
  modes.insert(modes.begin(), merging);
  for (const ValidateMode& mode : modes) {
    if (!arguments.has(std::string(mode.option))) continue;
    refuse_other_options(arguments, validate_options(), mode);
    return mode.run(arguments);
  }
  return std::nullopt;
}

/// Makes tables that all jobs look names up in, so that not each child makes them.
void make_tables(const std::vector<std::string>& targets) {
  for (const std::string& target : targets) {
    (void)activity_file::describe(target);
    (void)oracle::pass_of(target, oracle::events(target).front().name);
  }
}

/// The verdicts of the jobs that the journal does not have.
void run_pending(const Arguments& arguments, const Workload& work, JobMaker& maker, Journal* journal,
                 Finished& finished) {
  const std::vector<Pending>& pending = work.pending;
  const Jobs jobs{pending.size(), [&](std::size_t) { return maker.judged(); },
                  [&](std::size_t i) {
                    return fmt::format(
                        "{} on {}", pending[i].target,
                        pending[i].questions ? pending[i].name() : pending[i].stimulus.file.path().string());
                  },
                  [&](std::size_t i) { return maker.known(i); }};
  // The verdicts are read when all jobs have ended: while jobs run, each page that this process writes is copied.
  std::vector<std::string> results(pending.size());
  Progress progress("validate", pending.size());
  make_tables(work.sweep.targets);
  run_jobs(jobs, arguments.get<unsigned>("jobs"), [&](std::size_t i, const std::string& result) {
    if (journal != nullptr && !maker.lacks_answers(i)) journal->add(unpacked(result));
    results[i] = result;
    progress.advance(fmt::format("{} {}", pending[i].target, pending[i].name()));
  });
  progress.finish();
  for (std::size_t i = 0; i < pending.size(); ++i) finished[pending[i].job] = unpacked(std::exchange(results[i], {}));
}

/// The journal of a sweep, and the verdicts that it has; their jobs are no longer pending.
std::unique_ptr<Journal> continue_journal(const std::string& file, Workload& work, Finished& finished) {
  work.sweep.program = this_program();
  work.sweep.traces = hash_of(work.files);
  auto journal = std::make_unique<Journal>(file, work.sweep);
  for (const Pending& p : work.pending) {
    const auto found = journal->finished().find(p.job);
    if (found != journal->finished().end()) finished.insert(*found);
  }
  std::erase_if(work.pending, [&](const Pending& p) { return finished.count(p.job) != 0; });
  return journal;
}

/// Throws UsageError if the choice selects nothing, or if the encoder has no event.
void require_judged(const ValidateRequest& request, const Omissions& omissions,
                    const std::vector<TargetVerdict>& verdicts) {
  const Choice& choice = request.choice;
  const bool asked = std::ranges::any_of(verdicts, [](const TargetVerdict& verdict) {
    return verdict.checks != 0 || verdict.unsupported != 0 || !verdict.questions.empty();
  });
  if (const auto error = omissions.nothing_left(); error && !asked) throw *error;
  if (request.shard.count != 1) return;
  if (!choice.questions.empty() && !asked)
    throw UsageError("--question '{}': there is none; expected one as a mismatch or --format json writes it",
                     fmt::join(choice.questions, "', '"));
  if (choice.only.empty() || !verdicts.empty()) return;
  if (request.quick() && request.recordings.empty() && request.traces.empty())
    throw UsageError("--only '{}' selects no quick question; omit --quick", choice.only);
  throw nothing_selected(request.wanted, choice.only);
}

/// Throws UsageError for a foreign encoder that has no event of the targets.
void require_known(const ValidateRequest& request, const std::vector<TargetVerdict>& verdicts) {
  const bool none_known = std::ranges::all_of(verdicts, &TargetVerdict::none_known);
  if (!request.choice.questions.empty() || request.shard.count != 1 || verdicts.empty() || !none_known) return;
  throw UsageError("the encoder has no event of {}{}", fmt::join(request.targets, ", "),
                   request.targets.size() == 1 ? "; -t names its target" : "");
}

/// `given`: judged instead of the encoder of the options.
int validate(const Arguments& arguments, EncoderUnderTest* given) {
  (void)percentage(arguments, "require-coverage");  // a wrong one is refused before the work
  if (const std::optional<int> code = run_mode(arguments)) return *code;
  const ValidateRequest request(arguments);
  Omissions omissions(request.parameters);
  omissions.tell();
  const bool foreign = request.program || given != nullptr;
  Workload work = workload_of(request, request.program    ? request.program->command
                                       : given != nullptr ? "encoder in the process"
                                                          : "");
  Finished finished;
  std::unique_ptr<Journal> journal;
  if (request.journal) journal = continue_journal(*request.journal, work, finished);

  const std::unique_ptr<Cache> cache = cache_of(arguments);
  const std::unique_ptr<EncoderUnderTest> named = request.program ? foreign_encoder(*request.program) : own_encoder();
  EncoderUnderTest& encoder = given != nullptr ? *given : *named;
  Progress asking("answers", 0);  // its total grows with the requests
  Answers answers(encoder, foreign ? &asking : nullptr);
  JobMaker maker(request, work, omissions, answers, cache.get(), foreign);
  maker.ask();
  asking.finish();
  answers.keep_apart();
  run_pending(arguments, work, maker, journal.get(), finished);
  close_cache(cache.get());

  std::vector<TargetVerdict> verdicts = verdicts_of(work.sweep, std::move(finished), request.whole(), omissions.rows);
  if (request.program && encoder.failure().empty()) ask_alone(*request.program, request.choice, verdicts);
  require_judged(request, omissions, verdicts);
  if (foreign && encoder.failure().empty()) require_known(request, verdicts);
  const int code = report(arguments, verdicts);
  if (const std::string failure = encoder.failure(); !failure.empty()) throw UsageError(failure);
  return code;
}

int run_validate(const Arguments& arguments) {
  prepare_heap();
  return validate(arguments, nullptr);
}

}  // namespace

const CommandBody validate_body{validate_help, validate_options, run_validate, 0};

int run_validate(const std::vector<std::string>& list, EncoderUnderTest& encoder) {
  const Arguments arguments(list, validate_options(), validate_help);
  if (arguments.help_shown()) return exit_good;
  arguments.limit_positional(validate_body.most, "validate");
  return validate(arguments, &encoder);
}

}  // namespace pmusim::testbench
