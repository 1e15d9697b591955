#include "testbench/validate/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "models/targets.h"
#include "testbench/driver/session.h"

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

/// One oracle counter per event, for all checks that name it.
class Expectations {
 public:
  Expectations(const Task& task) {
    std::map<std::string, std::vector<oracle::Request>> by_event;
    std::vector<std::pair<std::string, std::size_t>> places;
    for (const Group& group : task.plan) {
      for (const Check& check : group.checks) {
        auto& requests = by_event[check.request.event];
        places.emplace_back(check.request.event, requests.size());
        requests.push_back(check.request);
      }
    }
    const auto lookup = [&parameters = task.parameters](std::string_view name) { return parameters.get(name); };
    std::map<std::string, oracle::Counter*> counters;
    for (const auto& [event, requests] : by_event) {
      counters_.push_back(task.make_counter ? task.make_counter(requests)
                                            : oracle::make_counter(task.target, requests, lookup));
      counters[event] = counters_.back().get();
    }
    for (const auto& [event, index] : places) list_.push_back({counters.at(event), index});
  }
  void consume(const activity::Block& block) {
    for (const auto& counter : counters_) counter->consume(block);
  }
  /// In the order of groups and checks.
  [[nodiscard]] oracle::Tally tally(std::size_t check) const { return list_[check].counter->tally(list_[check].request); }

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
      mismatch(check, {verdict_.trace, check.text(), "", "", 0, 0}, "the encoder refused it: " + answer.message);
    }
  }

  void judged(const Check& check, const Answer& answer, const std::string& counter, std::uint64_t counted,
              std::uint64_t expected, const oracle::Tally& tally) {
    RowVerdict& verdict = row(check);
    ++verdict.checks;
    const Sample sample{verdict_.trace, check.text(), shown(answer), counter, counted, expected};
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
  RowVerdict& row(const Check& check) { return verdict_.rows[row_name(check.request)]; }
  void mismatch(const Check& check, Sample sample, std::string problem) {
    ++row(check).mismatches;
    if (verdict_.mismatches.size() >= listed_mismatches) return;
    verdict_.mismatches.push_back({std::move(sample), std::move(problem), task_.reproduce + shell_quoted(check.text())});
  }
  const Task& task_;
  JobVerdict& verdict_;
};

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
  for (std::size_t g = 0; g < task.plan.size(); ++g) {
    const Group& group = task.plan[g];
    const Answer& answer = task.answers[g];
    if (answer.status != Answer::Status::encoded) {
      monitors.push_back(no_monitor);
      continue;
    }
    MonitorSetup setup;
    for (const ExtraWrite& extra : group.extra) setup.writes.push_back({info_of(*example, extra.reg).id, extra.value});
    for (std::size_t i = 0; i < group.checks.size(); ++i) {
      if (group.checks[i].holds) setup.writes.push_back({info_of(*example, answer.counters[i]).id, hold_start});
    }
    for (const encoder::RegisterValue& reg : answer.registers) setup.writes.push_back({info_of(*example, reg.name).id, reg.value});
    monitors.push_back(session.add_monitor(std::move(setup)));
  }

  const auto run = [&] {
    if (task.activity == nullptr) return session.run(trace::open(task.trace));
    LogSource source(*task.activity);
    return session.run(source);
  };
  const SessionResult result = run();
  Scribe scribe(task, verdict);
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
    for (std::size_t i = 0; i < group.checks.size(); ++i, ++check_number) {
      const oracle::Tally tally = expectations.tally(check_number);
      const unsigned width = info_of(*example, answer.counters[i]).width;
      const std::uint64_t range = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
      const std::uint64_t start = group.checks[i].holds ? hold_start : 0;
      scribe.judged(group.checks[i], answer, answer.counters[i], monitor.value(answer.counters[i]),
                    (start + tally.expected) & range, tally);
    }
  }
  verdict.not_modelled.assign(not_modelled.begin(), not_modelled.end());
  return verdict;
}

}  // namespace pmusim::testbench
