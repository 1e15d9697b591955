#include "testbench/validate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "models/targets.h"
#include "testbench/driver/session.h"
#include "testbench/validate/captures.h"

namespace pmusim::testbench {
namespace {

/// Start value of a counter that must hold: a register that is cleared by accident does not pass.
constexpr std::uint64_t hold_start = 0x4242;
/// More mismatches of one job than this are counted, not listed.
constexpr std::size_t listed_mismatches = 50;

/// Where the oracle keeps the expectation of a check.
struct Expectation {
  oracle::Counter* counter = nullptr;
  std::size_t request = 0;
};

/// One oracle counter for all checks that can be counted in one pass.
class Expectations {
 public:
  Expectations(const Task& task) {
    struct Place {
      std::size_t check;
      std::string pass;
      std::size_t request;
    };
    std::map<std::string, std::vector<oracle::Request>> by_event;
    std::vector<Place> places;
    std::size_t number = 0;
    for (const Group& group : task.plan) {
      for (const Check& check : group.checks) {
        ++number;
        if (group.captures) continue;  // has its own list
        const std::string pass(oracle::pass_of(task.target, check.request.event));
        auto& requests = by_event[pass];
        places.push_back({number - 1, pass, requests.size()});
        requests.push_back(check.request);
      }
    }
    list_.resize(number);
    const auto lookup = [&parameters = task.parameters](std::string_view name) { return parameters.get(name); };
    std::map<std::string, oracle::Counter*> counters;
    for (const auto& [event, requests] : by_event) {
      counters_.push_back(task.make_counter ? task.make_counter(requests)
                                            : oracle::make_counter(task.target, requests, lookup));
      counters[event] = counters_.back().get();
    }
    for (const Place& place : places) list_[place.check] = {counters.at(place.pass), place.request};
  }
  void consume(const activity::Block& block) {
    for (const auto& counter : counters_) counter->consume(block);
  }
  /// In the order of groups and checks.
  [[nodiscard]] oracle::Tally tally(std::size_t check) const {
    return list_[check].counter->tally(list_[check].request);
  }

 private:
  std::vector<std::unique_ptr<oracle::Counter>> counters_;
  std::vector<Expectation> list_;
};

pmu::RegisterInfo info_of(const pmu::Monitor& monitor, const std::string& name) {
  const auto info = pmu::find_register(monitor, name);
  if (!info) throw std::runtime_error(fmt::format("the model has no register '{}'", name));
  return *info;
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

std::string shell_quoted(const std::string& text) { return '\'' + text + '\''; }

/// Turns the counters that were read into verdicts.
class Scribe {
 public:
  Scribe(const Task& task, JobVerdict& verdict) : task_(task), verdict_(verdict) {}

  void refused(const Group& group, const Answer& answer) {
    if (answer.status == Answer::Status::unsupported) {
      ++verdict_.unsupported;
      return;
    }
    for (const Check& check : group.checks) {
      row(check).checks += 1;
      mismatch(check, {verdict_.trace, name_of(group, check), "", "", 0, 0},
               "the encoder refused it: " + answer.message);
    }
  }

  /// The samples of a capture unit.
  void judged(const Group& group, const Answer& answer, const CaptureWatch& watch) {
    const Check& check = group.checks.front();
    RowVerdict& verdict = row(check);
    verdict.checks += watch.comparisons();
    if (watch.captures() == 0) ++verdict.vacuous;
    const Comparison sample{verdict_.trace,          name_of(group, check), shown(answer),
                            answer.counters.front(), watch.samples(),       watch.captures() / group.captures->period};
    for (const std::string& problem : watch.problems()) mismatch(check, sample, problem);
  }

  void judged(const Group& group, const Check& check, const Answer& answer, const std::string& counter,
              std::uint64_t counted, std::uint64_t expected, const oracle::Tally& tally) {
    RowVerdict& verdict = row(check);
    ++verdict.checks;
    const Comparison sample{verdict_.trace, name_of(group, check), shown(answer), counter, counted, expected};
    if (counted != expected) {
      mismatch(check, sample, "");
      return;
    }
    if (check.holds) {
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
    const std::string name = filters.empty() ? check.text() : check.text() + ' ' + filters;
    return group.captures ? fmt::format("{} (captures, every {})", name, group.captures->period) : name;
  }
  RowVerdict& row(const Check& check) { return verdict_.rows[row_name(check.request)]; }
  void mismatch(const Check& check, Comparison sample, std::string problem) {
    ++row(check).mismatches;
    if (verdict_.mismatches.size() >= listed_mismatches) return;
    verdict_.mismatches.push_back(
        {std::move(sample), std::move(problem), task_.reproduce + shell_quoted(check.text())});
  }
  const Task& task_;
  JobVerdict& verdict_;
};

/// The same activity for the oracle's lists of captures, now that it is known when each monitor was frozen.
void show_again(const Task& task, const models::Target& target, std::vector<std::unique_ptr<CaptureWatch>>& watches) {
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(target, task.parameters, options);
  Block copy;
  session.add_observer([&](const Block& block) {
    copy = block;
    for (const auto& watch : watches) watch->consume(copy);
  });
  if (task.activity == nullptr) {
    session.run(trace::open(task.trace));
  } else {
    LogSource source(*task.activity);
    session.run(source);
  }
}

}  // namespace

JobVerdict judge(const Task& task) {
  JobVerdict verdict;
  verdict.job = task.job;
  verdict.target = task.target;
  verdict.trace = task.trace.filename().string();
  verdict.provenance = task.provenance;

  const models::Target& target = task.model != nullptr ? *task.model : *models::find_target(task.target);
  const auto example = target.make_monitor(task.parameters);
  Expectations expectations(task);
  SessionOptions options;
  if (task.activity != nullptr) options.engine = Engine::direct;
  Session session(target, task.parameters, options);
  session.add_observer([&](const activity::Block& block) { expectations.consume(block); });

  constexpr std::size_t no_monitor = static_cast<std::size_t>(-1);
  std::vector<std::size_t> monitors;
  std::vector<std::unique_ptr<CaptureWatch>> watches;
  for (std::size_t g = 0; g < task.plan.size(); ++g) {
    const Group& group = task.plan[g];
    const Answer& answer = task.answers[g];
    if (answer.status != Answer::Status::encoded) {
      monitors.push_back(no_monitor);
      continue;
    }
    if (group.captures) {
      watches.push_back(std::make_unique<CaptureWatch>(task, target, group, answer));
      monitors.push_back(session.add_monitor(watches.back()->setup()));
      continue;
    }
    MonitorSetup setup;
    for (const ExtraWrite& extra : group.extra) setup.writes.push_back({info_of(*example, extra.reg).id, extra.value});
    for (std::size_t i = 0; i < group.checks.size(); ++i) {
      if (group.checks[i].holds) setup.writes.push_back({info_of(*example, answer.counters[i]).id, hold_start});
    }
    for (const encoder::RegisterValue& reg : answer.registers)
      setup.writes.push_back({info_of(*example, reg.name).id, reg.value});
    monitors.push_back(session.add_monitor(std::move(setup)));
  }

  const auto run = [&] {
    if (task.activity == nullptr) return session.run(trace::open(task.trace));
    LogSource source(*task.activity);
    return session.run(source);
  };
  const SessionResult result = run();
  if (!watches.empty()) show_again(task, target, watches);
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
    for (std::size_t i = 0; i < group.checks.size(); ++i, ++check_number) {
      const oracle::Tally tally = expectations.tally(check_number);
      const unsigned width = info_of(*example, answer.counters[i]).width;
      const std::uint64_t range = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
      const std::uint64_t start = group.checks[i].holds ? hold_start : 0;
      scribe.judged(group, group.checks[i], answer, answer.counters[i], monitor.value(answer.counters[i]),
                    (start + tally.expected) & range, tally);
    }
  }
  verdict.not_modelled.assign(not_modelled.begin(), not_modelled.end());
  return verdict;
}

}  // namespace pmusim::testbench
