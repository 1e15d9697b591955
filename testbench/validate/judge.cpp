#include "testbench/validate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "models/targets.h"
#include "testbench/cli/words.h"
#include "testbench/diagnose/causes.h"
#include "testbench/driver/alpha.h"
#include "testbench/driver/programming.h"
#include "testbench/oracle/alpha.h"
#include "testbench/validate/alpha_watch.h"
#include "testbench/validate/captures.h"
#include "testbench/validate/identities.h"
#include "testbench/validate/trace_branches.h"
#include "testbench/validate/trace_counts.h"

namespace pmusim::testbench {
namespace {

/// Start value of a counter that must hold: a register that is cleared by accident does not pass.
constexpr std::uint64_t hold_start = 0x4242;
/// More mismatches of one job than this are counted, not listed, but for the first of each row.
constexpr std::size_t listed_mismatches = 50;

/// Where the oracle keeps the expectation of a check.
struct Expectation {
  oracle::Counter* counter = nullptr;
  std::size_t request = 0;
};

/// The parameters of a group's PMU: if two threads run together it is that of one of them.
models::Parameters parameters_of(const Task& task, unsigned thread) {
  models::Parameters parameters = task.parameters;
  if (!task.second_trace.empty()) parameters.set("pmu.thread", std::int64_t{thread});
  return parameters;
}

/// What so many bits hold of a value.
std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

bool profiles(const Group& group) { return group.sampled && group.sampled->by == Sampled::By::profile_me; }

/// A request that no check makes, of a thread's monitor.
struct Further {
  unsigned thread = 0;
  oracle::Request request;
};

/// One oracle counter for all checks and further requests that can be counted in one pass.
class Expectations {
  using Pass = std::pair<unsigned, std::string_view>;  ///< thread and what the oracle counts together

 public:
  Expectations(const Task& task, const std::vector<Further>& further) {
    struct Place {
      std::size_t check;
      Pass pass;
      std::size_t request;
    };
    std::map<Pass, std::vector<oracle::Request>> by_event;
    std::vector<Place> places;
    std::size_t number = 0;
    for (const Group& group : task.plan) {
      for (const Check& check : group.checks) {
        ++number;
        if (group.captures || profiles(group)) continue;  // has its own list
        const Pass pass{group.thread, oracle::pass_of(task.target, check.request.event)};
        auto& requests = by_event[pass];
        places.push_back({number - 1, pass, requests.size()});
        requests.push_back(check.request);
      }
    }
    for (const Further& more : further) {
      const Pass pass{more.thread, oracle::pass_of(task.target, more.request.event)};
      auto& requests = by_event[pass];
      places.push_back({number++, pass, requests.size()});
      requests.push_back(more.request);
    }
    list_.resize(number);
    std::map<Pass, oracle::Counter*> counters;
    for (const auto& [pass, requests] : by_event) {
      const auto lookup = [parameters = parameters_of(task, pass.first)](std::string_view name) {
        return parameters.get(name);
      };
      counters_.push_back(task.make_counter ? task.make_counter(requests, lookup)
                                            : oracle::make_counter(task.target, requests, lookup));
      counters[pass] = counters_.back().get();
    }
    for (const Place& place : places) list_[place.check] = {counters.at(place.pass), place.request};
    watch_sampled(task);
  }
  void consume(const activity::Block& block) {
    for (const auto& counter : counters_) counter->consume(block);
  }
  /// Of a check that is sampled: when its count reached a multiple of the period.
  [[nodiscard]] const std::vector<Cycle>& overflows(std::size_t check) const {
    return list_[check].counter->crossings(list_[check].request);
  }
  /// In the order of groups and checks; the further requests last.
  [[nodiscard]] oracle::Tally tally(std::size_t check) const {
    return list_[check].counter->tally(list_[check].request);
  }

 private:
  void watch_sampled(const Task& task) {
    std::size_t number = 0;
    for (const Group& group : task.plan) {
      if (group.sampled && !profiles(group)) {
        list_[number].counter->watch(list_[number].request, group.sampled->grain(), group.sampled->grain());
      }
      number += group.checks.size();
    }
  }
  std::vector<std::unique_ptr<oracle::Counter>> counters_;
  std::vector<Expectation> list_;
};

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
  Scribe(const Task& task, JobVerdict& verdict) : task_(task), verdict_(verdict) {}

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
    if (verdict_.mismatches.size() >= listed_mismatches && !first_of_row) return;
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
};

/// The traces of a task's threads.
std::vector<std::unique_ptr<trace::Reader>> traces_of(const Task& task) {
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(trace::open(task.trace));
  if (!task.second_trace.empty()) traces.push_back(trace::open(task.second_trace));
  return traces;
}

/// What the instructions of each thread's trace say by themselves.
std::vector<TraceCounts> trace_counts_of(const Task& task) {
  std::vector<TraceCounts> counts;
  if (task.activity != nullptr || !TraceCounts::tells(task.target)) return counts;
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
  if (std::any_of(watches.begin(), watches.end(), samples_branches))
    program = std::make_unique<TraceBranches>(traces_of(task));
  session.run(traces_of(task));
  if (!program) return;
  program->finish();
  if (program->problem().empty()) return;
  for (const auto& watch : watches) {
    if (watch->records_branches()) watch->blame(program->problem());
  }
}

}  // namespace

JobVerdict judge(const Task& task) {
  JobVerdict verdict;
  verdict.job = task.job;
  verdict.target = task.target;
  verdict.trace = task.trace.filename().string();
  if (!task.second_trace.empty()) verdict.trace += '+' + task.second_trace.filename().string();
  verdict.provenance = task.provenance;

  if (task.plan.empty() && !task.identities) return verdict;
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
  std::size_t first_check = 0;  ///< of the group
  for (std::size_t g = 0; g < task.plan.size(); first_check += task.plan[g++].checks.size()) {
    const Group& group = task.plan[g];
    const Answer& answer = task.answers[g];
    note_wanted(answer, verdict.wanted);
    if (answer.status != Answer::Status::encoded) {
      monitors.push_back(no_monitor);
      continue;
    }
    if (group.captures) {
      const models::Parameters parameters = parameters_of(task, group.thread);
      watches.push_back(std::make_unique<CaptureWatch>(parameters, target, group, answer));
      MonitorSetup setup = watches.back()->setup();
      setup.thread = thread_of(group);
      monitors.push_back(session.add_monitor(std::move(setup)));
      continue;
    }
    if (group.sampled) {
      monitors.push_back(session.add_monitor(alpha.add(g, first_check, group, answer)));
      continue;
    }
    Programming programming(target, parameters_of(task, group.thread));
    for (const ExtraWrite& extra : group.extra) programming.write(extra.reg, extra.value);
    for (std::size_t i = 0; i < group.checks.size(); ++i) {
      if (group.checks[i].holds) programming.write(answer.counters[i], hold_start);
    }
    for (const encoder::RegisterValue& reg : answer.registers) programming.write(reg.name, reg.value);
    broken_rules[g] = programming.broken_rules();
    MonitorSetup setup{programming.writes(), {}};
    setup.thread = thread_of(group);
    monitors.push_back(session.add_monitor(std::move(setup)));
  }

  const auto run = [&] {
    if (task.activity == nullptr) return session.run(traces_of(task));
    LogSource source(*task.activity);
    return session.run(source);
  };
  const SessionResult result = run();
  if (!watches.empty()) show_again(task, target, watches);
  const std::vector<TraceCounts> told = trace_counts_of(task);
  Scribe scribe(task, verdict);
  auto watch = watches.begin();
  std::set<std::string> not_modelled;
  std::size_t check_number = 0;
  for (std::size_t g = 0; g < task.plan.size(); ++g) {
    const Group& group = task.plan[g];
    const Answer& answer = task.answers[g];
    if (monitors[g] == no_monitor) {
      scribe.refused(group, answer);
      check_number += group.checks.size();
      continue;
    }
    const MonitorResult& monitor = result.monitors[monitors[g]];
    not_modelled.insert(monitor.not_modelled.begin(), monitor.not_modelled.end());
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
  identities.judge(expectations, check_number, verdict);
  verdict.not_modelled.assign(not_modelled.begin(), not_modelled.end());
  return verdict;
}

}  // namespace pmusim::testbench
