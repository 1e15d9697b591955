#include "testbench/judge/trial/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/stimulus/task_activity.h"
#include "testbench/judge/trial/captures.h"
#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {

namespace {

/// Start value of a counter that must hold. It is not 0, so that a register cleared by mistake is noticed.
constexpr std::uint64_t hold_start = 0x4242;
/// The low bits of a value.
std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// The context of a trial.
struct TrialContext {
  TrialRun& run;
  std::size_t number;
  std::size_t first_check;
  [[nodiscard]] const Group& group() const { return run.task.plan[number]; }
  [[nodiscard]] const Answer& answer() const { return run.task.answers[number]; }
};

/// Compares a counter that was read with the oracle's count of its check.
void compare(const TrialContext& at, std::size_t i, const MonitorResult& result, std::uint64_t start, Scribe& scribe) {
  const Check& check = at.group().checks[i];
  const std::string& counter = at.answer().read_counter(i);
  const oracle::Tally tally = at.run.expectations.tally(at.first_check + i);
  const CounterReading reading = read_counter(at.run.target, result, counter);
  const std::uint64_t whole = cut(start, reading.bits) + tally.expected * reading.per_event + (tally.half ? 1 : 0);
  const std::uint64_t shown = cut(whole, reading.bits);
  // A counter that interrupts extend is compared with its carries, provided that the register itself is right.
  const bool with_carries = find_firmware(at.run.target.name) != nullptr && reading.value == shown;
  const Counted counted{counter, with_carries ? whole_count(at.run.target, result, counter) : reading.value,
                        with_carries ? whole : shown};
  RowVerdict& verdict = scribe.row(check);
  ++verdict.checks;
  if (counted.counted != counted.expected) {
    const std::string& placed = at.answer().counters[i];
    scribe.mismatch(check, counted,
                    shows_counter(*at.run.fresh(at.group().thread), counter, placed)
                        ? ""
                        : fmt::format("it reads another counter than the one that counts: {}, and {} counts the event",
                                      counter, placed));
    return;
  }
  if (check.holds && tally.expected == 0) {
    if (verdict.best.event.empty()) verdict.best = scribe.comparison(check, counted);
    return;
  }
  if (tally.expected == 0 && tally.occurrences == 0) ++verdict.vacuous;
  if (tally.expected == 0 || tally.occurrences == 0) return;
  verdict.exercised = true;
  if (verdict.best.event.empty() || scribe.name_of(check).size() < verdict.best.event.size())
    verdict.best = scribe.comparison(check, counted);
}

/// Counters, each with a check.
class CountingTrial final : public Trial {
 public:
  explicit CountingTrial(const TrialContext& at) : at_(at) {}

  MonitorSetup setup() override {
    const Group& group = at_.group();
    const Answer& answer = at_.answer();
    Programming programming(at_.run.target, at_.run.fresh(group.thread));
    for (const ExtraWrite& extra : group.extra) programming.write(extra.reg, extra.value);
    for (std::size_t i = 0; i < group.checks.size(); ++i) {
      if (group.checks[i].holds) programming.write(answer.counters[i], hold_start);
    }
    write_answer(programming, answer);
    broken_rules_ = programming.broken_rules();
    return {programming.writes(), {}};
  }

  void finish(const MonitorResult& result, Scribe& scribe) override {
    const Group& group = at_.group();
    // Rules of the processor that the programming violates, whatever the counters count.
    for (const std::string& rule : broken_rules_)
      scribe.mismatch(group.checks.front(), Counted{at_.answer().counters.front()}, rule);
    for (std::size_t i = 0; i < group.checks.size(); ++i) {
      check_told(i, scribe);
      compare(at_, i, result, group.checks[i].holds ? hold_start : 0, scribe);
    }
  }

 private:
  /// The oracle expects what the core reports. The instructions of the trace may imply another count.
  void check_told(std::size_t i, Scribe& scribe) const {
    const Group& group = at_.group();
    if (at_.run.from_trace.empty() || !words_of(group.filters).empty()) return;
    const auto from_trace = at_.run.from_trace.at(group.thread).of(group.checks[i].request);
    const std::uint64_t expected = at_.run.expectations.tally(at_.first_check + i).expected;
    if (!from_trace || *from_trace == expected) return;
    scribe.mismatch(
        group.checks[i], Counted{at_.answer().counters[i], expected, *from_trace},
        fmt::format("the instructions of the trace make {} of them, the core reports {}", *from_trace, expected));
  }
  TrialContext at_;
  std::vector<std::string> broken_rules_;
};

/// A unit whose captures are read, sample by sample.
class CaptureTrial final : public Trial {
 public:
  explicit CaptureTrial(const TrialContext& at)
      : at_(at), watch_(parameters_of(at.run.task, at.group().thread), at.run.target, at.group(), at.answer()) {
    at_.run.captures.push_back(&watch_);
  }
  MonitorSetup setup() override { return watch_.setup(); }
  void finish(const MonitorResult& result, Scribe& scribe) override {
    watch_.finish(result);
    const Check& check = at_.group().checks.front();
    RowVerdict& verdict = scribe.row(check);
    verdict.checks += watch_.comparisons();
    if (watch_.captures() == 0) ++verdict.vacuous;
    const Counted counted{at_.answer().counters.front(), watch_.samples(),
                          watch_.captures() / at_.group().captures->period};
    for (const std::string& problem : watch_.problems()) scribe.mismatch(check, counted, problem);
  }

 private:
  TrialContext at_;
  CaptureWatch watch_;
};

/// Interrupts of a counter, or profiled instructions. If the hardware sets the period, the counter itself is compared
/// as well.
class InterruptTrial final : public Trial {
 public:
  explicit InterruptTrial(const TrialContext& at) : at_(at) {}
  MonitorSetup setup() override {
    return at_.run.interrupts->add(at_.number, at_.first_check, at_.group(), at_.answer());
  }
  void finish(const MonitorResult& result, Scribe& scribe) override {
    const InterruptTrials::Outcome outcome = at_.run.interrupts->finish(at_.number, result);
    judge(outcome, scribe);
    if (at_.group().sampled->by != Sampled::By::hardware) return;  // the handler writes the counter
    judge_driver(outcome, scribe);
    compare(at_, 0, result, 0, scribe);
  }

 private:
  void judge(const InterruptTrials::Outcome& outcome, Scribe& scribe) const {
    const Check& check = at_.group().checks.front();
    RowVerdict& verdict = scribe.row(check);
    verdict.checks += outcome.samples + 1;
    const Counted counted{at_.answer().counters.front(), outcome.counted, outcome.expected};
    for (const std::string& problem : outcome.problems) scribe.mismatch(check, counted, problem);
    if (outcome.problems.empty() && outcome.counted != outcome.expected) scribe.mismatch(check, counted, "");
    if (outcome.samples == 0) ++verdict.vacuous;
    if (!profiles(at_.group()) || check.holds || outcome.expected == 0) return;
    verdict.exercised = true;
    const Comparison sample = scribe.comparison(check, counted);
    if (verdict.best.event.empty() || verdict.best.expected < sample.expected) verdict.best = sample;
  }
  /// The driver's count of a counter whose period the hardware sets.
  void judge_driver(const InterruptTrials::Outcome& outcome, Scribe& scribe) const {
    const std::uint64_t period = at_.group().sampled->period;
    const std::uint64_t events = at_.run.expectations.tally(at_.first_check).expected;
    const std::uint64_t expected = oracle::interrupts(events, period);
    const std::uint64_t requests = outcome.counted + outcome.untaken;
    scribe.verdict().driver.add({1, outcome.counted, outcome.untaken, events - expected * period});
    if (requests == expected) return;
    scribe.mismatch(at_.group().checks.front(), Counted{at_.answer().counters.front(), requests, expected},
                    fmt::format("the driver gets {} requests for {} events; floor({} / {}) is {}, {} remain", requests,
                                events, events, period, expected, events - expected * period));
  }
  TrialContext at_;
};

/// Counts implied by the instructions of each thread's trace.
std::vector<TraceCounts> trace_counts_of(const Task& task) {
  std::vector<TraceCounts> counts;
  if (task.activity != nullptr || task.recorded || !TraceCounts::has_rows(task.target)) return counts;
  for (const auto& trace : traces_of(task.trace, task.second_trace))
    counts.emplace_back(task.target, *trace, task.parameters);
  return counts;
}

/// Replays the activity for the oracle's lists of captures, now that the freezes of each monitor are known. If branches
/// are sampled, the branches of the activity are compared with those of the traces.
void show_again(const TrialRun& run) {
  const Task& task = run.task;
  const std::vector<CaptureWatch*>& watches = run.captures;
  SessionOptions options;
  options.silence = silence_of_validation;
  options.engine = Engine::direct;
  Session session(run.target, task.parameters, options);
  Block copy;
  std::unique_ptr<TraceBranches> program;
  session.add_observer([&](const Block& block) {
    if (program) program->consume(block);
    copy = block;
    for (CaptureWatch* const watch : watches) watch->consume(copy);
  });
  if (task.activity != nullptr) {
    LogSource source(*task.activity);
    session.run(source);
    return;
  }
  const auto samples_branches = [](const CaptureWatch* watch) { return watch->records_branches(); };
  if (!task.recorded && std::any_of(watches.begin(), watches.end(), samples_branches))
    program = std::make_unique<TraceBranches>(traces_of(task.trace, task.second_trace));
  if (const auto source = kept_activity(task))
    session.run(*source);
  else
    session.run(traces_of(task.trace, task.second_trace));
  if (!program) return;
  program->finish();
  if (program->problem().empty()) return;
  for (CaptureWatch* const watch : watches) {
    if (watch->records_branches()) watch->blame(program->problem());
  }
}

}  // namespace

TrialRun::TrialRun(const Task& of, const models::Target& model, const Expectations& expected)
    : task(of), target(model), expectations(expected) {
  const JudgingFacts* const facts = find_judging_facts(of.target);
  if (facts != nullptr && facts->interrupts != nullptr) interrupts = facts->interrupts(of, model);
}
TrialRun::~TrialRun() = default;

std::unique_ptr<pmu::Monitor> TrialRun::fresh(unsigned thread) {
  std::unique_ptr<pmu::Monitor>& unwritten = fresh_[thread];
  if (unwritten == nullptr) unwritten = target.make_monitor(parameters_of(task, thread));
  return unwritten->clone();
}

std::unique_ptr<Trial> make_trial(TrialRun& run, std::size_t group, std::size_t first_check) {
  const TrialContext at{run, group, first_check};
  if (at.group().captures) return std::make_unique<CaptureTrial>(at);
  if (at.group().sampled) return std::make_unique<InterruptTrial>(at);
  return std::make_unique<CountingTrial>(at);
}

void observe(TrialRun& run, const Block& block) {
  if (run.interrupts == nullptr) return;
  run.interrupts->consume(
      block, [&](std::size_t check) -> const std::vector<Cycle>& { return run.expectations.overflows(check); });
}

void observe_again(TrialRun& run) {
  if (!run.captures.empty()) show_again(run);
  run.from_trace = trace_counts_of(run.task);
}

}  // namespace pmusim::testbench
