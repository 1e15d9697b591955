#include "testbench/validate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "models/targets.h"
#include "testbench/diagnose/causes.h"
#include "testbench/driver/alpha.h"
#include "testbench/driver/programming.h"
#include "testbench/oracle/alpha.h"
#include "testbench/support/words.h"
#include "testbench/validate/alpha_watch.h"
#include "testbench/validate/captures.h"
#include "testbench/validate/expectations.h"
#include "testbench/validate/identities.h"
#include "testbench/validate/parts.h"
#include "testbench/validate/task_activity.h"
#include "testbench/validate/trace_branches.h"
#include "testbench/validate/trace_counts.h"

namespace pmusim::testbench {
namespace {

/// Start value of a counter that must hold: a register that is cleared by accident does not pass.
constexpr std::uint64_t hold_start = 0x4242;
/// More mismatches of one job than this are counted, not listed, but for the first of each part and row.
constexpr std::size_t listed_mismatches = 50;
/// Each part may list so many; of a plan of many parts fewer, so that no more than `most_diagnosed` are looked into.
constexpr std::size_t listed_of_part = 3, most_diagnosed = 1500;

/// PMUs of a run that are SystemC modules, their registers on a bus. The others are the same model, called: a module
/// costs more than what it counts on a short trace.
constexpr std::size_t modules_of_run = 8;

/// Whether the PMU of a group is a module: others on each trace.
bool is_module(const Task& task, std::size_t group) {
  const std::size_t every = std::max<std::size_t>(1, task.plan.size() / modules_of_run);
  std::size_t first = 0;
  for (const char c : task.trace.filename().string()) first = first * 31 + static_cast<unsigned char>(c);
  return group % every == first % every;
}

/// What so many bits hold of a value.
std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::string shown(const Answer& answer) {
  std::string text;
  for (const encoder::RegisterValue& reg : answer.registers) {
    if (reg.value == 0) continue;
    // A register that is written twice (off first, on last) is shown with its last value.
    const auto later = std::find_if(&reg + 1, answer.registers.data() + answer.registers.size(),
                                    [&](const encoder::RegisterValue& other) { return other.name == reg.name; });
    if (later != answer.registers.data() + answer.registers.size()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", reg.name, hex(reg.value, 0));
  }
  return text;
}

/// Turns the counters that were read into verdicts.
class Scribe {
 public:
  Scribe(const Task& task, JobVerdict& verdict, std::size_t listed) : task_(task), verdict_(verdict), listed_(listed) {}

  void refused(const Group& group, const Answer& answer) {
    if (answer.status == Answer::Status::unsupported) {
      ++verdict_.unsupported;
      for (const Check& check : group.checks) ++row(check).unsupported;
      return;
    }
    const std::string problem = problem_of(group, answer);
    for (const Check& check : group.checks) {
      row(check).checks += 1;
      mismatch(group, check, answer, {verdict_.trace, name_of(group, check), "", "", 0, 0}, problem);
    }
  }

  /// A rule of the processor that the programming breaks, whatever the counters count.
  void broken(const Group& group, const Answer& answer, const std::string& rule) {
    const Check& check = group.checks.front();
    mismatch(group, check, answer,
             {verdict_.trace, name_of(group, check), shown(answer), answer.counters.front(), 0, 0}, rule);
  }

  /// The samples of a capture unit.
  void judged(const Group& group, const Answer& answer, const CaptureWatch& watch) {
    const Check& check = group.checks.front();
    RowVerdict& verdict = row(check);
    verdict.checks += watch.comparisons();
    if (watch.captures() == 0) ++verdict.vacuous;
    const Comparison sample{verdict_.trace,          name_of(group, check), shown(answer),
                            answer.counters.front(), watch.samples(),       watch.captures() / group.captures->period};
    for (const std::string& problem : watch.problems()) mismatch(group, check, answer, sample, problem);
  }

  /// Interrupts of a counter, or profiled instructions.
  void judged(const Group& group, const Answer& answer, const AlphaWatches::Outcome& outcome) {
    const Check& check = group.checks.front();
    RowVerdict& verdict = row(check);
    verdict.checks += outcome.samples + 1;
    const Comparison sample{verdict_.trace,          name_of(group, check), shown(answer),
                            answer.counters.front(), outcome.counted,       outcome.expected};
    for (const std::string& problem : outcome.problems) mismatch(group, check, answer, sample, problem);
    if (outcome.problems.empty() && outcome.counted != outcome.expected) mismatch(group, check, answer, sample, "");
    if (outcome.samples == 0) ++verdict.vacuous;
    if (!profiles(group) || check.holds || outcome.expected == 0) return;
    verdict.exercised = true;
    if (verdict.best.event.empty() || verdict.best.expected < sample.expected) verdict.best = sample;
  }

  /// What the driver counts of a counter with a period of the hardware.
  void driver(const Group& group, const Answer& answer, const AlphaWatches::Outcome& outcome, std::uint64_t events) {
    const std::uint64_t period = group.sampled->period;
    const std::uint64_t expected = oracle::alpha::interrupts(events, period);
    const std::uint64_t requests = outcome.counted + outcome.untaken;
    verdict_.driver.add({1, outcome.counted, outcome.untaken, events - expected * period});
    if (requests == expected) return;
    const Check& check = group.checks.front();
    mismatch(group, check, answer,
             {verdict_.trace, name_of(group, check), shown(answer), answer.counters.front(), requests, expected},
             fmt::format("the driver gets {} requests for {} events; floor({} / {}) is {}, {} remain", requests, events,
                         events, period, expected, events - expected * period));
  }

  /// The oracle expects what the core reports; the instructions of the trace alone say something else.
  void untrue(const Group& group, const Check& check, const Answer& answer, const std::string& counter,
              std::uint64_t told, std::uint64_t expected) {
    mismatch(group, check, answer, {verdict_.trace, name_of(group, check), shown(answer), counter, expected, told},
             fmt::format("the instructions of the trace make {} of them, the core reports {}", told, expected));
  }

  /// `check` is one of the group's own.
  void judged(const Group& group, const Check& check, const Answer& answer, const std::string& counter,
              std::uint64_t counted, std::uint64_t expected, const oracle::Tally& tally) {
    RowVerdict& verdict = row(check);
    ++verdict.checks;
    const Comparison sample{verdict_.trace, name_of(group, check), shown(answer), counter, counted, expected};
    if (counted != expected) {
      mismatch(group, check, answer, sample, "");
      return;
    }
    if (check.holds && tally.expected == 0) {
      if (verdict.best.event.empty()) verdict.best = sample;
      return;
    }
    if (tally.expected == 0 && tally.occurrences == 0) ++verdict.vacuous;
    if (tally.expected == 0 || tally.occurrences == 0) return;
    verdict.exercised = true;
    if (verdict.best.event.empty() || sample.event.size() < verdict.best.event.size()) verdict.best = sample;
  }

 private:
  static std::string name_of(const Group& group, const Check& check) {
    const std::string filters = words_of(group.filters);
    std::string name = filters.empty() ? check.text() : check.text() + ' ' + filters;
    if (group.thread != 0) name += " (thread 1)";
    if (group.sampled) return fmt::format("{} (samples, every {})", name, group.sampled->period);
    return group.captures ? fmt::format("{} (captures, every {})", name, group.captures->period) : name;
  }
  RowVerdict& row(const Check& check) { return verdict_.rows[row_name(check.request)]; }
  void mismatch(const Group& group, const Check& check, const Answer& answer, Comparison sample, std::string problem) {
    RowVerdict& failing = row(check);
    failing.fail(sample);
    const bool first_of_row = failing.mismatches == 1;
    if (verdict_.mismatches.size() >= listed_ && !first_of_row) return;
    diagnose::Diagnosis diagnosis = diagnosis_of(group, check, answer, sample, problem);
    const std::string cause = diagnose::cause_of(diagnosis, problem);
    ++verdict_.causes[cause];
    verdict_.mismatches.push_back({std::move(sample), std::move(problem), std::move(diagnosis.sentence),
                                   task_.reproduce + shell_word(group.question()), cause});
  }
  /// Why there are no registers.
  [[nodiscard]] std::string problem_of(const Group& group, const Answer& answer) const {
    if (answer.status == Answer::Status::missing) return "no answer: " + answer.message;
    const auto question = question_of(task_.target, group);
    return question ? diagnose::refusal(*question, answer.message) : "the encoder refused it: " + answer.message;
  }
  /// The fields that are wrong, in one sentence.
  [[nodiscard]] diagnose::Diagnosis diagnosis_of(const Group& group, const Check& check, const Answer& answer,
                                                 const Comparison& sample, const std::string& problem) const {
    const auto question = question_of(task_.target, group);
    if (answer.status != Answer::Status::encoded || !question) return {{}, problem};
    const auto event = static_cast<std::size_t>(&check - group.checks.data());
    return diagnose::diagnose(*question, {answer.registers, answer.counters, answer.dont_care}, event,
                              {sample.counted, sample.expected, problem});
  }
  const Task& task_;
  JobVerdict& verdict_;
  std::size_t listed_;
};

/// What the instructions of each thread's trace say by themselves.
std::vector<TraceCounts> trace_counts_of(const Task& task) {
  std::vector<TraceCounts> counts;
  if (task.activity != nullptr || !task.recorded.empty() || !TraceCounts::tells(task.target)) return counts;
  for (const auto& trace : traces_of(task)) counts.emplace_back(task.target, *trace, task.parameters);
  return counts;
}

/// The identities of a task, for each thread that runs, and what they have to know.
class IdentityWatch {
 public:
  explicit IdentityWatch(const Task& task) {
    if (!task.identities) return;
    for (unsigned thread = 0; thread < (task.second_trace.empty() ? 1 : 2); ++thread) {
      checks_.emplace_back(task.target, task.only, parameters_of(task, thread));
      for (const oracle::Request& request : checks_.back().requests()) further_.push_back({thread, request});
    }
  }
  [[nodiscard]] const std::vector<Further>& further() const { return further_; }
  /// `first` is the place of the first further request.
  void judge(const Expectations& expectations, std::size_t first, JobVerdict& verdict) const {
    for (const IdentityChecks& checks : checks_) {
      std::vector<oracle::Tally> tallies;
      for (std::size_t i = 0; i < checks.requests().size(); ++i) tallies.push_back(expectations.tally(first++));
      for (IdentityVerdict& one : checks.check(tallies, verdict.trace)) verdict.identities.push_back(std::move(one));
    }
  }

 private:
  std::vector<IdentityChecks> checks_;
  std::vector<Further> further_;
};

/// The same activity for the oracle's lists of captures, now that it is known when each monitor was frozen. Where
/// branches are sampled, the branches of the activity are compared with those of the traces.
void show_again(const Task& task, const models::Target& target, std::vector<std::unique_ptr<CaptureWatch>>& watches) {
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, task.parameters, options);
  Block copy;
  std::unique_ptr<TraceBranches> program;
  session.add_observer([&](const Block& block) {
    if (program) program->consume(block);
    copy = block;
    for (const auto& watch : watches) watch->consume(copy);
  });
  if (task.activity != nullptr) {
    LogSource source(*task.activity);
    session.run(source);
    return;
  }
  const auto samples_branches = [](const auto& watch) { return watch->records_branches(); };
  if (task.recorded.empty() && std::any_of(watches.begin(), watches.end(), samples_branches))
    program = std::make_unique<TraceBranches>(traces_of(task));
  if (const auto source = kept_activity(task))
    session.run(*source);
  else
    session.run(traces_of(task));
  if (!program) return;
  program->finish();
  if (program->problem().empty()) return;
  for (const auto& watch : watches) {
    if (watch->records_branches()) watch->blame(program->problem());
  }
}

/// Where the verdicts of the groups go.
struct Places {
  std::vector<JobVerdict>& parts;
  std::size_t identities;            ///< the part that has their verdicts, if they are checked
  std::size_t listed;                ///< mismatches of each part
  std::vector<std::size_t> part_of;  ///< by group
  [[nodiscard]] JobVerdict& of(std::size_t group) const { return parts[part_of[group]]; }
};

/// Runs the traces for all groups of the task.
void judge_groups(const Task& task, const Places& places) {
  const models::Target& target = task.model != nullptr ? *task.model : *models::find_target(task.target);
  const IdentityWatch identities(task);
  Expectations expectations(task, identities.further());
  SessionOptions options;
  if (task.activity != nullptr) options.engine = Engine::direct;
  Session session(target, task.parameters, options);
  AlphaWatches alpha(task, target);
  session.add_observer([&](const activity::Block& block) {
    expectations.consume(block);
    alpha.consume(block, [&](std::size_t check) -> const std::vector<Cycle>& { return expectations.overflows(check); });
  });

  const auto thread_of = [&](const Group& group) {
    return task.second_trace.empty() ? std::nullopt : std::optional(group.thread);
  };
  constexpr std::size_t no_monitor = static_cast<std::size_t>(-1);
  std::vector<std::size_t> monitors;
  std::vector<std::vector<std::string>> broken_rules(task.plan.size());
  std::vector<std::unique_ptr<CaptureWatch>> watches;
  std::map<unsigned, std::unique_ptr<pmu::Monitor>> fresh;  // by thread, to be copied
  std::size_t first_check = 0;                              ///< of the group
  for (std::size_t g = 0; g < task.plan.size(); first_check += task.plan[g++].checks.size()) {
    const Group& group = task.plan[g];
    const Answer& answer = task.answers[g];
    note_wanted(answer, places.of(g).wanted);
    if (answer.status != Answer::Status::encoded) {
      monitors.push_back(no_monitor);
      continue;
    }
    if (group.captures) {
      const models::Parameters parameters = parameters_of(task, group.thread);
      watches.push_back(std::make_unique<CaptureWatch>(parameters, target, group, answer));
      MonitorSetup setup = watches.back()->setup();
      setup.thread = thread_of(group);
      setup.called = !is_module(task, g);
      monitors.push_back(session.add_monitor(std::move(setup)));
      continue;
    }
    if (group.sampled) {
      MonitorSetup setup = alpha.add(g, first_check, group, answer);
      setup.called = !is_module(task, g);
      monitors.push_back(session.add_monitor(std::move(setup)));
      continue;
    }
    std::unique_ptr<pmu::Monitor>& unwritten = fresh[group.thread];
    if (unwritten == nullptr) unwritten = target.make_monitor(parameters_of(task, group.thread));
    Programming programming(target, unwritten->clone());
    for (const ExtraWrite& extra : group.extra) programming.write(extra.reg, extra.value);
    for (std::size_t i = 0; i < group.checks.size(); ++i) {
      if (group.checks[i].holds) programming.write(answer.counters[i], hold_start);
    }
    for (const encoder::RegisterValue& reg : answer.registers) programming.write(reg.name, reg.value);
    broken_rules[g] = programming.broken_rules();
    MonitorSetup setup{programming.writes(), {}};
    setup.thread = thread_of(group);
    setup.called = !is_module(task, g);
    monitors.push_back(session.add_monitor(std::move(setup)));
  }

  const auto run = [&] {
    if (task.activity != nullptr) {
      LogSource source(*task.activity);
      return session.run(source);
    }
    if (const auto source = kept_activity(task)) return session.run(*source);
    ActivityKeeper keeper(task);
    session.add_observer([&](const Block& block) { keeper.consume(block); });
    SessionResult ran = session.run(traces_of(task));
    keeper.close();
    return ran;
  };
  const SessionResult result = run();
  if (!watches.empty()) show_again(task, target, watches);
  const std::vector<TraceCounts> told = trace_counts_of(task);
  auto watch = watches.begin();
  std::size_t check_number = 0;
  for (std::size_t g = 0; g < task.plan.size(); ++g) {
    const Group& group = task.plan[g];
    const Answer& answer = task.answers[g];
    Scribe scribe(task, places.of(g), places.listed);
    if (monitors[g] == no_monitor) {
      scribe.refused(group, answer);
      check_number += group.checks.size();
      continue;
    }
    const MonitorResult& monitor = result.monitors[monitors[g]];
    auto& not_modelled = places.of(g).not_modelled;
    not_modelled.insert(not_modelled.end(), monitor.not_modelled.begin(), monitor.not_modelled.end());
    if (group.captures) {
      (*watch)->finish(monitor);
      scribe.judged(group, answer, **watch++);
      check_number += group.checks.size();
      continue;
    }
    for (const std::string& rule : broken_rules[g]) scribe.broken(group, answer, rule);
    AlphaWatches::Outcome outcome;
    if (group.sampled) {
      outcome = alpha.finish(g, monitor);
      scribe.judged(group, answer, outcome);
    }
    if (group.sampled && group.sampled->by != Sampled::By::hardware) {  // the handler writes the counter
      ++check_number;
      continue;
    }
    for (std::size_t i = 0; i < group.checks.size(); ++i, ++check_number) {
      const oracle::Tally tally = expectations.tally(check_number);
      if (group.sampled) scribe.driver(group, answer, outcome, tally.expected);
      if (!told.empty() && !group.sampled && words_of(group.filters).empty()) {
        const auto alone = told.at(group.thread).of(group.checks[i].request);
        if (alone && *alone != tally.expected)
          scribe.untrue(group, group.checks[i], answer, answer.counters[i], *alone, tally.expected);
      }
      const CounterReading reading = read_counter(target, monitor, answer.counters[i]);
      const std::uint64_t start = group.checks[i].holds && !group.sampled ? cut(hold_start, reading.bits) : 0;
      const std::uint64_t whole = start + tally.expected * reading.per_event + (tally.half ? 1 : 0);
      const std::uint64_t shown = cut(whole, reading.bits) & outcome.range;
      // An Alpha's counter is compared with its carries, where the register itself is right.
      const bool with_carries = alpha_chip(target.name) && reading.value == shown;
      scribe.judged(group, group.checks[i], answer, answer.counters[i],
                    with_carries ? whole_count(target, monitor, answer.counters[i]) : reading.value,
                    with_carries ? whole : shown, tally);
    }
  }
  if (task.identities) identities.judge(expectations, check_number, places.parts[places.identities]);
}

}  // namespace

JobVerdict judge(const Task& task) {
  JobVerdict verdict;
  verdict.job = task.job;
  verdict.target = task.target;
  verdict.trace = task.trace.filename().string();
  if (!task.second_trace.empty()) verdict.trace += '+' + task.second_trace.filename().string();
  verdict.provenance = task.provenance;

  std::vector<const Group*> groups;
  for (const Group& group : task.plan) groups.push_back(&group);
  const std::vector<Part> parts = parts_of(groups);
  const std::size_t listed =
      std::clamp(most_diagnosed / std::max<std::size_t>(1, parts.size()), listed_of_part, listed_mismatches);
  // The identities are one more part.
  const std::size_t identities = parts.size();
  const auto identity = [&](std::size_t part) {
    if (part == identities) return fmt::format("identities {} {}\n", verdict.trace, task.only);
    std::string text = fmt::format("{} {}\n", listed, verdict.trace);
    for (const std::size_t g : parts[part].groups) text += identity_of(task.plan[g], task.answers[g]);
    return text;
  };
  const auto answered = [&](std::size_t part) {
    return part == identities || std::all_of(parts[part].groups.begin(), parts[part].groups.end(), [&](std::size_t g) {
             return task.answers[g].status != Answer::Status::missing;
           });
  };
  const auto judge_missing = [&](const std::vector<std::size_t>& missing, std::vector<JobVerdict>& verdicts) {
    Task rest = task;
    rest.plan.clear();
    rest.answers.clear();
    rest.identities = false;
    Places places{verdicts, identities, listed, {}};
    for (const std::size_t part : missing) {
      verdicts[part].trace = verdict.trace;
      if (part == identities) {
        rest.identities = true;
        continue;
      }
      for (const std::size_t g : parts[part].groups) {
        rest.plan.push_back(task.plan[g]);
        rest.answers.push_back(task.answers[g]);
        places.part_of.push_back(part);
      }
    }
    judge_groups(rest, places);
  };
  KeptVerdicts kept(task.cache, task.cache == nullptr ? "" : name_of(task, "verdicts"), task.reproduce);
  const auto verdicts = verdicts_of({identities + (task.identities ? 1 : 0), identity, answered, judge_missing}, kept);
  return join(std::move(verdict), verdicts, {listed_mismatches});
}

}  // namespace pmusim::testbench
