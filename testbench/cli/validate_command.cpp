// pmusim validate: plans, encodes, judges in child processes, reports.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "models/targets.h"
#include "testbench/cli/arguments.h"
#include "testbench/cli/command.h"
#include "testbench/cli/progress.h"
#include "testbench/mutate/command.h"
#include "testbench/validate/conformance.h"
#include "testbench/validate/jobs.h"
#include "testbench/validate/journal.h"
#include "testbench/validate/judge.h"
#include "testbench/validate/report.h"
#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText help{
    "pmusim validate [-t TARGET|all] [--trace FILE ...] [--encoder CMD] [--only TEXT]",
    "For every event of a target, with every modifier at its limits and under every privilege filter, alone and in\n"
    "full counter sets: asks the encoder for register values, writes them over the bus of the modelled PMU, runs the\n"
    "traces, and compares every counter with a count by event name that knows nothing of registers. Fails (exit 1)\n"
    "on any mismatch and on any event that no trace exercises.",
    "  pmusim validate\n"
    "  pmusim validate -t athlon --jobs 2 --junit report.xml\n"
    "  pmusim validate -t athlon --encoder ./my-encoder     an encoder that speaks JSON lines\n"
    "  pmusim validate -t athlon --encoder ./my-encoder --conformance     does it keep the protocol?\n"
    "  pmusim validate -t ppc750gx --set pmu.enint_clear=never\n"
    "  pmusim validate --shard 1/4 --journal part1.jsonl    and 2/4 to 4/4 elsewhere; then\n"
    "  pmusim validate --merge part1.jsonl part2.jsonl part3.jsonl part4.jsonl --junit report.xml\n"
    "  pmusim validate --mutate -t athlon --sample 20000"};

struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
};

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw UsageError(fmt::format("--shard '{}' is not of the form I/N", text));
  const Shard shard{parse_number(text.substr(0, slash), "shard"),
                    parse_number(text.substr(slash + 1), "number of shards")};
  if (shard.count == 0 || shard.index == 0 || shard.index > shard.count) {
    throw UsageError(fmt::format("--shard '{}': I runs from 1 to N", text));
  }
  return shard;
}

/// Applies --set to the targets that have the parameter; it must exist in at least one of them.
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
    if (!known) parameters.begin()->second.set(name, std::string_view(value));  // throws, naming the nearest
  }
  return parameters;
}

/// Answers of the candidate, asked once per distinct group.
class Answers {
 public:
  explicit Answers(Candidate& candidate) : candidate_(candidate) {}
  const Answer& of(const std::string& target, const Group& group) {
    const std::string key = target + ' ' + group.question();
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    return known_.emplace(key, candidate_.encode(target, group)).first->second;
  }

 private:
  Candidate& candidate_;
  std::map<std::string, Answer> known_;
};

struct Pending {
  std::string job;
  std::string target;
  Stimulus stimulus;
};

/// Those of the trace where the user has said nothing else.
models::Parameters with_settings_of(const Stimulus& stimulus, const models::Parameters& given) {
  models::Parameters parameters = given;
  for (const std::string& setting : stimulus.settings) {
    const auto [name, value] = parse_assignment(setting, "--set");
    const auto& infos = given.infos();
    const auto info = std::find_if(infos.begin(), infos.end(), [&](const auto& i) { return i.name == name; });
    if (info != infos.end() && given.get(name) == info->fallback) parameters.set(name, std::string_view(value));
  }
  return parameters;
}

/// The trace's own parameters, as options of a command or as part of a job's name.
std::string set_options(const Stimulus& stimulus) {
  std::string options;
  for (const std::string& setting : stimulus.settings) options += " --set " + setting;
  return options;
}

/// One word of a shell command, whatever it contains.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

/// What is judged on a stimulus; with two threads on each of them.
std::vector<Group> plan_of(const std::string& target, const Stimulus& stimulus, const std::string& only) {
  const Landmarks marks = find_landmarks(stimulus.file);
  if (stimulus.second.empty()) return make_plan(target, stimulus.depth, marks, only);
  std::vector<Group> plan = make_pair_plan(target, 0, marks, only);
  for (Group& group : make_pair_plan(target, 1, find_landmarks(stimulus.second), only))
    plan.push_back(std::move(group));
  return plan;
}

void check_second(const std::vector<std::string>& targets, bool alone) {
  if (alone) throw UsageError("--second runs beside a --trace; name that, too");
  for (const std::string& target : targets) {
    if (models::find_target(target)->threads() < 2) {
      throw UsageError(fmt::format("--second: {} has one hardware thread; montecito has two", target));
    }
  }
}

/// Mutants are made of the own encoder's answers and run on traces chosen for them.
int run_mutate(const Arguments& arguments) {
  for (const char* option : {"trace", "second", "encoder", "set", "journal", "resume", "junit"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} does not go with --mutate", option));
  }
  mutate::ScoreOptions scoring;
  scoring.only = arguments.get<std::string>("only");
  scoring.sample = arguments.get<std::uint64_t>("sample");
  scoring.jobs = arguments.get<unsigned>("jobs");
  const Shard shard = parse_shard(arguments.get<std::string>("shard"));
  scoring.shard = shard.index;
  scoring.shards = shard.count;
  const std::string target = arguments.get<std::string>("target");
  const auto targets = target == "all" ? mutate::scored_targets() : targets_of(target);
  return mutate::run_mutations(targets, scoring, arguments.format(), arguments.get<bool>("markdown"));
}

/// What the jobs say together. Of a part of a sweep nothing is said about rows that are not exercised.
std::vector<TargetVerdict> verdicts_of(const Sweep& sweep, const Finished& finished, bool whole) {
  std::vector<TargetVerdict> verdicts;
  for (const std::string& target : sweep.targets) {
    std::vector<JobVerdict> jobs;
    for (const auto& [job, verdict] : finished) jobs.push_back(verdict);
    std::vector<std::string> rows = row_names(target);
    if (!sweep.only.empty()) {
      std::erase_if(rows, [&](const std::string& row) { return !row.starts_with(sweep.only.substr(0, row.size())); });
    }
    TargetVerdict verdict = merge(target, rows, holding_rows(target), std::move(jobs));
    if (!whole) verdict.unexercised.clear();  // another part may exercise them
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

int report(const Arguments& arguments, const std::vector<TargetVerdict>& verdicts) {
  print_report(std::cout, verdicts, arguments.format());
  if (const auto file = arguments.maybe<std::string>("junit")) write_junit(*file, verdicts);
  const bool good = std::all_of(verdicts.begin(), verdicts.end(), [](const TargetVerdict& v) { return v.good(); });
  return good ? exit_good : exit_mismatch;
}

/// The journals of a split sweep as the report of a whole one.
int run_merge(const Arguments& arguments) {
  for (const char* option :
       {"target", "trace", "second", "encoder", "only", "set", "jobs", "shard", "journal", "resume", "mutate"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} does not go with --merge", option));
  }
  const auto [sweep, finished] = read_journals(arguments.list("merge"));
  for (const std::string& target : sweep.targets) check_target(target);
  return report(arguments, verdicts_of(sweep, finished, true));
}

/// Exit code 1 unless every rule of the protocol is kept.
int run_conformance(const Arguments& arguments) {
  for (const char* option : {"trace", "second", "only", "set", "jobs", "shard", "journal", "resume", "junit"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} does not go with --conformance", option));
  }
  const std::string command =
      arguments.required("encoder", "--conformance asks a program, as in --encoder ./my-encoder");
  if (!arguments.has("target"))
    throw UsageError("--conformance asks for events of one target; add -t, as in -t athlon");
  const std::vector<std::string> targets = targets_of(arguments.get<std::string>("target"));
  Table table({{"target", "target"}, {"rule", "rule"}, {"verdict", "verdict"}, {"problem", "problem"}});
  bool good = true;
  for (const std::string& target : targets) {
    for (const Conformance& rule : check_conformance(target, command, arguments.get<unsigned>("encoder-timeout"))) {
      table.row({target, rule.rule, rule.problem.empty() ? "kept" : "BROKEN", rule.problem});
      good = good && rule.problem.empty();
    }
  }
  table.print(std::cout, arguments.format());
  return good ? exit_good : exit_mismatch;
}

}  // namespace

int run_validate(const std::vector<std::string>& list) {
  namespace po = boost::program_options;
  Arguments::Description options("options");
  options.add_options()("target,t", po::value<std::string>()->default_value("all"), "one target, or all")(
      "trace", po::value<std::vector<std::string>>()->composing(),
      "trace file; repeat for more; default: all that are shipped")(
      "second", po::value<std::string>(), "trace that runs on the other hardware thread beside each of --trace")(
      "encoder", po::value<std::string>(), "judge this program instead of the own encoder")(
      "encoder-timeout", po::value<unsigned>()->default_value(10), "seconds that the program may take for an answer")(
      "conformance", po::bool_switch(), "with --encoder and -t: does the program keep the protocol?")(
      "only", po::value<std::string>()->default_value(""), "only events whose name starts with this")(
      "set", po::value<std::vector<std::string>>()->composing(), "NAME=VALUE: parameter of core or PMU")(
      "jobs", po::value<unsigned>()->default_value(std::max(1u, std::thread::hardware_concurrency())),
      "processes at a time")("shard", po::value<std::string>()->default_value("1/1"), "I/N: do the I-th of N parts")(
      "journal", po::value<std::string>(), "file that keeps finished jobs; a run that was interrupted goes on from it")(
      "resume", po::value<std::string>(), "the same, by its older name")(
      "merge", po::value<std::vector<std::string>>()->multitoken(), "journals of all parts: the report of the whole")(
      "junit", po::value<std::string>(), "write a JUnit report to this file")(
      "mutate", po::bool_switch(), "change register values one way at a time: how many of the changes are noticed?")(
      "sample", po::value<std::uint64_t>()->default_value(0), "with --mutate: about so many mutants of each target")(
      "markdown", po::bool_switch(), "with --mutate: the tables of docs/validation.md");
  const Arguments arguments(list, options, help);
  if (arguments.help_shown()) return exit_good;
  if (!arguments.positional().empty())
    throw UsageError(fmt::format("unexpected '{}'; see pmusim validate --help", arguments.positional()[0]));

  if (arguments.has("merge")) return run_merge(arguments);
  if (arguments.get<bool>("conformance")) return run_conformance(arguments);
  if (arguments.get<bool>("mutate")) return run_mutate(arguments);
  for (const char* option : {"sample", "markdown"}) {
    if (arguments.has(option)) throw UsageError(fmt::format("--{} goes with --mutate", option));
  }
  const std::vector<std::string> targets = targets_of(arguments.get<std::string>("target"));
  const std::vector<std::string> settings = arguments.list("set");
  const auto parameters = parameters_of(targets, settings);
  const Shard shard = parse_shard(arguments.get<std::string>("shard"));
  const std::string only = arguments.get<std::string>("only");
  const std::string command = arguments.maybe<std::string>("encoder").value_or("");

  // What there is to do.
  std::string configuration = only + '|' + command;
  std::string repeat;
  for (const std::string& setting : settings) {
    configuration += '|' + setting;
    repeat += " --set " + setting;
  }
  if (!command.empty()) repeat += " --encoder " + quoted(command);
  const std::string second = arguments.maybe<std::string>("second").value_or("");
  if (!second.empty()) check_second(targets, arguments.list("trace").empty());
  Sweep sweep{{}, targets, only, {}, {}};
  std::vector<std::filesystem::path> files_of_sweep;
  std::vector<Pending> pending;
  std::uint64_t number = 0;
  for (const std::string& target : targets) {
    std::vector<Stimulus> stimuli;
    for (const std::string& file : arguments.list("trace")) {
      stimuli.push_back(classify_stimulus(file));
      stimuli.back().second = second;
    }
    if (stimuli.empty()) stimuli = shipped_stimuli(target);
    for (Stimulus& stimulus : stimuli) {
      const std::string files =
          stimulus.second.empty() ? stimulus.file.string() : stimulus.file.string() + '+' + stimulus.second.string();
      sweep.jobs.push_back(fmt::format("{}|{}|{}{}", target, files, configuration, set_options(stimulus)));
      files_of_sweep.push_back(stimulus.file);
      if (!stimulus.second.empty()) files_of_sweep.push_back(stimulus.second);
      if (number++ % shard.count + 1 == shard.index) pending.push_back({sweep.jobs.back(), target, stimulus});
    }
  }
  Finished finished;
  std::optional<Journal> journal;
  const auto file = arguments.maybe<std::string>(arguments.has("journal") ? "journal" : "resume");
  if (file) {
    sweep.program = this_program();
    sweep.traces = hash_of_files(files_of_sweep);
    journal.emplace(*file, sweep);
    for (const Pending& p : pending) {
      const auto found = journal->finished().find(p.job);
      if (found != journal->finished().end()) finished.insert(*found);
    }
    std::erase_if(pending, [&](const Pending& p) { return finished.count(p.job) != 0; });
  }

  const std::unique_ptr<Candidate> candidate =
      command.empty() ? own_encoder() : foreign_encoder(command, arguments.get<unsigned>("encoder-timeout"));
  Answers answers(*candidate);
  const auto task_of = [&](const Pending& p) {
    Task task;
    task.job = p.job;
    task.target = p.target;
    task.trace = p.stimulus.file;
    task.second_trace = p.stimulus.second;
    task.provenance = p.stimulus.provenance;
    task.parameters = with_settings_of(p.stimulus, parameters.at(p.target));
    task.plan = plan_of(p.target, p.stimulus, only);
    for (const Group& group : task.plan) task.answers.push_back(answers.of(p.target, group));
    task.reproduce = fmt::format("pmusim validate -t {} --trace {}{}{} --only ", p.target, p.stimulus.file.string(),
                                 p.stimulus.second.empty() ? "" : " --second " + p.stimulus.second.string(),
                                 repeat + set_options(p.stimulus));
    return task;
  };
  // A foreign encoder is one process that sees one order of requests, so all of them are made here. The own one is
  // asked in each job, for what the first plan of each kind has not asked already.
  std::vector<Task> tasks;
  std::set<std::tuple<std::string, Depth, bool>> kinds;
  for (const Pending& p : pending) {
    if (!command.empty()) {
      tasks.push_back(task_of(p));
    } else if (kinds.emplace(p.target, p.stimulus.depth, p.stimulus.second.empty()).second) {
      (void)task_of(p);
    }
  }

  Progress progress("validate", pending.size());
  run_jobs(
      pending.size(), arguments.get<unsigned>("jobs"),
      [&](std::size_t i) { return to_json(judge(tasks.empty() ? task_of(pending[i]) : tasks[i])).dump(); },
      [&](std::size_t i, const std::string& line) {
        JobVerdict verdict = verdict_from_json(Json::parse(line));
        if (journal) journal->add(verdict);
        finished[pending[i].job] = std::move(verdict);
        progress.advance(fmt::format("{} {}", pending[i].target, pending[i].stimulus.file.filename().string()));
      },
      [&](std::size_t i) { return fmt::format("{} on {}", pending[i].target, pending[i].stimulus.file.string()); });
  progress.finish();

  return report(arguments, verdicts_of(sweep, finished, shard.count == 1));
}

}  // namespace pmusim::testbench
