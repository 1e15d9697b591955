#include "testbench/cli/validate_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "models/targets.h"
#include "testbench/cli/activity_files.h"
#include "testbench/cli/event_pages.h"
#include "testbench/judge/trial/exam.h"
#include "testbench/support/only.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace {

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

/// The target that has two hardware threads.
std::string_view with_two_threads() {
  const auto all = models::targets();
  return std::ranges::find_if(all, [](const models::Target& t) { return t.threads() > 1; })->name;
}

void check_second(const std::vector<std::string>& targets, bool alone) {
  if (alone) throw UsageError("--second runs beside a --trace; give --trace, too");
  for (const std::string& target : targets) {
    if (models::find_target(target)->threads() < 2) {
      throw UsageError("--second: {} has one hardware thread; {} has two", target, with_two_threads());
    }
  }
}

/// Refuses options that do not go together.
void check_together(const Arguments& arguments) {
  arguments.refuse({"sample", "as-shipped", "floor"}, "goes with --mutate");
  if (arguments.has("markdown")) throw UsageError("--markdown goes with --mutate or --gallery");
  if (arguments.has("journal") && arguments.has("resume"))
    throw UsageError("--resume does not go with --journal; it is the older name of --journal");
  for (const char* option : {"trace", "activity", "quick"}) {
    if (arguments.get<bool>("all-traces") && arguments.has(option))
      throw UsageError("--all-traces does not go with --{}", option);
  }
}

}  // namespace

Options validate_options() {
  return Options{
             {"target,t", po::text("all"), "one target, or all"},
             {"trace", po::texts(), "trace file; repeat for more; default: the shipped traces"},
             {"all-traces", po::flag(), "all shipped traces, including long ones that add no event to the others"},
             {"activity", po::texts(),
              "file written by pmusim activity record or another program, instead of traces; repeat for more"},
             {"second", po::text(), "trace for the other hardware thread, beside each --trace"},
             {"encoder", po::text(), "judge this program instead of pmusim's own encoder"},
             {"encoder-timeout", po::number<unsigned>(10), "maximum seconds per answer of the program"},
             {"sandbox", po::flag(), "run the program under bubblewrap: no network, no home folder, read-only files"},
             {"conformance", po::flag(), "with --encoder and -t: check that the program follows the protocol"},
             {"only", po::text(""),
              "events to judge: name prefixes, or patterns with * and ?; case-insensitive, separated by commas; ! "
              "excludes"},
             {"question", po::texts(),
              "judge one question, named as in a mismatch; repeat for more, which are asked in that order"},
             {"quick", po::flag(), "judge every event and every attribute value once; takes seconds"},
             {"require-coverage", po::real(0),
              "PERCENT of the events that the encoder must know; exit code 1 if it knows fewer"},
             {"verbose", po::flag(), "list every event and every recorded mismatch"},
             {"set", po::texts(), "NAME=VALUE: set a parameter of the core or PMU"},
             {"jobs", po::number<unsigned>(std::max(1u, std::thread::hardware_concurrency())),
              "number of parallel processes"},
             {"shard", po::text("1/1"), "I/N: run the I-th of N parts"},
             {"journal", po::text(), "file that records finished jobs; an interrupted run resumes from it"},
             {"resume", po::text(), "older name of --journal"},
             {"merge",
              {std::vector<std::string>(), false, {}, {}, true},
              "report on the whole from the journals of all parts"},
             {"junit", po::text(), "write a JUnit report to this file"},
             {"gallery", po::flag(),
              "judge encoders of other projects whose faults are known (docs/judged-encoders.md)"},
             {"defects", po::flag(), "judge encoders with seeded defects; check that each one is noticed"},
             {"mutate", po::flag(),
              "flip the bits of the answers, one at a time; report how many of them a run of this command notices"},
             {"sample", po::number<std::uint64_t>(0),
              "with --mutate: use a sample of N bits that make a difference per target (docs/evidence.md)"},
             {"as-shipped", po::flag(), "with --mutate: has no effect any more"},
             {"floor", po::real(100),
              "with --mutate: PERCENT of these bits that must be noticed; exit code 1 if fewer are"},
             {"markdown", po::flag(), "with --mutate or --gallery: print the table of the documentation"}} +
         cache_options();
}

ValidateRequest::ValidateRequest(const Arguments& arguments) {
  check_together(arguments);
  recordings = recordings_of(arguments);
  wanted = recordings.empty() ? targets_of(arguments.get<std::string>("target")) : recorded_targets(recordings);
  settings = arguments.list("set");
  parameters = parameters_of(wanted, settings);
  shard = parse_shard(arguments.get<std::string>("shard"));
  choice = {arguments.get<std::string>("only"), arguments.list("question"),
            arguments.get<bool>("quick") ? questions::Extent::quick : questions::Extent::full};
  targets = selected_targets(wanted, choice.only);
  program = foreign_program(arguments);
  traces = arguments.list("trace");
  second = arguments.maybe<std::string>("second").value_or("");
  if (!second.empty()) check_second(targets, traces.empty());
  all_traces = arguments.get<bool>("all-traces");
  journal = arguments.maybe<std::string>(arguments.has("journal") ? "journal" : "resume");
}

std::vector<Group> plan_of(const std::string& target, const TraceInput& stimulus, const Choice& choice) {
  const auto landmarks_of = stimulus.recorded ? find_landmarks_of_activity : find_landmarks;
  const Landmarks marks = landmarks_of(stimulus.file);
  std::vector<Group> plan;
  if (stimulus.second.empty()) {
    plan = make_plan(target, stimulus.depth, marks, choice.only);
  } else {
    plan = make_pair_plan(target, stimulus.depth, 0, marks, choice.only);
    const Landmarks seconds = landmarks_of(stimulus.second);
    for (Group& group : make_pair_plan(target, stimulus.depth, 1, seconds, choice.only))
      plan.push_back(std::move(group));
  }
  if (choice.questions.empty()) return plan;
  // A question can also name an event of a set, or be one that is asked without traces.
  std::vector<Group> more;
  if (questions::family_of(target) != nullptr) more = questions::groups_of(target, choice.extent, marks);
  for (const Group& group : plan) {
    for (Group& one : apart(group)) more.push_back(std::move(one));
  }
  std::ranges::move(more, std::back_inserter(plan));
  std::vector<Group> named;
  std::set<std::pair<std::string, unsigned>> known;  // with the thread
  for (Group& group : plan) {
    const std::string name = group.question();
    const bool is_named = std::ranges::find(choice.questions, name) != choice.questions.end();
    if (is_named && known.emplace(name, group.thread).second) named.push_back(std::move(group));
  }
  return named;
}

std::vector<Group> apart(const Group& group) {
  std::vector<Group> alone;
  if (group.checks.size() < 2 || group.whole) return alone;
  for (const Check& check : group.checks) {
    alone.push_back(group);
    alone.back().checks = {check};
  }
  return alone;
}

namespace {

/// All questions of a target; made once.
const std::vector<questions::Question>& all_questions(const std::string& target, questions::Extent extent) {
  static std::map<std::pair<std::string, questions::Extent>, std::vector<questions::Question>> known;
  const auto [place, is_new] = known.try_emplace({target, extent});
  if (is_new) place->second = questions::questions_of(target, extent);
  return place->second;
}

/// The questions that the choice names, in its order: an encoder may give the registers of the request before.
std::vector<questions::Question> named_questions(const std::string& target, const Choice& choice) {
  const std::vector<questions::Question>& all = all_questions(target, choice.extent);
  std::vector<questions::Question> named;
  for (const std::string& name : choice.questions) {
    const auto found = std::ranges::find_if(all, [&](const auto& q) { return q.group.question() == name; });
    if (found != all.end()) named.push_back(*found);
  }
  return named;
}

}  // namespace

bool are_questions(const std::string& target, const Choice& choice) {
  return !choice.questions.empty() && questions::family_of(target) != nullptr &&
         named_questions(target, choice).size() == choice.questions.size();
}

std::vector<questions::Question> questions_of(const std::string& target, const QuestionPart& part,
                                              const Choice& choice) {
  if (!choice.questions.empty()) return named_questions(target, choice);
  const Only only(choice.only);
  auto list = questions::part_of(all_questions(target, choice.extent), part.number, part.of);
  std::erase_if(list, [&](const questions::Question& question) {
    const auto& checks = question.group.checks;
    return !std::ranges::all_of(checks, [&](const Check& check) { return only.admits(check.text()); });
  });
  return list;
}

std::vector<std::string> selected_targets(std::vector<std::string> targets, const std::string& patterns) {
  const Only only(patterns);
  if (only.empty()) return targets;
  const auto selected = [&](const std::string& target) {
    const std::vector<std::string> rows = row_names(target);
    return std::ranges::any_of(rows, [&](const std::string& row) {
      return only.admits(row) || only.may_admit_more_of(row.substr(0, row.find(':')));
    });
  };
  std::vector<std::string> chosen;
  std::ranges::copy_if(targets, std::back_inserter(chosen), selected);
  if (chosen.empty()) throw nothing_selected(targets, patterns);
  return chosen;
}

UsageError nothing_selected(const std::vector<std::string>& targets, const std::string& patterns) {
  if (const std::string why = undefined_event(targets, Only(patterns).word()); !why.empty())
    return UsageError("--only: " + why);
  std::vector<std::string> rows;
  for (const std::string& target : targets) {
    for (std::string& row : row_names(target)) rows.push_back(std::move(row));
  }
  const std::vector<std::string_view> names(rows.begin(), rows.end());
  const std::string near = models::nearest(Only(patterns).word(), names);
  return UsageError("--only '{}' selects no event of {}{}", patterns, fmt::join(targets, ", "),
                    near.empty() ? "; pmusim events lists them" : fmt::format("; did you mean {}?", near));
}

namespace {

TraceInput recording_of(const std::string& file, const std::string& wanted) {
  (void)activity_file::Reader(file);  // what is no activity is not read into memory
  TraceInput recording{std::filesystem::path(file), Provenance::directive};
  recording.recorded = true;
  const auto reader = recording.file.activity();
  recording.file.forget();
  const models::Target& target = target_of(*reader, wanted);
  recording.target = target.name;
  if (threads_of(*reader, target) > 1) recording.second = recording.file;
  return recording;
}

}  // namespace

std::vector<TraceInput> recordings_of(const Arguments& arguments) {
  std::vector<TraceInput> recordings;
  const std::string wanted = arguments.get<std::string>("target");
  for (const std::string& file : arguments.list("activity")) {
    arguments.refuse({"trace", "second"}, "does not go with --activity");
    recordings.push_back(recording_of(file, wanted == "all" ? "" : wanted));
  }
  for (const std::string& setting : arguments.list("set")) {
    if (!recordings.empty() && !setting.starts_with("pmu."))
      throw UsageError("--set {}: the core has already run; with --activity only PMU parameters can be set", setting);
  }
  return recordings;
}

std::vector<std::string> recorded_targets(const std::vector<TraceInput>& recordings) {
  std::set<std::string> targets;
  for (const TraceInput& recording : recordings) targets.insert(recording.target);
  return {targets.begin(), targets.end()};
}

namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The XDG Base Directory Specification requires that relative names are ignored.
std::filesystem::path usual_folder() {
  if (const std::filesystem::path base = environment("XDG_CACHE_HOME"); base.is_absolute()) return base / "pmusim";
  if (const std::filesystem::path home = environment("HOME"); home.is_absolute()) return home / ".cache" / "pmusim";
  return {};
}

void note(const std::string& problem) {
  std::cerr << fmt::format("pmusim: running without the cache: {}\n", printable(problem));
}

}  // namespace

Options cache_options() {
  return {{"cache", po::text(),
           "cache folder for activity and verdicts (default: pmusim in $XDG_CACHE_HOME or ~/.cache; "
           "PMUSIM_CACHE=FOLDER|off)"},
          {"no-cache", po::flag(), "do not read or write the cache"},
          {"cache-size", po::number<std::uint64_t>(Cache::default_bytes >> 20),
           "maximum size of the folder in MiB; the least recently used entries are removed first"}};
}

std::unique_ptr<Cache> cache_of(const Arguments& arguments) {
  const auto named = arguments.maybe<std::string>("cache");
  const bool none = arguments.get<bool>("no-cache");
  if (named && none) throw UsageError("give either --cache or --no-cache");
  if (none && arguments.has("cache-size")) throw UsageError("--cache-size does not go with --no-cache");
  if (named && named->empty()) throw UsageError("--cache names no folder; --no-cache runs without a cache");
  const std::uint64_t mebibytes = arguments.get<std::uint64_t>("cache-size");
  if (mebibytes == 0 || mebibytes > std::uint64_t{1} << 30)
    throw UsageError("--cache-size {}: 1 to {} MiB; --no-cache runs without a cache", mebibytes,
                     std::uint64_t{1} << 30);
  const std::string variable = environment("PMUSIM_CACHE");
  if (none || (!named && variable == "off")) return nullptr;
  const std::filesystem::path folder = named              ? std::filesystem::path(*named)
                                       : variable.empty() ? usual_folder()
                                                          : std::filesystem::path(variable);
  if (folder.empty()) return nullptr;
  auto cache = std::make_unique<Cache>(folder, mebibytes << 20);
  if (cache->problem().empty()) return cache;
  note(cache->problem());
  return nullptr;
}

void close_cache(Cache* cache) {
  if (cache == nullptr) return;
  cache->trim();
  cache->probe();
  if (!cache->problem().empty()) note(cache->problem());
}

}  // namespace pmusim::testbench
