#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "testbench/judge/diagnosis/causes.h"
#include "testbench/judge/diagnosis/diagnose.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/question/event_facts.h"
#include "testbench/judge/trial/bench.h"
#include "testbench/judge/trial/examined.h"
#include "testbench/judge/trial/judging_bench.h"
#include "testbench/judge/trial/needs.h"
#include "testbench/judge/trial/observed.h"
#include "testbench/support/words.h"

namespace pmusim::testbench::questions {
namespace {

class Examination {
 public:
  /// `places` has one entry per question.
  Examination(const Exam& exam, std::vector<JobVerdict>& parts, const std::vector<VerdictPosition>& places)
      : exam_(exam),
        parts_(parts),
        places_(places),
        family_(*family_of(exam.target)),
        bench_(family_, exam.parameters),
        comparisons_(exam, family_, bench_) {}

  void run() {
    for (std::size_t i = 0; i < exam_.questions.size(); ++i) {
      const PartScope scope(*this, places_[i].part);
      admit(i);
    }
    Stimuli stimuli(exam_.target, exam_.parameters, exam_.traces);
    for (Examined& candidate : candidates_) open_.push_back(&candidate);
    while (std::any_of(open_.begin(), open_.end(), [](const Examined* c) { return c->open(); })) {
      const Stimulus* const stimulus = stimuli.next([this](const Stimulus& next) {
        return std::any_of(open_.begin(), open_.end(), [&](const Examined* c) { return c->open_for(next); });
      });
      if (stimulus == nullptr) break;
      try_on(*stimulus);
    }
    try_on_everything(stimuli);
    for (Examined& candidate : candidates_) {
      const PartScope scope(*this, candidate.part);
      close(candidate);
    }
  }

 private:
  /// While it exists, `verdict_` is that of a part.
  class PartScope {
   public:
    PartScope(Examination& examination, std::size_t part) : examination_(examination), part_(part) { change(); }
    ~PartScope() { change(); }
    PartScope(const PartScope&) = delete;
    PartScope& operator=(const PartScope&) = delete;

   private:
    void change() { std::swap(examination_.verdict_, examination_.parts_[part_]); }
    Examination& examination_;
    std::size_t part_;
  };
  /// The row of a check; several unit masks belong to the row of the first.
  RowVerdict& row(const Check& check) {
    const auto& masks = check.request.umasks;
    return verdict_.rows[masks.empty() ? check.request.event : check.request.event + ':' + masks.front()];
  }

  /// Judges what needs no trace, and keeps the other answers as candidates.
  void admit(std::size_t number) {
    if (!exam_.encoders.empty() && caught_.contains(exam_.encoders[number])) return;
    const Question& question = exam_.questions[number];
    const Answer& answer = exam_.answers[number];
    Examined candidate{&question, &answer, {},
                       {},        {},      {question.group.question(), "ok", "", 0, places_[number].number}};
    candidate.part = places_[number].part;
    candidate.encoder = exam_.encoders.empty() ? 0 : exam_.encoders[number];
    candidate.failed.resize(question.group.checks.size());
    if (!exam_.stale.empty()) candidate.answers_before = exam_.stale[number];
    const Check& first = question.group.checks.front();
    // Some encoders count the events of a request before they look at their names.
    const bool unknown =
        question.illegal.empty() && answer.status == Answer::Status::invalid && !knows_all(exam_.known, question.group);
    if (answer.status == Answer::Status::unsupported || unknown) {
      ++verdict_.unsupported;
      for (const Check& check : question.group.checks) ++row(check).unsupported;
      candidate.verdict.verdict = "unsupported";
      candidate.verdict.detail = answer.message;
    } else if (answer.status == Answer::Status::missing) {
      ++row(first).checks;
      mismatch(candidate, 0, {}, "no answer: " + answer.message);
    } else if (!question.illegal.empty()) {
      ++row(first).checks;
      if (answer.status == Answer::Status::encoded)
        mismatch(candidate, 0, {}, fmt::format("it gives registers for what is illegal: {}", question.illegal));
    } else if (answer.status == Answer::Status::invalid) {
      ++row(first).checks;
      mismatch(candidate, 0, {}, "it refuses a legal question: " + answer.message);
    } else {
      for (const Check& check : question.group.checks) ++row(check).encoded;
      for (const std::string& policy : names_of(answer.policy)) ++verdict_.policies[policy];
      for (const std::string& counter : answer.counters) candidate.counters.push_back(bench_.number_of(counter));
      std::string wrong = wrong_counters(family_, bench_, candidate);
      if (wrong.empty()) wrong = wrong_presets(family_, bench_, candidate);
      if (!wrong.empty()) {
        ++row(first).checks;
        mismatch(candidate, 0, {}, wrong, true);
      } else {
        std::tie(candidate.needs, candidate.excused) = needs(question, candidate.verdict.question);
        const bool counted = candidate.needs.empty() || candidate.needs.front().effect != Need::Effect::handled;
        for (std::size_t i = 0; counted && i < question.group.checks.size(); ++i)
          candidate.asked.push_back(asked_.add(question.group, i));
        candidate.note_needs();
        candidates_.push_back(std::move(candidate));
        return;
      }
    }
    candidate.verdict.at_once = true;
    verdict_.questions.push_back(candidate.verdict);
  }

  /// The needs of a question and its excuses, computed once for all answers to it.
  std::pair<std::vector<Need>, std::string> needs(const Question& question, const std::string& text) {
    const auto work_out = [&] {
      std::map<std::string, std::string> excused;
      auto needs = needs_of(family_, question, exam_.thorough, asked_, excused);
      std::string words;
      for (const auto& [attribute, why] : excused)
        words += fmt::format("{}{} does not show: {}", words.empty() ? "" : "; ", attribute, why);
      return std::pair(std::move(needs), std::move(words));
    };
    if (!exam_.bare) return work_out();
    const auto known = needs_.find(text);
    return known != needs_.end() ? known->second : needs_.emplace(text, work_out()).first->second;
  }

  void try_on(const Stimulus& stimulus) {
    std::erase_if(open_, [](const Examined* candidate) { return !candidate->open(); });
    std::vector<bool> wanted(asked_.size());
    std::vector<Examined*> tried;
    for (Examined* const candidate : open_) {
      candidate->given_up |= candidate->hopeless(family_, stimulus.pass);
      if (!candidate->open_for(stimulus)) continue;
      tried.push_back(candidate);
      if (candidate->only_handled()) continue;
      for (const std::size_t number : candidate->asked) wanted[number] = true;
      for (const Need& need : candidate->needs) {
        if (!need.met) wanted[need.other] = true;
      }
    }
    std::vector<std::size_t> numbers;
    for (std::size_t number = 0; number < wanted.size(); ++number) {
      if (wanted[number]) numbers.push_back(number);
    }
    Counts counts(exam_.target, exam_.parameters);
    counts.count(asked_, numbers, stimulus, counters_);
    std::vector<Examined*> chosen;
    std::map<std::size_t, std::uint64_t> events;
    for (Examined* const one : tried) {
      Examined& candidate = *one;
      if (candidate.given_up) continue;  // another answer of its encoder was wrong
      if (candidate.only_handled()) {
        const PartScope scope(*this, candidate.part);
        handle(candidate, stimulus);
        continue;
      }
      if (!candidate.shows(counts)) {
        const bool happens = std::any_of(candidate.needs.begin(), candidate.needs.end(), [&](const Need& need) {
          return !need.met && need.effect != Need::Effect::nothing && counts.total(need.own).occurrences != 0;
        });
        if (happens) candidate.show_nothing(stimulus);
        if (stimulus.pass == 0) candidate.note_absence(counts, stimulus);
        continue;
      }
      candidate.in_vain = 0;
      candidate.paired |= stimulus.paired;
      if (!stimulus.paired) candidate.note_trace(counts, stimulus.file);
      chosen.push_back(&candidate);
      for (const std::size_t number : candidate.asked) events[number] = overflowing(counts.total(number).expected);
    }
    if (chosen.empty()) return;
    const auto crossings = counts.crossings(asked_, events, stimulus);
    for (Examined* const candidate : chosen) {
      const PartScope scope(*this, candidate->part);
      if (!candidate->given_up) judge(*candidate, counts, crossings, stimulus);
    }
  }

  /// Runs every answer on the selected activity of all traces (everything.h): no counter overflows there, and unused
  /// counters must keep their values. Where its events do not occur there, it also runs on all of a trace that has
  /// them.
  void try_on_everything(Stimuli& stimuli) {
    std::vector<Examined*> all;
    for (Examined& candidate : candidates_) {
      if (!settled(candidate)) all.push_back(&candidate);
    }
    if (all.empty()) return;
    using Candidates = std::vector<Examined*>;
    const auto on_their_traces = [&](const Candidates& rare, bool denser) {
      std::map<std::filesystem::path, Candidates> by_trace;
      for (Examined* const candidate : rare) by_trace[candidate->trace].push_back(candidate);
      by_trace.erase("");
      Candidates still;
      for (const auto& [trace, candidates] : by_trace) {
        for (Examined* const candidate : try_on_everything(candidates, stimuli.everything_of(trace, denser))) {
          if (reaches_higher(*candidate)) still.push_back(candidate);
        }
      }
      return still;
    };
    const Candidates rare = try_on_everything(all, stimuli.everything(exam_.thorough));
    if (exam_.thorough) (void)on_their_traces(on_their_traces(rare, false), true);
  }
  /// True for thresholds above what a short trace reaches, of events that may occur several times in a cycle.
  [[nodiscard]] bool reaches_higher(const Examined& candidate) const {
    const auto& checks = candidate.question->group.checks;
    return family_.freezes && std::any_of(checks.begin(), checks.end(), [&](const Check& check) {
             return check.request.threshold != 0 && event_facts(exam_.target, row_name(check.request)).occurs.repeats();
           });
  }
  [[nodiscard]] bool settled(const Examined& candidate) const {
    const bool caught = !exam_.encoders.empty() && caught_.contains(candidate.encoder);
    return caught || candidate.only_handled() || candidate.verdict.verdict == "mismatch";
  }

  /// Returns those that their own trace shows more of: an event that does not count here, or what a unit captures.
  std::vector<Examined*> try_on_everything(const std::vector<Examined*>& candidates, const Stimulus& stimulus) {
    std::set<std::size_t> wanted;
    for (const Examined* const candidate : candidates) {
      wanted.insert(candidate->asked.begin(), candidate->asked.end());
      for (const Need& need : candidate->needs) {
        if (!need.met) wanted.insert({need.own, need.other});
      }
    }
    Counts counts(exam_.target, exam_.parameters);
    counts.count(asked_, {wanted.begin(), wanted.end()}, stimulus, counters_);
    std::vector<Examined*> rare;
    for (Examined* const candidate : candidates) {
      if (settled(*candidate)) continue;
      const PartScope scope(*this, candidate->part);
      (void)candidate->shows(counts, false);
      run_on_everything(*candidate, counts, stimulus);
      if (!stimulus.file.empty()) handle_captures(*candidate, stimulus);
      const auto is_rare = [&](std::size_t number) {
        return counts.total(number).expected == 0 || captures_of(*candidate->question);
      };
      if (std::any_of(candidate->asked.begin(), candidate->asked.end(), is_rare)) rare.push_back(candidate);
    }
    return rare;
  }

  void run_on_everything(Examined& candidate, const Counts& counts, const Stimulus& stimulus) {
    Question placed;
    placed.group = candidate.question->group;
    move_to(exam_.target, stimulus.landmarks, placed.group);
    std::vector<std::uint64_t> starts;
    for (std::size_t i = 0; i < family_.counters.size(); ++i) starts.push_back(bench_.resting(i));
    std::vector<Counts::ByBlock> expected(family_.counters.size());
    bool overflows = false;
    for (std::size_t i = 0; i < candidate.asked.size(); ++i) {
      const std::size_t counter = candidate.counters[i];
      expected[counter] = counts.of(candidate.asked[i]);
      overflows |= short_period(placed.group.checks[i]) != 0 ||
                   bench_.overflows(counter, counts.total(candidate.asked[i]).expected, starts[counter]);
      ++row(placed.group.checks[i]).checks;
    }
    with_both_values(candidate, [&](bool ones) {
      const std::optional<Seen> seen = observe(candidate, placed, starts, stimulus, false);
      if (!seen) return;
      const ObservedRun run{candidate, *seen, starts, expected, stimulus};
      const auto report = reporter(candidate);
      comparisons_.counts(run, report);
      comparisons_.status(run, overflows, report);
      Comparisons::captures(run, report);
      if (!overflows && !ones) comparisons_.interrupt(run, report);
    });
  }

  /// Calls `run` for the answer with the bits that do not matter to the encoder as 0, then, if there are any, as 1.
  template <class Run>
  void with_both_values(Examined& candidate, Run run) {
    const Answer* const given = candidate.answer;
    if (given->dont_care.empty()) return run(false);
    for (const bool ones : {false, true}) {
      const Answer answer = given->with_ignored_bits(ones);
      candidate.answer = &answer;
      run(ones);
    }
    candidate.answer = given;
  }

  [[nodiscard]] bool interrupts(const Question& question) const {
    return question.interrupts && family_.interrupts == Interrupts::asked;
  }

  /// The event of a count that overflows: one after the middle, so that it is not the first if there are two.
  [[nodiscard]] std::uint64_t overflowing(std::uint64_t count) const {
    return count == 0 ? 0 : std::min(count / 2 + 1, family_.most_to_overflow);
  }

  void judge(Examined& candidate, const Counts& counts, const std::map<std::size_t, Counts::Crossings>& crossings,
             const Stimulus& stimulus) {
    Question placed;
    placed.group = candidate.question->group;
    placed.interrupts = candidate.question->interrupts;
    placed.silent = candidate.question->silent;
    placed.policy = candidate.question->policy;
    move_to(exam_.target, stimulus.landmarks, placed.group);
    ++candidate.verdict.traces;
    // The interrupt of each event is checked in a separate run, in which only that event overflows.
    const std::size_t events = candidate.asked.size();
    const bool one_by_one = events > 1 && interrupts(placed);
    for (std::size_t event = 0; event < (one_by_one ? events : 1); ++event)
      run(candidate, placed, one_by_one ? event : every_event, counts, crossings, stimulus);
    for (std::size_t i = 0; i < events; ++i) {
      const Check& check = candidate.question->group.checks[i];
      RowVerdict& verdict = row(check);
      ++verdict.checks;
      const std::uint64_t total = counts.total(candidate.asked[i]).expected;
      candidate.counted |= total != 0;
      if (total != 0 && !check.holds) verdict.exercised = true;
      if (total != 0 && (verdict.best.event.empty() || verdict.best.event.size() > check.text().size())) {
        verdict.best = {stimulus.name, check.text(), shown(*candidate.answer), candidate.answer->counters[i],
                        total,         total};
      }
    }
    if (candidate.question->handled()) handle(candidate, stimulus);
    for (std::size_t i = 0; i < events; ++i) {
      const auto asks_period = [&](const Need& need) {
        return need.attribute == default_period && need.own == candidate.asked[i] &&
               counts.total(need.own).expected >= need.least;
      };
      if (std::any_of(candidate.needs.begin(), candidate.needs.end(), asks_period))
        handle_period(candidate, i, stimulus);
    }
  }

  /// Runs an answer once; one event overflows, or all of them.
  void run(Examined& candidate, const Question& placed, std::size_t overflows, const Counts& counts,
           const std::map<std::size_t, Counts::Crossings>& crossings, const Stimulus& stimulus) {
    std::vector<std::uint64_t> starts;
    for (std::size_t i = 0; i < family_.counters.size(); ++i) starts.push_back(bench_.resting(i));
    std::vector<Counts::ByBlock> expected(family_.counters.size());
    Cycle request = activity::never;
    for (std::size_t i = 0; i < candidate.asked.size(); ++i) {
      const std::size_t number = candidate.asked[i];
      expected[candidate.counters[i]] = counts.of(number);
      if (overflows != every_event && overflows != i) continue;
      const std::uint64_t total = counts.total(number).expected;
      const std::uint64_t period = short_period(placed.group.checks[i]);
      starts[candidate.counters[i]] =
          bench_.start_for(candidate.counters[i], total == 0 ? 1 : overflowing(total), period);
      if (interrupts(placed) && !placed.is_silent(i) && total != 0)
        request = std::min(request, crossings.at(number).last + comparisons_.request_delay());
    }
    with_both_values(candidate, [&](bool ones) {
      const std::optional<Seen> seen = observe(candidate, placed, starts, stimulus, true);
      if (!seen) return;
      const ObservedRun run{candidate, *seen, starts, expected, stimulus, request};
      const auto report = reporter(candidate);
      comparisons_.counts(run, report);
      Comparisons::captures(run, report);
      if (ones) return;  // interrupts and pins may be what does not matter
      comparisons_.status(run, request < stimulus.log.blocks().back().end, report);
      comparisons_.interrupt(run, report);
      comparisons_.pins(run, overflows, counts, crossings, report);
    });
  }

  /// Empty if the answer has a register that the model does not have.
  std::optional<Seen> observe(Examined& candidate, const Question& placed, const std::vector<std::uint64_t>& starts,
                              const Stimulus& stimulus, bool in_steps) {
    try {
      return bench_.run(placed, *candidate.answer, starts, stimulus, in_steps);
    } catch (const std::invalid_argument& error) {
      mismatch(candidate, 0, {stimulus.name}, error.what());
      return std::nullopt;
    }
  }

  /// Judges the registers that a handler reads, as on a trace: captures, successive interrupts, profiles.
  void handle(Examined& candidate, const Stimulus& stimulus) {
    handle(candidate, candidate.question->group, *candidate.answer, 0, stimulus);
  }
  /// What a handler reads besides the counters: what the question says, or what the unit of a sampled event captures.
  [[nodiscard]] std::optional<Captures> captures_of(const Question& question) const {
    const Check& check = question.group.checks.front();
    if (question.group.captures) return question.group.captures;
    if (!family_.freezes || question.handled() || !question.interrupts || question.group.checks.size() != 1 ||
        check.request.threshold != 0)
      return std::nullopt;
    const auto unit = family_.unit_of(check.request);
    return unit && unit != Captures::Unit::branch_buffer ? std::optional(Captures{*unit, 1}) : std::nullopt;
  }
  /// Judges what the unit captures.
  void handle_captures(Examined& candidate, const Stimulus& stimulus) {
    Group group = candidate.question->group;
    group.captures = captures_of(*candidate.question);
    if (group.captures) handle(candidate, std::move(group), *candidate.answer, 0, stimulus);
  }
  /// The same for the interrupts of one event whose counter has a default period.
  void handle_period(Examined& candidate, std::size_t event, const Stimulus& stimulus) {
    Group group = candidate.question->group;
    group.checks = {group.checks[event]};
    group.sampled = Sampled{Sampled::By::hardware, family_.periods(group.checks.front()).front()};
    Answer answer = *candidate.answer;
    answer.counters = {answer.counters[event]};
    handle(candidate, std::move(group), answer, event, stimulus);
  }
  void handle(Examined& candidate, Group group, const Answer& answer, std::size_t event, const Stimulus& stimulus) {
    move_to(exam_.target, stimulus.landmarks, group);
    const JobVerdict verdict =
        JudgingBench(exam_.target, exam_.parameters)
            .judge({stimulus.file, {}, &stimulus.log}, {group}, {.encode = [&](const Group&) { return answer; }});
    RowVerdict& own = row(candidate.question->group.checks[event]);
    for (const auto& [name, other] : verdict.rows) {
      own.checks += other.checks;
      if (!candidate.only_handled()) continue;
      own.exercised |= other.exercised;
      if (other.exercised) ++candidate.verdict.traces;
      for (Need& need : candidate.needs) need.met |= other.exercised;
      candidate.note_needs();
      candidate.in_vain += other.exercised ? 0 : 1;
    }
    if (verdict.mismatches.empty()) return;
    const Mismatch& first = verdict.mismatches.front();
    mismatch(candidate, event, {stimulus.name, first.sample.counter, first.sample.counted, first.sample.expected},
             first.problem);
  }

  Comparisons::Report reporter(Examined& candidate) {
    return [this, &candidate](std::size_t event, const Reading& where, const std::string& problem) {
      mismatch(candidate, event, where, problem);
    };
  }
  void mismatch(Examined& candidate, std::size_t event, const Reading& where, const std::string& problem,
                bool by_itself = false) {
    if (candidate.failed[event]) return;  // each event of a question fails at most once
    candidate.failed[event] = true;
    const Comparison failed{
        where.trace,   candidate.verdict.question, shown(*candidate.answer), where.counter, where.counted,
        where.expected};
    row(candidate.question->group.checks[event]).fail(failed);
    if (candidate.verdict.verdict != "mismatch") {
      candidate.verdict.verdict = "mismatch";
      candidate.verdict.detail =
          problem.empty() ? fmt::format("{} counts {}, expected {}", where.counter, where.counted, where.expected)
                          : problem;
    }
    if (exam_.bare) {
      give_up(candidate);
      return;
    }
    const auto [diagnosis, cause] = diagnosed(candidate, event, where, problem, by_itself);
    const std::uint64_t known = ++verdict_.causes[cause];
    if (known > examples_of_cause) return;
    verdict_.mismatches.push_back({failed, problem, diagnosis, exam_.reproduce + named(candidate), cause});
  }

  /// The question as an argument of the command that reproduces its mismatch, after the one whose answer it got.
  static std::string named(const Examined& candidate) {
    const std::string own = shell_word(candidate.verdict.question);
    if (candidate.answers_before.empty()) return own;
    return shell_word(candidate.answers_before) + " --question " + own;
  }

  /// Stops judging the answer, and all answers of its encoder.
  void give_up(Examined& candidate) {
    candidate.given_up = true;
    if (exam_.encoders.empty()) return;
    caught_.insert(candidate.encoder);
    for (Examined& other : candidates_) other.given_up |= other.encoder == candidate.encoder;
  }

  std::pair<std::string, std::string> diagnosed(const Examined& candidate, std::size_t event, const Reading& where,
                                                const std::string& problem, bool by_itself) const {
    const auto question = question_of(exam_.target, candidate.question->group);
    if (!question || candidate.answer->status != Answer::Status::encoded || !candidate.question->illegal.empty())
      return {problem, problem.substr(0, problem.find(':'))};
    const diagnose::Observed observed{where.counted, where.expected, problem, by_itself};
    if (!candidate.answers_before.empty()) {
      constexpr auto stale = "the registers are those of the request before";
      return {
          fmt::format("{}, {}; {}", stale, candidate.answers_before, diagnose::loss(question->events[event], observed)),
          stale};
    }
    const diagnose::Diagnosis diagnosis =
        diagnose::diagnose(*question,
                           {candidate.answer->registers, candidate.answer->counters, candidate.answer->dont_care,
                            reset_values(exam_.target), names_of(candidate.answer->policy)},
                           event, observed);
    return {diagnosis.sentence, diagnose::cause_of(diagnosis, problem)};
  }

  void close(Examined& candidate) {
    if (candidate.verdict.verdict == "ok") look_for_what_did_not_show(candidate);
    verdict_.questions.push_back(candidate.verdict);
  }

  /// A question with an attribute that no trace has shown is not exercised, unless the number of occurrences that a
  /// cycle can have makes the attribute invisible.
  void look_for_what_did_not_show(Examined& candidate) const {
    std::set<std::string> missing;
    for (const Need& need : candidate.needs) {
      if (need.required && !need.met) missing.insert(need.attribute);
    }
    candidate.verdict.detail = missing.empty() ? candidate.excused : invisible(candidate, missing);
    if (missing.empty() || !candidate.verdict.detail.empty()) return;
    candidate.verdict.verdict = "not exercised";
    candidate.verdict.detail = fmt::format("no trace tells whether {} is left out", fmt::join(missing, ", "));
  }

  /// Why these attributes of a question cannot show; empty if they could. The limit is the oracle's.
  [[nodiscard]] std::string invisible(const Examined& candidate, const std::set<std::string>& missing) const {
    const auto& checks = candidate.question->group.checks;
    const auto out_of_reach = [this](const oracle::Request& request) {
      return oracle::out_of_reach(exam_.target, request,
                                  [this](std::string_view name) { return exam_.parameters.get(name); });
    };
    oracle::Request twice = checks.front().request;
    twice.threshold = 2;
    if (missing == std::set<std::string>{"c"} && checks.front().request.threshold == 1 && out_of_reach(twice))
      return "it never occurs twice in a cycle, so that a mask of 1 changes nothing";
    if (!candidate.counted && !missing.contains(std::string(family_.threshold.attribute)) &&
        std::all_of(checks.begin(), checks.end(), [&](const Check& check) { return out_of_reach(check.request); }))
      return "the threshold is never reached, so that nothing else shows";
    return {};
  }

  const Exam& exam_;
  std::vector<JobVerdict>& parts_;
  const std::vector<VerdictPosition>& places_;
  JobVerdict verdict_;  ///< see PartScope
  const Family& family_;
  Bench bench_;
  Comparisons comparisons_;
  NeededCounts asked_;
  Counts::Counters counters_;
  std::vector<Examined> candidates_;
  std::vector<Examined*> open_;  ///< pointers into candidates_; some may no longer be open
  std::map<std::string, std::pair<std::vector<Need>, std::string>> needs_;  ///< by question
  std::set<std::size_t> caught_;                                            ///< encoders
};

}  // namespace

void examine(const Exam& exam, std::vector<JobVerdict>& parts, const std::vector<VerdictPosition>& places) {
  Examination(exam, parts, places).run();
}

}  // namespace pmusim::testbench::questions
